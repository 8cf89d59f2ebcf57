//! Nested boards, "Ception": one set of rules for every depth.
//!
//! The same code serves every depth. Depths 1 to 3 are compiled for themselves,
//! so that loops over levels unroll and positions are plain arrays; deeper ones
//! share one version with its arrays on the heap ([`Depth`]).

mod any_depth;
mod boards;
mod depth;
mod inside;
mod picture;
mod place;
mod planes;
mod text;

use std::ops::ControlFlow;

use rand_core::Rng;

pub use any_depth::{Foreseen, NestedBoard, NestedPlay, path_text};
pub use boards::{Around, Board};
pub use depth::{D1, D2, D3, Deep, Depth, Rule5a, Ultimate};
pub use place::{Place, Why};

use boards::{Boards, NONE, OFFSETS, POWERS, bit, step_out};

use crate::draw::Drawing;
use crate::error::{Refusal, SetupError};
use crate::game::{Game, below};
use crate::hash::Mixer;
use crate::nine::{self, FULL};
use crate::outcome::{Ending, Outcome, Player};
use crate::setup::Setup;
use crate::symmetry::Symmetry;
use crate::variant::{End, Free, NestedOptions, Sent, Trail, Variant};

/// The rules of a nested board of some depth.
///
/// ```
/// use noughts_rules::{Game, Nested};
///
/// let game = Nested::ultimate();
/// let start = game.start();
/// assert_eq!(game.count_moves(&start), 81);
///
/// // The centre of the centre board sends O to the centre board again.
/// let next = game.play(start, game.parse_move("ee")?).map_err(|e| e.reason)?;
/// assert_eq!(game.count_moves(&next), 8);
/// let refused = game.play(next, game.parse_move("aa")?).unwrap_err();
/// assert_eq!(
///     refused.to_string(),
///     "you were sent to board e; it still has empty cells",
/// );
/// # Ok::<(), noughts_rules::Refusal>(())
/// ```
#[derive(Clone, Debug)]
pub struct Nested<D: Depth> {
    options: NestedOptions,
    depth: D,
}

/// A position of a nested board.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NestedPosition<D: Depth> {
    boards: Boards<D>,
    turn: Turn,
}

impl<D: Depth> Copy for NestedPosition<D>
where
    D::Boards: Copy,
    D::Around: Copy,
    D::Room: Copy,
{
}

/// Views for evaluation and tables: sets of nine places as bits, `a` the lowest.
impl<D: Depth> NestedPosition<D> {
    /// The marks of a player on a depth-1 board, boards in the order of paths.
    #[inline]
    #[must_use]
    pub fn marks(&self, board: usize, player: Player) -> u32 {
        self.boards.board(board).marks(player)
    }

    /// Which children of the outermost board a player owns. On a board of depth
    /// 1 the children are cells.
    #[inline]
    #[must_use]
    pub fn owned(&self, player: Player) -> u32 {
        match self.boards.around.as_ref().first() {
            Some(around) => around.owned_by(player),
            None => self.marks(0, player),
        }
    }

    /// Which children of the outermost board have no cell open to a free move.
    #[inline]
    #[must_use]
    pub fn shut(&self) -> u32 {
        match self.boards.around.as_ref().first() {
            Some(around) => around.shut,
            None => self.boards.board(0).taken(),
        }
    }

    /// Which children of board `index` of `level` a player owns; level 0 is the
    /// outermost board, the last one the depth-1 boards with their marks.
    #[must_use]
    pub fn owned_in(&self, level: u32, index: usize, player: Player) -> u32 {
        if level + 1 >= self.boards.depth.get() {
            self.marks(index, player)
        } else {
            self.boards.around_at(level, index).owned_by(player)
        }
    }
}

/// What decides the next move besides the boards. Apart from them so that a
/// playout can keep it in registers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Turn {
    /// The target: its path read as a number to the base 9.
    trail: u16,
    /// How many letters of the trail there are.
    letters: u8,
    side: Player,
    extra: bool,
    over: Option<Outcome>,
}

/// A cell of a nested board: its path read as a number to the base 9.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NestedMove(u32);

impl NestedMove {
    #[inline]
    fn new(board: usize, cell: u32) -> NestedMove {
        NestedMove(board as u32 * 9 + cell)
    }

