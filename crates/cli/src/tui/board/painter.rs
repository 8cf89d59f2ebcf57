//! Draws boards: a single one with labels and lines, or boards of boards with borders. At the closest zoom their squares
//! are cells, otherwise they summarize the boards inside them.

use noughts_rules::{BoardLook, BoardShape, BoardView, Owner, Place, Side, Target};
use ratatui::layout::{Margin, Rect};

use super::canvas::BoardCanvas;
use super::cell::{CellView, Highlight};
use super::cells::Pending;
use super::layout::{BoardArea, Layout};
use super::lines::{GridLines, LineWeight, draw_ghost_frame};
use super::marks::{self, Mark, letter};
use super::values::CellValues;
use super::{Board, BoardRenderContext, reserve};
use crate::tui::theme::Theme;

/// Everything needed to draw one frame.
pub(super) struct Painter<'a> {
    pub(super) board: &'a Board,
    pub(super) view: &'a dyn BoardView,
    pub(super) context: &'a BoardRenderContext<'a>,
    pub(super) theme: &'a Theme,
    pub(super) layout: &'a Layout,
    pub(super) shape: &'a BoardShape,
    /// Where a move may go, unless that is asked for each cell.
    pub(super) legal: Option<Vec<Place>>,
    /// If every board is open, none needs to be highlighted.
    pub(super) highlight_targets: bool,
    /// The cells or boards of the lines that decided the game.
    pub(super) lines: Vec<Place>,
    /// The cells that the last move changed, and who moved.
    pub(super) last: Vec<Place>,
    pub(super) mover: Side,
    /// What the move that Enter makes would do.
    pub(super) pending: Option<Pending>,
    /// The places of the suggested move.
    pub(super) hint: Vec<Place>,
    hint_frame: Option<Place>,
    pub(super) values: CellValues,
}

/// Draws the boards and everything around them.
pub(super) fn draw(board: &Board, context: &BoardRenderContext<'_>, canvas: &mut BoardCanvas<'_>) {
    if board.layout.boards.is_empty() {
        return;
    }
    let painter = Painter::new(board, context);
    match board.layout.is_bordered {
        true => painter.draw_window(canvas),
        false => painter.draw_single(canvas),
    }
    painter.draw_minimaps(canvas);
    reserve::draw(&painter, canvas);
}

