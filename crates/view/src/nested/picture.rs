//! The picture of a nested board: lines, marks, won boards, where the next move can go, and
//! the arc that leads there.

use maud::Markup;
use noughts_rules::{LINES, MoveArea, NestedBoard, Owner, Side};

use super::super::labels;
use super::super::svg::{
    Point, Square, SvgWriter, circle_path, cross_path, grid_lines, side_class,
};
use super::viewport::{Viewport, pow9};

pub(super) fn picture(board: &dyn NestedBoard, view: Viewport, playable: bool) -> Markup {
    let area = board.move_area();
    let mut builder = PictureBuilder {
        board,
        view,
        // If every board is open, none is highlighted.
        highlights_targets: !matches!(area, MoveArea::Anywhere | MoveArea::Nowhere)
            && board.depth() > 1,
        is_free_move: matches!(area, MoveArea::Free { .. }),
        shows_dots: playable && !board.is_over(),
        writer: SvgWriter::default(),
    };
    match view.is_leaf_board() {
        true => builder.leaf_board(),
        false => builder.board_with_children(),
    }
    builder.winning_line();
    builder.last_move();
    builder.move_arc(&area);
    builder.writer.finish()
}

struct PictureBuilder<'a> {
    board: &'a dyn NestedBoard,
    view: Viewport,
    highlights_targets: bool,
    is_free_move: bool,
    shows_dots: bool,
    writer: SvgWriter,
}

