//! Where one is inside a deep board: the way there in words, and a miniature.

use maud::{Markup, html};
use noughts_rules::{MoveArea, NestedBoard, Owner, Side, path_text};

use super::super::svg::{Rounded, Square, SvgWriter, grid_lines};
use super::viewport::{Viewport, follow_path};

/// From this depth on one can lose one's way.
const DEEP: u32 = 3;

/// The boards around the one that is shown, outermost first, as buttons.
pub(in super::super) fn breadcrumbs(play: &dyn NestedBoard, path: &str) -> Markup {
    if play.depth() < DEEP {
        return html! {};
    }
    let path = Viewport::new(play.depth(), path).path();
    let next = follow_path(play);
    html! {
        @for letters in 0..=path.len() {
            @let here = &path[..letters];
            @if letters > 0 { span aria-hidden="true" { "›" } }
            button type="button" data-path=(here)
                aria-current=[(letters == path.len()).then_some("true")] {
                @if letters == 0 { "Whole board" } @else { "Board " (here) }
            }
        }
        @if !play.is_over() && !path.starts_with(&next) {
            button.next-place type="button" data-path=(next) { "Where to play" }
        }
    }
}

const SIZE: f64 = 96.0;

/// The whole board, small: who owns what, where the next move goes, what is shown.
pub(in super::super) fn minimap(play: &dyn NestedBoard, path: &str) -> Markup {
    if play.depth() < DEEP {
        return html! {};
    }
    let view = Viewport::new(play.depth(), path);
    let whole = Square::new(3.0, 3.0, SIZE - 6.0);
    let mut pen = SvgWriter::default();
    for place in 0..9 {
        let square = whole.subsquare(place);
        let d = grid_lines((square.x, square.y), square.size / 3.0, (3, 3), 2.0);
        pen.path("line fine", 0.6, &d);
        let owner = play.owner(1, place);
        draw_owner(&mut pen, owner, square);
        if owner == Owner::Nobody {
            for inner in 0..9 {
                draw_owner(
                    &mut pen,
                    play.owner(2, place * 9 + inner),
                    square.subsquare(inner),
                );
            }
        }
    }
    let d = grid_lines((whole.x, whole.y), whole.size / 3.0, (3, 3), 0.0);
    pen.path("line", 1.6, &d);
    if let MoveArea::Board(target) = play.move_area() {
        pen.rounded_square("target", at_least(square_of(whole, &target), 5.0), 2.0);
    }
    let shown = at_least(square_of(whole, &view.path()), 9.0);
    pen.rounded_square("shown", shown, 3.0);
    html! {
        svg class="board mini" viewBox={ "0 0 " (Rounded(SIZE)) " " (Rounded(SIZE)) } aria-hidden="true"
            data-side=(play.side().letter()) {
            g class="picture" { (pen.finish()) }
            @for place in 0..9 {
                @let square = whole.subsquare(place);
                rect class="jump" data-path=(path_text(place, 1)) x=(Rounded(square.x)) y=(Rounded(square.y))
                    width=(Rounded(square.size)) height=(Rounded(square.size)) {}
            }
        }
    }
}

fn draw_owner(pen: &mut SvgWriter, owner: Owner, at: Square) {
    let (radius, width) = (at.size * 0.28, at.size * 0.11);
    for player in Side::BOTH
        .into_iter()
        .filter(|&player| owner.counts_for(player))
    {
        pen.mark_sized("won", player, at.center(), radius, width);
    }
}

fn square_of(whole: Square, path: &str) -> Square {
    path.bytes().fold(whole, |square, letter| {
        square.subsquare(usize::from(letter.saturating_sub(b'a')))
    })
}

/// Large enough to be seen.
fn at_least(square: Square, size: f64) -> Square {
    square.inset(-((size - square.size) / 2.0).max(0.0))
}
