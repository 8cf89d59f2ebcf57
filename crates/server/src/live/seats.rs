//! Who sits where: handing a side over, and guests who come by the link.

use std::sync::Arc;

use noughts_engine::BotKind;
use noughts_rules::{Side, Variant};
use noughts_session::{GameAction, Participant};
use noughts_store::Name;

use super::actions::{ActionError, flatten_join, refusal};
use super::live_game::LiveGame;
use super::published::PublishedSnapshot;
use super::room::Room;
use crate::api::types::NewSeat;
use crate::app::App;
use crate::error::{Error, Kind};
use crate::middleware::Visitor;

impl Room {
    /// Hands a side to a bot, or to the visitor.
    pub(super) async fn change_seat(
        self: &Arc<Room>,
        app: &App,
        table: &mut LiveGame,
        visitor: &Visitor,
        side: Side,
        who: NewSeat,
    ) -> Result<(), ActionError> {
        let awaited = table.claims.invites[side as usize].is_some();
        if !awaited && !table.is_controlled_by(side, &visitor.hash) {
            let message = "that side is somebody else's; hand over your own";
            return Err(Error::new(Kind::NotYours, message).into());
        }
        let who = match who {
            NewSeat::Person { name } => parse_human(name.as_deref())?,
            NewSeat::Bot { bot } => Participant::Bot(parse_bot(&bot, table.state().variant())?),
            NewSeat::Invite => {
                return Err(refusal("somebody is invited only when a game is made"));
            }
        };
        self.sit(app, table, visitor, side, who).await
    }

    /// A name that comes into a game may be new, and is then stored for good: it is
    /// counted as a game is.
    async fn sit(
        &self,
        app: &App,
        table: &mut LiveGame,
        visitor: &Visitor,
        side: Side,
        who: Participant,
    ) -> Result<(), ActionError> {
        if who.player_name().is_some() {
            app.rate_limiters.check_seat(visitor)?;
        }
        let step = GameAction::ReseatVisitor(side, who, visitor.hash);
        self.apply_session_action(app, table, step).await?;
        table.claims.visitors[side as usize] = Some(visitor.hash);
        table.claims.invites[side as usize] = None;
        let seat = &table.seats()[side as usize];
        table.tallies[side as usize] = app.rooms.tallies.get(&app.config.store, seat).await?;
        Ok(())
    }

    /// Takes the seat that is held open for whoever has the code. Goes on to its end
    /// even if nobody waits for it.
    pub(crate) async fn join(
        self: &Arc<Room>,
        app: &App,
        visitor: Visitor,
        code: String,
        name: Option<String>,
    ) -> Result<Arc<PublishedSnapshot>, ActionError> {
        self.touch();
        let (room, app) = (self.clone(), app.clone());
        let work = tokio::spawn(async move {
            let mut table = room.game.lock().await;
            let awaits = table.is_waiting_for_opponent();
            let sits = Side::BOTH
                .into_iter()
                .any(|side| table.is_controlled_by(side, &visitor.hash));
            match (sits, awaits) {
                // It was heard already.
                (true, false) => return Ok(room.snapshot()),
                (true, true) => {
                    let message = "you sit in this game already: the link is for a friend";
                    return Err(refusal(message).with_snapshot_of(&room));
                }
                (false, false) => {
                    let message =
                        "nobody is awaited in this game: somebody has taken the seat already";
                    return Err(refusal(message).with_snapshot_of(&room));
                }
                (false, true) => {}
            }
            let Some(side) = room.snapshot().side_for_invite(&code) else {
                let message = "this link does not open a seat; ask your friend for it again";
                return Err(Error::new(Kind::NotYours, message).into());
            };
            let who = parse_human(name.as_deref())?;
            let taken = room.sit(&app, &mut table, &visitor, side, who).await;
            taken.map_err(|refused| refused.with_snapshot_of(&room))?;
            room.update_bot_task(&app, &mut table);
            Ok(room.publish(&table))
        });
        flatten_join(work.await)
    }
}

/// A person who sits down: a guest, if they give no name. Guests don't share a record,
/// nor do those who call themselves what guests are called.
pub(crate) fn parse_human(name: Option<&str>) -> Result<Participant, Error> {
    let name = name.map(str::trim).filter(|name| !name.is_empty());
    let Some(name) = name else {
        return Ok(Participant::Guest);
    };
    let name = Name::new(name).map_err(|error| Error::new(Kind::Invalid, error.to_string()))?;
    match name.key() == Participant::Guest.to_string().to_lowercase() {
        true => Ok(Participant::Guest),
        false => Ok(Participant::Player(name)),
    }
}

/// The bot of this name, if it plays the game.
pub(crate) fn parse_bot(name: &str, variant: Variant) -> Result<BotKind, Error> {
    let invalid = |message: String| Error::new(Kind::Invalid, message);
    let kind: BotKind = name
        .parse()
        .map_err(|error: noughts_engine::UnknownBotError| invalid(error.to_string()))?;
    kind.check_supports(variant)
        .map_err(|reason| invalid(format!("{kind} does not play {variant}: {reason}")))?;
    Ok(kind)
}
