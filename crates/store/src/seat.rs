//! Seats of a game, and tallies of results.

use std::fmt;
use std::ops::{Add, AddAssign};

use noughts_rules::{Outcome, Side};

use crate::name::Name;

/// Who plays a side.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Seat {
    /// A named player.
    Player(Name),
    /// A bot, by name.
    Bot(String),
    /// A human without a name, who has no record.
    Guest,
    /// A deleted player, or one whose name was never known.
    Deleted,
}

impl Seat {
    /// The name of the player, if it is a named one.
    #[must_use]
    pub fn player_name(&self) -> Option<&Name> {
        match self {
            Seat::Player(name) => Some(name),
            _ => None,
        }
    }

    /// Does a human play it, with a name or as a guest?
    #[must_use]
    pub const fn is_human(&self) -> bool {
        matches!(self, Seat::Player(_) | Seat::Guest)
    }

    /// The name of the player or bot; guests and deleted players have none.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match self {
            Seat::Player(name) => Some(name.as_str()),
            Seat::Bot(name) => Some(name),
            Seat::Guest | Seat::Deleted => None,
        }
    }

    /// The word in records: `human`, `bot`, `guest` or `deleted`.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Seat::Player(_) => "human",
            Seat::Bot(_) => "bot",
            Seat::Guest => "guest",
            Seat::Deleted => "deleted",
        }
    }
}

/// The name to display.
impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Seat::Player(name) => name.as_str(),
            Seat::Bot(name) => name,
            Seat::Guest => "Guest",
            Seat::Deleted => "Deleted player",
        })
    }
}

/// A player's finished games by result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug, sqlx::FromRow)]
pub struct Tally {
    /// Games won.
    #[sqlx(try_from = "i64")]
    pub wins: u64,
    /// Games lost.
    #[sqlx(try_from = "i64")]
    pub losses: u64,
    /// Games drawn.
    #[sqlx(try_from = "i64")]
    pub draws: u64,
}

impl Tally {
    /// The tally of one game, for the player of this side.
    ///
    /// ```
    /// use noughts_rules::{Outcome, Side};
    /// use noughts_store::Tally;
    /// let x = Tally::from_outcome(Outcome::Win(Side::X), Side::X);
    /// let o = Tally::from_outcome(Outcome::Draw, Side::O);
    /// assert_eq!(x + o, Tally { wins: 1, losses: 0, draws: 1 });
    /// assert_eq!((x + o).games(), 2);
    /// ```
    #[must_use]
    pub fn from_outcome(outcome: Outcome, side: Side) -> Tally {
        let winner = outcome.winner();
        Tally {
            wins: u64::from(winner == Some(side)),
            losses: u64::from(winner == Some(side.other())),
            draws: u64::from(winner.is_none()),
        }
    }

    /// All games.
    #[must_use]
    pub const fn games(self) -> u64 {
        self.wins + self.losses + self.draws
    }
}

impl Add for Tally {
    type Output = Tally;

    fn add(self, other: Tally) -> Tally {
        Tally {
            wins: self.wins + other.wins,
            losses: self.losses + other.losses,
            draws: self.draws + other.draws,
        }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        *self = *self + other;
    }
}
