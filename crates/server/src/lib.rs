//! The web page, the JSON API and live games, over the store that the terminal game
//! uses. No rule of a game is here: what is legal is asked of the rules, and told to
//! browsers with every state.

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
pub use config::{Config, Limits, RateLimit};
pub use log_names::LogNames;
pub use log_writer::LogWriter;
pub use network::Network;
