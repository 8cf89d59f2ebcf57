//! `noughts.Vector`: steps thousands of games at once for reinforcement learning. Actions go in as one
//! array, and observations, masks and rewards of all games come out as others, without a loop in Python.

mod actions;
mod arrays;
mod games;
mod opponents;
mod pickling;
mod threads;

use std::cmp::Ordering;
use std::sync::{Mutex, MutexGuard, TryLockError};

use noughts_engine::{BotKind, SearchLimits, StopFlag, catch_panic};
use noughts_rules::{AnyGameState, Variant};
use numpy::{PyArray1, PyArrayMethods, dtype};
use pyo3::exceptions::{PyIndexError, PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyType};

use crate::bot::is_quick;
use crate::errors::{BotError, IllegalMove, NoughtsError, PositionError, Raise};
use crate::game::Game;
use crate::own_game;
use crate::own_game::failure::{catch, watch};
use crate::position::Position;
use crate::search_args::{MAX_MEMORY, SearchOptions};
use crate::{background, game_args, search_args};
use arrays::{Arrays, out_of_memory_error};
pub(crate) use games::action_range_message;
use games::{BatchConfig, GameSize, VectorGames};
use opponents::{LearnerSide, Opponents};
use pickling::PickledState;

/// Many games of the same kind, played in parallel: `step` makes a move in each of them.
///
/// After a step, the arrays show the current state of all games. `observations`, `action_masks`
/// and `players` describe the next turn: what the player sees, which actions are legal, and who
/// the player is (0 for X, 1 for O). `rewards` (a column each for X and O: 1, −1 or 0) and `ends`
/// are the results of the last move. Where `ends` is true, that game is over and the next one
/// has already started, so the other arrays describe the new game. For the end of the old one,
/// see `rewards`, `final_observations` and `final_positions`. `actions` are the last actions.
///
/// Each step overwrites the arrays, so copy what you want to keep. Writing to them doesn't
/// change the games.
///
/// A game's random numbers depend only on the seed and its index in the vector. The same seed
/// gives the same games with any number of games and threads. `threads` defaults to the number
/// of cores, or fewer if there are too few games.
///
/// With `opponent`, the name of a bot (or a list with a name for each game), a learner plays
/// against bots: each step makes the learner's move and the bot's reply, so it is always the
/// learner's turn. `side` is the learner's side: `'x'`, `'o'` or `'random'` (chosen for each
/// game). `limits` are the bots' search limits for each move, such as `{"nodes": 100}`; bots that
/// search need them.
///
/// `observe=False` and `mask=False` leave out those arrays, which is faster. A vector uses at
/// most `memory` MiB. It can be pickled: the copy continues with the same games and the same
/// random numbers.
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
/// >>> vector = noughts.Vector("ultimate", 3, opponent="easy", side="o")
/// >>> [position.text.count("x") for position in vector.positions()], vector.players
/// ([1, 1, 1], array([1, 1, 1], dtype=int8))
#[pyclass(frozen, module = "noughts")]
pub(crate) struct Vector {
    variant: Variant,
    count: usize,
    /// The observation shape of one game.
    shape: Vec<usize>,
    action_count: usize,
    has_observations: bool,
    has_masks: bool,
    arrays: Arrays,
    /// In MiB.
    memory: u64,
    /// The argument as passed, for pickling.
    threads: Option<u64>,
    opponents: Option<Opponents>,
    state: Mutex<VectorState>,
}

/// The constructor's arguments, and the state since.
type PickledVector<'py> = (Bound<'py, PyDict>, PickledState<'py>);

struct VectorState {
    games: Box<dyn VectorGames>,
    /// A buffer for the actions passed to `step`.
    actions: Vec<i64>,
}

/// In MiB.
const DEFAULT_MEMORY: u64 = 4096;

/// Signals are checked after this many moves.
const MOVES_BETWEEN_CHECKS: usize = 1 << 20;

