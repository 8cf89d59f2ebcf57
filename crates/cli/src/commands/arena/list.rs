//! `noughts arena list`: the tournaments that are kept.

use clap::Args;
use noughts_arena::Plan;
use noughts_session::arena::read_plan;
use noughts_store::{StoredTournament, TournamentState};
use serde_json::{Value, json};

use crate::columns::{Align, columns};
use crate::data::Data;
use crate::error::Error;
use crate::keeper::Keeper;
use crate::output;

/// List the tournaments that are kept
#[derive(Args)]
#[command(after_help = "Example: noughts arena list")]
pub(super) struct List {
    /// Print one JSON object on one line.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    data: Data,
}

impl List {
    pub(super) fn run(&self) -> Result<(), Error> {
        let keeper = Keeper::open_to_read(&self.data.dir()?)?;
        let all = keeper.wait(keeper.store().tournaments())?;
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
            false => output::print(&columns(&aligns, &rows)),
        }
    }
}

fn row(one: &StoredTournament) -> Vec<String> {
    let (games, game, bots) = match read_plan(&one.plan) {
        Ok(plan) => {
            let bots: Vec<&str> = plan.bots.iter().map(|bot| &*bot.name).collect();
            let games = format!("{} of {}", one.games, plan.games());
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
        one.began.local(),
        game,
        bots,
    ]
}

fn entry(one: &StoredTournament) -> Value {
    let plan = read_plan(&one.plan).ok();
    json!({
        "tournament": one.id.0, "id": one.uid, "state": state(one), "games": one.games,
        "planned": plan.as_ref().map(Plan::games),
        "began": one.began.to_string(), "ended": one.ended.map(|ended| ended.to_string()),
        "plan": plan,
    })
}

/// One that is open is held by a program that plays it, or waits for `resume`.
fn state(one: &StoredTournament) -> &'static str {
    match one.state {
        _ if one.running => "running",
        TournamentState::Open => "stopped",
        TournamentState::Complete => "complete",
        TournamentState::Decided => "decided",
    }
}
