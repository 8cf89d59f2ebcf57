//! The arrays that a vector writes into. Python gets views of them, so that whatever is
//! done to a view leaves these as they are; and before each use it is made sure that they
//! still are what they were.

use std::collections::TryReserveError;

use numpy::{Element, PyArray1, PyArrayMethods, PyReadwriteArray1, dtype};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

use super::games::Outputs;
use crate::errors::NoughtsError;

/// The arrays of all outputs, each as one long row.
pub(super) struct Arrays {
    planes: Row<u8>,
    masks: Row<i8>,
    rewards: Row<f32>,
    /// Zeros and ones; Python sees truth values.
    ends: Row<u8>,
    players: Row<i8>,
    actions: Row<i64>,
}

struct Row<T> {
    /// Kept without its type, which is looked at again each time: Python can change the
    /// type of an array in place.
    array: Py<PyAny>,
    /// What the memory belongs to. Python can give an array other memory in place; as long
    /// as this one is held, what is being written to stays.
    owner: Py<PyAny>,
    length: usize,
    kind: std::marker::PhantomData<fn() -> T>,
}

/// Python goes on where there is no memory.
#[allow(clippy::needless_pass_by_value, reason = "for `map_err`")]
pub(super) fn no_room(_: TryReserveError) -> PyErr {
    PyMemoryError::new_err("there is not enough memory for so many games; ask for fewer")
}

impl<T: Element + Copy + Default> Row<T> {
    fn new(py: Python<'_>, length: usize) -> PyResult<Row<T>> {
        let mut zeros: Vec<T> = Vec::new();
        zeros.try_reserve_exact(length).map_err(no_room)?;
        zeros.resize(length, T::default());
        let array = PyArray1::from_vec(py, zeros).into_any();
        Ok(Row {
            owner: array.getattr("base")?.unbind(),
            array: array.unbind(),
            length,
            kind: std::marker::PhantomData,
        })
    }

    fn lock<'py>(&self, py: Python<'py>) -> PyResult<PyReadwriteArray1<'py, T>> {
        let spoilt = || {
            NoughtsError::new_err(
                "an array of this vector was changed behind its back (its base made \
                 read-only, reshaped, given another type or borrowed); make a new vector",
            )
        };
        let array = self.array.bind(py);
        if !array.getattr("base")?.is(&self.owner) {
            return Err(spoilt());
        }
        let array = array.cast::<PyArray1<T>>();
        let array = array.map_err(|_| spoilt())?.try_readwrite();
        array.map_err(|_| spoilt()).and_then(|mut array| {
            let fits = array
                .as_slice_mut()
                .is_ok_and(|row| row.len() == self.length);
            if fits { Ok(array) } else { Err(spoilt()) }
        })
    }

    fn view<'py>(&self, py: Python<'py>, shape: &[usize]) -> PyResult<Bound<'py, PyAny>> {
        self.array.bind(py).call_method1("reshape", (shape,))
    }
}

impl Arrays {
    /// For so many games; planes and masks of length 0 are never written.
    pub(super) fn new(
        py: Python<'_>,
        games: usize,
        planes: usize,
        mask: usize,
    ) -> PyResult<Arrays> {
        Ok(Arrays {
            planes: Row::new(py, games * planes)?,
            masks: Row::new(py, games * mask)?,
            rewards: Row::new(py, games * 2)?,
            ends: Row::new(py, games)?,
            players: Row::new(py, games)?,
            actions: Row::new(py, games)?,
        })
    }

    /// Lends them all to be written.
    pub(super) fn write<T>(
        &self,
        py: Python<'_>,
        write: impl FnOnce(&mut Outputs<'_>) -> PyResult<T>,
    ) -> PyResult<T> {
        let mut planes = self.planes.lock(py)?;
        let mut masks = self.masks.lock(py)?;
        let mut rewards = self.rewards.lock(py)?;
        let mut ends = self.ends.lock(py)?;
        let mut players = self.players.lock(py)?;
        let mut actions = self.actions.lock(py)?;
        write(&mut Outputs {
            planes: planes.as_slice_mut()?,
            masks: masks.as_slice_mut()?,
            rewards: rewards.as_slice_mut()?,
            ends: ends.as_slice_mut()?,
            players: players.as_slice_mut()?,
            actions: actions.as_slice_mut()?,
        })
    }

    pub(super) fn planes<'py>(
        &self,
        py: Python<'py>,
        shape: &[usize],
    ) -> PyResult<Bound<'py, PyAny>> {
        self.planes.view(py, shape)
    }

    pub(super) fn masks<'py>(
        &self,
        py: Python<'py>,
        shape: &[usize],
    ) -> PyResult<Bound<'py, PyAny>> {
        self.masks.view(py, shape)
    }

    pub(super) fn rewards<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.rewards.view(py, &[self.ends.length, 2])
    }

    pub(super) fn ends<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.ends
            .array
            .bind(py)
            .call_method1("view", (dtype::<bool>(py),))
    }

    pub(super) fn players<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.players.view(py, &[self.players.length])
    }

    pub(super) fn actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.actions.view(py, &[self.actions.length])
    }
}
