//! `noughts bench`: how fast it is on this machine.

use clap::{Args, ValueEnum};
use noughts_bench::Row;
use serde::Serialize;

use crate::error::Error;
use crate::output;

/// Measure how fast the program is on this machine
///
/// Everything runs on one core. The ratios are to `ultimate` as played by the
/// code for all depths; `cargo bench` in the source tree measures another
/// project's code beside it.
#[derive(Args)]
#[command(after_help = "Example: noughts bench rules")]
pub(crate) struct Bench {
    /// What to measure.
    #[arg(value_enum, default_value_t = What::Rules)]
    what: What,

    /// Print one JSON object on one line.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum What {
    /// Counting leaves (perft) and playing random games
    Rules,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Measured<'a> {
    bench: &'a str,
    rows: Vec<MeasuredRow<'a>>,
}

#[derive(Serialize)]
struct MeasuredRow<'a> {
    name: &'a str,
    depth: u32,
    leaves_per_second: f64,
    playouts_per_second: f64,
    plies: f64,
}

impl Bench {
    pub(crate) fn run(&self) -> Result<(), Error> {
        let What::Rules = self.what;
        let mut subjects = noughts_bench::games();
        subjects.extend(noughts_bench::plain_ultimate());
        let baseline = subjects
            .last()
            .map(|subject| subject.name.clone())
            .unwrap_or_default();
        let rows = noughts_bench::measure(&subjects);
        if self.json {
            return output::print_json(&Measured {
                bench: "rules",
                rows: rows.iter().map(MeasuredRow::of).collect(),
            });
        }
        output::print(&noughts_bench::table(&rows, &baseline))
    }
}

impl<'a> MeasuredRow<'a> {
    fn of(row: &'a Row) -> MeasuredRow<'a> {
        MeasuredRow {
            name: &row.name,
            depth: row.depth,
            leaves_per_second: row.leaves.round(),
            playouts_per_second: row.games.round(),
            plies: (row.plies * 100.0).round() / 100.0,
        }
    }
}
