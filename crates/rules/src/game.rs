//! What every game of the family can do. Search is written against this trait
//! and compiled once for each game; front ends use [`AnyPlay`](crate::AnyPlay).

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::ControlFlow;

use rand_core::Rng;

use crate::drawing::Drawing;
use crate::error::{FaultKinds, MoveError, PlayError, SetupError};
use crate::outcome::{Ending, Outcome, Side};
use crate::setup::Setup;
use crate::symmetry::Symmetry;
use crate::variant::Variant;

/// The rules of one game: a value that knows the variant's options. Positions
/// and moves are plain data that mean nothing without it.
///
/// A game never panics. Positions that come from it are always consistent;
/// whatever comes from outside passes [`Game::position`] or [`Game::play`].
///
/// ```
/// use noughts_rules::{Game, Mnk};
///
/// let game = Mnk::classic();
/// let mut position = game.start();
/// for text in ["b2", "a1", "c1"] {
///     let mv = game.parse_move(text)?;
///     position = game.play(position, mv).map_err(|refused| refused.reason)?;
/// }
/// //   a b c
/// // 1 o . x
/// // 2 . x .
/// // 3 . . .
/// assert_eq!(game.text(&position), "o.x/.x./... o");
///
/// let refused = game.play(position, game.parse_move("b2")?).unwrap_err();
/// assert_eq!(refused.reason.to_string(), "b2 is taken");
/// assert_eq!(game.text(&refused.position), "o.x/.x./... o");
/// # Ok::<(), noughts_rules::Refusal>(())
/// ```
pub trait Game: Clone + Debug + Send + Sync + 'static {
    /// A position: the marks and everything else that decides what may follow.
    type Position: Clone + Eq + Ord + Hash + Debug + Send + Sync;

    /// A move, meaningful together with the game it belongs to.
    type Move: Copy + Eq + Ord + Hash + Debug + Send + Sync;

    /// Can a position come back in play? Then its third occurrence is a draw,
    /// which [`Play`](crate::Play) sees to.
    const CAN_REPEAT: bool = false;

    /// The variant, which prints as the game's canonical name.
    fn variant(&self) -> Variant;

    /// The position before the first move.
    fn start(&self) -> Self::Position;

    /// Who moves next; after the end, whoever would have moved next.
    fn side(&self, position: &Self::Position) -> Side;

    /// The result, once the position itself ends the game.
    fn outcome(&self, position: &Self::Position) -> Option<Outcome>;

    /// How the position ended the game.
    fn ending(&self, position: &Self::Position) -> Option<Ending>;

    /// How many pieces are on the board: the moves made so far, except in
    /// Tic-Tac-Two, where it is the least number of moves.
    fn count_pieces(&self, position: &Self::Position) -> usize;

    /// Calls `visit` with each legal move until it breaks. No moves once the
    /// game is over. The order is fixed.
    fn visit_moves<B>(
        &self,
        position: &Self::Position,
        visit: impl FnMut(Self::Move) -> ControlFlow<B>,
    ) -> ControlFlow<B>;

    /// How many legal moves there are, without making a list of them.
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

    /// Makes a legal move in place. For search: nothing is checked. A move that
    /// is not legal leaves a position that means nothing (but no panic); where
    /// legality is not certain, use [`Game::play`].
    fn apply(&self, position: &mut Self::Position, mv: Self::Move);

    /// Is this move legal, and if not, why not?
    ///
    /// # Errors
    /// The reason as a sentence for people.
    fn check(&self, position: &Self::Position, mv: Self::Move) -> Result<(), MoveError>;

    /// Sixty-four bits over **all** of the position: marks, side, grid, trail,
    /// owners, extra move. The same on every machine.
    fn hash(&self, position: &Self::Position) -> u64;

    /// The symmetries of this game's board, the identity first.
    fn symmetries(&self) -> &'static [Symmetry];

    /// The position turned or mirrored.
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

    /// The move turned or mirrored likewise.
    fn map_move(&self, mv: Self::Move, symmetry: Symmetry) -> Self::Move;

    /// The one gate from a set-up board to a position.
    ///
    /// # Errors
    /// Every reason why it cannot be a position of this game.
    fn position(&self, setup: &Setup) -> Result<Self::Position, SetupError>;

    /// The position laid open, to be shown or edited.
    fn setup(&self, position: &Self::Position) -> Setup;

    /// Reads a position's text into a set-up board, which may still be
    /// impossible. What cannot be read is reported; the rest is kept, so that
    /// [`Game::parse`] can name every fault at once.
    fn parse_setup(&self, text: &str) -> (Setup, SetupError);

    /// The text of a set-up board.
    fn setup_text(&self, setup: &Setup) -> String;

    /// Reads a move's name.
    ///
    /// # Errors
    /// What a move of this game looks like.
    fn parse_move(&self, text: &str) -> Result<Self::Move, MoveError>;

    /// The move's name.
    fn move_text(&self, mv: Self::Move) -> String;

    /// How many numbers there are for moves: every move of any position of this game has
    /// one below it, for programs that learn. Flat boards number their cells in reading
    /// order, nested ones in the order of paths; Tic-Tac-Two has the cells to place a piece
    /// on first, then the grid's centres, then all pairs of cells, from and to.
    ///
    /// ```
    /// use noughts_rules::{Game, Mnk, TicTacTwo};
    /// assert_eq!(Mnk::classic().count_actions(), 9);
    /// assert_eq!(TicTacTwo::standard().count_actions(), 25 + 25 + 25 * 25);
    /// ```
    fn count_actions(&self) -> usize;

    /// The move's number. (A move of another game may have any number.)
    ///
    /// ```
    /// use noughts_rules::{Game, Mnk};
    /// let game = Mnk::classic();
    /// // 0 1 2
    /// // 3 4 5
    /// // 6 7 8
    /// assert_eq!(game.action(game.parse_move("c1")?), 2);
    /// # Ok::<(), noughts_rules::Refusal>(())
    /// ```
    fn action(&self, mv: Self::Move) -> usize;

    /// The move with this number; none from [`Game::count_actions`] on.
    ///
    /// ```
    /// use noughts_rules::{Game, Mnk};
    /// let game = Mnk::classic();
    /// assert_eq!(game.of_action(4).map(|mv| game.move_text(mv)).as_deref(), Some("b2"));
    /// assert_eq!(game.of_action(9), None);
    /// ```
    fn move_from_action(&self, action: usize) -> Option<Self::Move>;

    /// The shape of what [`Game::observe`] writes: how many planes, then the sides of the
    /// board.
    ///
    /// ```
    /// use noughts_rules::{Game, Mnk, Nested};
    /// assert_eq!(Mnk::classic().observation_shape(), [2, 3, 3]);
    /// assert_eq!(Nested::ultimate().observation_shape(), [5, 9, 9]);
    /// ```
    fn observation_shape(&self) -> Vec<usize>;

    /// Writes what the side to move sees, for programs that learn: planes of zeros and
    /// ones, one byte a cell. With the game it says all that decides how play goes on,
    /// except what only [`Play`](crate::Play) knows. The first two planes are one's own
    /// marks and the other player's. Then:
    ///
    /// - Tic-Tac-Two: the cells of the grid. (How many pieces are left to place follows.)
    /// - Nested boards deeper than one: for each level from the outermost, the boards that
    ///   one owns and those that the other owns, over all of their cells; the board that
    ///   the trail names as far as it goes, nothing if there is no trail; under 5c and 5d
    ///   all ones if the move to come is an extra one. Cells are in the order of paths.
    ///
    /// A buffer whose length is not the product of the shape is left as it is.
    ///
    /// ```
    /// use noughts_rules::{Game, Mnk};
    /// let game = Mnk::classic();
    /// // x o .
    /// // . x .      O is to move.
    /// // . . .
    /// let position = game.parse("xo./.x./... o")?;
    /// let mut planes = [0; 2 * 9];
    /// game.observe(&position, &mut planes);
    /// assert_eq!(planes[..9], [0, 1, 0, 0, 0, 0, 0, 0, 0]);
    /// assert_eq!(planes[9..], [1, 0, 0, 0, 1, 0, 0, 0, 0]);
    /// # Ok::<(), noughts_rules::SetupError>(())
    /// ```
    fn write_observation(&self, position: &Self::Position, planes: &mut [u8]);

    /// Writes which of the numbered moves are legal: 1 for those that are, 0 for the
    /// others. A buffer whose length is not [`Game::count_actions`] is left as it is.
    ///
    /// ```
    /// use noughts_rules::{Game, Mnk};
    /// let game = Mnk::classic();
    /// // x o .
    /// // . x .
    /// // . . .
    /// let position = game.parse("xo./.x./... o")?;
    /// let mut mask = [0; 9];
    /// game.mask(&position, &mut mask);
    /// assert_eq!(mask, [0, 0, 1, 1, 0, 1, 1, 1, 1]);
    /// # Ok::<(), noughts_rules::SetupError>(())
    /// ```
    fn write_action_mask(&self, position: &Self::Position, mask: &mut [i8]);

    /// The board as a picture, the last move and the legal cells set off. Once
    /// the game is over (`going_on` is false) no cell is shown as legal.
    fn render(
        &self,
        position: &Self::Position,
        last: Option<Self::Move>,
        going_on: bool,
    ) -> Drawing;

    /// What the player to move is to do, as a sentence part for people.
    fn prompt(&self, position: &Self::Position) -> String;

    // ---- what follows from the above ----

    /// Makes a move, or refuses it and gives the position back.
    ///
    /// # Errors
    /// The position as it was, and the reason.
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
        let ControlFlow::Continue(()) =
            self.visit_moves::<std::convert::Infallible>(position, |mv| {
                moves.push(mv);
                ControlFlow::Continue(())
            });
        moves
    }

    /// A legal move, each as likely as the others; none when the game is over.
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

    /// Plays random moves to the end, each legal move as likely as the others;
    /// gives the outcome and the number of moves made. The same generator in
    /// the same state gives the same game.
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

    /// The least of the position's images, and the symmetry that leads to it:
    /// equal for all positions that are the same up to turning and mirroring.
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

    /// Reads a position.
    ///
    /// ```
    /// use noughts_rules::{FaultKinds, Game, Mnk};
    /// // A row too short, an unknown letter, an unknown side: all are named.
    /// let faults = Mnk::classic().parse("xo/.?./... z").unwrap_err();
    /// assert_eq!(
    ///     faults.kinds(),
    ///     FaultKinds::SHAPE | FaultKinds::LETTERS | FaultKinds::SIDE,
    /// );
    /// ```
    ///
    /// # Errors
    /// Every reason why the text is not a position of this game.
    fn parse(&self, text: &str) -> Result<Self::Position, SetupError> {
        if text.is_empty() {
            return Err(SetupError::single(FaultKinds::FIELDS, "the text is empty"));
        }
        let (mut setup, mut faults) = self.parse_setup(text);
        match self.position(&setup) {
            Ok(position) if faults.is_empty() => return Ok(position),
            Ok(_) => {}
            Err(mut more) => {
                // A side that cannot be read is taken for X: what holds of O, too, is a fault.
                if faults.kinds().contains(FaultKinds::SIDE) {
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

/// A number below `n`, each exactly as likely (Lemire's method: a product in
/// place of a division, and a retry for the few values that would be unfair).
#[inline]
pub(crate) fn random_below(n: u32, rng: &mut (impl Rng + ?Sized)) -> u32 {
    let mut product = u64::from(rng.next_u32()) * u64::from(n);
    if (product as u32) < n {
        let unfair = n.wrapping_neg() % n;
        while (product as u32) < unfair {
            product = u64::from(rng.next_u32()) * u64::from(n);
        }
    }
    (product >> 32) as u32
}
