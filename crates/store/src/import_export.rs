//! Export to records and import from them.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use noughts_rules::Record;
use sha2::{Digest, Sha256};
use sqlx::{QueryBuilder, SqliteConnection};

use crate::error::{StoreError, StoreFailure};
use crate::games::{
    GameId, NewGameRow, StoredGame, StoredMove, check_distinct_players, corrupt_game,
    read_unchecked_batch, run_blocking, stored_millis,
};
use crate::listing::GameFilter;
use crate::process::to_hex;
use crate::record::{self, ParsedGame};
use crate::store::Store;

/// What an import brought.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ImportSummary {
    /// Games that were new.
    pub added: u64,
    /// Games that were here already, and stay as they were.
    pub already_present: u64,
}

/// How many games are written before other writers get their turn.
const IMPORT_BATCH: usize = 200;

/// How long they have it. Other programs look only now and then whether the file is free.
pub(crate) const BATCH_PAUSE: Duration = Duration::from_millis(20);

/// So many moves are written with one statement.
const MOVE_BATCH: usize = 500;

impl Store {
    /// Games as records that say all that is known of them, oldest first. They are read a
    /// few at a time, when they are asked for; games that are deleted meanwhile are left out.
    ///
    /// # Errors
    /// The file cannot be read.
    pub async fn export(&self, filter: &GameFilter) -> Result<Export, StoreError> {
        let mut query = filter.ids_query()?;
        self.with_error_context(async {
            let mut ids: Vec<i64> = query
                .build_query_scalar()
                .fetch_all(self.list_pool())
                .await?;
            ids.reverse();
            Ok(Export {
                store: self.clone(),
                ids,
                read: 0,
                records: VecDeque::new(),
            })
        })
        .await
    }

    /// Adds the games of these records that are not here yet. Where a record is wrong, nothing
    /// is added. They are written in batches, so that others can write in between: where the
    /// disk fails in the middle, what was written stays, and a second import adds the rest.
    /// A game is known again by its tag `Id`; without one, by its text and which of several
    /// like it in the records it is.
    ///
    /// ```
    /// use noughts_rules::Record;
    /// use noughts_store::{Imported, Store};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = Store::in_memory().await?;
    /// let records = Record::read_all("[Variant \"classic\"]\n[X \"Ada\"]\n\n1. b2 a1 1-0")?;
    /// assert_eq!(store.import(&records).await?, Imported { added: 1, known: 0 });
    /// assert_eq!(store.import(&records).await?, Imported { added: 0, known: 1 });
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Which record says what cannot be, or no writing.
    pub async fn import(&self, records: &[Record]) -> Result<ImportSummary, StoreError> {
        let mut occurrences: HashMap<String, u64> = HashMap::new();
        let mut games = Vec::with_capacity(records.len());
        for (i, record) in records.iter().enumerate() {
            let unfit =
                |what| StoreError::Invalid(format!("game {} of the records: {what}", i + 1));
            let read = record::parse_record(record).map_err(unfit)?;
            let [x, o] = &read.seats;
            check_distinct_players([x, o]).map_err(|error| unfit(error.to_string()))?;
            let uid = read.uid.clone();
            let uid = uid.unwrap_or_else(|| uid_of(record, &mut occurrences));
            games.push((record, read, uid));
        }
        let mut imported = ImportSummary::default();
        self.with_error_context(async {
            for (i, batch) in games.chunks(IMPORT_BATCH).enumerate() {
                if i > 0 {
                    tokio::time::sleep(BATCH_PAUSE).await;
                }
                let mut writing = self.begin_write().await?;
                for (record, read, uid) in batch {
                    if is_known(&mut writing, uid).await? {
                        imported.already_present += 1;
                    } else {
                        add(&mut writing, record, read, uid).await?;
                        imported.added += 1;
                    }
                }
                self.commit(writing, batch.len()).await?;
            }
            Ok(imported)
        })
        .await
    }
}

/// Games on their way out, a few at a time.
///
/// ```
/// use noughts_rules::Record;
/// use noughts_store::{Filter, Store};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = Store::in_memory().await?;
/// store.import(&Record::read_all("[Variant \"classic\"]\n[X \"Ada\"]\n\n1. b2 a1 1-0")?).await?;
/// let mut export = store.export(&Filter::default()).await?;
/// while let Some(part) = export.next_part().await {
///     assert!(part?.text.contains("[X \"Ada\"]"));
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Export {
    store: Store,
    ids: Vec<i64>,
    /// How many of them were read.
    read: usize,
    records: VecDeque<Record>,
}

/// Some records of an export as one text, with an empty line between two of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExportPart {
    /// How many records.
    pub games: usize,
    /// Their text.
    pub text: String,
}

/// Games that are read at once, and about how many bytes their records may have together: one
/// game may have more. With each game on its own, an export would be mostly waiting for threads.
const EXPORT_BATCH: usize = 32;
const EXPORT_BATCH_BYTES: usize = 256 << 10;

