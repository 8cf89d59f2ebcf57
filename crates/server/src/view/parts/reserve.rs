//! The pieces next to the board that a side can still use, as buttons that start a move.

use maud::{Markup, html};
use noughts_rules::{AnyGameState, Side, Target};
use noughts_view as pictures;

use super::render_context::RenderContext;

/// The pieces of one side.
pub(crate) fn reserve(state: &AnyGameState, side: Side, can_move: bool) -> Markup {
    let (view, kinds) = (state.view(), state.view().pieces());
    let reserve = view.reserve(side).into_iter();
    let reserve: Vec<_> = reserve
        .filter_map(|(kind, count)| Some((kind, *kinds.get(usize::from(kind))?, count)))
        .collect();
    html! {
        @if !reserve.is_empty() {
            div.reserves role="group" aria-label=(format!("Pieces that {side} has left")) {
                @for (kind, piece, count) in reserve {
                    button.reserve type="button" data-side=(side.letter())
                        data-target=(view.target_name(Target::Piece(kind)))
                        disabled[!can_move || count == 0] aria-label=(format!("{piece}: {count} left")) {
                        @for _ in 0..count { (pictures::piece(&piece, "")) }
                        @if count == 0 { span aria-hidden="true" { "none left" } }
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
