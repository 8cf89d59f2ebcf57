//! Where the places of a board are in its picture. Only a part of a deep board is shown: a board, its parts and, if
//! they aren't cells, their parts.

use std::fmt::Write;

use noughts_rules::{BoardLook, BoardShape, Place};

use super::svg::{Point, Square, WIDTH};

/// Cells or boards in columns and rows.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Grid {
    x: f64,
    y: f64,
    /// The size of a cell.
    pub(super) size: f64,
    /// The distance from one row to the next.
    row_step: f64,
    pub(super) columns: u32,
    pub(super) rows: u32,
}

impl Grid {
    fn new((x, y): (f64, f64), size: f64, (columns, rows): (u32, u32)) -> Grid {
        Grid {
            x,
            y,
            size,
            row_step: size,
            columns: columns.max(1),
            rows: rows.max(1),
        }
    }

    /// A grid as large as fits into a square, in its center.
    pub(super) fn fit((columns, rows): (u8, u8), square: Square) -> Grid {
        let size = square.size / f64::from(columns.max(rows).max(1));
        let (columns, rows) = (u32::from(columns), u32::from(rows));
        let margin = |count: u32| (square.size - f64::from(count) * size) / 2.0;
        let corner = (square.x + margin(columns), square.y + margin(rows));
        Grid::new(corner, size, (columns, rows))
    }

    /// This many cells, the first of which is known.
    pub(super) fn at(first: Square, (columns, rows): (u8, u8)) -> Grid {
        Grid::new(
            (first.x, first.y),
            first.size,
            (columns.into(), rows.into()),
        )
    }

    /// The square of the n-th cell in reading order.
    pub(super) fn square(self, n: u32) -> Square {
        let (column, row) = (f64::from(n % self.columns), f64::from(n / self.columns));
        let y = self.y + row * self.row_step;
        Square::new(self.x + column * self.size, y, self.size)
    }

    pub(super) fn corner(self) -> (f64, f64) {
        (self.x, self.y)
    }

    pub(super) fn width(self) -> f64 {
        f64::from(self.columns) * self.size
    }

    pub(super) fn height(self) -> f64 {
        f64::from(self.rows) * self.row_step
    }

    /// The lines between the cells. They end `gap` units before the edges.
    pub(super) fn lines(self, gap: f64) -> String {
        let mut d = String::new();
        for column in 1..self.columns {
            let start = Point(self.x + f64::from(column) * self.size, self.y + gap);
            let _ = write!(
                d,
                "M{start}v{}",
                super::svg::Rounded(self.height() - 2.0 * gap)
            );
        }
        for row in 1..self.rows {
            let start = Point(self.x + gap, self.y + f64::from(row) * self.row_step);
            let _ = write!(
                d,
                "M{start}h{}",
                super::svg::Rounded(self.width() - 2.0 * gap)
            );
        }
        d
    }
}

/// How the parts of a board are arranged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Arrangement {
    /// Cells.
    Cells,
    /// Cells with gaps between them, on which a frame can be moved.
    Tiles,
    /// Boards of cells side by side, in several rows if they would be too small in one.
    SideBySide,
    /// Boards that contain boards or cells, with lines between them.
    Nested,
}

impl Arrangement {
    /// How a whole board is arranged, apart from its frame.
    pub(super) fn of(shape: &BoardShape) -> Arrangement {
        Layout::new(shape, Place::BOARD, false).arrangement
    }
}

/// The places that are shown, and where they are.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) shape: BoardShape,
    /// The board that is shown.
    pub(super) shown: Place,
    pub(super) arrangement: Arrangement,
    /// The height of the picture.
    pub(super) height: f64,
    /// The parts of the board that is shown.
    parts: Grid,
}

/// Boards with more columns or rows than this have labels.
const MAX_UNLABELED: u8 = 3;
/// The largest cell.
const MAX_CELL_SIZE: f64 = 120.0;
/// Half of the gap between two tiles.
const HALF_GAP: f64 = 3.0;
/// The margin around the lines of nested boards.
const NESTED_MARGIN: f64 = 4.0;
/// The padding between the square of a nested board and its cells.
const NESTED_PADDING: f64 = 5.0;
/// Boards side by side stand in as few columns as they can without becoming higher than this.
const MAX_HEIGHT: f64 = 1.6 * WIDTH;
/// The room above a board that stands next to others.
const NUMBER_HEIGHT: f64 = 22.0;
/// How far a tray extends beyond its holes.
const TRAY_MARGIN: f64 = 4.0;

