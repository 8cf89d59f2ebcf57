//! The store behind a runtime of its own, for front ends that are not asynchronous.

use std::future::Future;
use std::io;
use std::path::Path;

use noughts_rules::AnyGameState;
use noughts_store::{GameId, Store, StoreError};
use tokio::runtime::{Builder, Handle, Runtime};

use crate::error::Error;

/// An open store and what its work runs on.
pub(crate) struct StoreHandle {
    runtime: Runtime,
    store: Store,
    is_persistent: bool,
}

impl StoreHandle {
    /// The store in this folder, made if there is none.
    pub(crate) fn open(dir: &Path) -> Result<StoreHandle, Error> {
        let runtime = runtime()?;
        let store = runtime.block_on(Store::open(dir))?;
        Ok(StoreHandle {
            runtime,
            store,
            is_persistent: true,
        })
    }

    /// The store in this folder, for commands that only read: also on a full disk, and
    /// where nothing may be written.
    pub(crate) fn open_read_only(dir: &Path) -> Result<StoreHandle, Error> {
        let runtime = runtime()?;
        let store = runtime.block_on(Store::open_for_reading(dir))?;
        Ok(StoreHandle {
            runtime,
            store,
            is_persistent: true,
        })
    }

    /// A store that is gone when the program ends.
    pub(crate) fn in_memory() -> Result<StoreHandle, Error> {
        let runtime = runtime()?;
        let store = runtime.block_on(Store::in_memory())?;
        Ok(StoreHandle {
            runtime,
            store,
            is_persistent: false,
        })
    }

    /// Does what is stored outlive the program?
    pub(crate) fn is_persistent(&self) -> bool {
        self.is_persistent
    }

    pub(crate) fn store(&self) -> &Store {
        &self.store
    }

    pub(crate) fn runtime_handle(&self) -> &Handle {
        self.runtime.handle()
    }

    /// Waits for some work to be done.
    pub(crate) fn block_on<F: Future>(&self, work: F) -> F::Output {
        self.runtime.block_on(work)
    }

    /// Does a stored game have this start position, and these moves as its first ones?
    pub(crate) fn continues_from(&self, game: GameId, from: &AnyGameState) -> bool {
        let Ok(Some(game)) = self.block_on(self.store.game(game)) else {
            return false;
        };
        let start = (!from.has_standard_start()).then(|| from.start_text());
        let moves = game.moves.iter().map(|mv| mv.text.as_str());
        let given = from.moves();
        let first: Vec<&str> = moves.take(given.len()).collect();
        game.start == start && first == given
    }

    /// Lets some work be done meanwhile.
    pub(crate) fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        self.runtime.spawn(work);
    }
}

/// What is being written is finished, and nothing but the one file stays on the disk.
impl Drop for StoreHandle {
    fn drop(&mut self) {
        self.block_on(self.store.close());
    }
}

fn runtime() -> Result<Runtime, Error> {
    let runtime = Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build();
    runtime.map_err(|error: io::Error| Error::Failure(format!("cannot start a thread: {error}")))
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Error {
        Error::Failure(error.to_string())
    }
}
