//! Who sits where: handing a side over, and guests who come by the link.

use std::sync::Arc;

use noughts_engine::BotKind;
use noughts_rules::{Player, Variant};
use noughts_session::{Step, Who};
use noughts_store::Name;

use super::act::{Refused, ended, refused};
use super::room::Room;
use super::state::State;
use super::table::Table;
use crate::api::types::NewSeat;
use crate::app::App;
use crate::error::{Error, Kind};
use crate::guard::Visitor;

impl Room {
    /// Hands a side to a bot, or to the visitor.
    pub(super) async fn seat(
        self: &Arc<Room>,
        app: &App,
        table: &mut Table,
        visitor: &Visitor,
        side: Player,
        who: NewSeat,
    ) -> Result<(), Refused> {
        let awaited = table.claims.invites[side as usize].is_some();
        if !awaited && !table.minds(side, &visitor.hash) {
            let message = "that side is somebody else's; hand over your own";
            return Err(Error::new(Kind::NotYours, message).into());
        }
        let who = match who {
            NewSeat::Person { name } => person_of(name.as_deref())?,
            NewSeat::Bot { bot } => Who::Bot(bot_of(&bot, table.play().variant())?),
            NewSeat::Invite => {
                return Err(refused("somebody is invited only when a game is made"));
            }
        };
        self.sit(app, table, visitor, side, who).await
    }

    /// A name that comes into a game may be new, and is then stored for good: it is
    /// counted as a game is.
    async fn sit(
        &self,
        app: &App,
        table: &mut Table,
        visitor: &Visitor,
        side: Player,
        who: Who,
    ) -> Result<(), Refused> {
        if who.person().is_some() {
            app.rates.seat(visitor)?;
        }
        let step = Step::Seat(side, who, visitor.hash);
        self.step(app, table, step).await?;
        table.claims.sitters[side as usize] = Some(visitor.hash);
        table.claims.invites[side as usize] = None;
        let seat = &table.seats()[side as usize];
        table.tallies[side as usize] = app.rooms.tallies.of(&app.config.store, seat).await?;
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
    ) -> Result<Arc<State>, Refused> {
        self.touch();
        let (room, app) = (self.clone(), app.clone());
        let work = tokio::spawn(async move {
            let mut table = room.table.lock().await;
            let awaits = table.awaits();
            let sits = Player::BOTH
                .into_iter()
                .any(|side| table.minds(side, &visitor.hash));
            match (sits, awaits) {
                // It was heard already.
                (true, false) => return Ok(room.state()),
                (true, true) => {
                    let message = "you sit in this game already: the link is for a friend";
                    return Err(refused(message).at(&room));
                }
                (false, false) => {
                    let message =
                        "nobody is awaited in this game: somebody has taken the seat already";
                    return Err(refused(message).at(&room));
                }
                (false, true) => {}
            }
            let Some(side) = room.state().opened_by(&code) else {
                let message = "this link does not open a seat; ask your friend for it again";
                return Err(Error::new(Kind::NotYours, message).into());
            };
            let who = person_of(name.as_deref())?;
            let taken = room.sit(&app, &mut table, &visitor, side, who).await;
            taken.map_err(|refused| refused.at(&room))?;
            room.call_bot(&app, &mut table);
            Ok(room.publish(&table))
        });
        ended(work.await)
    }
}

/// A person who sits down: a guest, if they give no name. Guests don't share a record,
/// nor do those who call themselves what guests are called.
pub(crate) fn person_of(name: Option<&str>) -> Result<Who, Error> {
    let name = name.map(str::trim).filter(|name| !name.is_empty());
    let Some(name) = name else {
        return Ok(Who::Guest);
    };
    let name = Name::new(name).map_err(|error| Error::new(Kind::Invalid, error.to_string()))?;
    match name.key() == Who::Guest.to_string().to_lowercase() {
        true => Ok(Who::Guest),
        false => Ok(Who::Person(name)),
    }
}

/// The bot of this name, if it plays the game.
pub(crate) fn bot_of(name: &str, variant: Variant) -> Result<BotKind, Error> {
    let invalid = |message: String| Error::new(Kind::Invalid, message);
    let kind: BotKind = name
        .parse()
        .map_err(|error: noughts_engine::UnknownBot| invalid(error.to_string()))?;
    kind.plays(variant)
        .map_err(|reason| invalid(format!("{kind} does not play {variant}: {reason}")))?;
    Ok(kind)
}
