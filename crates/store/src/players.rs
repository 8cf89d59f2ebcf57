//! Players: names, records, renaming and deleting.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use noughts_rules::Variant;
use sqlx::sqlite::SqliteRow;
use sqlx::{FromRow, QueryBuilder, Row, Sqlite, SqliteConnection};

use crate::access::mark_stale;
use crate::error::{RawResult, RawStoreError, StoreError};
use crate::games::{GameId, delete_row, push_list};
use crate::import_export::BATCH_PAUSE;
use crate::listing::{parse_stored_name, seat_from_columns};
use crate::name::Name;
use crate::seat::{Seat, Tally};
use crate::store::Store;
use crate::timestamp::Timestamp;

/// A player's record.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayerRecord {
    /// The name.
    pub name: Name,
    /// When their first game started.
    pub since: Timestamp,
    /// All games.
    pub total: Tally,
    /// By variant, the most played first.
    pub by_variant: Vec<(Variant, Tally)>,
    /// By opponent, the most frequent first.
    pub by_opponent: Vec<(Seat, Tally)>,
    /// Are there more variants or opponents than these?
    pub has_more: bool,
}

/// Selects players. The default is all of them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PlayerFilter {
    /// Only players who have a game with a move or a result.
    pub played: bool,
    /// Only players after this position in the list.
    pub after: Option<PlayerCursor>,
    /// At most this many.
    pub limit: Option<u32>,
}

/// A page of the list of players.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayerPage {
    /// The players, the most recently active first.
    pub players: Vec<(Name, Tally)>,
    /// Where the next page starts, if there is one.
    pub next: Option<PlayerCursor>,
}

/// A position in the list of players. It stays valid while others play.
///
/// ```
/// use noughts_store::PlayerCursor;
///
/// let cursor: PlayerCursor = "1700000000000-12-3".parse()?;
/// assert_eq!(cursor.to_string(), "1700000000000-12-3");
/// assert!("12".parse::<PlayerCursor>().is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayerCursor {
    last: i64,
    game: i64,
    id: i64,
}

impl fmt::Display for PlayerCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}-{}", self.last, self.game, self.id)
    }
}

impl FromStr for PlayerCursor {
    type Err = String;

    fn from_str(text: &str) -> Result<PlayerCursor, String> {
        let bad = || {
            "expected three numbers separated by dashes: `next` from the previous page".to_owned()
        };
        // Times before 1970 are negative.
        let (sign, rest) = match text.strip_prefix('-') {
            Some(rest) => (-1, rest),
            None => (1, text),
        };
        let numbers: Result<Vec<i64>, _> = rest.split('-').map(str::parse).collect();
        match numbers.map_err(|_| bad())?[..] {
            [last, game, id] => Ok(PlayerCursor {
                last: sign * last,
                game,
                id,
            }),
            _ => Err(bad()),
        }
    }
}

/// What happens to the games of a deleted player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayerDeletion {
    /// The name.
    pub name: Name,
    /// Games against bots, guests and deleted players, which are deleted.
    pub deleted_games: u64,
    /// Games against other players, which stay without the player's name.
    pub anonymized_games: u64,
}

/// A player's ID and name, and the time and ID of their latest game.
type PlayerRow = (i64, String, i64, i64);

/// Games deleted per transaction when a player is deleted.
const DELETE_BATCH: i64 = 50;

/// Players whose games are counted per statement.
const TALLY_BATCH: usize = 500;

