//! The threads that send to spectators. A move is sent to everyone who watches, which may be
//! thousands: on separate threads, they don't delay the players.

use tokio::runtime::{Builder, Handle, Runtime, RuntimeFlavor};

/// The runtime that sends to spectators.
#[derive(Debug)]
pub(crate) struct SpectatorRuntime {
    own_runtime: Option<Runtime>,
    handle: Handle,
}

impl SpectatorRuntime {
    /// Creates a runtime with half as many threads as the current one. If that has a single thread,
    /// or no threads can be started, uses the current runtime.
    pub(crate) fn new() -> SpectatorRuntime {
        let current = Handle::current();
        let own_runtime = match current.runtime_flavor() {
            RuntimeFlavor::MultiThread => Builder::new_multi_thread()
                .worker_threads((current.metrics().num_workers() / 2).max(1))
                .thread_name("audience")
                .enable_all()
                .build()
                .ok(),
            _ => None,
        };
        let handle = own_runtime
            .as_ref()
            .map_or(current, |own_runtime| own_runtime.handle().clone());
        SpectatorRuntime {
            own_runtime,
            handle,
        }
    }

    /// Where to spawn a spectator's task.
    pub(crate) fn handle(&self) -> &Handle {
        &self.handle
    }
}

/// The last owner may be an async task, which must not block until the threads end.
impl Drop for SpectatorRuntime {
    fn drop(&mut self) {
        if let Some(own_runtime) = self.own_runtime.take() {
            own_runtime.shutdown_background();
        }
    }
}
