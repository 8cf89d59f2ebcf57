//! What the engine knows of particular games beyond their rules. All of it is optional: bots play any game without it,
//! only less well. Nothing outside this folder names a game.

mod mnk;
pub mod nested;
mod tic_tac_two;
