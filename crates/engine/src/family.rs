//! What search wants to know of a game beyond its rules, for each family.

use noughts_rules::{Depth, End, Game, Mnk, Nested, Sent, TicTacTwo, Variant};

use crate::bots::levels::Levels;
use crate::evaluation::{Evaluation, FlatLines, GridLines, NestedBoards};
use crate::limits::Budget;
use crate::search::mcts::Growth;
use crate::search::tactics::{FlatTactics, GridTactics, NestedTactics, Tactics};
use crate::solve::{Plan, strategy_5a};
use crate::tablebase::Tables;
use crate::value::Exact;

/// A game that bots can play: its rules, and what search needs besides.
pub trait Family: Game + Levels {
    /// How positions are judged that were not searched to the end.
    type Evaluation: Evaluation<Self>;

    /// The evaluation made for this variant.
    fn evaluation(&self) -> Self::Evaluation;

    /// No game from here lasts longer. None where games can go round in circles.
    fn most_plies(&self, position: &Self::Position) -> Option<u32>;

    /// Do the players take turns, move by move, and can nobody lose by a move of
    /// their own? Then a win takes an odd number of plies, and a loss an even one.
    fn winner_moves_last(&self) -> bool;

    /// What search knows of this game's moves.
    type Tactics: Tactics<Self>;

    /// The tactics of this variant.
    fn tactics(&self) -> Self::Tactics;

    /// How a Monte Carlo tree grows best in this game; found by matches.
    fn growth(&self) -> Growth {
        Growth {
            exploration: 0.8,
            judgement: 0.5,
        }
    }

    /// How many different slots [`Family::slot`] gives.
    fn slots(&self) -> usize;

    /// A small number for a move, to remember how good moves like it were.
    fn slot(&self, mv: Self::Move) -> usize;

    /// What a known strategy proves of the position. The proof is made anew, within
    /// the budget.
    ///
    /// # Errors
    /// Nothing was proved: the nodes spent on trying.
    fn strategy(&self, _: &Self::Position, _: &Budget) -> Result<Plan<Self::Move>, u64> {
        Err(0)
    }

    /// What to say of a table that exact play would need and that is not there.
    fn missing_table(&self, _tables: &Tables) -> Option<String> {
        None
    }

    /// What a table knows of the position, with no search at all.
    fn known(&self, _tables: &Tables, _position: &Self::Position) -> Option<Exact> {
        None
    }
}

/// The same expression for every game in progress, with all that [`Family`] has.
macro_rules! each_family {
    ($any:expr, $play:ident => $do:expr) => {
        match $any {
            noughts_rules::AnyPlay::Mnk($play) => $do,
            noughts_rules::AnyPlay::LargeMnk($play) => $do,
            noughts_rules::AnyPlay::TicTacTwo($play) => $do,
            noughts_rules::AnyPlay::Ultimate($play) => $do,
            noughts_rules::AnyPlay::Rule5a($play) => $do,
            noughts_rules::AnyPlay::Nested1($play) => $do,
            noughts_rules::AnyPlay::Nested2($play) => $do,
            noughts_rules::AnyPlay::Nested3($play) => $do,
            noughts_rules::AnyPlay::NestedDeep($play) => $do,
        }
    };
}
pub(crate) use each_family;

impl<const W: usize> Family for Mnk<W> {
    type Evaluation = FlatLines<W>;
    type Tactics = FlatTactics<W>;

    fn evaluation(&self) -> FlatLines<W> {
        FlatLines::new(self)
    }

    fn winner_moves_last(&self) -> bool {
        !self.options().misere()
    }

    fn tactics(&self) -> FlatTactics<W> {
        FlatTactics::new(self)
    }

    fn most_plies(&self, position: &Self::Position) -> Option<u32> {
        Some(self.count_moves(position) as u32)
    }

    fn slots(&self) -> usize {
        let (columns, rows, _) = self.options().size();
        usize::from(columns) * usize::from(rows)
    }

    #[inline]
    fn slot(&self, mv: Self::Move) -> usize {
        let (col, row) = self.column_row(mv);
        usize::from(row) * usize::from(self.options().size().0) + usize::from(col)
    }
}

impl Family for TicTacTwo {
    type Evaluation = GridLines;
    type Tactics = GridTactics;

    fn evaluation(&self) -> GridLines {
        GridLines
    }

    fn winner_moves_last(&self) -> bool {
        // A grid move can hand the opponent a line.
        false
    }

    fn tactics(&self) -> GridTactics {
        GridTactics
    }

    fn most_plies(&self, _: &Self::Position) -> Option<u32> {
        None
    }

    fn slots(&self) -> usize {
        3 * 64
    }

    fn slot(&self, mv: Self::Move) -> usize {
        use noughts_rules::TicTacTwoMove::{Grid, Piece, Place};
        let (kind, cell) = match mv {
            Place(cell) => (0, cell),
            Grid(cell) => (1, cell),
            Piece(_, to) => (2, to),
        };
        let (col, row) = cell.column_row();
        kind * 64 + usize::from(row) * 8 + usize::from(col)
    }

    fn known(&self, tables: &Tables, position: &Self::Position) -> Option<Exact> {
        tables.tic_tac_two(self)?.probe(position)
    }

    fn missing_table(&self, tables: &Tables) -> Option<String> {
        let variant = self.variant();
        if let Some(table) = tables.tic_tac_two(self) {
            return table.is_damaged().then(|| {
                format!(
                    "the table for {variant} is damaged, so this is a search; `noughts tablebase build {variant}` makes it anew"
                )
            });
        }
        Some(if variant == Variant::TIC_TAC_TWO {
            format!(
                "there is no table for {variant}, so this is a search; `noughts tablebase build {variant}` makes one"
            )
        } else {
            format!(
                "{variant} cannot be solved here (tables are for tic-tac-two alone), so this is a search"
            )
        })
    }
}

impl<D: Depth> Family for Nested<D> {
    type Evaluation = NestedBoards;
    type Tactics = NestedTactics;

    fn evaluation(&self) -> NestedBoards {
        NestedBoards::new(self)
    }

    fn winner_moves_last(&self) -> bool {
        matches!(self.options().sent(), Sent::A | Sent::B) && self.options().end() == End::Draw
    }

    fn growth(&self) -> Growth {
        // Judging is quicker than playing on, and tells more: on the deepest boards
        // a random game has half a million moves.
        Growth {
            exploration: 0.3,
            judgement: 1.0,
        }
    }

    fn tactics(&self) -> NestedTactics {
        NestedTactics
    }

    fn most_plies(&self, position: &Self::Position) -> Option<u32> {
        Some(self.cells_left(position))
    }

    fn slots(&self) -> usize {
        9usize.pow(u32::from(self.options().depth()))
    }

    #[inline]
    fn slot(&self, mv: Self::Move) -> usize {
        mv.index()
    }

    fn strategy(
        &self,
        position: &Self::Position,
        budget: &Budget,
    ) -> Result<Plan<Self::Move>, u64> {
        strategy_5a::plan(self, position, budget)
    }
}
