//! `noughts games`: the stored games. The subcommands are in `games/`.

mod delete;
mod exchange;
mod list;
mod show;

use clap::{Args, Subcommand};
use noughts_store::GameId;

use crate::error::CliError;

/// List, show, replay, export, import or delete saved games
#[derive(Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Example: noughts games --player Ada --result win"
)]
pub(crate) struct GamesArgs {
    #[command(subcommand)]
    action: Option<GamesCommand>,

    #[command(flatten)]
    list: list::ListGamesArgs,
}

#[derive(Subcommand)]
enum GamesCommand {
    List(list::ListGamesArgs),
    /// Show a game: players, board, moves with times, and how it ended
    #[command(after_help = "Example: noughts games show 12")]
    Show(show::GameArgs),
    /// Replay a game, position by position
    #[command(after_help = "Example: noughts games replay 12")]
    Replay(show::GameArgs),
    Export(exchange::ExportArgs),
    Import(exchange::ImportArgs),
    Delete(delete::DeleteGamesArgs),
}

impl GamesArgs {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        match &self.action {
            None => self.list.run(),
            Some(GamesCommand::List(list)) => list.run(),
            Some(GamesCommand::Show(game)) => game.show(),
            Some(GamesCommand::Replay(game)) => game.replay(),
            Some(GamesCommand::Export(export)) => export.run(),
            Some(GamesCommand::Import(import)) => import.run(),
            Some(GamesCommand::Delete(delete)) => delete.run(),
        }
    }
}

fn parse_game_id(text: &str) -> Result<GameId, String> {
    match text.parse() {
        Ok(number) if number > 0 => Ok(GameId(number)),
        _ => Err("must be a game number, 1 or higher; `noughts games` lists them".into()),
    }
}
