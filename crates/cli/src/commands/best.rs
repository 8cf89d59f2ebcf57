//! `noughts best`: the move that a bot would make.

use clap::Args;
use noughts_engine::{AnyBot, BotKind, StopFlag};
use noughts_wire::BestMove;

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
    #[arg(long, value_name = "SEED", value_parser = search_args::number(0, u64::MAX), default_value = "0", allow_negative_numbers = true)]
    seed: u64,

    #[command(flatten)]
    resources: ResourceArgs,

    /// Print the result as one line of JSON
    #[arg(long)]
    json: bool,
}

impl BestArgs {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let state = self.position.unfinished_game_state()?;
        let settings = self.resources.settings(state.variant(), self.seed);
        let mut bot = AnyBot::new(self.bot, state.variant(), &settings)
            .map_err(|reason| CliError::argument("--bot", reason))?;
        let limits = self.search_limits.limits(self.bot);
        let report = bot.think(&state, limits, &StopFlag::new(), &mut |_| {});
        if let Some(note) = &report.note {
            output::note(&search_args::note_with_advice(note));
        }
        let Some(mv) = report.best.clone() else {
            let reason = noughts_text::no_move_found(self.bot.name());
            return Err(CliError::Failure(reason));
        };
        if self.json {
            return output::print_json(&BestMove {
                text: mv,
                value: report.value.into(),
                nodes: report.nodes,
                time_ms: report.elapsed.as_millis().try_into().unwrap_or(u64::MAX),
                line: report.pv,
            });
        }
        output::print(&format!("{mv}\n"))
    }
}
