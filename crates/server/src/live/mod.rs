//! Games that are being played or watched: one room each, where steps happen one
//! after the other, are stored, acknowledged and then broadcast. What is said of
//! them, as JSON or as markup, is made elsewhere.

mod act;
mod bots;
mod invite;
mod offers;
mod room;
mod rooms;
mod seats;
mod snapshot;
mod state;
mod table;
mod tallies;
mod watching;

pub(crate) use act::Refused;
pub(crate) use rooms::{HelpedGames, Making, Rooms};
pub(crate) use seats::{bot_of, person_of};
#[cfg(test)]
pub(crate) use snapshot::Offer;
pub(crate) use snapshot::{OfferKind, Rev, Snapshot, You};
pub(crate) use state::{Part, State};
pub(crate) use watching::Watching;

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests;
