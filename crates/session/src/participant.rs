//! Who plays: a named player, a guest or a bot.

use std::fmt;

use noughts_engine::BotKind;
use noughts_store::{Name, Seat};
use noughts_text::PlayerLabel;

/// Who plays a side.
#[derive(Clone, PartialEq, Debug)]
pub enum Participant {
    /// A human with a name.
    Player(Name),
    /// A human without a name: a visitor of a server. Guests have no record.
    Guest,
    /// A bot.
    Bot(BotKind),
}

impl Participant {
    /// Is it a human, named or not?
    #[must_use]
    pub fn is_human(&self) -> bool {
        matches!(self, Participant::Player(_) | Participant::Guest)
    }

    /// The name, if it is a named player.
    #[must_use]
    pub fn player_name(&self) -> Option<&Name> {
        match self {
            Participant::Player(name) => Some(name),
            Participant::Guest | Participant::Bot(_) => None,
        }
    }

    /// The seat as stored.
    #[must_use]
    pub fn to_seat(&self) -> Seat {
        match self {
            Participant::Player(name) => Seat::Player(name.clone()),
            Participant::Guest => Seat::Guest,
            Participant::Bot(kind) => Seat::Bot(kind.name().into()),
        }
    }

    /// The participant of a stored seat, if they can still play.
    pub fn from_seat(seat: &Seat) -> Result<Participant, String> {
        match seat {
            Seat::Player(name) => Ok(Participant::Player(name.clone())),
            Seat::Guest => Ok(Participant::Guest),
            Seat::Bot(name) => match name.parse() {
                Ok(kind) => Ok(Participant::Bot(kind)),
                Err(_) => Err(format!(
                    "this version of noughts doesn't have the bot {name}"
                )),
            },
            Seat::Deleted => Err("one of the players was deleted".into()),
        }
    }
}

impl fmt::Display for Participant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Participant::Player(name) => f.write_str(name.as_str()),
            Participant::Guest => f.write_str("Guest"),
            Participant::Bot(kind) => f.write_str(kind.name()),
        }
    }
}

impl From<&Participant> for PlayerLabel {
    fn from(participant: &Participant) -> PlayerLabel {
        PlayerLabel {
            name: participant.to_string(),
            is_human: participant.is_human(),
            is_named: participant.player_name().is_some(),
        }
    }
}

/// How sentences name the player of a stored seat.
#[must_use]
pub fn seat_label(seat: &Seat) -> PlayerLabel {
    PlayerLabel {
        name: seat.to_string(),
        is_human: seat.is_human(),
        is_named: seat.player_name().is_some(),
    }
}
