//! Import and export of game records.

use std::collections::HashMap;
use std::time::Duration;

use noughts_rules::Record;
use sha2::{Digest, Sha256};
use sqlx::{QueryBuilder, SqliteConnection};

use crate::error::{RawResult, StoreError};
use crate::games::{
    GameId, StoredGame, StoredMove, check_distinct_players, corrupt_game, read_unchecked_batch,
    run_blocking, stored_millis,
};
use crate::listing::GameFilter;
use crate::record;
use crate::store::Store;

/// The result of an import.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ImportSummary {
    /// Games that were added.
    pub added: u64,
    /// Games that were already present and stay unchanged.
    pub already_present: u64,
}

/// Games written per transaction, so that other writers get a turn.
const IMPORT_BATCH: usize = 200;

/// The pause between transactions. Other processes poll for the write lock only now and then.
pub(crate) const BATCH_PAUSE: Duration = Duration::from_millis(20);

/// Moves inserted per statement.
const MOVE_BATCH: usize = 500;

impl Store {
    /// Exports games as complete records, oldest first. They are read in batches on demand; games
    /// deleted in the meantime are left out.
    ///
    /// # Errors
    /// The file can't be read.
    pub async fn export(&self, filter: &GameFilter) -> Result<GameExport, StoreError> {
        let mut query = filter.ids_query()?;
        self.with_error_context(async {
            let mut ids: Vec<i64> = query
                .build_query_scalar()
                .fetch_all(self.list_pool())
                .await?;
            ids.reverse();
            Ok(GameExport {
                store: self.clone(),
                ids,
                read: 0,
            })
        })
        .await
    }

    /// Adds the games of these records that aren't in the store yet. If any record is invalid,
    /// nothing is added. Games are written in batches, so that others can write in between: if the
    /// disk fails midway, what was written stays, and a second import adds the rest. A game is
    /// identified by its `Id` tag; without one, by its text and its occurrence among identical
    /// records.
    ///
    /// ```
    /// use noughts_rules::Record;
    /// use noughts_store::{ImportSummary, Store};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = Store::in_memory().await?;
    /// let records = Record::parse_all("[Variant \"classic\"]\n[X \"Ada\"]\n\n1. b2 a1 1-0")?;
    /// assert_eq!(store.import(&records).await?, ImportSummary { added: 1, already_present: 0 });
    /// assert_eq!(store.import(&records).await?, ImportSummary { added: 0, already_present: 1 });
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// A record is invalid (the message says which), or the file can't be written.
    pub async fn import(&self, records: &[Record]) -> Result<ImportSummary, StoreError> {
        let mut occurrences: HashMap<String, u64> = HashMap::new();
        let mut games = Vec::with_capacity(records.len());
        for (i, record) in records.iter().enumerate() {
            let invalid = |what| {
                StoreError::Invalid(format!(
                    "game {number} of the records: {what}",
                    number = i + 1
                ))
            };
            let make_uid = || uid_of(record, &mut occurrences);
            let (row, moves) = record::parse_record(record, make_uid).map_err(invalid)?;
            let [x, o] = &row.seats;
            check_distinct_players([x, o]).map_err(|error| invalid(error.to_string()))?;
            games.push((row, moves));
        }
        let mut imported = ImportSummary::default();
        self.with_error_context(async {
            for (i, batch) in games.chunks(IMPORT_BATCH).enumerate() {
                if i > 0 {
                    tokio::time::sleep(BATCH_PAUSE).await;
                }
                let mut tx = self.begin_write().await?;
                for (row, moves) in batch {
                    if is_known(&mut tx, &row.uid).await? {
                        imported.already_present += 1;
                    } else {
                        let game = row.insert(&mut tx).await?;
                        add_moves(&mut tx, game, moves).await?;
                        imported.added += 1;
                    }
                }
                self.commit(tx, batch.len()).await?;
            }
            Ok(imported)
        })
        .await
    }
}

