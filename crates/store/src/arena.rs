//! Tournaments of bots and their games. What a plan says, what a value means and who the
//! bots are is not known here: all of it is text.

use std::fmt;
use std::time::Duration;

use noughts_rules::Outcome;
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};

use crate::error::{StoreError, StoreFailure};
use crate::process::random_uid;
use crate::store::Store;
use crate::timestamp::Timestamp;

/// The number of a tournament in this store. It is never given to another one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TournamentId(pub i64);

impl fmt::Display for TournamentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// How far a tournament is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TournamentState {
    /// It can go on.
    Open,
    /// All its games are played.
    Complete,
    /// Its question is answered; games may be left.
    Decided,
}

impl TournamentState {
    /// All of them.
    pub const ALL: [TournamentState; 3] = [
        TournamentState::Open,
        TournamentState::Complete,
        TournamentState::Decided,
    ];

    /// The word in the store: `open`, `complete` or `decided`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            TournamentState::Open => "open",
            TournamentState::Complete => "complete",
            TournamentState::Decided => "decided",
        }
    }

    fn parse(word: &str) -> Option<TournamentState> {
        let mut all = TournamentState::ALL.into_iter();
        all.find(|state| state.as_str() == word)
    }
}

/// A tournament as it is kept, without its games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredTournament {
    /// Its number here.
    pub id: TournamentId,
    /// What it is known by everywhere: 128 bits in hexadecimal digits.
    pub uid: String,
    /// What is to be played, as text.
    pub plan: String,
    /// How far it is.
    pub state: TournamentState,
    /// When it began.
    pub started: Timestamp,
    /// When it ended, if it has.
    pub ended: Option<Timestamp>,
    /// How many games are played.
    pub games: u64,
    /// Is a program playing it just now?
    pub is_running: bool,
}

/// Which game of a tournament it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ArenaGameKey {
    /// The round.
    pub round: u32,
    /// The one bot, by its number in the plan.
    pub first: u32,
    /// The other.
    pub second: u32,
    /// Are sides swapped?
    pub swapped: bool,
}

/// A game of a tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArenaGame {
    /// Which one.
    pub key: ArenaGameKey,
    /// The position it began with, if not the usual one.
    pub start: Option<String>,
    /// The moves that nobody chose, in the project's notation.
    pub opening: Vec<String>,
    /// The moves that the bots made.
    pub moves: Vec<ArenaMove>,
    /// Who won.
    pub outcome: Outcome,
    /// How, as one word.
    pub reason: String,
    /// A sentence more.
    pub note: Option<String>,
}

/// A move of a bot.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ArenaMove {
    /// The move in the project's notation.
    pub text: String,
    /// How long it took; kept to the nanosecond, and to 500 years.
    pub took: Duration,
    /// What its bot thought of the position: a word without blanks and commas.
    pub value: Option<String>,
    /// How far it looked.
    pub depth: Option<u32>,
    /// How much it looked at.
    pub nodes: Option<u64>,
}

impl Store {
    /// Begins a tournament, which this program holds.
    ///
    /// # Errors
    /// No writing.
    pub async fn create_tournament(&self, plan: &str) -> Result<TournamentId, StoreError> {
        let about = (plan.to_owned(), random_uid()?);
        self.submit_write(about, |store, (plan, uid), writing| {
            Box::pin(async move {
                let id = sqlx::query_scalar(
                    "INSERT INTO tournaments (uid, plan, state, began, holder)
                     VALUES ($1, $2, $3, $4, $5) RETURNING id",
                )
                .bind(uid)
                .bind(plan)
                .bind(TournamentState::Open.as_str())
                .bind(Timestamp::now().as_millis())
                .bind(store.process().uid())
                .fetch_one(writing)
                .await?;
                Ok(TournamentId(id))
            })
        })
        .await
    }

    /// Takes a tournament over, for this program to play. Of several programs that try at
    /// once one succeeds.
    ///
    /// # Errors
    /// There is no such tournament, or no writing.
    pub async fn acquire_tournament(&self, id: TournamentId) -> Result<bool, StoreError> {
        self.submit_write(id, |store, &id, writing| {
            Box::pin(async move {
                let this = store.process();
                let holder = holder(writing, id).await?;
                let other = holder.filter(|holder| holder != this.uid());
                if other.is_some_and(|other| this.is_alive(&other)) {
                    return Ok(false);
                }
                set_holder(writing, id, Some(store.process().uid())).await?;
                Ok(true)
            })
        })
        .await
    }

