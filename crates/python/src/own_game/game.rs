//! The rules of games written in Python.

use std::fmt;
use std::ops::ControlFlow;

use noughts_rules::{
    BoardShape, CellView, Drawing, DynMove, Game, Mark, MoveError, MoveErrorKind, Outcome, Piece,
    Place, SetupError, SetupFaultKinds, Side, Target, Variant, draw_view,
};
use pyo3::call::PyCallArgs;
use pyo3::prelude::*;

use super::OwnGame;
use super::position::{Expansion, PyPosition};
use crate::errors::{GameError, Raise};

/// A game written in Python. After an exception, everything is over: see `failure.rs`.
#[derive(Clone)]
pub(super) struct PyGame(pub(super) &'static OwnGame);

/// The object that has the rules, and what never changes about them.
pub(super) struct RulesObject {
    object: Py<PyAny>,
    can_repeat: bool,
    max_plies: u32,
    numbers: Vec<u8>,
    /// Every move has an action number.
    has_actions: bool,
    /// The columns and rows of the board.
    board: Option<(u8, u8)>,
}

/// The codes of cells in `_own_game.py`.
const EMPTY: i16 = -1;
const X: i16 = -2;
const O: i16 = -3;

impl OwnGame {
    /// Uses the rules; `None` after an exception.
    fn attempt<T>(
        &self,
        work: impl for<'py> FnOnce(Python<'py>, &RulesObject) -> PyResult<T>,
    ) -> Option<T> {
        if self.has_failed() {
            return None;
        }
        let result = Python::try_attach(|py| {
            if self.rules.get().is_none() {
                // Not while the lock is held: its code runs in Python, and may even come back here.
                let _ = self.rules.set(self.load_rules(py)?);
            }
            match self.rules.get() {
                Some(rules) => work(py, rules),
                None => Err(GameError::new_err("the rules are gone")),
            }
        });
        match result {
            Some(Ok(value)) => Some(value),
            Some(Err(error)) => {
                self.fail(error);
                None
            }
            // The interpreter is shutting down, and waits for nobody.
            None => None,
        }
    }

    /// Creates the object that has the rules.
    fn load_rules(&self, py: Python<'_>) -> PyResult<RulesObject> {
        let module = py.import("noughts._own_game")?;
        let object = module.getattr("Rules")?.call1((self.class.bind(py),))?;
        let listed: Option<Vec<String>> = object.call_method0("all_moves")?.extract()?;
        for name in listed.iter().flatten() {
            self.number("all_moves", name)?;
        }
        let (start, _): (Bound<'_, PyAny>, bool) = object.call_method0("start")?.extract()?;
        let cells: Option<(u8, Vec<i16>)> = object.call_method1("cells", (start,))?.extract()?;
        Ok(RulesObject {
            can_repeat: object.getattr("can_repeat")?.extract()?,
            max_plies: object.getattr("max_plies")?.extract()?,
            numbers: object
                .getattr("numbers")?
                .extract::<Vec<u32>>()?
                .into_iter()
                .map(|n| n as u8)
                .collect(),
            has_actions: listed.is_some(),
            board: cells.map(|(columns, cells)| {
                (columns, (cells.len() / usize::from(columns.max(1))) as u8)
            }),
            object: object.unbind(),
        })
    }

    fn rules<T>(&self, read: impl FnOnce(&RulesObject) -> T) -> Option<T> {
        self.attempt(|_, rules| Ok(read(rules)))
    }

    pub(super) fn has_actions(&self) -> bool {
        self.rules(|rules| rules.has_actions).unwrap_or(false)
    }

    pub(super) fn has_cells(&self) -> bool {
        self.rules(|rules| rules.board.is_some()).unwrap_or(false)
    }

    /// The number of a move that a method returned.
    fn number(&self, method: &str, name: &str) -> PyResult<DynMove> {
        let number = self.moves.number(name);
        number
            .map_err(|problem| format!("{method}() returned the move {name:?}: {problem}"))
            .raise::<GameError>()
    }

    /// Asks about a position.
    fn ask<'p, T>(
        &self,
        position: &'p PyPosition,
        work: impl for<'py> FnOnce(Python<'py>, &RulesObject, &'p Py<PyAny>) -> PyResult<T>,
    ) -> Option<T> {
        let object = position.object()?;
        self.attempt(|py, rules| work(py, rules, object))
    }

    pub(super) fn text_of(&self, position: &PyPosition) -> Option<String> {
        self.ask(position, |py, rules, object| {
            let is_x = position.side() == Side::X;
            rules.call(py, "text", (object, is_x))?.extract()
        })
    }

    pub(super) fn expand(&self, position: &PyPosition) -> Option<Expansion> {
        self.ask(position, |py, rules, object| {
            let expanded = rules.call(py, "expand", (object,))?;
            let (outcome, names): (Option<String>, Vec<String>) = expanded.extract()?;
            let outcome = outcome.map(|outcome| match outcome.as_str() {
                "x" => Outcome::Win(Side::X),
                "o" => Outcome::Win(Side::O),
                _ => Outcome::Draw,
            });
            let number = |name: &String| match rules.has_actions {
                false => self.number("moves", name),
                true => (self.moves.find(name))
                    .ok_or_else(|| format!("moves() returned {name:?}, which isn't in all_moves"))
                    .raise::<GameError>(),
            };
            let moves = names.iter().map(number).collect::<PyResult<Vec<_>>>()?;
            if !moves.is_empty() && position.plies() >= rules.max_plies {
                return Err(GameError::new_err(format!(
                    "the game isn't over after {plies} moves; if it ends at all, set max_plies to the most moves that it \
                     can have; if positions can occur again, set can_repeat = True",
                    plies = position.plies()
                )));
            }
            Ok(Expansion { outcome, moves })
        })
    }

    pub(super) fn cells_of(&self, position: &PyPosition) -> Option<Vec<i16>> {
        self.ask(position, |py, rules, object| {
            let cells: Option<(u8, Vec<i16>)> = rules.call(py, "cells", (object,))?.extract()?;
            let Some(((columns, rows), (found, cells))) = rules.board.zip(cells) else {
                return Ok(Vec::new());
            };
            let size = usize::from(columns) * usize::from(rows);
            if found != columns || cells.len() != size {
                return Err(GameError::new_err(format!(
                    "cells() returned a board of {found}×{high}, but at the start it is {columns}×{rows}",
                    high = cells.len() / usize::from(found.max(1))
                )));
            }
            Ok(cells)
        })
    }
}

