//! How much one visitor may want at once. A new wish sends the oldest of its kind away:
//! it is the newest that is looked at.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use noughts_engine::StopFlag;

use crate::middleware::VisitorKey;

/// What somebody wants.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum SlotKind {
    Analysis,
    Hint,
    Review,
}

impl SlotKind {
    /// So many of one visitor go on at once.
    fn most(self) -> usize {
        match self {
            // Two tabs.
            SlotKind::Analysis => 2,
            SlotKind::Hint | SlotKind::Review => 1,
        }
    }
}

type Taken = HashMap<(VisitorKey, SlotKind), VecDeque<StopFlag>>;

/// Who wants what.
#[derive(Default)]
pub(super) struct VisitorSlots(Arc<Mutex<Taken>>);

/// A place that is taken until this is dropped.
pub(crate) struct VisitorSlot {
    desks: Arc<Mutex<Taken>>,
    whose: (VisitorKey, SlotKind),
    stop: StopFlag,
}

impl VisitorSlots {
    /// Takes a place; whoever is one too many is stopped.
    pub(super) fn acquire(
        &self,
        visitor: VisitorKey,
        wish: SlotKind,
        stop: &StopFlag,
    ) -> VisitorSlot {
        let whose = (visitor, wish);
        let mut taken = lock(&self.0);
        let mine = taken.entry(whose).or_default();
        mine.push_back(stop.clone());
        while mine.len() > wish.most() {
            if let Some(oldest) = mine.pop_front() {
                oldest.stop();
            }
        }
        VisitorSlot {
            desks: Arc::clone(&self.0),
            whose,
            stop: stop.clone(),
        }
    }
}

impl VisitorSlot {
    /// Somebody newer has it.
    pub(crate) fn is_replaced(&self) -> bool {
        self.stop.is_stopped()
    }
}

impl Drop for VisitorSlot {
    fn drop(&mut self) {
        let mut taken = lock(&self.desks);
        if let Some(mine) = taken.get_mut(&self.whose) {
            mine.retain(|stop| !stop.ptr_eq(&self.stop));
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
