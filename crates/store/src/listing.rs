//! Filtered lists of games.

use noughts_rules::{Assistance, Outcome, Side, Termination, UnratedReason, Variant};
use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Row, Sqlite, SqlitePool};

use crate::error::{RawResult, RawStoreError, StoreError};
use crate::games::{GameId, push_list};
use crate::name::Name;
use crate::seat::Seat;
use crate::seat_claims::SecretHash;
use crate::store::Store;
use crate::timestamp::Timestamp;

/// Selects games. The default is all of them.
///
/// ```
/// use noughts_rules::Variant;
/// use noughts_store::{GameFilter, Name, ResultFilter};
///
/// let filter = GameFilter {
///     player: Some(Name::new("Ada")?),
///     variant: Some(Variant::CLASSIC),
///     result: Some(ResultFilter::Won),
///     limit: Some(10),
///     ..GameFilter::default()
/// };
/// # Ok::<(), noughts_store::NameError>(())
/// ```
#[derive(Clone, PartialEq, Default, Debug)]
pub struct GameFilter {
    /// Only games of this player.
    pub player: Option<Name>,
    /// Only games with this player or bot (against `player`, if that is given).
    pub opponent: Option<String>,
    /// Only this variant.
    pub variant: Option<Variant>,
    /// Only this result.
    pub result: Option<ResultFilter>,
    /// Only open games (`Some(true)`) or finished games (`Some(false)`).
    pub open: Option<bool>,
    /// Only games with at least one move or a result.
    pub played: bool,
    /// Only games in which this visitor controls a seat.
    pub visitor: Option<SecretHash>,
    /// Only these games.
    pub games: Option<Vec<GameId>>,
    /// Only games that follow this one in the list, for the next page. The game itself may have
    /// been deleted meanwhile.
    pub before: Option<GameId>,
    /// At most this many, the newest ones.
    pub limit: Option<u32>,
}

/// Selects games by result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultFilter {
    /// The player won.
    Won,
    /// The player lost.
    Lost,
    /// Exactly this outcome.
    Outcome(Outcome),
}

/// A game without its moves.
#[derive(Clone, PartialEq, Debug)]
pub struct GameSummary {
    /// Its ID in this store.
    pub id: GameId,
    /// A globally unique ID.
    pub uid: String,
    /// The variant.
    pub variant: Variant,
    /// Who plays X and who plays O.
    pub seats: [Seat; 2],
    /// The number of moves.
    pub move_count: usize,
    /// When it started.
    pub started: Timestamp,
    /// When it ended, if it has.
    pub ended: Option<Timestamp>,
    /// Who won.
    pub result: Option<Outcome>,
    /// How it ended, if it has.
    pub end: Option<Termination>,
    /// Did a side change hands after the first move?
    pub changed_hands: bool,
    /// The first assistance a player used.
    pub assistance: Option<Assistance>,
    /// Do visitors of a server control its seats?
    pub is_online: bool,
    /// Was it imported? Imported games are kept even without moves.
    pub is_imported: bool,
    pub(crate) holder: Option<String>,
    /// The start position as stored, if it isn't the default one.
    pub(crate) start: Option<Vec<u8>>,
}

impl GameSummary {
    /// Does it count in the players' records, once it has a result? It doesn't if a side changed
    /// hands or a player used assistance.
    #[must_use]
    pub fn is_rated(&self) -> bool {
        self.unrated_reason().is_none()
    }

    /// Why it isn't rated, if so.
    #[must_use]
    pub fn unrated_reason(&self) -> Option<UnratedReason> {
        UnratedReason::new(self.changed_hands, self.assistance)
    }
}

impl Store {
    /// Games, newest first.
    ///
    /// # Errors
    /// A won or lost game is requested without a player, or the file can't be read.
    pub async fn games(&self, filter: &GameFilter) -> Result<Vec<GameSummary>, StoreError> {
        self.games_from(self.list_pool(), filter).await
    }

