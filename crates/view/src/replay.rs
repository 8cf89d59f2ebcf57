//! Boards for replays: a page shows any position of a game by placing sprites on the squares of a
//! board. Its script knows neither rules nor geometry.

use maud::{Markup, html};
use noughts_rules::{AnyGameState, BoardKind, Family, Owner, Side, TicTacTwoCell, Variant};

use super::mnk::MnkLayout;
use super::svg::{Rounded, Square, SvgWriter, WIDTH, grid_lines};
use super::tic_tac_two;

/// A board without pieces, and where its pieces go.
#[derive(Clone, Debug)]
pub struct ReplayBoard {
    /// The picture, with an empty group `pieces` for the script to fill. The sprites `mark-x`,
    /// `owner-x` (or `owner-b` for both players), `ring-x` (around the last move), `area` and `grid`
    /// fill a square of 100 units. A label with `data-place` is hidden where that place is taken.
    pub svg: Markup,
    /// For each level, the outermost first, the places on a board: x, y and size, in units of the
    /// picture or, below the outermost level, as shares of the board above.
    pub squares: Vec<Vec<[f64; 3]>>,
}

/// The square that sprites fill.
const SPRITE: Square = Square::new(0.0, 0.0, 100.0);

/// Deeper lines of nested boards would be too fine.
const MAX_LINE_LEVELS: u32 = 3;

/// The board of a variant; the element with the ID `label` describes the position.
#[must_use]
pub fn replay_board(variant: Variant, label: &str) -> ReplayBoard {
    let state = AnyGameState::new(variant);
    let (mut board, mut sprites) = (SvgWriter::default(), SvgWriter::default());
    let (mut height, mut squares) = (WIDTH, Vec::<Vec<Square>>::new());
    match state.board_kind() {
        BoardKind::TicTacTwo(state) => {
            let layout = tic_tac_two::layout(state);
            let options = state.game().options();
            let cell = |col, row| layout.square(TicTacTwoCell::new(col, row));
            let size = options.board_size();
            squares.push(
                (0..size)
                    .flat_map(|row| (0..size).map(move |col| cell(col, row)))
                    .collect(),
            );
            for &square in squares.iter().flatten() {
                board.rounded_square("place", square, 6.0);
            }
            edge_labels(&mut board, &squares[0], size.into());
            // The grid relative to the cell in its center.
            let (center, pane) = (cell(2, 2), layout.pane((2, 2), options.grid_size()));
            let scale = SPRITE.size / center.size;
            let (x, y) = ((pane.x - center.x) * scale, (pane.y - center.y) * scale);
            sprite(&mut sprites, "grid", |sprite| {
                sprite.rounded_square("pane", Square::new(x, y, pane.size * scale), 26.0);
            });
        }
        BoardKind::Nested(nested) => nested_board(&mut board, &mut squares, nested.depth()),
        BoardKind::Mnk(_) | BoardKind::LargeMnk(_) | BoardKind::Other(_) => {
            if let Family::Mnk(options) = variant.family() {
                let (columns, rows, _) = options.size();
                let layout = MnkLayout::new(columns.into(), rows.into());
                height = layout.height;
                let cells = layout.columns * layout.rows;
                squares.push((0..cells).map(|cell| layout.square(cell)).collect());
                let first = layout.square(0);
                let lines = (layout.columns, layout.rows);
                let d = grid_lines((first.x, first.y), first.size, lines, 4.0);
                board.path("line", (first.size * 0.04).min(2.5), &d);
                edge_labels(&mut board, &squares[0], layout.columns);
            }
        }
    }
    for side in Side::BOTH {
        let letter = side.letter();
        sprite(&mut sprites, &format!("mark-{letter}"), |sprite| {
            sprite.mark("mark", side, SPRITE);
        });
        sprite(&mut sprites, &format!("ring-{letter}"), |sprite| {
            sprite.last_move_ring(side, SPRITE);
        });
    }
    let owners = [
        ("x", Owner::One(Side::X)),
        ("o", Owner::One(Side::O)),
        ("b", Owner::Both),
    ];
    for (letter, owner) in owners {
        sprite(&mut sprites, &format!("owner-{letter}"), |sprite| {
            sprite.owner_mark("owner", owner, SPRITE);
        });
    }
    sprite(&mut sprites, "area", |sprite| {
        sprite.rounded_square("", SPRITE, 8.0);
    });
    // The labels of small flat boards are outside of the usual picture.
    let view_box = format!("-8 -8 {} {}", Rounded(WIDTH + 12.0), Rounded(height + 12.0));
    let numbers = |square: Square| {
        [square.x, square.y, square.size].map(|number| (number * 1e4).round() / 1e4)
    };
    ReplayBoard {
        svg: html! {
            svg viewBox=(view_box) role="img" aria-labelledby=(label) {
                defs { (sprites.finish()) }
                (board.finish())
                g id="pieces" {}
            }
        },
        squares: (squares.into_iter())
            .map(|level| level.into_iter().map(numbers).collect())
            .collect(),
    }
}

