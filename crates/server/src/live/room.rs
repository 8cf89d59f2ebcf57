//! A room: one game, its lock, and the news of it for all who watch.

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

/// Who came so many seconds ago is still waiting for an answer.
const WAITS: u64 = 60;

/// Longer than anything here is waited for, in seconds.
const LONG: u64 = 100_000;

/// A game that is played or watched.
pub(crate) struct Room {
    uid: String,
    pub(super) game: AsyncMutex<LiveGame>,
    news: watch::Sender<Arc<PublishedSnapshot>>,
    /// How many streams each visitor has open.
    present: Mutex<HashMap<SecretHash, u32>>,
    /// Who last did something here, and whose work the bots' thoughts are.
    owner: Mutex<Option<TaskOwner>>,
    /// When somebody last came, in seconds of [`now`].
    used: AtomicU64,
}

impl Room {
    pub(super) fn new(uid: String, table: LiveGame) -> Arc<Room> {
        let state = PublishedSnapshot::new(table.snapshot(&uid), &table.claims);
        let room = Room {
            uid,
            news: watch::Sender::new(Arc::new(state)),
            game: AsyncMutex::new(table),
            present: Mutex::default(),
            owner: Mutex::default(),
            used: AtomicU64::new(now()),
        };
        room.show_presence();
        Arc::new(room)
    }

    pub(crate) fn uid(&self) -> &str {
        &self.uid
    }

    /// The game as it stands.
    pub(crate) fn snapshot(&self) -> Arc<PublishedSnapshot> {
        self.news.borrow().clone()
    }

    pub(super) fn subscribe(&self) -> watch::Receiver<Arc<PublishedSnapshot>> {
        self.news.subscribe()
    }

    /// Tells everybody what is on the table.
    pub(super) fn publish(&self, table: &LiveGame) -> Arc<PublishedSnapshot> {
        let mut state = PublishedSnapshot::new(table.snapshot(&self.uid), &table.claims);
        state.set_connected(self.connected(&state));
        let state = Arc::new(state);
        self.news.send_replace(state.clone());
        // Somebody may have come or gone meanwhile.
        self.show_presence();
        state
    }

    /// Tells everybody to come in anew.
    pub(super) fn publish_closed(&self) {
        self.news.send_modify(|state| {
            let mut gone = PublishedSnapshot::clone(state);
            gone.is_closed = true;
            *state = Arc::new(gone);
        });
    }

    /// Somebody watches until the result is dropped.
    pub(super) fn add_viewer(self: &Arc<Room>, visitor: SecretHash) -> Presence {
        *self.present().entry(visitor).or_default() += 1;
        self.touch();
        self.show_presence();
        Presence {
            room: self.clone(),
            visitor,
        }
    }

    /// Is anybody watching?
    pub(super) fn is_watched(&self) -> bool {
        !self.present().is_empty()
    }

    /// Does anybody wait for what happens next: one who watches, or one who came a
    /// moment ago and will look again?
    pub(super) fn is_anyone_waiting(&self) -> bool {
        self.is_watched() || self.idle_seconds() < WAITS
    }

    /// Somebody who plays here does something.
    pub(super) fn set_owner(&self, owner: TaskOwner) {
        *self.owner.lock().unwrap_or_else(PoisonError::into_inner) = Some(owner);
    }

    pub(super) fn owner(&self) -> Option<TaskOwner> {
        *self.owner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Everybody has left, long ago.
    #[cfg(test)]
    pub(super) fn mark_abandoned(&self) {
        self.used.store(0, Ordering::Relaxed);
    }

    pub(super) fn touch(&self) {
        self.used.store(now(), Ordering::Relaxed);
    }

    /// For how many seconds nobody has come.
    pub(super) fn idle_seconds(&self) -> u64 {
        now().saturating_sub(self.used.load(Ordering::Relaxed))
    }

    fn present(&self) -> MutexGuard<'_, HashMap<SecretHash, u32>> {
        self.present.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn connected(&self, state: &PublishedSnapshot) -> [bool; 2] {
        let present = self.present();
        Side::BOTH.map(|side| match state.seats[side as usize].is_human() {
            true => state
                .seat_owner(side)
                .is_some_and(|sitter| present.contains_key(sitter)),
            false => true,
        })
    }

    /// Tells everybody who is there, if that has changed.
    fn show_presence(&self) {
        self.news.send_if_modified(|state| {
            let connected = self.connected(state);
            let changed = state.connected != connected;
            if changed {
                let mut now = PublishedSnapshot::clone(state);
                now.set_connected(connected);
                *state = Arc::new(now);
            }
            changed
        });
    }
}

/// Somebody who watches a room.
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
        let mut present = self.room.present();
        if let Some(count) = present.get_mut(&self.visitor) {
            *count -= 1;
            if *count == 0 {
                present.remove(&self.visitor);
            }
        }
        drop(present);
        self.room.touch();
        self.room.show_presence();
    }
}

/// Seconds since a while before the first who asked.
fn now() -> u64 {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    LONG + FIRST.get_or_init(Instant::now).elapsed().as_secs()
}
