//! `noughts.Game`: a game of the family by its name.

use noughts_rules::{AnyGameState, GameState, GameVisitor, MoveError, Symmetry, Variant, games};
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};

use crate::errors::{IllegalMove, Raise};
use crate::position::Position;
use crate::{game_args, pickling};

/// A game of the tic-tac-toe family, given by its name.
///
/// >>> import noughts
/// >>> game = noughts.Game("classic")
/// >>> game
/// noughts.Game('classic')
/// >>> game.start().legal_moves
/// ['a1', 'a2', 'a3', 'b1', 'b2', 'b3', 'c1', 'c2', 'c3']
/// >>> noughts.Game("mnk:3,3,3") == game
/// True
#[pyclass(frozen, module = "noughts")]
pub(crate) struct Game {
    variant: Variant,
    /// The initial state, ready to be cloned.
    start: AnyGameState,
}

impl Game {
    pub(crate) fn from_variant(variant: Variant) -> Game {
        Game {
            variant,
            start: AnyGameState::new(variant),
        }
    }

    pub(crate) fn variant(&self) -> Variant {
        self.variant
    }
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (variant = None, /), text_signature = "(variant='classic', /)")]
    fn new(variant: Option<&Bound<'_, PyAny>>) -> PyResult<Game> {
        let variant = variant.map_or(Ok(Variant::CLASSIC), game_args::parse_variant)?;
        Ok(Game::from_variant(variant))
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
    fn start(&self) -> Position {
        Position::from_state(self.start.clone())
    }

    /// Returns the position described by `text`, or the start of the game, after playing `moves`.
    ///
    /// >>> noughts.Game("classic").position("x../.../... o", moves="b2 c3")
    /// noughts.Position('classic', 'x../.o./..x o')
    #[pyo3(signature = (text = None, /, *, moves = None))]
    fn position(&self, text: Option<&str>, moves: Option<&Bound<'_, PyAny>>) -> PyResult<Position> {
        Position::from_args(self.variant, text, moves)
    }

    /// The number of actions. Every move of the game is an action from 0 to `actions - 1`.
    #[getter]
    fn actions(&self) -> usize {
        self.start.count_actions()
    }

    /// The shape of `Position.observation()`: the number of planes, then the dimensions of the
    /// board.
    ///
    /// >>> noughts.Game("ultimate").observation_shape
    /// (5, 9, 9)
    #[getter]
    fn observation_shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.start.observation_shape())
    }

    /// Returns the action number of a move.
    ///
    /// >>> noughts.Game("ultimate").action("ee")
    /// 40
    fn action(&self, mv: &Bound<'_, PyAny>) -> PyResult<usize> {
        let mv = game_args::parse_move(&self.start, mv)?;
        self.start.action(&mv).raise::<IllegalMove>()
    }

    /// Returns the move with this action number.
    ///
    /// >>> noughts.Game("ultimate").move(40)
    /// 'ee'
    #[pyo3(name = "move")]
    fn mv(&self, action: &Bound<'_, PyAny>) -> PyResult<String> {
        game_args::parse_move(&self.start, action)
    }

    /// The names of the board's symmetries.
    #[getter]
    fn symmetries(&self) -> Vec<String> {
        let all = game_args::symmetries(&self.start);
        all.map(|symmetry| self.start.symmetry_name(symmetry))
            .collect()
    }

    /// Returns the move rotated or reflected, to match `Position.image`.
    ///
    /// >>> noughts.Game("classic").map_move("a1", "rotate90")
    /// 'c1'
    fn map_move(&self, mv: &Bound<'_, PyAny>, symmetry: &str) -> PyResult<String> {
        let mv = game_args::parse_move(&self.start, mv)?;
        let symmetry = game_args::parse_symmetry(&self.start, symmetry)?;
        let visitor = MapMove { mv: &mv, symmetry };
        self.start.visit(visitor).raise::<IllegalMove>()
    }

    fn __repr__(&self) -> String {
        format!("noughts.Game('{}')", self.variant)
    }

    fn __str__(&self) -> String {
        self.name()
    }

    fn __eq__(&self, other: &Game) -> bool {
        self.variant == other.variant
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

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String,)) {
        (py.get_type::<Game>(), (self.name(),))
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
/// `tic-tac-two:board=7`, `ception:5a,depth=3`; see `families`.
///
/// >>> import noughts
/// >>> noughts.variants()[:4]
/// ['classic', 'misere', 'mnk:4,4,4', 'mnk:15,15,5']
#[pyfunction]
pub(crate) fn variants() -> Vec<&'static str> {
    let presets = games::presets().into_iter();
    presets.map(|(_, preset)| preset.name).collect()
}
