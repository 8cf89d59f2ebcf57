//! Offers from one side to the other: a draw, a takeback, a rematch. If one visitor plays both
//! sides, or plays against a bot, there is nobody to ask.

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
    /// Takes back to the visitor's previous decision; `None` if the opponent is asked first.
    pub(super) fn request_takeback(
        &self,
        game: &mut LiveGame,
        visitor: &SecretHash,
    ) -> Result<Option<GameAction>, ActionError> {
        if !game.is_online() {
            return Ok(Some(GameAction::TakeBack));
        }
        let side = online_side(game, visitor)?;
        if game.is_over() {
            return Err(refusal("the game is over"));
        }
        if !game.state().move_sides().contains(&side) {
            return Err(refusal("you haven't made a move to take back"));
        }
        set_offer(game, OfferKind::Undo, side);
        Ok(None)
    }

    pub(super) async fn make_offer(
        self: &Arc<Room>,
        app: &App,
        game: &mut LiveGame,
        visitor: &Visitor,
        offer: OfferWord,
    ) -> Result<(), ActionError> {
        let kind = OfferKind::from(offer);
        let over = game.is_over();
        match (kind, over) {
            (OfferKind::Rematch, false) => {
                return Err(refusal("the game isn't over; offer a rematch when it is"));
            }
            // A rematch exists already, by the other side or an earlier request.
            (OfferKind::Rematch, true) if game.claims.rematch.is_some() => return Ok(()),
            (OfferKind::Draw | OfferKind::Undo, true) => return Err(refusal("the game is over")),
            _ => {}
        }
        if game.is_online() {
            let side = online_side(game, &visitor.hash)?;
            let opposing_offer = Offer {
                kind,
                by: side.other(),
            };
            // Both sides have made the same offer, so they agree.
            if game.offer == Some(opposing_offer) {
                return self.carry_out(app, game, visitor, opposing_offer).await;
            }
            if kind == OfferKind::Undo {
                return self.request_takeback(game, &visitor.hash).map(|_| ());
            }
            set_offer(game, kind, side);
            return Ok(());
        }
        match kind {
            OfferKind::Rematch => self.create_rematch(app, game, visitor).await,
            OfferKind::Undo => {
                self.apply_session_action(app, game, GameAction::TakeBack)
                    .await
            }
            OfferKind::Draw => {
                let bot = game.seats().into_iter().find(|seat| !seat.is_human());
                match bot {
                    Some(bot) => Err(refusal(format!("{bot} declines the draw"))),
                    None => {
                        self.apply_session_action(app, game, GameAction::AgreeDraw)
                            .await
                    }
                }
            }
        }
    }

    pub(super) async fn accept_offer(
        self: &Arc<Room>,
        app: &App,
        game: &mut LiveGame,
        visitor: &Visitor,
        kind: OfferKind,
    ) -> Result<(), ActionError> {
        if kind == OfferKind::Rematch && game.claims.rematch.is_some() {
            return Ok(());
        }
        // An offer of the same kind at the same revision is the one that was meant.
        let matching_offer = game.offer.filter(|offer| offer.kind == kind);
        let Some(offer) = matching_offer else {
            return Err(refusal("this offer is no longer open"));
        };
        if online_side(game, &visitor.hash)? == offer.by {
            return Err(refusal(
                "this is your own offer; your opponent has to accept it",
            ));
        }
        self.carry_out(app, game, visitor, offer).await
    }

    /// Carries out an offer that both sides agree to.
    async fn carry_out(
        self: &Arc<Room>,
        app: &App,
        game: &mut LiveGame,
        visitor: &Visitor,
        offer: Offer,
    ) -> Result<(), ActionError> {
        match offer.kind {
            OfferKind::Draw => {
                self.apply_session_action(app, game, GameAction::AgreeDraw)
                    .await
            }
            OfferKind::Undo => {
                self.apply_session_action(app, game, GameAction::TakeBackFor(offer.by))
                    .await
            }
            OfferKind::Rematch => self.create_rematch(app, game, visitor).await,
        }
    }

    /// Creates a game with the same players and swapped sides. It counts as a new game of this
    /// visitor.
    async fn create_rematch(
        self: &Arc<Room>,
        app: &App,
        game: &mut LiveGame,
        visitor: &Visitor,
    ) -> Result<(), ActionError> {
        let seats = game.seats();
        let participant = |seat: &Seat| Participant::from_seat(seat).map_err(refusal);
        let state = game.state();
        let [x, o] = game.claims.visitors;
        let new_room = NewRoom {
            variant: state.variant(),
            start: (!state.has_standard_start()).then(|| state.start_text()),
            seats: [participant(&seats[1])?, participant(&seats[0])?],
            seat_owners: [o, x],
            invites: [false; 2],
            previous_game: Some(game.id),
            created_by: *visitor,
        };
        let room = app.rooms.create(app, new_room).await?;
        game.claims.rematch = Some(room.uid().into());
        game.offer = None;
        Ok(())
    }
}

fn set_offer(game: &mut LiveGame, kind: OfferKind, side: Side) {
    game.offer = Some(Offer { kind, by: side });
}

/// The side of a visitor who plays against another visitor.
fn online_side(game: &LiveGame, visitor: &SecretHash) -> Result<Side, ActionError> {
    match game.human_sides_of(visitor)[..] {
        [side] => Ok(side),
        _ => Err(refusal("there's no other player who could accept")),
    }
}
