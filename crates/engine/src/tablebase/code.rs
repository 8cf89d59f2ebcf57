//! What a position is worth, in one byte: the alphabet of the table.
//!
//! Wins take an odd number of plies and losses an even one, because whoever wins makes the
//! last move: the other always has a move that completes no line of the winner's, that of a
//! piece to an empty cell inside the grid.

use crate::value::ExactValue;

/// Nobody can force a win; while solving, nothing is known yet.
pub(super) const DRAW: u8 = 0;
/// From 1 to here: the plies to the end.
pub(super) const MAX_PLIES: u8 = 249;
/// Finished: the side to move has a line.
pub(super) const WON: u8 = 250;
/// Finished: the other player has a line.
pub(super) const LOST: u8 = 251;
/// Finished: both have a line.
pub(super) const BOTH_WON: u8 = 252;
/// No position of its own: an image of it has a smaller number.
pub(super) const IMAGE: u8 = 255;

/// Does the side to move win?
#[inline]
pub(super) fn is_win(code: u8) -> bool {
    code % 2 == 1 && code <= MAX_PLIES || code == WON
}

/// Does the side to move lose, with moves to be made?
#[inline]
pub(super) fn is_unfinished_loss(code: u8) -> bool {
    code.is_multiple_of(2) && code != DRAW && code <= MAX_PLIES
}

/// The value; none for bytes that stand for no position.
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

/// What a move is worth to the one who makes it, or a position to the one who moves: the more
/// the better. The sooner a win the better, and the later a loss.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Score(u16);

impl Score {
    const DRAWN: u16 = 0x4000;
    const WINS: u16 = 0x8000;

    /// Nothing is better.
    pub(super) const BEST: Score = Score(Score::WINS - 1);

    /// A move to a position with this code.
    #[inline]
    pub(super) fn of_move_to(code: u8) -> Score {
        let plies = |code: u8| u16::from(code) + 1;
        Score(match code {
            LOST => Score::WINS - 1,
            WON => 1,
            code if is_win(code) => plies(code),
            code if is_unfinished_loss(code) => Score::WINS - plies(code),
            _ => Score::DRAWN,
        })
    }

    #[inline]
    pub(super) fn is_loss(self) -> bool {
        self.0 < Score::DRAWN
    }

    /// The code of a position whose best move is worth this.
    #[inline]
    pub(super) fn code(self) -> u8 {
        match self.0 {
            Score::DRAWN => DRAW,
            loss @ ..Score::DRAWN => loss as u8,
            win => (Score::WINS - win) as u8,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The order of moves is that of [`Exact`], and what is best gives the position its code.
    #[test]
    fn moves_are_worth_what_the_values_say() {
        let codes = [DRAW, WON, LOST, BOTH_WON]
            .into_iter()
            .chain(1..=MAX_PLIES - 1);
        let moves = codes.map(|code| {
            let value = decode(code).expect("it stands for a value");
            (Score::of_move_to(code), value.backed_up(false))
        });
        let moves: Vec<(Score, ExactValue)> = moves.collect();
        for (worth, value) in &moves {
            assert!(*worth <= Score::BEST);
            // A loss in one does not come up: there is always a better move.
            if *value != ExactValue::loss(1) {
                assert_eq!(decode(worth.code()), Some(*value));
            }
            for (other, other_value) in &moves {
                assert_eq!(worth.cmp(other), value.cmp(other_value));
            }
        }
    }
}
