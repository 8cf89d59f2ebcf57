//! Alpha-beta search with a transposition table. The same recursion serves for playing (to a
//! horizon, then static evaluation) and for proving (to the end of the game).

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use noughts_rules::Outcome;

use super::SearchContext;
use super::heuristics::{ForcedMove, SearchHeuristics};
use super::proof_search::ProofControl;
use super::transposition_table::{Bound, COMPLETE, TableEntry, TranspositionTable};
use crate::evaluation::{Evaluation, MAX_EVALUATION};
use crate::limits::{Budget, StopFlag};
use crate::search_game::SearchGame;
use crate::value::ExactValue;

/// The score of a game that is already won. A win in `n` plies scores `WIN − n`; scores closer to
/// zero than [`MIN_WIN`] aren't proved wins.
pub(crate) const WIN: i32 = 2_000_000;

/// No game lasts long enough for a win to score less.
pub(crate) const MIN_WIN: i32 = WIN - 600_000;

const _: () = assert!(MIN_WIN > MAX_EVALUATION);

/// Greater than every score.
pub(crate) const INFINITE: i32 = WIN + 1;

/// How far a search goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SearchMode {
    /// To a horizon, where positions are evaluated statically; late moves are reduced. A win or
    /// loss that is found is proved, but there may be a shorter one.
    Play,
    /// To the end of every game that matters for the window. Every result is proved.
    Prove,
}

/// The search of one thread.
pub(crate) struct AlphaBetaSearcher<'a, G: SearchGame> {
    game: &'a G,
    evaluation: &'a G::Evaluation,
    heuristics: &'a G::Heuristics,
    table: &'a TranspositionTable,
    budget: &'a Budget,
    mode: SearchMode,
    /// Nodes of all threads, for the node limit; each thread adds its own in batches.
    pub(crate) shared_nodes: Option<&'a AtomicU64>,
    /// Raised when another thread has found the answer.
    pub(crate) answered: Option<&'a StopFlag>,
    nodes: u64,
    counted: u64,
    stopped: bool,
    /// Threads with different seeds order similar moves differently; 0 is the standard order.
    pub(crate) order_seed: u32,
    /// History heuristic, by move index and side.
    history: Vec<[i32; 2]>,
    /// Killer moves by ply, as history indices.
    killers: Vec<[usize; 2]>,
    /// Move lists by ply, reused to avoid allocations.
    move_lists: Vec<Vec<ScoredMove<G::Move>>>,
}

#[derive(Clone, Copy)]
struct ScoredMove<M> {
    score: i32,
    /// Index in the game's move order.
    move_index: u32,
    mv: M,
}

/// A thread adds its nodes to the shared counter once in this many.
const NODE_BATCH: u64 = 1024;

/// How many nodes a game's own search may search at a time.
const GRANTED_NODES: u64 = 256;

/// Shorter lists aren't sorted: the best remaining move is selected when it is needed, which often
/// isn't the case.
const SORT_THRESHOLD: usize = 100;