impl<'a> Painter<'a> {
    fn new(board: &'a Board, context: &'a BoardRenderContext<'a>) -> Painter<'a> {
        let view = context.state.view();
        let last = view.last_places();
        let owner = |place: &Place| {
            view.cell(*place)
                .top()
                .and_then(noughts_rules::Piece::color)
        };
        let mover = last.iter().find_map(owner).unwrap_or(view.side().other());
        let taps = context.hint.and_then(|mv| view.taps_of(mv).ok());
        let is_frame_hint = taps
            .as_ref()
            .is_some_and(|taps| taps.contains(&Target::Frame));
        let hint = context
            .hint
            .map(|mv| view.shown_places(mv))
            .unwrap_or_default();
        let (hint, hint_frame) = match is_frame_hint {
            true => (Vec::new(), hint.first().copied()),
            false => (hint, None),
        };
        Painter {
            board,
            view,
            context,
            theme: context.theme,
            layout: &board.layout,
            shape: &board.shape,
            legal: board.legal_places(context),
            highlight_targets: !view.is_over() && board.shape.depth() > 1 && !all_open(board, view),
            lines: view.winning_lines().concat(),
            last,
            mover,
            pending: Pending::new(board, context),
            hint,
            hint_frame,
            values: CellValues::new(board, context),
        }
    }

    /// Is the hint inside this place?
    pub(super) fn is_hinted(&self, place: Place) -> bool {
        self.hint
            .iter()
            .any(|&hint| self.shape.is_inside(hint, place))
    }

    /// Was the last move inside this place?
    pub(super) fn holds_last(&self, place: Place) -> bool {
        self.last
            .iter()
            .any(|&last| self.shape.is_inside(last, place))
    }

    /// A single board.
    fn draw_single(&self, canvas: &mut BoardCanvas<'_>) {
        let area = self.layout.boards[0];
        let features = &self.board.features;
        if features.has_coordinates {
            let distance = if features.frame.is_some() { 2 } else { 1 };
            area.squares.draw_column_labels(distance, canvas);
            area.squares
                .draw_row_labels(self.layout.row_label_distance, canvas);
            self.draw_cursor_label(&area, canvas);
        }
        if features.frame.is_some() {
            self.draw_frame(&area, canvas);
        } else if let BoardLook::Points(links) = &self.shape.look {
            self.draw_links(&area, links, canvas);
        } else if area.squares.has_lines() {
            area.squares.draw_lines(canvas);
        }
        self.draw_cells(&area, canvas);
    }

    /// Where a whole column is played, its letter stands out.
    fn draw_cursor_label(&self, area: &BoardArea, canvas: &mut BoardCanvas<'_>) {
        if !self.board.features.plays_columns || !self.context.active {
            return;
        }
        let (column, _) = self.shape.column_row(self.board.cursor);
        let square = area.squares.square(column.into(), 0);
        let x = square.x + (square.width - 1) / 2;
        let y = square.y.saturating_sub(1);
        let [left, right] = self.theme.symbols().cursor.sides;
        for (x, symbol) in [(x.saturating_sub(1), left), (x + 1, right)] {
            canvas.put(x, y, symbol, self.theme.strong());
        }
        canvas.tint(Rect::new(x, y, 1, 1), self.theme.strong());
    }

    /// Lines along which pieces move, between neighboring points.
    fn draw_links(&self, area: &BoardArea, links: &[(u32, u32)], canvas: &mut BoardCanvas<'_>) {
        let style = self.theme.dim();
        let [across, down, falling, rising] =
            self.theme.pick(['─', '│', '╲', '╱'], ['-', '|', '\\', '/']);
        for &(one, other) in links {
            let [one, other] = [one, other].map(|index| {
                let (column, row) = self.shape.column_row(self.shape.cell(index));
                area.squares.square(column.into(), row.into())
            });
            // From left to right, or downward.
            let (from, to) = if (one.x, one.y) <= (other.x, other.y) {
                (one, other)
            } else {
                (other, one)
            };
            let center_x = |rect: Rect| rect.x + (rect.width - 1) / 2;
            let center_y = |rect: Rect| rect.y + (rect.height - 1) / 2;
            if from.y == to.y {
                for x in from.right()..to.x {
                    canvas.put(x, center_y(from), across, style);
                }
            } else if from.x == to.x {
                for y in from.bottom()..to.y {
                    canvas.put(center_x(from), y, down, style);
                }
            } else {
                let (high, low) = if from.y < to.y {
                    (from, to)
                } else {
                    (to, from)
                };
                let (rows, columns) = (low.y - high.bottom(), to.x - from.right());
                for n in 0..rows {
                    // Evenly over the gap's width.
                    let offset = (2 * n + 1) * columns / (2 * rows).max(1);
                    let (x, symbol) = match high == from {
                        true => (from.right() + offset, falling),
                        false => (to.x - 1 - offset.min(to.x - 1), rising),
                    };
                    canvas.put(x, high.bottom() + n, symbol, style);
                }
            }
        }
    }

    /// Hairlines around all cells, light lines inside the frame, and heavy lines around it.
    fn draw_frame(&self, area: &BoardArea, canvas: &mut BoardCanvas<'_>) {
        let (theme, squares) = (self.theme, &area.squares);
        squares.draw_hairlines(squares.bounds().outer(Margin::new(1, 1)), canvas);
        let (right, row_pitch) = squares.pitch();
        let Some(frame) = self.board.frame_rect(self.view) else {
            return;
        };
        let background = theme.tint(theme.side(self.view.side()), 7);
        canvas.tint(frame.inner(Margin::new(1, 1)), background);
        let mut lines = GridLines::new(frame.intersection(canvas.area()));
        let (last_x, last_y) = (frame.right() - 1, frame.bottom() - 1);
        for x in (frame.x..last_x).step_by(right.into()).skip(1) {
            lines.add((x, frame.y), (x, last_y), LineWeight::Light, theme.dim());
        }
        for y in (frame.y..last_y).step_by(row_pitch.into()).skip(1) {
            lines.add((frame.x, y), (last_x, y), LineWeight::Light, theme.dim());
        }
        lines.frame(frame, LineWeight::Heavy, theme.strong());
        lines.draw(canvas);
        self.draw_handle(frame, canvas);
    }

    /// The drag handle of the frame, in brackets if the frame has just moved.
    fn draw_handle(&self, frame: Rect, canvas: &mut BoardCanvas<'_>) {
        let theme = self.theme;
        let x = frame.x + frame.width / 2;
        canvas.put(x, frame.y, theme.symbols().drag_handle, theme.strong());
        if self.view.previous_frame().is_some() {
            let [left, right] = theme.symbols().last_move.sides;
            let style = theme.side(self.view.side().other());
            canvas.put(x.saturating_sub(1), frame.y, left, style);
            canvas.put(x, frame.y, theme.symbols().drag_handle, style);
            canvas.put(x + 1, frame.y, right, style);
        }
    }

    /// The frame where the partial move or the hint would put it.
    fn draw_ghost_frame(&self, canvas: &mut BoardCanvas<'_>) {
        let Some(frame) = self.view.frame() else {
            return;
        };
        let moved = match self.board.choice {
            Some(Target::Place(to)) if self.context.active && to != frame.center => Some(to),
            _ => self.hint_frame,
        };
        let rect = moved.and_then(|to| self.layout.frame_rect(self.shape, frame, to));
        if let Some(rect) = rect {
            draw_ghost_frame(rect, self.theme.accent(), canvas);
        }
    }

    /// Several boards, each with its border.
    fn draw_window(&self, canvas: &mut BoardCanvas<'_>) {
        for area in &self.layout.boards {
            if !self.shows_one_mark(area.place) {
                let inner = area.border.inner(Margin::new(1, 1));
                let pad = area.squares.origin.0.saturating_sub(inner.x);
                area.squares
                    .draw_hairlines(inner.inner(Margin::new(pad, 0)), canvas);
            }
        }
        self.draw_borders(canvas);
        self.draw_outer_labels(canvas);
        for area in &self.layout.boards {
            self.draw_board(area, canvas);
        }
    }

    /// Column letters above the upper boards, row numbers before those at the left.
    fn draw_outer_labels(&self, canvas: &mut BoardCanvas<'_>) {
        if !self.board.features.has_coordinates {
            return;
        }
        let Some(first) = self.layout.boards.first() else {
            return;
        };
        for area in &self.layout.boards {
            if area.border.y == first.border.y {
                area.squares.draw_column_labels(2, canvas);
            }
            if area.border.x == first.border.x {
                let distance = area.squares.origin.0 - area.border.x + 1;
                area.squares.draw_row_labels(distance, canvas);
            }
        }
    }

    /// Is this board shown as one large mark? Not while it shows how the last move won it.
    fn shows_one_mark(&self, board: Place) -> bool {
        let content = self.view.cell(board);
        let is_won = matches!(content.owner, Owner::One(_)) && board.level > 0;
        is_won && content.is_dead && (!self.holds_last(board) || self.view.is_over())
    }

    fn draw_borders(&self, canvas: &mut BoardCanvas<'_>) {
        let mut lines = GridLines::new(canvas.area());
        let (theme, side) = (self.theme, self.theme.side(self.view.side()));
        for area in &self.layout.boards {
            lines.frame(area.border, LineWeight::Light, theme.dim());
        }
        let is_target =
            |area: &BoardArea| self.highlight_targets && self.view.accepts_move(area.place);
        for area in self.layout.boards.iter().filter(|area| is_target(area)) {
            lines.frame(area.border, LineWeight::Heavy, side);
            canvas.tint(area.border.inner(Margin::new(1, 1)), theme.tint(side, 8));
        }
        for area in self
            .layout
            .boards
            .iter()
            .filter(|area| self.lines.contains(&area.place))
        {
            if let Owner::One(side) = self.view.cell(area.place).owner {
                lines.frame(area.border, LineWeight::Heavy, theme.side(side));
            }
        }
        lines.draw(canvas);
        for area in &self.layout.boards {
            self.draw_name(area, is_target(area), canvas);
        }
    }

    /// The name of a board at the left of its upper border, its owner at the right.
    fn draw_name(&self, area: &BoardArea, is_target: bool, canvas: &mut BoardCanvas<'_>) {
        let (theme, board) = (self.theme, area.border);
        let content = self.view.cell(area.place);
        let (mut x, mut style) = (board.x + 1, theme.dim());
        if is_target {
            let marker = theme.symbols().target_marker;
            canvas.put(x, board.y, marker, theme.side(self.view.side()));
            (x, style) = (x + 1, theme.strong());
        }
        let mut name = self.view.place_name(area.place);
        if content.is_dead && content.owner == Owner::Nobody {
            let is_roomy = board.width > 10;
            name.push_str(if is_roomy { " dead" } else { "=" });
        }
        canvas.write(x, board.y, &name, style);
        let right = board.right().saturating_sub(2);
        let owner = content.owner;
        let owns = |side: &Side| owner == Owner::Both || owner == Owner::One(*side);
        for (i, side) in (0..).zip(Side::BOTH.into_iter().rev().filter(owns)) {
            canvas.put(
                right.saturating_sub(i),
                board.y,
                letter(side),
                theme.side(side),
            );
        }
    }

    fn draw_board(&self, area: &BoardArea, canvas: &mut BoardCanvas<'_>) {
        if let Owner::One(side) = self.view.cell(area.place).owner
            && area.place.level > 0
        {
            let inner = area.border.inner(Margin::new(1, 1));
            canvas.tint(inner, self.theme.tint(self.theme.side(side), 8));
            if self.shows_one_mark(area.place) {
                let space = u16::from(inner.height > 5);
                let rect = inner.inner(Margin::new(0, space));
                marks::draw(Mark::solid(side, false, self.theme), rect, canvas);
            }
        }
        self.draw_cells(area, canvas);
    }

    /// The squares of a board.
    fn draw_cells(&self, area: &BoardArea, canvas: &mut BoardCanvas<'_>) {
        let shows_one_mark = self.shows_one_mark(area.place);
        let line = match shows_one_mark {
            true => Vec::new(),
            false => self.line_in(area.place),
        };
        let enclosing = self.view.cell(area.place);
        let mut on_top: Vec<(CellView, Rect)> = Vec::new();
        for place in self.shape.parts(area.place) {
            let cell_view = self.cell_view(place, area, &enclosing, &line);
            // On top of a large mark, only what must be visible.
            let must_show = |highlight: &Highlight| {
                matches!(highlight, Highlight::Cursor | Highlight::LastMove(_))
            };
            if shows_one_mark && !cell_view.highlights.iter().any(must_show) {
                continue;
            }
            let (column, row) = self.shape.column_row(place);
            let square = area.squares.square(column.into(), row.into());
            if shows_one_mark {
                canvas.clear(square);
            }
            cell_view.draw(square, canvas);
            if !cell_view.highlights.is_empty() {
                on_top.push((cell_view, square));
            }
        }
        if !self.layout.is_bordered {
            self.draw_ghost_frame(canvas);
        }
        // Highlights may extend over neighboring cells, and the cursor over all others.
        let is_cursor = |view: &CellView| view.highlights.contains(&Highlight::Cursor);
        on_top.sort_by_key(|(view, _)| is_cursor(view));
        for (cell_view, square) in on_top {
            if self.board.features.frame.is_none() || is_cursor(&cell_view) {
                cell_view.draw(square, canvas);
            }
        }
    }

    /// The squares of a board to show as a line: those that decided the game, or those that have just won the board.
    fn line_in(&self, board: Place) -> Vec<Place> {
        let is_part = |place: &&Place| self.shape.is_inside(**place, board);
        let decisive = self.lines.iter().filter(is_part);
        let decisive: Vec<Place> = decisive
            .filter(|place| place.level == board.level + 1)
            .copied()
            .collect();
        match self.view.cell(board).owner {
            Owner::One(side) if board.level > 0 && self.holds_last(board) => {
                self.full_lines(board, side)
            }
            _ => decisive,
        }
    }

    /// The parts of a board in lines across all of it that belong to one side.
    fn full_lines(&self, board: Place, side: Side) -> Vec<Place> {
        let parts: Vec<Place> = self.shape.parts(board).collect();
        let (columns, rows) = self.shape.size_at(board.level).unwrap_or((0, 0));
        let (columns, rows) = (usize::from(columns), usize::from(rows));
        let across = (0..rows).map(|row| (row * columns, 1, columns));
        let down = (0..columns).map(|column| (column, columns, rows));
        let diagonals = [
            (0, columns + 1, rows),
            (columns.saturating_sub(1), columns.saturating_sub(1), rows),
        ];
        let diagonals = diagonals.into_iter().filter(|_| rows == columns);
        let lines = across
            .chain(down)
            .chain(diagonals)
            .map(|(first, step, count)| {
                let cells = (0..count).map(move |n| first + n * step);
                cells
                    .filter_map(|n| parts.get(n).copied())
                    .collect::<Vec<Place>>()
            });
        let is_owned = |place: &Place| {
            let content = self.view.cell(*place);
            let owner = content.top().and_then(|piece| piece.owner);
            owner == Some(side) || content.owner == Owner::One(side) || content.owner == Owner::Both
        };
        lines
            .filter(|line| line.iter().all(is_owned))
            .flatten()
            .collect()
    }
}

/// Does every board that can be seen accept a move?
fn all_open(board: &Board, view: &dyn BoardView) -> bool {
    let is_board = |place: &Place| place.level < board.shape.depth();
    let boards = board.layout.boards.iter().map(|area| area.place);
    let enclosing = (0..=board.zoom).map(|level| board.cursor_at(level));
    let mut parts = boards
        .chain(enclosing)
        .flat_map(|board_| board.shape.parts(board_));
    let mut own = board.layout.boards.iter().map(|area| area.place);
    own.all(|place| view.accepts_move(place))
        && parts.all(|place| !is_board(&place) || view.accepts_move(place))
}
