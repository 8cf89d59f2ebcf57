//! `noughts games delete`: deletes games permanently.

use clap::Args;
use noughts_store::{GameFilter, GameId, GameSummary, StoreError};
use serde_json::json;

use super::list::games_table;
use super::parse_game_id;
use crate::data::StoreArgs;
use crate::error::CliError;
use crate::output;
use crate::store_handle::StoreHandle;

/// Delete games permanently, after confirmation
///
/// Deleted games no longer count in players' records. A running server drops them within a second
/// or two, even while they are being played there. Games that are open in a terminal aren't deleted.
#[derive(Args)]
#[command(after_help = "Example: noughts games delete 12 15")]
pub(crate) struct DeleteGamesArgs {
    /// Game numbers, as listed by `noughts games`
    #[arg(value_name = "NUMBER", value_parser = parse_game_id, required = true)]
    games: Vec<GameId>,

    /// Don't ask for confirmation
    #[arg(long)]
    yes: bool,

    #[command(flatten)]
    store: StoreArgs,
}

impl DeleteGamesArgs {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let handle = self.store.open()?;
        let games = self.find_games(&handle)?;
        let count = noughts_text::plural(games.len(), "game");
        if !self.yes {
            let what = format!("deleting {count}");
            let question = format!("{}Delete {count} permanently?", games_table(&games));
            if !output::confirm(&what, "this can't be undone", &question)? {
                output::note("nothing was deleted");
                return Ok(());
            }
        }
        for game in &games {
            handle.query(|store| store.delete_game(game.id))?;
        }
        if self.store.json {
            let ids: Vec<i64> = games.iter().map(|game| game.id.0).collect();
            return output::print_json(&json!({"deleted": ids}));
        }
        output::print(&format!("{count} deleted\n"))
    }

    /// The games, without duplicates; an error if one doesn't exist.
    fn find_games(&self, handle: &StoreHandle) -> Result<Vec<GameSummary>, CliError> {
        let filter = GameFilter {
            games: Some(self.games.clone()),
            ..GameFilter::default()
        };
        let found = handle.query(|store| store.games(&filter))?;
        let is_found = |id: &GameId| found.iter().any(|game| game.id == *id);
        match self.games.iter().find(|id| !is_found(id)) {
            Some(missing) => Err(StoreError::NoSuchGame(*missing).into()),
            None => Ok(found),
        }
    }
}
