//! Who plays, who won, and how a game came to its end.

use std::fmt;

/// One of the two players. X always moves first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Player {
    /// The first player.
    X = 0,
    /// The second player.
    O = 1,
}

impl Player {
    /// Both players, X first.
    pub const BOTH: [Player; 2] = [Player::X, Player::O];

    /// The opponent.
    ///
    /// ```
    /// use noughts_rules::Player;
    /// assert_eq!(Player::X.other(), Player::O);
    /// ```
    #[inline]
    #[must_use]
    pub const fn other(self) -> Player {
        match self {
            Player::X => Player::O,
            Player::O => Player::X,
        }
    }

    /// The letter of positions and JSON: `x` or `o`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Player::X => 'x',
            Player::O => 'o',
        }
    }

    /// The player whose letter this is.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Player> {
        match letter {
            'x' => Some(Player::X),
            'o' => Some(Player::O),
            _ => None,
        }
    }

    #[inline]
    pub(crate) const fn index(self) -> usize {
        self as usize
    }
}

/// `X` or `O`, as in a sentence.
impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Player::X => "X",
            Player::O => "O",
        })
    }
}

/// The result of a finished game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Outcome {
    /// This player won.
    Win(Player),
    /// Nobody won.
    Draw,
}

impl Outcome {
    /// The winner, if there is one.
    #[must_use]
    pub const fn winner(self) -> Option<Player> {
        match self {
            Outcome::Win(player) => Some(player),
            Outcome::Draw => None,
        }
    }

    /// The word used in JSON and on the command line: `x`, `o` or `draw`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Outcome::Win(Player::X) => "x",
            Outcome::Win(Player::O) => "o",
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
