//! How a nested board is drawn: nine boards of nine squares. At the closest zoom the
//! squares are cells, else they sum up the boards inside them.

use noughts_rules::{LINES, MoveArea, NestedGameState, Owner, Side, path_text};
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::layout::{Layout, Sizes};
use super::{NestedBoard, Node, minimap, node_count};
use crate::tui::board::RenderContext;
use crate::tui::board::canvas::Canvas;
use crate::tui::board::cell::{Face, Mark, SetOff};
use crate::tui::board::lines::{Lines, Weight};
use crate::tui::board::marks::{self, MarkFill, letter};
use crate::tui::theme::Theme;

/// Draws window and maps; gives where everything is.
pub(super) fn draw(
    board: &NestedBoard,
    play: &dyn NestedGameState,
    view: &RenderContext<'_>,
    sheet: &mut Canvas<'_>,
) -> Vec<(Rect, Node)> {
    let layout = Layout::fit(board, sheet.area());
    let room = match layout.sizes.square {
        (width, 1) => width,
        (width, _) => width - 2,
    };
    let picture = Picture {
        board,
        play,
        view,
        look: view.theme,
        // Where everything is open, nothing needs a light.
        lit: !matches!(play.move_area(), MoveArea::Anywhere | MoveArea::Nowhere) && board.depth > 1,
        line: play.winning_line(),
        notes: view
            .annotations
            .map_or(0, |notes| notes.width_for_all(room)),
    };
    let mut spots = picture.draw(&layout, sheet);
    if let Some(places) = layout.maps {
        let maps = minimap::draw(board, play, view, picture.lit, places, sheet);
        spots.extend(maps);
    }
    spots
}

struct Picture<'a> {
    board: &'a NestedBoard,
    play: &'a dyn NestedGameState,
    view: &'a RenderContext<'a>,
    look: &'a Theme,
    lit: bool,
    /// The outermost places of the line that decided the game.
    line: u32,
    /// The room of a value.
    notes: u16,
}

