//! The server as a whole, against those who mean it no good. What each part does is
//! tested beside it.

mod access;
pub(crate) mod house;
mod log;
mod random;
mod seats;
mod sockets;

pub(crate) use log::Log;
