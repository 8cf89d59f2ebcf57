//! The picture of a board: lines, pieces, won boards, where the next move can go, and what the last one did.

use std::collections::BTreeSet;

use maud::Markup;
use noughts_rules::{BoardLook, BoardView, CellView, Frame, Owner, Piece, Place, Side};

use super::labels;
use super::layout::{Arrangement, Grid, Layout};
use super::moves::{LastMove, LegalTaps};
use super::pieces::{PieceStyle, RESTING, draw_pieces, is_solid, radius_share};
use super::svg::{
    Point, Rounded, Square, SvgWriter, circle_path, color_class, cross_path, line_through,
    side_class,
};

/// What a picture is made of.
pub(super) struct Picture<'a> {
    pub(super) view: &'a dyn BoardView,
    pub(super) layout: &'a Layout,
    /// What is in a place: usually what the view says.
    pub(super) contents: &'a dyn Fn(Place) -> CellView,
    pub(super) last: &'a LastMove,
    /// Where a move can start, if one can be made.
    pub(super) legal: &'a LegalTaps,
}

/// Draws the board.
pub(super) fn draw(picture: &Picture<'_>) -> Markup {
    let view = picture.view;
    let lines = view.winning_lines();
    let shape = &picture.layout.shape;
    let mut builder = Builder {
        picture,
        style: PieceStyle::of(&shape.look),
        focus: view.focus(),
        in_line: {
            let places = lines.concat().into_iter();
            places
                .filter(|place| place.level == shape.depth())
                .collect()
        },
        // Where every board is open, none is highlighted.
        highlights_targets: Arrangement::of(shape) == Arrangement::Nested
            && !view.is_over()
            && shape
                .parts(Place::BOARD)
                .any(|part| !view.accepts_move(part)),
        writer: SvgWriter::default(),
    };
    match picture.layout.shows_one_board() {
        true => builder.one_board(&lines),
        false => {
            builder.boards();
            builder.winning_lines(&lines);
        }
    }
    builder.last_move();
    builder.arc();
    builder.writer.finish()
}

/// Draws the board without anything on it.
pub(super) fn draw_empty(view: &dyn BoardView, layout: &Layout) -> Markup {
    let mut builder = Builder {
        picture: &Picture {
            view,
            layout,
            contents: &|_| CellView::default(),
            last: &LastMove::default(),
            legal: &LegalTaps::default(),
        },
        style: PieceStyle::Written,
        focus: Place::BOARD,
        in_line: BTreeSet::new(),
        highlights_targets: false,
        writer: SvgWriter::default(),
    };
    match layout.shows_one_board() {
        true => builder.board(layout.parts()),
        false => builder.boards(),
    }
    builder.writer.finish()
}

struct Builder<'a> {
    picture: &'a Picture<'a>,
    style: PieceStyle,
    /// The smallest board that contains all legal moves.
    focus: Place,
    /// The cells of the lines that decided the game.
    in_line: BTreeSet<Place>,
    highlights_targets: bool,
    writer: SvgWriter,
}

