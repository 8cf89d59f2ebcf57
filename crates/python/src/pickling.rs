//! What classes with immutable objects need: hashes, and pickling as the arguments of the class.

use std::hash::{DefaultHasher, Hash, Hasher};

use pyo3::PyTypeInfo;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The result of `__hash__`.
pub(crate) fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// What `__reduce__` returns: a function and its arguments.
pub(crate) type Reduced<'py> = (Bound<'py, PyAny>, ());

/// Calls the class `T` with two arguments and these settings when it is unpickled.
pub(crate) fn reduce<'py, T: PyTypeInfo>(
    py: Python<'py>,
    (first, second): (impl IntoPyObject<'py>, impl IntoPyObject<'py>),
    settings: &Bound<'py, PyDict>,
) -> PyResult<Reduced<'py>> {
    let partial = py.import("functools")?.getattr("partial")?;
    let call = partial.call((py.get_type::<T>(), first, second), Some(settings))?;
    Ok((call, ()))
}
