//! What happens in a game: begun, moved in, taken back, handed over, ended.

use noughts_rules::{Outcome, Side};
use sqlx::SqliteConnection;

use crate::assistance::Assistance;
use crate::error::{StoreError, StoreFailure};
use crate::games::{
    GameId, NewGame, NewGameRow, StoredMove, bot_name, canonical_start, check_distinct_players,
    check_end, end_game, increment_changes, set_holder,
};
use crate::moves::NewMove;
use crate::players::{find_or_create_player, update_last_game};
use crate::process::random_uid;
use crate::seat::Seat;
use crate::store::Store;
use crate::termination::Termination;
use crate::timestamp::Timestamp;

impl Store {
    /// Begins a game. People who are new are made; this program holds the game.
    ///
    /// # Errors
    /// One person in both seats, a start that is no position, or no writing.
    pub async fn create_game(&self, game: &NewGame) -> Result<GameId, StoreError> {
        let about = (game.clone(), canonical_start(game)?, random_uid()?);
        self.submit_write(about, |store, (game, start, uid), writing| {
            let row = NewGameRow {
                uid,
                variant: game.variant,
                start: start.as_deref(),
                seats: &game.seats,
                started: Timestamp::now(),
                ended: None,
                changed_hands: false,
                assistance: None,
                imported: false,
                holder: Some(store.process().uid()),
            };
            Box::pin(async move { row.insert(writing).await })
        })
        .await
    }

    /// Adds a move, and ends the game with it where `end` is given. `ply` is how
    /// many moves are stored before it. When this returns, all of it is on the disk.
    ///
    /// # Errors
    /// Another number of moves is stored, the game has ended or is played by
    /// another program, or no writing. Nothing is changed then.
    pub async fn add_move(
        &self,
        game: GameId,
        ply: usize,
        mv: &StoredMove,
        end: Option<(Outcome, Termination)>,
    ) -> Result<(), StoreError> {
        if let Some((result, end)) = end {
            check_end(Some(result), end)?;
        }
        let mv = mv.clone();
        let new = NewMove { game, ply, mv, end };
        self.submit_move(new).await
    }

    /// Keeps the first `to` moves of a game that goes on, and forgets the others. Where
    /// there were any, the game isn't rated.
    ///
    /// # Errors
    /// The game has ended or is played by another program, or no writing.
    pub async fn take_back(&self, game: GameId, to: usize) -> Result<(), StoreError> {
        self.submit_write((game, to), |store, &(game, to), writing| {
            Box::pin(async move {
                store.require_open_game(writing, game).await?;
                let deleted = sqlx::query("DELETE FROM moves WHERE game = $1 AND ply >= $2")
                    .bind(game.0)
                    .bind(i64::try_from(to).unwrap_or(i64::MAX))
                    .execute(&mut *writing)
                    .await?;
                if deleted.rows_affected() > 0 {
                    set_assisted(writing, game, Assistance::Takeback).await?;
                }
                increment_changes(writing, game).await
            })
        })
        .await
    }

    /// Notes that a player had help: the game isn't rated from now on. The first kind
    /// of help stays.
    ///
    /// # Errors
    /// The game has ended or is played by another program, or no writing.
    pub async fn mark_assisted(&self, game: GameId, how: Assistance) -> Result<(), StoreError> {
        self.submit_write((game, how), |store, &(game, how), writing| {
            Box::pin(async move {
                store.require_open_game(writing, game).await?;
                set_assisted(writing, game, how).await
            })
        })
        .await
    }

    /// Ends a game without a move: somebody resigned, say. Without a result it
    /// counts for nobody; a game that was abandoned has none.
    ///
    /// # Errors
    /// The game has ended or is played by another program, or no writing.
    pub async fn finish_game(
        &self,
        game: GameId,
        result: Option<Outcome>,
        end: Termination,
    ) -> Result<(), StoreError> {
        self.submit_write(
            (game, result, end),
            |store, &(game, result, end), writing| {
                Box::pin(async move {
                    store.require_open_game(writing, game).await?;
                    check_end(result, end)?;
                    end_game(writing, game, result, end).await?;
                    increment_changes(writing, game).await
                })
            },
        )
        .await
    }

    /// Forgets a game in which no move was made. Its number is not given again. One that was
    /// imported stays, and is let go.
    ///
    /// # Errors
    /// It has moves, has ended or is played by another program, or no writing.
    pub async fn discard_game(&self, game: GameId) -> Result<(), StoreError> {
        self.submit_write(game, |store, &game, writing| {
            Box::pin(async move {
                let head = store.require_open_game(writing, game).await?;
                let moves = head.move_count;
                if moves > 0 {
                    let what =
                        format!("has {moves} moves; only a game without any can be discarded");
                    return Err(StoreError::Conflict { game, what }.into());
                }
                if head.is_imported {
                    return set_holder(writing, game, None).await;
                }
                sqlx::query("DELETE FROM games WHERE id = $1")
                    .bind(game.0)
                    .execute(writing)
                    .await?;
                Ok(())
            })
        })
        .await
    }

    /// Gives a side to somebody else. Once a move has been made, the game counts
    /// for nobody after that.
    ///
    /// # Errors
    /// One person in both seats, the game has ended or is played by another
    /// program, or no writing.
    pub async fn reseat(&self, game: GameId, side: Side, seat: &Seat) -> Result<(), StoreError> {
        self.submit_write((game, side, seat.clone()), |store, about, writing| {
            Box::pin(async move {
                let (game, side, seat) = about;
                if store.set_seat(writing, *game, *side, seat).await? {
                    increment_changes(writing, *game).await?;
                }
                Ok(())
            })
        })
        .await
    }

    /// Gives a side to somebody else, within a transaction that goes on. Says whether
    /// that is somebody else.
    pub(crate) async fn set_seat(
        &self,
        writing: &mut SqliteConnection,
        game: GameId,
        side: Side,
        seat: &Seat,
    ) -> Result<bool, StoreFailure> {
        let head = self.require_open_game(writing, game).await?;
        let (mine, theirs) = match side {
            Side::X => (0, 1),
            Side::O => (1, 0),
        };
        if head.seats[mine] == *seat {
            return Ok(false);
        }
        check_distinct_players([seat, &head.seats[theirs]])?;
        // Since their first game began, whenever they joined it: an exported game says
        // no more than that.
        let person = find_or_create_player(writing, seat.player_name(), head.started).await?;
        if let Some(person) = person {
            update_last_game(writing, person, head.started, game).await?;
        }
        let sql = match side {
            Side::X => {
                "UPDATE games SET x_person = $1, x_bot = $2, x_guest = $3, handed = $4 WHERE id = $5"
            }
            Side::O => {
                "UPDATE games SET o_person = $1, o_bot = $2, o_guest = $3, handed = $4 WHERE id = $5"
            }
        };
        sqlx::query(sql)
            .bind(person)
            .bind(bot_name(seat))
            .bind(*seat == Seat::Guest)
            .bind(head.changed_hands || head.move_count > 0)
            .bind(game.0)
            .execute(writing)
            .await?;
        Ok(true)
    }
}

async fn set_assisted(
    writing: &mut SqliteConnection,
    game: GameId,
    how: Assistance,
) -> Result<(), StoreFailure> {
    sqlx::query("UPDATE games SET assisted = COALESCE(assisted, $1) WHERE id = $2")
        .bind(how.as_str())
        .bind(game.0)
        .execute(writing)
        .await?;
    Ok(())
}
