//! Tablebases: opened once, shared by all searches, and built in the background. Only one is built
//! at a time.

use std::collections::BTreeMap;
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
    /// There is none for this game, or it needs none.
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

#[derive(Default)]
struct CacheState {
    /// The open tablebases, each by itself.
    ready: BTreeMap<Variant, Tablebases>,
    /// The one that is being built, and the progress.
    building: Option<(Variant, f64)>,
    /// Why the last attempt to build one failed.
    failed: BTreeMap<Variant, String>,
}

impl TablebaseCache {
    /// The tablebases below a folder, which are opened when they are needed.
    pub(super) fn open(data_dir: &Path) -> TablebaseCache {
        TablebaseCache {
            data_dir: data_dir.into(),
            state: Mutex::default(),
        }
    }

    /// Opens the tablebase of a variant if it exists by now: another program may have built it. Reads a file. An unusable
    /// one counts as missing, and is built again.
    pub(crate) fn reload(&self, variant: Variant) {
        if self.state.lock().ready.contains_key(&variant) {
            return;
        }
        let (tablebases, errors) = Tablebases::open_variant(&self.data_dir, variant);
        for error in errors {
            tracing::warn!("a tablebase can't be used: {error}");
        }
        if tablebases.get(variant).is_some() {
            self.state.lock().ready.insert(variant, tablebases);
        }
    }

    /// The tablebases for a game.
    pub(crate) fn tablebases_for(&self, variant: Variant) -> Tablebases {
        self.reload(variant);
        let ready = &self.state.lock().ready;
        ready.get(&variant).cloned().unwrap_or_default()
    }

    /// The status of a game's tablebase.
    pub(crate) fn status(&self, variant: Variant) -> TablebaseStatus {
        let state = self.state.lock();
        if state.ready.contains_key(&variant) {
            return TablebaseStatus::Ready;
        }
        match state.building {
            Some((building, progress)) if building == variant => {
                return TablebaseStatus::Building(progress);
            }
            _ => {}
        }
        let failed = state.failed.get(&variant).cloned();
        drop(state);
        match Tablebases::can_build(variant) {
            true => TablebaseStatus::Missing(failed),
            false => TablebaseStatus::Unsupported,
        }
    }

    /// Builds a tablebase in the background, unless it exists or one is being built. Ending the
    /// program stops it; the next build removes what is left.
    pub(crate) fn start_build(self: &Arc<TablebaseCache>, variant: Variant) {
        {
            let mut state = self.state.lock();
            if state.building.is_some() || state.ready.contains_key(&variant) {
                return;
            }
            state.failed.remove(&variant);
            state.building = Some((variant, 0.0));
        }
        let cache = Arc::clone(self);
        let thread = thread::Builder::new().name("tablebase".into());
        let spawned = thread.spawn(move || cache.build(variant));
        if let Err(error) = spawned {
            self.finish_build(variant, Err(error.to_string()));
        }
    }

    fn build(&self, variant: Variant) {
        // Players come first; on a system without priorities all threads are equal. The solver's
        // threads inherit the priority of this one.
        let _ = set_current_thread_priority(ThreadPriority::Min);
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let path = tablebase::tablebase_path(&self.data_dir, variant);
        let threads = (cores / 2).max(1);
        let result = catch_unwind(AssertUnwindSafe(|| {
            Tablebase::build(variant, &path, threads, &StopFlag::new(), &|progress| {
                self.state.lock().building = Some((variant, progress.build_fraction()));
            })
        }));
        let result = match result {
            Ok(Ok(tablebase)) => Ok(tablebase),
            Ok(Err(error)) => Err(error.to_string()),
            Err(_) => Err("the build panicked".into()),
        };
        self.finish_build(variant, result);
    }

    fn finish_build(&self, variant: Variant, result: Result<Tablebase, String>) {
        let mut state = self.state.lock();
        state.building = None;
        match result {
            Ok(tablebase) => {
                state.ready.insert(variant, tablebase.into());
            }
            Err(reason) => {
                tracing::warn!("the {variant} tablebase couldn't be built: {reason}");
                state.failed.insert(variant, reason);
            }
        }
    }
}
