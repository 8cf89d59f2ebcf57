//! People: what they are called, how their games went, renaming and deleting.

use noughts_rules::Variant;
use sqlx::{AssertSqlSafe, SqliteConnection};

use crate::access::note_stale;
use crate::error::{StoreError, Trouble};
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
        self.some_people("").await
    }

    /// The same without those who have sat down and never moved.
    ///
    /// # Errors
    /// The file cannot be read.
    pub async fn people_who_played(&self) -> Result<Vec<(Name, Tally)>, StoreError> {
        self.some_people(
            "WHERE sums.person IS NOT NULL
             OR EXISTS (SELECT 1 FROM games JOIN moves ON moves.game = games.id
                        WHERE games.x_person = people.id)
             OR EXISTS (SELECT 1 FROM games JOIN moves ON moves.game = games.id
                        WHERE games.o_person = people.id)",
        )
        .await
    }

    async fn some_people(&self, which: &'static str) -> Result<Vec<(Name, Tally)>, StoreError> {
        self.told(async {
            let rows: Vec<(String, i64, i64, i64)> = sqlx::query_as(AssertSqlSafe(format!(
                "SELECT name, COALESCE(wins, 0), COALESCE(losses, 0), COALESCE(ties, 0)
                 FROM people
                 LEFT JOIN (SELECT person, SUM(won) AS wins, SUM(lost) AS losses, SUM(tied) AS ties
                            FROM counted GROUP BY person) AS sums ON sums.person = people.id
                 LEFT JOIN (SELECT person, MAX(began) AS last, MAX(id) AS game
                            FROM (SELECT x_person AS person, began, id FROM games
                                  UNION ALL SELECT o_person, began, id FROM games) AS played
                            GROUP BY person) AS latest ON latest.person = people.id
                 {which}
                 ORDER BY COALESCE(last, since) DESC, COALESCE(game, 0) DESC, people.id DESC",
            )))
            .fetch_all(self.pool())
            .await?;
            rows.into_iter()
                .map(|(name, wins, losses, ties)| {
                    Ok((name_of(&name)?, tally((wins, losses, ties))))
                })
                .collect()
        })
        .await
    }

    /// How somebody's games went; nothing if there is nobody of this name.
    ///
    /// # Errors
    /// The file cannot be read.
    pub async fn tally(&self, name: &Name) -> Result<Option<Tally>, StoreError> {
        self.told(async {
            let mut reading = self.pool().begin().await?;
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
        self.told(async {
            let mut reading = self.pool().begin().await?;
            let Some(person) = find(&mut reading, name).await? else {
                return Ok(None);
            };
            Ok(Some(PersonRecord {
                total: total(&mut reading, person.id).await?,
                by_game: by_game(&mut reading, person.id).await?,
                by_opponent: by_opponent(&mut reading, person.id).await?,
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
            writing.commit().await?;
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
            let mut reading = self.pool().begin().await?;
            match find(&mut reading, name).await? {
                Some(person) => Ok(Some(fate(&mut reading, person).await?)),
                None => Ok(None),
            }
        })
        .await
    }

    /// Deletes a person. Games against other people stay for those, with the seat
    /// nameless; all other games go. A server that plays such a game drops it within
    /// seconds.
    ///
    /// # Errors
    /// There is nobody of this name, another program plays a game of theirs at its own
    /// board, or no writing.
    pub async fn delete(&self, name: &Name) -> Result<Deleted, StoreError> {
        self.told(async {
            let mut writing = self.write().await?;
            let person = find(&mut writing, name).await?;
            let person = person.ok_or_else(|| StoreError::NoSuchPerson(name.clone()))?;
            let id = person.id;
            let holders: Vec<String> = sqlx::query_scalar(
                "SELECT holder FROM games
                 WHERE (x_person = $1 OR o_person = $1) AND ended IS NULL AND holder IS NOT NULL
                 AND NOT EXISTS (SELECT 1 FROM sitters WHERE sitters.game = games.id)",
            )
            .bind(id)
            .fetch_all(&mut *writing)
            .await?;
            if holders.iter().any(|holder| self.program().is_alive(holder)) {
                return Err(StoreError::Playing(person.name).into());
            }
            let deleted = fate(&mut writing, person).await?;
            let theirs = "(games.x_person = $1 OR games.o_person = $1)";
            note_stale(&mut writing, theirs, id).await?;
            for sql in [
                "DELETE FROM games WHERE x_person = $1 AND o_person IS NULL",
                "DELETE FROM games WHERE o_person = $1 AND x_person IS NULL",
                "UPDATE games SET x_person = NULL WHERE x_person = $1",
                "UPDATE games SET o_person = NULL WHERE o_person = $1",
                "DELETE FROM people WHERE id = $1",
            ] {
                sqlx::query(sql).bind(id).execute(&mut *writing).await?;
            }
            writing.commit().await?;
            Ok(deleted)
        })
        .await
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

async fn by_game(
    connection: &mut SqliteConnection,
    person: i64,
) -> Result<Vec<(Variant, Tally)>, Trouble> {
    let rows: Vec<(String, i64, i64, i64)> = sqlx::query_as(
        "SELECT variant, SUM(won), SUM(lost), SUM(tied) FROM counted WHERE person = $1
         GROUP BY variant ORDER BY COUNT(*) DESC, variant",
    )
    .bind(person)
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
    person: i64,
) -> Result<Vec<(Seat, Tally)>, Trouble> {
    let rows: Vec<AgainstRow> = sqlx::query_as(
        "SELECT name, other_bot, other_guest, SUM(won), SUM(lost), SUM(tied)
         FROM counted LEFT JOIN people ON people.id = other_person WHERE person = $1
         GROUP BY other_person, name, other_bot, other_guest
         ORDER BY COUNT(*) DESC, name, other_bot, other_guest",
    )
    .bind(person)
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
