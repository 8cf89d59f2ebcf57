//! How a game ended, by the rules or otherwise.

use std::fmt;
use std::str::FromStr;

use noughts_rules::Ending;

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
#[error("a game ends by {}", Termination::ALL.map(Termination::as_str).join(", "))]
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
    /// use noughts_store::Termination;
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

/// Text for players, to follow "X wins: ".
impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Termination::Line => "a line is complete",
            Termination::DoubleLine => "both players have a line",
            Termination::NoMove => "no legal move is left",
            Termination::MostBoards => "no legal move is left, boards are counted",
            Termination::Repetition => "the same position for the third time",
            Termination::AgreedDraw => "the players agreed on a draw",
            Termination::Resigned => "the other side resigned",
            Termination::Timeout => "the other side ran out of time",
            Termination::IllegalMove => "the other side made an illegal move",
            Termination::Crash => "the other side broke down",
            Termination::Abandoned => "the game was abandoned",
        })
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

    #[test]
    fn endings_have_the_same_text_as_in_the_rules() {
        for ending in [
            Ending::Line,
            Ending::DoubleLine,
            Ending::NoMove,
            Ending::MostBoards,
            Ending::Repetition,
        ] {
            assert_eq!(Termination::from(ending).to_string(), ending.to_string());
        }
    }
}