impl PlayerFilter {
    /// Builds the query; it asks for one more than the limit, to know whether there are more.
    pub(crate) fn query(&self) -> QueryBuilder<Sqlite> {
        let mut query =
            QueryBuilder::new("SELECT id, name, last, last_game FROM people WHERE 1 = 1");
        if let Some(after) = &self.after {
            query
                .push(" AND (last, last_game, id) < (")
                .push_bind(after.last);
            query.push(", ").push_bind(after.game);
            query.push(", ").push_bind(after.id).push(")");
        }
        if self.played {
            for (start, side) in [(" AND (", "x"), (" OR ", "o")] {
                query.push(start);
                query.push(format!(
                    "EXISTS (SELECT 1 FROM games WHERE {side}_person = people.id
                             AND (result IS NOT NULL
                                  OR EXISTS (SELECT 1 FROM moves WHERE moves.game = games.id)))"
                ));
            }
            query.push(")");
        }
        query.push(" ORDER BY last DESC, last_game DESC, id DESC");
        if let Some(limit) = self.limit {
            query.push(" LIMIT ").push_bind(i64::from(limit) + 1);
        }
        query
    }
}

/// The tallies of these players.
async fn tallies(
    connection: &mut SqliteConnection,
    players: &[PlayerRow],
) -> RawResult<HashMap<i64, Tally>> {
    let mut all = HashMap::new();
    for batch in players.chunks(TALLY_BATCH) {
        let mut query = QueryBuilder::<Sqlite>::new(format!(
            "SELECT person, {SUMS} FROM counted WHERE person IN ("
        ));
        push_list(&mut query, batch.iter().map(|(id, ..)| *id));
        query.push(" GROUP BY person");
        let rows = query.build().fetch_all(&mut *connection).await?;
        for row in &rows {
            all.insert(row.try_get("person")?, Tally::from_row(row)?);
        }
    }
    Ok(all)
}

/// Updates a player's latest game.
pub(crate) async fn update_last_game(
    connection: &mut SqliteConnection,
    player: i64,
    started: Timestamp,
    game: GameId,
) -> RawResult<()> {
    let sql = "UPDATE people SET last = $1, last_game = $2
         WHERE id = $3 AND (last, last_game) < ($1, $2)";
    execute!(connection, sql, started.as_millis(), game.0, player)?;
    Ok(())
}

/// The columns of a [`Tally`].
const SUMS: &str = "COALESCE(SUM(won), 0) AS wins, COALESCE(SUM(lost), 0) AS losses,
                    COALESCE(SUM(tied), 0) AS draws";

impl Store {
    /// All players, the most recently active first.
    ///
    /// # Errors
    /// The file can't be read.
    pub async fn all_players(&self) -> Result<Vec<(Name, Tally)>, StoreError> {
        Ok(self.players(&PlayerFilter::default()).await?.players)
    }

    /// Players, the most recently active first: all of them, or one page.
    ///
    /// ```
    /// # use noughts_rules::Record;
    /// use noughts_store::{PlayerFilter, Store};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = Store::in_memory().await?;
    /// # let records = "[Variant \"classic\"]\n[X \"Ada\"]\n[O \"Bob\"]\n\n1. b2 a1 1-0";
    /// # store.import(&Record::parse_all(records)?).await?;
    /// let mut filter = PlayerFilter { limit: Some(1), ..PlayerFilter::default() };
    /// let first = store.players(&filter).await?;
    /// assert_eq!(first.players.len(), 1);
    /// filter.after = first.next;
    /// let second = store.players(&filter).await?;
    /// assert_eq!((second.players.len(), second.next), (1, None));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The file can't be read.
    pub async fn players(&self, filter: &PlayerFilter) -> Result<PlayerPage, StoreError> {
        self.with_error_context(async {
            // All queries see the same snapshot.
            let mut tx = self.list_pool().begin().await?;
            let mut rows: Vec<PlayerRow> =
                filter.query().build_query_as().fetch_all(&mut *tx).await?;
            let mut next = None;
            if let Some(limit) = filter.limit.map(|limit| limit as usize)
                && rows.len() > limit
            {
                rows.truncate(limit);
                next = rows
                    .last()
                    .map(|&(id, _, last, game)| PlayerCursor { last, game, id });
            }
            let tallies = tallies(&mut tx, &rows).await?;
            let players = rows.into_iter().map(|(id, name, ..): PlayerRow| {
                let tally = tallies.get(&id).copied().unwrap_or_default();
                Ok((parse_stored_name(&name)?, tally))
            });
            Ok(PlayerPage {
                players: players.collect::<RawResult<_>>()?,
                next,
            })
        })
        .await
    }

