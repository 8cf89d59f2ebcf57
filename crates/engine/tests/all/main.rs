//! Integration tests of the engine, in one binary so that shared code is compiled once.

mod bot_conformance;
mod exact;
mod full_search;
mod generic_tablebase;
mod gravity;
mod ladder;
mod levels;
mod negamax;
mod perfect_play;
mod repetition;
mod shared_tablebase;
mod solved;
mod tic_tac_two_tablebase;
mod tight_limits;
