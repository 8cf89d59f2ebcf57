//! Monte Carlo tree search: a tree that grows where play looks promising, its
//! leaves judged by random games and by the evaluation. Wins, losses and draws
//! that are certain are backed up as such.
//!
//! All threads grow one tree without locks; every field of a node is an atomic,
//! and a thread that comes late sees at worst an old count.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU8, AtomicU32, AtomicU64, Ordering};

use noughts_rules::{Outcome, Side};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::SearchContext;
use super::heuristics::{ForcedMove, SearchHeuristics};
use crate::evaluation::{Evaluation, expected_result};
use crate::limits::Budget;
use crate::report::{RankedMove, SearchReport};
use crate::search_game::SearchGame;
use crate::value::{ExactValue, GameValue, Value};

/// One position in the tree. Results count for X, whoever moves.
#[derive(Default)]
struct Node {
    /// Which of its parent's moves leads here, in the game's own order.
    number: AtomicU32,
    /// Simulations that came through here, those under way included.
    visits: AtomicU32,
    /// The sum of their results for X, in units of `1 / UNIT`.
    total: AtomicI64,
    /// The first of the children, which lie side by side; 0 before there are any.
    first: AtomicU32,
    count: AtomicU32,
    /// What is certain: see [`Proof`].
    proof: AtomicU8,
    /// Are the children only some of the moves?
    sampled: AtomicBool,
}

const UNIT: f64 = 65_536.0;

/// No children yet, but a thread is making them.
const GROWING: u32 = u32::MAX;

/// What is certain of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Proof {
    Open,
    Settled(Outcome),
}

impl Node {
    fn proof(&self) -> Proof {
        match self.proof.load(Ordering::Relaxed) {
            0 => Proof::Open,
            1 => Proof::Settled(Outcome::Win(Side::X)),
            2 => Proof::Settled(Outcome::Win(Side::O)),
            _ => Proof::Settled(Outcome::Draw),
        }
    }

    fn settle(&self, outcome: Outcome) {
        let code = match outcome {
            Outcome::Win(Side::X) => 1,
            Outcome::Win(Side::O) => 2,
            Outcome::Draw => 3,
        };
        self.proof.store(code, Ordering::Relaxed);
    }

    fn children(&self) -> std::ops::Range<u32> {
        match self.first.load(Ordering::Acquire) {
            0 | GROWING => 0..0,
            first => first..first + self.count.load(Ordering::Relaxed),
        }
    }

    /// The mean result for a player.
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

fn points(outcome: Outcome) -> f64 {
    outcome.winner().map_or(0.0, sign)
}

/// Nodes, a block at a time: memory is taken when it is needed.
struct Arena {
    blocks: Box<[OnceLock<Box<[Node]>>]>,
    used: AtomicU32,
}

const BLOCK: u32 = 1 << 14;

impl Arena {
    fn new(bytes: usize) -> Arena {
        let nodes = (bytes / size_of::<Node>()).clamp(1 << 15, 1 << 30);
        let blocks = nodes.div_ceil(BLOCK as usize);
        let arena = Arena {
            blocks: (0..blocks).map(|_| OnceLock::new()).collect(),
            used: AtomicU32::new(0),
        };
        // Number 0 means none, and the root comes after it.
        arena.take(2);
        arena
    }

    fn capacity(&self) -> u32 {
        self.blocks.len() as u32 * BLOCK
    }

    /// Room for so many nodes side by side; none when the arena is full.
    fn take(&self, count: u32) -> Option<u32> {
        let first = self.used.fetch_add(count, Ordering::Relaxed);
        if first.saturating_add(count) > self.capacity() {
            self.used.fetch_sub(count, Ordering::Relaxed);
            return None;
        }
        for block in first / BLOCK..=(first + count - 1) / BLOCK {
            self.blocks[block as usize]
                .get_or_init(|| (0..BLOCK).map(|_| Node::default()).collect());
        }
        Some(first)
    }

    #[inline]
    fn node(&self, index: u32) -> &Node {
        // Whoever knows a number has it from `take`, which made the block.
        let block = self.blocks[(index / BLOCK) as usize].get();
        match block {
            Some(block) => &block[(index % BLOCK) as usize],
            None => unreachable!("a node that was never taken"),
        }
    }

