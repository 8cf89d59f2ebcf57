//! Somebody at the board, whoever it is: what a player is told, and what it answers.

use std::time::Duration;

use noughts_engine::{Clock, Value};
use noughts_rules::{AnyGameState, Side, Variant};

use crate::played_game::EndReason;
use crate::time_control::TimeControl;

/// A bot at the board. It plays one game after the other; when it is dropped, nothing
/// of it is left running.
pub trait Player: Send {
    /// A game begins. What was known of the one before is forgotten.
    ///
    /// # Errors
    /// The bot is not there, or not ready.
    fn start_game(&mut self, game: &NewGame) -> Result<(), PlayerError>;

    /// The move it makes. It has not been checked by the rules.
    ///
    /// # Errors
    /// The bot broke down, was late by more than the margin, or made no sense.
    fn choose_move(&mut self, turn: &MoveRequest<'_>) -> Result<MoveResponse, PlayerError>;

    /// The game is over. A bot that failed is put away, so that the next game begins
    /// with a fresh one.
    fn end_game(&mut self);
}

/// What a player is told before a game.
#[derive(Clone, Debug)]
pub struct NewGame {
    /// The game.
    pub variant: Variant,
    /// Which side it plays.
    pub side: Side,
    /// Where its random choices come from: of the tournament's seed and the game's key.
    pub seed: u64,
}

/// What a player is told when it is to move.
#[derive(Clone, Copy, Debug)]
pub struct MoveRequest<'a> {
    /// The game so far.
    pub state: &'a AnyGameState,
    /// How long it may think.
    pub time_control: TimeControl,
    /// What the clocks show, X's first, where there are any.
    pub clocks: Option<[Clock; 2]>,
    /// How much later than its time it may be.
    pub margin: Duration,
    /// How long one waits where no time is given.
    pub patience: Duration,
}

impl MoveRequest<'_> {
    /// After how long it has lost on time, margin included.
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
}

/// A player's move.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveResponse {
    /// The move.
    pub mv: String,
    /// What it thinks of the position, for itself.
    pub value: Option<Value>,
    /// How long it took, as the one who asked measured it.
    pub took: Duration,
    /// How far it looked.
    pub depth: Option<u32>,
    /// How much it looked at.
    pub nodes: Option<u64>,
}

/// Why there is no move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct PlayerError {
    /// What kind of thing happened.
    pub kind: PlayerErrorKind,
    /// What happened, in words.
    pub message: String,
}

impl PlayerError {
    /// A fault and its sentence.
    #[must_use]
    pub fn new(kind: PlayerErrorKind, message: impl Into<String>) -> PlayerError {
        PlayerError {
            kind,
            message: message.into(),
        }
    }
}

/// The ways in which a bot fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlayerErrorKind {
    /// It could not be started, or was not ready in time.
    StartFailure,
    /// It ended, or closed its pipe.
    Crash,
    /// No answer in time.
    Timeout,
    /// What it wrote makes no sense, or is far too much.
    ProtocolError,
    /// Not its fault: there was no room for it, no file, no process. Nobody loses by it.
    HostFailure,
}

impl PlayerErrorKind {
    /// Why a game is lost by it; nothing where nobody is to blame.
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
