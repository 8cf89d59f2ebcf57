//! One lock per game, held while the game is loaded from the store or released. Opening one game
//! never waits for another.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use parking_lot::Mutex;
use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

/// With more entries than this, those that nobody uses any more are removed first.
const MAX_UNUSED: usize = 1024;

/// The locks, by the uid of the game.
#[derive(Default)]
pub(super) struct GameLocks(Mutex<HashMap<String, Weak<AsyncMutex<()>>>>);

impl GameLocks {
    /// Waits for the lock of this game.
    pub(super) async fn lock(&self, uid: &str) -> OwnedMutexGuard<()> {
        self.get(uid).lock_owned().await
    }

    fn get(&self, uid: &str) -> Arc<AsyncMutex<()>> {
        let mut locks = self.0.lock();
        if let Some(lock) = locks.get(uid).and_then(Weak::upgrade) {
            return lock;
        }
        if locks.len() > MAX_UNUSED {
            locks.retain(|_, lock| lock.strong_count() > 0);
        }
        let lock = Arc::new(AsyncMutex::new(()));
        locks.insert(uid.into(), Arc::downgrade(&lock));
        lock
    }
}
