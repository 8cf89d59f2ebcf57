//! `noughts arena report`: a tournament's results as text, HTML, CSV or game records.

use std::path::{Path, PathBuf};

use clap::Args;
use noughts_arena::report;
use noughts_arena::statistics::Results;
use noughts_arena::{Plan, PlayedGame, Standings};
use noughts_store::{Store, StoreError, StoredTournament, Timestamp, TournamentId};
use serde_json::{Value, json};

use super::events;
use crate::data::StoreArgs;
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

    #[command(flatten)]
    store: StoreArgs,
}

impl ReportArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let handle = self.store.open_read_only()?;
        let tournament = self.find(&handle)?;
        let (plan, games) = load_tournament(&handle, tournament.id)?;
        let standings = Standings::new(&plan, &Results::from_games(&plan, &games));
        self.files(&tournament, &plan, &games)?;
        if self.store.json {
            return output::print_json(&json!({
                "tournament": tournament.id.0, "games": games.len(), "planned": plan.game_count(), "plan": plan,
                "conclusion": standings.conclusion(), "standings": standings, "played": played(&plan, &games),
            }));
        }
        if self.html.is_none() && self.csv.is_none() && self.records.is_none() {
            output::print(&standings.text())?;
            output::note(&standings.conclusion());
        }
        Ok(())
    }

    fn find(&self, handle: &StoreHandle) -> Result<StoredTournament, CliError> {
        if let Some(id) = self.number.map(TournamentId) {
            let found = handle.query(|store| store.tournament(id))?;
            return found.ok_or_else(|| StoreError::NoSuchTournament(id).into());
        }
        let newest = handle.query(Store::tournaments)?.into_iter().next();
        let none = "no saved tournaments; start one with `noughts arena match`";
        newest.ok_or_else(|| CliError::Failure(none.into()))
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
            let page = page.map_err(|error| CliError::Failure(error.to_string()))?;
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

fn write(path: &Path, text: &str) -> Result<(), CliError> {
    output::write_file(path, true, |write_part| write_part(text))?;
    output::note(&format!("wrote {}", path.display()));
    Ok(())
}
