//! Tournaments of bots and their games. Plans, moves and values are opaque text here.

use std::fmt;

use sqlx::SqliteConnection;

use crate::error::{RawResult, RawStoreError, StoreError};
use crate::process::random_uid;
use crate::store::Store;
use crate::timestamp::Timestamp;

/// The ID of a tournament in this store. IDs are never reused.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TournamentId(pub i64);

impl fmt::Display for TournamentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The progress of a tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TournamentState {
    /// Games are left to play.
    Open,
    /// All games are played.
    Complete,
    /// The sequential test is decided; games may be left.
    Decided,
}

impl TournamentState {
    /// The word in the store: `open`, `complete` or `decided`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            TournamentState::Open => "open",
            TournamentState::Complete => "complete",
            TournamentState::Decided => "decided",
        }
    }

    fn parse(word: &str) -> Option<TournamentState> {
        use TournamentState::{Complete, Decided, Open};
        let mut all = [Open, Complete, Decided].into_iter();
        all.find(|state| state.as_str() == word)
    }
}

/// A stored tournament, without its games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredTournament {
    /// Its ID in this store.
    pub id: TournamentId,
    /// A globally unique ID: 128 bits in hexadecimal.
    pub uid: String,
    /// The plan, as text.
    pub plan: String,
    /// Its progress.
    pub state: TournamentState,
    /// When it started.
    pub started: Timestamp,
    /// When it ended, if it has.
    pub ended: Option<Timestamp>,
    /// The number of games played.
    pub games: u64,
    /// Is a process playing it right now?
    pub is_running: bool,
}

/// Identifies a game of a tournament: the round, the indices of its bots in the plan, and whether
/// sides are swapped.
pub type ArenaGameKey = (u32, u32, u32, bool);

/// A game of a tournament.
#[derive(Clone, PartialEq, Eq, Debug, sqlx::FromRow)]
pub struct ArenaGame {
    /// Which one: the first columns of a row.
    #[sqlx(flatten)]
    pub key: ArenaGameKey,
    /// The start position, if it isn't the default one.
    pub start: Option<String>,
    /// How many of the moves are the opening, which no bot chose.
    #[sqlx(try_from = "i64")]
    pub opening: u64,
    /// All moves, separated by spaces.
    pub moves: String,
    /// Details of each move after the opening, separated by spaces.
    pub details: String,
    /// The result: `x`, `o` or `draw`.
    pub outcome: String,
    /// How it ended, as one word.
    pub reason: String,
    /// Additional details.
    pub note: Option<String>,
}

macro_rules! select_tournaments {
    () => {
        "SELECT id, uid, plan, state, began, ended, holder,
                (SELECT COUNT(*) FROM arena_games WHERE tournament = tournaments.id)
         FROM tournaments "
    };
}

/// The columns that `select_tournaments!` selects.
type TournamentRow = (
    i64,
    String,
    String,
    String,
    i64,
    Option<i64>,
    Option<String>,
    i64,
);

impl Store {
    /// Creates a tournament, held by this process.
    ///
    /// # Errors
    /// The file can't be written.
    pub async fn create_tournament(&self, plan: &str) -> Result<TournamentId, StoreError> {
        let (plan, uid) = (plan.to_owned(), random_uid()?);
        self.submit_write(async move |store, tx| {
            let sql = "INSERT INTO tournaments (uid, plan, state, began, holder)
                       VALUES ($1, $2, 'open', $3, $4) RETURNING id";
            let (now, holder) = (Timestamp::now().as_millis(), store.process().uid());
            let (id,) = fetch_one!(tx, sql, &uid, &plan, now, holder)?;
            Ok(TournamentId(id))
        })
        .await
    }

    /// Acquires a tournament for this process. If several processes try at once, one of them
    /// succeeds.
    ///
    /// # Errors
    /// The tournament doesn't exist, or the file can't be written.
    pub async fn acquire_tournament(&self, id: TournamentId) -> Result<bool, StoreError> {
        self.submit_write(async move |store, tx| {
            let process = store.process();
            let holder = holder(tx, id).await?;
            let other = holder.filter(|holder| holder != process.uid());
            if other.is_some_and(|other| process.is_alive(&other)) {
                return Ok(false);
            }
            set_holder(tx, id, Some(process.uid())).await?;
            Ok(true)
        })
        .await
    }

