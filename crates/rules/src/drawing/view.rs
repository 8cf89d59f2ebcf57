//! Drawings of any board, from what a person sees of it.

use super::{Drawing, GlyphKind, LAST_MOVE_BRACKETS, LINE_BRACKETS, StrokeWeight, TextCanvas};
use crate::game::Game;
use crate::notation::column_name;
use crate::outcome::Side;
use crate::view::{BoardLook, BoardShape, CellView, Frame, Owner, Piece, Place};

/// From the middle of a row of cells to that of the next.
const ROW_HEIGHT: usize = 2;
/// The least room between boards that stand side by side.
const BOARD_GAP: usize = 3;

/// Draws a board. Boards in boards have headings with their names and owners; pieces next to the board and stacks of
/// pieces are listed below it.
pub fn draw_view<G: Game>(
    game: &G,
    position: &G::Position,
    last: Option<G::Move>,
    is_ongoing: bool,
) -> Drawing {
    let mut legal = Vec::new();
    if is_ongoing {
        game.for_each_move(position, |mv| {
            legal.extend(game.shown_targets(position, mv));
        });
    }
    legal.sort_unstable();
    legal.dedup();
    let shape = game.board();
    let scene = Scene {
        content: &|place| game.cell(position, place),
        name: &|place| game.place_name(place),
        legal,
        changed: last.map_or_else(Vec::new, |mv| game.changed_places(position, mv)),
        winning: game.winning_lines(position).concat(),
        frame: game.frame(position),
        pieces: game.pieces(),
        reserves: Side::BOTH.map(|side| game.reserve(position, side)),
        shape,
    };
    scene.draw()
}

/// What there is to draw.
struct Scene<'a> {
    shape: BoardShape,
    /// What is in a place.
    content: &'a dyn Fn(Place) -> CellView,
    /// The name of a place.
    name: &'a dyn Fn(Place) -> String,
    /// The cells where moves can go, sorted.
    legal: Vec<Place>,
    /// The cells that the last move changed.
    changed: Vec<Place>,
    /// The cells or boards of the lines that decided the game.
    winning: Vec<Place>,
    frame: Option<Frame>,
    pieces: Vec<Piece>,
    reserves: [Vec<(u8, u32)>; 2],
}

