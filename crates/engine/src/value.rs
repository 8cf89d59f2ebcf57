//! What a position is worth: proved, or estimated. The two never mix.

use std::cmp::Ordering;
use std::fmt;

use noughts_rules::{Outcome, Player};

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
pub struct Exact {
    verdict: Verdict,
    plies: Option<u32>,
}

/// Who comes out ahead under best play.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Verdict {
    /// The side to move loses.
    Loss,
    /// Nobody can force a win.
    Draw,
    /// The side to move wins.
    Win,
}

impl Verdict {
    /// The word of the command line: `win`, `loss` or `draw`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Verdict::Win => "win",
            Verdict::Draw => "draw",
            Verdict::Loss => "loss",
        }
    }

    /// The same for the opponent.
    #[must_use]
    pub const fn other(self) -> Verdict {
        match self {
            Verdict::Win => Verdict::Loss,
            Verdict::Draw => Verdict::Draw,
            Verdict::Loss => Verdict::Win,
        }
    }
}

impl Exact {
    /// Nobody can force a win.
    pub const DRAW: Exact = Exact {
        verdict: Verdict::Draw,
        plies: None,
    };

    /// A win in so many plies of best play.
    #[must_use]
    pub const fn win(plies: u32) -> Exact {
        Exact {
            verdict: Verdict::Win,
            plies: Some(plies),
        }
    }

    /// A loss in so many plies of best play.
    #[must_use]
    pub const fn loss(plies: u32) -> Exact {
        Exact {
            verdict: Verdict::Loss,
            plies: Some(plies),
        }
    }

    /// A proved verdict without a proved length.
    #[must_use]
    pub const fn of_unknown_length(verdict: Verdict) -> Exact {
        Exact {
            verdict,
            plies: None,
        }
    }

    /// A finished game, for the player who would have moved next.
    #[must_use]
    pub fn finished(outcome: Outcome, side: Player) -> Exact {
        match outcome.winner() {
            None => Exact::DRAW,
            Some(winner) if winner == side => Exact::win(0),
            Some(_) => Exact::loss(0),
        }
    }

    /// Win, draw or loss.
    #[must_use]
    pub const fn verdict(self) -> Verdict {
        self.verdict
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
    pub fn of_move(self, again: bool) -> Exact {
        Exact {
            verdict: if again {
                self.verdict
            } else {
                self.verdict.other()
            },
            plies: self.plies.map(|plies| plies + 1),
        }
    }

    /// +1, 0 or −1.
    #[must_use]
    pub const fn points(self) -> f64 {
        match self.verdict {
            Verdict::Win => 1.0,
            Verdict::Draw => 0.0,
            Verdict::Loss => -1.0,
        }
    }
}

impl Ord for Exact {
    fn cmp(&self, other: &Exact) -> Ordering {
        let length = |exact: &Exact| exact.plies.unwrap_or(u32::MAX);
        self.verdict
            .cmp(&other.verdict)
            .then_with(|| match self.verdict {
                Verdict::Win => length(other).cmp(&length(self)),
                Verdict::Draw => Ordering::Equal,
                Verdict::Loss => length(self).cmp(&length(other)),
            })
    }
}

impl PartialOrd for Exact {
    fn partial_cmp(&self, other: &Exact) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// `win in 5`, `draw`, `loss`.
impl fmt::Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.verdict.word())?;
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
    Exact(Exact),
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
    pub const fn exact(self) -> Option<Exact> {
        match self {
            Value::Exact(exact) => Some(exact),
            Value::Estimate { .. } => None,
        }
    }

    /// Is it a win, and proved?
    pub(crate) fn is_proved_win(self) -> bool {
        self.exact()
            .is_some_and(|exact| exact.verdict() == Verdict::Win)
    }

    /// The expected result from −1 to 1.
    #[must_use]
    pub const fn points(self) -> f64 {
        match self {
            Value::Exact(exact) => exact.points(),
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
