//! The pages, one file for each.

mod analysis;
mod dialogs;
mod example;
mod game;
mod games;
mod home;
mod join;
mod new;
mod players;
mod rules;
mod session;

pub(crate) use analysis::{Studied, analysis};
pub(crate) use game::game;
pub(crate) use games::{Listing, games};
pub(crate) use home::home;
pub(crate) use join::join;
pub(crate) use new::{Setup, new};
pub(crate) use players::{player, players};
pub(crate) use rules::{rules, rules_of};
pub(crate) use session::session;
