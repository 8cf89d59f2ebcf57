//! `noughts perft`: counts move sequences of a given length.

use clap::Args;
use serde_json::{Value, json};

use crate::error::CliError;
use crate::output;
use crate::position::PositionArgs;
use crate::search_args::number;

/// Count the move sequences of length DEPTH from a position
///
/// A finished game has no continuations. Draws by repetition are ignored below the given position.
#[derive(Args)]
#[command(after_help = "Example: noughts perft ultimate 5")]
pub(crate) struct PerftArgs {
    #[command(flatten)]
    position: PositionArgs,

    /// Number of moves
    // After the variant on the command line, regardless of the order of the fields.
    #[arg(index = 2, value_parser = number(0, MAX_DEPTH), allow_negative_numbers = true)]
    depth: u32,

    /// Also print the count for each first move
    #[arg(long)]
    divide: bool,

    /// Print the result as one line of JSON
    #[arg(long)]
    json: bool,
}

impl PerftArgs {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let state = self.position.game_state()?;
        let divided = self.divide.then(|| state.divide(self.depth));
        let leaves = match &divided {
            Some(divided) if self.depth > 0 => divided.iter().map(|(_, leaves)| leaves).sum(),
            _ => state.perft(self.depth),
        };
        if self.json {
            let mut result = json!({
                "variant": state.variant().to_string(),
                "position": state.position_text(),
                "depth": self.depth,
                "leaves": leaves,
            });
            if let Some(divided) = divided {
                result["moves"] = divided.into_iter().collect::<Value>();
            }
            return output::print_json(&result);
        }
        let mut text = String::new();
        for (mv, leaves) in divided.into_iter().flatten() {
            text += &format!("{mv} {leaves}\n");
        }
        output::print(&format!("{text}{leaves}\n"))
    }
}

/// No count to this depth ever finishes, except on tiny boards.
const MAX_DEPTH: u32 = 64;