impl<'a, G: SearchGame> AlphaBetaSearcher<'a, G> {
    pub(crate) fn new(
        context: &'a SearchContext<G>,
        budget: &'a Budget,
        mode: SearchMode,
    ) -> AlphaBetaSearcher<'a, G> {
        AlphaBetaSearcher {
            game: &context.game,
            evaluation: &context.evaluation,
            heuristics: &context.heuristics,
            table: &context.transposition_table,
            budget,
            mode,
            shared_nodes: None,
            answered: None,
            nodes: 0,
            counted: 0,
            stopped: false,
            order_seed: 0,
            history: vec![[0; 2]; context.game.history_len()],
            killers: Vec::new(),
            move_lists: Vec::new(),
        }
    }

    /// The index of the best move that a proof has stored for a position.
    pub(crate) fn stored_best_index(
        context: &SearchContext<G>,
        position: &G::Position,
    ) -> Option<u16> {
        let key = context.heuristics.proof_key(&context.game, position) ^ PROOF_KEY;
        context.transposition_table.probe(key)?.best_index
    }

    /// Nodes searched by this thread.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Nodes not yet added to the shared counter.
    pub(crate) fn uncounted_nodes(&self) -> u64 {
        self.nodes - self.counted
    }

    /// Nodes searched by all threads.
    pub(crate) fn nodes_of_all_threads(&self) -> u64 {
        let shared = self.shared_nodes.map(|nodes| nodes.load(Ordering::Relaxed));
        shared.unwrap_or_default() + self.uncounted_nodes()
    }

    /// Whether the search was stopped; its last result is then meaningless.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// The nodes that count for the node limit.
    #[inline]
    fn update_node_count(&mut self) -> u64 {
        if let Some(shared_nodes) = self.shared_nodes {
            if self.nodes - self.counted >= NODE_BATCH {
                shared_nodes.fetch_add(self.nodes - self.counted, Ordering::Relaxed);
                self.counted = self.nodes;
            }
            if self.budget.limits().nodes.is_some() {
                return self.nodes_of_all_threads();
            }
        }
        self.nodes
    }

    #[inline]
    fn is_spent(&mut self) -> bool {
        let total = self.update_node_count();
        let over_nodes = self.budget.is_node_limit_reached(total);
        // On boards with thousands of cells a node takes long.
        let is_slow = self.history.len() > 1000 && self.nodes.is_multiple_of(8);
        let answered =
            self.nodes.is_multiple_of(64) && self.answered.is_some_and(StopFlag::is_stopped);
        over_nodes
            || answered
            || self.budget.is_spent(self.nodes)
            || (is_slow && self.budget.should_stop())
    }

    /// Searches a position to the end of the game, with the game's own search if it has one. The result is that of
    /// [`AlphaBetaSearcher::search`] in [`SearchMode::Prove`].
    pub(crate) fn prove(&mut self, position: &G::Position, alpha: i32, beta: i32) -> i32 {
        let (game, heuristics, table) = (self.game, self.heuristics, self.table);
        let Some(own_search) = heuristics.proof_search() else {
            return self.search(position, 0, alpha, beta, 0);
        };
        let order_seed = self.order_seed;
        let mut request_nodes = |searched| self.grant_nodes(searched);
        let mut control = ProofControl::new(table, order_seed, &mut request_nodes);
        let score = own_search.prove(game, position, alpha, beta, &mut control);
        self.nodes += control.unreported_nodes();
        score
    }

    /// Counts nodes of the game's own search; returns how many more it may search before it asks again.
    fn grant_nodes(&mut self, searched: u64) -> u64 {
        self.nodes += searched;
        let total = self.update_node_count();
        self.stopped |= self.answered.is_some_and(StopFlag::is_stopped)
            || self.budget.is_node_limit_reached(total)
            || self.budget.should_stop_after(searched);
        if self.stopped {
            return 0;
        }
        let limit = self.budget.limits().nodes;
        limit.map_or(GRANTED_NODES, |max| GRANTED_NODES.min(max - total))
    }

    /// Searches a position at distance `ply` from the root.
    ///
    /// - If the true value is ≤ `alpha`, the result is an upper bound ≤ `alpha`.
    /// - If it is between `alpha` and `beta`, the result is exact.
    /// - If it is ≥ `beta`, the result is a lower bound ≥ `beta`.
    ///
    /// The true value is that of a search to `depth` in [`SearchMode::Play`], and the
    /// game-theoretic value in [`SearchMode::Prove`], which ignores `depth`. Scores are for the
    /// side to move, and win distances are counted from the root. The result is meaningless once
    /// the search is stopped.
    pub(crate) fn search(
        &mut self,
        position: &G::Position,
        mut depth: i32,
        mut alpha: i32,
        mut beta: i32,
        ply: i32,
    ) -> i32 {
        let game = self.game;
        let side = game.side(position);
        if let Some(outcome) = game.outcome(position) {
            return match outcome {
                Outcome::Draw => 0,
                Outcome::Win(winner) if winner == side => WIN - ply,
                Outcome::Win(_) => ply - WIN,
            };
        }
        self.nodes += 1;
        if self.is_spent() {
            self.stopped = true;
        }
        if self.stopped {
            return 0;
        }
        // Mate distance pruning: no win or loss can come before the next move.
        let soonest_win = WIN - (ply + 1);
        alpha = alpha.max(-soonest_win);
        beta = beta.min(soonest_win);
        if alpha >= beta {
            return alpha;
        }
        let is_proof = self.mode == SearchMode::Prove;
        if !is_proof && depth <= 0 {
            return self.evaluate_leaf(position, ply);
        }
        // The search reaches the end of every game, whatever the horizon.
        let is_complete = is_proof
            || game
                .max_plies_left(position)
                .is_some_and(|max| i64::from(depth) >= i64::from(max));
        if is_proof && self.is_out_of_reach(position, alpha, beta, ply) {
            return if alpha >= 0 { alpha } else { beta };
        }
        // A play search may store static evaluations, so proofs use separate entries, which symmetric positions share.
        // (Play needs the best move from its entries, and a symmetric position has a different one.)
        let key = if is_proof {
            self.heuristics.proof_key(game, position) ^ PROOF_KEY
        } else {
            game.hash(position)
        };
        let stored = self.table.probe(key);
        if let Some(entry) = stored
            && (entry.depth == COMPLETE || i32::from(entry.depth) >= depth)
        {
            let score = score_to_table(entry.score, -ply);
            let is_cutoff = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => score >= beta,
                Bound::Upper => score <= alpha,
            };
            if is_cutoff {
                return score;
            }
            if is_proof {
                match entry.bound {
                    Bound::Lower => alpha = alpha.max(score),
                    Bound::Upper => beta = beta.min(score),
                    Bound::Exact => {}
                }
            }
        }
        let forced = self.heuristics.forced_move(game, position);
        if let ForcedMove::Win(_) = forced {
            return soonest_win;
        }

        let stored_index = stored.and_then(|entry| entry.best_index);
        let mut moves = self.ordered_moves(position, ply, stored_index, forced);
        if moves.len() == 1 && !is_proof && depth < i32::from(COMPLETE) - 1 && ply < 200 {
            // Extension: a forced move costs no depth.
            depth += 1;
        }
        let original_alpha = alpha;
        let mut best = -INFINITE;
        let mut best_index = None;
        let mut cutoff = None;
        for i in 0..moves.len() {
            if moves.len() <= SORT_THRESHOLD {
                select_best(&mut moves, i);
            }
            let ScoredMove { move_index, mv, .. } = moves[i];
            let next = game.after(position, mv);
            let same_side = game.side(&next) == side;
            let full_depth = depth - 1;
            let score = if i == 0 {
                self.search_child(&next, same_side, full_depth, alpha, beta, ply)
            } else {
                let reduced_by = if is_proof || is_complete {
                    0
                } else {
                    reduction(depth, i)
                };
                let reduced = full_depth - reduced_by;
                let mut score = self.search_child(&next, same_side, reduced, alpha, alpha + 1, ply);
                if reduced_by > 0 && score > alpha && !self.stopped {
                    score = self.search_child(&next, same_side, full_depth, alpha, alpha + 1, ply);
                }
                if score > alpha && score < beta && beta - alpha > 1 && !self.stopped {
                    score = self.search_child(&next, same_side, full_depth, alpha, beta, ply);
                }
                score
            };
            if self.stopped {
                self.move_lists[ply as usize] = moves;
                return 0;
            }
            if score > best {
                best = score;
                best_index = Some(move_index);
                alpha = alpha.max(score);
                if score >= beta {
                    cutoff = Some((i, mv));
                    break;
                }
            }
        }
        if let Some((i, mv)) = cutoff {
            self.update_history(&moves[..i], mv, side as usize, depth, ply);
        }
        self.move_lists[ply as usize] = moves;
        let bound = if best >= beta {
            Bound::Lower
        } else if best > original_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.table.store(
            key,
            TableEntry {
                score: score_to_table(best, ply),
                depth: if is_complete {
                    COMPLETE
                } else {
                    depth.clamp(0, i32::from(COMPLETE) - 1) as u8
                },
                bound,
                best_index: best_index.and_then(|move_index| u16::try_from(move_index).ok()),
            },
        );
        best
    }

    /// Whether neither player can bring the value into the window. Then the value is at most
    /// `alpha` (if that isn't a loss), or at least `beta`.
    #[inline]
    fn is_out_of_reach(&self, position: &G::Position, alpha: i32, beta: i32, ply: i32) -> bool {
        let side = self.game.side(position);
        let (winner, score) = match (alpha >= 0, beta <= 0) {
            (true, _) => (side, alpha),
            (false, true) => (side.other(), -beta),
            (false, false) => return false,
        };
        // A win that scores more than `alpha`, or a loss that scores less than `beta`, comes within
        // this many plies.
        let plies = u32::try_from(WIN - 1 - score - ply).unwrap_or(0);
        !self.heuristics.can_win(self.game, position, winner, plies)
    }

    /// The score of a move for the side that makes it.
    #[inline]
    pub(crate) fn search_child(
        &mut self,
        next: &G::Position,
        same_side: bool,
        depth: i32,
        alpha: i32,
        beta: i32,
        ply: i32,
    ) -> i32 {
        if same_side {
            self.search(next, depth, alpha, beta, ply + 1)
        } else {
            -self.search(next, depth, -beta, -alpha, ply + 1)
        }
    }

    /// Evaluates a position at the horizon. Immediate wins are recognized.
    fn evaluate_leaf(&mut self, position: &G::Position, ply: i32) -> i32 {
        match self.heuristics.forced_move(self.game, position) {
            ForcedMove::Win(_) => WIN - (ply + 1),
            _ => self
                .evaluation
                .evaluate(self.game, position)
                .clamp(-MAX_EVALUATION, MAX_EVALUATION),
        }
    }

    /// The moves to search, with their ordering scores.
    fn ordered_moves(
        &mut self,
        position: &G::Position,
        ply: i32,
        stored: Option<u16>,
        forced: ForcedMove<G::Move>,
    ) -> Vec<ScoredMove<G::Move>> {
        let ply = ply as usize;
        if self.move_lists.len() <= ply {
            self.move_lists.resize_with(ply + 1, Vec::new);
            self.killers.resize(ply + 1, [usize::MAX; 2]);
        }
        let mut moves = std::mem::take(&mut self.move_lists[ply]);
        moves.clear();
        let (game, side) = (self.game, self.game.side(position) as usize);
        let mut move_index = 0;
        game.for_each_move(position, |mv| {
            let index = move_index;
            move_index += 1;
            if let ForcedMove::OnlyMove(only) = forced
                && mv != only
            {
                return;
            }
            let history_index = game.history_index(mv);
            let score = if stored.is_some_and(|stored| u32::from(stored) == index) {
                i32::MAX
            } else {
                let killer = self.killers[ply].contains(&history_index);
                self.heuristics.move_score(game, position, mv) * 64
                    + self
                        .history
                        .get(history_index)
                        .map_or(0, |sides| sides[side])
                    + if killer { 1500 } else { 0 }
                    + (index
                        .wrapping_mul(self.order_seed)
                        .wrapping_mul(0x9e37_79b9)
                        >> 22) as i32
            };
            moves.push(ScoredMove {
                score,
                move_index: index,
                mv,
            });
        });
        if moves.len() > SORT_THRESHOLD {
            moves.sort_unstable_by_key(|scored| {
                (std::cmp::Reverse(scored.score), scored.move_index)
            });
        }
        moves
    }

    /// Updates history and killer moves after a beta cutoff.
    fn update_history(
        &mut self,
        earlier: &[ScoredMove<G::Move>],
        mv: G::Move,
        side: usize,
        depth: i32,
        ply: i32,
    ) {
        const MAX: i32 = 4096;
        let weight = depth.clamp(1, 16).pow(2);
        let mut adjust = |history_index: usize, by: i32| {
            if let Some(sides) = self.history.get_mut(history_index) {
                sides[side] += by - sides[side] * by.abs() / MAX;
            }
        };
        adjust(self.game.history_index(mv), weight);
        for failed in earlier {
            adjust(self.game.history_index(failed.mv), -weight);
        }
        let history_index = self.game.history_index(mv);
        let killers = &mut self.killers[ply as usize];
        if killers[0] != history_index {
            *killers = [history_index, killers[0]];
        }
    }
}

