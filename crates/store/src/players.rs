//! People: what they are called, how their games went, renaming and deleting.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use noughts_rules::Variant;
use sqlx::{QueryBuilder, Sqlite, SqliteConnection};

use crate::access::mark_stale;
use crate::error::{StoreError, StoreFailure};
use crate::games::{GameId, delete_row};
use crate::import_export::BATCH_PAUSE;
use crate::listing::{parse_stored_name, seat_from_columns};
use crate::name::Name;
use crate::seat::{Seat, Tally};
use crate::store::Store;
use crate::timestamp::Timestamp;

/// All that is told of a person.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayerRecord {
    /// The name.
    pub name: Name,
    /// When the first game began.
    pub since: Timestamp,
    /// All games.
    pub total: Tally,
    /// By game, the most played first.
    pub by_variant: Vec<(Variant, Tally)>,
    /// By opponent, the most frequent first.
    pub by_opponent: Vec<(Seat, Tally)>,
    /// Do more games or opponents follow those here?
    pub has_more: bool,
}

/// Which players are wanted. The default is all of them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PlayerFilter {
    /// Only those who have made a move or come to a result.
    pub played: bool,
    /// Only those behind the page that ended here.
    pub after: Option<PlayerCursor>,
    /// At most this many.
    pub limit: Option<u32>,
}

/// A page of the list of players.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayerPage {
    /// The players, the one who played last first.
    pub players: Vec<(Name, Tally)>,
    /// Where the next page begins, if there is one.
    pub next: Option<PlayerCursor>,
}

/// A place in the list of players. It stays where it is when others play meanwhile.
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
            "a place in the list of players is three numbers with dashes between them, as the page before gave it".to_owned()
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

/// What goes and what stays when a person is deleted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayerDeletion {
    /// The name.
    pub name: Name,
    /// Games against computers, guests and deleted players: they go.
    pub deleted_games: u64,
    /// Games against other people: they stay, with the seat nameless.
    pub anonymized_games: u64,
}

/// A person's number and name, when they last began a game, and which.
type PlayerRow = (i64, String, i64, i64);

/// Games that are deleted with a person by one transaction.
const DELETE_BATCH: i64 = 50;

/// People whose games are counted by one statement.
const TALLY_BATCH: usize = 500;

impl PlayerFilter {
    /// The question to the database; for one more than fits, to know whether there are any.
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

/// How the games of these people went.
async fn tallies(
    connection: &mut SqliteConnection,
    people: &[PlayerRow],
) -> Result<HashMap<i64, Tally>, StoreFailure> {
    let mut all = HashMap::new();
    for some in people.chunks(TALLY_BATCH) {
        let mut query = QueryBuilder::<Sqlite>::new(
            "SELECT person, SUM(won), SUM(lost), SUM(tied) FROM counted WHERE person IN (",
        );
        let mut ids = query.separated(", ");
        for (id, ..) in some {
            ids.push_bind(*id);
        }
        query.push(") GROUP BY person");
        let rows: Vec<(i64, i64, i64, i64)> =
            query.build_query_as().fetch_all(&mut *connection).await?;
        let counted = rows
            .into_iter()
            .map(|(id, wins, losses, ties)| (id, tally((wins, losses, ties))));
        all.extend(counted);
    }
    Ok(all)
}

/// A person's newest game.
pub(crate) async fn update_last_game(
    connection: &mut SqliteConnection,
    person: i64,
    began: Timestamp,
    game: GameId,
) -> Result<(), StoreFailure> {
    sqlx::query(
        "UPDATE people SET last = $1, last_game = $2
         WHERE id = $3 AND (last, last_game) < ($1, $2)",
    )
    .bind(began.as_millis())
    .bind(game.0)
    .bind(person)
    .execute(connection)
    .await?;
    Ok(())
}

/// Wins, losses and ties.
type Sums = (i64, i64, i64);

fn tally((wins, losses, ties): Sums) -> Tally {
    Tally {
        wins: wins.unsigned_abs(),
        losses: losses.unsigned_abs(),
        draws: ties.unsigned_abs(),
    }
}

/// By opponent: a person's name or a bot's, whether they are guests, and the sums.
type OpponentRow = (Option<String>, Option<String>, bool, i64, i64, i64);

impl Store {
    /// Everybody, the one who played last first.
    ///
    /// # Errors
    /// The file cannot be read.
    pub async fn all_players(&self) -> Result<Vec<(Name, Tally)>, StoreError> {
        Ok(self.players(&PlayerFilter::default()).await?.players)
    }

