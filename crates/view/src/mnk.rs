//! Boards of m columns and n rows.

use maud::Markup;
use noughts_rules::SetupGame as _;
use noughts_rules::{Game, GameState, Mnk, Side};

use super::buttons::{Button, ButtonKind};
use super::drawing::{BoardDrawing, DrawOptions};
use super::labels;
use super::svg::{Square, SvgWriter, WIDTH, grid_lines, runs, side_class};

/// Where the cells are.
#[derive(Clone, Copy)]
pub(super) struct MnkLayout {
    pub(super) columns: usize,
    pub(super) rows: usize,
    x: f64,
    y: f64,
    cell_size: f64,
    pub(super) height: f64,
}

/// Boards with more columns or rows than this have labels.
const MAX_UNLABELED: usize = 3;
/// The largest cell size.
const MAX_CELL_SIZE: f64 = 120.0;

impl MnkLayout {
    pub(super) fn new(columns: usize, rows: usize) -> MnkLayout {
        let longest = columns.max(rows).max(1);
        let (margin_before, margin_after) = if longest > MAX_UNLABELED {
            (22.0, 8.0)
        } else {
            (10.0, 10.0)
        };
        let available = WIDTH - margin_before - margin_after;
        let cell_size = (available / longest as f64).min(MAX_CELL_SIZE);
        MnkLayout {
            columns,
            rows,
            x: margin_before + (available - columns as f64 * cell_size) / 2.0,
            y: margin_before,
            cell_size,
            height: margin_before + rows as f64 * cell_size + margin_after,
        }
    }

    /// The square of a cell, numbered in reading order.
    pub(super) fn square(&self, cell: usize) -> Square {
        let (col, row) = (cell % self.columns.max(1), cell / self.columns.max(1));
        Square::new(
            self.x + col as f64 * self.cell_size,
            self.y + row as f64 * self.cell_size,
            self.cell_size,
        )
    }

    pub(super) fn has_labels(&self) -> bool {
        self.columns.max(self.rows) > MAX_UNLABELED
    }
}

pub(super) fn layout<const W: usize>(state: &GameState<Mnk<W>>) -> MnkLayout {
    let (columns, rows, _) = state.game().options().size();
    MnkLayout::new(columns.into(), rows.into())
}

pub(super) fn draw<const W: usize>(
    state: &GameState<Mnk<W>>,
    options: DrawOptions<'_>,
) -> BoardDrawing {
    let layout = layout(state);
    let (columns, rows, line) = state.game().options().size();
    let cells = state.game().setup(state.position()).cells;
    BoardDrawing {
        class: "flat",
        height: layout.height,
        picture: picture(state, &cells, layout, options),
        drag_handles: None,
        path: None,
        follow_path: None,
        button_rows: match options.with_buttons {
            true => buttons(state, &cells, layout, options),
            false => Vec::new(),
        },
        description: format!("{columns} by {rows} board, {line} in a row"),
    }
}

fn picture<const W: usize>(
    state: &GameState<Mnk<W>>,
    cells: &[Option<Side>],
    layout: MnkLayout,
    options: DrawOptions<'_>,
) -> Markup {
    let (game, mut writer) = (state.game(), SvgWriter::default());
    draw_lines(&mut writer, layout);
    let last = state.moves().last().map(|&mv| game.action(mv));
    let mut in_line = vec![false; cells.len()];
    for mv in game.line_cells(state.position()) {
        if let Some(cell) = in_line.get_mut(game.action(mv)) {
            *cell = true;
        }
    }
    let line = usize::from(game.options().size().2);
    for (from, to) in runs(&in_line, layout.columns, line) {
        if let Some(side) = cells.get(from).copied().flatten() {
            let class = format!("win-line {}", side_class(side));
            writer.line_through(&class, layout.square(from), layout.square(to));
        }
    }
    let has_line = in_line.contains(&true);
    for (cell, side) in cells.iter().enumerate() {
        let Some(side) = *side else { continue };
        let class = match (last == Some(cell), has_line && !in_line[cell]) {
            (true, _) => "mark last new",
            (false, true) => "mark dimmed",
            (false, false) => "mark",
        };
        writer.mark(class, side, layout.square(cell));
    }
    if let Some((cell, side)) = last.and_then(|cell| Some((cell, (*cells.get(cell)?)?))) {
        writer.last_move_ring(side, layout.square(cell));
    }
    if options.playable && state.outcome().is_none() {
        let empty = (0..cells.len()).filter(|&cell| cells[cell].is_none());
        writer.dots("dots", empty.map(|cell| layout.square(cell)));
    }
    writer.finish()
}