    /// Lets a tournament go that this program holds, so that any program may play it on.
    ///
    /// # Errors
    /// Another program holds it, or no writing.
    pub async fn release_tournament(&self, id: TournamentId) -> Result<(), StoreError> {
        self.submit_write(id, |store, &id, writing| {
            Box::pin(async move {
                store.check_held(writing, id).await?;
                set_holder(writing, id, None).await
            })
        })
        .await
    }

    /// Gives a tournament that this program holds another plan: it has grown. Nothing is
    /// changed where it is the same; otherwise it is open again.
    ///
    /// # Errors
    /// This program does not hold it, or no writing.
    pub async fn update_plan(&self, id: TournamentId, plan: &str) -> Result<(), StoreError> {
        self.submit_write((id, plan.to_owned()), |store, (id, plan), writing| {
            Box::pin(async move {
                store.check_held(writing, *id).await?;
                let sql = "UPDATE tournaments SET plan = $1, state = 'open', ended = NULL
                           WHERE id = $2 AND plan <> $1";
                sqlx::query(sql)
                    .bind(plan)
                    .bind(id.0)
                    .execute(writing)
                    .await?;
                Ok(())
            })
        })
        .await
    }

    /// Says how far a tournament is that this program holds.
    ///
    /// # Errors
    /// This program does not hold it, or no writing.
    pub async fn set_tournament_state(
        &self,
        id: TournamentId,
        state: TournamentState,
    ) -> Result<(), StoreError> {
        self.submit_write((id, state), |store, &(id, state), writing| {
            Box::pin(async move {
                store.check_held(writing, id).await?;
                // It ended when it first did; the clock may have been set back meanwhile.
                let sql = "UPDATE tournaments SET state = $1,
                           ended = CASE WHEN $1 = 'open' THEN NULL
                                        ELSE COALESCE(ended, CASE WHEN began > $2 THEN began ELSE $2 END) END
                           WHERE id = $3";
                sqlx::query(sql)
                    .bind(state.as_str())
                    .bind(Timestamp::now().as_millis())
                    .bind(id.0)
                    .execute(writing)
                    .await?;
                Ok(())
            })
        })
        .await
    }

    /// Keeps games of a tournament that this program holds, all or none. A game that is
    /// there already stays as it is. When this returns, they are on the disk.
    ///
    /// # Errors
    /// A word has blanks in it, this program does not hold the tournament, or no writing.
    pub async fn save_arena_games(
        &self,
        id: TournamentId,
        games: Vec<ArenaGame>,
    ) -> Result<(), StoreError> {
        games.iter().try_for_each(check_words)?;
        self.submit_write((id, games), |store, (id, games), writing| {
            Box::pin(async move {
                store.check_held(writing, *id).await?;
                for game in games {
                    insert(writing, *id, game).await?;
                }
                Ok(())
            })
        })
        .await
    }

    /// Keeps one game in the same way.
    ///
    /// # Errors
    /// As [`Store::keep_arena_games`].
    pub async fn save_arena_game(
        &self,
        id: TournamentId,
        game: &ArenaGame,
    ) -> Result<(), StoreError> {
        self.save_arena_games(id, vec![game.clone()]).await
    }

    /// Removes games of a tournament that this program holds, all or none, and opens it
    /// again: they are to be played again.
    ///
    /// # Errors
    /// This program does not hold the tournament, or no writing.
    pub async fn delete_arena_games(
        &self,
        id: TournamentId,
        keys: Vec<ArenaGameKey>,
    ) -> Result<(), StoreError> {
        self.submit_write((id, keys), |store, (id, keys), writing| {
            Box::pin(async move {
                store.check_held(writing, *id).await?;
                for key in keys {
                    let sql = "DELETE FROM arena_games WHERE tournament = $1 AND round = $2
                               AND first = $3 AND second = $4 AND swapped = $5";
                    sqlx::query(sql)
                        .bind(id.0)
                        .bind(i64::from(key.round))
                        .bind(i64::from(key.first))
                        .bind(i64::from(key.second))
                        .bind(key.swapped)
                        .execute(&mut *writing)
                        .await?;
                }
                let sql = "UPDATE tournaments SET state = 'open', ended = NULL WHERE id = $1";
                sqlx::query(sql).bind(id.0).execute(&mut *writing).await?;
                Ok(())
            })
        })
        .await
    }

