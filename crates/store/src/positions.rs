//! Positions that are too long for an address, each under a short one of its own. There
//! is room for so many: those go first that nobody has asked for in longest.

use noughts_rules::Variant;
use sha2::{Digest, Sha256};
use sqlx::SqliteConnection;

use crate::compressed_text::{CompressedText, decompress};
use crate::error::{StoreError, StoreFailure};
use crate::process::{is_uid, to_hex};
use crate::store::Store;
use crate::timestamp::Timestamp;

/// Bytes of all positions together.
const MAX_TOTAL_BYTES: i64 = 256 << 20;

/// What each takes beside its texts.
const ROW_OVERHEAD_BYTES: usize = 200;

/// That somebody asks for a position is written down once in so many milliseconds.
const TOUCH_INTERVAL_MS: i64 = 24 * 3600 * 1000;

/// A position to come back to: where it began, and moves from there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredPosition {
    /// Which game.
    pub variant: Variant,
    /// The position as text.
    pub position: String,
    /// Moves from it.
    pub moves: Vec<String>,
}

/// The same as it is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompressedPosition {
    id: String,
    variant: String,
    position: CompressedText,
    moves: CompressedText,
}

impl StoredPosition {
    /// Packs it. That takes some milliseconds for the deepest boards.
    #[must_use]
    pub fn compress(&self) -> CompressedPosition {
        let (variant, moves) = (self.variant.to_string(), self.moves.join(" "));
        let mut hash = Sha256::new();
        // No text has a zero in it, so that two positions never read the same.
        for part in [&variant, &self.position, &moves] {
            hash.update(part);
            hash.update([0]);
        }
        CompressedPosition {
            id: to_hex(&hash.finalize()[..16]),
            variant,
            position: CompressedText::new(&self.position),
            moves: CompressedText::new(&moves),
        }
    }
}

impl CompressedPosition {
    /// How many bytes it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.position.len() + self.moves.len() + ROW_OVERHEAD_BYTES
    }
}

impl Store {
    /// Keeps a position and says under which name: the same position has the same one.
    ///
    /// # Errors
    /// No writing.
    pub async fn save_position(&self, kept: &CompressedPosition) -> Result<String, StoreError> {
        self.save_position_within(kept, MAX_TOTAL_BYTES).await
    }

    pub(crate) async fn save_position_within(
        &self,
        kept: &CompressedPosition,
        most: i64,
    ) -> Result<String, StoreError> {
        self.submit_write((kept.clone(), most), |_, (kept, most), writing| {
            Box::pin(insert_position(writing, kept, *most))
        })
        .await?;
        Ok(kept.id.clone())
    }

    /// The position that was kept under this name.
    ///
    /// ```
    /// # use noughts_rules::Variant;
    /// # use noughts_store::KeptPosition;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = noughts_store::Store::in_memory().await?;
    /// let kept = KeptPosition {
    ///     variant: Variant::CLASSIC,
    ///     position: "x../.../... o".into(),
    ///     moves: vec!["b2".into(), "c3".into()],
    /// };
    /// let id = store.keep_position(&kept.pack()).await?;
    /// assert_eq!(store.keep_position(&kept.pack()).await?, id);
    /// assert_eq!(store.kept_position(&id).await?, Some(kept));
    /// assert_eq!(store.kept_position("elsewhere").await?, None);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The file cannot be read.
    pub async fn position(&self, id: &str) -> Result<Option<StoredPosition>, StoreError> {
        if !is_uid(id) {
            return Ok(None);
        }
        let found: Option<(String, Vec<u8>, Vec<u8>, i64)> = self
            .with_error_context(async {
                let sql = "SELECT variant, position, moves, since FROM positions WHERE id = $1";
                let row = sqlx::query_as(sql)
                    .bind(id)
                    .fetch_optional(self.read_pool());
                Ok(row.await?)
            })
            .await?;
        let Some((variant, position, moves, since)) = found else {
            return Ok(None);
        };
        if since < Timestamp::now().as_millis() - TOUCH_INTERVAL_MS {
            self.submit_write(id.to_owned(), |_, id, writing| {
                Box::pin(async move { touch(writing, id).await.map(|_| ()) })
            })
            .await?;
        }
        self.with_error_context(async {
            let odd = |what: &str| {
                StoreFailure::Corrupt(format!("position {id} has a {what} that is none"))
            };
            let moves = decompress(moves).ok_or_else(|| odd("list of moves"))?;
            Ok(Some(StoredPosition {
                variant: variant.parse().map_err(|_| odd("variant"))?,
                position: decompress(position).ok_or_else(|| odd("text"))?,
                moves: moves.split_whitespace().map(str::to_owned).collect(),
            }))
        })
        .await
    }
}

async fn insert_position(
    writing: &mut SqliteConnection,
    kept: &CompressedPosition,
    most: i64,
) -> Result<(), StoreFailure> {
    if touch(writing, &kept.id).await? {
        return Ok(());
    }
    sqlx::query(
        "INSERT INTO positions (id, variant, position, moves, since, bytes)
         VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(&kept.id)
    .bind(&kept.variant)
    .bind(&kept.position)
    .bind(&kept.moves)
    .bind(Timestamp::now().as_millis())
    .bind(i64::try_from(kept.bytes()).unwrap_or(i64::MAX))
    .execute(&mut *writing)
    .await?;
    let all: i64 = sqlx::query_scalar("SELECT SUM(bytes) FROM positions")
        .fetch_one(&mut *writing)
        .await?;
    if all > most {
        sqlx::query(
            "DELETE FROM positions WHERE id <> $1 AND id IN
             (SELECT id FROM (SELECT id, SUM(bytes) OVER (ORDER BY since DESC, id) AS up_to
                              FROM positions) AS newest
              WHERE up_to > $2)",
        )
        .bind(&kept.id)
        .bind(most)
        .execute(writing)
        .await?;
    }
    Ok(())
}

/// Somebody asks for it now. Is it there?
async fn touch(writing: &mut SqliteConnection, id: &str) -> Result<bool, StoreFailure> {
    let done = sqlx::query("UPDATE positions SET since = $1 WHERE id = $2")
        .bind(Timestamp::now().as_millis())
        .bind(id)
        .execute(writing)
        .await?;
    Ok(done.rows_affected() > 0)
}
