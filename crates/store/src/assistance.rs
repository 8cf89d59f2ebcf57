//! Assistance that a player used in a game. Such a game isn't rated.

use std::fmt;
use std::str::FromStr;

/// The kind of assistance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Assistance {
    /// The engine recommended a move.
    Hint,
    /// A move was taken back.
    Takeback,
    /// The engine analyzed the position.
    Analysis,
    /// The game started from a chosen position.
    Position,
}

/// A word that isn't a kind of assistance.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("assistance is {}", Assistance::ALL.map(Assistance::as_str).join(", "))]
pub struct AssistanceError;

impl Assistance {
    /// All kinds.
    pub const ALL: [Assistance; 4] = [
        Assistance::Hint,
        Assistance::Takeback,
        Assistance::Analysis,
        Assistance::Position,
    ];

    /// The word in the store, in JSON and in records.
    ///
    /// ```
    /// use noughts_store::Assistance;
    /// assert_eq!(Assistance::Hint.as_str(), "hint");
    /// assert_eq!("hint".parse(), Ok(Assistance::Hint));
    /// ```
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Assistance::Hint => "hint",
            Assistance::Takeback => "takeback",
            Assistance::Analysis => "analysis",
            Assistance::Position => "position",
        }
    }

    /// Tells a player who uses assistance that the game is no longer rated, and why.
    #[must_use]
    pub const fn notice(self) -> &'static str {
        match self {
            Assistance::Hint => "This game isn't rated: you took a hint.",
            Assistance::Takeback => "This game isn't rated: you took back a move.",
            Assistance::Analysis => "This game isn't rated: you used analysis.",
            Assistance::Position => "This game isn't rated: it started from a chosen position.",
        }
    }
}

impl FromStr for Assistance {
    type Err = AssistanceError;

    fn from_str(word: &str) -> Result<Assistance, AssistanceError> {
        let found = Assistance::ALL
            .into_iter()
            .find(|kind| kind.as_str() == word);
        found.ok_or(AssistanceError)
    }
}

/// Text for players, to follow "This game isn't rated: ".
impl fmt::Display for Assistance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Assistance::Hint => "a player took a hint",
            Assistance::Takeback => "a move was taken back",
            Assistance::Analysis => "a player used analysis",
            Assistance::Position => "it started from a chosen position",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_round_trip() {
        for kind in Assistance::ALL {
            assert_eq!(kind.as_str().parse(), Ok(kind));
        }
        let error = "HINT".parse::<Assistance>().expect_err("refused");
        assert_eq!(
            error.to_string(),
            "assistance is hint, takeback, analysis, position"
        );
    }
}
