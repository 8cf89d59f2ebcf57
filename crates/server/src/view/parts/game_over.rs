//! The content of the game-over dialog: it congratulates or consoles the viewer, explains how
//! the game ended, and offers what to do next.

use maud::{Markup, html};
use noughts_rules::{Outcome, Side};
use noughts_store::Seat;
use noughts_text::capitalize;
use noughts_view::icons;

use super::render_context::RenderContext;
use crate::view::formatting;
use noughts_wire::OfferKind;

pub(super) fn game_over_dialog(ctx: &RenderContext<'_>) -> Markup {
    let over = ctx.snapshot.game_over();
    let Some(over) = over.filter(|_| ctx.snapshot.ids.is_some()) else {
        return html! {};
    };
    let viewpoint = ctx.viewer.viewpoint();
    let rematch_offered = is_rematch_offered(ctx);
    html! {
        (emblem(ctx))
        h2 id="game-over-title" { (over.title(viewpoint)) }
        p { (capitalize(&over.reason())) "." @if let Some(remark) = over.remark(viewpoint) { " " (remark) } }
        (record_table(ctx))
        @if let Some(notice) = ctx.unrated_notice() { p.muted { (notice) } }
        @if rematch_offered && let Some(side) = ctx.viewer.side() {
            p { b { (ctx.display_name(side.other())) } " offers a rematch with sides swapped." }
        }
        div.buttons {
            @match &ctx.snapshot.claims.rematch {
                Some(next) => a.button.primary href=(format!("/games/{next}")) { "Go to the rematch" },
                None if rematch_offered => {
                    button.primary type="button" data-action="accept" { "Accept" }
                    button type="button" data-action="decline" { "Decline" }
                },
                None => @if ctx.viewer.is_player() || ctx.viewer.host {
                    button.primary type="button" data-action="rematch" autofocus { (icons::icon("rematch")) "Rematch" }
                },
            }
            button type="button" data-action="review" { (icons::icon("review")) "Review" }
            @if ctx.viewer.is_player() || ctx.viewer.host {
                a.button href=(new_game_url(ctx)) { (icons::icon("seat")) "Change players" }
            }
            button type="button" data-action="close" { "Close" }
        }
    }
}

/// Has the opponent offered a rematch?
fn is_rematch_offered(ctx: &RenderContext<'_>) -> bool {
    let offer = ctx.snapshot.offer;
    let rematch = offer.filter(|offer| offer.kind == OfferKind::Rematch);
    rematch.is_some_and(|offer| ctx.viewer.side() == Some(offer.by.other()))
}

fn emblem(ctx: &RenderContext<'_>) -> Markup {
    html! {
        div.emblem aria-hidden="true" {
            @match ctx.snapshot.over.and_then(|(result, _)| result) {
                Some(Outcome::Win(winner)) => (icons::side_mark(winner)),
                Some(Outcome::Draw) => { (icons::side_mark(Side::X)) (icons::side_mark(Side::O)) }
                None => {}
            }
        }
    }
}

fn record_table(ctx: &RenderContext<'_>) -> Markup {
    let players = Side::BOTH.into_iter().filter_map(|side| {
        let tally = ctx.snapshot.tallies[side as usize]?;
        ctx.seat(side).player_name().map(|name| (name, tally))
    });
    let players: Vec<_> = players.collect();
    if players.is_empty() {
        return html! {};
    }
    html! {
        table.record-table {
            caption.visually-hidden { "Player records" }
            thead { tr { th scope="col" { "Player" } th scope="col" { "Wins" } th scope="col" { "Losses" } th scope="col" { "Draws" } } }
            tbody {
                @for (name, tally) in players {
                    tr {
                        th scope="row" { (name.as_str()) }
                        td { (tally.wins) } td { (tally.losses) } td { (tally.draws) }
                    }
                }
            }
        }
    }
}

/// The URL of the new-game form with the players of this game.
fn new_game_url(ctx: &RenderContext<'_>) -> String {
    let mut url = formatting::new_game_url(ctx.snapshot.state.variant());
    for (panel, side) in [("p1", Side::X), ("p2", Side::O)] {
        url += &match ctx.seat(side) {
            Seat::Player(name) => {
                let name = formatting::encode_query(name.as_str());
                format!("&{panel}-kind=human&{panel}-name={name}")
            }
            Seat::Bot(bot) => {
                let bot = formatting::encode_query(bot);
                format!("&{panel}-kind=computer&{panel}-bot={bot}")
            }
            Seat::Guest => format!("&{panel}-kind=human"),
            Seat::Deleted => String::new(),
        };
    }
    url
}
