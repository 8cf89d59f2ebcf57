//! `noughts show`: a position, drawn or in another format.

use clap::{Args, ValueEnum};
use noughts_rules::AnyGameState;
use noughts_wire::PositionInfo;

use crate::error::CliError;
use crate::output;
use crate::position::PositionArgs;

/// Draw a position, or print it in another format
#[derive(Args)]
#[command(after_help = "Example: noughts show tic-tac-two --moves \"b2 c2 d3 c4 @b3\"")]
pub(crate) struct ShowArgs {
    #[command(flatten)]
    position: PositionArgs,

    /// Print the position in this format instead of drawing it
    #[arg(long = "as", value_name = "FORMAT", conflicts_with = "json")]
    format: Option<PositionFormat>,

    /// Print the result as one line of JSON
    #[arg(long)]
    json: bool,

    /// Draw with ASCII characters only
    #[arg(long, conflicts_with_all = ["json", "format"])]
    ascii: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum PositionFormat {
    /// Text notation (see docs/notation.md)
    Text,
    /// Digits: nine for a 3×3 board, uttt.ai's 93 for ultimate
    Digits,
    /// A 3×3 board as a JSON list of lists
    Lists,
}

impl ShowArgs {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let state = self.position.game_state()?;
        if self.json {
            return output::print_json(&PositionInfo {
                variant: state.variant().to_string(),
                position: state.position_text(),
                side: state.side().into(),
                ply: state.ply(),
                outcome: state.outcome().map(Into::into),
                moves: state.legal_moves(),
            });
        }
        let refused = |error| CliError::argument("--as", error);
        let text = match self.format {
            None => drawn(&state, self.ascii),
            Some(PositionFormat::Text) => state.position_text() + "\n",
            Some(PositionFormat::Digits) => state.to_digits().map_err(refused)? + "\n",
            Some(PositionFormat::Lists) => state.to_lists().map_err(refused)? + "\n",
        };
        output::print(&text)
    }
}

/// The drawing and the text below it.
pub(crate) fn drawn(state: &AnyGameState, ascii: bool) -> String {
    let mut text = output::draw(state, false, ascii);
    if let Some(last) = state.moves().last() {
        text += &format!("last move: {last}\n");
    }
    text + &noughts_text::prompt(state) + "\n"
}
