//! Statistics of a tablebase.

use crate::value::{ExactValue, GameValue};

/// Positions of a tablebase, up to symmetry: all of them, or those with certain numbers of pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LayerSummary {
    /// The pieces on the board, of the side to move and of the opponent; `None` if the positions aren't divided.
    pub pieces: Option<(usize, usize)>,
    /// All positions, including finished games.
    pub positions: u64,
    /// Finished games that somebody has won, or, in a layer with given pieces, all finished games. The counts below exclude
    /// them.
    pub finished: u64,
    /// The side to move wins.
    pub wins: u64,
    /// The side to move loses.
    pub losses: u64,
    /// Draws.
    pub draws: u64,
    /// The longest win in plies.
    pub longest_win: u32,
    /// The longest loss in plies.
    pub longest_loss: u32,
}

impl LayerSummary {
    /// Counts a position with this value.
    pub(super) fn add(&mut self, value: ExactValue) {
        self.positions += 1;
        match (value.game_value(), value.plies()) {
            (_, Some(0)) => self.finished += 1,
            (GameValue::Draw, _) => self.draws += 1,
            (GameValue::Win, plies) => {
                self.wins += 1;
                self.longest_win = self.longest_win.max(plies.unwrap_or_default());
            }
            (GameValue::Loss, plies) => {
                self.losses += 1;
                self.longest_loss = self.longest_loss.max(plies.unwrap_or_default());
            }
        }
    }
}
