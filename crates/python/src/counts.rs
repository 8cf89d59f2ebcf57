//! Perft, and `noughts.Playouts`: random games.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use noughts_engine::StopFlag;
use noughts_rules::{AnyGameState, Game, GameState, GameVisitor, Outcome, Side, perft_until};
use pyo3::prelude::*;
use pyo3::types::PyType;
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::background;

/// Deeper counts don't finish in practice, except on tiny boards.
pub(crate) const MAX_PERFT_DEPTH: u64 = 64;

/// [`AnyGameState::perft`], interruptible.
pub(crate) fn perft(py: Python<'_>, state: &AnyGameState, depth: u32) -> PyResult<u64> {
    let stop = StopFlag::new();
    let counted = background::run_interruptible(py, &stop, || count_leaves(state, depth, &stop))?;
    // Only an exception stops the count, and that was raised above.
    Ok(counted.unwrap_or_default())
}

/// [`AnyGameState::divide`], interruptible.
pub(crate) fn divide(
    py: Python<'_>,
    state: &AnyGameState,
    depth: u32,
) -> PyResult<Vec<(String, u64)>> {
    let Some(depth) = depth.checked_sub(1) else {
        return Ok(Vec::new());
    };
    let stop = StopFlag::new();
    background::run_interruptible(py, &stop, || {
        let counts = state.legal_moves().into_iter().filter_map(|mv| {
            let leaves = state.visit(DivideVisitor {
                mv: &mv,
                perft: PerftVisitor { depth, stop: &stop },
            })?;
            Some((mv, leaves))
        });
        counts.collect()
    })
}

fn count_leaves(state: &AnyGameState, depth: u32, stop: &StopFlag) -> Option<u64> {
    match state.outcome() {
        Some(_) => Some(u64::from(depth == 0)),
        None => state.visit(PerftVisitor { depth, stop }),
    }
}

struct PerftVisitor<'a> {
    depth: u32,
    stop: &'a StopFlag,
}

impl PerftVisitor<'_> {
    fn count<G: Game>(&self, game: &G, position: &G::Position) -> Option<u64> {
        perft_until(game, position, self.depth, &|| self.stop.is_stopped())
    }
}

impl GameVisitor for PerftVisitor<'_> {
    type Output = Option<u64>;

    fn visit<G: Game>(self, state: &GameState<G>) -> Option<u64> {
        self.count(state.game(), state.position())
    }
}

/// Counts the games after a legal move. Like perft, it ignores the history, and so draws by
/// repetition.
struct DivideVisitor<'a> {
    mv: &'a str,
    perft: PerftVisitor<'a>,
}

impl GameVisitor for DivideVisitor<'_> {
    type Output = Option<u64>;

    fn visit<G: Game>(self, state: &GameState<G>) -> Option<u64> {
        if self.perft.stop.is_stopped() {
            return None;
        }
        let game = state.game();
        let mv = game.parse_move(self.mv).ok()?;
        let mut next = state.position().clone();
        game.apply(&mut next, mv);
        self.perft.count(game, &next)
    }
}

/// The results of random games.
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
    /// Drawn games.
    draws: u64,
    /// The total number of moves in all games.
    plies: u64,
}

/// Wins of X, wins of O, draws, plies.
type PickledPlayouts = (u64, u64, u64, u64);

#[pymethods]
impl Playouts {
    /// The number of games.
    #[getter]
    fn games(&self) -> u64 {
        self.x + self.o + self.draws
    }

    /// The average number of moves in a game; 0 without games.
    #[getter]
    fn mean_plies(&self) -> f64 {
        self.plies as f64 / self.games().max(1) as f64
    }

    fn __repr__(&self) -> String {
        let Playouts { x, o, draws, plies } = self;
        format!("noughts.Playouts(x={x}, o={o}, draws={draws}, plies={plies})")
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, PickledPlayouts)> {
        let unpickle = py.get_type::<Playouts>().getattr("_again")?;
        Ok((unpickle, (self.x, self.o, self.draws, self.plies)))
    }

    /// Restores a pickled object.
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

    fn merge(&mut self, other: &Playouts) {
        self.x += other.x;
        self.o += other.o;
        self.draws += other.draws;
        self.plies += other.plies;
    }
}

/// This many games share a random generator, so that the number of threads doesn't change the games.
const BATCH_SIZE: u64 = 64;

/// The difference between the seeds of consecutive batches: an odd number without a pattern.
const SEED_STEP: u64 = 0xd134_2543_de82_ef95;

/// Plays random games from this position.
pub(crate) fn playouts(
    py: Python<'_>,
    state: &AnyGameState,
    games: u64,
    seed: u64,
    threads: usize,
) -> PyResult<Playouts> {
    if let Some(outcome) = state.outcome() {
        let mut total = Playouts::default();
        total.add(outcome, 0, games);
        return Ok(total);
    }
    let stop = StopFlag::new();
    background::run_interruptible(py, &stop, || {
        state.visit(PlayoutVisitor {
            games,
            seed,
            threads,
            stop: &stop,
        })
    })
}

struct PlayoutVisitor<'a> {
    games: u64,
    seed: u64,
    threads: usize,
    stop: &'a StopFlag,
}

impl GameVisitor for PlayoutVisitor<'_> {
    type Output = Playouts;

    fn visit<G: Game>(self, state: &GameState<G>) -> Playouts {
        let (game, start) = (state.game(), state.position());
        let batches = self.games.div_ceil(BATCH_SIZE);
        let next_batch = AtomicU64::new(0);
        let total = Mutex::new(Playouts::default());
        let run_batches = || {
            let mut own = Playouts::default();
            loop {
                let batch = next_batch.fetch_add(1, Ordering::Relaxed);
                if batch >= batches || self.stop.is_stopped() {
                    break;
                }
                let seed = self.seed.wrapping_add(batch.wrapping_mul(SEED_STEP));
                let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
                for _ in 0..BATCH_SIZE.min(self.games - batch * BATCH_SIZE) {
                    if self.stop.is_stopped() {
                        break;
                    }
                    let (outcome, plies) = game.playout(&mut start.clone(), &mut rng);
                    own.add(outcome, u64::from(plies), 1);
                }
            }
            let mut total = total.lock().unwrap_or_else(PoisonError::into_inner);
            total.merge(&own);
        };
        let threads = batches.min(self.threads as u64);
        thread::scope(|scope| {
            for _ in 1..threads {
                // If the system can't start another thread, those that run do all the work.
                if thread::Builder::new()
                    .spawn_scoped(scope, run_batches)
                    .is_err()
                {
                    break;
                }
            }
            run_batches();
        });
        total.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}
