//! What all front ends share: participants, saved games and tournaments, running bots, and text
//! about games: rules, options, values of positions and mistakes. Nothing here draws, reads keys or
//! uses a network.

pub mod arena;
mod bot_player;
pub mod mistakes;
pub mod options;
pub mod origin;
mod participant;
pub mod player_input;
pub mod review;
pub mod rulebook;
mod session;
mod speed;
pub mod titles;

pub use bot_player::{BotPlayer, SEARCH_STACK_BYTES, SearchHandle, SearchUpdate, WeakBotPlayer};
pub use participant::{Participant, seat_label};
pub use session::{GameAction, Session, SessionError, resumable_games};
pub use speed::PlaybackSpeed;
