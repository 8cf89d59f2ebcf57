//! The trait every game implements. Search is written against it and compiled once for
//! each game; front ends use [`AnyGameState`](crate::AnyGameState).

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::ControlFlow;

use rand_core::Rng;

use crate::drawing::Drawing;
use crate::error::{MoveError, PlayError, SetupError, SetupFaultKinds};
use crate::outcome::{Ending, Outcome, Side};
use crate::setup::Setup;
use crate::symmetry::Symmetry;
use crate::variant::Variant;

/// The rules of one game, including the variant's options. Positions and moves are plain
/// data that mean nothing without it.
///
/// A game never panics. Positions that come from it are always consistent; anything from
/// outside goes through [`Game::position`] or [`Game::play`].
///
/// ```
/// use noughts_rules::{Game, Mnk};
///
/// let game = Mnk::classic();
/// let mut position = game.start();
/// for text in ["b2", "a1", "c1"] {
///     let mv = game.parse_move(text)?;
///     position = game.play(position, mv).map_err(|error| error.reason)?;
/// }
/// //   a b c
/// // 1 o . x
/// // 2 . x .
/// // 3 . . .
/// assert_eq!(game.text(&position), "o.x/.x./... o");
///
/// let error = game.play(position, game.parse_move("b2")?).unwrap_err();
/// assert_eq!(error.reason.to_string(), "b2 is taken");
/// assert_eq!(game.text(&error.position), "o.x/.x./... o");
/// # Ok::<(), noughts_rules::MoveError>(())
/// ```
pub trait Game: Clone + Debug + Send + Sync + 'static {
    /// A position: the marks and everything else that determines the legal moves.
    type Position: Clone + Eq + Ord + Hash + Debug + Send + Sync;

    /// A move. It is only meaningful together with its game.
    type Move: Copy + Eq + Ord + Hash + Debug + Send + Sync;

    /// Can a position occur again later in the same game? If so, its third occurrence is a
    /// draw, which [`GameState`](crate::GameState) detects.
    const CAN_REPEAT: bool = false;

    /// The variant, which prints as the game's canonical name.
    fn variant(&self) -> Variant;

    /// The position before the first move.
    fn start(&self) -> Self::Position;

    /// The side to move; after the end, the side that would have moved next.
    fn side(&self, position: &Self::Position) -> Side;

    /// The result, if the position itself ends the game.
    fn outcome(&self, position: &Self::Position) -> Option<Outcome>;

    /// How the game ended, if the position itself ends it.
    fn ending(&self, position: &Self::Position) -> Option<Ending>;

    /// How many pieces are on the board. This is the number of moves made so far, except in
    /// Tic-Tac-Two, where it is a lower bound.
    fn count_pieces(&self, position: &Self::Position) -> usize;

    /// Calls `visit` with each legal move until it breaks. The order is fixed. There are no
    /// moves once the game is over.
    fn visit_moves<B>(
        &self,
        position: &Self::Position,
        visit: impl FnMut(Self::Move) -> ControlFlow<B>,
    ) -> ControlFlow<B>;

    /// How many legal moves there are, without building a list.
    ///
    /// ```
    /// use noughts_rules::{Game, Mnk};
    /// let game = Mnk::classic();
    /// // x o x
    /// // . x .
    /// // o . .
    /// let position = game.parse("xox/.x./o.. o")?;
    /// assert_eq!(game.count_moves(&position), 4);
    /// # Ok::<(), noughts_rules::SetupError>(())
    /// ```
    fn count_moves(&self, position: &Self::Position) -> usize;

    /// The n-th legal move in the order of [`Game::visit_moves`].
    fn nth_move(&self, position: &Self::Position, n: usize) -> Option<Self::Move>;

    /// Makes a legal move in place. For search: nothing is checked. An illegal move leaves a
    /// meaningless position (but doesn't panic); unless the move is known to be legal, use
    /// [`Game::play`].
    fn apply(&self, position: &mut Self::Position, mv: Self::Move);

    /// Is this move legal, and if not, why not?
    ///
    /// # Errors
    /// The reason, as a sentence for people.
    fn check(&self, position: &Self::Position, mv: Self::Move) -> Result<(), MoveError>;

    /// A 64-bit hash of **all** of the position: marks, side, grid, trail, owners, extra move.
    /// It is the same on every machine.
    fn hash(&self, position: &Self::Position) -> u64;

    /// The symmetries of this game's board, the identity first.
    fn symmetries(&self) -> &'static [Symmetry];

    /// The position rotated or reflected.
    ///
    /// ```
    /// use noughts_rules::{Game, Mnk, Symmetry};
    /// let game = Mnk::classic();
    /// // x o .      . . x
    /// // . . .  ->  . . o
    /// // . . .      . . .
    /// let position = game.parse("xo./.../... x")?;
    /// let image = game.map_position(&position, Symmetry::Rotate90);
    /// assert_eq!(game.text(&image), "..x/..o/... x");
    /// # Ok::<(), noughts_rules::SetupError>(())
    /// ```
    fn map_position(&self, position: &Self::Position, symmetry: Symmetry) -> Self::Position;

    /// The move rotated or reflected in the same way.
    fn map_move(&self, mv: Self::Move, symmetry: Symmetry) -> Self::Move;

    /// Validates a setup. There is no other way to turn one into a position.
    ///
    /// # Errors
    /// Every reason why it can't be a position of this game.
    fn position(&self, setup: &Setup) -> Result<Self::Position, SetupError>;

    /// The position as a setup, to be shown or edited.
    fn setup(&self, position: &Self::Position) -> Setup;

    /// Parses the text of a position into a setup, which may still be impossible. Parse errors
    /// are reported and the rest is kept, so that [`Game::parse`] can report every fault at
    /// once.
    fn parse_setup(&self, text: &str) -> (Setup, SetupError);

    /// The text of a setup.
    fn setup_text(&self, setup: &Setup) -> String;

    /// Parses a move.
    ///
    /// # Errors
    /// An explanation of what a move of this game looks like.
    fn parse_move(&self, text: &str) -> Result<Self::Move, MoveError>;

    /// The text of a move.
    fn move_text(&self, mv: Self::Move) -> String;

    /// The size of the action space: every move of every position of this game has an action
    /// number below it. Flat boards number their cells in reading order and nested boards in
    /// path order; Tic-Tac-Two numbers the placements first, then the grid centers, then all
    /// pairs of cells (from, to).
    ///
    /// ```
    /// use noughts_rules::{Game, Mnk, TicTacTwo};
    /// assert_eq!(Mnk::classic().count_actions(), 9);
    /// assert_eq!(TicTacTwo::standard().count_actions(), 25 + 25 + 25 * 25);
    /// ```
    fn count_actions(&self) -> usize;

    /// The move's action number. (For a move of another game it is meaningless.)
    ///
    /// ```
    /// use noughts_rules::{Game, Mnk};
    /// let game = Mnk::classic();
    /// // 0 1 2
    /// // 3 4 5
    /// // 6 7 8
    /// assert_eq!(game.action(game.parse_move("c1")?), 2);
    /// # Ok::<(), noughts_rules::MoveError>(())
    /// ```
    fn action(&self, mv: Self::Move) -> usize;

    /// The move with this action number, or `None` if it is out of range.
    ///
    /// ```
    /// use noughts_rules::{Game, Mnk};
    /// let game = Mnk::classic();
    /// assert_eq!(game.move_from_action(4).map(|mv| game.move_text(mv)).as_deref(), Some("b2"));
    /// assert_eq!(game.move_from_action(9), None);
    /// ```
    fn move_from_action(&self, action: usize) -> Option<Self::Move>;

    /// The shape of what [`Game::write_observation`] writes: the number of planes, then the
    /// dimensions of the board.
    ///
    /// ```
    /// use noughts_rules::{Game, Mnk, Nested};
    /// assert_eq!(Mnk::classic().observation_shape(), [2, 3, 3]);
    /// assert_eq!(Nested::ultimate().observation_shape(), [5, 9, 9]);
    /// ```
    fn observation_shape(&self) -> Vec<usize>;

    /// Writes the observation of the side to move, as input for machine learning: planes of
    /// zeros and ones, one byte per cell. Together with the game it determines everything
    /// about the rest of the game, except what only [`GameState`](crate::GameState) knows. The
    /// first two planes are the marks of the side to move and those of the opponent. Then:
    ///
    /// - Tic-Tac-Two: the cells of the grid. (The number of pieces in hand can be derived.)
    /// - Nested boards deeper than one: for each level from the outermost, the boards that the
    ///   side to move owns and those that the opponent owns, spread over all of their cells;
    ///   the board named by the trail so far, all zeros if there is no trail; under 5c and 5d
    ///   all ones if the next move is an extra move. Cells are in path order.
    ///
    /// If the buffer's length isn't the product of the shape, it is left unchanged.
    ///
    /// ```
    /// use noughts_rules::{Game, Mnk};
    /// let game = Mnk::classic();
    /// // x o .
    /// // . x .      O is to move.
    /// // . . .
    /// let position = game.parse("xo./.x./... o")?;
    /// let mut planes = [0; 2 * 9];
    /// game.write_observation(&position, &mut planes);
    /// assert_eq!(planes[..9], [0, 1, 0, 0, 0, 0, 0, 0, 0]);
    /// assert_eq!(planes[9..], [1, 0, 0, 0, 1, 0, 0, 0, 0]);
    /// # Ok::<(), noughts_rules::SetupError>(())
    /// ```
    fn write_observation(&self, position: &Self::Position, planes: &mut [u8]);

    /// Writes the action mask: 1 for every legal action, 0 for the others. If the buffer's
    /// length isn't [`Game::count_actions`], it is left unchanged.
    ///
    /// ```
    /// use noughts_rules::{Game, Mnk};
    /// let game = Mnk::classic();
    /// // x o .
    /// // . x .
    /// // . . .
    /// let position = game.parse("xo./.x./... o")?;
    /// let mut mask = [0; 9];
    /// game.write_action_mask(&position, &mut mask);
    /// assert_eq!(mask, [0, 0, 1, 1, 0, 1, 1, 1, 1]);
    /// # Ok::<(), noughts_rules::SetupError>(())
    /// ```
    fn write_action_mask(&self, position: &Self::Position, mask: &mut [i8]);

    /// Draws the board in text, with the last move and the legal cells marked. Once the game
    /// is over (`is_ongoing` is false), no cell is marked as legal.
    fn render(
        &self,
        position: &Self::Position,
        last: Option<Self::Move>,
        is_ongoing: bool,
    ) -> Drawing;

    /// What the side to move may do, as a sentence fragment for people.
    fn prompt(&self, position: &Self::Position) -> String;

    // ---- Provided methods ----

    /// Makes a move, or rejects it and returns the position.
    ///
    /// # Errors
    /// The unchanged position, and the reason.
    fn play(
        &self,
        mut position: Self::Position,
        mv: Self::Move,
    ) -> Result<Self::Position, PlayError<Self::Position>> {
        match self.check(&position, mv) {
            Ok(()) => {
                self.apply(&mut position, mv);
                Ok(position)
            }
            Err(reason) => Err(PlayError { position, reason }),
        }
    }

    /// All legal moves.
    fn moves(&self, position: &Self::Position) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        self.for_each_move(position, |mv| moves.push(mv));
        moves
    }

    /// Calls `visit` with each legal move, in the order of [`Game::visit_moves`].
    #[inline]
    fn for_each_move(&self, position: &Self::Position, mut visit: impl FnMut(Self::Move)) {
        let ControlFlow::Continue(()) =
            self.visit_moves::<std::convert::Infallible>(position, |mv| {
                visit(mv);
                ControlFlow::Continue(())
            });
    }

    /// The position after a legal move. For search, as [`Game::apply`]: nothing is checked.
    #[inline]
    fn after(&self, position: &Self::Position, mv: Self::Move) -> Self::Position {
        let mut next = position.clone();
        self.apply(&mut next, mv);
        next
    }

    /// A uniformly random legal move, or `None` if the game is over.
    #[inline]
    fn random_move(
        &self,
        position: &Self::Position,
        rng: &mut (impl Rng + ?Sized),
    ) -> Option<Self::Move> {
        match self.count_moves(position) {
            0 => None,
            n => self.nth_move(position, random_below(n as u32, rng) as usize),
        }
    }

    /// Plays uniformly random moves until the game ends; returns the outcome and the number of
    /// moves made. A generator in the same state produces the same game.
    ///
    /// ```
    /// use noughts_rules::{Game, Mnk};
    /// use rand_core::SeedableRng;
    /// use rand_xoshiro::Xoshiro256PlusPlus;
    ///
    /// let game = Mnk::classic();
    /// // x x .
    /// // o o x      Two cells are left.
    /// // x o .
    /// let start = game.parse("xx./oox/xo. o")?;
    /// let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    /// let (outcome, plies) = game.playout(&mut start.clone(), &mut rng);
    /// let mut again = Xoshiro256PlusPlus::seed_from_u64(1);
    /// assert_eq!(game.playout(&mut start.clone(), &mut again), (outcome, plies));
    /// # Ok::<(), noughts_rules::SetupError>(())
    /// ```
    #[inline]
    fn playout(
        &self,
        position: &mut Self::Position,
        rng: &mut (impl Rng + ?Sized),
    ) -> (Outcome, u32) {
        let mut plies = 0;
        loop {
            if let Some(outcome) = self.outcome(position) {
                return (outcome, plies);
            }
            let Some(mv) = self.random_move(position, rng) else {
                return (Outcome::Draw, plies);
            };
            self.apply(position, mv);
            plies += 1;
        }
    }

    /// The smallest of the position's images, and the symmetry that leads to it. It is the same
    /// for all positions that differ only by rotation or reflection.
    ///
    /// ```
    /// use noughts_rules::{Game, Mnk};
    /// let game = Mnk::classic();
    /// // x . .      . . .
    /// // . . .      . . .
    /// // . . .      . . x
    /// let [one, other] = ["x../.../... o", ".../.../..x o"].map(|text| game.parse(text).unwrap());
    /// assert_eq!(game.canonical(&one).0, game.canonical(&other).0);
    /// ```
    fn canonical(&self, position: &Self::Position) -> (Self::Position, Symmetry) {
        let mut best = (position.clone(), Symmetry::Identity);
        for &symmetry in &self.symmetries()[1..] {
            let image = self.map_position(position, symmetry);
            if image < best.0 {
                best = (image, symmetry);
            }
        }
        best
    }

    /// The position as one line of text.
    fn text(&self, position: &Self::Position) -> String {
        self.setup_text(&self.setup(position))
    }

    /// Parses a position.
    ///
    /// ```
    /// use noughts_rules::{SetupFaultKinds, Game, Mnk};
    /// // A short row, an unknown letter and an unknown side are all reported.
    /// let faults = Mnk::classic().parse("xo/.?./... z").unwrap_err();
    /// assert_eq!(
    ///     faults.kinds(),
    ///     SetupFaultKinds::SHAPE | SetupFaultKinds::LETTERS | SetupFaultKinds::SIDE,
    /// );
    /// ```
    ///
    /// # Errors
    /// Every reason why the text is not a position of this game.
    fn parse(&self, text: &str) -> Result<Self::Position, SetupError> {
        if text.is_empty() {
            return Err(SetupError::single(
                SetupFaultKinds::FIELDS,
                "the position is empty",
            ));
        }
        let (mut setup, mut faults) = self.parse_setup(text);
        match self.position(&setup) {
            Ok(position) if faults.is_empty() => return Ok(position),
            Ok(_) => {}
            Err(mut more) => {
                // An unreadable side was parsed as X, so only report faults that O would have, too.
                if faults.kinds().contains(SetupFaultKinds::SIDE) {
                    setup.side = setup.side.other();
                    let either = self.position(&setup).err().unwrap_or_default();
                    more.retain_kinds(either.kinds());
                }
                faults.merge(more);
            }
        }
        Err(faults)
    }
}

/// A uniform random number below `n` (Lemire's method: a multiplication instead of a
/// division, and a retry for the few values that would introduce bias).
#[inline]
pub(crate) fn random_below(n: u32, rng: &mut (impl Rng + ?Sized)) -> u32 {
    let mut product = u64::from(rng.next_u32()) * u64::from(n);
    if (product as u32) < n {
        let threshold = n.wrapping_neg() % n;
        while (product as u32) < threshold {
            product = u64::from(rng.next_u32()) * u64::from(n);
        }
    }
    (product >> 32) as u32
}
