//! `noughts moves`: the legal moves.

use clap::Args;
use serde::Serialize;

use crate::error::Error;
use crate::output;
use crate::position::PositionArgs;

/// List the legal moves, one a line; none when the game is over
#[derive(Args)]
#[command(after_help = "Example: noughts moves ultimate --moves \"ee\"")]
pub(crate) struct Moves {
    #[command(flatten)]
    position: PositionArgs,

    /// Print one JSON object on one line.
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Listed {
    variant: String,
    position: String,
    moves: Vec<String>,
}

impl Moves {
    pub(crate) fn run(&self) -> Result<(), Error> {
        let play = self.position.game_state()?;
        let moves = play.legal_moves();
        if self.json {
            return output::print_json(&Listed {
                variant: play.variant().to_string(),
                position: play.position_text(),
                moves,
            });
        }
        output::print(&moves.iter().map(|mv| format!("{mv}\n")).collect::<String>())
    }
}
