//! Where the program keeps its data (tablebases, games). All front ends use the same place.

use std::path::PathBuf;

use etcetera::BaseStrategy;

/// The data folder, which may not exist yet: `explicit` if set, otherwise the environment variable
/// `NOUGHTS_DATA`, otherwise the system's default location. `None` if there is no home folder.
#[must_use]
pub fn data_folder(explicit: Option<PathBuf>) -> Option<PathBuf> {
    let explicit = explicit.or_else(|| std::env::var_os("NOUGHTS_DATA").map(PathBuf::from));
    if let Some(folder) = explicit.filter(|folder| !folder.as_os_str().is_empty()) {
        return Some(folder);
    }
    let directories = etcetera::base_strategy::choose_native_strategy().ok()?;
    Some(directories.data_dir().join("noughts"))
}
