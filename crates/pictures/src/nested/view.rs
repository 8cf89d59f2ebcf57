//! Which part of a nested board is shown, and where in the drawing its boards and
//! cells lie.

use noughts_rules::{NestedBoard, Place, path_text};

use super::super::pen::{Square, WIDTH};

/// How many boards or cells there are so many levels down.
pub(super) const fn power(levels: u32) -> usize {
    9usize.pow(levels)
}

/// The part of a board that is shown: a board with its children and, where it is deep
/// enough, their children.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct View {
    pub(super) depth: u32,
    /// The level and number of the board that is shown.
    pub(super) level: u32,
    pub(super) index: usize,
}

/// From the outer edge to the outermost lines.
const EDGE: f64 = 4.0;
/// From a board's slot to its cells.
const AIR: f64 = 5.0;

impl View {
    /// The board at this path; as much of it as there is. Cells are not shown alone.
    pub(super) fn new(depth: u32, path: &str) -> View {
        let places = path.bytes().map_while(|letter| match letter {
            b'a'..=b'i' => Some(usize::from(letter - b'a')),
            _ => None,
        });
        let mut view = View {
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
    pub(super) fn is_single(self) -> bool {
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
    pub(super) fn outer(self) -> Square {
        match self.is_single() {
            true => Square::new(10.0, 10.0, WIDTH - 20.0),
            false => Square::new(EDGE, EDGE, WIDTH - 2.0 * EDGE),
        }
    }

    /// The slot of a child of the board that is shown.
    pub(super) fn slot(self, place: usize) -> Square {
        self.outer().ninth(place)
    }

    /// Where the children of such a child lie.
    pub(super) fn inside(self, place: usize) -> Square {
        self.slot(place).inset(AIR)
    }

    /// Where a board or cell is seen: itself, or the button that it lies in. None for
    /// what is elsewhere, or around all that is shown.
    pub(super) fn square(self, level: u32, index: usize) -> Option<Square> {
        let up = level.checked_sub(self.level).filter(|&up| up > 0)?;
        if index / power(up) != self.index {
            return None;
        }
        let child = index / power(up - 1) % 9;
        if self.is_single() || up == 1 {
            return Some(self.slot(child));
        }
        let grandchild = index / power(up - 2) % 9;
        Some(self.inside(child).ninth(grandchild))
    }

    /// The same for a path.
    pub(super) fn square_of(self, path: &str) -> Option<Square> {
        let index = path.bytes().try_fold(0usize, |index, letter| {
            let place = letter.checked_sub(b'a').filter(|&place| place < 9)?;
            index.checked_mul(9)?.checked_add(usize::from(place))
        })?;
        self.square(path.len() as u32, index)
    }
}

/// The path of the board to look at in order to see where the next move goes: small
/// enough to show cells, where that is known.
pub(in super::super) fn follow(play: &dyn NestedBoard) -> String {
    let around = |path: &str| {
        let most = play.depth().saturating_sub(2) as usize;
        path.chars().take(most).collect()
    };
    match play.place() {
        Place::Board(path) => around(&path),
        Place::Free { inside, .. } => around(&inside),
        Place::Anywhere => String::new(),
        Place::Nowhere => match play.line() {
            0 => play
                .last()
                .map_or(String::new(), |cell| around(&path_text(cell, play.depth()))),
            _ => String::new(),
        },
    }
}
