//! A game at one moment, as everybody may see it. Who looks makes no difference to
//! it; what the looker may do is [`You`].

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use noughts_rules::{AnyGameState, Outcome, Side};
use noughts_session::Speed;
use noughts_store::{Assistance, GameId, Seat, Tally, Termination};

/// A game at one moment.
#[derive(Clone, Debug)]
pub(crate) struct GameSnapshot {
    /// Its name in addresses and its number; none for a board that is not a stored
    /// game (the first board of the front page, the analysis).
    pub(crate) ids: Option<(String, GameId)>,
    pub(crate) state: AnyGameState,
    pub(crate) rev: Rev,
    /// X's and O's.
    pub(crate) seats: [Seat; 2],
    /// A seat that was offered by a link and that nobody has taken yet.
    pub(crate) invited: [bool; 2],
    /// A person's wins, losses and ties.
    pub(crate) tallies: [Option<Tally>; 2],
    /// Is a browser or a program there for the seat? Always true for bots.
    pub(crate) connected: [bool; 2],
    /// Do the two seats belong to two visitors? Then taking back needs consent.
    pub(crate) is_online: bool,
    /// What each move took.
    pub(crate) move_times: Vec<Duration>,
    pub(crate) can_undo: bool,
    pub(crate) can_redo: bool,
    /// A side changed hands: it counts for nobody.
    pub(crate) handed_over: bool,
    /// The first help that a player had: it isn't rated.
    pub(crate) assisted: Option<Assistance>,
    /// A bot is at work on its move.
    pub(crate) thinking: bool,
    /// Bots play on only while nobody has paused them.
    pub(crate) paused: bool,
    /// How fast they do.
    pub(crate) speed: Speed,
    pub(crate) offer: Option<Offer>,
    /// The result and how it came.
    pub(crate) over: Option<(Option<Outcome>, Termination)>,
    /// The game that was begun after this one by the same players.
    pub(crate) next: Option<String>,
}

/// Which state of a game a message is about: how many moves are made, and how many
/// times anything else has changed. Kept over restarts; written `7.0`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Rev {
    pub(crate) moves: usize,
    pub(crate) changes: u64,
}

/// Something that one side proposes to the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Offer {
    pub(crate) kind: OfferKind,
    pub(crate) by: Side,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OfferKind {
    Draw,
    Undo,
    Rematch,
}

/// Which sides the visitor plays; none for a spectator.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct ViewerRole {
    pub(crate) x: bool,
    pub(crate) o: bool,
    /// Computers play each other, and it was this visitor who set them to it.
    pub(crate) host: bool,
}

impl ViewerRole {
    pub(crate) fn plays(self, side: Side) -> bool {
        match side {
            Side::X => self.x,
            Side::O => self.o,
        }
    }

    /// Does the visitor do more than watch?
    pub(crate) fn is_participant(self) -> bool {
        self != ViewerRole::default()
    }

    /// Is it this visitor's turn?
    pub(crate) fn is_to_move(self, game: &GameSnapshot) -> bool {
        let side = game.state.side();
        let person = game.seats[side as usize].is_human();
        game.over.is_none() && game.invited == [false; 2] && person && self.plays(side)
    }
}

impl fmt::Display for Rev {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.moves, self.changes)
    }
}

impl FromStr for Rev {
    type Err = String;

    fn from_str(text: &str) -> Result<Rev, String> {
        let read = text.split_once('.').and_then(|(moves, changes)| {
            Some(Rev {
                moves: moves.parse().ok()?,
                changes: changes.parse().ok()?,
            })
        });
        let read = read.filter(|rev| rev.to_string() == text);
        read.ok_or_else(|| "a rev is two numbers with a dot, such as 7.0".into())
    }
}
