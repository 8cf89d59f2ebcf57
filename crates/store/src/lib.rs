//! Players, games and statistics in one SQLite file. All SQL of the project is here. How games are
//! shown and which bots exist is defined elsewhere.
//!
//! Games are stored move by move, and a move is on disk when [`Store::add_move`] returns.
//! Statistics aren't stored but computed from finished games.
//!
//! ```
//! use std::time::Duration;
//! use noughts_rules::{AnyGameState, Variant};
//! use noughts_store::{Name, NewGame, Seat, Store, StoredMove};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let store = Store::in_memory().await?;
//! let ada = Name::new("Ada")?;
//! let seats = [Seat::Player(ada.clone()), Seat::Bot("medium".into())];
//! let game = store.create_game(&NewGame { variant: Variant::CLASSIC, start: None, seats }).await?;
//!
//! let mut state = AnyGameState::new(Variant::CLASSIC);
//! for (ply, mv) in ["b2", "a1", "c1", "a2", "a3"].into_iter().enumerate() {
//!     state.play(mv)?;
//!     let mv = StoredMove { text: mv.into(), took: Duration::from_millis(800) };
//!     let end = state.outcome().zip(state.ending().map(Into::into));
//!     store.add_move(game, ply, &mv, end).await?;
//! }
//! // o . x
//! // o x .      Ada has a line.
//! // x . .
//! let tally = store.player_tally(&ada).await?.unwrap_or_default();
//! assert_eq!((tally.wins, tally.losses, tally.draws), (1, 0, 0));
//! # Ok(())
//! # }
//! ```

#[macro_use]
mod sql;

mod access;
mod arena;
mod checkpoint;
mod compressed_text;
mod data_dir;
mod error;
mod game_updates;
mod games;
mod group_commit;
mod import_export;
mod listing;
mod moves;
mod name;
mod players;
mod positions;
mod preferences;
mod process;
mod record;
mod reviews;
mod seat;
mod seat_claims;
mod store;
#[cfg(test)]
mod tests;
mod timestamp;

pub use access::{AccessChangeCursor, AccessChanges, Ban, BanTarget, VisitorId};
pub use arena::{ArenaGame, ArenaGameKey, StoredTournament, TournamentId, TournamentState};
pub use error::StoreError;
pub use games::{GameId, NewGame, StoredGame, StoredMove};
pub use import_export::{ExportPart, GameExport, ImportSummary};
pub use listing::{GameFilter, GameSummary, ResultFilter};
pub use name::{Name, NameError};
pub use players::{PlayerCursor, PlayerDeletion, PlayerFilter, PlayerPage, PlayerRecord};
pub use positions::{CompressedPosition, StoredPosition};
pub use seat::{Seat, Tally};
pub use seat_claims::{Invite, NewOnlineGame, SeatClaims, SecretHash};
pub use store::{DATABASE_FILE, Store};
pub use timestamp::{Timestamp, TimestampError};
