//! A player that is a Python object. `arena.py` handles its exceptions, its time, its arguments and the
//! thread that it runs on: Python can end its own threads at shutdown, while one of ours that is
//! executing Python code at that moment would crash the process.

use std::sync::Arc;
use std::time::{Duration, Instant};

use noughts_arena::{
    MoveRequest, MoveResponse, NewGame, Player, PlayerError, PlayerErrorKind, TimeControl,
};
use noughts_engine::{Clock, StopFlag, expected_moves_left};
use noughts_rules::{AnyGameState, Side};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use super::duration_from_secs;
use crate::errors::IllegalMove;
use crate::game_args;
use crate::position::Position;

/// Time between the end of a search and the reading of the clock, subtracted from every limit, as for
/// the built-in bots.
const OVERHEAD: Duration = Duration::from_millis(2);

pub(super) struct PythonPlayer {
    /// A `_PythonBot` of `arena.py`; its method `start_game` returns a player for one game.
    bot: Arc<Py<PyAny>>,
    /// Called for each move of the current game.
    player: Option<Py<PyAny>>,
    stop: StopFlag,
}

impl PythonPlayer {
    pub(super) fn new(bot: &Arc<Py<PyAny>>, stop: &StopFlag) -> PythonPlayer {
        PythonPlayer {
            bot: Arc::clone(bot),
            player: None,
            stop: stop.clone(),
        }
    }
}

/// A value, or an error message instead.
type CallResult = (Py<PyAny>, Option<String>);

impl Player for PythonPlayer {
    fn start_game(&mut self, game: &NewGame) -> Result<(), PlayerError> {
        let started = Python::try_attach(|py| {
            let is_stopped = Stopped(self.stop.clone());
            let started = self
                .bot
                .call_method1(py, "start_game", (game.seed, is_stopped))?;
            started.extract::<CallResult>(py)
        });
        let failure = |message| Err(PlayerError::new(PlayerErrorKind::StartFailure, message));
        match started {
            None => failure(SHUTTING_DOWN.into()),
            Some(Err(error)) => failure(error.to_string()),
            Some(Ok((_, Some(message)))) => failure(message),
            Some(Ok((player, None))) => {
                self.player = Some(player);
                Ok(())
            }
        }
    }

    fn choose_move(&mut self, request: &MoveRequest<'_>) -> Result<MoveResponse, PlayerError> {
        let Some(player) = &self.player else {
            return Err(PlayerError::new(
                PlayerErrorKind::StartFailure,
                "no game was started",
            ));
        };
        let response = Python::try_attach(|py| request_move(py, player, request));
        response.unwrap_or_else(|| Err(PlayerError::new(PlayerErrorKind::Crash, SHUTTING_DOWN)))
    }

    fn end_game(&mut self) {
        // Drop the Python object only while attached to the interpreter.
        let player = self.player.take();
        let _ = Python::try_attach(|py| {
            if let Some(player) = player {
                // `close` only returns its thread to the pool.
                let _ = player.call_method0(py, "close");
            }
        });
    }
}

const SHUTTING_DOWN: &str = "Python is shutting down";

fn request_move(
    py: Python<'_>,
    player: &Py<PyAny>,
    request: &MoveRequest<'_>,
) -> Result<MoveResponse, PlayerError> {
    let allowed = request.time_allowed();
    let PythonLimits { time, nodes, depth } = PythonLimits::from_request(request);
    let clocks = request.clocks.map(|clocks| {
        clocks.map(|clock| (clock.remaining.as_secs_f64(), clock.increment.as_secs_f64()))
    });
    let clocks = clocks.map(|[x, o]| (x, o));
    let position = Position::from_state(request.state.clone());
    // Started once the GIL is held: waiting for other threads' Python code doesn't count.
    let started = Instant::now();
    let chosen = player
        .call1(
            py,
            (position, time, nodes, depth, clocks, allowed.as_secs_f64()),
        )
        .and_then(|chosen| chosen.extract::<CallResult>(py));
    let took = started.elapsed();
    let failure = |message: String| {
        // A bot that was interrupted for being late raises an exception: report the timeout instead.
        let is_late = took > allowed;
        let message = match is_late {
            true => format!(
                "its move took {took} ms; {allowed} ms were allowed",
                took = took.as_millis(),
                allowed = allowed.as_millis()
            ),
            false => message,
        };
        let kind = if is_late {
            PlayerErrorKind::Timeout
        } else {
            PlayerErrorKind::Crash
        };
        PlayerError::new(kind, message)
    };
    let mv = match chosen {
        Err(error) => return Err(failure(error.to_string())),
        Ok((_, Some(message))) => return Err(failure(message)),
        Ok((mv, None)) => mv.into_bound(py),
    };
    let mv = match game_args::parse_move(request.state, &mv) {
        Ok(text) => text,
        // The arena reports why it is illegal.
        Err(error) if error.is_instance_of::<IllegalMove>(py) => mv.to_string(),
        Err(error) if error.is_instance_of::<PyTypeError>(py) => {
            let message = format!("it didn't return a move: {}", error.value(py));
            return Err(PlayerError::new(PlayerErrorKind::ProtocolError, message));
        }
        Err(error) => {
            return Err(PlayerError::new(
                PlayerErrorKind::ProtocolError,
                error.to_string(),
            ));
        }
    };
    Ok(MoveResponse {
        mv,
        value: None,
        took,
        depth: None,
        nodes: None,
    })
}

/// The limits passed to a Python bot.
struct PythonLimits {
    time: Option<f64>,
    nodes: Option<u64>,
    depth: Option<u32>,
}

impl PythonLimits {
    fn from_request(request: &MoveRequest<'_>) -> PythonLimits {
        let mut limits = PythonLimits {
            time: None,
            nodes: None,
            depth: None,
        };
        match request.time_control {
            TimeControl::MoveTime(time) => {
                let time = time.saturating_sub(OVERHEAD.min(time / 10));
                limits.time = Some(time.as_secs_f64());
            }
            TimeControl::Clock { base, .. } => {
                let side = request.state.side();
                let time = request
                    .clocks
                    .map(|clocks| time_for_move(request.state, side, clocks));
                limits.time = Some(time.unwrap_or(base / 40).as_secs_f64());
            }
            TimeControl::Nodes(nodes) => limits.nodes = Some(nodes),
            TimeControl::Depth(depth) => limits.depth = Some(depth),
        }
        limits
    }
}

fn time_for_move(state: &AnyGameState, side: Side, clocks: [Clock; 2]) -> Duration {
    clocks[side as usize].time_for_move(expected_moves_left(state), OVERHEAD)
}

/// Returns whether the tournament is being stopped.
#[pyclass(frozen, module = "noughts")]
struct Stopped(StopFlag);

#[pymethods]
impl Stopped {
    fn __call__(&self) -> bool {
        self.0.is_stopped()
    }
}

/// Returns the time for one move, in seconds: a fair share of the time left on the clock.
#[pyfunction]
pub(super) fn arena_share(
    position: &Position,
    left: f64,
    increment: f64,
    moves_to_go: Option<u32>,
    overhead: f64,
) -> f64 {
    let clock = Clock {
        remaining: duration_from_secs(left),
        increment: duration_from_secs(increment),
        moves_to_go,
    };
    let time = clock.time_for_move(
        expected_moves_left(position.state()),
        duration_from_secs(overhead),
    );
    time.as_secs_f64()
}
