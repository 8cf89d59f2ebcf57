//! The threads that send to spectators. A move is sent to everyone who watches, which may be
//! thousands: on separate threads, they don't delay the players.

use tokio::runtime::{Builder, Handle, Runtime, RuntimeFlavor};

/// The runtime that sends to spectators; `None` for the one that serves everyone.
pub(crate) struct SpectatorRuntime(Option<Runtime>);

impl SpectatorRuntime {
    /// Creates a runtime with half as many threads as the current one. If that has a single thread,
    /// or no threads can be started, uses the current runtime.
    pub(crate) fn new() -> SpectatorRuntime {
        let current = Handle::current();
        SpectatorRuntime(match current.runtime_flavor() {
            RuntimeFlavor::MultiThread => Builder::new_multi_thread()
                .worker_threads((current.metrics().num_workers() / 2).max(1))
                .thread_name("spectators")
                .enable_all()
                .build()
                .ok(),
            _ => None,
        })
    }

    /// Where to spawn a spectator's task.
    pub(crate) fn handle(&self) -> Handle {
        let own = self.0.as_ref();
        own.map_or_else(Handle::current, |own| own.handle().clone())
    }
}

/// The last owner may be an async task, which must not block until the threads end.
impl Drop for SpectatorRuntime {
    fn drop(&mut self) {
        if let Some(own) = self.0.take() {
            own.shutdown_background();
        }
    }
}
