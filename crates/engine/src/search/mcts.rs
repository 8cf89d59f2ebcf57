//! Monte Carlo tree search. Leaves are evaluated by random games and by the static evaluation;
//! proved wins, losses and draws are backed up (MCTS-Solver).
//!
//! All threads grow one tree without locks. Every field of a node is an atomic, and at worst a
//! thread reads an outdated count.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU8, AtomicU32, AtomicU64, Ordering};

use noughts_rules::{Outcome, Side};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::SearchContext;
use super::heuristics::{ForcedMove, SearchHeuristics};
use crate::evaluation::{Evaluation, expected_result};
use crate::limits::Budget;
use crate::parallel;
use crate::report::{RankedMove, SearchReport};
use crate::search_game::SearchGame;
use crate::sort::sort_by_key;
use crate::value::{ExactValue, GameValue, Value};

/// A simulation takes about as long as searching this many nodes.
pub(crate) const NODES_PER_SIMULATION: u64 = 16;

/// One position in the tree. Results are from X's point of view.
#[derive(Default)]
struct TreeNode {
    /// The index of the move that leads here, in the game's move order.
    move_index: AtomicU32,
    /// Simulations through this node, including those in progress.
    visits: AtomicU32,
    /// The sum of their results for X, in units of `1 / UNIT`.
    total: AtomicI64,
    /// The first of the children, which are contiguous; 0 if there are none yet.
    first: AtomicU32,
    count: AtomicU32,
    /// The proved outcome, or 0; see [`TreeNode::proof`].
    proof: AtomicU8,
    /// Whether the children are only a sample of the moves.
    is_sampled: AtomicBool,
}

const UNIT: f64 = 65_536.0;

/// Marks a node whose children are being created by a thread.
const EXPANDING: u32 = u32::MAX;

impl TreeNode {
    /// The outcome, if it is proved.
    fn proof(&self) -> Option<Outcome> {
        match self.proof.load(Ordering::Relaxed) {
            0 => None,
            1 => Some(Outcome::Win(Side::X)),
            2 => Some(Outcome::Win(Side::O)),
            _ => Some(Outcome::Draw),
        }
    }

    fn set_proved(&self, outcome: Outcome) {
        let code = match outcome {
            Outcome::Win(Side::X) => 1,
            Outcome::Win(Side::O) => 2,
            Outcome::Draw => 3,
        };
        self.proof.store(code, Ordering::Relaxed);
    }

    fn children(&self) -> std::ops::Range<u32> {
        match self.first.load(Ordering::Acquire) {
            0 | EXPANDING => 0..0,
            first => first..first + self.count.load(Ordering::Relaxed),
        }
    }

    /// The mean result for a side.
    fn mean(&self, side: Side) -> f64 {
        let visits = self.visits.load(Ordering::Relaxed).max(1);
        let mean = self.total.load(Ordering::Relaxed) as f64 / UNIT / f64::from(visits);
        sign(side) * mean
    }
}

fn sign(side: Side) -> f64 {
    match side {
        Side::X => 1.0,
        Side::O => -1.0,
    }
}

fn result_for_x(outcome: Outcome) -> f64 {
    outcome.winner().map_or(0.0, sign)
}

/// Nodes in blocks that are allocated when they are needed.
struct NodePool {
    blocks: Box<[OnceLock<Box<[TreeNode]>>]>,
    used: AtomicU32,
}

const BLOCK: u32 = 1 << 14;

impl NodePool {
    fn new(bytes: usize) -> NodePool {
        let nodes = (bytes / size_of::<TreeNode>()).clamp(1 << 15, 1 << 30);
        let blocks = nodes.div_ceil(BLOCK as usize);
        let pool = NodePool {
            blocks: (0..blocks).map(|_| OnceLock::new()).collect(),
            used: AtomicU32::new(0),
        };
        // Index 0 means none; the root is index 1.
        pool.allocate(2);
        pool
    }

    fn capacity(&self) -> u32 {
        self.blocks.len() as u32 * BLOCK
    }

    /// Allocates this many contiguous nodes; `None` if the pool is full.
    fn allocate(&self, count: u32) -> Option<u32> {
        let first = self.used.fetch_add(count, Ordering::Relaxed);
        if first.saturating_add(count) > self.capacity() {
            self.used.fetch_sub(count, Ordering::Relaxed);
            return None;
        }
        for block in first / BLOCK..=(first + count - 1) / BLOCK {
            self.blocks[block as usize]
                .get_or_init(|| (0..BLOCK).map(|_| TreeNode::default()).collect());
        }
        Some(first)
    }

