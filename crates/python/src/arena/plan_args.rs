//! Converts the arguments of `match`, `tournament` and `sprt` into a plan.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use noughts_arena::{
    Adjudication, AgreementThreshold, BotSource, BotSpec, BotsFile, Format, Openings, Plan,
    Scoring, Sprt, TimeControl,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::errors::{BotError, PlanError, Raise};
use crate::game_args::{self, describe_type, repr_for_message};
use crate::position::Position;
use crate::search_args::{self, parse_number};

/// Bots agree on a win from this evaluation on, as on the command line.
const WIN_THRESHOLD: f64 = 0.9;
/// Bots agree on a draw up to this evaluation.
const DRAW_THRESHOLD: f64 = 0.05;
/// 30 days.
const MAX_SECONDS: f64 = 30.0 * 24.0 * 3600.0;

/// The arguments, as given or with their defaults.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct PlanArgs<'py> {
    game: Bound<'py, PyAny>,
    /// Bot descriptions, or `PythonBot` objects.
    bots: Vec<Bound<'py, PyAny>>,
    games: Bound<'py, PyAny>,
    format: Bound<'py, PyAny>,
    sprt: Option<[Bound<'py, PyAny>; 4]>,
    time: Option<Bound<'py, PyAny>>,
    tc: Option<Bound<'py, PyAny>>,
    nodes: Option<Bound<'py, PyAny>>,
    depth: Option<Bound<'py, PyAny>>,
    openings: Option<Bound<'py, PyAny>>,
    seed: Bound<'py, PyAny>,
    concurrency: Option<Bound<'py, PyAny>>,
    move_limit: Option<Bound<'py, PyAny>>,
    margin: Bound<'py, PyAny>,
    patience: Bound<'py, PyAny>,
    adjudicate: bool,
    agree_win: Option<Bound<'py, PyAny>>,
    agree_draw: Option<Bound<'py, PyAny>>,
    scoring: Bound<'py, PyAny>,
}

/// Python bots by their names in the plan.
pub(super) type PythonBots = Arc<BotsByName>;

type BotsByName = HashMap<String, Arc<Py<PyAny>>>;

