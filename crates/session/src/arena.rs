//! Stores tournaments of bots: implements the arena's journal on top of the store, and loads plans
//! and games back.

use noughts_arena::tournament::TournamentEnd;
use noughts_arena::{EndReason, GameKey, Journal, JournalError, MoveInfo, Plan, PlayedGame};
use noughts_engine::{ExactValue, GameValue, Value};
use noughts_rules::{AnyGameState, Variant};
use noughts_store::{
    ArenaGame, ArenaGameKey, ArenaMove, Store, StoreError, TournamentId, TournamentState,
};
use tokio::runtime::Handle;

use crate::origin::Origin;

/// A tournament in the store, held by this process so that no other process can play it. Dropping
/// the journal releases it, and so does the end of the process, however it ends.
///
/// Its methods block the calling thread until the store is done, so they must not be called from a
/// runtime thread.
#[derive(Debug)]
pub struct TournamentJournal {
    handle: Handle,
    store: Store,
    id: TournamentId,
}

/// Why a tournament can't be created or resumed.
#[derive(Debug, thiserror::Error)]
pub enum TournamentStoreError {
    /// The store returned an error.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// The plan or a game can't be stored.
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

impl TournamentJournal {
    /// Creates a tournament with this plan.
    ///
    /// # Errors
    /// The store can't be written.
    pub fn create(
        handle: &Handle,
        store: &Store,
        plan: &Plan,
    ) -> Result<TournamentJournal, TournamentStoreError> {
        let id = handle.block_on(store.create_tournament(&plan_text(plan)?))?;
        Ok(TournamentJournal::new(handle, store, id))
    }

    /// Takes over a tournament to continue it. Returns its plan and the games played so far.
    ///
    /// # Errors
    /// The tournament doesn't exist, another process plays it, or the stored data is invalid.
    pub fn resume(
        handle: &Handle,
        store: &Store,
        id: TournamentId,
    ) -> Result<(TournamentJournal, Plan, Vec<PlayedGame>), TournamentStoreError> {
        if !handle.block_on(store.acquire_tournament(id))? {
            return Err(TournamentStoreError::HeldElsewhere(id));
        }
        // From here on, every return path releases it.
        let journal = TournamentJournal::new(handle, store, id);
        let (plan, games) = handle.block_on(load_tournament(store, id))?;
        Ok((journal, plan, games))
    }

    fn new(handle: &Handle, store: &Store, id: TournamentId) -> TournamentJournal {
        TournamentJournal {
            handle: handle.clone(),
            store: store.clone(),
            id,
        }
    }

    /// Who planned it and on which machine, if known.
    ///
    /// # Errors
    /// The store can't be read.
    pub fn origin(&self) -> Result<Option<Origin>, StoreError> {
        let found = self.handle.block_on(self.store.tournament(self.id))?;
        let plan = found.and_then(|found| serde_json::from_str(&found.plan).ok());
        Ok(plan.and_then(|plan| Origin::from_json(&plan)))
    }

    /// Deletes games so that they are played again.
    ///
    /// # Errors
    /// The store can't be written.
    pub fn delete_games(&self, games: &[GameKey]) -> Result<(), StoreError> {
        let keys = games.iter().map(to_stored_key).collect();
        self.handle
            .block_on(self.store.delete_arena_games(self.id, keys))
    }

    /// Its ID.
    #[must_use]
    pub fn id(&self) -> TournamentId {
        self.id
    }

    /// Stores how the run ended.
    ///
    /// # Errors
    /// The store can't be written.
    pub fn record_end(&self, end: TournamentEnd) -> Result<(), StoreError> {
        let state = match end {
            // More games of the same plan would only repeat the ones already played.
            TournamentEnd::Complete | TournamentEnd::Repeating => TournamentState::Complete,
            TournamentEnd::Decided(_) => TournamentState::Decided,
            TournamentEnd::Stopped => TournamentState::Open,
        };
        let write = self.store.set_tournament_state(self.id, state);
        self.handle.block_on(write)
    }
}

impl Drop for TournamentJournal {
    fn drop(&mut self) {
        // If the release can't be stored, the lock still disappears with the process.
        let _ = self.handle.block_on(self.store.release_tournament(self.id));
    }
}

impl Journal for TournamentJournal {
    fn save_plan(&mut self, plan: &Plan) -> Result<(), JournalError> {
        let text = plan_text(plan)?;
        let write = self.store.update_plan(self.id, &text);
        self.handle.block_on(write).map_err(journal_error)
    }

    fn save_game(&mut self, game: &PlayedGame) -> Result<(), JournalError> {
        self.save_games(&[game])
    }

