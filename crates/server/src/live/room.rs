//! A room: one game, its lock, and the news of it for all who watch.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;

use noughts_rules::Player;
use noughts_store::SecretHash;
use tokio::sync::{Mutex as AsyncMutex, watch};

use super::state::State;
use super::table::Table;
use crate::guard::Owner;

/// Who came so many seconds ago is still waiting for an answer.
const WAITS: u64 = 60;

/// Longer than anything here is waited for, in seconds.
const LONG: u64 = 100_000;

/// A game that is played or watched.
pub(crate) struct Room {
    uid: String,
    pub(super) table: AsyncMutex<Table>,
    news: watch::Sender<Arc<State>>,
    /// How many streams each visitor has open.
    present: Mutex<HashMap<SecretHash, u32>>,
    /// Who last did something here, and whose work the bots' thoughts are.
    owner: Mutex<Option<Owner>>,
    /// When somebody last came, in seconds of [`now`].
    used: AtomicU64,
}

impl Room {
    pub(super) fn new(uid: String, table: Table) -> Arc<Room> {
        let state = State::new(table.snapshot(&uid), &table.claims);
        let room = Room {
            uid,
            news: watch::Sender::new(Arc::new(state)),
            table: AsyncMutex::new(table),
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
    pub(crate) fn state(&self) -> Arc<State> {
        self.news.borrow().clone()
    }

    pub(super) fn subscribe(&self) -> watch::Receiver<Arc<State>> {
        self.news.subscribe()
    }

    /// Tells everybody what is on the table.
    pub(super) fn publish(&self, table: &Table) -> Arc<State> {
        let mut state = State::new(table.snapshot(&self.uid), &table.claims);
        state.connect(self.connected(&state));
        let state = Arc::new(state);
        self.news.send_replace(state.clone());
        // Somebody may have come or gone meanwhile.
        self.show_presence();
        state
    }

    /// Tells everybody to come in anew.
    pub(super) fn publish_gone(&self) {
        self.news.send_modify(|state| {
            let mut gone = State::clone(state);
            gone.gone = true;
            *state = Arc::new(gone);
        });
    }

    /// Somebody watches until the result is dropped.
    pub(super) fn enter(self: &Arc<Room>, visitor: SecretHash) -> Presence {
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
    pub(super) fn is_awaited(&self) -> bool {
        self.is_watched() || self.idle_seconds() < WAITS
    }

    /// Somebody who plays here does something.
    pub(super) fn set_owner(&self, owner: Owner) {
        *self.owner.lock().unwrap_or_else(PoisonError::into_inner) = Some(owner);
    }

    pub(super) fn owner(&self) -> Option<Owner> {
        *self.owner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Everybody has left, long ago.
    #[cfg(test)]
    pub(super) fn forsake(&self) {
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

    fn connected(&self, state: &State) -> [bool; 2] {
        let present = self.present();
        Player::BOTH.map(|side| match state.seats[side as usize].is_human() {
            true => state
                .sitter(side)
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
                let mut now = State::clone(state);
                now.connect(connected);
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