    fn fill(&self) -> f64 {
        f64::from(self.used.load(Ordering::Relaxed)) / f64::from(self.capacity())
    }
}

/// A tree that lives through a game.
pub(crate) struct Tree {
    arena: Arena,
    bytes: usize,
    root: u32,
    seed: u64,
}

/// At positions with more moves than this, so many are tried, drawn at random.
const MOST_CHILDREN: u32 = 512;

/// How a tree grows.
#[derive(Clone, Copy, Debug)]
pub struct MctsParams {
    /// How much a move is tried for its own sake.
    pub exploration: f64,
    /// The part of the evaluation in a leaf's value; the rest is a random game.
    pub evaluation_weight: f64,
}

impl Tree {
    pub(crate) fn new(bytes: usize, seed: u64) -> Tree {
        Tree {
            arena: Arena::new(bytes),
            bytes,
            root: 1,
            seed,
        }
    }

    /// Bytes of the blocks that were made.
    pub(crate) fn memory_usage(&self) -> usize {
        let made = self.arena.blocks.iter().filter_map(OnceLock::get);
        made.map(|block| size_of_val(&**block)).sum()
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.arena = Arena::new(self.bytes);
        self.root = 1;
    }

    /// The move with this number was made: what grew below it is kept. False if
    /// nothing is known of it.
    pub(crate) fn advance(&mut self, number: usize) -> bool {
        let children = self.arena.node(self.root).children();
        let child = children
            .into_iter()
            .find(|&child| self.number(child) == number);
        match child {
            Some(child) => {
                self.root = child;
                true
            }
            None => false,
        }
    }

    fn number(&self, node: u32) -> usize {
        self.arena.node(node).number.load(Ordering::Relaxed) as usize
    }

    /// Makes room: copies what hangs on the root into a new arena.
    pub(crate) fn compact(&mut self) {
        if self.arena.fill() < 0.5 {
            return;
        }
        let new = Arena::new(self.bytes);
        let mut pairs = vec![(self.root, 1)];
        while let Some((from, to)) = pairs.pop() {
            let (old, copy) = (self.arena.node(from), new.node(to));
            let load = Ordering::Relaxed;
            copy.number.store(old.number.load(load), load);
            copy.visits.store(old.visits.load(load), load);
            copy.total.store(old.total.load(load), load);
            copy.proof.store(old.proof.load(load), load);
            copy.sampled.store(old.sampled.load(load), load);
            let children = old.children();
            let count = children.end - children.start;
            // Thin twigs grow back sooner than they are copied.
            let tried = old.visits.load(load) > 2;
            if count == 0 || !tried || new.fill() > 0.4 {
                continue;
            }
            if let Some(first) = new.take(count) {
                copy.first.store(first, load);
                copy.count.store(count, load);
                pairs.extend(children.zip(first..first + count));
            }
        }
        self.arena = new;
        self.root = 1;
    }

