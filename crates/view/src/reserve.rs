//! The pieces next to the board that a side can still use, as buttons that start a move.

use maud::{Markup, html};
use noughts_rules::{AnyGameState, Side, Target};

use super::pieces::piece;

/// The pieces of one side. Every kind that it has at the start keeps its place, so that nothing moves when one is used up.
#[must_use]
pub fn reserve(state: &AnyGameState, side: Side, can_move: bool) -> Markup {
    let (view, kinds) = (state.view(), state.view().pieces());
    let left = view.reserve(side);
    let at_start = AnyGameState::new(state.variant()).view().reserve(side);
    let slots = at_start.into_iter().filter_map(|(kind, total)| {
        let left = left.iter().find(|(other, _)| *other == kind);
        let count = left.map_or(0, |&(_, count)| count);
        Some((kind, *kinds.get(usize::from(kind))?, count, total))
    });
    let slots: Vec<_> = slots.collect();
    html! {
        @if !slots.is_empty() {
            div.reserves role="group" aria-label=(format!("Pieces that {side} has left")) {
                @for &(kind, kind_of_piece, count, total) in &slots {
                    button.reserve type="button" data-side=(side.letter())
                        data-target=(view.target_name(Target::Piece(kind)))
                        disabled[!can_move || count == 0] aria-label=(format!("{kind_of_piece}: {count} left")) {
                        // Side by side if there is room for them.
                        @if slots.len() == 1 {
                            @for n in 0..total { (piece(view, &kind_of_piece, if n < count { "" } else { "used" })) }
                        } @else {
                            (piece(view, &kind_of_piece, if count > 0 { "" } else { "used" }))
                            @if count > 1 { span.count aria-hidden="true" { "×" (count) } }
                        }
                    }
                }
            }
        }
    }
}

/// The pieces of both sides, for boards without players.
#[must_use]
pub fn both_reserves(state: &AnyGameState) -> Markup {
    let can_move = |side| state.outcome().is_none() && state.side() == side;
    html! { @for side in Side::BOTH { (reserve(state, side, can_move(side))) } }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use noughts_rules::games;

    use super::*;

    /// Guards against a board that moves during a game because a row of used pieces disappears above it; and what is
    /// left has to be what the game says.
    #[test]
    fn used_pieces_leave_their_places_empty() {
        let mut emptied = 0;
        for (variant, preset) in games::presets() {
            let mut state = AnyGameState::new(variant);
            let mut layouts = BTreeSet::new();
            for turn in 0..12 {
                for side in Side::BOTH {
                    let markup = reserve(&state, side, true).into_string();
                    let pictures = markup.matches("<svg").count();
                    let buttons = markup.matches("<button").count();
                    layouts.insert((side, buttons, pictures));
                    let left = state.view().reserve(side);
                    let left = left.iter().filter(|(_, count)| *count > 0).count();
                    let disabled = markup.matches(" disabled").count();
                    assert_eq!(buttons - disabled, left, "{}: {markup}", preset.name);
                    emptied += disabled;
                }
                let Some(moves) = state.view().choices() else {
                    break;
                };
                match moves.get(turn * 7 % moves.len().max(1)) {
                    Some((mv, _)) if state.play(mv).is_ok() => {}
                    _ => break,
                }
            }
            assert!(layouts.len() <= 2, "{}: {layouts:?}", preset.name);
        }
        assert!(emptied > 0, "no game has a reserve that is used up");
    }
}
