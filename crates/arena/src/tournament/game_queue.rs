//! The queue from which workers take games: in the order of the plan, as cores become free.

use std::collections::HashSet;
use std::iter::Peekable;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::control::TournamentControl;
use crate::played_game::GameKey;
use crate::schedule::Schedule;

/// A queue of games. Clones share it.
#[derive(Clone)]
pub(super) struct GameQueue(Arc<SharedQueue>);

struct SharedQueue {
    state: Mutex<QueueState>,
    changed: Condvar,
    schedule: Arc<Schedule>,
    /// The capacity in cores, or in games if the concurrency is fixed.
    capacity: usize,
    by_games: bool,
    control: TournamentControl,
}

struct QueueState {
    games: Peekable<Box<dyn Iterator<Item = GameKey> + Send>>,
    free: usize,
    closed: bool,
}

/// A game to play. Occupies its cores until it is dropped.
pub(super) struct Job {
    pub(super) key: GameKey,
    cost: usize,
    queue: GameQueue,
}

impl GameQueue {
    pub(super) fn new(
        schedule: &Arc<Schedule>,
        done: HashSet<GameKey>,
        capacity: usize,
        by_games: bool,
        control: &TournamentControl,
    ) -> GameQueue {
        let games: Box<dyn Iterator<Item = GameKey> + Send> = Box::new(schedule.remaining(done));
        GameQueue(Arc::new(SharedQueue {
            state: Mutex::new(QueueState {
                games: games.peekable(),
                free: capacity,
                closed: false,
            }),
            changed: Condvar::new(),
            schedule: Arc::clone(schedule),
            capacity,
            by_games,
            control: control.clone(),
        }))
    }

    fn state(&self) -> MutexGuard<'_, QueueState> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for cores and returns the next game; `None` when there is nothing more to play. Games
    /// are never reordered, so that which games are played depends on the plan alone.
    pub(super) fn next_job(&self) -> Option<Job> {
        let mut state = self.state();
        loop {
            if state.closed || self.0.control.stop_request().is_some() {
                return None;
            }
            let key = *state.games.peek()?;
            let cost = self.cost(&key);
            if cost <= state.free {
                state.games.next();
                state.free -= cost;
                return Some(Job {
                    key,
                    cost,
                    queue: self.clone(),
                });
            }
            let waited = self.0.changed.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A game that needs more cores than there are is played alone.
    fn cost(&self, key: &GameKey) -> usize {
        match self.0.by_games {
            true => 1,
            false => self.0.schedule.cores_needed(key).min(self.0.capacity),
        }
    }

    /// Hands out no more games.
    pub(super) fn close(&self) {
        self.state().closed = true;
        self.0.changed.notify_all();
    }
}

/// Frees the cores, however the game ended.
impl Drop for Job {
    fn drop(&mut self) {
        self.queue.state().free += self.cost;
        self.queue.0.changed.notify_all();
    }
}
