//! The value of a position: either proved or estimated, never mixed.

use std::cmp::Ordering;
use std::fmt;

use noughts_rules::{Outcome, Side, word_enum};

/// A proved value for the side to move.
///
/// Ordered by preference: later losses and earlier wins are better. An unknown distance counts as
/// the longest.
///
/// ```
/// use noughts_engine::ExactValue;
/// let [soon, late] = [3, 7].map(|plies| ExactValue::win(plies));
/// assert!(soon > late && late > ExactValue::DRAW);
/// assert!(ExactValue::loss(8) > ExactValue::loss(2));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ExactValue {
    game_value: GameValue,
    plies: Option<u32>,
}

word_enum! {
    /// The game-theoretic value of a position.
    pub enum GameValue, word: as_str {
        /// The side to move loses.
        Loss = "loss",
        /// Neither player can force a win.
        Draw = "draw",
        /// The side to move wins.
        Win = "win",
    }
}

impl GameValue {
    /// The value for the opponent.
    #[must_use]
    pub const fn reverse(self) -> GameValue {
        match self {
            GameValue::Win => GameValue::Loss,
            GameValue::Draw => GameValue::Draw,
            GameValue::Loss => GameValue::Win,
        }
    }

    /// The value for the player who moved, from that for the side to move.
    pub(crate) const fn backed_up(self, same_side: bool) -> GameValue {
        if same_side { self } else { self.reverse() }
    }
}

impl ExactValue {
    /// Neither player can force a win.
    pub const DRAW: ExactValue = ExactValue::without_distance(GameValue::Draw);

    /// A proved value, with its distance if that is proved, too.
    #[must_use]
    pub const fn new(game_value: GameValue, plies: Option<u32>) -> ExactValue {
        ExactValue { game_value, plies }
    }

    /// A win in this many plies of best play.
    #[must_use]
    pub const fn win(plies: u32) -> ExactValue {
        ExactValue::new(GameValue::Win, Some(plies))
    }

    /// A loss in this many plies of best play.
    #[must_use]
    pub const fn loss(plies: u32) -> ExactValue {
        ExactValue::new(GameValue::Loss, Some(plies))
    }

    /// A proved value without a proved distance.
    #[must_use]
    pub const fn without_distance(game_value: GameValue) -> ExactValue {
        ExactValue::new(game_value, None)
    }

    /// The value of a finished game, for the player who would have moved next.
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

    /// The distance to the end in plies of best play; `None` for a draw or if only the result is
    /// proved.
    #[must_use]
    pub const fn plies(self) -> Option<u32> {
        self.plies
    }

    /// The value of the move that led to this position, for the side that made it. `same_side`
    /// means that the same player moves again (extra moves of nested games).
    ///
    /// ```
    /// use noughts_engine::ExactValue;
    /// assert_eq!(ExactValue::loss(2).backed_up(false), ExactValue::win(3));
    /// assert_eq!(ExactValue::win(2).backed_up(true), ExactValue::win(3));
    /// ```
    #[must_use]
    pub fn backed_up(self, same_side: bool) -> ExactValue {
        let plies = self.plies.map(|plies| plies + 1);
        ExactValue::new(self.game_value.backed_up(same_side), plies)
    }

    /// The result as a number: +1, 0 or −1.
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

/// The value of a position or move for the side to move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Value {
    /// A proved value.
    Exact(ExactValue),
    /// An estimated value.
    Estimate {
        /// The expected result, from −1 (lost) to 1 (won).
        mean: f64,
        /// How far off the mean may be: one standard error if games were counted, otherwise the
        /// bot's own guess. 1 means that nothing is known.
        error: f64,
    },
}

impl Value {
    /// Nothing is known.
    pub const UNKNOWN: Value = Value::estimate(0.0, 1.0);

    /// An estimate: the expected result, and how far off it may be.
    #[must_use]
    pub const fn estimate(mean: f64, error: f64) -> Value {
        Value::Estimate { mean, error }
    }

    /// The proved value, if this is one.
    #[must_use]
    pub const fn exact(self) -> Option<ExactValue> {
        match self {
            Value::Exact(exact) => Some(exact),
            Value::Estimate { .. } => None,
        }
    }

    /// The value of a position whose best known move has this value: while other moves are
    /// unknown, a draw or a loss isn't proved.
    pub(crate) fn as_lower_bound(self) -> Value {
        match self.exact() {
            Some(exact) if exact.game_value() != GameValue::Win => {
                Value::estimate(exact.expected_result(), 0.5)
            }
            _ => self,
        }
    }

    /// Whether this is a proved win.
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

/// Converts an estimate from −1 to 1 to a win chance in percent.
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
