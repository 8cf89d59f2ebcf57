//! `noughts best`: the move that a bot would make.

use clap::Args;
use noughts_engine::{AnyBot, BotKind, SearchReport, StopFlag, Value};
use serde::Serialize;

use crate::error::CliError;
use crate::output;
use crate::position::PositionArgs;
use crate::search_args::{self, ResourceArgs, SearchLimitArgs};

/// Print the move that a bot would make
///
/// Without a limit, the bot takes its usual time. On one thread, the same seed and
/// node limit give the same move.
#[derive(Args)]
#[command(after_help = "Example: noughts best ultimate --moves \"ee eb\" --time 500")]
pub(crate) struct BestArgs {
    #[command(flatten)]
    position: PositionArgs,

    /// Bot to ask; `noughts bots` lists them
    #[arg(long, value_name = "BOT", value_parser = search_args::parse_bot, default_value = "best")]
    bot: BotKind,

    #[command(flatten)]
    search_limits: SearchLimitArgs,

    /// Seed for random choices
    #[arg(long, value_name = "SEED", value_parser = search_args::parse_seed, default_value = "0", allow_negative_numbers = true)]
    seed: u64,

    #[command(flatten)]
    resources: ResourceArgs,

    /// Print the result as one line of JSON
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct BestJson {
    #[serde(rename = "move")]
    mv: String,
    exact: bool,
    value: ValueJson,
    plies: Option<u32>,
    nodes: u64,
    time_ms: u64,
    line: Vec<String>,
}

/// A word for a proved value, a number for an estimate.
#[derive(Serialize)]
#[serde(untagged)]
enum ValueJson {
    Proved(&'static str),
    Estimated(f64),
}

impl BestArgs {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let state = self.position.game_state()?;
        if let Some(outcome) = state.outcome() {
            return Err(CliError::Argument(format!("the game is over: {outcome}")));
        }
        let settings = self.resources.settings(state.variant(), self.seed);
        let mut bot = AnyBot::new(self.bot, state.variant(), &settings)
            .map_err(|reason| CliError::argument("--bot", reason))?;
        let limits = self.search_limits.limits(self.bot);
        let report = bot.think(&state, limits, &StopFlag::new(), &mut |_| {});
        if let Some(note) = &report.note {
            output::note(note);
        }
        let Some(mv) = report.best.clone() else {
            return Err(CliError::Failure(format!("{} found no move", self.bot)));
        };
        if self.json {
            return output::print_json(&BestJson::of(mv, report));
        }
        output::print(&format!("{mv}\n"))
    }
}

impl BestJson {
    fn of(mv: String, report: SearchReport<String>) -> BestJson {
        let exact = report.value.exact();
        BestJson {
            mv,
            exact: exact.is_some(),
            value: match report.value {
                Value::Exact(exact) => ValueJson::Proved(exact.game_value().as_str()),
                Value::Estimate { mean, .. } => ValueJson::Estimated(rounded(mean)),
            },
            plies: exact.and_then(noughts_engine::ExactValue::plies),
            nodes: report.nodes,
            time_ms: report.elapsed.as_millis().try_into().unwrap_or(u64::MAX),
            line: report.pv,
        }
    }
}

/// Four digits: more would be noise.
fn rounded(mean: f64) -> f64 {
    let rounded = (mean * 10_000.0).round() / 10_000.0;
    // Neither a negative zero nor a number that JSON doesn't have.
    if rounded.is_finite() && rounded != 0.0 {
        rounded.clamp(-1.0, 1.0)
    } else {
        0.0
    }
}
