//! How many requests of a kind one visitor may have at once. A new one replaces the oldest: the
//! newest is what the visitor is looking at.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use noughts_engine::StopFlag;

use crate::middleware::VisitorKey;

/// What a slot is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum SlotKind {
    Analysis,
    Hint,
    Review,
}

impl SlotKind {
    /// How many slots one visitor has.
    fn max_concurrent(self) -> usize {
        match self {
            // Two browser tabs.
            SlotKind::Analysis => 2,
            SlotKind::Hint | SlotKind::Review => 1,
        }
    }
}

type SlotsInUse = HashMap<(VisitorKey, SlotKind), VecDeque<StopFlag>>;

/// The slots in use, by visitor and kind.
#[derive(Default)]
pub(super) struct VisitorSlots(Arc<Mutex<SlotsInUse>>);

/// A slot in use, until it's dropped.
pub(crate) struct VisitorSlot {
    slots: Arc<Mutex<SlotsInUse>>,
    key: (VisitorKey, SlotKind),
    stop: StopFlag,
}

impl VisitorSlots {
    /// Takes a slot. If there are too many, the oldest requests are stopped.
    pub(super) fn acquire(
        &self,
        visitor: VisitorKey,
        kind: SlotKind,
        stop: &StopFlag,
    ) -> VisitorSlot {
        let key = (visitor, kind);
        let mut in_use = lock(&self.0);
        let stops = in_use.entry(key).or_default();
        stops.push_back(stop.clone());
        while stops.len() > kind.max_concurrent() {
            if let Some(oldest) = stops.pop_front() {
                oldest.stop();
            }
        }
        VisitorSlot {
            slots: Arc::clone(&self.0),
            key,
            stop: stop.clone(),
        }
    }
}

impl VisitorSlot {
    /// Was it replaced by a newer request?
    pub(crate) fn is_replaced(&self) -> bool {
        self.stop.is_stopped()
    }
}

impl Drop for VisitorSlot {
    fn drop(&mut self) {
        let mut in_use = lock(&self.slots);
        if let Some(stops) = in_use.get_mut(&self.key) {
            stops.retain(|stop| !stop.ptr_eq(&self.stop));
            if stops.is_empty() {
                in_use.remove(&self.key);
            }
        }
    }
}

fn lock(slots: &Mutex<SlotsInUse>) -> MutexGuard<'_, SlotsInUse> {
    // Nothing panics while holding the lock.
    slots.lock().unwrap_or_else(PoisonError::into_inner)
}
