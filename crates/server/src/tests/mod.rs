//! Security tests of the whole server. What each part does is tested next to it.

mod access;
mod layers;
mod log;
mod random;
mod seats;
mod sockets;
pub(crate) mod test_server;
mod wire_size;

pub(crate) use log::Log;
