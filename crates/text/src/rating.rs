//! Why a game isn't rated, and what to tell players before that happens.

use noughts_rules::{Assistance, UnratedReason};

/// Why a game isn't rated, as a sentence. `you` addresses the player who used the assistance.
///
/// ```
/// use noughts_rules::{Assistance, UnratedReason};
/// use noughts_text::unrated_notice;
/// let hint = UnratedReason::Assisted(Assistance::Hint);
/// assert_eq!(unrated_notice(hint, true), "This game isn't rated: you used a hint.");
/// assert_eq!(unrated_notice(hint, false), "This game isn't rated: a player used a hint.");
/// ```
#[must_use]
pub fn unrated_notice(reason: UnratedReason, you: bool) -> String {
    let who = if you { "you" } else { "a player" };
    let reason = match reason {
        UnratedReason::ChangedHands => "another player took over a side".to_owned(),
        UnratedReason::Assisted(Assistance::Hint) => format!("{who} used a hint"),
        UnratedReason::Assisted(Assistance::Takeback) => format!("{who} took back a move"),
        UnratedReason::Assisted(Assistance::Analysis) => format!("{who} used analysis"),
        UnratedReason::Assisted(Assistance::Position) => {
            "it started from a custom position".to_owned()
        }
    };
    format!("This game isn't rated: {reason}.")
}

/// Tells a player who uses assistance that the game is no longer rated.
#[must_use]
pub fn assistance_notice(assistance: Assistance) -> String {
    unrated_notice(UnratedReason::Assisted(assistance), true)
}

/// Tells a player that the game won't be rated, before it happens.
///
/// ```
/// use noughts_rules::UnratedReason;
/// use noughts_text::unrated_warning;
/// assert_eq!(
///     unrated_warning(UnratedReason::ChangedHands),
///     "This game won't be rated if another player takes over a side."
/// );
/// ```
#[must_use]
pub fn unrated_warning(reason: UnratedReason) -> String {
    let condition = match reason {
        UnratedReason::ChangedHands => "another player takes over a side",
        UnratedReason::Assisted(Assistance::Hint) => "you use a hint",
        UnratedReason::Assisted(Assistance::Takeback) => "you take back a move",
        UnratedReason::Assisted(Assistance::Analysis) => "you use analysis",
        UnratedReason::Assisted(Assistance::Position) => {
            return "The new game won't be rated: it starts from a custom position.".to_owned();
        }
    };
    format!("This game won't be rated if {condition}.")
}

/// The question before assistance that ends the rating of a game: a title, a button that goes ahead, and one that
/// doesn't.
#[must_use]
pub fn assistance_question(assistance: Assistance) -> [&'static str; 3] {
    let [title, confirm] = match assistance {
        Assistance::Hint => ["Get a hint?", "Get a hint"],
        Assistance::Takeback => ["Take back a move?", "Take it back"],
        Assistance::Analysis => ["Show the analysis?", "Show the analysis"],
        Assistance::Position => ["Play from here?", "Play from here"],
    };
    [title, confirm, "Keep the game rated"]
}
