//! What the arena wants kept, by whoever keeps it.

use crate::plan::Plan;
use crate::played::Played;

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

/// Keeps nothing.
impl Journal for () {
    fn plan(&mut self, _: &Plan) -> Result<(), JournalError> {
        Ok(())
    }

    fn game(&mut self, _: &Played) -> Result<(), JournalError> {
        Ok(())
    }
}
