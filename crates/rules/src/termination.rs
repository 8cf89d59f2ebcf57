//! How a game ended, by the rules or otherwise.

use std::str::FromStr;

use crate::outcome::Ending;

/// How a game ended: by the rules, or for a reason outside them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Termination {
    /// A line decided it.
    Line,
    /// Both players had a line at once.
    DoubleLine,
    /// No legal move was left.
    NoMove,
    /// No legal move was left, and boards were counted.
    MostBoards,
    /// The same position occurred for the third time.
    Repetition,
    /// The players agreed to a draw.
    AgreedDraw,
    /// A player resigned.
    Resigned,
    /// A player ran out of time.
    Timeout,
    /// A bot made an illegal move.
    IllegalMove,
    /// A bot crashed.
    Crash,
    /// The game was not continued; it isn't rated.
    Abandoned,
}

/// A word that isn't a termination.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the ending must be one of {words}", words = Termination::ALL.map(Termination::as_str).join(", "))]
pub struct TerminationError;

impl Termination {
    /// All variants.
    pub const ALL: [Termination; 11] = [
        Termination::Line,
        Termination::DoubleLine,
        Termination::NoMove,
        Termination::MostBoards,
        Termination::Repetition,
        Termination::AgreedDraw,
        Termination::Resigned,
        Termination::Timeout,
        Termination::IllegalMove,
        Termination::Crash,
        Termination::Abandoned,
    ];

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

    /// The word in the store, in JSON and in records.
    ///
    /// ```
    /// use noughts_rules::Termination;
    /// assert_eq!(Termination::AgreedDraw.as_str(), "agreed-draw");
    /// assert_eq!("agreed-draw".parse(), Ok(Termination::AgreedDraw));
    /// ```
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Termination::Line => "line",
            Termination::DoubleLine => "double-line",
            Termination::NoMove => "no-move",
            Termination::MostBoards => "most-boards",
            Termination::Repetition => "repetition",
            Termination::AgreedDraw => "agreed-draw",
            Termination::Resigned => "resigned",
            Termination::Timeout => "time",
            Termination::IllegalMove => "illegal-move",
            Termination::Crash => "crash",
            Termination::Abandoned => "abandoned",
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
        let found = Termination::ALL
            .into_iter()
            .find(|end| end.as_str() == word);
        found.ok_or(TerminationError)
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
