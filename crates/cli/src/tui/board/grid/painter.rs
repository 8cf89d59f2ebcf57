//! How a Tic-Tac-Two board is drawn.

use noughts_engine::Value;
use noughts_rules::{Game, Side, TicTacTwoMove};
use ratatui::layout::{Margin, Rect};

use super::{At, GridBoard, GridPlay, Half, bit, cell, name, owner};
use crate::tui::board::RenderContext;
use crate::tui::board::annotations::{Annotation, annotation, better};
use crate::tui::board::canvas::Canvas;
use crate::tui::board::cell::{Face, Mark, SetOff};
use crate::tui::board::lines::{Lines, Weight, draw_ghost_frame};
use crate::tui::board::marks::MarkFill;
use crate::tui::board::squares::{Squares, width_for};
use crate::tui::theme::Theme;

/// The largest cells that fit: lines around all of them, names above and beside.
pub(super) fn fit(play: &GridPlay, area: Rect) -> Squares {
    let side = u16::from(play.game().options().board_size());
    let squares = |height| Squares {
        origin: (0, 0),
        columns: side,
        rows: side,
        size: (width_for(height), height),
        gap: (1, 1),
    };
    let wanted = |squares: &Squares| {
        let bounds = squares.bounds();
        (bounds.width + 4, bounds.height + 3)
    };
    let mut best = squares(1);
    for height in (1..=9).rev() {
        let tried = squares(height);
        let (width, height) = wanted(&tried);
        if width <= area.width && height <= area.height {
            best = tried;
            break;
        }
    }
    let (width, height) = wanted(&best);
    best.origin = (
        area.x + area.width.saturating_sub(width) / 2 + 3,
        area.y + area.height.saturating_sub(height) / 2 + 2,
    );
    best
}

/// The frame of a grid with this centre.
pub(super) fn frame(squares: Squares, play: &GridPlay, (col, row): At) -> Rect {
    let reach = play.game().options().grid_size() / 2;
    let first = squares.square(
        col.saturating_sub(reach).into(),
        row.saturating_sub(reach).into(),
    );
    let last = squares.square((col + reach).into(), (row + reach).into());
    let (x, y) = (first.x.saturating_sub(1), first.y.saturating_sub(1));
    Rect::new(x, y, last.right() + 1 - x, last.bottom() + 1 - y)
}

/// A board about to be drawn.
pub(super) struct Painter<'a> {
    board: &'a GridBoard,
    play: &'a GridPlay,
    view: &'a RenderContext<'a>,
    squares: Squares,
    centre: At,
    /// Lines that decided the game, or that the half-made move would complete.
    lines: [u64; 2],
    would: [u64; 2],
    /// A piece that is not where it stands: from the last move, the half-made one, or
    /// the one that is pointed at.
    last: Option<TicTacTwoMove>,
    pending: Option<TicTacTwoMove>,
    hint: Option<TicTacTwoMove>,
}

