//! Lists of games: which ones are wanted, and what is told of each.

use noughts_rules::{Outcome, Side, Variant};
use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Row, Sqlite};

use crate::assistance::Assistance;
use crate::error::{StoreError, StoreFailure};
use crate::games::GameId;
use crate::name::Name;
use crate::process::to_hex;
use crate::seat::Seat;
use crate::seat_claims::SecretHash;
use crate::store::Store;
use crate::termination::Termination;
use crate::timestamp::Timestamp;

/// Which games are wanted. The default is all of them.
///
/// ```
/// use noughts_rules::Variant;
/// use noughts_store::{Filter, Name, Sought};
///
/// let filter = Filter {
///     player: Some(Name::new("Ada")?),
///     variant: Some(Variant::CLASSIC),
///     result: Some(Sought::Won),
///     limit: Some(10),
///     ..Filter::default()
/// };
/// # Ok::<(), noughts_store::NameError>(())
/// ```
#[derive(Clone, PartialEq, Default, Debug)]
pub struct GameFilter {
    /// Only games of this person.
    pub player: Option<Name>,
    /// Only games with this person or bot (against the player, if one is given).
    pub opponent: Option<String>,
    /// Only this game.
    pub variant: Option<Variant>,
    /// Only this result.
    pub result: Option<ResultFilter>,
    /// Only games that go on (`Some(true)`) or have ended (`Some(false)`).
    pub open: Option<bool>,
    /// Only games in which somebody has done something: made a move, or come to a
    /// result.
    pub played: bool,
    /// Only games in which this visitor acts for a seat.
    pub visitor: Option<SecretHash>,
    /// Only these.
    pub games: Option<Vec<GameId>>,
    /// Only those that a list has behind this one: the next page. Where the game was
    /// deleted meanwhile, its number is enough.
    pub before: Option<GameId>,
    /// At most so many, the newest.
    pub limit: Option<u32>,
}

/// A result to look for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultFilter {
    /// The player won.
    Won,
    /// The player lost.
    Lost,
    /// This side won, or nobody did.
    Outcome(Outcome),
}

/// A game in a list: all but its moves.
#[derive(Clone, PartialEq, Debug)]
pub struct GameSummary {
    /// Its number here.
    pub id: GameId,
    /// What it is known by everywhere.
    pub uid: String,
    /// Which game.
    pub variant: Variant,
    /// Who plays X and who plays O.
    pub seats: [Seat; 2],
    /// How many moves were made.
    pub move_count: usize,
    /// When it began.
    pub started: Timestamp,
    /// When it ended, if it has.
    pub ended: Option<Timestamp>,
    /// Who won.
    pub result: Option<Outcome>,
    /// How it ended, if it has.
    pub end: Option<Termination>,
    /// Did a side change hands after the first move?
    pub changed_hands: bool,
    /// The first help that a player had.
    pub assistance: Option<Assistance>,
    /// Do visitors of a server act for its seats?
    pub is_online: bool,
    /// Was it imported? Then it stays, even without a move.
    pub is_imported: bool,
    pub(crate) holder: Option<String>,
    /// The position it began with, if not the usual one, as it is kept.
    pub(crate) start: Option<Vec<u8>>,
}

impl GameSummary {
    /// Does it count in the players' records, once it has a result? Not if a side changed
    /// hands or a player had help.
    #[must_use]
    pub fn is_rated(&self) -> bool {
        !self.changed_hands && self.assistance.is_none()
    }
}

impl Store {
    /// Games, newest first.
    ///
    /// # Errors
    /// A result of the player's is sought but no player, or the file cannot be read.
    pub async fn games(&self, filter: &GameFilter) -> Result<Vec<GameSummary>, StoreError> {
        let mut query = filter.query()?;
        self.with_error_context(async {
            let rows = query.build().fetch_all(self.list_pool()).await?;
            rows.iter().map(GameSummary::from_row).collect()
        })
        .await
    }

    /// The newest games in which a visitor acts for a seat and that go on, at most this many. It
    /// is a short read, and doesn't wait for lists and exports.
    ///
    /// # Errors
    /// The file can't be read.
    pub async fn open_games_of(
        &self,
        sitter: SecretHash,
        limit: u32,
    ) -> Result<Vec<GameSummary>, StoreError> {
        let filter = GameFilter {
            open: Some(true),
            played: true,
            visitor: Some(sitter),
            limit: Some(limit),
            ..GameFilter::default()
        };
        let mut query = filter.query()?;
        self.with_error_context(async {
            let rows = query.build().fetch_all(self.read_pool()).await?;
            rows.iter().map(GameSummary::from_row).collect()
        })
        .await
    }

