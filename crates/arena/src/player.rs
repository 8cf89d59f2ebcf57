//! Somebody at the board, whoever it is: what a player is told, and what it answers.

use std::time::Duration;

use noughts_engine::{Clock, Value};
use noughts_rules::{AnyPlay, Player as Side, Variant};

use crate::pace::Pace;
use crate::played::Reason;

/// A bot at the board. It plays one game after the other; when it is dropped, nothing
/// of it is left running.
pub trait Player: Send {
    /// A game begins. What was known of the one before is forgotten.
    ///
    /// # Errors
    /// The bot is not there, or not ready.
    fn begin(&mut self, game: &NewGame) -> Result<(), Fault>;

    /// The move it makes. It has not been checked by the rules.
    ///
    /// # Errors
    /// The bot broke down, was late by more than the margin, or made no sense.
    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Fault>;

    /// The game is over. A bot that failed is put away, so that the next game begins
    /// with a fresh one.
    fn end(&mut self);
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
pub struct Turn<'a> {
    /// The game so far.
    pub play: &'a AnyPlay,
    /// How long it may think.
    pub pace: Pace,
    /// What the clocks show, X's first, where there are any.
    pub clocks: Option<[Clock; 2]>,
    /// How much later than its time it may be.
    pub margin: Duration,
    /// How long one waits where no time is given.
    pub patience: Duration,
}

impl Turn<'_> {
    /// After how long it has lost on time, margin included.
    #[must_use]
    pub fn allowed(&self) -> Duration {
        let time = match self.pace {
            Pace::Move(time) => time,
            Pace::Clock { base, .. } => match self.clocks {
                Some(clocks) => clocks[self.play.side() as usize].left,
                None => base,
            },
            Pace::Nodes(_) | Pace::Depth(_) => return self.patience,
        };
        time.saturating_add(self.margin)
    }
}

/// A player's move.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
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
pub struct Fault {
    /// What kind of thing happened.
    pub mishap: Mishap,
    /// What happened, in words.
    pub message: String,
}

impl Fault {
    /// A fault and its sentence.
    #[must_use]
    pub fn new(mishap: Mishap, message: impl Into<String>) -> Fault {
        Fault {
            mishap,
            message: message.into(),
        }
    }
}

/// The ways in which a bot fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mishap {
    /// It could not be started, or was not ready in time.
    Start,
    /// It ended, or closed its pipe.
    Crash,
    /// No answer in time.
    Time,
    /// What it wrote makes no sense, or is far too much.
    Protocol,
    /// Not its fault: there was no room for it, no file, no process. Nobody loses by it.
    Arena,
}

impl Mishap {
    /// Why a game is lost by it; nothing where nobody is to blame.
    #[must_use]
    pub const fn reason(self) -> Option<Reason> {
        match self {
            Mishap::Start => Some(Reason::Start),
            Mishap::Crash => Some(Reason::Crash),
            Mishap::Time => Some(Reason::Time),
            Mishap::Protocol => Some(Reason::Protocol),
            Mishap::Arena => None,
        }
    }
}
