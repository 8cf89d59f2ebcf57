//! Tournaments of bots, kept in the store: the arena's journal, and the way back from
//! what is kept to plans and games.

use noughts_arena::tournament::TournamentEnd;
use noughts_arena::{EndReason, GameKey, Journal, JournalError, MoveInfo, Plan, PlayedGame};
use noughts_engine::{ExactValue, GameValue, Value};
use noughts_rules::{AnyGameState, Variant};
use noughts_store::{
    ArenaGame, ArenaGameKey, ArenaMove, Store, StoreError, TournamentId, TournamentState,
};
use tokio::runtime::Handle;

use crate::origin::Origin;

/// A tournament in the store, held by this program: nobody else can play it meanwhile.
/// It is let go when this is dropped, or when the program ends, however it ends.
///
/// It waits for the store on the thread that calls it, which must not be one of the
/// runtime's.
#[derive(Debug)]
pub struct TournamentJournal {
    handle: Handle,
    store: Store,
    id: TournamentId,
}

/// Why a tournament cannot be begun or gone on with.
#[derive(Debug, thiserror::Error)]
pub enum TournamentStoreError {
    /// The store said no.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// What there is cannot be kept.
    #[error("{0}")]
    Journal(#[from] JournalError),
    /// Another program plays it.
    #[error("tournament {0} is being played in another program; wait for it, or stop it there")]
    HeldElsewhere(TournamentId),
    /// What is kept cannot be read.
    #[error("tournament {id}: {what}")]
    Corrupt {
        /// Which one.
        id: TournamentId,
        /// What is wrong, as a sentence.
        what: String,
    },
}

impl TournamentJournal {
    /// Begins a new one with this plan.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn create(
        handle: &Handle,
        store: &Store,
        plan: &Plan,
    ) -> Result<TournamentJournal, TournamentStoreError> {
        let id = handle.block_on(store.create_tournament(&plan_text(plan)?))?;
        Ok(TournamentJournal::of(handle, store, id))
    }

    /// Takes one over to go on with it; gives its plan and the games that are played.
    ///
    /// # Errors
    /// There is no such tournament, another program plays it, or what is kept makes no
    /// sense.
    pub fn resume(
        handle: &Handle,
        store: &Store,
        id: TournamentId,
    ) -> Result<(TournamentJournal, Plan, Vec<PlayedGame>), TournamentStoreError> {
        if !handle.block_on(store.acquire_tournament(id))? {
            return Err(TournamentStoreError::HeldElsewhere(id));
        }
        // From here on it is let go on every way out.
        let kept = TournamentJournal::of(handle, store, id);
        let (plan, games) = handle.block_on(load_tournament(store, id))?;
        Ok((kept, plan, games))
    }

    fn of(handle: &Handle, store: &Store, id: TournamentId) -> TournamentJournal {
        TournamentJournal {
            handle: handle.clone(),
            store: store.clone(),
            id,
        }
    }

    /// Who planned it, and where, if that is known.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn origin(&self) -> Result<Option<Origin>, StoreError> {
        let found = self.handle.block_on(self.store.tournament(self.id))?;
        let plan = found.and_then(|found| serde_json::from_str(&found.plan).ok());
        Ok(plan.and_then(|plan| Origin::from_json(&plan)))
    }

    /// Forgets games, so that they are played again.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn delete_games(&self, games: &[GameKey]) -> Result<(), StoreError> {
        let keys = games.iter().map(to_stored_key).collect();
        self.handle
            .block_on(self.store.delete_arena_games(self.id, keys))
    }

    /// Its number.
    #[must_use]
    pub fn id(&self) -> TournamentId {
        self.id
    }

    /// Says how it came to its end for now.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn record_end(&self, how: TournamentEnd) -> Result<(), StoreError> {
        let state = match how {
            // More games of the same plan would repeat those that are played.
            TournamentEnd::Complete | TournamentEnd::Repeating => TournamentState::Complete,
            TournamentEnd::Decided(_) => TournamentState::Decided,
            TournamentEnd::Stopped => TournamentState::Open,
        };
        let work = self.store.set_tournament_state(self.id, state);
        self.handle.block_on(work)
    }
}

impl Drop for TournamentJournal {
    fn drop(&mut self) {
        // Whoever cannot write it down now is still forgotten when the program ends.
        let _ = self.handle.block_on(self.store.release_tournament(self.id));
    }
}

impl Journal for TournamentJournal {
    fn save_plan(&mut self, plan: &Plan) -> Result<(), JournalError> {
        let text = plan_text(plan)?;
        let work = self.store.update_plan(self.id, &text);
        self.handle.block_on(work).map_err(journal_error)
    }

