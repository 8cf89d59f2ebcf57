//! The markup of the pages, one file for each.

mod analysis;
mod dialogs;
mod example;
mod game;
mod games;
mod home;
mod join;
mod new_game;
mod players;
mod rules;
mod session;

pub(crate) use analysis::{AnalysisSetup, analysis};
pub(crate) use game::game;
pub(crate) use games::{GameList, GameListFilter, games};
pub(crate) use home::home;
pub(crate) use join::join;
pub(crate) use new_game::{NewGameForm, new_game};
pub(crate) use players::{player, players};
pub(crate) use rules::{rules_index, variant_rules};
pub(crate) use session::session;
