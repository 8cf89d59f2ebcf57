//! `monte-carlo`: random games from every move, no tree. A result counts the
//! more the sooner it comes, and leaving the opponent a free choice costs extra.

use std::time::Duration;

use noughts_rules::{GameState, Outcome, Side};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::levels::{self, SkillLevel};
use crate::bot::{Bot, BotSettings};
use crate::limits::Budget;
use crate::report::{RankedMove, SearchReport};
use crate::search_game::SearchGame;
use crate::value::Value;

/// The most moves that are compared. Boards with more are so large that not even
/// these are ever tried.
const MOST_MOVES: usize = 8192;

/// All of so many moves are tried in turns from the first game on. Where there
/// are more, others join once each has so many games: a mean of one says nothing.
const FIRST_MOVES: usize = 128;
const GAMES_EACH: u64 = 16;

/// What a free choice for the opponent costs.
const GIFT: f64 = 0.05;

/// Random games that can go round in circles are broken off after so many plies,
/// as draws.
const CIRCLES: u32 = 400;

/// The clock is read once in so many plies of random games.
const PLIES_BETWEEN_LOOKS: u32 = 1000;

/// How often the caller hears of it.
const REPORT_EVERY: Duration = Duration::from_millis(100);

/// Plays random games.
pub(crate) struct MonteCarlo {
    rng: Xoshiro256PlusPlus,
    threads: usize,
}

impl MonteCarlo {
    pub(crate) fn new(settings: &BotSettings) -> MonteCarlo {
        MonteCarlo {
            rng: levels::seeded_rng(settings),
            threads: settings.threads.max(1),
        }
    }
}

impl<G: SearchGame> Bot<G> for MonteCarlo {
    fn think(
        &mut self,
        play: &GameState<G>,
        budget: &Budget,
        watch: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> SearchReport<G::Move> {
        let (game, position) = (play.game(), play.position());
        if budget.should_stop() {
            return levels::random_move_report(play, &mut self.rng);
        }
        if let Some(mv) = game.find_win(position, SkillLevel::Experienced) {
            return levels::winning_move_report(mv, 0);
        }
        let moves = levels::candidates(game, position, MOST_MOVES, &mut self.rng);
        match moves.as_slice() {
            [] => return SearchReport::empty(),
            // There is nothing to choose.
            [only] if game.count_moves(position) == 1 => return SearchReport::from_move(*only, 0),
            _ => {}
        }
        let table = Table::new(game, position, &moves);
        // Each thread plays its share of the games with a generator of its own: what
        // comes out does not depend on which is faster.
        let mut generators: Vec<Xoshiro256PlusPlus> = (0..self.threads)
            .map(|_| Xoshiro256PlusPlus::from_rng(&mut self.rng))
            .collect();
        let share = |thread: usize| {
            let all = budget.limits().nodes?;
            let threads = self.threads as u64;
            Some(all / threads + u64::from((thread as u64) < all % threads))
        };
        let counts = std::thread::scope(|scope| {
            let table = &table;
            let others: Vec<_> = generators
                .drain(1..)
                .enumerate()
                .map(|(thread, mut rng)| {
                    let most = share(thread + 1);
                    scope.spawn(move || table.play_games(budget, most, &mut rng, &mut |_| {}))
                })
                .collect();
            let mut reported = Duration::ZERO;
            let mut counts = match generators.first_mut() {
                Some(rng) => table.play_games(budget, share(0), rng, &mut |counts| {
                    let now = budget.elapsed();
                    if now - reported >= REPORT_EVERY {
                        reported = now;
                        watch(&table.report(counts));
                    }
                }),
                None => vec![Count::default(); moves.len()],
            };
            for other in others {
                // A thread that died has nothing to add.
                for (sum, count) in counts.iter_mut().zip(&other.join().unwrap_or_default()) {
                    sum.add(count);
                }
            }
            counts
        });
        table.report(&counts)
    }
}

/// The random games of one move: sums over their results, each +1, 0 or −1 and
/// weighted by how soon it came.
#[derive(Clone, Copy, Default, Debug)]
struct Count {
    games: u64,
    weights: f64,
    squares: f64,
    points: f64,
    point_squares: f64,
    squared_points: f64,
    /// Does the move leave the opponent a free choice?
    gift: bool,
}

impl Count {
    /// A result after so many plies. Half as far off counts four times as much:
    /// a threat that random play mostly overlooks would else drown in results of
    /// the far future.
    fn note(&mut self, points: f64, plies: u32) {
        let weight = f64::from(plies).powi(-2);
        self.games += 1;
        self.weights += weight;
        self.squares += weight * weight;
        self.points += weight * points;
        self.point_squares += weight * weight * points;
        self.squared_points += weight * weight * points * points;
    }

