//! The exact tables: opened once and shared by all who think, and built while people
//! play. Only one is built at a time.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use noughts_engine::Tablebases;
use noughts_engine::tablebase::{self, Tablebase};
use noughts_rules::Variant;
use thread_priority::{ThreadPriority, set_current_thread_priority};

/// How it stands with the table of a game.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum TablebaseStatus {
    /// There is none for this game.
    Unsupported,
    /// It could be built; the last try failed for this reason.
    Missing(Option<String>),
    /// It is being built; how much is done, from 0 to 1.
    Building(f64),
    /// It is there.
    Ready,
}

/// The tables of one data folder.
pub(crate) struct TablebaseCache {
    data: PathBuf,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    tables: Tablebases,
    there: bool,
    building: Option<f64>,
    failed: Option<String>,
}

impl TablebaseCache {
    /// Opens what is there. What cannot be used is as good as none, and is built anew.
    pub(super) fn open(data: &Path) -> TablebaseCache {
        let shelf = TablebaseCache {
            data: data.into(),
            state: Mutex::default(),
        };
        shelf.reload();
        shelf
    }

    /// Looks whether there is a table by now: another program may have built it.
    /// Reads a file.
    pub(crate) fn reload(&self) {
        if self.lock().there {
            return;
        }
        let path = tablebase::tablebase_path(&self.data);
        match Tablebase::open(&path) {
            Ok(table) => {
                let mut state = self.lock();
                state.tables = table.into();
                state.there = true;
            }
            Err(error) if path.exists() => tracing::warn!("the table is not used: {error}"),
            Err(_) => {}
        }
    }

    /// The tables that a game has use for.
    pub(crate) fn tablebases_for(&self, variant: Variant) -> Tablebases {
        if tablebase::SUPPORTED_VARIANTS.contains(&variant) {
            self.lock().tables.clone()
        } else {
            Tablebases::default()
        }
    }

    /// How it stands with the table of a game.
    pub(crate) fn status(&self, variant: Variant) -> TablebaseStatus {
        if !tablebase::SUPPORTED_VARIANTS.contains(&variant) {
            return TablebaseStatus::Unsupported;
        }
        let state = self.lock();
        match state.building {
            _ if state.there => TablebaseStatus::Ready,
            Some(done) => TablebaseStatus::Building(done),
            None => TablebaseStatus::Missing(state.failed.clone()),
        }
    }

    /// Builds the table beside everything else, unless it is there or being built.
    /// Ending the program stops it; the next build removes what it left behind.
    pub(crate) fn start_build(self: &Arc<TablebaseCache>) {
        {
            let mut state = self.lock();
            if state.there || state.building.is_some() {
                return;
            }
            state.building = Some(0.0);
            state.failed = None;
        }
        let shelf = Arc::clone(self);
        let thread = thread::Builder::new().name("table".into());
        let spawned = thread.spawn(move || shelf.build_here());
        if let Err(error) = spawned {
            self.built(Err(error.to_string()));
        }
    }

    fn build_here(&self) {
        // Those who play come first; a system that knows no ranks shares alike. The
        // threads of the solver begin with the rank of this one.
        let _ = set_current_thread_priority(ThreadPriority::Min);
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let path = tablebase::tablebase_path(&self.data);
        let built = catch_unwind(AssertUnwindSafe(|| {
            Tablebase::build(&path, (cores / 2).max(1), &|progress| {
                self.lock().building = Some(progress.build_fraction());
            })
        }));
        self.built(match built {
            Ok(Ok(table)) => Ok(table),
            Ok(Err(error)) => Err(error.to_string()),
            Err(_) => Err("the program broke down over it".into()),
        });
    }

    fn built(&self, built: Result<Tablebase, String>) {
        let mut state = self.lock();
        state.building = None;
        match built {
            Ok(table) => {
                state.tables = table.into();
                state.there = true;
            }
            Err(reason) => {
                tracing::warn!("the table was not built: {reason}");
                state.failed = Some(reason);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing panics while it holds the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
