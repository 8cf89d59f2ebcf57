//! A position, with how it came about. It never changes: a move makes another one.

use std::hash::{DefaultHasher, Hash, Hasher};

use noughts_rules::{AnyPlay, Outcome, Player};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple, PyType};

use crate::errors::{IllegalMove, PositionError, Raise};
use crate::game::Game;
use crate::word;

/// A position of a game, with the moves that led to it. It never changes: `play` gives
/// another one. Two are equal if game, board, side to move and result are: how they came
/// about does not matter.
///
/// >>> import noughts
/// >>> position = noughts.Game("classic").start().play("b2").play("a1")
/// >>> position.side, position.ply, position.legal_moves
/// ('x', 2, ['a2', 'a3', 'b1', 'b3', 'c1', 'c2', 'c3'])
/// >>> print(position)
///     a   b   c
///   ┌───┬───┬───┐
/// 1 │(O)│ · │ · │
///   ├───┼───┼───┤
/// 2 │ · │ X │ · │
///   ├───┼───┼───┤
/// 3 │ · │ · │ · │
///   └───┴───┴───┘
#[pyclass(frozen, module = "noughts")]
pub(crate) struct Position {
    play: AnyPlay,
}

impl Position {
    pub(crate) fn of(play: AnyPlay) -> Position {
        Position { play }
    }

    /// The game as the other crates know it.
    pub(crate) fn any(&self) -> &AnyPlay {
        &self.play
    }

    /// Several moves: a text with spaces between them, or anything with moves in it.
    pub(crate) fn play_all(&self, moves: &Bound<'_, PyAny>) -> PyResult<Position> {
        let mut play = self.play.clone();
        let mut made = 0;
        let mut one = |play: &mut AnyPlay, mv: &str| {
            made += 1;
            let done = play.play(mv);
            done.map_err(|error| format!("move {made}: {error}"))
                .raise::<IllegalMove>()
        };
        if let Ok(text) = moves.cast::<PyString>() {
            for mv in text.to_cow()?.split_whitespace() {
                one(&mut play, mv)?;
            }
        } else {
            for mv in moves.try_iter()? {
                let mv = word::mv(&play, &mv?)?;
                one(&mut play, &mv)?;
            }
        }
        Ok(Position { play })
    }
}

/// The game, where it began, and the moves made.
type Pickled = (String, String, Vec<String>);

/// The same words as on the command line.
fn letter(side: Player) -> &'static str {
    match side {
        Player::X => "x",
        Player::O => "o",
    }
}

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (game, text = None, /, *, moves = None))]
    fn new(
        game: &Bound<'_, PyAny>,
        text: Option<&str>,
        moves: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Position> {
        let variant = word::variant(game)?;
        let play = match text {
            Some(text) => AnyPlay::from_text(variant, text).raise::<PositionError>()?,
            None => AnyPlay::new(variant),
        };
        let position = Position { play };
        match moves {
            Some(moves) => position.play_all(moves),
            None => Ok(position),
        }
    }

    /// The game.
    #[getter]
    fn game(&self) -> Game {
        Game::of(self.play.variant())
    }

    /// The position as one line of text.
    #[getter]
    fn text(&self) -> String {
        self.play.position_text()
    }

    /// Who moves next: `'x'` or `'o'`. After the end, whoever would have moved next.
    #[getter]
    fn side(&self) -> &'static str {
        letter(self.play.side())
    }

    /// How many moves led here.
    #[getter]
    fn ply(&self) -> usize {
        self.play.ply()
    }

    /// The result, once the game is over: `'x'`, `'o'` or `'draw'`; `None` before.
    #[getter]
    fn outcome(&self) -> Option<&'static str> {
        self.play.outcome().map(Outcome::word)
    }

    /// Is the game over?
    #[getter]
    fn is_over(&self) -> bool {
        self.play.outcome().is_some()
    }

    /// How the game ended, in words; `None` before.
    #[getter]
    fn ending(&self) -> Option<String> {
        self.play.how_it_ended()
    }

    /// Who is to do what, or how it ended, in words.
    #[getter]
    fn prompt(&self) -> String {
        self.play.prompt()
    }

    /// The legal moves, sorted as text; none once the game is over.
    #[getter]
    fn legal_moves(&self) -> Vec<String> {
        self.play.legal_moves()
    }

    /// The numbers of the legal moves, in ascending order.
    #[getter]
    fn legal_actions(&self) -> Vec<usize> {
        self.play.legal_actions()
    }

    /// The moves that led here from `first`.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.play.moves())
    }

    /// The position that the game began with.
    #[getter]
    fn first(&self) -> PyResult<Position> {
        let start = AnyPlay::from_text(self.play.variant(), &self.play.start_text());
        Ok(Position::of(start.raise::<PositionError>()?))
    }

    /// The last move made; `None` where there is none.
    #[getter]
    fn last_move(&self) -> Option<String> {
        self.play.last_move()
    }

    /// Is this move legal? It may be given by name or number.
    fn is_legal(&self, mv: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.play.check(&word::mv(&self.play, mv)?).is_ok())
    }

    /// The position after a move, given by name or number.
    ///
    /// >>> noughts.Game("classic").start().play("b2").text
    /// '.../.x./... o'
    fn play(&self, mv: &Bound<'_, PyAny>) -> PyResult<Position> {
        let mv = word::mv(&self.play, mv)?;
        let mut play = self.play.clone();
        play.play(&mv).raise::<IllegalMove>()?;
        Ok(Position { play })
    }

    /// The position one move earlier; an error where no move was made.
    fn undo(&self) -> PyResult<Position> {
        let mut play = self.play.clone();
        let undone = play.undo().ok_or("there is no move to take back");
        undone.raise::<IllegalMove>()?;
        Ok(Position { play })
    }

    /// The position turned or mirrored, its history with it.
    fn image(&self, symmetry: &str) -> PyResult<Position> {
        let symmetry = word::symmetry(&self.play, symmetry)?;
        Ok(Position::of(self.play.image(symmetry)))
    }

    fn __repr__(&self) -> String {
        format!(
            "noughts.Position('{}', '{}')",
            self.play.variant(),
            self.text()
        )
    }

    fn __str__(&self) -> String {
        self.play.draw().to_string()
    }

    fn __eq__(&self, other: &Position) -> bool {
        let (mine, theirs) = (&self.play, &other.play);
        mine.variant() == theirs.variant()
            && mine.hash() == theirs.hash()
            && mine.outcome() == theirs.outcome()
            && mine.position_text() == theirs.position_text()
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.play.variant().hash(&mut hasher);
        self.play.hash().hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Pickled)> {
        let play = &self.play;
        let again = py.get_type::<Position>().getattr("_again")?;
        let parts = (play.variant().to_string(), play.start_text(), play.moves());
        Ok((again, parts))
    }

    /// What was pickled.
    #[classmethod]
    fn _again(
        _class: &Bound<'_, PyType>,
        game: &Bound<'_, PyAny>,
        text: &str,
        moves: &Bound<'_, PyAny>,
    ) -> PyResult<Position> {
        Position::new(game, Some(text), Some(moves))
    }
}