impl PictureBuilder<'_> {
    /// The lines between nine cells or boards.
    fn grid(&mut self, class: &str, square: Square, width: f64, gap: f64) {
        let d = grid_lines((square.x, square.y), square.size / 3.0, (3, 3), gap);
        self.writer.path(class, width, &d);
    }

    /// A single board of nine cells.
    fn leaf_board(&mut self) {
        let (view, outer) = (self.view, self.view.bounds());
        if self.view.level > 0 {
            let owner = self.board.owner(view.level, view.index);
            self.writer.owner_mark("won behind", owner, outer);
            if self.highlights_targets && self.board.accepts_move(view.level, view.index) {
                self.writer
                    .rounded_square("target", outer.inset(-6.0), 18.0);
            }
        }
        self.grid("line", outer, 3.0, 4.0);
        self.cells(view.index, outer);
    }

    /// The marks in the cells of a board, and dots on legal cells.
    fn cells(&mut self, board_index: usize, bounds: Square) {
        let mut legal = Vec::new();
        let last = self.board.last_cell();
        for place in 0..9 {
            let cell = board_index * 9 + place;
            let square = bounds.subsquare(place);
            match self.board.mark(cell) {
                Some(side) => {
                    let class = match last == Some(cell) {
                        true => "mark last new",
                        false => "mark",
                    };
                    self.writer.mark(class, side, square);
                }
                None if self.shows_dots && self.board.accepts_move(self.board.depth(), cell) => {
                    legal.push(square);
                }
                None => {}
            }
        }
        self.writer.dots("dots", legal);
    }

    /// A board with its nine children and their contents.
    fn board_with_children(&mut self) {
        let view = self.view;
        let level = view.level + 1;
        self.grid("line", view.bounds(), 4.0, 0.0);
        for place in 0..9 {
            let index = view.index * 9 + place;
            let owner = self.board.owner(level, index);
            let open = self.board.accepts_move(level, index);
            let class = self.board_class(level, index, owner, open);
            self.writer.open_group(&class);
            if self.highlights_targets && open {
                self.writer
                    .rounded_square("target", view.child_square(place).inset(2.5), 13.0);
            }
            // On top of the highlight.
            labels::draw_board_letter(&mut self.writer, place, view.child_square(place));
            self.writer.open_group("inside");
            let inside = view.child_interior(place);
            self.grid("line", inside, 1.5, 4.0);
            match view.shows_cells() {
                true => self.cells(index, inside),
                false => self.child_boards(index, inside),
            }
            self.writer.close_group();
            self.writer
                .owner_mark("won", owner, view.child_square(place));
            self.writer.close_group();
        }
    }

    /// The classes by which the style sheet distinguishes boards.
    fn board_class(&self, level: u32, index: usize, owner: Owner, open: bool) -> String {
        let mut class = String::from("subboard");
        if self.highlights_targets && open {
            class += if self.is_free_move {
                " playable free"
            } else {
                " playable"
            };
        } else if self.highlights_targets {
            class += " dim";
        }
        if owner != Owner::Nobody {
            class += " owned";
            if !self.board.closes_won_boards() && self.board.count_open_cells(level, index) > 0 {
                class += " still-open";
            }
        }
        class
    }

    /// Nine boards, each with a sketch of its contents.
    fn child_boards(&mut self, parent: usize, bounds: Square) {
        let level = self.view.level + 2;
        let mut lines = String::new();
        for place in 0..9 {
            let index = parent * 9 + place;
            let square = bounds.subsquare(place);
            let owner = self.board.owner(level, index);
            let open = self.board.accepts_move(level, index);
            if self.highlights_targets && open {
                self.writer
                    .rounded_square("target small", square.inset(1.2), 5.0);
            }
            if owner == Owner::Nobody || !self.board.closes_won_boards() {
                let inside = square.inset(square.size * 0.13);
                lines += &grid_lines((inside.x, inside.y), inside.size / 3.0, (3, 3), 0.6);
                self.sketch_children(level, index, inside, owner);
            }
            self.writer.owner_mark("won", owner, square);
        }
        self.writer.path("line fine", 0.7, &lines);
    }

    /// The nine children of a board; all marks of a side are one path.
    fn sketch_children(&mut self, level: u32, index: usize, bounds: Square, owner: Owner) {
        let depth = self.board.depth();
        let [mut x_path, mut o_path, mut dots_path] = [const { String::new() }; 3];
        for place in 0..9 {
            let child = index * 9 + place;
            let square = bounds.subsquare(place);
            let (center, radius) = (square.center(), square.size * 0.26);
            let child_owner = match level + 1 == depth {
                true => self.board.mark(child).map_or(Owner::Nobody, Owner::One),
                false => self.board.owner(level + 1, child),
            };
            if child_owner.counts_for(Side::X) {
                x_path += &cross_path(center, radius);
            }
            if child_owner.counts_for(Side::O) {
                let radius = if child_owner == Owner::Both {
                    1.5
                } else {
                    1.08
                } * radius;
                o_path += &circle_path(center, radius);
            }
            let is_started =
                (self.board.count_open_cells(level + 1, child) as usize) < pow9(depth - level - 1);
            if child_owner == Owner::Nobody && is_started {
                dots_path += &format!("M{}h0", Point(center.0, center.1));
            }
        }
        let width = bounds.size * 0.042;
        let [x_class, o_class, dot_class] = match owner {
            Owner::Nobody => ["marks x", "marks o", "started"],
            _ => ["marks faint x", "marks faint o", "started faint"],
        };
        self.writer.path(x_class, width, &x_path);
        self.writer.path(o_class, width, &o_path);
        self.writer.path(dot_class, width * 1.6, &dots_path);
    }

    /// The line that decided the game.
    fn winning_line(&mut self) {
        let places = self.board.winning_line();
        if self.view.level > 0 || places == 0 {
            return;
        }
        for line in LINES.iter().filter(|&&line| places & line == line) {
            let (first, last) = (line.trailing_zeros(), 31 - line.leading_zeros());
            let (from, to) = (
                self.view.child_square(first as usize),
                self.view.child_square(last as usize),
            );
            let winner = match self.board.depth() {
                1 => self.board.mark(first as usize),
                // A shared board counts for both sides: the last move completed the line.
                _ => self
                    .board
                    .last_cell()
                    .and_then(|cell| self.board.mark(cell)),
            };
            let winner = winner.unwrap_or(self.board.side().other());
            let class = format!("win-line {}", side_class(winner));
            self.writer.line_through(&class, from, to);
        }
    }

    fn last_move(&mut self) {
        let Some(cell) = self.board.last_cell() else {
            return;
        };
        let square = self.view.square(self.board.depth(), cell);
        if let (Some(square), Some(side)) = (square, self.board.mark(cell)) {
            self.writer.last_move_ring(side, square);
        }
    }

    /// The arc from the last move to the board that it sends to.
    fn move_arc(&mut self, area: &MoveArea) {
        let (target, class) = match area {
            MoveArea::Board(path) => (path, "arrow"),
            MoveArea::Free { target, .. } => (target, "arrow idle"),
            _ => return,
        };
        let Some(cell) = self.board.last_cell() else {
            return;
        };
        let from = self.view.square(self.board.depth(), cell);
        let (Some(from), Some(to)) = (from, self.view.square_of_path(target)) else {
            return;
        };
        let Some(side) = self.board.mark(cell) else {
            return;
        };
        if to.contains(from.center()) {
            return;
        }
        let (d, head) = arc(from, to);
        let side_class = side_class(side);
        self.writer.path(&format!("{class} {side_class}"), 2.0, &d);
        self.writer
            .path(&format!("{class} arrow-head {side_class}"), 2.0, &head);
    }
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