    /// The move to the cell with this number, cells counted in the order of
    /// their paths. A number beyond the board is no legal move of it.
    #[must_use]
    pub fn from_index(cell: usize) -> NestedMove {
        NestedMove(u32::try_from(cell).unwrap_or(u32::MAX))
    }

    /// The number of the cell.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where the next move may go: the boards, before the cells are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Area {
    Nowhere,
    /// The empty cells of one depth-1 board.
    Board(usize),
    /// The cells open to a free move inside board `index` of `level`, one
    /// depth-1 board excepted (not named where it is shut anyway).
    Free {
        level: u32,
        index: usize,
        except: usize,
    },
}

impl Nested<Ultimate> {
    /// The game that most people know.
    #[must_use]
    pub fn ultimate() -> Nested<Ultimate> {
        Nested {
            options: NestedOptions::ULTIMATE,
            depth: Ultimate,
        }
    }
}

impl<D: Depth> Nested<D> {
    /// The game with these options, where they ask for a depth that `D` has.
    #[must_use]
    pub fn new(options: NestedOptions) -> Option<Nested<D>> {
        let fits = D::OPTIONS.is_none_or(|fixed| fixed == options);
        let depth = D::new(u32::from(options.depth))?;
        fits.then_some(Nested { options, depth })
    }

    /// The options.
    #[must_use]
    #[inline(always)]
    pub fn options(&self) -> &NestedOptions {
        match &D::OPTIONS {
            Some(fixed) => fixed,
            None => &self.options,
        }
    }

    #[inline]
    fn open_only(&self) -> bool {
        self.options().free == Free::Open
    }

    /// The board that the trail names, if it is complete.
    #[inline]
    fn target(&self, turn: Turn) -> Option<usize> {
        let depth = self.depth.get();
        (depth > 1 && u32::from(turn.letters) == depth - 1).then_some(usize::from(turn.trail))
    }

    /// Must one who is sent to this depth-1 board play in it?
    #[inline]
    fn takes_sent_move(&self, boards: &Boards<D>, board: usize) -> bool {
        if self.open_only() {
            return !boards.is_shut(board);
        }
        !boards.is_full(board) && (self.options().sent != Sent::B || !boards.is_won(board))
    }

    /// The smallest board around the target that has room for a free move.
    ///
    /// Walks outwards. `room` says whether a free move could go anywhere in the
    /// boards passed so far, the target aside.
    fn free_area(&self, boards: &Boards<D>, target: usize) -> Area {
        let mut room = false;
        let mut index = target;
        for level in (0..self.depth.get() - 1).rev() {
            let place;
            (place, index) = step_out(level, index);
            room |= (boards.around_at(level, index).shut | bit(place)) != FULL;
            if self.options().sent == Sent::B && boards.is_won_at(level, index) {
                // A won board bounds no free move; with `free=open` it has no room either.
                room &= !self.open_only();
            } else if room {
                return Area::Free {
                    level,
                    index,
                    except: self.excepted(target),
                };
            }
        }
        Area::Nowhere
    }

    #[inline(always)]
    fn area(&self, boards: &Boards<D>, turn: Turn) -> Area {
        if turn.over.is_some() {
            return Area::Nowhere;
        }
        if self.depth.get() == 1 {
            return Area::Board(0);
        }
        match self.target(turn) {
            Some(target) if self.takes_sent_move(boards, target) => Area::Board(target),
            Some(target) if self.depth.get() > 2 => self.free_area(boards, target),
            target => Area::Free {
                level: 0,
                index: 0,
                except: target.map_or(NONE, |target| self.excepted(target)),
            },
        }
    }

    /// With `free=open` a target that cannot be played in is shut, so that nothing
    /// needs to be excepted from a free move.
    #[inline]
    fn excepted(&self, target: usize) -> usize {
        if self.open_only() { NONE } else { target }
    }

    /// Is there a move, as far as the boards say (the game may be over)?
    #[inline(always)]
    fn has_move(&self, boards: &Boards<D>, turn: Turn) -> bool {
        if self.depth.get() == 1 {
            return !boards.is_full(0);
        }
        let Some(target) = self.target(turn) else {
            return boards.has_room();
        };
        if self.takes_sent_move(boards, target) {
            true
        } else if self.open_only() || boards.is_full(target) {
            boards.has_room()
        } else {
            boards.has_room_besides(target)
        }
    }

