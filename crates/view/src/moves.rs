//! What the last move did, and where the next one can start.

use std::collections::{BTreeMap, BTreeSet};

use noughts_rules::{AnyGameState, BoardView, Place, Target};

use super::layout::Layout;

/// What the last move did.
#[derive(Clone, Debug, Default)]
pub(super) struct LastMove {
    /// Where it put a piece.
    pub(super) to: Option<Place>,
    /// Where that piece came from.
    pub(super) from: Option<Place>,
    /// Did it move the frame?
    pub(super) moved_frame: bool,
}

impl LastMove {
    pub(super) fn of(state: &AnyGameState) -> LastMove {
        let view = state.view();
        let Some(mv) = state.last_move() else {
            return LastMove::default();
        };
        let taps = view.taps_of(&mv).unwrap_or_default();
        if taps.contains(&Target::Frame) {
            return LastMove {
                moved_frame: true,
                ..LastMove::default()
            };
        }
        let changed = view.last_places().into_iter().rev();
        let mut with_piece = changed.filter(|&place| view.cell(place).top().is_some());
        LastMove {
            to: with_piece.next(),
            from: match taps[..] {
                [Target::Place(from), Target::Place(_)] => Some(from),
                _ => None,
            },
            moved_frame: false,
        }
    }
}

/// Where a move can start.
#[derive(Clone, Debug, Default)]
pub(super) struct LegalTaps {
    /// The places that can be touched first, each with where a piece lands if that is the whole move.
    starts: BTreeMap<Place, Option<Place>>,
    /// The places that are marked.
    shown: BTreeSet<Place>,
    /// Can the frame be moved?
    pub(super) can_move_frame: bool,
}

impl LegalTaps {
    /// The legal moves among those that can be made in a view. With too many to list, the view's cells are checked
    /// one by one.
    pub(super) fn of(view: &dyn BoardView, layout: &Layout) -> LegalTaps {
        let mut legal = LegalTaps::default();
        let Some(choices) = view.choices() else {
            let cells = layout
                .button_rows()
                .into_iter()
                .flatten()
                .map(|(_, cell)| cell);
            for cell in cells.filter(|&cell| layout.shows_cells() && view.accepts_move(cell)) {
                legal.add(cell, Some(cell));
            }
            return legal;
        };
        for (mv, taps) in choices {
            match taps[..] {
                [Target::Place(place)] => legal.add(place, view.shown_places(&mv).last().copied()),
                [Target::Place(place), ..] => legal.add(place, None),
                [Target::Frame, ..] => legal.can_move_frame = true,
                _ => {}
            }
        }
        legal
    }

    /// If a place is a whole move and also starts others, a touch makes the move.
    fn add(&mut self, start: Place, lands_on: Option<Place>) {
        let landing = self.starts.entry(start).or_default();
        *landing = landing.or(lands_on);
        self.shown.insert(lands_on.unwrap_or(start));
    }

    /// Does a legal move start with a touch on this place?
    pub(super) fn can_start(&self, place: Place) -> bool {
        self.starts.contains_key(&place)
    }

    /// Where a piece lands if this place is touched, in games in which one touch is the whole move.
    pub(super) fn landing(&self, place: Place) -> Option<Place> {
        self.starts.get(&place).copied().flatten()
    }

    /// Is the place marked as one where a move can go?
    pub(super) fn shows(&self, place: Place) -> bool {
        self.shown.contains(&place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Guards against marks that depend on the order of moves where a touch is a move and the start of another.
    #[test]
    fn a_whole_move_wins_over_the_start_of_others() {
        let cell = |index| Place::new(1, index);
        for moves in [[Some(cell(5)), None], [None, Some(cell(5))]] {
            let mut legal = LegalTaps::default();
            for lands_on in moves {
                legal.add(cell(2), lands_on);
            }
            assert_eq!(legal.landing(cell(2)), Some(cell(5)));
        }
    }
}
