//! Drawings of any board, from what a person sees of it.

use std::ops::ControlFlow;

use super::{Drawing, GlyphKind, LAST_MOVE_BRACKETS, LINE_BRACKETS, StrokeWeight, TextCanvas};
use crate::game::Game;
use crate::outcome::Side;
use crate::view::{CellView, Piece, Place, Target};

const HEIGHT: usize = 2;

/// The least room between boards that stand side by side.
const BOARD_GAP: usize = 3;

/// Draws a board; boards on an outer level stand side by side, each with its number.
pub fn draw_view<G: Game>(
    game: &G,
    position: &G::Position,
    last: Option<G::Move>,
    is_ongoing: bool,
) -> Drawing {
    let shape = game.board();
    let level = shape.depth().saturating_sub(1);
    let (columns, rows) = shape.size_at(level).unwrap_or((1, 1));
    let (columns, rows) = (usize::from(columns), usize::from(rows));
    let boards = shape.count_places(level) as usize;
    let cells: Vec<CellView> = (0..shape.count_cells())
        .map(|index| game.cell(position, shape.cell(index)))
        .collect();
    let texts: Vec<String> = cells.iter().map(cell_text).collect();
    let text_width = texts.iter().map(|text| text.chars().count()).max();
    // A cell has room for brackets around its text.
    let width = text_width.unwrap_or(1).max(1) + 3;
    let changed = last.map_or_else(Vec::new, |mv| game.changed_places(position, mv));
    let winning = game.winning_lines(position).concat();
    let legal = legal_cells(game, position, is_ongoing);
    let margin = rows.to_string().len() + 1;
    let board_width = margin + columns * width + 1;
    let top = usize::from(boards > 1) + 1;
    let bottom = top + rows * HEIGHT;
    let mut canvas = TextCanvas::new(boards * (board_width + BOARD_GAP), bottom + 1);
    for board in 0..boards {
        let left = board * (board_width + BOARD_GAP) + margin;
        let place = |col: usize, row: usize| (left + col * width, top + row * HEIGHT);
        for col in 0..=columns {
            canvas.line(place(col, 0), place(col, rows), StrokeWeight::Light);
        }
        for row in 0..=rows {
            canvas.line(place(0, row), place(columns, row), StrokeWeight::Light);
        }
        if boards > 1 {
            let number = (board + 1).to_string();
            canvas.write(left + columns * width / 2, 0, &number, GlyphKind::Label);
        }
        for col in 0..columns {
            let letter = char::from(b'a' + col as u8).to_string();
            canvas.write(
                place(col, 0).0 + width / 2,
                top - 1,
                &letter,
                GlyphKind::Label,
            );
        }
        for row in 0..rows {
            let number = format!("{:>1$}", row + 1, margin - 1);
            canvas.write(
                left - margin,
                place(0, row).1 + 1,
                &number,
                GlyphKind::Label,
            );
        }
        for n in 0..columns * rows {
            let index = board * columns * rows + n;
            let cell = shape.cell(index as u32);
            let (x, y) = place(n % columns, n / columns);
            let text = &texts[index];
            if text.is_empty() {
                if legal.contains(&cell) {
                    canvas.write(x + width / 2, y + 1, "·", GlyphKind::Legal);
                }
                continue;
            }
            let color = cells[index].top().and_then(Piece::color);
            let brackets = match (winning.contains(&cell), changed.contains(&cell)) {
                (true, _) => Some(LINE_BRACKETS),
                (false, true) => Some(LAST_MOVE_BRACKETS),
                (false, false) => None,
            };
            let kind = kind_of(color, brackets.is_some());
            let x = x + (width - text.chars().count()).div_ceil(2);
            match brackets {
                Some([open, close]) => {
                    canvas.write(x - 1, y + 1, &format!("{open}{text}{close}"), kind);
                }
                None => canvas.write(x, y + 1, text, kind),
            }
        }
    }
    let reserves = reserve_lines(game, position);
    let mut drawing = canvas.finish();
    if !reserves.is_empty() {
        drawing = drawing.stack_above(Drawing::from_lines(&reserves));
    }
    drawing
}

fn kind_of(color: Option<Side>, highlighted: bool) -> GlyphKind {
    match (color, highlighted) {
        (Some(side), true) => GlyphKind::HighlightedMark(side),
        (Some(side), false) => GlyphKind::Mark(side),
        (None, _) => GlyphKind::Label,
    }
}

/// What is written on a cell: the mark on top, with the first letter of its size where pieces cover each other and
/// in lower case if it is about to vanish.
fn cell_text(cell: &CellView) -> String {
    let Some(piece) = cell.top() else {
        return String::new();
    };
    let mark = piece.mark.to_string();
    match (piece.size, piece.is_fading) {
        (Some(size), _) => format!("{}{mark}", &size.name()[..1]),
        (None, true) => mark.to_lowercase(),
        (None, false) => mark,
    }
}

/// The empty cells that a move can touch.
fn legal_cells<G: Game>(game: &G, position: &G::Position, is_ongoing: bool) -> Vec<Place> {
    let mut cells = Vec::new();
    if is_ongoing {
        let _ = game.visit_moves::<()>(position, |mv| {
            for place in game.shown_targets(position, mv) {
                if !cells.contains(&place) {
                    cells.push(place);
                }
            }
            ControlFlow::Continue(())
        });
    }
    cells
}

/// A line for each side that has pieces next to the board.
fn reserve_lines<G: Game>(game: &G, position: &G::Position) -> Vec<String> {
    let pieces = game.pieces();
    let lines = Side::BOTH.into_iter().filter_map(|side| {
        let reserve = game.reserve(position, side);
        let texts = reserve.iter().filter_map(|&(kind, count)| {
            let piece = pieces.get(usize::from(kind))?;
            let name = match (piece.size, piece.mark.to_string()) {
                (Some(size), _) => size.name().to_owned(),
                (None, mark) => mark,
            };
            Some(match count {
                1 => name,
                count => format!("{count}× {name}"),
            })
        });
        let texts: Vec<String> = texts.collect();
        (!texts.is_empty()).then(|| format!("{side} has {}", texts.join(", ")))
    });
    lines.collect()
}

impl Target {
    /// The place, if it is one.
    #[must_use]
    pub fn place(self) -> Option<Place> {
        match self {
            Target::Place(place) => Some(place),
            Target::Piece(_) | Target::Frame => None,
        }
    }
}