impl Builder<'_> {
    fn contents(&self, place: Place) -> CellView {
        (self.picture.contents)(place)
    }

    /// A board of cells that fills the picture, with these lines below the pieces.
    fn one_board(&mut self, lines: &[Vec<Place>]) {
        let layout = self.picture.layout;
        let board = layout.shown;
        let grid = layout.parts();
        if board.level > 0 {
            let outer = Square::new(
                grid.corner().0,
                grid.corner().1,
                grid.width().max(grid.height()),
            );
            self.writer
                .owner_mark("won behind", self.contents(board).owner, outer);
            if self.highlights_targets && self.picture.view.accepts_move(board) {
                self.writer
                    .rounded_square("target", outer.inset(-6.0), 18.0);
            }
        }
        self.board(grid);
        self.frame();
        self.winning_lines(lines);
        self.cells(board, |part| layout.part_square(part));
    }

    /// Several boards, each with its cells or boards.
    fn boards(&mut self) {
        let layout = self.picture.layout;
        let is_nested = layout.arrangement == Arrangement::Nested;
        if is_nested {
            self.writer.path("line", 4.0, &layout.parts().lines(0.0));
        }
        let (shape, view) = (&layout.shape, self.picture.view);
        let shown_name = view.place_name(layout.shown);
        for (part, board) in (0..).zip(shape.parts(layout.shown)) {
            let contents = self.contents(board);
            let (square, inner) = (layout.part_square(part), layout.inner(part));
            let is_target = self.highlights_targets && view.accepts_move(board);
            self.writer
                .open_group(&self.board_class(board, &contents, is_target));
            if is_target {
                self.writer
                    .rounded_square("target", square.inset(2.5), 13.0);
            }
            // On top of the highlight.
            let name = view.place_name(board);
            let label = match is_nested {
                true => (square.x + 10.0, square.y + 8.0),
                false => (
                    inner.corner().0 - if layout.has_labels() { 15.0 } else { 0.0 },
                    square.y - 18.5,
                ),
            };
            let name = name.strip_prefix(&shown_name).unwrap_or(&name);
            match is_nested {
                true => labels::draw_name(&mut self.writer, name, label),
                false => labels::draw_heading(&mut self.writer, name, label),
            }
            self.writer.open_group("inside");
            match (is_nested, layout.shows_cells()) {
                (true, true) => {
                    self.writer.path("line", 1.5, &inner.lines(4.0));
                    self.cells(board, |cell| inner.square(cell));
                }
                (true, false) => {
                    self.writer.path("line", 1.5, &inner.lines(4.0));
                    self.child_boards(board, inner);
                }
                (false, _) => {
                    self.board(inner);
                    self.cells(board, |cell| inner.square(cell));
                }
            }
            self.writer.close_group();
            if contents.is_dead && contents.owner == Owner::Nobody {
                let (x, y) = inner.corner();
                let size = (inner.width() + 6.0, inner.height() + 6.0);
                self.writer
                    .rounded_rect("closed", (x - 3.0, y - 3.0), size, 8.0, None);
            }
            self.writer.owner_mark("won", contents.owner, square);
            self.writer.close_group();
        }
    }

    /// The classes by which the style sheet distinguishes boards.
    fn board_class(&self, board: Place, contents: &CellView, is_target: bool) -> String {
        let mut class = String::from("subboard");
        if is_target {
            class += match self.focus.level + 1 < self.picture.layout.shape.depth() {
                true => " playable free",
                false => " playable",
            };
        } else if self.highlights_targets {
            class += " dim";
        }
        if contents.owner != Owner::Nobody {
            class += " owned";
            if !contents.is_dead && self.picture.view.count_open_cells(board) > 0 {
                class += " still-open";
            }
        } else if contents.is_dead {
            class += " dead";
        }
        class
    }

    // ---- A board of cells ----

    /// What is under the pieces of a board: lines, tiles, holes or points; and its labels.
    fn board(&mut self, grid: Grid) {
        let layout = self.picture.layout;
        match &layout.shape.look {
            BoardLook::Squares if layout.arrangement == Arrangement::Tiles => self.tiles(),
            BoardLook::Squares => self.grid_lines(grid),
            BoardLook::Holes => self.holes(grid),
            BoardLook::Points(_) => self.points(grid),
        }
        if layout.has_labels() {
            let columns: Vec<Square> = (0..grid.columns)
                .map(|column| grid.square(column))
                .collect();
            let rows: Vec<Square> = (0..grid.rows)
                .map(|row| grid.square(row * grid.columns))
                .collect();
            labels::draw_edge_labels(&mut self.writer, &columns, &rows, layout.tray_margin());
        }
    }

    /// The lines between the cells, and a frame around large and narrow boards.
    fn grid_lines(&mut self, grid: Grid) {
        let size = grid.size;
        let has_frame = grid.columns.max(grid.rows) > 5 || grid.columns.min(grid.rows) < 3;
        let width = if size > 60.0 { 3.0 } else { 1.2 + size / 60.0 };
        let class = if size > 30.0 { "line" } else { "line fine" };
        let gap = if has_frame { 0.0 } else { size * 0.03 };
        self.writer.path(class, width, &grid.lines(gap));
        if has_frame {
            self.writer.rounded_rect(
                "line frame",
                grid.corner(),
                (grid.width(), grid.height()),
                5.0,
                Some(width),
            );
        }
    }

    fn tiles(&mut self) {
        let layout = self.picture.layout;
        let view = self.picture.view;
        let frame = view.frame();
        for (part, cell) in (0..).zip(layout.shape.parts(layout.shown)) {
            let is_inside = frame.is_some_and(|frame| is_in_frame(layout, &frame, cell));
            let class = if is_inside {
                "cell-outline in-grid"
            } else {
                "cell-outline"
            };
            let square = layout.part_square(part);
            self.writer
                .rounded_square(class, square, (square.size + 6.0) * 0.16);
        }
    }

    fn holes(&mut self, grid: Grid) {
        let (x, y) = grid.corner();
        let margin = self.picture.layout.tray_margin();
        self.writer.rounded_rect(
            "tray",
            (x - margin, y - margin),
            (grid.width() + 2.0 * margin, grid.height() + 2.0 * margin),
            grid.size * 0.3,
            None,
        );
        for cell in 0..grid.columns * grid.rows {
            let square = grid.square(cell);
            let (x, y) = square.center();
            self.writer.write(format_args!(
                "<circle class=\"hole\" cx=\"{}\" cy=\"{}\" r=\"{}\"></circle>",
                Rounded(x),
                Rounded(y),
                Rounded(square.size * 0.42)
            ));
        }
    }

    fn points(&mut self, grid: Grid) {
        let layout = self.picture.layout;
        let BoardLook::Points(links) = &layout.shape.look else {
            return;
        };
        let mut d = String::new();
        for &(from, to) in links {
            let squares = [from, to].map(|cell| layout.square(layout.shape.cell(cell)));
            if let [Some(from), Some(to)] = squares {
                let ((x1, y1), (x2, y2)) = (from.center(), to.center());
                d += &format!("M{}L{}", Point(x1, y1), Point(x2, y2));
            }
        }
        self.writer.path("line", 3.0, &d);
        let points = (0..grid.columns * grid.rows).map(|cell| grid.square(cell));
        self.writer.dots("point", points);
    }

    /// The pieces on the cells of a board, and dots where a move can start.
    fn cells(&mut self, board: Place, square: impl Fn(u32) -> Square) {
        let layout = self.picture.layout;
        let mut dots = Vec::new();
        for (part, cell) in (0..).zip(layout.shape.parts(board)) {
            let pieces = self.contents(cell).pieces;
            if pieces.is_empty() {
                if self.picture.legal.shows(cell) {
                    dots.push(square(part));
                }
                continue;
            }
            let is_outside_line = !self.in_line.is_empty() && !self.in_line.contains(&cell);
            let class = match self.picture.last.to == Some(cell) {
                true => "mark last new".into(),
                false if !is_outside_line => "mark".into(),
                false if pieces.iter().any(|piece| is_solid(piece, self.style)) => {
                    format!("mark {RESTING}")
                }
                false => String::from("mark dimmed"),
            };
            draw_pieces(&mut self.writer, &class, &pieces, square(part), self.style);
        }
        self.writer.dots("dots", dots);
    }

    // ---- The frame ----

    /// The frame with its lines and handle; also its previous place if the last move moved it.
    fn frame(&mut self) {
        let (layout, view) = (self.picture.layout, self.picture.view);
        let Some((frame, grid)) = view
            .frame()
            .and_then(|frame| Some((frame, frame_grid(layout, &frame)?)))
        else {
            return;
        };
        let radius = grid.size * 0.26;
        let rect = |grid: Grid| (grid.corner(), (grid.width(), grid.height()));
        if let Some(previous) = view
            .previous_frame()
            .and_then(|frame| frame_grid(layout, &frame))
        {
            let (corner, size) = rect(previous);
            self.writer
                .rounded_rect("previous-grid", corner, size, radius, None);
        }
        let moved = match self.picture.last.moved_frame {
            true => format!(" last {}", side_class(view.side().other())),
            false => String::new(),
        };
        let [center, first, last] =
            [frame.center, frame.first, frame.last].map(|cell| view.place_name(cell));
        self.writer.write(format_args!(
            "<g class=\"grid{moved}\" data-center=\"{center}\" data-first=\"{first}\" data-last=\"{last}\">"
        ));
        let (corner, size) = rect(grid);
        self.writer
            .rounded_rect("grid-pane", corner, size, radius, None);
        self.writer.path("grid-line", 1.5, &grid.lines(6.0));
        let (x, y) = handle_point(grid);
        self.writer.write(format_args!(
            "<circle class=\"handle\" cx=\"{}\" cy=\"{}\" r=\"8\"></circle>",
            Rounded(x),
            Rounded(y)
        ));
        let (upper, lower) = (Point(x - 3.0, y - 1.6), Point(x - 3.0, y + 1.6));
        self.writer
            .path("handle-lines", 1.4, &format!("M{upper}h6M{lower}h6"));
        self.writer.close_group();
    }

    // ---- Boards too small for their cells ----

    /// The boards inside a board, each with a sketch of its contents.
    fn child_boards(&mut self, parent: Place, grid: Grid) {
        let shape = &self.picture.layout.shape;
        let mut lines = String::new();
        for (part, board) in (0..).zip(shape.parts(parent)) {
            let square = grid.square(part);
            let contents = self.contents(board);
            if self.highlights_targets && self.picture.view.accepts_move(board) {
                self.writer
                    .rounded_square("target small", square.inset(1.2), 5.0);
            }
            if !(contents.is_dead && contents.owner != Owner::Nobody) {
                let inside = square.inset(square.size * 0.13);
                let inside = Grid::fit(shape.size_at(board.level).unwrap_or((1, 1)), inside);
                lines += &inside.lines(0.6);
                self.sketch(board, inside, contents.owner);
            }
            self.writer.owner_mark("won", contents.owner, square);
        }
        self.writer.path("line fine", 0.7, &lines);
    }

    /// The parts of a board; all marks of a side are one path.
    fn sketch(&mut self, board: Place, grid: Grid, owner: Owner) {
        let (shape, view) = (&self.picture.layout.shape, self.picture.view);
        let [mut x_path, mut o_path, mut dots_path] = [const { String::new() }; 3];
        for (n, part) in (0..).zip(shape.parts(board)) {
            let square = grid.square(n);
            let (center, radius) = (square.center(), square.size * 0.26);
            let contents = self.contents(part);
            let color = contents.top().and_then(Piece::color);
            let counts_for = |side| contents.owner.counts_for(side) || color == Some(side);
            if counts_for(Side::X) {
                x_path += &cross_path(center, radius);
            }
            if counts_for(Side::O) {
                let share = if contents.owner == Owner::Both {
                    1.5
                } else {
                    1.08
                };
                o_path += &circle_path(center, share * radius);
            }
            let is_started = || (view.count_open_cells(part) as usize) < shape.cells_of(part).len();
            if contents.owner == Owner::Nobody && color.is_none() && is_started() {
                dots_path += &format!("M{}h0", Point(center.0, center.1));
            }
        }
        let width = grid.width().max(grid.height()) * 0.042;
        let [x_class, o_class, dot_class] = match owner {
            Owner::Nobody => ["marks x", "marks o", "started"],
            _ => ["marks faint x", "marks faint o", "started faint"],
        };
        self.writer.path(x_class, width, &x_path);
        self.writer.path(o_class, width, &o_path);
        self.writer.path(dot_class, width * 1.6, &dots_path);
    }

    // ---- Lines, the last move and the next ----

    /// The lines that decided the game. A line through several boards is shown by its cells.
    fn winning_lines(&mut self, lines: &[Vec<Place>]) {
        let layout = self.picture.layout;
        for color in [Some(Side::X), Some(Side::O), None] {
            let (mut d, mut size) = (String::new(), 0.0);
            let mut of_color = lines.to_vec();
            of_color.retain(|line| self.line_color(line) == color);
            for line in of_color {
                let squares: Vec<Square> = line
                    .iter()
                    .filter_map(|&place| layout.square(place))
                    .collect();
                let boards: BTreeSet<_> = line
                    .iter()
                    .map(|&place| layout.shape.parent(place))
                    .collect();
                let ([from, .., to] | [from @ to]) = squares[..] else {
                    continue;
                };
                if boards.len() == 1 && squares.len() == line.len() {
                    d += &line_through(from, to);
                    size = from.size;
                    continue;
                }
                for square in squares {
                    let class = format!("win-cell {}", color_class(color));
                    self.writer
                        .rounded_square(&class, square.inset(1.5), square.size * 0.14);
                }
            }
            // Lines that cross are one path, so that the crossing isn't darker.
            let width = match self.style {
                PieceStyle::Written => 0.13,
                // Most of it is below the discs.
                PieceStyle::Discs(_) => 0.3,
            };
            let class = format!("win-line {}", color_class(color));
            self.writer.path(&class, size * width, &d);
        }
    }

    /// The side whose pieces or boards form a line.
    fn line_color(&self, line: &[Place]) -> Option<Side> {
        let mut sides = line.iter().filter_map(|&place| {
            let contents = self.contents(place);
            match contents.owner {
                Owner::One(side) => Some(side),
                _ => contents.top().and_then(Piece::color),
            }
        });
        // Boards that count for both sides have no color.
        sides
            .next()
            .or_else(|| self.picture.view.outcome()?.winner())
    }

    /// The ring around what the last move put down, and the way it came.
    fn last_move(&mut self) {
        let (layout, last) = (self.picture.layout, self.picture.last);
        let Some((to, square)) = last.to.and_then(|to| Some((to, layout.square(to)?))) else {
            return;
        };
        let Some(piece) = self.contents(to).top().copied() else {
            return;
        };
        let radius = (radius_share(&piece, self.style) + 0.05).max(0.4);
        if let Some((from, start)) = last
            .from
            .and_then(|from| Some((from, layout.square(from)?)))
        {
            // From the rim of a piece that was below, to the ring.
            let left_behind = self.contents(from);
            let margin = left_behind
                .top()
                .map_or(0.0, |piece| radius_share(piece, self.style) + 0.05);
            let d = trimmed_line(
                (start.center(), margin * start.size),
                (square.center(), radius * square.size),
            );
            let class = format!("piece-path {}", color_class(piece.color()));
            self.writer.path(&class, 2.0, &d);
        }
        self.writer
            .last_move_ring(piece.color(), square, square.size * radius);
    }

    /// The arc from the last move to the board that the next one must go to.
    fn arc(&mut self) {
        let (layout, last) = (self.picture.layout, self.picture.last);
        if !self.highlights_targets || self.focus.level + 1 < layout.shape.depth() {
            return;
        }
        let Some(cell) = last.to else { return };
        let (Some(from), Some(to)) = (layout.square(cell), layout.square(self.focus)) else {
            return;
        };
        if to.contains(from.center()) {
            return;
        }
        let color = color_class(self.contents(cell).top().and_then(Piece::color));
        let (d, head) = arc(from, to);
        self.writer.path(&format!("arrow {color}"), 2.0, &d);
        self.writer
            .path(&format!("arrow arrow-head {color}"), 2.0, &head);
    }
}