    /// Does the player who moves now move again (5c, 5d)?
    #[inline]
    fn moves_again(&self, boards: &Boards<D>, turn: Turn) -> bool {
        let again = match self.options().sent {
            Sent::A | Sent::B => false,
            Sent::C => !turn.extra,
            Sent::D => true,
        };
        again
            && self
                .target(turn)
                .is_some_and(|target| !boards.is_full(target) && boards.is_won(target))
    }

    /// The result when nobody can move.
    #[cold]
    fn count_boards(&self, boards: &Boards<D>) -> Outcome {
        if self.options().end == End::Draw || self.depth.get() == 1 {
            return Outcome::Draw;
        }
        let around = boards.around_at(0, 0);
        let [x, o] = Player::BOTH.map(|player| around.owned_by(player).count_ones());
        match x.cmp(&o) {
            std::cmp::Ordering::Greater => Outcome::Win(Player::X),
            std::cmp::Ordering::Less => Outcome::Win(Player::O),
            std::cmp::Ordering::Equal => Outcome::Draw,
        }
    }

    /// Makes a legal move on the boards; gives the turn that follows.
    #[inline(always)]
    fn step(&self, boards: &mut Boards<D>, turn: Turn, board: usize, cell: u32) -> Turn {
        let depth = self.depth.get();
        let mover = turn.side;
        let again = self.moves_again(boards, turn);
        let won = boards.mark(self.options(), mover, board, cell);

        // The new letter goes behind those kept of the move or of the trail.
        let (before, letters) = match self.options().trail {
            Trail::Suffix => (board, depth - 1),
            Trail::History => (usize::from(turn.trail), u32::from(turn.letters) + 1),
        };
        let mut next = Turn {
            extra: again,
            side: if again { mover } else { mover.other() },
            ..turn
        };
        if depth > 1 {
            next.trail = (before % POWERS[depth as usize - 2]) as u16 * 9 + cell as u16;
            next.letters = letters.min(depth - 1) as u8;
        }
        if won {
            next.over = Some(Outcome::Win(mover));
        } else if !self.has_move(boards, next) {
            next.over = Some(self.count_boards(boards));
        }
        next
    }

    /// A legal cell, each as likely as the others, as board and place in it.
    #[inline(always)]
    fn random_cell(
        &self,
        boards: &Boards<D>,
        turn: Turn,
        rng: &mut (impl Rng + ?Sized),
    ) -> Option<(usize, u32)> {
        let area = self.area(boards, turn);
        if let Area::Board(board) = area {
            let cells = boards.board(board);
            let n = below(cells.count_empty(), rng);
            return Some((board, nine::nth_outside(cells.taken(), n)));
        }
        match self.count_area(boards, area) {
            0 => None,
            n => self.nth_in_area(boards, area, below(n, rng)),
        }
    }

    #[inline]
    fn count_area(&self, boards: &Boards<D>, area: Area) -> u32 {
        match area {
            Area::Nowhere => 0,
            Area::Board(board) => boards.board(board).count_empty(),
            Area::Free {
                level,
                index,
                except,
            } => boards.count_open(level, index, except),
        }
    }

    #[inline]
    fn nth_in_area(&self, boards: &Boards<D>, area: Area, n: u32) -> Option<(usize, u32)> {
        match area {
            Area::Nowhere => None,
            Area::Board(board) => {
                let board_cells = boards.board(board);
                (n < board_cells.count_empty())
                    .then(|| (board, nine::nth_outside(board_cells.taken(), n)))
            }
            Area::Free {
                level,
                index,
                except,
            } => boards.nth_open(level, index, except, n),
        }
    }

    /// Calls `visit` with the depth-1 boards of an area, in order.
    #[inline]
    fn visit_boards<B>(
        &self,
        boards: &Boards<D>,
        area: Area,
        mut visit: impl FnMut(usize) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        match area {
            Area::Nowhere => ControlFlow::Continue(()),
            Area::Board(board) => visit(board),
            Area::Free {
                level,
                index,
                except,
            } => boards.visit_open(level, index, &mut |board| {
                if board == except {
                    ControlFlow::Continue(())
                } else {
                    visit(board)
                }
            }),
        }
    }
}

