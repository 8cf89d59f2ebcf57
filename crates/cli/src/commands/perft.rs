//! `noughts perft`: counts move sequences of a given length.

use clap::Args;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::error::CliError;
use crate::output;
use crate::position::PositionArgs;

/// Count the move sequences of length DEPTH from a position
///
/// A finished game has no continuations. Tic-Tac-Two's repetition rule is ignored below
/// the given position.
#[derive(Args)]
#[command(after_help = "Example: noughts perft ultimate 5")]
pub(crate) struct PerftArgs {
    #[command(flatten)]
    position: PositionArgs,

    /// Number of moves
    // After the variant on the command line, regardless of the order of the fields.
    #[arg(index = 2, value_parser = parse_depth, allow_negative_numbers = true)]
    depth: u32,

    /// Also print the count for each first move
    #[arg(long)]
    divide: bool,

    /// Print the result as one line of JSON
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct PerftJson {
    variant: String,
    position: String,
    depth: u32,
    leaves: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Map<String, Value>>,
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
            let count = |(mv, leaves): &(String, u64)| (mv.clone(), Value::from(*leaves));
            return output::print_json(&PerftJson {
                variant: state.variant().to_string(),
                position: state.position_text(),
                depth: self.depth,
                leaves,
                moves: divided.map(|divided| divided.iter().map(count).collect()),
            });
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

fn parse_depth(text: &str) -> Result<u32, String> {
    let depth = text.parse().ok().filter(|depth| *depth <= MAX_DEPTH);
    depth.ok_or_else(|| format!("must be a whole number from 0 to {MAX_DEPTH}"))
}
