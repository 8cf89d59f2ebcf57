//! Who sits at the board: a person or a bot.

use std::fmt;

use noughts_engine::BotKind;
use noughts_store::{Name, Seat};

use crate::thinking;

/// Who plays a side.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Who {
    Person(Name),
    Bot(BotKind),
}

/// Who is to play a side, as the command line says it: a person may still be asked
/// for a name.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum WhoArg {
    Human(Option<Name>),
    Bot(BotKind),
}

/// Reads `human`, `human:NAME` or a bot's name.
pub(crate) fn who(text: &str) -> Result<WhoArg, String> {
    if text == "human" {
        return Ok(WhoArg::Human(None));
    }
    if let Some(name) = text.strip_prefix("human:") {
        let name = Name::new(name).map_err(|error| error.to_string())?;
        return Ok(WhoArg::Human(Some(name)));
    }
    match thinking::bot(text) {
        Ok(kind) => Ok(WhoArg::Bot(kind)),
        Err(_) => {
            let names = BotKind::ALL.map(BotKind::name).join(", ");
            Err(format!("needs `human`, `human:NAME` or a bot: {names}"))
        }
    }
}

impl Who {
    pub(crate) fn is_person(&self) -> bool {
        matches!(self, Who::Person(_))
    }

    pub(crate) fn person(&self) -> Option<&Name> {
        match self {
            Who::Person(name) => Some(name),
            Who::Bot(_) => None,
        }
    }

    pub(crate) fn seat(&self) -> Seat {
        match self {
            Who::Person(name) => Seat::Person(name.clone()),
            Who::Bot(kind) => Seat::Bot(kind.name().into()),
        }
    }

    /// Who sat there, if somebody who can sit there again.
    pub(crate) fn of_seat(seat: &Seat) -> Result<Who, String> {
        match seat {
            Seat::Person(name) => Ok(Who::Person(name.clone())),
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
            Who::Bot(kind) => f.write_str(kind.name()),
        }
    }
}
