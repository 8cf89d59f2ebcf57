//! The `noughts` program: reads the command line and hands over to a command.
//! What a command does lives in `commands/`, how it is printed in `output.rs`.

mod columns;
mod commands;
mod data;
mod error;
mod log;
mod open_files;
mod output;
mod participant_arg;
mod plain;
mod position;
mod signals;
mod store_handle;
mod thinking;
mod tui;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::error::Error;

/// The tic-tac-toe family: classic and larger boards, Tic-Tac-Two, boards within boards.
#[derive(Parser)]
#[command(
    name = "noughts",
    version,
    override_usage = "noughts [OPTIONS] [COMMAND]",
    after_help = "Alone it is the terminal game.\nExample: noughts show ultimate --moves \"ee eb be\""
)]
struct Cli {
    #[command(flatten)]
    welcome: commands::welcome::Welcome,

    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Play(commands::play::Play),
    Show(commands::show::Show),
    Moves(commands::moves::Moves),
    Perft(commands::perft::Perft),
    Bots(commands::bots::Bots),
    Best(commands::best::Best),
    Solve(commands::solve::Solve),
    Engine(commands::engine::Engine),
    Tablebase(commands::tablebase::TablebaseArgs),
    Players(commands::players::Players),
    Games(commands::games::Games),
    Arena(commands::arena::Arena),
    Serve(commands::serve::Serve),
    Bench(commands::bench::Bench),
}

fn main() -> ExitCode {
    // The arena starts this program again as the parent of each outside bot.
    if let Some(code) = noughts_arena::run_launcher_if_requested() {
        return code;
    }
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => error.report(),
    }
}

fn run() -> Result<(), Error> {
    Error::check_arguments()?;
    let cli = Cli::try_parse()?;
    // `--data` is every command's; the others before a command belong to the game.
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