    fn save_game(&mut self, game: &PlayedGame) -> Result<(), JournalError> {
        self.save_games(&[game])
    }

    fn save_games(&mut self, games: &[&PlayedGame]) -> Result<(), JournalError> {
        let games = games.iter().map(|game| to_stored_game(game)).collect();
        let work = self.store.save_arena_games(self.id, games);
        self.handle.block_on(work).map_err(journal_error)
    }
}

#[allow(clippy::needless_pass_by_value, reason = "for `map_err`")]
fn journal_error(error: StoreError) -> JournalError {
    JournalError(error.to_string())
}

/// A plan as it is kept: with whoever planned it, or accepted it since.
fn plan_text(plan: &Plan) -> Result<String, JournalError> {
    let mut value = serde_json::to_value(plan)
        .map_err(|error| JournalError(format!("the plan cannot be written down: {error}")))?;
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

/// The plan of a tournament and the games that are played, in the order of their keys.
///
/// # Errors
/// There is no such tournament, or what is kept makes no sense.
pub async fn load_tournament(
    store: &Store,
    id: TournamentId,
) -> Result<(Plan, Vec<PlayedGame>), TournamentStoreError> {
    let odd = |what: String| TournamentStoreError::Corrupt { id, what };
    let found = store.tournament(id).await?;
    let tournament = found.ok_or(StoreError::NoSuchTournament(id))?;
    let plan: Plan = parse_plan(&tournament.plan).map_err(odd)?;
    let variant: Variant = plan
        .variant
        .parse()
        .map_err(|error| odd(format!("its plan: {error}")))?;
    let games = store.arena_games(id).await?;
    let games: Result<Vec<PlayedGame>, String> = games
        .iter()
        .map(|game| from_stored_game(variant, game))
        .collect();
    Ok((plan, games.map_err(odd)?))
}

/// Reads a plan that was kept.
///
/// # Errors
/// It is none, as a sentence.
pub fn parse_plan(text: &str) -> Result<Plan, String> {
    serde_json::from_str(text).map_err(|error| {
        format!("its plan cannot be read ({error}); a newer noughts may have written it")
    })
}

/// A game as the store keeps it.
#[must_use]
pub fn to_stored_game(game: &PlayedGame) -> ArenaGame {
    let mut opening = game.state.moves();
    let made = opening.split_off(game.opening_plies.min(opening.len()));
    let moves = made.into_iter().zip(&game.move_info);
    let moves = moves.map(|(text, about)| ArenaMove {
        text,
        took: about.took,
        value: about.value.map(value_text),
        depth: about.depth,
        nodes: about.nodes,
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

/// The game that was kept, exactly as it was.
///
/// # Errors
/// It is none, as a sentence: another program may have written to the file.
pub fn from_stored_game(variant: Variant, game: &ArenaGame) -> Result<PlayedGame, String> {
    let ArenaGameKey {
        round,
        first,
        second,
        swapped,
    } = game.key;
    let unfit = |what: String| format!("the game of {first} and {second} in round {round}: {what}");
    let mut play = match &game.start {
        None => AnyGameState::new(variant),
        Some(text) => AnyGameState::from_text(variant, text).map_err(|e| unfit(e.to_string()))?,
    };
    let made = game.moves.iter().map(|mv| &mv.text);
    for (number, mv) in (1..).zip(game.opening.iter().chain(made)) {
        play.play(mv)
            .map_err(|refusal| unfit(format!("move {number}: {refusal}")))?;
    }
    let moves: Result<Vec<MoveInfo>, String> = game
        .moves
        .iter()
        .map(|mv| {
            let value = mv.value.as_deref();
            let value = value.map(|text| parse_value(text).ok_or(text)).transpose();
            Ok(MoveInfo {
                took: mv.took,
                value: value.map_err(|text| unfit(format!("{text:?} is no value")))?,
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
        state: play,
        opening_plies: game.opening.len(),
        move_info: moves?,
        outcome: game.outcome,
        reason: reason.ok_or_else(|| unfit(format!("{:?} is no reason", game.reason)))?,
        note: game.note.clone(),
    })
}

/// `win:5`, `win`, `draw`, or `0.25~0.1` for an estimate and its error: numbers that read
/// back as they were.
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
    let verdicts = [GameValue::Win, GameValue::Draw, GameValue::Loss];
    let verdict = verdicts
        .into_iter()
        .find(|verdict| verdict.as_str() == word)?;
    Some(Value::Exact(match (verdict, plies) {
        (verdict, None) => ExactValue::without_distance(verdict),
        (GameValue::Win, Some(plies)) => ExactValue::win(plies),
        (GameValue::Loss, Some(plies)) => ExactValue::loss(plies),
        (GameValue::Draw, Some(_)) => return None,
    }))
}