    #[inline]
    fn node(&self, index: u32) -> &TreeNode {
        // Every index comes from `allocate`, which created the block.
        let block = self.blocks[(index / BLOCK) as usize].get();
        match block {
            Some(block) => &block[(index % BLOCK) as usize],
            None => unreachable!("a node that was never allocated"),
        }
    }

    fn fill_ratio(&self) -> f64 {
        f64::from(self.used.load(Ordering::Relaxed)) / f64::from(self.capacity())
    }
}

/// A search tree that is kept during a game.
pub(crate) struct Tree {
    pool: NodePool,
    bytes: usize,
    root: u32,
    seed: u64,
}

/// At positions with more moves than this, a random sample of this size is expanded.
const MAX_CHILDREN: u32 = 512;

/// Parameters of Monte Carlo tree search.
#[derive(Clone, Copy, Debug)]
pub struct MctsParams {
    /// The exploration constant of UCT.
    pub exploration: f64,
    /// The weight of the static evaluation in a leaf's value; the rest is a random game.
    pub evaluation_weight: f64,
}

impl MctsParams {
    /// For games without an evaluation.
    pub const PLAYOUTS: MctsParams = MctsParams {
        exploration: 1.0,
        evaluation_weight: 0.0,
    };
}

impl Tree {
    pub(crate) fn new(bytes: usize, seed: u64) -> Tree {
        Tree {
            pool: NodePool::new(bytes),
            bytes,
            root: 1,
            seed,
        }
    }

    /// Bytes of the allocated blocks.
    pub(crate) fn memory_usage(&self) -> usize {
        let allocated = self.pool.blocks.iter().filter_map(OnceLock::get);
        allocated.map(|block| size_of_val(&**block)).sum()
    }

    /// Discards the tree.
    pub(crate) fn clear(&mut self) {
        self.pool = NodePool::new(self.bytes);
        self.root = 1;
    }

    /// Makes the child for the move with this index the root. Returns false if there is no such
    /// child.
    pub(crate) fn advance(&mut self, move_index: usize) -> bool {
        let children = self.pool.node(self.root).children();
        let child = children
            .into_iter()
            .find(|&child| self.move_index(child) == move_index);
        match child {
            Some(child) => {
                self.root = child;
                true
            }
            None => false,
        }
    }

    fn move_index(&self, node: u32) -> usize {
        self.pool.node(node).move_index.load(Ordering::Relaxed) as usize
    }

    /// Frees memory by copying the subtree of the root into a new pool.
    pub(crate) fn compact(&mut self) {
        if self.pool.fill_ratio() < 0.5 {
            return;
        }
        let new = NodePool::new(self.bytes);
        let mut pending = vec![(self.root, 1)];
        while let Some((from, to)) = pending.pop() {
            let (old, copy) = (self.pool.node(from), new.node(to));
            let relaxed = Ordering::Relaxed;
            copy.move_index.store(old.move_index.load(relaxed), relaxed);
            copy.visits.store(old.visits.load(relaxed), relaxed);
            copy.total.store(old.total.load(relaxed), relaxed);
            copy.proof.store(old.proof.load(relaxed), relaxed);
            copy.is_sampled.store(old.is_sampled.load(relaxed), relaxed);
            let children = old.children();
            let count = children.end - children.start;
            // Rarely visited subtrees are regrown faster than they are copied.
            let tried = old.visits.load(relaxed) > 2;
            if count == 0 || !tried || new.fill_ratio() > 0.4 {
                continue;
            }
            if let Some(first) = new.allocate(count) {
                copy.first.store(first, relaxed);
                copy.count.store(count, relaxed);
                pending.extend(children.zip(first..first + count));
            }
        }
        self.pool = new;
        self.root = 1;
    }

