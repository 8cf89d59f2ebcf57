//! Draw offers to bots.

/// Why a bot declines a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DrawRefusal {
    /// The game has only started.
    TooEarly,
    /// The bot has a better position.
    Better,
    /// The position couldn't be evaluated.
    Unknown,
}

/// A bot declines a draw.
///
/// ```
/// use noughts_text::{DrawRefusal, draw_declined};
/// assert_eq!(
///     draw_declined("Medium", DrawRefusal::TooEarly),
///     "Medium declines the draw: it's too early in the game."
/// );
/// ```
#[must_use]
pub fn draw_declined(bot: &str, refusal: DrawRefusal) -> String {
    let reason = match refusal {
        DrawRefusal::TooEarly => "it's too early in the game",
        DrawRefusal::Better => "it has the better position",
        DrawRefusal::Unknown => "it can't judge the position",
    };
    format!("{bot} declines the draw: {reason}.")
}

/// A bot is thinking about a draw offer.
#[must_use]
pub fn draw_considered(bot: &str) -> String {
    format!("{bot} is considering your draw offer.")
}
