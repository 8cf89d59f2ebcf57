//! Writes to games: creating them, moves, takebacks, seats and endings.

use noughts_rules::{Assistance, Outcome, Side, Termination};
use sqlx::SqliteConnection;

use crate::error::{RawResult, StoreError};
use crate::games::{
    GameId, NewGame, NewGameRow, StoredMove, bot_name, check_distinct_players, check_end, end_game,
    increment_changes, set_holder,
};
use crate::moves::NewMove;
use crate::players::{find_or_create_player, update_last_game};
use crate::process::random_uid;
use crate::seat::Seat;
use crate::seat_claims::{SecretHash, set_visitor};
use crate::store::Store;

impl Store {
    /// Creates a game, held by this process. New players are created as well.
    ///
    /// # Errors
    /// One player has both seats, the start isn't a valid position, or the file can't be written.
    pub async fn create_game(&self, game: &NewGame) -> Result<GameId, StoreError> {
        let row = NewGameRow::new(game, random_uid()?, self)?;
        self.submit_write(async move |_, tx| row.insert(tx).await)
            .await
    }

    /// Adds a move, and ends the game with it if `end` is given. `ply` is the number of moves
    /// before it. When this returns, everything is on disk.
    ///
    /// # Errors
    /// The number of stored moves differs, the game has ended or another process holds it, or the
    /// file can't be written. Nothing is changed then.
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

    /// Keeps the first `to` moves of an open game and deletes the others. If there were any, the
    /// game is no longer rated.
    ///
    /// # Errors
    /// The game has ended or another process holds it, or the file can't be written.
    pub async fn take_back(&self, game: GameId, to: usize) -> Result<(), StoreError> {
        self.submit_write(async move |store, tx| {
            store.require_open_game(tx, game).await?;
            let sql = "DELETE FROM moves WHERE game = $1 AND ply >= $2";
            let deleted = execute!(&mut *tx, sql, game.0, i64::try_from(to).unwrap_or(i64::MAX))?;
            if deleted > 0 {
                set_assisted(tx, game, Assistance::Takeback).await?;
            }
            increment_changes(tx, game).await
        })
        .await
    }

    /// Records that a player used assistance, so that the game is no longer rated. The first kind
    /// of assistance is kept.
    ///
    /// # Errors
    /// The game has ended or another process holds it, or the file can't be written.
    pub async fn mark_assisted(&self, game: GameId, how: Assistance) -> Result<(), StoreError> {
        self.submit_write(async move |store, tx| {
            store.require_open_game(tx, game).await?;
            set_assisted(tx, game, how).await
        })
        .await
    }

    /// Ends a game without a move, for example by resignation. A game without a result isn't rated;
    /// an abandoned game has none.
    ///
    /// # Errors
    /// The game has ended or another process holds it, or the file can't be written.
    pub async fn finish_game(
        &self,
        game: GameId,
        result: Option<Outcome>,
        end: Termination,
    ) -> Result<(), StoreError> {
        self.submit_write(async move |store, tx| {
            store.require_open_game(tx, game).await?;
            check_end(result, end)?;
            end_game(tx, game, result, end).await?;
            increment_changes(tx, game).await
        })
        .await
    }

    /// Deletes a game without moves. Its ID isn't reused. An imported game is released instead.
    ///
    /// # Errors
    /// It has moves, has ended or another process holds it, or the file can't be written.
    pub async fn discard_game(&self, game: GameId) -> Result<(), StoreError> {
        self.submit_write(async move |store, tx| {
            let summary = store.require_open_game(tx, game).await?;
            if summary.move_count > 0 {
                let what = "already has moves, so it can't be discarded".into();
                return Err(StoreError::Conflict { game, what }.into());
            }
            if summary.is_imported {
                return set_holder(tx, game, None).await;
            }
            execute!(tx, "DELETE FROM games WHERE id = $1", game.0)?;
            Ok(())
        })
        .await
    }

    /// Gives a side to another participant. After the first move, this makes the game unrated. A visitor gets control
    /// of the side, and the invitation for it is deleted.
    ///
    /// # Errors
    /// One player has both seats, the game has ended or another process holds it, or the file can't
    /// be written.
    pub async fn reseat(
        &self,
        game: GameId,
        side: Side,
        seat: &Seat,
        visitor: Option<&SecretHash>,
    ) -> Result<(), StoreError> {
        let (seat, visitor) = (seat.clone(), visitor.copied());
        self.submit_write(async move |store, tx| {
            if store.set_seat(tx, game, side, &seat).await? || visitor.is_some() {
                increment_changes(tx, game).await?;
            }
            if let Some(visitor) = visitor {
                let sql = "DELETE FROM invites WHERE game = $1 AND side = $2";
                execute!(&mut *tx, sql, game.0, side.letter().to_string())?;
                set_visitor(tx, game, side, &visitor).await?;
            }
            Ok(())
        })
        .await
    }

    /// Gives a side to another participant, within a transaction. Returns whether that is a change.
    async fn set_seat(
        &self,
        tx: &mut SqliteConnection,
        game: GameId,
        side: Side,
        seat: &Seat,
    ) -> RawResult<bool> {
        let summary = self.require_open_game(tx, game).await?;
        let (this, opponent) = match side {
            Side::X => (0, 1),
            Side::O => (1, 0),
        };
        if summary.seats[this] == *seat {
            return Ok(false);
        }
        check_distinct_players([seat, &summary.seats[opponent]])?;
        // A player's `since` is the start of their first game, even if they joined it later: an
        // exported game has no more than that.
        let player = find_or_create_player(tx, seat.player_name(), summary.started).await?;
        if let Some(player) = player {
            update_last_game(tx, player, summary.started, game).await?;
        }
        let sql = match side {
            Side::X => {
                "UPDATE games SET x_person = $1, x_bot = $2, x_guest = $3, handed = $4 WHERE id = $5"
            }
            Side::O => {
                "UPDATE games SET o_person = $1, o_bot = $2, o_guest = $3, handed = $4 WHERE id = $5"
            }
        };
        let (bot, is_guest) = (bot_name(seat), *seat == Seat::Guest);
        let changed_hands = summary.changed_hands || summary.move_count > 0;
        execute!(tx, sql, player, bot, is_guest, changed_hands, game.0)?;
        Ok(true)
    }
}

async fn set_assisted(tx: &mut SqliteConnection, game: GameId, how: Assistance) -> RawResult<()> {
    let sql = "UPDATE games SET assisted = COALESCE(assisted, $1) WHERE id = $2";
    execute!(tx, sql, how.as_str(), game.0)?;
    Ok(())
}