impl RulesObject {
    fn call<'py>(
        &self,
        py: Python<'py>,
        method: &str,
        arguments: impl PyCallArgs<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.object.bind(py).call_method1(method, arguments)
    }
}

impl fmt::Debug for PyGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.info.name)
    }
}

impl Game for PyGame {
    type Position = PyPosition;
    type Move = DynMove;

    fn variant(&self) -> Variant {
        self.0.variant()
    }

    fn start(&self) -> PyPosition {
        let started = self
            .0
            .attempt(|py, rules| rules.object.call_method0(py, "start")?.extract(py));
        match started {
            Some(started) => PyPosition::new(self.0, started, 0),
            None => PyPosition::failed(self.0),
        }
    }

    fn side(&self, position: &PyPosition) -> Side {
        position.side()
    }

    fn outcome(&self, position: &PyPosition) -> Option<Outcome> {
        if self.0.has_failed() {
            return Some(Outcome::Draw);
        }
        position
            .expansion()
            .map_or(Some(Outcome::Draw), |expansion| expansion.outcome)
    }

    fn visit_moves<B>(
        &self,
        position: &PyPosition,
        visit: impl FnMut(DynMove) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        legal(position).iter().copied().try_for_each(visit)
    }

    fn apply(&self, position: &mut PyPosition, mv: DynMove) {
        let name = self.0.moves.name(mv);
        let is_x = position.side() == Side::X;
        let after = self.0.ask(position, |py, rules, object| {
            rules.call(py, "apply", (object, name, is_x))?.extract()
        });
        *position = match after {
            Some(after) => PyPosition::new(self.0, after, position.plies() + 1),
            None => PyPosition::failed(self.0),
        };
    }

    fn text(&self, position: &PyPosition) -> String {
        position.text().to_owned()
    }