impl Scene<'_> {
    fn draw(&self) -> Drawing {
        let layout = Layout::new(self);
        let (width, height) = layout.block_size(0);
        let mut canvas = TextCanvas::new(width, height);
        let is_legal = |board| {
            let mut legal = self.legal.iter();
            legal.any(|&cell| self.shape.is_inside(cell, board))
        };
        let focus = self.shape.focus(is_legal);
        for board in self.places(layout.last) {
            let is_focus = focus != Place::BOARD && self.shape.is_inside(board, focus);
            self.draw_board(&mut canvas, &layout, board, is_focus);
        }
        if let BoardLook::Points(links) = &self.shape.look {
            self.draw_links(&mut canvas, &layout, links);
        }
        if let Some(frame) = self.frame {
            let [first, last] = [frame.first, frame.last].map(|cell| layout.cell(cell));
            let corners = [(first.0, first.1 - 1), (last.0 + layout.width, last.1 + 1)];
            canvas.frame(corners[0], corners[1], StrokeWeight::Heavy);
        }
        for board in (1..=layout.last).flat_map(|level| self.places(level)) {
            self.draw_heading(&mut canvas, &layout, board);
        }
        for cell in self.places(self.shape.depth()) {
            self.draw_cell(&mut canvas, &layout, cell);
        }
        let (drawing, notes) = (canvas.finish(), self.notes(&layout));
        match notes.is_empty() {
            true => drawing,
            false => drawing.stack_above(Drawing::from_lines(&notes)),
        }
    }

    fn places(&self, level: u8) -> impl Iterator<Item = Place> + use<> {
        (0..self.shape.count_places(level)).map(move |index| Place::new(level, index))
    }

    /// What is written on a cell: the mark on top, with the first letter of its size where pieces cover each other and in
    /// lower case if it is about to vanish. On an empty cell where a move can go, a dot, or its name if that can't be
    /// read from labels.
    fn cell_text(&self, cell: Place, content: &CellView, has_coordinates: bool) -> String {
        match content.top() {
            Some(piece) => {
                let mark = piece.mark.to_string();
                match (piece.size, piece.is_fading) {
                    (Some(size), _) => format!("{}{mark}", &size.name()[..1]),
                    (None, true) => mark.to_lowercase(),
                    (None, false) => mark,
                }
            }
            None if self.legal.binary_search(&cell).is_err() => String::new(),
            None if has_coordinates => "·".into(),
            None => {
                let board = self.shape.parent(cell).map_or_else(String::new, self.name);
                let name = (self.name)(cell);
                name.strip_prefix(&board).unwrap_or(&name).to_owned()
            }
        }
    }

    /// The lines of a board of cells, and its labels.
    fn draw_board(
        &self,
        canvas: &mut TextCanvas,
        layout: &Layout<'_>,
        board: Place,
        is_focus: bool,
    ) {
        let (x, y) = layout.first_cell(board);
        let line = |col: usize, row: usize| {
            let above = y + row * ROW_HEIGHT - layout.padding;
            (x + col * layout.width, above)
        };
        let (columns, rows) = (layout.columns, layout.rows);
        if !matches!(self.shape.look, BoardLook::Points(_)) {
            for col in 0..=columns {
                canvas.line(line(col, 0), line(col, rows), StrokeWeight::Light);
            }
            for row in 0..=rows {
                canvas.line(line(0, row), line(columns, row), StrokeWeight::Light);
            }
        }
        if is_focus {
            canvas.frame(line(0, 0), line(columns, rows), StrokeWeight::Heavy);
        }
        if layout.margin == 0 {
            return;
        }
        for col in 0..columns {
            let letter = column_name(col as u8);
            let x = x + col * layout.width + (layout.width - letter.len()).div_ceil(2);
            canvas.write(x, y - layout.padding - 1, &letter, GlyphKind::Label);
        }
        for row in 0..rows {
            let number = format!("{:>1$}", row + 1, layout.margin - 1);
            let y = y + row * ROW_HEIGHT;
            canvas.write(x - layout.margin, y, &number, GlyphKind::Label);
        }
    }

    /// The lines that join points.
    fn draw_links(&self, canvas: &mut TextCanvas, layout: &Layout<'_>, links: &[(u32, u32)]) {
        let cells = links
            .iter()
            .map(|&(one, other)| [one, other].map(|index| self.shape.cell(index)))
            .filter(|cells| cells.iter().all(|&cell| self.shape.contains(cell)));
        let points = cells.map(|cells| cells.map(|cell| layout.middle(cell)));
        let (straight, diagonal): (Vec<_>, Vec<_>) =
            points.partition(|[from, to]| from.0 == to.0 || from.1 == to.1);
        for [from, to] in straight {
            canvas.line(from.min(to), from.max(to), StrokeWeight::Light);
        }
        for &[from, to] in &diagonal {
            canvas.diagonal(from, to);
        }
        for (x, y) in diagonal.concat() {
            canvas.write_behind(x, y, '+');
        }
    }

    /// The name of a board and who owns it, above it.
    fn draw_heading(&self, canvas: &mut TextCanvas, layout: &Layout<'_>, board: Place) {
        let heading = self.heading(board);
        let kind = match (self.content)(board).owner {
            Owner::One(side) => kind_of(Some(side), self.winning.contains(&board)),
            Owner::Nobody | Owner::Both => GlyphKind::Label,
        };
        let (x, y) = layout.corner(board);
        let (width, _) = layout.block_size(board.level);
        let margin = if board.level == layout.last {
            layout.margin
        } else {
            0
        };
        let middle = (width - margin).saturating_sub(heading.chars().count()) / 2;
        canvas.write(x + margin + middle, y, &heading, kind);
    }

    fn heading(&self, board: Place) -> String {
        let (name, content) = ((self.name)(board), (self.content)(board));
        let heading = match content.owner {
            Owner::One(side) => format!("{name} won by {side}"),
            Owner::Both => format!("{name} won by both"),
            Owner::Nobody if content.is_dead => format!("{name} closed"),
            Owner::Nobody => name,
        };
        match self.winning.contains(&board) {
            true => bracketed(LINE_BRACKETS, &heading),
            false => heading,
        }
    }

    fn draw_cell(&self, canvas: &mut TextCanvas, layout: &Layout<'_>, cell: Place) {
        let (x, y) = layout.cell(cell);
        let (content, text) = &layout.cells[cell.index as usize];
        let x = x + (layout.width - text.chars().count()).div_ceil(2);
        let Some(top) = content.top() else {
            canvas.write(x, y, text, GlyphKind::Legal);
            return;
        };
        let brackets = match (self.winning.contains(&cell), self.changed.contains(&cell)) {
            (true, _) => Some(LINE_BRACKETS),
            (false, true) => Some(LAST_MOVE_BRACKETS),
            (false, false) => None,
        };
        let kind = kind_of(top.color(), brackets.is_some());
        match brackets {
            Some(brackets) => canvas.write(x - 1, y, &bracketed(brackets, text), kind),
            None => canvas.write(x, y, text, kind),
        }
    }

    /// The pieces that aren't visible on the board: those next to it, and those below others.
    fn notes(&self, layout: &Layout<'_>) -> Vec<String> {
        let mut notes = Vec::new();
        for (side, reserve) in Side::BOTH.iter().zip(&self.reserves) {
            let reserve = reserve.iter().filter(|(_, count)| *count > 0);
            let pieces = reserve.filter_map(|&(kind, count)| {
                let kind = self.pieces.get(usize::from(kind))?;
                Some(kind.counted(count))
            });
            let pieces: Vec<String> = pieces.collect();
            if !pieces.is_empty() {
                notes.push(format!("{side} has in reserve: {}", pieces.join(", ")));
            }
        }
        for (index, (content, _)) in (0..).zip(&layout.cells) {
            if content.pieces.len() > 1 {
                let pieces: Vec<String> = content.pieces.iter().map(ToString::to_string).collect();
                let cell = (self.name)(self.shape.cell(index));
                notes.push(format!("On {cell}: {}", pieces.join(" over ")));
            }
        }
        notes
    }
}