impl Picture<'_> {
    fn draw(&self, layout: &Layout, sheet: &mut Canvas<'_>) -> Vec<(Rect, Node)> {
        let window = self.board.cursor_at(self.board.zoom);
        let boards = if layout.sizes.bordered { 9 } else { 1 };
        let level = self.board.square_level();
        let mut spots = Vec::new();
        let mut lines = Lines::new(sheet.area());
        for place in 0..boards {
            let index = match boards {
                1 => 0,
                _ => window * 9 + usize::from(place),
            };
            if boards > 1 && !self.is_one_mark(index) {
                self.draw_hair(layout, place, sheet);
            }
            for square in 0..9 {
                let index = index * 9 + usize::from(square);
                spots.push((layout.square(place, square), Node { level, index }));
            }
        }
        if layout.sizes.bordered {
            self.draw_borders(layout, window, &mut lines, sheet);
        } else if layout.sizes.gap.1 > 0 {
            self.draw_lines(layout, &mut lines, sheet);
        }
        for place in 0..boards {
            let index = match boards {
                1 => 0,
                _ => window * 9 + usize::from(place),
            };
            self.draw_board(layout, place, index, sheet);
        }
        spots
    }

    /// The level of the boards in the window.
    fn board_level(&self) -> u32 {
        self.board.square_level() - 1
    }

    /// Is this board of the window shown as one large mark? Not while it shows how the
    /// last move won it.
    fn is_one_mark(&self, index: usize) -> bool {
        let level = self.board_level();
        let owned = level > 0 && matches!(self.play.owner(level, index), Owner::One(_));
        let last = self.holds(level, index, self.play.last_cell());
        owned && self.play.closes_won_boards() && (!last || self.play.is_over())
    }

    /// Does the board hold this cell?
    fn holds(&self, level: u32, index: usize, cell: Option<usize>) -> bool {
        cell.is_some_and(|cell| cell / node_count(self.board.depth - level) == index)
    }

    /// Hair lines between the squares of a board.
    fn draw_hair(&self, layout: &Layout, place: u16, sheet: &mut Canvas<'_>) {
        let Sizes {
            square, gap, pad, ..
        } = layout.sizes;
        let inner = layout.inner(place);
        let style = self.look.hairline();
        let [across, down, cross] = self.look.symbols().hairline;
        let between = |n: u16, size: u16, gap: u16| gap > 0 && n % (size + gap) == size;
        for y in 0..inner.height {
            for x in pad..inner.width.saturating_sub(pad) {
                let sign = match (
                    square.0 > 1 && between(x - pad, square.0, gap.0),
                    between(y, square.1, gap.1),
                ) {
                    (true, true) => cross,
                    (true, false) => down,
                    (false, true) => across,
                    (false, false) => continue,
                };
                sheet.put(inner.x + x, inner.y + y, sign, style);
            }
        }
    }

    /// The lines of a single board.
    fn draw_lines(&self, layout: &Layout, lines: &mut Lines, sheet: &mut Canvas<'_>) {
        let inner = layout.inner(0);
        let (right, bottom) = (inner.right() - 1, inner.bottom() - 1);
        let style = self.look.hairline();
        for place in [1, 2] {
            let square = layout.square(0, place);
            lines.vertical(
                square.x.saturating_sub(1),
                inner.y,
                bottom,
                Weight::Light,
                style,
            );
            let square = layout.square(0, 3 * place);
            lines.horizontal(
                square.y.saturating_sub(1),
                inner.x,
                right,
                Weight::Light,
                style,
            );
        }
        lines.draw(self.look, sheet);
    }

    fn draw_borders(
        &self,
        layout: &Layout,
        window: usize,
        lines: &mut Lines,
        sheet: &mut Canvas<'_>,
    ) {
        let (look, level) = (self.look, self.board_level());
        for place in 0..9 {
            lines.frame(layout.board(place), Weight::Light, look.dim());
        }
        let index = |place: u16| window * 9 + usize::from(place);
        let lit = |place: u16| self.lit && self.play.accepts_move(level, index(place));
        for place in (0..9).filter(|&place| lit(place)) {
            let board = layout.board(place);
            lines.frame(board, Weight::Heavy, look.target_board(self.play.side()));
            let ground = look.tint(look.target_board(self.play.side()), 8);
            sheet.tint(layout.inner(place), ground);
        }
        for place in (0..9).filter(|&place| self.in_line(place)) {
            if let Owner::One(player) = self.play.owner(level, index(place)) {
                lines.frame(
                    layout.board(place),
                    Weight::Heavy,
                    look.winning_line(player),
                );
            }
        }
        lines.draw(look, sheet);
        for place in 0..9 {
            self.draw_name(layout, place, index(place), lit(place), sheet);
        }
    }

    /// Is this board of the window part of the line that decided the game?
    fn in_line(&self, place: u16) -> bool {
        self.board.zoom == 0 && self.line >> place & 1 == 1
    }

    /// The name of a board at the left of its upper border, its owner at the right.
    fn draw_name(
        &self,
        layout: &Layout,
        place: u16,
        index: usize,
        lit: bool,
        sheet: &mut Canvas<'_>,
    ) {
        let (look, level) = (self.look, self.board_level());
        let board = layout.board(place);
        let mut x = board.x + 1;
        if lit {
            sheet.put(
                x,
                board.y,
                look.symbols().target_marker,
                look.target_board(self.play.side()),
            );
            x += 1;
        }
        let name = path_text(index, level);
        let style = if lit { look.strong() } else { look.dim() };
        sheet.write(x, board.y, &name, style);
        let right = board.right().saturating_sub(2);
        let signs: &[Side] = match self.play.owner(level, index) {
            Owner::Nobody => &[],
            Owner::One(Side::X) => &[Side::X],
            Owner::One(Side::O) => &[Side::O],
            Owner::Both => &Side::BOTH,
        };
        for (i, &player) in (0..).zip(signs.iter().rev()) {
            let x = right.saturating_sub(i);
            sheet.put(x, board.y, letter(player), look.side(player));
        }
    }

    fn draw_board(&self, layout: &Layout, place: u16, index: usize, sheet: &mut Canvas<'_>) {
        let level = self.board_level();
        let owner = if level > 0 {
            self.play.owner(level, index)
        } else {
            Owner::Nobody
        };
        let inner = layout.inner(place);
        let one_mark = self.is_one_mark(index);
        if let Owner::One(player) = owner {
            let tint = self.look.tint(self.look.side(player), 8);
            sheet.tint(inner, tint);
            if one_mark {
                let air = if inner.height > 5 { 1 } else { 0 };
                let rect = Rect {
                    y: inner.y + air,
                    height: inner.height - 2 * air,
                    ..inner
                };
                let style = self.look.side(player);
                marks::draw(player, rect, MarkFill::Solid, style, self.look, sheet);
            }
        }
        let won_by = match one_mark {
            true => 0,
            false => self.shown_line(index, owner),
        };
        for square in 0..9u16 {
            let spot = index * 9 + usize::from(square);
            let face = self.face(spot, owner, won_by >> square & 1 == 1);
            // Over one large mark only what must be seen.
            let raised = |set_off: &SetOff| matches!(set_off, SetOff::Cursor | SetOff::LastMove(_));
            if one_mark && !face.highlights.iter().any(raised) {
                continue;
            }
            let square = layout.square(place, square);
            if one_mark {
                sheet.clear(square);
            }
            face.draw(square, self.look, sheet);
        }
    }

    /// The line that won a board, where its cells are shown because of that.
    fn shown_line(&self, index: usize, owner: Owner) -> u32 {
        let level = self.board_level();
        if level == 0 {
            return self.line;
        }
        let Owner::One(player) = owner else { return 0 };
        if !self.holds(level, index, self.play.last_cell()) {
            return 0;
        }
        let owned = self.play.owned_children(level, index, player);
        LINES
            .iter()
            .filter(|&&line| owned & line == line)
            .fold(0, |all, line| all | line)
    }

    /// A square: a cell, or a board summed up.
    fn face(&self, index: usize, around: Owner, in_line: bool) -> Face {
        let (look, level) = (self.look, self.board.square_level());
        let mut face = Face::default();
        if self.view.active && self.board.cursor_at(level) == index {
            face.highlights.push(SetOff::Cursor);
        }
        let mark = self.mark(level, index);
        if let (Some(player), true) = (mark, in_line) {
            face.highlights.push(SetOff::WinningLine(player));
        }
        let last = self.play.last_cell();
        if let (true, Some(player)) = (
            self.holds(level, index, last),
            last.and_then(|cell| self.play.mark(cell)),
        ) {
            face.highlights.push(SetOff::LastMove(player));
        }
        let name = path_text(index, level);
        let hinted = self.view.hint.is_some_and(|hint| hint.starts_with(&name));
        if hinted {
            face.highlights.push(SetOff::Hint);
        }
        if let Some(player) = mark {
            let faded = around != Owner::Nobody && !in_line;
            face.mark = Some(Mark {
                side: player,
                fill: MarkFill::Solid,
                style: if faded {
                    look.faded(player)
                } else {
                    look.side(player)
                },
            });
            return face;
        }
        face.symbol = if hinted {
            Some((look.symbols().hint, look.hint()))
        } else if level < self.board.depth {
            minimap::summary(self.play, level, index, self.lit && self.view.active, look)
        } else {
            self.cell_sign(index)
        };
        if let (Some(notes), true) = (self.view.annotations, level == self.board.depth) {
            let note = notes.get(&name, None, self.notes, look);
            if let Some(note) = &note {
                face.background = look.tint(note.style, 14);
            }
            face.annotations.extend(note);
        }
        face
    }

    /// Whose mark a square shows.
    fn mark(&self, level: u32, index: usize) -> Option<Side> {
        if level == self.board.depth {
            return self.play.mark(index);
        }
        match self.play.owner(level, index) {
            Owner::One(player) => Some(player),
            Owner::Nobody | Owner::Both => None,
        }
    }

    /// An empty cell. Where there are no boards around it, its name is shown, too.
    fn cell_sign(&self, cell: usize) -> Option<(char, Style)> {
        let legal = self.view.active && self.play.accepts_move(self.board.depth, cell);
        if self.board.depth == 1 {
            let name = path_text(cell, 1).chars().next().unwrap_or(' ');
            return Some((name, self.look.dim()));
        }
        legal.then(|| (self.look.symbols().legal, self.look.legal_move()))
    }
}
