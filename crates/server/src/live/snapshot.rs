//! A live game at one moment, the same for all viewers. What a given viewer may do is
//! [`ViewerRole`].

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use noughts_rules::{AnyGameState, Assistance, Outcome, Side, Termination, UnratedReason};
use noughts_session::{PlaybackSpeed, seat_label};
use noughts_store::{GameId, Seat, Tally};
use noughts_text::{GameOver, Viewpoint};

/// A live game at one moment.
#[derive(Clone, Debug)]
pub(crate) struct GameSnapshot {
    /// Its uid and number in the store; `None` for a board that isn't a stored game (the front
    /// page's first board, the analysis).
    pub(crate) ids: Option<(String, GameId)>,
    pub(crate) state: AnyGameState,
    pub(crate) rev: Rev,
    /// X's seat and O's.
    pub(crate) seats: [Seat; 2],
    /// Reserved for an invite link that hasn't been used yet.
    pub(crate) invited: [bool; 2],
    /// Wins, losses and draws of players with a name.
    pub(crate) tallies: [Option<Tally>; 2],
    /// Is a client connected for the seat? Always true for bots.
    pub(crate) connected: [bool; 2],
    /// Are the two seats controlled by two visitors? Then a takeback needs consent.
    pub(crate) is_online: bool,
    /// How long each move took.
    pub(crate) move_times: Vec<Duration>,
    pub(crate) can_undo: bool,
    pub(crate) can_redo: bool,
    /// A side changed hands, so the game isn't rated.
    pub(crate) handed_over: bool,
    /// The first help that a player had. With any, the game isn't rated.
    pub(crate) assisted: Option<Assistance>,
    /// A bot is choosing its move.
    pub(crate) thinking: bool,
    /// A game between bots that is paused.
    pub(crate) paused: bool,
    /// How fast bots play each other.
    pub(crate) speed: PlaybackSpeed,
    pub(crate) offer: Option<Offer>,
    /// The result and how the game ended.
    pub(crate) over: Option<(Option<Outcome>, Termination)>,
    /// The uid of the rematch.
    pub(crate) next: Option<String>,
}

/// A revision of a game: how many moves were made, and how many times anything else has changed.
/// Stored, so it survives restarts. Written `7.0`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Rev {
    pub(crate) moves: usize,
    pub(crate) changes: u64,
}

/// An offer from one side to the other.
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

/// Which sides a viewer plays; the default is a spectator.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct ViewerRole {
    pub(crate) x: bool,
    pub(crate) o: bool,
    /// Created this game between bots.
    pub(crate) host: bool,
}

impl GameSnapshot {
    /// How the game ended, for sentences about it; `None` while it runs.
    pub(crate) fn game_over(&self) -> Option<GameOver> {
        let (outcome, termination) = self.over?;
        Some(GameOver {
            variant: self.state.variant(),
            outcome,
            termination,
            players: self
                .ids
                .is_some()
                .then(|| [0, 1].map(|seat| seat_label(&self.seats[seat]))),
            moves: self.rev.moves,
        })
    }

    /// Why the game isn't rated, if so.
    pub(crate) fn unrated_reason(&self) -> Option<UnratedReason> {
        UnratedReason::new(self.handed_over, self.assisted)
    }
}

impl ViewerRole {
    pub(crate) fn plays(self, side: Side) -> bool {
        match side {
            Side::X => self.x,
            Side::O => self.o,
        }
    }

    /// The point of view for sentences.
    pub(crate) fn viewpoint(self) -> Viewpoint {
        match (self.x, self.o) {
            (true, true) => Viewpoint::Both,
            (true, false) => Viewpoint::Player(Side::X),
            (false, true) => Viewpoint::Player(Side::O),
            (false, false) => Viewpoint::Spectator,
        }
    }

    /// Does the viewer do more than watch?
    pub(crate) fn is_participant(self) -> bool {
        self != ViewerRole::default()
    }

    /// Is it this viewer's turn?
    pub(crate) fn is_to_move(self, game: &GameSnapshot) -> bool {
        let side = game.state.side();
        let is_human = game.seats[side as usize].is_human();
        game.over.is_none() && game.invited == [false; 2] && is_human && self.plays(side)
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
        read.ok_or_else(|| "rev must be two numbers separated by a dot, such as 7.0".into())
    }
}
