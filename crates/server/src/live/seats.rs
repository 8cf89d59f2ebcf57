//! Seats: handing a side over, and joining by invite link.

use std::sync::Arc;

use noughts_engine::BotKind;
use noughts_rules::{Side, Variant};
use noughts_session::{GameAction, Participant};
use noughts_store::Name;
use noughts_wire::NewSeat;

use super::actions::{ActionError, refusal, run_to_end};
use super::live_game::LiveGame;
use super::room::Room;
use super::snapshot::GameSnapshot;
use crate::app::App;
use crate::error::{ApiError, ApiErrorKind};
use crate::middleware::Visitor;

impl Room {
    /// Hands a side to a bot, or to the visitor.
    pub(super) async fn change_seat(
        self: &Arc<Room>,
        app: &App,
        game: &mut LiveGame,
        visitor: &Visitor,
        side: Side,
        seat: &NewSeat,
    ) -> Result<(), ActionError> {
        let is_invited = game.claims.invites[side as usize].is_some();
        let is_theirs = is_invited || game.seat_owner(side) == Some(&visitor.hash);
        let message = "that side belongs to another player; you can only hand over your own";
        ApiErrorKind::NotYours.require(is_theirs, message)?;
        let message = "you can invite a player only when you create a game";
        ApiErrorKind::Refused.require(*seat != NewSeat::Invited {}, message)?;
        let participant = parse_seat(seat, game.state.variant())?;
        self.take_seat(app, game, visitor, side, participant).await
    }

    /// Assigns the seat. A player's name may be new and is then stored forever, so it counts as a
    /// new game does.
    async fn take_seat(
        &self,
        app: &App,
        game: &mut LiveGame,
        visitor: &Visitor,
        side: Side,
        participant: Participant,
    ) -> Result<(), ActionError> {
        if participant.player_name().is_some() {
            app.rate_limiters.check_seat(visitor)?;
        }
        let action = GameAction::ReseatVisitor(side, participant, visitor.hash);
        self.apply_session_action(app, game, action).await?;
        game.claims.visitors[side as usize] = Some(visitor.hash);
        game.claims.invites[side as usize] = None;
        let seat = &game.seats[side as usize];
        game.tallies[side as usize] = app.rooms.tallies.get(&app.config.store, seat).await?;
        Ok(())
    }

    /// Takes the seat that is reserved for the invite link. Runs to its end even if the client
    /// disconnects.
    pub(crate) async fn join(
        self: &Arc<Room>,
        app: &App,
        visitor: Visitor,
        code: String,
        name: Option<String>,
    ) -> Result<Arc<GameSnapshot>, ActionError> {
        self.touch();
        let (room, app) = (self.clone(), app.clone());
        run_to_end(async move {
            let mut game = room.game.lock().await;
            let is_seated = game.is_seated(&visitor.hash);
            let is_open = game.is_waiting_for_opponent();
            if is_seated && !is_open {
                // A repeated request.
                return Ok(room.snapshot());
            }
            if is_seated || !is_open {
                let message = match is_seated {
                    true => "you're already in this game; send the link to a friend",
                    false => "this game already has two players; you can watch it",
                };
                return Err(refusal(message).with_snapshot_of(&room));
            }
            let Some(side) = room.snapshot().side_for_invite(&code) else {
                let message = "this invite link isn't valid; ask your friend to send it again";
                return Err(ApiErrorKind::NotYours.error(message).into());
            };
            let participant = parse_human(name.as_deref())?;
            let result = room
                .take_seat(&app, &mut game, &visitor, side, participant)
                .await;
            result.map_err(|error| error.with_snapshot_of(&room))?;
            room.update_bot_task(&app, &mut game);
            Ok(room.publish(&game))
        })
        .await
    }
}

/// The participant of a seat, a guest until an invited player joins. A bot must play the variant.
pub(crate) fn parse_seat(seat: &NewSeat, variant: Variant) -> Result<Participant, ApiError> {
    match seat {
        NewSeat::Human { name } => parse_human(name.as_deref()),
        NewSeat::Invited {} => Ok(Participant::Guest),
        NewSeat::Bot { name } => {
            let kind: BotKind = name.parse()?;
            kind.check_supports(variant)?;
            Ok(Participant::Bot(kind))
        }
    }
}

/// A human participant: a guest without a name. Guests have no record, and neither have players who
/// call themselves "Guest".
fn parse_human(name: Option<&str>) -> Result<Participant, ApiError> {
    let name = name.map(str::trim).filter(|name| !name.is_empty());
    let Some(name) = name else {
        return Ok(Participant::Guest);
    };
    let name = Name::new(name)?;
    match name.key() == Participant::Guest.to_string().to_lowercase() {
        true => Ok(Participant::Guest),
        false => Ok(Participant::Player(name)),
    }
}
