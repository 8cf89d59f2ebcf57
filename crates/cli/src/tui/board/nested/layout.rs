//! Where the window of a nested board lies on the screen, and how large its squares are.

use ratatui::layout::{Rect, Size};

use super::{NestedBoard, minimap};
use crate::tui::board::squares::width_for;

/// The sizes in the window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Sizes {
    /// A square.
    pub(super) square: (u16, u16),
    /// Between squares of a board, across and down.
    pub(super) gap: (u16, u16),
    /// Between a board's border and its squares, left and right.
    pub(super) pad: u16,
    /// Are there boards around the squares, with borders?
    pub(super) bordered: bool,
}

impl Sizes {
    /// From the largest to the smallest.
    fn all(levels: u32) -> impl Iterator<Item = Sizes> {
        let bordered = levels > 1;
        // A column less may be what it takes.
        let widths = |height: u16| [width_for(height), (2 * height + 1).max(3)];
        let squares = (1..=13u16)
            .rev()
            .flat_map(move |height| widths(height).map(|width| (width, height)));
        let lined = squares.map(move |square| Sizes {
            square,
            gap: (1, 1),
            pad: 0,
            bordered,
        });
        let bare = [(1, 1), (0, 0)].map(|(gap, pad)| Sizes {
            square: (3, 1),
            gap: (gap, 0),
            pad,
            bordered,
        });
        lined.chain(bare).chain([Sizes::smallest(levels)])
    }

    fn smallest(levels: u32) -> Sizes {
        Sizes {
            square: (1, 1),
            gap: (1, 0),
            pad: 1,
            bordered: levels > 1,
        }
    }

    /// Inside the borders of a board.
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

/// The least room for a board of this depth. From depth 3 on there are maps, too, for
/// which the usual layout of a screen is made.
pub(super) fn min_size(depth: u32) -> Size {
    match depth {
        0..=2 => Sizes::smallest(depth).total().into(),
        _ => Size::new(80, 18),
    }
}

/// Where the window lies.
pub(super) struct Layout {
    pub(super) origin: (u16, u16),
    pub(super) sizes: Sizes,
    /// Where the maps begin, and how far apart they are.
    pub(super) maps: Option<((u16, u16), (u16, u16))>,
}

impl Layout {
    pub(super) fn fit(board: &NestedBoard, area: Rect) -> Layout {
        let maps = board.zoom as u16;
        let best = |width: u16, height: u16| {
            let mut sizes = Sizes::all(board.visible_levels());
            sizes.position(|sizes| sizes.fits(width, height))
        };
        let below = (0, minimap::HEIGHT + 1);
        let beside = (minimap::WIDTH + 3, 0);
        let room = |(right, down): (u16, u16)| {
            (
                area.width.saturating_sub(right),
                area.height.saturating_sub(down),
            )
        };
        let of = |taken| {
            let (width, height) = room(taken);
            best(width, height).unwrap_or(usize::MAX)
        };
        // Maps beside the window where that leaves it more room, and they fit there.
        let column = maps * (minimap::HEIGHT + 1) <= area.height + 1;
        let taken = match maps {
            0 => (0, 0),
            _ if column && of(beside) < of(below) => beside,
            _ => below,
        };
        let sizes = Sizes::all(board.visible_levels()).nth(of(taken));
        let sizes = sizes.unwrap_or(Sizes::smallest(board.visible_levels()));
        let (width, height) = sizes.total();
        let (free_x, free_y) = (
            area.width.saturating_sub(width + taken.0),
            area.height.saturating_sub(height + taken.1),
        );
        let origin = (area.x + free_x / 2, area.y + free_y / 2);
        let maps = (maps > 0).then(|| {
            if taken == beside {
                let x = origin.0 + width + 3;
                ((x, origin.1), (0, minimap::HEIGHT + 1))
            } else {
                let all = maps * (minimap::WIDTH + 2) - 2;
                let x = area.x + area.width.saturating_sub(all) / 2;
                ((x, origin.1 + height + 1), (minimap::WIDTH + 2, 0))
            }
        });
        Layout {
            origin,
            sizes,
            maps,
        }
    }

    /// A board of the window with its borders.
    pub(super) fn board(&self, place: u16) -> Rect {
        let (width, height) = self.sizes.inner();
        Rect::new(
            self.origin.0 + place % 3 * (width + 1),
            self.origin.1 + place / 3 * (height + 1),
            width + 2,
            height + 2,
        )
    }

    /// Inside its borders.
    pub(super) fn inner(&self, place: u16) -> Rect {
        let (width, height) = self.sizes.inner();
        if !self.sizes.bordered {
            return Rect::new(self.origin.0, self.origin.1, width, height);
        }
        let board = self.board(place);
        Rect::new(board.x + 1, board.y + 1, width, height)
    }

    pub(super) fn square(&self, board: u16, place: u16) -> Rect {
        let inner = self.inner(board);
        let Sizes {
            square, gap, pad, ..
        } = self.sizes;
        Rect::new(
            inner.x + pad + place % 3 * (square.0 + gap.0),
            inner.y + place / 3 * (square.1 + gap.1),
            square.0,
            square.1,
        )
    }
}
