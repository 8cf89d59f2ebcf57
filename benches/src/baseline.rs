//! Search as the textbooks have it, to compare with: alpha-beta that takes moves as
//! they come and remembers nothing, and a Monte Carlo tree of plain random games.

use std::time::{Duration, Instant};

use noughts_rules::{Game, Outcome, Side};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The score of a game won now; wins in more plies score less.
pub const WIN: i32 = 1_000_000;

/// Alpha-beta without table, without ordering.
pub struct AlphaBeta<'a, G: Game> {
    game: &'a G,
    /// Positions looked at.
    pub nodes: u64,
    /// It gives up after so many.
    pub max_nodes: u64,
}

impl<'a, G: Game> AlphaBeta<'a, G> {
    /// A search that looks at no more than `most` positions.
    #[must_use]
    pub fn new(game: &'a G, max_nodes: u64) -> AlphaBeta<'a, G> {
        AlphaBeta {
            game,
            nodes: 0,
            max_nodes,
        }
    }

    /// What the position is worth to the side to move: [`WIN`] less the plies it
    /// takes, and the negative for a loss. Positions at the horizon count as drawn.
    /// None if it gave up.
    pub fn search(
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
            let mut next = position.clone();
            self.game.apply(&mut next, mv);
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
struct Node<M> {
    mv: Option<M>,
    children: Vec<usize>,
    untried: Vec<M>,
    /// Who made the move that led here.
    mover: Side,
    visits: f64,
    wins: f64,
}

/// Grows a tree for so long (UCT, one random game for each new node); gives the
/// number of games played.
pub fn monte_carlo<G: Game>(
    game: &G,
    root: &G::Position,
    time: Duration,
    rng: &mut Xoshiro256PlusPlus,
) -> u64 {
    let node = |position: &G::Position, mv, mover| Node {
        mv,
        children: Vec::new(),
        untried: game.moves(position),
        mover,
        visits: 0.0,
        wins: 0.0,
    };
    let mut tree = vec![node(root, None, game.side(root).other())];
    let start = Instant::now();
    let mut games = 0;
    while start.elapsed() < time {
        let (mut position, mut at) = (root.clone(), 0);
        let mut path = vec![at];
        // Down to a node with something untried.
        while tree[at].untried.is_empty() && !tree[at].children.is_empty() {
            let log = tree[at].visits.ln();
            let ucb = |child: usize| {
                let child: &Node<G::Move> = &tree[child];
                child.wins / child.visits + (2.0 * log / child.visits).sqrt()
            };
            let best = tree[at]
                .children
                .iter()
                .copied()
                .max_by(|&a, &b| ucb(a).total_cmp(&ucb(b)));
            let Some(best) = best else { break };
            at = best;
            if let Some(mv) = tree[at].mv {
                game.apply(&mut position, mv);
            }
            path.push(at);
        }
        if let Some(mv) = tree[at].untried.pop() {
            let mover = game.side(&position);
            game.apply(&mut position, mv);
            let child = tree.len();
            tree.push(node(&position, Some(mv), mover));
            tree[at].children.push(child);
            path.push(child);
        }
        let (outcome, _) = game.playout(&mut position, rng);
        for &at in &path {
            let node = &mut tree[at];
            node.visits += 1.0;
            node.wins += match outcome.winner() {
                None => 0.5,
                Some(winner) if winner == node.mover => 1.0,
                Some(_) => 0.0,
            };
        }
        games += 1;
    }
    games
}