impl<D: Depth> Game for Nested<D> {
    type Position = NestedPosition<D>;
    type Move = NestedMove;

    fn variant(&self) -> Variant {
        Variant::Nested(*self.options())
    }

    fn start(&self) -> NestedPosition<D> {
        NestedPosition {
            boards: Boards {
                marks: self.depth.boards(),
                around: self.depth.around(),
                room: self.depth.room(),
                depth: self.depth,
            },
            turn: Turn {
                trail: 0,
                letters: 0,
                side: Player::X,
                extra: false,
                over: None,
            },
        }
    }

    #[inline]
    fn side(&self, position: &NestedPosition<D>) -> Player {
        position.turn.side
    }

    #[inline]
    fn outcome(&self, position: &NestedPosition<D>) -> Option<Outcome> {
        position.turn.over
    }

    fn ending(&self, position: &NestedPosition<D>) -> Option<Ending> {
        position.turn.over.map(|outcome| match outcome.winner() {
            Some(winner) if position.boards.line(0, 0, winner) => Ending::Line,
            _ if self.options().end == End::Most => Ending::MostBoards,
            _ => Ending::NoMove,
        })
    }

    fn pieces(&self, position: &NestedPosition<D>) -> usize {
        let boards = position.boards.marks.as_ref().iter();
        boards.map(|board| 9 - board.count_empty() as usize).sum()
    }

    #[inline]
    fn visit_moves<B>(
        &self,
        position: &NestedPosition<D>,
        mut visit: impl FnMut(NestedMove) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let boards = &position.boards;
        self.visit_boards(boards, self.area(boards, position.turn), |board| {
            for cell in nine::members(boards.board(board).taken() ^ FULL) {
                visit(NestedMove::new(board, cell))?;
            }
            ControlFlow::Continue(())
        })
    }

    #[inline]
    fn count_moves(&self, position: &NestedPosition<D>) -> usize {
        let area = self.area(&position.boards, position.turn);
        self.count_area(&position.boards, area) as usize
    }

    #[inline]
    fn nth_move(&self, position: &NestedPosition<D>, n: usize) -> Option<NestedMove> {
        let n = u32::try_from(n).ok()?;
        let area = self.area(&position.boards, position.turn);
        let (board, cell) = self.nth_in_area(&position.boards, area, n)?;
        Some(NestedMove::new(board, cell))
    }

    #[inline(always)]
    fn apply(&self, position: &mut NestedPosition<D>, mv: NestedMove) {
        let (board, cell) = ((mv.0 / 9) as usize, mv.0 % 9);
        position.turn = self.step(&mut position.boards, position.turn, board, cell);
    }

    #[inline]
    fn random_move(
        &self,
        position: &NestedPosition<D>,
        rng: &mut (impl Rng + ?Sized),
    ) -> Option<NestedMove> {
        let (board, cell) = self.random_cell(&position.boards, position.turn, rng)?;
        Some(NestedMove::new(board, cell))
    }

    fn playout(
        &self,
        position: &mut NestedPosition<D>,
        rng: &mut (impl Rng + ?Sized),
    ) -> (Outcome, u32) {
        let NestedPosition { boards, turn } = position;
        let (mut now, mut plies) = (*turn, 0);
        while let Some((board, cell)) = self.random_cell(boards, now, rng) {
            now = self.step(boards, now, board, cell);
            plies += 1;
        }
        *turn = now;
        (now.over.unwrap_or(Outcome::Draw), plies)
    }

    fn check(&self, position: &NestedPosition<D>, mv: NestedMove) -> Result<(), Refusal> {
        self.check_move(position, mv)
    }

    fn hash(&self, position: &NestedPosition<D>) -> u64 {
        let mut mixer = Mixer::new();
        for pair in position.boards.marks.as_ref().chunks(2) {
            let word = |i: usize| u64::from(pair.get(i).map_or(0, |board: &Board| board.both()));
            mixer.add(word(0) | word(1) << 32);
        }
        // What is shut follows from marks and owners.
        for around in position.boards.around.as_ref() {
            mixer.add(u64::from(around.owned));
        }
        let turn = position.turn;
        mixer.add(
            u64::from(turn.trail)
                | u64::from(turn.letters) << 16
                | (turn.side as u64) << 24
                | u64::from(turn.extra) << 25,
        );
        mixer.finish()
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        &Symmetry::ALL
    }