    async fn games_from(
        &self,
        pool: &SqlitePool,
        filter: &GameFilter,
    ) -> Result<Vec<GameSummary>, StoreError> {
        let mut query = filter.query()?;
        self.with_error_context(async {
            let rows = query.build().fetch_all(pool).await?;
            rows.iter().map(GameSummary::from_row).collect()
        })
        .await
    }

    /// The newest open games in which a visitor controls a seat, at most this many. This is a short
    /// read that doesn't wait for lists and exports.
    ///
    /// # Errors
    /// The file can't be read.
    pub async fn open_games_of(
        &self,
        visitor: SecretHash,
        limit: u32,
    ) -> Result<Vec<GameSummary>, StoreError> {
        let filter = GameFilter {
            open: Some(true),
            played: true,
            visitor: Some(visitor),
            limit: Some(limit),
            ..GameFilter::default()
        };
        self.games_from(self.read_pool(), &filter).await
    }

    /// Does a player with this name exist, or has a bot with this name played?
    ///
    /// # Errors
    /// The file can't be read.
    pub async fn has_played(&self, opponent: &str) -> Result<bool, StoreError> {
        self.with_error_context(async {
            let sql = "SELECT 1 FROM people WHERE key = $1
                 UNION ALL SELECT 1 FROM games WHERE x_bot IS NOT NULL AND LOWER(x_bot) = $2
                 UNION ALL SELECT 1 FROM games WHERE o_bot IS NOT NULL AND LOWER(o_bot) = $2
                 LIMIT 1";
            let (key, bot) = (key_of(opponent), opponent.trim().to_lowercase());
            let found: Option<(i64,)> = fetch_optional!(self.list_pool(), sql, key, bot)?;
            Ok(found.is_some())
        })
        .await
    }

    /// Open games that no live process holds, newest first.
    ///
    /// # Errors
    /// The file can't be read.
    pub async fn resumable_games(&self) -> Result<Vec<GameSummary>, StoreError> {
        let filter = GameFilter {
            open: Some(true),
            ..GameFilter::default()
        };
        let mut games = self.games(&filter).await?;
        games.retain(|game| {
            let holder = game.holder.as_deref();
            !holder.is_some_and(|holder| self.process().is_alive(holder))
        });
        Ok(games)
    }
}

/// What one arm of a list's `UNION` requires of a side.
#[derive(Clone, Copy)]
enum SideCondition {
    /// The player has this side.
    Player,
    /// The opponent, a player, has it.
    OpponentPlayer,
    /// The opponent, a bot, has it; uses the bot's index.
    OpponentBot,
    /// The same for a game of the player; uses the player's index, because the player has fewer
    /// games.
    BotAgainstPlayer,
}

impl GameFilter {
    /// Builds the query for games, newest first.
    pub(crate) fn query(&self) -> Result<QueryBuilder<Sqlite>, StoreError> {
        let mut query = QueryBuilder::new("SELECT heads.* FROM (");
        self.push_page(&mut query)?;
        query.push(
            ") AS page JOIN heads ON heads.id = page.id
             ORDER BY page.began DESC, page.id DESC",
        );
        Ok(query)
    }

    /// The same for IDs only.
    pub(crate) fn ids_query(&self) -> Result<QueryBuilder<Sqlite>, StoreError> {
        let mut query = QueryBuilder::new("SELECT id FROM (");
        self.push_page(&mut query)?;
        query.push(") AS page ORDER BY began DESC, id DESC");
        Ok(query)
    }

    /// Selects the IDs and start times of a page. Each arm of the `UNION` has an index in the order
    /// of the list, so a page costs the same wherever it starts.
    pub(crate) fn push_page(&self, query: &mut QueryBuilder<Sqlite>) -> Result<(), StoreError> {
        for (i, arm) in self.union_arms()?.iter().enumerate() {
            if i > 0 {
                query.push(" UNION ");
            }
            query.push("SELECT id, began FROM games WHERE 1 = 1");
            for &(side, condition) in arm {
                self.push_side(query, side, condition);
            }
            self.push_common(query);
        }
        query.push(" ORDER BY began DESC, id DESC");
        if let Some(limit) = self.limit {
            query.push(" LIMIT ").push_bind(i64::from(limit));
        }
        Ok(())
    }

