//! What is given to a vector: the place of a game, and arrays of moves.

use numpy::{PyArray1, PyArrayDescrMethods, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::errors::{IllegalMove, NoughtsError};
use crate::word::kind;

/// A place in a list of `count`; from the end, if it is negative. `None` beyond it.
pub(super) fn place(given: &Bound<'_, PyAny>, count: usize) -> PyResult<Option<usize>> {
    let number = given.call_method0("__index__").map_err(|_| {
        let kind = kind(given);
        PyTypeError::new_err(format!("a game's place is a whole number, not {kind}"))
    })?;
    let place: Option<isize> = number.extract().ok();
    Ok(place.and_then(|place| {
        let from_start = if place < 0 {
            count.checked_add_signed(place)
        } else {
            usize::try_from(place).ok()
        };
        from_start.filter(|&place| place < count)
    }))
}

/// Copies one move for each game. Whatever NumPy can read as a list of whole numbers will
/// do; nobody else can change the copy.
pub(super) fn copy(given: &Bound<'_, PyAny>, count: usize, into: &mut Vec<i64>) -> PyResult<()> {
    into.clear();
    if let Ok(array) = given.cast::<PyArray1<i64>>()
        && let Ok(array) = array.try_readonly()
        && let Ok(slice) = array.as_slice()
        && slice.len() == count
    {
        into.extend_from_slice(slice);
        return Ok(());
    }
    let py = given.py();
    let numpy = py.import("numpy")?;
    let array = numpy.call_method1("asarray", (given,))?;
    let array = array.cast::<PyUntypedArray>()?;
    if array.shape() != [count] {
        return Err(NoughtsError::new_err(format!(
            "there must be one action for each game, an array of shape ({count},), not {}",
            array.as_any().getattr("shape")?
        )));
    }
    let dtype = array.dtype();
    let plain = |name: &str| {
        let needs = ["C_CONTIGUOUS", "ALIGNED", "ENSUREARRAY"];
        numpy.call_method1("require", (array, name, needs))
    };
    match dtype.kind() {
        b'i' => {
            let plain = plain("int64")?;
            into.extend_from_slice(plain.cast::<PyArray1<i64>>()?.try_readonly()?.as_slice()?);
        }
        b'u' => {
            let plain = plain("uint64")?;
            let plain = plain.cast::<PyArray1<u64>>()?.try_readonly()?;
            for (game, &action) in plain.as_slice()?.iter().enumerate() {
                into.push(i64::try_from(action).map_err(|_| {
                    IllegalMove::new_err(format!("game {game}: there is no move number {action}"))
                })?);
            }
        }
        _ => {
            return Err(PyTypeError::new_err(format!(
                "actions are whole numbers, an array of an integer type, not of {dtype}"
            )));
        }
    }
    Ok(())
}
