//! Draws a Tic-Tac-Two board.

use noughts_engine::Value;
use noughts_rules::{Game, Side, TicTacTwoMove};
use ratatui::layout::{Margin, Rect};

use super::{PartialMove, TicTacTwoBoardWidget, TicTacTwoState, cell, cell_bit, cell_name, owner};
use crate::tui::board::BoardRenderContext;
use crate::tui::board::annotations::{Annotation, annotation, better};
use crate::tui::board::canvas::BoardCanvas;
use crate::tui::board::cell::{CellView, Highlight};
use crate::tui::board::lines::{GridLines, LineWeight, draw_ghost_frame};
use crate::tui::board::marks::Mark;
use crate::tui::board::squares::{Coord, SquareGrid, width_for};
use crate::tui::theme::Theme;

/// The largest cells that fit, with lines around all of them and labels above and to the left.
pub(super) fn fit(state: &TicTacTwoState, area: Rect) -> SquareGrid {
    let side = state.game().options().board_size();
    let sizes = (1..=9).rev();
    let sizes = sizes.map(|height| ((width_for(height), height), (1, 1), (1, 1)));
    SquareGrid::fit((side, side), sizes, (3, 2), area)
}

/// The frame of a grid with this center.
pub(super) fn frame(squares: SquareGrid, state: &TicTacTwoState, (col, row): Coord) -> Rect {
    let reach = state.game().options().grid_size() / 2;
    let first = squares.square(
        col.saturating_sub(reach).into(),
        row.saturating_sub(reach).into(),
    );
    let last = squares.square((col + reach).into(), (row + reach).into());
    let (x, y) = (first.x.saturating_sub(1), first.y.saturating_sub(1));
    Rect::new(x, y, last.right() + 1 - x, last.bottom() + 1 - y)
}

/// Everything needed to draw one frame.
pub(super) struct GridPainter<'a> {
    board: &'a TicTacTwoBoardWidget,
    state: &'a TicTacTwoState,
    view: &'a BoardRenderContext<'a>,
    squares: SquareGrid,
    center: Coord,
    /// Lines that decided the game, and lines that the pending move would complete.
    lines: [u64; 2],
    completed: [u64; 2],
    /// Moves whose pieces are shown elsewhere or highlighted.
    last: Option<TicTacTwoMove>,
    pending: Option<TicTacTwoMove>,
    hint: Option<TicTacTwoMove>,
}

