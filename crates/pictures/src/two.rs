//! Tic-Tac-Two: a pane of glass over a larger board.

use maud::{Markup, html};
use noughts_rules::{Cell, Game, Play, Player, TicTacTwo, TicTacTwoMove};

use super::cells::{Button, Kind};
use super::labels;
use super::pen::{N, Pen, Square, hue, lines_between, runs};
use super::sheet::{Sheet, Wish};

/// Where the cells are: with a little air around each.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    side: u8,
    unit: f64,
}

const BEFORE: f64 = 22.0;
const AFTER: f64 = 8.0;
/// Half of what is between two cells.
const AIR: f64 = 3.0;
const SIZE: f64 = super::pen::WIDTH;

impl Layout {
    pub(super) fn square(self, cell: Cell) -> Square {
        let (col, row) = cell.column_row();
        let at = |n: u8| BEFORE + f64::from(n) * self.unit;
        Square::new(at(col), at(row), self.unit).inset(AIR)
    }

    fn cells(self) -> impl Iterator<Item = Cell> {
        (0..self.side).flat_map(move |row| (0..self.side).map(move |col| Cell::new(col, row)))
    }

    /// The square of a grid of this side around a cell.
    fn pane(self, centre: (u8, u8), grid: u8) -> Square {
        let reach = f64::from(grid / 2);
        let at = |n: u8| BEFORE + (f64::from(n) - reach) * self.unit;
        Square::new(at(centre.0), at(centre.1), f64::from(grid) * self.unit)
    }
}

pub(super) fn layout(play: &Play<TicTacTwo>) -> Layout {
    let side = play.game().options().board();
    Layout {
        side,
        unit: (SIZE - BEFORE - AFTER) / f64::from(side.max(1)),
    }
}

/// The name of a cell: that of the move which places a piece there.
fn name(game: &TicTacTwo, cell: Cell) -> String {
    game.move_text(TicTacTwoMove::Place(cell))
}

fn is_in(set: u64, cell: Cell) -> bool {
    let (col, row) = cell.column_row();
    set >> (8 * u32::from(row) + u32::from(col)) & 1 == 1
}

fn piece_at(play: &Play<TicTacTwo>, cell: Cell) -> Option<Player> {
    let position = play.position();
    Player::BOTH
        .into_iter()
        .find(|&player| is_in(position.pieces(player), cell))
}

pub(super) fn sheet(play: &Play<TicTacTwo>, wish: Wish<'_>) -> Sheet {
    let layout = layout(play);
    let (game, options) = (play.game(), play.game().options());
    let legal = match wish.live {
        true => play.legal_moves(),
        false => Vec::new(),
    };
    let centres = legal.iter().filter_map(|mv| match mv {
        TicTacTwoMove::Grid(centre) => Some(name(game, *centre)),
        _ => None,
    });
    let centres: Vec<String> = centres.collect();
    let pane = layout.pane(game.grid(play.position()), options.grid());
    Sheet {
        kind: "two",
        height: SIZE,
        picture: picture(play, layout, pane, &legal),
        places: Some(centres.join(" ")),
        grips: (!centres.is_empty()).then(|| grip(pane)),
        path: None,
        follow: None,
        rows: match wish.buttons {
            true => buttons(play, layout, &legal),
            false => Vec::new(),
        },
        title: format!(
            "Tic-Tac-Two: board of {0} by {0} cells, grid of {1} by {1}",
            options.board(),
            options.grid()
        ),
    }
}

fn picture(
    play: &Play<TicTacTwo>,
    layout: Layout,
    pane: Square,
    legal: &[TicTacTwoMove],
) -> Markup {
    let (game, position) = (play.game(), play.position());
    let mut pen = Pen::default();
    let inside = game.grid_at(position.centre());
    let side = layout.side.into();
    let column = |col| layout.square(Cell::new(col as u8, 0));
    labels::columns(&mut pen, side, column);
    labels::rows(&mut pen, side, |row| layout.square(Cell::new(0, row as u8)));
    for cell in layout.cells() {
        let class = match is_in(inside, cell) {
            true => "place in",
            false => "place",
        };
        pen.plate(class, layout.square(cell), layout.unit * 0.16);
    }
    draw_glass(&mut pen, play, layout, pane);
    let places = legal.iter().filter_map(|mv| match mv {
        TicTacTwoMove::Place(cell) => Some(layout.square(*cell)),
        _ => None,
    });
    pen.dots("dots", places);
    let mut decided = 0;
    for player in Player::BOTH {
        let lined = game.line_cells(position, player);
        decided |= lined;
        let set: Vec<bool> = layout.cells().map(|cell| is_in(lined, cell)).collect();
        for (from, to) in runs(&set, side, 3) {
            let square = |cell: usize| {
                let (col, row) = ((cell % side) as u8, (cell / side) as u8);
                layout.square(Cell::new(col, row))
            };
            let class = format!("win-line {}", hue(player));
            pen.line_over(&class, square(from), square(to));
        }
    }
    let last = match play.moves().last() {
        Some(TicTacTwoMove::Place(cell) | TicTacTwoMove::Piece(_, cell)) => Some(*cell),
        _ => None,
    };
    if let Some(TicTacTwoMove::Piece(from, to)) = play.moves().last() {
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
            pen.last_ring(player, layout.square(cell));
        }
    }
    pen.finish()
}

