//! What the terminal game and the plain game share: who sits at the board, a game
//! that is played and kept, bots at work beside it. Nothing here draws or reads keys.

mod computer;
mod keeper;
mod session;
mod who;

pub(crate) use computer::{Computer, Thinking, Thought};
pub(crate) use keeper::Keeper;
pub(crate) use session::{Problem, Session, Step, left_open};
pub(crate) use who::{Who, WhoArg, who};
