//! The store with its own runtime, for front ends that aren't asynchronous.

use std::future::Future;
use std::io;
use std::path::Path;

use noughts_rules::AnyGameState;
use noughts_store::{GameId, Store, StoreError};
use tokio::runtime::{Builder, Handle, Runtime};

use crate::error::CliError;

/// An open store and the runtime that it runs on.
pub(crate) struct StoreHandle {
    runtime: Runtime,
    store: Store,
    is_persistent: bool,
}

impl StoreHandle {
    /// Opens the store in this directory, and creates it if it doesn't exist.
    pub(crate) fn open(dir: &Path) -> Result<StoreHandle, CliError> {
        let runtime = runtime()?;
        let store = runtime.block_on(Store::open(dir))?;
        Ok(StoreHandle {
            runtime,
            store,
            is_persistent: true,
        })
    }

    /// Opens the store in this directory for commands that only read. This also works on a full or
    /// read-only disk.
    pub(crate) fn open_read_only(dir: &Path) -> Result<StoreHandle, CliError> {
        let runtime = runtime()?;
        let store = runtime.block_on(Store::open_for_reading(dir))?;
        Ok(StoreHandle {
            runtime,
            store,
            is_persistent: true,
        })
    }

    /// A store in memory, which is gone when the program ends.
    pub(crate) fn in_memory() -> Result<StoreHandle, CliError> {
        let runtime = runtime()?;
        let store = runtime.block_on(Store::in_memory())?;
        Ok(StoreHandle {
            runtime,
            store,
            is_persistent: false,
        })
    }

    /// Is stored data still there after the program ends?
    pub(crate) fn is_persistent(&self) -> bool {
        self.is_persistent
    }

    pub(crate) fn store(&self) -> &Store {
        &self.store
    }

    pub(crate) fn runtime_handle(&self) -> &Handle {
        self.runtime.handle()
    }

    /// Runs a future to completion.
    pub(crate) fn block_on<F: Future>(&self, future: F) -> F::Output {
        self.runtime.block_on(future)
    }

    /// Does the stored game have the same start position, and these moves as its first moves?
    pub(crate) fn continues_from(&self, game: GameId, from: &AnyGameState) -> bool {
        let Ok(Some(game)) = self.block_on(self.store.game(game)) else {
            return false;
        };
        let start = (!from.has_standard_start()).then(|| from.start_text());
        let moves = game.moves.iter().map(|mv| mv.text.as_str());
        let expected = from.moves();
        let first: Vec<&str> = moves.take(expected.len()).collect();
        game.start == start && first == expected
    }

    /// Runs a future in the background.
    pub(crate) fn spawn(&self, future: impl Future<Output = ()> + Send + 'static) {
        self.runtime.spawn(future);
    }
}

/// Finishes pending writes and leaves nothing but the database file on disk.
impl Drop for StoreHandle {
    fn drop(&mut self) {
        self.block_on(self.store.close());
    }
}

fn runtime() -> Result<Runtime, CliError> {
    let runtime = Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build();
    runtime.map_err(|error: io::Error| CliError::Failure(format!("can't start a thread: {error}")))
}

impl From<StoreError> for CliError {
    fn from(error: StoreError) -> CliError {
        CliError::Failure(error.to_string())
    }
}