/// With fewer games per thread, waking the thread takes about as long as stepping its games.
const MIN_GAMES_PER_THREAD: usize = 512;

impl Vector {
    /// Locks the games; fails if another thread is using them.
    fn lock(&self) -> PyResult<MutexGuard<'_, VectorState>> {
        match self.state.try_lock() {
            Ok(state) => Ok(state),
            Err(TryLockError::Poisoned(state)) => Ok(state.into_inner()),
            Err(TryLockError::WouldBlock) => Err(PyRuntimeError::new_err(
                "this vector is already in use; create one vector for each thread",
            )),
        }
    }

    /// May a step take long enough that it has to be interruptible?
    fn is_slow(&self) -> bool {
        self.opponents.as_ref().is_some_and(|opponents| {
            !opponents.are_quick() || self.count > MIN_GAMES_PER_THREAD && !opponents.are_random()
        })
    }

    /// Runs `work`, which uses the games, with the GIL released. On Ctrl-C, opponents that are
    /// searching make whatever moves they have, so that the step ends soon.
    fn run<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&StopFlag) -> T + Send,
    ) -> PyResult<T> {
        let stop = StopFlag::new();
        if self.is_slow() {
            return background::run_interruptible(py, self.variant, &stop, || work(&stop));
        }
        watch(py, self.variant, |_| {
            let done = py.detach(|| catch_panic(|| work(&stop)));
            done.map_err(PyRuntimeError::new_err)
        })
    }

    fn parse_index(&self, index: &Bound<'_, PyAny>) -> PyResult<usize> {
        actions::parse_index(index, self.count)?.ok_or_else(|| {
            PyIndexError::new_err(format!(
                "game {index} is out of range; the games are 0 to {last}",
                last = self.count - 1
            ))
        })
    }

    /// Continues the games of a pickled vector.
    fn restore(&self, py: Python<'_>, state: PickledState<'_>) -> PyResult<()> {
        let mut own = self.lock()?;
        let games = &mut *own.games;
        catch(|| pickling::restore(py, self.count, games, &self.arrays, state))?
    }
}

