//! Retrograde analysis of any game whose positions can repeat: the value of every position and its distance, in plies, to
//! the end.
//!
//! Positions are numbered, either by the game itself ([`NumberedGame`]) or by listing everything that can be reached from
//! the start ([`PositionList`]). The [`Solver`] sees only numbers. Tablebases store what it finds; games that are small
//! enough are solved in memory when they are needed ([`small_game`]).

pub(crate) mod code;
mod numbered_game;
mod position_list;
pub(crate) mod small_game;
mod solver;

pub(crate) use numbered_game::NumberedGame;
pub(crate) use position_list::{ListLimits, Listing, PositionList};
pub(crate) use solver::{Solver, expected_code};

use code::Code;
use noughts_rules::{Game, Outcome};

use crate::value::ExactValue;

/// The positions of a game by number, and where their moves lead.
pub(crate) trait PositionGraph: Sync {
    /// All numbers are below this.
    fn len(&self) -> usize;

    /// The code of a number that nothing has to be found out about: a finished game, or no position at all.
    fn known_code(&self, number: usize) -> Option<Code>;

    /// Calls `visit` with the position after each move, until it returns false. Finished games have none.
    fn visit_successors(&self, number: usize, visit: &mut dyn FnMut(Successor) -> bool);
}

/// The position after a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Successor {
    pub(crate) number: usize,
    /// Whether the same player moves again.
    pub(crate) same_side: bool,
}

/// The code of a finished game.
fn outcome_code<G: Game>(game: &G, position: &G::Position, outcome: Outcome) -> Code {
    code::encode(ExactValue::from_outcome(outcome, game.side(position)))
}
