//! Where one is inside a deep board: the way there in words, and a miniature.

use maud::{Markup, html};
use noughts_rules::{NestedBoard, Owner, Place, Player, path_text};

use super::super::pen::{N, Pen, Square, lines_between};
use super::view::{View, follow};

/// From this depth on one can lose one's way.
const DEEP: u32 = 3;

/// The boards around the one that is shown, outermost first, as buttons.
pub(in super::super) fn crumbs(play: &dyn NestedBoard, path: &str) -> Markup {
    if play.depth() < DEEP {
        return html! {};
    }
    let path = View::new(play.depth(), path).path();
    let next = follow(play);
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
pub(in super::super) fn mini(play: &dyn NestedBoard, path: &str) -> Markup {
    if play.depth() < DEEP {
        return html! {};
    }
    let view = View::new(play.depth(), path);
    let whole = Square::new(3.0, 3.0, SIZE - 6.0);
    let mut pen = Pen::default();
    for place in 0..9 {
        let square = whole.ninth(place);
        let d = lines_between((square.x, square.y), square.size / 3.0, (3, 3), 2.0);
        pen.path("line fine", 0.6, &d);
        let owner = play.owner(1, place);
        draw_owner(&mut pen, owner, square);
        if owner == Owner::Nobody {
            for inner in 0..9 {
                draw_owner(
                    &mut pen,
                    play.owner(2, place * 9 + inner),
                    square.ninth(inner),
                );
            }
        }
    }
    let d = lines_between((whole.x, whole.y), whole.size / 3.0, (3, 3), 0.0);
    pen.path("line", 1.6, &d);
    if let Place::Board(target) = play.place() {
        pen.plate("target", at_least(square_of(whole, &target), 5.0), 2.0);
    }
    let shown = at_least(square_of(whole, &view.path()), 9.0);
    pen.plate("shown", shown, 3.0);
    html! {
        svg class="board mini" viewBox={ "0 0 " (N(SIZE)) " " (N(SIZE)) } aria-hidden="true"
            data-side=(play.side().letter()) {
            g class="picture" { (pen.finish()) }
            @for place in 0..9 {
                @let square = whole.ninth(place);
                rect class="jump" data-path=(path_text(place, 1)) x=(N(square.x)) y=(N(square.y))
                    width=(N(square.size)) height=(N(square.size)) {}
            }
        }
    }
}

fn draw_owner(pen: &mut Pen, owner: Owner, at: Square) {
    let (radius, width) = (at.size * 0.28, at.size * 0.11);
    for player in Player::BOTH
        .into_iter()
        .filter(|&player| owner.counts_for(player))
    {
        pen.mark_sized("won", player, at.centre(), radius, width);
    }
}

fn square_of(whole: Square, path: &str) -> Square {
    path.bytes().fold(whole, |square, letter| {
        square.ninth(usize::from(letter.saturating_sub(b'a')))
    })
}

/// Large enough to be seen.
fn at_least(square: Square, size: f64) -> Square {
    square.inset(-((size - square.size) / 2.0).max(0.0))
}
