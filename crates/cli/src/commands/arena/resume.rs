//! `noughts arena resume`: goes on with a tournament, perhaps with more to play.

use std::path::PathBuf;

use clap::Args;
use noughts_arena::extends;
use noughts_session::arena::{KeptTournament, read_plan};
use noughts_store::{TournamentId, TournamentState};

use super::run::{Venue, schedule};
use super::terms::{self, bots_file, specs};
use crate::error::Error;
use crate::keeper::Keeper;

/// Go on with a tournament that was stopped or killed, or extend one
///
/// Games that have ended are kept, those that were being played are played again, with the
/// same openings, sides and seeds.
#[derive(Args)]
#[command(after_help = "Example: noughts arena resume 3 --games 200")]
pub(super) struct Resume {
    /// Its number, as `noughts arena list` has it [default: the newest that is not finished].
    #[arg(value_name = "TOURNAMENT")]
    number: Option<i64>,

    /// So many games in all between each two that meet.
    #[arg(long, value_name = "N", value_parser = terms::games, allow_negative_numbers = true)]
    games: Option<u32>,

    /// One more bot; may be given several times.
    #[arg(long = "add", value_name = "BOT")]
    add: Vec<String>,

    /// How many games at once.
    #[arg(long, value_name = "N", value_parser = terms::at_once, allow_negative_numbers = true)]
    concurrency: Option<usize>,

    /// A file of bots [default: bots.toml here, if there is one].
    #[arg(long = "bots", value_name = "FILE")]
    file: Option<PathBuf>,

    #[command(flatten)]
    venue: Venue,
}

impl Resume {
    pub(super) fn run(&self) -> Result<(), Error> {
        let keeper = self.venue.keeper()?;
        let id = match self.number {
            Some(number) => TournamentId(number),
            // What is added cannot be taken away: it must be clear to what.
            None if self.games.is_some() || !self.add.is_empty() => {
                return Err(Error::Argument(
                    "which tournament is to be extended? Name its number, as `noughts arena list` has it".into(),
                ));
            }
            None => newest(&keeper)?,
        };
        let (mut kept, mut plan, games) =
            KeptTournament::resume(keeper.handle(), keeper.store(), id)?;
        let before = plan.clone();
        if let Some(games) = self.games {
            plan.rounds = games / 2;
        }
        // A file that is not asked for anything may be broken.
        if !self.add.is_empty() {
            let file = bots_file(self.file.as_deref())?;
            plan.bots.extend(specs(&self.add, &file)?);
        }
        if self.concurrency.is_some() {
            plan.concurrency = self.concurrency;
        }
        extends(&before, &plan).map_err(|error| Error::Argument(error.to_string()))?;
        let schedule = schedule(&plan)?;
        self.venue.go_on(&keeper, &mut kept, &schedule, games)
    }
}

/// The newest tournament that is not finished.
fn newest(keeper: &Keeper) -> Result<TournamentId, Error> {
    let all = keeper.wait(keeper.store().tournaments())?;
    let open = all
        .iter()
        .filter(|one| one.state == TournamentState::Open && read_plan(&one.plan).is_ok())
        .max_by_key(|one| one.id.0);
    let nothing = "every tournament is finished; name one to extend it (noughts arena list)";
    open.map(|one| one.id)
        .ok_or_else(|| Error::Failure(nothing.into()))
}
