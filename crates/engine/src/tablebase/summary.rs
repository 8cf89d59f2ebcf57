//! What a table says as a whole: counts by how many pieces there are.

use super::code;

/// The positions with so many pieces of the side to move and of the other, up to turning,
/// mirroring and the names of the players.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LayerSummary {
    /// Pieces of the side to move on the board.
    pub mine: usize,
    /// Pieces of the other player.
    pub theirs: usize,
    /// All positions, the finished ones included.
    pub positions: u64,
    /// Positions with a line inside the grid. The counts below leave them out.
    pub finished: u64,
    /// The side to move wins.
    pub wins: u64,
    /// The side to move loses.
    pub losses: u64,
    /// Nobody can force a win.
    pub draws: u64,
    /// The most plies that a win takes.
    pub longest_win: u8,
    /// The most plies that a loss takes.
    pub longest_loss: u8,
}

impl LayerSummary {
    /// Counts in a position with this code.
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
