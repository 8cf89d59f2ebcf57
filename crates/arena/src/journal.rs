//! The interface through which a tournament is saved.

use std::sync::{Arc, Mutex, PoisonError};

use crate::plan::Plan;
use crate::played_game::{GameResult, PlayedGame};

/// Saves a tournament so that it can be resumed after a crash. When a method returns `Ok`, the data
/// is on disk.
pub trait Journal: Send {
    /// Saves the plan: at the start, and whenever it is extended.
    ///
    /// # Errors
    /// It couldn't be saved.
    fn save_plan(&mut self, plan: &Plan) -> Result<(), JournalError>;

    /// Saves finished games: all that ended while the previous ones were being saved, so that the
    /// disk is waited for only once. A game that is already saved isn't changed.
    ///
    /// # Errors
    /// At least one of them couldn't be saved.
    fn save_games(&mut self, games: &[&PlayedGame]) -> Result<(), JournalError>;
}

/// Saving failed; the message says why.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct JournalError(pub String);

/// A journal in memory, in order of arrival. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct MemoryJournal {
    /// The saved games.
    pub games: Arc<Mutex<Vec<PlayedGame>>>,
    /// The saved plans: the original and its extensions.
    pub plans: Arc<Mutex<Vec<Plan>>>,
}

impl MemoryJournal {
    /// The results of the saved games, which aren't played again.
    #[must_use]
    pub fn results(&self) -> Vec<GameResult> {
        let games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        games.iter().map(PlayedGame::result).collect()
    }
}

impl Journal for MemoryJournal {
    fn save_plan(&mut self, plan: &Plan) -> Result<(), JournalError> {
        let mut plans = self.plans.lock().unwrap_or_else(PoisonError::into_inner);
        plans.push(plan.clone());
        Ok(())
    }

    fn save_games(&mut self, games: &[&PlayedGame]) -> Result<(), JournalError> {
        let mut saved = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        saved.extend(games.iter().copied().cloned());
        Ok(())
    }
}

/// Saves nothing.
impl Journal for () {
    fn save_plan(&mut self, _: &Plan) -> Result<(), JournalError> {
        Ok(())
    }

    fn save_games(&mut self, _: &[&PlayedGame]) -> Result<(), JournalError> {
        Ok(())
    }
}
