//! Stored games: reading them with all their moves, and acquiring and releasing them. Writes to
//! games are in `game_updates`.

use std::collections::HashMap;
use std::fmt;
use std::ops::Deref;
use std::time::Duration;

use noughts_rules::{AnyGameState, Assistance, Outcome, Termination, Variant};
use sqlx::{Connection, QueryBuilder, Sqlite, SqliteConnection};

use crate::access::mark_stale;
use crate::compressed_text::{CompressedText, MAX_FRAME_HEADER_LEN, decompress, decompressed_len};
use crate::error::{RawResult, RawStoreError, StoreError};
use crate::listing::GameSummary;
use crate::players::{find_or_create_player, update_last_game};
use crate::seat::Seat;
use crate::store::Store;
use crate::timestamp::Timestamp;

/// The ID of a game in this store. IDs are never reused.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GameId(pub i64);

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A game to be created.
#[derive(Clone, PartialEq, Debug)]
pub struct NewGame {
    /// The variant.
    pub variant: Variant,
    /// The start position as text; `None` for the default one.
    pub start: Option<String>,
    /// Who plays X and who plays O.
    pub seats: [Seat; 2],
}

/// A stored move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredMove {
    /// The move in canonical notation.
    pub text: String,
    /// The time it took, stored in milliseconds.
    pub took: Duration,
}

/// A stored game: its summary, and its moves.
#[derive(Clone, PartialEq, Debug)]
pub struct StoredGame {
    /// Everything but the moves; the game's own fields in code.
    pub summary: GameSummary,
    /// The start position, if it isn't the default one.
    pub start: Option<String>,
    /// The moves in order.
    pub moves: Vec<StoredMove>,
}

impl Deref for StoredGame {
    type Target = GameSummary;

    fn deref(&self) -> &GameSummary {
        &self.summary
    }
}

impl StoredGame {
    /// Replays the game, checking every move against the rules.
    ///
    /// # Errors
    /// The stored game is invalid: another program has written to the file.
    pub fn replay(&self) -> Result<AnyGameState, StoreError> {
        let invalid =
            |what: String| StoreError::Invalid(format!("game {id}: {what}", id = self.id));
        let mut state = initial_state(self.variant, self.start.as_deref()).map_err(invalid)?;
        for (ply, mv) in self.moves.iter().enumerate() {
            state.play(&mv.text).map_err(|refusal| {
                invalid(format!("move {number}: {refusal}", number = ply + 1))
            })?;
        }
        Ok(state)
    }
}

fn initial_state(variant: Variant, start: Option<&str>) -> Result<AnyGameState, String> {
    match start {
        None => Ok(AnyGameState::new(variant)),
        Some(text) => AnyGameState::from_text(variant, text)
            .map_err(|e| format!("invalid start position: {e}")),
    }
}

impl Store {
    /// A game with all its moves.
    ///
    /// # Errors
    /// The file can't be read.
    pub async fn game(&self, id: GameId) -> Result<Option<StoredGame>, StoreError> {
        self.read_game_with(id, |game| game.replay().map(|_| game))
            .await
    }

    /// A game with all its moves, and its state. It is replayed on another thread: for deep boards
    /// [`StoredGame::replay`] is too slow for an async task.
    ///
    /// ```
    /// # use noughts_rules::Variant;
    /// # use noughts_store::{NewGame, Seat};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = noughts_store::Store::in_memory().await?;
    /// # let seats = [Seat::Guest, Seat::Bot("easy".into())];
    /// # let id = store.create_game(&NewGame { variant: Variant::CLASSIC, start: None, seats }).await?;
    /// let (game, state) = store.replay_game(id).await?.ok_or("it was deleted")?;
    /// assert_eq!(game.moves.len(), state.ply());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The file can't be read.
    pub async fn replay_game(
        &self,
        id: GameId,
    ) -> Result<Option<(StoredGame, AnyGameState)>, StoreError> {
        self.read_game_with(id, |game| game.replay().map(|state| (game, state)))
            .await
    }

