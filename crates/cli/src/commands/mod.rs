//! The commands, one file each.

pub(crate) mod arena;
pub(crate) mod bench;
pub(crate) mod best;
pub(crate) mod bots;
pub(crate) mod engine;
pub(crate) mod games;
pub(crate) mod moves;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod players;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod solve;
pub(crate) mod tablebase;
pub(crate) mod welcome;
