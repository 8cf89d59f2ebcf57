//! `noughts.arena.PlayedGame`.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use noughts_arena::{Plan, PlayedGame, report};
use noughts_engine::Value;
use noughts_rules::{Outcome, Side};
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};

use super::pickling::{self, PickledGame};
use crate::position::Position;

/// A plan and its played games, in the order of the plan.
#[derive(Debug)]
pub(super) struct PlannedGames {
    pub(super) plan: Plan,
    pub(super) games: Vec<PlayedGame>,
}

/// A game played in the arena: its players, its moves, and how it ended.
///
/// >>> import noughts
/// >>> game = noughts.arena.match("perfect", "random", games=2).games[0]
/// >>> game.x, game.o, game.result, game.reason
/// ('perfect', 'random', 'x', 'line')
/// >>> game
/// noughts.arena.PlayedGame('perfect', 'random', 'x', 'line')
#[pyclass(frozen, name = "PlayedGame", module = "noughts.arena")]
pub(crate) struct ArenaGame {
    games: Arc<PlannedGames>,
    index: usize,
}

impl ArenaGame {
    pub(super) fn new(games: &Arc<PlannedGames>, index: usize) -> ArenaGame {
        ArenaGame {
            games: Arc::clone(games),
            index,
        }
    }

    fn played(&self) -> &PlayedGame {
        // Every `ArenaGame` is created with a valid index.
        &self.games.games[self.index]
    }

    fn name(&self, side: Side) -> &str {
        let bot = self.played().key.bot(side) as usize;
        self.games.plan.bots.get(bot).map_or("?", |bot| &bot.name)
    }
}

/// A word if the value is proved, otherwise a number.
#[derive(IntoPyObject)]
pub(super) enum MoveValue {
    Exact(&'static str),
    Estimate(f64),
}

impl From<Value> for MoveValue {
    fn from(value: Value) -> MoveValue {
        match value {
            Value::Exact(exact) => MoveValue::Exact(exact.game_value().as_str()),
            Value::Estimate { mean, .. } => MoveValue::Estimate(mean),
        }
    }
}

#[pymethods]
impl ArenaGame {
    /// The name of the bot that played X.
    #[getter]
    fn x(&self) -> &str {
        self.name(Side::X)
    }

    /// The name of the bot that played O.
    #[getter]
    fn o(&self) -> &str {
        self.name(Side::O)
    }

    /// The round, starting at 1. Both games of a pair belong to the same round.
    #[getter]
    fn round(&self) -> u32 {
        self.played().key.round.saturating_add(1)
    }

    /// The result: `'x'`, `'o'` or `'draw'`.
    #[getter]
    fn result(&self) -> &'static str {
        self.played().outcome.as_str()
    }

    /// The name of the winner; `None` for a draw.
    #[getter]
    fn winner(&self) -> Option<&str> {
        match self.played().outcome {
            Outcome::Win(side) => Some(self.name(side)),
            Outcome::Draw => None,
        }
    }

    /// Why the game ended: `'line'`, `'no-move'`, `'repetition'`, …, or the loser's fault:
    /// `'time'`, `'illegal-move'`, `'crash'`, `'protocol'` or `'start'`.
    #[getter]
    fn reason(&self) -> &'static str {
        self.played().reason.name()
    }

    /// Whether the losing bot failed, for example by crashing or running out of time.
    #[getter]
    fn is_fault(&self) -> bool {
        self.played().reason.is_fault()
    }

    /// Details about the reason; `None` if there aren't any.
    #[getter]
    fn note(&self) -> Option<&str> {
        self.played().note.as_deref()
    }

    /// All moves, including the opening.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.played().state.moves())
    }

    /// The number of opening moves, which the bots didn't choose.
    #[getter]
    fn opening(&self) -> usize {
        self.played().opening_plies
    }

    /// The final position, with all moves that led to it.
    #[getter]
    fn position(&self) -> Position {
        Position::from_state(self.played().state.clone())
    }

    /// The time of each move after the opening, in seconds.
    #[getter]
    fn times<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let moves = self.played().move_info.iter();
        let times: Vec<f64> = moves.map(|mv| mv.took.as_secs_f64()).collect();
        PyTuple::new(py, times)
    }

    /// The value of each move after the opening, as reported by the bot that made it: `'win'`,
    /// `'loss'` or `'draw'` if proved, a number from −1 to 1 if estimated, or `None`.
    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let moves = self.played().move_info.iter();
        let values: Vec<Option<MoveValue>> =
            moves.map(|mv| mv.value.map(MoveValue::from)).collect();
        PyTuple::new(py, values)
    }

    /// The game as the text of a record.
    #[getter]
    fn record(&self) -> String {
        report::render_records(
            &self.games.plan,
            std::slice::from_ref(self.played()),
            |_| None,
        )
    }

    /// Pickles the game together with its tournament plan.
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (String, PickledGame))> {
        let unpickle = py.get_type::<ArenaGame>().getattr("_again")?;
        let plan = pickling::plan_to_json(&self.games.plan)?;
        Ok((unpickle, (plan, pickling::pickle_game(self.played()))))
    }

    /// Restores a pickled game.
    #[classmethod]
    fn _again(
        _class: &Bound<'_, PyType>,
        py: Python<'_>,
        plan: &str,
        game: PickledGame,
    ) -> PyResult<ArenaGame> {
        let plan = pickling::plan_from_json(plan)?;
        let games = pickling::unpickle_games(py, &plan, vec![game])?;
        Ok(ArenaGame::new(&Arc::new(PlannedGames { plan, games }), 0))
    }

    /// Compares the plan, the game's place in it, the moves and the result.
    fn __eq__(&self, other: &ArenaGame) -> bool {
        let (own, others) = (self.played(), other.played());
        self.games.plan == other.games.plan
            && pickling::pickle_game(own) == pickling::pickle_game(others)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.played().key, self.played().state.moves()).hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        let [x, o] = [self.x(), self.o()].map(quote);
        format!(
            "noughts.arena.PlayedGame({x}, {o}, '{}', '{}')",
            self.result(),
            self.reason()
        )
    }
}

/// Approximately Python's `repr` of a name.
pub(super) fn quote(name: &str) -> String {
    format!("'{}'", name.replace('\\', "\\\\").replace('\'', "\\'"))
}
