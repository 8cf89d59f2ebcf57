//! Draws a nested board: nine boards of nine squares. At the closest zoom the squares are cells,
//! otherwise they summarize the boards inside them.

use noughts_rules::{LINES, MoveArea, NestedGameState, Owner, Side, path_text};
use ratatui::layout::{Margin, Rect};
use ratatui::style::Style;

use super::layout::NestedLayout;
use super::{BoardNode, NestedBoardWidget, node_count};
use crate::tui::board::canvas::BoardCanvas;
use crate::tui::board::cell::{CellView, Highlight};
use crate::tui::board::lines::{GridLines, LineWeight};
use crate::tui::board::marks::{self, Mark, letter};
use crate::tui::board::{Annotations, BoardRenderContext};
use crate::tui::theme::Theme;

/// Draws the window and the minimaps, and returns where everything is.
pub(super) fn draw(
    board: &NestedBoardWidget,
    state: &dyn NestedGameState,
    view: &BoardRenderContext<'_>,
    canvas: &mut BoardCanvas<'_>,
) -> Vec<(Rect, BoardNode)> {
    let layout = NestedLayout::fit(board, canvas.area());
    let room = match layout.sizes.square {
        (width, 1) => width,
        (width, _) => width - 2,
    };
    let painter = NestedPainter {
        board,
        state,
        view,
        theme: view.theme,
        // If every board is open, none needs to be highlighted.
        highlight_targets: !matches!(state.move_area(), MoveArea::Anywhere | MoveArea::Nowhere)
            && board.depth > 1,
        winning_line: state.winning_line(),
        annotations: view
            .annotations
            .map_or(0, |annotations| annotations.width_for_all(room)),
    };
    let mut nodes = painter.draw(&layout, canvas);
    if let Some(places) = layout.maps {
        nodes.extend(painter.draw_minimaps(places, canvas));
    }
    nodes
}

pub(super) struct NestedPainter<'a> {
    pub(super) board: &'a NestedBoardWidget,
    pub(super) state: &'a dyn NestedGameState,
    pub(super) view: &'a BoardRenderContext<'a>,
    pub(super) theme: &'a Theme,
    pub(super) highlight_targets: bool,
    /// The outermost boards of the winning line, as bits.
    winning_line: u32,
    /// The columns available for a value.
    annotations: u16,
}

