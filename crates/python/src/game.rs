//! `noughts.Game`: a game of the family by its name.

use std::sync::OnceLock;

use noughts_rules::{
    AnyGameState, GameState, GameVisitor, MoveError, Side, Symmetry, Variant, games,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict, PyTuple, PyType};

use crate::errors::{IllegalMove, Raise};
use crate::own_game::{self, failure::catch};
use crate::position::Position;
use crate::{game_args, options, pickling};

/// A game, given by its name.
///
/// Subclasses are new games, which play everywhere the others do. They define four methods: `start()`
/// returns the first position, any immutable object; `moves(position)` the legal moves, a list of
/// strings; `apply(position, move)` the position after a move; `outcome(position)` `'x'`, `'o'`,
/// `'draw'` or `None`. The other attributes are optional:
///
/// - `side(position)`: `'x'` or `'o'`. By default the players alternate.
/// - `cells(position)`: the rows of the board, for pictures and observations; cells are `'x'`, `'o'`,
///   `'.'` or one of the class's `numbers`.
/// - `all_moves()`: every move of the game. Its place in the list is its action number.
/// - `text(position)` and `parse(text)`: a position as one line. By default, its `repr`.
/// - `can_repeat = True`: positions can occur again. The third occurrence is a draw.
/// - `max_plies`: the most moves that a game can have; at most 10,000 and by default 1,000.
/// - `name` and `title`; by default made from the name of the class.
///
/// In a game, `position.data` is the object that these methods work with.
///
/// >>> import noughts
/// >>> game = noughts.Game("classic")
/// >>> game
/// noughts.Game('classic')
/// >>> game.start().legal_moves
/// ['a1', 'a2', 'a3', 'b1', 'b2', 'b3', 'c1', 'c2', 'c3']
/// >>> noughts.Game("mnk:3,3,3") == game
/// True
#[pyclass(frozen, subclass, module = "noughts")]
pub(crate) struct Game {
    variant: Variant,
    /// The initial state, ready to be cloned.
    start: OnceLock<AnyGameState>,
}

impl Game {
    fn from_variant(variant: Variant) -> Game {
        Game {
            variant,
            start: OnceLock::new(),
        }
    }

    /// The initial state. It isn't created with the game, because a game written in Python is created first.
    fn initial(&self) -> PyResult<&AnyGameState> {
        if let Some(start) = self.start.get() {
            return Ok(start);
        }
        // Not while the lock is held: this may wait for the GIL.
        let start = catch(|| AnyGameState::new(self.variant))?;
        Ok(self.start.get_or_init(|| start))
    }

    /// The game of a variant; if that is written in Python, an object of its class.
    pub(crate) fn of_variant(py: Python<'_>, variant: Variant) -> PyResult<Bound<'_, PyAny>> {
        match own_game::of_variant(variant) {
            Some(game) => game.class(py).call0(),
            None => Ok(Bound::new(py, Game::from_variant(variant))?.into_any()),
        }
    }

    /// Asks the rules about the start of the game.
    fn ask<T>(&self, ask: impl FnOnce(&AnyGameState) -> T) -> PyResult<T> {
        let start = self.initial()?;
        catch(|| ask(start))
    }

    pub(crate) fn variant(&self) -> Variant {
        self.variant
    }
}

#[pymethods]
impl Game {
    #[new]
    #[classmethod]
    #[pyo3(signature = (variant = None, /), text_signature = "(variant='classic', /)")]
    fn new(class: &Bound<'_, PyType>, variant: Option<&Bound<'_, PyAny>>) -> PyResult<Game> {
        let own = own_game::variant_of_class(class)?;
        let variant = match (own, variant) {
            (Some(own), None) => own,
            (Some(own), Some(_)) => {
                return Err(PyTypeError::new_err(format!(
                    "{own} takes no arguments; make a subclass for each variant of it"
                )));
            }
            (None, variant) => variant.map_or(Ok(Variant::default()), game_args::parse_variant)?,
        };
        Ok(Game::from_variant(variant))
    }

    /// Makes a subclass a game.
    #[classmethod]
    fn __init_subclass__(class: &Bound<'_, PyType>) -> PyResult<()> {
        let py = class.py();
        let define = py.import("noughts._own_game")?.getattr("define")?;
        define.call1((class, py.get_type::<Game>())).map(drop)
    }

    /// The canonical name.
    ///
    /// >>> noughts.Game("ception:4a,5b").name
    /// 'ultimate'
    #[getter]
    fn name(&self) -> String {
        self.variant.to_string()
    }

    /// Returns the position before the first move.
    fn start(&self) -> PyResult<Position> {
        self.initial().cloned().map(Position::from_state)
    }

    /// Returns the position described by `text`, or the start of the game, after playing `moves`.
    ///
    /// >>> noughts.Game("classic").position("x../.../... o", moves="b2 c3")
    /// noughts.Position('classic', 'x../.o./..x o')
    #[pyo3(signature = (text = None, /, *, moves = None))]
    fn position(&self, text: Option<&str>, moves: Option<&Bound<'_, PyAny>>) -> PyResult<Position> {
        Position::from_args(self.variant, text, moves)
    }

    /// The options that make a difference in this variant, by name.
    ///
    /// >>> noughts.Game("mnk:7,6,4").options
    /// {'columns': 7, 'rows': 6, 'line': 4, 'lines': 'wins'}
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        options::of_variant(self.variant).into_py_dict(py)
    }

