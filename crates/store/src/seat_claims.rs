//! Who may act for the seats of a game: visitors, known by what their secret hashes
//! to, and guests who are still awaited. What a secret is and how it travels is not
//! known here.

use noughts_rules::Side;
use sqlx::SqliteConnection;

use crate::error::{StoreError, StoreFailure};
use crate::games::{self, GameId, NewGame};
use crate::process::{is_uid, random_uid, to_hex};
use crate::seat::Seat;
use crate::store::Store;
use crate::timestamp::Timestamp;

/// Unplayed games that are forgotten by one piece of work.
const DELETE_BATCH: usize = 50;

/// What somebody's secret hashes to.
pub type SecretHash = [u8; 32];

/// An invitation to take a seat. The code itself isn't stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Invite {
    /// What the code hashes to.
    pub code_hash: SecretHash,
    /// The code, encrypted with something that only the visitor who made the game has:
    /// they can be shown the link again. Invitations of earlier versions have none.
    pub encrypted_code: Option<[u8; 16]>,
}

/// Who may act for the seats of a game, and what else is known of it beside the moves.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct SeatClaims {
    /// How many times something else than a move has changed the game.
    pub changes: u64,
    /// Who acts for X and for O, also where a bot plays.
    pub visitors: [Option<SecretHash>; 2],
    /// A seat that waits for whoever has the code.
    pub invites: [Option<Invite>; 2],
    /// The `uid` of the game that the same players began after this one.
    pub rematch: Option<String>,
}

/// A game about to begin, with those who act for its seats.
#[derive(Clone, PartialEq, Debug)]
pub struct NewOnlineGame {
    /// What it is to be known by; [`Store::new_uid`] makes one.
    pub uid: String,
    /// The game.
    pub game: NewGame,
    /// Who acts for X and for O.
    pub visitors: [Option<SecretHash>; 2],
    /// A seat that waits for whoever has the code.
    pub invites: [Option<Invite>; 2],
    /// The game that it follows.
    pub rematch_of: Option<GameId>,
}

