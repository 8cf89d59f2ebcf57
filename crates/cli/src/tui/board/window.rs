//! How large the squares of a board of boards are, and how its boards are arranged.

use ratatui::layout::{Rect, Size};

use super::squares::{SquareGrid, width_for};

/// Columns and rows.
pub(super) type Columns = (u16, u16);

/// The sizes in a window of boards.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct WindowSizes {
    square: (u16, u16),
    /// Between the squares of a board, horizontally and vertically.
    gap: (u16, u16),
    /// Between a board's border and its squares, left and right.
    pub(super) pad: u16,
    /// The cells of a board.
    cells: Columns,
    /// The boards of the window.
    boards: Columns,
}

impl WindowSizes {
    /// From the largest to the smallest. Boards in a single row can be wrapped.
    pub(super) fn candidates(cells: Columns, boards: Columns) -> impl Iterator<Item = WindowSizes> {
        // One column less may make it fit.
        let widths = |height: u16| [width_for(height), (2 * height + 1).max(3)];
        let heights = (1..=13u16).rev();
        let with_lines = heights
            .flat_map(move |height| widths(height).map(|width| ((width, height), (1, 1), 0)));
        let without_lines = [
            ((3, 1), (1, 0), 1),
            ((3, 1), (0, 0), 0),
            ((1, 1), (1, 0), 1),
            ((1, 1), (1, 0), 0),
        ];
        let sizes = with_lines.chain(without_lines);
        sizes.flat_map(move |(square, gap, pad)| {
            arrangements(boards).map(move |boards| WindowSizes {
                square,
                gap,
                pad,
                cells,
                boards,
            })
        })
    }

    /// The size inside a board's border.
    fn inner(self) -> (u16, u16) {
        let (columns, rows) = self.cells;
        (
            columns * (self.square.0 + self.gap.0) - self.gap.0 + 2 * self.pad,
            rows * (self.square.1 + self.gap.1) - self.gap.1,
        )
    }

    pub(super) fn total(self) -> Size {
        let (width, height) = self.inner();
        let (columns, rows) = self.boards;
        Size::new(columns * (width + 1) + 1, rows * (height + 1) + 1)
    }

    pub(super) fn boards_per_row(self) -> u16 {
        self.boards.0
    }

    /// The n-th board of a window at this position, with its border.
    pub(super) fn board(self, origin: (u16, u16), n: u16) -> Rect {
        let (width, height) = self.inner();
        let columns = self.boards.0.max(1);
        Rect::new(
            origin.0 + n % columns * (width + 1),
            origin.1 + n / columns * (height + 1),
            width + 2,
            height + 2,
        )
    }

    /// The squares in a board with this border.
    pub(super) fn squares(self, border: Rect) -> SquareGrid {
        SquareGrid {
            origin: (border.x + 1 + self.pad, border.y + 1),
            columns: self.cells.0,
            rows: self.cells.1,
            size: self.square,
            gap: self.gap,
        }
    }
}

/// The ways to arrange boards: as they are, and boards in a single row also in several rows, the fullest first. Four boards
/// make two rows of two rather than of three and one.
fn arrangements((columns, rows): Columns) -> impl Iterator<Item = Columns> {
    let wrapped = (1..=columns).rev().filter_map(move |wide| {
        let rows = columns.div_ceil(wide);
        (columns.div_ceil(rows) == wide).then_some((wide, rows))
    });
    let (single, wrapped) = match rows {
        1 => (None, Some(wrapped)),
        _ => (Some((columns, rows)), None),
    };
    single.into_iter().chain(wrapped.into_iter().flatten())
}
