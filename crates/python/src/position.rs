//! `noughts.Position`: an immutable position with its history.

use noughts_rules::{
    AnyGameState, GameState, GameVisitor, Mark, Outcome, Symmetry, Termination, Variant,
};
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayDyn, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use crate::errors::{IllegalMove, NoughtsError, PositionError, Raise};
use crate::game::Game;
use crate::own_game::{self, failure::catch};
use crate::pickling::{self, Reduced};
use crate::record::Record;
use crate::{counts, game_args, image, search_args};

/// A move, and the names of what a player touches to make it.
type Choice<'py> = (String, Bound<'py, PyTuple>);

/// A position of a game, with the moves that led to it. Positions are immutable: `play`
/// returns a new one. Two positions are equal if their game, board, side to move and result
/// are equal; the moves that led to them don't matter.
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
    state: AnyGameState,
}

impl Position {
    pub(crate) fn from_state(state: AnyGameState) -> Position {
        Position { state }
    }

    pub(crate) fn state(&self) -> &AnyGameState {
        &self.state
    }

    /// Asks the rules about the position.
    fn ask<T>(&self, ask: impl FnOnce(&AnyGameState) -> T) -> PyResult<T> {
        catch(|| ask(&self.state))
    }

    /// A position by its text, or the start of the game, after several moves: a text with spaces between
    /// them, or an iterable of moves.
    pub(crate) fn from_args(
        variant: Variant,
        text: Option<&str>,
        moves: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Position> {
        let mut state = match text {
            Some(text) => {
                catch(|| AnyGameState::from_text(variant, text))?.raise::<PositionError>()?
            }
            None => catch(|| AnyGameState::new(variant))?,
        };
        let Some(moves) = moves else {
            return Ok(Position { state });
        };
        let mut count = 0;
        let mut play_one = |state: &mut AnyGameState, mv: &str| {
            count += 1;
            let result = catch(|| state.play(mv))?;
            result
                .map_err(|error| format!("move {count}: {error}"))
                .raise::<IllegalMove>()
        };
        if let Ok(text) = moves.cast::<PyString>() {
            for mv in text.to_cow()?.split_whitespace() {
                play_one(&mut state, mv)?;
            }
        } else {
            for mv in moves.try_iter()? {
                let mv = game_args::parse_move(&state, &mv?)?;
                play_one(&mut state, &mv)?;
            }
        }
        Ok(Position { state })
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
        Position::from_args(game_args::parse_variant(game)?, text, moves)
    }

    /// The game.
    #[getter]
    fn game<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Game::of_variant(py, self.state.variant())
    }

    /// The position as one line of text.
    #[getter]
    fn text(&self) -> PyResult<String> {
        self.ask(AnyGameState::position_text)
    }

    /// The side to move: `'x'` or `'o'`. Once the game is over, the side that would move next.
    #[getter]
    fn side(&self) -> char {
        self.state.side().letter()
    }

    /// The number of moves made so far.
    #[getter]
    fn ply(&self) -> usize {
        self.state.ply()
    }

    /// The result: `'x'`, `'o'` or `'draw'`; `None` while the game is in progress.
    #[getter]
    fn outcome(&self) -> PyResult<Option<&'static str>> {
        Ok(self.ask(AnyGameState::outcome)?.map(Outcome::as_str))
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> PyResult<bool> {
        Ok(self.ask(AnyGameState::outcome)?.is_some())
    }

