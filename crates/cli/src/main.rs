//! The `noughts` program: reads the command line and hands over to a command.
//! What a command does lives in `commands/`, how it is printed in `output.rs`.

mod commands;
mod error;
mod output;
mod position;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::error::Error;

/// Play, solve and compete at the tic-tac-toe family.
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
    Bench(commands::bench::Bench),
}

fn main() -> ExitCode {
    let ran = Cli::try_parse()
        .map_err(Error::from)
        .and_then(|cli| match cli.command {
            None => commands::welcome::run(),
            Some(Command::Show(show)) => show.run(),
            Some(Command::Moves(moves)) => moves.run(),
            Some(Command::Perft(perft)) => perft.run(),
            Some(Command::Bench(bench)) => bench.run(),
        });
    match ran {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => error.report(),
    }
}
