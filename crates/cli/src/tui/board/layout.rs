//! Where everything is on the screen: boards, squares, labels, minimaps and the pieces next to the board.

use noughts_rules::{BoardShape, BoardView, Frame, Place, Side};
use ratatui::layout::{Position, Rect, Size};

use super::Board;
use super::features::Features;
use super::minimap::{self, MiniMap};
use super::reserve;
use super::squares::{Fitting, SquareGrid, width_for};
use super::window::WindowSizes;

/// Where everything is.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    pub(super) area: Rect,
    /// The boards in the window.
    pub(super) boards: Vec<BoardArea>,
    /// Do the boards have borders?
    pub(super) is_bordered: bool,
    /// How many boards are next to each other, if they are in a row that may be wrapped; 0 if not known yet.
    pub(super) boards_per_row: u8,
    /// The space between the row numbers and a single board.
    pub(super) row_label_distance: u16,
    pub(super) maps: Vec<MiniMap>,
    /// The pieces of each side next to the board.
    pub(super) reserves: Vec<(Side, Rect)>,
    /// The pieces that can be taken.
    pub(super) reserve_pieces: Vec<(Rect, u8)>,
    /// The pieces to choose from at a cell.
    pub(super) chooser: Vec<(Rect, u8)>,
}

/// A board of the window.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoardArea {
    pub(super) place: Place,
    /// The border, or the same as the squares.
    pub(super) border: Rect,
    pub(super) squares: SquareGrid,
}

/// The least room for boards with minimaps, which need the regular screen layout.
const MIN_SIZE_WITH_MAPS: Size = Size::new(80, 18);
/// In this width, boards of boards may be wrapped.
const MIN_WIDTH: u16 = 40;

/// The least room in which all cells are distinguishable.
pub(super) fn min_size(shape: &BoardShape, features: &Features) -> Size {
    let around = room_around(shape, features);
    let size = match shape.depth() {
        0 => Size::ZERO,
        1 => {
            let (columns, rows) = size_at(shape, 0);
            let (size, gap, after) = flat_sizes(features).last().copied().unwrap_or_default();
            Size::new(
                columns * (size.0 + gap.0) - gap.0 + after.0,
                rows * (size.1 + gap.1) - gap.1 + after.1,
            )
        }
        2 => {
            let mut least = window_sizes(shape).collect::<Vec<_>>();
            // The smallest squares, with as many boards in a row as fit in any terminal.
            let room = MIN_WIDTH - around.width;
            least.reverse();
            let mut fitting = least.iter().filter(|size| size.width <= room);
            let lowest = fitting.clone().map(|size| size.height).min();
            let found = fitting.find(|size| Some(size.height) == lowest);
            found.or(least.last()).copied().unwrap_or(Size::ZERO)
        }
        _ => return MIN_SIZE_WITH_MAPS,
    };
    Size::new(size.width + around.width, size.height + around.height)
}

/// Are all cells distinguishable in this room, however the boards are arranged?
pub(super) fn fits(shape: &BoardShape, features: &Features, room: Size) -> bool {
    let around = room_around(shape, features);
    let fits = |size: Size| {
        size.width + around.width <= room.width && size.height + around.height <= room.height
    };
    match shape.depth() {
        2 => window_sizes(shape).any(fits),
        _ => {
            let least = min_size(shape, features);
            least.width <= room.width && least.height <= room.height
        }
    }
}

/// The possible sizes of a board of boards, without what is around it.
fn window_sizes(shape: &BoardShape) -> impl Iterator<Item = Size> {
    WindowSizes::candidates(size_at(shape, 1), size_at(shape, 0)).map(WindowSizes::total)
}

/// The room for labels and for the pieces next to the board.
fn room_around(shape: &BoardShape, features: &Features) -> Size {
    let (width, height) = label_room(shape, features);
    Size::new(width, height + 2 * u16::from(features.has_reserve))
}

fn size_at(shape: &BoardShape, level: u8) -> (u16, u16) {
    let (columns, rows) = shape.size_at(level).unwrap_or((1, 1));
    (columns.into(), rows.into())
}

