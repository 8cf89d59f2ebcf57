//! What may be spent and used: numbers from outside, each with the bounds that it has on the
//! command line.

use std::time::Duration;

use noughts_engine::{BotSettings, SearchLimits};
use noughts_rules::Variant;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat};

use crate::errors::NoughtsError;
use crate::table;
use crate::word::{index, kind, says_no, shown};

/// More threads than any machine has, and still not a threat to it.
const MOST_THREADS: u64 = 512;

/// MiB.
pub(crate) const MOST_MEMORY: u64 = 65_536;

/// A year.
const MOST_SECONDS: f64 = 365.0 * 24.0 * 3600.0;

/// A whole number of these bounds.
pub(crate) fn whole(what: &str, given: &Bound<'_, PyAny>, least: u64, most: u64) -> PyResult<u64> {
    let Some(number) = index(given)? else {
        return Err(PyTypeError::new_err(format!(
            "{what} must be a whole number from {least} to {most}, not {}",
            kind(given)
        )));
    };
    let number: Option<u64> = number.extract().ok();
    let number = number.filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| {
        NoughtsError::new_err(format!(
            "{what} must be a whole number from {least} to {most}, not {}",
            shown(given)
        ))
    })
}

/// A time in seconds.
fn seconds(given: &Bound<'_, PyAny>) -> PyResult<Duration> {
    let number = if given.is_instance_of::<PyBool>() {
        None
    } else if let Ok(float) = given.cast::<PyFloat>() {
        Some(float.extract())
    } else if given.hasattr("__float__")? || given.hasattr("__index__")? {
        Some(given.extract::<f64>())
    } else {
        None
    };
    let Some(number) = number else {
        return Err(PyTypeError::new_err(format!(
            "time must be a number of seconds, not {}",
            kind(given)
        )));
    };
    let number = match number {
        // A whole number may be too large for a float.
        Err(error) if error.is_instance_of::<PyOverflowError>(given.py()) => f64::INFINITY,
        Err(error) if says_no(given.py(), &error) => f64::NAN,
        number => number?,
    };
    if number > 0.0 && number <= MOST_SECONDS {
        return Ok(Duration::from_secs_f64(number));
    }
    Err(NoughtsError::new_err(format!(
        "time must be a number of seconds above 0 and at most {MOST_SECONDS}, a year, not {}",
        shown(given)
    )))
}

/// What may be spent, each as it was given.
pub(crate) fn limits(
    time: Option<&Bound<'_, PyAny>>,
    nodes: Option<&Bound<'_, PyAny>>,
    depth: Option<&Bound<'_, PyAny>>,
) -> PyResult<SearchLimits> {
    let most = u64::from(u32::MAX);
    let depth = depth
        .map(|depth| whole("depth", depth, 1, most))
        .transpose()?;
    Ok(SearchLimits {
        time: time.map(seconds).transpose()?,
        nodes: nodes
            .map(|nodes| whole("nodes", nodes, 1, u64::MAX))
            .transpose()?,
        depth: depth.and_then(|depth| u32::try_from(depth).ok()),
    })
}

/// The same in a dictionary.
pub(crate) fn named_limits(given: &Bound<'_, PyDict>) -> PyResult<SearchLimits> {
    const NAMES: [&str; 3] = ["time", "nodes", "depth"];
    for name in given.keys() {
        let name = name.str()?;
        if !NAMES.contains(&&*name.to_cow()?) {
            return Err(PyTypeError::new_err(format!(
                "there is no limit {:?}: limits are time, nodes and depth",
                name.to_cow()?
            )));
        }
    }
    let [time, nodes, depth] = NAMES.map(|name| -> PyResult<Option<Bound<'_, PyAny>>> {
        let limit = given.get_item(name)?;
        Ok(limit.filter(|limit| !limit.is_none()))
    });
    limits(time?.as_ref(), nodes?.as_ref(), depth?.as_ref())
}

/// Are these limits that bots understand? An error says what is wrong with them.
#[pyfunction]
pub(crate) fn check_limits(limits: &Bound<'_, PyDict>) -> PyResult<()> {
    named_limits(limits).map(drop)
}

/// A number of threads.
pub(crate) fn threads(given: &Bound<'_, PyAny>) -> PyResult<usize> {
    Ok(whole("threads", given, 1, MOST_THREADS)? as usize)
}

/// Any number of 64 bits.
pub(crate) fn seed(given: &Bound<'_, PyAny>) -> PyResult<u64> {
    whole("seed", given, 0, u64::MAX)
}

/// What a bot or solver of this game is made with; what is not given is as usual.
pub(crate) fn settings(
    py: Python<'_>,
    variant: Variant,
    seed_given: Option<&Bound<'_, PyAny>>,
    threads_given: Option<&Bound<'_, PyAny>>,
    memory: Option<&Bound<'_, PyAny>>,
    tables: Option<&Bound<'_, PyAny>>,
) -> PyResult<BotSettings> {
    let usual = BotSettings::default();
    let memory = memory.map(|memory| whole("memory", memory, 1, MOST_MEMORY));
    Ok(BotSettings {
        seed: seed_given.map_or(Ok(usual.seed), seed)?,
        threads: threads_given.map_or(Ok(usual.threads), threads)?,
        memory: memory
            .transpose()?
            .map_or(usual.memory, |mebibytes| (mebibytes as usize) << 20),
        tablebases: table::given(py, variant, tables)?,
    })
}
