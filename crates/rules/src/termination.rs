//! How a game ended, by the rules or otherwise.

use std::str::FromStr;

use crate::outcome::Ending;
use crate::word_enum;

word_enum! {
    /// How a game ended: by the rules, or for a reason outside them. The words are those of the store, of
    /// JSON and of records.
    ///
    /// ```
    /// use noughts_rules::Termination;
    /// assert_eq!(Termination::AgreedDraw.as_str(), "agreed-draw");
    /// assert_eq!("agreed-draw".parse(), Ok(Termination::AgreedDraw));
    /// ```
    pub enum Termination, word: as_str {
        /// A line decided it.
        Line = "line",
        /// Both players had a line at once.
        DoubleLine = "double-line",
        /// No legal move was left.
        NoMove = "no-move",
        /// No legal move was left, and boards were counted.
        MostBoards = "most-boards",
        /// The same position occurred for the third time.
        Repetition = "repetition",
        /// The players agreed to a draw.
        AgreedDraw = "agreed-draw",
        /// A player resigned.
        Resigned = "resigned",
        /// A player ran out of time.
        Timeout = "time",
        /// A bot made an illegal move.
        IllegalMove = "illegal-move",
        /// A bot crashed.
        Crash = "crash",
        /// The game was not continued; it isn't rated.
        Abandoned = "abandoned",
    }
}

/// A word that isn't a termination.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the ending must be one of {words}", words = Termination::ALL.map(Termination::as_str).join(", "))]
pub struct TerminationError;

impl Termination {
    /// Did the rules end it?
    #[must_use]
    pub const fn is_by_rules(self) -> bool {
        match self {
            Termination::Line
            | Termination::DoubleLine
            | Termination::NoMove
            | Termination::MostBoards
            | Termination::Repetition => true,
            Termination::AgreedDraw
            | Termination::Resigned
            | Termination::Timeout
            | Termination::IllegalMove
            | Termination::Crash
            | Termination::Abandoned => false,
        }
    }
}

impl From<Ending> for Termination {
    fn from(ending: Ending) -> Termination {
        match ending {
            Ending::Line => Termination::Line,
            Ending::DoubleLine => Termination::DoubleLine,
            Ending::NoMove => Termination::NoMove,
            Ending::MostBoards => Termination::MostBoards,
            Ending::Repetition => Termination::Repetition,
        }
    }
}

impl FromStr for Termination {
    type Err = TerminationError;

    fn from_str(word: &str) -> Result<Termination, TerminationError> {
        Termination::from_word(word).ok_or(TerminationError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_round_trip() {
        for end in Termination::ALL {
            assert_eq!(end.as_str().parse(), Ok(end));
        }
        assert_eq!("LINE".parse::<Termination>(), Err(TerminationError));
    }
}
