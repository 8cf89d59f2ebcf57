//! Sentences about players.

/// The same player was given for both sides.
///
/// ```
/// assert_eq!(
///     noughts_text::same_player("Ada"),
///     "Ada can't play both sides; give the other player a different name"
/// );
/// ```
#[must_use]
pub fn same_player(name: &str) -> String {
    format!("{name} can't play both sides; give the other player a different name")
}
