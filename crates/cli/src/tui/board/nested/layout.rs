//! Where the window of a nested board is on the screen, and how large its squares are.

use ratatui::layout::{Rect, Size};

use super::{NestedBoardWidget, minimap};
use crate::tui::board::squares::{SquareGrid, width_for};

/// The sizes in the window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct CellSizes {
    pub(super) square: (u16, u16),
    /// Between the squares of a board, horizontally and vertically.
    pub(super) gap: (u16, u16),
    /// Between a board's border and its squares, left and right.
    pub(super) pad: u16,
    /// Do the boards in the window have borders?
    pub(super) bordered: bool,
}

impl CellSizes {
    /// From the largest to the smallest.
    fn candidates(levels: u32) -> impl Iterator<Item = CellSizes> {
        let bordered = levels > 1;
        // One column less may make it fit.
        let widths = |height: u16| [width_for(height), (2 * height + 1).max(3)];
        let squares = (1..=13u16)
            .rev()
            .flat_map(move |height| widths(height).map(|width| (width, height)));
        let with_lines = squares.map(move |square| CellSizes {
            square,
            gap: (1, 1),
            pad: 0,
            bordered,
        });
        let without_lines = [(1, 1), (0, 0)].map(|(gap, pad)| CellSizes {
            square: (3, 1),
            gap: (gap, 0),
            pad,
            bordered,
        });
        with_lines
            .chain(without_lines)
            .chain([CellSizes::smallest(levels)])
    }

    fn smallest(levels: u32) -> CellSizes {
        CellSizes {
            square: (1, 1),
            gap: (1, 0),
            pad: 1,
            bordered: levels > 1,
        }
    }

    /// The size inside a board's border.
    fn inner(self) -> (u16, u16) {
        (
            3 * self.square.0 + 2 * self.gap.0 + 2 * self.pad,
            3 * self.square.1 + 2 * self.gap.1,
        )
    }

    fn total(self) -> (u16, u16) {
        let (width, height) = self.inner();
        if self.bordered {
            (3 * (width + 1) + 1, 3 * (height + 1) + 1)
        } else {
            (width, height)
        }
    }

    fn fits(self, width: u16, height: u16) -> bool {
        self.total().0 <= width && self.total().1 <= height
    }
}

/// The least room for a board of this depth. From depth 3 on there are minimaps, too, which need
/// the regular screen layout.
pub(super) fn min_size(depth: u32) -> Size {
    match depth {
        0..=2 => CellSizes::smallest(depth).total().into(),
        _ => Size::new(80, 18),
    }
}

/// Where the window is.
pub(super) struct NestedLayout {
    pub(super) origin: (u16, u16),
    pub(super) sizes: CellSizes,
    /// Where the minimaps start, and the offset from one to the next.
    pub(super) maps: Option<((u16, u16), (u16, u16))>,
}

impl NestedLayout {
    pub(super) fn fit(board: &NestedBoardWidget, area: Rect) -> NestedLayout {
        let maps = board.zoom as u16;
        let below_window = (0, minimap::HEIGHT + 1);
        let next_to_window = (minimap::WIDTH + 3, 0);
        let fit_index = |(right, down): (u16, u16)| {
            let (width, height) = (
                area.width.saturating_sub(right),
                area.height.saturating_sub(down),
            );
            let mut sizes = CellSizes::candidates(board.visible_levels());
            let fitting = sizes.position(|sizes| sizes.fits(width, height));
            fitting.unwrap_or(usize::MAX)
        };
        // Minimaps go next to the window if that leaves it more room and they fit.
        let column = maps * (minimap::HEIGHT + 1) <= area.height + 1;
        let reserved = match maps {
            0 => (0, 0),
            _ if column && fit_index(next_to_window) < fit_index(below_window) => next_to_window,
            _ => below_window,
        };
        let sizes = CellSizes::candidates(board.visible_levels()).nth(fit_index(reserved));
        let sizes = sizes.unwrap_or(CellSizes::smallest(board.visible_levels()));
        let (width, height) = sizes.total();
        let (free_x, free_y) = (
            area.width.saturating_sub(width + reserved.0),
            area.height.saturating_sub(height + reserved.1),
        );
        let origin = (area.x + free_x / 2, area.y + free_y / 2);
        let maps = (maps > 0).then(|| {
            if reserved == next_to_window {
                let x = origin.0 + width + 3;
                ((x, origin.1), (0, minimap::HEIGHT + 1))
            } else {
                let total_width = maps * (minimap::WIDTH + 2) - 2;
                let x = area.x + area.width.saturating_sub(total_width) / 2;
                ((x, origin.1 + height + 1), (minimap::WIDTH + 2, 0))
            }
        });
        NestedLayout {
            origin,
            sizes,
            maps,
        }
    }

    /// A board of the window with its border.
    pub(super) fn board(&self, child: u16) -> Rect {
        let (width, height) = self.sizes.inner();
        Rect::new(
            self.origin.0 + child % 3 * (width + 1),
            self.origin.1 + child / 3 * (height + 1),
            width + 2,
            height + 2,
        )
    }

    /// The inside of a board's border.
    pub(super) fn inner(&self, child: u16) -> Rect {
        let (width, height) = self.sizes.inner();
        if !self.sizes.bordered {
            return Rect::new(self.origin.0, self.origin.1, width, height);
        }
        let board = self.board(child);
        Rect::new(board.x + 1, board.y + 1, width, height)
    }

    /// The squares of a board.
    pub(super) fn squares(&self, board: u16) -> SquareGrid {
        let inner = self.inner(board);
        SquareGrid {
            origin: (inner.x + self.sizes.pad, inner.y),
            columns: 3,
            rows: 3,
            size: self.sizes.square,
            gap: self.sizes.gap,
        }
    }

    pub(super) fn square(&self, board: u16, child: u16) -> Rect {
        self.squares(board).square(child % 3, child / 3)
    }
}
