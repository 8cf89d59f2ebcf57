//! The server as a whole, against those who mean it no good. What each part does is
//! tested beside it.

mod access;
mod log;
mod random;
mod seats;
mod sockets;
pub(crate) mod test_server;

pub(crate) use log::Log;
