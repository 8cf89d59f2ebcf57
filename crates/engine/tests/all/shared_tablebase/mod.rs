//! The tablebase of Tic-Tac-Two, for the tests that need it.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use noughts_conformance::tablebase_cache::{build_lock, tablebase_dir};
use noughts_engine::StopFlag;
use noughts_engine::tablebase::{Tablebase, tablebase_path};
use noughts_rules::Variant;

/// The data folder that contains it.
pub(crate) fn data_folder() -> PathBuf {
    tablebase_dir(Path::new(env!("CARGO_TARGET_TMPDIR")))
}

/// Built by the first test that needs it and kept for the next run. Each test has its own process:
/// a file lock makes the others wait until the tablebase exists.
pub(crate) fn tablebase() -> &'static Tablebase {
    static TABLE: OnceLock<Tablebase> = OnceLock::new();
    TABLE.get_or_init(|| {
        let path = tablebase_path(&data_folder(), Variant::TIC_TAC_TWO);
        let _lock = build_lock(&data_folder());
        Tablebase::open(Variant::TIC_TAC_TWO, &path).unwrap_or_else(|_| {
            let threads = std::thread::available_parallelism().map_or(1, usize::from);
            Tablebase::build(
                Variant::TIC_TAC_TWO,
                &path,
                threads,
                &StopFlag::new(),
                &|_| {},
            )
            .expect("the table can be built")
        })
    })
}