impl Export {
    /// Are there no games?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The next game's record; none after the last.
    ///
    /// # Errors
    /// The file cannot be read, what is stored in it isn't a game, or the program is ending.
    pub async fn next(&mut self) -> Option<Result<Record, StoreError>> {
        if self.records.is_empty() {
            match self.next_batch(StoredGame::to_record).await? {
                Ok(records) => self.records.extend(records),
                Err(error) => return Some(Err(error)),
            }
        }
        self.records.pop_front().map(Ok)
    }

    /// The records of the next few games as text; none after the last.
    ///
    /// # Errors
    /// As [`Export::next`].
    pub async fn next_part(&mut self) -> Option<Result<ExportPart, StoreError>> {
        let texts = self.next_batch(|game| game.to_record().map(|record| record.to_text()));
        let part = texts.await?.map(|texts| ExportPart {
            games: texts.len(),
            text: texts.join("\n"),
        });
        Some(part)
    }

    /// All records that are left.
    ///
    /// # Errors
    /// As [`Export::next`].
    pub async fn collect(mut self) -> Result<Vec<Record>, StoreError> {
        let mut records = Vec::with_capacity(self.ids.len());
        while let Some(record) = self.next().await {
            records.push(record?);
        }
        Ok(records)
    }

    /// Something of each of the next few games. Never nothing at all, so that the last is the
    /// last.
    async fn next_batch<T: Send + 'static>(
        &mut self,
        make: fn(&StoredGame) -> Result<T, StoreError>,
    ) -> Option<Result<Vec<T>, StoreError>> {
        loop {
            let left = self.ids.get(self.read..).filter(|left| !left.is_empty())?;
            let ids = &left[..left.len().min(EXPORT_BATCH)];
            match self
                .store
                .with_error_context(map_games(&self.store, ids, make))
                .await
            {
                Ok((used, made)) => {
                    self.read += used;
                    if !made.is_empty() {
                        return Some(Ok(made));
                    }
                }
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

/// Reads games and makes something of each. The connection is kept meanwhile: there are few,
/// and so only a few processors are at work for exports.
async fn map_games<T: Send + 'static>(
    store: &Store,
    ids: &[i64],
    make: fn(&StoredGame) -> Result<T, StoreError>,
) -> Result<(usize, Vec<T>), StoreFailure> {
    let mut connection = store.list_pool().acquire().await?;
    if store.is_shutting_down() {
        return Err(StoreError::ShuttingDown.into());
    }
    let (used, games) = read_unchecked_batch(&mut connection, ids, EXPORT_BATCH_BYTES).await?;
    let made = run_blocking(move || {
        games
            .iter()
            .map(make)
            .collect::<Result<Vec<T>, StoreError>>()
    })
    .await?;
    Ok((used, made.map_err(|error| corrupt_game(&error))?))
}

async fn is_known(connection: &mut SqliteConnection, uid: &str) -> Result<bool, StoreFailure> {
    let found: Option<i64> = sqlx::query_scalar("SELECT id FROM games WHERE uid = $1")
        .bind(uid)
        .fetch_optional(connection)
        .await?;
    Ok(found.is_some())
}

async fn add(
    connection: &mut SqliteConnection,
    record: &Record,
    read: &ParsedGame,
    uid: &str,
) -> Result<(), StoreFailure> {
    let row = NewGameRow {
        uid,
        variant: record.state().variant(),
        start: read.start.as_deref(),
        seats: &read.seats,
        started: read.started,
        ended: read.ended,
        changed_hands: read.changed_hands,
        assistance: read.assistance,
        imported: true,
        holder: None,
    };
    let game = row.insert(connection).await?;
    add_moves(connection, game, &read.moves).await
}

async fn add_moves(
    connection: &mut SqliteConnection,
    game: GameId,
    moves: &[StoredMove],
) -> Result<(), StoreFailure> {
    for (i, chunk) in moves.chunks(MOVE_BATCH).enumerate() {
        let first = i * MOVE_BATCH;
        let mut query = QueryBuilder::new("INSERT INTO moves (game, ply, text, took_ms) ");
        query.push_values(chunk.iter().zip(first..), |mut row, (mv, ply)| {
            row.push_bind(game.0)
                .push_bind(ply as i64)
                .push_bind(&mv.text)
                .push_bind(stored_millis(mv.took));
        });
        query.build().execute(&mut *connection).await?;
    }
    Ok(())
}

/// What a game without an `Id` is known by.
fn uid_of(record: &Record, occurrences: &mut HashMap<String, u64>) -> String {
    let text = record.to_text();
    let mut hash = Sha256::new();
    hash.update(&text);
    let occurrence = occurrences.entry(text).or_default();
    hash.update(occurrence.to_le_bytes());
    *occurrence += 1;
    to_hex(&hash.finalize()[..16])
}