    /// Grows the tree until the budget is spent or the root is settled.
    pub(crate) fn search<G: SearchGame>(
        &mut self,
        lore: &SearchContext<G>,
        position: &G::Position,
        growth: MctsParams,
        budget: &Budget,
        watch: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> SearchReport<G::Move> {
        let counted = AtomicU64::new(0);
        let this = &*self;
        std::thread::scope(|scope| {
            for helper in 1..lore.threads {
                let counted = &counted;
                let seed = this.seed.wrapping_add(helper as u64 * 0x9e37_79b9);
                scope.spawn(move || {
                    let mut worker = Worker::new(this, lore, growth, seed);
                    while !worker.step(position, counted, budget) {}
                });
            }
            let mut worker = Worker::new(this, lore, growth, this.seed);
            let mut reported = std::time::Duration::from_millis(50);
            while !worker.step(position, &counted, budget) {
                if worker.steps.is_multiple_of(1024) && budget.elapsed() > reported {
                    reported = budget.elapsed() + std::time::Duration::from_millis(100);
                    watch(&this.report(lore, position, counted.load(Ordering::Relaxed)));
                }
            }
        });
        self.seed = self.seed.wrapping_add(0x2545_f491_4f6c_dd1d);
        self.report(lore, position, counted.load(Ordering::Relaxed))
    }

    /// What the tree knows.
    fn report<G: SearchGame>(
        &self,
        lore: &SearchContext<G>,
        position: &G::Position,
        nodes: u64,
    ) -> SearchReport<G::Move> {
        let game = &lore.game;
        let side = game.side(position);
        let root = self.arena.node(self.root);
        let mut moves: Vec<(u64, RankedMove<G::Move>)> = Vec::new();
        for child in root.children() {
            let node = self.arena.node(child);
            let Some(mv) = game.nth_move(position, self.number(child)) else {
                continue;
            };
            let visits = u64::from(node.visits.load(Ordering::Relaxed));
            let mean = node.mean(side);
            let value = match node.proof() {
                Proof::Settled(outcome) => settled(outcome, side),
                Proof::Open if visits == 0 => Value::UNKNOWN,
                Proof::Open => Value::Estimate {
                    mean,
                    error: ((1.0 - mean * mean).max(0.01) / visits as f64)
                        .sqrt()
                        .min(1.0),
                },
            };
            // Certain wins first, certain losses last, the rest by how much they were tried.
            let rank = match value {
                Value::Exact(exact) if exact.game_value() == GameValue::Win => u64::MAX,
                Value::Exact(exact) if exact.game_value() == GameValue::Loss => 0,
                _ => visits + 1,
            };
            moves.push((
                rank,
                RankedMove {
                    mv,
                    value,
                    nodes: visits,
                    pv: self.line(lore, position, child, mv),
                },
            ));
        }
        moves.sort_by_key(|&(rank, _)| std::cmp::Reverse(rank));
        // A certain draw is better than what looks worse than one.
        let draw = moves
            .iter()
            .position(|(_, ranked)| ranked.value == Value::Exact(ExactValue::DRAW));
        if let (Some(draw), Some((_, first))) = (draw, moves.first())
            && first.value.expected_result() < 0.0
        {
            moves[..=draw].rotate_right(1);
        }
        let moves: Vec<RankedMove<G::Move>> = moves.into_iter().map(|(_, ranked)| ranked).collect();
        let mut report = SearchReport::empty();
        report.nodes = nodes;
        if let Some(best) = moves.first() {
            report.best = Some(best.mv);
            report.pv = best.pv.clone();
            report.depth = best.pv.len() as u32;
            report.value = match (root.proof(), best.value) {
                (Proof::Settled(outcome), _) => settled(outcome, side),
                // Of one move alone a draw or a loss says nothing yet.
                (_, Value::Exact(exact)) if exact.game_value() != GameValue::Win => {
                    Value::Estimate {
                        mean: exact.expected_result(),
                        error: 0.5,
                    }
                }
                (_, value) => value,
            };
        }
        report.moves = moves;
        report
    }

    /// The course of the game that was tried most.
    fn line<G: SearchGame>(
        &self,
        lore: &SearchContext<G>,
        position: &G::Position,
        mut node: u32,
        first: G::Move,
    ) -> Vec<G::Move> {
        const SEEN_OFTEN: u32 = 16;
        let game = &lore.game;
        let mut line = vec![first];
        let mut position = position.clone();
        game.apply(&mut position, first);
        loop {
            let side = game.side(&position);
            let children = self.arena.node(node).children();
            let best = children.max_by_key(|&child| {
                let child = self.arena.node(child);
                let wins = child.proof() == Proof::Settled(Outcome::Win(side));
                (wins, child.visits.load(Ordering::Relaxed))
            });
            let Some(best) = best else { return line };
            let seen = self.arena.node(best).visits.load(Ordering::Relaxed) >= SEEN_OFTEN
                || self.arena.node(best).proof() != Proof::Open;
            let Some(mv) = game.nth_move(&position, self.number(best)).filter(|_| seen) else {
                return line;
            };
            line.push(mv);
            game.apply(&mut position, mv);
            node = best;
        }
    }
}

fn settled(outcome: Outcome, side: Side) -> Value {
    Value::Exact(ExactValue::without_distance(
        ExactValue::from_outcome(outcome, side).game_value(),
    ))
}

/// One thread.
struct Worker<'a, G: SearchGame> {
    tree: &'a Tree,
    lore: &'a SearchContext<G>,
    growth: MctsParams,
    rng: Xoshiro256PlusPlus,
    /// The nodes of the simulation under way, and who moves there.
    path: Vec<(u32, Side)>,
    steps: u64,
}

impl<'a, G: SearchGame> Worker<'a, G> {
    fn new(
        tree: &'a Tree,
        lore: &'a SearchContext<G>,
        growth: MctsParams,
        seed: u64,
    ) -> Worker<'a, G> {
        Worker {
            tree,
            lore,
            growth,
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            path: Vec::new(),
            steps: 0,
        }
    }

