//! People: what they are called, how their games went, renaming and deleting.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use noughts_rules::Variant;
use sqlx::{QueryBuilder, Sqlite, SqliteConnection};

use crate::access::note_stale;
use crate::error::{StoreError, Trouble};
use crate::exchange::PAUSE;
use crate::games::{GameId, delete_row};
use crate::listing::{name_of, seat};
use crate::name::Name;
use crate::seat::{Seat, Tally};
use crate::store::Store;
use crate::timestamp::Timestamp;

/// All that is told of a person.
#[derive(Clone, PartialEq, Debug)]
pub struct PersonRecord {
    /// The name.
    pub name: Name,
    /// When the first game began.
    pub since: Timestamp,
    /// All games.
    pub total: Tally,
    /// By game, the most played first.
    pub by_game: Vec<(Variant, Tally)>,
    /// By opponent, the most frequent first.
    pub by_opponent: Vec<(Seat, Tally)>,
    /// Do more games or opponents follow those here?
    pub more: bool,
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
pub struct Deleted {
    /// The name.
    pub name: Name,
    /// Games against computers, guests and deleted players: they go.
    pub gone: u64,
    /// Games against other people: they stay, with the seat nameless.
    pub kept: u64,
}

/// A person's number and name, when they last began a game, and which.
type PlayerRow = (i64, String, i64, i64);

/// Games that are deleted with a person by one transaction.
const DELETED_AT_ONCE: i64 = 50;

/// People whose games are counted by one statement.
const COUNTED_AT_ONCE: usize = 500;

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
) -> Result<HashMap<i64, Tally>, Trouble> {
    let mut all = HashMap::new();
    for some in people.chunks(COUNTED_AT_ONCE) {
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
pub(crate) async fn note_game(
    connection: &mut SqliteConnection,
    person: i64,
    began: Timestamp,
    game: GameId,
) -> Result<(), Trouble> {
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
        ties: ties.unsigned_abs(),
    }
}

/// By opponent: a person's name or a bot's, whether they are guests, and the sums.
type AgainstRow = (Option<String>, Option<String>, bool, i64, i64, i64);

impl Store {
    /// Everybody, the one who played last first.
    ///
    /// # Errors
    /// The file cannot be read.
    pub async fn people(&self) -> Result<Vec<(Name, Tally)>, StoreError> {
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
        self.told(async {
            // All questions see the same moment.
            let mut reading = self.lists().begin().await?;
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
                Ok((name_of(&name)?, tally))
            });
            Ok(PlayerPage {
                players: players.collect::<Result<_, Trouble>>()?,
                next,
            })
        })
        .await
    }

    /// How somebody's games went; nothing if there is nobody of this name.
    ///
    /// # Errors
    /// The file cannot be read.
    pub async fn tally(&self, name: &Name) -> Result<Option<Tally>, StoreError> {
        self.told(async {
            let mut reading = self.reader().begin().await?;
            match find(&mut reading, name).await? {
                Some(person) => Ok(Some(total(&mut reading, person.id).await?)),
                None => Ok(None),
            }
        })
        .await
    }

    /// All that is told of somebody; nothing if there is nobody of this name.
    ///
    /// # Errors
    /// The file cannot be read.
    pub async fn record(&self, name: &Name) -> Result<Option<PersonRecord>, StoreError> {
        self.record_page(name, 0, u32::MAX).await
    }

    /// The same with at most `limit` games and opponents each, those behind the first `from`.
    ///
    /// # Errors
    /// The file cannot be read.
    pub async fn record_page(
        &self,
        name: &Name,
        from: u32,
        limit: u32,
    ) -> Result<Option<PersonRecord>, StoreError> {
        self.told(async {
            let mut reading = self.lists().begin().await?;
            let Some(person) = find(&mut reading, name).await? else {
                return Ok(None);
            };
            // One more than fits, to know whether there are any.
            let part = Part {
                person: person.id,
                from: i64::from(from),
                most: i64::from(limit) + 1,
            };
            let mut by_game = by_game(&mut reading, &part).await?;
            let mut by_opponent = by_opponent(&mut reading, &part).await?;
            let limit = limit as usize;
            let more = by_game.len() > limit || by_opponent.len() > limit;
            by_game.truncate(limit);
            by_opponent.truncate(limit);
            Ok(Some(PersonRecord {
                total: total(&mut reading, person.id).await?,
                by_game,
                by_opponent,
                more,
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
    pub async fn rename(&self, from: &Name, to: &Name) -> Result<Name, StoreError> {
        self.told(async {
            let mut writing = self.write().await?;
            let person = find(&mut writing, from).await?;
            let person = person.ok_or_else(|| StoreError::NoSuchPerson(from.clone()))?;
            if let Some(other) = find(&mut writing, to).await?
                && other.id != person.id
            {
                return Err(StoreError::Taken(other.name).into());
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
    pub async fn would_delete(&self, name: &Name) -> Result<Option<Deleted>, StoreError> {
        self.told(async {
            let mut reading = self.lists().begin().await?;
            match find(&mut reading, name).await? {
                Some(person) => Ok(Some(fate(&mut reading, person).await?)),
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
    pub async fn delete(&self, name: &Name) -> Result<Deleted, StoreError> {
        self.told(async {
            let mut deleted = {
                let mut reading = self.lists().begin().await?;
                let person = find(&mut reading, name).await?;
                let person = person.ok_or_else(|| StoreError::NoSuchPerson(name.clone()))?;
                self.check_not_playing(&mut reading, &person).await?;
                Deleted {
                    name: person.name,
                    gone: 0,
                    kept: 0,
                }
            };
            while let Some((gone, kept)) = self.delete_some(name).await? {
                deleted.gone += gone;
                deleted.kept += kept;
                tokio::time::sleep(PAUSE).await;
            }
            Ok(deleted)
        })
        .await
    }

    /// Deletes some of a person's games, or the person if there are none left. Returns how
    /// many games went and how many stayed for others; none once the person is gone.
    pub(crate) async fn delete_some(&self, name: &Name) -> Result<Option<(u64, u64)>, Trouble> {
        let mut writing = self.write().await?;
        let Some(person) = find(&mut writing, name).await? else {
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
        .bind(DELETED_AT_ONCE)
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
            if holder.is_some_and(|holder| self.program().is_alive(&holder)) {
                return Err(StoreError::Playing(person.name).into());
            }
            note_stale(&mut writing, "games.id = $1", game).await?;
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
        person: &Person,
    ) -> Result<(), Trouble> {
        let holders: Vec<String> = sqlx::query_scalar(
            "SELECT holder FROM games
             WHERE (x_person = $1 OR o_person = $1) AND ended IS NULL AND holder IS NOT NULL
             AND NOT EXISTS (SELECT 1 FROM sitters WHERE sitters.game = games.id)",
        )
        .bind(person.id)
        .fetch_all(connection)
        .await?;
        match holders.iter().any(|holder| self.program().is_alive(holder)) {
            true => Err(StoreError::Playing(person.name.clone()).into()),
            false => Ok(()),
        }
    }
}

struct Person {
    id: i64,
    name: Name,
    since: Timestamp,
}

async fn find(connection: &mut SqliteConnection, name: &Name) -> Result<Option<Person>, Trouble> {
    let row: Option<(i64, String, i64)> =
        sqlx::query_as("SELECT id, name, since FROM people WHERE key = $1")
            .bind(name.key())
            .fetch_optional(connection)
            .await?;
    let read = |(id, name, since): (i64, String, i64)| {
        Ok(Person {
            id,
            name: name_of(&name)?,
            since: Timestamp::from_millis(since),
        })
    };
    row.map(read).transpose()
}

/// The number of a person, who is made if new. Somebody known from later on has
/// been here since now.
pub(crate) async fn person_id(
    connection: &mut SqliteConnection,
    name: Option<&Name>,
    since: Timestamp,
) -> Result<Option<i64>, Trouble> {
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

async fn total(connection: &mut SqliteConnection, person: i64) -> Result<Tally, Trouble> {
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
struct Part {
    person: i64,
    from: i64,
    most: i64,
}

async fn by_game(
    connection: &mut SqliteConnection,
    part: &Part,
) -> Result<Vec<(Variant, Tally)>, Trouble> {
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
            let odd = |_| Trouble::Odd(format!("a game has the variant {variant:?}"));
            let variant = variant.parse().map_err(odd)?;
            Ok((variant, tally((wins, losses, ties))))
        })
        .collect()
}

async fn by_opponent(
    connection: &mut SqliteConnection,
    part: &Part,
) -> Result<Vec<(Seat, Tally)>, Trouble> {
    let rows: Vec<AgainstRow> = sqlx::query_as(
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
            let seat = seat(name, bot, is_guest)?;
            Ok((seat, tally((wins, losses, ties))))
        })
        .collect()
}

async fn fate(connection: &mut SqliteConnection, person: Person) -> Result<Deleted, Trouble> {
    let (gone, kept): (i64, i64) = sqlx::query_as(
        "SELECT COALESCE(SUM(CASE WHEN other IS NULL THEN 1 ELSE 0 END), 0),
                COALESCE(SUM(CASE WHEN other IS NULL THEN 0 ELSE 1 END), 0)
         FROM (SELECT o_person AS other FROM games WHERE x_person = $1
               UNION ALL SELECT x_person FROM games WHERE o_person = $1) AS others",
    )
    .bind(person.id)
    .fetch_one(connection)
    .await?;
    Ok(Deleted {
        name: person.name,
        gone: gone.unsigned_abs(),
        kept: kept.unsigned_abs(),
    })
}