/// The lines of the board, a frame around large and narrow boards, and the labels of columns
/// and rows.
fn draw_lines(writer: &mut SvgWriter, layout: MnkLayout) {
    let MnkLayout {
        columns,
        rows,
        x,
        y,
        cell_size,
        ..
    } = layout;
    let has_frame = columns.max(rows) > 5 || columns.min(rows) < 3;
    let width = if cell_size > 60.0 {
        3.0
    } else {
        1.2 + cell_size / 60.0
    };
    let gap = if has_frame { 0.0 } else { cell_size * 0.03 };
    let class = if cell_size > 40.0 {
        "line"
    } else {
        "line fine"
    };
    let lines = grid_lines((x, y), cell_size, (columns, rows), gap);
    writer.path(class, width, &lines);
    if has_frame {
        writer.write(format_args!(
            "<rect class=\"line frame\" x=\"{x:.2}\" y=\"{y:.2}\" width=\"{:.2}\" height=\"{:.2}\" \
             rx=\"5\" stroke-width=\"{width:.2}\"></rect>",
            columns as f64 * cell_size,
            rows as f64 * cell_size,
        ));
    }
    if layout.has_labels() {
        labels::draw_column_labels(writer, columns, |col| layout.square(col));
        labels::draw_row_labels(writer, rows, |row| layout.square(row * columns));
    }
}

fn buttons<const W: usize>(
    state: &GameState<Mnk<W>>,
    cells: &[Option<Side>],
    layout: MnkLayout,
    options: DrawOptions<'_>,
) -> Vec<Vec<Button>> {
    let game = state.game();
    let playable = options.playable && state.outcome().is_none();
    let completing_moves: Vec<_> =
        (game.completing_moves(state.position(), state.side())).collect();
    let last = state.moves().last().copied();
    let button = |col: u8, row: u8| {
        let mv = game.move_at(col, row)?;
        let cell = game.action(mv);
        let piece = cells.get(cell).copied().flatten();
        let is_legal = playable && state.check(mv).is_ok();
        let text = game.move_text(mv);
        let mark = piece.map_or("empty".into(), |side| side.to_string());
        let label = format!("{text}, {mark}{}", if is_legal { ", legal" } else { "" });
        let mut button = Button::new(text.clone(), ButtonKind::Cell, layout.square(cell), label);
        button.piece = piece;
        button.is_last_move = last == Some(mv);
        if is_legal {
            button.mv = Some(text);
            button.completed_lines = completing_moves
                .contains(&mv)
                .then(|| completed_line_cells(state, mv));
        }
        Some(button)
    };
    let (columns, rows, _) = game.options().size();
    let row = |row| (0..columns).filter_map(|col| button(col, row)).collect();
    (0..rows).map(row).collect()
}

/// The cells of the lines that a move would complete, separated by spaces.
fn completed_line_cells<const W: usize>(
    state: &GameState<Mnk<W>>,
    mv: noughts_rules::MnkMove,
) -> String {
    let (game, mut next) = (state.game(), *state.position());
    game.apply(&mut next, mv);
    let cells: Vec<String> = game
        .line_cells(&next)
        .map(|mv| game.move_text(mv))
        .collect();
    cells.join(" ")
}

/// The square where a move is shown.
pub(super) fn move_square<const W: usize>(state: &GameState<Mnk<W>>, mv: &str) -> Option<Square> {
    let mv = state.game().parse_move(mv).ok()?;
    Some(layout(state).square(state.game().action(mv)))
}