    fn save_games(&mut self, games: &[&PlayedGame]) -> Result<(), JournalError> {
        let games = games.iter().map(|game| to_stored_game(game)).collect();
        let write = self.store.save_arena_games(self.id, games);
        self.handle.block_on(write).map_err(journal_error)
    }
}

#[allow(clippy::needless_pass_by_value, reason = "for `map_err`")]
fn journal_error(error: StoreError) -> JournalError {
    JournalError(error.to_string())
}

/// A plan as stored: with the user who wrote it, or who has accepted it since.
fn plan_text(plan: &Plan) -> Result<String, JournalError> {
    let mut value = serde_json::to_value(plan)
        .map_err(|error| JournalError(format!("the plan can't be saved: {error}")))?;
    if let Some(fields) = value.as_object_mut() {
        fields.insert("origin".into(), Origin::current(plan).to_json());
    }
    Ok(value.to_string())
}

fn to_stored_key(key: &GameKey) -> ArenaGameKey {
    let GameKey {
        round,
        first,
        second,
        swapped,
    } = *key;
    ArenaGameKey {
        round,
        first,
        second,
        swapped,
    }
}

/// The plan of a tournament and the games played so far, sorted by key.
///
/// # Errors
/// The tournament doesn't exist, or the stored data is invalid.
pub async fn load_tournament(
    store: &Store,
    id: TournamentId,
) -> Result<(Plan, Vec<PlayedGame>), TournamentStoreError> {
    let corrupt = |what: String| TournamentStoreError::Corrupt { id, what };
    let found = store.tournament(id).await?;
    let tournament = found.ok_or(StoreError::NoSuchTournament(id))?;
    let plan: Plan = parse_plan(&tournament.plan).map_err(corrupt)?;
    let variant: Variant = plan
        .variant
        .parse()
        .map_err(|error| corrupt(format!("the plan is invalid: {error}")))?;
    let games = store.arena_games(id).await?;
    let games: Result<Vec<PlayedGame>, String> = games
        .iter()
        .map(|game| from_stored_game(variant, game))
        .collect();
    Ok((plan, games.map_err(corrupt)?))
}

/// Parses a stored plan.
///
/// # Errors
/// The text isn't a plan; the reason is a sentence.
pub fn parse_plan(text: &str) -> Result<Plan, String> {
    serde_json::from_str(text).map_err(|error| {
        format!("the plan can't be read ({error}); it may be from a newer version of noughts")
    })
}

/// Converts a game to its stored form.
#[must_use]
pub fn to_stored_game(game: &PlayedGame) -> ArenaGame {
    let mut opening = game.state.moves();
    let bot_moves = opening.split_off(game.opening_plies.min(opening.len()));
    let moves = bot_moves.into_iter().zip(&game.move_info);
    let moves = moves.map(|(text, info)| ArenaMove {
        text,
        took: info.took,
        value: info.value.map(value_text),
        depth: info.depth,
        nodes: info.nodes,
    });
    ArenaGame {
        key: to_stored_key(&game.key),
        start: (!game.state.has_standard_start()).then(|| game.state.start_text()),
        opening,
        moves: moves.collect(),
        outcome: game.outcome,
        reason: game.reason.name().into(),
        note: game.note.clone(),
    }
}

/// Rebuilds a game exactly from its stored form.
///
/// # Errors
/// The stored game is invalid (another program may have written to the file); the reason is a
/// sentence.
pub fn from_stored_game(variant: Variant, game: &ArenaGame) -> Result<PlayedGame, String> {
    let ArenaGameKey {
        round,
        first,
        second,
        swapped,
    } = game.key;
    let invalid =
        |what: String| format!("the game between {first} and {second} in round {round}: {what}");
    let mut state = match &game.start {
        None => AnyGameState::new(variant),
        Some(text) => AnyGameState::from_text(variant, text).map_err(|e| invalid(e.to_string()))?,
    };
    let bot_moves = game.moves.iter().map(|mv| &mv.text);
    for (number, mv) in (1..).zip(game.opening.iter().chain(bot_moves)) {
        state
            .play(mv)
            .map_err(|refusal| invalid(format!("move {number}: {refusal}")))?;
    }
    let moves: Result<Vec<MoveInfo>, String> = game
        .moves
        .iter()
        .map(|mv| {
            let value = mv.value.as_deref();
            let value = value.map(|text| parse_value(text).ok_or(text)).transpose();
            Ok(MoveInfo {
                took: mv.took,
                value: value.map_err(|text| invalid(format!("{text:?} isn't a value")))?,
                depth: mv.depth,
                nodes: mv.nodes,
            })
        })
        .collect();
    let reason = EndReason::from_name(&game.reason);
    Ok(PlayedGame {
        key: GameKey {
            round,
            first,
            second,
            swapped,
        },
        state,
        opening_plies: game.opening.len(),
        move_info: moves?,
        outcome: game.outcome,
        reason: reason.ok_or_else(|| {
            invalid(format!(
                "{reason:?} isn't a reason for the end of a game",
                reason = game.reason
            ))
        })?,
        note: game.note.clone(),
    })
}

/// `win:5`, `win`, `draw`, or `0.25~0.1` for an estimate and its error. Numbers round-trip exactly.
fn value_text(value: Value) -> String {
    match value {
        Value::Exact(exact) => match exact.plies() {
            Some(plies) => format!("{}:{plies}", exact.game_value().as_str()),
            None => exact.game_value().as_str().into(),
        },
        Value::Estimate { mean, error } => format!("{mean:?}~{error:?}"),
    }
}

fn parse_value(text: &str) -> Option<Value> {
    if let Some((mean, error)) = text.split_once('~') {
        let (mean, error) = (mean.parse().ok()?, error.parse().ok()?);
        return Some(Value::Estimate { mean, error });
    }
    let (word, plies) = match text.split_once(':') {
        Some((word, plies)) => (word, Some(plies.parse().ok()?)),
        None => (text, None),
    };
    let game_values = [GameValue::Win, GameValue::Draw, GameValue::Loss];
    let game_value = game_values
        .into_iter()
        .find(|game_value| game_value.as_str() == word)?;
    Some(Value::Exact(match (game_value, plies) {
        (game_value, None) => ExactValue::without_distance(game_value),
        (GameValue::Win, Some(plies)) => ExactValue::win(plies),
        (GameValue::Loss, Some(plies)) => ExactValue::loss(plies),
        (GameValue::Draw, Some(_)) => return None,
    }))
}
