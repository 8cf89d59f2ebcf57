//! What somebody does in a room. An action names the state that it is about: it is
//! tried in that state or not at all, so that nothing happens twice.

use std::sync::Arc;
use std::time::Instant;

use noughts_rules::Player;
use noughts_session::{Problem, Speed, Step};
use noughts_store::{Assistance, SecretHash, StoreError, Tally};

use super::room::Room;
use super::snapshot::{OfferKind, Rev};
use super::state::{State, game_bytes};
use super::table::{Game, Table};
use crate::api::types::{Action, OfferWord};
use crate::app::App;
use crate::error::{Error, Kind};
use crate::guard::Visitor;
use crate::meter;

/// Why an action did not happen; where the game has gone on meanwhile, how it stands.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) error: Error,
    pub(crate) state: Option<Arc<State>>,
}

impl<E: Into<Error>> From<E> for Refused {
    fn from(error: E) -> Refused {
        Refused {
            error: error.into(),
            state: None,
        }
    }
}

impl Refused {
    /// What is refused in a room is answered with how it stands there: it may have
    /// happened already, and the one who asks has not heard of it.
    pub(super) fn at(mut self, room: &Room) -> Refused {
        if self.error.kind == Kind::Refused && self.state.is_none() {
            self.state = Some(room.state());
        }
        self
    }
}

pub(super) fn refused(message: impl Into<String>) -> Refused {
    Error::new(Kind::Refused, message).into()
}

fn not_yours(message: &str) -> Refused {
    Error::new(Kind::NotYours, message).into()
}

impl Room {
    /// Does it, or says why not. Goes on to its end even if nobody waits for it.
    pub(crate) async fn act(
        self: &Arc<Room>,
        app: &App,
        visitor: Visitor,
        action: Action,
    ) -> Result<Arc<State>, Refused> {
        self.touch();
        let (room, app) = (self.clone(), app.clone());
        let work = tokio::spawn(async move {
            let mut table = room.table.lock().await;
            let applied = room.apply(&app, &mut table, &visitor, action).await;
            match applied {
                Ok(true) => {}
                Ok(false) => return Ok(room.state()),
                Err(refused) => return Err(refused.at(&room)),
            }
            room.set_owner(visitor.owner());
            room.call_bot(&app, &mut table);
            Ok(room.publish(&table))
        });
        ended(work.await)
    }

    /// Notes that a player has help. Returns whether the game was rated until now.
    pub(super) async fn assist(
        self: &Arc<Room>,
        app: &App,
        how: Assistance,
    ) -> Result<bool, Refused> {
        let (room, app) = (self.clone(), app.clone());
        let work = tokio::spawn(async move {
            let mut table = room.table.lock().await;
            let Game::Session(session) = &mut table.game else {
                return Ok(false);
            };
            let assisted = session.assist(&app.config.store, how).await;
            let first = assisted.map_err(|problem| room.problem(&app, problem))?;
            if first {
                room.publish(&table);
            }
            Ok(first)
        });
        ended(work.await)
    }

    /// Says whether anything has changed; a repeated message changes nothing.
    async fn apply(
        self: &Arc<Room>,
        app: &App,
        table: &mut Table,
        by: &Visitor,
        action: Action,
    ) -> Result<bool, Refused> {
        let visitor = &by.hash;
        let sits = Player::BOTH
            .into_iter()
            .any(|side| table.minds(side, visitor));
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
        if table.awaits() && !matches!(action, Action::Seat { .. } | Action::Abandon { .. }) {
            return Err(refused(
                "the game begins when the friend comes who was invited by the link",
            ));
        }
        let step = match action {
            Action::Move { text, .. } => {
                let side = table.play().side();
                if !table.is_over() && !table.plays(visitor).contains(&side) {
                    return Err(not_yours("it is not your turn"));
                }
                Step::Move(text)
            }
            Action::Undo { .. } => match self.undo(table, visitor)? {
                Some(step) => step,
                None => return Ok(true),
            },
            Action::Redo { .. } if table.is_apart() => {
                return Err(refused(
                    "where two people sit apart, a move is made again by making it",
                ));
            }
            Action::Redo { .. } => Step::Redo,
            Action::Resign { side, .. } => match resigning(table, visitor, side)? {
                // Before the first move nobody has won or lost anything.
                _ if table.rev().moves == 0 => Step::Abandon,
                side => Step::Resign(side),
            },
            Action::Offer { offer, .. } => {
                self.offer(app, table, by, offer).await?;
                return Ok(true);
            }
            Action::Accept { offer, .. } => {
                self.accept(app, table, by, offer.into()).await?;
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
                self.seat(app, table, by, side.into(), who).await?;
                return Ok(true);
            }
            Action::Abandon { .. }
                if table.is_apart() && !table.awaits() && table.rev().moves > 0 =>
            {
                return Err(refused(
                    "somebody else plays this game, too; resign it or offer a draw",
                ));
            }
            Action::Abandon { .. } => Step::Abandon,
            Action::Pause { paused, .. } => {
                if !table.is_show() {
                    return Err(refused("only a game between computers can be paused"));
                }
                table.paused = paused;
                return Ok(true);
            }
            Action::Speed { speed, .. } => {
                if !table.is_show() {
                    return Err(refused("only a game between computers has a speed"));
                }
                let fastest = Speed::FASTEST.number();
                table.speed = Speed::from_number(speed)
                    .ok_or_else(|| refused(format!("a speed is a number from 1 to {fastest}")))?;
                return Ok(true);
            }
        };
        self.step(app, table, step).await?;
        Ok(true)
    }

