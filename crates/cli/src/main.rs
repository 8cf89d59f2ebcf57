//! The `noughts` program: parses the command line and runs a command. The commands are in
//! `commands/`, printing is in `output.rs`.

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

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::error::CliError;

/// Play and analyze the tic-tac-toe family: classic, larger boards, Tic-Tac-Two and nested boards
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

fn main() -> ExitCode {
    // The arena starts this program again as the parent process of each external bot.
    if let Some(code) = noughts_arena::run_launcher_if_requested() {
        return code;
    }
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => error.report(),
    }
}

fn run() -> Result<(), CliError> {
    CliError::check_arguments()?;
    let cli = Cli::try_parse()?;
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
