//! A room: one live game, its lock, and a channel with its newest snapshot.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use noughts_rules::Side;
use noughts_store::SecretHash;
use parking_lot::Mutex;
use tokio::sync::{Mutex as AsyncMutex, watch};

use super::live_game::LiveGame;
use super::snapshot::GameSnapshot;
use crate::middleware::TaskOwner;

/// A client that was here this many seconds ago may still be waiting for the result.
const RECENT_SECONDS: u64 = 60;

/// Longer than any idle time that matters here, in seconds.
const CLOCK_START: u64 = 100_000;

/// A game being played or watched.
pub(crate) struct Room {
    uid: String,
    pub(super) game: AsyncMutex<LiveGame>,
    updates: watch::Sender<Arc<GameSnapshot>>,
    /// The number of open streams of each visitor.
    viewers: Mutex<HashMap<SecretHash, u32>>,
    /// The last visitor who acted here. Bots think on their account.
    owner: Mutex<Option<TaskOwner>>,
    /// When a client was last here, in seconds of [`now`].
    last_used: AtomicU64,
}

impl Room {
    pub(super) fn new(uid: String, game: LiveGame) -> Arc<Room> {
        let mut snapshot = game.snapshot();
        snapshot.sequence = first_sequence();
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
    pub(crate) fn snapshot(&self) -> Arc<GameSnapshot> {
        self.updates.borrow().clone()
    }

    pub(super) fn subscribe(&self) -> watch::Receiver<Arc<GameSnapshot>> {
        self.updates.subscribe()
    }

    /// Sends a new snapshot to all subscribers.
    pub(super) fn publish(&self, game: &LiveGame) -> Arc<GameSnapshot> {
        let mut snapshot = game.snapshot();
        snapshot.connected = self.connected(&snapshot);
        self.send(|_| Some(snapshot));
        // Clients may have connected or disconnected in the meantime.
        self.publish_presence();
        self.snapshot()
    }

    /// Tells all subscribers to open the game again.
    pub(super) fn publish_closed(&self) {
        self.send(|snapshot| {
            Some(GameSnapshot {
                is_closed: true,
                ..snapshot.clone()
            })
        });
    }

    /// Adds a viewer until the result is dropped.
    pub(super) fn add_viewer(self: &Arc<Room>, visitor: SecretHash) -> Presence {
        *self.viewers.lock().entry(visitor).or_default() += 1;
        self.touch();
        self.publish_presence();
        Presence {
            room: self.clone(),
            visitor,
        }
    }

    /// Does anyone have a stream open?
    pub(super) fn is_watched(&self) -> bool {
        !self.viewers.lock().is_empty()
    }

    /// Is anyone waiting for what happens next: a viewer, or a client that was here a moment ago
    /// and will ask again?
    pub(super) fn is_anyone_waiting(&self) -> bool {
        self.is_watched() || self.idle_seconds() < RECENT_SECONDS
    }

    /// Sets the visitor on whose account bots think.
    pub(super) fn set_owner(&self, owner: TaskOwner) {
        *self.owner.lock() = Some(owner);
    }

    pub(super) fn owner(&self) -> Option<TaskOwner> {
        *self.owner.lock()
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

    fn connected(&self, snapshot: &GameSnapshot) -> [bool; 2] {
        let viewers = self.viewers.lock();
        Side::BOTH.map(|side| {
            let owner = snapshot.seat_owner(side);
            let is_bot = !snapshot.seats[side as usize].is_human();
            is_bot || owner.is_some_and(|visitor| viewers.contains_key(visitor))
        })
    }

    /// Sends who is connected to all subscribers, if that has changed.
    fn publish_presence(&self) {
        self.send(|snapshot| {
            let connected = self.connected(snapshot);
            (snapshot.connected != connected).then(|| GameSnapshot {
                connected,
                ..snapshot.clone()
            })
        });
    }

    /// Replaces the newest snapshot by the next one, if there is one.
    fn send(&self, next: impl FnOnce(&GameSnapshot) -> Option<GameSnapshot>) {
        self.updates.send_if_modified(|newest| {
            let Some(mut snapshot) = next(newest) else {
                return false;
            };
            snapshot.sequence = newest.sequence + 1;
            *newest = Arc::new(snapshot);
            true
        });
    }
}

/// A viewer of a room, until it's dropped.
pub(crate) struct Presence {
    pub(super) room: Arc<Room>,
    visitor: SecretHash,
}

impl Drop for Presence {
    fn drop(&mut self) {
        let mut viewers = self.room.viewers.lock();
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

/// The number of a room's first snapshot. Those of two rooms never follow each other, even if both
/// are of the same game.
fn first_sequence() -> u64 {
    static ROOMS: AtomicU64 = AtomicU64::new(1);
    ROOMS.fetch_add(1, Ordering::Relaxed) << 32
}

/// Seconds on a clock that starts at [`CLOCK_START`] with the first call.
fn now() -> u64 {
    static STARTED: OnceLock<Instant> = OnceLock::new();
    CLOCK_START + STARTED.get_or_init(Instant::now).elapsed().as_secs()
}
