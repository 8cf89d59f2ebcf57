//! Which part of a nested board is shown, and where its boards and cells are in the drawing.

use noughts_rules::{MoveArea, NestedBoard, path_text};

use super::super::svg::{Square, WIDTH};

/// The number of boards or cells this many levels below a board.
pub(super) const fn pow9(levels: u32) -> usize {
    9usize.pow(levels)
}

/// The part of a nested board that is shown: a board with its children and, where it is deep
/// enough, their children.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Viewport {
    pub(super) depth: u32,
    /// The level and index of the board that is shown.
    pub(super) level: u32,
    pub(super) index: usize,
}

/// The margin around the outermost lines.
const MARGIN: f64 = 4.0;
/// The padding between a child board's square and its cells.
const PADDING: f64 = 5.0;

impl Viewport {
    /// The board at this path, up to its first invalid letter. A path to a cell gives the
    /// cell's board.
    pub(super) fn new(depth: u32, path: &str) -> Viewport {
        let places = path.bytes().map_while(|letter| match letter {
            b'a'..=b'i' => Some(usize::from(letter - b'a')),
            _ => None,
        });
        let mut view = Viewport {
            depth,
            level: 0,
            index: 0,
        };
        for place in places.take(depth.saturating_sub(1) as usize) {
            view.level += 1;
            view.index = view.index * 9 + place;
        }
        view
    }

    pub(super) fn path(self) -> String {
        path_text(self.index, self.level)
    }

    /// Is it a board of nine cells?
    pub(super) fn is_leaf_board(self) -> bool {
        self.level + 1 == self.depth
    }

    /// The level of what the buttons stand for: cells, or boards two levels down.
    pub(super) fn button_level(self) -> u32 {
        (self.level + 2).min(self.depth)
    }

    /// Do the buttons stand for cells?
    pub(super) fn shows_cells(self) -> bool {
        self.button_level() == self.depth
    }

    /// The square of the board that is shown.
    pub(super) fn bounds(self) -> Square {
        match self.is_leaf_board() {
            true => Square::new(10.0, 10.0, WIDTH - 20.0),
            false => Square::new(MARGIN, MARGIN, WIDTH - 2.0 * MARGIN),
        }
    }

    /// The square of a child of the board that is shown.
    pub(super) fn child_square(self, place: usize) -> Square {
        self.bounds().subsquare(place)
    }

    /// The square that a child's own children divide.
    pub(super) fn child_interior(self, place: usize) -> Square {
        self.child_square(place).inset(PADDING)
    }

    /// Where a board or cell is visible: its own square, or that of the button that contains
    /// it. None for what is outside the view, or contains it.
    pub(super) fn square(self, level: u32, index: usize) -> Option<Square> {
        let levels_down = level
            .checked_sub(self.level)
            .filter(|&levels_down| levels_down > 0)?;
        if index / pow9(levels_down) != self.index {
            return None;
        }
        let child = index / pow9(levels_down - 1) % 9;
        if self.is_leaf_board() || levels_down == 1 {
            return Some(self.child_square(child));
        }
        let grandchild = index / pow9(levels_down - 2) % 9;
        Some(self.child_interior(child).subsquare(grandchild))
    }

    /// The same by path.
    pub(super) fn square_of_path(self, path: &str) -> Option<Square> {
        let index = path.bytes().try_fold(0usize, |index, letter| {
            let place = letter.checked_sub(b'a').filter(|&place| place < 9)?;
            index.checked_mul(9)?.checked_add(usize::from(place))
        })?;
        self.square(path.len() as u32, index)
    }
}

/// The path of the board to show for the next move: deep enough to show cells if the move's
/// board is known.
pub(in super::super) fn follow_path(board: &dyn NestedBoard) -> String {
    let enclosing = |path: &str| {
        let max_length = board.depth().saturating_sub(2) as usize;
        path.chars().take(max_length).collect()
    };
    match board.move_area() {
        MoveArea::Board(path) => enclosing(&path),
        MoveArea::Free { inside, .. } => enclosing(&inside),
        MoveArea::Anywhere => String::new(),
        MoveArea::Nowhere => match board.winning_line() {
            0 => board.last_cell().map_or(String::new(), |cell| {
                enclosing(&path_text(cell, board.depth()))
            }),
            _ => String::new(),
        },
    }
}
