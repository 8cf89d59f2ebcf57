//! A player that is a Python object. What becomes of its exceptions, its time and its
//! arguments is decided in `arena.py`, and so is the thread on which it thinks: Python ends
//! its own threads when it leaves, while one of ours that is inside of it then would take
//! the whole program down.

use std::sync::Arc;
use std::time::{Duration, Instant};

use noughts_arena::{
    MoveRequest, MoveResponse, NewGame, Player, PlayerError, PlayerErrorKind, TimeControl,
};
use noughts_engine::{Clock, StopFlag, expected_moves_left};
use noughts_rules::{AnyGameState, Side};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use super::seconds;
use crate::errors::IllegalMove;
use crate::position::Position;
use crate::word;

/// What passes between the end of thinking and the clock, taken off every time: as with
/// the arena's own bots.
const OVERHEAD: Duration = Duration::from_millis(2);

pub(super) struct Guest {
    /// Has a method `begin`, which makes a player for one game.
    object: Arc<Py<PyAny>>,
    /// What is called for each move.
    player: Option<Py<PyAny>>,
    stop: StopFlag,
}

impl Guest {
    pub(super) fn new(object: &Arc<Py<PyAny>>, stop: &StopFlag) -> Guest {
        Guest {
            object: Arc::clone(object),
            player: None,
            stop: stop.clone(),
        }
    }
}

/// Something, or what went wrong instead.
type Tried = (Py<PyAny>, Option<String>);

impl Player for Guest {
    fn start_game(&mut self, game: &NewGame) -> Result<(), PlayerError> {
        let made = Python::try_attach(|py| {
            let stopped = Stopped(self.stop.clone());
            let made = self
                .object
                .call_method1(py, "begin", (game.seed, stopped))?;
            made.extract::<Tried>(py)
        });
        let fault = |message| Err(PlayerError::new(PlayerErrorKind::StartFailure, message));
        match made {
            None => fault(LEAVING.into()),
            Some(Err(error)) => fault(error.to_string()),
            Some(Ok((_, Some(message)))) => fault(message),
            Some(Ok((player, None))) => {
                self.player = Some(player);
                Ok(())
            }
        }
    }

    fn choose_move(&mut self, turn: &MoveRequest<'_>) -> Result<MoveResponse, PlayerError> {
        let Some(player) = &self.player else {
            return Err(PlayerError::new(
                PlayerErrorKind::StartFailure,
                "no game was begun",
            ));
        };
        let asked = Python::try_attach(|py| ask(py, player, turn));
        asked.unwrap_or_else(|| Err(PlayerError::new(PlayerErrorKind::Crash, LEAVING)))
    }

    fn end_game(&mut self) {
        // What it remembers goes while Python is there to see it off.
        let player = self.player.take();
        let _ = Python::try_attach(|py| {
            if let Some(player) = player {
                // It only gives its thread back.
                let _ = player.call_method0(py, "close");
            }
        });
    }
}

const LEAVING: &str = "Python is leaving";

fn ask(
    py: Python<'_>,
    player: &Py<PyAny>,
    turn: &MoveRequest<'_>,
) -> Result<MoveResponse, PlayerError> {
    let allowed = turn.time_allowed();
    let Limits { time, nodes, depth } = Limits::of(turn);
    let clocks = turn.clocks.map(|clocks| {
        clocks.map(|clock| (clock.remaining.as_secs_f64(), clock.increment.as_secs_f64()))
    });
    let clocks = clocks.map(|[x, o]| (x, o));
    let position = Position::of(turn.state.clone());
    // Others may be using Python: its turn is what is timed.
    let began = Instant::now();
    let chosen = player
        .call1(
            py,
            (position, time, nodes, depth, clocks, allowed.as_secs_f64()),
        )
        .and_then(|chosen| chosen.extract::<Tried>(py));
    let took = began.elapsed();
    let failed = |message: String| {
        // Whoever was too late may well have been interrupted for it.
        let late = took > allowed;
        let message = match late {
            true => format!(
                "its move took {} ms; {} ms were allowed",
                took.as_millis(),
                allowed.as_millis()
            ),
            false => message,
        };
        let mishap = if late {
            PlayerErrorKind::Timeout
        } else {
            PlayerErrorKind::Crash
        };
        PlayerError::new(mishap, message)
    };
    let mv = match chosen {
        Err(error) => return Err(failed(error.to_string())),
        Ok((_, Some(message))) => return Err(failed(message)),
        Ok((mv, None)) => mv.into_bound(py),
    };
    let mv = match word::mv(turn.state, &mv) {
        Ok(text) => text,
        // The rules will say why.
        Err(error) if error.is_instance_of::<IllegalMove>(py) => mv.to_string(),
        Err(error) if error.is_instance_of::<PyTypeError>(py) => {
            let message = format!("it gave no move: {}", error.value(py));
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

/// What it is told it may spend, in Python's numbers.
struct Limits {
    time: Option<f64>,
    nodes: Option<u64>,
    depth: Option<u32>,
}

impl Limits {
    fn of(turn: &MoveRequest<'_>) -> Limits {
        let mut limits = Limits {
            time: None,
            nodes: None,
            depth: None,
        };
        match turn.time_control {
            TimeControl::MoveTime(time) => {
                let time = time.saturating_sub(OVERHEAD.min(time / 10));
                limits.time = Some(time.as_secs_f64());
            }
            TimeControl::Clock { base, .. } => {
                let side = turn.state.side();
                let share = turn.clocks.map(|clocks| share(turn.state, side, clocks));
                limits.time = Some(share.unwrap_or(base / 40).as_secs_f64());
            }
            TimeControl::Nodes(nodes) => limits.nodes = Some(nodes),
            TimeControl::Depth(depth) => limits.depth = Some(depth),
        }
        limits
    }
}

fn share(play: &AnyGameState, side: Side, clocks: [Clock; 2]) -> Duration {
    clocks[side as usize].time_for_move(expected_moves_left(play), OVERHEAD)
}

/// Asks whether everything is to stop.
#[pyclass(frozen, module = "noughts")]
struct Stopped(StopFlag);

#[pymethods]
impl Stopped {
    fn __call__(&self) -> bool {
        self.0.is_stopped()
    }
}

/// How long to think about a move, in seconds: a fair share of what is left on a clock.
#[pyfunction]
pub(super) fn arena_share(
    position: &Position,
    left: f64,
    increment: f64,
    moves_to_go: Option<u32>,
    overhead: f64,
) -> f64 {
    let clock = Clock {
        remaining: seconds(left),
        increment: seconds(increment),
        moves_to_go,
    };
    let share = clock.time_for_move(expected_moves_left(position.any()), seconds(overhead));
    share.as_secs_f64()
}
