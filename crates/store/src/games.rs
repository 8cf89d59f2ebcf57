//! Games as they are kept: read with all their moves, held by one program and let go.
//! What happens in them is in `steps`.

use std::collections::HashMap;
use std::fmt;
use std::time::Duration;

use noughts_rules::{AnyGameState, Outcome, Variant};
use sqlx::{Connection, QueryBuilder, Sqlite, SqliteConnection};

use crate::access::mark_stale;
use crate::assistance::Assistance;
use crate::compressed_text::{CompressedText, MAX_FRAME_HEADER_LEN, decompress, decompressed_len};
use crate::error::{StoreError, StoreFailure};
use crate::listing::GameSummary;
use crate::players::{find_or_create_player, update_last_game};
use crate::seat::Seat;
use crate::store::Store;
use crate::termination::Termination;
use crate::timestamp::Timestamp;

/// The number of a game in this store. It is never given to another game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GameId(pub i64);

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A game about to begin.
#[derive(Clone, PartialEq, Debug)]
pub struct NewGame {
    /// Which game.
    pub variant: Variant,
    /// The position to begin with, as text; nothing for the usual one.
    pub start: Option<String>,
    /// Who plays X and who plays O.
    pub seats: [Seat; 2],
}

/// A move that was made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredMove {
    /// The move in the project's notation.
    pub text: String,
    /// What the mover took for it; kept to the millisecond.
    pub took: Duration,
}

/// A game as it is kept.
#[derive(Clone, PartialEq, Debug)]
pub struct StoredGame {
    /// Its number here.
    pub id: GameId,
    /// What it is known by everywhere: 128 bits in hexadecimal digits.
    pub uid: String,
    /// Which game.
    pub variant: Variant,
    /// The position it began with, if not the usual one.
    pub start: Option<String>,
    /// Who plays X and who plays O.
    pub seats: [Seat; 2],
    /// The moves, first to last.
    pub moves: Vec<StoredMove>,
    /// When it began.
    pub started: Timestamp,
    /// When it ended, if it has.
    pub ended: Option<Timestamp>,
    /// Who won. A game can end without it, if it was abandoned.
    pub result: Option<Outcome>,
    /// How it ended, if it has.
    pub end: Option<Termination>,
    /// Did a side change hands after the first move? Then it counts for nobody.
    pub changed_hands: bool,
    /// The first help that a player had. Such a game isn't rated.
    pub assistance: Option<Assistance>,
}

impl StoredGame {
    /// Does it count in the players' records, once it has a result?
    #[must_use]
    pub fn is_rated(&self) -> bool {
        !self.changed_hands && self.assistance.is_none()
    }

    /// The game with all its moves, each checked against the rules.
    ///
    /// # Errors
    /// What is kept is no game: somebody else has written to the file.
    pub fn replay(&self) -> Result<AnyGameState, StoreError> {
        let unfit = |what: String| StoreError::Invalid(format!("game {}: {what}", self.id));
        let mut play = initial_state(self.variant, self.start.as_deref()).map_err(unfit)?;
        for (ply, mv) in self.moves.iter().enumerate() {
            play.play(&mv.text)
                .map_err(|refusal| unfit(format!("move {}: {refusal}", ply + 1)))?;
        }
        Ok(play)
    }
}

fn initial_state(variant: Variant, start: Option<&str>) -> Result<AnyGameState, String> {
    match start {
        None => Ok(AnyGameState::new(variant)),
        Some(text) => AnyGameState::from_text(variant, text).map_err(|e| format!("its start: {e}")),
    }
}

/// The position that a game begins with, as it is kept: none for the usual one.
pub(crate) fn canonical_start(game: &NewGame) -> Result<Option<String>, StoreError> {
    let play = initial_state(game.variant, game.start.as_deref()).map_err(StoreError::Invalid)?;
    if play.outcome().is_some() {
        let what = "its start: the game is over there".into();
        return Err(StoreError::Invalid(what));
    }
    Ok((!play.has_standard_start()).then(|| play.start_text()))
}

