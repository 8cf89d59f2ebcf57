//! Offers from one side to the other: a draw, a takeback, a rematch. If one visitor plays both
//! sides, or plays against a bot, there is nobody to ask.

use std::sync::Arc;

use noughts_engine::Value;
use noughts_rules::Side;
use noughts_session::policy;
use noughts_session::{BotPlayer, GameAction, Participant, display_name};
use noughts_store::{Seat, SecretHash};
use noughts_wire::{Action, OfferKind};

use super::actions::{ActionError, refusal};
use super::live_game::LiveGame;
use super::room::Room;
use super::rooms::NewRoom;
use super::snapshot::Offer;
use crate::app::App;
use crate::error::ApiErrorKind;
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
        ApiErrorKind::Refused.require(game.over.is_none(), "the game is over")?;
        let movers = game.state.move_sides();
        let has_moved = policy::takeback(&movers, [true; 2], Some(side)).is_some();
        ApiErrorKind::Refused.require(has_moved, "you haven't made a move to take back")?;
        let kind = OfferKind::Takeback;
        game.offer = Some(Offer { kind, by: side });
        Ok(None)
    }

    pub(super) async fn make_offer(
        self: &Arc<Room>,
        app: &App,
        game: &mut LiveGame,
        visitor: &Visitor,
        kind: OfferKind,
        advice: Option<Value>,
    ) -> Result<(), ActionError> {
        let (is_over, is_rematch) = (game.over.is_some(), kind == OfferKind::Rematch);
        let message = match is_rematch {
            true => "the game isn't over; offer a rematch when it is",
            false => "the game is over",
        };
        ApiErrorKind::Refused.require(is_over == is_rematch, message)?;
        if is_rematch && game.claims.rematch.is_some() {
            // It exists already, by the other side or an earlier request.
            return Ok(());
        }
        if game.is_online() {
            let side = online_side(game, &visitor.hash)?;
            let by = side.other();
            // Both sides have made the same offer, so they agree.
            if game.offer == Some(Offer { kind, by }) {
                return self.carry_out(app, game, visitor, kind, Some(by)).await;
            }
            if kind == OfferKind::Takeback {
                return self.request_takeback(game, &visitor.hash).map(|_| ());
            }
            game.offer = Some(Offer { kind, by: side });
            return Ok(());
        }
        let seats = Side::BOTH.into_iter().zip(&game.seats);
        for (side, seat) in seats.filter(|(_, seat)| kind == OfferKind::Draw && !seat.is_human()) {
            let value = advice.unwrap_or(Value::UNKNOWN);
            policy::answer_draw_offer(value, &game.state, side).map_err(|reason| {
                refusal(noughts_text::draw_declined(&display_name(seat), reason))
            })?;
        }
        self.carry_out(app, game, visitor, kind, None).await
    }

    /// The value of the position for the side to move, if a bot has to answer a draw offer. Found
    /// without the room's lock: if the game changes in the meantime, the offer is stale.
    pub(super) async fn draw_advice(
        &self,
        app: &App,
        visitor: &Visitor,
        action: &Action,
    ) -> Option<Value> {
        let snapshot = self.snapshot();
        let is_draw_offer = matches!(
            action,
            Action::Offer {
                offer: OfferKind::Draw,
                ..
            }
        );
        let is_player = snapshot.viewer(&visitor.hash).is_player();
        let has_bot = snapshot.seats.iter().any(|seat| !seat.is_human());
        if !is_draw_offer || !is_player || !has_bot || snapshot.over.is_some() {
            return None;
        }
        let variant = snapshot.state.variant();
        let settings = app.pool.bot_settings(variant);
        let advisor = BotPlayer::new(policy::ADVISOR, variant, &settings).ok()?;
        let limits = policy::ADVISOR_LIMITS;
        let job = app
            .pool
            .start_hint(visitor.owner, &advisor, &snapshot.state, limits);
        Some(job.await.ok()?.value)
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
            let name = match kind {
                OfferKind::Draw => "draw",
                OfferKind::Takeback => "takeback",
                OfferKind::Rematch => "rematch",
            };
            return Err(refusal(format!("there's no {name} offer to accept")));
        };
        let is_own = online_side(game, &visitor.hash)? == offer.by;
        let message = "this is your own offer; your opponent has to accept it";
        ApiErrorKind::Refused.require(!is_own, message)?;
        self.carry_out(app, game, visitor, kind, Some(offer.by))
            .await
    }

    /// Carries out an offer of one side that both agree to, or what a visitor wants who needn't ask.
    async fn carry_out(
        self: &Arc<Room>,
        app: &App,
        game: &mut LiveGame,
        visitor: &Visitor,
        kind: OfferKind,
        by: Option<Side>,
    ) -> Result<(), ActionError> {
        let action = match kind {
            OfferKind::Rematch => return self.create_rematch(app, game, visitor).await,
            OfferKind::Draw => GameAction::AgreeDraw,
            OfferKind::Takeback => by.map_or(GameAction::TakeBack, GameAction::TakeBackFor),
        };
        self.apply_session_action(app, game, action).await
    }

    /// Creates a game with the same players and swapped sides. It counts as a new game of this
    /// visitor.
    async fn create_rematch(
        self: &Arc<Room>,
        app: &App,
        game: &mut LiveGame,
        visitor: &Visitor,
    ) -> Result<(), ActionError> {
        let participant = |seat: &Seat| Participant::from_seat(seat).map_err(refusal);
        let (state, seats) = (&game.state, &game.seats);
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

/// The side of a visitor who plays against another visitor.
fn online_side(game: &LiveGame, visitor: &SecretHash) -> Result<Side, ActionError> {
    match game.human_sides_of(visitor)[..] {
        [side] => Ok(side),
        _ => Err(refusal("there's no other player to accept the offer")),
    }
}