    /// How the game ended: `'line'`, `'no-move'`, `'repetition'`, …; `None` while it is in progress.
    #[getter]
    fn ending(&self) -> PyResult<Option<&'static str>> {
        let ending = self.ask(AnyGameState::ending)?;
        Ok(ending.map(|ending| Termination::from(ending).as_str()))
    }

    /// Whose turn it is and what they may do, or how the game ended, in words.
    #[getter]
    fn prompt(&self) -> PyResult<String> {
        self.ask(noughts_text::prompt)
    }

    /// The legal moves in alphabetical order; empty once the game is over.
    #[getter]
    fn legal_moves(&self) -> PyResult<Vec<String>> {
        self.ask(AnyGameState::legal_moves)
    }

    /// The legal moves, each with what a player touches to make it, in order: cells by their names,
    /// `=` and the name of a kind of piece, or `@` for a frame that moves. `None` if there are too
    /// many to list.
    ///
    /// >>> noughts.Game("gobblers").start().choices()[0]
    /// ('l@a1', ('=l', 'a1'))
    fn choices<'py>(&self, py: Python<'py>) -> PyResult<Option<Vec<Choice<'py>>>> {
        let choices = self.ask(|state| {
            let view = state.view();
            let choices = view.choices()?.into_iter().map(|(mv, taps)| {
                let taps = taps.into_iter().map(|target| view.target_name(target));
                (mv, taps.collect::<Vec<_>>())
            });
            let mut choices: Vec<_> = choices.collect();
            choices.sort();
            Some(choices)
        })?;
        let tuple = |(mv, taps)| Ok((mv, PyTuple::new(py, taps)?));
        choices
            .map(|choices| choices.into_iter().map(tuple).collect())
            .transpose()
    }

    /// The action numbers of the legal moves, in ascending order.
    #[getter]
    fn legal_actions(&self) -> PyResult<Vec<usize>> {
        own_game::require_actions(self.state.variant())?;
        self.ask(AnyGameState::legal_actions)
    }

    /// Returns the position from the point of view of the side to move: planes of zeros and
    /// ones (`uint8`) with the shape `game.observation_shape`. The player's own pieces come before
    /// the opponent's.
    ///
    /// Unless a game has planes of its own, there is one for each kind of piece, and a last one that
    /// is all ones if X is to move. `docs/python/vector.md` lists them. `to_grid` rearranges nested
    /// boards into rows and columns.
    ///
    /// >>> position = noughts.Game("classic").position("xo./.x./... o")
    /// >>> position.observation().tolist()
    /// [[[0, 1, 0], [0, 0, 0], [0, 0, 0]], [[1, 0, 0], [0, 1, 0], [0, 0, 0]]]
    fn observation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<u8>>> {
        own_game::require_observations(self.state.variant())?;
        let planes = PyArray1::from_vec(py, self.ask(AnyGameState::observation)?);
        planes.reshape(self.ask(AnyGameState::observation_shape)?)
    }

    /// Returns the mask of legal actions, an array of `int8`: 1 for legal actions, 0 for all
    /// others. All zeros once the game is over.
    ///
    /// >>> noughts.Game("classic").position("xo./.x./... o").action_mask()
    /// array([0, 0, 1, 1, 0, 1, 1, 1, 1], dtype=int8)
    fn action_mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        own_game::require_actions(self.state.variant())?;
        Ok(PyArray1::from_vec(py, self.ask(AnyGameState::action_mask)?))
    }

    /// The moves made since `first`.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.state.moves())
    }

    /// The position that the game started from.
    #[getter]
    fn first(&self) -> PyResult<Position> {
        self.ask(AnyGameState::restarted).map(Position::from_state)
    }

    /// The last move; `None` if no move has been made.
    #[getter]
    fn last_move(&self) -> Option<String> {
        self.state.last_move()
    }

    /// Returns whether a move, given by name or action number, is legal. Names and numbers that
    /// aren't moves of this game aren't legal.
    ///
    /// >>> position = noughts.Game("classic").start()
    /// >>> position.is_legal("b2"), position.is_legal(8), position.is_legal(9)
    /// (True, True, False)
    fn is_legal(&self, mv: &Bound<'_, PyAny>) -> PyResult<bool> {
        match game_args::parse_move(&self.state, mv) {
            Ok(mv) => Ok(self.ask(|state| state.check(&mv))?.is_ok()),
            Err(error) if error.is_instance_of::<PyValueError>(mv.py()) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Returns the position after a move, given by name or action number.
    ///
    /// >>> noughts.Game("classic").start().play("b2").text
    /// '.../.x./... o'
    fn play(&self, mv: &Bound<'_, PyAny>) -> PyResult<Position> {
        let mv = game_args::parse_move(&self.state, mv)?;
        let mut state = self.state.clone();
        catch(|| state.play(&mv))?.raise::<IllegalMove>()?;
        Ok(Position { state })
    }

    /// Returns the position before the last move. Raises `IllegalMove` if no move has been made.
    fn undo(&self) -> PyResult<Position> {
        let mut state = self.state.clone();
        let undone = catch(|| state.undo())?.ok_or("no move to take back");
        undone.raise::<IllegalMove>()?;
        Ok(Position { state })
    }

    /// Returns the position and its history, rotated or reflected by a symmetry.
    fn image(&self, symmetry: &str) -> PyResult<Position> {
        let symmetry = game_args::parse_symmetry(&self.state, symmetry)?;
        self.ask(|state| state.transformed(symmetry))
            .map(Position::from_state)
    }

    /// Returns the images of the position under all symmetries of the board, in the order of
    /// `Game.symmetries`. The position itself comes first.
    fn images(&self) -> PyResult<Vec<Position>> {
        self.ask(|state| {
            let all = game_args::symmetries(state);
            all.map(|symmetry| Position::from_state(state.transformed(symmetry)))
                .collect()
        })
    }

    /// Returns the canonical image of the position and the symmetry that leads to it. Positions
    /// that differ only by rotation and reflection have the same canonical image.
    ///
    /// >>> position = noughts.Game("classic").start().play("c3")
    /// >>> position.canonical()
    /// (noughts.Position('classic', 'x../.../... o'), 'rotate180')
    fn canonical(&self) -> PyResult<(Position, String)> {
        self.ask(|state| {
            let symmetry = state.visit(CanonicalSymmetry);
            (
                Position::from_state(state.transformed(symmetry)),
                state.symmetry_name(symmetry),
            )
        })
    }

    /// The object by which a game written in Python describes the position; `None` in all other
    /// games.
    #[getter]
    fn data(&self) -> Option<Py<PyAny>> {
        own_game::data(&self.state)
    }

    /// How many times the position has occurred in this game, including now. The third occurrence
    /// is a draw. Always 0 in games in which no position can occur again.
    #[getter]
    fn occurrences(&self) -> u32 {
        self.state.occurrences()
    }

    /// The cells in rows and columns, from the top left: 0 for empty, 1 for X, 2 for O, and numbers for
    /// themselves. Where pieces are stacked, the top one counts. Boards inside a board are side by
    /// side, as they are drawn.
    ///
    /// >>> noughts.Position("classic", "x.o/.x./... o").cells
    /// array([[1, 0, 2],
    ///        [0, 1, 0],
    ///        [0, 0, 0]], dtype=uint8)
    /// >>> noughts.Game("ultimate").start().cells.shape
    /// (9, 9)
    #[getter]
    fn cells<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let (cells, size) = self.ask(cells_in_rows)?;
        PyArray1::from_vec(py, cells).reshape(size)
    }

    /// The position as digits: nine for a 3×3 board (0 for empty, 1 for X, 2 for O), or the 93
    /// digits of uttt.ai for `ultimate`. Not available for other games.
    ///
    /// >>> noughts.Position("classic", "xo./.x./... o").digits
    /// '120010000'
    #[getter]
    fn digits(&self) -> PyResult<String> {
        self.ask(AnyGameState::to_digits)?.raise::<NoughtsError>()
    }

    /// A 3×3 board as a list of lists, in IArena's format. Not available for other games.
    ///
    /// >>> noughts.Position("classic", "xo./.x./... o").lists
    /// [[1, 2, 0], [0, 1, 0], [0, 0, 0]]
    #[getter]
    fn lists(&self) -> PyResult<Vec<Vec<u32>>> {
        let text = self.ask(AnyGameState::to_lists)?.raise::<NoughtsError>()?;
        let digits: Vec<u32> = text.chars().filter_map(|c| c.to_digit(10)).collect();
        Ok(digits.chunks(3).map(<[u32]>::to_vec).collect())
    }

    /// Counts the move sequences of length `depth` from this position (perft). Games that end
    /// earlier aren't counted, and draws by repetition are ignored.
    ///
    /// >>> [noughts.Game("classic").start().perft(depth) for depth in range(6)]
    /// [1, 9, 72, 504, 3024, 15120]
    fn perft(&self, py: Python<'_>, depth: &Bound<'_, PyAny>) -> PyResult<u64> {
        let depth = search_args::parse_integer("depth", depth, 0, counts::MAX_PERFT_DEPTH)?;
        counts::perft(py, &self.state, depth as u32)
    }

    /// Counts like `perft`, separately for each legal move.
    ///
    /// >>> noughts.Position("classic", "xox/oxo/... x").divide(2)
    /// {'a3': 0, 'b3': 2, 'c3': 0}
    fn divide<'py>(
        &self,
        py: Python<'py>,
        depth: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let depth = search_args::parse_integer("depth", depth, 0, counts::MAX_PERFT_DEPTH)?;
        let leaves = PyDict::new(py);
        for (mv, count) in counts::divide(py, &self.state, depth as u32)? {
            leaves.set_item(mv, count)?;
        }
        Ok(leaves)
    }

    /// Plays `n` games with random moves from this position and counts the results. All legal
    /// moves are equally likely. The same seed gives the same counts with any number of threads.
    ///
    /// >>> noughts.Position("classic", "xx./oo./... x").playouts(100, seed=1)
    /// Playouts(x=53, o=29, draws=18, plies=315)
    #[pyo3(
        signature = (n, /, *, seed = None, threads = None),
        text_signature = "($self, n, /, *, seed=0, threads=1)"
    )]
    fn playouts<'py>(
        &self,
        py: Python<'py>,
        n: &Bound<'_, PyAny>,
        seed: Option<&Bound<'_, PyAny>>,
        threads: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        // The plies of more games could overflow the counter.
        let n = search_args::parse_integer("n", n, 0, 1 << 44)?;
        let seed = seed.map_or(Ok(0), search_args::parse_seed)?;
        let threads = threads.map_or(Ok(1), search_args::parse_threads)?;
        counts::playouts(py, &self.state, n, seed, threads)
    }

    /// Returns the game as the text of a record. The arguments are the same as for
    /// `noughts.Record`.
    ///
    /// >>> print(noughts.Game("classic").position(moves="b2 a1").record(x="Ada", o="Bob"))
    /// [Variant "classic"]
    /// [X "Ada"]
    /// [O "Bob"]
    /// [Date "????.??.??"]
    /// [Result "*"]
    /// <BLANKLINE>
    /// 1. b2 a1 *
    /// <BLANKLINE>
    #[pyo3(
        signature = (**details),
        text_signature = "($self, *, x=None, o=None, date=None, result=None, tags=None, comments=None)"
    )]
    fn record<'py>(
        this: &Bound<'py, Self>,
        details: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyString>> {
        let record = this.py().get_type::<Record>();
        record.call((this,), details)?.str()
    }

    /// Shows the board in IPython.
    fn _repr_pretty_(&self, printer: &Bound<'_, PyAny>, cycle: bool) -> PyResult<()> {
        let text = if cycle {
            "noughts.Position(...)".into()
        } else {
            self.__str__()?
        };
        printer.call_method1("text", (text,))?;
        Ok(())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        // A text in quotation marks, as Python writes it.
        let text = PyString::new(py, &self.text()?).repr()?;
        Ok(format!(
            "noughts.Position('{}', {text})",
            self.state.variant()
        ))
    }

    fn __str__(&self) -> PyResult<String> {
        // `print` adds the final newline.
        let drawing = self.ask(|state| state.render().to_string())?;
        Ok(drawing.trim_end().to_owned())
    }

    /// Returns the board as an SVG document, drawn as on the web page. It follows the viewer's
    /// light or dark mode.
    ///
    /// >>> noughts.Game("classic").start().svg()[:4]
    /// '<svg'
    fn svg(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| self.ask(noughts_view::svg_document))
    }

    /// Returns the same picture as pixels: an array of `uint8` with the shape (rows, columns, 3).
    /// `width` is in pixels, from 16 to 4096.
    ///
    /// >>> pixels = noughts.Game("classic").start().play("b2").rgb(width=120)
    /// >>> pixels.shape, pixels.dtype
    /// ((120, 120, 3), dtype('uint8'))
    #[pyo3(signature = (width = None), text_signature = "($self, width=480)")]
    fn rgb<'py>(
        &self,
        py: Python<'py>,
        width: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let width = width.map_or(Ok(480), |width| {
            search_args::parse_integer("width", width, 16, 4096)
        })?;
        let image = py.detach(|| self.ask(|state| image::rgb(state, width as u32)))?;
        let (rows, columns, bytes) = image.raise::<NoughtsError>()?;
        PyArray1::from_vec(py, bytes).reshape([rows, columns, 3])
    }

    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        self.svg(py)
    }

    fn __eq__(&self, other: &Position) -> PyResult<bool> {
        let theirs = &other.state;
        self.ask(|mine| {
            own_game::is_same(mine.variant(), theirs.variant())
                && mine.hash() == theirs.hash()
                && mine.outcome() == theirs.outcome()
                && mine.position_text() == theirs.position_text()
        })
    }

    fn __hash__(&self) -> PyResult<u64> {
        let hash = self.ask(AnyGameState::hash)?;
        Ok(pickling::hash((self.state.variant(), hash)))
    }

    /// Returns the same object, because positions are immutable.
    fn __copy__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __deepcopy__(this: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        this
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let moves = PyDict::new(py);
        moves.set_item("moves", self.state.moves())?;
        // Not every game written in Python can parse positions.
        let is_start = self.ask(AnyGameState::has_standard_start)?;
        let text = (!is_start).then(|| self.ask(AnyGameState::start_text));
        let arguments = (
            own_game::pickled_game(py, self.state.variant()),
            text.transpose()?,
        );
        pickling::reduce::<Position>(py, arguments, &moves)
    }
}

