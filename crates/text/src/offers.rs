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

/// A player declines a draw. Bots have a reason.
///
/// ```
/// use noughts_text::{DrawRefusal, draw_declined};
/// assert_eq!(
///     draw_declined("Medium", DrawRefusal::TooEarly),
///     "Medium declines the draw: it's too early in the game."
/// );
/// assert_eq!(draw_declined("Ada", None), "Ada declines the draw.");
/// ```
#[must_use]
pub fn draw_declined(player: &str, refusal: impl Into<Option<DrawRefusal>>) -> String {
    let reason = match refusal.into() {
        None => "",
        Some(DrawRefusal::TooEarly) => ": it's too early in the game",
        Some(DrawRefusal::Better) => ": it has the better position",
        Some(DrawRefusal::Unknown) => ": it can't judge the position",
    };
    format!("{player} declines the draw{reason}.")
}

/// A bot is thinking about a draw offer.
#[must_use]
pub fn draw_considered(bot: &str) -> String {
    format!("{bot} is considering your draw offer.")
}
