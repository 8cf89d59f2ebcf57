//! The search for proofs: full-depth alpha-beta that never considers a move which loses at once, with the
//! bounds that gravity allows.

use noughts_rules::games::gravity::{Gravity, GravityPosition};
use noughts_rules::{Bitboard, Game};

use super::key;
use crate::search::ProofControl;
use crate::search::alpha_beta::{MIN_WIN, WIN};
use crate::search::transposition_table::{Bound, TableEntry};

/// The most columns of a board.
const MAX_COLUMNS: usize = 10;

/// Looking up every move before the first is searched isn't worth it closer to the end than this.
const MIN_CELLS_FOR_LOOKUPS: i32 = 8;

/// Searches positions of one board. The side to move has the discs `mine`; `empty` is the number of empty cells.
///
/// A win scores the number of cells that stay empty plus 1, a loss the same negated, and a draw 0: unlike distances, these
/// scores don't depend on the position they are seen from.
pub(super) struct Solver<'a, 'c, const W: usize> {
    game: &'a Gravity<W>,
    control: &'a mut ProofControl<'c>,
    stopped: bool,
    /// The columns, best first.
    columns: [u8; MAX_COLUMNS],
    column_count: usize,
    /// The cells that a player gets who always answers in the same column, if all columns have an even number of
    /// empty cells: the top cell of each column, and every second one below.
    follower_cells: Bitboard<W>,
}

/// The discs of the side to move, all discs, and the number of empty cells.
#[derive(Clone, Copy)]
struct Node<const W: usize> {
    mine: Bitboard<W>,
    occupied: Bitboard<W>,
    empty: i32,
}

impl<const W: usize> Node<W> {
    fn after(self, disc: Bitboard<W>) -> Node<W> {
        Node {
            mine: self.occupied.difference(self.mine),
            occupied: self.occupied.union(disc),
            empty: self.empty - 1,
        }
    }
}

/// A move, with its score for move ordering.
#[derive(Clone, Copy)]
struct OrderedMove<const W: usize> {
    score: u32,
    column: u8,
    disc: Bitboard<W>,
}

impl<'a, 'c, const W: usize> Solver<'a, 'c, W> {
    pub(super) fn new(
        game: &'a Gravity<W>,
        control: &'a mut ProofControl<'c>,
    ) -> Solver<'a, 'c, W> {
        let (count, rows, _) = game.size();
        let mut columns: [u8; MAX_COLUMNS] = std::array::from_fn(|column| column as u8);
        let column_count = usize::from(count).min(MAX_COLUMNS);
        let in_use = &mut columns[..column_count];
        in_use.sort_by_key(|&column| (2 * i32::from(column) + 1 - i32::from(count)).abs());
        in_use.rotate_left(control.order_seed() as usize % column_count.max(1));
        let heights = (0..usize::from(rows)).rev().step_by(2);
        let follower_cells = heights.fold(Bitboard::EMPTY, |cells, height| {
            cells.union(game.bottom().shift_up(height))
        });
        Solver {
            game,
            control,
            stopped: false,
            columns,
            column_count,
            follower_cells,
        }
    }

    /// See [`ProofSearch::prove`](crate::search::ProofSearch::prove).
    pub(super) fn prove(mut self, position: &GravityPosition<W>, alpha: i32, beta: i32) -> i32 {
        let occupied = position.occupied();
        let mine = position.marks(self.game.side(position));
        let empty = self.game.cells().difference(occupied).len() as i32;
        let wins = self.game.completing_cells(mine);
        if !wins
            .intersection(self.game.landing_cells(position))
            .is_empty()
        {
            return WIN - 1;
        }
        let node = Node {
            mine,
            occupied,
            empty,
        };
        // `alpha` is the greatest score that isn't above the window, so `beta` is one more than such a score.
        let alpha = from_general(alpha, empty);
        let beta = from_general(beta - 1, empty) + 1;
        let score = self.search(node, alpha, beta.max(alpha + 1));
        to_general(score, empty)
    }

