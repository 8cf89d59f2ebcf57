//! An arbitrary board, possibly an impossible one, of the games whose positions are checked field by field.
//! [`SetupGame::position`] is the only way to turn it into a position.

use std::fmt::Debug;

use crate::error::{SetupError, SetupFaultKinds};
use crate::game::Game;
use crate::outcome::Side;

/// A game whose positions can be set up field by field.
pub trait SetupGame: Game {
    /// What a position has in addition to cells and the side to move.
    type Details: Clone + PartialEq + Debug + Default;

    /// Validates a setup. There is no other way to turn one into a position.
    ///
    /// # Errors
    /// Every reason why it can't be a position of this game.
    fn position(&self, setup: &Setup<Self::Details>) -> Result<Self::Position, SetupError>;

    /// The position as a setup, to be shown or edited.
    fn setup(&self, position: &Self::Position) -> Setup<Self::Details>;

    /// Parses the text of a position into a setup, which may still be impossible. Parse errors
    /// are reported and the rest is kept, so that [`Game::parse`] can report every fault at
    /// once.
    fn parse_setup(&self, text: &str) -> (Setup<Self::Details>, SetupError);

    /// The text of a setup.
    fn setup_text(&self, setup: &Setup<Self::Details>) -> String;
}

/// [`Game::parse`] by way of the setup.
pub(crate) fn parse_by_setup<G: SetupGame>(
    game: &G,
    text: &str,
) -> Result<G::Position, SetupError> {
    if text.is_empty() {
        return Err(SetupError::single(
            SetupFaultKinds::FIELDS,
            "the position is empty",
        ));
    }
    let (mut setup, mut faults) = game.parse_setup(text);
    match game.position(&setup) {
        Ok(position) if faults.is_empty() => return Ok(position),
        Ok(_) => {}
        Err(mut more) => {
            // An unreadable side was parsed as X, so only report faults that O would have, too.
            if faults.kinds().contains(SetupFaultKinds::SIDE) {
                setup.side = setup.side.other();
                let either = game.position(&setup).err().unwrap_or_default();
                more.retain_kinds(either.kinds());
            }
            faults.merge(more);
        }
    }
    Err(faults)
}

/// A board as described by the fields of a position's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup<D = ()> {
    /// The marks, cell by cell: in reading order on flat boards, in path order on nested ones.
    pub cells: Vec<Option<Side>>,
    /// The side to move.
    pub side: Side,
    /// What the game has in addition.
    pub details: D,
}

/// Who owns a nested board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Owner {
    /// Nobody yet.
    #[default]
    Nobody,
    /// Only this side.
    One(Side),
    /// Both sides (only under 4b).
    Both,
}

impl Owner {
    pub(crate) fn from_flags(x: bool, o: bool) -> Owner {
        match (x, o) {
            (false, false) => Owner::Nobody,
            (true, false) => Owner::One(Side::X),
            (false, true) => Owner::One(Side::O),
            (true, true) => Owner::Both,
        }
    }

    /// Does the board count for this side?
    #[must_use]
    pub fn counts_for(self, side: Side) -> bool {
        self == Owner::One(side) || self == Owner::Both
    }

    /// The letter in positions: `x`, `o`, `*` for both, `.` for nobody.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Owner::Nobody => '.',
            Owner::One(side) => side.letter(),
            Owner::Both => '*',
        }
    }
}

impl<D: Default> Setup<D> {
    /// An empty board with this many cells and X to move.
    ///
    /// ```
    /// use noughts_rules::{Game, Mnk, Setup, SetupGame, Side};
    /// let mut setup = Setup::new(9);
    /// setup.cells[4] = Some(Side::X);
    /// setup.side = Side::O;
    /// // . . .
    /// // . x .
    /// // . . .
    /// let game = Mnk::classic();
    /// assert_eq!(game.text(&game.position(&setup)?), ".../.x./... o");
    /// # Ok::<(), noughts_rules::SetupError>(())
    /// ```
    #[must_use]
    pub fn new(cells: usize) -> Setup<D> {
        Setup {
            cells: vec![None; cells],
            side: Side::X,
            details: D::default(),
        }
    }
}

impl<D> Setup<D> {
    /// How many marks this side has.
    #[must_use]
    pub fn count(&self, side: Side) -> usize {
        self.cells
            .iter()
            .filter(|&&cell| cell == Some(side))
            .count()
    }

    /// X must have as many marks as O if X is to move, and one more if O is.
    pub(crate) fn check_counts(&self, faults: &mut SetupError) {
        let (x, o) = (self.count(Side::X), self.count(Side::O));
        let right = match self.side {
            Side::X => x == o,
            Side::O => x == o + 1,
        };
        if !right {
            faults.add(
                SetupFaultKinds::COUNTS,
                format!(
                    "with {side} to move, X must have {rule}, but X has {x} and O has {o}",
                    side = self.side,
                    rule = match self.side {
                        Side::X => "as many marks as O",
                        Side::O => "one more mark than O",
                    },
                ),
            );
        }
    }

    /// Checks the number of cells. Nothing else can be validated unless it is right.
    pub(crate) fn check_size(&self, cells: usize, faults: &mut SetupError) -> bool {
        if self.cells.len() != cells {
            faults.add(
                SetupFaultKinds::SHAPE,
                format!(
                    "the board has {cells} cells, not {found}",
                    found = self.cells.len()
                ),
            );
        }
        self.cells.len() == cells
    }
}