    /// Releases a tournament held by this process, so that any process can continue it.
    ///
    /// # Errors
    /// Another process holds it, or the file can't be written.
    pub async fn release_tournament(&self, id: TournamentId) -> Result<(), StoreError> {
        self.submit_write(async move |store, tx| {
            store.check_held(tx, id).await?;
            set_holder(tx, id, None).await
        })
        .await
    }

    /// Replaces the plan of a tournament held by this process, for example to add games, and
    /// reopens it. The same plan changes nothing.
    ///
    /// # Errors
    /// This process doesn't hold it, or the file can't be written.
    pub async fn update_plan(&self, id: TournamentId, plan: &str) -> Result<(), StoreError> {
        let plan = plan.to_owned();
        self.submit_write(async move |store, tx| {
            store.check_held(tx, id).await?;
            let sql = "UPDATE tournaments SET plan = $1, state = 'open', ended = NULL
                       WHERE id = $2 AND plan <> $1";
            execute!(tx, sql, &plan, id.0)?;
            Ok(())
        })
        .await
    }

    /// Sets the progress of a tournament held by this process.
    ///
    /// # Errors
    /// This process doesn't hold it, or the file can't be written.
    pub async fn set_tournament_state(
        &self,
        id: TournamentId,
        state: TournamentState,
    ) -> Result<(), StoreError> {
        self.submit_write(async move |store, tx| {
            store.check_held(tx, id).await?;
            // Keep the first end time; the clock may have been set back since.
            let sql = "UPDATE tournaments SET state = $1,
                       ended = CASE WHEN $1 = 'open' THEN NULL
                                    ELSE COALESCE(ended, CASE WHEN began > $2 THEN began ELSE $2 END) END
                       WHERE id = $3";
            execute!(tx, sql, state.as_str(), Timestamp::now().as_millis(), id.0)?;
            Ok(())
        })
        .await
    }

    /// Saves games of a tournament held by this process, all or none. Games that are already stored
    /// stay unchanged. When this returns, the games are on disk.
    ///
    /// # Errors
    /// This process doesn't hold the tournament, or the file can't be written.
    pub async fn save_arena_games(
        &self,
        id: TournamentId,
        games: Vec<ArenaGame>,
    ) -> Result<(), StoreError> {
        self.submit_write(async move |store, tx| {
            store.check_held(tx, id).await?;
            for game in &games {
                insert(tx, id, game).await?;
            }
            Ok(())
        })
        .await
    }

    /// Deletes games of a tournament held by this process, all or none, and reopens it so that they
    /// are played again.
    ///
    /// # Errors
    /// This process doesn't hold the tournament, or the file can't be written.
    pub async fn delete_arena_games(
        &self,
        id: TournamentId,
        keys: Vec<ArenaGameKey>,
    ) -> Result<(), StoreError> {
        self.submit_write(async move |store, tx| {
            store.check_held(tx, id).await?;
            for (round, first, second, swapped) in &keys {
                let sql = "DELETE FROM arena_games WHERE tournament = $1 AND round = $2
                           AND first = $3 AND second = $4 AND swapped = $5";
                execute!(&mut *tx, sql, id.0, round, first, second, swapped)?;
            }
            let sql = "UPDATE tournaments SET state = 'open', ended = NULL WHERE id = $1";
            execute!(tx, sql, id.0)?;
            Ok(())
        })
        .await
    }

    /// All tournaments, newest first.
    ///
    /// # Errors
    /// The file can't be read.
    pub async fn tournaments(&self) -> Result<Vec<StoredTournament>, StoreError> {
        self.with_error_context(async {
            let sql = concat!(select_tournaments!(), "ORDER BY id DESC");
            let rows: Vec<TournamentRow> = fetch_all!(self.list_pool(), sql)?;
            let tournaments = rows.into_iter().map(|row| self.read_tournament(row));
            tournaments.collect()
        })
        .await
    }

