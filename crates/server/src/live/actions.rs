//! What somebody does in a room. An action names the state that it is about: it is
//! tried in that state or not at all, so that nothing happens twice.

use std::sync::Arc;
use std::time::Instant;

use noughts_rules::Side;
use noughts_session::{GameAction as SessionAction, SessionError, Speed};
use noughts_store::{Assistance, SecretHash, StoreError, Tally};

use super::live_game::{GameBacking, LiveGame};
use super::published::{PublishedSnapshot, estimate_game_bytes};
use super::room::Room;
use super::snapshot::{OfferKind, Rev};
use crate::api::types::{Action, OfferWord};
use crate::app::App;
use crate::error::{Error, Kind};
use crate::meter;
use crate::middleware::Visitor;

/// Why an action did not happen; where the game has gone on meanwhile, how it stands.
#[derive(Debug)]
pub(crate) struct ActionError {
    pub(crate) error: Error,
    pub(crate) snapshot: Option<Arc<PublishedSnapshot>>,
}

impl<E: Into<Error>> From<E> for ActionError {
    fn from(error: E) -> ActionError {
        ActionError {
            error: error.into(),
            snapshot: None,
        }
    }
}

impl ActionError {
    /// What is refused in a room is answered with how it stands there: it may have
    /// happened already, and the one who asks has not heard of it.
    pub(super) fn with_snapshot_of(mut self, room: &Room) -> ActionError {
        if self.error.kind == Kind::Refused && self.snapshot.is_none() {
            self.snapshot = Some(room.snapshot());
        }
        self
    }
}

pub(super) fn refusal(message: impl Into<String>) -> ActionError {
    Error::new(Kind::Refused, message).into()
}

fn not_yours(message: &str) -> ActionError {
    Error::new(Kind::NotYours, message).into()
}

impl Room {
    /// Does it, or says why not. Goes on to its end even if nobody waits for it.
    pub(crate) async fn handle_action(
        self: &Arc<Room>,
        app: &App,
        visitor: Visitor,
        action: Action,
    ) -> Result<Arc<PublishedSnapshot>, ActionError> {
        self.touch();
        let (room, app) = (self.clone(), app.clone());
        let work = tokio::spawn(async move {
            let mut table = room.game.lock().await;
            let applied = room.apply(&app, &mut table, &visitor, action).await;
            match applied {
                Ok(true) => {}
                Ok(false) => return Ok(room.snapshot()),
                Err(refused) => return Err(refused.with_snapshot_of(&room)),
            }
            room.set_owner(visitor.owner());
            room.update_bot_task(&app, &mut table);
            Ok(room.publish(&table))
        });
        flatten_join(work.await)
    }

    /// Notes that a player has help. Returns whether the game was rated until now.
    pub(super) async fn mark_assisted(
        self: &Arc<Room>,
        app: &App,
        how: Assistance,
    ) -> Result<bool, ActionError> {
        let (room, app) = (self.clone(), app.clone());
        let work = tokio::spawn(async move {
            let mut table = room.game.lock().await;
            let GameBacking::Session(session) = &mut table.backing else {
                return Ok(false);
            };
            let assisted = session.mark_assisted(&app.config.store, how).await;
            let first = assisted.map_err(|problem| room.problem(&app, problem))?;
            if first {
                room.publish(&table);
            }
            Ok(first)
        });
        flatten_join(work.await)
    }

    /// Says whether anything has changed; a repeated message changes nothing.
    async fn apply(
        self: &Arc<Room>,
        app: &App,
        table: &mut LiveGame,
        by: &Visitor,
        action: Action,
    ) -> Result<bool, ActionError> {
        let visitor = &by.hash;
        let sits = Side::BOTH
            .into_iter()
            .any(|side| table.is_controlled_by(side, visitor));
        if !sits {
            return Err(not_yours(
                "you are watching this game; only those who play it can do that",
            ));
        }
        let rev: Rev = action
            .rev()
            .parse()
            .map_err(|reason: String| Error::new(Kind::BadRequest, reason))?;
        if rev != table.rev() {
            return match is_repeat(table, visitor, rev, &action) {
                true => Ok(false),
                false => Err(self.stale(table)),
            };
        }
        if table.is_waiting_for_opponent()
            && !matches!(action, Action::Seat { .. } | Action::Abandon { .. })
        {
            return Err(refusal(
                "the game begins when the friend comes who was invited by the link",
            ));
        }
        let step = match action {
            Action::Move { text, .. } => {
                let side = table.state().side();
                if !table.is_over() && !table.human_sides_of(visitor).contains(&side) {
                    return Err(not_yours("it is not your turn"));
                }
                SessionAction::Move(text)
            }
            Action::Undo { .. } => match self.request_takeback(table, visitor)? {
                Some(step) => step,
                None => return Ok(true),
            },
            Action::Redo { .. } if table.is_online() => {
                return Err(refusal(
                    "where two people sit apart, a move is made again by making it",
                ));
            }
            Action::Redo { .. } => SessionAction::Redo,
            Action::Resign { side, .. } => match resigning(table, visitor, side)? {
                // Before the first move nobody has won or lost anything.
                _ if table.rev().moves == 0 => SessionAction::Abandon,
                side => SessionAction::Resign(side),
            },
            Action::Offer { offer, .. } => {
                self.make_offer(app, table, by, offer).await?;
                return Ok(true);
            }
            Action::Accept { offer, .. } => {
                self.accept_offer(app, table, by, offer.into()).await?;
                return Ok(true);
            }
            Action::Decline { offer, .. } => {
                let meant = offer.map(OfferKind::from);
                // Another one than was meant stays; none is as good as declined.
                if table
                    .offer
                    .is_some_and(|there| meant.is_none_or(|kind| kind == there.kind))
                {
                    table.offer = None;
                    return Ok(true);
                }
                return Ok(false);
            }
            Action::Seat { side, who, .. } => {
                self.change_seat(app, table, by, side.into(), who).await?;
                return Ok(true);
            }
            Action::Abandon { .. }
                if table.is_online()
                    && !table.is_waiting_for_opponent()
                    && table.rev().moves > 0 =>
            {
                return Err(refusal(
                    "somebody else plays this game, too; resign it or offer a draw",
                ));
            }
            Action::Abandon { .. } => SessionAction::Abandon,
            Action::Pause { paused, .. } => {
                if !table.is_bot_match() {
                    return Err(refusal("only a game between computers can be paused"));
                }
                table.paused = paused;
                return Ok(true);
            }
            Action::Speed { speed, .. } => {
                if !table.is_bot_match() {
                    return Err(refusal("only a game between computers has a speed"));
                }
                let fastest = Speed::FASTEST.number();
                table.speed = Speed::from_number(speed)
                    .ok_or_else(|| refusal(format!("a speed is a number from 1 to {fastest}")))?;
                return Ok(true);
            }
        };
        self.apply_session_action(app, table, step).await?;
        Ok(true)
    }

