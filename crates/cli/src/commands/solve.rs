//! `noughts solve`: the exact values of a position and its moves.

use std::time::Duration;

use clap::Args;
use noughts_engine::solve::{SolveResult, solve_any, solve_value};
use noughts_engine::{ExactValue, SearchLimits, StopFlag, Value};
use noughts_text::{move_value, proved_value};
use noughts_wire::{SolvedMove, SolvedPosition};

use crate::error::CliError;
use crate::output;
use crate::position::PositionArgs;
use crate::search_args::{self, ResourceArgs};

/// Print the exact value of a position and its moves
///
/// Values are for the side to move; the distance of a move counts the move itself. If
/// something can't be proved in time, its value is unknown, never guessed.
#[derive(Args)]
#[command(after_help = "Example: noughts solve classic --moves \"b2 a1\"")]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    position: PositionArgs,

    /// Time limit in milliseconds; `none` for no limit
    #[arg(long, value_name = "MS", value_parser = parse_time_limit, default_value = "10000", allow_negative_numbers = true)]
    time: TimeLimit,

    #[command(flatten)]
    resources: ResourceArgs,

    /// Find only the position's value, not those of its moves
    #[arg(long)]
    value_only: bool,

    /// Print the result as one line of JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy)]
struct TimeLimit(Option<Duration>);

fn parse_time_limit(text: &str) -> Result<TimeLimit, String> {
    if text == "none" {
        return Ok(TimeLimit(None));
    }
    let time =
        search_args::parse_milliseconds(text).map_err(|error| format!("{error}, or `none`"))?;
    Ok(TimeLimit(Some(time)))
}

impl SolveArgs {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let state = self.position.game_state()?;
        let settings = self.resources.settings(state.variant(), 0);
        let limits = SearchLimits {
            time: self.time.0,
            ..SearchLimits::NONE
        };
        let solve = match self.value_only {
            true => solve_value,
            false => solve_any,
        };
        let solution = solve(&state, &settings, limits, &StopFlag::new());
        self.print_notes(&solution);
        if self.json {
            let moves = solution.moves.into_iter().map(|(text, value)| SolvedMove {
                text,
                value: value_name(value).into(),
                plies: value.and_then(ExactValue::plies),
            });
            return output::print_json(&SolvedPosition {
                value: value_name(solution.value).into(),
                plies: solution.value.and_then(ExactValue::plies),
                moves: moves.collect(),
            });
        }
        let value = solution.value.map_or("unknown".into(), proved_value);
        if state.outcome().is_some() {
            return output::print(&format!("{value}: the game is over\n"));
        }
        let width = solution.moves.iter().map(|(mv, _)| mv.len()).max();
        let width = width.unwrap_or_default();
        let mut text = value + "\n";
        for (mv, value) in &solution.moves {
            let effect =
                value.map_or_else(|| "unknown".into(), |value| move_value(Value::Exact(value)));
            text += &format!("{mv:<width$}  {effect}\n");
        }
        output::print(&text)
    }

    /// Prints remarks about moves that weren't solved.
    fn print_notes(&self, solution: &SolveResult<String>) {
        let (solved, total) = (&solution.moves, solution.moves.len());
        let unsolved = solved.iter().filter(|(_, value)| value.is_none()).count();
        match (&solution.note, self.time.0.map(|time| time.as_millis())) {
            (Some(note), _) => output::note(&search_args::note_with_advice(note)),
            (None, Some(time)) if solution.value.is_none() => {
                output::note(&format!("not solved in {time} ms; allow more with --time"));
            }
            (None, Some(time)) if unsolved > 0 => output::note(&format!(
                "{unsolved} of {total} moves not solved in {time} ms; allow more with --time"
            )),
            _ => {}
        }
    }
}

fn value_name(value: Option<ExactValue>) -> &'static str {
    value.map_or("unknown", |value| value.game_value().as_str())
}
