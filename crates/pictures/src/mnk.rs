//! Flat boards: m columns, n rows.

use maud::Markup;
use noughts_rules::{Game, GameState, Mnk, Side};

use super::buttons::{Button, ButtonKind};
use super::drawing::{BoardDrawing, DrawOptions};
use super::labels;
use super::svg::{Square, SvgWriter, WIDTH, grid_lines, runs, side_class};

/// Where the cells are.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    pub(super) columns: usize,
    pub(super) rows: usize,
    x: f64,
    y: f64,
    cell_size: f64,
    pub(super) height: f64,
}

/// On a board of more columns or rows than this, nobody counts them: they are named.
const UNNAMED: usize = 3;
/// No cell is larger.
const LARGEST: f64 = 120.0;

impl Layout {
    pub(super) fn new(columns: usize, rows: usize) -> Layout {
        let long = columns.max(rows).max(1);
        let (before, after) = if long > UNNAMED {
            (22.0, 8.0)
        } else {
            (10.0, 10.0)
        };
        let room = WIDTH - before - after;
        let cell_size = (room / long as f64).min(LARGEST);
        Layout {
            columns,
            rows,
            x: before + (room - columns as f64 * cell_size) / 2.0,
            y: before,
            cell_size,
            height: before + rows as f64 * cell_size + after,
        }
    }

    /// The square of a cell, counted in reading order.
    pub(super) fn square(&self, cell: usize) -> Square {
        let (col, row) = (cell % self.columns.max(1), cell / self.columns.max(1));
        Square::new(
            self.x + col as f64 * self.cell_size,
            self.y + row as f64 * self.cell_size,
            self.cell_size,
        )
    }

    pub(super) fn has_labels(&self) -> bool {
        self.columns.max(self.rows) > UNNAMED
    }
}

pub(super) fn layout<const W: usize>(play: &GameState<Mnk<W>>) -> Layout {
    let (columns, rows, _) = play.game().options().size();
    Layout::new(columns.into(), rows.into())
}

pub(super) fn draw<const W: usize>(
    play: &GameState<Mnk<W>>,
    wish: DrawOptions<'_>,
) -> BoardDrawing {
    let layout = layout(play);
    let (columns, rows, line) = play.game().options().size();
    let cells = play.game().setup(play.position()).cells;
    BoardDrawing {
        class: "flat",
        height: layout.height,
        picture: picture(play, &cells, layout, wish),
        grid_targets: None,
        drag_handles: None,
        path: None,
        follow_path: None,
        button_rows: match wish.with_buttons {
            true => buttons(play, &cells, layout, wish),
            false => Vec::new(),
        },
        description: format!("Board of {columns} by {rows} cells, {line} in a row"),
    }
}

fn number<const W: usize>(game: &Mnk<W>, mv: noughts_rules::MnkMove, layout: Layout) -> usize {
    let (col, row) = game.column_row(mv);
    usize::from(row) * layout.columns + usize::from(col)
}

fn picture<const W: usize>(
    play: &GameState<Mnk<W>>,
    cells: &[Option<Side>],
    layout: Layout,
    wish: DrawOptions<'_>,
) -> Markup {
    let (game, mut pen) = (play.game(), SvgWriter::default());
    draw_lines(&mut pen, layout);
    let last = play.moves().last().map(|&mv| number(game, mv, layout));
    let mut lined = vec![false; cells.len()];
    for mv in game.line_cells(play.position()) {
        if let Some(cell) = lined.get_mut(number(game, mv, layout)) {
            *cell = true;
        }
    }
    let line = usize::from(game.options().size().2);
    for (from, to) in runs(&lined, layout.columns, line) {
        if let Some(player) = cells.get(from).copied().flatten() {
            let class = format!("win-line {}", side_class(player));
            pen.line_through(&class, layout.square(from), layout.square(to));
        }
    }
    let decided = lined.contains(&true);
    for (cell, player) in cells.iter().enumerate() {
        let Some(player) = *player else { continue };
        let class = match (last == Some(cell), decided && !lined[cell]) {
            (true, _) => "mark last new",
            (false, true) => "mark past",
            (false, false) => "mark",
        };
        pen.mark(class, player, layout.square(cell));
    }
    if let Some((cell, player)) = last.and_then(|cell| Some((cell, (*cells.get(cell)?)?))) {
        pen.last_move_ring(player, layout.square(cell));
    }
    if wish.playable && play.outcome().is_none() {
        let empty = (0..cells.len()).filter(|&cell| cells[cell].is_none());
        pen.dots("dots", empty.map(|cell| layout.square(cell)));
    }
    pen.finish()
}