    /// Has anybody of this name played, or is there a person of this name? A computer's
    /// name counts if it is in a game.
    ///
    /// # Errors
    /// The file cannot be read.
    pub async fn has_played(&self, opponent: &str) -> Result<bool, StoreError> {
        self.with_error_context(async {
            let found: Option<i64> = sqlx::query_scalar(
                "SELECT 1 FROM people WHERE key = $1
                 UNION ALL SELECT 1 FROM games WHERE x_bot IS NOT NULL AND LOWER(x_bot) = $2
                 UNION ALL SELECT 1 FROM games WHERE o_bot IS NOT NULL AND LOWER(o_bot) = $2
                 LIMIT 1",
            )
            .bind(key_of(opponent))
            .bind(opponent.trim().to_lowercase())
            .fetch_optional(self.list_pool())
            .await?;
            Ok(found.is_some())
        })
        .await
    }

    /// Games that go on but that no living program plays, newest first.
    ///
    /// # Errors
    /// The file cannot be read.
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

/// What one arm of a list asks of a side.
#[derive(Clone, Copy)]
enum SideCondition {
    /// The player sits there.
    Player,
    /// The opponent does, a person.
    OpponentPlayer,
    /// The opponent does, a bot; an index leads to its games.
    OpponentBot,
    /// The same, where the player's index leads to the games: it has fewer of them.
    BotAgainstPlayer,
}

impl GameFilter {
    /// The question to the database: games, newest first.
    pub(crate) fn query(&self) -> Result<QueryBuilder<Sqlite>, StoreError> {
        let mut query = QueryBuilder::new("SELECT heads.* FROM (");
        self.push_page(&mut query)?;
        query.push(
            ") AS page JOIN heads ON heads.id = page.id
             ORDER BY page.began DESC, page.id DESC",
        );
        Ok(query)
    }

    /// The same for their numbers alone.
    pub(crate) fn ids_query(&self) -> Result<QueryBuilder<Sqlite>, StoreError> {
        let mut query = QueryBuilder::new("SELECT id FROM (");
        self.push_page(&mut query)?;
        query.push(") AS page ORDER BY began DESC, id DESC");
        Ok(query)
    }

    /// The numbers of the games with their times. Each arm has an index that gives its games
    /// in the order of the list, so that a page costs the same wherever it begins.
    pub(crate) fn push_page(&self, query: &mut QueryBuilder<Sqlite>) -> Result<(), StoreError> {
        for (i, arm) in self.union_arms()?.iter().enumerate() {
            if i > 0 {
                query.push(" UNION ");
            }
            query.push("SELECT id, began FROM games WHERE 1 = 1");
            for &(side, is) in arm {
                self.push_side(query, side, is);
            }
            self.push_common(query);
        }
        query.push(" ORDER BY began DESC, id DESC");
        if let Some(limit) = self.limit {
            query.push(" LIMIT ").push_bind(i64::from(limit));
        }
        Ok(())
    }