    /// All tournaments, newest first.
    ///
    /// # Errors
    /// The file cannot be read.
    pub async fn tournaments(&self) -> Result<Vec<StoredTournament>, StoreError> {
        self.with_error_context(async {
            let sql = "SELECT *, (SELECT COUNT(*) FROM arena_games WHERE tournament = tournaments.id) AS games
                       FROM tournaments ORDER BY id DESC";
            let rows = sqlx::query(sql).fetch_all(self.list_pool()).await?;
            rows.iter().map(|row| self.read_tournament(row)).collect()
        })
        .await
    }

    /// A tournament, without its games.
    ///
    /// # Errors
    /// The file cannot be read.
    pub async fn tournament(
        &self,
        id: TournamentId,
    ) -> Result<Option<StoredTournament>, StoreError> {
        self.with_error_context(async {
            let sql = "SELECT *, (SELECT COUNT(*) FROM arena_games WHERE tournament = tournaments.id) AS games
                       FROM tournaments WHERE id = $1";
            let row = sqlx::query(sql).bind(id.0).fetch_optional(self.list_pool()).await?;
            row.map(|row| self.read_tournament(&row)).transpose()
        })
        .await
    }

    /// All games of a tournament, in the order of their keys: those of a round together.
    ///
    /// # Errors
    /// There is no such tournament, or the file cannot be read.
    pub async fn arena_games(&self, id: TournamentId) -> Result<Vec<ArenaGame>, StoreError> {
        self.with_error_context(async {
            let mut reading = self.list_pool().begin().await?;
            holder(&mut reading, id).await?;
            let sql = "SELECT * FROM arena_games WHERE tournament = $1
                       ORDER BY round, first, second, swapped";
            let rows = sqlx::query(sql).bind(id.0).fetch_all(&mut *reading).await?;
            rows.iter().map(read_game).collect()
        })
        .await
    }

    fn read_tournament(&self, row: &SqliteRow) -> Result<StoredTournament, StoreFailure> {
        let id = TournamentId(row.try_get("id")?);
        let word: String = row.try_get("state")?;
        let state = TournamentState::parse(&word)
            .ok_or_else(|| StoreFailure::Corrupt(format!("tournament {id} is {word:?}")))?;
        let ended: Option<i64> = row.try_get("ended")?;
        let games: i64 = row.try_get("games")?;
        let holder: Option<String> = row.try_get("holder")?;
        Ok(StoredTournament {
            id,
            uid: row.try_get("uid")?,
            plan: row.try_get("plan")?,
            state,
            started: Timestamp::from_millis(row.try_get("began")?),
            ended: ended.map(Timestamp::from_millis),
            games: games.unsigned_abs(),
            is_running: holder.is_some_and(|holder| self.process().is_alive(&holder)),
        })
    }

    /// Only the one who holds a tournament may change it.
    async fn check_held(
        &self,
        connection: &mut SqliteConnection,
        tournament: TournamentId,
    ) -> Result<(), StoreFailure> {
        let what = match holder(connection, tournament).await? {
            Some(holder) if holder == self.process().uid() => return Ok(()),
            Some(holder) if self.process().is_alive(&holder) => {
                "is being played in another program"
            }
            _ => "is not held by this program",
        };
        Err(StoreError::TournamentConflict { tournament, what }.into())
    }
}

/// The program that a tournament names.
async fn holder(
    connection: &mut SqliteConnection,
    id: TournamentId,
) -> Result<Option<String>, StoreFailure> {
    let found: Option<Option<String>> =
        sqlx::query_scalar("SELECT holder FROM tournaments WHERE id = $1")
            .bind(id.0)
            .fetch_optional(connection)
            .await?;
    found.ok_or_else(|| StoreError::NoSuchTournament(id).into())
}

async fn set_holder(
    connection: &mut SqliteConnection,
    id: TournamentId,
    holder: Option<&str>,
) -> Result<(), StoreFailure> {
    sqlx::query("UPDATE tournaments SET holder = $1 WHERE id = $2")
        .bind(holder)
        .bind(id.0)
        .execute(connection)
        .await?;
    Ok(())
}

/// What is a word here must be one when it is read.
fn check_words(game: &ArenaGame) -> Result<(), StoreError> {
    let is_word = |text: &str| !text.is_empty() && !text.contains(char::is_whitespace);
    let moves = game.moves.iter();
    let values = moves.clone().filter_map(|mv| mv.value.as_deref());
    let odd = game
        .opening
        .iter()
        .map(String::as_str)
        .chain(moves.map(|mv| mv.text.as_str()))
        .chain([game.reason.as_str()])
        .find(|text| !is_word(text))
        .or_else(|| {
            values
                .into_iter()
                .find(|text| !is_word(text) || text.contains(','))
        });
    match odd {
        None => Ok(()),
        Some(odd) => Err(StoreError::Invalid(format!(
            "{odd:?} is not one word, and cannot be kept with a game"
        ))),
    }
}

