//! Replaces `tablebase` where there are no files: no tablebase is ever available, and only small games have values.

use noughts_rules::{Game, Variant};

use crate::limits::Budget;
use crate::report::SearchNote;
use crate::retrograde::small_game;
use crate::value::ExactValue;

/// A tablebase; none exists.
#[derive(Clone, Copy, Debug)]
pub enum Tablebase {}

/// The available tablebases: none.
#[derive(Clone, Debug, Default)]
pub struct Tablebases;

impl Tablebases {
    /// The tablebase for this variant.
    #[must_use]
    pub fn get(&self, _: Variant) -> Option<&Tablebase> {
        None
    }

    /// Whether a tablebase can be built for this variant.
    #[must_use]
    pub fn can_build(_: Variant) -> bool {
        false
    }

    /// Gets the values of a small game ready, within a part of the budget.
    pub(crate) fn prepare<G: Game>(&self, game: &G, budget: &Budget) {
        small_game::prepare(game, budget);
    }

    /// The position's value without any search, if the game is small and was solved before.
    pub(crate) fn probe<G: Game>(&self, game: &G, position: &G::Position) -> Option<ExactValue> {
        match game.can_repeat() {
            true => small_game::probe(game, position),
            false => None,
        }
    }

    /// A note for the player if exact play would need a tablebase.
    pub(crate) fn missing_note<G: Game>(&self, game: &G) -> Option<SearchNote> {
        let note = || SearchNote::UnsupportedTablebase(game.variant());
        game.can_repeat().then(note)
    }
}
