//! What one side proposes to the other: a draw, taking back, playing again. Where one
//! visitor plays both sides, or against a bot, there is nobody to ask.

use std::sync::Arc;

use noughts_rules::Side;
use noughts_session::{GameAction, Participant};
use noughts_store::{Seat, SecretHash};

use super::actions::{ActionError, refusal};
use super::live_game::LiveGame;
use super::room::Room;
use super::rooms::NewRoom;
use super::snapshot::{Offer, OfferKind};
use crate::api::types::OfferWord;
use crate::app::App;
use crate::middleware::Visitor;

impl Room {
    /// Back to the visitor's previous decision; none where the other side is asked.
    pub(super) fn request_takeback(
        &self,
        table: &mut LiveGame,
        visitor: &SecretHash,
    ) -> Result<Option<GameAction>, ActionError> {
        if !table.is_online() {
            return Ok(Some(GameAction::TakeBack));
        }
        let by = only_side(table, visitor)?;
        if table.is_over() {
            return Err(refusal("the game is over"));
        }
        if !table.state().move_sides().contains(&by) {
            return Err(refusal(
                "you have made no move yet that could be taken back",
            ));
        }
        propose(table, OfferKind::Undo, by);
        Ok(None)
    }

    pub(super) async fn make_offer(
        self: &Arc<Room>,
        app: &App,
        table: &mut LiveGame,
        visitor: &Visitor,
        offer: OfferWord,
    ) -> Result<(), ActionError> {
        let kind = OfferKind::from(offer);
        let over = table.is_over();
        match (kind, over) {
            (OfferKind::Rematch, false) => {
                return Err(refusal("the game is not over; play again after its end"));
            }
            // Somebody was quicker, or it was heard already.
            (OfferKind::Rematch, true) if table.claims.rematch.is_some() => return Ok(()),
            (OfferKind::Draw | OfferKind::Undo, true) => return Err(refusal("the game is over")),
            _ => {}
        }
        if table.is_online() {
            let by = only_side(table, &visitor.hash)?;
            let theirs = Offer {
                kind,
                by: by.other(),
            };
            // Two who propose the same to each other agree.
            if table.offer == Some(theirs) {
                return self.settle(app, table, visitor, theirs).await;
            }
            if kind == OfferKind::Undo {
                return self.request_takeback(table, &visitor.hash).map(|_| ());
            }
            propose(table, kind, by);
            return Ok(());
        }
        match kind {
            OfferKind::Rematch => self.rematch(app, table, visitor).await,
            OfferKind::Undo => {
                self.apply_session_action(app, table, GameAction::TakeBack)
                    .await
            }
            OfferKind::Draw => {
                let bot = table.seats().into_iter().find(|seat| !seat.is_human());
                match bot {
                    Some(bot) => Err(refusal(format!("{bot} declines the draw: play on"))),
                    None => {
                        self.apply_session_action(app, table, GameAction::AgreeDraw)
                            .await
                    }
                }
            }
        }
    }

    pub(super) async fn accept_offer(
        self: &Arc<Room>,
        app: &App,
        table: &mut LiveGame,
        visitor: &Visitor,
        meant: OfferKind,
    ) -> Result<(), ActionError> {
        if meant == OfferKind::Rematch && table.claims.rematch.is_some() {
            return Ok(());
        }
        // Of the same kind in the same state, one is as good as another.
        let offered = table.offer.filter(|offer| offer.kind == meant);
        let Some(offer) = offered else {
            return Err(refusal("nothing is offered any more"));
        };
        if only_side(table, &visitor.hash)? == offer.by {
            return Err(refusal(
                "you have offered it yourself; the other side accepts it",
            ));
        }
        self.settle(app, table, visitor, offer).await
    }

    /// Both sides want it.
    async fn settle(
        self: &Arc<Room>,
        app: &App,
        table: &mut LiveGame,
        visitor: &Visitor,
        offer: Offer,
    ) -> Result<(), ActionError> {
        match offer.kind {
            OfferKind::Draw => {
                self.apply_session_action(app, table, GameAction::AgreeDraw)
                    .await
            }
            OfferKind::Undo => {
                self.apply_session_action(app, table, GameAction::TakeBackFor(offer.by))
                    .await
            }
            OfferKind::Rematch => self.rematch(app, table, visitor).await,
        }
    }

    /// The same players again, with sides changed. It is a new game of this visitor, and
    /// counted as such.
    async fn rematch(
        self: &Arc<Room>,
        app: &App,
        table: &mut LiveGame,
        visitor: &Visitor,
    ) -> Result<(), ActionError> {
        let seats = table.seats();
        let who = |seat: &Seat| Participant::from_seat(seat).map_err(refusal);
        let play = table.state();
        let [x, o] = table.claims.visitors;
        let making = NewRoom {
            variant: play.variant(),
            start: (!play.has_standard_start()).then(|| play.start_text()),
            seats: [who(&seats[1])?, who(&seats[0])?],
            seat_owners: [o, x],
            invites: [false; 2],
            previous_game: Some(table.id),
            created_by: *visitor,
        };
        let room = app.rooms.create(app, making).await?;
        table.claims.rematch = Some(room.uid().into());
        table.offer = None;
        Ok(())
    }
}

fn propose(table: &mut LiveGame, kind: OfferKind, by: Side) {
    table.offer = Some(Offer { kind, by });
}

/// The side of somebody who plays against somebody else.
fn only_side(table: &LiveGame, visitor: &SecretHash) -> Result<Side, ActionError> {
    match table.human_sides_of(visitor)[..] {
        [side] => Ok(side),
        _ => Err(refusal("there is nobody on the other side to agree with")),
    }
}
