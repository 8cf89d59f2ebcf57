//! Assistance that a player used in a game. Such a game isn't rated.

use std::str::FromStr;

use crate::word_enum;

word_enum! {
    /// The kind of assistance. The words are those of the store, of JSON and of records.
    ///
    /// ```
    /// use noughts_rules::Assistance;
    /// assert_eq!(Assistance::Hint.as_str(), "hint");
    /// assert_eq!("hint".parse(), Ok(Assistance::Hint));
    /// ```
    pub enum Assistance, word: as_str {
        /// The engine recommended a move.
        Hint = "hint",
        /// A move was taken back.
        Takeback = "takeback",
        /// The engine analyzed the position.
        Analysis = "analysis",
        /// The game started from a custom position.
        Position = "position",
    }
}

/// A word that isn't a kind of assistance.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("assistance must be one of {words}", words = Assistance::ALL.map(Assistance::as_str).join(", "))]
pub struct AssistanceError;

impl FromStr for Assistance {
    type Err = AssistanceError;

    fn from_str(word: &str) -> Result<Assistance, AssistanceError> {
        Assistance::from_word(word).ok_or(AssistanceError)
    }
}

/// Why a game isn't rated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnratedReason {
    /// Another player took over a side.
    ChangedHands,
    /// A player used assistance.
    Assisted(Assistance),
}

impl UnratedReason {
    /// The reason for a game in which a side changed hands or a player used assistance; `None` for a rated game.
    ///
    /// ```
    /// use noughts_rules::{Assistance, UnratedReason};
    /// assert_eq!(UnratedReason::new(false, None), None);
    /// let hint = UnratedReason::new(false, Some(Assistance::Hint));
    /// assert_eq!(hint, Some(UnratedReason::Assisted(Assistance::Hint)));
    /// ```
    #[must_use]
    pub fn new(changed_hands: bool, assistance: Option<Assistance>) -> Option<UnratedReason> {
        match changed_hands {
            true => Some(UnratedReason::ChangedHands),
            false => assistance.map(UnratedReason::Assisted),
        }
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
            "assistance must be one of hint, takeback, analysis, position"
        );
    }
}