    /// Players, the one who played last first: all of them, or a page of the list.
    ///
    /// ```
    /// # use noughts_rules::Record;
    /// use noughts_store::{PlayerFilter, Store};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = Store::in_memory().await?;
    /// # let records = "[Variant \"classic\"]\n[X \"Ada\"]\n[O \"Bob\"]\n\n1. b2 a1 1-0";
    /// # store.import(&Record::read_all(records)?).await?;
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
    /// The file cannot be read.
    pub async fn players(&self, filter: &PlayerFilter) -> Result<PlayerPage, StoreError> {
        self.with_error_context(async {
            // All questions see the same moment.
            let mut reading = self.list_pool().begin().await?;
            let mut rows: Vec<PlayerRow> = filter
                .query()
                .build_query_as()
                .fetch_all(&mut *reading)
                .await?;
            let mut next = None;
            if let Some(limit) = filter.limit.map(|limit| limit as usize)
                && rows.len() > limit
            {
                rows.truncate(limit);
                next = rows
                    .last()
                    .map(|&(id, _, last, game)| PlayerCursor { last, game, id });
            }
            let tallies = tallies(&mut reading, &rows).await?;
            let players = rows.into_iter().map(|(id, name, ..): PlayerRow| {
                let tally = tallies.get(&id).copied().unwrap_or_default();
                Ok((parse_stored_name(&name)?, tally))
            });
            Ok(PlayerPage {
                players: players.collect::<Result<_, StoreFailure>>()?,
                next,
            })
        })
        .await
    }

    /// How somebody's games went; nothing if there is nobody of this name.
    ///
    /// # Errors
    /// The file cannot be read.
    pub async fn player_tally(&self, name: &Name) -> Result<Option<Tally>, StoreError> {
        self.with_error_context(async {
            let mut reading = self.read_pool().begin().await?;
            match find_player(&mut reading, name).await? {
                Some(person) => Ok(Some(total_tally(&mut reading, person.id).await?)),
                None => Ok(None),
            }
        })
        .await
    }

    /// All that is told of somebody; nothing if there is nobody of this name.
    ///
    /// # Errors
    /// The file cannot be read.
    pub async fn player_record(&self, name: &Name) -> Result<Option<PlayerRecord>, StoreError> {
        self.player_record_page(name, 0, u32::MAX).await
    }

    /// The same with at most `limit` games and opponents each, those behind the first `from`.
    ///
    /// # Errors
    /// The file cannot be read.
    pub async fn player_record_page(
        &self,
        name: &Name,
        from: u32,
        limit: u32,
    ) -> Result<Option<PlayerRecord>, StoreError> {
        self.with_error_context(async {
            let mut reading = self.list_pool().begin().await?;
            let Some(person) = find_player(&mut reading, name).await? else {
                return Ok(None);
            };
            // One more than fits, to know whether there are any.
            let part = RecordPage {
                person: person.id,
                from: i64::from(from),
                most: i64::from(limit) + 1,
            };
            let mut by_game = tallies_by_variant(&mut reading, &part).await?;
            let mut by_opponent = tallies_by_opponent(&mut reading, &part).await?;
            let limit = limit as usize;
            let more = by_game.len() > limit || by_opponent.len() > limit;
            by_game.truncate(limit);
            by_opponent.truncate(limit);
            Ok(Some(PlayerRecord {
                total: total_tally(&mut reading, person.id).await?,
                by_variant: by_game,
                by_opponent,
                has_more: more,
                name: person.name,
                since: person.since,
            }))
        })
        .await
    }

    /// Calls somebody something else from now on, and says what they were called until
    /// now. Changing only the case is fine.
    ///
    /// # Errors
    /// There is nobody of this name, somebody else has the new one, or no writing.
    pub async fn rename_player(&self, from: &Name, to: &Name) -> Result<Name, StoreError> {
        self.with_error_context(async {
            let mut writing = self.begin_write().await?;
            let person = find_player(&mut writing, from).await?;
            let person = person.ok_or_else(|| StoreError::NoSuchPlayer(from.clone()))?;
            if let Some(other) = find_player(&mut writing, to).await?
                && other.id != person.id
            {
                return Err(StoreError::NameTaken(other.name).into());
            }
            sqlx::query("UPDATE people SET name = $1, key = $2 WHERE id = $3")
                .bind(to.as_str())
                .bind(to.key())
                .bind(person.id)
                .execute(&mut *writing)
                .await?;
            self.commit(writing, 1).await?;
            Ok(person.name)
        })
        .await
    }

