//! Offers from one side to the other: a draw, a takeback, a rematch. If one visitor plays both
//! sides, or plays against a bot, there is nobody to ask.

use std::sync::Arc;

use noughts_engine::Value;
use noughts_rules::Side;
use noughts_session::policy::{self, PlayMode};
use noughts_session::{BotPlayer, GameAction, Participant, display_name};
use noughts_store::{Seat, SecretHash};
use noughts_wire::{Action, OfferKind};

use super::actions::{ActionError, refusal};
use super::live_game::LiveGame;
use super::room::Room;
use super::rooms::NewRoom;
use super::snapshot::Offer;
use crate::app::App;
use crate::middleware::Visitor;

impl Room {
    /// Takes back to the visitor's previous decision; `None` if the opponent is asked first.
    pub(super) fn request_takeback(
        &self,
        game: &mut LiveGame,
        visitor: &SecretHash,
    ) -> Result<Option<GameAction>, ActionError> {
        if game.play_mode() == PlayMode::Local {
            return Ok(Some(GameAction::TakeBack));
        }
        let side = online_side(game, visitor)?;
        if game.over.is_some() {
            return Err(refusal("the game is over"));
        }
        let movers = game.state.move_sides();
        match policy::takeback(&movers, [true; 2], Some(side)) {
            None => Err(refusal("you haven't made a move to take back")),
            Some(_) => {
                set_offer(game, OfferKind::Takeback, side);
                Ok(None)
            }
        }
    }

    pub(super) async fn make_offer(
        self: &Arc<Room>,
        app: &App,
        game: &mut LiveGame,
        visitor: &Visitor,
        kind: OfferKind,
        advice: Option<Value>,
    ) -> Result<(), ActionError> {
        let over = game.over.is_some();
        match (kind, over) {
            (OfferKind::Rematch, false) => {
                return Err(refusal("the game isn't over; offer a rematch when it is"));
            }
            // A rematch exists already, by the other side or an earlier request.
            (OfferKind::Rematch, true) if game.claims.rematch.is_some() => return Ok(()),
            (OfferKind::Draw | OfferKind::Takeback, true) => {
                return Err(refusal("the game is over"));
            }
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
            if kind == OfferKind::Takeback {
                return self.request_takeback(game, &visitor.hash).map(|_| ());
            }
            set_offer(game, kind, side);
            return Ok(());
        }
        match kind {
            OfferKind::Rematch => self.create_rematch(app, game, visitor).await,
            OfferKind::Takeback => {
                self.apply_session_action(app, game, GameAction::TakeBack)
                    .await
            }
            OfferKind::Draw => {
                for (side, seat) in Side::BOTH.into_iter().zip(&game.seats) {
                    if seat.is_human() {
                        continue;
                    }
                    let value = advice.unwrap_or(Value::UNKNOWN);
                    policy::answer_draw_offer(value, &game.state, side).map_err(|reason| {
                        refusal(noughts_text::draw_declined(&display_name(seat), reason))
                    })?;
                }
                self.apply_session_action(app, game, GameAction::AgreeDraw)
                    .await
            }
        }
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
            .start_hint(visitor.owner(), &advisor, &snapshot.state, limits);
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
            OfferKind::Takeback => {
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

fn set_offer(game: &mut LiveGame, kind: OfferKind, side: Side) {
    game.offer = Some(Offer { kind, by: side });
}

/// The side of a visitor who plays against another visitor.
fn online_side(game: &LiveGame, visitor: &SecretHash) -> Result<Side, ActionError> {
    match game.human_sides_of(visitor)[..] {
        [side] => Ok(side),
        _ => Err(refusal("there's no other player to accept the offer")),
    }
}