    /// The ways in which a game can fit what is asked of player and opponent. An `OR` of them
    /// would have all games of the player sorted for each page.
    fn union_arms(&self) -> Result<Vec<Vec<(Side, SideCondition)>>, StoreError> {
        let won_or_lost = matches!(self.result, Some(ResultFilter::Won | ResultFilter::Lost));
        if won_or_lost && self.player.is_none() {
            let what = "games that were won or lost are somebody's: name a player".into();
            return Err(StoreError::Invalid(what));
        }
        let mut arms = Vec::new();
        for side in Side::BOTH {
            let them = side.other();
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
                        (them, SideCondition::OpponentPlayer),
                    ]);
                    arms.push(vec![
                        (side, SideCondition::Player),
                        (them, SideCondition::BotAgainstPlayer),
                    ]);
                }
            }
        }
        Ok(arms)
    }

    fn push_side(&self, query: &mut QueryBuilder<Sqlite>, side: Side, is: SideCondition) {
        let letter = side.letter();
        let opponent = self.opponent.as_deref().unwrap_or_default();
        let key = match is {
            SideCondition::Player => self.player.as_ref().map_or("", Name::key).to_owned(),
            SideCondition::OpponentPlayer => key_of(opponent),
            SideCondition::OpponentBot | SideCondition::BotAgainstPlayer => {
                if matches!(is, SideCondition::OpponentBot) {
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
        let winner = match (is, self.result) {
            (SideCondition::Player, Some(ResultFilter::Won)) => side,
            (SideCondition::Player, Some(ResultFilter::Lost)) => side.other(),
            _ => return,
        };
        // Not by the index of results: the player has fewer games.
        query.push(" AND COALESCE(result, '') = ");
        query.push_bind(winner.letter().to_string());
    }

    /// What is asked of both sides alike.
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
        if let Some(sitter) = &self.visitor {
            query.push(" AND id IN (SELECT game FROM sitters WHERE token_hash = ");
            query.push_bind(to_hex(sitter)).push(")");
        }
        if let Some(games) = &self.games {
            query.push(" AND id IN (");
            let mut ids = query.separated(", ");
            for game in games {
                ids.push_bind(game.0);
            }
            query.push(")");
        }
        if let Some(before) = self.before {
            // Numbers are given in order of time, imported games aside: where this game was
            // deleted, the list goes on where it was.
            query.push(" AND (began, id) < (SELECT began, ");
            query.push_bind(before.0).push(" FROM games WHERE id <= ");
            query.push_bind(before.0).push(" ORDER BY id DESC LIMIT 1)");
        }
    }
}

/// The key of a person who may be called so; nobody's if it is no name.
fn key_of(text: &str) -> String {
    Name::new(text).map_or_else(|_| String::new(), |name| name.key().into())
}

impl GameSummary {
    /// A row of the view `heads`.
    pub(crate) fn from_row(row: &SqliteRow) -> Result<GameSummary, StoreFailure> {
        let id = GameId(row.try_get("id")?);
        let odd = |what: &str, value: &str| {
            StoreFailure::Corrupt(format!("game {id} has the {what} {value:?}"))
        };
        let variant: String = row.try_get("variant")?;
        let variant = variant.parse().map_err(|_| odd("variant", &variant))?;
        let result: Option<String> = row.try_get("result")?;
        let result = result.map(|word| parse_outcome(&word).ok_or_else(|| odd("result", &word)));
        let end: Option<String> = row.try_get("how")?;
        let end = end.map(|word| word.parse().map_err(|_| odd("end", &word)));
        let assisted: Option<String> = row.try_get("assisted")?;
        let assisted = assisted.map(|word| word.parse().map_err(|_| odd("assisted", &word)));
        let moves: i64 = row.try_get("moves")?;
        let ended: Option<i64> = row.try_get("ended")?;
        Ok(GameSummary {
            id,
            uid: row.try_get("uid")?,
            variant,
            seats: [
                seat_from_columns(
                    row.try_get("x_name")?,
                    row.try_get("x_bot")?,
                    row.try_get("x_guest")?,
                )?,
                seat_from_columns(
                    row.try_get("o_name")?,
                    row.try_get("o_bot")?,
                    row.try_get("o_guest")?,
                )?,
            ],
            move_count: usize::try_from(moves).unwrap_or_default(),
            started: Timestamp::from_millis(row.try_get("began")?),
            ended: ended.map(Timestamp::from_millis),
            result: result.transpose()?,
            end: end.transpose()?,
            changed_hands: row.try_get("handed")?,
            assistance: assisted.transpose()?,
            is_online: row.try_get("claimed")?,
            is_imported: row.try_get("imported")?,
            holder: row.try_get("holder")?,
            start: row.try_get("start")?,
        })
    }
}

/// A seat as the database has it.
pub(crate) fn seat_from_columns(
    person: Option<String>,
    bot: Option<String>,
    is_guest: bool,
) -> Result<Seat, StoreFailure> {
    Ok(match (person, bot) {
        (Some(name), _) => Seat::Player(parse_stored_name(&name)?),
        (None, Some(bot)) => Seat::Bot(bot),
        (None, None) if is_guest => Seat::Guest,
        (None, None) => Seat::Deleted,
    })
}

/// A name as the database has it.
pub(crate) fn parse_stored_name(text: &str) -> Result<Name, StoreFailure> {
    Name::from_stored(text)
        .map_err(|error| StoreFailure::Corrupt(format!("a player is called {text:?}: {error}")))
}

/// The outcome that this word names.
pub(crate) fn parse_outcome(word: &str) -> Option<Outcome> {
    let all = [Outcome::Win(Side::X), Outcome::Win(Side::O), Outcome::Draw];
    all.into_iter().find(|outcome| outcome.as_str() == word)
}