    /// What would go and stay if this person were deleted; nothing if there is
    /// nobody of this name.
    ///
    /// # Errors
    /// The file cannot be read.
    pub async fn preview_delete_player(
        &self,
        name: &Name,
    ) -> Result<Option<PlayerDeletion>, StoreError> {
        self.with_error_context(async {
            let mut reading = self.list_pool().begin().await?;
            match find_player(&mut reading, name).await? {
                Some(person) => Ok(Some(count_affected_games(&mut reading, person).await?)),
                None => Ok(None),
            }
        })
        .await
    }

    /// Deletes a person. Games against other people stay for those, with the seat
    /// nameless; all other games go. A server that plays such a game drops it within
    /// seconds. A few games at a time, so that others can write in between, and the person
    /// last: where it ends early, calling it again deletes the rest. Returns what this call
    /// did.
    ///
    /// # Errors
    /// There is nobody of this name, another program plays a game of theirs at its own
    /// board, or no writing.
    pub async fn delete_player(&self, name: &Name) -> Result<PlayerDeletion, StoreError> {
        self.with_error_context(async {
            let mut deleted = {
                let mut reading = self.list_pool().begin().await?;
                let person = find_player(&mut reading, name).await?;
                let person = person.ok_or_else(|| StoreError::NoSuchPlayer(name.clone()))?;
                self.check_not_playing(&mut reading, &person).await?;
                PlayerDeletion {
                    name: person.name,
                    deleted_games: 0,
                    anonymized_games: 0,
                }
            };
            while let Some((gone, kept)) = self.delete_player_batch(name).await? {
                deleted.deleted_games += gone;
                deleted.anonymized_games += kept;
                tokio::time::sleep(BATCH_PAUSE).await;
            }
            Ok(deleted)
        })
        .await
    }

    /// Deletes some of a person's games, or the person if there are none left. Returns how
    /// many games went and how many stayed for others; none once the person is gone.
    pub(crate) async fn delete_player_batch(
        &self,
        name: &Name,
    ) -> Result<Option<(u64, u64)>, StoreFailure> {
        let mut writing = self.begin_write().await?;
        let Some(person) = find_player(&mut writing, name).await? else {
            return Ok(None);
        };
        let games: Vec<(i64, bool, Option<String>)> = sqlx::query_as(
            "SELECT id, x_person IS NULL OR o_person IS NULL,
                    CASE WHEN ended IS NULL AND NOT EXISTS
                              (SELECT 1 FROM sitters WHERE sitters.game = games.id)
                         THEN holder END
             FROM games WHERE x_person = $1 OR o_person = $1 LIMIT $2",
        )
        .bind(person.id)
        .bind(DELETE_BATCH)
        .fetch_all(&mut *writing)
        .await?;
        if games.is_empty() {
            sqlx::query("DELETE FROM people WHERE id = $1")
                .bind(person.id)
                .execute(&mut *writing)
                .await?;
            self.commit(writing, 1).await?;
            return Ok(None);
        }
        let (mut gone, mut kept) = (0, 0);
        for (game, is_alone, holder) in games {
            // Somebody may have started it a moment ago.
            if holder.is_some_and(|holder| self.process().is_alive(&holder)) {
                return Err(StoreError::PlayerInGame(person.name).into());
            }
            mark_stale(&mut writing, "games.id = $1", game).await?;
            if is_alone {
                delete_row(&mut writing, GameId(game)).await?;
                gone += 1;
                continue;
            }
            for sql in [
                "UPDATE games SET x_person = NULL WHERE id = $1 AND x_person = $2",
                "UPDATE games SET o_person = NULL WHERE id = $1 AND o_person = $2",
            ] {
                let query = sqlx::query(sql).bind(game).bind(person.id);
                query.execute(&mut *writing).await?;
            }
            kept += 1;
        }
        self.commit(writing, 1).await?;
        Ok(Some((gone, kept)))
    }