impl<'a> GridPainter<'a> {
    pub(super) fn new(
        board: &'a TicTacTwoBoardWidget,
        state: &'a TicTacTwoState,
        view: &'a BoardRenderContext<'a>,
        squares: SquareGrid,
    ) -> GridPainter<'a> {
        let (game, position) = (state.game(), state.position());
        let pending = board.pending(state).filter(|_| view.active);
        let completed = pending.map_or([0; 2], |mv| {
            let mut next = *position;
            game.apply(&mut next, mv);
            Side::BOTH.map(|player| game.line_cells(&next, player))
        });
        GridPainter {
            board,
            state,
            view,
            squares,
            center: game.grid_center(position),
            lines: Side::BOTH.map(|player| game.line_cells(position, player)),
            completed,
            last: state.moves().last().copied(),
            pending,
            hint: view.hint.and_then(|text| game.parse_move(text).ok()),
        }
    }

    fn theme(&self) -> &Theme {
        self.view.theme
    }

    pub(super) fn draw(&self, canvas: &mut BoardCanvas<'_>) {
        self.squares.draw_labels(2, canvas);
        self.draw_grid_lines(canvas);
        let side = self.squares.rows as u8;
        let cells = (0..side).flat_map(|row| (0..side).map(move |col| (col, row)));
        let mut on_top = Vec::new();
        for coord in cells {
            let cell_view = self.cell_view(coord);
            let square = self.squares.square(coord.0.into(), coord.1.into());
            cell_view.draw(square, canvas);
            if cell_view.highlights.contains(&Highlight::Cursor) {
                on_top.push((cell_view, square));
            }
        }
        self.draw_ghost(canvas);
        // The border of the cursor's cell may extend over the lines around it.
        for (cell_view, square) in on_top {
            cell_view.draw(square, canvas);
        }
    }

    /// Hairlines around all cells, light lines inside the grid, and a heavy frame around it.
    fn draw_grid_lines(&self, canvas: &mut BoardCanvas<'_>) {
        let (theme, squares) = (self.theme(), &self.squares);
        squares.draw_hairlines(squares.bounds().outer(Margin::new(1, 1)), canvas);
        let (right, row_pitch) = squares.pitch();
        let frame = frame(*squares, self.state, self.center);
        let background = theme.tint(theme.side(self.state.side()), 7);
        let inner = frame.inner(Margin::new(1, 1));
        canvas.tint(inner, background);
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

    /// The drag handle of the grid, in brackets if the grid has just moved.
    fn draw_handle(&self, frame: Rect, canvas: &mut BoardCanvas<'_>) {
        let theme = self.theme();
        let x = frame.x + frame.width / 2;
        canvas.put(x, frame.y, theme.symbols().drag_handle, theme.strong());
        if let Some(TicTacTwoMove::MoveGrid(_)) = self.last {
            let [left, right] = theme.symbols().last_move.sides;
            let style = theme.side(self.state.side().other());
            canvas.put(x.saturating_sub(1), frame.y, left, style);
            canvas.put(x, frame.y, theme.symbols().drag_handle, style);
            canvas.put(x + 1, frame.y, right, style);
        }
    }

    /// The frame of the grid where the partial move or the hint would put it.
    fn draw_ghost(&self, canvas: &mut BoardCanvas<'_>) {
        let theme = self.theme();
        let (to, style) = match (self.board.partial_move, self.hint) {
            (PartialMove::Grid(to), _) if self.view.active && to != self.center => {
                (to, theme.accent())
            }
            (_, Some(TicTacTwoMove::MoveGrid(to))) => (to.column_row(), theme.accent()),
            _ => return,
        };
        draw_ghost_frame(frame(self.squares, self.state, to), style, canvas);
    }

    fn cell_view(&self, coord: Coord) -> CellView {
        let mut cell_view = CellView {
            mark: self.mark(coord),
            highlights: self.highlights(coord),
            annotations: self.annotations(coord),
            ..CellView::default()
        };
        let theme = self.theme();
        if cell_view.mark.is_none() {
            let hinted = self.hint == Some(TicTacTwoMove::PlacePiece(cell(coord)));
            let legal = self.view.active && self.board.completed_by(self.state, coord).is_some();
            cell_view.symbol = if hinted {
                Some((theme.symbols().hint, theme.accent()))
            } else {
                legal.then(|| (theme.symbols().legal, theme.dim()))
            };
        }
        cell_view
    }

    fn mark(&self, coord: Coord) -> Option<Mark> {
        let theme = self.theme();
        let mover = self.state.side();
        if let Some(player) = owner(self.state, coord) {
            let held = self.view.active && self.board.partial_move == PartialMove::Held(coord);
            let is_over = self.lines != [0; 2];
            let highlighted = !is_over || self.lines[player as usize] & cell_bit(coord) != 0;
            let mark = Mark::solid(player, held || !highlighted, theme);
            return Some(if held { mark.ghost() } else { mark });
        }
        // A picked-up piece over its target, or a piece that would complete a line.
        match self.pending {
            Some(TicTacTwoMove::MovePiece(_, to)) if to == cell(coord) => {
                Some(Mark::solid(mover, false, theme))
            }
            Some(TicTacTwoMove::PlacePiece(to))
                if to == cell(coord) && self.completed != [0; 2] =>
            {
                Some(Mark::solid(mover, false, theme).ghost())
            }
            _ => None,
        }
    }

    fn highlights(&self, coord: Coord) -> Vec<Highlight> {
        let mut found = Vec::new();
        let partial_move = self.board.partial_move;
        if self.view.active
            && coord == self.board.cursor.cell
            && !matches!(partial_move, PartialMove::Grid(_))
        {
            found.push(Highlight::Cursor);
        }
        if self.view.active && partial_move == PartialMove::Held(coord) {
            found.push(Highlight::Held);
        }
        for player in Side::BOTH {
            if self.completed[player as usize] & cell_bit(coord) != 0 {
                found.push(Highlight::Preview(player));
            }
            if self.lines[player as usize] & cell_bit(coord) != 0 {
                found.push(Highlight::WinningLine(player));
            }
        }
        let concerns = |mv: Option<TicTacTwoMove>| match mv {
            Some(TicTacTwoMove::PlacePiece(to)) => to == cell(coord),
            Some(TicTacTwoMove::MovePiece(from, to)) => [from, to].contains(&cell(coord)),
            _ => false,
        };
        if concerns(self.last) {
            found.push(Highlight::LastMove(self.state.side().other()));
        }
        if concerns(self.hint) {
            found.push(Highlight::Hint);
        }
        found
    }

    /// The values of the moves that concern this cell: those that end here, start here, or center
    /// the grid here.
    fn annotations(&self, coord: Coord) -> Vec<Annotation> {
        let Some(annotations) = self.view.annotations else {
            return Vec::new();
        };
        let theme = self.theme();
        let (width, height) = self.squares.size;
        let owner = owner(self.state, coord);
        let is_low = height == 1;
        // Next to a mark there is room for one character and no prefix; elsewhere the prefix takes
        // one column.
        let has_piece_moves = annotations.0.keys().any(|mv| mv.contains('-'));
        let room = match (is_low, has_piece_moves) {
            (true, true) => 1,
            (true, false) => width,
            (false, _) => width - 3,
        };
        let width = match (is_low, annotations.width_for_all(room)) {
            (true, fitting) => fitting,
            (false, fitting) if fitting < room => 1,
            (false, _) => width - 2,
        };
        let prefix = |symbol| (!is_low).then_some(symbol);
        let name = cell_name(self.state, coord);
        let annotation_of = |text: &str, prefix| annotations.get(text, prefix, width, theme);
        let grid_annotation = || annotation_of(&format!("@{name}"), prefix('@'));
        let found = match self.board.partial_move {
            PartialMove::Grid(_) => vec![grid_annotation()],
            PartialMove::Held(from) => {
                let from = cell_name(self.state, from);
                vec![annotation_of(&format!("{from}-{name}"), None)]
            }
            PartialMove::None if owner == Some(self.state.side()) => {
                let best = self.best_from(&name);
                let prefix = prefix(theme.symbols().piece_move);
                vec![
                    best.map(|best| annotation(best, prefix, width, theme)),
                    grid_annotation(),
                ]
            }
            PartialMove::None => vec![annotation_of(&name, None), grid_annotation()],
        };
        match is_low {
            // In a low cell a grid move's value would be mistaken for a placement's, so it is shown
            // only during a grid move.
            true => found.into_iter().take(1).flatten().collect(),
            false => found.into_iter().flatten().collect(),
        }
    }

    /// The best value among the moves of the piece on this cell.
    fn best_from(&self, cell_name: &str) -> Option<Value> {
        let annotations = self.view.annotations?;
        let prefix = format!("{cell_name}-");
        let moves = annotations.0.iter();
        let values = moves.filter(|(mv, _)| mv.starts_with(&prefix));
        values.map(|(_, &value)| value).reduce(better)
    }
}