impl<'a> Painter<'a> {
    pub(super) fn new(
        board: &'a GridBoard,
        play: &'a GridPlay,
        view: &'a RenderContext<'a>,
        squares: Squares,
    ) -> Painter<'a> {
        let (game, position) = (play.game(), play.position());
        let pending = board.pending(play).filter(|_| view.active);
        let would = pending.map_or([0; 2], |mv| {
            let mut next = *position;
            game.apply(&mut next, mv);
            Side::BOTH.map(|player| game.line_cells(&next, player))
        });
        Painter {
            board,
            play,
            view,
            squares,
            centre: game.grid_center(position),
            lines: Side::BOTH.map(|player| game.line_cells(position, player)),
            would,
            last: play.moves().last().copied(),
            pending,
            hint: view.hint.and_then(|text| game.parse_move(text).ok()),
        }
    }

    fn look(&self) -> &Theme {
        self.view.theme
    }

    pub(super) fn draw(&self, sheet: &mut Canvas<'_>) {
        self.draw_labels(sheet);
        self.draw_lattice(sheet);
        let side = self.squares.rows as u8;
        let cells = (0..side).flat_map(|row| (0..side).map(move |col| (col, row)));
        let mut raised = Vec::new();
        for at in cells {
            let face = self.face(at);
            let square = self.squares.square(at.0.into(), at.1.into());
            face.draw(square, self.look(), sheet);
            if face.highlights.contains(&SetOff::Cursor) {
                raised.push((face, square));
            }
        }
        self.draw_ghost(sheet);
        // What stands around the cursor's cell may reach over the lines beside it.
        for (face, square) in raised {
            face.draw(square, self.look(), sheet);
        }
    }

    fn draw_labels(&self, sheet: &mut Canvas<'_>) {
        let (style, squares) = (self.look().dim(), &self.squares);
        for n in 0..squares.columns {
            let square = squares.square(n, 0);
            let letter = char::from(b'a' + n as u8);
            let x = square.x + (square.width - 1) / 2;
            sheet.put(x, square.y.saturating_sub(2), letter, style);
            let square = squares.square(0, n);
            let y = square.y + (square.height - 1) / 2;
            sheet.write(square.x.saturating_sub(3), y, &(n + 1).to_string(), style);
        }
    }

    /// Hair lines around all cells, light ones inside the grid, a heavy frame around it.
    fn draw_lattice(&self, sheet: &mut Canvas<'_>) {
        let (look, squares) = (self.look(), &self.squares);
        let [across, down, cross] = look.symbols().hairline;
        let bounds = squares.bounds();
        let (right, below) = squares.pitch();
        for y in 0..bounds.height + 2 {
            for x in 0..bounds.width + 2 {
                let sign = match (x % right == 0, y % below == 0) {
                    (true, true) => cross,
                    (true, false) => down,
                    (false, true) => across,
                    (false, false) => continue,
                };
                let (x, y) = (bounds.x + x, bounds.y + y);
                sheet.put(
                    x.saturating_sub(1),
                    y.saturating_sub(1),
                    sign,
                    look.hairline(),
                );
            }
        }
        let frame = frame(*squares, self.play, self.centre);
        let ground = look.tint(look.side(self.play.side()), 7);
        let inner = frame.inner(Margin::new(1, 1));
        sheet.tint(inner, ground);
        let mut lines = Lines::new(frame.intersection(sheet.area()));
        let (last_x, last_y) = (frame.right() - 1, frame.bottom() - 1);
        for x in (frame.x..last_x).step_by(right.into()).skip(1) {
            lines.vertical(x, frame.y, last_y, Weight::Light, look.dim());
        }
        for y in (frame.y..last_y).step_by(below.into()).skip(1) {
            lines.horizontal(y, frame.x, last_x, Weight::Light, look.dim());
        }
        lines.frame(frame, Weight::Heavy, look.strong());
        lines.draw(look, sheet);
        self.draw_handle(frame, sheet);
    }

    /// Where the grid can be taken hold of; in brackets when it has just moved.
    fn draw_handle(&self, frame: Rect, sheet: &mut Canvas<'_>) {
        let look = self.look();
        let x = frame.x + frame.width / 2;
        sheet.put(x, frame.y, look.symbols().drag_handle, look.strong());
        if let Some(TicTacTwoMove::MoveGrid(_)) = self.last {
            let [left, right] = look.symbols().last_move.sides;
            let style = look.last_move(self.play.side().other());
            sheet.put(x.saturating_sub(1), frame.y, left, style);
            sheet.put(x, frame.y, look.symbols().drag_handle, style);
            sheet.put(x + 1, frame.y, right, style);
        }
    }

    /// Where the grid would go, or could.
    fn draw_ghost(&self, sheet: &mut Canvas<'_>) {
        let look = self.look();
        let (to, style) = match (self.board.partial_move, self.hint) {
            (Half::Grid(to), _) if self.view.active && to != self.centre => (to, look.preview()),
            (_, Some(TicTacTwoMove::MoveGrid(to))) => (to.column_row(), look.hint()),
            _ => return,
        };
        draw_ghost_frame(frame(self.squares, self.play, to), style, look, sheet);
    }

    fn face(&self, at: At) -> Face {
        let mut face = Face {
            mark: self.mark(at),
            highlights: self.set_off(at),
            annotations: self.notes(at),
            ..Face::default()
        };
        let look = self.look();
        if face.mark.is_none() {
            let hinted = self.hint == Some(TicTacTwoMove::PlacePiece(cell(at)));
            let legal = self.view.active && self.takes(at);
            face.symbol = if hinted {
                Some((look.symbols().hint, look.hint()))
            } else {
                legal.then(|| (look.symbols().legal, look.legal_move()))
            };
        }
        if let (None, Some(note)) = (face.mark, face.annotations.first()) {
            face.background = look.tint(note.style, 12);
        }
        face
    }

    /// May the move that is being made end on this cell?
    fn takes(&self, at: At) -> bool {
        let mv = match self.board.partial_move {
            Half::None => TicTacTwoMove::PlacePiece(cell(at)),
            Half::Grid(_) => TicTacTwoMove::MoveGrid(cell(at)),
            Half::Held(from) => TicTacTwoMove::MovePiece(cell(from), cell(at)),
        };
        self.play.check(mv).is_ok()
    }

    fn mark(&self, at: At) -> Option<Mark> {
        let look = self.look();
        let mark = |player, body, style| {
            Some(Mark {
                side: player,
                fill: body,
                style,
            })
        };
        let mover = self.play.side();
        if let Some(player) = owner(self.play, at) {
            let held = self.view.active && self.board.partial_move == Half::Held(at);
            let over = self.lines != [0; 2];
            let bright = !over || self.lines[player as usize] & bit(at) != 0;
            return match (held, bright) {
                (true, _) => mark(player, MarkFill::Ghost, look.faded(player)),
                (false, true) => mark(player, MarkFill::Solid, look.side(player)),
                (false, false) => mark(player, MarkFill::Solid, look.faded(player)),
            };
        }
        // A piece over the cell where it would be put, and one that would complete a line.
        match self.pending {
            Some(TicTacTwoMove::MovePiece(_, to)) if to == cell(at) => {
                mark(mover, MarkFill::Solid, look.side(mover))
            }
            Some(TicTacTwoMove::PlacePiece(to)) if to == cell(at) && self.would != [0; 2] => {
                mark(mover, MarkFill::Ghost, look.side(mover))
            }
            _ => None,
        }
    }

    fn set_off(&self, at: At) -> Vec<SetOff> {
        let mut found = Vec::new();
        let half = self.board.partial_move;
        if self.view.active && at == self.board.cursor && !matches!(half, Half::Grid(_)) {
            found.push(SetOff::Cursor);
        }
        if self.view.active && half == Half::Held(at) {
            found.push(SetOff::Held);
        }
        for player in Side::BOTH {
            if self.would[player as usize] & bit(at) != 0 {
                found.push(SetOff::Preview(player));
            }
            if self.lines[player as usize] & bit(at) != 0 {
                found.push(SetOff::WinningLine(player));
            }
        }
        let mover = self.play.side().other();
        match self.last {
            Some(TicTacTwoMove::PlacePiece(to)) if to == cell(at) => {
                found.push(SetOff::LastMove(mover))
            }
            Some(TicTacTwoMove::MovePiece(from, to)) if from == cell(at) || to == cell(at) => {
                found.push(SetOff::LastMove(mover));
            }
            _ => {}
        }
        match self.hint {
            Some(TicTacTwoMove::PlacePiece(to)) if to == cell(at) => found.push(SetOff::Hint),
            Some(TicTacTwoMove::MovePiece(from, to)) if from == cell(at) || to == cell(at) => {
                found.push(SetOff::Hint);
            }
            _ => {}
        }
        found
    }

    /// The values of moves that have to do with this cell: what ends here, what begins
    /// here, the grid being centred here.
    fn notes(&self, at: At) -> Vec<Annotation> {
        let Some(notes) = self.view.annotations else {
            return Vec::new();
        };
        let look = self.look();
        let (width, height) = self.squares.size;
        let owner = owner(self.play, at);
        let low = height == 1;
        // Beside a mark there is room for one character, and none for what it is about;
        // elsewhere one goes to the sign that says what it is about.
        let beside = notes.0.keys().any(|mv| mv.contains('-'));
        let room = match (low, beside) {
            (true, true) => 1,
            (true, false) => width,
            (false, _) => width - 3,
        };
        let width = match (low, notes.width_for_all(room)) {
            (true, fitting) => fitting,
            (false, fitting) if fitting < room => 1,
            (false, _) => width - 2,
        };
        let sort = |sign| (!low).then_some(sign);
        let here = name(self.play, at);
        let of = |text: &str, sort| notes.get(text, sort, width, look);
        let grid = || of(&format!("@{here}"), sort('@'));
        let found = match self.board.partial_move {
            Half::Grid(_) => vec![grid()],
            Half::Held(from) => {
                let from = name(self.play, from);
                vec![of(&format!("{from}-{here}"), None)]
            }
            Half::None if owner == Some(self.play.side()) => {
                let best = self.best_from(&here);
                let away = sort(look.symbols().piece_move);
                vec![best.map(|best| annotation(best, away, width, look)), grid()]
            }
            Half::None => vec![of(&here, None), grid()],
        };
        match low {
            // Values of grid moves would be taken for others; they wait for their turn.
            true => found.into_iter().take(1).flatten().collect(),
            false => found.into_iter().flatten().collect(),
        }
    }

    /// The best that moving the piece from here could bring.
    fn best_from(&self, here: &str) -> Option<Value> {
        let notes = self.view.annotations?;
        let away = format!("{here}-");
        let values = notes.0.iter().filter(|(mv, _)| mv.starts_with(&away));
        values.map(|(_, &value)| value).reduce(better)
    }
}