/// The room for labels to the left and above.
fn label_room(shape: &BoardShape, features: &Features) -> (u16, u16) {
    if !features.has_coordinates {
        return (0, 0);
    }
    let (_, rows) = size_at(shape, shape.depth().saturating_sub(1));
    match features.frame.is_some() {
        true => (3, 2),
        false => (if rows > 9 { 3 } else { 2 }, 1),
    }
}

/// Marks don't grow beyond this.
const MAX_HEIGHT: u16 = 13;

/// The squares of a single board, from large cells with lines to single characters without: size, gap, and the room to
/// the right and below.
fn flat_sizes(features: &Features) -> Vec<Fitting> {
    let heights = (1..=MAX_HEIGHT).rev();
    // Room for the brackets around one-row cells.
    let after = |height: u16| (u16::from(height == 1), 0);
    if features.frame.is_some() {
        let heights = heights.filter(|height| *height <= 9);
        return heights
            .map(|height| ((width_for(height), height), (1, 1), (1, 1)))
            .collect();
    }
    if features.has_links {
        // The lines between the points are half as long as the cells.
        let gap = |height: u16| (height.max(3), (height / 2).max(1));
        let sizes = heights.map(|height| ((width_for(height), height), gap(height), after(height)));
        return sizes.chain([((1, 1), (3, 1), (1, 0))]).collect();
    }
    // One column less may make it fit.
    let widths = |height: u16| [width_for(height), (2 * height + 1).max(3)];
    let with_lines = heights
        .flat_map(|height| widths(height).map(|width| ((width, height), (1, 1), after(height))));
    with_lines
        .chain([((1, 1), (2, 0), (1, 0)), ((1, 1), (1, 0), (1, 0))])
        .collect()
}

impl Layout {
    pub(super) fn fit(board: &Board, view: &dyn BoardView, area: Rect) -> Layout {
        let mut layout = Layout {
            area,
            ..Layout::default()
        };
        let mut rest = area;
        if board.features.has_reserve && area.height > 2 {
            let row = |y| Rect {
                y,
                height: 1,
                ..area
            };
            layout.reserves = vec![(Side::O, row(area.y)), (Side::X, row(area.bottom() - 1))];
            layout.reserve_pieces = reserve::takeable(board, view, &layout.reserves);
            rest = Rect {
                y: area.y + 1,
                height: area.height - 2,
                ..area
            };
        }
        match board.shape.depth() {
            0 => {}
            1 => layout.fit_flat(board, rest),
            _ => layout.fit_window(board, rest),
        }
        layout
    }

    fn fit_flat(&mut self, board: &Board, area: Rect) {
        let size = board.shape.size_at(0).unwrap_or((1, 1));
        let before = label_room(&board.shape, &board.features);
        let fit = |before| {
            let sizes = flat_sizes(&board.features).into_iter();
            SquareGrid::fit(size, sizes, before, area)
        };
        let mut squares = fit(before);
        // Without the space after the row numbers, the squares may be larger.
        self.row_label_distance = before.1;
        if before.1 == 1 {
            let tight = fit((before.0 - 1, before.1));
            if tight.size > squares.size {
                (squares, self.row_label_distance) = (tight, 0);
            }
        }
        self.boards.push(BoardArea {
            place: Place::BOARD,
            border: squares.bounds(),
            squares,
        });
    }

