//! The `noughts` program: reads the command line and hands over to a command.
//! What a command does lives in `commands/`, how it is printed in `output.rs`.

mod commands;
mod data;
mod error;
mod output;
mod position;
mod thinking;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::error::Error;

/// The tic-tac-toe family: classic and larger boards, Tic-Tac-Two, boards within boards.
#[derive(Parser)]
#[command(
    name = "noughts",
    version,
    after_help = "Example: noughts show ultimate --moves \"ee eb be\""
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Show(commands::show::Show),
    Moves(commands::moves::Moves),
    Perft(commands::perft::Perft),
    Bots(commands::bots::Bots),
    Best(commands::best::Best),
    Solve(commands::solve::Solve),
    Engine(commands::engine::Engine),
    Tablebase(commands::tablebase::Tablebase),
    Bench(commands::bench::Bench),
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => error.report(),
    }
}

fn run() -> Result<(), Error> {
    Error::if_unprintable()?;
    match Cli::try_parse()?.command {
        None => commands::welcome::run(),
        Some(Command::Show(show)) => show.run(),
        Some(Command::Moves(moves)) => moves.run(),
        Some(Command::Perft(perft)) => perft.run(),
        Some(Command::Bots(bots)) => bots.run(),
        Some(Command::Best(best)) => best.run(),
        Some(Command::Solve(solve)) => solve.run(),
        Some(Command::Engine(engine)) => engine.run(),
        Some(Command::Tablebase(tablebase)) => tablebase.run(),
        Some(Command::Bench(bench)) => bench.run(),
    }
}
