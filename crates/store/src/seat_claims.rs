//! Who controls the seats of online games: visitors, identified by the hash of a secret, and open
//! invitations. What the secrets are is defined elsewhere.

use noughts_rules::Side;
use sqlx::SqliteConnection;

use crate::error::{RawResult, RawStoreError, StoreError};
use crate::games::{GameId, NewGame, NewGameRow};
use crate::process::{is_uid, random_uid};
use crate::store::Store;
use crate::timestamp::Timestamp;

/// Unplayed games deleted per transaction.
const DELETE_BATCH: usize = 50;

/// The hash of a secret.
pub type SecretHash = [u8; 32];

/// An invitation to take a seat. The code itself isn't stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Invite {
    /// The hash of the code.
    pub code_hash: SecretHash,
    /// The code, encrypted with a key that only the visitor who created the game has, to show them
    /// the link again. Invitations of earlier versions have none.
    pub encrypted_code: Option<[u8; 16]>,
}

/// Who controls the seats of a game, and other data of online games.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct SeatClaims {
    /// The number of changes other than moves.
    pub changes: u64,
    /// Who controls X and O, including seats of bots.
    pub visitors: [Option<SecretHash>; 2],
    /// Open invitations for X and O.
    pub invites: [Option<Invite>; 2],
    /// The `uid` of the rematch.
    pub rematch: Option<String>,
}

/// An online game to be created.
#[derive(Clone, PartialEq, Debug)]
pub struct NewOnlineGame {
    /// Its globally unique ID, from [`Store::new_uid`].
    pub uid: String,
    /// The game.
    pub game: NewGame,
    /// Who controls X and O.
    pub visitors: [Option<SecretHash>; 2],
    /// Open invitations for X and O.
    pub invites: [Option<Invite>; 2],
    /// The game of which this is a rematch.
    pub rematch_of: Option<GameId>,
}

impl Store {
    /// Creates a globally unique ID for a game: 128 random bits.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub fn new_uid() -> Result<String, StoreError> {
        random_uid()
    }

    /// The ID of the game with this `uid`.
    ///
    /// # Errors
    /// The file can't be read.
    pub async fn find_game(&self, uid: &str) -> Result<Option<GameId>, StoreError> {
        if !is_uid(uid) {
            return Ok(None);
        }
        self.with_error_context(async {
            let sql = "SELECT id FROM games WHERE uid = $1";
            let found: Option<(i64,)> = fetch_optional!(self.read_pool(), sql, uid)?;
            Ok(found.map(|(id,)| GameId(id)))
        })
        .await
    }

    /// Creates a game like [`Store::create_game`], with the visitors who control its seats.
    ///
    /// # Errors
    /// One player has both seats, the start isn't a valid position, the preceding game already has
    /// a rematch, or the file can't be written.
    pub async fn create_online_game(&self, new: &NewOnlineGame) -> Result<GameId, StoreError> {
        let row = NewGameRow::new(&new.game, new.uid.clone(), self)?;
        let new = new.clone();
        self.submit_write(async move |_, tx| insert_online_game(&new, &row, tx).await)
            .await
    }

    /// Who controls the seats of a game; `None` if the game doesn't exist.
    ///
    /// # Errors
    /// The file can't be read.
    pub async fn seat_claims(&self, game: GameId) -> Result<Option<SeatClaims>, StoreError> {
        self.with_error_context(async {
            let mut tx = self.read_pool().begin().await?;
            let sql = "SELECT changes, next FROM games WHERE id = $1";
            let row: Option<(i64, Option<String>)> = fetch_optional!(&mut *tx, sql, game.0)?;
            let Some((changes, rematch)) = row else {
                return Ok(None);
            };
            let mut claims = SeatClaims {
                changes: changes.unsigned_abs(),
                rematch,
                ..SeatClaims::default()
            };
            claims.visitors = visitors(&mut tx, game).await?;
            claims.invites = invites(&mut tx, game).await?;
            Ok(Some(claims))
        })
        .await
    }

    /// Deletes online games without moves that were created before `cutoff` and that no process
    /// holds; games with an open invitation only if they were created before `invited_cutoff`.
    /// Returns how many.
    ///
    /// # Errors
    /// The file can't be written.
    pub async fn delete_unplayed_games(
        &self,
        cutoff: Timestamp,
        invited_cutoff: Timestamp,
    ) -> Result<u64, StoreError> {
        let found: Vec<(i64, Option<String>)> = self
            .with_error_context(async {
                let sql = "SELECT id, holder FROM heads
                     WHERE ended IS NULL AND claimed AND moves = 0 AND NOT imported
                     AND began < CASE WHEN EXISTS (SELECT 1 FROM invites WHERE game = heads.id)
                                 THEN $2 ELSE $1 END";
                let (cutoff, invited) = (cutoff.as_millis(), invited_cutoff.as_millis());
                Ok(fetch_all!(self.list_pool(), sql, cutoff, invited)?)
            })
            .await?;
        let is_held = |holder: String| self.process().is_alive(&holder);
        let unheld = found
            .into_iter()
            .filter(|(_, holder)| !holder.clone().is_some_and(is_held));
        let unheld: Vec<i64> = unheld.map(|(id, _)| id).collect();
        // A few at a time, so that no move waits for all of them.
        let mut deleted = 0;
        for batch in unheld.chunks(DELETE_BATCH) {
            let batch = batch.to_vec();
            deleted += self
                .submit_write(async move |store, tx| delete_unplayed(store, &batch, tx).await)
                .await?;
        }
        Ok(deleted)
    }
}

