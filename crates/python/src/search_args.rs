//! Conversion of arguments for searches: limits, threads, memory, seeds. Their bounds are the same as
//! on the command line.

use std::time::Duration;

use noughts_engine::{BotSettings, SearchLimits};
use noughts_rules::Variant;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat};

use crate::errors::NoughtsError;
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
    let Some(number) = as_index(value)? else {
        return Err(PyTypeError::new_err(format!(
            "{name} must be a whole number from {min} to {max}, not {value}",
            value = describe_type(value)
        )));
    };
    let number: Option<u64> = number.extract().ok();
    let number = number.filter(|number| (min..=max).contains(number));
    number.ok_or_else(|| {
        NoughtsError::new_err(format!(
            "{name} must be a whole number from {min} to {max}, not {value}",
            value = repr_for_message(value)
        ))
    })
}

fn parse_seconds(value: &Bound<'_, PyAny>) -> PyResult<Duration> {
    let number = if value.is_instance_of::<PyBool>() {
        None
    } else if let Ok(float) = value.cast::<PyFloat>() {
        Some(float.extract())
    } else if value.hasattr("__float__")? || value.hasattr("__index__")? {
        Some(value.extract::<f64>())
    } else {
        None
    };
    let Some(number) = number else {
        return Err(PyTypeError::new_err(format!(
            "time must be a number of seconds, not {value}",
            value = describe_type(value)
        )));
    };
    let number = match number {
        // An integer may be too large for a float.
        Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => f64::INFINITY,
        Err(error) if is_unsupported(value.py(), &error) => f64::NAN,
        number => number?,
    };
    if number > 0.0 && number <= MAX_SECONDS {
        return Ok(Duration::from_secs_f64(number));
    }
    Err(NoughtsError::new_err(format!(
        "time must be more than 0 and at most {MAX_SECONDS} seconds (one year), not {value}",
        value = repr_for_message(value)
    )))
}

/// Search limits from separate arguments.
pub(crate) fn parse_limits(
    time: Option<&Bound<'_, PyAny>>,
    nodes: Option<&Bound<'_, PyAny>>,
    depth: Option<&Bound<'_, PyAny>>,
) -> PyResult<SearchLimits> {
    let max = u64::from(u32::MAX);
    let depth = depth
        .map(|depth| parse_integer("depth", depth, 1, max))
        .transpose()?;
    Ok(SearchLimits {
        time: time.map(parse_seconds).transpose()?,
        nodes: nodes
            .map(|nodes| parse_integer("nodes", nodes, 1, u64::MAX))
            .transpose()?,
        depth: depth.and_then(|depth| u32::try_from(depth).ok()),
    })
}

/// Search limits from a dictionary with the keys `time`, `nodes` and `depth`.
pub(crate) fn parse_limits_dict(value: &Bound<'_, PyDict>) -> PyResult<SearchLimits> {
    const NAMES: [&str; 3] = ["time", "nodes", "depth"];
    for name in value.keys() {
        let name = name.str()?;
        if !NAMES.contains(&&*name.to_cow()?) {
            return Err(PyTypeError::new_err(format!(
                "there is no limit {name:?}; the limits are time, nodes and depth",
                name = name.to_cow()?
            )));
        }
    }
    let [time, nodes, depth] = NAMES.map(|name| -> PyResult<Option<Bound<'_, PyAny>>> {
        let limit = value.get_item(name)?;
        Ok(limit.filter(|limit| !limit.is_none()))
    });
    parse_limits(time?.as_ref(), nodes?.as_ref(), depth?.as_ref())
}

/// Raises an error if these aren't valid search limits.
#[pyfunction]
pub(crate) fn check_limits(limits: &Bound<'_, PyDict>) -> PyResult<()> {
    parse_limits_dict(limits).map(drop)
}

pub(crate) fn parse_threads(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    Ok(parse_integer("threads", value, 1, MAX_THREADS)? as usize)
}

pub(crate) fn parse_seed(value: &Bound<'_, PyAny>) -> PyResult<u64> {
    parse_integer("seed", value, 0, u64::MAX)
}

/// Settings for a bot or solver of this game; missing arguments get their defaults.
pub(crate) fn parse_settings(
    py: Python<'_>,
    variant: Variant,
    seed: Option<&Bound<'_, PyAny>>,
    threads: Option<&Bound<'_, PyAny>>,
    memory: Option<&Bound<'_, PyAny>>,
    tables: Option<&Bound<'_, PyAny>>,
) -> PyResult<BotSettings> {
    let defaults = BotSettings::default();
    let memory = memory.map(|memory| parse_integer("memory", memory, 1, MAX_MEMORY));
    Ok(BotSettings {
        seed: seed.map_or(Ok(defaults.seed), parse_seed)?,
        threads: threads.map_or(Ok(defaults.threads), parse_threads)?,
        memory: memory
            .transpose()?
            .map_or(defaults.memory, |mebibytes| (mebibytes as usize) << 20),
        tablebases: tablebase::parse_tables(py, variant, tables)?,
    })
}
