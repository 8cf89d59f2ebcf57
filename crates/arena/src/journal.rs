//! What the arena wants kept, by whoever keeps it.

use std::sync::{Arc, Mutex, PoisonError};

use crate::plan::Plan;
use crate::played_game::{GameResult, PlayedGame};

/// Keeps a tournament so that it can go on after anything. What a method returns `Ok`
/// for is on the disk.
pub trait Journal: Send {
    /// The plan, at first and whenever it is extended.
    ///
    /// # Errors
    /// It could not be kept.
    fn save_plan(&mut self, plan: &Plan) -> Result<(), JournalError>;

    /// A game that has ended. One that is there already stays as it is.
    ///
    /// # Errors
    /// It could not be kept.
    fn save_game(&mut self, game: &PlayedGame) -> Result<(), JournalError>;

    /// Games that have ended while the last ones were being kept: the disk need be waited
    /// for only once.
    ///
    /// # Errors
    /// One of them could not be kept.
    fn save_games(&mut self, games: &[&PlayedGame]) -> Result<(), JournalError> {
        games.iter().try_for_each(|game| self.save_game(game))
    }
}

/// Something was not kept; the sentence says why.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct JournalError(pub String);

/// Keeps everything for as long as it lives, in the order in which it came. Clones share
/// it.
#[derive(Clone, Debug, Default)]
pub struct MemoryJournal {
    /// The games.
    pub games: Arc<Mutex<Vec<PlayedGame>>>,
    /// The plan, and what it was extended to.
    pub plans: Arc<Mutex<Vec<Plan>>>,
}

impl MemoryJournal {
    /// The results of the games that are played: what is not to be played again.
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

    fn save_game(&mut self, game: &PlayedGame) -> Result<(), JournalError> {
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        games.push(game.clone());
        Ok(())
    }
}

/// Keeps nothing.
impl Journal for () {
    fn save_plan(&mut self, _: &Plan) -> Result<(), JournalError> {
        Ok(())
    }

    fn save_game(&mut self, _: &PlayedGame) -> Result<(), JournalError> {
        Ok(())
    }
}