/// Is a cell inside the frame? Both are on the same board.
pub(super) fn is_in_frame(layout: &Layout, frame: &Frame, cell: Place) -> bool {
    let shape = &layout.shape;
    let [(column, row), first, last] =
        [cell, frame.first, frame.last].map(|place| shape.column_row(place));
    shape.parent(cell) == shape.parent(frame.first)
        && (first.0..=last.0).contains(&column)
        && (first.1..=last.1).contains(&row)
}

/// The cells of the frame, without gaps.
pub(super) fn frame_grid(layout: &Layout, frame: &Frame) -> Option<Grid> {
    let square = layout.square_with_gap(frame.first)?;
    let [first, last] = [frame.first, frame.last].map(|place| layout.shape.column_row(place));
    let columns = last.0.checked_sub(first.0)? + 1;
    let rows = last.1.checked_sub(first.1)? + 1;
    Some(Grid::at(square, (columns, rows)))
}

/// The place of the handle by which the frame is dragged: the middle of its upper edge.
pub(super) fn frame_handle(layout: &Layout, frame: &Frame) -> Option<(f64, f64)> {
    frame_grid(layout, frame).map(handle_point)
}

fn handle_point(grid: Grid) -> (f64, f64) {
    let (x, y) = grid.corner();
    (x + grid.width() / 2.0, y)
}

