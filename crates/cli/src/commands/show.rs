//! `noughts show`: a position, drawn or in some format.

use clap::{Args, ValueEnum};
use noughts_rules::{AnyGameState, Outcome};
use serde::Serialize;

use crate::error::Error;
use crate::output;
use crate::position::PositionArgs;

/// Show a position: drawn, as text, or in another format
#[derive(Args)]
#[command(after_help = "Example: noughts show tic-tac-two --moves \"b2 c2 d3 c4 @b3\"")]
pub(crate) struct Show {
    #[command(flatten)]
    position: PositionArgs,

    /// Print it in a format instead of drawing it.
    #[arg(long = "as", value_name = "FORMAT", conflicts_with = "json")]
    format: Option<Format>,

    /// Print one JSON object on one line.
    #[arg(long)]
    json: bool,

    /// Draw in ASCII.
    #[arg(long, conflicts_with_all = ["json", "format"])]
    ascii: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// The project's notation
    Text,
    /// Digits: nine for a 3×3 board, uttt.ai's 93 for ultimate
    Digits,
    /// A 3×3 board as a JSON list of lists
    Lists,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Shown {
    variant: String,
    position: String,
    side: char,
    ply: usize,
    outcome: Option<&'static str>,
    moves: Vec<String>,
}

impl Show {
    pub(crate) fn run(&self) -> Result<(), Error> {
        let play = self.position.game_state()?;
        if self.json {
            return output::print_json(&Shown {
                variant: play.variant().to_string(),
                position: play.position_text(),
                side: play.side().letter(),
                ply: play.ply(),
                outcome: play.outcome().map(Outcome::as_str),
                moves: play.legal_moves(),
            });
        }
        let refused = |error| Error::argument("--as", error);
        let text = match self.format {
            None => drawn(&play, self.ascii),
            Some(Format::Text) => play.position_text() + "\n",
            Some(Format::Digits) => play.to_digits().map_err(refused)? + "\n",
            Some(Format::Lists) => play.to_lists().map_err(refused)? + "\n",
        };
        output::print(&text)
    }
}

/// The drawing and the sentences below it.
pub(crate) fn drawn(play: &AnyGameState, ascii: bool) -> String {
    let drawing = play.render();
    let mut text = output::render_colored(&if ascii { drawing.into_ascii() } else { drawing });
    if let Some(last) = play.moves().last() {
        text += &format!("last move: {last}\n");
    }
    text + &play.prompt() + "\n"
}
