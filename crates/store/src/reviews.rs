//! Reviews of finished games. The content is defined by the caller: here it is versioned text.

use crate::compressed_text::{CompressedText, decompress};
use crate::error::StoreError;
use crate::games::GameId;
use crate::store::Store;

impl Store {
    /// Stores the review of a game, replacing an older one.
    ///
    /// # Errors
    /// The game doesn't exist, or the file can't be written.
    pub async fn save_review(
        &self,
        game: GameId,
        version: &str,
        review: &str,
    ) -> Result<(), StoreError> {
        let (version, review) = (version.to_owned(), CompressedText::new(review));
        self.submit_write(async move |_, tx| {
            let sql = "INSERT INTO reviews (game, version, review) VALUES ($1, $2, $3)
                 ON CONFLICT (game) DO UPDATE SET version = excluded.version, review = excluded.review";
            execute!(tx, sql, game.0, &version, &review)?;
            Ok(())
        })
        .await
    }

    /// The review of a game, if this version created it.
    ///
    /// # Errors
    /// The file can't be read.
    pub async fn review(&self, game: GameId, version: &str) -> Result<Option<String>, StoreError> {
        self.with_error_context(async {
            let sql = "SELECT review FROM reviews WHERE game = $1 AND version = $2";
            let row = fetch_optional!(self.read_pool(), sql, game.0, version)?;
            Ok(row.and_then(|(review,)| decompress(review)))
        })
        .await
    }
}
