//! `noughts arena report`: a tournament's results, as text, page, table or records.

use std::path::{Path, PathBuf};

use clap::Args;
use noughts_arena::report;
use noughts_arena::statistics::Results;
use noughts_arena::{Plan, Played, Standings};
use noughts_session::arena::load;
use noughts_store::{StoredTournament, TournamentId};
use serde_json::json;

use crate::data::Data;
use crate::error::Error;
use crate::keeper::Keeper;
use crate::output;

/// Show a tournament's results, or write them to files
///
/// Also while it is being played.
#[derive(Args)]
#[command(after_help = "Example: noughts arena report 3 --html report.html")]
pub(super) struct Report {
    /// Its number, as `noughts arena list` has it [default: the newest].
    #[arg(value_name = "TOURNAMENT")]
    number: Option<i64>,

    /// Write a page with plots and all games to be replayed, which needs nothing else.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Write a table with a line for each game.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Write all games as records.
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,

    /// Print one JSON object on one line.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    data: Data,
}

impl Report {
    pub(super) fn run(&self) -> Result<(), Error> {
        let keeper = Keeper::open(&self.data.dir()?)?;
        let found = self.find(&keeper)?;
        let (plan, games) = keeper.wait(load(keeper.store(), found.id))?;
        let standings = Standings::new(&plan, &Results::of(&plan, &games));
        self.files(&found, &plan, &games)?;
        if self.json {
            return output::print_json(&json!({
                "tournament": found.id.0, "games": games.len(), "plan": plan, "standings": standings,
            }));
        }
        let quiet = self.html.is_some() || self.csv.is_some() || self.records.is_some();
        match quiet {
            true => Ok(()),
            false => output::print(&standings.text()),
        }
    }

    fn find(&self, keeper: &Keeper) -> Result<StoredTournament, Error> {
        let found = match self.number {
            Some(number) => keeper.wait(keeper.store().tournament(TournamentId(number)))?,
            None => {
                let all = keeper.wait(keeper.store().tournaments())?;
                all.into_iter().max_by_key(|one| one.id.0)
            }
        };
        found.ok_or_else(|| {
            Error::Failure(match self.number {
                Some(number) => format!(
                    "there is no tournament {number}; noughts arena list has those that are kept"
                ),
                None => "no tournament is kept; noughts arena match begins one".into(),
            })
        })
    }

    fn files(&self, found: &StoredTournament, plan: &Plan, games: &[Played]) -> Result<(), Error> {
        let began = found.began.to_string();
        if let Some(path) = &self.html {
            let title = format!("Tournament {}", found.id.0);
            let page = report::html(&report::Report {
                title: &title,
                made: Some(&began),
                plan,
                games,
            });
            write(path, &page)?;
        }
        if let Some(path) = &self.csv {
            write(path, &report::csv(plan, games))?;
        }
        if let Some(path) = &self.records {
            write(path, &report::records(plan, games))?;
        }
        Ok(())
    }
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    std::fs::write(path, text)
        .map_err(|error| Error::Failure(format!("cannot write {}: {error}", path.display())))?;
    output::note(&format!("wrote {}", path.display()));
    Ok(())
}
