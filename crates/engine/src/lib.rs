//! Bots, search, solvers and tablebases for the tic-tac-toe family.
//!
//! - [`BotKind`] names a bot. [`AnyBot`] plays a variant chosen at run time, with moves as text;
//!   [`Bot`] is the interface for a game known at compile time.
//! - [`SearchLimits`] bound how long a bot may think, a [`StopFlag`] stops it, and a
//!   [`SearchReport`] is its result.
//! - A [`Value`] is either proved ([`ExactValue`]) or an estimate, never both.

mod alternation;
pub mod analysis;
mod background;
mod bot;
mod bots;
mod clock;
mod description;
pub mod evaluation;
pub mod knowledge;
mod limits;
mod parallel;
mod report;
#[cfg_attr(
    not(feature = "native"),
    expect(dead_code, unused_imports, reason = "only tablebases use all of it")
)]
mod retrograde;
pub mod search;
mod search_game;
pub mod solve;
mod sort;
#[cfg_attr(not(feature = "native"), path = "no_tablebase.rs")]
pub mod tablebase;
pub mod ugi;
mod value;

pub use background::{BackgroundTask, StopHandle, TaskEvent, catch_panic};
pub use bot::{
    AnyBot, Bot, BotKind, BotSettings, UnknownBotError, UnsupportedReason, UnsupportedVariantError,
    alpha_beta_with_evaluation,
};
pub use clock::{Clock, expected_moves_left};
pub use limits::{Budget, SearchLimits, StopFlag};
pub use report::{MAX_LISTED_MOVES, RankedMove, SearchNote, SearchReport};
pub use search_game::{BestSearch, SearchGame};
pub use tablebase::Tablebases;
pub use value::{ExactValue, GameValue, Value, win_chance};
