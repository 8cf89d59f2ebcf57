//! Thousands of games stepped at once, for programs that learn: moves go in as one array,
//! and what all the games show comes out as others, without a loop in Python.

mod actions;
mod arrays;
mod games;

use std::sync::{Mutex, MutexGuard, TryLockError};

use noughts_engine::caught;
use noughts_rules::{AnyPlay, Variant};
use numpy::PyArray1;
use pyo3::exceptions::{PyIndexError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{IllegalMove, NoughtsError, PositionError, Raise};
use crate::game::Game;
use crate::given::MOST_MEMORY;
use crate::position::Position;
use crate::{given, word};
use arrays::{Arrays, no_room};
use games::{Games, Outputs};

/// Many games of one kind, played at the same time: `step` makes a move in each of them.
///
/// After it the arrays show every game as it stands: `observations`, `action_masks` and
/// `players` say what the next to move sees, what is legal, and who it is (0 for X, 1 for
/// O); `rewards` (one column for X, one for O: 1, −1 or 0) and `ends` say what the move just
/// made has brought. Where `ends` is true the game is over and the next one has begun
/// already: that is the one which is shown. How it ended is in the rewards; what it looked
/// like then is not kept. `actions` are the moves just made.
///
/// The arrays are written anew by each step: copy what is to be kept. Writing into them
/// changes no game.
///
/// What is random in a game follows from the seed and the game's place in the vector, so
/// that the same seed gives the same games however many there are.
///
/// `observe=False` and `mask=False` leave those arrays out, which is faster. A vector takes
/// at most `memory` MiB.
///
/// >>> import noughts
/// >>> vector = noughts.Vector("classic", 4, seed=1)
/// >>> vector.step([4, 0, 0, 8])
/// >>> vector.players
/// array([1, 1, 1, 1], dtype=int8)
/// >>> vector.action_masks[0]
/// array([1, 1, 1, 1, 0, 1, 1, 1, 1], dtype=int8)
/// >>> vector.observations.shape
/// (4, 2, 3, 3)
/// >>> while not vector.ends.any():
/// ...     vector.step_random()
/// >>> bool((vector.rewards.sum(axis=1) == 0).all())
/// True
#[pyclass(frozen, module = "noughts")]
pub(crate) struct Vector {
    variant: Variant,
    count: usize,
    /// Of one game's planes.
    shape: Vec<usize>,
    actions: usize,
    observes: bool,
    masks: bool,
    arrays: Arrays,
    state: Mutex<State>,
}

struct State {
    games: Box<dyn Games>,
    /// The moves that were given last.
    given: Vec<i64>,
}

/// MiB.
const USUAL_MEMORY: u64 = 4096;

/// After so many moves somebody looks whether the person has lost patience.
const GLANCE: usize = 1 << 20;

impl Vector {
    /// The games, unless somebody is at work on them.
    fn lock(&self) -> PyResult<MutexGuard<'_, State>> {
        match self.state.try_lock() {
            Ok(state) => Ok(state),
            Err(TryLockError::Poisoned(state)) => Ok(state.into_inner()),
            Err(TryLockError::WouldBlock) => Err(PyRuntimeError::new_err(
                "this vector is being stepped already; give each thread one of its own",
            )),
        }
    }

    /// Does something with the games and the arrays, Python being free meanwhile.
    fn work<T: Send>(
        py: Python<'_>,
        games: &mut dyn Games,
        out: &mut Outputs<'_>,
        work: impl FnOnce(&mut dyn Games, &mut Outputs<'_>) -> T + Send,
    ) -> PyResult<T> {
        let done = py.detach(|| caught(|| work(games, out)));
        done.map_err(PyRuntimeError::new_err)
    }

    fn place(&self, index: &Bound<'_, PyAny>) -> PyResult<usize> {
        actions::place(index, self.count)?.ok_or_else(|| {
            PyIndexError::new_err(format!(
                "there is no game {index}: they are numbered from 0 to {}",
                self.count - 1
            ))
        })
    }

    fn shape_of_all(&self, one: &[usize]) -> Vec<usize> {
        [&[self.count], one].concat()
    }
}

#[pymethods]
impl Vector {
    #[new]
    #[pyo3(
        signature = (game, n, *, seed = None, observe = true, mask = true, memory = None),
        text_signature = "(game, n, *, seed=0, observe=True, mask=True, memory=4096)",
    )]
    fn new(
        py: Python<'_>,
        game: &Bound<'_, PyAny>,
        n: &Bound<'_, PyAny>,
        seed: Option<&Bound<'_, PyAny>>,
        observe: bool,
        mask: bool,
        memory: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vector> {
        let variant = word::variant(game)?;
        let count = given::whole("n, the number of games,", n, 1, u64::from(u32::MAX))?;
        let seed = seed.map_or(Ok(0), given::seed)?;
        let memory = memory.map_or(Ok(USUAL_MEMORY), |memory| {
            given::whole("memory (in MiB)", memory, 1, MOST_MEMORY)
        })?;

        let start = AnyPlay::new(variant);
        let shape = start.observation_shape();
        let planes = if observe { shape.iter().product() } else { 0 };
        let actions = start.count_actions();
        let masked = if mask { actions } else { 0 };
        let each = planes + masked + ROWS + games::size_of_game(&start);
        let fit = (memory << 20) / each as u64;
        if count > fit {
            let takes = (count * each as u64).div_ceil(1 << 20);
            return Err(NoughtsError::new_err(format!(
                "{count} games of {variant} take {takes} MiB; with memory={memory} at most \
                 {fit} are allowed (memory may be up to {MOST_MEMORY} MiB; observe=False and \
                 mask=False take less)"
            )));
        }
        let count = count as usize;
        let arrays = Arrays::new(py, count, planes, masked)?;
        let mut games = games::games(&start, count, seed).map_err(no_room)?;
        arrays.write(py, |out| {
            Vector::work(py, &mut *games, out, |games, out| games.show(out))
        })?;
        Ok(Vector {
            variant,
            count,
            shape,
            actions,
            observes: observe,
            masks: mask,
            arrays,
            state: Mutex::new(State {
                games,
                given: Vec::new(),
            }),
        })
    }

    /// Makes a move in every game: an array (or a list) of their numbers, one for each game.
    ///
    /// If one of them is not legal nothing is done at all, and the error names the game.
    ///
    /// >>> vector = noughts.Vector("classic", 2)
    /// >>> vector.step([4, 0])
    /// >>> vector.step([4, 1])
    /// Traceback (most recent call last):
    /// ...
    /// noughts.IllegalMove: game 0: move number 4, b2, is not legal: b2 is taken
    fn step(&self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut state = self.lock()?;
        let State { games, given } = &mut *state;
        actions::copy(actions, self.count, given)?;
        let done = self.arrays.write(py, |out| {
            Vector::work(py, &mut **games, out, |games, out| games.step(given, out))
        })?;
        done.map_err(|refused| format!("game {}: {}", refused.index, refused.reason))
            .raise::<IllegalMove>()
    }

    /// Makes a random legal move in every game; or several, of which the arrays show the
    /// last.
    ///
    /// >>> vector = noughts.Vector("ultimate", 1000, mask=False)
    /// >>> vector.step_random(30)
    /// >>> vector.moves
    /// 30000
    #[pyo3(signature = (steps = None), text_signature = "($self, steps=1)")]
    fn step_random(&self, py: Python<'_>, steps: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let most = i64::MAX as u64;
        let steps = steps.map_or(Ok(1), |steps| given::whole("steps", steps, 1, most))?;
        let mut state = self.lock()?;
        let games = &mut *state.games;
        let at_once = (GLANCE / self.count).max(1) as u64;
        self.arrays.write(py, |out| {
            let mut left = steps;
            loop {
                let now = left.min(at_once);
                Vector::work(py, games, out, |games, out| {
                    for _ in 1..now {
                        games.step_random(&mut Outputs::none());
                    }
                    games.step_random(out);
                })?;
                left -= now;
                if left == 0 {
                    return Ok(());
                }
                py.check_signals()?;
            }
        })
    }

    /// A random legal move for every game, which is not made: `step(random_actions())` is
    /// `step_random()`.
    fn random_actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let mut state = self.lock()?;
        let games = &mut *state.games;
        let mut actions = vec![0; self.count];
        let (work, none) = (&mut actions, &mut Outputs::none());
        Vector::work(py, games, none, |games, _| games.random_actions(work))?;
        Ok(PyArray1::from_vec(py, actions))
    }

    /// Begins all games anew. With a seed everything is as in a new vector; without one,
    /// chance goes on from where it is.
    #[pyo3(signature = (seed = None))]
    fn reset(&self, py: Python<'_>, seed: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let seed = seed.map(given::seed);
        let seed = seed.transpose()?;
        let mut state = self.lock()?;
        let games = &mut *state.games;
        self.arrays.write(py, |out| {
            Vector::work(py, games, out, |games, out| {
                games.reset(seed);
                games.show(out);
            })
        })
    }

    /// Puts a position in the place of a game, which goes on from there; a game that is over
    /// cannot be put there. After its end the next one begins as usual.
    ///
    /// >>> vector = noughts.Vector("classic", 2)
    /// >>> vector.set_position(1, noughts.Position("classic", "xx./oo./... x"))
    /// >>> vector.step([0, 2])
    /// >>> vector.rewards.tolist()
    /// [[0.0, 0.0], [1.0, -1.0]]
    fn set_position(
        &self,
        py: Python<'_>,
        index: &Bound<'_, PyAny>,
        position: &Position,
    ) -> PyResult<()> {
        let (index, play) = (self.place(index)?, position.any());
        if play.variant() != self.variant {
            return Err(PositionError::new_err(format!(
                "this is a vector of {}, and the position is one of {}",
                self.variant,
                play.variant()
            )));
        }
        if play.outcome().is_some() {
            return Err(PositionError::new_err(format!(
                "the game is over ({}): only one that goes on has a place in a vector",
                play.prompt()
            )));
        }
        let mut state = self.lock()?;
        let games = &mut *state.games;
        self.arrays.write(py, |out| {
            Vector::work(py, games, out, |games, out| {
                games.set(index, play);
                games.show_one(index, out);
            })
        })
    }

    /// The position of one game. It has no moves behind it, except in Tic-Tac-Two, where
    /// they decide when the game is a draw.
    ///
    /// >>> vector = noughts.Vector("classic", 3)
    /// >>> vector.step([4, 0, 8])
    /// >>> vector[1]
    /// noughts.Position('classic', 'x../.../... o')
    fn __getitem__(&self, index: &Bound<'_, PyAny>) -> PyResult<Position> {
        let index = self.place(index)?;
        let play = self.lock()?.games.play(index);
        Ok(Position::of(play.raise::<PositionError>()?))
    }

    /// The positions of all games.
    fn positions(&self) -> PyResult<Vec<Position>> {
        let state = self.lock()?;
        let plays = (0..self.count).map(|index| state.games.play(index));
        plays
            .map(|play| Ok(Position::of(play.raise::<PositionError>()?)))
            .collect()
    }

    fn __len__(&self) -> usize {
        self.count
    }

    /// The game.
    #[getter]
    fn game(&self) -> Game {
        Game::of(self.variant)
    }

    /// What the side to move sees in every game, as zeros and ones: `(n,)` and then
    /// `game.observation_shape`. See `Position.observation`.
    #[getter]
    fn observations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if !self.observes {
            return Err(NoughtsError::new_err(
                "this vector was made with observe=False: it has no observations",
            ));
        }
        self.arrays.planes(py, &self.shape_of_all(&self.shape))
    }

    /// Which moves are legal in every game: `(n, game.actions)`, 1 for those that are.
    #[getter]
    fn action_masks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if !self.masks {
            return Err(NoughtsError::new_err(
                "this vector was made with mask=False: it has no masks",
            ));
        }
        self.arrays.masks(py, &self.shape_of_all(&[self.actions]))
    }

    /// What the last moves have brought X and O: `(n, 2)`, 1 for a win, −1 for a loss, 0 for
    /// a draw or while the game goes on.
    #[getter]
    fn rewards<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.arrays.rewards(py)
    }

    /// Which games ended with the last move: `(n,)`.
    #[getter]
    fn ends<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.arrays.ends(py)
    }

    /// Who moves next in every game: `(n,)`, 0 for X and 1 for O.
    #[getter]
    fn players<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.arrays.players(py)
    }

    /// The moves just made: `(n,)`; −1 where none was.
    #[getter]
    fn actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.arrays.actions(py)
    }

    /// How many moves were made in all since the beginning, or since `reset`.
    #[getter]
    fn moves(&self) -> PyResult<u64> {
        Ok(self.lock()?.games.tally().moves)
    }

    /// How many games were won by whom since the start or the last `reset`, and how many drawn.
    ///
    /// >>> vector = noughts.Vector("classic", 1000, seed=1)
    /// >>> vector.step_random(9)
    /// >>> sum(vector.results.values()) >= 1000
    /// True
    #[getter]
    fn results<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let tally = self.lock()?.games.tally();
        let results = PyDict::new(py);
        results.set_item("x", tally.x)?;
        results.set_item("o", tally.o)?;
        results.set_item("draw", tally.draws)?;
        Ok(results)
    }

    fn __repr__(&self) -> String {
        format!(
            "<noughts.Vector of {} games of {}>",
            self.count, self.variant
        )
    }
}

/// The bytes that one game takes in the arrays that are always there.
const ROWS: usize = 2 * size_of::<f32>() + 2 + 2 * size_of::<i64>();