/// An export in progress, read in batches.
///
/// ```
/// use noughts_rules::Record;
/// use noughts_store::{GameFilter, Store};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = Store::in_memory().await?;
/// store.import(&Record::parse_all("[Variant \"classic\"]\n[X \"Ada\"]\n\n1. b2 a1 1-0")?).await?;
/// let mut export = store.export(&GameFilter::default()).await?;
/// while let Some(part) = export.next_part().await {
///     assert!(part?.text.contains("[X \"Ada\"]"));
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct GameExport {
    store: Store,
    ids: Vec<i64>,
    /// How many of them were read.
    read: usize,
}

/// Several records of an export as one text, separated by empty lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExportPart {
    /// The number of records.
    pub games: usize,
    /// Their text.
    pub text: String,
}

/// Games read per batch, and about how many bytes their records may have; a single game may have
/// more. Reading games one by one would spend most of the time waiting for threads.
const EXPORT_BATCH: usize = 32;
const EXPORT_BATCH_BYTES: usize = 256 << 10;

impl GameExport {
    /// Are there no games?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The next few records as text; `None` after the last.
    ///
    /// # Errors
    /// The file can't be read, a stored game is invalid, or the process is shutting down.
    pub async fn next_part(&mut self) -> Option<Result<ExportPart, StoreError>> {
        let texts = self.next_batch(|game| game.to_record().map(|record| record.to_text()));
        let part = texts.await?.map(|texts| ExportPart {
            games: texts.len(),
            text: texts.join("\n"),
        });
        Some(part)
    }

    /// The remaining records.
    ///
    /// # Errors
    /// See [`GameExport::next_part`].
    pub async fn collect(mut self) -> Result<Vec<Record>, StoreError> {
        let mut records = Vec::with_capacity(self.ids.len());
        while let Some(batch) = self.next_batch(StoredGame::to_record).await {
            records.extend(batch?);
        }
        Ok(records)
    }

    /// Maps the next few games. Never returns an empty batch, so `None` means the end.
    async fn next_batch<T: Send + 'static>(
        &mut self,
        map: fn(&StoredGame) -> Result<T, StoreError>,
    ) -> Option<Result<Vec<T>, StoreError>> {
        loop {
            let remaining = self
                .ids
                .get(self.read..)
                .filter(|remaining| !remaining.is_empty())?;
            let ids = &remaining[..remaining.len().min(EXPORT_BATCH)];
            match self
                .store
                .with_error_context(map_games(&self.store, ids, map))
                .await
            {
                Ok((consumed, mapped)) => {
                    self.read += consumed;
                    if !mapped.is_empty() {
                        return Some(Ok(mapped));
                    }
                }
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

/// Reads games and maps them. The connection is held meanwhile, which limits how many processors
/// exports can use.
async fn map_games<T: Send + 'static>(
    store: &Store,
    ids: &[i64],
    map: fn(&StoredGame) -> Result<T, StoreError>,
) -> RawResult<(usize, Vec<T>)> {
    let mut connection = store.list_pool().acquire().await?;
    if store.is_shutting_down() {
        return Err(StoreError::ShuttingDown.into());
    }
    let (consumed, games) = read_unchecked_batch(&mut connection, ids, EXPORT_BATCH_BYTES).await?;
    let mapped = run_blocking(move || {
        games
            .iter()
            .map(map)
            .collect::<Result<Vec<T>, StoreError>>()
    })
    .await?;
    Ok((consumed, mapped.map_err(|error| corrupt_game(&error))?))
}

async fn is_known(connection: &mut SqliteConnection, uid: &str) -> RawResult<bool> {
    let sql = "SELECT id FROM games WHERE uid = $1";
    let found: Option<(i64,)> = fetch_optional!(connection, sql, uid)?;
    Ok(found.is_some())
}

async fn add_moves(
    connection: &mut SqliteConnection,
    game: GameId,
    moves: &[StoredMove],
) -> RawResult<()> {
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

/// The unique ID of a game without an `Id` tag.
fn uid_of(record: &Record, occurrences: &mut HashMap<String, u64>) -> String {
    let text = record.to_text();
    let mut hash = Sha256::new();
    hash.update(&text);
    let occurrence = occurrences.entry(text).or_default();
    hash.update(occurrence.to_le_bytes());
    *occurrence += 1;
    hex::encode(&hash.finalize()[..16])
}
