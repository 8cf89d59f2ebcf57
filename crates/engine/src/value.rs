//! What a position is worth: proved, or estimated. The two never mix.

use std::cmp::Ordering;
use std::fmt;

use noughts_rules::{Outcome, Side};

/// A proved value, for the side to move.
///
/// Ordered as a player would: a loss is better the later it comes, a win the
/// sooner. A win or loss whose length is not known counts as the longest.
///
/// ```
/// use noughts_engine::Exact;
/// let [soon, late] = [3, 7].map(|plies| Exact::win(plies));
/// assert!(soon > late && late > Exact::DRAW);
/// assert!(Exact::loss(8) > Exact::loss(2));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ExactValue {
    game_value: GameValue,
    plies: Option<u32>,
}

/// Who comes out ahead under best play.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GameValue {
    /// The side to move loses.
    Loss,
    /// Nobody can force a win.
    Draw,
    /// The side to move wins.
    Win,
}

impl GameValue {
    /// The word of the command line: `win`, `loss` or `draw`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            GameValue::Win => "win",
            GameValue::Draw => "draw",
            GameValue::Loss => "loss",
        }
    }

    /// The same for the opponent.
    #[must_use]
    pub const fn reverse(self) -> GameValue {
        match self {
            GameValue::Win => GameValue::Loss,
            GameValue::Draw => GameValue::Draw,
            GameValue::Loss => GameValue::Win,
        }
    }
}

impl ExactValue {
    /// Nobody can force a win.
    pub const DRAW: ExactValue = ExactValue {
        game_value: GameValue::Draw,
        plies: None,
    };

    /// A win in so many plies of best play.
    #[must_use]
    pub const fn win(plies: u32) -> ExactValue {
        ExactValue {
            game_value: GameValue::Win,
            plies: Some(plies),
        }
    }

    /// A loss in so many plies of best play.
    #[must_use]
    pub const fn loss(plies: u32) -> ExactValue {
        ExactValue {
            game_value: GameValue::Loss,
            plies: Some(plies),
        }
    }

    /// A proved verdict without a proved length.
    #[must_use]
    pub const fn without_distance(game_value: GameValue) -> ExactValue {
        ExactValue {
            game_value,
            plies: None,
        }
    }

    /// A finished game, for the player who would have moved next.
    #[must_use]
    pub fn from_outcome(outcome: Outcome, side: Side) -> ExactValue {
        match outcome.winner() {
            None => ExactValue::DRAW,
            Some(winner) if winner == side => ExactValue::win(0),
            Some(_) => ExactValue::loss(0),
        }
    }

    /// Win, draw or loss.
    #[must_use]
    pub const fn game_value(self) -> GameValue {
        self.game_value
    }

    /// How many plies of best play decide it; none for a draw, or where only the
    /// verdict is known.
    #[must_use]
    pub const fn plies(self) -> Option<u32> {
        self.plies
    }

    /// What the move that led here is worth to the one who made it. `again` says
    /// that the same player moves on (extra moves of nested games).
    ///
    /// ```
    /// use noughts_engine::Exact;
    /// assert_eq!(Exact::loss(2).of_move(false), Exact::win(3));
    /// assert_eq!(Exact::win(2).of_move(true), Exact::win(3));
    /// ```
    #[must_use]
    pub fn backed_up(self, again: bool) -> ExactValue {
        ExactValue {
            game_value: if again {
                self.game_value
            } else {
                self.game_value.reverse()
            },
            plies: self.plies.map(|plies| plies + 1),
        }
    }

    /// +1, 0 or −1.
    #[must_use]
    pub const fn expected_result(self) -> f64 {
        match self.game_value {
            GameValue::Win => 1.0,
            GameValue::Draw => 0.0,
            GameValue::Loss => -1.0,
        }
    }
}

impl Ord for ExactValue {
    fn cmp(&self, other: &ExactValue) -> Ordering {
        let length = |exact: &ExactValue| exact.plies.unwrap_or(u32::MAX);
        self.game_value
            .cmp(&other.game_value)
            .then_with(|| match self.game_value {
                GameValue::Win => length(other).cmp(&length(self)),
                GameValue::Draw => Ordering::Equal,
                GameValue::Loss => length(self).cmp(&length(other)),
            })
    }
}

impl PartialOrd for ExactValue {
    fn partial_cmp(&self, other: &ExactValue) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// `win in 5`, `draw`, `loss`.
impl fmt::Display for ExactValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.game_value.as_str())?;
        match self.plies {
            Some(plies) => write!(f, " in {plies}"),
            None => Ok(()),
        }
    }
}

/// What a bot thinks of a position or move, for the side to move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Value {
    /// Proved.
    Exact(ExactValue),
    /// Guessed.
    Estimate {
        /// The expected result, from −1 (lost) to 1 (won).
        mean: f64,
        /// How far off the mean may well be: one standard error where games were
        /// counted, the bot's own idea of it elsewhere. 1 says that nothing is known.
        error: f64,
    },
}

impl Value {
    /// Nothing is known.
    pub const UNKNOWN: Value = Value::Estimate {
        mean: 0.0,
        error: 1.0,
    };

    /// The proved value, if it is one.
    #[must_use]
    pub const fn exact(self) -> Option<ExactValue> {
        match self {
            Value::Exact(exact) => Some(exact),
            Value::Estimate { .. } => None,
        }
    }

    /// Is it a win, and proved?
    pub(crate) fn is_proved_win(self) -> bool {
        self.exact()
            .is_some_and(|exact| exact.game_value() == GameValue::Win)
    }

    /// The expected result from −1 to 1.
    #[must_use]
    pub const fn expected_result(self) -> f64 {
        match self {
            Value::Exact(exact) => exact.expected_result(),
            Value::Estimate { mean, .. } => mean,
        }
    }
}

/// An estimate from −1 to 1 as a win chance in percent.
#[must_use]
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is from 0 to 100"
)]
pub fn win_chance(mean: f64) -> u32 {
    let mean = if mean.is_nan() { 0.0 } else { mean };
    (50.0 + 50.0 * mean.clamp(-1.0, 1.0)).round() as u32
}

/// `win in 5`, or `+0.12 ± 0.03`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Exact(exact) => exact.fmt(f),
            Value::Estimate { mean, error } => write!(f, "{mean:+.2} ± {error:.2}"),
        }
    }
}