    fn parse(&self, text: &str) -> Result<PyPosition, SetupError> {
        let refusal = |reason: &str| SetupError::single(SetupFaultKinds::DETAILS, reason);
        let parsed = self.0.attempt(|py, rules| {
            let refused = py.import("noughts._own_game")?.getattr("_Refused")?;
            match rules.call(py, "parse", (text,)) {
                Ok(parsed) => Ok(Ok(parsed.extract()?)),
                Err(error) if error.matches(py, refused)? => Ok(Err(error.value(py).to_string())),
                Err(error) => Err(error),
            }
        });
        match parsed {
            Some(Ok(parsed)) => Ok(PyPosition::new(self.0, parsed, 0)),
            Some(Err(reason)) => Err(refusal(&reason)),
            None => Err(refusal("the text can't be read")),
        }
    }

    fn actions(&self) -> Vec<DynMove> {
        (0..self.count_actions() as u32).map(DynMove::new).collect()
    }

    fn move_text(&self, mv: DynMove) -> String {
        self.0.moves.name(mv)
    }

    fn board(&self) -> BoardShape {
        let board = self.0.rules(|rules| rules.board).flatten();
        BoardShape::new(&[board.unwrap_or((1, 1))])
    }

    fn cell(&self, position: &PyPosition, place: Place) -> CellView {
        let cells = position.cells().unwrap_or_default();
        let cell = cells.get(place.index as usize).copied().unwrap_or(EMPTY);
        CellView::with_piece(match cell {
            EMPTY => None,
            X => Some(Piece::of(Side::X)),
            O => Some(Piece::of(Side::O)),
            number => Some(Piece::mark(Mark::Number(number as u8))),
        })
    }

    /// The cells that the name of the move has: `b2`, `a1-b2`.
    fn taps(&self, mv: DynMove) -> Vec<Target> {
        let (board, name) = (self.board(), self.0.moves.name(mv));
        let cells = name
            .split('-')
            .map(|cell| board.parse_cell(cell).map(Target::Place));
        cells.collect::<Option<_>>().unwrap_or_default()
    }

    fn can_repeat(&self) -> bool {
        self.0.rules(|rules| rules.can_repeat).unwrap_or(false)
    }

    /// What a board shows doesn't say how many moves were made.
    fn count_pieces(&self, _: &PyPosition) -> usize {
        0
    }

    fn max_plies_left(&self, position: &PyPosition) -> Option<u32> {
        let max_plies = self
            .0
            .rules(|rules| (!rules.can_repeat).then_some(rules.max_plies));
        // After an exception, no search needs to continue.
        Some(
            max_plies
                .unwrap_or(Some(0))?
                .saturating_sub(position.plies()),
        )
    }

    fn count_moves(&self, position: &PyPosition) -> usize {
        legal(position).len()
    }

    fn nth_move(&self, position: &PyPosition, n: usize) -> Option<DynMove> {
        legal(position).get(n).copied()
    }

    fn parse_move(&self, text: &str) -> Result<DynMove, MoveError> {
        if let Some(known) = self.0.moves.find(text) {
            return Ok(known);
        }
        // A move that hasn't come up yet is legal or not like any other, unless all of them are listed.
        match self.0.has_actions() {
            true => Err(self.not_a_move(text)),
            false => self.0.moves.number(text).map_err(|problem| {
                MoveError::new(
                    MoveErrorKind::NotAMove,
                    format!("{text:?} isn't a move: {problem}"),
                )
            }),
        }
    }

    fn count_actions(&self) -> usize {
        self.0.rules(|_| ());
        self.0.moves.count()
    }

    fn action(&self, mv: DynMove) -> usize {
        mv.number() as usize
    }

    fn move_from_action(&self, action: usize) -> Option<DynMove> {
        (action < self.count_actions()).then_some(DynMove::new(action as u32))
    }

    /// Without a board, the position's text.
    fn render(&self, position: &PyPosition, last: Option<DynMove>, is_ongoing: bool) -> Drawing {
        match self.0.has_cells() {
            true => draw_view(self, position, last, is_ongoing),
            false => Drawing::from_lines(&[self.text(position)]),
        }
    }

    fn pieces(&self) -> Vec<Piece> {
        let numbers = self
            .0
            .rules(|rules| rules.numbers.clone())
            .unwrap_or_default();
        let numbers = numbers
            .into_iter()
            .map(|number| Piece::mark(Mark::Number(number)));
        Side::BOTH
            .map(Piece::of)
            .into_iter()
            .chain(numbers)
            .collect()
    }
}

/// The legal moves.
fn legal(position: &PyPosition) -> &[DynMove] {
    position
        .expansion()
        .map_or(&[], |expansion| &expansion.moves)
}
