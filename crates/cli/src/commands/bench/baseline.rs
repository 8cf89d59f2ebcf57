//! Textbook searches to compare with: alpha-beta without move ordering or a transposition table,
//! and plain UCT with random playouts.

use std::time::{Duration, Instant};

use noughts_rules::{Game, Outcome, Side};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The score of a game that is already won; a win in more plies scores less.
pub(crate) const WIN: i32 = 1_000_000;

/// Alpha-beta without a transposition table and without move ordering.
pub(crate) struct BaselineAlphaBeta<'a, G: Game> {
    game: &'a G,
    /// Positions searched.
    pub(crate) nodes: u64,
    /// The search gives up after this many nodes.
    pub(crate) max_nodes: u64,
}

impl<'a, G: Game> BaselineAlphaBeta<'a, G> {
    /// A search of at most `max_nodes` positions.
    pub(crate) fn new(game: &'a G, max_nodes: u64) -> BaselineAlphaBeta<'a, G> {
        BaselineAlphaBeta {
            game,
            nodes: 0,
            max_nodes,
        }
    }

    /// The value for the side to move: [`WIN`] minus the distance in plies, negated for a loss.
    /// Positions at the horizon count as draws. `None` if the search gave up.
    pub(crate) fn search(
        &mut self,
        position: &G::Position,
        depth: u32,
        mut alpha: i32,
        beta: i32,
        ply: i32,
    ) -> Option<i32> {
        let side = self.game.side(position);
        match self.game.outcome(position) {
            Some(Outcome::Draw) => return Some(0),
            Some(Outcome::Win(winner)) if winner == side => return Some(WIN - ply),
            Some(Outcome::Win(_)) => return Some(ply - WIN),
            None if depth == 0 => return Some(0),
            None => {}
        }
        self.nodes += 1;
        if self.nodes > self.max_nodes {
            return None;
        }
        for mv in self.game.moves(position) {
            let next = self.game.after(position, mv);
            let score = if self.game.side(&next) == side {
                self.search(&next, depth - 1, alpha, beta, ply + 1)?
            } else {
                -self.search(&next, depth - 1, -beta, -alpha, ply + 1)?
            };
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        Some(alpha)
    }
}

/// A node of the Monte Carlo tree.
struct BaselineNode<M> {
    mv: Option<M>,
    children: Vec<usize>,
    untried: Vec<M>,
    /// The side that made the move leading to this node.
    mover: Side,
    visits: f64,
    wins: f64,
}

/// Runs UCT with one random playout per new node for this long; returns the number of playouts.
pub(crate) fn monte_carlo<G: Game>(
    game: &G,
    root: &G::Position,
    time: Duration,
    rng: &mut Xoshiro256PlusPlus,
) -> u64 {
    let node = |position: &G::Position, mv, mover| BaselineNode {
        mv,
        children: Vec::new(),
        untried: game.moves(position),
        mover,
        visits: 0.0,
        wins: 0.0,
    };
    let mut tree = vec![node(root, None, game.side(root).other())];
    let start = Instant::now();
    let mut playouts = 0;
    while start.elapsed() < time {
        let (mut position, mut current) = (root.clone(), 0);
        let mut path = vec![current];
        // Select: descend to a node with an untried move.
        while tree[current].untried.is_empty() && !tree[current].children.is_empty() {
            let log = tree[current].visits.ln();
            let ucb = |child: usize| {
                let child: &BaselineNode<G::Move> = &tree[child];
                child.wins / child.visits + (2.0 * log / child.visits).sqrt()
            };
            let best = tree[current]
                .children
                .iter()
                .copied()
                .max_by(|&a, &b| ucb(a).total_cmp(&ucb(b)));
            let Some(best) = best else { break };
            current = best;
            if let Some(mv) = tree[current].mv {
                game.apply(&mut position, mv);
            }
            path.push(current);
        }
        if let Some(mv) = tree[current].untried.pop() {
            let mover = game.side(&position);
            game.apply(&mut position, mv);
            let child = tree.len();
            tree.push(node(&position, Some(mv), mover));
            tree[current].children.push(child);
            path.push(child);
        }
        let (outcome, _) = game.playout(&mut position, rng);
        for &current in &path {
            let node = &mut tree[current];
            node.visits += 1.0;
            node.wins += match outcome.winner() {
                None => 0.5,
                Some(winner) if winner == node.mover => 1.0,
                Some(_) => 0.0,
            };
        }
        playouts += 1;
    }
    playouts
}