/// The pane with its own lines and its handle; where it came from, if it was moved last.
fn draw_glass(pen: &mut Pen, play: &Play<TicTacTwo>, layout: Layout, pane: Square) {
    let game = play.game();
    let grid = game.options().grid();
    let round = layout.unit * 0.26;
    if let Some(TicTacTwoMove::Grid(_)) = play.moves().last()
        && let Some(before) = before_last(play)
    {
        pen.plate("left", layout.pane(before, grid), round);
    }
    let (col, row) = game.grid(play.position());
    let moved = match play.moves().last() {
        Some(TicTacTwoMove::Grid(_)) => format!(" last {}", hue(play.side().other())),
        _ => String::new(),
    };
    pen.write(format_args!(
        "<g class=\"glass{moved}\" data-centre=\"{}\">",
        name(game, Cell::new(col, row))
    ));
    pen.plate("pane", pane, round);
    let cells = usize::from(grid);
    let lines = lines_between((pane.x, pane.y), layout.unit, (cells, cells), 6.0);
    pen.path("pane-line", 1.5, &lines);
    let (x, y) = (pane.x + pane.size / 2.0, pane.y);
    pen.write(format_args!(
        "<circle class=\"handle\" cx=\"{}\" cy=\"{}\" r=\"8\"></circle>",
        N(x),
        N(y)
    ));
    pen.path(
        "handle-lines",
        1.4,
        &format!(
            "M{} {}h6M{} {}h6",
            N(x - 3.0),
            N(y - 1.6),
            N(x - 3.0),
            N(y + 1.6)
        ),
    );
    pen.close();
}

/// Where the grid was before the last move.
fn before_last(play: &Play<TicTacTwo>) -> Option<(u8, u8)> {
    let (_, earlier) = play.moves().split_last()?;
    let moved = earlier.iter().rev().find_map(|mv| match mv {
        TicTacTwoMove::Grid(centre) => Some(centre.column_row()),
        _ => None,
    });
    Some(moved.unwrap_or_else(|| play.game().grid(play.start())))
}

/// The way of a piece that was moved last.
fn draw_way(pen: &mut Pen, mover: Player, layout: Layout, from: Cell, to: Cell) {
    let ((x1, y1), (x2, y2)) = (layout.square(from).centre(), layout.square(to).centre());
    let d = format!("M{} {}L{} {}", N(x1), N(y1), N(x2), N(y2));
    pen.path(&format!("way {}", hue(mover)), 2.0, &d);
}

/// What a finger gets hold of.
fn grip(pane: Square) -> Markup {
    html! {
        circle class="grip" cx=(N(pane.x + pane.size / 2.0)) cy=(N(pane.y)) r="20" {}
    }
}

fn buttons(play: &Play<TicTacTwo>, layout: Layout, legal: &[TicTacTwoMove]) -> Vec<Vec<Button>> {
    let (game, position) = (play.game(), play.position());
    let inside = game.grid_at(position.centre());
    let last = play.moves().last();
    let button = |cell: Cell| {
        let text = name(game, cell);
        let piece = piece_at(play, cell);
        let mv = TicTacTwoMove::Place(cell);
        let to = legal.iter().filter_map(|mv| match mv {
            TicTacTwoMove::Piece(from, to) if *from == cell => Some(name(game, *to)),
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
        let mut button = Button::new(text.clone(), Kind::Flat, layout.square(cell), words);
        button.piece = piece;
        button.to = (!to.is_empty()).then(|| to.join(" "));
        let grid = TicTacTwoMove::Grid(cell);
        button.grid = legal.contains(&grid).then(|| game.move_text(grid));
        button.last = matches!(
            last,
            Some(TicTacTwoMove::Place(at) | TicTacTwoMove::Piece(_, at) | TicTacTwoMove::Grid(at))
                if *at == cell
        );
        if placing {
            button.mv = Some(text);
            button.lines = lines_of(play, layout, mv);
        }
        button
    };
    let row = |row| {
        (0..layout.side)
            .map(|col| button(Cell::new(col, row)))
            .collect()
    };
    (0..layout.side).map(row).collect()
}

/// The cells of the lines that a move would complete.
fn lines_of(play: &Play<TicTacTwo>, layout: Layout, mv: TicTacTwoMove) -> Option<String> {
    let (game, mut next) = (play.game(), *play.position());
    game.apply(&mut next, mv);
    let lined = Player::BOTH.map(|player| game.line_cells(&next, player));
    let lined = lined[0] | lined[1];
    let cells = layout.cells().filter(|&cell| is_in(lined, cell));
    let cells: Vec<String> = cells.map(|cell| name(game, cell)).collect();
    (!cells.is_empty()).then(|| cells.join(" "))
}