async fn insert(
    connection: &mut SqliteConnection,
    id: TournamentId,
    game: &ArenaGame,
) -> Result<(), StoreFailure> {
    let texts = game.opening.iter().map(String::as_str);
    let texts: Vec<&str> = texts
        .chain(game.moves.iter().map(|mv| mv.text.as_str()))
        .collect();
    let details: Vec<String> = game.moves.iter().map(ArenaMove::details).collect();
    sqlx::query(
        "INSERT INTO arena_games (tournament, round, first, second, swapped, start, opening,
                                  moves, details, outcome, reason, note, ended)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
         ON CONFLICT (tournament, round, first, second, swapped) DO NOTHING",
    )
    .bind(id.0)
    .bind(game.key.round)
    .bind(game.key.first)
    .bind(game.key.second)
    .bind(game.key.swapped)
    .bind(&game.start)
    .bind(i64::try_from(game.opening.len()).unwrap_or(i64::MAX))
    .bind(texts.join(" "))
    .bind(details.join(" "))
    .bind(game.outcome.as_str())
    .bind(&game.reason)
    .bind(&game.note)
    .bind(Timestamp::now().as_millis())
    .execute(connection)
    .await?;
    Ok(())
}

impl ArenaMove {
    fn details(&self) -> String {
        let nanos = u64::try_from(self.took.as_nanos()).unwrap_or(u64::MAX);
        let value = self.value.as_deref().unwrap_or_default();
        let depth = self.depth.map(|n| n.to_string()).unwrap_or_default();
        let nodes = self.nodes.map(|n| n.to_string()).unwrap_or_default();
        format!("{nanos},{value},{depth},{nodes}")
    }

    fn read(text: &str, details: &str) -> Option<ArenaMove> {
        fn number<T: std::str::FromStr>(text: &str) -> Option<Option<T>> {
            match text {
                "" => Some(None),
                text => text.parse().ok().map(Some),
            }
        }
        let mut parts = details.split(',');
        let mut part = || parts.next();
        let mv = ArenaMove {
            text: text.to_owned(),
            took: Duration::from_nanos(part()?.parse().ok()?),
            value: Some(part()?.to_owned()).filter(|value| !value.is_empty()),
            depth: number(part()?)?,
            nodes: number(part()?)?,
        };
        parts.next().is_none().then_some(mv)
    }
}

fn read_game(row: &SqliteRow) -> Result<ArenaGame, StoreFailure> {
    let key = ArenaGameKey {
        round: row.try_get("round")?,
        first: row.try_get("first")?,
        second: row.try_get("second")?,
        swapped: row.try_get("swapped")?,
    };
    let odd = |what: &str| {
        let tournament: i64 = row.try_get("tournament").unwrap_or_default();
        let ArenaGameKey {
            round,
            first,
            second,
            ..
        } = key;
        StoreFailure::Corrupt(format!(
            "the game of {first} and {second} in round {round} of tournament {tournament} has {what}"
        ))
    };
    let moves: String = row.try_get("moves")?;
    let details: String = row.try_get("details")?;
    let mut moves: Vec<&str> = moves.split_whitespace().collect();
    let opening: i64 = row.try_get("opening")?;
    let opening = usize::try_from(opening).ok().filter(|&n| n <= moves.len());
    let made = moves.split_off(opening.ok_or_else(|| odd("too few moves"))?);
    let details: Vec<&str> = details.split_whitespace().collect();
    if details.len() != made.len() {
        return Err(odd("moves of which nothing is known"));
    }
    let made = made.into_iter().zip(details);
    let made: Option<Vec<ArenaMove>> = made
        .map(|(text, details)| ArenaMove::read(text, details))
        .collect();
    let word: String = row.try_get("outcome")?;
    let outcomes = [
        Outcome::Win(noughts_rules::Side::X),
        Outcome::Win(noughts_rules::Side::O),
        Outcome::Draw,
    ];
    let outcome = outcomes
        .into_iter()
        .find(|outcome| outcome.as_str() == word);
    Ok(ArenaGame {
        key,
        start: row.try_get("start")?,
        opening: moves.into_iter().map(str::to_owned).collect(),
        moves: made.ok_or_else(|| odd("moves that cannot be read"))?,
        outcome: outcome.ok_or_else(|| odd("no result"))?,
        reason: row.try_get("reason")?,
        note: row.try_get("note")?,
    })
}
