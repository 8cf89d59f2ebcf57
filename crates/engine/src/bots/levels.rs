//! Stub.
use noughts_rules::Game;
/// Stub.
pub trait Levels: Game {}
impl<G: Game> Levels for G {}