    fn add(&mut self, other: &Count) {
        self.games += other.games;
        self.weights += other.weights;
        self.squares += other.squares;
        self.points += other.points;
        self.point_squares += other.point_squares;
        self.squared_points += other.squared_points;
        self.gift |= other.gift;
    }

    /// The weighted mean of the results.
    fn mean(&self) -> f64 {
        self.points / self.weights
    }

    /// One standard error of it. As long as all results agree, as large as one
    /// other result would make it.
    fn error(&self) -> f64 {
        let mean = self.mean();
        let off =
            self.squared_points - 2.0 * mean * self.point_squares + mean * mean * self.squares;
        let least = 1.0 / self.games as f64;
        (off.max(0.0).sqrt() / self.weights).max(least).min(1.0)
    }
}

/// The moves to compare.
struct Table<'a, G: SearchGame> {
    game: &'a G,
    position: &'a G::Position,
    moves: &'a [G::Move],
    me: Side,
    /// No random game is followed further.
    longest: u32,
    /// May games be played without a look at the clock?
    short: bool,
}

impl<'a, G: SearchGame> Table<'a, G> {
    fn new(game: &'a G, position: &'a G::Position, moves: &'a [G::Move]) -> Table<'a, G> {
        let bound = game.max_plies_left(position);
        Table {
            game,
            position,
            moves,
            me: game.side(position),
            longest: bound.unwrap_or(CIRCLES).max(1),
            short: bound.is_some_and(|plies| plies <= PLIES_BETWEEN_LOOKS),
        }
    }

    /// Plays games until the budget is spent, or so many were played.
    fn play_games(
        &self,
        budget: &Budget,
        most: Option<u64>,
        rng: &mut Xoshiro256PlusPlus,
        watch: &mut dyn FnMut(&[Count]),
    ) -> Vec<Count> {
        let mut counts = vec![Count::default(); self.moves.len()];
        let (mut games, mut plies) = (0, 0);
        loop {
            let joined = FIRST_MOVES.max((games / GAMES_EACH) as usize);
            for (turn, &mv) in self.moves.iter().enumerate().take(joined) {
                if most.is_some_and(|most| games >= most) {
                    return counts;
                }
                let mut position = self.position.clone();
                self.game.apply(&mut position, mv);
                let gift =
                    self.game.side(&position) != self.me && self.game.gives_free_choice(&position);
                let Some((outcome, length)) = self.play_out(position, budget, rng) else {
                    return counts;
                };
                counts[turn].gift = gift;
                counts[turn].note(self.points(outcome), length);
                games += 1;
                plies += length;
                if plies >= PLIES_BETWEEN_LOOKS {
                    plies = 0;
                    if budget.should_stop() {
                        return counts;
                    }
                    watch(&counts);
                }
            }
        }
    }

    /// One random game from after the move to its end; the move counts as a ply.
    /// None if time ran out.
    fn play_out(
        &self,
        mut position: G::Position,
        budget: &Budget,
        rng: &mut Xoshiro256PlusPlus,
    ) -> Option<(Outcome, u32)> {
        let game = self.game;
        if self.short {
            let (outcome, plies) = game.playout(&mut position, rng);
            return Some((outcome, plies + 1));
        }
        let mut plies = 1;
        loop {
            if let Some(outcome) = game.outcome(&position) {
                return Some((outcome, plies));
            }
            let next = game.random_move(&position, rng);
            let Some(mv) = next.filter(|_| plies < self.longest) else {
                return Some((Outcome::Draw, plies));
            };
            game.apply(&mut position, mv);
            plies += 1;
            if plies.is_multiple_of(PLIES_BETWEEN_LOOKS) && budget.should_stop() {
                return None;
            }
        }
    }

    fn points(&self, outcome: Outcome) -> f64 {
        match outcome.winner() {
            None => 0.0,
            Some(winner) if winner == self.me => 1.0,
            Some(_) => -1.0,
        }
    }

    fn report(&self, counts: &[Count]) -> SearchReport<G::Move> {
        let mut moves: Vec<RankedMove<G::Move>> = self
            .moves
            .iter()
            .zip(counts)
            .filter(|(_, count)| count.games > 0)
            .map(|(&mv, count)| RankedMove {
                mv,
                value: Value::Estimate {
                    mean: (count.mean() - if count.gift { GIFT } else { 0.0 }).max(-1.0),
                    error: count.error(),
                },
                nodes: count.games,
                pv: vec![mv],
            })
            .collect();
        moves.sort_by(|one, other| {
            other
                .value
                .expected_result()
                .total_cmp(&one.value.expected_result())
        });
        let best = moves.first();
        let mv = best.map(|best| best.mv).or(self.moves.first().copied());
        SearchReport {
            best: mv,
            value: best.map_or(Value::UNKNOWN, |best| best.value),
            pv: mv.into_iter().collect(),
            nodes: counts.iter().map(|count| count.games).sum(),
            moves,
            ..SearchReport::empty()
        }
    }
}
