//! A player that is a Python object. `_python_bot.py` handles its exceptions, its time, its arguments and the
//! thread that it runs on: Python can end its own threads at shutdown, while one of ours that is
//! executing Python code at that moment would crash the process.

use std::sync::Arc;
use std::time::{Duration, Instant};

use noughts_arena::{
    MoveInfo, MoveRequest, MoveResponse, NewGame, Player, PlayerError, PlayerErrorKind,
};
use noughts_engine::{SearchLimits, StopFlag};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyDict, PyTuple};

use crate::errors::IllegalMove;
use crate::game_args;
use crate::position::Position;

pub(super) struct PythonPlayer {
    /// A `PythonBot` of `_python_bot.py`; its method `start_game` returns a player for one game.
    bot: Arc<Py<PyAny>>,
    /// Called for each move of the current game.
    player: Option<Py<PyAny>>,
    stop: StopFlag,
    /// How long it may take to start a game.
    patience: Duration,
}

impl PythonPlayer {
    pub(super) fn new(bot: &Arc<Py<PyAny>>, stop: &StopFlag, patience: Duration) -> PythonPlayer {
        PythonPlayer {
            bot: Arc::clone(bot),
            player: None,
            stop: stop.clone(),
            patience,
        }
    }
}

/// A value, or an error message instead.
type CallResult = (Py<PyAny>, Option<String>);

impl Player for PythonPlayer {
    fn start_game(&mut self, game: &NewGame) -> Result<(), PlayerError> {
        let started = Python::try_attach(|py| {
            let stop = self.stop.clone();
            let is_stopped =
                move |_: &Bound<'_, PyTuple>, _: Option<&Bound<'_, PyDict>>| stop.is_stopped();
            let is_stopped = PyCFunction::new_closure(py, None, None, is_stopped)?;
            let patience = self.patience.as_secs_f64();
            let arguments = (game.seed, is_stopped, patience);
            let started = self.bot.call_method1(py, "start_game", arguments)?;
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
            return Err(PlayerError::not_started());
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
    let SearchLimits { time, nodes, depth } = request.search_limits();
    let time = time.map(|time| time.as_secs_f64());
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
    // A bot that was interrupted for being late raises an exception: report the timeout instead.
    let failure = |message: String| match took > allowed {
        true => PlayerError::late(took, allowed),
        false => PlayerError::new(PlayerErrorKind::Crash, message),
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
        Err(error) => {
            let message = match error.is_instance_of::<PyTypeError>(py) {
                true => format!("it didn't return a move: {}", error.value(py)),
                false => error.to_string(),
            };
            return Err(PlayerError::new(PlayerErrorKind::ProtocolError, message));
        }
    };
    let info = MoveInfo {
        took,
        ..MoveInfo::default()
    };
    Ok(MoveResponse { mv, info })
}
