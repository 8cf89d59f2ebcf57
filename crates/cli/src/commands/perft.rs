//! `noughts perft`: how many games of a length there are.

use clap::Args;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::error::Error;
use crate::output;
use crate::position::PositionArgs;

/// Count the games of DEPTH moves from a position
///
/// A finished game has no games below it. Only positions count: Tic-Tac-Two's
/// rule of repetition is not looked at below the position given.
#[derive(Args)]
#[command(after_help = "Example: noughts perft ultimate 5")]
pub(crate) struct Perft {
    #[command(flatten)]
    position: PositionArgs,

    /// How many moves to make.
    // Behind the variant on the command line, whatever the order of the fields.
    #[arg(index = 2, value_parser = depth, allow_negative_numbers = true)]
    depth: u32,

    /// Print the count below each move, too.
    #[arg(long)]
    divide: bool,

    /// Print one JSON object on one line.
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Counted {
    variant: String,
    position: String,
    depth: u32,
    leaves: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Map<String, Value>>,
}

impl Perft {
    pub(crate) fn run(&self) -> Result<(), Error> {
        let play = self.position.game_state()?;
        let divided = self.divide.then(|| play.divide(self.depth));
        let leaves = match &divided {
            Some(divided) if self.depth > 0 => divided.iter().map(|(_, leaves)| leaves).sum(),
            _ => play.perft(self.depth),
        };
        if self.json {
            let count = |(mv, leaves): &(String, u64)| (mv.clone(), Value::from(*leaves));
            return output::print_json(&Counted {
                variant: play.variant().to_string(),
                position: play.position_text(),
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

/// No count to such a depth has ever come to an end, except on tiny boards.
const DEEPEST: u32 = 64;

fn depth(text: &str) -> Result<u32, String> {
    let depth = text.parse().ok().filter(|depth| *depth <= DEEPEST);
    depth.ok_or_else(|| format!("a whole number from 0 to {DEEPEST} is needed"))
}
