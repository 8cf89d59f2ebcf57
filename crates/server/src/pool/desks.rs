//! How much one visitor may want at once. A new wish sends the oldest of its kind away:
//! it is the newest that is looked at.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use noughts_engine::Stop;

use crate::guard::Key;

/// What somebody wants.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Wish {
    Analysis,
    Hint,
    Review,
}

impl Wish {
    /// So many of one visitor go on at once.
    fn most(self) -> usize {
        match self {
            // Two tabs.
            Wish::Analysis => 2,
            Wish::Hint | Wish::Review => 1,
        }
    }
}

type Taken = HashMap<(Key, Wish), VecDeque<Stop>>;

/// Who wants what.
#[derive(Default)]
pub(super) struct Desks(Arc<Mutex<Taken>>);

/// A place that is taken until this is dropped.
pub(crate) struct Place {
    desks: Arc<Mutex<Taken>>,
    whose: (Key, Wish),
    stop: Stop,
}

impl Desks {
    /// Takes a place; whoever is one too many is stopped.
    pub(super) fn sit(&self, visitor: Key, wish: Wish, stop: &Stop) -> Place {
        let whose = (visitor, wish);
        let mut taken = lock(&self.0);
        let mine = taken.entry(whose).or_default();
        mine.push_back(stop.clone());
        while mine.len() > wish.most() {
            if let Some(oldest) = mine.pop_front() {
                oldest.stop();
            }
        }
        Place {
            desks: Arc::clone(&self.0),
            whose,
            stop: stop.clone(),
        }
    }
}

impl Place {
    /// Somebody newer has it.
    pub(crate) fn is_lost(&self) -> bool {
        self.stop.is_stopped()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = lock(&self.desks);
        if let Some(mine) = taken.get_mut(&self.whose) {
            mine.retain(|stop| !stop.is(&self.stop));
            if mine.is_empty() {
                taken.remove(&self.whose);
            }
        }
    }
}

fn lock(desks: &Mutex<Taken>) -> MutexGuard<'_, Taken> {
    // Nothing panics while it holds the lock.
    desks.lock().unwrap_or_else(PoisonError::into_inner)
}
