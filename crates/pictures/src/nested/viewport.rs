//! Which part of a nested board is shown, and where in the drawing its boards and
//! cells lie.

use noughts_rules::{MoveArea, NestedBoard, path_text};

use super::super::svg::{Square, WIDTH};

/// How many boards or cells there are so many levels down.
pub(super) const fn pow9(levels: u32) -> usize {
    9usize.pow(levels)
}

/// The part of a board that is shown: a board with its children and, where it is deep
/// enough, their children.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Viewport {
    pub(super) depth: u32,
    /// The level and number of the board that is shown.
    pub(super) level: u32,
    pub(super) index: usize,
}

/// From the outer edge to the outermost lines.
const EDGE: f64 = 4.0;
/// From a board's slot to its cells.
const AIR: f64 = 5.0;

impl Viewport {
    /// The board at this path; as much of it as there is. Cells are not shown alone.
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

    /// Is the one board shown a board of nine cells?
    pub(super) fn is_leaf_board(self) -> bool {
        self.level + 1 == self.depth
    }

    /// The level of what has buttons: cells, or boards two levels down.
    pub(super) fn button_level(self) -> u32 {
        (self.level + 2).min(self.depth)
    }

    /// Are the buttons cells?
    pub(super) fn shows_cells(self) -> bool {
        self.button_level() == self.depth
    }

    /// The whole drawing.
    pub(super) fn bounds(self) -> Square {
        match self.is_leaf_board() {
            true => Square::new(10.0, 10.0, WIDTH - 20.0),
            false => Square::new(EDGE, EDGE, WIDTH - 2.0 * EDGE),
        }
    }

    /// The slot of a child of the board that is shown.
    pub(super) fn child_square(self, place: usize) -> Square {
        self.bounds().subsquare(place)
    }

    /// Where the children of such a child lie.
    pub(super) fn child_interior(self, place: usize) -> Square {
        self.child_square(place).inset(AIR)
    }

    /// Where a board or cell is seen: itself, or the button that it lies in. None for
    /// what is elsewhere, or around all that is shown.
    pub(super) fn square(self, level: u32, index: usize) -> Option<Square> {
        let up = level.checked_sub(self.level).filter(|&up| up > 0)?;
        if index / pow9(up) != self.index {
            return None;
        }
        let child = index / pow9(up - 1) % 9;
        if self.is_leaf_board() || up == 1 {
            return Some(self.child_square(child));
        }
        let grandchild = index / pow9(up - 2) % 9;
        Some(self.child_interior(child).subsquare(grandchild))
    }

    /// The same for a path.
    pub(super) fn square_of_path(self, path: &str) -> Option<Square> {
        let index = path.bytes().try_fold(0usize, |index, letter| {
            let place = letter.checked_sub(b'a').filter(|&place| place < 9)?;
            index.checked_mul(9)?.checked_add(usize::from(place))
        })?;
        self.square(path.len() as u32, index)
    }
}

/// The path of the board to look at in order to see where the next move goes: small
/// enough to show cells, where that is known.
pub(in super::super) fn follow_path(play: &dyn NestedBoard) -> String {
    let around = |path: &str| {
        let most = play.depth().saturating_sub(2) as usize;
        path.chars().take(most).collect()
    };
    match play.move_area() {
        MoveArea::Board(path) => around(&path),
        MoveArea::Free { inside, .. } => around(&inside),
        MoveArea::Anywhere => String::new(),
        MoveArea::Nowhere => match play.winning_line() {
            0 => play
                .last_cell()
                .map_or(String::new(), |cell| around(&path_text(cell, play.depth()))),
            _ => String::new(),
        },
    }
}
