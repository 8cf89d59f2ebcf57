//! The server as a whole, against those who mean it no good. What each part does is
//! tested beside it.

mod access;
pub(crate) mod house;
mod random;
mod seats;
