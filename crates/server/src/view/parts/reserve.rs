//! The pieces next to the board that a side can still use, as buttons that start a move.

use maud::{Markup, html};
use noughts_rules::{AnyGameState, Side, Target};
use noughts_view as pictures;

use super::render_context::RenderContext;

/// The pieces of one side. Every kind that it has at the start keeps its place, so that nothing moves when one is used up.
pub(crate) fn reserve(state: &AnyGameState, side: Side, can_move: bool) -> Markup {
    let (view, kinds) = (state.view(), state.view().pieces());
    let left = view.reserve(side);
    let at_start = AnyGameState::new(state.variant()).view().reserve(side);
    let slots: Vec<_> = at_start
        .into_iter()
        .filter_map(|(kind, total)| {
            let left = left.iter().find(|(other, _)| *other == kind);
            let count = left.map_or(0, |&(_, count)| count);
            Some((kind, *kinds.get(usize::from(kind))?, count, total))
        })
        .collect();
    html! {
        @if !slots.is_empty() {
            div.reserves role="group" aria-label=(format!("Pieces that {side} has left")) {
                @for &(kind, piece, count, total) in &slots {
                    button.reserve type="button" data-side=(side.letter())
                        data-target=(view.target_name(Target::Piece(kind)))
                        disabled[!can_move || count == 0] aria-label=(format!("{piece}: {count} left")) {
                        // Side by side if there is room for them.
                        @if slots.len() == 1 {
                            @for n in 0..total { (pictures::piece(view, &piece, if n < count { "" } else { "used" })) }
                        } @else {
                            (pictures::piece(view, &piece, if count > 0 { "" } else { "used" }))
                            @if count > 1 { span.count aria-hidden="true" { "×" (count) } }
                        }
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
