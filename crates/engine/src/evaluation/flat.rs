//! stub
use noughts_rules::{Depth, Game, Mnk, Nested, TicTacTwo};
use super::Evaluation;
/// Stub.
#[derive(Clone, Copy, Debug)]
pub struct FlatLines;
impl FlatLines { /// Stub.
 #[must_use] pub fn new<const W: usize>(_: &Mnk<W>) -> FlatLines { FlatLines } }
impl<const W: usize> Evaluation<Mnk<W>> for FlatLines {
    fn evaluate(&self, _: &Mnk<W>, _: &<Mnk<W> as Game>::Position) -> i32 { 0 }
    fn promise(&self, _: &Mnk<W>, _: &<Mnk<W> as Game>::Position, _: <Mnk<W> as Game>::Move) -> i32 { 0 }
}