impl PlanArgs<'_> {
    pub(super) fn plan(&self) -> PyResult<(Plan, PythonBots)> {
        let variant = game_args::parse_variant(&self.game)?;
        let games = parse_integer("games", &self.games, 2, 2 * u64::from(u32::MAX))?;
        if !games.is_multiple_of(2) {
            return Err(PlanError::new_err(format!(
                "games must be an even number, not {games}: games are played in pairs, and each bot plays X once in a pair"
            )));
        }
        let (bots, python_bots) = self.bots()?;
        let count = |name, value: &Option<Bound<'_, PyAny>>, max| {
            let count = value
                .as_ref()
                .map(|value| parse_integer(name, value, 1, max));
            count.transpose()
        };
        let small_count = |name, value| {
            let number = count(name, value, u64::from(u32::MAX))?;
            PyResult::Ok(number.map(|number| number as u32))
        };
        let threshold = |name, moves, value| {
            let moves = small_count(name, moves)?;
            PyResult::Ok(moves.map(|moves| AgreementThreshold { moves, value }))
        };
        // The GIL allows one thread at a time, and bots needn't be thread-safe.
        let default_concurrency = (!python_bots.is_empty()).then_some(1);
        let concurrency = count("concurrency", &self.concurrency, 4096)?;
        let plan = Plan {
            variant: variant.to_string(),
            openings: self.openings(&bots)?,
            bots,
            format: parse_choice(
                "format",
                &self.format,
                [
                    ("round-robin", Format::RoundRobin),
                    ("gauntlet", Format::Gauntlet),
                ],
            )?,
            rounds: (games / 2) as u32,
            time_control: self.time_control()?,
            margin_ms: parse_milliseconds("margin", &self.margin)?,
            patience_ms: parse_milliseconds("patience", &self.patience)?,
            seed: parse_integer("seed", &self.seed, 0, u64::MAX)?,
            move_limit: small_count("move_limit", &self.move_limit)?,
            adjudication: Adjudication {
                exact: self.adjudicate,
                win: threshold("agree_win", &self.agree_win, WIN_THRESHOLD)?,
                draw: threshold("agree_draw", &self.agree_draw, DRAW_THRESHOLD)?,
            },
            scoring: parse_choice(
                "scoring",
                &self.scoring,
                [("points", Scoring::Points), ("penalty", Scoring::Penalty)],
            )?,
            sprt: self.sprt()?,
            concurrency: concurrency.map(|n| n as usize).or(default_concurrency),
        };
        Ok((plan, Arc::new(python_bots)))
    }

    fn sprt(&self) -> PyResult<Option<Sprt>> {
        let Some([elo0, elo1, alpha, beta]) = &self.sprt else {
            return Ok(None);
        };
        let sprt = Sprt {
            elo0: parse_number("elo0", "a number", elo0)?,
            elo1: parse_number("elo1", "a number", elo1)?,
            alpha: parse_number("alpha", "a number", alpha)?,
            beta: parse_number("beta", "a number", beta)?,
        };
        sprt.check().raise::<PlanError>()?;
        Ok(Some(sprt))
    }

    fn bots(&self) -> PyResult<(Vec<BotSpec>, BotsByName)> {
        let mut specs: Vec<BotSpec> = Vec::new();
        let mut python_bots = HashMap::new();
        for bot in &self.bots {
            if let Ok(text) = bot.cast::<PyString>() {
                let mut spec = parse_bot(&text.to_cow()?)?;
                // A missing program is an error, not a bot that loses all its games.
                spec.check_available().raise::<BotError>()?;
                spec.name = unique_name(&spec.name, &specs);
                specs.push(spec);
            } else {
                let name = unique_name(&bot.getattr("name")?.extract::<String>()?, &specs);
                python_bots.insert(name.clone(), Arc::new(bot.clone().unbind()));
                specs.push(BotSpec {
                    name,
                    source: BotSource::Custom,
                    time_control: None,
                });
            }
        }
        Ok((specs, python_bots))
    }

    fn time_control(&self) -> PyResult<TimeControl> {
        let given = [
            ("time", &self.time),
            ("tc", &self.tc),
            ("nodes", &self.nodes),
            ("depth", &self.depth),
        ];
        let given: Vec<_> = given
            .into_iter()
            .filter_map(|(name, value)| Some((name, value.as_ref()?)))
            .collect();
        let text = match given[..] {
            [] => "time=100ms".to_owned(),
            [(name, value)] => match name {
                "nodes" => format!("nodes={}", parse_integer(name, value, 1, u64::MAX)?),
                "depth" => {
                    let max = u64::from(u32::MAX);
                    format!("depth={}", parse_integer(name, value, 1, max)?)
                }
                _ if value.is_instance_of::<PyString>() => format!("{name}={value}"),
                "time" => format!("time={:.6}s", parse_seconds(name, value)?),
                _ => {
                    let pair = value.extract::<[Bound<'_, PyAny>; 2]>();
                    let [base, increment] = pair.map_err(|_| {
                        PyTypeError::new_err(format!(
                            "tc must be a string such as '10s+100ms' or (base, increment), not {value}",
                            value = describe_type(value)
                        ))
                    })?;
                    format!(
                        "tc={base:.6}s+{increment:.6}s",
                        base = parse_seconds("the base of tc", &base)?,
                        increment = parse_seconds("the increment of tc", &increment)?
                    )
                }
            },
            _ => {
                let names: Vec<&str> = given.iter().map(|(name, _)| *name).collect();
                return Err(PlanError::new_err(format!(
                    "{names} can't be combined; pass only one of time, tc, nodes and depth",
                    names = names.join(" and ")
                )));
            }
        };
        text.parse().raise::<PlanError>()
    }

    fn openings(&self, bots: &[BotSpec]) -> PyResult<Openings> {
        let Some(openings) = &self.openings else {
            return Ok(Openings::default_for(bots));
        };
        if let Ok(text) = openings.cast::<PyString>() {
            let text = text.to_cow()?;
            let (kind, plies) = text.split_once(':').unwrap_or((&text, ""));
            return match (kind, plies.parse()) {
                ("start", _) if plies.is_empty() => Ok(Openings::Start),
                ("random", Ok(plies)) => Ok(Openings::Random(plies)),
                ("all", Ok(plies)) => Ok(Openings::All(plies)),
                _ => Err(PlanError::new_err(format!(
                    "openings must be 'start', 'random:PLIES', 'all:PLIES' or a list of positions \
                     or moves, not {text}",
                    text = repr_for_message(openings)
                ))),
            };
        }
        let Ok(listed) = openings.try_iter() else {
            return Err(PyTypeError::new_err(format!(
                "openings must be a string or a list, not {value}",
                value = describe_type(openings)
            )));
        };
        let listed = listed.map(|opening| {
            let opening = opening?;
            match (opening.cast::<PyString>(), opening.cast::<Position>()) {
                (Ok(text), _) => Ok(text.to_cow()?.into_owned()),
                (_, Ok(position)) => Ok(position.get().state().position_text()),
                _ => Err(PyTypeError::new_err(format!(
                    "an opening must be a string or a noughts.Position, not {value}",
                    value = describe_type(&opening)
                ))),
            }
        });
        Ok(Openings::List(listed.collect::<PyResult<_>>()?))
    }
}

