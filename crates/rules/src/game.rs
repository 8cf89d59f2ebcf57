//! The trait every game implements. Search is written against it and compiled for each type of game; games behind
//! [`DynGame`](crate::DynGame) share one copy. Front ends use [`AnyGameState`](crate::AnyGameState).

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::ControlFlow;

use rand_core::Rng;

use crate::drawing::{Drawing, draw_view};
use crate::error::{MoveError, MoveErrorKind, PlayError, SetupError};
use crate::game_state::REPETITIONS;
use crate::hash::PositionHasher;
use crate::notation::quoted;
use crate::outcome::{Ending, Outcome, Side};
use crate::symmetry::Symmetry;
use crate::variant::Variant;
use crate::view::{BoardShape, CellView, Frame, Piece, Place, Target};

/// The rules of one game, including the variant's options. Positions and moves are plain
/// data that mean nothing without it.
///
/// A game never panics. Positions that come from it are always consistent; anything from
/// outside goes through [`Game::parse`] or [`Game::play`].
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

    /// The variant, which prints as the game's canonical name.
    fn variant(&self) -> Variant;

    /// The position before the first move.
    fn start(&self) -> Self::Position;

    /// The side to move; after the end, the side that would have moved next.
    fn side(&self, position: &Self::Position) -> Side;

    /// The result, if the position itself ends the game.
    fn outcome(&self, position: &Self::Position) -> Option<Outcome>;

    /// Calls `visit` with each legal move until it breaks. The order is fixed. There are no
    /// moves once the game is over.
    fn visit_moves<B>(
        &self,
        position: &Self::Position,
        visit: impl FnMut(Self::Move) -> ControlFlow<B>,
    ) -> ControlFlow<B>;

    /// Makes a legal move in place. For search: nothing is checked. An illegal move leaves a
    /// meaningless position (but doesn't panic); unless the move is known to be legal, use
    /// [`Game::play`].
    fn apply(&self, position: &mut Self::Position, mv: Self::Move);

    /// The position as one line of text. It determines everything about the rest of the game.
    ///
    /// ```
    /// use noughts_rules::{Game, Mnk};
    /// assert_eq!(Mnk::classic().text(&Mnk::classic().start()), ".../.../... x");
    /// ```
    fn text(&self, position: &Self::Position) -> String;

    /// Parses and validates the text of a position.
    ///
    /// ```
    /// use noughts_rules::{Game, Mnk, SetupFaultKinds};
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
    fn parse(&self, text: &str) -> Result<Self::Position, SetupError>;

    /// Every move that can be legal in some position, in the order of the action numbers.
    ///
    /// ```
    /// use noughts_rules::{Game, Mnk};
    /// let game = Mnk::classic();
    /// let moves: Vec<String> = game.actions().into_iter().map(|mv| game.move_text(mv)).collect();
    /// assert_eq!(moves[..4], ["a1", "b1", "c1", "a2"]);
    /// ```
    fn actions(&self) -> Vec<Self::Move>;

    /// The text of a move.
    fn move_text(&self, mv: Self::Move) -> String;

    /// How the board is divided.
    fn board(&self) -> BoardShape;

    /// What is in a place of the board.
    fn cell(&self, position: &Self::Position, place: Place) -> CellView;

    /// How a player makes a move: what they touch, in order. See also [`Game::taps_in`].
    fn taps(&self, mv: Self::Move) -> Vec<Target>;

    // ---- What a game may know better: rules ----

    /// Can a position occur again later in the same game? If so, its third occurrence is a
    /// draw, which [`GameState`](crate::GameState) detects.
    #[inline]
    fn can_repeat(&self) -> bool {
        false
    }

    /// How the game ended, if the position itself ends it.
    fn ending(&self, position: &Self::Position) -> Option<Ending> {
        self.outcome(position).map(|outcome| match outcome {
            Outcome::Win(_) => Ending::Line,
            Outcome::Draw => Ending::NoMove,
        })
    }

    /// The least number of moves that lead from the start to this position, as far as the board
    /// shows it: usually how many pieces are on the board.
    fn count_pieces(&self, position: &Self::Position) -> usize {
        let shape = self.board();
        let cells = (0..shape.count_cells()).map(|index| shape.cell(index));
        cells
            .map(|cell| self.cell(position, cell).pieces.len())
            .sum()
    }

    /// An upper bound on the number of plies left; `None` where positions can repeat. By default,
    /// every move fills a cell.
    fn max_plies_left(&self, position: &Self::Position) -> Option<u32> {
        let cells = self.board().count_cells();
        let left = cells.saturating_sub(self.count_pieces(position) as u32);
        (!self.can_repeat()).then_some(left)
    }

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
    #[inline]
    fn count_moves(&self, position: &Self::Position) -> usize {
        let mut count = 0;
        self.for_each_move(position, |_| count += 1);
        count
    }

    /// The n-th legal move in the order of [`Game::visit_moves`].
    #[inline]
    fn nth_move(&self, position: &Self::Position, n: usize) -> Option<Self::Move> {
        let mut left = n;
        let found = self.visit_moves(position, |mv| {
            if left == 0 {
                return ControlFlow::Break(mv);
            }
            left -= 1;
            ControlFlow::Continue(())
        });
        found.break_value()
    }

    /// Is this move legal, and if not, why not?
    ///
    /// # Errors
    /// The reason, as a sentence for people.
    fn check(&self, position: &Self::Position, mv: Self::Move) -> Result<(), MoveError> {
        if let Some(outcome) = self.outcome(position) {
            return Err(MoveError::game_over(outcome));
        }
        let found = self.visit_moves(position, |legal| match legal == mv {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        });
        match found {
            ControlFlow::Break(()) => Ok(()),
            ControlFlow::Continue(()) => Err(self.rejection(position, mv)),
        }
    }

    /// Why a move that isn't legal now is rejected. The game isn't over.
    fn rejection(&self, position: &Self::Position, mv: Self::Move) -> MoveError {
        let shape = self.board();
        let taken = self
            .taps_in(position, mv)
            .into_iter()
            .find_map(|target| match target {
                Target::Place(place) if shape.contains(place) => {
                    let is_taken = self.cell(position, place).top().is_some();
                    is_taken.then(|| self.place_name(place))
                }
                _ => None,
            });
        match taken {
            Some(cell) => MoveError::cell_taken(&cell),
            None => MoveError::new(
                MoveErrorKind::NotAllowed,
                format!("{mv} isn't allowed now", mv = self.move_text(mv)),
            ),
        }
    }

    /// Parses a move.
    ///
    /// # Errors
    /// An explanation of what a move of this game looks like.
    fn parse_move(&self, text: &str) -> Result<Self::Move, MoveError> {
        let mut actions = self.actions().into_iter();
        let found = actions.find(|&mv| self.move_text(mv) == text);
        found.ok_or_else(|| self.not_a_move(text))
    }

    /// The error for a text that isn't a move.
    fn not_a_move(&self, text: &str) -> MoveError {
        let actions = self.actions();
        let examples: Vec<String> = [actions.first(), actions.last()]
            .into_iter()
            .flatten()
            .map(|&mv| self.move_text(mv))
            .collect();
        MoveError::new(
            MoveErrorKind::NotAMove,
            format!(
                "{text} isn't a move of this game; moves look like {examples}",
                text = quoted(text),
                examples = examples.join(" and ")
            ),
        )
    }

    /// A 64-bit hash of **all** of the position: everything that determines the rest of the game. It is the same on every
    /// machine.
    fn hash(&self, position: &Self::Position) -> u64 {
        let mut hasher = PositionHasher::new();
        position.hash(&mut hasher);
        hasher.finish()
    }

    /// How many symmetries the board has, including the identity, which is the first.
    #[inline]
    fn count_symmetries(&self) -> u32 {
        1
    }

    /// The name of a symmetry.
    fn symmetry_name(&self, symmetry: Symmetry) -> String {
        match symmetry.0 {
            0 => "identity".into(),
            n => format!("symmetry {n}"),
        }
    }

    /// The position as a symmetry of the board maps it.
    ///
    /// ```
    /// use noughts_rules::{Game, Mnk, SquareSymmetry};
    /// let game = Mnk::classic();
    /// // x o .      . . x
    /// // . . .  ->  . . o
    /// // . . .      . . .
    /// let position = game.parse("xo./.../... x")?;
    /// let image = game.map_position(&position, SquareSymmetry::Rotate90.into());
    /// assert_eq!(game.text(&image), "..x/..o/... x");
    /// # Ok::<(), noughts_rules::SetupError>(())
    /// ```
    fn map_position(&self, position: &Self::Position, _symmetry: Symmetry) -> Self::Position {
        position.clone()
    }

    /// The move mapped in the same way.
    fn map_move(&self, mv: Self::Move, _symmetry: Symmetry) -> Self::Move {
        mv
    }

    /// How many numbers [`Game::position_number`] uses, in games that number their positions; 0 in others. Solvers list the
    /// positions of a small game by playing it from the start; with numbers they need neither a list nor the memory for it.
    fn count_position_numbers(&self) -> u64 {
        0
    }

    /// The number of the position, below [`Game::count_position_numbers`]. Only positions that are equivalent for the side
    /// to move share a number: images of each other, or the same with the colors exchanged. Every position that can follow a
    /// numbered one has a number, too.
    fn position_number(&self, _position: &Self::Position) -> Option<u64> {
        None
    }

    /// A position with this number, or `None` if the number isn't used.
    fn position_from_number(&self, _number: u64) -> Option<Self::Position> {
        None
    }

    /// The digits of another program's format, in games that have one.
    fn to_digits(&self, _position: &Self::Position) -> Option<String> {
        None
    }

    /// A JSON list of lists, in games that have this format.
    fn to_lists(&self, _position: &Self::Position) -> Option<String> {
        None
    }

    // ---- What a game may know better: action numbers and observations ----

    /// The size of the action space: every move of every position of this game has an action
    /// number below it, its place in [`Game::actions`].
    ///
    /// ```
    /// use noughts_rules::{Game, Mnk, TicTacTwo};
    /// assert_eq!(Mnk::classic().count_actions(), 9);
    /// assert_eq!(TicTacTwo::standard().count_actions(), 25 + 25 + 25 * 25);
    /// ```
    fn count_actions(&self) -> usize {
        self.actions().len()
    }

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
    fn action(&self, mv: Self::Move) -> usize {
        let actions = self.actions();
        let found = actions.iter().position(|&action| action == mv);
        found.unwrap_or_default()
    }

    /// The move with this action number, or `None` if it is out of range.
    ///
    /// ```
    /// use noughts_rules::{Game, Mnk};
    /// let game = Mnk::classic();
    /// assert_eq!(game.move_from_action(4).map(|mv| game.move_text(mv)).as_deref(), Some("b2"));
    /// assert_eq!(game.move_from_action(9), None);
    /// ```
    fn move_from_action(&self, action: usize) -> Option<Self::Move> {
        self.actions().get(action).copied()
    }

    /// The shape of what [`Game::write_observation`] writes: the number of planes, then the
    /// dimensions of the board.
    ///
    /// ```
    /// use noughts_rules::{Game, Mnk, Nested};
    /// assert_eq!(Mnk::classic().observation_shape(), [2, 3, 3]);
    /// assert_eq!(Nested::ultimate().observation_shape(), [5, 9, 9]);
    /// ```
    fn observation_shape(&self) -> Vec<usize> {
        let shape = self.board();
        let boards = shape.count_places(shape.depth().saturating_sub(1)) as usize;
        let (columns, rows) = shape
            .size_at(shape.depth().saturating_sub(1))
            .unwrap_or((1, 1));
        let mut dimensions = vec![self.pieces().len() + 1];
        dimensions.extend((boards > 1).then_some(boards));
        dimensions.extend([usize::from(rows), usize::from(columns)]);
        dimensions
    }

    /// Writes the observation of the side to move, as input for machine learning: planes of
    /// zeros and ones, one byte per cell. Together with the game it determines everything
    /// about the rest of the game, except what only [`GameState`](crate::GameState) knows.
    ///
    /// By default there is a plane for each kind of piece, in the order of [`Game::pieces`] with those of the side to move
    /// before those of the opponent, and a last one that is all ones if X is to move.
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
    fn write_observation(&self, position: &Self::Position, planes: &mut [u8]) {
        let (shape, mut kinds) = (self.board(), self.pieces());
        let cells = shape.count_cells() as usize;
        if planes.len() != (kinds.len() + 1) * cells {
            return;
        }
        let me = self.side(position);
        kinds.sort_by_key(|kind| kind.owner == Some(me.other()));
        planes.fill(0);
        for (index, cell) in (0..cells).map(|index| (index, shape.cell(index as u32))) {
            for piece in self.cell(position, cell).pieces {
                let piece = Piece {
                    is_fading: false,
                    ..piece
                };
                if let Some(kind) = kinds.iter().position(|kind| *kind == piece) {
                    planes[kind * cells + index] = 1;
                }
            }
        }
        planes[kinds.len() * cells..].fill(u8::from(me == Side::X));
    }

    /// How the planes of an observation are arranged from the point of view of the side that isn't to move: for each
    /// plane, the one to take its place. `side` is to move.
    ///
    /// ```
    /// use noughts_rules::{Game, Nested, Side};
    /// // The marks, the won boards, and the board to play in.
    /// assert_eq!(Nested::ultimate().opponents_planes(Side::X), [1, 0, 3, 2, 4]);
    /// ```
    fn opponents_planes(&self, side: Side) -> Vec<usize> {
        let kinds = self.pieces();
        let order = |me: Side| {
            let mut order: Vec<usize> = (0..kinds.len()).collect();
            order.sort_by_key(|&kind| kinds[kind].owner == Some(me.other()));
            order
        };
        let (planes, wanted) = (order(side), order(side.other()));
        let place = |kind: &usize| planes.iter().position(|plane| plane == kind);
        let places = wanted.iter().filter_map(place);
        places.chain([kinds.len()]).collect()
    }

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
    fn write_action_mask(&self, position: &Self::Position, mask: &mut [i8]) {
        if mask.len() != self.count_actions() {
            return;
        }
        mask.fill(0);
        self.for_each_move(position, |mv| {
            if let Some(entry) = mask.get_mut(self.action(mv)) {
                *entry = 1;
            }
        });
    }

    // ---- What a game may know better: the board ----

    /// How the side to move makes a move, where that depends on the side: the same move takes a piece from the reserve of
    /// either.
    fn taps_in(&self, _position: &Self::Position, mv: Self::Move) -> Vec<Target> {
        self.taps(mv)
    }

    /// All kinds of pieces.
    fn pieces(&self) -> Vec<Piece> {
        Side::BOTH.map(Piece::of).to_vec()
    }

    /// The name of a kind of piece in moves: its mark in lower case, or the first letter of its size.
    fn piece_name(&self, piece: u8) -> String {
        let kinds = self.pieces();
        let kind = kinds.get(usize::from(piece));
        kind.map_or_else(String::new, |piece| match piece.size {
            Some(size) => size.name().chars().take(1).collect(),
            None => piece.mark.to_string().to_lowercase(),
        })
    }

    /// The pieces next to the board that a side can still use: kinds, as indices of [`Game::pieces`], and numbers.
    fn reserve(&self, _position: &Self::Position, _side: Side) -> Vec<(u8, u32)> {
        Vec::new()
    }

    /// The movable frame.
    fn frame(&self, _position: &Self::Position) -> Option<Frame> {
        None
    }

    /// The places of each line that decided the game.
    fn winning_lines(&self, _position: &Self::Position) -> Vec<Vec<Place>> {
        Vec::new()
    }

    /// The cells that the last move changed, given the position after it.
    fn changed_places(&self, _after: &Self::Position, mv: Self::Move) -> Vec<Place> {
        let targets = self.taps(mv).into_iter();
        let mut is_frame = false;
        let places = targets.filter_map(|target| match target {
            Target::Frame => {
                is_frame = true;
                None
            }
            Target::Place(place) if !is_frame => Some(place),
            _ => None,
        });
        places.collect()
    }

    /// The cells to mark as legal for a move: where it can be seen to go.
    fn shown_targets(&self, position: &Self::Position, mv: Self::Move) -> Vec<Place> {
        let targets = self.taps_in(position, mv).into_iter();
        targets.filter_map(Target::place).collect()
    }

    /// The name of a place.
    fn place_name(&self, place: Place) -> String {
        self.board().place_name(place)
    }

    /// The cell with this name.
    fn parse_place(&self, text: &str) -> Option<Place> {
        self.board().parse_cell(text)
    }

    /// The place that a touch on this one stands for.
    fn aim(&self, place: Place) -> Place {
        place
    }

    /// Is there a legal move that starts or ends in this board or cell?
    fn accepts_move(&self, position: &Self::Position, place: Place) -> bool {
        let shape = self.board();
        let place_is_cell = place.level == shape.depth();
        let found = self.visit_moves(position, |mv| {
            let mut targets = self.taps_in(position, mv).into_iter();
            let hit = targets.any(|target| match target {
                Target::Place(target) if place_is_cell => target == self.aim(place),
                Target::Place(target) => shape.is_inside(target, place),
                _ => false,
            });
            match hit {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        found.is_break()
    }

    /// Why the next move can't go into this board or cell, if it can't. The game isn't over.
    ///
    /// # Errors
    /// The reason.
    fn check_place(&self, position: &Self::Position, place: Place) -> Result<(), MoveError> {
        if self.accepts_move(position, place) {
            return Ok(());
        }
        let shape = self.board();
        let name = self.place_name(place);
        let is_taken = place.level == shape.depth() && self.cell(position, place).top().is_some();
        Err(match is_taken {
            true => MoveError::cell_taken(&name),
            false => MoveError::new(
                MoveErrorKind::NotAllowed,
                format!("no move goes to {name} now"),
            ),
        })
    }

    /// How many cells of a board, or whether a cell, can still be played in, as far as the board itself is concerned.
    fn count_open_cells(&self, position: &Self::Position, place: Place) -> u32 {
        let shape = self.board();
        let is_open = |cell: u32| {
            let cell = shape.cell(cell);
            self.cell(position, cell).pieces.is_empty()
        };
        let cells = shape.cells_of(place);
        cells.filter(|&cell| is_open(cell)).count() as u32
    }

    /// The board that the move after this one must go to, in games in which a move decides that; the whole board if it may
    /// go anywhere.
    fn board_after(&self, _position: &Self::Position, _mv: Self::Move) -> Option<Place> {
        None
    }

    /// What a legal move would do that isn't plain to see, as a continuation of its name: `sends O to board c`. The
    /// game goes on after it.
    fn consequence(&self, _position: &Self::Position, _mv: Self::Move) -> Option<String> {
        None
    }

    /// The move that a sequence of taps makes, or the targets that continue it. The game isn't over.
    ///
    /// # Errors
    /// Why no legal move starts like this.
    fn tap(
        &self,
        position: &Self::Position,
        taps: &[Target],
    ) -> Result<(Option<Self::Move>, Vec<Target>), MoveError> {
        let (mut complete, mut next) = (None, Vec::new());
        self.for_each_move(position, |mv| {
            match self.taps_in(position, mv).strip_prefix(taps) {
                Some([]) => complete = Some(mv),
                Some([target, ..]) => next.push(*target),
                None => {}
            }
        });
        if complete.is_some() || !next.is_empty() {
            next.sort_unstable();
            next.dedup();
            return Ok((complete, next));
        }
        // The reason why a move that starts like this is illegal.
        let starts = |mv: &Self::Move| self.taps_in(position, *mv).starts_with(taps);
        let meant = self.actions().into_iter().find(starts);
        let reason = meant.and_then(|mv| self.check(position, mv).err());
        let (kind, what) = match taps {
            [] | [_] => (MoveErrorKind::NotAllowed, "no move starts there"),
            _ => (MoveErrorKind::NotAMove, "no move continues like that"),
        };
        Err(reason.unwrap_or_else(|| MoveError::new(kind, what)))
    }

    /// Draws the board in text, with the last move and the legal cells marked. Once the game
    /// is over (`is_ongoing` is false), no cell is marked as legal.
    fn render(
        &self,
        position: &Self::Position,
        last: Option<Self::Move>,
        is_ongoing: bool,
    ) -> Drawing {
        draw_view(self, position, last, is_ongoing)
    }

    /// What the side to move may do, as a sentence fragment for people.
    fn prompt(&self, _position: &Self::Position) -> String {
        "make a move".into()
    }

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
    /// moves made. A generator in the same state produces the same game. Where positions can repeat, the third
    /// occurrence is a draw; the position given counts as its first.
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
        // Random games are short, so a list is faster than a map.
        let mut seen = Vec::new();
        loop {
            if let Some(outcome) = self.outcome(position) {
                return (outcome, plies);
            }
            if self.can_repeat() {
                let earlier = seen.iter().filter(|&earlier| earlier == position);
                if earlier.count() + 1 == REPETITIONS as usize {
                    return (Outcome::Draw, plies);
                }
                seen.push(position.clone());
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
        let mut best = (position.clone(), Symmetry::IDENTITY);
        for symmetry in (1..self.count_symmetries()).map(Symmetry) {
            let image = self.map_position(position, symmetry);
            if image < best.0 {
                best = (image, symmetry);
            }
        }
        best
    }

    /// The smallest of the positions that are known to be equivalent to this one. Some games have symmetries beyond those
    /// of the board, which only solvers use.
    fn representative(&self, position: &Self::Position) -> Self::Position {
        self.canonical(position).0
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
