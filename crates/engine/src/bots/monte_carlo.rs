//! `monte-carlo`: random games after every move, without a tree. Earlier results count more, and
//! giving the opponent a free move costs extra.

use std::sync::OnceLock;
use std::time::Duration;

use noughts_rules::{GameState, Outcome, Side};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::levels::{self, SkillLevel};
use crate::bot::Bot;
use crate::limits::Budget;
use crate::parallel;
use crate::report::{RankedMove, SearchReport};
use crate::search_game::SearchGame;
use crate::sort::sort_by;
use crate::value::{ExactValue, Value};

/// The maximum number of moves to compare. Boards with more are so large that not even these are
/// all tried.
const MAX_MOVES: usize = 8192;

/// This many moves are tried in rotation from the first game on. Further moves join once each of
/// these has [`GAMES_EACH`] games, because a mean of one game is meaningless.
const FIRST_MOVES: usize = 128;
const GAMES_EACH: u64 = 16;

/// The cost of giving the opponent a free move.
const FREE_MOVE_COST: f64 = 0.05;

/// Random games that can repeat positions are scored as draws after this many plies.
const MAX_REPEATING_PLIES: u32 = 400;

/// The clock is checked once in this many plies of random games.
const PLIES_PER_CLOCK_CHECK: u32 = 1000;

/// The interval between reports.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

/// Flat Monte Carlo search.
pub(crate) struct MonteCarlo {
    pub(crate) rng: Xoshiro256PlusPlus,
    pub(crate) threads: usize,
}

impl<G: SearchGame> Bot<G> for MonteCarlo {
    fn think(
        &mut self,
        state: &GameState<G>,
        budget: &Budget,
        on_report: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> SearchReport<G::Move> {
        let (game, position) = (state.game(), state.position());
        if budget.should_stop() {
            return levels::random_move_report(state, &mut self.rng);
        }
        if let Some(mv) = game.find_win(position, SkillLevel::Experienced) {
            return levels::winning_move_report(mv, 0);
        }
        let moves = levels::candidates(game, position, MAX_MOVES, &mut self.rng);
        match moves.as_slice() {
            [] => return SearchReport::empty(),
            // There is no choice to make.
            [only] if game.count_moves(position) == 1 => return SearchReport::from_move(*only, 0),
            _ => {}
        }
        let runner = PlayoutRunner::new(game, position, &moves);
        // Each thread plays its share of the games with its own generator, so the result doesn't
        // depend on which one is faster.
        let threads = self.threads.max(1);
        let rngs: Vec<Xoshiro256PlusPlus> = (0..threads)
            .map(|_| Xoshiro256PlusPlus::from_rng(&mut self.rng))
            .collect();
        let games_for_thread = |thread: usize| {
            let all = budget.limits().nodes?;
            let (thread, threads) = (thread as u64, threads as u64);
            Some(all / threads + u64::from(thread < all % threads))
        };
        let play = |thread: usize, on_progress: &mut dyn FnMut(&[MoveStats])| {
            let mut rng = rngs[thread].clone();
            runner.run_playouts(budget, games_for_thread(thread), &mut rng, on_progress)
        };
        let others: Vec<OnceLock<Vec<MoveStats>>> =
            rngs[1..].iter().map(|_| OnceLock::new()).collect();
        let help = |helper: usize| {
            let _ = others[helper - 1].set(play(helper, &mut |_| {}));
        };
        let (mut stats, mut last_report) = (Vec::new(), Duration::ZERO);
        parallel::with_helpers(others.len(), &help, &mut || {
            stats = play(0, &mut |stats| {
                let now = budget.elapsed();
                if now - last_report >= REPORT_INTERVAL {
                    last_report = now;
                    on_report(&runner.report(stats));
                }
            });
        });
        for helper in others.iter().filter_map(OnceLock::get) {
            for (sum, move_stats) in stats.iter_mut().zip(helper) {
                sum.merge(move_stats);
            }
        }
        runner.report(&stats)
    }
}

/// Sums over the random games of one move. Each result is +1, 0 or −1, weighted by how soon it
/// came.
#[derive(Clone, Copy, Default, Debug)]
struct MoveStats {
    games: u64,
    weights: f64,
    squares: f64,
    weighted_results: f64,
    squared_weight_results: f64,
    squared_weighted_results: f64,
    /// Whether the move gives the opponent a free move.
    gives_free_move: bool,
}

impl MoveStats {
    /// Adds a result after this many plies. At half the distance a result counts four times as
    /// much: otherwise a threat that random play usually overlooks would be lost among distant
    /// results.
    fn add_result(&mut self, result: f64, plies: u32) {
        let weight = f64::from(plies).powi(-2);
        self.games += 1;
        self.weights += weight;
        self.squares += weight * weight;
        self.weighted_results += weight * result;
        self.squared_weight_results += weight * weight * result;
        self.squared_weighted_results += weight * weight * result * result;
    }

    fn merge(&mut self, other: &MoveStats) {
        self.games += other.games;
        self.weights += other.weights;
        self.squares += other.squares;
        self.weighted_results += other.weighted_results;
        self.squared_weight_results += other.squared_weight_results;
        self.squared_weighted_results += other.squared_weighted_results;
        self.gives_free_move |= other.gives_free_move;
    }

    /// The weighted mean of the results.
    fn mean(&self) -> f64 {
        self.weighted_results / self.weights
    }

