//! The `noughts` program as a library, so that another crate can be the same program with games of its own:
//! [`run`]. It parses the command line and runs a command. The commands are in `commands/`, printing is in `output.rs`.

mod columns;
mod commands;
mod data;
mod error;
mod key_file;
mod log;
mod open_files;
mod output;
mod participant_arg;
mod plain;
mod position;
mod search_args;
mod signals;
mod store_handle;
mod tournaments;
mod tui;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::error::CliError;

/// Play, solve and analyze the games of the tic-tac-toe family
#[derive(Parser)]
#[command(
    name = "noughts",
    version,
    override_usage = "noughts [OPTIONS] [COMMAND]",
    after_help = "Without a command, noughts opens the terminal game.\nExample: noughts show ultimate --moves \"ee eb be\""
)]
struct Cli {
    #[command(flatten)]
    welcome: commands::welcome::Welcome,

    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Play(commands::play::PlayArgs),
    Show(commands::show::ShowArgs),
    Moves(commands::moves::MovesArgs),
    Perft(commands::perft::PerftArgs),
    Bots(commands::bots::BotsArgs),
    Best(commands::best::BestArgs),
    Solve(commands::solve::SolveArgs),
    Engine(commands::engine::EngineArgs),
    Tablebase(commands::tablebase::TablebaseArgs),
    Players(commands::players::PlayersArgs),
    Games(commands::games::GamesArgs),
    Arena(commands::arena::ArenaArgs),
    Serve(commands::serve::ServeArgs),
    Bench(commands::bench::BenchArgs),
}

/// Runs the program with these arguments, the first of which is its name, and with these games in addition to the
/// built-in ones.
///
/// ```no_run
/// // In the `main` of another crate: `&[&mine::INFO]` adds the game of its module `mine`.
/// noughts::run(std::env::args_os(), &[]);
/// ```
pub fn run(
    args: impl IntoIterator<Item = OsString>,
    games: &[&'static noughts_rules::GameInfo],
) -> ExitCode {
    // The arena starts this program again as the parent process of each external bot.
    if let Some(code) = noughts_arena::run_launcher_if_requested() {
        return code;
    }
    let args: Vec<OsString> = args.into_iter().collect();
    match run_command(&args, games) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => error.report(),
    }
}

fn run_command(
    args: &[OsString],
    games: &[&'static noughts_rules::GameInfo],
) -> Result<(), CliError> {
    for game in games {
        noughts_rules::games::register(game)
            .map_err(|error| CliError::Failure(error.to_string()))?;
    }
    CliError::check_arguments(args)?;
    let cli = Cli::try_parse_from(args)?;
    // `--data` works with every command; the other options before a command only with `play`.
    if !matches!(cli.command, None | Some(Command::Play(_))) {
        cli.welcome.reject_before_command()?;
    }
    match cli.command {
        None => cli.welcome.run(),
        Some(Command::Play(play)) => cli.welcome.apply_to(play).run(),
        Some(Command::Show(show)) => show.run(),
        Some(Command::Moves(moves)) => moves.run(),
        Some(Command::Perft(perft)) => perft.run(),
        Some(Command::Bots(bots)) => bots.run(),
        Some(Command::Best(best)) => best.run(),
        Some(Command::Solve(solve)) => solve.run(),
        Some(Command::Engine(engine)) => engine.run(),
        Some(Command::Tablebase(tablebase)) => tablebase.run(),
        Some(Command::Players(players)) => players.run(),
        Some(Command::Games(games)) => games.run(),
        Some(Command::Arena(arena)) => arena.run(),
        Some(Command::Serve(serve)) => serve.run(),
        Some(Command::Bench(bench)) => bench.run(),
    }
}
