//! Positions that are too long for an address, each under a short one of its own.

use noughts_rules::Variant;
use sha2::{Digest, Sha256};

use crate::error::{StoreError, Trouble};
use crate::running::{hexadecimal, is_uid};
use crate::store::Store;
use crate::timestamp::Timestamp;

/// A position to come back to: where it began, and moves from there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeptPosition {
    /// Which game.
    pub variant: Variant,
    /// The position as text.
    pub position: String,
    /// Moves from it.
    pub moves: Vec<String>,
}

impl Store {
    /// Keeps a position and says under which name: the same position has the same one.
    ///
    /// # Errors
    /// No writing.
    pub async fn keep_position(&self, kept: &KeptPosition) -> Result<String, StoreError> {
        let (variant, moves) = (kept.variant.to_string(), kept.moves.join(" "));
        let mut hash = Sha256::new();
        // No text has a zero in it, so that two positions never read the same.
        for part in [&variant, &kept.position, &moves] {
            hash.update(part);
            hash.update([0]);
        }
        let id = hexadecimal(&hash.finalize()[..16]);
        self.told(async {
            let mut writing = self.write().await?;
            sqlx::query(
                "INSERT INTO positions (id, variant, position, moves, since)
                 VALUES ($1, $2, $3, $4, $5) ON CONFLICT (id) DO NOTHING",
            )
            .bind(&id)
            .bind(variant)
            .bind(&kept.position)
            .bind(moves)
            .bind(Timestamp::now().as_millis())
            .execute(&mut *writing)
            .await?;
            Ok(writing.commit().await?)
        })
        .await?;
        Ok(id)
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
    /// let id = store.keep_position(&kept).await?;
    /// assert_eq!(store.keep_position(&kept).await?, id);
    /// assert_eq!(store.kept_position(&id).await?, Some(kept));
    /// assert_eq!(store.kept_position("elsewhere").await?, None);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The file cannot be read.
    pub async fn kept_position(&self, id: &str) -> Result<Option<KeptPosition>, StoreError> {
        if !is_uid(id) {
            return Ok(None);
        }
        self.told(async {
            let found: Option<(String, String, String)> =
                sqlx::query_as("SELECT variant, position, moves FROM positions WHERE id = $1")
                    .bind(id)
                    .fetch_optional(self.pool())
                    .await?;
            let Some((variant, position, moves)) = found else {
                return Ok(None);
            };
            let odd = |_| Trouble::Odd(format!("position {id} has the variant {variant:?}"));
            Ok(Some(KeptPosition {
                variant: variant.parse().map_err(odd)?,
                position,
                moves: moves.split_whitespace().map(str::to_owned).collect(),
            }))
        })
        .await
    }
}
