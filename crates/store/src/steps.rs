//! What happens in a game: begun, moved in, taken back, handed over, ended.

use noughts_rules::{Outcome, Player};
use sqlx::SqliteConnection;

use crate::assistance::Assistance;
use crate::end::End;
use crate::error::{StoreError, Trouble};
use crate::games::{
    GameId, NewGame, NewRow, StoredMove, bot, checked_end, checked_start, end_game, note_change,
    set_holder, two_people,
};
use crate::moves::NewMove;
use crate::people::{note_game, person_id};
use crate::running::random_uid;
use crate::seat::Seat;
use crate::store::Store;
use crate::timestamp::Timestamp;

impl Store {
    /// Begins a game. People who are new are made; this program holds the game.
    ///
    /// # Errors
    /// One person in both seats, a start that is no position, or no writing.
    pub async fn begin(&self, game: &NewGame) -> Result<GameId, StoreError> {
        let about = (game.clone(), checked_start(game)?, random_uid()?);
        self.written(about, |store, (game, start, uid), writing| {
            let row = NewRow {
                uid,
                variant: game.variant,
                start: start.as_deref(),
                seats: &game.seats,
                began: Timestamp::now(),
                ended: None,
                handed: false,
                assisted: None,
                imported: false,
                holder: Some(store.program().uid()),
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
        end: Option<(Outcome, End)>,
    ) -> Result<(), StoreError> {
        if let Some((result, end)) = end {
            checked_end(Some(result), end)?;
        }
        let mv = mv.clone();
        let new = NewMove { game, ply, mv, end };
        self.moved(new).await
    }

    /// Keeps the first `to` moves of a game that goes on, and forgets the others. Where
    /// there were any, the game isn't rated.
    ///
    /// # Errors
    /// The game has ended or is played by another program, or no writing.
    pub async fn take_back(&self, game: GameId, to: usize) -> Result<(), StoreError> {
        self.written((game, to), |store, &(game, to), writing| {
            Box::pin(async move {
                store.open_game(writing, game).await?;
                let deleted = sqlx::query("DELETE FROM moves WHERE game = $1 AND ply >= $2")
                    .bind(game.0)
                    .bind(i64::try_from(to).unwrap_or(i64::MAX))
                    .execute(&mut *writing)
                    .await?;
                if deleted.rows_affected() > 0 {
                    set_assisted(writing, game, Assistance::Takeback).await?;
                }
                note_change(writing, game).await
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
        self.written((game, how), |store, &(game, how), writing| {
            Box::pin(async move {
                store.open_game(writing, game).await?;
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
    pub async fn finish(
        &self,
        game: GameId,
        result: Option<Outcome>,
        end: End,
    ) -> Result<(), StoreError> {
        self.written(
            (game, result, end),
            |store, &(game, result, end), writing| {
                Box::pin(async move {
                    store.open_game(writing, game).await?;
                    checked_end(result, end)?;
                    end_game(writing, game, result, end).await?;
                    note_change(writing, game).await
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
    pub async fn discard(&self, game: GameId) -> Result<(), StoreError> {
        self.written(game, |store, &game, writing| {
            Box::pin(async move {
                let head = store.open_game(writing, game).await?;
                let moves = head.moves;
                if moves > 0 {
                    let what =
                        format!("has {moves} moves; only a game without any can be discarded");
                    return Err(StoreError::Conflict { game, what }.into());
                }
                if head.imported {
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
    pub async fn reseat(&self, game: GameId, side: Player, seat: &Seat) -> Result<(), StoreError> {
        self.written((game, side, seat.clone()), |store, about, writing| {
            Box::pin(async move {
                let (game, side, seat) = about;
                if store.seat_anew(writing, *game, *side, seat).await? {
                    note_change(writing, *game).await?;
                }
                Ok(())
            })
        })
        .await
    }

    /// Gives a side to somebody else, within a transaction that goes on. Says whether
    /// that is somebody else.
    pub(crate) async fn seat_anew(
        &self,
        writing: &mut SqliteConnection,
        game: GameId,
        side: Player,
        seat: &Seat,
    ) -> Result<bool, Trouble> {
        let head = self.open_game(writing, game).await?;
        let (mine, theirs) = match side {
            Player::X => (0, 1),
            Player::O => (1, 0),
        };
        if head.seats[mine] == *seat {
            return Ok(false);
        }
        two_people([seat, &head.seats[theirs]])?;
        // Since their first game began, whenever they joined it: an exported game says
        // no more than that.
        let person = person_id(writing, seat.person(), head.began).await?;
        if let Some(person) = person {
            note_game(writing, person, head.began, game).await?;
        }
        let sql = match side {
            Player::X => {
                "UPDATE games SET x_person = $1, x_bot = $2, x_guest = $3, handed = $4 WHERE id = $5"
            }
            Player::O => {
                "UPDATE games SET o_person = $1, o_bot = $2, o_guest = $3, handed = $4 WHERE id = $5"
            }
        };
        sqlx::query(sql)
            .bind(person)
            .bind(bot(seat))
            .bind(*seat == Seat::Guest)
            .bind(head.handed || head.moves > 0)
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
) -> Result<(), Trouble> {
    sqlx::query("UPDATE games SET assisted = COALESCE(assisted, $1) WHERE id = $2")
        .bind(how.word())
        .bind(game.0)
        .execute(writing)
        .await?;
    Ok(())
}
