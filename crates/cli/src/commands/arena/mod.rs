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
use noughts_arena::{Format, Sprt};

use self::plan_args::PlanArgs;
use self::run::RunArgs;
use crate::error::CliError;

/// Let bots play each other, and see which is better, and how sure that is
///
/// A BOT is one of ours with its settings (`mcts`, `mcts:nodes=5000,seed=3`,
/// `alpha-beta:time=50ms`), a program that speaks UGI (`ugi:python3 bot.py`) or
/// CodinGame's ultimate tic-tac-toe (`codingame:./bot`), or a name from the file of bots.
/// `NAME=BOT` gives it another name. Every game is stored the moment it ends: what was
/// stopped or killed goes on with `noughts arena resume`.
#[derive(Args)]
#[command(
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

/// Two bots play a number of games
#[derive(Args)]
#[command(after_help = "Example: noughts arena match classic random perfect --games 20")]
struct MatchArgs {
    /// The game, by its name.
    variant: String,

    /// The first bot, whose results are shown.
    #[arg(value_name = "BOT")]
    first: String,

    /// The other.
    #[arg(value_name = "OTHER")]
    second: String,

    /// How many games: pairs from the same opening, each bot once with X.
    #[arg(long, value_name = "N", default_value = "100", value_parser = plan_args::parse_games, allow_negative_numbers = true)]
    games: u32,

    #[command(flatten)]
    plan_args: PlanArgs,

    /// Keep nothing: what is stopped is lost.
    #[arg(long)]
    unsaved: bool,

    #[command(flatten)]
    run_args: RunArgs,
}

impl MatchArgs {
    fn run(&self) -> Result<(), CliError> {
        let bots = [self.first.clone(), self.second.clone()];
        let rounds = self.games / 2;
        let mut plan = self.plan_args.plan(&self.variant, &bots, rounds)?;
        plan.format = Format::RoundRobin;
        self.run_args.start(&plan, self.unsaved)
    }
}

/// Several bots play each other
#[derive(Args)]
#[command(
    after_help = "Example: noughts arena tournament ultimate easy medium hard mcts:nodes=200 --games 20"
)]
struct TournamentArgs {
    /// The game, by its name.
    variant: String,

    /// Who takes part.
    #[arg(value_name = "BOT", required = true, num_args = 2..)]
    bots: Vec<String>,

    /// Who meets whom.
    #[arg(long, value_enum, default_value = "round-robin")]
    format: FormatArg,

    /// How many games each two play that meet: pairs, each bot once with X.
    #[arg(long, value_name = "N", default_value = "20", value_parser = plan_args::parse_games, allow_negative_numbers = true)]
    games: u32,

    #[command(flatten)]
    plan_args: PlanArgs,

    /// Keep nothing: what is stopped is lost.
    #[arg(long)]
    unsaved: bool,

    #[command(flatten)]
    run_args: RunArgs,
}

#[derive(Clone, Copy, ValueEnum)]
enum FormatArg {
    /// Everybody meets everybody.
    RoundRobin,
    /// The first meets all others.
    Gauntlet,
}

impl TournamentArgs {
    fn run(&self) -> Result<(), CliError> {
        let rounds = self.games / 2;
        let mut plan = self.plan_args.plan(&self.variant, &self.bots, rounds)?;
        plan.format = match self.format {
            FormatArg::RoundRobin => Format::RoundRobin,
            FormatArg::Gauntlet => Format::Gauntlet,
        };
        self.run_args.start(&plan, self.unsaved)
    }
}

/// Play until it is clear whether one bot is better than another
///
/// A sequential probability ratio test over pairs of games: it accepts that the first bot
/// is better by ELO1, or that it is better by ELO0 at most, and stops as soon as that is
/// decided. In normalised Elo.
#[derive(Args)]
#[command(
    after_help = "Example: noughts arena sprt ultimate new=ugi:./new old=ugi:./old --elo0 0 --elo1 10 --time 50ms"
)]
struct SprtArgs {
    /// The game, by its name.
    variant: String,

    /// The bot that may be better.
    #[arg(value_name = "NEW")]
    new: String,

    /// The bot that it is compared with.
    #[arg(value_name = "OLD")]
    old: String,

    /// Not better: by so much at most.
    #[arg(
        long,
        value_name = "ELO",
        default_value_t = 0.0,
        allow_negative_numbers = true
    )]
    elo0: f64,

    /// Better: by so much.
    #[arg(
        long,
        value_name = "ELO",
        default_value_t = 10.0,
        allow_negative_numbers = true
    )]
    elo1: f64,

    /// How often a bot that is not better may be taken for one.
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    alpha: f64,

    /// How often a bot that is better may be missed.
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    beta: f64,

    /// No more games than this, decided or not.
    #[arg(long, value_name = "N", default_value = "100000", value_parser = plan_args::parse_games, allow_negative_numbers = true)]
    games: u32,

    #[command(flatten)]
    plan_args: PlanArgs,

    /// Keep nothing: what is stopped is lost.
    #[arg(long)]
    unsaved: bool,

    #[command(flatten)]
    run_args: RunArgs,
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
        let rounds = self.games / 2;
        let mut plan = self.plan_args.plan(&self.variant, &bots, rounds)?;
        plan.sprt = Some(sprt);
        self.run_args.start(&plan, self.unsaved)
    }
}