    fn map_position(&self, position: &NestedPosition<D>, symmetry: Symmetry) -> NestedPosition<D> {
        let depth = self.depth.get();
        let mut image = position.clone();
        let marks = image.boards.marks.as_mut();
        for (index, &from) in position.boards.marks.as_ref().iter().enumerate() {
            if let Some(to) = marks.get_mut(map_path(index, depth - 1, symmetry)) {
                *to = from.image(symmetry);
            }
        }
        let all_around = image.boards.around.as_mut();
        for level in 0..depth - 1 {
            for index in 0..POWERS[level as usize] {
                let from = position.boards.around_at(level, index);
                let slot = OFFSETS[level as usize] + map_path(index, level, symmetry);
                if let Some(to) = all_around.get_mut(slot) {
                    *to = Around {
                        owned: both_images(from.owned, symmetry),
                        shut: nine::image(from.shut, symmetry),
                    };
                }
                if let (Some(to), Some(&from)) = (
                    image.boards.room.as_mut().get_mut(slot),
                    position
                        .boards
                        .room
                        .as_ref()
                        .get(OFFSETS[level as usize] + index),
                ) {
                    *to = from;
                }
            }
        }
        let Turn { trail, letters, .. } = position.turn;
        image.turn.trail = map_path(trail.into(), letters.into(), symmetry) as u16;
        image
    }

    fn map_move(&self, mv: NestedMove, symmetry: Symmetry) -> NestedMove {
        NestedMove::from_index(map_path(mv.index(), self.depth.get(), symmetry))
    }

    fn position(&self, setup: &Setup) -> Result<NestedPosition<D>, SetupError> {
        self.validate(setup)
    }

    fn setup(&self, position: &NestedPosition<D>) -> Setup {
        self.lay_open(position)
    }

    fn read_setup(&self, text: &str) -> (Setup, SetupError) {
        self.read_text(text)
    }

    fn write_setup(&self, setup: &Setup) -> String {
        self.write_text(setup)
    }

    fn parse_move(&self, text: &str) -> Result<NestedMove, Refusal> {
        self.read_move(text)
    }

    fn move_text(&self, mv: NestedMove) -> String {
        path_text(mv.index(), self.depth.get())
    }

    #[inline]
    fn count_actions(&self) -> usize {
        POWERS[self.depth.get() as usize]
    }

    #[inline]
    fn action(&self, mv: NestedMove) -> usize {
        mv.index()
    }

    #[inline]
    fn of_action(&self, action: usize) -> Option<NestedMove> {
        (action < self.count_actions()).then(|| NestedMove::from_index(action))
    }

    fn observation_shape(&self) -> Vec<usize> {
        let mut shape = vec![self.count_planes()];
        shape.resize(1 + self.depth.get() as usize, 9);
        shape
    }

    #[inline]
    fn observe(&self, position: &NestedPosition<D>, planes: &mut [u8]) {
        self.write_planes(position, planes);
    }

    #[inline]
    fn mask(&self, position: &NestedPosition<D>, mask: &mut [i8]) {
        self.write_mask(position, mask);
    }

    fn draw(
        &self,
        position: &NestedPosition<D>,
        last: Option<NestedMove>,
        going_on: bool,
    ) -> Drawing {
        self.picture(position, last, going_on)
    }

    fn prompt(&self, position: &NestedPosition<D>) -> String {
        let place = self.place(position);
        if position.turn.extra {
            format!("{place} (an extra move)")
        } else {
            place.to_string()
        }
    }
}

/// X's half and O's half, each turned or mirrored.
fn both_images(halves: u32, symmetry: Symmetry) -> u32 {
    nine::image(halves & FULL, symmetry) | nine::image(halves >> 16, symmetry) << 16
}

/// Each letter of a path turned or mirrored.
fn map_path(index: usize, letters: u32, symmetry: Symmetry) -> usize {
    let mut image = 0;
    for letter in (0..letters).rev() {
        let place = (index / POWERS[letter as usize]) % 9;
        let (col, row) = symmetry.apply((place % 3) as u8, (place / 3) as u8, 3, 3);
        image = image * 9 + usize::from(row * 3 + col);
    }
    image
}
