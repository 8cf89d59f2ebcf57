//! `noughts bench`: how fast it is on this machine.

use std::time::Duration;

use clap::{Args, ValueEnum};
use noughts_bench::{Row, endgames};
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
    /// Solving endgames, and how fast search is, beside the textbook
    Search,
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
        match self.what {
            What::Rules => self.rules(),
            What::Search => self.search(),
        }
    }

    fn search(&self) -> Result<(), Error> {
        let endgames = endgames::endgames();
        let speeds = endgames::speeds(Duration::from_secs(2));
        if !self.json {
            return output::print(&endgames::table(&endgames, &speeds));
        }
        output::print_json(&serde_json::json!({
            "bench": "search",
            "endgames": endgames.iter().map(|set| serde_json::json!({
                "cells": set.cells,
                "count": set.count,
                "seconds": set.total.as_secs_f64(),
                "slowest_seconds": set.slowest.as_secs_f64(),
                "textbook_seconds": set.textbook.map(|time| time.as_secs_f64()),
                "textbook_given_up": set.given_up,
            })).collect::<Vec<_>>(),
            "speeds": speeds.iter().map(|speed| serde_json::json!({
                "name": speed.name,
                "per_second": speed.ours.round(),
                "textbook_per_second": speed.textbook.round(),
            })).collect::<Vec<_>>(),
        }))
    }

    fn rules(&self) -> Result<(), Error> {
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