impl Layout {
    /// The layout of a board; a cell stands for the board around it.
    pub(super) fn new(shape: &BoardShape, board: Place, has_frame: bool) -> Layout {
        let last = shape.depth().saturating_sub(1);
        let shown = shape.ancestor(board, last);
        let (columns, rows) = shape.size_at(shown.level).unwrap_or((1, 1));
        let arrangement = match (last - shown.level, rows) {
            (0, _) if has_frame => Arrangement::Tiles,
            (0, _) => Arrangement::Cells,
            (1, 1) => Arrangement::SideBySide,
            _ => Arrangement::Nested,
        };
        let longest = f64::from(columns.max(rows).max(1));
        let counts = (u32::from(columns), u32::from(rows));
        let (parts, height) = match arrangement {
            Arrangement::Cells | Arrangement::Tiles => {
                let (before, after) =
                    match arrangement == Arrangement::Tiles || has_labels((columns, rows)) {
                        true => (22.0 + tray_margin(shape), 8.0),
                        false => (10.0, 10.0),
                    };
                let available = WIDTH - before - after;
                let size = (available / longest).min(MAX_CELL_SIZE);
                let x = before + (available - f64::from(columns) * size) / 2.0;
                let grid = Grid::new((x, before), size, counts);
                (grid, before + grid.height() + after)
            }
            Arrangement::SideBySide => side_by_side(columns, shape.size_at(last).unwrap_or((1, 1))),
            Arrangement::Nested => {
                let size = (WIDTH - 2.0 * NESTED_MARGIN) / longest;
                let x = (WIDTH - f64::from(columns) * size) / 2.0;
                let grid = Grid::new((x, NESTED_MARGIN), size, counts);
                (grid, grid.height() + 2.0 * NESTED_MARGIN)
            }
        };
        Layout {
            shape: shape.clone(),
            shown,
            arrangement,
            height,
            parts,
        }
    }

    /// Are the parts of the board that is shown cells?
    pub(super) fn shows_one_board(&self) -> bool {
        matches!(self.arrangement, Arrangement::Cells | Arrangement::Tiles)
    }

    /// The grid of the parts of the board that is shown.
    pub(super) fn parts(&self) -> Grid {
        self.parts
    }

    /// The square of a part of the board that is shown.
    pub(super) fn part_square(&self, part: u32) -> Square {
        let square = self.parts.square(part);
        match self.arrangement {
            Arrangement::Cells | Arrangement::Nested => square,
            Arrangement::Tiles => square.inset(HALF_GAP),
            Arrangement::SideBySide => {
                let size = self.shape.size_at(self.shown.level + 1).unwrap_or((1, 1));
                let margins = side_margins(size);
                let inside = square.size - margins.0 - margins.1;
                Square::new(square.x + margins.0, square.y + NUMBER_HEIGHT, inside)
            }
        }
    }

    /// The grid inside a part of the board that is shown.
    pub(super) fn inner(&self, part: u32) -> Grid {
        let size = self.shape.size_at(self.shown.level + 1).unwrap_or((1, 1));
        let square = self.part_square(part);
        match self.arrangement {
            Arrangement::Nested => Grid::fit(size, square.inset(NESTED_PADDING)),
            _ => {
                let grid = Grid::fit(size, square);
                Grid {
                    y: square.y,
                    ..grid
                }
            }
        }
    }

    /// The level of what the buttons stand for.
    pub(super) fn button_level(&self) -> u8 {
        self.shown.level + if self.shows_one_board() { 1 } else { 2 }
    }

    /// Do the buttons stand for cells?
    pub(super) fn shows_cells(&self) -> bool {
        self.button_level() == self.shape.depth()
    }

