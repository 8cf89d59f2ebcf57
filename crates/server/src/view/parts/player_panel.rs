//! A player's panel: mark, name, record or bot description, reserve.

use maud::{Markup, html};
use noughts_engine::BotKind;
use noughts_rules::{Outcome, Side};
use noughts_store::Seat;
use noughts_view::{icons, reserve};

use super::render_context::RenderContext;

pub(super) fn player_panel(ctx: &RenderContext<'_>, side: Side) -> Markup {
    let is_inactive = ctx.is_viewing_past() || ctx.snapshot.is_waiting_for_opponent();
    let is_turn = ctx.is_ongoing() && ctx.shown_state.side() == side && !is_inactive;
    let result = ctx.snapshot.over.and_then(|(result, _)| result);
    let is_winner = result == Some(Outcome::Win(side));
    html! {
        div.panel.(side.letter()) .turn[is_turn] .won[is_winner] {
            div.player {
                (icons::side_mark(side))
                div {
                    h2 { (ctx.display_name(side)) }
                    p.note { (player_note(ctx, side)) }
                }
            }
            @if is_turn { p.turn-label { (turn_label(ctx, side)) } }
            @if is_winner { p.turn-label { "Winner" } }
            (record_or_description(ctx, side))
            (player_reserve(ctx, side))
        }
    }
}

/// The side and how the player relates to the viewer.
fn player_note(ctx: &RenderContext<'_>, side: Side) -> String {
    let is_connected = ctx.snapshot.connected[side as usize];
    let letter = side.to_string();
    match ctx.seat(side) {
        _ if ctx.snapshot.is_invited(side) => format!("{letter} · invited"),
        Seat::Deleted => format!("{letter} · deleted"),
        Seat::Bot(_) => format!("{letter} · computer"),
        Seat::Player(_) | Seat::Guest if ctx.viewer.side() == Some(side) => {
            format!("{letter} · you")
        }
        Seat::Player(_) | Seat::Guest if ctx.viewer.plays(side) || !ctx.snapshot.is_online => {
            letter
        }
        Seat::Player(_) | Seat::Guest if is_connected => format!("{letter} · online"),
        Seat::Player(_) | Seat::Guest => format!("{letter} · offline"),
    }
}

fn turn_label(ctx: &RenderContext<'_>, side: Side) -> &'static str {
    if ctx.is_bot(side) && ctx.snapshot.thinking {
        "Thinking…"
    } else if ctx.viewer.side() == Some(side) {
        "Your turn"
    } else {
        "To move"
    }
}

/// The pieces of a player.
fn player_reserve(ctx: &RenderContext<'_>, side: Side) -> Markup {
    let can_move = ctx.is_ongoing()
        && ctx.viewer.plays(side)
        && ctx.shown_state.side() == side
        && !ctx.is_viewing_past();
    html! { @if !ctx.is_analysis_board() { (reserve(&ctx.shown_state, side, can_move)) } }
}

/// A human's record or a bot's description.
fn record_or_description(ctx: &RenderContext<'_>, side: Side) -> Markup {
    match ctx.seat(side) {
        Seat::Bot(name) => {
            let kind: Option<BotKind> = name.parse().ok();
            let variant = ctx.snapshot.state.variant();
            html! {
                @if let Some(kind) = kind { p.description { (kind.description(Some(variant))) } }
            }
        }
        Seat::Player(_) if !ctx.snapshot.is_invited(side) && !ctx.is_analysis_board() => {
            let tally = ctx.snapshot.tallies[side as usize].unwrap_or_default();
            let counts = [
                ("Wins", tally.wins),
                ("Losses", tally.losses),
                ("Draws", tally.draws),
            ];
            html! {
                dl.tally {
                    @for (word, number) in counts { div { dt { (word) } dd { (number) } } }
                }
            }
        }
        Seat::Player(_) | Seat::Guest | Seat::Deleted => html! {},
    }
}
