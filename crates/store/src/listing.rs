//! Lists of games: which ones are wanted, and what is told of each.

use noughts_rules::{Outcome, Player, Variant};
use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Row, Sqlite};

use crate::end::End;
use crate::error::{StoreError, Trouble};
use crate::games::GameId;
use crate::name::Name;
use crate::running::hexadecimal;
use crate::seat::Seat;
use crate::sitters::SecretHash;
use crate::store::Store;
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
pub struct Filter {
    /// Only games of this person.
    pub player: Option<Name>,
    /// Only games with this person or bot (against the player, if one is given).
    pub opponent: Option<String>,
    /// Only this game.
    pub variant: Option<Variant>,
    /// Only this result.
    pub result: Option<Sought>,
    /// Only games that go on (`Some(true)`) or have ended (`Some(false)`).
    pub open: Option<bool>,
    /// Only games in which somebody has done something: made a move, or come to a
    /// result.
    pub played: bool,
    /// Only games in which this visitor acts for a seat.
    pub sitter: Option<SecretHash>,
    /// Only these.
    pub games: Option<Vec<GameId>>,
    /// Only those that a list has behind this one: the next page.
    pub before: Option<GameId>,
    /// At most so many, the newest.
    pub limit: Option<u32>,
}

/// A result to look for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sought {
    /// The player won.
    Won,
    /// The player lost.
    Lost,
    /// This side won, or nobody did.
    Is(Outcome),
}

/// A game in a list: all but its moves.
#[derive(Clone, PartialEq, Debug)]
pub struct Listed {
    /// Its number here.
    pub id: GameId,
    /// What it is known by everywhere.
    pub uid: String,
    /// Which game.
    pub variant: Variant,
    /// Who plays X and who plays O.
    pub seats: [Seat; 2],
    /// How many moves were made.
    pub moves: usize,
    /// When it began.
    pub began: Timestamp,
    /// When it ended, if it has.
    pub ended: Option<Timestamp>,
    /// Who won.
    pub result: Option<Outcome>,
    /// How it ended, if it has.
    pub end: Option<End>,
    /// Did a side change hands after the first move?
    pub handed: bool,
    /// Do visitors of a server act for its seats?
    pub claimed: bool,
    pub(crate) holder: Option<String>,
    /// The position it began with, if not the usual one, as it is kept.
    pub(crate) start: Option<Vec<u8>>,
}

impl Store {
    /// Games, newest first.
    ///
    /// # Errors
    /// A result of the player's is sought but no player, or the file cannot be read.
    pub async fn games(&self, filter: &Filter) -> Result<Vec<Listed>, StoreError> {
        let mut query = filter.query()?;
        self.told(async {
            let rows = query.build().fetch_all(self.pool()).await?;
            rows.iter().map(Listed::read).collect()
        })
        .await
    }

    /// Has anybody of this name played, or is there a person of this name? A computer's
    /// name counts if it is in a game.
    ///
    /// # Errors
    /// The file cannot be read.
    pub async fn has_played(&self, opponent: &str) -> Result<bool, StoreError> {
        self.told(async {
            let found: Option<i64> = sqlx::query_scalar(
                "SELECT 1 FROM people WHERE key = $1
                 UNION ALL SELECT 1 FROM games WHERE LOWER(x_bot) = $2 OR LOWER(o_bot) = $2
                 LIMIT 1",
            )
            .bind(key_of(opponent))
            .bind(opponent.trim().to_lowercase())
            .fetch_optional(self.pool())
            .await?;
            Ok(found.is_some())
        })
        .await
    }

    /// Games that go on but that no living program plays, newest first.
    ///
    /// # Errors
    /// The file cannot be read.
    pub async fn resumable(&self) -> Result<Vec<Listed>, StoreError> {
        let filter = Filter {
            open: Some(true),
            ..Filter::default()
        };
        let mut games = self.games(&filter).await?;
        games.retain(|game| {
            let holder = game.holder.as_deref();
            !holder.is_some_and(|holder| self.program().is_alive(holder))
        });
        Ok(games)
    }
}

