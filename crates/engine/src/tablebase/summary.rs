//! Statistics of a tablebase, by number of pieces.

use super::code;

/// The positions with these numbers of pieces of the side to move and of the opponent, up to
/// symmetry and exchanging the players.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LayerSummary {
    /// Pieces of the side to move on the board.
    pub mine: usize,
    /// Pieces of the opponent on the board.
    pub theirs: usize,
    /// All positions, including finished games.
    pub positions: u64,
    /// Finished games: positions with a line inside the grid. The counts below exclude them.
    pub finished: u64,
    /// The side to move wins.
    pub wins: u64,
    /// The side to move loses.
    pub losses: u64,
    /// Draws.
    pub draws: u64,
    /// The longest win in plies.
    pub longest_win: u8,
    /// The longest loss in plies.
    pub longest_loss: u8,
}

impl LayerSummary {
    /// Counts a position with this code.
    pub(super) fn add(&mut self, code: u8) {
        match code {
            code::IMAGE => return,
            code::DRAW => self.draws += 1,
            code if code > code::MAX_PLIES => self.finished += 1,
            code if code::is_win(code) => {
                self.wins += 1;
                self.longest_win = self.longest_win.max(code);
            }
            code => {
                self.losses += 1;
                self.longest_loss = self.longest_loss.max(code);
            }
        }
        self.positions += 1;
    }
}
