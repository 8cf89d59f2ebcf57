//! `noughts arena list`: the stored tournaments.

use clap::Args;
use noughts_arena::Plan;
use noughts_store::{Store, StoredTournament, TournamentState};
use serde_json::{Value, json};

use crate::columns::table;
use crate::data::StoreArgs;
use crate::error::CliError;
use crate::output;
use crate::tournaments::parse_plan;

/// List saved tournaments
#[derive(Args)]
#[command(after_help = "Example: noughts arena list")]
pub(super) struct ListTournamentsArgs {
    #[command(flatten)]
    store: StoreArgs,
}

impl ListTournamentsArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let handle = self.store.open_read_only()?;
        let tournaments = handle.query(Store::tournaments)?;
        if self.store.json {
            let tournaments: Vec<Value> = tournaments.iter().map(entry).collect();
            return output::print_json(&json!({"tournaments": tournaments}));
        }
        if tournaments.is_empty() {
            output::note("no saved tournaments; start one with `noughts arena match`");
            return Ok(());
        }
        let headings = [">number", "state", ">games", "started", "variant", "bots"];
        output::print(&table(headings, tournaments.iter().map(row)))
    }
}

fn row(tournament: &StoredTournament) -> [String; 6] {
    let (games, game, bots) = match parse_plan(&tournament.plan) {
        Ok(plan) => {
            let bots: Vec<&str> = plan.bots.iter().map(|bot| &*bot.name).collect();
            let games = format!("{} of {}", tournament.games, plan.game_count());
            (games, plan.variant.clone(), bots.join(", "))
        }
        Err(_) => (
            tournament.games.to_string(),
            "?".into(),
            "unreadable plan".into(),
        ),
    };
    [
        tournament.id.0.to_string(),
        state(tournament).into(),
        games,
        tournament.started.to_local_string(),
        game,
        bots,
    ]
}

fn entry(tournament: &StoredTournament) -> Value {
    let plan = parse_plan(&tournament.plan).ok();
    json!({
        "tournament": tournament.id.0, "id": tournament.uid, "state": state(tournament), "games": tournament.games,
        "planned": plan.as_ref().map(Plan::game_count),
        "started": tournament.started.to_string(), "ended": tournament.ended.map(|ended| ended.to_string()),
        "plan": plan,
    })
}

/// An open tournament is either being played by a running program or waiting for `resume`.
fn state(tournament: &StoredTournament) -> &'static str {
    match tournament.state {
        _ if tournament.is_running => "running",
        TournamentState::Open => "stopped",
        TournamentState::Complete => "complete",
        TournamentState::Decided => "decided",
    }
}
