//! `noughts` without a command: the menu of the terminal game. Without a terminal it prints a
//! board, the games and the commands.

use std::fmt::Write as _;

use clap::{Args, CommandFactory};
use noughts_rules::{AnyGameState, Variant, games};

use crate::commands::play::PlayArgs;
use crate::data::DataArgs;
use crate::error::CliError;
use crate::output;
use crate::tui;

/// How the terminal game starts from its menu.
#[derive(Args)]
pub(crate) struct Welcome {
    #[command(flatten)]
    data: DataArgs,

    /// Don't save games and records
    #[arg(long)]
    unsaved: bool,

    /// Draw with ASCII characters only
    #[arg(long)]
    ascii: bool,
}

/// A game well under way, to show what the program is about.
const EXAMPLE_MOVES: &str = "di id df fg gb be eh hc ch hh hd de ei ic cg gg gf fe eb bi if fa ag gd dd \
     db bb bd dg gh hf fc cc cb bh hb bc cd da ad ci ig gc ai ia ab bg ga ac ib";

impl Welcome {
    /// Applies options that were given before `play` as if they came after it.
    pub(crate) fn apply_to(&self, mut play: PlayArgs) -> PlayArgs {
        play.unsaved |= self.unsaved;
        play.ascii |= self.ascii;
        play
    }

    /// Rejects these options before any other command.
    pub(crate) fn reject_before_command(&self) -> Result<(), CliError> {
        let given = [(self.unsaved, "--unsaved"), (self.ascii, "--ascii")];
        match given.iter().find(|(given, _)| *given) {
            None => Ok(()),
            Some((_, flag)) => Err(CliError::argument(
                flag,
                "only works with `noughts play` or without a command",
            )),
        }
    }

    pub(crate) fn run(&self) -> Result<(), CliError> {
        let mut play = self.apply_to(PlayArgs::default());
        play.data = self.data.clone();
        match tui::can_run() {
            true => tui::run_menu(play.launch_options()),
            // Classic in plain mode; the program asks who plays.
            false if tui::is_terminal() => play.run(),
            false => print(),
        }
    }
}

fn print() -> Result<(), CliError> {
    let mut state = AnyGameState::new(Variant::ULTIMATE);
    for mv in EXAMPLE_MOVES.split_whitespace() {
        if state.play(mv).is_err() {
            break;
        }
    }
    let mut text = output::draw(&state, false, false);
    text += &format!("{}\n\nGames:\n", noughts_text::prompt(&state));
    let presets = games::presets();
    let width = presets.iter().map(|(_, preset)| preset.name.len()).max();
    let width = width.unwrap_or_default();
    for (_, preset) in presets {
        let _ = writeln!(text, "  {:<width$}  {}", preset.name, preset.summary);
    }
    text += "\nCommands:\n";
    for command in crate::Cli::command().get_subcommands() {
        let about = command
            .get_about()
            .map(ToString::to_string)
            .unwrap_or_default();
        let _ = writeln!(text, "  noughts {:<9} {about}", command.get_name());
    }
    // With `cargo run`, the `noughts` command may not be installed yet.
    let program = match std::env::var_os("CARGO") {
        Some(_) => "cargo run --release --",
        None => "noughts",
    };
    let _ = writeln!(text, "\nTry: {program} play ultimate");
    output::print(&text)
}
