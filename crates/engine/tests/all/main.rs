//! The tests of the engine from outside, in one program: what they share is compiled once.

mod common;
mod conduct;
mod exact;
mod haste;
mod levels;
mod negamax;
mod perfect_play;
mod repetition;
mod solved;
mod table;
mod tic_tac_two_table;
