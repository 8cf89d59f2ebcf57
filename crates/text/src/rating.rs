//! Why a game isn't rated.

use noughts_rules::{Assistance, UnratedReason};

/// Why a game isn't rated, as a sentence. `you` addresses the player who used the assistance.
///
/// ```
/// use noughts_rules::{Assistance, UnratedReason};
/// use noughts_text::unrated_notice;
/// let hint = UnratedReason::Assisted(Assistance::Hint);
/// assert_eq!(unrated_notice(hint, true), "This game isn't rated: you took a hint.");
/// assert_eq!(unrated_notice(hint, false), "This game isn't rated: a player took a hint.");
/// ```
#[must_use]
pub fn unrated_notice(reason: UnratedReason, you: bool) -> String {
    let who = if you { "you" } else { "a player" };
    let reason = match reason {
        UnratedReason::ChangedHands => "another player took over a side".to_owned(),
        UnratedReason::Assisted(Assistance::Hint) => format!("{who} took a hint"),
        UnratedReason::Assisted(Assistance::Takeback) => format!("{who} took back a move"),
        UnratedReason::Assisted(Assistance::Analysis) => format!("{who} used analysis"),
        UnratedReason::Assisted(Assistance::Position) => {
            "it started from a chosen position".to_owned()
        }
    };
    format!("This game isn't rated: {reason}.")
}

/// Tells a player who uses assistance that the game is no longer rated.
#[must_use]
pub fn assistance_notice(assistance: Assistance) -> String {
    unrated_notice(UnratedReason::Assisted(assistance), true)
}