impl Filter {
    /// The question to the database.
    pub(crate) fn query(&self) -> Result<QueryBuilder<Sqlite>, StoreError> {
        let mut query = QueryBuilder::new("SELECT * FROM heads WHERE 1 = 1");
        self.ask_for_seats(&mut query)?;
        if let Some(variant) = self.variant {
            query.push(" AND variant = ").push_bind(variant.to_string());
        }
        if let Some(Sought::Is(outcome)) = self.result {
            query.push(" AND result = ").push_bind(outcome.word());
        }
        match self.open {
            Some(true) => drop(query.push(" AND ended IS NULL")),
            Some(false) => drop(query.push(" AND ended IS NOT NULL")),
            None => {}
        }
        if self.played {
            query.push(
                " AND (result IS NOT NULL
                       OR EXISTS (SELECT 1 FROM moves WHERE moves.game = heads.id))",
            );
        }
        if let Some(sitter) = &self.sitter {
            query.push(" AND id IN (SELECT game FROM sitters WHERE token_hash = ");
            query.push_bind(hexadecimal(sitter)).push(")");
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
            query.push(" AND (began, id) < (SELECT began, id FROM games WHERE id = ");
            query.push_bind(before.0).push(")");
        }
        query.push(" ORDER BY began DESC, id DESC");
        if let Some(limit) = self.limit {
            query.push(" LIMIT ").push_bind(i64::from(limit));
        }
        Ok(query)
    }

    /// One of the sides fits all that is asked of the player and the opponent.
    fn ask_for_seats(&self, query: &mut QueryBuilder<Sqlite>) -> Result<(), StoreError> {
        let won_or_lost = matches!(self.result, Some(Sought::Won | Sought::Lost));
        if won_or_lost && self.player.is_none() {
            let what = "games that were won or lost are somebody's: name a player".into();
            return Err(StoreError::Unfit(what));
        }
        if self.player.is_none() && self.opponent.is_none() {
            return Ok(());
        }
        query.push(" AND (");
        for (i, side) in Player::BOTH.into_iter().enumerate() {
            query.push(if i == 0 { "(1 = 1" } else { " OR (1 = 1" });
            if let Some(player) = &self.player {
                let mine = side.letter();
                query.push(format!(
                    " AND {mine}_person = (SELECT id FROM people WHERE key = "
                ));
                query.push_bind(player.key().to_owned()).push(")");
            }
            if let Some(opponent) = &self.opponent {
                let theirs = side.other().letter();
                query.push(format!(" AND (LOWER({theirs}_bot) = "));
                query.push_bind(opponent.trim().to_lowercase());
                query.push(format!(
                    " OR {theirs}_person = (SELECT id FROM people WHERE key = "
                ));
                query.push_bind(key_of(opponent)).push("))");
            }
            match self.result {
                Some(Sought::Won) => drop(
                    query
                        .push(" AND result = ")
                        .push_bind(side.letter().to_string()),
                ),
                Some(Sought::Lost) => {
                    let winner = side.other().letter().to_string();
                    query.push(" AND result = ").push_bind(winner);
                }
                _ => {}
            }
            query.push(")");
        }
        query.push(")");
        Ok(())
    }
}

/// The key of a person who may be called so; nobody's if it is no name.
fn key_of(text: &str) -> String {
    Name::new(text).map_or_else(|_| String::new(), |name| name.key().into())
}

impl Listed {
    /// A row of the view `heads`.
    pub(crate) fn read(row: &SqliteRow) -> Result<Listed, Trouble> {
        let id = GameId(row.try_get("id")?);
        let odd =
            |what: &str, value: &str| Trouble::Odd(format!("game {id} has the {what} {value:?}"));
        let variant: String = row.try_get("variant")?;
        let variant = variant.parse().map_err(|_| odd("variant", &variant))?;
        let result: Option<String> = row.try_get("result")?;
        let result = result.map(|word| outcome(&word).ok_or_else(|| odd("result", &word)));
        let end: Option<String> = row.try_get("how")?;
        let end = end.map(|word| word.parse().map_err(|_| odd("end", &word)));
        let moves: i64 = row.try_get("moves")?;
        let ended: Option<i64> = row.try_get("ended")?;
        Ok(Listed {
            id,
            uid: row.try_get("uid")?,
            variant,
            seats: [
                seat(
                    row.try_get("x_name")?,
                    row.try_get("x_bot")?,
                    row.try_get("x_guest")?,
                )?,
                seat(
                    row.try_get("o_name")?,
                    row.try_get("o_bot")?,
                    row.try_get("o_guest")?,
                )?,
            ],
            moves: usize::try_from(moves).unwrap_or_default(),
            began: Timestamp::from_millis(row.try_get("began")?),
            ended: ended.map(Timestamp::from_millis),
            result: result.transpose()?,
            end: end.transpose()?,
            handed: row.try_get("handed")?,
            claimed: row.try_get("claimed")?,
            holder: row.try_get("holder")?,
            start: row.try_get("start")?,
        })
    }
}

/// A seat as the database has it.
pub(crate) fn seat(
    person: Option<String>,
    bot: Option<String>,
    is_guest: bool,
) -> Result<Seat, Trouble> {
    Ok(match (person, bot) {
        (Some(name), _) => Seat::Person(name_of(&name)?),
        (None, Some(bot)) => Seat::Bot(bot),
        (None, None) if is_guest => Seat::Guest,
        (None, None) => Seat::Deleted,
    })
}

/// A name as the database has it.
pub(crate) fn name_of(text: &str) -> Result<Name, Trouble> {
    Name::kept(text).map_err(|error| Trouble::Odd(format!("a player is called {text:?}: {error}")))
}

/// The outcome that this word names.
pub(crate) fn outcome(word: &str) -> Option<Outcome> {
    let all = [
        Outcome::Win(Player::X),
        Outcome::Win(Player::O),
        Outcome::Draw,
    ];
    all.into_iter().find(|outcome| outcome.word() == word)
}
