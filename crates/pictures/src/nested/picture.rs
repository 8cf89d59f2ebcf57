//! The picture of a nested board: lines, marks, won boards, where the next move may go
//! and the arc that leads there.

use maud::Markup;
use noughts_rules::{LINES, MoveArea, NestedBoard, Owner, Side};

use super::super::labels;
use super::super::svg::{
    Rounded, Square, SvgWriter, circle_path, cross_path, grid_lines, side_class,
};
use super::viewport::{Viewport, pow9};

pub(super) fn picture(play: &dyn NestedBoard, view: Viewport, live: bool) -> Markup {
    let place = play.move_area();
    let mut drawing = Drawing {
        play,
        view,
        // Where everything is open, nothing needs a light.
        lit: !matches!(place, MoveArea::Anywhere | MoveArea::Nowhere) && play.depth() > 1,
        free: matches!(place, MoveArea::Free { .. }),
        dots: live && !play.is_over(),
        pen: SvgWriter::default(),
    };
    match view.is_leaf_board() {
        true => drawing.single(),
        false => drawing.double(),
    }
    drawing.line();
    drawing.last();
    drawing.sweep(&place);
    drawing.pen.finish()
}

struct Drawing<'a> {
    play: &'a dyn NestedBoard,
    view: Viewport,
    lit: bool,
    free: bool,
    dots: bool,
    pen: SvgWriter,
}

impl Drawing<'_> {
    fn lines(&mut self, class: &str, at: Square, width: f64, short: f64) {
        let d = grid_lines((at.x, at.y), at.size / 3.0, (3, 3), short);
        self.pen.path(class, width, &d);
    }

    /// One board of nine cells, as large as can be.
    fn single(&mut self) {
        let (view, outer) = (self.view, self.view.bounds());
        if self.view.level > 0 {
            let owner = self.play.owner(view.level, view.index);
            self.owner("won behind", owner, outer);
            if self.lit && self.play.accepts_move(view.level, view.index) {
                self.pen.rounded_square("target", outer.inset(-6.0), 18.0);
            }
        }
        self.lines("line", outer, 3.0, 4.0);
        self.cells(view.index, outer);
    }

    /// The marks in the cells of a board, and dots where one may play.
    fn cells(&mut self, board: usize, at: Square) {
        let mut legal = Vec::new();
        let last = self.play.last_cell();
        for place in 0..9 {
            let cell = board * 9 + place;
            let square = at.subsquare(place);
            match self.play.mark(cell) {
                Some(player) => {
                    let class = match last == Some(cell) {
                        true => "mark last new",
                        false => "mark",
                    };
                    self.pen.mark(class, player, square);
                }
                None if self.dots && self.play.accepts_move(self.play.depth(), cell) => {
                    legal.push(square);
                }
                None => {}
            }
        }
        self.pen.dots("dots", legal);
    }

    /// A board, its nine boards, and what is in them.
    fn double(&mut self) {
        let view = self.view;
        let level = view.level + 1;
        self.lines("line", view.bounds(), 4.0, 0.0);
        for place in 0..9 {
            let index = view.index * 9 + place;
            let owner = self.play.owner(level, index);
            let open = self.play.accepts_move(level, index);
            let class = self.class(level, index, owner, open);
            self.pen.open_group(&class);
            if self.lit && open {
                self.pen
                    .rounded_square("target", view.child_square(place).inset(2.5), 13.0);
            }
            // Above the plate, where it is lit.
            labels::draw_board_letter(&mut self.pen, place, view.child_square(place));
            self.pen.open_group("inside");
            let inside = view.child_interior(place);
            self.lines("line", inside, 1.5, 4.0);
            match view.shows_cells() {
                true => self.cells(index, inside),
                false => self.boards(index, inside),
            }
            self.pen.close_group();
            self.owner("won", owner, view.child_square(place));
            self.pen.close_group();
        }
    }

    /// What the style sheet has to know of a board.
    fn class(&self, level: u32, index: usize, owner: Owner, open: bool) -> String {
        let mut class = String::from("sub");
        if self.lit && open {
            class += if self.free { " lifted free" } else { " lifted" };
        } else if self.lit {
            class += " dim";
        }
        if owner != Owner::Nobody {
            class += " owned";
            if !self.play.closes_won_boards() && self.play.count_open_cells(level, index) > 0 {
                class += " live";
            }
        }
        class
    }

    /// The large mark of who owns a board; of both, the one around the other.
    fn owner(&mut self, class: &str, owner: Owner, at: Square) {
        let (centre, size) = (at.center(), at.size);
        match owner {
            Owner::Nobody => {}
            Owner::One(player) => {
                let (radius, width) = (size * 0.275, size * 0.075);
                self.pen.mark_sized(class, player, centre, radius, width);
            }
            Owner::Both => {
                let (outer, inner, width) = (size * 0.34, size * 0.17, size * 0.06);
                self.pen.mark_sized(class, Side::O, centre, outer, width);
                self.pen.mark_sized(class, Side::X, centre, inner, width);
            }
        }
    }

    /// Nine boards, each with a sketch of what is in it.
    fn boards(&mut self, around: usize, at: Square) {
        let level = self.view.level + 2;
        let mut fine = String::new();
        for place in 0..9 {
            let index = around * 9 + place;
            let square = at.subsquare(place);
            let owner = self.play.owner(level, index);
            let open = self.play.accepts_move(level, index);
            if self.lit && open {
                self.pen
                    .rounded_square("target small", square.inset(1.2), 5.0);
            }
            if owner == Owner::Nobody || !self.play.closes_won_boards() {
                let inside = square.inset(square.size * 0.13);
                fine += &grid_lines((inside.x, inside.y), inside.size / 3.0, (3, 3), 0.6);
                self.sketch(level, index, inside, owner);
            }
            self.owner("won", owner, square);
        }
        self.pen.path("line fine", 0.7, &fine);
    }

    /// The nine children of a board, all marks of a player in one stroke.
    fn sketch(&mut self, level: u32, index: usize, at: Square, owner: Owner) {
        let depth = self.play.depth();
        let [mut x, mut o, mut begun] = [const { String::new() }; 3];
        for place in 0..9 {
            let child = index * 9 + place;
            let square = at.subsquare(place);
            let (centre, radius) = (square.center(), square.size * 0.26);
            let held = match level + 1 == depth {
                true => self.play.mark(child).map_or(Owner::Nobody, Owner::One),
                false => self.play.owner(level + 1, child),
            };
            if held.counts_for(Side::X) {
                x += &cross_path(centre, radius);
            }
            if held.counts_for(Side::O) {
                let radius = if held == Owner::Both { 1.5 } else { 1.08 } * radius;
                o += &circle_path(centre, radius);
            }
            let touched =
                (self.play.count_open_cells(level + 1, child) as usize) < pow9(depth - level - 1);
            if held == Owner::Nobody && touched {
                begun += &format!("M{} {}h0", Rounded(centre.0), Rounded(centre.1));
            }
        }
        let width = at.size * 0.042;
        let [on_x, on_o, dots] = match owner {
            Owner::Nobody => ["marks x", "marks o", "begun"],
            _ => ["marks faint x", "marks faint o", "begun faint"],
        };
        self.pen.path(on_x, width, &x);
        self.pen.path(on_o, width, &o);
        self.pen.path(dots, width * 1.6, &begun);
    }

    /// The line that decided the game.
    fn line(&mut self) {
        let places = self.play.winning_line();
        if self.view.level > 0 || places == 0 {
            return;
        }
        for line in LINES.iter().filter(|&&line| places & line == line) {
            let (first, last) = (line.trailing_zeros(), 31 - line.leading_zeros());
            let (from, to) = (
                self.view.child_square(first as usize),
                self.view.child_square(last as usize),
            );
            let winner = match self.play.depth() {
                1 => self.play.mark(first as usize),
                // Of a co-owned board the line is the one's who made it last.
                _ => self.play.last_cell().and_then(|cell| self.play.mark(cell)),
            };
            let winner = winner.unwrap_or(self.play.side().other());
            let class = format!("win-line {}", side_class(winner));
            self.pen.line_through(&class, from, to);
        }
    }

    fn last(&mut self) {
        let Some(cell) = self.play.last_cell() else {
            return;
        };
        let square = self.view.square(self.play.depth(), cell);
        if let (Some(square), Some(player)) = (square, self.play.mark(cell)) {
            self.pen.last_move_ring(player, square);
        }
    }

    /// The arc from the last move to the board that it points to.
    fn sweep(&mut self, place: &MoveArea) {
        let (target, class) = match place {
            MoveArea::Board(path) => (path, "sweep"),
            MoveArea::Free { target, .. } => (target, "sweep idle"),
            _ => return,
        };
        let Some(cell) = self.play.last_cell() else {
            return;
        };
        let from = self.view.square(self.play.depth(), cell);
        let (Some(from), Some(to)) = (from, self.view.square_of_path(target)) else {
            return;
        };
        let Some(player) = self.play.mark(cell) else {
            return;
        };
        if to.contains(from.center()) {
            return;
        }
        let (d, head) = arc(from, to);
        let hue = side_class(player);
        self.pen.path(&format!("{class} {hue}"), 2.0, &d);
        self.pen.path(&format!("{class} head {hue}"), 2.0, &head);
    }
}

