//! `noughts games`: the games that are kept. How each is listed, shown and exchanged
//! lives in `games/`.

mod delete;
mod exchange;
mod list;
mod show;

use clap::{Args, Subcommand};
use noughts_store::{GameId, Seat, StoreError};
use serde::Serialize;

use crate::error::Error;

/// List, show, replay, export, import or delete games
#[derive(Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Example: noughts games --player Ada --result win"
)]
pub(crate) struct Games {
    #[command(subcommand)]
    action: Option<Action>,

    #[command(flatten)]
    list: list::List,
}

#[derive(Subcommand)]
enum Action {
    List(list::List),
    Show(show::Show),
    Replay(show::Replay),
    Export(exchange::Export),
    Import(exchange::Import),
    Delete(delete::Delete),
}

impl Games {
    pub(crate) fn run(&self) -> Result<(), Error> {
        match &self.action {
            None => self.list.run(),
            Some(Action::List(list)) => list.run(),
            Some(Action::Show(show)) => show.run(),
            Some(Action::Replay(replay)) => replay.run(),
            Some(Action::Export(export)) => export.run(),
            Some(Action::Import(import)) => import.run(),
            Some(Action::Delete(delete)) => delete.run(),
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

fn game_number(text: &str) -> Result<GameId, String> {
    match text.parse() {
        Ok(number) if number > 0 => Ok(GameId(number)),
        _ => Err("a game's number is a whole number from 1 on; `noughts games` lists them".into()),
    }
}

fn no_such_game(game: GameId) -> Error {
    Error::Failure(StoreError::NoSuchGame(game).to_string())
}