    /// Searches a position in which the side to move can't win at once; the same contract as
    /// [`ProofSearch::prove`](crate::search::ProofSearch::prove).
    fn search(&mut self, node: Node<W>, mut alpha: i32, mut beta: i32) -> i32 {
        if !self.control.enter_node() {
            self.stopped = true;
        }
        if self.stopped {
            return 0;
        }
        let game = self.game;
        let Node {
            mine,
            occupied,
            empty,
        } = node;
        let theirs = occupied.difference(mine);
        let landing = self.landing(occupied);
        // Block, and don't play below a cell where the opponent wins.
        let threats = game.completing_cells(theirs);
        let blocks = landing.intersection(threats);
        let lost = 1 - empty;
        let moves = match blocks.len() {
            0 => landing,
            1 => blocks,
            _ => return lost,
        };
        let moves = moves.difference(threats.shift_down(1));
        if moves.is_empty() {
            return lost;
        }
        if empty <= 2 {
            return 0;
        }
        let (least, greatest) = self.bounds(node, theirs, landing, alpha, beta);
        alpha = alpha.max(least);
        beta = beta.min(greatest);
        if alpha >= beta {
            return if greatest <= alpha { greatest } else { least };
        }

        let key = key(game, mine, occupied);
        if let Some(entry) = self.control.probe(key) {
            match entry.bound {
                Bound::Lower => alpha = alpha.max(entry.score),
                Bound::Upper => beta = beta.min(entry.score),
                Bound::Exact => return entry.score,
            }
            if alpha >= beta {
                return entry.score;
            }
        }
        let (ordered, count) = self.ordered_moves(node, moves);
        let ordered = &ordered[..count];
        if count > 1
            && empty > MIN_CELLS_FOR_LOOKUPS
            && let Some(score) = self.look_up_moves(node, ordered, beta)
        {
            return score;
        }
        let nodes = self.control.nodes();
        let (mut best, mut best_column, original_alpha) = (-WIN, None, alpha);
        for mv in ordered {
            let score = -self.search(node.after(mv.disc), -beta, -alpha);
            if self.stopped {
                return 0;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_column = Some(mv.column);
                }
                if score >= beta {
                    break;
                }
            }
        }
        let work = self.control.nodes() - nodes;
        let lower_columns = |column| (0..column).filter(|&lower| self.is_open(lower, landing));
        self.control.store(
            key,
            TableEntry {
                score: best,
                // What took the most work is kept the longest.
                depth: (64 - work.leading_zeros()) as u8,
                bound: match best {
                    best if best >= beta => Bound::Lower,
                    best if best > original_alpha => Bound::Exact,
                    _ => Bound::Upper,
                },
                best_index: best_column.map(|column| lower_columns(column).count() as u16),
            },
        );
        best
    }

    fn is_open(&self, column: u8, landing: Bitboard<W>) -> bool {
        !landing
            .intersection(self.game.column_cells(column))
            .is_empty()
    }

    fn landing(&self, occupied: Bitboard<W>) -> Bitboard<W> {
        let above = occupied.shift_up(1).union(self.game.bottom());
        above.difference(occupied).intersection(self.game.cells())
    }

    /// Bounds on the value of a position in which neither player wins with the next disc.
    #[inline]
    fn bounds(
        &self,
        node: Node<W>,
        theirs: Bitboard<W>,
        landing: Bitboard<W>,
        alpha: i32,
        beta: i32,
    ) -> (i32, i32) {
        let (game, mine) = (self.game, node.mine);
        let (mut least, mut greatest) = (3 - node.empty, node.empty - 2);
        let empty = game.cells().difference(node.occupied);
        if beta > 0 && !game.has_line(mine.union(empty)) {
            greatest = 0;
        }
        if alpha < 0 && !game.has_line(theirs.union(empty)) {
            least = 0;
        }
        // Columns with an odd number of empty cells.
        let odd = landing.intersection(self.follower_cells);
        let followed = empty.intersection(self.follower_cells);
        let led = empty.difference(followed);
        if odd.is_empty() {
            // The opponent can answer every disc in its column.
            if beta > 0 && !game.has_line(mine.union(led)) {
                greatest = greatest.min(0);
            }
        } else if odd.len() == 1 && alpha < 0 {
            // So can the side to move, after a disc in the only odd column.
            if !game.has_line(theirs.union(led)) {
                least = least.max(0);
            }
        }
        (least, greatest)
    }

    /// The moves, best first: those that make the most threats, then those closest to the middle.
    #[inline]
    fn ordered_moves(
        &self,
        node: Node<W>,
        moves: Bitboard<W>,
    ) -> ([OrderedMove<W>; MAX_COLUMNS], usize) {
        let none = OrderedMove {
            score: 0,
            column: 0,
            disc: Bitboard::EMPTY,
        };
        let (mut ordered, mut count) = ([none; MAX_COLUMNS], 0);
        for &column in &self.columns[..self.column_count] {
            let disc = moves.intersection(self.game.column_cells(column));
            if disc.is_empty() {
                continue;
            }
            let threats = self.game.completing_cells(node.mine.union(disc));
            let score = threats.difference(node.occupied).len();
            let mut place = count;
            while place > 0 && ordered[place - 1].score < score {
                ordered[place] = ordered[place - 1];
                place -= 1;
            }
            ordered[place] = OrderedMove {
                score,
                column,
                disc,
            };
            count += 1;
        }
        (ordered, count)
    }

    /// A lower bound of at least `beta`, if the position after a move is stored with it.
    #[inline]
    fn look_up_moves(&self, node: Node<W>, moves: &[OrderedMove<W>], beta: i32) -> Option<i32> {
        moves.iter().find_map(|mv| {
            let next = node.after(mv.disc);
            let entry = self
                .control
                .probe(key(self.game, next.mine, next.occupied))?;
            let is_cutoff = entry.bound != Bound::Lower && -entry.score >= beta;
            is_cutoff.then_some(-entry.score)
        })
    }
}

/// The greatest score of a position with this many empty cells that isn't greater than a general score.
fn from_general(score: i32, empty: i32) -> i32 {
    match score {
        MIN_WIN.. => (empty + 1 - (WIN - score)).max(0),
        0.. => 0,
        score if score > -MIN_WIN => -1,
        score => (WIN + score - empty - 1).min(-1),
    }
}

/// The general score of a score of a position with this many empty cells.
fn to_general(score: i32, empty: i32) -> i32 {
    match score {
        0 => 0,
        1.. => WIN - (empty + 1 - score),
        _ => empty + 1 + score - WIN,
    }
}
