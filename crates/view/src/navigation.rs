//! Navigation inside a deep board: paths, breadcrumbs and a minimap.

use maud::{Markup, html};
use noughts_rules::{AnyGameState, BoardShape, BoardView, Owner, Place, Side};

use super::layout::Grid;
use super::svg::{Rounded, Square, SvgWriter};

/// Boards with this many levels and more can be zoomed.
const MIN_DEPTH: u8 = 3;

/// Is only a part of the board shown at a time?
pub(super) fn is_zoomable(shape: &BoardShape) -> bool {
    shape.depth() >= MIN_DEPTH
}

/// The path of a place: for each level, its index in the board around it. The whole board has an empty path.
///
/// ```
/// use noughts_rules::BoardShape;
/// use noughts_view::{board_at, path_of};
/// let shape = BoardShape::new(&[(12, 1), (3, 3), (2, 2)]);
/// let board = board_at(&shape, "11.8");
/// assert_eq!(path_of(&shape, board), "11.8");
/// assert_eq!(path_of(&shape, shape.cell_at(board.index, 1, 0)), "11.8.1");
/// ```
#[must_use]
pub fn path_of(shape: &BoardShape, place: Place) -> String {
    let indices = (1..=place.level).map(|level| {
        let index = shape.ancestor(place, level).index;
        (index % shape.parts_at(level - 1).max(1)).to_string()
    });
    indices.collect::<Vec<_>>().join(".")
}

/// The board at a path, as far as there is one; for a cell, the board around it.
#[must_use]
pub fn board_at(shape: &BoardShape, path: &str) -> Place {
    let mut board = Place::BOARD;
    for index in path.split('.') {
        let index = index.parse().ok();
        match index.and_then(|index| shape.parts(board).nth(index)) {
            Some(part) if part.level < shape.depth() => board = part,
            _ => break,
        }
    }
    board
}

/// The board to show for the next move: deep enough to show cells if it must go to one board. After the end, where
/// the game was decided.
pub(super) fn followed_board(view: &dyn BoardView) -> Place {
    let shape = view.shape();
    let board = match (view.is_over(), view.last_places().last()) {
        (false, _) => view.focus(),
        (true, Some(&cell)) if view.winning_lines().is_empty() => cell,
        (true, _) => Place::BOARD,
    };
    shape.ancestor(board, shape.depth().saturating_sub(2))
}

/// The boards around the one that is shown, as buttons; and a button to the next move's board. Empty unless the board
/// is nested at least three levels deep.
#[must_use]
pub fn breadcrumbs(state: &AnyGameState, path: &str) -> Markup {
    let view = state.view();
    let shape = view.shape();
    if !is_zoomable(&shape) {
        return html! {};
    }
    let (shown, next) = (board_at(&shape, path), followed_board(view));
    html! {
        @for level in 0..=shown.level {
            @let board = shape.ancestor(shown, level);
            @if level > 0 { span aria-hidden="true" { "›" } }
            button type="button" data-path=(path_of(&shape, board)) aria-current=[(level == shown.level).then_some("true")] {
                @if level == 0 { "Whole board" } @else { "Board " (view.place_name(board)) }
            }
        }
        @if !view.is_over() && !shape.is_inside(shown, next) {
            button.next-board-button type="button" data-path=(path_of(&shape, next)) { "Show where to play" }
        }
    }
}

const SIZE: f64 = 96.0;

/// A miniature of the whole board that highlights the part that is shown: owners, and the next move's board. Empty
/// for the same boards as [`breadcrumbs`].
#[must_use]
pub fn minimap(state: &AnyGameState, path: &str) -> Markup {
    let view = state.view();
    let shape = view.shape();
    if !is_zoomable(&shape) {
        return html! {};
    }
    let shown = board_at(&shape, path);
    let whole = Square::new(3.0, 3.0, SIZE - 6.0);
    let size_at = |level| shape.size_at(level).unwrap_or((1, 1));
    let outer = Grid::fit(size_at(0), whole);
    let mut writer = SvgWriter::default();
    for (part, board) in (0..).zip(shape.parts(Place::BOARD)) {
        let square = outer.square(part);
        let inner = Grid::fit(size_at(1), square);
        writer.path("line fine", 0.6, &inner.lines(2.0));
        let owner = view.cell(board).owner;
        draw_owner(&mut writer, owner, square);
        if owner == Owner::Nobody {
            for (n, child) in (0..).zip(shape.parts(board)) {
                draw_owner(&mut writer, view.cell(child).owner, inner.square(n));
            }
        }
    }
    writer.path("line", 1.6, &outer.lines(0.0));
    let square = |place: Place| {
        (1..=place.level).fold(whole, |square, level| {
            let part = shape.ancestor(place, level).index % shape.parts_at(level - 1).max(1);
            Grid::fit(size_at(level - 1), square).square(part)
        })
    };
    let focus = view.focus();
    if !view.is_over() && focus.level + 1 == shape.depth() {
        writer.rounded_square("target", with_min_size(square(focus), 5.0), 2.0);
    }
    writer.rounded_square("viewport", with_min_size(square(shown), 9.0), 3.0);
    html! {
        svg class="board minimap" viewBox={ "0 0 " (Rounded(SIZE)) " " (Rounded(SIZE)) } aria-hidden="true"
            data-side=(state.side().letter()) {
            g class="picture" { (writer.finish()) }
            @for board in shape.parts(Place::BOARD) {
                @let square = square(board);
                rect class="jump" data-path=(path_of(&shape, board)) x=(Rounded(square.x)) y=(Rounded(square.y))
                    width=(Rounded(square.size)) height=(Rounded(square.size)) {}
            }
        }
    }
}

fn draw_owner(writer: &mut SvgWriter, owner: Owner, square: Square) {
    let (radius, width) = (square.size * 0.28, square.size * 0.11);
    for side in Side::BOTH
        .into_iter()
        .filter(|&side| owner.counts_for(side))
    {
        writer.mark("won", side, square.center(), radius, width);
    }
}

/// The square, enlarged to be at least this size.
fn with_min_size(square: Square, size: f64) -> Square {
    square.inset(-((size - square.size) / 2.0).max(0.0))
}
