//! Alpha-beta search with a transposition table: one recursion for playing
//! (deepening, judging at the horizon) and for proving (to the ends of all games).

use std::ops::ControlFlow;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use noughts_rules::Outcome;

use super::SearchContext;
use super::heuristics::{ForcedMove, SearchHeuristics};
use super::transposition_table::{Bound, COMPLETE, Entry, TranspositionTable};
use crate::evaluation::{Evaluation, MAX_EVALUATION};
use crate::limits::{Budget, StopFlag};
use crate::search_game::SearchGame;
use crate::value::ExactValue;

/// The score of a game won now. A win in `n` plies scores `WIN − n`; whatever is
/// nearer to zero than [`LEAST_WIN`] is no proved win.
pub(crate) const WIN: i32 = 2_000_000;

/// No game lasts as long as this score's win.
pub(crate) const MIN_WIN: i32 = WIN - 600_000;

const _: () = assert!(MIN_WIN > MAX_EVALUATION);

/// Beyond every score.
pub(crate) const INFINITE: i32 = WIN + 1;

/// How far a search goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SearchMode {
    /// To a horizon, where positions are judged; promising moves are searched
    /// deeper than others. A win or loss that is found is proved, but there may
    /// be a shorter one.
    Play,
    /// To the ends of all games that matter to the window. Every answer is proved.
    Prove,
}

/// One thread's search.
pub(crate) struct Searcher<'a, G: SearchGame> {
    game: &'a G,
    evaluation: &'a G::Evaluation,
    tactics: &'a G::Heuristics,
    table: &'a TranspositionTable,
    budget: &'a Budget,
    mode: SearchMode,
    /// Nodes of all threads, for the limit; each adds its own in batches.
    shared: Option<&'a AtomicU64>,
    /// Another thread has the answer.
    answered: Option<&'a StopFlag>,
    nodes: u64,
    reported: u64,
    stopped: bool,
    /// Threads with different numbers try moves in different orders.
    shuffled: u32,
    /// By side and slot: how often a move like this was the best.
    history: Vec<[i32; 2]>,
    /// By ply: moves that refuted something there.
    killers: Vec<[usize; 2]>,
    /// Lists of moves, one for each ply, used again and again.
    lists: Vec<Vec<Listed<G::Move>>>,
}

#[derive(Clone, Copy)]
struct Listed<M> {
    order: i32,
    /// In the game's own order.
    number: u32,
    mv: M,
}

/// A thread tells the others of its nodes once in so many.
const BATCH: u64 = 1024;

/// Shorter lists are not sorted: the best of the rest is picked when it is needed,
/// which it often is not.
const PICKED: usize = 100;

