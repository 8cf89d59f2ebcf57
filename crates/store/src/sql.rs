//! Statements with their arguments, and how they are run. Row types are inferred from what receives the result.

/// Runs a statement with these arguments. Returns how many rows it changed.
macro_rules! execute {
    ($connection:expr, $sql:expr $(, $argument:expr)* $(,)?) => {{
        let done = sqlx::query($sql)$(.bind($argument))*.execute($connection).await;
        done.map(|done| done.rows_affected())
    }};
}

/// The only row.
macro_rules! fetch_one {
    ($connection:expr, $sql:expr $(, $argument:expr)* $(,)?) => {
        sqlx::query_as($sql)$(.bind($argument))*.fetch_one($connection).await
    };
}

/// The first row, if there is one.
macro_rules! fetch_optional {
    ($connection:expr, $sql:expr $(, $argument:expr)* $(,)?) => {
        sqlx::query_as($sql)$(.bind($argument))*.fetch_optional($connection).await
    };
}

/// All rows.
macro_rules! fetch_all {
    ($connection:expr, $sql:expr $(, $argument:expr)* $(,)?) => {
        sqlx::query_as($sql)$(.bind($argument))*.fetch_all($connection).await
    };
}
