//! The store with its own runtime, for front ends that aren't asynchronous.

use std::future::Future;
use std::path::Path;
use std::pin::{Pin, pin};

use noughts_store::{GameId, Store, StoreError, StoredGame};
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
        StoreHandle::new(Store::open(dir), true)
    }

    /// Opens the store in this directory for commands that only read. This also works on a full or
    /// read-only disk.
    pub(crate) fn open_read_only(dir: &Path) -> Result<StoreHandle, CliError> {
        StoreHandle::new(Store::open_for_reading(dir), true)
    }

    /// A store in memory, which is gone when the program ends.
    pub(crate) fn in_memory() -> Result<StoreHandle, CliError> {
        StoreHandle::new(Store::in_memory(), false)
    }

    fn new(
        store: impl Future<Output = Result<Store, StoreError>>,
        is_persistent: bool,
    ) -> Result<StoreHandle, CliError> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build();
        let runtime = runtime.map_err(|error| CliError::failed("can't start a thread", error))?;
        Ok(StoreHandle {
            store: run_to_completion(&runtime, store)?,
            runtime,
            is_persistent,
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
        run_to_completion(&self.runtime, future)
    }

    /// Runs a query of the store to completion.
    pub(crate) fn query<'a, F: Future>(&'a self, query: impl FnOnce(&'a Store) -> F) -> F::Output {
        self.block_on(query(&self.store))
    }

    /// Reads a game that must exist.
    pub(crate) fn game(&self, id: GameId) -> Result<StoredGame, StoreError> {
        let game = self.query(|store| store.game(id))?;
        game.ok_or(StoreError::NoSuchGame(id))
    }

    /// Runs a future in the background.
    pub(crate) fn spawn(&self, future: impl Future<Output = ()> + Send + 'static) {
        // Boxed, so that the runtime's code is compiled only once.
        let future: Pin<Box<dyn Future<Output = ()> + Send>> = Box::pin(future);
        self.runtime.spawn(future);
    }
}

/// Runs a future on this thread, with the same compiled code for all futures: the runtime's own function is compiled again
/// for each of them.
fn run_to_completion<F: Future>(runtime: &Runtime, future: F) -> F::Output {
    fn run(runtime: &Runtime, future: Pin<&mut dyn Future<Output = ()>>) {
        runtime.block_on(future);
    }
    let mut output = None;
    run(runtime, pin!(async { output = Some(future.await) }));
    output.expect("the future has completed")
}

/// Finishes pending writes and leaves nothing but the database file on disk.
impl Drop for StoreHandle {
    fn drop(&mut self) {
        self.block_on(self.store.close());
    }
}

impl From<StoreError> for CliError {
    fn from(error: StoreError) -> CliError {
        CliError::Failure(error.to_string())
    }
}
