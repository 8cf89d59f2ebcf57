//! Where the tests store the tablebase of Tic-Tac-Two, which takes a minute to build: once for all
//! tests, and again whenever the code that builds it changes.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

const SOURCES: [&str; 8] = [
    include_str!("../../rules/src/games/tic_tac_two.rs"),
    include_str!("../../engine/src/tablebase/tic_tac_two/piece_moves.rs"),
    include_str!("../../engine/src/tablebase/tic_tac_two/code.rs"),
    include_str!("../../engine/src/tablebase/file.rs"),
    include_str!("../../engine/src/tablebase/tic_tac_two/graph.rs"),
    include_str!("../../engine/src/tablebase/tic_tac_two/numbering.rs"),
    include_str!("../../engine/src/parallel.rs"),
    include_str!("../../engine/src/tablebase/tic_tac_two/solver.rs"),
];

/// The data folder for the tablebase, inside cargo's temporary folder for tests. Removes those of
/// older code.
#[must_use]
pub fn tablebase_dir(target_tmp: &Path) -> PathBuf {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in SOURCES.into_iter().flat_map(str::bytes) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    let all = target_tmp.join("noughts-tables");
    let name = format!("{hash:016x}");
    for entry in fs::read_dir(&all).into_iter().flatten().flatten() {
        if entry.file_name() != name.as_str() {
            // On some systems a folder that another test is using can't be removed.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
    all.join(name)
}

/// Locks the folder while the tablebase is built: tests run in separate processes, and one build
/// is enough. Dropping the file releases the lock.
///
/// # Panics
/// The folder can't be written.
#[must_use]
pub fn build_lock(data: &Path) -> File {
    fs::create_dir_all(data).expect("the folder can be made");
    let lock = File::create(data.join("build.lock")).expect("the lock file can be made");
    lock.lock().expect("the lock can be taken");
    lock
}
