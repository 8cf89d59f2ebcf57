//! Perft and random games.

use noughts_engine::StopFlag;
use noughts_rules::{AnyGameState, Game, GameState, GameVisitor, Outcome, Side, perft_until};
use pyo3::prelude::*;
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use crate::background;
use crate::own_game::failure::catch;

/// Deeper counts don't finish in practice, except on tiny boards.
pub(crate) const MAX_PERFT_DEPTH: u64 = 64;

/// [`AnyGameState::perft`], interruptible.
pub(crate) fn perft(py: Python<'_>, state: &AnyGameState, depth: u32) -> PyResult<u64> {
    if catch(|| state.outcome())?.is_some() {
        return Ok(u64::from(depth == 0));
    }
    let stop = StopFlag::new();
    let counter = LeafCounter { depth, stop: &stop };
    let counted =
        background::run_interruptible(py, state.variant(), &stop, || state.visit(counter))?;
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
    background::run_interruptible(py, state.variant(), &stop, || {
        let moves = state.legal_moves().into_iter();
        let moves = moves.take_while(|_| !stop.is_stopped());
        let counts = moves.filter_map(|mv| {
            let mut next = state.clone();
            next.play(&mv).ok()?;
            let leaves = next.visit(LeafCounter { depth, stop: &stop })?;
            Some((mv, leaves))
        });
        counts.collect()
    })
}

/// Counts the games from a position. Like perft, it ignores the history, and so draws by repetition.
struct LeafCounter<'a> {
    depth: u32,
    stop: &'a StopFlag,
}

impl GameVisitor for LeafCounter<'_> {
    type Output = Option<u64>;

    fn visit<G: Game>(self, state: &GameState<G>) -> Option<u64> {
        let is_stopped = || self.stop.is_stopped();
        perft_until(state.game(), state.position(), self.depth, &is_stopped)
    }
}

/// Counts of moves and of game results.
#[derive(Clone, Copy, Default)]
pub(crate) struct Tally {
    pub(crate) moves: u64,
    pub(crate) x: u64,
    pub(crate) o: u64,
    pub(crate) draws: u64,
}

impl Tally {
    #[inline]
    pub(crate) fn add(&mut self, outcome: Outcome, games: u64) {
        match outcome {
            Outcome::Win(Side::X) => self.x += games,
            Outcome::Win(Side::O) => self.o += games,
            Outcome::Draw => self.draws += games,
        }
    }

    pub(crate) fn merge(self, other: Tally) -> Tally {
        Tally {
            moves: self.moves + other.moves,
            x: self.x + other.x,
            o: self.o + other.o,
            draws: self.draws + other.draws,
        }
    }
}

/// This many games share a random generator, so that the number of threads doesn't change the games.
const BATCH_SIZE: u64 = 64;

/// The difference between the seeds of consecutive batches: an odd number without a pattern.
const SEED_STEP: u64 = 0xd134_2543_de82_ef95;

/// Plays random games from this position; returns a `noughts.Playouts`.
pub(crate) fn playouts<'py>(
    py: Python<'py>,
    state: &AnyGameState,
    games: u64,
    seed: u64,
    threads: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let mut total = Tally::default();
    if let Some(outcome) = catch(|| state.outcome())? {
        total.add(outcome, games);
    } else {
        let stop = StopFlag::new();
        total = background::run_interruptible(py, state.variant(), &stop, || {
            state.visit(PlayoutVisitor {
                games,
                seed,
                threads,
                stop: &stop,
            })
        })?;
    }
    let Tally { moves, x, o, draws } = total;
    let class = py.import("noughts._reports")?.getattr("Playouts")?;
    class.call1((x, o, draws, moves))
}

struct PlayoutVisitor<'a> {
    games: u64,
    seed: u64,
    threads: usize,
    stop: &'a StopFlag,
}

impl GameVisitor for PlayoutVisitor<'_> {
    type Output = Tally;

    fn visit<G: Game>(self, state: &GameState<G>) -> Tally {
        let (game, start) = (state.game(), state.position());
        let batches = self.games.div_ceil(BATCH_SIZE);
        let run_batch = |mut tally: Tally, batch: u64| {
            let seed = self.seed.wrapping_add(batch.wrapping_mul(SEED_STEP));
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            for _ in 0..BATCH_SIZE.min(self.games - batch * BATCH_SIZE) {
                if self.stop.is_stopped() {
                    break;
                }
                let (outcome, plies) = game.playout(&mut start.clone(), &mut rng);
                tally.add(outcome, 1);
                tally.moves += u64::from(plies);
            }
            tally
        };
        let threads = batches.min(self.threads as u64) as usize;
        let new_pool = || ThreadPoolBuilder::new().num_threads(threads).build();
        match (threads > 1).then(new_pool) {
            Some(Ok(pool)) => pool.install(|| {
                let tallies = (0..batches).into_par_iter();
                let tallies = tallies.take_any_while(|_| !self.stop.is_stopped());
                tallies
                    .fold(Tally::default, run_batch)
                    .reduce(Tally::default, Tally::merge)
            }),
            // One thread is enough, or the system can't start more.
            _ => (0..batches)
                .take_while(|_| !self.stop.is_stopped())
                .fold(Tally::default(), run_batch),
        }
    }
}
