//! Converts the arguments that `arena.py` has checked into a plan.

use std::collections::HashMap;
use std::sync::Arc;

use noughts_arena::{
    Adjudication, AgreementThreshold, BotSource, BotSpec, BotsFile, Format, Openings, Plan,
    Protocol, Scoring, Sprt,
};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::errors::{BotError, PlanError, Raise};
use crate::game_args;

/// Bots agree on a win from this evaluation on, as on the command line.
const WIN_THRESHOLD: f64 = 0.9;
/// Bots agree on a draw up to this evaluation.
const DRAW_THRESHOLD: f64 = 0.05;

/// The dictionary made by `_plan_args` in `arena.py`, which has checked the types of its values.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(super) struct PlanArgs<'py> {
    game: Bound<'py, PyAny>,
    /// Bot descriptions, or `_PythonBot` objects with their names.
    bots: Vec<(Bound<'py, PyAny>, String)>,
    gauntlet: bool,
    rounds: u32,
    /// The kind of openings, and their number of plies.
    openings: Option<(String, u32)>,
    opening_list: Option<Vec<String>>,
    time_control: String,
    margin_ms: u64,
    patience_ms: u64,
    seed: u64,
    move_limit: Option<u32>,
    adjudicate: bool,
    agree_win: Option<u32>,
    agree_draw: Option<u32>,
    penalty: bool,
    sprt: Option<(f64, f64, f64, f64)>,
    concurrency: Option<usize>,
}

/// Python bots by their names in the plan.
pub(super) type PythonBots = Arc<BotsByName>;

type BotsByName = HashMap<String, Arc<Py<PyAny>>>;

impl PlanArgs<'_> {
    pub(super) fn plan(&self) -> PyResult<(Plan, PythonBots)> {
        let variant = game_args::parse_variant(&self.game)?;
        let (bots, python_bots) = self.bots()?;
        let threshold =
            |moves: Option<u32>, value| moves.map(|moves| AgreementThreshold { moves, value });
        let sprt = self.sprt.map(|(elo0, elo1, alpha, beta)| Sprt {
            elo0,
            elo1,
            alpha,
            beta,
        });
        if let Some(sprt) = &sprt {
            sprt.check().raise::<PlanError>()?;
        }
        // The GIL allows one thread at a time, and bots needn't be thread-safe.
        let default_concurrency = (!python_bots.is_empty()).then_some(1);
        let plan = Plan {
            variant: variant.to_string(),
            openings: self.openings(&bots),
            bots,
            format: match self.gauntlet {
                true => Format::Gauntlet,
                false => Format::RoundRobin,
            },
            rounds: self.rounds,
            pace: self.time_control.parse().raise::<PlanError>()?,
            margin_ms: self.margin_ms,
            patience_ms: self.patience_ms,
            seed: self.seed,
            move_limit: self.move_limit,
            adjudication: Adjudication {
                exact: self.adjudicate,
                win: threshold(self.agree_win, WIN_THRESHOLD),
                draw: threshold(self.agree_draw, DRAW_THRESHOLD),
            },
            scoring: match self.penalty {
                true => Scoring::Penalty,
                false => Scoring::Points,
            },
            sprt,
            concurrency: self.concurrency.or(default_concurrency),
        };
        Ok((plan, Arc::new(python_bots)))
    }

    fn bots(&self) -> PyResult<(Vec<BotSpec>, BotsByName)> {
        let mut specs: Vec<BotSpec> = Vec::new();
        let mut python_bots = HashMap::new();
        for (bot, name) in &self.bots {
            let (mut spec, python_bot) = match bot.cast::<PyString>() {
                Ok(text) => {
                    let spec = parse_bot(&text.to_cow()?)?;
                    // A missing program is an error, not a bot that loses all its games.
                    spec.check_available().raise::<BotError>()?;
                    (spec, None)
                }
                Err(_) => {
                    let spec = BotSpec {
                        name: name.clone(),
                        who: BotSource::Guest,
                        pace: None,
                    };
                    (spec, Some(bot))
                }
            };
            spec.name = unique_name(&spec.name, &specs);
            if let Some(python_bot) = python_bot {
                python_bots.insert(spec.name.clone(), Arc::new(python_bot.clone().unbind()));
            }
            specs.push(spec);
        }
        Ok((specs, python_bots))
    }

    /// The default is two random moves, or none with CodinGame bots, which only know games from the start.
    fn openings(&self, bots: &[BotSpec]) -> Openings {
        if let Some(list) = &self.opening_list {
            return Openings::List(list.clone());
        }
        let has_codingame = bots.iter().any(|bot| match &bot.who {
            BotSource::Program(program) => program.protocol == Protocol::Codingame,
            BotSource::Ours(_) | BotSource::Guest => false,
        });
        match &self.openings {
            None if has_codingame => Openings::Start,
            None => Openings::Random(2),
            Some((kind, plies)) => match kind.as_str() {
                "random" => Openings::Random(*plies),
                "all" => Openings::All(*plies),
                _ => Openings::Start,
            },
        }
    }
}

/// Parses a bot's description, as on the command line.
pub(super) fn parse_bot(text: &str) -> PyResult<BotSpec> {
    BotSpec::parse(text, &BotsFile::default()).raise::<BotError>()
}

/// The name, with a number if it is already taken: `random`, `random 2`.
fn unique_name(name: &str, others: &[BotSpec]) -> String {
    let is_free = |name: &String| others.iter().all(|other| other.name != *name);
    let numbered = (2..).map(|number| format!("{name} {number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(is_free).unwrap_or_else(|| name.to_owned())
}