/// A line between two points that leaves out the margins around them.
fn trimmed_line(
    ((x1, y1), start): ((f64, f64), f64),
    ((x2, y2), end): ((f64, f64), f64),
) -> String {
    let length = (x2 - x1).hypot(y2 - y1);
    if length <= start + end {
        return String::new();
    }
    let (dx, dy) = ((x2 - x1) / length, (y2 - y1) / length);
    format!(
        "M{}L{}",
        Point(x1 + dx * start, y1 + dy * start),
        Point(x2 - dx * end, y2 - dy * end)
    )
}

/// An arc from a cell to the edge of a board, and the arrowhead at its end.
fn arc(from: Square, to: Square) -> (String, String) {
    let ((x1, y1), (x2, y2)) = (from.center(), to.center());
    let (dx, dy) = (x2 - x1, y2 - y1);
    let length = dx.hypot(dy).max(1.0);
    let (ux, uy) = (dx / length, dy / length);
    // From outside the ring around the mark to the board's edge.
    let start = from.size * 0.42;
    let to_edge = (to.size / 2.0 - 3.0) / ux.abs().max(uy.abs());
    let end = (length - to_edge).max(start + 4.0);
    let (sx, sy) = (x1 + ux * start, y1 + uy * start);
    let (ex, ey) = (x1 + ux * end, y1 + uy * end);
    // It curves upward, or to the right if it is vertical.
    let direction = if ux >= 0.0 { 1.0 } else { -1.0 };
    let bow = (end - start) * 0.24;
    let (cx, cy) = (
        f64::midpoint(sx, ex) + uy * direction * bow,
        f64::midpoint(sy, ey) - ux * direction * bow,
    );
    let d = format!("M{}Q{} {}", Point(sx, sy), Point(cx, cy), Point(ex, ey));
    let (hx, hy) = (ex - cx, ey - cy);
    let norm = hx.hypot(hy).max(0.1);
    let (hx, hy) = (hx / norm * 6.0, hy / norm * 6.0);
    let head = format!(
        "M{}L{}L{}",
        Point(ex - hx - hy * 0.7, ey - hy + hx * 0.7),
        Point(ex, ey),
        Point(ex - hx + hy * 0.7, ey - hy - hx * 0.7)
    );
    (d, head)
}
