//! What every front end shares: who sits at the board, a game that is played and
//! kept, tournaments that are kept, bots at work beside it, and what people are told: the games, their rules and
//! options, what a position is worth and which moves were mistakes. Nothing here draws,
//! reads keys or speaks to a network.

pub mod arena;
mod computer;
pub mod judge;
pub mod options;
pub mod origin;
pub mod review;
pub mod rulebook;
mod session;
mod speed;
pub mod titles;
pub mod typed;
mod who;
mod worth;

pub use computer::{Computer, STACK, Thinking, Thought, WeakComputer};
pub use session::{Problem, Session, Step, left_open};
pub use speed::Speed;
pub use who::Who;
pub use worth::{Worth, for_mover};
