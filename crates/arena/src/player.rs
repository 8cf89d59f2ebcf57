//! The interface between the referee and a player: requests, responses and errors.

use std::time::Duration;

use noughts_engine::{Clock, SearchLimits, expected_moves_left};
use noughts_rules::{AnyGameState, Side, Variant};

use crate::played_game::{EndReason, MoveInfo};
use crate::time_control::TimeControl;

/// Subtracted from time limits for the delay between the end of a search and the reading of the clock.
const OVERHEAD: Duration = Duration::from_millis(2);

/// A bot that plays one game after the other. Dropping it terminates everything it has started.
pub trait Player: Send {
    /// Starts a game and forgets the previous one.
    ///
    /// # Errors
    /// The bot can't be started or isn't ready in time.
    fn start_game(&mut self, game: &NewGame) -> Result<(), PlayerError>;

    /// Returns the player's move, which hasn't been checked against the rules.
    ///
    /// # Errors
    /// The bot crashed, was late by more than the margin, or violated the protocol.
    fn choose_move(&mut self, turn: &MoveRequest<'_>) -> Result<MoveResponse, PlayerError>;

    /// Ends the game. A bot that failed is terminated, so that the next game starts with a new
    /// process.
    fn end_game(&mut self);
}

/// What a player receives at the start of a game.
#[derive(Clone, Debug)]
pub struct NewGame {
    /// The variant.
    pub variant: Variant,
    /// The side it plays.
    pub side: Side,
    /// The seed of its random choices, derived from the tournament's seed and the game's key.
    pub seed: u64,
}

/// A request for a move.
#[derive(Clone, Copy, Debug)]
pub struct MoveRequest<'a> {
    /// The game so far.
    pub state: &'a AnyGameState,
    /// The time control.
    pub time_control: TimeControl,
    /// The clocks of X and O, if there are any.
    pub clocks: Option<[Clock; 2]>,
    /// How much longer than its time the move may take.
    pub margin: Duration,
    /// How long to wait if no time is given.
    pub patience: Duration,
}

impl MoveRequest<'_> {
    /// The time after which the player has lost on time, including the margin.
    #[must_use]
    pub fn time_allowed(&self) -> Duration {
        let time = match self.time_control {
            TimeControl::MoveTime(time) => time,
            TimeControl::Clock { base, .. } => match self.clocks {
                Some(clocks) => clocks[self.state.side() as usize].remaining,
                None => base,
            },
            TimeControl::Nodes(_) | TimeControl::Depth(_) => return self.patience,
        };
        time.saturating_add(self.margin)
    }

    /// The limits of a player in this process: a fixed limit, or a share of the clock.
    #[must_use]
    pub fn search_limits(&self) -> SearchLimits {
        let time = match (self.time_control, self.clocks) {
            (TimeControl::Nodes(nodes), _) => return SearchLimits::nodes(nodes),
            (TimeControl::Depth(depth), _) => {
                return SearchLimits {
                    depth: Some(depth),
                    ..SearchLimits::NONE
                };
            }
            (TimeControl::MoveTime(time), _) => time.saturating_sub(OVERHEAD.min(time / 10)),
            (TimeControl::Clock { .. }, Some(clocks)) => clocks[self.state.side() as usize]
                .time_for_move(expected_moves_left(self.state), OVERHEAD),
            (TimeControl::Clock { base, .. }, None) => base / 40,
        };
        SearchLimits::time(time)
    }
}

/// A player's move.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveResponse {
    /// The move.
    pub mv: String,
    /// Its time, as measured by the caller, and what the player reported about it.
    pub info: MoveInfo,
}

/// Why a player gave no move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct PlayerError {
    /// The kind of failure.
    pub kind: PlayerErrorKind,
    /// What happened, as a sentence part.
    pub message: String,
}

impl PlayerError {
    /// Creates an error.
    #[must_use]
    pub fn new(kind: PlayerErrorKind, message: impl Into<String>) -> PlayerError {
        PlayerError {
            kind,
            message: message.into(),
        }
    }

    /// A move took too long.
    #[must_use]
    pub fn late(took: Duration, allowed: Duration) -> PlayerError {
        let [took, allowed] = [took, allowed].map(|time| time.as_secs_f64() * 1000.0);
        let message = format!("its move took {took:.1} ms; the limit is {allowed:.1} ms");
        PlayerError::new(PlayerErrorKind::Timeout, message)
    }

    /// A move was asked for before [`Player::start_game`].
    #[must_use]
    pub fn not_started() -> PlayerError {
        PlayerError::new(PlayerErrorKind::StartFailure, "no game was started")
    }
}

/// The ways in which a player fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlayerErrorKind {
    /// It couldn't be started or wasn't ready in time.
    StartFailure,
    /// It exited or closed its pipe.
    Crash,
    /// It didn't answer in time.
    Timeout,
    /// It violated the protocol or wrote far too much.
    ProtocolError,
    /// The arena's machine failed, for example for lack of files or processes. Nobody loses the
    /// game.
    HostFailure,
}

impl PlayerErrorKind {
    /// Why the game is lost; `None` if the player isn't to blame.
    #[must_use]
    pub const fn end_reason(self) -> Option<EndReason> {
        match self {
            PlayerErrorKind::StartFailure => Some(EndReason::StartFailure),
            PlayerErrorKind::Crash => Some(EndReason::Crash),
            PlayerErrorKind::Timeout => Some(EndReason::Timeout),
            PlayerErrorKind::ProtocolError => Some(EndReason::ProtocolError),
            PlayerErrorKind::HostFailure => None,
        }
    }
}