impl NestedPainter<'_> {
    fn draw(&self, layout: &NestedLayout, canvas: &mut BoardCanvas<'_>) -> Vec<(Rect, BoardNode)> {
        let window = self.board.cursor_at(self.board.zoom);
        let boards = if layout.sizes.bordered { 9 } else { 1 };
        let board_index = |child: u16| match boards {
            1 => 0,
            _ => window * 9 + usize::from(child),
        };
        let level = self.board.square_level();
        let mut nodes = Vec::new();
        for child in 0..boards {
            let index = board_index(child);
            if boards > 1 && !self.shows_one_mark(index) {
                let area = layout.inner(child).inner(Margin::new(layout.sizes.pad, 0));
                layout.squares(child).draw_hairlines(area, canvas);
            }
            for square in 0..9 {
                let index = index * 9 + usize::from(square);
                nodes.push((layout.square(child, square), BoardNode { level, index }));
            }
        }
        if layout.sizes.bordered {
            self.draw_borders(layout, window, canvas);
        } else if layout.squares(0).has_lines() {
            layout.squares(0).draw_lines(canvas);
        }
        for child in 0..boards {
            self.draw_board(layout, child, board_index(child), canvas);
        }
        nodes
    }

    /// The level of the boards in the window.
    fn board_level(&self) -> u32 {
        self.board.square_level() - 1
    }

    /// Is this board shown as one large mark? Not while it shows how the last move won it.
    fn shows_one_mark(&self, index: usize) -> bool {
        let level = self.board_level();
        let owned = level > 0 && matches!(self.state.owner(level, index), Owner::One(_));
        let last = self.holds(level, index, self.state.last_cell());
        owned && self.state.closes_won_boards() && (!last || self.state.is_over())
    }

    fn holds(&self, level: u32, index: usize, cell: Option<usize>) -> bool {
        cell.is_some_and(|cell| cell / node_count(self.board.depth - level) == index)
    }

    fn draw_borders(&self, layout: &NestedLayout, window: usize, canvas: &mut BoardCanvas<'_>) {
        let mut lines = GridLines::new(canvas.area());
        let (theme, level) = (self.theme, self.board_level());
        for child in 0..9 {
            lines.frame(layout.board(child), LineWeight::Light, theme.dim());
        }
        let index = |child: u16| window * 9 + usize::from(child);
        let is_target =
            |child: u16| self.highlight_targets && self.state.accepts_move(level, index(child));
        for child in (0..9).filter(|&child| is_target(child)) {
            let board = layout.board(child);
            lines.frame(board, LineWeight::Heavy, theme.side(self.state.side()));
            let background = theme.tint(theme.side(self.state.side()), 8);
            canvas.tint(layout.inner(child), background);
        }
        for child in (0..9).filter(|&child| self.is_in_line(child)) {
            if let Owner::One(side) = self.state.owner(level, index(child)) {
                lines.frame(layout.board(child), LineWeight::Heavy, theme.side(side));
            }
        }
        lines.draw(canvas);
        for child in 0..9 {
            self.draw_name(layout.board(child), index(child), is_target(child), canvas);
        }
    }

    /// Is this board of the window part of the winning line?
    fn is_in_line(&self, child: u16) -> bool {
        self.board.zoom == 0 && self.winning_line >> child & 1 == 1
    }

    /// The name of a board at the left of its upper border, its owner at the right.
    fn draw_name(&self, board: Rect, index: usize, is_target: bool, canvas: &mut BoardCanvas<'_>) {
        let (theme, level) = (self.theme, self.board_level());
        let (mut x, mut style) = (board.x + 1, theme.dim());
        if is_target {
            let (marker, side) = (theme.symbols().target_marker, self.state.side());
            canvas.put(x, board.y, marker, theme.side(side));
            (x, style) = (x + 1, theme.strong());
        }
        canvas.write(x, board.y, &path_text(index, level), style);
        let right = board.right().saturating_sub(2);
        let owner = self.state.owner(level, index);
        let owns = |side: &Side| owner == Owner::Both || owner == Owner::One(*side);
        for (i, side) in (0..).zip(Side::BOTH.into_iter().rev().filter(owns)) {
            let x = right.saturating_sub(i);
            canvas.put(x, board.y, letter(side), theme.side(side));
        }
    }

    fn draw_board(
        &self,
        layout: &NestedLayout,
        child: u16,
        index: usize,
        canvas: &mut BoardCanvas<'_>,
    ) {
        let level = self.board_level();
        let owner = match level {
            0 => Owner::Nobody,
            _ => self.state.owner(level, index),
        };
        let inner = layout.inner(child);
        let shows_one_mark = self.shows_one_mark(index);
        if let Owner::One(side) = owner {
            let tint = self.theme.tint(self.theme.side(side), 8);
            canvas.tint(inner, tint);
            if shows_one_mark {
                let space = u16::from(inner.height > 5);
                let rect = inner.inner(Margin::new(0, space));
                marks::draw(Mark::solid(side, false, self.theme), rect, canvas);
            }
        }
        let winning_squares = match shows_one_mark {
            true => 0,
            false => self.shown_line(index, owner),
        };
        for square in 0..9u16 {
            let node = index * 9 + usize::from(square);
            let cell_view = self.cell_view(node, owner, winning_squares >> square & 1 == 1);
            // On top of a large mark, only what must be visible.
            let must_show = |highlight: &Highlight| {
                matches!(highlight, Highlight::Cursor | Highlight::LastMove(_))
            };
            if shows_one_mark && !cell_view.highlights.iter().any(must_show) {
                continue;
            }
            let square = layout.square(child, square);
            if shows_one_mark {
                canvas.clear(square);
            }
            cell_view.draw(square, canvas);
        }
    }

    /// The line that won a board, if its cells are shown because of that.
    fn shown_line(&self, index: usize, owner: Owner) -> u32 {
        let level = self.board_level();
        if level == 0 {
            return self.winning_line;
        }
        let Owner::One(side) = owner else { return 0 };
        if !self.holds(level, index, self.state.last_cell()) {
            return 0;
        }
        let owned = self.state.owned_children(level, index, side);
        let won_lines = LINES.iter().filter(|&&line| owned & line == line);
        won_lines.fold(0, |all, line| all | line)
    }

    /// A square: a cell, or the summary of a board.
    fn cell_view(&self, index: usize, enclosing_owner: Owner, is_in_line: bool) -> CellView {
        let (theme, level) = (self.theme, self.board.square_level());
        let mut cell_view = CellView::default();
        if self.view.active && self.board.cursor_at(level) == index {
            cell_view.highlights.push(Highlight::Cursor);
        }
        let mark = self.mark(level, index);
        if let (Some(side), true) = (mark, is_in_line) {
            cell_view.highlights.push(Highlight::WinningLine(side));
        }
        let last = self.state.last_cell();
        if let (true, Some(side)) = (
            self.holds(level, index, last),
            last.and_then(|cell| self.state.mark(cell)),
        ) {
            cell_view.highlights.push(Highlight::LastMove(side));
        }
        let name = path_text(index, level);
        let is_hinted = self.view.hint.is_some_and(|hint| hint.starts_with(&name));
        if is_hinted {
            cell_view.highlights.push(Highlight::Hint);
        }
        if let Some(side) = mark {
            let faded = enclosing_owner != Owner::Nobody && !is_in_line;
            cell_view.mark = Some(Mark::solid(side, faded, theme));
            return cell_view;
        }
        cell_view.symbol = if is_hinted {
            Some((theme.symbols().hint, theme.accent()))
        } else if level < self.board.depth {
            self.summary(level, index, self.highlight_targets && self.view.active)
        } else {
            self.cell_symbol(index)
        };
        let values = (self.view.annotations).filter(|_| level == self.board.depth);
        let value = |values: &Annotations| values.get(&name, None, self.annotations, theme);
        cell_view.annotations.extend(values.and_then(value));
        cell_view
    }

    /// The side whose mark a square shows.
    fn mark(&self, level: u32, index: usize) -> Option<Side> {
        if level == self.board.depth {
            return self.state.mark(index);
        }
        match self.state.owner(level, index) {
            Owner::One(side) => Some(side),
            Owner::Nobody | Owner::Both => None,
        }
    }

    /// An empty cell. On a board of depth 1 it shows its name.
    fn cell_symbol(&self, cell: usize) -> Option<(char, Style)> {
        let legal = self.view.active && self.state.accepts_move(self.board.depth, cell);
        if self.board.depth == 1 {
            let name = path_text(cell, 1).chars().next().unwrap_or(' ');
            return Some((name, self.theme.dim()));
        }
        legal.then(|| (self.theme.symbols().legal, self.theme.dim()))
    }
}
