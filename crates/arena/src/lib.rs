//! Bots against bots: matches, tournaments and their statistics.
//!
//! - A [`BotSpec`] describes a built-in bot or an external program; a [`Player`] is a bot that
//!   plays.
//! - A [`Plan`] says which bots play each other, from which openings and at which [`TimeControl`];
//!   each of its games has a [`GameKey`] and can be replayed from the plan alone.
//! - A [`PlayedGame`] is saved to the [`Journal`] as soon as it ends.
//! - [`statistics`] computes Elo, ratings and the SPRT from results; [`Standings`] are what is
//!   displayed.
//!
//! This crate knows neither where games are stored nor how results are displayed.

#![cfg_attr(
    not(unix),
    allow(dead_code, reason = "external bots can't be run there yet")
)]

mod bots_file;
mod builtin_player;
pub mod check;
#[cfg(unix)]
mod codingame;
mod conclusion;
mod error_text;
mod journal;
#[cfg(unix)]
mod launcher;
pub mod limits;
#[cfg(not(unix))]
mod no_process;
mod notation;
mod openings;
mod orphans;
mod plan;
mod played_game;
mod player;
mod player_factory;
#[cfg(unix)]
mod process;
mod protocol_log;
pub mod referee;
pub mod report;
mod saved_game;
mod schedule;
mod spec;
mod standings;
pub mod statistics;
#[cfg(unix)]
mod stderr_log;
mod text_file;
mod time_control;
pub mod tournament;
#[cfg(unix)]
mod ugi;

pub use bots_file::BotsFile;
pub use journal::{Journal, JournalError, MemoryJournal};
#[cfg(unix)]
pub use launcher::{run_launcher, run_launcher_if_requested, set_launcher_command};
#[cfg(not(unix))]
pub use no_process::{run_launcher, run_launcher_if_requested, set_launcher_command};
pub use notation::Notation;
pub use openings::{Opening, parse_openings};
pub use orphans::{
    become_subreaper, count_tagged_processes, kill_descendants, kill_tagged_processes,
};
pub use plan::{Adjudication, AgreementThreshold, Format, Openings, Plan, Scoring, Sprt};
pub use played_game::{EndReason, GameFingerprint, GameKey, GameResult, MoveInfo, PlayedGame};
pub use player::{MoveRequest, MoveResponse, NewGame, Player, PlayerError, PlayerErrorKind};
pub use player_factory::{PlayerFactory, log_path};
pub use protocol_log::ProtocolLog;
pub use saved_game::SavedGame;
pub use schedule::{PlanError, Schedule, check_extension, game_seed};
pub use spec::{BotSource, BotSpec, BuiltinBot, Program, Protocol, SpecError};
pub use standings::{Standings, StandingsRow};
pub use statistics::SprtState;
pub use text_file::read_text;
pub use time_control::{TimeControl, TimeControlError};
pub use tournament::{StopRequest, TournamentControl};
