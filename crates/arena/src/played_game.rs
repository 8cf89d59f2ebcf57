//! A game that was played in the arena, and its place in the plan.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use noughts_engine::Value;
use noughts_rules::{AnyGameState, Ending, Outcome, Side};
use serde::{Deserialize, Serialize};

/// Which game of a plan it is. It stays the same when the plan is extended by bots or
/// rounds: a game is known by who meets whom for the how-manieth time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct GameKey {
    /// The round, from 0: both games of a pair are in the same.
    pub round: u32,
    /// The one of the two bots that comes first in the plan, by its number there.
    pub first: u32,
    /// The other.
    pub second: u32,
    /// In the second game of a pair the second bot has X.
    pub swapped: bool,
}

impl GameKey {
    /// The bot, by its number in the plan, on this side.
    #[must_use]
    pub const fn bot(&self, side: Side) -> u32 {
        match (side, self.swapped) {
            (Side::X, false) | (Side::O, true) => self.first,
            (Side::O, false) | (Side::X, true) => self.second,
        }
    }
}

/// A game from its opening to its end.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// Which game it is.
    pub key: GameKey,
    /// The game: how it started, and all moves.
    pub state: AnyGameState,
    /// How many of the moves are the opening, which nobody chose.
    pub opening_plies: usize,
    /// What is known of the others.
    pub move_info: Vec<MoveInfo>,
    /// Who won.
    pub outcome: Outcome,
    /// How.
    pub reason: EndReason,
    /// What happened, where the reason needs a word more.
    pub note: Option<String>,
}

impl PlayedGame {
    /// What statistics need of this game.
    #[must_use]
    pub fn result(&self) -> GameResult {
        GameResult {
            key: self.key,
            outcome: self.outcome,
            reason: self.reason,
            fingerprint: self.course(),
        }
    }

    fn course(&self) -> GameFingerprint {
        let moves = self.state.moves();
        let (opening, made) = moves.split_at(self.opening_plies.min(moves.len()));
        let variant = self.state.variant();
        let start = match self.state.has_standard_start() {
            true => Ok(AnyGameState::new(variant)),
            false => AnyGameState::from_text(variant, &self.state.start_text()),
        };
        // Two orders of the same opening moves are one opening.
        let after = start.ok().and_then(|mut play| {
            let made = opening.iter().all(|mv| play.play(mv).is_ok());
            made.then(|| play.position_text())
        });
        let mut hasher = DefaultHasher::new();
        match after {
            Some(position) => position.hash(&mut hasher),
            None => (self.state.start_text(), opening).hash(&mut hasher),
        }
        (made, self.outcome.as_str(), self.reason).hash(&mut hasher);
        GameFingerprint(hasher.finish())
    }
}

/// The result of a game, as statistics count it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameResult {
    /// Which game it is.
    pub key: GameKey,
    /// Who won.
    pub outcome: Outcome,
    /// How it ended.
    pub reason: EndReason,
    /// What happened in it.
    pub fingerprint: GameFingerprint,
}

/// A fingerprint of a game: its position after the opening, every move after that, and the
/// result. Two games with the same one are the same game, played again.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct GameFingerprint(pub u64);

/// What is known of a move besides what it was.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct MoveInfo {
    /// How long it took.
    pub took: Duration,
    /// What its bot thought of the position, for itself.
    pub value: Option<Value>,
    /// How far it looked.
    pub depth: Option<u32>,
    /// How much it looked at.
    pub nodes: Option<u64>,
}

/// How a game of the arena ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum EndReason {
    /// A line decided it.
    Line,
    /// Both had a line at once.
    DoubleLine,
    /// No legal move was left.
    NoMove,
    /// No legal move was left, and boards were counted.
    MostBoards,
    /// The same position for the third time.
    Repetition,
    /// The loser did not answer in time.
    Timeout,
    /// The loser's move was not legal.
    IllegalMove,
    /// The loser ended in mid-game.
    Crash,
    /// The loser wrote what makes no sense, or far too much.
    ProtocolError,
    /// The loser could not be started.
    StartFailure,
    /// A draw: too many moves.
    MoveLimit,
    /// The exact value was known.
    ExactValue,
    /// Both bots agreed on the result.
    Agreement,
}

impl EndReason {
    /// All of them.
    pub const ALL: [EndReason; 13] = [
        EndReason::Line,
        EndReason::DoubleLine,
        EndReason::NoMove,
        EndReason::MostBoards,
        EndReason::Repetition,
        EndReason::Timeout,
        EndReason::IllegalMove,
        EndReason::Crash,
        EndReason::ProtocolError,
        EndReason::StartFailure,
        EndReason::MoveLimit,
        EndReason::ExactValue,
        EndReason::Agreement,
    ];

    /// The word in the journal, in JSON and in records.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            EndReason::Line => "line",
            EndReason::DoubleLine => "double-line",
            EndReason::NoMove => "no-move",
            EndReason::MostBoards => "most-boards",
            EndReason::Repetition => "repetition",
            EndReason::Timeout => "time",
            EndReason::IllegalMove => "illegal-move",
            EndReason::Crash => "crash",
            EndReason::ProtocolError => "protocol",
            EndReason::StartFailure => "start",
            EndReason::MoveLimit => "move-limit",
            EndReason::ExactValue => "table",
            EndReason::Agreement => "agreement",
        }
    }

    /// The reason with this word.
    #[must_use]
    pub fn from_name(word: &str) -> Option<EndReason> {
        EndReason::ALL
            .into_iter()
            .find(|reason| reason.name() == word)
    }

    /// Did the loser's bot fail?
    #[must_use]
    pub const fn is_fault(self) -> bool {
        match self {
            EndReason::Timeout
            | EndReason::IllegalMove
            | EndReason::Crash
            | EndReason::ProtocolError
            | EndReason::StartFailure => true,
            EndReason::Line
            | EndReason::DoubleLine
            | EndReason::NoMove
            | EndReason::MostBoards
            | EndReason::Repetition
            | EndReason::MoveLimit
            | EndReason::ExactValue
            | EndReason::Agreement => false,
        }
    }
}

impl From<Ending> for EndReason {
    fn from(ending: Ending) -> EndReason {
        match ending {
            Ending::Line => EndReason::Line,
            Ending::DoubleLine => EndReason::DoubleLine,
            Ending::NoMove => EndReason::NoMove,
            Ending::MostBoards => EndReason::MostBoards,
            Ending::Repetition => EndReason::Repetition,
        }
    }
}

impl fmt::Display for EndReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