fn sprite(writer: &mut SvgWriter, id: &str, draw: impl FnOnce(&mut SvgWriter)) {
    writer.write(format_args!("<g id=\"{id}\">"));
    draw(writer);
    writer.close_group();
}

/// The lines and labels of a nested board, and its squares: boards have room for their letter.
fn nested_board(writer: &mut SvgWriter, squares: &mut Vec<Vec<Square>>, depth: u32) {
    let bounds = Square::new(0.0, 0.0, WIDTH);
    for level in 1..=depth {
        let board = if level == 1 {
            bounds
        } else {
            Square::new(0.0, 0.0, 1.0)
        };
        let padding = if level < depth { 0.1 } else { 0.05 };
        let place = |place| board.subsquare(place).inset(board.size / 3.0 * padding);
        squares.push((0..9).map(place).collect());
    }
    let mut boards = vec![bounds];
    for level in 1..=depth.min(MAX_LINE_LEVELS) {
        let (class, width) = [("line", 3.0), ("fine", 1.6), ("fine", 0.8)][level as usize - 1];
        let lines = boards
            .iter()
            .map(|&Square { x, y, size }| grid_lines((x, y), size / 3.0, (3, 3), size * 0.04));
        writer.path(class, width, &lines.collect::<String>());
        let places = &squares[level as usize - 1];
        boards = match level {
            1 => places.clone(),
            _ => boards
                .iter()
                .flat_map(|board| places.iter().map(|place| place.within(*board)))
                .collect(),
        };
        if level == 1 && depth > 1 {
            for (place, board) in boards.iter().enumerate() {
                label(
                    writer,
                    "class=\"tag\"",
                    letter(place),
                    11.0,
                    (board.x - 7.0, board.y - 7.0),
                );
            }
        } else if level == depth.min(2) {
            for (place, square) in boards.iter().enumerate() {
                let attributes = format!("class=\"in\" data-place=\"{place}\"");
                let size = (square.size * 0.42).min(14.0);
                label(
                    writer,
                    &attributes,
                    letter(place % 9),
                    size,
                    square.center(),
                );
            }
        }
    }
}

/// Letters above the columns and numbers to the left of the rows.
fn edge_labels(writer: &mut SvgWriter, cells: &[Square], columns: usize) {
    for (col, square) in cells.iter().take(columns).enumerate() {
        let size = (square.size * 0.4).min(14.0);
        label(
            writer,
            "",
            letter(col),
            size,
            (square.center().0, square.y - 10.0),
        );
    }
    for (row, square) in cells.iter().step_by(columns.max(1)).enumerate() {
        let size = (square.size * 0.4).min(14.0);
        label(
            writer,
            "",
            row + 1,
            size,
            (square.x - 10.0, square.center().1),
        );
    }
}

fn letter(place: usize) -> char {
    char::from(b'a' + place as u8)
}

fn label(
    writer: &mut SvgWriter,
    attributes: &str,
    text: impl std::fmt::Display,
    size: f64,
    (x, y): (f64, f64),
) {
    let (x, y, size) = (Rounded(x), Rounded(y), Rounded(size));
    writer.write(format_args!(
        "<text {attributes} font-size=\"{size}\" x=\"{x}\" y=\"{y}\">{text}</text>"
    ));
}
