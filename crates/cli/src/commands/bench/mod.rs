//! `noughts bench`: how fast the program is on this machine, and how strong its levels are.

mod baseline;
mod endgames;
mod ladder;
mod rules;
mod time_limits;

use std::time::Duration;

use clap::{Args, ValueEnum};
use noughts_rules::Variant;
use noughts_session::player_input;
use serde_json::json;

use self::ladder::Ladder;
use crate::error::CliError;
use crate::output;
use crate::search_args::{number, parse_in_range};

/// Measure speed on this machine and the strength of the levels
///
/// `rules` runs on one core. Ratios are relative to `ultimate` played by the code for
/// any depth; `cargo bench` in the source tree also measures another project's code.
///
/// `ladder` plays random, easy, medium, hard and best against the next level up, in
/// pairs of games with sides swapped.
///
/// `search` solves fixed endgames of `ultimate`, counts nodes and playouts per second on
/// one core next to plain textbook versions, and checks whether every bot stays within a limit
/// of 50 ms.
#[derive(Args)]
#[command(after_help = "Example: noughts bench rules")]
pub(crate) struct BenchArgs {
    /// What to measure
    #[arg(value_enum, default_value_t = Benchmark::Rules)]
    what: Benchmark,

    /// Game to play, for `ladder`; can be repeated [default: those that the levels were designed for]
    #[arg(long, value_name = "VARIANT", value_parser = player_input::parse_variant)]
    variant: Vec<Variant>,

    /// Games per pair of levels, for `ladder` [default: 400]
    #[arg(long, value_name = "N", value_parser = number(1_usize, 1_000_000), allow_negative_numbers = true)]
    games: Option<usize>,

    /// Time per move for `best` in milliseconds, for `ladder` [default: 50]
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

fn parse_milliseconds(text: &str) -> Result<Duration, String> {
    parse_in_range(text, "whole number of milliseconds", 1, 3_600_000).map(Duration::from_millis)
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
            variants: match self.variant.as_slice() {
                [] => default.variants,
                chosen => chosen.to_vec(),
            },
            games: self.games.unwrap_or(default.games),
            time: self.time.unwrap_or(default.time),
            seed: self.seed.unwrap_or(default.seed),
            ..default
        };
        let matches = ladder::ladder(&plan, &mut |result| {
            // Matches of `best` take minutes, so show progress.
            let (variant, upper, lower) = (result.variant, result.upper, result.lower);
            output::print_stderr(&format!("{variant}: {upper} vs {lower} finished"));
        })
        .map_err(CliError::Failure)?;
        if self.json {
            return output::print_json(&json!({
                "bench": "ladder",
                "games": plan.games,
                "time_ms": plan.time.as_millis() as u64,
                "seed": plan.seed,
                "rows": matches.iter().map(|result| {
                    let [score, low, high] = [result.score(), result.interval().0, result.interval().1]
                        .map(|x| (x * 1000.0).round() / 1000.0);
                    json!({
                        "variant": result.variant.to_string(),
                        "upper": result.upper.name(),
                        "lower": result.lower.name(),
                        "wins": result.tally.wins,
                        "draws": result.tally.draws,
                        "losses": result.tally.losses,
                        "score": score,
                        "low": low,
                        "high": high,
                    })
                }).collect::<Vec<_>>(),
            }));
        }
        output::print(&ladder::table(&matches))
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
        output::print_json(&json!({
            "bench": "search",
            "worst_overrun_seconds": lateness.first().map(|lateness| lateness.by.as_secs_f64()),
            "endgames": endgames.iter().map(|set| json!({
                "cells": set.cells,
                "count": set.count,
                "seconds": set.total.as_secs_f64(),
                "slowest_seconds": set.slowest.as_secs_f64(),
                "textbook_seconds": set.textbook.as_secs_f64(),
                "textbook_timeouts": set.given_up,
            })).collect::<Vec<_>>(),
            "speeds": speeds.iter().map(|speed| json!({
                "name": speed.name,
                "per_second": speed.ours.round(),
                "textbook_per_second": speed.textbook.round(),
            })).collect::<Vec<_>>(),
        }))
    }

    /// Only `bench ladder` takes these options.
    fn check_options(&self) -> Result<(), CliError> {
        for (flag, given) in [
            ("--variant", !self.variant.is_empty()),
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
        let mut benchmarks = rules::game_benchmarks();
        benchmarks.extend(rules::generic_ultimate());
        let baseline = benchmarks.last().map_or("", |last| &last.name);
        let results = rules::measure(&benchmarks);
        if !self.json {
            return output::print(&rules::table(&results, baseline));
        }
        output::print_json(&json!({
            "bench": "rules",
            "rows": results.iter().map(|result| json!({
                "name": result.name,
                "depth": result.depth,
                "leaves_per_second": result.leaves.round(),
                "playouts_per_second": result.games.round(),
                "plies": (result.plies * 100.0).round() / 100.0,
            })).collect::<Vec<_>>(),
        }))
    }
}
