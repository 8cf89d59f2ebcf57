//! Actions in a room. An action names the revision that it's about and is applied to that revision
//! or not at all, so that nothing happens twice.

use std::sync::Arc;
use std::time::Instant;

use noughts_engine::Value;
use noughts_rules::{Assistance, Side};
use noughts_session::{GameAction, PlaybackSpeed, SessionError};
use noughts_store::{SecretHash, StoreError, Tally};
use noughts_wire::{Action, OfferKind};

use super::live_game::LiveGame;
use super::room::Room;
use super::snapshot::{GameSnapshot, Offer, Revision, estimate_game_bytes};
use crate::app::App;
use crate::error::{ApiError, ApiErrorKind};
use crate::meter;
use crate::middleware::Visitor;

/// Why an action was rejected, with a snapshot of the game if it has changed in the meantime.
#[derive(Debug)]
pub(crate) struct ActionError {
    pub(crate) error: ApiError,
    pub(crate) snapshot: Option<Arc<GameSnapshot>>,
}

impl<E: Into<ApiError>> From<E> for ActionError {
    fn from(error: E) -> ActionError {
        ActionError {
            error: error.into(),
            snapshot: None,
        }
    }
}

impl ActionError {
    /// Adds the room's snapshot to a refusal: the action may already have happened without the
    /// client knowing.
    pub(super) fn with_snapshot_of(mut self, room: &Room) -> ActionError {
        if self.error.kind == ApiErrorKind::Refused && self.snapshot.is_none() {
            self.snapshot = Some(room.snapshot());
        }
        self
    }
}

pub(super) fn refusal(message: impl Into<String>) -> ActionError {
    ApiErrorKind::Refused.error(message).into()
}

fn not_yours(message: &str) -> ActionError {
    ApiErrorKind::NotYours.error(message).into()
}

impl Room {
    /// Applies an action or returns the reason why not. Runs to its end even if the client
    /// disconnects.
    pub(crate) async fn handle_action(
        self: &Arc<Room>,
        app: &App,
        visitor: Visitor,
        action: Action,
    ) -> Result<Arc<GameSnapshot>, ActionError> {
        self.touch();
        let (room, app) = (self.clone(), app.clone());
        run_to_end(async move {
            let advice = room.draw_advice(&app, &visitor, &action).await;
            let mut game = room.game.lock().await;
            let applied = room
                .apply_action(&app, &mut game, &visitor, action, advice)
                .await;
            match applied {
                Ok(true) => {}
                Ok(false) => return Ok(room.snapshot()),
                Err(error) => return Err(error.with_snapshot_of(&room)),
            }
            room.set_owner(visitor.owner);
            room.update_bot_task(&app, &mut game);
            Ok(room.publish(&game))
        })
        .await
    }

    /// Records that a player had help. Returns whether the game was rated until now.
    pub(super) async fn mark_assisted(
        self: &Arc<Room>,
        app: &App,
        assistance: Assistance,
    ) -> Result<bool, ActionError> {
        let (room, app) = (self.clone(), app.clone());
        run_to_end(async move {
            let mut game = room.game.lock().await;
            let assisted = game.mark_assisted(&app.config.store, assistance).await;
            let was_rated = assisted.map_err(|error| room.convert_error(&app, error))?;
            if was_rated {
                room.publish(&game);
            }
            Ok(was_rated)
        })
        .await
    }

    /// Returns whether anything changed; a repeated message changes nothing.
    async fn apply_action(
        self: &Arc<Room>,
        app: &App,
        game: &mut LiveGame,
        visitor: &Visitor,
        action: Action,
        advice: Option<Value>,
    ) -> Result<bool, ActionError> {
        let hash = &visitor.hash;
        let message = "you're watching this game; only its players can do that";
        ApiErrorKind::NotYours.require(game.is_seated(hash), message)?;
        let rev: Revision = action
            .rev()
            .parse()
            .map_err(|reason: String| ApiErrorKind::BadRequest.error(reason))?;
        if rev != game.rev && is_repeat(game, hash, rev, &action) {
            return Ok(false);
        }
        if rev != game.rev {
            let message = format!(
                "the game has changed in the meantime (it's now at revision {}); check its state and try again",
                game.rev
            );
            return Err(ActionError {
                error: ApiErrorKind::Stale.error(message),
                snapshot: Some(self.snapshot()),
            });
        }
        let has_started = !game.is_waiting_for_opponent();
        let is_preparation = matches!(action, Action::Seat { .. } | Action::Abandon { .. });
        let message = "the game hasn't started; wait for your opponent to open the invite link";
        ApiErrorKind::Refused.require(has_started || is_preparation, message)?;
        let session_action = match action {
            Action::Move { text, .. } => {
                let side = game.state.side();
                let is_turn = game.over.is_some() || game.human_sides_of(hash).contains(&side);
                ApiErrorKind::NotYours.require(is_turn, "it isn't your turn")?;
                Some(GameAction::Move(text))
            }
            Action::Takeback { .. } => self.request_takeback(game, hash)?,
            Action::Redo { .. } => {
                let message = "redo isn't available in online games";
                ApiErrorKind::Refused.require(!game.is_online(), message)?;
                Some(GameAction::Redo)
            }
            Action::Resign { side, .. } => {
                Some(GameAction::Resign(resigning_side(game, hash, side)?))
            }
            Action::Offer { offer, .. } => {
                self.make_offer(app, game, visitor, offer, advice).await?;
                None
            }
            Action::Accept { offer, .. } => {
                self.accept_offer(app, game, visitor, offer).await?;
                None
            }
            Action::Decline { offer, .. } => {
                // A different offer stays; if there is none, there is nothing left to decline.
                let is_meant = |current: &mut Offer| offer.is_none_or(|kind| kind == current.kind);
                return Ok(game.offer.take_if(is_meant).is_some());
            }
            Action::Seat { side, seat, .. } => {
                self.change_seat(app, game, visitor, side.into(), &seat)
                    .await?;
                None
            }
            Action::Abandon { .. } => {
                let is_against_other = game.is_online() && has_started && game.rev.moves > 0;
                let message =
                    "you can't abandon a game against another player; resign or offer a draw";
                ApiErrorKind::Refused.require(!is_against_other, message)?;
                Some(GameAction::Abandon)
            }
            Action::Pause { paused, .. } => {
                let message = "only games between computers can be paused";
                ApiErrorKind::Refused.require(game.is_bot_match(), message)?;
                game.paused = paused;
                None
            }
            Action::Speed { speed, .. } => {
                let message = "you can only change the speed of games between computers";
                ApiErrorKind::Refused.require(game.is_bot_match(), message)?;
                let fastest = PlaybackSpeed::FASTEST.number();
                game.speed = PlaybackSpeed::from_number(speed).ok_or_else(|| {
                    refusal(format!("speed is {speed}, but must be from 1 to {fastest}"))
                })?;
                None
            }
        };
        if let Some(session_action) = session_action {
            self.apply_session_action(app, game, session_action).await?;
        }
        Ok(true)
    }

