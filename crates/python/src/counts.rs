//! Counting: games of a length, and games played at random.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use noughts_engine::StopFlag;
use noughts_rules::{AnyGameState, Game, GameState, Outcome, Side, Visitor, perft_until};
use pyo3::prelude::*;
use pyo3::types::PyType;
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::work;

/// No count to such a depth has ever come to an end, except on tiny boards.
pub(crate) const DEEPEST: u64 = 64;

/// [`AnyPlay::perft`] that can be stopped.
pub(crate) fn perft(py: Python<'_>, play: &AnyGameState, depth: u32) -> PyResult<u64> {
    let stop = StopFlag::new();
    let counted = work::aside(py, &stop, || count(play, depth, &stop))?;
    // Only an exception stops it, and that was raised above.
    Ok(counted.unwrap_or_default())
}

/// [`AnyPlay::divide`] that can be stopped.
pub(crate) fn divide(
    py: Python<'_>,
    play: &AnyGameState,
    depth: u32,
) -> PyResult<Vec<(String, u64)>> {
    let Some(rest) = depth.checked_sub(1) else {
        return Ok(Vec::new());
    };
    let stop = StopFlag::new();
    work::aside(py, &stop, || {
        let counts = play.legal_moves().into_iter().filter_map(|mv| {
            let leaves = play.visit(Below {
                mv: &mv,
                count: Count { rest, stop: &stop },
            })?;
            Some((mv, leaves))
        });
        counts.collect()
    })
}

fn count(play: &AnyGameState, depth: u32, stop: &StopFlag) -> Option<u64> {
    match play.outcome() {
        Some(_) => Some(u64::from(depth == 0)),
        None => play.visit(Count { rest: depth, stop }),
    }
}

struct Count<'a> {
    rest: u32,
    stop: &'a StopFlag,
}

impl Count<'_> {
    fn leaves<G: Game>(&self, game: &G, position: &G::Position) -> Option<u64> {
        perft_until(game, position, self.rest, &|| self.stop.is_stopped())
    }
}

impl Visitor for Count<'_> {
    type Output = Option<u64>;

    fn visit<G: Game>(self, play: &GameState<G>) -> Option<u64> {
        self.leaves(play.game(), play.position())
    }
}

/// The count below a legal move. As everywhere below the position given, only positions
/// count: no history.
struct Below<'a> {
    mv: &'a str,
    count: Count<'a>,
}

impl Visitor for Below<'_> {
    type Output = Option<u64>;

    fn visit<G: Game>(self, play: &GameState<G>) -> Option<u64> {
        if self.count.stop.is_stopped() {
            return None;
        }
        let game = play.game();
        let mv = game.parse_move(self.mv).ok()?;
        let mut next = play.position().clone();
        game.apply(&mut next, mv);
        self.count.leaves(game, &next)
    }
}

/// How games that were played at random ended.
///
/// >>> import noughts
/// >>> counts = noughts.Game("classic").start().playouts(1000)
/// >>> counts
/// noughts.Playouts(x=600, o=276, draws=124, plies=7624)
/// >>> counts.games, counts.mean_plies
/// (1000, 7.624)
#[pyclass(frozen, eq, hash, get_all, module = "noughts")]
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(crate) struct Playouts {
    /// Games that X won.
    x: u64,
    /// Games that O won.
    o: u64,
    /// Games that nobody won.
    draws: u64,
    /// The moves of all games.
    plies: u64,
}

/// What they are pickled as.
type Counted = (u64, u64, u64, u64);

#[pymethods]
impl Playouts {
    /// How many games there were.
    #[getter]
    fn games(&self) -> u64 {
        self.x + self.o + self.draws
    }

    /// How long a game was on average; 0 where there was none.
    #[getter]
    fn mean_plies(&self) -> f64 {
        self.plies as f64 / self.games().max(1) as f64
    }

    fn __repr__(&self) -> String {
        let Playouts { x, o, draws, plies } = self;
        format!("noughts.Playouts(x={x}, o={o}, draws={draws}, plies={plies})")
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Counted)> {
        let again = py.get_type::<Playouts>().getattr("_again")?;
        Ok((again, (self.x, self.o, self.draws, self.plies)))
    }

    /// What was pickled.
    #[classmethod]
    fn _again(_class: &Bound<'_, PyType>, x: u64, o: u64, draws: u64, plies: u64) -> Playouts {
        Playouts { x, o, draws, plies }
    }
}

impl Playouts {
    fn add(&mut self, outcome: Outcome, plies: u64, games: u64) {
        match outcome {
            Outcome::Win(Side::X) => self.x += games,
            Outcome::Win(Side::O) => self.o += games,
            Outcome::Draw => self.draws += games,
        }
        self.plies += plies;
    }

    fn join(&mut self, other: &Playouts) {
        self.x += other.x;
        self.o += other.o;
        self.draws += other.draws;
        self.plies += other.plies;
    }
}

/// So many games share a generator: whoever plays them, they are the same.
const BATCH: u64 = 64;

/// An odd number without a pattern; seeds of batches are this far apart.
const APART: u64 = 0xd134_2543_de82_ef95;

/// Plays games at random from here.
pub(crate) fn playouts(
    py: Python<'_>,
    play: &AnyGameState,
    games: u64,
    seed: u64,
    threads: usize,
) -> PyResult<Playouts> {
    if let Some(outcome) = play.outcome() {
        let mut all = Playouts::default();
        all.add(outcome, 0, games);
        return Ok(all);
    }
    let stop = StopFlag::new();
    work::aside(py, &stop, || {
        play.visit(Playing {
            games,
            seed,
            threads,
            stop: &stop,
        })
    })
}

struct Playing<'a> {
    games: u64,
    seed: u64,
    threads: usize,
    stop: &'a StopFlag,
}

impl Visitor for Playing<'_> {
    type Output = Playouts;

    fn visit<G: Game>(self, play: &GameState<G>) -> Playouts {
        let (game, start) = (play.game(), play.position());
        let batches = self.games.div_ceil(BATCH);
        let next = AtomicU64::new(0);
        let all = Mutex::new(Playouts::default());
        let take = || {
            let mut mine = Playouts::default();
            loop {
                let batch = next.fetch_add(1, Ordering::Relaxed);
                if batch >= batches || self.stop.is_stopped() {
                    break;
                }
                let seed = self.seed.wrapping_add(batch.wrapping_mul(APART));
                let mut generator = Xoshiro256PlusPlus::seed_from_u64(seed);
                for _ in 0..BATCH.min(self.games - batch * BATCH) {
                    if self.stop.is_stopped() {
                        break;
                    }
                    let (outcome, plies) = game.playout(&mut start.clone(), &mut generator);
                    mine.add(outcome, u64::from(plies), 1);
                }
            }
            let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
            all.join(&mine);
        };
        let helpers = batches.min(self.threads as u64);
        thread::scope(|scope| {
            for _ in 1..helpers {
                // Where the system has no thread left, those that there are do the work.
                if thread::Builder::new().spawn_scoped(scope, take).is_err() {
                    break;
                }
            }
            take();
        });
        all.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}
