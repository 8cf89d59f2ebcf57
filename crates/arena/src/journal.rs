//! What the arena wants kept, by whoever keeps it.

use std::sync::{Arc, Mutex, PoisonError};

use crate::plan::Plan;
use crate::played::{GameResult, Played};

/// Keeps a tournament so that it can go on after anything. What a method returns `Ok`
/// for is on the disk.
pub trait Journal: Send {
    /// The plan, at first and whenever it is extended.
    ///
    /// # Errors
    /// It could not be kept.
    fn plan(&mut self, plan: &Plan) -> Result<(), JournalError>;

    /// A game that has ended. One that is there already stays as it is.
    ///
    /// # Errors
    /// It could not be kept.
    fn game(&mut self, game: &Played) -> Result<(), JournalError>;

    /// Games that have ended while the last ones were being kept: the disk need be waited
    /// for only once.
    ///
    /// # Errors
    /// One of them could not be kept.
    fn games(&mut self, games: &[&Played]) -> Result<(), JournalError> {
        games.iter().try_for_each(|game| self.game(game))
    }
}

/// Something was not kept; the sentence says why.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct JournalError(pub String);

/// Keeps everything for as long as it lives, in the order in which it came. Clones share
/// it.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// The games.
    pub games: Arc<Mutex<Vec<Played>>>,
    /// The plan, and what it was extended to.
    pub plans: Arc<Mutex<Vec<Plan>>>,
}

impl Memory {
    /// The results of the games that are played: what is not to be played again.
    #[must_use]
    pub fn done(&self) -> Vec<GameResult> {
        let games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        games.iter().map(Played::result).collect()
    }
}

impl Journal for Memory {
    fn plan(&mut self, plan: &Plan) -> Result<(), JournalError> {
        let mut plans = self.plans.lock().unwrap_or_else(PoisonError::into_inner);
        plans.push(plan.clone());
        Ok(())
    }

    fn game(&mut self, game: &Played) -> Result<(), JournalError> {
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        games.push(game.clone());
        Ok(())
    }
}

/// Keeps nothing.
impl Journal for () {
    fn plan(&mut self, _: &Plan) -> Result<(), JournalError> {
        Ok(())
    }

    fn game(&mut self, _: &Played) -> Result<(), JournalError> {
        Ok(())
    }
}
