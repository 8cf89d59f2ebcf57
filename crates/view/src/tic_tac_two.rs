//! Tic-Tac-Two: the grid is drawn as a pane over the board.

use maud::{Markup, html};
use noughts_rules::{Game, GameState, Side, TicTacTwo, TicTacTwoCell, TicTacTwoMove};

use super::buttons::{Button, ButtonKind};
use super::drawing::{BoardDrawing, DrawOptions};
use super::labels;
use super::svg::{Point, Rounded, Square, SvgWriter, grid_lines, runs, side_class};

/// Where the cells are. They have a gap between them.
#[derive(Clone, Copy)]
pub(super) struct TicTacTwoLayout {
    board_size: u8,
    cell_size: f64,
}

const MARGIN_BEFORE: f64 = 22.0;
const MARGIN_AFTER: f64 = 8.0;
/// Half of the gap between two cells.
const HALF_GAP: f64 = 3.0;
const SIZE: f64 = super::svg::WIDTH;

impl TicTacTwoLayout {
    pub(super) fn square(self, cell: TicTacTwoCell) -> Square {
        let (col, row) = cell.column_row();
        let offset = |n: u8| MARGIN_BEFORE + f64::from(n) * self.cell_size;
        Square::new(offset(col), offset(row), self.cell_size).inset(HALF_GAP)
    }

    fn cells(self) -> impl Iterator<Item = TicTacTwoCell> {
        (0..self.board_size)
            .flat_map(move |row| (0..self.board_size).map(move |col| TicTacTwoCell::new(col, row)))
    }

    /// The square of a grid of this size around its center cell.
    pub(super) fn pane(self, center: (u8, u8), grid_size: u8) -> Square {
        let half_size = f64::from(grid_size / 2);
        let offset = |n: u8| MARGIN_BEFORE + (f64::from(n) - half_size) * self.cell_size;
        Square::new(
            offset(center.0),
            offset(center.1),
            f64::from(grid_size) * self.cell_size,
        )
    }
}

pub(super) fn layout(state: &GameState<TicTacTwo>) -> TicTacTwoLayout {
    let board_size = state.game().options().board_size();
    TicTacTwoLayout {
        board_size,
        cell_size: (SIZE - MARGIN_BEFORE - MARGIN_AFTER) / f64::from(board_size.max(1)),
    }
}

/// The name of a cell, which is also the move that places a piece there.
fn cell_name(game: &TicTacTwo, cell: TicTacTwoCell) -> String {
    game.move_text(TicTacTwoMove::PlacePiece(cell))
}

fn contains_cell(set: u64, cell: TicTacTwoCell) -> bool {
    let (col, row) = cell.column_row();
    set >> (8 * u32::from(row) + u32::from(col)) & 1 == 1
}

fn piece_at(state: &GameState<TicTacTwo>, cell: TicTacTwoCell) -> Option<Side> {
    let position = state.position();
    Side::BOTH
        .into_iter()
        .find(|&side| contains_cell(position.pieces(side), cell))
}

pub(super) fn draw(state: &GameState<TicTacTwo>, options: DrawOptions<'_>) -> BoardDrawing {
    let layout = layout(state);
    let (game, rules) = (state.game(), state.game().options());
    let legal = match options.playable {
        true => state.legal_moves(),
        false => Vec::new(),
    };
    let is_grid_movable = legal
        .iter()
        .any(|mv| matches!(mv, TicTacTwoMove::MoveGrid(_)));
    let pane = layout.pane(game.grid_center(state.position()), rules.grid_size());
    BoardDrawing {
        class: "tic-tac-two",
        height: SIZE,
        picture: picture(state, layout, pane, &legal),
        drag_handles: is_grid_movable.then(|| grid_handle(pane)),
        path: None,
        follow_path: None,
        button_rows: match options.with_buttons {
            true => buttons(state, layout, &legal),
            false => Vec::new(),
        },
        description: format!(
            "Tic-Tac-Two: {board} by {board} board, {grid} by {grid} grid",
            board = rules.board_size(),
            grid = rules.grid_size()
        ),
    }
}