    /// A player's tally; `None` if the player doesn't exist.
    ///
    /// # Errors
    /// The file can't be read.
    pub async fn player_tally(&self, name: &Name) -> Result<Option<Tally>, StoreError> {
        self.with_error_context(async {
            let mut tx = self.read_pool().begin().await?;
            match find_player(&mut tx, name).await? {
                Some(player) => Ok(Some(total_tally(&mut tx, player.id).await?)),
                None => Ok(None),
            }
        })
        .await
    }

    /// A player's record; `None` if the player doesn't exist.
    ///
    /// # Errors
    /// The file can't be read.
    pub async fn player_record(&self, name: &Name) -> Result<Option<PlayerRecord>, StoreError> {
        self.player_record_page(name, 0, u32::MAX).await
    }

    /// The same with at most `limit` variants and `limit` opponents, skipping the first `offset` of
    /// each.
    ///
    /// # Errors
    /// The file can't be read.
    pub async fn player_record_page(
        &self,
        name: &Name,
        offset: u32,
        limit: u32,
    ) -> Result<Option<PlayerRecord>, StoreError> {
        self.with_error_context(async {
            let mut tx = self.list_pool().begin().await?;
            let Some(player) = find_player(&mut tx, name).await? else {
                return Ok(None);
            };
            let page = RecordPage {
                player: player.id,
                offset,
                limit,
            };
            let rows = page.read(&mut tx, "variant", "variant", "").await?;
            let mut by_variant = Vec::new();
            for row in &rows {
                let variant: String = row.try_get("variant")?;
                let corrupt = |_| {
                    RawStoreError::Corrupt(format!("a game has an invalid variant: {variant:?}"))
                };
                by_variant.push((variant.parse().map_err(corrupt)?, Tally::from_row(row)?));
            }
            let opponent = "name, other_bot, other_guest";
            let join = "LEFT JOIN people ON people.id = other_person";
            let group = format!("other_person, {opponent}");
            let mut by_opponent = Vec::new();
            for row in &page.read(&mut tx, opponent, &group, join).await? {
                let seat = seat_from_columns(
                    row.try_get("name")?,
                    row.try_get("other_bot")?,
                    row.try_get("other_guest")?,
                );
                by_opponent.push((seat?, Tally::from_row(row)?));
            }
            let limit = limit as usize;
            let has_more = by_variant.len() > limit || by_opponent.len() > limit;
            by_variant.truncate(limit);
            by_opponent.truncate(limit);
            Ok(Some(PlayerRecord {
                total: total_tally(&mut tx, player.id).await?,
                by_variant,
                by_opponent,
                has_more,
                name: player.name,
                since: player.since,
            }))
        })
        .await
    }

    /// Renames a player. Returns the old name. Changing only the case is allowed.
    ///
    /// # Errors
    /// The player doesn't exist, another player has the new name, or the file can't be written.
    pub async fn rename_player(&self, from: &Name, to: &Name) -> Result<Name, StoreError> {
        self.with_error_context(async {
            let mut tx = self.begin_write().await?;
            let player = find_player(&mut tx, from).await?;
            let player = player.ok_or_else(|| StoreError::NoSuchPlayer(from.clone()))?;
            if let Some(other) = find_player(&mut tx, to).await?
                && other.id != player.id
            {
                return Err(StoreError::NameTaken(other.name).into());
            }
            let sql = "UPDATE people SET name = $1, key = $2 WHERE id = $3";
            execute!(&mut *tx, sql, to.as_str(), to.key(), player.id)?;
            self.commit(tx, 1).await?;
            Ok(player.name)
        })
        .await
    }

