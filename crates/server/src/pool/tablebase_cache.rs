//! Tablebases: opened once, shared by all searches, and built in the background. Only one is built
//! at a time.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use noughts_engine::tablebase::{self, Tablebase};
use noughts_engine::{StopFlag, Tablebases};
use noughts_rules::Variant;
use parking_lot::Mutex;
use thread_priority::{ThreadPriority, set_current_thread_priority};

/// The status of a game's tablebase.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum TablebaseStatus {
    /// There is none for this game.
    Unsupported,
    /// It can be built; the last attempt failed for this reason.
    Missing(Option<String>),
    /// It's being built; the progress is from 0 to 1.
    Building(f64),
    /// It's open.
    Ready,
}

/// The tablebases of one data folder.
pub(crate) struct TablebaseCache {
    data_dir: PathBuf,
    state: Mutex<CacheState>,
}

struct CacheState {
    status: TablebaseStatus,
    tablebases: Tablebases,
}

impl TablebaseCache {
    /// Opens what exists. An unusable file counts as missing, and is built again.
    pub(super) fn open(data_dir: &Path) -> TablebaseCache {
        let cache = TablebaseCache {
            data_dir: data_dir.into(),
            state: Mutex::new(CacheState {
                status: TablebaseStatus::Missing(None),
                tablebases: Tablebases::default(),
            }),
        };
        cache.reload();
        cache
    }

    /// Opens the tablebase if it exists by now: another program may have built it. Reads a file.
    pub(crate) fn reload(&self) {
        if self.state.lock().status == TablebaseStatus::Ready {
            return;
        }
        let path = tablebase::tablebase_path(&self.data_dir);
        match Tablebase::open(&path) {
            Ok(tablebase) => self.state.lock().set_ready(tablebase),
            Err(error) if path.exists() => tracing::warn!("the tablebase can't be used: {error}"),
            Err(_) => {}
        }
    }

    /// The tablebases for a game.
    pub(crate) fn tablebases_for(&self, variant: Variant) -> Tablebases {
        if tablebase::SUPPORTED_VARIANTS.contains(&variant) {
            self.state.lock().tablebases.clone()
        } else {
            Tablebases::default()
        }
    }

    /// The status of a game's tablebase.
    pub(crate) fn status(&self, variant: Variant) -> TablebaseStatus {
        if !tablebase::SUPPORTED_VARIANTS.contains(&variant) {
            return TablebaseStatus::Unsupported;
        }
        self.state.lock().status.clone()
    }

    /// Builds the tablebase in the background, unless it exists or is being built. Ending the
    /// program stops it; the next build removes what is left.
    pub(crate) fn start_build(self: &Arc<TablebaseCache>) {
        {
            let mut state = self.state.lock();
            if !matches!(state.status, TablebaseStatus::Missing(_)) {
                return;
            }
            state.status = TablebaseStatus::Building(0.0);
        }
        let cache = Arc::clone(self);
        let thread = thread::Builder::new().name("tablebase".into());
        let spawned = thread.spawn(move || cache.build());
        if let Err(error) = spawned {
            self.finish_build(Err(error.to_string()));
        }
    }

    fn build(&self) {
        // Players come first; on a system without priorities all threads are equal. The solver's
        // threads inherit the priority of this one.
        let _ = set_current_thread_priority(ThreadPriority::Min);
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let path = tablebase::tablebase_path(&self.data_dir);
        let result = catch_unwind(AssertUnwindSafe(|| {
            Tablebase::build(&path, (cores / 2).max(1), &StopFlag::new(), &|progress| {
                self.state.lock().status = TablebaseStatus::Building(progress.build_fraction());
            })
        }));
        self.finish_build(match result {
            Ok(Ok(tablebase)) => Ok(tablebase),
            Ok(Err(error)) => Err(error.to_string()),
            Err(_) => Err("the build panicked".into()),
        });
    }

    fn finish_build(&self, result: Result<Tablebase, String>) {
        match result {
            Ok(tablebase) => self.state.lock().set_ready(tablebase),
            Err(reason) => {
                tracing::warn!("the tablebase couldn't be built: {reason}");
                self.state.lock().status = TablebaseStatus::Missing(Some(reason));
            }
        }
    }
}

impl CacheState {
    fn set_ready(&mut self, tablebase: Tablebase) {
        self.tablebases = tablebase.into();
        self.status = TablebaseStatus::Ready;
    }
}
