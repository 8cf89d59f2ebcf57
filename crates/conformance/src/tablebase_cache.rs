//! Where the tests keep the table of Tic-Tac-Two, which takes a minute to build: once for all
//! of them, and anew whenever the code changes that builds it.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

const SOURCES: [&str; 8] = [
    include_str!("../../rules/src/tic_tac_two.rs"),
    include_str!("../../engine/src/tablebase/around.rs"),
    include_str!("../../engine/src/tablebase/code.rs"),
    include_str!("../../engine/src/tablebase/file.rs"),
    include_str!("../../engine/src/tablebase/graph.rs"),
    include_str!("../../engine/src/tablebase/numbering.rs"),
    include_str!("../../engine/src/tablebase/parallel.rs"),
    include_str!("../../engine/src/tablebase/solver.rs"),
];

/// The folder of data that holds the table or shall do so, below the one that cargo gives to
/// tests. Removes those that older code has filled.
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
            // What another test is using cannot be removed everywhere; it stays.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
    all.join(name)
}

/// Held while the table in this folder is built: tests run in processes of their own, and one build is enough. The lock
/// goes with the file.
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