    /// What deleting this player would do; `None` if the player doesn't exist.
    ///
    /// # Errors
    /// The file can't be read.
    pub async fn preview_delete_player(
        &self,
        name: &Name,
    ) -> Result<Option<PlayerDeletion>, StoreError> {
        self.with_error_context(async {
            let mut tx = self.list_pool().begin().await?;
            match find_player(&mut tx, name).await? {
                Some(player) => Ok(Some(count_affected_games(&mut tx, player).await?)),
                None => Ok(None),
            }
        })
        .await
    }

    /// Deletes a player. Games against other players stay, without the player's name; all other games are
    /// deleted. A server that plays such a game drops it within seconds. This deletes a few games
    /// per transaction, so that others can write in between, and the player last: after a failure,
    /// calling it again deletes the rest. Returns what this call did.
    ///
    /// # Errors
    /// The player doesn't exist, another process plays one of their games locally, or the file
    /// can't be written.
    pub async fn delete_player(&self, name: &Name) -> Result<PlayerDeletion, StoreError> {
        self.with_error_context(async {
            let mut deletion = {
                let mut tx = self.list_pool().begin().await?;
                let player = find_player(&mut tx, name).await?;
                let player = player.ok_or_else(|| StoreError::NoSuchPlayer(name.clone()))?;
                self.check_not_playing(&mut tx, &player).await?;
                PlayerDeletion {
                    name: player.name,
                    deleted_games: 0,
                    anonymized_games: 0,
                }
            };
            while let Some((deleted, anonymized)) = self.delete_player_batch(name).await? {
                deletion.deleted_games += deleted;
                deletion.anonymized_games += anonymized;
                tokio::time::sleep(BATCH_PAUSE).await;
            }
            Ok(deletion)
        })
        .await
    }

    /// Deletes some of a player's games, or the player if none are left. Returns how many games
    /// were deleted and how many stay for others; `None` once the player is deleted.
    pub(crate) async fn delete_player_batch(&self, name: &Name) -> RawResult<Option<(u64, u64)>> {
        let mut tx = self.begin_write().await?;
        let Some(player) = find_player(&mut tx, name).await? else {
            return Ok(None);
        };
        let sql = "SELECT id, x_person IS NULL OR o_person IS NULL,
                    CASE WHEN ended IS NULL AND NOT EXISTS
                              (SELECT 1 FROM sitters WHERE sitters.game = games.id)
                         THEN holder END
             FROM games WHERE x_person = $1 OR o_person = $1 LIMIT $2";
        let games: Vec<(i64, bool, Option<String>)> =
            fetch_all!(&mut *tx, sql, player.id, DELETE_BATCH)?;
        if games.is_empty() {
            execute!(&mut *tx, "DELETE FROM people WHERE id = $1", player.id)?;
            self.commit(tx, 1).await?;
            return Ok(None);
        }
        let (mut deleted_games, mut anonymized_games) = (0, 0);
        for (game, has_no_other_player, holder) in games {
            // Somebody may have started it a moment ago.
            if holder.is_some_and(|holder| self.process().is_alive(&holder)) {
                return Err(StoreError::PlayerInGame(player.name).into());
            }
            mark_stale(&mut tx, "games.id = $1", game).await?;
            if has_no_other_player {
                delete_row(&mut tx, GameId(game)).await?;
                deleted_games += 1;
                continue;
            }
            for sql in [
                "UPDATE games SET x_person = NULL WHERE id = $1 AND x_person = $2",
                "UPDATE games SET o_person = NULL WHERE id = $1 AND o_person = $2",
            ] {
                execute!(&mut *tx, sql, game, player.id)?;
            }
            anonymized_games += 1;
        }
        self.commit(tx, 1).await?;
        Ok(Some((deleted_games, anonymized_games)))
    }