    /// A tournament, without its games.
    ///
    /// # Errors
    /// The file can't be read.
    pub async fn tournament(
        &self,
        id: TournamentId,
    ) -> Result<Option<StoredTournament>, StoreError> {
        self.with_error_context(async {
            let sql = concat!(select_tournaments!(), "WHERE id = $1");
            let row: Option<TournamentRow> = fetch_optional!(self.list_pool(), sql, id.0)?;
            row.map(|row| self.read_tournament(row)).transpose()
        })
        .await
    }

    /// All games of a tournament, sorted by key, so that games of a round are together.
    ///
    /// # Errors
    /// The tournament doesn't exist, or the file can't be read.
    pub async fn arena_games(&self, id: TournamentId) -> Result<Vec<ArenaGame>, StoreError> {
        self.with_error_context(async {
            let mut tx = self.list_pool().begin().await?;
            holder(&mut tx, id).await?;
            let sql = "SELECT round, first, second, swapped, * FROM arena_games
                       WHERE tournament = $1 ORDER BY round, first, second, swapped";
            Ok(fetch_all!(&mut *tx, sql, id.0)?)
        })
        .await
    }

    fn read_tournament(&self, row: TournamentRow) -> RawResult<StoredTournament> {
        let (id, uid, plan, state, started, ended, holder, games) = row;
        let corrupt =
            || RawStoreError::Corrupt(format!("tournament {id} has an invalid state: {state:?}"));
        Ok(StoredTournament {
            id: TournamentId(id),
            uid,
            plan,
            state: TournamentState::parse(&state).ok_or_else(corrupt)?,
            started: Timestamp::from_millis(started),
            ended: ended.map(Timestamp::from_millis),
            games: games.unsigned_abs(),
            is_running: holder.is_some_and(|holder| self.process().is_alive(&holder)),
        })
    }

    /// Only the process that holds a tournament may change it.
    async fn check_held(
        &self,
        connection: &mut SqliteConnection,
        tournament: TournamentId,
    ) -> RawResult<()> {
        let what = match holder(connection, tournament).await? {
            Some(holder) if holder == self.process().uid() => return Ok(()),
            Some(holder) if self.process().is_alive(&holder) => "is running in another program",
            _ => "isn't running in this program",
        };
        Err(StoreError::TournamentConflict { tournament, what }.into())
    }
}

/// The process recorded as holding a tournament.
async fn holder(connection: &mut SqliteConnection, id: TournamentId) -> RawResult<Option<String>> {
    let sql = "SELECT holder FROM tournaments WHERE id = $1";
    let found: Option<(Option<String>,)> = fetch_optional!(connection, sql, id.0)?;
    match found {
        Some((holder,)) => Ok(holder),
        None => Err(StoreError::NoSuchTournament(id).into()),
    }
}

async fn set_holder(
    connection: &mut SqliteConnection,
    id: TournamentId,
    holder: Option<&str>,
) -> RawResult<()> {
    let sql = "UPDATE tournaments SET holder = $1 WHERE id = $2";
    execute!(connection, sql, holder, id.0)?;
    Ok(())
}

async fn insert(
    connection: &mut SqliteConnection,
    id: TournamentId,
    game: &ArenaGame,
) -> RawResult<()> {
    let (round, first, second, swapped) = game.key;
    sqlx::query(
        "INSERT INTO arena_games (tournament, round, first, second, swapped, start, opening,
                                  moves, details, outcome, reason, note, ended)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
         ON CONFLICT (tournament, round, first, second, swapped) DO NOTHING",
    )
    .bind(id.0)
    .bind(round)
    .bind(first)
    .bind(second)
    .bind(swapped)
    .bind(&game.start)
    .bind(i64::try_from(game.opening).unwrap_or(i64::MAX))
    .bind(&game.moves)
    .bind(&game.details)
    .bind(&game.outcome)
    .bind(&game.reason)
    .bind(&game.note)
    .bind(Timestamp::now().as_millis())
    .execute(connection)
    .await?;
    Ok(())
}
