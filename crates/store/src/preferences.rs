//! What front ends remember from one time to the next.

use crate::error::StoreError;
use crate::store::Store;

impl Store {
    /// What was last remembered under this name.
    ///
    /// # Errors
    /// The file cannot be read.
    pub async fn preference(&self, key: &str) -> Result<Option<String>, StoreError> {
        self.with_error_context(async {
            let value = sqlx::query_scalar("SELECT value FROM choices WHERE key = $1")
                .bind(key)
                .fetch_optional(self.read_pool())
                .await?;
            Ok(value)
        })
        .await
    }

    /// Remembers something, in the place of what was remembered before.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = noughts_store::Store::in_memory().await?;
    /// store.set_choice("variant", "ultimate").await?;
    /// assert_eq!(store.choice("variant").await?.as_deref(), Some("ultimate"));
    /// assert_eq!(store.choice("colours").await?, None);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The file cannot be written.
    pub async fn set_preference(&self, key: &str, value: &str) -> Result<(), StoreError> {
        self.with_error_context(async {
            let mut writing = self.begin_write().await?;
            sqlx::query(
                "INSERT INTO choices (key, value) VALUES ($1, $2)
                 ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            )
            .bind(key)
            .bind(value)
            .execute(&mut *writing)
            .await?;
            self.commit(writing, 1).await
        })
        .await
    }
}