    /// One simulation; true when it is time to stop.
    fn step(&mut self, position: &G::Position, counted: &AtomicU64, budget: &Budget) -> bool {
        let root = self.tree.arena.node(self.tree.root);
        if root.proof() != Proof::Open && !root.children().is_empty() {
            return true;
        }
        // On large boards one simulation takes long enough to look at the clock.
        let slow = self.lore.game.history_len() > 200 && self.steps.is_multiple_of(8);
        let done = counted.load(Ordering::Relaxed);
        let spent = budget.limits().nodes.is_some_and(|most| done >= most)
            || (self.steps.is_multiple_of(64) || slow) && budget.should_stop();
        // Even without any time the root has its moves.
        if spent && !root.children().is_empty() {
            return true;
        }
        self.simulate(position);
        counted.fetch_add(1, Ordering::Relaxed);
        self.steps += 1;
        false
    }

    fn simulate(&mut self, position: &G::Position) {
        let (game, arena) = (&self.lore.game, &self.tree.arena);
        let mut position = position.clone();
        let mut index = self.tree.root;
        self.path.clear();
        self.path.push((index, game.side(&position)));
        loop {
            let node = arena.node(index);
            node.visits.fetch_add(1, Ordering::Relaxed);
            if index != self.tree.root && node.proof() != Proof::Open {
                break;
            }
            if node.children().is_empty() {
                // The second visit grows children; the first only looks.
                let seen = node.visits.load(Ordering::Relaxed) > 1 || index == self.tree.root;
                if !(seen && self.expand(node, index, &position)) {
                    break;
                }
                if node.proof() != Proof::Open && index != self.tree.root {
                    break;
                }
            }
            let Some(child) = self.select(node, game.side(&position)) else {
                break;
            };
            let number = arena.node(child).number.load(Ordering::Relaxed);
            let Some(mv) = game.nth_move(&position, number as usize) else {
                break;
            };
            game.apply(&mut position, mv);
            index = child;
            self.path.push((index, game.side(&position)));
        }
        let leaf = arena.node(index);
        if leaf.proof() == Proof::Open
            && let Some(outcome) = self.certain(&position)
        {
            leaf.settle(outcome);
        }
        let result = match leaf.proof() {
            Proof::Settled(outcome) => {
                self.settle_parents();
                points(outcome)
            }
            Proof::Open => self.judge(&mut position),
        };
        let result = (result * UNIT) as i64;
        for &(node, _) in &self.path {
            arena.node(node).total.fetch_add(result, Ordering::Relaxed);
        }
    }

    /// What is certain without a tree.
    fn certain(&self, position: &G::Position) -> Option<Outcome> {
        let game = &self.lore.game;
        game.outcome(position)
            .or_else(|| match self.lore.heuristics.forced_move(game, position) {
                ForcedMove::Win(_) => Some(Outcome::Win(game.side(position))),
                _ => None,
            })
    }

    /// What a leaf is worth to X: a random game, and what it looks like.
    fn judge(&mut self, position: &mut G::Position) -> f64 {
        let game = &self.lore.game;
        let part = self.growth.evaluation_weight;
        let mut result = 0.0;
        if part > 0.0 {
            let looks = self.lore.evaluation.evaluate(game, position);
            result += part * sign(game.side(position)) * expected_result(looks);
        }
        if part < 1.0 {
            let (outcome, _) = game.playout(position, &mut self.rng);
            result += (1.0 - part) * points(outcome);
        }
        result
    }

