//! `best`: the strongest bot that the variant has.

use crate::bot::{Bot, Settings};
use crate::bots::alpha_beta::AlphaBeta;
use crate::family::Family;

pub(crate) fn choose<G: Family>(game: &G, settings: &Settings) -> Box<dyn Bot<G>> {
    Box::new(AlphaBeta::new(game, settings))
}