    /// The combinations of sides that match player and opponent. With `OR` instead of `UNION`,
    /// every page would sort all games of the player.
    fn union_arms(&self) -> Result<Vec<Vec<(Side, SideCondition)>>, StoreError> {
        let won_or_lost = matches!(self.result, Some(ResultFilter::Won | ResultFilter::Lost));
        if won_or_lost && self.player.is_none() {
            let what = "to list won or lost games, name the player".into();
            return Err(StoreError::Invalid(what));
        }
        let mut arms = Vec::new();
        for side in Side::BOTH {
            let opponent = side.other();
            match (&self.player, &self.opponent) {
                (None, None) => return Ok(vec![Vec::new()]),
                (Some(_), None) => arms.push(vec![(side, SideCondition::Player)]),
                (None, Some(_)) => {
                    arms.push(vec![(side, SideCondition::OpponentPlayer)]);
                    arms.push(vec![(side, SideCondition::OpponentBot)]);
                }
                (Some(_), Some(_)) => {
                    arms.push(vec![
                        (side, SideCondition::Player),
                        (opponent, SideCondition::OpponentPlayer),
                    ]);
                    arms.push(vec![
                        (side, SideCondition::Player),
                        (opponent, SideCondition::BotAgainstPlayer),
                    ]);
                }
            }
        }
        Ok(arms)
    }

    fn push_side(&self, query: &mut QueryBuilder<Sqlite>, side: Side, condition: SideCondition) {
        let letter = side.letter();
        let opponent = self.opponent.as_deref().unwrap_or_default();
        let key = match condition {
            SideCondition::Player => self.player.as_ref().map_or("", Name::key).to_owned(),
            SideCondition::OpponentPlayer => key_of(opponent),
            SideCondition::OpponentBot | SideCondition::BotAgainstPlayer => {
                if matches!(condition, SideCondition::OpponentBot) {
                    query.push(format!(" AND {letter}_bot IS NOT NULL"));
                }
                query.push(format!(" AND LOWER({letter}_bot) = "));
                query.push_bind(opponent.trim().to_lowercase());
                return;
            }
        };
        query.push(format!(
            " AND {letter}_person = (SELECT id FROM people WHERE key = "
        ));
        query.push_bind(key).push(")");
        let winner = match (condition, self.result) {
            (SideCondition::Player, Some(ResultFilter::Won)) => side,
            (SideCondition::Player, Some(ResultFilter::Lost)) => side.other(),
            _ => return,
        };
        // `COALESCE` keeps SQLite from using the index on results: the player has fewer games.
        query.push(" AND COALESCE(result, '') = ");
        query.push_bind(winner.letter().to_string());
    }

    /// Adds the conditions that don't depend on a side.
    fn push_common(&self, query: &mut QueryBuilder<Sqlite>) {
        if let Some(variant) = self.variant {
            query.push(" AND variant = ").push_bind(variant.to_string());
        }
        if let Some(ResultFilter::Outcome(outcome)) = self.result {
            query.push(match (&self.player, &self.opponent) {
                (None, None) => " AND result = ",
                _ => " AND COALESCE(result, '') = ",
            });
            query.push_bind(outcome.as_str());
        }
        match self.open {
            Some(true) => drop(query.push(" AND ended IS NULL")),
            Some(false) => drop(query.push(" AND ended IS NOT NULL")),
            None => {}
        }
        if self.played {
            query.push(
                " AND (result IS NOT NULL
                       OR EXISTS (SELECT 1 FROM moves WHERE moves.game = games.id))",
            );
        }
        if let Some(visitor) = &self.visitor {
            query.push(" AND id IN (SELECT game FROM sitters WHERE token_hash = ");
            query.push_bind(hex::encode(visitor)).push(")");
        }
        if let Some(games) = &self.games {
            query.push(" AND id IN (");
            push_list(query, games.iter().map(|game| game.0));
        }
        if let Some(before) = self.before {
            // IDs follow time, except for imported games: if this game was deleted, the list
            // continues where it was.
            query.push(" AND (began, id) < (SELECT began, ");
            query.push_bind(before.0).push(" FROM games WHERE id <= ");
            query.push_bind(before.0).push(" ORDER BY id DESC LIMIT 1)");
        }
    }
}

