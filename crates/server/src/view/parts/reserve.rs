//! The pieces next to the board that a side can still use, as buttons that start a move.

use maud::{Markup, html};
use noughts_rules::{AnyGameState, Side};
use noughts_wire::{PieceKind, ReservePieces};

use super::render_context::RenderContext;
use crate::view::choices;

/// The pieces of one side.
pub(crate) fn reserve(state: &AnyGameState, side: Side, can_move: bool) -> Markup {
    let pieces = choices::reserve(state.view(), side);
    html! {
        @if !pieces.is_empty() {
            div.reserves role="group" aria-label=(format!("Pieces that {side} has left")) {
                @for ReservePieces { kind, count } in &pieces {
                    @let label = format!("{label}: {count} left", label = kind.label);
                    button.reserve type="button" data-side=(side.letter()) data-target=(kind.target)
                        disabled[!can_move || *count == 0] aria-label=(label) {
                        @for _ in 0..*count { (piece_picture(kind)) }
                        @if *count == 0 { span aria-hidden="true" { "none left" } }
                    }
                }
            }
        }
    }
}

/// The pieces of both sides, for boards without players.
pub(crate) fn both_reserves(state: &AnyGameState) -> Markup {
    let can_move = |side| state.outcome().is_none() && state.side() == side;
    html! { @for side in Side::BOTH { (reserve(state, side, can_move(side))) } }
}

/// The reserves below the board of an analysis. Those of a game are in the panels of its players.
pub(super) fn board_reserves(ctx: &RenderContext<'_>) -> Markup {
    html! { @if ctx.is_analysis_board() { (both_reserves(&ctx.shown_state)) } }
}

/// The pieces of a player, in their panel.
pub(super) fn player_reserve(ctx: &RenderContext<'_>, side: Side) -> Markup {
    let can_move = ctx.is_ongoing()
        && ctx.viewer.plays(side)
        && ctx.shown_state.side() == side
        && !ctx.is_viewing_past();
    html! { @if !ctx.is_analysis_board() { (reserve(&ctx.shown_state, side, can_move)) } }
}

/// A piece as it looks on the board.
fn piece_picture(kind: &PieceKind) -> Markup {
    html! { span.piece { (kind.label) } }
}