    /// The places that have a button, in rows across the whole picture, each with its column.
    pub(super) fn button_rows(&self) -> Vec<Vec<(u32, Place)>> {
        let (outer, level) = (self.parts, self.shown.level);
        let count = self.shape.parts_at(level);
        let inner = match self.shows_one_board() {
            true => None,
            false => Some(self.inner(0)),
        };
        let (inner_columns, inner_rows) = inner.map_or((1, 1), |grid| (grid.columns, grid.rows));
        let place = |row: u32, column: u32| {
            let part = row / inner_rows * outer.columns + column / inner_columns;
            let board = Place::new(level + 1, self.shown.index * count + part);
            let within = row % inner_rows * inner_columns + column % inner_columns;
            let place = match inner {
                Some(_) => Place::new(level + 2, board.index * inner_columns * inner_rows + within),
                None => board,
            };
            (part < count).then_some((column, place))
        };
        let row = |row| {
            let columns = 0..outer.columns * inner_columns;
            columns.filter_map(|column| place(row, column)).collect()
        };
        (0..outer.rows * inner_rows).map(row).collect()
    }

    /// Where a place is visible: its own square, or that of the button that contains it. `None` for what is outside
    /// the view, or contains it.
    pub(super) fn square(&self, place: Place) -> Option<Square> {
        let level = self.shown.level;
        if place.level <= level || self.shape.ancestor(place, level) != self.shown {
            return None;
        }
        let within = |level: u8| {
            let place = self.shape.ancestor(place, level);
            place.index % self.shape.parts_at(level.saturating_sub(1)).max(1)
        };
        let part = within(level + 1);
        Some(match self.shows_one_board() || place.level == level + 1 {
            true => self.part_square(part),
            false => self.inner(part).square(within(level + 2)),
        })
    }

    /// The square, including half of the gaps around it.
    pub(super) fn square_with_gap(&self, place: Place) -> Option<Square> {
        let square = self.square(place)?;
        Some(match self.arrangement {
            Arrangement::Tiles => square.inset(-HALF_GAP),
            _ => square,
        })
    }

    /// How far the board extends beyond its cells.
    pub(super) fn tray_margin(&self) -> f64 {
        tray_margin(&self.shape)
    }

    /// Does the board have labels along its edges?
    pub(super) fn has_labels(&self) -> bool {
        let level = self.button_level().saturating_sub(1);
        let size = self.shape.size_at(level).unwrap_or((1, 1));
        match self.arrangement {
            Arrangement::Tiles => true,
            Arrangement::Cells | Arrangement::SideBySide => has_labels(size),
            Arrangement::Nested => false,
        }
    }
}

fn tray_margin(shape: &BoardShape) -> f64 {
    match shape.look {
        BoardLook::Holes => TRAY_MARGIN,
        BoardLook::Squares | BoardLook::Points(_) => 0.0,
    }
}

fn has_labels((columns, rows): (u8, u8)) -> bool {
    columns.max(rows) > MAX_UNLABELED
}

/// The margins to the left and to the right of a board that stands next to others.
fn side_margins(size: (u8, u8)) -> (f64, f64) {
    match has_labels(size) {
        true => (17.0, 5.0),
        false => (9.0, 9.0),
    }
}

/// Boards side by side, and the height of the picture.
fn side_by_side(boards: u8, size: (u8, u8)) -> (Grid, f64) {
    let boards = u32::from(boards.max(1));
    let margins = side_margins(size);
    let longest = f64::from(size.0.max(size.1).max(1));
    let cell_size = |columns: u32| {
        let available = WIDTH / f64::from(columns) - margins.0 - margins.1;
        (available / longest).min(MAX_CELL_SIZE)
    };
    let grid = |columns: u32| {
        let cell = cell_size(columns);
        let width = longest * cell + margins.0 + margins.1;
        let x = (WIDTH - f64::from(columns) * width) / 2.0;
        let counts = (columns, boards.div_ceil(columns));
        Grid {
            row_step: NUMBER_HEIGHT + f64::from(size.1) * cell + 8.0,
            ..Grid::new((x, 0.0), width, counts)
        }
    };
    let mut columns = 1;
    while columns < boards && grid(columns).height() > MAX_HEIGHT {
        columns += 1;
    }
    (grid(columns), grid(columns).height())
}
