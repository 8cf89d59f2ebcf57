//! Games played in the arena, and their keys in the plan.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use noughts_engine::Value;
use noughts_rules::{AnyGameState, Ending, Outcome, Side, word_enum};
use serde::{Deserialize, Serialize};

/// Identifies a game of a plan by its bots and its round, so that it stays the same when the plan
/// is extended by bots or rounds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct GameKey {
    /// The round, from 0; both games of a pair have the same.
    pub round: u32,
    /// The index in the plan of the bot that comes first there.
    pub first: u32,
    /// The index of the other bot.
    pub second: u32,
    /// Whether this is the second game of the pair, in which the second bot plays X.
    pub swapped: bool,
}

impl GameKey {
    /// The index in the plan of the bot on this side.
    #[must_use]
    pub const fn bot(&self, side: Side) -> u32 {
        match (side, self.swapped) {
            (Side::X, false) | (Side::O, true) => self.first,
            (Side::O, false) | (Side::X, true) => self.second,
        }
    }
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// Which game of the plan it is.
    pub key: GameKey,
    /// The game state: the starting position and all moves.
    pub state: AnyGameState,
    /// How many of the moves are the opening.
    pub opening_plies: usize,
    /// Time, evaluation and search statistics of each move after the opening.
    pub move_info: Vec<MoveInfo>,
    /// The outcome.
    pub outcome: Outcome,
    /// Why the game ended.
    pub reason: EndReason,
    /// Details that the reason doesn't say.
    pub note: Option<String>,
}

impl PlayedGame {
    /// The result as used for statistics.
    #[must_use]
    pub fn result(&self) -> GameResult {
        GameResult {
            key: self.key,
            outcome: self.outcome,
            reason: self.reason,
            fingerprint: self.fingerprint(),
        }
    }

    /// The moves after the opening: who made each, and its time and evaluation.
    pub(crate) fn timed_moves(&self) -> impl Iterator<Item = (Side, &MoveInfo)> {
        let sides = self.state.move_sides().into_iter().skip(self.opening_plies);
        sides.zip(&self.move_info)
    }

    fn fingerprint(&self) -> GameFingerprint {
        let moves = self.state.moves();
        let (opening, moves_after) = moves.split_at(self.opening_plies.min(moves.len()));
        let variant = self.state.variant();
        let start = match self.state.has_standard_start() {
            true => Ok(AnyGameState::new(variant)),
            false => AnyGameState::from_text(variant, &self.state.start_text()),
        };
        // Transpositions in the opening lead to the same fingerprint.
        let position = start.ok().and_then(|mut state| {
            let moves_after = opening.iter().all(|mv| state.play(mv).is_ok());
            moves_after.then(|| state.position_text())
        });
        let mut hasher = DefaultHasher::new();
        match position {
            Some(position) => position.hash(&mut hasher),
            None => (self.state.start_text(), opening).hash(&mut hasher),
        }
        (moves_after, self.outcome.as_str(), self.reason).hash(&mut hasher);
        GameFingerprint(hasher.finish())
    }
}

/// The result of a game, as used for statistics.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameResult {
    /// Which game of the plan it is.
    pub key: GameKey,
    /// The outcome.
    pub outcome: Outcome,
    /// Why the game ended.
    pub reason: EndReason,
    /// Identifies repetitions of the same game.
    pub fingerprint: GameFingerprint,
}

/// A fingerprint of a game: the position after the opening, every move after that, and the result.
/// Two games with the same fingerprint are repetitions of each other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct GameFingerprint(pub u64);

/// Time, evaluation and search statistics of a move.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct MoveInfo {
    /// How long the move took.
    pub took: Duration,
    /// The bot's evaluation, from its own point of view.
    pub value: Option<Value>,
    /// The search depth.
    pub depth: Option<u32>,
    /// The number of nodes searched.
    pub nodes: Option<u64>,
}

word_enum! {
    /// Why a game ended, and its name in the journal, in JSON and in records.
    pub enum EndReason, word: name {
        /// A completed line.
        Line = "line",
        /// Both sides completed a line at once.
        DoubleLine = "double-line",
        /// No legal move was left.
        NoMove = "no-move",
        /// No legal move was left, and won boards were counted.
        MostBoards = "most-boards",
        /// Threefold repetition.
        Repetition = "repetition",
        /// The loser didn't answer in time.
        Timeout = "time",
        /// The loser's move was illegal.
        IllegalMove = "illegal-move",
        /// The loser exited during the game.
        Crash = "crash",
        /// The loser violated the protocol or wrote far too much.
        ProtocolError = "protocol",
        /// The loser couldn't be started.
        StartFailure = "start",
        /// A draw by the move limit.
        MoveLimit = "move-limit",
        /// Adjudicated by its exact value.
        ExactValue = "table",
        /// Adjudicated because both bots agreed on the result.
        Agreement = "agreement",
    }
}

impl EndReason {
    /// How the game ended, as shown in reports.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            EndReason::Line => "line",
            EndReason::DoubleLine => "both completed a line",
            EndReason::NoMove => "no moves left",
            EndReason::MostBoards => "most boards",
            EndReason::Repetition => "repetition",
            EndReason::Timeout => "timeout",
            EndReason::IllegalMove => "illegal move",
            EndReason::Crash => "crash",
            EndReason::ProtocolError => "protocol error",
            EndReason::StartFailure => "failed to start",
            EndReason::MoveLimit => "move limit",
            EndReason::ExactValue => "exact value (adjudicated)",
            EndReason::Agreement => "agreement (adjudicated)",
        }
    }

    /// Whether the loser's bot failed.
    #[must_use]
    pub const fn is_fault(self) -> bool {
        matches!(
            self,
            EndReason::Timeout
                | EndReason::IllegalMove
                | EndReason::Crash
                | EndReason::ProtocolError
                | EndReason::StartFailure
        )
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_has_its_own_name() {
        for (index, reason) in EndReason::ALL.into_iter().enumerate() {
            assert_eq!(reason as usize, index);
            assert_eq!(EndReason::from_word(reason.name()), Some(reason));
        }
    }
}