    /// A step of the game: checked, stored, and then on the table.
    pub(super) async fn apply_session_action(
        &self,
        app: &App,
        table: &mut LiveGame,
        step: SessionAction,
    ) -> Result<(), ActionError> {
        let GameBacking::Session(session) = &table.backing else {
            return Err(refusal("the game is over"));
        };
        let mover = session.game_state().side();
        let is_move = matches!(step, SessionAction::Move(_) | SessionAction::BotMove(..));
        let began = Instant::now();
        let next = match session.apply(&app.config.store, step).await {
            Ok(next) => next,
            Err(problem) => return Err(self.problem(app, problem)),
        };
        if is_move {
            meter::record_stored_move(began.elapsed());
            app.rooms.record_growth(
                app,
                estimate_game_bytes(next.game_state(), next.move_times().len()),
            );
        }
        table.last_move_at = Instant::now();
        // A draw stays offered until the other side has moved.
        let stands = |kind, by| is_move && kind == OfferKind::Draw && by == mover;
        table.offer = table.offer.filter(|offer| stands(offer.kind, offer.by));
        let over = next.result();
        let counts = next.is_rated();
        table.backing = GameBacking::Session(next);
        if let Some((result, _)) = over {
            table.offer = None;
            table.bots = [None, None];
            if let Some(outcome) = result.filter(|_| counts) {
                let seats = table.seats();
                for side in Side::BOTH {
                    let one = Tally::from_outcome(outcome, side);
                    let seat = &seats[side as usize];
                    table.tallies[side as usize] = table.tallies[side as usize]
                        .map(|before| app.rooms.tallies.add(seat, before, one));
                }
            }
        }
        Ok(())
    }

    /// What was not stored is not here; if the store knows better, it is asked again.
    fn problem(&self, app: &App, problem: SessionError) -> ActionError {
        if let SessionError::Store(StoreError::Conflict { .. } | StoreError::NoSuchGame(_)) =
            &problem
        {
            app.rooms.remove(self);
            self.publish_closed();
            let message = format!("the game was played on elsewhere: {}", problem.cause());
            return Error::new(Kind::Refused, message).into();
        }
        Error::from(problem).into()
    }

    fn stale(&self, table: &LiveGame) -> ActionError {
        let rev = table.rev();
        let message = format!("the game has gone on meanwhile and is at {rev}; look at it again");
        ActionError {
            error: Error::new(Kind::Stale, message),
            snapshot: Some(self.snapshot()),
        }
    }
}

/// What came of work that nobody could cut off.
pub(super) fn flatten_join<T>(
    work: Result<Result<T, ActionError>, tokio::task::JoinError>,
) -> Result<T, ActionError> {
    work.unwrap_or_else(|_| Err(Error::new(Kind::Internal, "a room broke down").into()))
}

/// Is it the very move that this visitor made in that state? Then they have not heard
/// that it was made.
fn is_repeat(table: &LiveGame, visitor: &SecretHash, rev: Rev, action: &Action) -> bool {
    let Action::Move { text, .. } = action else {
        return false;
    };
    let made = table.state().moves();
    let since = table.rev().changes == rev.changes;
    let mover = table.state().move_sides().get(rev.moves).copied();
    let is_theirs = mover.is_some_and(|side| table.human_sides_of(visitor).contains(&side));
    since
        && is_theirs
        && made
            .get(rev.moves)
            .is_some_and(|made| made.eq_ignore_ascii_case(text.trim()))
}

/// The side that gives up.
fn resigning(
    table: &LiveGame,
    visitor: &SecretHash,
    side: Option<crate::api::types::Side>,
) -> Result<Side, ActionError> {
    let mine = table.human_sides_of(visitor);
    match (side.map(Side::from), &mine[..]) {
        (_, []) => Err(not_yours("only a person who plays can resign")),
        (Some(side), mine) if mine.contains(&side) => Ok(side),
        (Some(_), _) => Err(not_yours("that is not your side")),
        (None, [one]) => Ok(*one),
        (None, _) => Ok(table.state().side()),
    }
}

impl From<OfferWord> for OfferKind {
    fn from(word: OfferWord) -> OfferKind {
        match word {
            OfferWord::Draw => OfferKind::Draw,
            OfferWord::Undo => OfferKind::Undo,
            OfferWord::Rematch => OfferKind::Rematch,
        }
    }
}