impl Store {
    /// What a new game can be known by everywhere: 128 random bits.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub fn new_uid() -> Result<String, StoreError> {
        random_uid()
    }

    /// The number of the game that is known by this everywhere.
    ///
    /// # Errors
    /// The file cannot be read.
    pub async fn find_game(&self, uid: &str) -> Result<Option<GameId>, StoreError> {
        if !is_uid(uid) {
            return Ok(None);
        }
        self.with_error_context(async {
            let found: Option<i64> = sqlx::query_scalar("SELECT id FROM games WHERE uid = $1")
                .bind(uid)
                .fetch_optional(self.read_pool())
                .await?;
            Ok(found.map(GameId))
        })
        .await
    }

    /// Begins a game as [`Store::begin`] does, with those who act for its seats.
    ///
    /// # Errors
    /// One person in both seats, a start that is no position, a game that is followed
    /// already, or no writing.
    pub async fn create_online_game(&self, new: &NewOnlineGame) -> Result<GameId, StoreError> {
        let about = (new.clone(), games::canonical_start(&new.game)?);
        self.submit_write(about, |store, (new, start), writing| {
            Box::pin(insert_online_game(store, new, start.as_deref(), writing))
        })
        .await
    }

    /// Who may act for the seats of a game; nothing if there is no such game.
    ///
    /// # Errors
    /// The file cannot be read.
    pub async fn seat_claims(&self, game: GameId) -> Result<Option<SeatClaims>, StoreError> {
        self.with_error_context(async {
            let mut reading = self.read_pool().begin().await?;
            let head: Option<(i64, Option<String>)> =
                sqlx::query_as("SELECT changes, next FROM games WHERE id = $1")
                    .bind(game.0)
                    .fetch_optional(&mut *reading)
                    .await?;
            let Some((changes, next)) = head else {
                return Ok(None);
            };
            let mut claims = SeatClaims {
                changes: changes.unsigned_abs(),
                rematch: next,
                ..SeatClaims::default()
            };
            claims.visitors = visitors(&mut reading, game).await?;
            claims.invites = invites(&mut reading, game).await?;
            Ok(Some(claims))
        })
        .await
    }

    /// Gives a side to somebody else as [`Store::reseat`] does, and lets this visitor
    /// act for it from now on. Nobody is awaited there any more.
    ///
    /// # Errors
    /// One person in both seats, the game has ended or is played by another
    /// program, or no writing.
    pub async fn reseat_visitor(
        &self,
        game: GameId,
        side: Side,
        seat: &Seat,
        sitter: &SecretHash,
    ) -> Result<(), StoreError> {
        let about = (game, side, seat.clone(), *sitter);
        self.submit_write(about, |store, (game, side, seat, sitter), writing| {
            Box::pin(async move {
                let (game, side) = (*game, *side);
                store.set_seat(writing, game, side, seat).await?;
                games::increment_changes(writing, game).await?;
                sqlx::query("DELETE FROM invites WHERE game = $1 AND side = $2")
                    .bind(game.0)
                    .bind(side.letter().to_string())
                    .execute(&mut *writing)
                    .await?;
                set_visitor(writing, game, side, sitter).await
            })
        })
        .await
    }

    /// Forgets the games that visitors made before `moment`, in which no move was ever
    /// made and which nobody has open; those to which a guest is invited only where
    /// they were made before `invited`. Says how many.
    ///
    /// # Errors
    /// No writing.
    pub async fn delete_unplayed_games(
        &self,
        moment: Timestamp,
        invited: Timestamp,
    ) -> Result<u64, StoreError> {
        let found: Vec<(i64, Option<String>)> = self
            .with_error_context(async {
                Ok(sqlx::query_as(
                    "SELECT id, holder FROM heads
                     WHERE ended IS NULL AND claimed AND moves = 0 AND NOT imported
                     AND began < CASE WHEN EXISTS (SELECT 1 FROM invites WHERE game = heads.id)
                                 THEN $2 ELSE $1 END",
                )
                .bind(moment.as_millis())
                .bind(invited.as_millis())
                .fetch_all(self.list_pool())
                .await?)
            })
            .await?;
        let is_held = |holder: String| self.process().is_alive(&holder);
        let left = found
            .into_iter()
            .filter(|(_, holder)| !holder.clone().is_some_and(is_held));
        let left: Vec<i64> = left.map(|(id, _)| id).collect();
        // A few at a time, so that no move waits for all of them.
        let mut gone = 0;
        for some in left.chunks(DELETE_BATCH) {
            gone += self
                .submit_write(some.to_vec(), |store, some, writing| {
                    Box::pin(delete_unplayed(store, some, writing))
                })
                .await?;
        }
        Ok(gone)
    }
}

/// Forgets those games that still have no move and that nobody has opened meanwhile.
async fn delete_unplayed(
    store: &Store,
    games: &[i64],
    writing: &mut SqliteConnection,
) -> Result<u64, StoreFailure> {
    let mut gone = 0;
    for &id in games {
        let holder: Option<Option<String>> =
            sqlx::query_scalar("SELECT holder FROM games WHERE id = $1")
                .bind(id)
                .fetch_optional(&mut *writing)
                .await?;
        let is_held = |holder: String| store.process().is_alive(&holder);
        if holder.flatten().is_some_and(is_held) {
            continue;
        }
        let done = sqlx::query(
            "DELETE FROM games WHERE id = $1 AND ended IS NULL
             AND NOT EXISTS (SELECT 1 FROM moves WHERE moves.game = games.id)",
        )
        .bind(id)
        .execute(&mut *writing)
        .await?;
        gone += done.rows_affected();
    }
    Ok(gone)
}

