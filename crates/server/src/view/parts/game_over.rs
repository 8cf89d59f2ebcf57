//! The content of the game-over dialog: it congratulates or consoles the viewer, explains how
//! the game ended, and offers what to do next.

use maud::{Markup, html};
use noughts_rules::{Outcome, Side};
use noughts_store::Seat;

use super::render_context::RenderContext;
use crate::live::OfferKind;
use crate::view::{formatting, icons};

/// Consolations for the loser. The number of moves selects one, so that it varies between
/// games but not between updates.
const CONSOLATIONS: [&str; 4] = [
    "A good fight. The review shows where it turned.",
    "So close. The next one may be yours.",
    "Nobody learns from winning: on to the next.",
    "It happens to the best. Another try?",
];

pub(super) fn game_over_dialog(ctx: &RenderContext<'_>) -> Markup {
    if ctx.is_ongoing() || ctx.snapshot.ids.is_none() {
        return html! {};
    }
    let rematch_offered = is_rematch_offered(ctx);
    html! {
        (emblem(ctx))
        h2 id="end-title" { (title(ctx)) }
        p { (formatting::capitalize(&ctx.ending_text())) "." @if let Some(remark) = closing_remark(ctx) { " " (remark) } }
        (record_table(ctx))
        @if ctx.snapshot.handed_over {
            p.soft { "A side changed hands, so the game counts in nobody's record." }
        } @else if let Some(reason) = ctx.snapshot.assisted {
            p.soft { "This game isn't rated: " (reason.to_string()) "." }
        }
        @if rematch_offered && let Some(side) = ctx.viewer_side() {
            p { b { (ctx.display_name(side.other())) } " would like to play again, with sides changed." }
        }
        div.buttons {
            @match &ctx.snapshot.next {
                Some(next) => a.button.primary href=(format!("/games/{next}")) { "To the next game" },
                None if rematch_offered => {
                    button.primary type="button" data-do="accept" { "Accept" }
                    button type="button" data-do="decline" { "Decline" }
                },
                None => @if ctx.is_player() || ctx.viewer.host {
                    button.primary type="button" data-do="again" autofocus { (icons::icon("again")) "Play again" }
                },
            }
            button type="button" data-do="review" { (icons::icon("review")) "Review" }
            @if ctx.is_player() || ctx.viewer.host {
                a.button href=(new_game_url(ctx)) { (icons::icon("seat")) "Change players" }
            }
            button type="button" data-do="close" { "Close" }
        }
    }
}

/// Has the opponent offered a rematch?
fn is_rematch_offered(ctx: &RenderContext<'_>) -> bool {
    let offer = ctx.snapshot.offer;
    let rematch = offer.filter(|offer| offer.kind == OfferKind::Rematch);
    rematch.is_some_and(|offer| ctx.viewer_side() == Some(offer.by.other()))
}

fn result(ctx: &RenderContext<'_>) -> Option<Outcome> {
    ctx.snapshot.over.and_then(|(result, _)| result)
}

fn emblem(ctx: &RenderContext<'_>) -> Markup {
    html! {
        div.emblem aria-hidden="true" {
            @match result(ctx) {
                Some(Outcome::Win(winner)) => (icons::side_mark(winner)),
                Some(Outcome::Draw) => { (icons::side_mark(Side::X)) (icons::side_mark(Side::O)) }
                None => {}
            }
        }
    }
}

fn title(ctx: &RenderContext<'_>) -> String {
    let Some(outcome) = result(ctx) else {
        return "The game was left without a result".into();
    };
    let Some(winner) = outcome.winner() else {
        return "A draw".into();
    };
    match ctx.viewer_side() {
        Some(side) if side == winner => format!("Congratulations, {}!", ctx.display_name(side)),
        Some(side) => format!("Not this time, {}", ctx.display_name(side)),
        None if ctx.plays_both_sides() && !ctx.is_bot(winner) => {
            format!("Congratulations, {}!", ctx.display_name(winner))
        }
        None => format!("{} ({winner}) wins", ctx.display_name(winner)),
    }
}

/// Praise or consolation, only for games that ended by the rules.
fn closing_remark(ctx: &RenderContext<'_>) -> Option<String> {
    let (outcome, end) = ctx.snapshot.over?;
    let side = ctx.viewer_side().filter(|_| end.is_by_rules())?;
    let opponent = ctx.display_name(side.other());
    let consolation =
        CONSOLATIONS[formatting::move_count(&ctx.snapshot.state) % CONSOLATIONS.len()];
    Some(match outcome? {
        Outcome::Win(winner) if winner == side && ctx.is_bot(side.other()) => {
            format!("{opponent} has met its match.")
        }
        Outcome::Win(winner) if winner == side => "Well played.".into(),
        Outcome::Win(_) => consolation.into(),
        Outcome::Draw => format!("Well held: {opponent} found no way through."),
    })
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
        table.scores {
            caption.unseen { "Records" }
            thead { tr { th scope="col" { "Player" } th scope="col" { "Wins" } th scope="col" { "Losses" } th scope="col" { "Ties" } } }
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
    let variant = formatting::encode_query(&ctx.snapshot.state.variant().to_string());
    let mut url = format!("/new?variant={variant}");
    for (panel, side) in [("p1", Side::X), ("p2", Side::O)] {
        url += &match ctx.seat(side) {
            Seat::Player(name) => {
                format!(
                    "&{panel}-kind=person&{panel}-name={}",
                    formatting::encode_query(name.as_str())
                )
            }
            Seat::Bot(bot) => format!(
                "&{panel}-kind=computer&{panel}-bot={}",
                formatting::encode_query(bot)
            ),
            Seat::Guest => format!("&{panel}-kind=person"),
            Seat::Deleted => String::new(),
        };
    }
    url
}