impl Store {
    /// A game with all its moves.
    ///
    /// # Errors
    /// The file cannot be read.
    pub async fn game(&self, id: GameId) -> Result<Option<StoredGame>, StoreError> {
        self.read_game_with(id, |game| game.replay().map(|_| game))
            .await
    }

    /// A game with all its moves, and the same game by the rules. It is replayed on another
    /// thread: for deep boards [`StoredGame::play`] takes too long for a task.
    ///
    /// ```
    /// # use noughts_rules::Variant;
    /// # use noughts_store::{NewGame, Seat};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = noughts_store::Store::in_memory().await?;
    /// # let seats = [Seat::Guest, Seat::Bot("easy".into())];
    /// # let id = store.begin(&NewGame { variant: Variant::CLASSIC, start: None, seats }).await?;
    /// let (game, play) = store.replayed(id).await?.ok_or("it was deleted")?;
    /// assert_eq!(game.moves.len(), play.ply());
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
        self.read_game_with(id, |game| game.replay().map(|play| (game, play)))
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

    /// Reads a game and makes something of it on another thread.
    pub(crate) async fn read_game_with<T: Send + 'static>(
        &self,
        id: GameId,
        make: fn(StoredGame) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        self.with_error_context(async {
            let found = {
                let mut connection = self.read_pool().acquire().await?;
                read_unchecked(&mut connection, id).await?
            };
            let Some(game) = found else {
                return Ok(None);
            };
            let made = run_blocking(move || make(game)).await?;
            made.map(Some).map_err(|error| corrupt_game(&error))
        })
        .await
    }

    /// Takes over a game that goes on, for this program to play. Of several
    /// programs that try at once one succeeds.
    ///
    /// # Errors
    /// There is no such game, or no writing.
    pub async fn acquire_game(&self, game: GameId) -> Result<bool, StoreError> {
        self.submit_write(game, |store, &game, writing| {
            Box::pin(async move {
                let head = require_summary(writing, game).await?;
                if head.ended.is_some() || store.is_held_elsewhere(&head) {
                    return Ok(false);
                }
                set_holder(writing, game, Some(store.process().uid())).await?;
                Ok(true)
            })
        })
        .await
    }

    /// Lets a game go that stays open, so that any program may resume it at once.
    ///
    /// # Errors
    /// The game is played by another program, or no writing.
    pub async fn release_game(&self, game: GameId) -> Result<(), StoreError> {
        self.submit_write(game, |store, &game, writing| {
            Box::pin(async move {
                if store.is_held_elsewhere(&require_summary(writing, game).await?) {
                    return Err(held_elsewhere(game).into());
                }
                set_holder(writing, game, None).await
            })
        })
        .await
    }

    /// Deletes a game and all its moves. A server that plays it drops it within seconds;
    /// its number isn't given to another game.
    ///
    /// # Errors
    /// There is no such game, another program plays it at its own board, or no writing.
    pub async fn delete_game(&self, game: GameId) -> Result<(), StoreError> {
        self.submit_write(game, |store, &game, writing| {
            Box::pin(async move {
                let head = require_summary(writing, game).await?;
                // A server can take it, and its visitors are told. A terminal can't.
                if head.ended.is_none() && !head.is_online && store.is_held_elsewhere(&head) {
                    return Err(held_elsewhere(game).into());
                }
                mark_stale(writing, "games.id = $1", game.0).await?;
                delete_row(writing, game).await
            })
        })
        .await
    }

    /// The game, if it goes on and nobody else is playing it.
    pub(crate) async fn require_open_game(
        &self,
        connection: &mut SqliteConnection,
        game: GameId,
    ) -> Result<GameSummary, StoreFailure> {
        let head = require_summary(connection, game).await?;
        if head.ended.is_some() {
            let what = "has ended; what is finished stays as it is".into();
            return Err(StoreError::Conflict { game, what }.into());
        }
        if self.is_held_elsewhere(&head) {
            return Err(held_elsewhere(game).into());
        }
        Ok(head)
    }

    /// Does another program, which is alive, hold it?
    pub(crate) fn is_held_elsewhere(&self, head: &GameSummary) -> bool {
        let this = self.process();
        let other = head
            .holder
            .as_deref()
            .filter(|&holder| holder != this.uid());
        other.is_some_and(|holder| this.is_alive(holder))
    }
}

