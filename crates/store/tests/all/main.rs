//! The tests of the store from outside, in one program: what they share is compiled once.

mod common;
mod exchange;
mod files;
mod games;
mod people;
mod processes;
mod together;
mod trouble;