fn picture(
    state: &GameState<TicTacTwo>,
    layout: TicTacTwoLayout,
    pane: Square,
    legal: &[TicTacTwoMove],
) -> Markup {
    let (game, position) = (state.game(), state.position());
    let mut writer = SvgWriter::default();
    let inside = game.grid_cells_at(position.center());
    let columns = layout.board_size.into();
    let column = |col| layout.square(TicTacTwoCell::new(col as u8, 0));
    labels::draw_column_labels(&mut writer, columns, column);
    labels::draw_row_labels(&mut writer, columns, |row| {
        layout.square(TicTacTwoCell::new(0, row as u8))
    });
    for cell in layout.cells() {
        let class = match contains_cell(inside, cell) {
            true => "cell-outline in-grid",
            false => "cell-outline",
        };
        writer.rounded_square(class, layout.square(cell), layout.cell_size * 0.16);
    }
    draw_grid(&mut writer, state, layout, pane);
    let empty_cells = legal.iter().filter_map(|mv| match mv {
        TicTacTwoMove::PlacePiece(cell) => Some(layout.square(*cell)),
        _ => None,
    });
    writer.dots("dots", empty_cells);
    let mut line_cells = 0;
    for side in Side::BOTH {
        let in_line = game.line_cells(position, side);
        line_cells |= in_line;
        let set: Vec<bool> = layout
            .cells()
            .map(|cell| contains_cell(in_line, cell))
            .collect();
        for (from, to) in runs(&set, columns, 3) {
            let square = |cell: usize| {
                let (col, row) = ((cell % columns) as u8, (cell / columns) as u8);
                layout.square(TicTacTwoCell::new(col, row))
            };
            let class = format!("win-line {}", side_class(side));
            writer.line_through(&class, square(from), square(to));
        }
    }
    let last = match state.moves().last() {
        Some(TicTacTwoMove::PlacePiece(cell) | TicTacTwoMove::MovePiece(_, cell)) => Some(*cell),
        _ => None,
    };
    if let Some(TicTacTwoMove::MovePiece(from, to)) = state.moves().last() {
        draw_piece_path(&mut writer, state.side().other(), layout, *from, *to);
    }
    for cell in layout.cells() {
        let Some(side) = piece_at(state, cell) else {
            continue;
        };
        let class = match (
            last == Some(cell),
            line_cells != 0 && !contains_cell(line_cells, cell),
        ) {
            (true, _) => "mark last new",
            (false, true) => "mark dimmed",
            (false, false) => "mark",
        };
        writer.mark(class, side, layout.square(cell));
        if last == Some(cell) {
            writer.last_move_ring(side, layout.square(cell));
        }
    }
    writer.finish()
}

/// The grid with its lines and handle; also its previous place if the last move moved it.
fn draw_grid(
    writer: &mut SvgWriter,
    state: &GameState<TicTacTwo>,
    layout: TicTacTwoLayout,
    pane: Square,
) {
    let game = state.game();
    let grid_size = game.options().grid_size();
    let corner_radius = layout.cell_size * 0.26;
    if let Some(TicTacTwoMove::MoveGrid(_)) = state.moves().last()
        && let Some(previous) = previous_grid_center(state)
    {
        writer.rounded_square(
            "previous-grid",
            layout.pane(previous, grid_size),
            corner_radius,
        );
    }
    let (col, row) = game.grid_center(state.position());
    let moved = match state.moves().last() {
        Some(TicTacTwoMove::MoveGrid(_)) => format!(" last {}", side_class(state.side().other())),
        _ => String::new(),
    };
    writer.write(format_args!(
        "<g class=\"grid{moved}\" data-center=\"{}\">",
        cell_name(game, TicTacTwoCell::new(col, row))
    ));
    writer.rounded_square("grid-pane", pane, corner_radius);
    let cells = usize::from(grid_size);
    let lines = grid_lines((pane.x, pane.y), layout.cell_size, (cells, cells), 6.0);
    writer.path("grid-line", 1.5, &lines);
    let (x, y) = (pane.x + pane.size / 2.0, pane.y);
    writer.write(format_args!(
        "<circle class=\"handle\" cx=\"{}\" cy=\"{}\" r=\"8\"></circle>",
        Rounded(x),
        Rounded(y)
    ));
    let (upper, lower) = (Point(x - 3.0, y - 1.6), Point(x - 3.0, y + 1.6));
    writer.path("handle-lines", 1.4, &format!("M{upper}h6M{lower}h6"));
    writer.close_group();
}

