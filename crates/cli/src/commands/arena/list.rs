//! `noughts arena list`: the tournaments that are kept.

use clap::Args;
use noughts_arena::Plan;
use noughts_session::arena::parse_plan;
use noughts_store::{StoredTournament, TournamentState};
use serde_json::{Value, json};

use crate::columns::{Align, align_columns};
use crate::data::DataArgs;
use crate::error::Error;
use crate::output;
use crate::store_handle::StoreHandle;

/// List the tournaments that are kept
#[derive(Args)]
#[command(after_help = "Example: noughts arena list")]
pub(super) struct List {
    /// Print one JSON object on one line.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    data: DataArgs,
}

impl List {
    pub(super) fn run(&self) -> Result<(), Error> {
        let keeper = StoreHandle::open_read_only(&self.data.dir()?)?;
        let all = keeper.block_on(keeper.store().tournaments())?;
        if self.json {
            let all: Vec<Value> = all.iter().map(entry).collect();
            return output::print_json(&json!({"tournaments": all}));
        }
        if all.is_empty() {
            output::note("no tournament is kept; noughts arena match begins one");
        }
        let heads = ["number", "state", "games", "began", "game", "bots"];
        let mut rows = vec![heads.map(String::from).to_vec()];
        rows.extend(all.iter().map(row));
        let aligns = [
            Align::Right,
            Align::Left,
            Align::Right,
            Align::Left,
            Align::Left,
            Align::Left,
        ];
        match all.is_empty() {
            true => Ok(()),
            false => output::print(&align_columns(&aligns, &rows)),
        }
    }
}

fn row(one: &StoredTournament) -> Vec<String> {
    let (games, game, bots) = match parse_plan(&one.plan) {
        Ok(plan) => {
            let bots: Vec<&str> = plan.bots.iter().map(|bot| &*bot.name).collect();
            let games = format!("{} of {}", one.games, plan.game_count());
            (games, plan.variant.clone(), bots.join(", "))
        }
        Err(_) => (
            one.games.to_string(),
            "?".into(),
            "its plan cannot be read".into(),
        ),
    };
    vec![
        one.id.0.to_string(),
        state(one).into(),
        games,
        one.started.to_local_string(),
        game,
        bots,
    ]
}

fn entry(one: &StoredTournament) -> Value {
    let plan = parse_plan(&one.plan).ok();
    json!({
        "tournament": one.id.0, "id": one.uid, "state": state(one), "games": one.games,
        "planned": plan.as_ref().map(Plan::game_count),
        "began": one.started.to_string(), "ended": one.ended.map(|ended| ended.to_string()),
        "plan": plan,
    })
}

/// One that is open is held by a program that plays it, or waits for `resume`.
fn state(one: &StoredTournament) -> &'static str {
    match one.state {
        _ if one.is_running => "running",
        TournamentState::Open => "stopped",
        TournamentState::Complete => "complete",
        TournamentState::Decided => "decided",
    }
}