/// Separates the keys of proofs from those of play searches.
pub(crate) const PROOF_KEY: u64 = 0x5851_f42d_4c95_7f2d;

/// Late move reduction: how many plies less to search the i-th move at first.
fn reduction(depth: i32, i: usize) -> i32 {
    static LOGARITHMS: LazyLock<[f32; 128]> =
        LazyLock::new(|| std::array::from_fn(|n| (n.max(1) as f32).ln()));
    if depth < 3 || i < 2 {
        return 0;
    }
    let reduced_by = LOGARITHMS[depth.min(127) as usize] * LOGARITHMS[i.min(127)];
    (reduced_by as i32).min(depth - 1)
}

/// Moves the best-scoring move from index `i` on to index `i`.
#[inline]
fn select_best<M: Copy>(moves: &mut [ScoredMove<M>], i: usize) {
    let mut best = i;
    for j in i + 1..moves.len() {
        if moves[j].score > moves[best].score {
            best = j;
        }
    }
    moves.swap(i, best);
}

/// Converts win distances from the root (search) to the position (transposition table), and with a
/// negative `ply` back.
#[inline]
fn score_to_table(score: i32, ply: i32) -> i32 {
    if score >= MIN_WIN {
        score + ply
    } else if score <= -MIN_WIN {
        score - ply
    } else {
        score
    }
}

/// The proved value of a score, if it is a win or a loss.
pub(crate) fn proved_value(score: i32) -> Option<ExactValue> {
    if score >= MIN_WIN {
        Some(ExactValue::win((WIN - score) as u32))
    } else if score <= -MIN_WIN {
        Some(ExactValue::loss((WIN + score) as u32))
    } else {
        None
    }
}
