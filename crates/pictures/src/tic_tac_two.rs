//! Tic-Tac-Two: a pane of glass over a larger board.

use maud::{Markup, html};
use noughts_rules::{Game, GameState, Side, TicTacTwo, TicTacTwoCell, TicTacTwoMove};

use super::buttons::{Button, ButtonKind};
use super::drawing::{BoardDrawing, DrawOptions};
use super::labels;
use super::svg::{Rounded, Square, SvgWriter, grid_lines, runs, side_class};

/// Where the cells are: with a little air around each.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    board_size: u8,
    cell_size: f64,
}

const BEFORE: f64 = 22.0;
const AFTER: f64 = 8.0;
/// Half of what is between two cells.
const AIR: f64 = 3.0;
const SIZE: f64 = super::svg::WIDTH;

impl Layout {
    pub(super) fn square(self, cell: TicTacTwoCell) -> Square {
        let (col, row) = cell.column_row();
        let at = |n: u8| BEFORE + f64::from(n) * self.cell_size;
        Square::new(at(col), at(row), self.cell_size).inset(AIR)
    }

    fn cells(self) -> impl Iterator<Item = TicTacTwoCell> {
        (0..self.board_size)
            .flat_map(move |row| (0..self.board_size).map(move |col| TicTacTwoCell::new(col, row)))
    }

    /// The square of a grid of this side around a cell.
    fn pane(self, centre: (u8, u8), grid: u8) -> Square {
        let reach = f64::from(grid / 2);
        let at = |n: u8| BEFORE + (f64::from(n) - reach) * self.cell_size;
        Square::new(at(centre.0), at(centre.1), f64::from(grid) * self.cell_size)
    }
}

pub(super) fn layout(play: &GameState<TicTacTwo>) -> Layout {
    let side = play.game().options().board_size();
    Layout {
        board_size: side,
        cell_size: (SIZE - BEFORE - AFTER) / f64::from(side.max(1)),
    }
}

/// The name of a cell: that of the move which places a piece there.
fn name(game: &TicTacTwo, cell: TicTacTwoCell) -> String {
    game.move_text(TicTacTwoMove::PlacePiece(cell))
}

fn is_in(set: u64, cell: TicTacTwoCell) -> bool {
    let (col, row) = cell.column_row();
    set >> (8 * u32::from(row) + u32::from(col)) & 1 == 1
}

fn piece_at(play: &GameState<TicTacTwo>, cell: TicTacTwoCell) -> Option<Side> {
    let position = play.position();
    Side::BOTH
        .into_iter()
        .find(|&player| is_in(position.pieces(player), cell))
}

pub(super) fn draw(play: &GameState<TicTacTwo>, wish: DrawOptions<'_>) -> BoardDrawing {
    let layout = layout(play);
    let (game, options) = (play.game(), play.game().options());
    let legal = match wish.playable {
        true => play.legal_moves(),
        false => Vec::new(),
    };
    let centres = legal.iter().filter_map(|mv| match mv {
        TicTacTwoMove::MoveGrid(centre) => Some(name(game, *centre)),
        _ => None,
    });
    let centres: Vec<String> = centres.collect();
    let pane = layout.pane(game.grid_center(play.position()), options.grid_size());
    BoardDrawing {
        class: "two",
        height: SIZE,
        picture: picture(play, layout, pane, &legal),
        grid_targets: Some(centres.join(" ")),
        drag_handles: (!centres.is_empty()).then(|| grip(pane)),
        path: None,
        follow_path: None,
        button_rows: match wish.with_buttons {
            true => buttons(play, layout, &legal),
            false => Vec::new(),
        },
        description: format!(
            "Tic-Tac-Two: board of {0} by {0} cells, grid of {1} by {1}",
            options.board_size(),
            options.grid_size()
        ),
    }
}

