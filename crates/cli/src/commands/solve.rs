//! `noughts solve`: exact values.

use std::time::Duration;

use clap::Args;
use noughts_engine::solve::{SolveResult, solve_any};
use noughts_engine::{ExactValue, SearchLimits, StopFlag};
use serde::Serialize;

use crate::error::Error;
use crate::output;
use crate::position::PositionArgs;
use crate::thinking::{self, ResourceArgs};

/// Print the exact value of a position and of its moves
///
/// The value is the side to move's, and so is each move's: it counts the move
/// itself. What cannot be proved in the time is unknown, never guessed.
#[derive(Args)]
#[command(after_help = "Example: noughts solve classic --moves \"b2 a1\"")]
pub(crate) struct Solve {
    #[command(flatten)]
    position: PositionArgs,

    /// Try so many milliseconds; `none` sets no limit.
    #[arg(long, value_name = "MS", value_parser = patience, default_value = "10000", allow_negative_numbers = true)]
    time: Patience,

    #[command(flatten)]
    resources: ResourceArgs,

    /// Print one JSON object on one line.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy)]
struct Patience(Option<Duration>);

fn patience(text: &str) -> Result<Patience, String> {
    if text == "none" {
        return Ok(Patience(None));
    }
    let time = thinking::milliseconds(text).map_err(|error| format!("{error}, or `none`"))?;
    Ok(Patience(Some(time)))
}

/// What `--json` prints.
#[derive(Serialize)]
struct Solved {
    value: &'static str,
    plies: Option<u32>,
    moves: Vec<SolvedMove>,
}

#[derive(Serialize)]
struct SolvedMove {
    #[serde(rename = "move")]
    mv: String,
    value: &'static str,
    plies: Option<u32>,
}

impl Solve {
    pub(crate) fn run(&self) -> Result<(), Error> {
        let play = self.position.game_state()?;
        let settings = self.resources.settings(play.variant(), 0);
        let limits = SearchLimits {
            time: self.time.0,
            ..SearchLimits::NONE
        };
        let solution = solve_any(&play, &settings, limits, &StopFlag::new());
        self.tell(&solution);
        if self.json {
            return output::print_json(&Solved {
                value: word(solution.value),
                plies: solution.value.and_then(ExactValue::plies),
                moves: solution.moves.into_iter().map(SolvedMove::of).collect(),
            });
        }
        if play.outcome().is_some() {
            return output::print(&format!("{}: the game is over\n", word(solution.value)));
        }
        let width = solution.moves.iter().map(|(mv, _)| mv.len()).max();
        let width = width.unwrap_or_default();
        let mut text = sentence(solution.value) + "\n";
        for (mv, value) in &solution.moves {
            text += &format!("{mv:<width$}  {}\n", sentence(*value));
        }
        output::print(&text)
    }

    /// What is to be said besides.
    fn tell(&self, solution: &SolveResult<String>) {
        match (&solution.note, solution.value, self.time.0) {
            (Some(note), _, _) => output::note(note),
            (None, None, Some(time)) => {
                let time = time.as_millis();
                output::note(&format!("not solved in {time} ms; --time gives it more"));
            }
            (None, Some(_), Some(time))
                if solution.moves.iter().any(|(_, value)| value.is_none()) =>
            {
                let open = solution
                    .moves
                    .iter()
                    .filter(|(_, value)| value.is_none())
                    .count();
                let (time, all) = (time.as_millis(), solution.moves.len());
                output::note(&format!(
                    "{open} of {all} moves not solved in {time} ms; --time gives them more"
                ));
            }
            _ => {}
        }
    }
}

impl SolvedMove {
    fn of((mv, value): (String, Option<ExactValue>)) -> SolvedMove {
        SolvedMove {
            mv,
            value: word(value),
            plies: value.and_then(ExactValue::plies),
        }
    }
}

fn word(value: Option<ExactValue>) -> &'static str {
    value.map_or("unknown", |value| value.game_value().as_str())
}

/// `win in 5 plies`, `draw`, `unknown`.
fn sentence(value: Option<ExactValue>) -> String {
    let word = word(value);
    match value.and_then(ExactValue::plies) {
        None => word.into(),
        Some(1) => format!("{word} in 1 ply"),
        Some(plies) => format!("{word} in {plies} plies"),
    }
}