#[pymethods]
impl Vector {
    #[new]
    #[pyo3(
        signature = (
            game, n, *, seed = None, observe = true, mask = true, memory = None, threads = None,
            opponent = None, side = "x", limits = None
        ),
        text_signature = "(game, n, *, seed=0, observe=True, mask=True, memory=4096, \
                          threads=None, opponent=None, side='x', limits=None)",
    )]
    #[expect(clippy::too_many_arguments, reason = "all but two are options")]
    fn new(
        py: Python<'_>,
        game: &Bound<'_, PyAny>,
        n: &Bound<'_, PyAny>,
        seed: Option<&Bound<'_, PyAny>>,
        observe: bool,
        mask: bool,
        memory: Option<&Bound<'_, PyAny>>,
        threads: Option<&Bound<'_, PyAny>>,
        opponent: Option<&Bound<'_, PyAny>>,
        side: &str,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Vector> {
        let variant = game_args::parse_variant(game)?;
        let count =
            search_args::parse_integer("n (the number of games)", n, 1, u64::from(u32::MAX))?;
        let seed = seed.map_or(Ok(0), search_args::parse_seed)?;
        let memory = memory.map_or(Ok(DEFAULT_MEMORY), |memory| {
            search_args::parse_integer("memory (in MiB)", memory, 1, MAX_MEMORY)
        })?;
        let threads = threads.map(search_args::parse_threads).transpose()?;
        own_game::require_actions(variant)?;
        if observe {
            own_game::require_observations(variant)?;
        }
        let opponents = catch(|| parse_opponents(py, variant, count, opponent, side, limits))??;

        let start = catch(|| AnyGameState::new(variant))?;
        let shape = catch(|| start.observation_shape())?;
        let planes = if observe { shape.iter().product() } else { 0 };
        let action_count = catch(|| start.count_actions())?;
        let mask_len = if mask { action_count } else { 0 };
        let bytes_per_game = planes + mask_len + ROW_BYTES + catch(|| start.visit(GameSize))?;
        let max_count = (memory << 20) / bytes_per_game as u64;
        if count > max_count {
            let needed = (count * bytes_per_game as u64).div_ceil(1 << 20);
            return Err(NoughtsError::new_err(format!(
                "{count} games of {variant} need {needed} MiB; memory={memory} is enough for at most \
                 {max_count} games; increase memory (up to {MAX_MEMORY} MiB), or use observe=False \
                 or mask=False to save memory"
            )));
        }
        let count = count as usize;
        let arrays = Arrays::new(py, count, planes, mask_len)?;
        let useful_threads = match &opponents {
            Some(_) => count,
            None => count / MIN_GAMES_PER_THREAD,
        };
        let config = BatchConfig {
            count,
            seed,
            threads: threads.unwrap_or_else(|| background::core_count().min(useful_threads)),
            opponents: opponents.clone(),
        };
        let games = catch(|| start.visit(config))?.map_err(out_of_memory_error)?;
        let vector = Vector {
            variant,
            count,
            shape,
            action_count,
            has_observations: observe,
            has_masks: mask,
            arrays,
            memory,
            threads: threads.map(|threads| threads as u64),
            opponents,
            state: Mutex::new(VectorState {
                games,
                actions: Vec::new(),
            }),
        };
        vector.reset(py, None)?;
        Ok(vector)
    }

    /// Makes a move in every game. `actions` is an array or list with one action for each game.
    ///
    /// If an action is illegal, no game changes, and the error names the game.
    ///
    /// >>> vector = noughts.Vector("classic", 2)
    /// >>> vector.step([4, 0])
    /// >>> vector.step([4, 1])
    /// Traceback (most recent call last):
    /// ...
    /// noughts.IllegalMove: game 0: action 4 (b2) is illegal: b2 is taken
    fn step(&self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut state = self.lock()?;
        let state = &mut *state;
        let known = (self.variant, self.action_count);
        actions::copy_actions(actions, self.count, known, &mut state.actions)?;
        let done = self.arrays.write(py, |out| {
            self.run(py, |stop| state.games.step(&state.actions, out, stop))
        })?;
        done.map_err(|illegal| format!("game {}: {}", illegal.index, illegal.reason))
            .raise::<IllegalMove>()
    }

    /// Makes `steps` random legal moves in every game. The arrays show the last one.
    ///
    /// >>> vector = noughts.Vector("ultimate", 1000, mask=False)
    /// >>> vector.step_random(30)
    /// >>> vector.moves
    /// 30000
    #[pyo3(signature = (steps = None), text_signature = "($self, steps=1)")]
    fn step_random(&self, py: Python<'_>, steps: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let most = i64::MAX as u64;
        let steps = steps.map_or(Ok(1), |steps| {
            search_args::parse_integer("steps", steps, 1, most)
        })?;
        let mut state = self.lock()?;
        let games = &mut *state.games;
        let steps_per_check = match self.is_slow() {
            true => 1,
            false => (MOVES_BETWEEN_CHECKS / self.count).max(1) as u64,
        };
        let mut remaining = steps;
        loop {
            let count = remaining.min(steps_per_check);
            self.arrays.write(py, |out| {
                self.run(py, |stop| games.step_random(count, out, stop))
            })?;
            remaining -= count;
            if remaining == 0 {
                return Ok(());
            }
            py.check_signals()?;
        }
    }

    /// Picks a random legal action for every game without making the moves:
    /// `step(random_actions())` is the same as `step_random()`.
    fn random_actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let mut state = self.lock()?;
        let games = &mut *state.games;
        let mut actions = vec![0; self.count];
        self.run(py, |_| games.random_actions(&mut actions))?;
        Ok(PyArray1::from_vec(py, actions))
    }

    /// Restarts all games. With a seed, the vector behaves like a new one; without a seed, the
    /// random numbers continue.
    #[pyo3(signature = (seed = None))]
    fn reset(&self, py: Python<'_>, seed: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let seed = seed.map(search_args::parse_seed).transpose()?;
        let mut state = self.lock()?;
        let games = &mut *state.games;
        self.arrays.write(py, |mut out| {
            self.run(py, |stop| {
                games.reset(seed, stop);
                games.write_outputs(&mut out);
            })
        })
    }

    /// Replaces one game with a position, which must not be over. When that game ends, the next
    /// one starts from the beginning. With opponents, the learner plays the side to move in this
    /// game.
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
        let (index, game_state) = (self.parse_index(index)?, position.state());
        if !own_game::is_same(game_state.variant(), self.variant) {
            return Err(PositionError::new_err(format!(
                "this is a vector of {own} games, but the position is from {other}",
                own = self.variant,
                other = game_state.variant()
            )));
        }
        if catch(|| game_state.outcome())?.is_some() {
            return Err(PositionError::new_err(format!(
                "the game is over ({prompt}); use a position of a game in progress",
                prompt = noughts_text::prompt(game_state)
            )));
        }
        let mut state = self.lock()?;
        let games = &mut *state.games;
        self.arrays.write(py, |mut out| {
            self.run(py, |_| {
                games.set_state(index, game_state);
                games.write_game_outputs(index, &mut out);
            })
        })
    }

    /// Returns the position of one game, without its moves. Where positions can occur again, it
    /// includes them, because of draws by repetition.
    ///
    /// >>> vector = noughts.Vector("classic", 3)
    /// >>> vector.step([4, 0, 8])
    /// >>> vector[1]
    /// noughts.Position('classic', 'x../.../... o')
    fn __getitem__(&self, index: &Bound<'_, PyAny>) -> PyResult<Position> {
        let index = self.parse_index(index)?;
        let state = self.lock()?;
        catch(|| state.games.state(index)).map(Position::from_state)
    }

    /// Returns the positions of all games.
    fn positions(&self) -> PyResult<Vec<Position>> {
        let state = self.lock()?;
        let states = (0..self.count).map(|index| state.games.state(index));
        catch(|| states.map(Position::from_state).collect())
    }

    /// Returns the final positions of the games that ended with the last step, in the order of
    /// `numpy.flatnonzero(vector.ends)`, without their moves.
    ///
    /// >>> vector = noughts.Vector("classic", 2)
    /// >>> vector.set_position(1, noughts.Position("classic", "xx./oo./... x"))
    /// >>> vector.step([0, 2])
    /// >>> vector.final_positions()
    /// [noughts.Position('classic', 'xxx/oo./... o')]
    fn final_positions(&self) -> PyResult<Vec<Position>> {
        let state = self.lock()?;
        let finals = catch(|| state.games.final_states())?;
        Ok(finals.into_iter().map(Position::from_state).collect())
    }

    /// Returns the final observations of the games that ended with the last step, in the order
    /// of `numpy.flatnonzero(vector.ends)`, and the side whose point of view each one has: the
    /// side that would move next (0 for X, 1 for O).
    ///
    /// >>> vector = noughts.Vector("classic", 2)
    /// >>> vector.set_position(1, noughts.Position("classic", "xx./oo./... x"))
    /// >>> vector.step([0, 2])
    /// >>> observations, players = vector.final_observations()
    /// >>> observations.tolist(), players
    /// ([[[[0, 0, 0], [1, 1, 0], [0, 0, 0]], [[1, 1, 1], [0, 0, 0], [0, 0, 0]]]], array([1], dtype=int8))
    fn final_observations<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyArray1<i8>>)> {
        let state = self.lock()?;
        let (players, planes) = catch(|| state.games.final_observations())?;
        let shape = [&[players.len()], &*self.shape].concat();
        let planes = PyArray1::from_vec(py, planes).reshape(shape)?;
        Ok((planes.into_any(), PyArray1::from_vec(py, players)))
    }

    fn __len__(&self) -> usize {
        self.count
    }

    /// The game.
    #[getter]
    fn game<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Game::of_variant(py, self.variant)
    }

    /// The observation of every game for its side to move, as zeros and ones. The shape is `(n,)`
    /// followed by `game.observation_shape`. See `Position.observation`.
    #[getter]
    fn observations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if !self.has_observations {
            return Err(NoughtsError::new_err(
                "this vector has no observations, because it was created with observe=False",
            ));
        }
        let shape = [&[self.count], &*self.shape].concat();
        self.arrays.planes.view(py, &shape)
    }

    /// The legal actions of every game: shape `(n, game.actions)`, 1 for legal actions.
    #[getter]
    fn action_masks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if !self.has_masks {
            return Err(NoughtsError::new_err(
                "this vector has no action masks, because it was created with mask=False",
            ));
        }
        let shape = [self.count, self.action_count];
        self.arrays.masks.view(py, &shape)
    }

    /// The rewards of the last move for X and O: shape `(n, 2)`, 1 for a win, −1 for a loss, 0
    /// for a draw or a game in progress.
    #[getter]
    fn rewards<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.arrays.rewards.view(py, &[self.count, 2])
    }

    /// Which games ended with the last move: shape `(n,)`.
    #[getter]
    fn ends<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let ends = self.arrays.ends.view(py, &[self.count])?;
        ends.call_method1("view", (dtype::<bool>(py),))
    }

    /// The side to move in every game: shape `(n,)`, 0 for X and 1 for O.
    #[getter]
    fn players<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.arrays.players.view(py, &[self.count])
    }

    /// The last action in every game: shape `(n,)`, −1 if there isn't one.
    #[getter]
    fn actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.arrays.actions.view(py, &[self.count])
    }

    /// The total number of moves since the vector was created or reset, including the opponents'
    /// moves.
    #[getter]
    fn moves(&self) -> PyResult<u64> {
        Ok(self.lock()?.games.tally().moves)
    }

    /// The number of games won by each side, and of draws, since the vector was created or reset.
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

    /// Pickles the games, their random generators and the outputs of the last step.
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, PickledVector<'py>)> {
        let options = PyDict::new(py);
        options.set_item("game", own_game::pickled_game(py, self.variant))?;
        options.set_item("n", self.count)?;
        options.set_item("observe", self.has_observations)?;
        options.set_item("mask", self.has_masks)?;
        options.set_item("memory", self.memory)?;
        options.set_item("threads", self.threads)?;
        if let Some(opponents) = &self.opponents {
            let names = || opponents.kinds.iter().map(|kind| kind.name());
            match opponents.kinds.len() == self.count {
                true => options.set_item("opponent", names().collect::<Vec<_>>())?,
                false => options.set_item("opponent", names().next())?,
            }
            options.set_item("side", opponents.side.name())?;
            let limits = PyDict::new(py);
            let SearchLimits { time, nodes, depth } = opponents.limits;
            limits.set_item("time", time.map(|time| time.as_secs_f64()))?;
            limits.set_item("nodes", nodes)?;
            limits.set_item("depth", depth)?;
            options.set_item("limits", limits)?;
        }
        let restore = py.get_type::<Vector>().getattr("_restore")?;
        let state = self.lock()?;
        let state = pickling::save(py, &*state.games, &self.arrays)?;
        Ok((restore, (options, state)))
    }

    /// Restores a pickled vector.
    #[classmethod]
    #[allow(
        clippy::needless_pass_by_value,
        reason = "pyo3 extracts an owned value"
    )]
    fn _restore<'py>(
        class: &Bound<'py, PyType>,
        options: &Bound<'py, PyDict>,
        state: PickledState<'py>,
    ) -> PyResult<Bound<'py, Vector>> {
        let made = class.call((), Some(options)).map_err(|error| {
            match error.is_instance_of::<PyTypeError>(class.py()) {
                true => pickling::malformed_error(),
                false => error,
            }
        })?;
        let made = made.cast_into::<Vector>()?;
        made.get().restore(class.py(), state)?;
        Ok(made)
    }

    fn __repr__(&self) -> String {
        format!(
            "<noughts.Vector {variant}: {games}>",
            variant = self.variant,
            games = noughts_text::plural(self.count, "game")
        )
    }
}

