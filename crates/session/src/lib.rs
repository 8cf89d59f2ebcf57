//! What all front ends share: participants, saved games, running bots, and text
//! about games: rules, options, values of positions and mistakes. Nothing here draws, reads keys or
//! uses a network.

mod bot_player;
pub mod mistakes;
pub mod options;
mod participant;
pub mod player_input;
pub mod policy;
pub mod review;
mod session;
mod speed;

pub use bot_player::{BotPlayer, SEARCH_STACK_BYTES, SearchHandle, SearchUpdate, WeakBotPlayer};
pub use noughts_text::rulebook;
pub use participant::{Participant, display_name, seat_label, stored_game_over};
pub use session::{GameAction, Session, SessionError, resumable_games};
pub use speed::PlaybackSpeed;
