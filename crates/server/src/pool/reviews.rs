//! The review that each visitor is running. A new one replaces it.

use std::collections::HashMap;
use std::sync::Arc;

use noughts_engine::StopFlag;
use parking_lot::Mutex;

use crate::middleware::VisitorKey;

/// The running reviews. Clones share them.
#[derive(Clone, Default)]
pub(super) struct RunningReviews(Arc<Mutex<HashMap<VisitorKey, StopFlag>>>);

/// A running review, until it's dropped.
pub(crate) struct ReviewSlot {
    reviews: RunningReviews,
    visitor: VisitorKey,
    replaced: StopFlag,
}

impl RunningReviews {
    /// Starts a review, replacing the visitor's other one.
    pub(super) fn start(&self, visitor: VisitorKey) -> ReviewSlot {
        let replaced = StopFlag::new();
        if let Some(other) = self.0.lock().insert(visitor, replaced.clone()) {
            other.stop();
        }
        ReviewSlot {
            reviews: self.clone(),
            visitor,
            replaced,
        }
    }
}

impl ReviewSlot {
    /// Was it replaced by a newer review?
    pub(crate) fn is_replaced(&self) -> bool {
        self.replaced.is_stopped()
    }
}

impl Drop for ReviewSlot {
    fn drop(&mut self) {
        if !self.is_replaced() {
            self.reviews.0.lock().remove(&self.visitor);
        }
    }
}