    /// A step of the game: checked, stored, and then on the table.
    pub(super) async fn step(
        &self,
        app: &App,
        table: &mut Table,
        step: Step,
    ) -> Result<(), Refused> {
        let Game::Session(session) = &table.game else {
            return Err(refused("the game is over"));
        };
        let mover = session.play().side();
        let is_move = matches!(step, Step::Move(_) | Step::Reply(..));
        let began = Instant::now();
        let next = match session.step(&app.config.store, step).await {
            Ok(next) => next,
            Err(problem) => return Err(self.problem(app, problem)),
        };
        if is_move {
            meter::move_stored(began.elapsed());
            app.rooms
                .grow(app, game_bytes(next.play(), next.times().len()));
        }
        table.moved = Instant::now();
        // A draw stays offered until the other side has moved.
        let stands = |kind, by| is_move && kind == OfferKind::Draw && by == mover;
        table.offer = table.offer.filter(|offer| stands(offer.kind, offer.by));
        let over = next.over();
        let counts = next.is_rated();
        table.game = Game::Session(next);
        if let Some((result, _)) = over {
            table.offer = None;
            table.computers = [None, None];
            if let Some(outcome) = result.filter(|_| counts) {
                let seats = table.seats();
                for side in Player::BOTH {
                    let one = Tally::of(outcome, side);
                    let seat = &seats[side as usize];
                    table.tallies[side as usize] = table.tallies[side as usize]
                        .map(|before| app.rooms.tallies.add(seat, before, one));
                }
            }
        }
        Ok(())
    }

    /// What was not stored is not here; if the store knows better, it is asked again.
    fn problem(&self, app: &App, problem: Problem) -> Refused {
        if let Problem::NotStored(StoreError::Conflict { .. } | StoreError::NoSuchGame(_)) =
            &problem
        {
            app.rooms.forget(self);
            self.publish_gone();
            let message = format!("the game was played on elsewhere: {}", problem.cause());
            return Error::new(Kind::Refused, message).into();
        }
        Error::from(problem).into()
    }

    fn stale(&self, table: &Table) -> Refused {
        let rev = table.rev();
        let message = format!("the game has gone on meanwhile and is at {rev}; look at it again");
        Refused {
            error: Error::new(Kind::Stale, message),
            state: Some(self.state()),
        }
    }
}

/// What came of work that nobody could cut off.
pub(super) fn ended<T>(
    work: Result<Result<T, Refused>, tokio::task::JoinError>,
) -> Result<T, Refused> {
    work.unwrap_or_else(|_| Err(Error::new(Kind::Internal, "a room broke down").into()))
}

/// Is it the very move that this visitor made in that state? Then they have not heard
/// that it was made.
fn is_repeat(table: &Table, visitor: &SecretHash, rev: Rev, action: &Action) -> bool {
    let Action::Move { text, .. } = action else {
        return false;
    };
    let made = table.play().moves();
    let since = table.rev().changes == rev.changes;
    let mover = table.play().sides().get(rev.moves).copied();
    let is_theirs = mover.is_some_and(|side| table.plays(visitor).contains(&side));
    since
        && is_theirs
        && made
            .get(rev.moves)
            .is_some_and(|made| made.eq_ignore_ascii_case(text.trim()))
}

/// The side that gives up.
fn resigning(
    table: &Table,
    visitor: &SecretHash,
    side: Option<crate::api::types::Side>,
) -> Result<Player, Refused> {
    let mine = table.plays(visitor);
    match (side.map(Player::from), &mine[..]) {
        (_, []) => Err(not_yours("only a person who plays can resign")),
        (Some(side), mine) if mine.contains(&side) => Ok(side),
        (Some(_), _) => Err(not_yours("that is not your side")),
        (None, [one]) => Ok(*one),
        (None, _) => Ok(table.play().side()),
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
