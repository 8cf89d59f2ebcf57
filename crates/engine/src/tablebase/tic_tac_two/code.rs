//! Values encoded in one byte, as stored in the tablebase.
//!
//! Wins take an odd number of plies and losses an even number, because the winner makes the last
//! move: the loser always has a move that doesn't complete the winner's line, by moving a piece to
//! an empty cell inside the grid.

use crate::value::ExactValue;

/// A draw; while solving, an unknown value.
pub(super) const DRAW: u8 = 0;
/// Codes from 1 to this one are the distance in plies.
pub(super) const MAX_PLIES: u8 = 249;
/// Game over: the side to move has a line.
pub(super) const WON: u8 = 250;
/// Game over: the opponent has a line.
pub(super) const LOST: u8 = 251;
/// Game over: both players have a line.
pub(super) const BOTH_WON: u8 = 252;
/// Not a position of its own: a symmetric image has a smaller number.
pub(super) const IMAGE: u8 = 255;

/// Whether the side to move wins.
#[inline]
pub(super) fn is_win(code: u8) -> bool {
    code % 2 == 1 && code <= MAX_PLIES || code == WON
}

/// Whether the side to move loses and the game isn't over yet.
#[inline]
pub(super) fn is_unfinished_loss(code: u8) -> bool {
    code.is_multiple_of(2) && code != DRAW && code <= MAX_PLIES
}

/// The value; `None` for codes that don't encode one.
pub(super) fn decode(code: u8) -> Option<ExactValue> {
    match code {
        DRAW | BOTH_WON => Some(ExactValue::DRAW),
        WON => Some(ExactValue::win(0)),
        LOST => Some(ExactValue::loss(0)),
        253.. => None,
        plies if is_win(plies) => Some(ExactValue::win(plies.into())),
        plies => Some(ExactValue::loss(plies.into())),
    }
}

/// The score of a move for the side that makes it, or of a position for the side to move. Greater
/// is better: earlier wins and later losses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Score(u16);

impl Score {
    const DRAW: u16 = 0x4000;
    const WIN_BASE: u16 = 0x8000;

    /// The highest score.
    pub(super) const BEST: Score = Score(Score::WIN_BASE - 1);

    /// The score of a move to a position with this code.
    #[inline]
    pub(super) fn of_move_to(code: u8) -> Score {
        let plies = |code: u8| u16::from(code) + 1;
        Score(match code {
            LOST => Score::WIN_BASE - 1,
            WON => 1,
            code if is_win(code) => plies(code),
            code if is_unfinished_loss(code) => Score::WIN_BASE - plies(code),
            _ => Score::DRAW,
        })
    }

    #[inline]
    pub(super) fn is_loss(self) -> bool {
        self.0 < Score::DRAW
    }

    /// The code of a position whose best move has this score.
    #[inline]
    pub(super) fn code(self) -> u8 {
        match self.0 {
            Score::DRAW => DRAW,
            loss @ ..Score::DRAW => loss as u8,
            win => (Score::WIN_BASE - win) as u8,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Scores must be ordered like [`ExactValue`], and the best score must give the position's
    /// code.
    #[test]
    fn scores_are_ordered_like_values() {
        let codes = [DRAW, WON, LOST, BOTH_WON]
            .into_iter()
            .chain(1..=MAX_PLIES - 1);
        let moves = codes.map(|code| {
            let value = decode(code).expect("it stands for a value");
            (Score::of_move_to(code), value.backed_up(false))
        });
        let moves: Vec<(Score, ExactValue)> = moves.collect();
        for (score, value) in &moves {
            assert!(*score <= Score::BEST);
            // A loss in one ply doesn't occur: there is always a better move.
            if *value != ExactValue::loss(1) {
                assert_eq!(decode(score.code()), Some(*value));
            }
            for (other, other_value) in &moves {
                assert_eq!(score.cmp(other), value.cmp(other_value));
            }
        }
    }
}
