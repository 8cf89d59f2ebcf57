//! `noughts games`: the stored games. The subcommands are in `games/`.

mod delete;
mod exchange;
mod list;
mod show;

use clap::{Args, Subcommand};
use noughts_store::{GameId, Seat, StoreError};
use serde::Serialize;

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
    Show(show::ShowGameArgs),
    Replay(show::Replay),
    Export(exchange::ExportArgs),
    Import(exchange::ImportArgs),
    Delete(delete::DeleteGamesArgs),
}

impl GamesArgs {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        match &self.action {
            None => self.list.run(),
            Some(GamesCommand::List(list)) => list.run(),
            Some(GamesCommand::Show(show)) => show.run(),
            Some(GamesCommand::Replay(replay)) => replay.run(),
            Some(GamesCommand::Export(export)) => export.run(),
            Some(GamesCommand::Import(import)) => import.run(),
            Some(GamesCommand::Delete(delete)) => delete.run(),
        }
    }
}

/// Who plays a side, in JSON.
#[derive(Serialize)]
struct SeatJson {
    /// Null for a guest and for a deleted player.
    name: Option<String>,
    kind: &'static str,
}

impl From<&Seat> for SeatJson {
    fn from(seat: &Seat) -> SeatJson {
        SeatJson {
            name: seat.name().map(Into::into),
            kind: seat.kind(),
        }
    }
}

fn parse_game_id(text: &str) -> Result<GameId, String> {
    match text.parse() {
        Ok(number) if number > 0 => Ok(GameId(number)),
        _ => Err("must be a game number, 1 or higher; `noughts games` lists them".into()),
    }
}

fn no_such_game(game: GameId) -> CliError {
    CliError::Failure(StoreError::NoSuchGame(game).to_string())
}