/// Parses the arguments `opponent`, `side` and `limits`.
fn parse_opponents(
    py: Python<'_>,
    variant: Variant,
    count: u64,
    opponent: Option<&Bound<'_, PyAny>>,
    side: &str,
    limits: Option<&Bound<'_, PyDict>>,
) -> PyResult<Option<Opponents>> {
    let found = LearnerSide::NAMES.iter().find(|(name, _)| *name == side);
    let Some(&(_, side)) = found else {
        return Err(NoughtsError::new_err(format!(
            "side (of the learner) must be 'x', 'o' or 'random', not {side:?}"
        )));
    };
    let limits = search_args::parse_limits(limits)?;
    let Some(opponent) = opponent else {
        if side != LearnerSide::X || !limits.is_unlimited() {
            return Err(NoughtsError::new_err(
                "side and limits need an opponent; pass opponent=, such as 'easy'",
            ));
        }
        return Ok(None);
    };
    let kinds = parse_bots(opponent, variant, count)?;
    let needs_limits =
        |kind: &BotKind| !is_quick(*kind) && kind.limits_or_default(limits) != limits;
    if let Some(kind) = kinds.iter().find(|kind| needs_limits(kind)) {
        let time = kind.default_move_time().as_secs();
        return Err(NoughtsError::new_err(format!(
            "{kind} would search for {time} s for each move of every game; pass limits, such as \
             {{\"nodes\": 100}}"
        )));
    }
    let mut game_state = AnyGameState::new(variant);
    let first_action = game_state.legal_actions().first().copied();
    let first_move = first_action.and_then(|action| game_state.move_from_action(action));
    let ends =
        first_move.is_some_and(|mv| game_state.play(&mv).is_ok() && game_state.outcome().is_some());
    if side != LearnerSide::X && ends {
        return Err(NoughtsError::new_err(format!(
            "the first move ends a game of {variant}, so a learner that plays O would never \
             move; use side='x'"
        )));
    }
    Ok(Some(Opponents {
        kinds,
        limits,
        side,
        settings: SearchOptions::new(None, &[])?.settings(py, variant)?,
    }))
}