    /// Fails if another process plays one of the player's games locally: it would continue.
    async fn check_not_playing(
        &self,
        connection: &mut SqliteConnection,
        player: &PlayerHead,
    ) -> RawResult<()> {
        let sql = "SELECT holder FROM games
             WHERE (x_person = $1 OR o_person = $1) AND ended IS NULL AND holder IS NOT NULL
             AND NOT EXISTS (SELECT 1 FROM sitters WHERE sitters.game = games.id)";
        let holders: Vec<(String,)> = fetch_all!(connection, sql, player.id)?;
        let is_alive = |(holder,): &(String,)| self.process().is_alive(holder);
        match holders.iter().any(is_alive) {
            true => Err(StoreError::PlayerInGame(player.name.clone()).into()),
            false => Ok(()),
        }
    }
}

struct PlayerHead {
    id: i64,
    name: Name,
    since: Timestamp,
}

async fn find_player(
    connection: &mut SqliteConnection,
    name: &Name,
) -> RawResult<Option<PlayerHead>> {
    let sql = "SELECT id, name, since FROM people WHERE key = $1";
    let row: Option<(i64, String, i64)> = fetch_optional!(connection, sql, name.key())?;
    let read = |(id, name, since): (i64, String, i64)| {
        Ok(PlayerHead {
            id,
            name: parse_stored_name(&name)?,
            since: Timestamp::from_millis(since),
        })
    };
    row.map(read).transpose()
}

/// The ID of a player, who is created if new. The earliest of their games determines `since`.
pub(crate) async fn find_or_create_player(
    connection: &mut SqliteConnection,
    name: Option<&Name>,
    since: Timestamp,
) -> RawResult<Option<i64>> {
    let Some(name) = name else {
        return Ok(None);
    };
    let sql = "INSERT INTO people (name, key, since) VALUES ($1, $2, $3)
         ON CONFLICT (key) DO UPDATE
         SET since = CASE WHEN excluded.since < people.since THEN excluded.since ELSE people.since END
         RETURNING id";
    let (name, key) = (name.as_str(), name.key());
    let (id,) = fetch_one!(connection, sql, name, key, since.as_millis())?;
    Ok(Some(id))
}

async fn total_tally(connection: &mut SqliteConnection, player: i64) -> RawResult<Tally> {
    let sql = format!("SELECT {SUMS} FROM counted WHERE person = $1");
    Ok(fetch_one!(connection, sqlx::AssertSqlSafe(sql), player)?)
}

/// A page of a player's record.
struct RecordPage {
    player: i64,
    offset: u32,
    limit: u32,
}

impl RecordPage {
    /// The tallies by these columns, the most games first: one more than the limit, to know whether
    /// there are more.
    async fn read(
        &self,
        connection: &mut SqliteConnection,
        columns: &str,
        group: &str,
        join: &str,
    ) -> RawResult<Vec<SqliteRow>> {
        let sql = format!(
            "SELECT {columns}, {SUMS} FROM counted {join} WHERE person = $1
             GROUP BY {group} ORDER BY COUNT(*) DESC, {columns} LIMIT $2 OFFSET $3"
        );
        let query = sqlx::query(sqlx::AssertSqlSafe(sql))
            .bind(self.player)
            .bind(i64::from(self.limit) + 1)
            .bind(i64::from(self.offset));
        Ok(query.fetch_all(connection).await?)
    }
}

async fn count_affected_games(
    connection: &mut SqliteConnection,
    player: PlayerHead,
) -> RawResult<PlayerDeletion> {
    let sql = "SELECT COALESCE(SUM(CASE WHEN other IS NULL THEN 1 ELSE 0 END), 0),
                COALESCE(SUM(CASE WHEN other IS NULL THEN 0 ELSE 1 END), 0)
         FROM (SELECT o_person AS other FROM games WHERE x_person = $1
               UNION ALL SELECT x_person FROM games WHERE o_person = $1) AS others";
    let (deleted, anonymized): (i64, i64) = fetch_one!(connection, sql, player.id)?;
    Ok(PlayerDeletion {
        name: player.name,
        deleted_games: deleted.unsigned_abs(),
        anonymized_games: anonymized.unsigned_abs(),
    })
}