async fn insert_online_game(
    store: &Store,
    new: &NewOnlineGame,
    start: Option<&str>,
    writing: &mut SqliteConnection,
) -> Result<GameId, StoreFailure> {
    let row = games::NewGameRow {
        uid: &new.uid,
        variant: new.game.variant,
        start,
        seats: &new.game.seats,
        started: Timestamp::now(),
        ended: None,
        changed_hands: false,
        assistance: None,
        imported: false,
        holder: Some(store.process().uid()),
    };
    let id = row.insert(writing).await?;
    for side in Side::BOTH {
        if let Some(hash) = &new.visitors[side as usize] {
            set_visitor(writing, id, side, hash).await?;
        }
        if let Some(invite) = &new.invites[side as usize] {
            let sql = "INSERT INTO invites (game, side, code_hash, sealed) VALUES ($1, $2, $3, $4)";
            sqlx::query(sql)
                .bind(id.0)
                .bind(side.letter().to_string())
                .bind(to_hex(&invite.code_hash))
                .bind(invite.encrypted_code.map(|sealed| to_hex(&sealed)))
                .execute(&mut *writing)
                .await?;
        }
    }
    if let Some(game) = new.rematch_of {
        let followed = "UPDATE games SET next = $1 WHERE id = $2 AND next IS NULL";
        let done = sqlx::query(followed)
            .bind(&new.uid)
            .bind(game.0)
            .execute(writing)
            .await?;
        if done.rows_affected() == 0 {
            let what = "is followed by another game already".into();
            return Err(StoreError::Conflict { game, what }.into());
        }
    }
    Ok(id)
}

async fn set_visitor(
    connection: &mut SqliteConnection,
    game: GameId,
    side: Side,
    hash: &SecretHash,
) -> Result<(), StoreFailure> {
    sqlx::query(
        "INSERT INTO sitters (game, side, token_hash) VALUES ($1, $2, $3)
         ON CONFLICT (game, side) DO UPDATE SET token_hash = excluded.token_hash",
    )
    .bind(game.0)
    .bind(side.letter().to_string())
    .bind(to_hex(hash))
    .execute(connection)
    .await?;
    Ok(())
}

/// Who acts for a game's sides.
async fn visitors(
    connection: &mut SqliteConnection,
    game: GameId,
) -> Result<[Option<SecretHash>; 2], StoreFailure> {
    let rows: Vec<(String, String)> =
        sqlx::query_as("SELECT side, token_hash FROM sitters WHERE game = $1")
            .bind(game.0)
            .fetch_all(connection)
            .await?;
    let mut found = [None; 2];
    for (letter, hash) in rows {
        let hash = parse_hex(&hash).ok_or_else(|| corrupt_seat(game))?;
        found[parse_side(&letter, game)? as usize] = Some(hash);
    }
    Ok(found)
}

/// The invitations to a game's sides.
async fn invites(
    connection: &mut SqliteConnection,
    game: GameId,
) -> Result<[Option<Invite>; 2], StoreFailure> {
    let rows: Vec<(String, String, Option<String>)> =
        sqlx::query_as("SELECT side, code_hash, sealed FROM invites WHERE game = $1")
            .bind(game.0)
            .fetch_all(connection)
            .await?;
    let mut found = [None; 2];
    for (letter, code, sealed) in rows {
        let sealed = sealed.map(|sealed| parse_hex(&sealed).ok_or_else(|| corrupt_seat(game)));
        found[parse_side(&letter, game)? as usize] = Some(Invite {
            code_hash: parse_hex(&code).ok_or_else(|| corrupt_seat(game))?,
            encrypted_code: sealed.transpose()?,
        });
    }
    Ok(found)
}

fn corrupt_seat(game: GameId) -> StoreFailure {
    StoreFailure::Corrupt(format!("game {game} has a seat that is nobody's"))
}

fn parse_side(letter: &str, game: GameId) -> Result<Side, StoreFailure> {
    let mut sides = Side::BOTH.into_iter();
    let side = sides.find(|side| letter == side.letter().to_string());
    side.ok_or_else(|| corrupt_seat(game))
}

/// Bytes from their hexadecimal digits.
pub(crate) fn parse_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    if text.len() != 2 * N || !text.is_ascii() {
        return None;
    }
    for (byte, digits) in bytes.iter_mut().zip(text.as_bytes().chunks(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    }
    Some(bytes)
}
