//! A game that was played in the arena, and its place in the plan.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use noughts_engine::Value;
use noughts_rules::{AnyPlay, Ending, Outcome, Player as Side};
use serde::{Deserialize, Serialize};

/// Which game of a plan it is. It stays the same when the plan is extended by bots or
/// rounds: a game is known by who meets whom for the how-manieth time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Key {
    /// The round, from 0: both games of a pair are in the same.
    pub round: u32,
    /// The one of the two bots that comes first in the plan, by its number there.
    pub first: u32,
    /// The other.
    pub second: u32,
    /// In the second game of a pair the second bot has X.
    pub swapped: bool,
}

impl Key {
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
pub struct Played {
    /// Which game it is.
    pub key: Key,
    /// The game: how it started, and all moves.
    pub play: AnyPlay,
    /// How many of the moves are the opening, which nobody chose.
    pub opening: usize,
    /// What is known of the others.
    pub moves: Vec<MoveMade>,
    /// Who won.
    pub outcome: Outcome,
    /// How.
    pub reason: Reason,
    /// What happened, where the reason needs a word more.
    pub note: Option<String>,
}

impl Played {
    /// What statistics need of this game.
    #[must_use]
    pub fn result(&self) -> GameResult {
        GameResult {
            key: self.key,
            outcome: self.outcome,
            reason: self.reason,
            course: self.course(),
        }
    }

    fn course(&self) -> Course {
        let moves = self.play.moves();
        let (opening, made) = moves.split_at(self.opening.min(moves.len()));
        let variant = self.play.variant();
        let start = match self.play.is_from_start() {
            true => Ok(AnyPlay::new(variant)),
            false => AnyPlay::from_text(variant, &self.play.start_text()),
        };
        // Two orders of the same opening moves are one opening.
        let after = start.ok().and_then(|mut play| {
            let made = opening.iter().all(|mv| play.play(mv).is_ok());
            made.then(|| play.position_text())
        });
        let mut hasher = DefaultHasher::new();
        match after {
            Some(position) => position.hash(&mut hasher),
            None => (self.play.start_text(), opening).hash(&mut hasher),
        }
        (made, self.outcome.word(), self.reason).hash(&mut hasher);
        Course(hasher.finish())
    }
}

/// The result of a game, as statistics count it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameResult {
    /// Which game it is.
    pub key: Key,
    /// Who won.
    pub outcome: Outcome,
    /// How it ended.
    pub reason: Reason,
    /// What happened in it.
    pub course: Course,
}

/// A fingerprint of a game: its position after the opening, every move after that, and the
/// result. Two games with the same one are the same game, played again.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Course(pub u64);

/// What is known of a move besides what it was.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct MoveMade {
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
pub enum Reason {
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
    Time,
    /// The loser's move was not legal.
    IllegalMove,
    /// The loser ended in mid-game.
    Crash,
    /// The loser wrote what makes no sense, or far too much.
    Protocol,
    /// The loser could not be started.
    Start,
    /// A draw: too many moves.
    MoveLimit,
    /// The exact value was known.
    Table,
    /// Both bots agreed on the result.
    Agreement,
}

impl Reason {
    /// All of them.
    pub const ALL: [Reason; 13] = [
        Reason::Line,
        Reason::DoubleLine,
        Reason::NoMove,
        Reason::MostBoards,
        Reason::Repetition,
        Reason::Time,
        Reason::IllegalMove,
        Reason::Crash,
        Reason::Protocol,
        Reason::Start,
        Reason::MoveLimit,
        Reason::Table,
        Reason::Agreement,
    ];

    /// The word in the journal, in JSON and in records.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Reason::Line => "line",
            Reason::DoubleLine => "double-line",
            Reason::NoMove => "no-move",
            Reason::MostBoards => "most-boards",
            Reason::Repetition => "repetition",
            Reason::Time => "time",
            Reason::IllegalMove => "illegal-move",
            Reason::Crash => "crash",
            Reason::Protocol => "protocol",
            Reason::Start => "start",
            Reason::MoveLimit => "move-limit",
            Reason::Table => "table",
            Reason::Agreement => "agreement",
        }
    }

    /// The reason with this word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Reason> {
        Reason::ALL.into_iter().find(|reason| reason.word() == word)
    }

    /// Did the loser's bot fail?
    #[must_use]
    pub const fn is_fault(self) -> bool {
        match self {
            Reason::Time
            | Reason::IllegalMove
            | Reason::Crash
            | Reason::Protocol
            | Reason::Start => true,
            Reason::Line
            | Reason::DoubleLine
            | Reason::NoMove
            | Reason::MostBoards
            | Reason::Repetition
            | Reason::MoveLimit
            | Reason::Table
            | Reason::Agreement => false,
        }
    }
}

impl From<Ending> for Reason {
    fn from(ending: Ending) -> Reason {
        match ending {
            Ending::Line => Reason::Line,
            Ending::DoubleLine => Reason::DoubleLine,
            Ending::NoMove => Reason::NoMove,
            Ending::MostBoards => Reason::MostBoards,
            Ending::Repetition => Reason::Repetition,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
