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

/// A bot didn't choose a move, although it should have.
#[must_use]
pub fn no_move_found(bot: &str) -> String {
    format!("{bot} didn't find a move")
}

/// Does a bot play a game perfectly? In a word, and as a sentence.
#[must_use]
pub fn perfection(is_perfect: bool) -> (&'static str, &'static str) {
    match is_perfect {
        true => (
            "perfect",
            "It plays perfectly here: every move it makes is proved to be best.",
        ),
        false => ("not perfect", "It doesn't play perfectly here."),
    }
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
