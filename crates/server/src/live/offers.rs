//! What one side proposes to the other: a draw, taking back, playing again. Where one
//! visitor plays both sides, or against a bot, there is nobody to ask.

use std::sync::Arc;

use noughts_rules::Player;
use noughts_session::{Step, Who};
use noughts_store::{Seat, SecretHash};

use super::act::{Refused, refused};
use super::room::Room;
use super::rooms::Making;
use super::snapshot::{Offer, OfferKind};
use super::table::Table;
use crate::api::types::OfferWord;
use crate::app::App;
use crate::guard::Visitor;

impl Room {
    /// Back to the visitor's previous decision; none where the other side is asked.
    pub(super) fn undo(
        &self,
        table: &mut Table,
        visitor: &SecretHash,
    ) -> Result<Option<Step>, Refused> {
        if !table.is_apart() {
            return Ok(Some(Step::Undo));
        }
        let by = only_side(table, visitor)?;
        if table.is_over() {
            return Err(refused("the game is over"));
        }
        if !table.play().sides().contains(&by) {
            return Err(refused(
                "you have made no move yet that could be taken back",
            ));
        }
        propose(table, OfferKind::Undo, by);
        Ok(None)
    }

    pub(super) async fn offer(
        self: &Arc<Room>,
        app: &App,
        table: &mut Table,
        visitor: &Visitor,
        offer: OfferWord,
    ) -> Result<(), Refused> {
        let kind = OfferKind::from(offer);
        let over = table.is_over();
        match (kind, over) {
            (OfferKind::Rematch, false) => {
                return Err(refused("the game is not over; play again after its end"));
            }
            // Somebody was quicker, or it was heard already.
            (OfferKind::Rematch, true) if table.claims.next.is_some() => return Ok(()),
            (OfferKind::Draw | OfferKind::Undo, true) => return Err(refused("the game is over")),
            _ => {}
        }
        if table.is_apart() {
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
                return self.undo(table, &visitor.hash).map(|_| ());
            }
            propose(table, kind, by);
            return Ok(());
        }
        match kind {
            OfferKind::Rematch => self.rematch(app, table, visitor).await,
            OfferKind::Undo => self.step(app, table, Step::Undo).await,
            OfferKind::Draw => {
                let bot = table.seats().into_iter().find(|seat| !seat.is_human());
                match bot {
                    Some(bot) => Err(refused(format!("{bot} declines the draw: play on"))),
                    None => self.step(app, table, Step::AgreeDraw).await,
                }
            }
        }
    }

    pub(super) async fn accept(
        self: &Arc<Room>,
        app: &App,
        table: &mut Table,
        visitor: &Visitor,
        meant: OfferKind,
    ) -> Result<(), Refused> {
        if meant == OfferKind::Rematch && table.claims.next.is_some() {
            return Ok(());
        }
        // Of the same kind in the same state, one is as good as another.
        let offered = table.offer.filter(|offer| offer.kind == meant);
        let Some(offer) = offered else {
            return Err(refused("nothing is offered any more"));
        };
        if only_side(table, &visitor.hash)? == offer.by {
            return Err(refused(
                "you have offered it yourself; the other side accepts it",
            ));
        }
        self.settle(app, table, visitor, offer).await
    }

    /// Both sides want it.
    async fn settle(
        self: &Arc<Room>,
        app: &App,
        table: &mut Table,
        visitor: &Visitor,
        offer: Offer,
    ) -> Result<(), Refused> {
        match offer.kind {
            OfferKind::Draw => self.step(app, table, Step::AgreeDraw).await,
            OfferKind::Undo => self.step(app, table, Step::UndoOf(offer.by)).await,
            OfferKind::Rematch => self.rematch(app, table, visitor).await,
        }
    }

    /// The same players again, with sides changed. It is a new game of this visitor, and
    /// counted as such.
    async fn rematch(
        self: &Arc<Room>,
        app: &App,
        table: &mut Table,
        visitor: &Visitor,
    ) -> Result<(), Refused> {
        let seats = table.seats();
        let who = |seat: &Seat| Who::of_seat(seat).map_err(refused);
        let play = table.play();
        let [x, o] = table.claims.sitters;
        let making = Making {
            variant: play.variant(),
            start: (!play.is_from_start()).then(|| play.start_text()),
            seats: [who(&seats[1])?, who(&seats[0])?],
            sitters: [o, x],
            invites: [false; 2],
            after: Some(table.id),
            by: *visitor,
        };
        let room = app.rooms.make(app, making).await?;
        table.claims.next = Some(room.uid().into());
        table.offer = None;
        Ok(())
    }
}

fn propose(table: &mut Table, kind: OfferKind, by: Player) {
    table.offer = Some(Offer { kind, by });
}

/// The side of somebody who plays against somebody else.
fn only_side(table: &Table, visitor: &SecretHash) -> Result<Player, Refused> {
    match table.plays(visitor)[..] {
        [side] => Ok(side),
        _ => Err(refused("there is nobody on the other side to agree with")),
    }
}
