//! A short-lived cache of the records of current players. The store counts wins, losses and draws
//! with every query, which takes longer the more a player has played.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use noughts_store::{Seat, Store, StoreError, Tally};
use parking_lot::Mutex;

/// How long an entry is valid. Other programs store results too.
const TTL: Duration = Duration::from_secs(1);

/// The most players in the cache.
const MAX_ENTRIES: usize = 10_000;

#[derive(Default)]
pub(crate) struct TallyCache(Mutex<HashMap<String, (Tally, Instant)>>);

impl TallyCache {
    /// The record of a player with a name; `None` for others.
    pub(super) async fn get(
        &self,
        store: &Store,
        seat: &Seat,
    ) -> Result<Option<Tally>, StoreError> {
        let Some(name) = seat.player_name() else {
            return Ok(None);
        };
        let cached = self.0.lock().get(name.key()).copied();
        if let Some((tally, stored_at)) = cached
            && stored_at.elapsed() < TTL
        {
            return Ok(Some(tally));
        }
        let tally = store.player_tally(name).await?.unwrap_or_default();
        let mut entries = self.0.lock();
        if entries.len() >= MAX_ENTRIES {
            entries.clear();
        }
        entries.insert(name.key().into(), (tally, Instant::now()));
        Ok(Some(tally))
    }

    /// Adds one game to a player's record, which was `before` until now.
    pub(super) fn add(&self, seat: &Seat, before: Tally, added: Tally) -> Tally {
        let Some(name) = seat.player_name() else {
            return before;
        };
        let mut entries = self.0.lock();
        match entries.get_mut(name.key()) {
            // The player may have finished another game in the meantime.
            Some((tally, _)) => {
                *tally += added;
                *tally
            }
            None => before + added,
        }
    }
}
