//! Games being played or watched: one room each, in which actions are applied one after the other,
//! stored, acknowledged and then broadcast. Serializing games as JSON or HTML is done elsewhere.

mod actions;
mod bot_moves;
mod game_locks;
mod invite;
mod live_game;
mod offers;
mod room;
mod rooms;
mod seats;
mod snapshot;
mod subscription;
mod tally_cache;
mod viewer;

pub(crate) use actions::ActionError;
pub(crate) use rooms::{IDLE_TIMEOUT, NewRoom, PendingAssistance, Rooms};
pub(crate) use seats::parse_seat;
#[cfg(test)]
pub(crate) use snapshot::Offer;
pub(crate) use snapshot::{GameSnapshot, PagePart};
pub(crate) use subscription::GameSubscription;
pub(crate) use viewer::Viewer;

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests;