    fn fit_window(&mut self, board: &Board, area: Rect) {
        let shape = &board.shape;
        let window = board.cursor_at(board.zoom);
        let (cells, boards) = (size_at(shape, board.zoom + 1), size_at(shape, board.zoom));
        let before = label_room(shape, &board.features);
        let map_size = minimap::size(shape, board.zoom);
        let maps = u16::from(board.zoom);
        let below_window = (0, map_size.height + 1);
        let next_to_window = (map_size.width + 3, 0);
        let candidates: Vec<WindowSizes> = WindowSizes::candidates(cells, boards).collect();
        let fit_index = |(right, down): (u16, u16)| {
            let width = area.width.saturating_sub(right + before.0);
            let height = area.height.saturating_sub(down + before.1);
            let fits = |sizes: &WindowSizes| {
                let total = sizes.total();
                total.width <= width && total.height <= height
            };
            candidates.iter().position(fits).unwrap_or(usize::MAX)
        };
        // Minimaps go next to the window if that leaves it more room and they fit.
        let column = maps * (map_size.height + 1) <= area.height + 1;
        let reserved = match maps {
            0 => (0, 0),
            _ if column && fit_index(next_to_window) < fit_index(below_window) => next_to_window,
            _ => below_window,
        };
        let found = candidates.get(fit_index(reserved)).or(candidates.last());
        let sizes = found.copied().unwrap_or_default();
        let total = sizes.total();
        let (free_x, free_y) = (
            area.width
                .saturating_sub(total.width + reserved.0 + before.0),
            area.height
                .saturating_sub(total.height + reserved.1 + before.1),
        );
        let origin = (
            area.x + free_x / 2 + before.0,
            area.y + free_y / 2 + before.1,
        );
        self.is_bordered = true;
        self.boards_per_row = u8::try_from(sizes.boards_per_row()).unwrap_or(u8::MAX);
        let areas = (0..).zip(shape.parts(window)).map(|(n, place)| {
            let border = sizes.board(origin, n);
            BoardArea {
                place,
                border,
                squares: sizes.squares(border),
            }
        });
        self.boards = areas.collect();
        let (start, step) = if reserved == next_to_window {
            let x = origin.0 + total.width + 3;
            ((x, origin.1), (0, map_size.height + 1))
        } else {
            let width = (maps * (map_size.width + 2)).saturating_sub(2);
            let x = area.x + area.width.saturating_sub(width) / 2;
            ((x, origin.1 + total.height + 1), (map_size.width + 2, 0))
        };
        self.maps = (0..board.zoom)
            .map(|level| {
                let n = u16::from(level);
                let corner = (start.0 + n * step.0, start.1 + n * step.1);
                MiniMap::new(shape, board.cursor_at(level), corner, map_size.width)
            })
            .collect();
    }

    /// The cell or board at this position.
    pub(super) fn place_at(&self, shape: &BoardShape, position: Position) -> Option<Place> {
        let in_board = |board: &BoardArea| {
            let (column, row) = board.squares.square_at(position)?;
            shape.part_at(board.place, column as u8, row as u8)
        };
        let in_map = |map: &MiniMap| map.place_at(position);
        let boards = self.boards.iter().find_map(in_board);
        boards.or_else(|| self.maps.iter().find_map(in_map))
    }

    /// Where a cell or board was drawn in the window.
    pub(super) fn square_of(&self, shape: &BoardShape, place: Place) -> Option<Rect> {
        let parent = shape.parent(place)?;
        let board = self.boards.iter().find(|board| board.place == parent)?;
        let (column, row) = shape.column_row(place);
        Some(board.squares.square(column.into(), row.into()))
    }

    /// The border of the frame with its center here.
    pub(super) fn frame_rect(
        &self,
        shape: &BoardShape,
        frame: Frame,
        center: Place,
    ) -> Option<Rect> {
        let squares = self.boards.first()?.squares;
        let [first, last, from] =
            [frame.first, frame.last, frame.center].map(|place| shape.column_row(place));
        let to = shape.column_row(center);
        let moved = |corner: (u8, u8)| {
            let along = |corner: u8, from: u8, to: u8| {
                (u16::from(corner) + u16::from(to)).saturating_sub(from.into())
            };
            squares.square(along(corner.0, from.0, to.0), along(corner.1, from.1, to.1))
        };
        let (first, last) = (moved(first), moved(last));
        let (x, y) = (first.x.saturating_sub(1), first.y.saturating_sub(1));
        Some(Rect::new(x, y, last.right() + 1 - x, last.bottom() + 1 - y))
    }
}