    /// A game's record as text, written on another thread.
    ///
    /// # Errors
    /// The file can't be read.
    pub async fn record_text(&self, id: GameId) -> Result<Option<String>, StoreError> {
        self.read_game_with(id, |game| game.to_record().map(|record| record.to_text()))
            .await
    }

    /// Reads a game and maps it on another thread.
    pub(crate) async fn read_game_with<T: Send + 'static>(
        &self,
        id: GameId,
        map: fn(StoredGame) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        self.with_error_context(async {
            let found = {
                let mut connection = self.read_pool().acquire().await?;
                read_unchecked(&mut connection, id).await?
            };
            let Some(game) = found else {
                return Ok(None);
            };
            let mapped = run_blocking(move || map(game)).await?;
            mapped.map(Some).map_err(|error| corrupt_game(&error))
        })
        .await
    }

    /// Acquires an open game for this process. If several processes try at once, one of them
    /// succeeds.
    ///
    /// # Errors
    /// The game doesn't exist, or the file can't be written.
    pub async fn acquire_game(&self, game: GameId) -> Result<bool, StoreError> {
        self.submit_write(async move |store, tx| {
            let summary = require_summary(tx, game).await?;
            if summary.ended.is_some() || store.is_held_elsewhere(&summary) {
                return Ok(false);
            }
            set_holder(tx, game, Some(store.process().uid())).await?;
            Ok(true)
        })
        .await
    }

    /// Releases an open game, so that any process can resume it at once.
    ///
    /// # Errors
    /// Another process holds the game, or the file can't be written.
    pub async fn release_game(&self, game: GameId) -> Result<(), StoreError> {
        self.submit_write(async move |store, tx| {
            if store.is_held_elsewhere(&require_summary(tx, game).await?) {
                return Err(held_elsewhere(game).into());
            }
            set_holder(tx, game, None).await
        })
        .await
    }

    /// Deletes a game and all its moves. A server that plays it drops it within seconds. Its ID
    /// isn't reused.
    ///
    /// # Errors
    /// The game doesn't exist, another process plays it locally, or the file can't be written.
    pub async fn delete_game(&self, game: GameId) -> Result<(), StoreError> {
        self.submit_write(async move |store, tx| {
            let summary = require_summary(tx, game).await?;
            // A server can drop the game and tell its visitors. A terminal can't.
            let is_local = summary.ended.is_none() && !summary.is_online;
            if is_local && store.is_held_elsewhere(&summary) {
                return Err(held_elsewhere(game).into());
            }
            mark_stale(tx, "games.id = $1", game.0).await?;
            delete_row(tx, game).await
        })
        .await
    }

    /// Returns the game if it is open and no other process holds it.
    pub(crate) async fn require_open_game(
        &self,
        connection: &mut SqliteConnection,
        game: GameId,
    ) -> RawResult<GameSummary> {
        let summary = require_summary(connection, game).await?;
        if summary.ended.is_some() {
            let what = "is over, so it can't be changed".into();
            return Err(StoreError::Conflict { game, what }.into());
        }
        if self.is_held_elsewhere(&summary) {
            return Err(held_elsewhere(game).into());
        }
        Ok(summary)
    }

    /// Does another live process hold it?
    pub(crate) fn is_held_elsewhere(&self, summary: &GameSummary) -> bool {
        let process = self.process();
        let other = summary
            .holder
            .as_deref()
            .filter(|&holder| holder != process.uid());
        other.is_some_and(|holder| process.is_alive(holder))
    }
}

/// Deletes a game with its moves, and allows another rematch of the preceding game.
pub(crate) async fn delete_row(connection: &mut SqliteConnection, game: GameId) -> RawResult<()> {
    for sql in [
        "UPDATE games SET next = NULL WHERE next = (SELECT uid FROM games WHERE id = $1)",
        "DELETE FROM games WHERE id = $1",
    ] {
        execute!(&mut *connection, sql, game.0)?;
    }
    Ok(())
}

