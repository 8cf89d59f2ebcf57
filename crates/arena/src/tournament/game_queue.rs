//! Where workers get their games: in the order of the plan, as cores become free.

use std::collections::HashSet;
use std::iter::Peekable;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::control::TournamentControl;
use crate::played_game::GameKey;
use crate::schedule::Schedule;

/// Hands out games. Clones share it.
#[derive(Clone)]
pub(super) struct GameQueue(Arc<Inner>);

struct Inner {
    state: Mutex<State>,
    changed: Condvar,
    schedule: Arc<Schedule>,
    /// What can be given out at once: cores, or games where it is known how many.
    all: usize,
    by_games: bool,
    control: TournamentControl,
}

struct State {
    games: Peekable<Box<dyn Iterator<Item = GameKey> + Send>>,
    free: usize,
    closed: bool,
}

/// A game to play, and the cores that are kept for it meanwhile.
pub(super) struct Job {
    pub(super) key: GameKey,
    cost: usize,
    desk: GameQueue,
}

impl GameQueue {
    pub(super) fn new(
        schedule: &Arc<Schedule>,
        done: HashSet<GameKey>,
        all: usize,
        by_games: bool,
        control: &TournamentControl,
    ) -> GameQueue {
        let games: Box<dyn Iterator<Item = GameKey> + Send> = Box::new(schedule.remaining(&done));
        drop(done);
        GameQueue(Arc::new(Inner {
            state: Mutex::new(State {
                games: games.peekable(),
                free: all,
                closed: false,
            }),
            changed: Condvar::new(),
            schedule: Arc::clone(schedule),
            all,
            by_games,
            control: control.clone(),
        }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next game, once there are cores for it; none when there is nothing more to do.
    /// No game overtakes another: which games are played is a matter of the plan alone.
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
                    desk: self.clone(),
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
            false => self.0.schedule.cores_needed(key).min(self.0.all),
        }
    }

    /// Hands out no more games.
    pub(super) fn close(&self) {
        self.state().closed = true;
        self.0.changed.notify_all();
    }
}

/// However a game ends, its cores are free again.
impl Drop for Job {
    fn drop(&mut self) {
        self.desk.state().free += self.cost;
        self.desk.0.changed.notify_all();
    }
}
