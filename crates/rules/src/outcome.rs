//! Who plays, who won, and how a game came to its end.

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
    /// use noughts_rules::Player;
    /// assert_eq!(Player::X.other(), Player::O);
    /// ```
    #[inline]
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::X => Side::O,
            Side::O => Side::X,
        }
    }

    /// The letter of positions and JSON: `x` or `o`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Side::X => 'x',
            Side::O => 'o',
        }
    }

    /// The player whose letter this is.
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
    /// This player won.
    Win(Side),
    /// Nobody won.
    Draw,
}

impl Outcome {
    /// The winner, if there is one.
    #[must_use]
    pub const fn winner(self) -> Option<Side> {
        match self {
            Outcome::Win(player) => Some(player),
            Outcome::Draw => None,
        }
    }

    /// The word used in JSON and on the command line: `x`, `o` or `draw`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Outcome::Win(Side::X) => "x",
            Outcome::Win(Side::O) => "o",
            Outcome::Draw => "draw",
        }
    }
}

/// A sentence part: `X wins`, `O wins`, `draw`.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Win(player) => write!(f, "{player} wins"),
            Outcome::Draw => f.write_str("draw"),
        }
    }
}

/// How the rules ended a game. (Resignation, time and the like are not rules
/// of the games; whoever runs a game adds them.)
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ending {
    /// A line decided it (in misère: against the one who made it).
    Line,
    /// Tic-Tac-Two: both players had a line at once.
    DoubleLine,
    /// No legal move was left.
    NoMove,
    /// Nested, `end=most`: no legal move was left and boards were counted.
    MostBoards,
    /// Tic-Tac-Two: the same position for the third time.
    Repetition,
}

/// Words for people: `a line is complete`, `no legal move is left`, …
impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ending::Line => "a line is complete",
            Ending::DoubleLine => "both players have a line",
            Ending::NoMove => "no legal move is left",
            Ending::MostBoards => "no legal move is left, boards are counted",
            Ending::Repetition => "the same position for the third time",
        })
    }
}
