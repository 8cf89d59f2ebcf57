//! Who sits at the board: a person, a guest or a bot.

use std::fmt;

use noughts_engine::BotKind;
use noughts_store::{Name, Seat};

/// Who plays a side.
#[derive(Clone, PartialEq, Debug)]
pub enum Who {
    /// A person, known by a name.
    Person(Name),
    /// A person without a name: a visitor of a server. No record is kept of them.
    Guest,
    /// A bot.
    Bot(BotKind),
}

impl Who {
    /// Is it a person, with a name or without?
    #[must_use]
    pub fn is_person(&self) -> bool {
        matches!(self, Who::Person(_) | Who::Guest)
    }

    /// The name, if it is a person who has one.
    #[must_use]
    pub fn person(&self) -> Option<&Name> {
        match self {
            Who::Person(name) => Some(name),
            Who::Guest | Who::Bot(_) => None,
        }
    }

    /// The seat as it is stored.
    #[must_use]
    pub fn seat(&self) -> Seat {
        match self {
            Who::Person(name) => Seat::Person(name.clone()),
            Who::Guest => Seat::Guest,
            Who::Bot(kind) => Seat::Bot(kind.name().into()),
        }
    }

    /// Who sat there, if somebody who can sit there again.
    pub fn of_seat(seat: &Seat) -> Result<Who, String> {
        match seat {
            Seat::Person(name) => Ok(Who::Person(name.clone())),
            Seat::Guest => Ok(Who::Guest),
            Seat::Bot(name) => match name.parse() {
                Ok(kind) => Ok(Who::Bot(kind)),
                Err(_) => Err(format!("there is no bot {name} in this program")),
            },
            Seat::Deleted => Err("one of its players was deleted".into()),
        }
    }
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Who::Person(name) => f.write_str(name.as_str()),
            Who::Guest => f.write_str("Guest"),
            Who::Bot(kind) => f.write_str(kind.name()),
        }
    }
}
