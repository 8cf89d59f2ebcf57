//! Lists of games: which ones are wanted, and what is told of each.

use noughts_rules::{Outcome, Player, Variant};
use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Row, Sqlite};

use crate::assistance::Assistance;
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
    /// Only those that a list has behind this one: the next page. Where the game was
    /// deleted meanwhile, its number is enough.
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
    /// The first help that a player had.
    pub assisted: Option<Assistance>,
    /// Do visitors of a server act for its seats?
    pub claimed: bool,
    /// Was it imported? Then it stays, even without a move.
    pub imported: bool,
    pub(crate) holder: Option<String>,
    /// The position it began with, if not the usual one, as it is kept.
    pub(crate) start: Option<Vec<u8>>,
}

impl Listed {
    /// Does it count in the players' records, once it has a result? Not if a side changed
    /// hands or a player had help.
    #[must_use]
    pub fn is_rated(&self) -> bool {
        !self.handed && self.assisted.is_none()
    }
}

impl Store {
    /// Games, newest first.
    ///
    /// # Errors
    /// A result of the player's is sought but no player, or the file cannot be read.
    pub async fn games(&self, filter: &Filter) -> Result<Vec<Listed>, StoreError> {
        let mut query = filter.query()?;
        self.told(async {
            let rows = query.build().fetch_all(self.lists()).await?;
            rows.iter().map(Listed::read).collect()
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
    ) -> Result<Vec<Listed>, StoreError> {
        let filter = Filter {
            open: Some(true),
            played: true,
            sitter: Some(sitter),
            limit: Some(limit),
            ..Filter::default()
        };
        let mut query = filter.query()?;
        self.told(async {
            let rows = query.build().fetch_all(self.reader()).await?;
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
                 UNION ALL SELECT 1 FROM games WHERE x_bot IS NOT NULL AND LOWER(x_bot) = $2
                 UNION ALL SELECT 1 FROM games WHERE o_bot IS NOT NULL AND LOWER(o_bot) = $2
                 LIMIT 1",
            )
            .bind(key_of(opponent))
            .bind(opponent.trim().to_lowercase())
            .fetch_optional(self.lists())
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

/// What one arm of a list asks of a side.
#[derive(Clone, Copy)]
enum SideIs {
    /// The player sits there.
    Player,
    /// The opponent does, a person.
    Person,
    /// The opponent does, a bot; an index leads to its games.
    Bot,
    /// The same, where the player's index leads to the games: it has fewer of them.
    BotOfPlayer,
}

impl Filter {
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
        for (i, arm) in self.arms()?.iter().enumerate() {
            if i > 0 {
                query.push(" UNION ");
            }
            query.push("SELECT id, began FROM games WHERE 1 = 1");
            for &(side, is) in arm {
                self.push_side(query, side, is);
            }
            self.push_rest(query);
        }
        query.push(" ORDER BY began DESC, id DESC");
        if let Some(limit) = self.limit {
            query.push(" LIMIT ").push_bind(i64::from(limit));
        }
        Ok(())
    }

    /// The ways in which a game can fit what is asked of player and opponent. An `OR` of them
    /// would have all games of the player sorted for each page.
    fn arms(&self) -> Result<Vec<Vec<(Player, SideIs)>>, StoreError> {
        let won_or_lost = matches!(self.result, Some(Sought::Won | Sought::Lost));
        if won_or_lost && self.player.is_none() {
            let what = "games that were won or lost are somebody's: name a player".into();
            return Err(StoreError::Unfit(what));
        }
        let mut arms = Vec::new();
        for side in Player::BOTH {
            let them = side.other();
            match (&self.player, &self.opponent) {
                (None, None) => return Ok(vec![Vec::new()]),
                (Some(_), None) => arms.push(vec![(side, SideIs::Player)]),
                (None, Some(_)) => {
                    arms.push(vec![(side, SideIs::Person)]);
                    arms.push(vec![(side, SideIs::Bot)]);
                }
                (Some(_), Some(_)) => {
                    arms.push(vec![(side, SideIs::Player), (them, SideIs::Person)]);
                    arms.push(vec![(side, SideIs::Player), (them, SideIs::BotOfPlayer)]);
                }
            }
        }
        Ok(arms)
    }

    fn push_side(&self, query: &mut QueryBuilder<Sqlite>, side: Player, is: SideIs) {
        let letter = side.letter();
        let opponent = self.opponent.as_deref().unwrap_or_default();
        let key = match is {
            SideIs::Player => self.player.as_ref().map_or("", Name::key).to_owned(),
            SideIs::Person => key_of(opponent),
            SideIs::Bot | SideIs::BotOfPlayer => {
                if matches!(is, SideIs::Bot) {
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
            (SideIs::Player, Some(Sought::Won)) => side,
            (SideIs::Player, Some(Sought::Lost)) => side.other(),
            _ => return,
        };
        // Not by the index of results: the player has fewer games.
        query.push(" AND COALESCE(result, '') = ");
        query.push_bind(winner.letter().to_string());
    }

    /// What is asked of both sides alike.
    fn push_rest(&self, query: &mut QueryBuilder<Sqlite>) {
        if let Some(variant) = self.variant {
            query.push(" AND variant = ").push_bind(variant.to_string());
        }
        if let Some(Sought::Is(outcome)) = self.result {
            query.push(match (&self.player, &self.opponent) {
                (None, None) => " AND result = ",
                _ => " AND COALESCE(result, '') = ",
            });
            query.push_bind(outcome.word());
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
        let assisted: Option<String> = row.try_get("assisted")?;
        let assisted = assisted.map(|word| word.parse().map_err(|_| odd("assisted", &word)));
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
            assisted: assisted.transpose()?,
            claimed: row.try_get("claimed")?,
            imported: row.try_get("imported")?,
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
