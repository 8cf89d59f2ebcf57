//! The web page, the JSON API and live games, over the store that the terminal game
//! uses. No rule of a game is here: what is legal is asked of the rules, and told to
//! browsers with every state.

mod api;
mod app;
mod assets;
mod audience;
mod config;
mod digest;
mod error;
mod guard;
mod listen;
mod live;
mod log_names;
mod log_writer;
mod machine;
mod meter;
mod network;
mod places;
mod pool;
mod routes;
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests;
mod view;

pub use app::run;
pub use config::{Config, Limits, Rate};
pub use log_names::LogNames;
pub use log_writer::LogWriter;
pub use network::Network;
