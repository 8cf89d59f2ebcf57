//! Who plays: a named player, a guest or a bot.

use std::fmt;

use noughts_engine::BotKind;
use noughts_store::{GameSummary, Name, Seat};
use noughts_text::{GUEST, GameOver, PlayerLabel, bot_name};

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
                    "this version of noughts doesn't have a bot named {name}"
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
            Participant::Guest => f.write_str(GUEST),
            Participant::Bot(kind) => f.write_str(bot_name(*kind)),
        }
    }
}

impl From<&Participant> for PlayerLabel {
    fn from(participant: &Participant) -> PlayerLabel {
        seat_label(&participant.to_seat())
    }
}

/// How sentences name the player of a stored seat.
#[must_use]
pub fn seat_label(seat: &Seat) -> PlayerLabel {
    PlayerLabel {
        name: display_name(seat),
        is_human: seat.is_human(),
        is_named: seat.player_name().is_some(),
    }
}

/// The name of a seat's player as people read it: levels are words.
///
/// ```
/// use noughts_session::display_name;
/// use noughts_store::Seat;
/// assert_eq!(display_name(&Seat::Bot("hard".into())), "Hard");
/// ```
#[must_use]
pub fn display_name(seat: &Seat) -> String {
    match seat {
        Seat::Bot(name) => name
            .parse()
            .map_or_else(|_| name.clone(), |kind| bot_name(kind).to_owned()),
        seat => seat.to_string(),
    }
}

/// How a stored game ended, for sentences about it; `None` while it is unfinished.
#[must_use]
pub fn stored_game_over(game: &GameSummary) -> Option<GameOver> {
    Some(GameOver {
        variant: game.variant,
        outcome: game.result,
        termination: game.end?,
        players: Some(game.seats.each_ref().map(seat_label)),
        moves: game.move_count,
    })
}
