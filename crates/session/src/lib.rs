//! What every front end shares: who sits at the board, a game that is played and
//! kept, bots at work beside it, and the rules told to people. Nothing here draws,
//! reads keys or speaks to a network.

mod computer;
pub mod rulebook;
mod session;
mod who;

pub use computer::{Computer, Thinking, Thought};
pub use session::{Problem, Session, Step, left_open};
pub use who::Who;
