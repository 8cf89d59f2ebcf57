//! Wins, losses and ties of those who play just now. The store counts them anew each
//! time it is asked, which takes longer the more somebody has played; here they are
//! remembered for a moment.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use noughts_store::{Seat, Store, StoreError, Tally};

/// After this the store is asked again: other programs count in it, too.
const FRESH: Duration = Duration::from_secs(1);

/// So many people are remembered at most.
const MOST: usize = 10_000;

#[derive(Default)]
pub(crate) struct TallyCache(Mutex<HashMap<String, (Tally, Instant)>>);

impl TallyCache {
    /// A person's record; none for others.
    pub(super) async fn get(
        &self,
        store: &Store,
        seat: &Seat,
    ) -> Result<Option<Tally>, StoreError> {
        let Some(name) = seat.player_name() else {
            return Ok(None);
        };
        let known = self.all().get(name.key()).copied();
        if let Some((tally, since)) = known
            && since.elapsed() < FRESH
        {
            return Ok(Some(tally));
        }
        let tally = store.player_tally(name).await?.unwrap_or_default();
        let mut all = self.all();
        if all.len() >= MOST {
            all.clear();
        }
        all.insert(name.key().into(), (tally, Instant::now()));
        Ok(Some(tally))
    }

    /// One more game of somebody, who had this record until now.
    pub(super) fn add(&self, seat: &Seat, before: Tally, one: Tally) -> Tally {
        let Some(name) = seat.player_name() else {
            return before;
        };
        let mut all = self.all();
        match all.get_mut(name.key()) {
            // They may have finished another game meanwhile.
            Some((tally, _)) => {
                *tally += one;
                *tally
            }
            None => before + one,
        }
    }

    fn all(&self) -> MutexGuard<'_, HashMap<String, (Tally, Instant)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