fn held_elsewhere(game: GameId) -> StoreError {
    let what = "is being played in another program".into();
    StoreError::Conflict { game, what }
}

pub(crate) async fn set_holder(
    connection: &mut SqliteConnection,
    game: GameId,
    holder: Option<&str>,
) -> RawResult<()> {
    let sql = "UPDATE games SET holder = $1 WHERE id = $2";
    execute!(connection, sql, holder, game.0)?;
    Ok(())
}

/// Counts a change other than a move.
pub(crate) async fn increment_changes(
    connection: &mut SqliteConnection,
    game: GameId,
) -> RawResult<()> {
    let sql = "UPDATE games SET changes = changes + 1 WHERE id = $1";
    execute!(connection, sql, game.0)?;
    Ok(())
}

/// Is this a valid result for this termination?
pub(crate) fn check_end(result: Option<Outcome>, end: Termination) -> Result<(), StoreError> {
    match (result, end) {
        (Some(_), Termination::Abandoned) => {
            let what = "an abandoned game can't have a result".into();
            Err(StoreError::Invalid(what))
        }
        _ => Ok(()),
    }
}

pub(crate) async fn end_game(
    connection: &mut SqliteConnection,
    game: GameId,
    result: Option<Outcome>,
    end: Termination,
) -> RawResult<()> {
    // The clock may have been set back; no game ends before it starts.
    let sql = "UPDATE games SET ended = CASE WHEN began > $1 THEN began ELSE $1 END,
                                result = $2, how = $3, holder = NULL WHERE id = $4";
    let (now, result) = (Timestamp::now().as_millis(), result.map(Outcome::as_str));
    execute!(connection, sql, now, result, end.as_str(), game.0)?;
    Ok(())
}

async fn find_summary(
    connection: &mut SqliteConnection,
    game: GameId,
) -> RawResult<Option<GameSummary>> {
    let row = sqlx::query("SELECT * FROM heads WHERE id = $1")
        .bind(game.0)
        .fetch_optional(connection)
        .await?;
    row.map(|row| GameSummary::from_row(&row)).transpose()
}

async fn require_summary(
    connection: &mut SqliteConnection,
    game: GameId,
) -> RawResult<GameSummary> {
    let summary = find_summary(connection, game).await?;
    summary.ok_or_else(|| StoreError::NoSuchGame(game).into())
}

/// Reads a game with its moves, without checking them against the rules.
pub(crate) async fn read_unchecked(
    connection: &mut SqliteConnection,
    id: GameId,
) -> RawResult<Option<StoredGame>> {
    // All queries see the same snapshot.
    let mut tx = connection.begin().await?;
    Ok(read_games(&mut tx, &[id.0]).await?.pop())
}

/// About how many bytes a move has in a record: its number, text and time.
const MOVE_BYTES: usize = 40;

/// A game's ID, its number of moves, the length of its compressed start position, and the first
/// bytes of that.
type SizeRow = (i64, i64, i64, Option<Vec<u8>>);