/// Deletes a game with its moves; the game that it follows can be followed again.
pub(crate) async fn delete_row(
    connection: &mut SqliteConnection,
    game: GameId,
) -> Result<(), StoreFailure> {
    for sql in [
        "UPDATE games SET next = NULL WHERE next = (SELECT uid FROM games WHERE id = $1)",
        "DELETE FROM games WHERE id = $1",
    ] {
        sqlx::query(sql)
            .bind(game.0)
            .execute(&mut *connection)
            .await?;
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
) -> Result<(), StoreFailure> {
    sqlx::query("UPDATE games SET holder = $1 WHERE id = $2")
        .bind(holder)
        .bind(game.0)
        .execute(connection)
        .await?;
    Ok(())
}

/// Counts a change that is no move.
pub(crate) async fn increment_changes(
    connection: &mut SqliteConnection,
    game: GameId,
) -> Result<(), StoreFailure> {
    sqlx::query("UPDATE games SET changes = changes + 1 WHERE id = $1")
        .bind(game.0)
        .execute(connection)
        .await?;
    Ok(())
}

/// Can a game end so?
pub(crate) fn check_end(result: Option<Outcome>, end: Termination) -> Result<(), StoreError> {
    match (result, end) {
        (Some(_), Termination::Abandoned) => {
            let what = "a game that was abandoned has no result".into();
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
) -> Result<(), StoreFailure> {
    // The clock may have been set back; no game ends before it begins.
    let sql = "UPDATE games SET ended = CASE WHEN began > $1 THEN began ELSE $1 END,
                                result = $2, how = $3, holder = NULL WHERE id = $4";
    sqlx::query(sql)
        .bind(Timestamp::now().as_millis())
        .bind(result.map(Outcome::as_str))
        .bind(end.as_str())
        .bind(game.0)
        .execute(connection)
        .await?;
    Ok(())
}

async fn find_summary(
    connection: &mut SqliteConnection,
    game: GameId,
) -> Result<Option<GameSummary>, StoreFailure> {
    let row = sqlx::query("SELECT * FROM heads WHERE id = $1")
        .bind(game.0)
        .fetch_optional(connection)
        .await?;
    row.map(|row| GameSummary::from_row(&row)).transpose()
}

async fn require_summary(
    connection: &mut SqliteConnection,
    game: GameId,
) -> Result<GameSummary, StoreFailure> {
    let head = find_summary(connection, game).await?;
    head.ok_or_else(|| StoreError::NoSuchGame(game).into())
}

/// A game with its moves, which nobody has checked against the rules.
pub(crate) async fn read_unchecked(
    connection: &mut SqliteConnection,
    id: GameId,
) -> Result<Option<StoredGame>, StoreFailure> {
    // All questions see the same moment.
    let mut reading = connection.begin().await?;
    let Some(head) = find_summary(&mut reading, id).await? else {
        return Ok(None);
    };
    let rows = sqlx::query_as("SELECT ply, text, took_ms FROM moves WHERE game = $1 ORDER BY ply")
        .bind(head.id.0)
        .fetch_all(&mut *reading)
        .await?;
    Ok(Some(assemble_game(head, rows)?))
}

/// About how many bytes a move takes in a record: its number, its text and its time.
const MOVE_BYTES: usize = 40;

/// A game's number, how many moves it has, the length of its packed start and that start's
/// first bytes.
type SizeRow = (i64, i64, i64, Option<Vec<u8>>);

/// The first of these games, as many as have about `most_bytes` of starts and moves together,
/// and at least one. Says how many of the numbers that takes: games that were deleted are left
/// out.
pub(crate) async fn read_unchecked_batch(
    connection: &mut SqliteConnection,
    ids: &[i64],
    most_bytes: usize,
) -> Result<(usize, Vec<StoredGame>), StoreFailure> {
    let mut reading = connection.begin().await?;
    let mut query = QueryBuilder::<Sqlite>::new(
        "SELECT id, (SELECT COALESCE(MAX(ply) + 1, 0) FROM moves WHERE moves.game = games.id),
                COALESCE(LENGTH(start), 0), SUBSTR(CAST(start AS BLOB), 1, ",
    );
    query.push_bind(MAX_FRAME_HEADER_LEN as i64);
    query.push(") FROM games WHERE id IN (");
    push_list(&mut query, ids.iter().copied());
    let rows: Vec<SizeRow> = query.build_query_as().fetch_all(&mut *reading).await?;
    let sizes: HashMap<i64, usize> = rows
        .into_iter()
        .map(|(id, moves, packed, header)| {
            let moves = usize::try_from(moves).unwrap_or_default();
            let packed = usize::try_from(packed).unwrap_or_default();
            let start = header.map_or(0, |header| decompressed_len(&header, packed));
            (id, start + moves * MOVE_BYTES)
        })
        .collect();
    let (mut used, mut bytes, mut chosen) = (0, 0, Vec::new());
    for id in ids {
        if let Some(size) = sizes.get(id) {
            if !chosen.is_empty() && bytes + size > most_bytes {
                break;
            }
            bytes += size;
            chosen.push(*id);
        }
        used += 1;
    }
    if chosen.is_empty() {
        return Ok((used, Vec::new()));
    }
    let mut query = QueryBuilder::<Sqlite>::new("SELECT * FROM heads WHERE id IN (");
    push_list(&mut query, chosen.iter().copied());
    let rows = query.build().fetch_all(&mut *reading).await?;
    let mut found = HashMap::new();
    for row in &rows {
        let head = GameSummary::from_row(row)?;
        found.insert(head.id.0, head);
    }
    let heads: Vec<GameSummary> = chosen.iter().filter_map(|id| found.remove(id)).collect();
    let mut query =
        QueryBuilder::<Sqlite>::new("SELECT game, ply, text, took_ms FROM moves WHERE game IN (");
    push_list(&mut query, heads.iter().map(|head| head.id.0));
    query.push(" ORDER BY game, ply");
    let rows: Vec<(i64, i64, String, i64)> =
        query.build_query_as().fetch_all(&mut *reading).await?;
    let mut of_games: HashMap<i64, Vec<MoveRow>> = HashMap::new();
    for (game, ply, text, took) in rows {
        of_games.entry(game).or_default().push((ply, text, took));
    }
    let games = heads.into_iter().map(|head| {
        let rows = of_games.remove(&head.id.0).unwrap_or_default();
        assemble_game(head, rows)
    });
    Ok((used, games.collect::<Result<_, StoreFailure>>()?))
}

fn push_list(query: &mut QueryBuilder<Sqlite>, ids: impl Iterator<Item = i64>) {
    let mut list = query.separated(", ");
    for id in ids {
        list.push_bind(id);
    }
    query.push(")");
}

/// A move's place, text and milliseconds.
type MoveRow = (i64, String, i64);

fn assemble_game(head: GameSummary, rows: Vec<MoveRow>) -> Result<StoredGame, StoreFailure> {
    if rows
        .iter()
        .zip(0..)
        .any(|((ply, ..), expected)| *ply != expected)
    {
        return Err(StoreFailure::Corrupt(format!(
            "game {} lacks a move",
            head.id
        )));
    }
    let moves = rows.into_iter().map(|(_, text, took)| StoredMove {
        text,
        took: Duration::from_millis(took.unsigned_abs()).min(MAX_MOVE_TIME),
    });
    let start = head.start.map(|start| {
        let odd = || StoreFailure::Corrupt(format!("the start of game {} cannot be read", head.id));
        decompress(start).ok_or_else(odd)
    });
    let start = start.transpose()?;
    Ok(StoredGame {
        moves: moves.collect(),
        id: head.id,
        uid: head.uid,
        variant: head.variant,
        start,
        seats: head.seats,
        started: head.started,
        ended: head.ended,
        result: head.result,
        end: head.end,
        changed_hands: head.changed_hands,
        assistance: head.assistance,
    })
}

/// What is stored breaks the rules.
pub(crate) fn corrupt_game(error: &StoreError) -> StoreFailure {
    StoreFailure::Corrupt(format!("{error}; another program may have written that"))
}

/// Does work that takes long for deep boards, and meanwhile lets the thread do other things.
pub(crate) async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, StoreFailure> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|_| StoreError::ShuttingDown.into())
}

/// A row of the table of games, before it has a number.
pub(crate) struct NewGameRow<'a> {
    pub(crate) uid: &'a str,
    pub(crate) variant: Variant,
    pub(crate) start: Option<&'a str>,
    pub(crate) seats: &'a [Seat; 2],
    pub(crate) started: Timestamp,
    pub(crate) ended: Option<(Timestamp, Option<Outcome>, Termination)>,
    pub(crate) changed_hands: bool,
    pub(crate) assistance: Option<Assistance>,
    pub(crate) imported: bool,
    pub(crate) holder: Option<&'a str>,
}

impl NewGameRow<'_> {
    pub(crate) async fn insert(
        &self,
        connection: &mut SqliteConnection,
    ) -> Result<GameId, StoreFailure> {
        let [x, o] = self.seats;
        check_distinct_players([x, o])?;
        let x_person = find_or_create_player(connection, x.player_name(), self.started).await?;
        let o_person = find_or_create_player(connection, o.player_name(), self.started).await?;
        let id = sqlx::query_scalar(
            "INSERT INTO games (uid, variant, start, x_person, x_bot, o_person, o_bot,
                                began, ended, result, how, handed, imported, holder, x_guest, o_guest,
                                assisted)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
             RETURNING id",
        )
        .bind(self.uid)
        .bind(self.variant.to_string())
        .bind(self.start.map(CompressedText::new))
        .bind(x_person)
        .bind(bot_name(x))
        .bind(o_person)
        .bind(bot_name(o))
        .bind(self.started.as_millis())
        .bind(self.ended.map(|(moment, ..)| moment.as_millis()))
        .bind(
            self.ended
                .and_then(|(_, result, _)| result.map(Outcome::as_str)),
        )
        .bind(self.ended.map(|(.., end)| end.as_str()))
        .bind(self.changed_hands)
        .bind(self.imported)
        .bind(self.holder)
        .bind(*x == Seat::Guest)
        .bind(*o == Seat::Guest)
        .bind(self.assistance.map(Assistance::as_str))
        .fetch_one(&mut *connection)
        .await?;
        for person in [x_person, o_person].into_iter().flatten() {
            update_last_game(connection, person, self.started, GameId(id)).await?;
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

/// What a move is said to have taken at most: who comes back after weeks did not think
/// all the time, and what is exported must be fit to be imported.
pub(crate) const MAX_MOVE_TIME: Duration = Duration::from_secs(1000 * 3600);

/// Milliseconds, as the database has them.
pub(crate) fn stored_millis(took: Duration) -> i64 {
    i64::try_from(took.min(MAX_MOVE_TIME).as_millis()).unwrap_or(i64::MAX)
}
