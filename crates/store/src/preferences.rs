//! Preferences that front ends keep between runs.

use crate::error::StoreError;
use crate::store::Store;

impl Store {
    /// The value last saved under this key.
    ///
    /// # Errors
    /// The file can't be read.
    pub async fn preference(&self, key: &str) -> Result<Option<String>, StoreError> {
        self.with_error_context(async {
            let sql = "SELECT value FROM choices WHERE key = $1";
            let found: Option<(String,)> = fetch_optional!(self.read_pool(), sql, key)?;
            Ok(found.map(|(value,)| value))
        })
        .await
    }

    /// Saves a value, replacing the previous one.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = noughts_store::Store::in_memory().await?;
    /// store.set_preference("variant", "ultimate").await?;
    /// assert_eq!(store.preference("variant").await?.as_deref(), Some("ultimate"));
    /// assert_eq!(store.preference("colors").await?, None);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The file can't be written.
    pub async fn set_preference(&self, key: &str, value: &str) -> Result<(), StoreError> {
        self.with_error_context(async {
            let mut tx = self.begin_write().await?;
            let sql = "INSERT INTO choices (key, value) VALUES ($1, $2)
                 ON CONFLICT (key) DO UPDATE SET value = excluded.value";
            execute!(&mut *tx, sql, key, value)?;
            self.commit(tx, 1).await
        })
        .await
    }
}