/// A bow from a cell to the edge of a board, and the head of an arrow at its end.
fn arc(from: Square, to: Square) -> (String, String) {
    let ((x1, y1), (x2, y2)) = (from.center(), to.center());
    let (dx, dy) = (x2 - x1, y2 - y1);
    let length = dx.hypot(dy).max(1.0);
    let (ux, uy) = (dx / length, dy / length);
    // Out of the ring around the mark, up to the board's edge.
    let start = from.size * 0.42;
    let reach = (to.size / 2.0 - 3.0) / ux.abs().max(uy.abs());
    let end = (length - reach).max(start + 4.0);
    let (sx, sy) = (x1 + ux * start, y1 + uy * start);
    let (ex, ey) = (x1 + ux * end, y1 + uy * end);
    // It bows upwards, or to the right where it runs straight down or up.
    let side = if ux >= 0.0 { 1.0 } else { -1.0 };
    let bow = (end - start) * 0.24;
    let (cx, cy) = (
        f64::midpoint(sx, ex) + uy * side * bow,
        f64::midpoint(sy, ey) - ux * side * bow,
    );
    let d = format!(
        "M{} {}Q{} {} {} {}",
        Rounded(sx),
        Rounded(sy),
        Rounded(cx),
        Rounded(cy),
        Rounded(ex),
        Rounded(ey)
    );
    let (hx, hy) = (ex - cx, ey - cy);
    let norm = hx.hypot(hy).max(0.1);
    let (hx, hy) = (hx / norm * 6.0, hy / norm * 6.0);
    let head = format!(
        "M{} {}L{} {}L{} {}",
        Rounded(ex - hx - hy * 0.7),
        Rounded(ey - hy + hx * 0.7),
        Rounded(ex),
        Rounded(ey),
        Rounded(ex - hx + hy * 0.7),
        Rounded(ey - hy - hx * 0.7)
    );
    (d, head)
}
