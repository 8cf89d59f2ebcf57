//! Positions that are too long for a URL, stored under a short ID. Their total size is limited; the
//! least recently used ones are deleted first.

use noughts_rules::Variant;
use sha2::{Digest, Sha256};
use sqlx::SqliteConnection;

use crate::compressed_text::{CompressedText, decompress};
use crate::error::{RawResult, RawStoreError, StoreError};
use crate::process::is_uid;
use crate::store::Store;
use crate::timestamp::Timestamp;

/// The maximum size of all positions together.
const MAX_TOTAL_BYTES: i64 = 256 << 20;

/// The overhead of a row in addition to its texts.
const ROW_OVERHEAD_BYTES: usize = 200;

/// The last use of a position is updated at most once in this many milliseconds.
const TOUCH_INTERVAL_MS: i64 = 24 * 3600 * 1000;

/// A stored position: a start position and moves from there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredPosition {
    /// The variant.
    pub variant: Variant,
    /// The start position as text.
    pub position: String,
    /// The moves from it.
    pub moves: Vec<String>,
}

/// The same in compressed form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompressedPosition {
    id: String,
    variant: String,
    position: CompressedText,
    moves: CompressedText,
}

impl StoredPosition {
    /// Compresses it. This takes some milliseconds for the deepest boards.
    #[must_use]
    pub fn compress(&self) -> CompressedPosition {
        let (variant, moves) = (self.variant.to_string(), self.moves.join(" "));
        let mut hash = Sha256::new();
        // Texts contain no zero byte, so the concatenation is unambiguous.
        for part in [&variant, &self.position, &moves] {
            hash.update(part);
            hash.update([0]);
        }
        CompressedPosition {
            id: hex::encode(&hash.finalize()[..16]),
            variant,
            position: CompressedText::new(&self.position),
            moves: CompressedText::new(&moves),
        }
    }
}

impl CompressedPosition {
    /// Its size in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.position.len() + self.moves.len() + ROW_OVERHEAD_BYTES
    }
}

impl Store {
    /// Saves a position and returns its ID. Equal positions have equal IDs.
    ///
    /// # Errors
    /// The file can't be written.
    pub async fn save_position(&self, position: &CompressedPosition) -> Result<String, StoreError> {
        self.save_position_within(position, MAX_TOTAL_BYTES).await
    }

    pub(crate) async fn save_position_within(
        &self,
        position: &CompressedPosition,
        max_total_bytes: i64,
    ) -> Result<String, StoreError> {
        let position = position.clone();
        self.submit_write(async move |_, tx| {
            insert_position(tx, &position, max_total_bytes).await?;
            Ok(position.id.clone())
        })
        .await
    }

    /// The position with this ID.
    ///
    /// ```
    /// # use noughts_rules::Variant;
    /// # use noughts_store::StoredPosition;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = noughts_store::Store::in_memory().await?;
    /// let position = StoredPosition {
    ///     variant: Variant::CLASSIC,
    ///     position: "x../.../... o".into(),
    ///     moves: vec!["b2".into(), "c3".into()],
    /// };
    /// let id = store.save_position(&position.compress()).await?;
    /// assert_eq!(store.save_position(&position.compress()).await?, id);
    /// assert_eq!(store.position(&id).await?, Some(position));
    /// assert_eq!(store.position("unknown").await?, None);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The file can't be read.
    pub async fn position(&self, id: &str) -> Result<Option<StoredPosition>, StoreError> {
        if !is_uid(id) {
            return Ok(None);
        }
        let found: Option<(String, Vec<u8>, Vec<u8>, i64)> = self
            .with_error_context(async {
                let sql = "SELECT variant, position, moves, since FROM positions WHERE id = $1";
                Ok(fetch_optional!(self.read_pool(), sql, id)?)
            })
            .await?;
        let Some((variant, position, moves, since)) = found else {
            return Ok(None);
        };
        if since < Timestamp::now().as_millis() - TOUCH_INTERVAL_MS {
            let id = id.to_owned();
            self.submit_write(async move |_, tx| touch(tx, &id).await)
                .await?;
        }
        self.with_error_context(async {
            let corrupt =
                |what: &str| RawStoreError::Corrupt(format!("position {id} has an invalid {what}"));
            let moves = decompress(moves).ok_or_else(|| corrupt("move list"))?;
            Ok(Some(StoredPosition {
                variant: variant.parse().map_err(|_| corrupt("variant"))?,
                position: decompress(position).ok_or_else(|| corrupt("text"))?,
                moves: moves.split_whitespace().map(str::to_owned).collect(),
            }))
        })
        .await
    }
}

async fn insert_position(
    tx: &mut SqliteConnection,
    position: &CompressedPosition,
    max_total_bytes: i64,
) -> RawResult<()> {
    if touch(tx, &position.id).await? {
        return Ok(());
    }
    sqlx::query(
        "INSERT INTO positions (id, variant, position, moves, since, bytes)
         VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(&position.id)
    .bind(&position.variant)
    .bind(&position.position)
    .bind(&position.moves)
    .bind(Timestamp::now().as_millis())
    .bind(i64::try_from(position.bytes()).unwrap_or(i64::MAX))
    .execute(&mut *tx)
    .await?;
    let (total_bytes,): (i64,) = fetch_one!(&mut *tx, "SELECT SUM(bytes) FROM positions")?;
    if total_bytes > max_total_bytes {
        let sql = "DELETE FROM positions WHERE id <> $1 AND id IN
             (SELECT id FROM (SELECT id, SUM(bytes) OVER (ORDER BY since DESC, id) AS up_to
                              FROM positions) AS newest
              WHERE up_to > $2)";
        execute!(tx, sql, &position.id, max_total_bytes)?;
    }
    Ok(())
}

/// Marks a position as used. Returns whether it exists.
async fn touch(tx: &mut SqliteConnection, id: &str) -> RawResult<bool> {
    let sql = "UPDATE positions SET since = $1 WHERE id = $2";
    let updated = execute!(tx, sql, Timestamp::now().as_millis(), id)?;
    Ok(updated > 0)
}
