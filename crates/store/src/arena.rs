//! Tournaments of bots and their games. Plans, values and bots are opaque text here.

use std::fmt;
use std::time::Duration;

use noughts_rules::Outcome;
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};

use crate::error::{StoreError, StoreFailure};
use crate::process::random_uid;
use crate::store::Store;
use crate::timestamp::Timestamp;

/// The ID of a tournament in this store. IDs are never reused.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TournamentId(pub i64);

impl fmt::Display for TournamentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The progress of a tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TournamentState {
    /// Games are left to play.
    Open,
    /// All games are played.
    Complete,
    /// The sequential test is decided; games may be left.
    Decided,
}

impl TournamentState {
    /// All variants.
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

/// A stored tournament, without its games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredTournament {
    /// Its ID in this store.
    pub id: TournamentId,
    /// A globally unique ID: 128 bits in hexadecimal.
    pub uid: String,
    /// The plan, as text.
    pub plan: String,
    /// Its progress.
    pub state: TournamentState,
    /// When it started.
    pub started: Timestamp,
    /// When it ended, if it has.
    pub ended: Option<Timestamp>,
    /// The number of games played.
    pub games: u64,
    /// Is a process playing it right now?
    pub is_running: bool,
}

/// Identifies a game of a tournament.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ArenaGameKey {
    /// The round.
    pub round: u32,
    /// The index of one bot in the plan.
    pub first: u32,
    /// The index of the other bot.
    pub second: u32,
    /// Are sides swapped?
    pub swapped: bool,
}

/// A game of a tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArenaGame {
    /// Which one.
    pub key: ArenaGameKey,
    /// The start position, if it isn't the default one.
    pub start: Option<String>,
    /// The opening moves, which no bot chose, in canonical notation.
    pub opening: Vec<String>,
    /// The moves of the bots.
    pub moves: Vec<ArenaMove>,
    /// Who won.
    pub outcome: Outcome,
    /// How it ended, as one word.
    pub reason: String,
    /// Additional details.
    pub note: Option<String>,
}

/// A move of a bot.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ArenaMove {
    /// The move in canonical notation.
    pub text: String,
    /// The time it took, stored in nanoseconds, at most 500 years.
    pub took: Duration,
    /// The bot's value of the position: text without spaces and commas.
    pub value: Option<String>,
    /// The search depth.
    pub depth: Option<u32>,
    /// The number of nodes searched.
    pub nodes: Option<u64>,
}

