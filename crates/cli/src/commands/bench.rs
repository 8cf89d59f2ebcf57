//! `noughts bench`: how fast the program is on this machine, and how strong its levels are.

use std::time::Duration;

use clap::{Args, ValueEnum};
use noughts_bench::ladder::{self, Ladder, LadderMatch};
use noughts_bench::{BenchmarkResult, endgames, time_limits};
use serde::Serialize;

use crate::error::CliError;
use crate::output;

/// Measure speed on this machine and the strength of the levels
///
/// `rules` runs on one core. Ratios are relative to `ultimate` played by the code for
/// any depth; `cargo bench` in the source tree also measures another project's code.
///
/// `ladder` plays random, easy, medium, hard and best against the next level up, in
/// pairs of games with sides swapped.
///
/// `search` solves fixed endgames of `ultimate`, counts nodes and playouts per second on
/// one core next to plain textbook versions, and checks whether every bot keeps a limit
/// of 50 ms.
#[derive(Args)]
#[command(after_help = "Example: noughts bench rules")]
pub(crate) struct BenchArgs {
    /// What to measure
    #[arg(value_enum, default_value_t = Benchmark::Rules)]
    what: Benchmark,

    /// Games per pair of levels, for `ladder` [default: 400]
    #[arg(long, value_name = "N", value_parser = parse_games, allow_negative_numbers = true)]
    games: Option<usize>,

    /// Time per move of best in milliseconds, for `ladder` [default: 50]
    #[arg(long, value_name = "MS", value_parser = parse_milliseconds, allow_negative_numbers = true)]
    time: Option<Duration>,

    /// Random seed, for `ladder` [default: 1]
    #[arg(long, value_name = "SEED", allow_negative_numbers = true)]
    seed: Option<u64>,

    /// Print the result as one line of JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Benchmark {
    /// Count leaves (perft) and play random games
    Rules,
    /// Play each level against the one below it
    Ladder,
    /// Solve endgames and compare search speed with textbook versions
    Search,
}

fn parse_games(text: &str) -> Result<usize, String> {
    parse_in_range(text, "number", 1_000_000).map(|games| games as usize)
}

fn parse_milliseconds(text: &str) -> Result<Duration, String> {
    parse_in_range(text, "number of milliseconds", 3_600_000).map(Duration::from_millis)
}

fn parse_in_range(text: &str, what: &str, max: u64) -> Result<u64, String> {
    let number = text.parse().ok().filter(|n| (1..=max).contains(n));
    number.ok_or_else(|| format!("must be a whole {what} from 1 to {max}"))
}

/// What `--json` prints.
#[derive(Serialize)]
struct RulesJson<'a> {
    bench: &'a str,
    rows: Vec<RulesRowJson<'a>>,
}

#[derive(Serialize)]
struct RulesRowJson<'a> {
    name: &'a str,
    depth: u32,
    leaves_per_second: f64,
    playouts_per_second: f64,
    plies: f64,
}

/// What `ladder --json` prints.
#[derive(Serialize)]
struct LadderJson {
    bench: &'static str,
    games: usize,
    time_ms: u64,
    seed: u64,
    rows: Vec<LadderRowJson>,
}

#[derive(Serialize)]
struct LadderRowJson {
    variant: String,
    upper: &'static str,
    lower: &'static str,
    wins: usize,
    draws: usize,
    losses: usize,
    score: f64,
    low: f64,
    high: f64,
}

impl BenchArgs {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        match self.what {
            Benchmark::Rules => self.rules(),
            Benchmark::Ladder => self.ladder(),
            Benchmark::Search => self.search(),
        }
    }

    fn ladder(&self) -> Result<(), CliError> {
        let default = Ladder::default();
        let plan = Ladder {
            games: self.games.unwrap_or(default.games),
            time: self.time.unwrap_or(default.time),
            seed: self.seed.unwrap_or(default.seed),
            ..default
        };
        let rungs = ladder::ladder(&plan, &mut |rung| {
            // Matches of `best` take minutes, so show progress.
            let LadderMatch {
                variant,
                upper,
                lower,
                ..
            } = rung;
            output::print_stderr(&format!("{variant}: {upper} vs. {lower} finished"));
        })
        .map_err(CliError::Failure)?;
        if self.json {
            return output::print_json(&LadderJson {
                bench: "ladder",
                games: plan.games,
                time_ms: plan.time.as_millis() as u64,
                seed: plan.seed,
                rows: rungs.iter().map(LadderRowJson::of).collect(),
            });
        }
        output::print(&ladder::table(&rungs))
    }

    fn search(&self) -> Result<(), CliError> {
        self.check_options()?;
        // First, so that the other measurements don't affect it.
        let lateness = time_limits::measure_overruns(Duration::from_millis(50));
        let endgames = endgames::measure_endgames();
        let speeds = endgames::measure_speeds(Duration::from_secs(2));
        if !self.json {
            let table = endgames::table(&endgames, &speeds);
            return output::print(&format!("{table}{}", time_limits::summary_line(&lateness)));
        }
        output::print_json(&serde_json::json!({
            "bench": "search",
            "latest_seconds": lateness.first().map(|lateness| lateness.by.as_secs_f64()),
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

    /// Only `bench ladder` takes these options.
    fn check_options(&self) -> Result<(), CliError> {
        for (flag, given) in [
            ("--games", self.games.is_some()),
            ("--time", self.time.is_some()),
            ("--seed", self.seed.is_some()),
        ] {
            if given {
                return Err(CliError::argument(flag, "only works with `bench ladder`"));
            }
        }
        Ok(())
    }

    fn rules(&self) -> Result<(), CliError> {
        self.check_options()?;
        let mut subjects = noughts_bench::game_benchmarks();
        subjects.extend(noughts_bench::generic_ultimate());
        let baseline = subjects
            .last()
            .map(|subject| subject.name.clone())
            .unwrap_or_default();
        let rows = noughts_bench::measure(&subjects);
        if self.json {
            return output::print_json(&RulesJson {
                bench: "rules",
                rows: rows.iter().map(RulesRowJson::of).collect(),
            });
        }
        output::print(&noughts_bench::table(&rows, &baseline))
    }
}

impl<'a> RulesRowJson<'a> {
    fn of(row: &'a BenchmarkResult) -> RulesRowJson<'a> {
        RulesRowJson {
            name: &row.name,
            depth: row.depth,
            leaves_per_second: row.leaves.round(),
            playouts_per_second: row.games.round(),
            plies: (row.plies * 100.0).round() / 100.0,
        }
    }
}

impl LadderRowJson {
    fn of(rung: &LadderMatch) -> LadderRowJson {
        let thousandth = |x: f64| (x * 1000.0).round() / 1000.0;
        let (low, high) = rung.interval();
        LadderRowJson {
            variant: rung.variant.to_string(),
            upper: rung.upper.name(),
            lower: rung.lower.name(),
            wins: rung.wins,
            draws: rung.draws,
            losses: rung.losses,
            score: thousandth(rung.score()),
            low: thousandth(low),
            high: thousandth(high),
        }
    }
}
