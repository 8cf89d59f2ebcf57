//! What doesn't change during a game and decides how its board is drawn and played.

use std::mem::discriminant;

use noughts_rules::{AnyGameState, BoardLook, BoardView, Owner, Place, Side, Target, Variant};

use super::Board;

/// What kinds of things a game has.
#[derive(Clone, Debug)]
pub(super) struct Features {
    /// Are cells named by column letter and row number?
    pub(super) has_coordinates: bool,
    /// Is a move the same wherever a column is touched?
    pub(super) plays_columns: bool,
    /// What the game calls its frame, if it has one.
    pub(super) frame: Option<&'static str>,
    /// Do the sides have several kinds of pieces next to the board?
    pub(super) has_reserve: bool,
    /// Are there lines between the cells that pieces move along?
    pub(super) has_links: bool,
    /// The ways to make a move.
    pub(super) forms: Vec<MoveForm>,
}

/// A way to make a move: what is touched, and some of the moves, legal or not.
#[derive(Clone, Debug)]
pub(super) struct MoveForm {
    pub(super) taps: Vec<Target>,
    pub(super) moves: Vec<String>,
}

impl MoveForm {
    pub(super) fn matches(&self, taps: &[Target]) -> bool {
        let kinds = self.taps.iter().map(discriminant);
        kinds.eq(taps.iter().map(discriminant))
    }
}

/// How many moves of each form are kept.
const MAX_EXAMPLES: usize = 60;

impl Features {
    pub(super) fn of(variant: Variant) -> Features {
        let state = AnyGameState::new(variant);
        let view = state.view();
        Features {
            has_coordinates: view.has_coordinates(),
            plays_columns: view.plays_columns(),
            frame: view.frame().map(|frame| frame.name),
            has_reserve: has_reserve(view),
            has_links: matches!(view.shape().look, BoardLook::Points(_)),
            forms: forms(&state),
        }
    }
}

/// Several kinds of pieces are shown next to the board; if there is one, its number is shown with the player.
fn has_reserve(view: &dyn BoardView) -> bool {
    Side::BOTH
        .into_iter()
        .any(|side| view.reserve(side).len() > 1)
}

/// For each side, how many pieces of its only kind aren't on the board yet; nothing in games that have no such pieces or
/// several kinds.
pub(crate) fn pieces_in_hand(state: &AnyGameState) -> Option<[(u32, u32); 2]> {
    let start = AnyGameState::new(state.variant());
    let count = |state: &AnyGameState, side| -> u32 {
        let reserve = state.view().reserve(side).into_iter();
        reserve.map(|(_, count)| count).sum()
    };
    let totals = Side::BOTH.map(|side| count(&start, side));
    let is_shown = totals != [0; 2] && !has_reserve(start.view());
    is_shown.then(|| Side::BOTH.map(|side| (count(state, side), totals[side as usize])))
}

fn forms(state: &AnyGameState) -> Vec<MoveForm> {
    let is_flat = state.view().shape().depth() == 1;
    // With too many moves to list, all are made by touching a cell.
    let actions = state.actions().filter(|_| is_flat).unwrap_or_default();
    let mut all: Vec<(MoveForm, usize)> = Vec::new();
    for (mv, taps) in actions {
        let place = all.iter().position(|(form, _)| form.matches(&taps));
        let place = place.unwrap_or_else(|| {
            let moves = Vec::new();
            all.push((MoveForm { taps, moves }, 0));
            all.len() - 1
        });
        let (form, seen) = &mut all[place];
        *seen += 1;
        // The first ones and then fewer and fewer, so that all parts of the board occur.
        if form.moves.len() < MAX_EXAMPLES / 2 || seen.is_power_of_two() || *seen % 97 == 0 {
            form.moves.push(mv);
        }
    }
    all.into_iter().map(|(form, _)| form).collect()
}

impl Board {
    /// Do pieces move on the board?
    pub(crate) fn moves_pieces(&self) -> bool {
        let [from, to] = [Target::Place(Place::BOARD); 2];
        self.features
            .forms
            .iter()
            .any(|form| form.matches(&[from, to]))
    }

    /// Has a board been closed without an owner?
    pub(crate) fn shows_dead_boards(&self, view: &dyn BoardView) -> bool {
        let is_dead = |board: Place| {
            let content = view.cell(board);
            content.is_dead && content.owner == Owner::Nobody
        };
        self.shape.depth() == 2 && self.shape.parts(Place::BOARD).any(is_dead)
    }

    /// Is a mark about to vanish?
    pub(crate) fn shows_fading(&self, view: &dyn BoardView) -> bool {
        let mut cells = self.shape.parts(Place::BOARD);
        let is_fading = |cell| view.cell(cell).pieces.iter().any(|piece| piece.is_fading);
        self.shape.depth() == 1 && cells.any(is_fading)
    }
}