    /// Refuses to touch somebody who plays at another program's board: it would play on.
    async fn check_not_playing(
        &self,
        connection: &mut SqliteConnection,
        person: &PlayerHead,
    ) -> Result<(), StoreFailure> {
        let holders: Vec<String> = sqlx::query_scalar(
            "SELECT holder FROM games
             WHERE (x_person = $1 OR o_person = $1) AND ended IS NULL AND holder IS NOT NULL
             AND NOT EXISTS (SELECT 1 FROM sitters WHERE sitters.game = games.id)",
        )
        .bind(person.id)
        .fetch_all(connection)
        .await?;
        match holders.iter().any(|holder| self.process().is_alive(holder)) {
            true => Err(StoreError::PlayerInGame(person.name.clone()).into()),
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
) -> Result<Option<PlayerHead>, StoreFailure> {
    let row: Option<(i64, String, i64)> =
        sqlx::query_as("SELECT id, name, since FROM people WHERE key = $1")
            .bind(name.key())
            .fetch_optional(connection)
            .await?;
    let read = |(id, name, since): (i64, String, i64)| {
        Ok(PlayerHead {
            id,
            name: parse_stored_name(&name)?,
            since: Timestamp::from_millis(since),
        })
    };
    row.map(read).transpose()
}

/// The number of a person, who is made if new. Somebody known from later on has
/// been here since now.
pub(crate) async fn find_or_create_player(
    connection: &mut SqliteConnection,
    name: Option<&Name>,
    since: Timestamp,
) -> Result<Option<i64>, StoreFailure> {
    let Some(name) = name else {
        return Ok(None);
    };
    let id = sqlx::query_scalar(
        "INSERT INTO people (name, key, since) VALUES ($1, $2, $3)
         ON CONFLICT (key) DO UPDATE
         SET since = CASE WHEN excluded.since < people.since THEN excluded.since ELSE people.since END
         RETURNING id",
    )
    .bind(name.as_str())
    .bind(name.key())
    .bind(since.as_millis())
    .fetch_one(connection)
    .await?;
    Ok(Some(id))
}

async fn total_tally(
    connection: &mut SqliteConnection,
    person: i64,
) -> Result<Tally, StoreFailure> {
    let sums: Sums = sqlx::query_as(
        "SELECT COALESCE(SUM(won), 0), COALESCE(SUM(lost), 0), COALESCE(SUM(tied), 0)
         FROM counted WHERE person = $1",
    )
    .bind(person)
    .fetch_one(connection)
    .await?;
    Ok(tally(sums))
}

/// Which rows of a person's record are wanted.
struct RecordPage {
    person: i64,
    from: i64,
    most: i64,
}

async fn tallies_by_variant(
    connection: &mut SqliteConnection,
    part: &RecordPage,
) -> Result<Vec<(Variant, Tally)>, StoreFailure> {
    let rows: Vec<(String, i64, i64, i64)> = sqlx::query_as(
        "SELECT variant, SUM(won), SUM(lost), SUM(tied) FROM counted WHERE person = $1
         GROUP BY variant ORDER BY COUNT(*) DESC, variant LIMIT $2 OFFSET $3",
    )
    .bind(part.person)
    .bind(part.most)
    .bind(part.from)
    .fetch_all(connection)
    .await?;
    rows.into_iter()
        .map(|(variant, wins, losses, ties)| {
            let odd = |_| StoreFailure::Corrupt(format!("a game has the variant {variant:?}"));
            let variant = variant.parse().map_err(odd)?;
            Ok((variant, tally((wins, losses, ties))))
        })
        .collect()
}

async fn tallies_by_opponent(
    connection: &mut SqliteConnection,
    part: &RecordPage,
) -> Result<Vec<(Seat, Tally)>, StoreFailure> {
    let rows: Vec<OpponentRow> = sqlx::query_as(
        "SELECT name, other_bot, other_guest, SUM(won), SUM(lost), SUM(tied)
         FROM counted LEFT JOIN people ON people.id = other_person WHERE person = $1
         GROUP BY other_person, name, other_bot, other_guest
         ORDER BY COUNT(*) DESC, name, other_bot, other_guest
         LIMIT $2 OFFSET $3",
    )
    .bind(part.person)
    .bind(part.most)
    .bind(part.from)
    .fetch_all(connection)
    .await?;
    rows.into_iter()
        .map(|(name, bot, is_guest, wins, losses, ties)| {
            let seat = seat_from_columns(name, bot, is_guest)?;
            Ok((seat, tally((wins, losses, ties))))
        })
        .collect()
}

async fn count_affected_games(
    connection: &mut SqliteConnection,
    person: PlayerHead,
) -> Result<PlayerDeletion, StoreFailure> {
    let (gone, kept): (i64, i64) = sqlx::query_as(
        "SELECT COALESCE(SUM(CASE WHEN other IS NULL THEN 1 ELSE 0 END), 0),
                COALESCE(SUM(CASE WHEN other IS NULL THEN 0 ELSE 1 END), 0)
         FROM (SELECT o_person AS other FROM games WHERE x_person = $1
               UNION ALL SELECT x_person FROM games WHERE o_person = $1) AS others",
    )
    .bind(person.id)
    .fetch_one(connection)
    .await?;
    Ok(PlayerDeletion {
        name: person.name,
        deleted_games: gone.unsigned_abs(),
        anonymized_games: kept.unsigned_abs(),
    })
}