/// Finds the symmetry that leads to the canonical position.
struct CanonicalSymmetry;

impl GameVisitor for CanonicalSymmetry {
    type Output = Symmetry;

    fn visit<G: noughts_rules::Game>(self, state: &GameState<G>) -> Symmetry {
        state.game().canonical(state.position()).1
    }
}

/// The marks in rows and columns, boards inside a board side by side, and the numbers of rows and columns.
fn cells_in_rows(state: &AnyGameState) -> (Vec<u8>, [usize; 2]) {
    let view = state.view();
    let shape = view.shape();
    let sizes = (0..shape.depth()).filter_map(|level| shape.size_at(level));
    let (mut columns, mut rows) = (1, 1);
    for (wide, high) in sizes {
        columns *= usize::from(wide);
        rows *= usize::from(high);
    }
    let mut cells = vec![0; rows * columns];
    for place in (0..shape.count_cells()).map(|index| shape.cell(index)) {
        let (mut row, mut column, mut part) = (0, 0, Some(place));
        let (mut high, mut wide) = (1, 1);
        // From the cell outwards: each board is a cell of the one around it.
        while let Some((inner, outer)) = part.and_then(|part| Some((part, shape.parent(part)?))) {
            let (columns, rows) = shape.size_at(outer.level).unwrap_or((1, 1));
            let (x, y) = shape.column_row(inner);
            (row, column) = (row + usize::from(y) * high, column + usize::from(x) * wide);
            (high, wide) = (high * usize::from(rows), wide * usize::from(columns));
            part = Some(outer);
        }
        let top = view.cell(place).top().map(|piece| piece.mark);
        cells[row * columns + column] = match top {
            None => 0,
            Some(Mark::X) => 1,
            Some(Mark::O) => 2,
            Some(Mark::Number(number)) => number,
        };
    }
    (cells, [rows, columns])
}
