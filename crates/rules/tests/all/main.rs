//! The tests of the rules from outside, in one program: what they share is compiled once.

mod conformance;
mod formats;
mod golden;
mod mistakes;
mod numbers;
mod perft;
mod records;
mod setups;
mod views;
