//! The web pages, the JSON API and live games, over the same store as the terminal program. The
//! rules of the games are in `noughts_rules`: legal moves are sent to browsers with every state.

mod address_pseudonyms;
mod api;
mod app;
mod assets;
mod config;
mod connection_slots;
mod digest;
mod error;
mod extract;
mod listen;
mod live;
mod log_writer;
mod machine;
mod meter;
mod middleware;
mod network;
mod pool;
mod routes;
mod server;
mod spectators;
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests;
mod view;

pub use address_pseudonyms::AddressPseudonyms;
pub use config::{Config, RateLimit, ServerLimits};
pub use ipnet::IpNet;
pub use log_writer::LogWriter;
pub use network::parse_network;
pub use server::run;