    /// The standard error of the mean. While all results agree, as large as one deviating result
    /// would make it.
    fn error(&self) -> f64 {
        let mean = self.mean();
        let squared_error = self.squared_weighted_results
            - 2.0 * mean * self.squared_weight_results
            + mean * mean * self.squares;
        let min_error = 1.0 / self.games as f64;
        (squared_error.max(0.0).sqrt() / self.weights)
            .max(min_error)
            .min(1.0)
    }
}

/// Plays random games after each of the moves to compare.
struct PlayoutRunner<'a, G: SearchGame> {
    game: &'a G,
    position: &'a G::Position,
    moves: &'a [G::Move],
    me: Side,
    /// Random games are cut off at this length.
    max_plies: u32,
    /// Whether games are short enough to be played without checking the clock.
    is_short: bool,
}

impl<'a, G: SearchGame> PlayoutRunner<'a, G> {
    fn new(game: &'a G, position: &'a G::Position, moves: &'a [G::Move]) -> PlayoutRunner<'a, G> {
        let plies_left = game.max_plies_left(position);
        PlayoutRunner {
            game,
            position,
            moves,
            me: game.side(position),
            max_plies: plies_left.unwrap_or(MAX_REPEATING_PLIES).max(1),
            is_short: plies_left.is_some_and(|plies| plies <= PLIES_PER_CLOCK_CHECK),
        }
    }

    /// Plays games until the budget is spent or the maximum number is reached.
    fn run_playouts(
        &self,
        budget: &Budget,
        max_games: Option<u64>,
        rng: &mut Xoshiro256PlusPlus,
        on_progress: &mut dyn FnMut(&[MoveStats]),
    ) -> Vec<MoveStats> {
        let mut stats = vec![MoveStats::default(); self.moves.len()];
        let (mut games, mut plies) = (0, 0);
        loop {
            let active = FIRST_MOVES.max((games / GAMES_EACH) as usize);
            for (index, &mv) in self.moves.iter().enumerate().take(active) {
                if max_games.is_some_and(|max_games| games >= max_games) {
                    return stats;
                }
                let position = self.game.after(self.position, mv);
                let gives_free_move =
                    self.game.side(&position) != self.me && self.game.gives_free_choice(&position);
                let Some((outcome, length)) = self.playout_with_deadline(position, budget, rng)
                else {
                    return stats;
                };
                stats[index].gives_free_move = gives_free_move;
                let result = ExactValue::from_outcome(outcome, self.me).expected_result();
                stats[index].add_result(result, length);
                games += 1;
                plies += length;
                if plies >= PLIES_PER_CLOCK_CHECK {
                    plies = 0;
                    if budget.should_stop() {
                        return stats;
                    }
                    on_progress(&stats);
                }
            }
        }
    }

    /// Plays one random game from the position after the move; the move counts as a ply. `None` if
    /// time ran out.
    fn playout_with_deadline(
        &self,
        mut position: G::Position,
        budget: &Budget,
        rng: &mut Xoshiro256PlusPlus,
    ) -> Option<(Outcome, u32)> {
        let game = self.game;
        if self.is_short {
            let (outcome, plies) = game.playout(&mut position, rng);
            return Some((outcome, plies + 1));
        }
        let mut plies = 1;
        loop {
            if let Some(outcome) = game.outcome(&position) {
                return Some((outcome, plies));
            }
            let next = game.random_move(&position, rng);
            let Some(mv) = next.filter(|_| plies < self.max_plies) else {
                return Some((Outcome::Draw, plies));
            };
            game.apply(&mut position, mv);
            plies += 1;
            if plies.is_multiple_of(PLIES_PER_CLOCK_CHECK) && budget.should_stop() {
                return None;
            }
        }
    }

    fn report(&self, stats: &[MoveStats]) -> SearchReport<G::Move> {
        let mut moves: Vec<RankedMove<G::Move>> = self
            .moves
            .iter()
            .zip(stats)
            .filter(|(_, move_stats)| move_stats.games > 0)
            .map(|(&mv, move_stats)| {
                let cost = match move_stats.gives_free_move {
                    true => FREE_MOVE_COST,
                    false => 0.0,
                };
                let mean = (move_stats.mean() - cost).max(-1.0);
                let value = Value::estimate(mean, move_stats.error());
                RankedMove::new(mv, value, move_stats.games)
            })
            .collect();
        let result = |ranked: &RankedMove<G::Move>| ranked.value.expected_result();
        sort_by(&mut moves, |one, other| {
            result(other).total_cmp(&result(one))
        });
        let best = moves.first();
        let mv = best.map(|best| best.mv).or(self.moves.first().copied());
        SearchReport {
            best: mv,
            value: best.map_or(Value::UNKNOWN, |best| best.value),
            pv: mv.into_iter().collect(),
            nodes: stats.iter().map(|move_stats| move_stats.games).sum(),
            moves,
            ..SearchReport::empty()
        }
    }
}

#[cfg(test)]
mod tests {
    use noughts_rules::Mnk;

    use super::*;
    use crate::limits::{SearchLimits, StopFlag};

    /// No threads count as one; dividing the games among none used to panic.
    #[test]
    fn any_number_of_threads_plays_all_games() {
        let state = GameState::new(Mnk::<1>::classic());
        for threads in 0..4 {
            let mut bot = MonteCarlo {
                rng: Xoshiro256PlusPlus::seed_from_u64(1),
                threads,
            };
            let budget = Budget::start(SearchLimits::nodes(101), &StopFlag::new());
            let report = bot.think(&state, &budget, &mut |_| {});
            assert_eq!(report.nodes, 101, "{threads} threads");
        }
    }
}
