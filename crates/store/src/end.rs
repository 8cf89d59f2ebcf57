//! How a game came to its end, by the rules or otherwise.

use std::fmt;
use std::str::FromStr;

use noughts_rules::Ending;

/// How a game ended: what the rules know, and what happens besides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum End {
    /// A line decided it.
    Line,
    /// Both players had a line at once.
    DoubleLine,
    /// No legal move was left.
    NoMove,
    /// No legal move was left, and boards were counted.
    MostBoards,
    /// The same position for the third time.
    Repetition,
    /// The players agreed on a draw.
    AgreedDraw,
    /// Somebody gave up.
    Resigned,
    /// Somebody's time ran out.
    Time,
    /// A bot made a move that is none.
    IllegalMove,
    /// A bot broke down.
    Crash,
    /// Nobody went on; it counts for nobody.
    Abandoned,
}

/// A word that names no end of a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a game ends by {}", End::ALL.map(End::word).join(", "))]
pub struct EndError;

impl End {
    /// All of them.
    pub const ALL: [End; 11] = [
        End::Line,
        End::DoubleLine,
        End::NoMove,
        End::MostBoards,
        End::Repetition,
        End::AgreedDraw,
        End::Resigned,
        End::Time,
        End::IllegalMove,
        End::Crash,
        End::Abandoned,
    ];

    /// Was it played to its end?
    #[must_use]
    pub const fn is_by_rules(self) -> bool {
        match self {
            End::Line | End::DoubleLine | End::NoMove | End::MostBoards | End::Repetition => true,
            End::AgreedDraw
            | End::Resigned
            | End::Time
            | End::IllegalMove
            | End::Crash
            | End::Abandoned => false,
        }
    }

    /// The word in the store, in JSON and in records.
    ///
    /// ```
    /// use noughts_store::End;
    /// assert_eq!(End::AgreedDraw.word(), "agreed-draw");
    /// assert_eq!("agreed-draw".parse(), Ok(End::AgreedDraw));
    /// ```
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            End::Line => "line",
            End::DoubleLine => "double-line",
            End::NoMove => "no-move",
            End::MostBoards => "most-boards",
            End::Repetition => "repetition",
            End::AgreedDraw => "agreed-draw",
            End::Resigned => "resigned",
            End::Time => "time",
            End::IllegalMove => "illegal-move",
            End::Crash => "crash",
            End::Abandoned => "abandoned",
        }
    }
}

impl From<Ending> for End {
    fn from(ending: Ending) -> End {
        match ending {
            Ending::Line => End::Line,
            Ending::DoubleLine => End::DoubleLine,
            Ending::NoMove => End::NoMove,
            Ending::MostBoards => End::MostBoards,
            Ending::Repetition => End::Repetition,
        }
    }
}

impl FromStr for End {
    type Err = EndError;

    fn from_str(word: &str) -> Result<End, EndError> {
        let found = End::ALL.into_iter().find(|end| end.word() == word);
        found.ok_or(EndError)
    }
}

/// Words for people, as they stand behind "X wins: ".
impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            End::Line => "a line is complete",
            End::DoubleLine => "both players have a line",
            End::NoMove => "no legal move is left",
            End::MostBoards => "no legal move is left, boards are counted",
            End::Repetition => "the same position for the third time",
            End::AgreedDraw => "the players agreed on a draw",
            End::Resigned => "the other side resigned",
            End::Time => "the other side ran out of time",
            End::IllegalMove => "the other side made an illegal move",
            End::Crash => "the other side broke down",
            End::Abandoned => "the game was abandoned",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_back_and_differ() {
        for end in End::ALL {
            assert_eq!(end.word().parse(), Ok(end));
        }
        assert_eq!("LINE".parse::<End>(), Err(EndError));
    }

    #[test]
    fn the_rules_endings_say_what_the_rules_say() {
        for ending in [
            Ending::Line,
            Ending::DoubleLine,
            Ending::NoMove,
            Ending::MostBoards,
            Ending::Repetition,
        ] {
            assert_eq!(End::from(ending).to_string(), ending.to_string());
        }
    }
}
