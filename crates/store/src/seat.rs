//! Who sits at a board, and what came of their games.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign};

use noughts_rules::{Outcome, Side};

use crate::name::Name;

/// Who plays a side.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Seat {
    /// Somebody with a name.
    Player(Name),
    /// A computer player, by the name of its bot.
    Bot(String),
    /// A person without a name, who has no record.
    Guest,
    /// Somebody who was deleted, or who was never named.
    Deleted,
}

impl Seat {
    /// The person, if it is one with a name.
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

    /// The person's or bot's name; guests and deleted players have none.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match self {
            Seat::Player(name) => Some(name.as_str()),
            Seat::Bot(name) => Some(name),
            Seat::Guest | Seat::Deleted => None,
        }
    }

    /// The word in JSON and in records: `person`, `bot`, `guest` or `deleted`.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Seat::Player(_) => "person",
            Seat::Bot(_) => "bot",
            Seat::Guest => "guest",
            Seat::Deleted => "deleted",
        }
    }
}

/// The name that is shown.
impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Seat::Player(name) => name.as_str(),
            Seat::Bot(name) => name,
            Seat::Guest => "Guest",
            Seat::Deleted => "deleted player",
        })
    }
}

/// Finished games, by how they went for somebody.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games lost.
    pub losses: u64,
    /// Games that nobody won.
    pub draws: u64,
}

impl Tally {
    /// The tally of one game, for the one who played this side.
    ///
    /// ```
    /// use noughts_rules::{Outcome, Player};
    /// use noughts_store::Tally;
    /// let x = Tally::of(Outcome::Win(Player::X), Player::X);
    /// let o = Tally::of(Outcome::Draw, Player::O);
    /// assert_eq!(x + o, Tally { wins: 1, losses: 0, ties: 1 });
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

impl Sum for Tally {
    fn sum<I: Iterator<Item = Tally>>(tallies: I) -> Tally {
        tallies.fold(Tally::default(), Add::add)
    }
}
