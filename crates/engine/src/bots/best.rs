//! stub
use crate::bot::{Bot, Settings};
use crate::family::Family;

pub(crate) fn choose<G: Family>(_game: &G, settings: &Settings) -> Box<dyn Bot<G>> {
    Box::new(crate::bots::random::Random::new(settings))
}
