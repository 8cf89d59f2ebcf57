//! Reports of a tournament: a self-contained HTML page, CSV, and game records.

mod changes;
mod data;
mod games_csv;
mod page;
mod plots;
mod records;
mod times;

#[cfg(test)]
pub(crate) mod tests;

pub use games_csv::render_csv;
pub use page::render_html;
pub use records::render_records;

use crate::plan::Plan;
use crate::played_game::PlayedGame;

/// What a report is about.
#[derive(Clone, Copy, Debug)]
pub struct TournamentReport<'a> {
    /// The heading.
    pub title: &'a str,
    /// When it was created, as text.
    pub created: Option<&'a str>,
    /// The plan.
    pub plan: &'a Plan,
    /// The games played so far.
    pub games: &'a [PlayedGame],
}

/// Sorts games into the order of the plan.
fn in_plan_order(games: &[PlayedGame]) -> Vec<&PlayedGame> {
    let mut games: Vec<&PlayedGame> = games.iter().collect();
    games.sort_by_key(|game| game.key);
    games
}

/// A bot's name by its index in the plan.
fn bot_name(plan: &Plan, bot: u32) -> &str {
    plan.bots.get(bot as usize).map_or("?", |bot| &bot.name)
}

/// `1.1` and `1.2`: the round and the game of the pair.
fn round_text(game: &PlayedGame) -> String {
    format!(
        "{}.{}",
        game.key.round.saturating_add(1),
        1 + u8::from(game.key.swapped)
    )
}