/// The lines of the board, with a frame where cells would otherwise lie open, and the
/// names of columns and rows.
fn draw_lines(pen: &mut SvgWriter, layout: Layout) {
    let Layout {
        columns,
        rows,
        x,
        y,
        cell_size: unit,
        ..
    } = layout;
    let framed = columns.max(rows) > 5 || columns.min(rows) < 3;
    let width = if unit > 60.0 { 3.0 } else { 1.2 + unit / 60.0 };
    let short = if framed { 0.0 } else { unit * 0.03 };
    let class = if unit > 40.0 { "line" } else { "line fine" };
    let between = grid_lines((x, y), unit, (columns, rows), short);
    pen.path(class, width, &between);
    if framed {
        pen.write(format_args!(
            "<rect class=\"line frame\" x=\"{x:.2}\" y=\"{y:.2}\" width=\"{:.2}\" height=\"{:.2}\" \
             rx=\"5\" stroke-width=\"{width:.2}\"></rect>",
            columns as f64 * unit,
            rows as f64 * unit,
        ));
    }
    if layout.has_labels() {
        labels::draw_column_labels(pen, columns, |col| layout.square(col));
        labels::draw_row_labels(pen, rows, |row| layout.square(row * columns));
    }
}

fn buttons<const W: usize>(
    play: &GameState<Mnk<W>>,
    cells: &[Option<Side>],
    layout: Layout,
    wish: DrawOptions<'_>,
) -> Vec<Vec<Button>> {
    let game = play.game();
    let live = wish.playable && play.outcome().is_none();
    let completing: Vec<_> = match live {
        true => game
            .completing_moves(play.position(), play.side())
            .collect(),
        false => Vec::new(),
    };
    let last = play.moves().last().copied();
    let button = |col: u8, row: u8| {
        let mv = game.move_at(col, row)?;
        let cell = number(game, mv, layout);
        let piece = cells.get(cell).copied().flatten();
        let legal = live && play.check(mv).is_ok();
        let text = game.move_text(mv);
        let mark = piece.map_or("empty".into(), |player| player.to_string());
        let name = format!("{text}, {mark}{}", if legal { ", legal" } else { "" });
        let mut button = Button::new(text.clone(), ButtonKind::Cell, layout.square(cell), name);
        button.piece = piece;
        button.is_last_move = last == Some(mv);
        if legal {
            button.mv = Some(text);
            button.completed_lines = completing.contains(&mv).then(|| lines_of(play, mv));
        }
        Some(button)
    };
    let (columns, rows, _) = game.options().size();
    let row = |row| (0..columns).filter_map(|col| button(col, row)).collect();
    (0..rows).map(row).collect()
}

/// The cells of the lines that a move would complete.
fn lines_of<const W: usize>(play: &GameState<Mnk<W>>, mv: noughts_rules::MnkMove) -> String {
    let (game, mut next) = (play.game(), *play.position());
    game.apply(&mut next, mv);
    let cells: Vec<String> = game
        .line_cells(&next)
        .map(|mv| game.move_text(mv))
        .collect();
    cells.join(" ")
}

/// Where a move is shown.
pub(super) fn move_square<const W: usize>(play: &GameState<Mnk<W>>, mv: &str) -> Option<Square> {
    let (game, layout) = (play.game(), layout(play));
    let mv = game.parse_move(mv).ok()?;
    Some(layout.square(number(game, mv, layout)))
}
