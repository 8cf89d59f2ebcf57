//! A room: one live game, its lock, and a channel with its newest snapshot.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;

use noughts_rules::Side;
use noughts_store::SecretHash;
use tokio::sync::{Mutex as AsyncMutex, watch};

use super::live_game::LiveGame;
use super::published::PublishedSnapshot;
use crate::middleware::TaskOwner;

/// A client that was here this many seconds ago may still be waiting for the result.
const RECENT_SECONDS: u64 = 60;

/// Longer than any idle time that matters here, in seconds.
const CLOCK_START: u64 = 100_000;

/// A game being played or watched.
pub(crate) struct Room {
    uid: String,
    pub(super) game: AsyncMutex<LiveGame>,
    updates: watch::Sender<Arc<PublishedSnapshot>>,
    /// The number of open streams of each visitor.
    viewers: Mutex<HashMap<SecretHash, u32>>,
    /// The last visitor who acted here. Bots think on their account.
    owner: Mutex<Option<TaskOwner>>,
    /// When a client was last here, in seconds of [`now`].
    last_used: AtomicU64,
}

impl Room {
    pub(super) fn new(uid: String, game: LiveGame) -> Arc<Room> {
        let snapshot = PublishedSnapshot::new(game.snapshot(&uid), &game.claims);
        let room = Room {
            uid,
            updates: watch::Sender::new(Arc::new(snapshot)),
            game: AsyncMutex::new(game),
            viewers: Mutex::default(),
            owner: Mutex::default(),
            last_used: AtomicU64::new(now()),
        };
        room.publish_presence();
        Arc::new(room)
    }

    pub(crate) fn uid(&self) -> &str {
        &self.uid
    }

    /// The newest snapshot.
    pub(crate) fn snapshot(&self) -> Arc<PublishedSnapshot> {
        self.updates.borrow().clone()
    }

    pub(super) fn subscribe(&self) -> watch::Receiver<Arc<PublishedSnapshot>> {
        self.updates.subscribe()
    }

    /// Sends a new snapshot to all subscribers.
    pub(super) fn publish(&self, game: &LiveGame) -> Arc<PublishedSnapshot> {
        let mut snapshot = PublishedSnapshot::new(game.snapshot(&self.uid), &game.claims);
        snapshot.set_connected(self.connected(&snapshot));
        let snapshot = Arc::new(snapshot);
        self.updates.send_replace(snapshot.clone());
        // Clients may have connected or disconnected in the meantime.
        self.publish_presence();
        snapshot
    }

    /// Tells all subscribers to open the game again.
    pub(super) fn publish_closed(&self) {
        self.updates.send_modify(|snapshot| {
            let mut closed = PublishedSnapshot::clone(snapshot);
            closed.is_closed = true;
            *snapshot = Arc::new(closed);
        });
    }

    /// Adds a viewer until the result is dropped.
    pub(super) fn add_viewer(self: &Arc<Room>, visitor: SecretHash) -> Presence {
        *self.viewers().entry(visitor).or_default() += 1;
        self.touch();
        self.publish_presence();
        Presence {
            room: self.clone(),
            visitor,
        }
    }

    /// Does anyone have a stream open?
    pub(super) fn is_watched(&self) -> bool {
        !self.viewers().is_empty()
    }

    /// Is anyone waiting for what happens next: a viewer, or a client that was here a moment ago
    /// and will ask again?
    pub(super) fn is_anyone_waiting(&self) -> bool {
        self.is_watched() || self.idle_seconds() < RECENT_SECONDS
    }

    /// Sets the visitor on whose account bots think.
    pub(super) fn set_owner(&self, owner: TaskOwner) {
        *self.owner.lock().unwrap_or_else(PoisonError::into_inner) = Some(owner);
    }

    pub(super) fn owner(&self) -> Option<TaskOwner> {
        *self.owner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Pretends that everyone left long ago.
    #[cfg(test)]
    pub(super) fn mark_abandoned(&self) {
        self.last_used.store(0, Ordering::Relaxed);
    }

    pub(super) fn touch(&self) {
        self.last_used.store(now(), Ordering::Relaxed);
    }

    /// How long no client has been here.
    pub(super) fn idle_seconds(&self) -> u64 {
        now().saturating_sub(self.last_used.load(Ordering::Relaxed))
    }

    fn viewers(&self) -> MutexGuard<'_, HashMap<SecretHash, u32>> {
        self.viewers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn connected(&self, snapshot: &PublishedSnapshot) -> [bool; 2] {
        let viewers = self.viewers();
        Side::BOTH.map(|side| match snapshot.seats[side as usize].is_human() {
            true => snapshot
                .seat_owner(side)
                .is_some_and(|visitor| viewers.contains_key(visitor)),
            false => true,
        })
    }

    /// Sends who is connected to all subscribers, if that has changed.
    fn publish_presence(&self) {
        self.updates.send_if_modified(|snapshot| {
            let connected = self.connected(snapshot);
            let changed = snapshot.connected != connected;
            if changed {
                let mut now = PublishedSnapshot::clone(snapshot);
                now.set_connected(connected);
                *snapshot = Arc::new(now);
            }
            changed
        });
    }
}

/// A viewer of a room, until it's dropped.
pub(crate) struct Presence {
    room: Arc<Room>,
    visitor: SecretHash,
}

impl Presence {
    pub(super) fn room(&self) -> &Arc<Room> {
        &self.room
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        let mut viewers = self.room.viewers();
        if let Some(count) = viewers.get_mut(&self.visitor) {
            *count -= 1;
            if *count == 0 {
                viewers.remove(&self.visitor);
            }
        }
        drop(viewers);
        self.room.touch();
        self.room.publish_presence();
    }
}

/// Seconds on a clock that starts at [`CLOCK_START`] with the first call.
fn now() -> u64 {
    static STARTED: OnceLock<Instant> = OnceLock::new();
    CLOCK_START + STARTED.get_or_init(Instant::now).elapsed().as_secs()
}
