//! Inserts moves: many with one statement, or one at a time with the reason if it fails.

use std::collections::HashSet;

use noughts_rules::{Outcome, Termination};
use sqlx::{QueryBuilder, Row, SqliteConnection};

use crate::error::{RawResult, StoreError};
use crate::games::{GameId, StoredMove, end_game, stored_millis};
use crate::store::Store;

/// A move to be stored.
pub(crate) struct NewMove {
    pub(crate) game: GameId,
    /// The number of moves before it.
    pub(crate) ply: usize,
    pub(crate) mv: StoredMove,
    /// The result, if the game ends with this move.
    pub(crate) end: Option<(Outcome, Termination)>,
}

/// Moves inserted per statement. Other counts are split into these, so that SQLite's statement
/// cache is hit.
const STATEMENT_SIZES: [usize; 7] = [64, 32, 16, 8, 4, 2, 1];

/// Adds the moves, each of a different game, that are valid: the game is open, has this many moves,
/// and is held by this process or none. Returns the games of the added moves.
pub(crate) async fn add(
    connection: &mut SqliteConnection,
    mut new_moves: &[&NewMove],
    process_uid: &str,
) -> RawResult<HashSet<GameId>> {
    let mut added = HashSet::new();
    for count in STATEMENT_SIZES {
        while let Some((chunk, rest)) = new_moves.split_at_checked(count) {
            new_moves = rest;
            insert(connection, chunk, process_uid, &mut added).await?;
            if rest.is_empty() {
                break;
            }
        }
    }
    Ok(added)
}

async fn insert(
    connection: &mut SqliteConnection,
    new_moves: &[&NewMove],
    process_uid: &str,
    added: &mut HashSet<GameId>,
) -> RawResult<()> {
    if new_moves.is_empty() {
        return Ok(());
    }
    // These are the default column names of `VALUES` in every database.
    let mut query = QueryBuilder::new(
        "INSERT INTO moves (game, ply, text, took_ms)
         SELECT column1, column2, column3, column4 FROM (",
    );
    query.push_values(new_moves, |mut row, new| {
        row.push_bind(new.game.0)
            .push_bind(new.ply as i64)
            .push_bind(&new.mv.text)
            .push_bind(stored_millis(new.mv.took));
    });
    query.push(
        ") AS news JOIN games ON games.id = column1
         WHERE games.ended IS NULL AND column2 =
               (SELECT COALESCE(MAX(ply) + 1, 0) FROM moves WHERE moves.game = column1)
         AND (games.holder IS NULL OR games.holder = ",
    );
    query.push_bind(process_uid).push(") RETURNING game");
    let rows = query.build().fetch_all(&mut *connection).await?;
    for row in rows {
        added.insert(GameId(row.try_get("game")?));
    }
    for new in new_moves.iter().filter(|new| added.contains(&new.game)) {
        if let Some((result, end)) = new.end {
            end_game(connection, new.game, Some(result), end).await?;
        }
    }
    Ok(())
}

/// Adds one move, or returns why it can't.
pub(crate) async fn add_one(
    store: &Store,
    connection: &mut SqliteConnection,
    new: &NewMove,
) -> RawResult<()> {
    let mut added = HashSet::new();
    insert(connection, &[new], store.process().uid(), &mut added).await?;
    if !added.is_empty() {
        return Ok(());
    }
    let NewMove { game, ply, mv, end } = new;
    let stored = store.require_open_game(connection, *game).await?.move_count;
    if stored != *ply {
        let what = format!("was changed in the meantime (expected moves: {ply}, stored: {stored})");
        return Err(StoreError::Conflict { game: *game, what }.into());
    }
    // The process that held the game has ended.
    let sql = "INSERT INTO moves (game, ply, text, took_ms) VALUES ($1, $2, $3, $4)";
    let (text, took) = (&mv.text, stored_millis(mv.took));
    execute!(&mut *connection, sql, game.0, *ply as i64, text, took)?;
    if let Some((result, end)) = *end {
        end_game(connection, *game, Some(result), end).await?;
    }
    Ok(())
}