impl<'a, G: SearchGame> Searcher<'a, G> {
    pub(crate) fn new(
        game: &'a G,
        evaluation: &'a G::Evaluation,
        tactics: &'a G::Heuristics,
        table: &'a TranspositionTable,
        budget: &'a Budget,
        mode: SearchMode,
    ) -> Searcher<'a, G> {
        Searcher {
            game,
            evaluation,
            tactics,
            table,
            budget,
            mode,
            shared: None,
            answered: None,
            nodes: 0,
            reported: 0,
            stopped: false,
            shuffled: 0,
            history: vec![[0; 2]; game.history_len()],
            killers: Vec::new(),
            lists: Vec::new(),
        }
    }

    /// Counts its nodes together with those of other threads.
    pub(crate) fn with_shared_node_count(mut self, shared: &'a AtomicU64) -> Self {
        self.shared = Some(shared);
        self
    }

    /// Stops also when another thread has the answer.
    pub(crate) fn with_answer_flag(mut self, answered: &'a StopFlag) -> Self {
        self.answered = Some(answered);
        self
    }

    /// Tries moves that look equally good in an order of its own; 0 for the usual one.
    pub(crate) fn with_order_seed(mut self, number: u32) -> Self {
        self.shuffled = number;
        self
    }

    /// What a proof remembers as the best move of a position, by its number.
    pub(crate) fn stored_best_index(
        lore: &SearchContext<G>,
        position: &G::Position,
    ) -> Option<u16> {
        let key = lore.heuristics.proof_key(&lore.game, position) ^ PROOF;
        lore.transposition_table.probe(key)?.best_index
    }

    /// The nodes of this thread.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Those that the others do not know of yet.
    pub(crate) fn uncounted_nodes(&self) -> u64 {
        self.nodes - self.reported
    }

    /// Was the search broken off? Then its last answer means nothing.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped
    }

    #[inline]
    fn spent(&mut self) -> bool {
        let mut total = self.nodes;
        if let Some(shared) = self.shared {
            if self.nodes - self.reported >= BATCH {
                shared.fetch_add(self.nodes - self.reported, Ordering::Relaxed);
                self.reported = self.nodes;
            }
            if self.budget.limits().nodes.is_some() {
                total = shared.load(Ordering::Relaxed) + (self.nodes - self.reported);
            }
        }
        let over_nodes = self.budget.limits().nodes.is_some_and(|most| total >= most);
        // On boards with thousands of cells a node takes long.
        let slow = self.history.len() > 1000 && self.nodes.is_multiple_of(8);
        let answered =
            self.nodes.is_multiple_of(64) && self.answered.is_some_and(StopFlag::is_stopped);
        over_nodes
            || answered
            || self.budget.is_spent(self.nodes)
            || (slow && self.budget.should_stop())
    }

    /// Searches a position `ply` plies below the root.
    ///
    /// - True value ≤ `alpha`: the answer is ≤ `alpha`, and no less than the true value.
    /// - Between: the answer is the true value.
    /// - ≥ `beta`: the answer is ≥ `beta`, and no more than the true value.
    ///
    /// "True" is what `depth` plies show in [`Mode::Play`], and the truth in
    /// [`Mode::Prove`], where `depth` does not count. Scores are for the side to
    /// move; wins count from the root. Means nothing once the search is stopped.
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
        if self.spent() {
            self.stopped = true;
        }
        if self.stopped {
            return 0;
        }
        // No win and no loss comes sooner than with the next move.
        let soonest = WIN - (ply + 1);
        alpha = alpha.max(-soonest);
        beta = beta.min(soonest);
        if alpha >= beta {
            return alpha;
        }
        let proving = self.mode == SearchMode::Prove;
        if !proving && depth <= 0 {
            return self.judge(position, ply);
        }
        // Searched to the end, whatever the horizon.
        let complete = proving
            || game
                .max_plies_left(position)
                .is_some_and(|most| i64::from(depth) >= i64::from(most));
        if proving && self.out_of_reach(position, alpha, beta, ply) {
            return if alpha >= 0 { alpha } else { beta };
        }
        // What a play search leaves may be judged, so a proof has entries of its own,
        // which images of a position share. (Play wants the best move from its
        // entries, and the image has another one.)
        let key = if proving {
            self.tactics.proof_key(game, position) ^ PROOF
        } else {
            game.hash(position)
        };
        let known = self.table.probe(key);
        if let Some(entry) = known
            && (entry.depth == COMPLETE || i32::from(entry.depth) >= depth)
        {
            let score = from_table(entry.score, ply);
            let settles = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => score >= beta,
                Bound::Upper => score <= alpha,
            };
            if settles {
                return score;
            }
            if proving {
                match entry.bound {
                    Bound::Lower => alpha = alpha.max(score),
                    Bound::Upper => beta = beta.min(score),
                    Bound::Exact => {}
                }
            }
        }
        let urgent = self.tactics.forced_move(game, position);
        if let ForcedMove::Win(_) = urgent {
            return soonest;
        }

        let mut list = self.list(
            position,
            ply,
            known.and_then(|entry| entry.best_index),
            urgent,
        );
        if list.len() == 1 && !proving && depth < i32::from(COMPLETE) - 1 && ply < 200 {
            // A forced move costs no depth.
            depth += 1;
        }
        let original = alpha;
        let mut best = -INFINITE;
        let mut best_number = None;
        let mut cut = None;
        for i in 0..list.len() {
            if list.len() <= PICKED {
                pick(&mut list, i);
            }
            let Listed { number, mv, .. } = list[i];
            let mut next = position.clone();
            game.apply(&mut next, mv);
            let again = game.side(&next) == side;
            let full = depth - 1;
            let score = if i == 0 {
                self.search_child(&next, again, full, alpha, beta, ply)
            } else {
                let less = if proving || complete {
                    0
                } else {
                    reduction(depth, i)
                };
                let mut score = self.search_child(&next, again, full - less, alpha, alpha + 1, ply);
                if less > 0 && score > alpha && !self.stopped {
                    score = self.search_child(&next, again, full, alpha, alpha + 1, ply);
                }
                if score > alpha && score < beta && beta - alpha > 1 && !self.stopped {
                    score = self.search_child(&next, again, full, alpha, beta, ply);
                }
                score
            };
            if self.stopped {
                self.lists[ply as usize] = list;
                return 0;
            }
            if score > best {
                best = score;
                best_number = Some(number);
                alpha = alpha.max(score);
                if score >= beta {
                    cut = Some((i, mv));
                    break;
                }
            }
        }
        if let Some((i, mv)) = cut {
            self.remember_refutation(&list[..i], mv, side as usize, depth, ply);
        }
        self.lists[ply as usize] = list;
        let bound = if best >= beta {
            Bound::Lower
        } else if best > original {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.table.store(
            key,
            Entry {
                score: to_table(best, ply),
                depth: if complete {
                    COMPLETE
                } else {
                    depth.clamp(0, i32::from(COMPLETE) - 1) as u8
                },
                bound,
                best_index: best_number.and_then(|number| u16::try_from(number).ok()),
            },
        );
        best
    }

    /// Can nobody bring the value into the window from the side that it asks about?
    /// Then the value is not above `alpha` (if that is no loss), or not below `beta`.
    #[inline]
    fn out_of_reach(&self, position: &G::Position, alpha: i32, beta: i32, ply: i32) -> bool {
        let side = self.game.side(position);
        // A win that scores more than `alpha`, or a loss that scores less than `beta`,
        // comes within so many plies.
        let within = |score: i32| u32::try_from(WIN - 1 - score - ply).unwrap_or(0);
        if alpha >= 0 {
            let plies = within(alpha);
            !self.tactics.can_win(self.game, position, side, plies)
        } else if beta <= 0 {
            let plies = within(-beta);
            let you = side.other();
            !self.tactics.can_win(self.game, position, you, plies)
        } else {
            false
        }
    }

    /// The score of a move, for the one who makes it.
    #[inline]
    pub(crate) fn search_child(
        &mut self,
        next: &G::Position,
        again: bool,
        depth: i32,
        alpha: i32,
        beta: i32,
        ply: i32,
    ) -> i32 {
        if again {
            self.search(next, depth, alpha, beta, ply + 1)
        } else {
            -self.search(next, depth, -beta, -alpha, ply + 1)
        }
    }

    /// A position at the horizon. A win that is there for the taking is seen.
    fn judge(&mut self, position: &G::Position, ply: i32) -> i32 {
        match self.tactics.forced_move(self.game, position) {
            ForcedMove::Win(_) => WIN - (ply + 1),
            _ => self
                .evaluation
                .evaluate(self.game, position)
                .clamp(-MAX_EVALUATION, MAX_EVALUATION),
        }
    }

    /// The moves to search, with what each promises.
    fn list(
        &mut self,
        position: &G::Position,
        ply: i32,
        known: Option<u16>,
        urgent: ForcedMove<G::Move>,
    ) -> Vec<Listed<G::Move>> {
        let ply = ply as usize;
        if self.lists.len() <= ply {
            self.lists.resize_with(ply + 1, Vec::new);
            self.killers.resize(ply + 1, [usize::MAX; 2]);
        }
        let mut list = std::mem::take(&mut self.lists[ply]);
        list.clear();
        let (game, side) = (self.game, self.game.side(position) as usize);
        let mut number = 0;
        let ControlFlow::Continue(()) =
            game.visit_moves::<std::convert::Infallible>(position, |mv| {
                let this = number;
                number += 1;
                if let ForcedMove::OnlyMove(only) = urgent
                    && mv != only
                {
                    return ControlFlow::Continue(());
                }
                let slot = game.history_index(mv);
                let order = if known.is_some_and(|known| u32::from(known) == this) {
                    i32::MAX
                } else {
                    let killer = self.killers[ply].contains(&slot);
                    self.tactics.move_score(game, position, mv) * 64
                        + self.history.get(slot).map_or(0, |sides| sides[side])
                        + if killer { 1500 } else { 0 }
                        + (this.wrapping_mul(self.shuffled).wrapping_mul(0x9e37_79b9) >> 22) as i32
                };
                list.push(Listed {
                    order,
                    number: this,
                    mv,
                });
                ControlFlow::Continue(())
            });
        if list.len() > PICKED {
            list.sort_unstable_by_key(|listed| (std::cmp::Reverse(listed.order), listed.number));
        }
        list
    }

    /// A move refuted a position: similar positions try it early.
    fn remember_refutation(
        &mut self,
        before: &[Listed<G::Move>],
        mv: G::Move,
        side: usize,
        depth: i32,
        ply: i32,
    ) {
        const MOST: i32 = 4096;
        let weight = depth.clamp(1, 16).pow(2);
        let mut nudge = |slot: usize, by: i32| {
            if let Some(sides) = self.history.get_mut(slot) {
                sides[side] += by - sides[side] * by.abs() / MOST;
            }
        };
        nudge(self.game.history_index(mv), weight);
        for failed in before {
            nudge(self.game.history_index(failed.mv), -weight);
        }
        let slot = self.game.history_index(mv);
        let killers = &mut self.killers[ply as usize];
        if killers[0] != slot {
            *killers = [slot, killers[0]];
        }
    }
}

