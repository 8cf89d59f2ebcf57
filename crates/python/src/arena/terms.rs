//! What `arena.py` asks for, as a plan.

use std::collections::HashMap;
use std::sync::Arc;

use noughts_arena::{
    Adjudication, AgreementThreshold, BotSource, BotSpec, BotsFile, Format, Openings, Plan,
    Protocol, Scoring, Sprt,
};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::errors::{BotError, PlanError, Raise};
use crate::word;

/// A bot's own word counts for a win from here on, as on the command line.
const SURE: f64 = 0.9;
/// And for a draw up to here.
const EVEN: f64 = 0.05;

/// A dictionary, its values checked for their types already.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(super) struct Terms<'py> {
    game: Bound<'py, PyAny>,
    /// Texts, or what brings a Python object along; and what to call these.
    bots: Vec<(Bound<'py, PyAny>, String)>,
    gauntlet: bool,
    rounds: u32,
    /// The kind of openings, and how many moves.
    openings: Option<(String, u32)>,
    opening_list: Option<Vec<String>>,
    pace: String,
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

/// Python objects that play, by the names they have in the plan.
pub(super) type Guests = Arc<ByName>;

type ByName = HashMap<String, Arc<Py<PyAny>>>;

impl Terms<'_> {
    pub(super) fn plan(&self) -> PyResult<(Plan, Guests)> {
        let variant = word::variant(&self.game)?;
        let (bots, guests) = self.bots()?;
        let agreed =
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
        // Python runs one thread at a time, and objects need not expect several.
        let usual = (!guests.is_empty()).then_some(1);
        let plan = Plan {
            variant: variant.to_string(),
            openings: self.openings(&bots),
            bots,
            format: match self.gauntlet {
                true => Format::Gauntlet,
                false => Format::RoundRobin,
            },
            rounds: self.rounds,
            pace: self.pace.parse().raise::<PlanError>()?,
            margin_ms: self.margin_ms,
            patience_ms: self.patience_ms,
            seed: self.seed,
            move_limit: self.move_limit,
            adjudication: Adjudication {
                exact: self.adjudicate,
                win: agreed(self.agree_win, SURE),
                draw: agreed(self.agree_draw, EVEN),
            },
            scoring: match self.penalty {
                true => Scoring::Penalty,
                false => Scoring::Points,
            },
            sprt,
            concurrency: self.concurrency.or(usual),
        };
        Ok((plan, Arc::new(guests)))
    }

    fn bots(&self) -> PyResult<(Vec<BotSpec>, ByName)> {
        let mut specs: Vec<BotSpec> = Vec::new();
        let mut guests = HashMap::new();
        for (given, name) in &self.bots {
            let (mut spec, guest) = match given.cast::<PyString>() {
                Ok(text) => {
                    let spec = read(&text.to_cow()?)?;
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
                    (spec, Some(given))
                }
            };
            spec.name = unlike(&spec.name, &specs);
            if let Some(guest) = guest {
                guests.insert(spec.name.clone(), Arc::new(guest.clone().unbind()));
            }
            specs.push(spec);
        }
        Ok((specs, guests))
    }

    /// Where nothing is said, two random moves; CodinGame's bots know nothing of them.
    fn openings(&self, bots: &[BotSpec]) -> Openings {
        if let Some(list) = &self.opening_list {
            return Openings::List(list.clone());
        }
        let from_start = bots.iter().any(|bot| match &bot.who {
            BotSource::Program(program) => program.protocol == Protocol::Codingame,
            BotSource::Ours(_) | BotSource::Guest => false,
        });
        match &self.openings {
            None if from_start => Openings::Start,
            None => Openings::Random(2),
            Some((kind, plies)) => match kind.as_str() {
                "random" => Openings::Random(*plies),
                "all" => Openings::All(*plies),
                _ => Openings::Start,
            },
        }
    }
}

/// A bot as on the command line.
pub(super) fn read(text: &str) -> PyResult<BotSpec> {
    BotSpec::parse(text, &BotsFile::default()).raise::<BotError>()
}

/// The name, or one that nobody has yet: `random`, `random 2`.
fn unlike(name: &str, others: &[BotSpec]) -> String {
    let free = |name: &String| others.iter().all(|other| other.name != *name);
    let numbered = (2..).map(|number| format!("{name} {number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(free).unwrap_or_else(|| name.to_owned())
}
