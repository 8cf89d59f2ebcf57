//! `noughts arena report`: a tournament's results as text, HTML, CSV or game records.

use std::fs::Metadata;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;
use noughts_arena::report;
use noughts_arena::statistics::Results;
use noughts_arena::{Plan, PlayedGame, Standings};
use noughts_store::{StoredTournament, Timestamp, TournamentId};
use serde_json::{Value, json};

use super::events;
use crate::data::DataArgs;
use crate::error::CliError;
use crate::output;
use crate::store_handle::StoreHandle;
use crate::tournaments::load_tournament;

/// Show a tournament's results, or write them to files
///
/// This also works while the tournament is running.
#[derive(Args)]
#[command(after_help = "Example: noughts arena report 3 --html report.html")]
pub(super) struct ReportArgs {
    /// Tournament number, as listed by `noughts arena list` [default: the newest]
    #[arg(value_name = "TOURNAMENT")]
    number: Option<i64>,

    /// Write a self-contained web page with plots and a replay of every game
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Write a CSV table with one line per game
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Write all games as records
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,

    /// Print the result as one line of JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    data: DataArgs,
}

impl ReportArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let handle = StoreHandle::open_read_only(&self.data.dir()?)?;
        let tournament = self.find(&handle)?;
        let (plan, games) = load_tournament(&handle, tournament.id)?;
        let standings = Standings::new(&plan, &Results::from_games(&plan, &games));
        self.files(&tournament, &plan, &games)?;
        if self.json {
            return output::print_json(&json!({
                "tournament": tournament.id.0, "games": games.len(), "planned": plan.game_count(), "plan": plan,
                "conclusion": standings.conclusion(), "standings": standings, "played": played(&plan, &games),
            }));
        }
        let is_file_output = self.html.is_some() || self.csv.is_some() || self.records.is_some();
        if !is_file_output {
            output::print(&standings.text())?;
            output::note(&standings.conclusion());
        }
        Ok(())
    }

    fn find(&self, handle: &StoreHandle) -> Result<StoredTournament, CliError> {
        let tournament = match self.number {
            Some(number) => handle.block_on(handle.store().tournament(TournamentId(number)))?,
            None => {
                let tournaments = handle.block_on(handle.store().tournaments())?;
                tournaments
                    .into_iter()
                    .max_by_key(|tournament| tournament.id.0)
            }
        };
        tournament.ok_or_else(|| {
            CliError::Failure(match self.number {
                Some(number) => format!(
                    "tournament {number} doesn't exist; `noughts arena list` lists all tournaments"
                ),
                None => "no saved tournaments; start one with `noughts arena match`".into(),
            })
        })
    }

    fn files(
        &self,
        tournament: &StoredTournament,
        plan: &Plan,
        games: &[PlayedGame],
    ) -> Result<(), CliError> {
        let subtitle = format!(
            "tournament {}, started {}",
            tournament.id.0,
            tournament.started.to_local_string()
        );
        if let Some(path) = &self.html {
            let title = match &plan.bots[..] {
                [first, other] => format!("{} – {}", first.name, other.name),
                _ => format!("Tournament {}", tournament.id.0),
            };
            let page = report::render_html(&report::TournamentReport {
                title: &title,
                created: Some(&subtitle),
                plan,
                games,
            });
            write(path, &page)?;
        }
        if let Some(path) = &self.csv {
            write(path, &report::render_csv(plan, games))?;
        }
        if let Some(path) = &self.records {
            let day = day(tournament);
            write(path, &report::render_records(plan, games, |_| day.clone()))?;
        }
        Ok(())
    }
}

/// The date of all games, if they were played on the same day.
fn day(tournament: &StoredTournament) -> Option<String> {
    let first = tournament.started.to_record_date();
    let last = tournament.ended.unwrap_or_else(Timestamp::now);
    let last = last.to_record_date();
    (first == last).then_some(first)
}

/// A summary of each game, in the order of the plan.
fn played(plan: &Plan, games: &[PlayedGame]) -> Vec<Value> {
    let mut games: Vec<&PlayedGame> = games.iter().collect();
    games.sort_by_key(|game| game.key);
    let summary = |game: &&PlayedGame| {
        let mut summary = events::game(plan, &game.key);
        summary["number"] = plan.game_number(&game.key).into();
        summary["result"] = game.outcome.as_str().into();
        summary["reason"] = game.reason.name().into();
        summary["note"] = game.note.clone().into();
        summary["plies"] = game.state.ply().into();
        summary
    };
    games.iter().map(summary).collect()
}

/// Writes a temporary file and renames it, so that a full disk leaves an existing file as it was.
fn write(path: &Path, text: &str) -> Result<(), CliError> {
    let failed =
        |error: io::Error| CliError::Failure(format!("can't write {}: {error}", path.display()));
    match path.symlink_metadata() {
        // Pipes, terminals and symbolic links are written to directly.
        Ok(existing) if !existing.is_file() => std::fs::write(path, text).map_err(failed)?,
        existing => replace(path, text, existing.ok()).map_err(failed)?,
    }
    output::note(&format!("wrote {}", path.display()));
    Ok(())
}

fn replace(path: &Path, text: &str, existing: Option<Metadata>) -> io::Result<()> {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let builder = &mut tempfile::Builder::new();
    // Temporary files are private; a report has the permissions of any new file.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder.unwrap_or(Path::new(".")))?;
    if let Some(existing) = existing {
        file.as_file().set_permissions(existing.permissions())?;
    }
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A report must not delete or be stopped by another program's file.
    #[test]
    fn a_file_is_replaced_completely_or_not_at_all() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("report.html");
        let text = |path: &Path| std::fs::read_to_string(path).expect("a file");
        let other = dir
            .path()
            .join(format!("report.html.{}.new", std::process::id()));
        std::fs::write(&other, "somebody else's").expect("written");
        for content in ["old", "new"] {
            write(&path, content).expect("written");
            assert_eq!(text(&path), content);
        }
        assert_eq!(text(&other), "somebody else's");
        assert!(write(&dir.path().join("none/report.html"), "newer").is_err());
        assert_eq!(std::fs::read_dir(dir.path()).expect("a folder").count(), 2);
    }

    #[cfg(unix)]
    #[test]
    fn permissions_are_kept() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().expect("a folder");
        let [path, plain] = ["report.html", "plain"].map(|name| dir.path().join(name));
        let mode = |path: &Path| path.metadata().expect("a file").permissions().mode();
        std::fs::write(&plain, "").expect("written");
        write(&path, "new").expect("written");
        assert_eq!(mode(&path), mode(&plain));
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).expect("changed");
        write(&path, "newer").expect("written");
        assert_eq!(mode(&path) & 0o777, 0o640);
    }
}
