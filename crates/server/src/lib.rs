//! The web pages, the JSON API and live games, over the same store as the terminal program. The
//! rules of the games are in `noughts_rules`: legal moves are sent to browsers with every state.

mod api;
mod app;
mod assets;
mod config;
mod connection_slots;
mod digest;
mod error;
mod listen;
mod live;
mod log_names;
mod log_writer;
mod machine;
mod meter;
mod middleware;
mod network;
mod pool;
mod routes;
mod spectators;
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests;
mod view;

pub use app::run;
pub use config::{Config, RateLimit, ServerLimits};
pub use log_names::LogNames;
pub use log_writer::LogWriter;
pub use network::IpNetwork;