/// Parses a bot's name, or a list with one name for each game.
fn parse_bots(opponent: &Bound<'_, PyAny>, variant: Variant, count: u64) -> PyResult<Vec<BotKind>> {
    let parse = |name: &Bound<'_, PyAny>| {
        let Ok(name) = name.cast::<PyString>() else {
            return Err(PyTypeError::new_err(format!(
                "opponent must be the name of a bot, such as 'easy', or a list with a name for \
                 each game, not {value}",
                value = game_args::describe_type(name)
            )));
        };
        let kind: BotKind = name.to_cow()?.parse().raise::<BotError>()?;
        kind.check_supports(variant).raise::<BotError>()?;
        Ok(kind)
    };
    if opponent.is_instance_of::<PyString>() {
        return Ok(vec![parse(opponent)?]);
    }
    let Ok(names) = opponent.try_iter() else {
        return Ok(vec![parse(opponent)?]);
    };
    let kinds = names.take(count as usize + 1).map(|name| parse(&name?));
    let kinds: Vec<BotKind> = kinds.collect::<PyResult<_>>()?;
    let comparison = match (kinds.len() as u64).cmp(&count) {
        Ordering::Equal => return Ok(kinds),
        Ordering::Less => "fewer",
        Ordering::Greater => "more",
    };
    Err(NoughtsError::new_err(format!(
        "a list of opponents must have one for each of the {count} games; this one has {comparison}"
    )))
}

/// The bytes per game in the arrays that every vector has.
const ROW_BYTES: usize = 2 * size_of::<f32>() + 2 + 2 * size_of::<i64>();