pub(super) fn parse_integer(
    name: &str,
    value: &Bound<'_, PyAny>,
    min: u64,
    max: u64,
) -> PyResult<u64> {
    search_args::parse_integer_as::<PlanError>(name, value, min, max)
}

fn parse_choice<T, const N: usize>(
    name: &str,
    value: &Bound<'_, PyAny>,
    choices: [(&str, T); N],
) -> PyResult<T> {
    let names = choices.each_ref().map(|(word, _)| format!("'{word}'"));
    let word = value.extract::<String>().unwrap_or_default();
    let found = choices.into_iter().find(|(choice, _)| *choice == word);
    found.map(|(_, choice)| choice).ok_or_else(|| {
        PlanError::new_err(format!(
            "{name} must be {names}, not {value}",
            names = names.join(" or "),
            value = repr_for_message(value)
        ))
    })
}

/// Seconds from 0 to [`MAX_SECONDS`].
fn parse_seconds(name: &str, value: &Bound<'_, PyAny>) -> PyResult<f64> {
    let seconds = parse_number(name, "a number of seconds", value)?;
    match (0.0..=MAX_SECONDS).contains(&seconds) {
        true => Ok(seconds),
        false => Err(PlanError::new_err(format!(
            "{name} must be from 0 to {MAX_SECONDS} seconds, not {value}",
            value = repr_for_message(value)
        ))),
    }
}

/// A time: seconds, or a string such as `50ms`.
pub(super) fn parse_time(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Duration> {
    let Ok(text) = value.cast::<PyString>() else {
        return Ok(Duration::from_secs_f64(parse_seconds(name, value)?));
    };
    // Only a time control has times as text; an increment may be zero.
    match format!("tc=1s+{text}").parse() {
        Ok(TimeControl::Clock { increment, .. }) => Ok(increment),
        _ => Err(PlanError::new_err(format!(
            "{name} must be a time such as '50ms' or 0.05, not {value}",
            value = repr_for_message(value)
        ))),
    }
}

fn parse_milliseconds(name: &str, value: &Bound<'_, PyAny>) -> PyResult<u64> {
    let time = parse_time(name, value)?;
    Ok((time.as_secs_f64() * 1000.0).round() as u64)
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
