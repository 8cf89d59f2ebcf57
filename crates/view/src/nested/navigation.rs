//! Navigation inside a deep board: breadcrumbs and a minimap.

use maud::{Markup, html};
use noughts_rules::{MoveArea, NestedBoard, Owner, Side, path_text};

use super::super::svg::{Rounded, Square, SvgWriter, grid_lines};
use super::viewport::{Viewport, follow_path};

/// Boards of this depth and more have navigation.
const MIN_DEPTH: u32 = 3;

/// The boards around the one that is shown, outermost first, as buttons; and a button to the
/// next move's board.
pub(in super::super) fn breadcrumbs(board: &dyn NestedBoard, path: &str) -> Markup {
    if board.depth() < MIN_DEPTH {
        return html! {};
    }
    let path = Viewport::new(board.depth(), path).path();
    let next = follow_path(board);
    html! {
        @for length in 0..=path.len() {
            @let prefix = &path[..length];
            @if length > 0 { span aria-hidden="true" { "›" } }
            button type="button" data-path=(prefix)
                aria-current=[(length == path.len()).then_some("true")] {
                @if length == 0 { "Whole board" } @else { "Board " (prefix) }
            }
        }
        @if !board.is_over() && !path.starts_with(&next) {
            button.next-board-button type="button" data-path=(next) { "Show where to play" }
        }
    }
}

const SIZE: f64 = 96.0;

/// A miniature of the whole board: owners, the next move's board, and the part that is shown.
pub(in super::super) fn minimap(board: &dyn NestedBoard, path: &str) -> Markup {
    if board.depth() < MIN_DEPTH {
        return html! {};
    }
    let view = Viewport::new(board.depth(), path);
    let whole = Square::new(3.0, 3.0, SIZE - 6.0);
    let mut writer = SvgWriter::default();
    for place in 0..9 {
        let square = whole.subsquare(place);
        let d = grid_lines((square.x, square.y), square.size / 3.0, (3, 3), 2.0);
        writer.path("line fine", 0.6, &d);
        let owner = board.owner(1, place);
        draw_owner(&mut writer, owner, square);
        if owner == Owner::Nobody {
            for inner in 0..9 {
                draw_owner(
                    &mut writer,
                    board.owner(2, place * 9 + inner),
                    square.subsquare(inner),
                );
            }
        }
    }
    let d = grid_lines((whole.x, whole.y), whole.size / 3.0, (3, 3), 0.0);
    writer.path("line", 1.6, &d);
    if let MoveArea::Board(target) = board.move_area() {
        writer.rounded_square(
            "target",
            with_min_size(square_of_path(whole, &target), 5.0),
            2.0,
        );
    }
    let shown = with_min_size(square_of_path(whole, &view.path()), 9.0);
    writer.rounded_square("viewport", shown, 3.0);
    html! {
        svg class="board minimap" viewBox={ "0 0 " (Rounded(SIZE)) " " (Rounded(SIZE)) } aria-hidden="true"
            data-side=(board.side().letter()) {
            g class="picture" { (writer.finish()) }
            @for place in 0..9 {
                @let square = whole.subsquare(place);
                rect class="jump" data-path=(path_text(place, 1)) x=(Rounded(square.x)) y=(Rounded(square.y))
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
        writer.mark_sized("won", side, square.center(), radius, width);
    }
}

fn square_of_path(whole: Square, path: &str) -> Square {
    path.bytes().fold(whole, |square, letter| {
        square.subsquare(usize::from(letter.saturating_sub(b'a')))
    })
}

/// The square, enlarged to be at least this size.
fn with_min_size(square: Square, size: f64) -> Square {
    square.inset(-((size - square.size) / 2.0).max(0.0))
}