    /// Searches until the budget is spent or the root is proved.
    pub(crate) fn search<G: SearchGame>(
        &mut self,
        context: &SearchContext<G>,
        position: &G::Position,
        params: MctsParams,
        budget: &Budget,
        on_report: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> SearchReport<G::Move> {
        let simulation_count = AtomicU64::new(0);
        let this = &*self;
        let help = |helper: usize| {
            let seed = this.seed.wrapping_add(helper as u64 * 0x9e37_79b9);
            let mut worker = SearchWorker::new(this, context, params, seed);
            while !worker.step(position, &simulation_count, budget) {}
        };
        parallel::with_helpers(context.threads.saturating_sub(1), &help, &mut || {
            let mut worker = SearchWorker::new(this, context, params, this.seed);
            let mut next_report = std::time::Duration::from_millis(50);
            while !worker.step(position, &simulation_count, budget) {
                if worker.steps.is_multiple_of(1024) && budget.elapsed() > next_report {
                    next_report = budget.elapsed() + std::time::Duration::from_millis(100);
                    let simulations = simulation_count.load(Ordering::Relaxed);
                    on_report(&this.report(context, position, simulations));
                }
            }
        });
        self.seed = self.seed.wrapping_add(0x2545_f491_4f6c_dd1d);
        self.report(context, position, simulation_count.load(Ordering::Relaxed))
    }

    /// A report of what the tree contains.
    fn report<G: SearchGame>(
        &self,
        context: &SearchContext<G>,
        position: &G::Position,
        nodes: u64,
    ) -> SearchReport<G::Move> {
        let game = &context.game;
        let side = game.side(position);
        let root = self.pool.node(self.root);
        let mut moves: Vec<RankedMove<G::Move>> = Vec::new();
        for child in root.children() {
            let node = self.pool.node(child);
            let Some(mv) = game.nth_move(position, self.move_index(child)) else {
                continue;
            };
            let visits = u64::from(node.visits.load(Ordering::Relaxed));
            let mean = node.mean(side);
            let value = match node.proof() {
                Some(outcome) => proved_value(outcome, side),
                None if visits == 0 => Value::UNKNOWN,
                None => {
                    let variance = (1.0 - mean * mean).max(0.01) / visits as f64;
                    Value::estimate(mean, variance.sqrt().min(1.0))
                }
            };
            moves.push(RankedMove {
                mv,
                value,
                nodes: visits,
                pv: self.principal_variation(context, position, child, mv),
            });
        }
        // Proved wins first, proved losses last, the rest by visits.
        sort_by_key(&mut moves, |ranked| {
            match ranked.value.exact().map(ExactValue::game_value) {
                Some(GameValue::Win) => (0, 0),
                Some(GameValue::Loss) => (2, 0),
                _ => (1, u64::MAX - ranked.nodes),
            }
        });
        // A proved draw is better than a move with a negative mean.
        let is_draw = |ranked: &RankedMove<_>| ranked.value == Value::Exact(ExactValue::DRAW);
        if let (Some(draw), Some(first)) = (moves.iter().position(is_draw), moves.first())
            && first.value.expected_result() < 0.0
        {
            moves[..=draw].rotate_right(1);
        }
        let mut report = SearchReport::empty();
        report.nodes = nodes;
        if let Some(best) = moves.first() {
            report.best = Some(best.mv);
            report.pv = best.pv.clone();
            report.depth = best.pv.len() as u32;
            report.value = match root.proof() {
                Some(outcome) => proved_value(outcome, side),
                None => best.value.as_lower_bound(),
            };
        }
        report.moves = moves;
        report
    }

    /// The most visited line.
    fn principal_variation<G: SearchGame>(
        &self,
        context: &SearchContext<G>,
        position: &G::Position,
        mut node: u32,
        first: G::Move,
    ) -> Vec<G::Move> {
        const MIN_VISITS: u32 = 16;
        let game = &context.game;
        let mut pv = vec![first];
        let mut position = game.after(position, first);
        loop {
            let side = game.side(&position);
            let children = self.pool.node(node).children();
            let best = children.max_by_key(|&child| {
                let child = self.pool.node(child);
                let wins = child.proof() == Some(Outcome::Win(side));
                (wins, child.visits.load(Ordering::Relaxed))
            });
            let Some(best) = best else { return pv };
            let best_node = self.pool.node(best);
            let is_seen = best_node.visits.load(Ordering::Relaxed) >= MIN_VISITS
                || best_node.proof().is_some();
            let mv = game.nth_move(&position, self.move_index(best));
            let Some(mv) = mv.filter(|_| is_seen) else {
                return pv;
            };
            pv.push(mv);
            game.apply(&mut position, mv);
            node = best;
        }
    }
}

fn proved_value(outcome: Outcome, side: Side) -> Value {
    Value::Exact(ExactValue::without_distance(
        ExactValue::from_outcome(outcome, side).game_value(),
    ))
}

/// The state of one thread.
struct SearchWorker<'a, G: SearchGame> {
    tree: &'a Tree,
    context: &'a SearchContext<G>,
    params: MctsParams,
    rng: Xoshiro256PlusPlus,
    /// The nodes of the current simulation, each with its side to move.
    path: Vec<(u32, Side)>,
    steps: u64,
}

