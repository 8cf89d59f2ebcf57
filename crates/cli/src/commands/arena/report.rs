//! `noughts arena report`: a tournament's results, as text, page, table or records.

use std::fs::{File, Metadata};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;
use noughts_arena::report;
use noughts_arena::statistics::Results;
use noughts_arena::{GameKey, Plan, PlayedGame, Standings};
use noughts_rules::Side;
use noughts_session::arena::load_tournament;
use noughts_store::{StoredTournament, Timestamp, TournamentId};
use serde_json::{Value, json};

use crate::data::DataArgs;
use crate::error::Error;
use crate::output;
use crate::store_handle::StoreHandle;

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
    data: DataArgs,
}

impl Report {
    pub(super) fn run(&self) -> Result<(), Error> {
        let keeper = StoreHandle::open_read_only(&self.data.dir()?)?;
        let found = self.find(&keeper)?;
        let (plan, games) = keeper.block_on(load_tournament(keeper.store(), found.id))?;
        let standings = Standings::new(&plan, &Results::from_games(&plan, &games));
        self.files(&found, &plan, &games)?;
        if self.json {
            return output::print_json(&json!({
                "tournament": found.id.0, "games": games.len(), "planned": plan.game_count(), "plan": plan,
                "verdict": standings.conclusion(), "standings": standings, "played": played(&plan, &games),
            }));
        }
        let quiet = self.html.is_some() || self.csv.is_some() || self.records.is_some();
        match quiet {
            true => Ok(()),
            false => {
                output::print(&standings.text())?;
                output::note(&standings.conclusion());
                Ok(())
            }
        }
    }

    fn find(&self, keeper: &StoreHandle) -> Result<StoredTournament, Error> {
        let found = match self.number {
            Some(number) => keeper.block_on(keeper.store().tournament(TournamentId(number)))?,
            None => {
                let all = keeper.block_on(keeper.store().tournaments())?;
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

    fn files(
        &self,
        found: &StoredTournament,
        plan: &Plan,
        games: &[PlayedGame],
    ) -> Result<(), Error> {
        let began = format!(
            "tournament {}, began {}",
            found.id.0,
            found.started.to_local_string()
        );
        if let Some(path) = &self.html {
            let title = match &plan.bots[..] {
                [one, other] => format!("{} – {}", one.name, other.name),
                _ => format!("Tournament {}", found.id.0),
            };
            let page = report::render_html(&report::Report {
                title: &title,
                created: Some(&began),
                plan,
                games,
            });
            write(path, &page)?;
        }
        if let Some(path) = &self.csv {
            write(path, &report::render_csv(plan, games))?;
        }
        if let Some(path) = &self.records {
            let day = day(found);
            write(path, &report::render_records(plan, games, |_| day.clone()))?;
        }
        Ok(())
    }
}

/// The day on which all games were played, if it was one.
fn day(found: &StoredTournament) -> Option<String> {
    let first = found.started.to_record_date();
    let last = found.ended.unwrap_or_else(Timestamp::now).to_record_date();
    (first == last).then_some(first)
}

/// Each game in short, in the order of the plan.
fn played(plan: &Plan, games: &[PlayedGame]) -> Vec<Value> {
    let name = |key: &GameKey, side| {
        let bot = plan.bots.get(key.bot(side) as usize);
        bot.map(|bot| bot.name.clone())
    };
    let mut games: Vec<&PlayedGame> = games.iter().collect();
    games.sort_by_key(|game| game.key);
    let game = |game: &&PlayedGame| {
        json!({
            "number": plan.game_number(&game.key), "round": game.key.round + 1, "swapped": game.key.swapped,
            "x": name(&game.key, Side::X), "o": name(&game.key, Side::O),
            "result": game.outcome.as_str(), "reason": game.reason.name(), "note": game.note,
            "plies": game.state.ply(),
        })
    };
    games.iter().map(game).collect()
}

/// Writes a file beside the one that is there and puts it in its place: a full disk leaves
/// the old one as it was.
fn write(path: &Path, text: &str) -> Result<(), Error> {
    let failed =
        |error: io::Error| Error::Failure(format!("cannot write {}: {error}", path.display()));
    match path.symlink_metadata() {
        // A pipe, a terminal, or what a link points at is written to as it is.
        Ok(there) if !there.is_file() => std::fs::write(path, text).map_err(failed)?,
        there => replace(path, text, there.ok()).map_err(failed)?,
    }
    output::note(&format!("wrote {}", path.display()));
    Ok(())
}

fn replace(path: &Path, text: &str, there: Option<Metadata>) -> io::Result<()> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let mut beside = name.to_owned();
    beside.push(format!(".{}.new", std::process::id()));
    let beside = path.with_file_name(beside);
    let written = (|| {
        let mut file = File::create_new(&beside)?;
        if let Some(there) = there {
            file.set_permissions(there.permissions())?;
        }
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        std::fs::rename(&beside, path)
    })();
    if written.is_err() {
        // The one that could not be finished; another program's file is not here.
        let _ = std::fs::remove_file(&beside);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_or_not_at_all() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("report.html");
        write(&path, "old").expect("written");
        write(&path, "new").expect("written again");
        let text = |path: &Path| std::fs::read_to_string(path).expect("a file");
        assert_eq!(text(&path), "new");
        // What is in the way of the new file keeps the old one whole.
        let beside = dir
            .path()
            .join(format!("report.html.{}.new", std::process::id()));
        std::fs::create_dir(&beside).expect("a folder");
        assert!(write(&path, "newer").is_err());
        assert_eq!(text(&path), "new");
        std::fs::remove_dir(&beside).expect("removed");
        assert_eq!(std::fs::read_dir(dir.path()).expect("a folder").count(), 1);
    }
}
