//! `negamax`: searches every game to its end, always from the point of view of the side to move.
//! Earlier wins and later losses score higher.

use std::cmp::Reverse;

use noughts_rules::{AnyGameState, Game, GameState, Variant};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::levels;
use crate::bot::{Bot, UnsupportedReason};
use crate::limits::Budget;
use crate::report::{RankedMove, SearchReport};
use crate::sort::sort_by_key;
use crate::value::{ExactValue, GameValue, Value};

/// Longer games take too long to search to every end.
pub(crate) const MAX_CELLS: usize = 12;

/// Games with more kinds of moves take too long, even short ones.
pub(crate) const MAX_ACTIONS: usize = 2 * MAX_CELLS;

/// Checks that all games of this variant can be searched to their ends.
pub(crate) fn check_supports(variant: Variant) -> Result<(), UnsupportedReason> {
    let state = AnyGameState::new(variant);
    let cells = state.view().shape().count_cells() as usize;
    match state.max_plies_left() {
        None => Err(UnsupportedReason::EndlessGames),
        Some(plies) if plies as usize > MAX_CELLS => Err(UnsupportedReason::TooManyCells { cells }),
        Some(_) => match state.count_actions() {
            ..=MAX_ACTIONS => Ok(()),
            moves => Err(UnsupportedReason::TooManyMoves { moves }),
        },
    }
}

/// The score of an immediate win. Each ply of distance subtracts one, so 0 is a draw and the sign
/// tells who wins.
const WIN: i32 = 1000;

/// Full-depth negamax.
pub(crate) struct Negamax {
    pub(crate) rng: Xoshiro256PlusPlus,
}

impl<G: Game> Bot<G> for Negamax {
    fn think(
        &mut self,
        state: &GameState<G>,
        budget: &Budget,
        on_report: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> SearchReport<G::Move> {
        let (game, position) = (state.game(), state.position());
        let mut moves = game.moves(position);
        levels::shuffle(&mut moves, &mut self.rng);
        let mut searcher = NegamaxSearcher {
            game,
            budget,
            nodes: 0,
        };
        let mut report = SearchReport {
            best: moves.first().copied(),
            pv: moves.first().copied().into_iter().collect(),
            ..SearchReport::empty()
        };
        for &mv in &moves {
            let before = searcher.nodes;
            if searcher.is_spent() {
                break;
            }
            let Some((score, pv)) = searcher.search_move(position, mv, -WIN, WIN) else {
                break;
            };
            let (value, nodes) = (to_exact_value(score), searcher.nodes - before);
            report.moves.push(RankedMove {
                mv,
                value: Value::Exact(value),
                nodes,
                pv,
            });
            sort_by_key(&mut report.moves, |ranked| Reverse(ranked.value.exact()));
            report.nodes = searcher.nodes;
            let best = &report.moves[0];
            report.best = Some(best.mv);
            report.pv.clone_from(&best.pv);
            // Another move may still be better or win sooner.
            report.value = match best.value {
                value if report.moves.len() == moves.len() => value,
                win if win.is_proved_win() => {
                    Value::Exact(ExactValue::without_distance(GameValue::Win))
                }
                _ => Value::UNKNOWN,
            };
            on_report(&report);
        }
        report.nodes = searcher.nodes;
        if report.moves.len() == moves.len() {
            report.depth = moves.len() as u32;
        }
        report
    }
}

/// Converts a score to a value: the distance is the difference to [`WIN`].
fn to_exact_value(score: i32) -> ExactValue {
    let plies = (WIN - score.abs()) as u32;
    match score.signum() {
        1 => ExactValue::win(plies),
        -1 => ExactValue::loss(plies),
        _ => ExactValue::DRAW,
    }
}

/// The score one ply earlier.
fn one_ply_earlier(score: i32) -> i32 {
    score - score.signum()
}

struct NegamaxSearcher<'a, G: Game> {
    game: &'a G,
    budget: &'a Budget,
    nodes: u64,
}

impl<G: Game> NegamaxSearcher<'_, G> {
    fn is_spent(&self) -> bool {
        self.budget.is_spent(self.nodes)
    }

    /// The score of a move for the side that makes it, and the resulting line. `None` if the budget
    /// is spent.
    fn search_move(
        &mut self,
        position: &G::Position,
        mv: G::Move,
        alpha: i32,
        beta: i32,
    ) -> Option<(i32, Vec<G::Move>)> {
        let me = self.game.side(position);
        let after = self.game.after(position, mv);
        self.nodes += 1;
        // Converts the window's bounds to the position after the move, one ply closer to the end.
        let nearer = |score: i32| score + score.signum();
        let (score, continuation) = if let Some(outcome) = self.game.outcome(&after) {
            let result = ExactValue::from_outcome(outcome, me).expected_result();
            (result as i32 * WIN, Vec::new())
        } else if self.is_spent() {
            return None;
        } else if self.game.side(&after) == me {
            self.search(&after, nearer(alpha), nearer(beta))?
        } else {
            let (score, continuation) = self.search(&after, nearer(-beta), nearer(-alpha))?;
            (-score, continuation)
        };
        let mut line = vec![mv];
        line.extend(continuation);
        Some((one_ply_earlier(score), line))
    }

    /// The score of a position for the side to move, and the best line.
    ///
    /// If the true score is inside the window, it is returned. If it is at most `alpha`, the result
    /// is an upper bound that is at most `alpha`; if it is at least `beta`, a lower bound that is
    /// at least `beta`.
    fn search(
        &mut self,
        position: &G::Position,
        mut alpha: i32,
        beta: i32,
    ) -> Option<(i32, Vec<G::Move>)> {
        let mut best = (-WIN, Vec::new());
        for mv in self.game.moves(position) {
            let (score, line) = self.search_move(position, mv, alpha, beta)?;
            if best.1.is_empty() || score > best.0 {
                best = (score, line);
            }
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        Some(best)
    }
}