fn picture(
    play: &GameState<TicTacTwo>,
    layout: Layout,
    pane: Square,
    legal: &[TicTacTwoMove],
) -> Markup {
    let (game, position) = (play.game(), play.position());
    let mut pen = SvgWriter::default();
    let inside = game.grid_cells_at(position.center());
    let side = layout.board_size.into();
    let column = |col| layout.square(TicTacTwoCell::new(col as u8, 0));
    labels::draw_column_labels(&mut pen, side, column);
    labels::draw_row_labels(&mut pen, side, |row| {
        layout.square(TicTacTwoCell::new(0, row as u8))
    });
    for cell in layout.cells() {
        let class = match is_in(inside, cell) {
            true => "place in",
            false => "place",
        };
        pen.rounded_square(class, layout.square(cell), layout.cell_size * 0.16);
    }
    draw_glass(&mut pen, play, layout, pane);
    let places = legal.iter().filter_map(|mv| match mv {
        TicTacTwoMove::PlacePiece(cell) => Some(layout.square(*cell)),
        _ => None,
    });
    pen.dots("dots", places);
    let mut decided = 0;
    for player in Side::BOTH {
        let lined = game.line_cells(position, player);
        decided |= lined;
        let set: Vec<bool> = layout.cells().map(|cell| is_in(lined, cell)).collect();
        for (from, to) in runs(&set, side, 3) {
            let square = |cell: usize| {
                let (col, row) = ((cell % side) as u8, (cell / side) as u8);
                layout.square(TicTacTwoCell::new(col, row))
            };
            let class = format!("win-line {}", side_class(player));
            pen.line_through(&class, square(from), square(to));
        }
    }
    let last = match play.moves().last() {
        Some(TicTacTwoMove::PlacePiece(cell) | TicTacTwoMove::MovePiece(_, cell)) => Some(*cell),
        _ => None,
    };
    if let Some(TicTacTwoMove::MovePiece(from, to)) = play.moves().last() {
        draw_way(&mut pen, play.side().other(), layout, *from, *to);
    }
    for cell in layout.cells() {
        let Some(player) = piece_at(play, cell) else {
            continue;
        };
        let class = match (last == Some(cell), decided != 0 && !is_in(decided, cell)) {
            (true, _) => "mark last new",
            (false, true) => "mark past",
            (false, false) => "mark",
        };
        pen.mark(class, player, layout.square(cell));
        if last == Some(cell) {
            pen.last_move_ring(player, layout.square(cell));
        }
    }
    pen.finish()
}

/// The pane with its own lines and its handle; where it came from, if it was moved last.
fn draw_glass(pen: &mut SvgWriter, play: &GameState<TicTacTwo>, layout: Layout, pane: Square) {
    let game = play.game();
    let grid = game.options().grid_size();
    let round = layout.cell_size * 0.26;
    if let Some(TicTacTwoMove::MoveGrid(_)) = play.moves().last()
        && let Some(before) = before_last(play)
    {
        pen.rounded_square("left", layout.pane(before, grid), round);
    }
    let (col, row) = game.grid_center(play.position());
    let moved = match play.moves().last() {
        Some(TicTacTwoMove::MoveGrid(_)) => format!(" last {}", side_class(play.side().other())),
        _ => String::new(),
    };
    pen.write(format_args!(
        "<g class=\"glass{moved}\" data-centre=\"{}\">",
        name(game, TicTacTwoCell::new(col, row))
    ));
    pen.rounded_square("pane", pane, round);
    let cells = usize::from(grid);
    let lines = grid_lines((pane.x, pane.y), layout.cell_size, (cells, cells), 6.0);
    pen.path("pane-line", 1.5, &lines);
    let (x, y) = (pane.x + pane.size / 2.0, pane.y);
    pen.write(format_args!(
        "<circle class=\"handle\" cx=\"{}\" cy=\"{}\" r=\"8\"></circle>",
        Rounded(x),
        Rounded(y)
    ));
    pen.path(
        "handle-lines",
        1.4,
        &format!(
            "M{} {}h6M{} {}h6",
            Rounded(x - 3.0),
            Rounded(y - 1.6),
            Rounded(x - 3.0),
            Rounded(y + 1.6)
        ),
    );
    pen.close_group();
}