impl<'a, G: SearchGame> SearchWorker<'a, G> {
    fn new(
        tree: &'a Tree,
        context: &'a SearchContext<G>,
        params: MctsParams,
        seed: u64,
    ) -> SearchWorker<'a, G> {
        SearchWorker {
            tree,
            context,
            params,
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            path: Vec::new(),
            steps: 0,
        }
    }

    /// Runs one simulation; returns true when it is time to stop.
    fn step(
        &mut self,
        position: &G::Position,
        simulation_count: &AtomicU64,
        budget: &Budget,
    ) -> bool {
        let root = self.tree.pool.node(self.tree.root);
        if root.proof().is_some() && !root.children().is_empty() {
            return true;
        }
        // On large boards one simulation takes long enough to read the clock.
        let is_slow = self.context.game.history_len() > 200;
        let interval = if is_slow { 8 } else { 64 };
        let done = simulation_count.load(Ordering::Relaxed);
        let is_spent = budget.is_node_limit_reached(done)
            || self.steps.is_multiple_of(interval)
                && budget.should_stop_after(interval * NODES_PER_SIMULATION);
        // The root is expanded even without any time.
        if is_spent && !root.children().is_empty() {
            return true;
        }
        self.simulate(position);
        simulation_count.fetch_add(1, Ordering::Relaxed);
        self.steps += 1;
        false
    }

    fn simulate(&mut self, position: &G::Position) {
        let (game, pool) = (&self.context.game, &self.tree.pool);
        let mut position = position.clone();
        let mut index = self.tree.root;
        self.path.clear();
        self.path.push((index, game.side(&position)));
        loop {
            let node = pool.node(index);
            node.visits.fetch_add(1, Ordering::Relaxed);
            if index != self.tree.root && node.proof().is_some() {
                break;
            }
            if node.children().is_empty() {
                // A node is expanded on its second visit; the first only evaluates it.
                let is_seen = node.visits.load(Ordering::Relaxed) > 1 || index == self.tree.root;
                if !(is_seen && self.expand(node, index, &position)) {
                    break;
                }
                if node.proof().is_some() && index != self.tree.root {
                    break;
                }
            }
            let Some(child) = self.select(node, game.side(&position)) else {
                break;
            };
            let move_index = pool.node(child).move_index.load(Ordering::Relaxed);
            let Some(mv) = game.nth_move(&position, move_index as usize) else {
                break;
            };
            game.apply(&mut position, mv);
            index = child;
            self.path.push((index, game.side(&position)));
        }
        let leaf = pool.node(index);
        if leaf.proof().is_none()
            && let Some(outcome) = self.certain_outcome(&position)
        {
            leaf.set_proved(outcome);
        }
        let result = match leaf.proof() {
            Some(outcome) => {
                self.back_up_proof();
                result_for_x(outcome)
            }
            None => self.evaluate_leaf(&mut position),
        };
        let result = (result * UNIT) as i64;
        for &(node, _) in &self.path {
            pool.node(node).total.fetch_add(result, Ordering::Relaxed);
        }
    }

    /// The outcome if it is certain without searching.
    fn certain_outcome(&self, position: &G::Position) -> Option<Outcome> {
        let game = &self.context.game;
        game.outcome(position).or_else(|| {
            match self.context.heuristics.forced_move(game, position) {
                ForcedMove::Win(_) => Some(Outcome::Win(game.side(position))),
                _ => None,
            }
        })
    }

    /// Evaluates a leaf for X, by a random game and the static evaluation.
    fn evaluate_leaf(&mut self, position: &mut G::Position) -> f64 {
        let game = &self.context.game;
        let weight = self.params.evaluation_weight;
        let mut result = 0.0;
        if weight > 0.0 {
            let evaluation = self.context.evaluation.evaluate(game, position);
            result += weight * sign(game.side(position)) * expected_result(evaluation);
        }
        if weight < 1.0 {
            let (outcome, _) = game.playout(position, &mut self.rng);
            result += (1.0 - weight) * result_for_x(outcome);
        }
        result
    }

    /// Expands a node. Returns false if it gets no children.
    fn expand(&mut self, node: &TreeNode, index: u32, position: &G::Position) -> bool {
        let (game, pool) = (&self.context.game, &self.tree.pool);
        let only = match self.context.heuristics.forced_move(game, position) {
            ForcedMove::Win(mv) => {
                node.set_proved(Outcome::Win(game.side(position)));
                if index != self.tree.root {
                    return false;
                }
                Some(mv)
            }
            // All other moves lose at once, but the root lists them.
            ForcedMove::OnlyMove(mv) if index != self.tree.root => Some(mv),
            _ => None,
        };
        let moves = game.count_moves(position) as u32;
        let count = match only {
            Some(_) => 1,
            None => moves.min(MAX_CHILDREN),
        };
        if count == 0 {
            return false;
        }
        let claimed =
            node.first
                .compare_exchange(0, EXPANDING, Ordering::Relaxed, Ordering::Relaxed);
        if claimed.is_err() {
            return false;
        }
        let Some(first) = pool.allocate(count) else {
            node.first.store(0, Ordering::Relaxed);
            return false;
        };
        let stride = match only {
            Some(_) => 1,
            None => moves.div_ceil(count),
        };
        for i in 0..count {
            let child = pool.node(first + i);
            let move_index = match only {
                Some(only) => {
                    let mut n = 0;
                    while game.nth_move(position, n).is_some_and(|mv| mv != only) {
                        n += 1;
                    }
                    n as u32
                }
                None if stride == 1 => i,
                // One move from each stride, so that no move is drawn twice.
                None => (i * stride + self.rng.next_u32() % stride).min(moves - 1),
            };
            child.move_index.store(move_index, Ordering::Relaxed);
        }
        node.is_sampled.store(stride > 1, Ordering::Relaxed);
        node.count.store(count, Ordering::Relaxed);
        node.first.store(first, Ordering::Release);
        true
    }

    /// Selects the child to visit: proved wins first, proved losses only if nothing else is left.
    fn select(&mut self, node: &TreeNode, side: Side) -> Option<u32> {
        let pool = &self.tree.pool;
        let visits = f64::from(node.visits.load(Ordering::Relaxed).max(1));
        let log = visits.ln().max(0.0);
        // First play urgency: unvisited moves start slightly below the parent's mean.
        let untried = node.mean(side) - 0.2;
        let mut best = None;
        let mut best_score = f64::NEG_INFINITY;
        for index in node.children() {
            let child = pool.node(index);
            let n = child.visits.load(Ordering::Relaxed);
            let score = match child.proof() {
                Some(Outcome::Win(winner)) if winner == side => return Some(index),
                Some(Outcome::Win(_)) => -1000.0,
                Some(Outcome::Draw) => 0.0,
                None if n == 0 => {
                    // A tiny random term, so that ties aren't always broken in move order.
                    untried
                        + self.params.exploration * log.sqrt()
                        + f64::from(self.rng.next_u32() >> 8) * 1e-9
                }
                None => child.mean(side) + self.params.exploration * (log / f64::from(n)).sqrt(),
            };
            if score > best_score {
                best_score = score;
                best = Some(index);
            }
        }
        best
    }

    /// The leaf of the path is proved: update its ancestors.
    fn back_up_proof(&self) {
        let pool = &self.tree.pool;
        let above = self.path.len().saturating_sub(1);
        for &(index, side) in self.path[..above].iter().rev() {
            let node = pool.node(index);
            if node.proof().is_some() {
                continue;
            }
            let mut best = Some(Outcome::Win(side.other()));
            for child in node.children() {
                match pool.node(child).proof() {
                    Some(Outcome::Win(winner)) if winner == side => {
                        best = Some(Outcome::Win(side));
                        break;
                    }
                    Some(Outcome::Draw) => {
                        best = best.map(|_| Outcome::Draw);
                    }
                    Some(Outcome::Win(_)) => {}
                    None => best = None,
                }
            }
            match best {
                // If only a sample of the moves was expanded, only a win is certain.
                Some(outcome)
                    if outcome == Outcome::Win(side)
                        || !node.is_sampled.load(Ordering::Relaxed) =>
                {
                    node.set_proved(outcome);
                }
                _ => return,
            }
        }
    }
}
