//! `noughts moves`: the legal moves.

use clap::Args;
use noughts_wire::MoveList;

use crate::error::CliError;
use crate::output;
use crate::position::PositionArgs;

/// List the legal moves, one per line
///
/// Prints nothing if the game is over.
#[derive(Args)]
#[command(after_help = "Example: noughts moves ultimate --moves \"ee\"")]
pub(crate) struct MovesArgs {
    #[command(flatten)]
    position: PositionArgs,

    /// Print the result as one line of JSON
    #[arg(long)]
    json: bool,
}

impl MovesArgs {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let state = self.position.game_state()?;
        let moves = state.legal_moves();
        if self.json {
            return output::print_json(&MoveList {
                variant: state.variant().to_string(),
                position: state.position_text(),
                moves,
            });
        }
        output::print(&moves.iter().map(|mv| format!("{mv}\n")).collect::<String>())
    }
}
