//! The commands, one to a file.

pub(crate) mod bench;
pub(crate) mod moves;
pub(crate) mod perft;
pub(crate) mod show;
pub(crate) mod tablebase;
pub(crate) mod welcome;