    /// Checks and stores an action of the session, and then updates the live game.
    pub(super) async fn apply_session_action(
        &self,
        app: &App,
        game: &mut LiveGame,
        session_action: GameAction,
    ) -> Result<(), ActionError> {
        let Some(session) = game.session() else {
            return Err(refusal("the game is over"));
        };
        let mover = session.game_state().side();
        let is_move = matches!(
            session_action,
            GameAction::Move(_) | GameAction::BotMove(..)
        );
        let started = Instant::now();
        let applied = session.apply(&app.config.store, session_action).await;
        let next = applied.map_err(|error| self.convert_error(app, error))?;
        if is_move {
            meter::record_stored_move(started.elapsed());
            app.rooms.record_growth(
                app,
                estimate_game_bytes(next.game_state(), next.move_times().len()),
            );
        }
        game.last_move_at = Instant::now();
        // A draw offer is valid until the other side has moved.
        let still_valid = |kind, side| is_move && kind == OfferKind::Draw && side == mover;
        game.offer = game.offer.filter(|offer| still_valid(offer.kind, offer.by));
        let over = next.result();
        let is_rated = next.is_rated();
        game.set_session(next);
        if let Some((result, _)) = over {
            game.offer = None;
            game.bots = [None, None];
            if let Some(outcome) = result.filter(|_| is_rated) {
                for side in Side::BOTH {
                    let added = Tally::from_outcome(outcome, side);
                    let (seat, before) = (&game.seats[side as usize], game.tallies[side as usize]);
                    game.tallies[side as usize] =
                        before.map(|before| app.rooms.tallies.add(seat, before, added));
                }
            }
        }
        Ok(())
    }

    /// Converts an error of the session. If the store has a different version of the game, the room
    /// is closed and loaded again.
    fn convert_error(&self, app: &App, error: SessionError) -> ActionError {
        if let SessionError::Store(StoreError::Conflict { .. } | StoreError::NoSuchGame(_)) = &error
        {
            app.rooms.remove(self);
            self.publish_closed();
            let message = format!(
                "the game was changed elsewhere ({cause}); reload it and try again",
                cause = error.cause()
            );
            return ApiErrorKind::Refused.error(message).into();
        }
        ApiError::from(error).into()
    }
}

/// Runs a task that isn't canceled with its request.
pub(super) async fn run_to_end<T: Send + 'static>(
    task: impl Future<Output = Result<T, ActionError>> + Send + 'static,
) -> Result<T, ActionError> {
    tokio::spawn(task).await.unwrap_or_else(|_| {
        Err(ApiErrorKind::Internal
            .error("an action in a game panicked")
            .into())
    })
}

/// Is it the move that this visitor made at that revision? Then its acknowledgment was lost.
fn is_repeat(game: &LiveGame, visitor: &SecretHash, rev: Revision, action: &Action) -> bool {
    let Action::Move { text, .. } = action else {
        return false;
    };
    let moves = game.state.moves();
    let nothing_else_changed = game.rev.changes == rev.changes;
    let mover = game.state.move_sides().get(rev.moves).copied();
    let is_theirs = mover.is_some_and(|side| game.human_sides_of(visitor).contains(&side));
    nothing_else_changed
        && is_theirs
        && moves
            .get(rev.moves)
            .is_some_and(|mv| mv.eq_ignore_ascii_case(text.trim()))
}

/// The side that resigns.
fn resigning_side(
    game: &LiveGame,
    visitor: &SecretHash,
    side: Option<noughts_wire::Side>,
) -> Result<Side, ActionError> {
    let own_sides = game.human_sides_of(visitor);
    match (side.map(Side::from), &own_sides[..]) {
        (_, []) => Err(not_yours("only a human player can resign")),
        (Some(side), own_sides) if own_sides.contains(&side) => Ok(side),
        (Some(_), _) => Err(not_yours("that isn't your side")),
        (None, [added]) => Ok(*added),
        (None, _) => Ok(game.state.side()),
    }
}
