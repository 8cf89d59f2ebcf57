//! What happens next on a board.

use noughts_rules::AnyGameState;

use crate::GameOver;

/// The side to move and what it may do; once the game is over, the result and its reason.
///
/// ```
/// use noughts_rules::{AnyGameState, Variant};
/// use noughts_text::prompt;
/// let mut state = AnyGameState::new(Variant::ULTIMATE);
/// state.play("ec")?;
/// assert_eq!(prompt(&state), "O to move: play in board c");
/// let over = AnyGameState::from_text(Variant::MISERE, "xxx/oo./... o")?;
/// assert_eq!(prompt(&over), "O wins: X made three in a row");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn prompt(state: &AnyGameState) -> String {
    prompt_for(state, &format!("{side} to move", side = state.side()))
}

/// The same with another way to name the player to move, such as `Ada (X)`.
#[must_use]
pub fn prompt_for(state: &AnyGameState, player: &str) -> String {
    match GameOver::of_state(state) {
        Some(over) => format!("{}: {}", over.result(), over.reason()),
        None => format!("{player}: {instruction}", instruction = state.instruction()),
    }
}
