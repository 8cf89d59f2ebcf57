//! `noughts best`: a bot's move.

use clap::Args;
use noughts_engine::{AnyBot, BotKind, SearchReport, StopFlag, Value};
use serde::Serialize;

use crate::error::Error;
use crate::output;
use crate::position::PositionArgs;
use crate::thinking::{self, ResourceArgs, SearchLimitArgs};

/// Print the move that a bot would make
///
/// Without a limit it takes its usual time. The same seed and number of nodes
/// give the same move on one thread.
#[derive(Args)]
#[command(after_help = "Example: noughts best ultimate --moves \"ee eb\" --time 500")]
pub(crate) struct Best {
    #[command(flatten)]
    position: PositionArgs,

    /// Which bot; `noughts bots` lists them.
    #[arg(long, value_name = "BOT", value_parser = thinking::bot, default_value = "best")]
    bot: BotKind,

    #[command(flatten)]
    spending: SearchLimitArgs,

    /// Where its random choices come from.
    #[arg(long, value_name = "SEED", value_parser = thinking::seed, default_value = "0", allow_negative_numbers = true)]
    seed: u64,

    #[command(flatten)]
    resources: ResourceArgs,

    /// Print one JSON object on one line.
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Found {
    #[serde(rename = "move")]
    mv: String,
    exact: bool,
    value: Worth,
    plies: Option<u32>,
    nodes: u64,
    time_ms: u64,
    line: Vec<String>,
}

/// A word is proved, a number estimated.
#[derive(Serialize)]
#[serde(untagged)]
enum Worth {
    Proved(&'static str),
    Estimated(f64),
}

impl Best {
    pub(crate) fn run(&self) -> Result<(), Error> {
        let play = self.position.game_state()?;
        if let Some(outcome) = play.outcome() {
            return Err(Error::Argument(format!("the game is over: {outcome}")));
        }
        let settings = self.resources.settings(play.variant(), self.seed);
        let mut bot = AnyBot::new(self.bot, play.variant(), &settings)
            .map_err(|reason| Error::argument("--bot", reason))?;
        let limits = self.spending.limits(self.bot);
        let report = bot.think(&play, limits, &StopFlag::new(), &mut |_| {});
        if let Some(note) = &report.note {
            output::note(note);
        }
        let Some(mv) = report.best.clone() else {
            return Err(Error::Failure(format!("{} found no move", self.bot)));
        };
        if self.json {
            return output::print_json(&Found::of(mv, report));
        }
        output::print(&format!("{mv}\n"))
    }
}

impl Found {
    fn of(mv: String, report: SearchReport<String>) -> Found {
        let exact = report.value.exact();
        Found {
            mv,
            exact: exact.is_some(),
            value: match report.value {
                Value::Exact(exact) => Worth::Proved(exact.game_value().as_str()),
                Value::Estimate { mean, .. } => Worth::Estimated(rounded(mean)),
            },
            plies: exact.and_then(noughts_engine::ExactValue::plies),
            nodes: report.nodes,
            time_ms: report.elapsed.as_millis().try_into().unwrap_or(u64::MAX),
            line: report.pv,
        }
    }
}

/// Further digits are noise.
fn rounded(mean: f64) -> f64 {
    let rounded = (mean * 10_000.0).round() / 10_000.0;
    // No minus before a zero, and no number that JSON lacks.
    if rounded.is_finite() && rounded != 0.0 {
        rounded.clamp(-1.0, 1.0)
    } else {
        0.0
    }
}