    /// The most moves that a game can have; `None` if positions can occur again.
    ///
    /// >>> noughts.Game("classic").max_plies, noughts.Game("morris").max_plies
    /// (9, None)
    #[getter]
    fn max_plies(&self) -> PyResult<Option<u32>> {
        self.ask(AnyGameState::max_plies_left)
    }

    /// The number of actions. Every move of the game is an action from 0 to `actions - 1`.
    #[getter]
    fn actions(&self) -> PyResult<usize> {
        own_game::require_actions(self.variant)?;
        self.ask(AnyGameState::count_actions)
    }

    /// The shape of `Position.observation()`: the number of planes, then the dimensions of the
    /// board.
    ///
    /// >>> noughts.Game("ultimate").observation_shape
    /// (5, 9, 9)
    #[getter]
    fn observation_shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        own_game::require_observations(self.variant)?;
        PyTuple::new(py, self.ask(AnyGameState::observation_shape)?)
    }

    /// How the board is divided: the columns and rows of each level, the outermost first. The last
    /// level is the cells.
    ///
    /// >>> noughts.Game("classic").levels, noughts.Game("ultimate").levels
    /// (((3, 3),), ((3, 3), (3, 3)))
    /// >>> noughts.Game("qubic").levels
    /// ((4, 1), (4, 4))
    #[getter]
    fn levels<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let shape = self.ask(|start| start.view().shape())?;
        let levels = (0..shape.depth()).filter_map(|level| shape.size_at(level));
        PyTuple::new(py, levels.collect::<Vec<_>>())
    }

    /// Returns how the planes of an observation are arranged from the point of view of the other side:
    /// for each plane, the one to take its place. `side` is the side to move.
    fn _opponents_planes(&self, side: char) -> PyResult<Vec<usize>> {
        let side = if side == 'x' { Side::X } else { Side::O };
        self.ask(|start| start.opponents_planes(side))
    }

    /// Returns the action number of a move.
    ///
    /// >>> noughts.Game("ultimate").action("ee")
    /// 40
    fn action(&self, mv: &Bound<'_, PyAny>) -> PyResult<usize> {
        let mv = game_args::parse_move(self.initial()?, mv)?;
        own_game::require_actions(self.variant)?;
        self.ask(|start| start.action(&mv))?.raise::<IllegalMove>()
    }

    /// Returns the move with this action number.
    ///
    /// >>> noughts.Game("ultimate").move(40)
    /// 'ee'
    #[pyo3(name = "move")]
    fn mv(&self, action: &Bound<'_, PyAny>) -> PyResult<String> {
        game_args::parse_move(self.initial()?, action)
    }

    /// The names of the board's symmetries.
    #[getter]
    fn symmetries(&self) -> PyResult<Vec<String>> {
        self.ask(|start| {
            let all = game_args::symmetries(start);
            all.map(|symmetry| start.symmetry_name(symmetry)).collect()
        })
    }

    /// Returns the move rotated or reflected, to match `Position.image`.
    ///
    /// >>> noughts.Game("classic").map_move("a1", "rotate90")
    /// 'c1'
    fn map_move(&self, mv: &Bound<'_, PyAny>, symmetry: &str) -> PyResult<String> {
        let mv = game_args::parse_move(self.initial()?, mv)?;
        let symmetry = game_args::parse_symmetry(self.initial()?, symmetry)?;
        let visitor = MapMove { mv: &mv, symmetry };
        self.ask(|start| start.visit(visitor))?
            .raise::<IllegalMove>()
    }

    fn __repr__(&self) -> String {
        format!("noughts.Game('{}')", self.variant)
    }

    fn __str__(&self) -> String {
        self.name()
    }

    fn __eq__(&self, other: &Game) -> bool {
        own_game::is_same(self.variant, other.variant)
    }

    fn __hash__(&self) -> u64 {
        pickling::hash(self.variant)
    }

    /// Returns the same object, because games are immutable.
    fn __copy__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __deepcopy__(this: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        this
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (Bound<'py, PyAny>,)) {
        let game = own_game::pickled_game(py, self.variant);
        (py.get_type::<Game>(), (game,))
    }
}

/// Maps a move by a symmetry of the board.
struct MapMove<'a> {
    mv: &'a str,
    symmetry: Symmetry,
}

impl GameVisitor for MapMove<'_> {
    type Output = Result<String, MoveError>;

    fn visit<G: noughts_rules::Game>(self, state: &GameState<G>) -> Self::Output {
        let game = state.game();
        let mv = game.parse_move(self.mv)?;
        Ok(game.move_text(game.map_move(mv, self.symmetry)))
    }
}

/// Returns the games that are offered as starting points. Options give more games: `mnk:7,6,4`,
/// `tic-tac-two:board=7`, `ception:5a,depth=3`. Games that you define yourself are listed, too.
///
/// >>> import noughts
/// >>> noughts.variants()[:4]
/// ['classic', 'misere', 'mnk:4,4,4', 'mnk:15,15,5']
#[pyfunction]
pub(crate) fn variants() -> Vec<&'static str> {
    let presets = games::presets().into_iter();
    presets.map(|(_, preset)| preset.name).collect()
}