/// The grid's center before the last move.
fn previous_grid_center(state: &GameState<TicTacTwo>) -> Option<(u8, u8)> {
    let (_, earlier) = state.moves().split_last()?;
    let moved = earlier.iter().rev().find_map(|mv| match mv {
        TicTacTwoMove::MoveGrid(center) => Some(center.column_row()),
        _ => None,
    });
    Some(moved.unwrap_or_else(|| state.game().grid_center(state.start())))
}

/// The path of the piece that the last move moved.
fn draw_piece_path(
    writer: &mut SvgWriter,
    side: Side,
    layout: TicTacTwoLayout,
    from: TicTacTwoCell,
    to: TicTacTwoCell,
) {
    let ((x1, y1), (x2, y2)) = (layout.square(from).center(), layout.square(to).center());
    let d = format!("M{}L{}", Point(x1, y1), Point(x2, y2));
    writer.path(&format!("piece-path {}", side_class(side)), 2.0, &d);
}

/// The touch target of the grid's handle.
fn grid_handle(pane: Square) -> Markup {
    html! {
        circle class="drag-target" cx=(Rounded(pane.x + pane.size / 2.0)) cy=(Rounded(pane.y)) r="20" {}
    }
}

fn buttons(
    state: &GameState<TicTacTwo>,
    layout: TicTacTwoLayout,
    legal: &[TicTacTwoMove],
) -> Vec<Vec<Button>> {
    let (game, position) = (state.game(), state.position());
    let inside = game.grid_cells_at(position.center());
    let last = state.moves().last();
    let button = |cell: TicTacTwoCell| {
        let text = cell_name(game, cell);
        let piece = piece_at(state, cell);
        let mv = TicTacTwoMove::PlacePiece(cell);
        let destinations = legal.iter().filter_map(|mv| match mv {
            TicTacTwoMove::MovePiece(from, destinations) if *from == cell => {
                Some(cell_name(game, *destinations))
            }
            _ => None,
        });
        let destinations: Vec<String> = destinations.collect();
        let mut label = format!("{text}, ");
        label += &piece.map_or("empty".into(), |side| side.to_string());
        label += match contains_cell(inside, cell) {
            true => ", inside the grid",
            false => ", outside the grid",
        };
        let can_place = legal.contains(&mv);
        label += match (can_place, destinations.is_empty()) {
            (true, _) => ", legal",
            (false, false) => ", can move",
            (false, true) => "",
        };
        let mut button = Button::new(text.clone(), ButtonKind::Cell, layout.square(cell), label);
        button.piece = piece;
        button.destinations = (!destinations.is_empty()).then(|| destinations.join(" "));
        let grid = TicTacTwoMove::MoveGrid(cell);
        button.grid_move = legal.contains(&grid).then(|| game.move_text(grid));
        button.is_last_move = matches!(
            last,
            Some(TicTacTwoMove::PlacePiece(at) | TicTacTwoMove::MovePiece(_, at) | TicTacTwoMove::MoveGrid(at))
                if *at == cell
        );
        if can_place {
            button.mv = Some(text);
            button.completed_lines = completed_line_cells(state, layout, mv);
        }
        button
    };
    let row = |row| {
        (0..layout.board_size)
            .map(|col| button(TicTacTwoCell::new(col, row)))
            .collect()
    };
    (0..layout.board_size).map(row).collect()
}

/// The cells of the lines that a move would complete, separated by spaces.
fn completed_line_cells(
    state: &GameState<TicTacTwo>,
    layout: TicTacTwoLayout,
    mv: TicTacTwoMove,
) -> Option<String> {
    let (game, mut next) = (state.game(), *state.position());
    game.apply(&mut next, mv);
    let in_line = Side::BOTH.map(|side| game.line_cells(&next, side));
    let in_line = in_line[0] | in_line[1];
    let cells = layout.cells().filter(|&cell| contains_cell(in_line, cell));
    let cells: Vec<String> = cells.map(|cell| cell_name(game, cell)).collect();
    (!cells.is_empty()).then(|| cells.join(" "))
}
