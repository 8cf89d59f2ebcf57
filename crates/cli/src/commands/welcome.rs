//! What `noughts` alone does: the terminal game from its menu; where there is no
//! terminal it prints a board, the games, the commands.

use std::fmt::Write as _;

use clap::{Args, CommandFactory};
use noughts_rules::{AnyGameState, Variant};

use crate::commands::play::Play;
use crate::data::DataArgs;
use crate::error::Error;
use crate::output;
use crate::tui;

/// How the terminal game starts from its menu.
#[derive(Args)]
pub(crate) struct Welcome {
    #[command(flatten)]
    data: DataArgs,

    /// Keep nothing of what is played.
    #[arg(long)]
    unsaved: bool,

    /// Draw with ASCII characters only.
    #[arg(long)]
    ascii: bool,
}

/// The games, as a newcomer meets them.
const GAMES: [&str; 7] = [
    "classic",
    "misere",
    "mnk:15,15,5",
    "tic-tac-two",
    "ultimate",
    "ception:5a",
    "ception:depth=3",
];

/// A game in full swing: the picture that says what this is about.
const MOVES: &str = "di id df fg gb be eh hc ch hh hd de ei ic cg gg gf fe eb bi if fa ag gd dd \
     db bb bd dg gh hf fc cc cb bh hb bc cd da ad ci ig gc ai ia ab bg ga ac ib";

impl Welcome {
    /// The options that were given before `play`, as if they came after it.
    pub(crate) fn apply_to(&self, mut play: Play) -> Play {
        play.unsaved |= self.unsaved;
        play.ascii |= self.ascii;
        play
    }

    /// No other command has these options.
    pub(crate) fn reject_before_command(&self) -> Result<(), Error> {
        let given = [(self.unsaved, "--unsaved"), (self.ascii, "--ascii")];
        match given.iter().find(|(given, _)| *given) {
            None => Ok(()),
            Some((_, flag)) => Err(Error::argument(
                flag,
                "only `noughts` alone and `noughts play` have this option",
            )),
        }
    }

    pub(crate) fn run(&self) -> Result<(), Error> {
        if !tui::can_run() && tui::is_terminal() {
            return Play::classic_plain(self.data.clone(), self.unsaved, self.ascii).run();
        }
        if !tui::can_run() {
            return print();
        }
        tui::run_menu(tui::LaunchOptions {
            data_dir: self.data.dir(),
            in_memory: self.unsaved,
            seed: None,
            ascii: self.ascii,
            bot_time: None,
        })
    }
}

fn print() -> Result<(), Error> {
    let mut play = AnyGameState::new(Variant::ULTIMATE);
    for mv in MOVES.split_whitespace() {
        if play.play(mv).is_err() {
            break;
        }
    }
    let mut text = output::render_colored(&play.render());
    text += &format!("{}\n\nThe games:\n", play.prompt());
    for variant in GAMES.iter().filter_map(|name| name.parse::<Variant>().ok()) {
        let _ = writeln!(text, "  {:<16} {}", variant.to_string(), variant.summary());
    }
    text += "\nThe commands:\n";
    for command in crate::Cli::command().get_subcommands() {
        let about = command
            .get_about()
            .map(ToString::to_string)
            .unwrap_or_default();
        let _ = writeln!(text, "  noughts {:<9} {about}", command.get_name());
    }
    // Whoever starts it through cargo has no `noughts` to call yet.
    let program = match std::env::var_os("CARGO") {
        Some(_) => "cargo run --release --",
        None => "noughts",
    };
    let _ = writeln!(text, "\nTry: {program} play ultimate");
    output::print(&text)
}
