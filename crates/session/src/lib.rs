//! What every front end shares: who sits at the board, a game that is played and
//! kept, tournaments that are kept, bots at work beside it, and what people are told: the games, their rules and
//! options, what a position is worth and which moves were mistakes. Nothing here draws,
//! reads keys or speaks to a network.

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
mod value_text;

pub use bot_player::{BotPlayer, SEARCH_STACK_BYTES, SearchHandle, SearchUpdate, WeakBotPlayer};
pub use participant::Participant;
pub use session::{GameAction, Session, SessionError, resumable_games};
pub use speed::Speed;
pub use value_text::{XRelativeValue, mover_value_text};