/// Deletes those games that still have no moves and that no process has acquired meanwhile.
async fn delete_unplayed(
    store: &Store,
    games: &[i64],
    tx: &mut SqliteConnection,
) -> RawResult<u64> {
    let mut total = 0;
    for &id in games {
        let sql = "SELECT holder FROM games WHERE id = $1 AND holder IS NOT NULL";
        let held: Option<(String,)> = fetch_optional!(&mut *tx, sql, id)?;
        if held.is_some_and(|(holder,)| store.process().is_alive(&holder)) {
            continue;
        }
        let sql = "DELETE FROM games WHERE id = $1 AND ended IS NULL
             AND NOT EXISTS (SELECT 1 FROM moves WHERE moves.game = games.id)";
        let deleted = execute!(&mut *tx, sql, id)?;
        total += deleted;
    }
    Ok(total)
}

async fn insert_online_game(
    new: &NewOnlineGame,
    row: &NewGameRow,
    tx: &mut SqliteConnection,
) -> RawResult<GameId> {
    let id = row.insert(tx).await?;
    for side in Side::BOTH {
        if let Some(hash) = &new.visitors[side as usize] {
            set_visitor(tx, id, side, hash).await?;
        }
        if let Some(invite) = &new.invites[side as usize] {
            let sql = "INSERT INTO invites (game, side, code_hash, sealed) VALUES ($1, $2, $3, $4)";
            let (side, code) = (side.letter().to_string(), hex::encode(invite.code_hash));
            let sealed = invite.encrypted_code.map(hex::encode);
            execute!(&mut *tx, sql, id.0, side, code, sealed)?;
        }
    }
    if let Some(game) = new.rematch_of {
        let sql = "UPDATE games SET next = $1 WHERE id = $2 AND next IS NULL";
        let updated = execute!(tx, sql, &new.uid, game.0)?;
        if updated == 0 {
            let what = "already has a rematch".into();
            return Err(StoreError::Conflict { game, what }.into());
        }
    }
    Ok(id)
}

/// Gives control of a side to a visitor.
pub(crate) async fn set_visitor(
    connection: &mut SqliteConnection,
    game: GameId,
    side: Side,
    hash: &SecretHash,
) -> RawResult<()> {
    let sql = "INSERT INTO sitters (game, side, token_hash) VALUES ($1, $2, $3)
         ON CONFLICT (game, side) DO UPDATE SET token_hash = excluded.token_hash";
    let (side, hash) = (side.letter().to_string(), hex::encode(hash));
    execute!(connection, sql, game.0, side, hash)?;
    Ok(())
}

/// The visitors who control a game's sides.
async fn visitors(
    connection: &mut SqliteConnection,
    game: GameId,
) -> RawResult<[Option<SecretHash>; 2]> {
    let sql = "SELECT side, token_hash FROM sitters WHERE game = $1";
    let rows: Vec<(String, String)> = fetch_all!(connection, sql, game.0)?;
    let mut found = [None; 2];
    for (letter, hash) in rows {
        let hash = parse_hex(&hash).ok_or_else(|| corrupt_seat(game))?;
        found[parse_side(&letter, game)? as usize] = Some(hash);
    }
    Ok(found)
}

/// The invitations for a game's sides.
async fn invites(
    connection: &mut SqliteConnection,
    game: GameId,
) -> RawResult<[Option<Invite>; 2]> {
    let sql = "SELECT side, code_hash, sealed FROM invites WHERE game = $1";
    let rows: Vec<(String, String, Option<String>)> = fetch_all!(connection, sql, game.0)?;
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

fn corrupt_seat(game: GameId) -> RawStoreError {
    RawStoreError::Corrupt(format!("game {game} has an invalid seat"))
}

fn parse_side(letter: &str, game: GameId) -> RawResult<Side> {
    let mut sides = Side::BOTH.into_iter();
    let side = sides.find(|side| letter == side.letter().to_string());
    side.ok_or_else(|| corrupt_seat(game))
}

/// Parses hexadecimal digits.
pub(crate) fn parse_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    hex::decode_to_slice(text, &mut bytes).ok()?;
    Some(bytes)
}
