//! Export to records and import from them.

use std::collections::HashMap;

use noughts_rules::Record;
use sha2::{Digest, Sha256};
use sqlx::{QueryBuilder, SqliteConnection};

use crate::error::{StoreError, Trouble};
use crate::games::{GameId, NewRow, StoredMove, millis, whole};
use crate::listing::{Filter, Listed};
use crate::record::{self, Read};
use crate::running::hexadecimal;
use crate::store::Store;

/// What an import brought.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Imported {
    /// Games that were new.
    pub added: u64,
    /// Games that were here already, and stay as they were.
    pub known: u64,
}

/// So many moves are written with one statement.
const MOVES_AT_ONCE: usize = 500;

impl Store {
    /// Games as records that say all that is known of them, oldest first.
    ///
    /// # Errors
    /// The file cannot be read, or what is kept in it is no game.
    pub async fn export(&self, filter: &Filter) -> Result<Vec<Record>, StoreError> {
        let mut query = filter.query()?;
        self.told(async {
            let mut reading = self.pool().begin().await?;
            let rows = query.build().fetch_all(&mut *reading).await?;
            let mut records = Vec::with_capacity(rows.len());
            for row in rows.iter().rev() {
                let game = whole(&mut reading, Listed::read(row)?).await?;
                records.push(game.to_record()?);
            }
            Ok(records)
        })
        .await
    }

    /// Adds the games of these records that are not here yet: all of them, or in
    /// case of an error none. A game is known again by its tag `Id`; without one, by
    /// its text and which of several like it in the records it is.
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
    pub async fn import(&self, records: &[Record]) -> Result<Imported, StoreError> {
        let mut occurrences: HashMap<String, u64> = HashMap::new();
        let mut imported = Imported::default();
        self.told(async {
            let mut writing = self.write().await?;
            for (i, record) in records.iter().enumerate() {
                let unfit =
                    |what| StoreError::Unfit(format!("game {} of the records: {what}", i + 1));
                let read = record::read(record).map_err(unfit)?;
                let uid = read.uid.clone();
                let uid = uid.unwrap_or_else(|| uid_of(record, &mut occurrences));
                if is_known(&mut writing, &uid).await? {
                    imported.known += 1;
                    continue;
                }
                match add(&mut writing, record, &read, &uid).await {
                    Ok(()) => imported.added += 1,
                    Err(Trouble::Said(error)) => return Err(unfit(error.to_string()).into()),
                    Err(trouble) => return Err(trouble),
                }
            }
            writing.commit().await?;
            Ok(imported)
        })
        .await
    }
}

async fn is_known(connection: &mut SqliteConnection, uid: &str) -> Result<bool, Trouble> {
    let found: Option<i64> = sqlx::query_scalar("SELECT id FROM games WHERE uid = $1")
        .bind(uid)
        .fetch_optional(connection)
        .await?;
    Ok(found.is_some())
}

async fn add(
    connection: &mut SqliteConnection,
    record: &Record,
    read: &Read,
    uid: &str,
) -> Result<(), Trouble> {
    let row = NewRow {
        uid,
        variant: record.play().variant(),
        start: read.start.as_deref(),
        seats: &read.seats,
        began: read.began,
        ended: read.ended,
        handed: read.handed,
        holder: None,
    };
    let game = row.insert(connection).await?;
    add_moves(connection, game, &read.moves).await
}

async fn add_moves(
    connection: &mut SqliteConnection,
    game: GameId,
    moves: &[StoredMove],
) -> Result<(), Trouble> {
    for (i, chunk) in moves.chunks(MOVES_AT_ONCE).enumerate() {
        let first = i * MOVES_AT_ONCE;
        let mut query = QueryBuilder::new("INSERT INTO moves (game, ply, text, took_ms) ");
        query.push_values(chunk.iter().zip(first..), |mut row, (mv, ply)| {
            row.push_bind(game.0)
                .push_bind(ply as i64)
                .push_bind(&mv.text)
                .push_bind(millis(mv.took));
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
    hexadecimal(&hash.finalize()[..16])
}
