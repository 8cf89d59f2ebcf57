//! The table of Tic-Tac-Two, for the tests that need it.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use noughts_conformance::tables::{build_lock, table_data};
use noughts_engine::tablebase::{Table, path_in};

/// The folder that it lies in.
pub(crate) fn data() -> PathBuf {
    table_data(Path::new(env!("CARGO_TARGET_TMPDIR")))
}

/// Built by the first test that needs it, and kept for the next run. Tests run in processes of their own: a file lock
/// makes the others wait until the table is there.
pub(crate) fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let path = path_in(&data());
        let _lock = build_lock(&data());
        Table::open(&path).unwrap_or_else(|_| {
            let threads = std::thread::available_parallelism().map_or(1, usize::from);
            Table::build(&path, threads, &|_| {}).expect("the table can be built")
        })
    })
}