/// Where things are. A board of cells is drawn below its heading and the letters of its columns, to the right of the numbers
/// of its rows; boards of boards are blocks in columns and rows.
struct Layout<'a> {
    shape: &'a BoardShape,
    /// What is on each cell, and what is written on it.
    cells: Vec<(CellView, String)>,
    /// The level of boards of cells, and their columns and rows.
    last: u8,
    columns: usize,
    rows: usize,
    /// From one cell to the next. A cell has room for brackets around its text.
    width: usize,
    /// The columns for the numbers of rows; 0 if cells aren't named by column and row.
    margin: usize,
    /// The rows above the first and below the last row of cells.
    padding: usize,
    /// The longest heading of a board.
    heading: usize,
}

impl<'a> Layout<'a> {
    fn new(scene: &'a Scene<'_>) -> Layout<'a> {
        let shape = &scene.shape;
        let last = shape.depth().saturating_sub(1);
        let (columns, rows) = shape.size_at(last).unwrap_or((1, 1));
        let has_coordinates = shape.has_coordinates(scene.name);
        let cells = scene.places(shape.depth()).map(|cell| {
            let content = (scene.content)(cell);
            let text = scene.cell_text(cell, &content, has_coordinates);
            (content, text)
        });
        let cells: Vec<(CellView, String)> = cells.collect();
        let longest = cells.iter().map(|(_, text)| text.chars().count()).max();
        let headings = (1..=last).flat_map(|level| scene.places(level));
        let headings = headings.map(|board| scene.heading(board).chars().count());
        // Around points there are only lines if the whole board has a frame.
        let is_bare = matches!(shape.look, BoardLook::Points(_)) && last == 0;
        Layout {
            last,
            columns: columns.into(),
            rows: rows.into(),
            width: longest.unwrap_or(1).max(1) + 3,
            margin: if has_coordinates {
                rows.to_string().len() + 1
            } else {
                0
            },
            padding: usize::from(!is_bare || scene.frame.is_some()),
            heading: headings.max().unwrap_or(0),
            cells,
            shape,
        }
    }

    /// The rows of a board's heading and of its columns' letters.
    fn rows_above(&self, level: u8) -> usize {
        let has_letters = level == self.last && self.margin > 0;
        usize::from(level > 0) + usize::from(has_letters)
    }

    /// The room between the parts of a board.
    fn gap(&self, level: u8) -> (usize, usize) {
        let inner = usize::from(self.last - level);
        (BOARD_GAP * inner, inner)
    }

    /// Columns and rows that a board takes, with everything that belongs to it.
    fn block_size(&self, level: u8) -> (usize, usize) {
        let (width, height) = if level >= self.last {
            let cells = self.rows.saturating_sub(1) * ROW_HEIGHT + 1;
            let width = self.columns * self.width + 1;
            (
                self.margin + width.max(self.heading),
                cells + 2 * self.padding,
            )
        } else {
            let (columns, rows) = self.shape.size_at(level).unwrap_or((1, 1));
            let (columns, rows) = (usize::from(columns), usize::from(rows));
            let (part, gap) = (self.block_size(level + 1), self.gap(level));
            let width = columns * (part.0 + gap.0) - gap.0.min(columns * gap.0);
            let height = rows * (part.1 + gap.1) - gap.1.min(rows * gap.1);
            (width.max(self.heading), height)
        };
        (width, height + self.rows_above(level))
    }

    /// The top left corner of a board.
    fn corner(&self, board: Place) -> (usize, usize) {
        let Some(parent) = self.shape.parent(board) else {
            return (0, 0);
        };
        let (x, y) = self.corner(parent);
        let (column, row) = self.shape.column_row(board);
        let (size, gap) = (self.block_size(board.level), self.gap(parent.level));
        let x = x + usize::from(column) * (size.0 + gap.0);
        let y = y + self.rows_above(parent.level) + usize::from(row) * (size.1 + gap.1);
        (x, y)
    }

    /// The left edge and the middle row of a board's first cell.
    fn first_cell(&self, board: Place) -> (usize, usize) {
        let (x, y) = self.corner(board);
        let y = y + self.rows_above(board.level) + self.padding;
        (x + self.margin, y)
    }

    /// The left edge and the middle row of a cell.
    fn cell(&self, cell: Place) -> (usize, usize) {
        let (x, y) = self.first_cell(self.shape.ancestor(cell, self.last));
        let (column, row) = self.shape.column_row(cell);
        let x = x + usize::from(column) * self.width;
        (x, y + usize::from(row) * ROW_HEIGHT)
    }

    fn middle(&self, cell: Place) -> (usize, usize) {
        let (x, y) = self.cell(cell);
        (x + self.width / 2, y)
    }
}

