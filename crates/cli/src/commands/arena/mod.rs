//! `noughts arena`: bots against bots.

mod caveats;
mod check;
mod events;
mod list;
mod output_thread;
mod plan_args;
mod progress;
mod report;
mod resume;
mod run;

use clap::{Args, Subcommand, ValueEnum};
use noughts_arena::{Format, Plan, Sprt};
use noughts_rules::Variant;
use noughts_session::player_input;

use self::plan_args::PlanArgs;
use self::run::RunArgs;
use crate::error::CliError;
use crate::position::game_help;

/// Play bots against each other and measure which one is better
///
/// A BOT is a built-in bot with its settings (`mcts`, `mcts:nodes=5000,seed=3`,
/// `alpha-beta:time=50ms`), a program that speaks UGI (`ugi:python3 bot.py`) or
/// CodinGame's ultimate tic-tac-toe protocol (`codingame:./bot`), or a name from the bots
/// file. `NAME=BOT` gives it another name. Every game is saved as soon as it ends; continue
/// a stopped or killed tournament with `noughts arena resume`.
#[derive(Args)]
#[command(
    arg_required_else_help = false,
    after_help = "Example: noughts arena match ultimate mcts:nodes=500 alpha-beta:nodes=500 --games 100"
)]
pub(crate) struct ArenaArgs {
    #[command(subcommand)]
    what: ArenaCommand,
}

#[derive(Subcommand)]
enum ArenaCommand {
    Match(MatchArgs),
    Tournament(TournamentArgs),
    Sprt(SprtArgs),
    Resume(resume::ResumeArgs),
    Report(report::ReportArgs),
    List(list::ListTournamentsArgs),
    Check(check::CheckArgs),
}

impl ArenaArgs {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        match &self.what {
            ArenaCommand::Match(command) => command.run(),
            ArenaCommand::Tournament(command) => command.run(),
            ArenaCommand::Sprt(command) => command.run(),
            ArenaCommand::Resume(command) => command.run(),
            ArenaCommand::Report(command) => command.run(),
            ArenaCommand::List(command) => command.run(),
            ArenaCommand::Check(command) => command.run(),
        }
    }
}

/// What a match, a tournament and a test have in common.
#[derive(Args)]
struct StartArgs {
    #[command(flatten)]
    plan_args: PlanArgs,

    /// Don't save the games; a stopped run can't be resumed
    #[arg(long)]
    unsaved: bool,

    #[command(flatten)]
    run_args: RunArgs,
}

impl StartArgs {
    fn start(
        &self,
        variant: Variant,
        bots: &[String],
        games: u32,
        complete: impl FnOnce(&mut Plan),
    ) -> Result<(), CliError> {
        let mut plan = self.plan_args.plan(variant, bots, games / 2)?;
        complete(&mut plan);
        self.run_args.start(&plan, self.unsaved)
    }
}

/// Play a match between two bots
#[derive(Args)]
#[command(after_help = "Example: noughts arena match classic random perfect --games 20")]
struct MatchArgs {
    #[arg(value_parser = player_input::parse_variant, help = game_help())]
    variant: Variant,

    /// First bot; results are from its point of view
    #[arg(value_name = "BOT")]
    first: String,

    /// Second bot
    #[arg(value_name = "OTHER")]
    second: String,

    /// Number of games, played in pairs from the same opening, each bot once as X
    #[arg(long, value_name = "N", default_value = "100", value_parser = plan_args::parse_games, allow_negative_numbers = true)]
    games: u32,

    #[command(flatten)]
    start_args: StartArgs,
}

impl MatchArgs {
    fn run(&self) -> Result<(), CliError> {
        let bots = [self.first.clone(), self.second.clone()];
        self.start_args
            .start(self.variant, &bots, self.games, |_| {})
    }
}

/// Play a tournament between several bots
#[derive(Args)]
#[command(
    after_help = "Example: noughts arena tournament ultimate easy medium hard mcts:nodes=200 --games 20"
)]
struct TournamentArgs {
    #[arg(value_parser = player_input::parse_variant, help = game_help())]
    variant: Variant,

    /// Bots that take part
    #[arg(value_name = "BOT", required = true, num_args = 2..)]
    bots: Vec<String>,

    /// Which bots play each other
    #[arg(long, value_enum, default_value = "round-robin")]
    format: FormatArg,

    /// Games per pairing, played in pairs, each bot once as X
    #[arg(long, value_name = "N", default_value = "20", value_parser = plan_args::parse_games, allow_negative_numbers = true)]
    games: u32,

    #[command(flatten)]
    start_args: StartArgs,
}

#[derive(Clone, Copy, ValueEnum)]
enum FormatArg {
    /// Every bot plays every other bot
    RoundRobin,
    /// The first bot plays all others
    Gauntlet,
}

impl TournamentArgs {
    fn run(&self) -> Result<(), CliError> {
        let format = match self.format {
            FormatArg::RoundRobin => Format::RoundRobin,
            FormatArg::Gauntlet => Format::Gauntlet,
        };
        self.start_args
            .start(self.variant, &self.bots, self.games, |plan| {
                plan.format = format;
            })
    }
}

/// Play until it's clear whether one bot is better than another
///
/// Runs a sequential probability ratio test over pairs of games. It stops as soon as it
/// accepts that the first bot is better by ELO1 (H1), or that it is better by at most ELO0
/// (H0), in normalized Elo.
#[derive(Args)]
#[command(
    after_help = "Example: noughts arena sprt ultimate new=ugi:./new old=ugi:./old --elo0 0 --elo1 10 --time 50ms"
)]
struct SprtArgs {
    #[arg(value_parser = player_input::parse_variant, help = game_help())]
    variant: Variant,

    /// Bot that may be better
    #[arg(value_name = "NEW")]
    new: String,

    /// Bot to compare it with
    #[arg(value_name = "OLD")]
    old: String,

    /// H0: the new bot is better by at most this much
    #[arg(
        long,
        value_name = "ELO",
        default_value_t = 0.0,
        allow_negative_numbers = true
    )]
    elo0: f64,

    /// H1: the new bot is better by this much
    #[arg(
        long,
        value_name = "ELO",
        default_value_t = 10.0,
        allow_negative_numbers = true
    )]
    elo1: f64,

    /// Probability of accepting a bot that isn't better
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    alpha: f64,

    /// Probability of rejecting a bot that is better
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    beta: f64,

    /// Maximum number of games, even if undecided
    #[arg(long, value_name = "N", default_value = "100000", value_parser = plan_args::parse_games, allow_negative_numbers = true)]
    games: u32,

    #[command(flatten)]
    start_args: StartArgs,
}

impl SprtArgs {
    fn run(&self) -> Result<(), CliError> {
        let sprt = Sprt {
            elo0: self.elo0,
            elo1: self.elo1,
            alpha: self.alpha,
            beta: self.beta,
        };
        let bots = [self.new.clone(), self.old.clone()];
        self.start_args
            .start(self.variant, &bots, self.games, |plan| {
                plan.sprt = Some(sprt);
            })
    }
}