impl Store {
    /// Creates a tournament, held by this process.
    ///
    /// # Errors
    /// The file can't be written.
    pub async fn create_tournament(&self, plan: &str) -> Result<TournamentId, StoreError> {
        let input = (plan.to_owned(), random_uid()?);
        self.submit_write(input, |store, (plan, uid), tx| {
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
                .fetch_one(tx)
                .await?;
                Ok(TournamentId(id))
            })
        })
        .await
    }

    /// Acquires a tournament for this process. If several processes try at once, one of them
    /// succeeds.
    ///
    /// # Errors
    /// The tournament doesn't exist, or the file can't be written.
    pub async fn acquire_tournament(&self, id: TournamentId) -> Result<bool, StoreError> {
        self.submit_write(id, |store, &id, tx| {
            Box::pin(async move {
                let process = store.process();
                let holder = holder(tx, id).await?;
                let other = holder.filter(|holder| holder != process.uid());
                if other.is_some_and(|other| process.is_alive(&other)) {
                    return Ok(false);
                }
                set_holder(tx, id, Some(store.process().uid())).await?;
                Ok(true)
            })
        })
        .await
    }

    /// Releases a tournament held by this process, so that any process can continue it.
    ///
    /// # Errors
    /// Another process holds it, or the file can't be written.
    pub async fn release_tournament(&self, id: TournamentId) -> Result<(), StoreError> {
        self.submit_write(id, |store, &id, tx| {
            Box::pin(async move {
                store.check_held(tx, id).await?;
                set_holder(tx, id, None).await
            })
        })
        .await
    }

    /// Replaces the plan of a tournament held by this process, for example to add games, and
    /// reopens it. The same plan changes nothing.
    ///
    /// # Errors
    /// This process doesn't hold it, or the file can't be written.
    pub async fn update_plan(&self, id: TournamentId, plan: &str) -> Result<(), StoreError> {
        self.submit_write((id, plan.to_owned()), |store, (id, plan), tx| {
            Box::pin(async move {
                store.check_held(tx, *id).await?;
                let sql = "UPDATE tournaments SET plan = $1, state = 'open', ended = NULL
                           WHERE id = $2 AND plan <> $1";
                sqlx::query(sql).bind(plan).bind(id.0).execute(tx).await?;
                Ok(())
            })
        })
        .await
    }

    /// Sets the progress of a tournament held by this process.
    ///
    /// # Errors
    /// This process doesn't hold it, or the file can't be written.
    pub async fn set_tournament_state(
        &self,
        id: TournamentId,
        state: TournamentState,
    ) -> Result<(), StoreError> {
        self.submit_write((id, state), |store, &(id, state), tx| {
            Box::pin(async move {
                store.check_held(tx, id).await?;
                // Keep the first end time; the clock may have been set back since.
                let sql = "UPDATE tournaments SET state = $1,
                           ended = CASE WHEN $1 = 'open' THEN NULL
                                        ELSE COALESCE(ended, CASE WHEN began > $2 THEN began ELSE $2 END) END
                           WHERE id = $3";
                sqlx::query(sql)
                    .bind(state.as_str())
                    .bind(Timestamp::now().as_millis())
                    .bind(id.0)
                    .execute(tx)
                    .await?;
                Ok(())
            })
        })
        .await
    }

    /// Saves games of a tournament held by this process, all or none. Games that are already stored
    /// stay unchanged. When this returns, the games are on disk.
    ///
    /// # Errors
    /// A word contains spaces, this process doesn't hold the tournament, or the file can't be
    /// written.
    pub async fn save_arena_games(
        &self,
        id: TournamentId,
        games: Vec<ArenaGame>,
    ) -> Result<(), StoreError> {
        games.iter().try_for_each(check_words)?;
        self.submit_write((id, games), |store, (id, games), tx| {
            Box::pin(async move {
                store.check_held(tx, *id).await?;
                for game in games {
                    insert(tx, *id, game).await?;
                }
                Ok(())
            })
        })
        .await
    }

    /// Saves one game in the same way.
    ///
    /// # Errors
    /// See [`Store::save_arena_games`].
    pub async fn save_arena_game(
        &self,
        id: TournamentId,
        game: &ArenaGame,
    ) -> Result<(), StoreError> {
        self.save_arena_games(id, vec![game.clone()]).await
    }

    /// Deletes games of a tournament held by this process, all or none, and reopens it so that they
    /// are played again.
    ///
    /// # Errors
    /// This process doesn't hold the tournament, or the file can't be written.
    pub async fn delete_arena_games(
        &self,
        id: TournamentId,
        keys: Vec<ArenaGameKey>,
    ) -> Result<(), StoreError> {
        self.submit_write((id, keys), |store, (id, keys), tx| {
            Box::pin(async move {
                store.check_held(tx, *id).await?;
                for key in keys {
                    let sql = "DELETE FROM arena_games WHERE tournament = $1 AND round = $2
                               AND first = $3 AND second = $4 AND swapped = $5";
                    sqlx::query(sql)
                        .bind(id.0)
                        .bind(i64::from(key.round))
                        .bind(i64::from(key.first))
                        .bind(i64::from(key.second))
                        .bind(key.swapped)
                        .execute(&mut *tx)
                        .await?;
                }
                let sql = "UPDATE tournaments SET state = 'open', ended = NULL WHERE id = $1";
                sqlx::query(sql).bind(id.0).execute(&mut *tx).await?;
                Ok(())
            })
        })
        .await
    }

    /// All tournaments, newest first.
    ///
    /// # Errors
    /// The file can't be read.
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
    /// The file can't be read.
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

    /// All games of a tournament, sorted by key, so that games of a round are together.
    ///
    /// # Errors
    /// The tournament doesn't exist, or the file can't be read.
    pub async fn arena_games(&self, id: TournamentId) -> Result<Vec<ArenaGame>, StoreError> {
        self.with_error_context(async {
            let mut tx = self.list_pool().begin().await?;
            holder(&mut tx, id).await?;
            let sql = "SELECT * FROM arena_games WHERE tournament = $1
                       ORDER BY round, first, second, swapped";
            let rows = sqlx::query(sql).bind(id.0).fetch_all(&mut *tx).await?;
            rows.iter().map(read_game).collect()
        })
        .await
    }

    fn read_tournament(&self, row: &SqliteRow) -> Result<StoredTournament, StoreFailure> {
        let id = TournamentId(row.try_get("id")?);
        let word: String = row.try_get("state")?;
        let state = TournamentState::parse(&word).ok_or_else(|| {
            StoreFailure::Corrupt(format!("tournament {id} has an invalid state: {word:?}"))
        })?;
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

    /// Only the process that holds a tournament may change it.
    async fn check_held(
        &self,
        connection: &mut SqliteConnection,
        tournament: TournamentId,
    ) -> Result<(), StoreFailure> {
        let what = match holder(connection, tournament).await? {
            Some(holder) if holder == self.process().uid() => return Ok(()),
            Some(holder) if self.process().is_alive(&holder) => "is running in another program",
            _ => "isn't running in this program",
        };
        Err(StoreError::TournamentConflict { tournament, what }.into())
    }
}

/// The process recorded as holding a tournament.
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

/// Text stored in space-separated columns must not contain spaces.
fn check_words(game: &ArenaGame) -> Result<(), StoreError> {
    let is_word = |text: &str| !text.is_empty() && !text.contains(char::is_whitespace);
    let moves = game.moves.iter();
    let values = moves.clone().filter_map(|mv| mv.value.as_deref());
    let invalid = game
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
    match invalid {
        None => Ok(()),
        Some(invalid) => Err(StoreError::Invalid(format!(
            "{invalid:?} can't be stored with a game because it isn't a single word"
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
    let corrupt = |what: &str| {
        let tournament: i64 = row.try_get("tournament").unwrap_or_default();
        let ArenaGameKey {
            round,
            first,
            second,
            ..
        } = key;
        StoreFailure::Corrupt(format!(
            "the game of bots {first} and {second} in round {round} of tournament {tournament} has {what}"
        ))
    };
    let moves: String = row.try_get("moves")?;
    let details: String = row.try_get("details")?;
    let mut moves: Vec<&str> = moves.split_whitespace().collect();
    let opening: i64 = row.try_get("opening")?;
    let opening = usize::try_from(opening).ok().filter(|&n| n <= moves.len());
    let bot_moves = moves.split_off(opening.ok_or_else(|| corrupt("too few moves"))?);
    let details: Vec<&str> = details.split_whitespace().collect();
    if details.len() != bot_moves.len() {
        return Err(corrupt("moves without details"));
    }
    let bot_moves = bot_moves.into_iter().zip(details);
    let bot_moves: Option<Vec<ArenaMove>> = bot_moves
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
        moves: bot_moves.ok_or_else(|| corrupt("invalid moves"))?,
        outcome: outcome.ok_or_else(|| corrupt("an invalid result"))?,
        reason: row.try_get("reason")?,
        note: row.try_get("note")?,
    })
}