/// The key of a player with this name; an empty key if it isn't a valid name.
fn key_of(text: &str) -> String {
    Name::new(text).map_or_else(|_| String::new(), |name| name.key().into())
}

impl GameSummary {
    /// Reads a row of the view `heads`.
    pub(crate) fn from_row(row: &SqliteRow) -> RawResult<GameSummary> {
        let id = GameId(row.try_get("id")?);
        let moves: i64 = row.try_get("moves")?;
        let ended: Option<i64> = row.try_get("ended")?;
        let seat = |[name, bot, is_guest]: [&str; 3]| {
            seat_from_columns(
                row.try_get(name)?,
                row.try_get(bot)?,
                row.try_get(is_guest)?,
            )
        };
        Ok(GameSummary {
            id,
            uid: row.try_get("uid")?,
            variant: parse_column(row, id, "variant", "variant", |word| word.parse().ok())?
                .ok_or_else(|| RawStoreError::Corrupt(format!("game {id} has no variant")))?,
            seats: [
                seat(["x_name", "x_bot", "x_guest"])?,
                seat(["o_name", "o_bot", "o_guest"])?,
            ],
            move_count: usize::try_from(moves).unwrap_or_default(),
            started: Timestamp::from_millis(row.try_get("began")?),
            ended: ended.map(Timestamp::from_millis),
            result: parse_column(row, id, "result", "result", parse_outcome)?,
            end: parse_column(row, id, "how", "ending", |word| word.parse().ok())?,
            changed_hands: row.try_get("handed")?,
            assistance: parse_column(row, id, "assisted", "kind of assistance", |word| {
                word.parse().ok()
            })?,
            is_online: row.try_get("claimed")?,
            is_imported: row.try_get("imported")?,
            holder: row.try_get("holder")?,
            start: row.try_get("start")?,
        })
    }
}

/// A word from its column, called `what` in the error.
fn parse_column<T>(
    row: &SqliteRow,
    game: GameId,
    column: &str,
    what: &str,
    parse: fn(&str) -> Option<T>,
) -> RawResult<Option<T>> {
    let word: Option<String> = row.try_get(column)?;
    let parsed = word.map(|word| {
        parse(&word).ok_or_else(|| {
            RawStoreError::Corrupt(format!("game {game} has an invalid {what}: {word:?}"))
        })
    });
    parsed.transpose()
}

/// A seat from its columns.
pub(crate) fn seat_from_columns(
    player: Option<String>,
    bot: Option<String>,
    is_guest: bool,
) -> RawResult<Seat> {
    Ok(match (player, bot) {
        (Some(name), _) => Seat::Player(parse_stored_name(&name)?),
        (None, Some(bot)) => Seat::Bot(bot),
        (None, None) if is_guest => Seat::Guest,
        (None, None) => Seat::Deleted,
    })
}

/// Parses a stored name.
pub(crate) fn parse_stored_name(text: &str) -> RawResult<Name> {
    Name::from_stored(text).map_err(|error| {
        RawStoreError::Corrupt(format!("a player has the invalid name {text:?}: {error}"))
    })
}

/// The outcome with this word.
pub(crate) fn parse_outcome(word: &str) -> Option<Outcome> {
    let all = [Outcome::Win(Side::X), Outcome::Win(Side::O), Outcome::Draw];
    all.into_iter().find(|outcome| outcome.as_str() == word)
}