fn bracketed([open, close]: [char; 2], text: &str) -> String {
    format!("{open}{text}{close}")
}

fn kind_of(color: Option<Side>, highlighted: bool) -> GlyphKind {
    match (color, highlighted) {
        (Some(side), true) => GlyphKind::HighlightedMark(side),
        (Some(side), false) => GlyphKind::Mark(side),
        (None, _) => GlyphKind::Label,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::Mark;

    /// The drawing of an empty board after a change to what there is to draw.
    fn drawn(shape: BoardShape, change: impl FnOnce(&mut Scene<'_>)) -> String {
        let cells = shape.clone();
        let mut scene = Scene {
            shape,
            content: &|_| CellView::default(),
            name: &|place| cells.place_name(place),
            legal: Vec::new(),
            changed: Vec::new(),
            winning: Vec::new(),
            frame: None,
            pieces: Vec::new(),
            reserves: Default::default(),
        };
        change(&mut scene);
        format!("\n{}", scene.draw())
    }

    fn mark(side: Side) -> CellView {
        CellView::with_piece(Some(Piece::of(side)))
    }

    /// Guards against boards that all stand in one row, whatever the rows around them, and without their owners.
    #[test]
    fn boards_stand_in_columns_and_rows_with_their_owners() {
        let drawing = drawn(BoardShape::new(&[(2, 2), (2, 1)]), |scene| {
            scene.content = &|place| match (place.level, place.index) {
                (1, 1) => CellView {
                    owner: Owner::One(Side::X),
                    ..CellView::default()
                },
                (1, 2) => CellView {
                    is_dead: true,
                    ..CellView::default()
                },
                (2, 0) => mark(Side::O),
                _ => CellView::default(),
            };
            scene.winning = vec![Place::new(1, 1)];
            scene.legal = vec![scene.shape.cell(6), scene.shape.cell(7)];
        });
        let expected = r"
       1           [2 won by X]
    a   b            a   b
  ┌───┬───┐        ┌───┬───┐
1 │ O │   │      1 │   │   │
  └───┴───┘        └───┴───┘

    3 closed            4
    a   b            a   b
  ┌───┬───┐        ┏━━━┯━━━┓
1 │   │   │      1 ┃ · │ · ┃
  └───┴───┘        ┗━━━┷━━━┛
";
        assert_eq!(drawing, expected, "{drawing}");
    }

    #[test]
    fn boards_of_boards_have_names() {
        let drawing = drawn(BoardShape::new(&[(2, 1), (2, 1), (1, 1)]), |scene| {
            scene.changed = vec![scene.shape.cell(3)];
            scene.content = &|place| match place {
                Place { level: 3, index: 3 } => mark(Side::X),
                _ => CellView::default(),
            };
        });
        let expected = r"
        1                      2
    1         2            3         4
    a         a            a         a
  ┌───┐     ┌───┐        ┌───┐     ┌───┐
1 │   │   1 │   │      1 │   │   1 │(X)│
  └───┘     └───┘        └───┘     └───┘
";
        assert_eq!(drawing, expected, "{drawing}");
    }

    /// Guards against a frame that isn't drawn because the game draws nothing itself.
    #[test]
    fn a_frame_is_heavy() {
        let drawing = drawn(BoardShape::new(&[(3, 2)]), |scene| {
            let [first, center, last] = [1, 1, 5].map(|index| scene.shape.cell(index));
            scene.frame = Some(Frame {
                name: "window",
                center,
                first,
                last,
            });
        });
        let expected = r"
    a   b   c
  ┌───┲━━━┯━━━┓
1 │   ┃   │   ┃
  ├───╂───┼───┨
2 │   ┃   │   ┃
  └───┺━━━┷━━━┛
";
        assert_eq!(drawing, expected, "{drawing}");
    }

    /// Guards against points drawn as squares, whose lines between points can't be seen.
    #[test]
    fn points_are_joined_by_their_lines() {
        // Two squares, one inside the other, with diagonals of the inner one.
        let outer = [(0, 4), (4, 24), (20, 24), (0, 20)];
        let inner = [(6, 8), (8, 18), (16, 18), (6, 16)];
        let across = [(2, 7), (17, 22), (10, 11), (13, 14)];
        let diagonal = [(6, 12), (8, 12), (12, 16), (12, 18)];
        let links = [outer, inner, across, diagonal].concat();
        let look = BoardLook::Points(links);
        let drawing = drawn(BoardShape::new(&[(5, 5)]).with_look(look), |scene| {
            scene.content = &|place| match (place.level, place.index) {
                (1, 0 | 8) => mark(Side::X),
                (1, 24) => mark(Side::O),
                _ => CellView::default(),
            };
            scene.legal = vec![scene.shape.cell(6), scene.shape.cell(22)];
            scene.changed = vec![scene.shape.cell(24)];
        });
        let expected = r"
    a   b   c   d   e
1   X───────┬───────┐
    │       │       │
2   │   ·───┴───X   │
    │   │ ╲   ╱ │   │
3   ├───┤   +   ├───┤
    │   │ ╱   ╲ │   │
4   │   └───┬───┘   │
    │       │       │
5   └───────·──────(O)
";
        assert_eq!(drawing, expected, "{drawing}");
    }

    /// Guards against column letters after z that are other characters.
    #[test]
    fn columns_after_z_have_two_letters() {
        let drawing = drawn(BoardShape::new(&[(28, 1)]), |_| {});
        let letters = drawing.lines().nth(1).unwrap_or_default();
        assert!(letters.ends_with("   y   z  aa  ab"), "{drawing}");
    }

    #[test]
    fn cells_with_other_names_show_them() {
        let drawing = drawn(BoardShape::new(&[(2, 1)]), |scene| {
            scene.name = &|place| match (place.level, place.index) {
                (1, 0) => "north".into(),
                (1, _) => "south".into(),
                _ => String::new(),
            };
            scene.content = &|place| match (place.level, place.index) {
                (1, 0) => mark(Side::X),
                _ => CellView::default(),
            };
            scene.legal = vec![scene.shape.cell(1)];
        });
        let expected = r"
┌───────┬───────┐
│   X   │ south │
└───────┴───────┘
";
        assert_eq!(drawing, expected, "{drawing}");
    }

    #[test]
    fn pieces_that_cannot_be_seen_on_the_board_are_listed() {
        let drawing = drawn(BoardShape::new(&[(1, 1)]), |scene| {
            let number = |number| Piece {
                owner: Some(Side::O),
                ..Piece::mark(Mark::Number(number))
            };
            scene.pieces = vec![Piece::of(Side::X), number(2), number(4)];
            scene.reserves = [vec![(0, 3)], vec![(1, 1), (2, 1)]];
            scene.content = &|place| CellView {
                pieces: Side::BOTH
                    .map(Piece::of)
                    .into_iter()
                    .take(2 * usize::from(place.level))
                    .collect(),
                ..CellView::default()
            };
        });
        let expected = r"
    a
  ┌───┐
1 │ X │
  └───┘

X has in reserve: 3 pieces
O has in reserve: 2, 4
On a1: X over O
";
        assert_eq!(drawing, expected, "{drawing}");
    }
}
