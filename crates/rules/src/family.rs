//! The three oldest games by type, for the parts of front ends that don't draw them from a
//! [`BoardView`](crate::BoardView) yet.

use crate::games::mnk::MnkOptions;
use crate::games::nested::NestedOptions;
use crate::games::tic_tac_two::TicTacTwoOptions;
use crate::variant::Variant;

/// A variant by game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    /// m,n,k boards.
    Mnk(MnkOptions),
    /// Tic-Tac-Two.
    TicTacTwo(TicTacTwoOptions),
    /// Nested boards.
    Nested(NestedOptions),
    /// Any other game.
    Other,
}

impl Variant {
    /// The game with its options, for the oldest games.
    #[must_use]
    pub fn family(&self) -> Family {
        if let Some(options) = MnkOptions::of(*self) {
            Family::Mnk(options)
        } else if let Some(options) = TicTacTwoOptions::of(*self) {
            Family::TicTacTwo(options)
        } else if let Some(options) = NestedOptions::of(*self) {
            Family::Nested(options)
        } else {
            Family::Other
        }
    }
}
