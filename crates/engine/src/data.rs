//! Where the program keeps its data (tables, games), the same place for every front end.

use std::path::PathBuf;

use etcetera::BaseStrategy;

/// The folder of the program's data, which need not exist yet: the given one, else the one
/// that the variable `NOUGHTS_DATA` names, else the system's place for a program's data.
/// None where there is no home folder.
#[must_use]
pub fn data_folder(given: Option<PathBuf>) -> Option<PathBuf> {
    let given = given.or_else(|| std::env::var_os("NOUGHTS_DATA").map(PathBuf::from));
    if let Some(folder) = given.filter(|folder| !folder.as_os_str().is_empty()) {
        return Some(folder);
    }
    let places = etcetera::base_strategy::choose_native_strategy().ok()?;
    Some(places.data_dir().join("noughts"))
}
