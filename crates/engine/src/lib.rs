//! Bots, search, solvers and exact tables for the tic-tac-toe family.
//!
//! - [`BotKind`] names a bot; [`AnyBot`] is one that plays some variant, for
//!   front ends, in text; [`Bot`] is one for a known game.
//! - [`Limits`] say how long it may think, [`Stop`] stops it, a [`Report`] is
//!   what it says.
//! - [`Value`] is proved ([`Exact`]) or an estimate, and never both.

mod about;
mod alternate;
pub mod analysis;
mod background;
mod bot;
mod bots;
mod clock;
mod data;
pub mod evaluation;
mod family;
mod limits;
mod report;
pub mod search;
pub mod solve;
pub mod tablebase;
pub mod ugi;
mod value;

pub use analysis::Analysis;
pub use background::caught;
pub use bot::{AnyBot, Bot, BotKind, Settings, UnknownBot, alpha_beta_with};
pub use clock::{Clock, moves_expected};
pub use data::data_folder;
pub use family::Family;
pub use limits::{Budget, Limits, Stop};
pub use report::{MOST_LISTED, Ranked, Report};
pub use tablebase::Tables;
pub use value::{Exact, Value, Verdict, win_chance};
