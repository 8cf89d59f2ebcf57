//! Saved tournaments: the arena's journal on top of the store.

pub(crate) mod author;
mod stored_game;
#[cfg(test)]
mod tests;

use noughts_arena::tournament::TournamentEnd;
use noughts_arena::{GameKey, Journal, JournalError, Plan, PlayedGame};
use noughts_rules::Variant;
use noughts_store::{StoreError, TournamentId, TournamentState};
use serde::{Deserialize, Serialize};

use crate::store_handle::StoreHandle;
use author::PlanAuthor;
use stored_game::{from_stored_game, stored_key, to_stored_game};

/// A tournament in the store, held by this process so that no other process can play it. Dropping
/// the journal releases it, and so does the end of the process, however it ends.
///
/// Its methods block the calling thread until the store is done, so they must not be called from a
/// runtime thread.
pub(crate) struct TournamentJournal<'a> {
    store: &'a StoreHandle,
    id: TournamentId,
}

/// Why a tournament can't be created or resumed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TournamentStoreError {
    /// The store returned an error.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// The plan can't be stored.
    #[error("{0}")]
    Journal(#[from] JournalError),
    /// Another process is playing it.
    #[error(
        "tournament {0} is being played in another program; wait for it to finish or stop it there"
    )]
    HeldElsewhere(TournamentId),
    /// The stored plan or a stored game can't be read.
    #[error("tournament {id}: {what}")]
    Corrupt {
        /// Which one.
        id: TournamentId,
        /// What is wrong, as a sentence.
        what: String,
    },
}

impl<'a> TournamentJournal<'a> {
    /// Creates a tournament with this plan.
    pub(crate) fn create(
        store: &'a StoreHandle,
        plan: &Plan,
    ) -> Result<TournamentJournal<'a>, TournamentStoreError> {
        let plan = plan_text(plan)?;
        let id = store.query(|store| store.create_tournament(&plan))?;
        Ok(TournamentJournal { store, id })
    }

    /// Takes over a tournament to continue it. Returns its plan and the games played so far.
    pub(crate) fn resume(
        store: &'a StoreHandle,
        id: TournamentId,
    ) -> Result<(TournamentJournal<'a>, Plan, Vec<PlayedGame>), TournamentStoreError> {
        if !store.query(|store| store.acquire_tournament(id))? {
            return Err(TournamentStoreError::HeldElsewhere(id));
        }
        // From here on, every return path releases it.
        let journal = TournamentJournal { store, id };
        let (plan, games) = load_tournament(store, id)?;
        Ok((journal, plan, games))
    }

    /// Who planned it and on which machine, if known.
    pub(crate) fn author(&self) -> Result<Option<PlanAuthor>, StoreError> {
        #[derive(Deserialize)]
        struct StoredPlan {
            #[serde(rename = "origin")]
            author: PlanAuthor,
        }
        let found = self.store.query(|store| store.tournament(self.id))?;
        let plan = found.and_then(|found| serde_json::from_str::<StoredPlan>(&found.plan).ok());
        Ok(plan.map(|plan| plan.author))
    }

    /// Deletes games so that they are played again.
    pub(crate) fn delete_games(&self, games: &[GameKey]) -> Result<(), StoreError> {
        let keys = games.iter().map(stored_key).collect();
        (self.store).query(|store| store.delete_arena_games(self.id, keys))
    }

    /// Its ID.
    pub(crate) fn id(&self) -> TournamentId {
        self.id
    }

    /// Stores how the run ended.
    pub(crate) fn record_end(&self, end: TournamentEnd) -> Result<(), StoreError> {
        let state = match end {
            // More games of the same plan would only repeat the ones already played.
            TournamentEnd::Complete | TournamentEnd::Repeating => TournamentState::Complete,
            TournamentEnd::Decided(_) => TournamentState::Decided,
            TournamentEnd::Stopped => TournamentState::Open,
        };
        (self.store).query(|store| store.set_tournament_state(self.id, state))
    }
}

impl Drop for TournamentJournal<'_> {
    fn drop(&mut self) {
        // If the release can't be stored, the lock still disappears with the process.
        let _ = (self.store).query(|store| store.release_tournament(self.id));
    }
}

impl Journal for TournamentJournal<'_> {
    fn save_plan(&mut self, plan: &Plan) -> Result<(), JournalError> {
        let text = plan_text(plan)?;
        let saved = (self.store).query(|store| store.update_plan(self.id, &text));
        saved.map_err(|error| JournalError(error.to_string()))
    }

    fn save_games(&mut self, games: &[&PlayedGame]) -> Result<(), JournalError> {
        let games = games.iter().map(|game| to_stored_game(game)).collect();
        let saved = (self.store).query(|store| store.save_arena_games(self.id, games));
        saved.map_err(|error| JournalError(error.to_string()))
    }
}

/// A plan as stored: with the user who wrote it, or who has accepted it since.
fn plan_text(plan: &Plan) -> Result<String, JournalError> {
    #[derive(Serialize)]
    struct StoredPlan<'a> {
        #[serde(flatten)]
        plan: &'a Plan,
        #[serde(rename = "origin")]
        author: PlanAuthor,
    }
    let author = PlanAuthor::current(plan);
    serde_json::to_string(&StoredPlan { plan, author })
        .map_err(|error| JournalError(format!("the plan can't be saved: {error}")))
}

/// The plan of a tournament and the games played so far, sorted by key.
pub(crate) fn load_tournament(
    store: &StoreHandle,
    id: TournamentId,
) -> Result<(Plan, Vec<PlayedGame>), TournamentStoreError> {
    let corrupt = |what: String| TournamentStoreError::Corrupt { id, what };
    let found = store.query(|store| store.tournament(id))?;
    let tournament = found.ok_or(StoreError::NoSuchTournament(id))?;
    let plan: Plan = parse_plan(&tournament.plan).map_err(corrupt)?;
    let variant: Variant = plan
        .variant
        .parse()
        .map_err(|error| corrupt(format!("the plan is invalid: {error}")))?;
    let games = store.query(|store| store.arena_games(id))?.into_iter();
    let games: Result<_, _> = games.map(|game| from_stored_game(variant, game)).collect();
    Ok((plan, games.map_err(corrupt)?))
}

/// Parses a stored plan. The error is a sentence.
pub(crate) fn parse_plan(text: &str) -> Result<Plan, String> {
    serde_json::from_str(text).map_err(|error| {
        format!("the plan can't be read ({error}); it may be from a newer version of noughts")
    })
}