/// Reads the first of these games: as many as have about `max_bytes` of start positions and moves
/// together, and at least one. Also returns how many IDs that covers, including deleted games,
/// which are left out.
pub(crate) async fn read_unchecked_batch(
    connection: &mut SqliteConnection,
    ids: &[i64],
    max_bytes: usize,
) -> RawResult<(usize, Vec<StoredGame>)> {
    let mut tx = connection.begin().await?;
    let mut query = QueryBuilder::<Sqlite>::new(
        "SELECT id, (SELECT COALESCE(MAX(ply) + 1, 0) FROM moves WHERE moves.game = games.id),
                COALESCE(LENGTH(start), 0), SUBSTR(CAST(start AS BLOB), 1, ",
    );
    query.push_bind(MAX_FRAME_HEADER_LEN as i64);
    query.push(") FROM games WHERE id IN (");
    push_list(&mut query, ids.iter().copied());
    let rows: Vec<SizeRow> = query.build_query_as().fetch_all(&mut *tx).await?;
    let sizes: HashMap<i64, usize> = rows
        .into_iter()
        .map(|(id, moves, stored_len, header)| {
            let moves = usize::try_from(moves).unwrap_or_default();
            let stored_len = usize::try_from(stored_len).unwrap_or_default();
            let start = header.map_or(0, |header| decompressed_len(&header, stored_len));
            (id, start + moves * MOVE_BYTES)
        })
        .collect();
    let (mut consumed, mut bytes, mut chosen) = (0, 0, Vec::new());
    for id in ids {
        if let Some(size) = sizes.get(id) {
            if !chosen.is_empty() && bytes + size > max_bytes {
                break;
            }
            bytes += size;
            chosen.push(*id);
        }
        consumed += 1;
    }
    Ok((consumed, read_games(&mut tx, &chosen).await?))
}

/// Reads these games, in this order, without those that don't exist.
async fn read_games(connection: &mut SqliteConnection, ids: &[i64]) -> RawResult<Vec<StoredGame>> {
    let mut query = QueryBuilder::<Sqlite>::new("SELECT * FROM heads WHERE id IN (");
    push_list(&mut query, ids.iter().copied());
    let rows = query.build().fetch_all(&mut *connection).await?;
    let mut summaries: Vec<GameSummary> = rows
        .iter()
        .map(GameSummary::from_row)
        .collect::<Result<_, _>>()?;
    summaries.sort_by_key(|summary| ids.iter().position(|&id| id == summary.id.0));
    let mut query =
        QueryBuilder::<Sqlite>::new("SELECT game, ply, text, took_ms FROM moves WHERE game IN (");
    push_list(&mut query, summaries.iter().map(|summary| summary.id.0));
    query.push(" ORDER BY game, ply");
    let rows: Vec<(i64, i64, String, i64)> = query.build_query_as().fetch_all(connection).await?;
    let mut moves: HashMap<i64, Vec<StoredMove>> = HashMap::new();
    for (game, ply, text, took) in rows {
        let moves = moves.entry(game).or_default();
        if usize::try_from(ply) != Ok(moves.len()) {
            let what = format!("game {game} is missing a move");
            return Err(RawStoreError::Corrupt(what));
        }
        let took = Duration::from_millis(took.unsigned_abs()).min(MAX_MOVE_TIME);
        moves.push(StoredMove { text, took });
    }
    let games = summaries.into_iter().map(|mut summary| {
        let invalid = format!("game {id} has an invalid start position", id = summary.id);
        let start = summary.start.take().map(decompress);
        Ok(StoredGame {
            start: match start {
                Some(None) => return Err(RawStoreError::Corrupt(invalid)),
                start => start.flatten(),
            },
            moves: moves.remove(&summary.id.0).unwrap_or_default(),
            summary,
        })
    });
    games.collect()
}

pub(crate) fn push_list(query: &mut QueryBuilder<Sqlite>, ids: impl Iterator<Item = i64>) {
    let mut list = query.separated(", ");
    for id in ids {
        list.push_bind(id);
    }
    query.push(")");
}

/// A stored game violates the rules.
pub(crate) fn corrupt_game(error: &StoreError) -> RawStoreError {
    RawStoreError::Corrupt(format!("{error}; another program may have changed it"))
}

/// Runs work that is slow for deep boards on a blocking thread.
pub(crate) async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> RawResult<T> {
    let joined = tokio::task::spawn_blocking(work).await;
    joined.map_err(|_| StoreError::ShuttingDown.into())
}

/// A row of the table of games, before it has an ID.
pub(crate) struct NewGameRow {
    pub(crate) uid: String,
    pub(crate) variant: Variant,
    /// The canonical start position; `None` for the default one.
    pub(crate) start: Option<String>,
    pub(crate) seats: [Seat; 2],
    pub(crate) started: Timestamp,
    pub(crate) ended: Option<(Timestamp, Option<Outcome>, Termination)>,
    pub(crate) changed_hands: bool,
    pub(crate) assistance: Option<Assistance>,
    pub(crate) imported: bool,
    pub(crate) holder: Option<String>,
}

impl NewGameRow {
    /// A game that starts now, held by this process.
    pub(crate) fn new(
        game: &NewGame,
        uid: String,
        store: &Store,
    ) -> Result<NewGameRow, StoreError> {
        let state =
            initial_state(game.variant, game.start.as_deref()).map_err(StoreError::Invalid)?;
        if state.outcome().is_some() {
            let what = "the game is already over in the start position".into();
            return Err(StoreError::Invalid(what));
        }
        Ok(NewGameRow {
            uid,
            variant: game.variant,
            start: (!state.has_standard_start()).then(|| state.start_text()),
            seats: game.seats.clone(),
            started: Timestamp::now(),
            ended: None,
            changed_hands: false,
            assistance: None,
            imported: false,
            holder: Some(store.process().uid().into()),
        })
    }

    pub(crate) async fn insert(&self, connection: &mut SqliteConnection) -> RawResult<GameId> {
        let [x, o] = &self.seats;
        check_distinct_players([x, o])?;
        let x_player = find_or_create_player(connection, x.player_name(), self.started).await?;
        let o_player = find_or_create_player(connection, o.player_name(), self.started).await?;
        let id = sqlx::query_scalar(
            "INSERT INTO games (uid, variant, start, x_person, x_bot, o_person, o_bot,
                                began, ended, result, how, handed, imported, holder, x_guest, o_guest,
                                assisted)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
             RETURNING id",
        )
        .bind(&self.uid)
        .bind(self.variant.to_string())
        .bind(self.start.as_deref().map(CompressedText::new))
        .bind(x_player)
        .bind(bot_name(x))
        .bind(o_player)
        .bind(bot_name(o))
        .bind(self.started.as_millis())
        .bind(self.ended.map(|(time, ..)| time.as_millis()))
        .bind(
            self.ended
                .and_then(|(_, result, _)| result.map(Outcome::as_str)),
        )
        .bind(self.ended.map(|(.., end)| end.as_str()))
        .bind(self.changed_hands)
        .bind(self.imported)
        .bind(&self.holder)
        .bind(*x == Seat::Guest)
        .bind(*o == Seat::Guest)
        .bind(self.assistance.map(Assistance::as_str))
        .fetch_one(&mut *connection)
        .await?;
        for player in [x_player, o_player].into_iter().flatten() {
            update_last_game(connection, player, self.started, GameId(id)).await?;
        }
        Ok(GameId(id))
    }
}

pub(crate) fn check_distinct_players(seats: [&Seat; 2]) -> Result<(), StoreError> {
    match seats {
        [Seat::Player(one), Seat::Player(other)] if one == other => {
            Err(StoreError::SamePlayer(one.clone()))
        }
        _ => Ok(()),
    }
}

pub(crate) fn bot_name(seat: &Seat) -> Option<&str> {
    match seat {
        Seat::Bot(name) => Some(name),
        _ => None,
    }
}

/// Longer times are stored as this: a player who comes back after weeks hasn't been thinking all
/// along, and an exported game must be importable.
pub(crate) const MAX_MOVE_TIME: Duration = Duration::from_secs(1000 * 3600);

/// Milliseconds for the database.
pub(crate) fn stored_millis(took: Duration) -> i64 {
    i64::try_from(took.min(MAX_MOVE_TIME).as_millis()).unwrap_or(i64::MAX)
}
