//! Bots against bots: matches, tournaments and what follows from them.
//!
//! - A [`BotSpec`] describes a bot, one of ours or an outside program; a [`Player`] is
//!   one at the board.
//! - A [`Plan`] says who meets whom, from which openings, at which [`Pace`]; every game
//!   of it has a [`Key`] and can be played again from the plan alone.
//! - A [`Played`] game goes to the [`Journal`] the moment it ends.
//! - [`statistics`] says what follows from results; [`Standings`] are what is shown.
//!
//! Where games are kept and how results are shown on a screen is not known here.

mod block;
mod bots_file;
pub mod check;
mod codingame;
mod dialogue;
mod exchange;
mod journal;
#[cfg(unix)]
mod last_words;
#[cfg(unix)]
mod launcher;
pub mod limits;
mod make;
mod notation;
mod openings;
mod ours;
mod pace;
mod plan;
mod played;
mod player;
#[cfg(unix)]
mod process;
#[cfg(not(unix))]
#[path = "no_process.rs"]
mod process;
mod read;
pub mod referee;
pub mod report;
mod schedule;
mod spec;
pub mod statistics;
mod sweep;
pub mod tournament;
mod ugi;
mod user_key;
mod verdict;
mod words;

pub use block::{Row, SprtState, Standings};
pub use bots_file::BotsFile;
pub use dialogue::Dialogue;
pub use journal::{Journal, JournalError, Memory};
#[cfg(unix)]
pub use launcher::{launch_bot, launch_if_asked, set_launcher};
pub use make::{Making, log_of, player};
pub use notation::Notation;
pub use openings::{Opening, read_openings};
pub use pace::{Pace, PaceError};
pub use plan::{Adjudication, Agreed, Format, Openings, Plan, Scoring, Sprt};
pub use played::{Course, GameResult, Key, MoveMade, Played, Reason};
pub use player::{Answer, Fault, Mishap, NewGame, Player, Turn};
pub use process::allow_many_files;
#[cfg(not(unix))]
pub use process::{launch_bot, launch_if_asked, set_launcher};
pub use read::read_text;
pub use schedule::{PlanError, Schedule, extends, game_seed};
pub use spec::{BotSpec, Ours, Program, Protocol, SpecError, Who};
pub use sweep::{adopt, count_running, sweep, sweep_adopted};
pub use tournament::{Asked, Control};
pub use user_key::user_key;