/// Proofs keep apart from what was only judged.
const PROOF: u64 = 0x5851_f42d_4c95_7f2d;

/// By how many plies the i-th move is searched less deeply at first: more, the
/// later it comes and the more depth there is to lose.
fn reduction(depth: i32, i: usize) -> i32 {
    static LOGARITHMS: LazyLock<[f32; 128]> =
        LazyLock::new(|| std::array::from_fn(|n| (n.max(1) as f32).ln()));
    if depth < 3 || i < 2 {
        return 0;
    }
    let less = LOGARITHMS[depth.min(127) as usize] * LOGARITHMS[i.min(127)];
    (less as i32).min(depth - 1)
}

/// Brings the most promising of the moves from `i` on to place `i`.
#[inline]
fn pick<M: Copy>(list: &mut [Listed<M>], i: usize) {
    let mut best = i;
    for j in i + 1..list.len() {
        if list[j].order > list[best].order {
            best = j;
        }
    }
    list.swap(i, best);
}

/// Wins count from the root in the search, from the position in the table.
#[inline]
fn to_table(score: i32, ply: i32) -> i32 {
    if score >= MIN_WIN {
        score + ply
    } else if score <= -MIN_WIN {
        score - ply
    } else {
        score
    }
}

#[inline]
fn from_table(score: i32, ply: i32) -> i32 {
    if score >= MIN_WIN {
        score - ply
    } else if score <= -MIN_WIN {
        score + ply
    } else {
        score
    }
}

/// The proved value that a score stands for, if it is a win or a loss.
pub(crate) fn proved_value(score: i32) -> Option<ExactValue> {
    if score >= MIN_WIN {
        Some(ExactValue::win((WIN - score) as u32))
    } else if score <= -MIN_WIN {
        Some(ExactValue::loss((WIN + score) as u32))
    } else {
        None
    }
}
