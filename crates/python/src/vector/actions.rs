//! Conversion of a vector's arguments: the index of a game, and arrays of actions.

use noughts_rules::Variant;
use numpy::{PyArray1, PyArrayDescrMethods, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use super::games::action_range_message;
use crate::errors::{IllegalMove, NoughtsError};
use crate::game_args::describe_type;

/// An index into a list of `count` games, counted from the end if negative; `None` if out of range.
pub(super) fn parse_index(value: &Bound<'_, PyAny>, count: usize) -> PyResult<Option<usize>> {
    let number = value.call_method0("__index__").map_err(|_| {
        let kind = describe_type(value);
        PyTypeError::new_err(format!(
            "the index of a game must be a whole number, not {kind}"
        ))
    })?;
    let index: Option<isize> = number.extract().ok();
    Ok(index.and_then(|index| {
        let from_start = if index < 0 {
            count.checked_add_signed(index)
        } else {
            usize::try_from(index).ok()
        };
        from_start.filter(|&index| index < count)
    }))
}

/// Copies one action for each game into `buffer`. Accepts anything that NumPy can read as a list of
/// integers. It copies because Python code could change the original during the step.
pub(super) fn copy_actions(
    value: &Bound<'_, PyAny>,
    count: usize,
    (variant, action_count): (Variant, usize),
    buffer: &mut Vec<i64>,
) -> PyResult<()> {
    buffer.clear();
    if let Ok(array) = value.cast::<PyArray1<i64>>()
        && let Ok(array) = array.try_readonly()
        && let Ok(slice) = array.as_slice()
        && slice.len() == count
    {
        buffer.extend_from_slice(slice);
        return Ok(());
    }
    let py = value.py();
    let numpy = py.import("numpy")?;
    let array = numpy.call_method1("asarray", (value,))?;
    let array = array.cast::<PyUntypedArray>()?;
    if array.shape() != [count] {
        return Err(NoughtsError::new_err(format!(
            "actions must have shape ({count},), one for each game, not {shape}",
            shape = array.as_any().getattr("shape")?
        )));
    }
    let dtype = array.dtype();
    let require = |name: &str| {
        let requirements = ["C_CONTIGUOUS", "ALIGNED", "ENSUREARRAY"];
        numpy.call_method1("require", (array, name, requirements))
    };
    match dtype.kind() {
        b'i' => {
            let array = require("int64")?;
            buffer.extend_from_slice(array.cast::<PyArray1<i64>>()?.try_readonly()?.as_slice()?);
        }
        b'u' => {
            let array = require("uint64")?;
            let array = array.cast::<PyArray1<u64>>()?.try_readonly()?;
            for (game, &action) in array.as_slice()?.iter().enumerate() {
                buffer.push(i64::try_from(action).map_err(|_| {
                    let reason = action_range_message(action, variant, action_count);
                    IllegalMove::new_err(format!("game {game}: {reason}"))
                })?);
            }
        }
        _ => {
            return Err(PyTypeError::new_err(format!(
                "actions must be whole numbers: an array of an integer type, not {dtype}"
            )));
        }
    }
    Ok(())
}
