//! The arrays that a vector writes into. Python only gets views of them, so changing a view's shape or
//! type doesn't affect the arrays; they are checked for changes before each use anyway.

use std::collections::TryReserveError;

use numpy::{Element, PyArray1, PyArrayMethods, PyReadwriteArray1};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

use super::games::Outputs;
use crate::errors::NoughtsError;

/// The arrays of all outputs, each one-dimensional.
pub(super) struct Arrays {
    pub(super) planes: OutputArray<u8>,
    pub(super) masks: OutputArray<i8>,
    pub(super) rewards: OutputArray<f32>,
    /// Zeros and ones, which Python sees as booleans.
    pub(super) ends: OutputArray<u8>,
    pub(super) players: OutputArray<i8>,
    pub(super) actions: OutputArray<i64>,
}

pub(super) struct OutputArray<T> {
    /// Stored untyped, and its type is checked at each use: Python can change an array's type in
    /// place.
    array: Py<PyAny>,
    /// The owner of the memory. Python can replace an array's memory in place; holding the owner keeps
    /// the memory that is being written to alive.
    owner: Py<PyAny>,
    length: usize,
    element: std::marker::PhantomData<fn() -> T>,
}

/// Running out of memory raises an exception instead of aborting the interpreter.
#[allow(clippy::needless_pass_by_value, reason = "for `map_err`")]
pub(super) fn out_of_memory_error(_: TryReserveError) -> PyErr {
    PyMemoryError::new_err("not enough memory for this many games; use fewer")
}

impl<T: Element + Copy + Default> OutputArray<T> {
    fn new(py: Python<'_>, length: usize) -> PyResult<OutputArray<T>> {
        let mut zeros: Vec<T> = Vec::new();
        zeros
            .try_reserve_exact(length)
            .map_err(out_of_memory_error)?;
        zeros.resize(length, T::default());
        let array = PyArray1::from_vec(py, zeros).into_any();
        Ok(OutputArray {
            owner: array.getattr("base")?.unbind(),
            array: array.unbind(),
            length,
            element: std::marker::PhantomData,
        })
    }

    fn lock<'py>(&self, py: Python<'py>) -> PyResult<PyReadwriteArray1<'py, T>> {
        let modified_error = || {
            NoughtsError::new_err(
                "an array of this vector can't be written: its base array was reshaped, changed \
                 to another type, made read-only or borrowed; create a new vector",
            )
        };
        let array = self.array.bind(py);
        if !array.getattr("base")?.is(&self.owner) {
            return Err(modified_error());
        }
        let array = array.cast::<PyArray1<T>>();
        let array = array.map_err(|_| modified_error())?.try_readwrite();
        array.map_err(|_| modified_error()).and_then(|mut array| {
            let row = array.as_slice_mut();
            let fits = row.is_ok_and(|row| row.len() == self.length);
            fits.then_some(array).ok_or_else(modified_error)
        })
    }

    /// A view of it for Python.
    pub(super) fn view<'py>(
        &self,
        py: Python<'py>,
        shape: &[usize],
    ) -> PyResult<Bound<'py, PyAny>> {
        self.array.bind(py).call_method1("reshape", (shape,))
    }
}

impl Arrays {
    /// Arrays for this many games; planes and masks of length 0 are never written.
    pub(super) fn new(
        py: Python<'_>,
        games: usize,
        planes: usize,
        mask: usize,
    ) -> PyResult<Arrays> {
        Ok(Arrays {
            planes: OutputArray::new(py, games * planes)?,
            masks: OutputArray::new(py, games * mask)?,
            rewards: OutputArray::new(py, games * 2)?,
            ends: OutputArray::new(py, games)?,
            players: OutputArray::new(py, games)?,
            actions: OutputArray::new(py, games)?,
        })
    }

    /// Borrows all arrays for writing.
    pub(super) fn write<T>(
        &self,
        py: Python<'_>,
        write: impl FnOnce(Outputs<'_>) -> PyResult<T>,
    ) -> PyResult<T> {
        let mut planes = self.planes.lock(py)?;
        let mut masks = self.masks.lock(py)?;
        let mut rewards = self.rewards.lock(py)?;
        let mut ends = self.ends.lock(py)?;
        let mut players = self.players.lock(py)?;
        let mut actions = self.actions.lock(py)?;
        write(Outputs {
            planes: planes.as_slice_mut()?,
            masks: masks.as_slice_mut()?,
            rewards: rewards.as_slice_mut()?,
            ends: ends.as_slice_mut()?,
            players: players.as_slice_mut()?,
            actions: actions.as_slice_mut()?,
        })
    }
}
