//! Replaces `tablebase` where there are no files: no tablebase is ever available.

use noughts_rules::{TicTacTwo, TicTacTwoPosition};

use crate::value::ExactValue;

/// A tablebase; none exists.
#[derive(Clone, Copy, Debug)]
pub enum Tablebase {}

impl Tablebase {
    pub(crate) fn is_corrupted(&self) -> bool {
        match *self {}
    }

    pub(crate) fn probe(&self, _: &TicTacTwoPosition) -> Option<ExactValue> {
        match *self {}
    }
}

/// The available tablebases: none.
#[derive(Clone, Debug, Default)]
pub struct Tablebases;

impl Tablebases {
    /// The tablebase for this game.
    #[must_use]
    pub fn tic_tac_two(&self, _: &TicTacTwo) -> Option<&Tablebase> {
        None
    }
}