    /// Gives a node its children. False if it gets none.
    fn expand(&mut self, node: &Node, index: u32, position: &G::Position) -> bool {
        let (game, arena) = (&self.lore.game, &self.tree.arena);
        let only = match self.lore.heuristics.forced_move(game, position) {
            ForcedMove::Win(mv) => {
                node.settle(Outcome::Win(game.side(position)));
                if index != self.tree.root {
                    return false;
                }
                Some(mv)
            }
            // The other moves lose at once; but at the root they are shown.
            ForcedMove::OnlyMove(mv) if index != self.tree.root => Some(mv),
            _ => None,
        };
        let moves = game.count_moves(position) as u32;
        let count = match only {
            Some(_) => 1,
            None => moves.min(MOST_CHILDREN),
        };
        if count == 0 {
            return false;
        }
        let unlocked =
            node.first
                .compare_exchange(0, GROWING, Ordering::Relaxed, Ordering::Relaxed);
        if unlocked.is_err() {
            return false;
        }
        let Some(first) = arena.take(count) else {
            node.first.store(0, Ordering::Relaxed);
            return false;
        };
        let stride = match only {
            Some(_) => 1,
            None => moves.div_ceil(count),
        };
        for i in 0..count {
            let child = arena.node(first + i);
            let number = match only {
                Some(only) => {
                    let mut n = 0;
                    while game.nth_move(position, n).is_some_and(|mv| mv != only) {
                        n += 1;
                    }
                    n as u32
                }
                None if stride == 1 => i,
                // One out of each stretch, so that none comes twice.
                None => (i * stride + self.rng.next_u32() % stride).min(moves - 1),
            };
            child.number.store(number, Ordering::Relaxed);
        }
        node.sampled.store(stride > 1, Ordering::Relaxed);
        node.count.store(count, Ordering::Relaxed);
        node.first.store(first, Ordering::Release);
        true
    }

    /// The child to look at next: certain wins first, certain losses only when
    /// nothing else is left.
    fn select(&mut self, node: &Node, side: Side) -> Option<u32> {
        let arena = &self.tree.arena;
        let visits = f64::from(node.visits.load(Ordering::Relaxed).max(1));
        let log = visits.ln().max(0.0);
        // Moves not tried yet look a little worse than the position does.
        let untried = node.mean(side) - 0.2;
        let mut best = None;
        let mut most = f64::NEG_INFINITY;
        for index in node.children() {
            let child = arena.node(index);
            let n = child.visits.load(Ordering::Relaxed);
            let worth = match child.proof() {
                Proof::Settled(Outcome::Win(winner)) if winner == side => return Some(index),
                Proof::Settled(Outcome::Win(_)) => -1000.0,
                Proof::Settled(Outcome::Draw) => 0.0,
                Proof::Open if n == 0 => {
                    // A pinch of chance, so that the first moves are not always first.
                    untried
                        + self.growth.exploration * log.sqrt()
                        + f64::from(self.rng.next_u32() >> 8) * 1e-9
                }
                Proof::Open => {
                    child.mean(side) + self.growth.exploration * (log / f64::from(n)).sqrt()
                }
            };
            if worth > most {
                most = worth;
                best = Some(index);
            }
        }
        best
    }

    /// The leaf of the path is settled: are the nodes above it, too?
    fn settle_parents(&self) {
        let arena = &self.tree.arena;
        let above = self.path.len().saturating_sub(1);
        for &(index, side) in self.path[..above].iter().rev() {
            let node = arena.node(index);
            if node.proof() != Proof::Open {
                continue;
            }
            let mut best = Some(Outcome::Win(side.other()));
            for child in node.children() {
                match arena.node(child).proof() {
                    Proof::Settled(Outcome::Win(winner)) if winner == side => {
                        best = Some(Outcome::Win(side));
                        break;
                    }
                    Proof::Settled(Outcome::Draw) => {
                        best = best.map(|_| Outcome::Draw);
                    }
                    Proof::Settled(Outcome::Win(_)) => {}
                    Proof::Open => best = None,
                }
            }
            match best {
                // Where only some moves were tried, only a win is certain.
                Some(outcome)
                    if outcome == Outcome::Win(side) || !node.sampled.load(Ordering::Relaxed) =>
                {
                    node.settle(outcome);
                }
                _ => return,
            }
        }
    }
}