/// Where the grid was before the last move.
fn before_last(play: &GameState<TicTacTwo>) -> Option<(u8, u8)> {
    let (_, earlier) = play.moves().split_last()?;
    let moved = earlier.iter().rev().find_map(|mv| match mv {
        TicTacTwoMove::MoveGrid(centre) => Some(centre.column_row()),
        _ => None,
    });
    Some(moved.unwrap_or_else(|| play.game().grid_center(play.start())))
}

/// The way of a piece that was moved last.
fn draw_way(
    pen: &mut SvgWriter,
    mover: Side,
    layout: Layout,
    from: TicTacTwoCell,
    to: TicTacTwoCell,
) {
    let ((x1, y1), (x2, y2)) = (layout.square(from).center(), layout.square(to).center());
    let d = format!(
        "M{} {}L{} {}",
        Rounded(x1),
        Rounded(y1),
        Rounded(x2),
        Rounded(y2)
    );
    pen.path(&format!("way {}", side_class(mover)), 2.0, &d);
}

/// What a finger gets hold of.
fn grip(pane: Square) -> Markup {
    html! {
        circle class="grip" cx=(Rounded(pane.x + pane.size / 2.0)) cy=(Rounded(pane.y)) r="20" {}
    }
}

fn buttons(
    play: &GameState<TicTacTwo>,
    layout: Layout,
    legal: &[TicTacTwoMove],
) -> Vec<Vec<Button>> {
    let (game, position) = (play.game(), play.position());
    let inside = game.grid_cells_at(position.center());
    let last = play.moves().last();
    let button = |cell: TicTacTwoCell| {
        let text = name(game, cell);
        let piece = piece_at(play, cell);
        let mv = TicTacTwoMove::PlacePiece(cell);
        let to = legal.iter().filter_map(|mv| match mv {
            TicTacTwoMove::MovePiece(from, to) if *from == cell => Some(name(game, *to)),
            _ => None,
        });
        let to: Vec<String> = to.collect();
        let mut words = format!("{text}, ");
        words += &piece.map_or("empty".into(), |player| player.to_string());
        words += match is_in(inside, cell) {
            true => ", inside the grid",
            false => ", outside the grid",
        };
        let placing = legal.contains(&mv);
        words += match (placing, to.is_empty()) {
            (true, _) => ", legal",
            (false, false) => ", can move",
            (false, true) => "",
        };
        let mut button = Button::new(text.clone(), ButtonKind::Cell, layout.square(cell), words);
        button.piece = piece;
        button.destinations = (!to.is_empty()).then(|| to.join(" "));
        let grid = TicTacTwoMove::MoveGrid(cell);
        button.grid_move = legal.contains(&grid).then(|| game.move_text(grid));
        button.is_last_move = matches!(
            last,
            Some(TicTacTwoMove::PlacePiece(at) | TicTacTwoMove::MovePiece(_, at) | TicTacTwoMove::MoveGrid(at))
                if *at == cell
        );
        if placing {
            button.mv = Some(text);
            button.completed_lines = lines_of(play, layout, mv);
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

/// The cells of the lines that a move would complete.
fn lines_of(play: &GameState<TicTacTwo>, layout: Layout, mv: TicTacTwoMove) -> Option<String> {
    let (game, mut next) = (play.game(), *play.position());
    game.apply(&mut next, mv);
    let lined = Side::BOTH.map(|player| game.line_cells(&next, player));
    let lined = lined[0] | lined[1];
    let cells = layout.cells().filter(|&cell| is_in(lined, cell));
    let cells: Vec<String> = cells.map(|cell| name(game, cell)).collect();
    (!cells.is_empty()).then(|| cells.join(" "))
}
