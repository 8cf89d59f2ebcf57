//! All integration tests of the rules in one binary, so that shared code is compiled once.

mod conformance;
mod dyn_games;
mod equivalence;
mod formats;
mod games;
mod golden;
mod mistakes;
mod numbers;
mod perft;
mod records;
mod setups;
mod views;
