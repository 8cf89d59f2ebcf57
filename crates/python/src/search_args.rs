//! Conversion of arguments for searches: limits, threads, memory, seeds. Their bounds are the same as
//! on the command line.

use std::time::Duration;

use noughts_engine::{BotSettings, SearchLimits};
use noughts_rules::Variant;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat};

use crate::errors::{Exception, NoughtsError, Raise};
use crate::game_args::{as_index, describe_type, is_unsupported, repr_for_message};
use crate::tablebase;

/// More threads than most machines have cores, but few enough to start safely.
const MAX_THREADS: u64 = 512;

/// In MiB.
pub(crate) const MAX_MEMORY: u64 = 65_536;

/// One year.
const MAX_SECONDS: f64 = 365.0 * 24.0 * 3600.0;

/// An integer from `min` to `max`.
pub(crate) fn parse_integer(
    name: &str,
    value: &Bound<'_, PyAny>,
    min: u64,
    max: u64,
) -> PyResult<u64> {
    parse_integer_as::<NoughtsError>(name, value, min, max)
}

/// An integer from `min` to `max`; any other raises an `E`.
pub(crate) fn parse_integer_as<E: Exception>(
    name: &str,
    value: &Bound<'_, PyAny>,
    min: u64,
    max: u64,
) -> PyResult<u64> {
    let message =
        |value: String| format!("{name} must be a whole number from {min} to {max}, not {value}");
    let Some(number) = as_index(value)? else {
        return Err(PyTypeError::new_err(message(describe_type(value))));
    };
    let number: Option<u64> = number.extract().ok();
    let number = number.filter(|number| (min..=max).contains(number));
    number
        .ok_or_else(|| message(repr_for_message(value)))
        .raise::<E>()
}

/// A number, which may be infinite or NaN. `kind` says what it is: `a number of seconds`.
pub(crate) fn parse_number(name: &str, kind: &str, value: &Bound<'_, PyAny>) -> PyResult<f64> {
    let number = if value.is_instance_of::<PyBool>() {
        None
    } else if let Ok(float) = value.cast::<PyFloat>() {
        Some(float.extract())
    } else if value.hasattr("__float__")? || value.hasattr("__index__")? {
        Some(value.extract::<f64>())
    } else {
        None
    };
    match number {
        None => Err(PyTypeError::new_err(format!(
            "{name} must be {kind}, not {value}",
            value = describe_type(value)
        ))),
        // An integer may be too large for a float.
        Some(Err(error)) if error.is_instance_of::<PyOverflowError>(value.py()) => {
            Ok(f64::INFINITY)
        }
        Some(Err(error)) if is_unsupported(value.py(), &error) => Ok(f64::NAN),
        Some(number) => number,
    }
}

fn parse_seconds(value: &Bound<'_, PyAny>) -> PyResult<Duration> {
    let number = parse_number("time", "a number of seconds", value)?;
    if number > 0.0 && number <= MAX_SECONDS {
        return Ok(Duration::from_secs_f64(number));
    }
    Err(NoughtsError::new_err(format!(
        "time must be more than 0 and at most {MAX_SECONDS} seconds (one year), not {value}",
        value = repr_for_message(value)
    )))
}

/// The keyword arguments of a search. A missing one and `None` mean the default.
pub(crate) struct SearchOptions<'a, 'py>(Option<&'a Bound<'py, PyDict>>);

impl<'a, 'py> SearchOptions<'a, 'py> {
    /// Accepts the arguments with these names.
    pub(crate) fn new(
        options: Option<&'a Bound<'py, PyDict>>,
        names: &[&str],
    ) -> PyResult<SearchOptions<'a, 'py>> {
        match unknown_name(options, names)? {
            None => Ok(SearchOptions(options)),
            Some(name) => Err(PyTypeError::new_err(format!(
                "unexpected keyword argument '{name}'; use one of {names}",
                names = noughts_text::join_and(names)
            ))),
        }
    }

    pub(crate) fn get(&self, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(options) = self.0 else {
            return Ok(None);
        };
        Ok(options.get_item(name)?.filter(|value| !value.is_none()))
    }

    fn get_as<T>(
        &self,
        name: &str,
        parse: impl FnOnce(&Bound<'py, PyAny>) -> PyResult<T>,
    ) -> PyResult<Option<T>> {
        let value = self.get(name)?;
        value.map(|value| parse(&value)).transpose()
    }

    /// The arguments `time`, `nodes` and `depth`.
    pub(crate) fn limits(&self) -> PyResult<SearchLimits> {
        let max_depth = u64::from(u32::MAX);
        let depth = self.get_as("depth", |depth| parse_integer("depth", depth, 1, max_depth))?;
        Ok(SearchLimits {
            time: self.get_as("time", parse_seconds)?,
            nodes: self.get_as("nodes", |nodes| parse_integer("nodes", nodes, 1, u64::MAX))?,
            depth: depth.map(|depth| depth as u32),
        })
    }

    /// The arguments `seed`, `threads`, `memory` and `tablebase`, for a bot or solver of this game.
    pub(crate) fn settings(&self, py: Python<'_>, variant: Variant) -> PyResult<BotSettings> {
        let defaults = BotSettings::default();
        let memory = self.get_as("memory", |memory| {
            parse_integer("memory", memory, 1, MAX_MEMORY)
        })?;
        let tablebase = self.get("tablebase")?;
        Ok(BotSettings {
            seed: self.get_as("seed", parse_seed)?.unwrap_or(defaults.seed),
            threads: self
                .get_as("threads", parse_threads)?
                .unwrap_or(defaults.threads),
            memory: memory.map_or(defaults.memory, |mebibytes| (mebibytes as usize) << 20),
            tablebases: tablebase::parse_tablebase(py, variant, tablebase.as_ref())?,
        })
    }
}

/// A name that isn't one of these.
fn unknown_name(options: Option<&Bound<'_, PyDict>>, names: &[&str]) -> PyResult<Option<String>> {
    for name in options.into_iter().flat_map(PyDictMethods::keys) {
        let name = name.str()?.to_cow()?.into_owned();
        if !names.contains(&name.as_str()) {
            return Ok(Some(name));
        }
    }
    Ok(None)
}

/// Search limits: a dictionary with the keys `time`, `nodes` and `depth`.
pub(crate) fn parse_limits(limits: Option<&Bound<'_, PyDict>>) -> PyResult<SearchLimits> {
    match unknown_name(limits, &["time", "nodes", "depth"])? {
        None => SearchOptions(limits).limits(),
        Some(name) => Err(PyTypeError::new_err(format!(
            "unknown limit {name:?}; use time, nodes or depth"
        ))),
    }
}

/// Raises an error if these aren't valid search limits.
#[pyfunction]
pub(crate) fn check_limits(limits: &Bound<'_, PyDict>) -> PyResult<()> {
    parse_limits(Some(limits)).map(drop)
}

pub(crate) fn parse_threads(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    Ok(parse_integer("threads", value, 1, MAX_THREADS)? as usize)
}

pub(crate) fn parse_seed(value: &Bound<'_, PyAny>) -> PyResult<u64> {
    parse_integer("seed", value, 0, u64::MAX)
}
