//! Names of players and bots, and sentences about them.

use noughts_engine::BotKind;

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

/// How a visitor without a name is called.
pub const GUEST: &str = "Guest";

/// How a player is called who has no name, counted from 1: `Player 1`.
#[must_use]
pub fn numbered_player(number: usize) -> String {
    format!("Player {number}")
}

/// The levels that people choose from, weakest first.
pub const LEVELS: [BotKind; 4] = [BotKind::Easy, BotKind::Medium, BotKind::Hard, BotKind::Best];

/// The heading above the other bots.
pub const OTHER_BOTS: &str = "Bots for experiments";

/// A bot's name for players: levels are words, bots for experiments keep the names of the command line.
///
/// ```
/// use noughts_engine::BotKind;
/// use noughts_text::bot_name;
/// assert_eq!([bot_name(BotKind::Hard), bot_name(BotKind::Mcts)], ["Hard", "mcts"]);
/// ```
#[must_use]
pub fn bot_name(kind: BotKind) -> &'static str {
    match kind {
        BotKind::Easy => "Easy",
        BotKind::Medium => "Medium",
        BotKind::Hard => "Hard",
        BotKind::Best => "Best",
        other => other.name(),
    }
}
