//! The threads that write to spectators. A move is sent to everybody who watches, and there may be
//! thousands: on threads of their own, they don't keep the players waiting.

use tokio::runtime::{Builder, Handle, Runtime, RuntimeFlavor};

/// The threads that write to spectators.
#[derive(Debug)]
pub(crate) struct SpectatorRuntime {
    own: Option<Runtime>,
    runtime: Handle,
}

impl SpectatorRuntime {
    /// Half as many threads as the runtime has that this is called in; where that is a single
    /// thread, or no more can be had, that runtime itself.
    pub(crate) fn new() -> SpectatorRuntime {
        let players = Handle::current();
        let own = match players.runtime_flavor() {
            RuntimeFlavor::MultiThread => Builder::new_multi_thread()
                .worker_threads((players.metrics().num_workers() / 2).max(1))
                .thread_name("audience")
                .enable_all()
                .build()
                .ok(),
            _ => None,
        };
        let runtime = own.as_ref().map_or(players, |own| own.handle().clone());
        SpectatorRuntime { own, runtime }
    }

    /// Where to spawn what a spectator needs.
    pub(crate) fn handle(&self) -> &Handle {
        &self.runtime
    }
}

/// The last who has it may be a task, which must not wait for threads to end.
impl Drop for SpectatorRuntime {
    fn drop(&mut self) {
        if let Some(own) = self.own.take() {
            own.shutdown_background();
        }
    }
}
