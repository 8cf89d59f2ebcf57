//! The two sides, the result of a game, and how it ended.

use std::fmt;

/// One of the two players. X always moves first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Side {
    /// The first player.
    X = 0,
    /// The second player.
    O = 1,
}

impl Side {
    /// Both players, X first.
    pub const BOTH: [Side; 2] = [Side::X, Side::O];

    /// The opponent.
    ///
    /// ```
    /// use noughts_rules::Side;
    /// assert_eq!(Side::X.other(), Side::O);
    /// ```
    #[inline]
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::X => Side::O,
            Side::O => Side::X,
        }
    }

    /// The letter in positions and JSON: `x` or `o`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Side::X => 'x',
            Side::O => 'o',
        }
    }

    /// The side with this letter.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Side> {
        match letter {
            'x' => Some(Side::X),
            'o' => Some(Side::O),
            _ => None,
        }
    }

    #[inline]
    pub(crate) const fn index(self) -> usize {
        self as usize
    }
}

/// `X` or `O`, as in a sentence.
impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::X => "X",
            Side::O => "O",
        })
    }
}

/// The result of a finished game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Outcome {
    /// This side won.
    Win(Side),
    /// Nobody won.
    Draw,
}

impl Outcome {
    /// The winner, if there is one.
    #[must_use]
    pub const fn winner(self) -> Option<Side> {
        match self {
            Outcome::Win(side) => Some(side),
            Outcome::Draw => None,
        }
    }

    /// The spelling in JSON and on the command line: `x`, `o` or `draw`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Outcome::Win(Side::X) => "x",
            Outcome::Win(Side::O) => "o",
            Outcome::Draw => "draw",
        }
    }
}

/// A sentence fragment: `X wins`, `O wins`, `draw`.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Win(side) => write!(f, "{side} wins"),
            Outcome::Draw => f.write_str("draw"),
        }
    }
}

/// How the rules ended a game. (Resignation, time forfeits and the like aren't part of the
/// rules; the code that runs a game adds them.)
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ending {
    /// A line decided the game. (In misère the player who made it lost.)
    Line,
    /// Both players had a line at once.
    DoubleLine,
    /// No legal move was left.
    NoMove,
    /// No legal move was left, and boards were counted.
    MostBoards,
    /// The same position occurred for the third time.
    Repetition,
}
