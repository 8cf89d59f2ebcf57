//! The moves, each a button that shows the game as it was then.

use maud::{Markup, html};

use super::render_context::RenderContext;
use crate::view::{formatting, icons};

/// In a list that comes with every state: more are reached by stepping back.
const LISTED: usize = 200;

pub(super) fn move_list(seen: &RenderContext<'_>) -> Markup {
    let play = &seen.snapshot.state;
    let (moves, sides) = (play.moves(), play.move_sides());
    let (at, all) = (formatting::move_count(&seen.shown_state), moves.len());
    if all == 0 {
        return html! { p.soft { "No move yet." } };
    }
    // Around where one looks.
    let first = at
        .saturating_sub(LISTED / 2)
        .min(all.saturating_sub(LISTED));
    let listed = moves.iter().zip(sides).enumerate().skip(first).take(LISTED);
    html! {
        (scrub(at, all))
        @if first > 0 { p.soft { "The first " (first) " moves are left out here." } }
        // The box shows its end first, without a script.
        div.move-box { ol.move-list start=(first + 1) {
            @for (i, (mv, side)) in listed {
                @let ply = i + 1;
                @let class = format!("move {}", side.letter());
                @let took = seen.snapshot.move_times.get(i).map(|took| format!("{:.1} s", took.as_secs_f64()));
                li {
                    button type="button" class=(class) id=(format!("ply-{ply}")) data-ply=(ply)
                        title=[took] aria-label=(format!("move {ply}, {side}, {mv}"))
                        aria-current=[(ply == at).then_some("step")] {
                        (icons::side_mark(side)) (mv)
                    }
                }
            }
        } }
    }
}

/// First, back, forward, last.
fn scrub(at: usize, all: usize) -> Markup {
    let steps = [
        ("first", "The start", 0, at > 0),
        ("previous", "One move back", at.saturating_sub(1), at > 0),
        ("next", "One move on", at + 1, at < all),
        ("last", "The last move", all, at < all),
    ];
    html! {
        div.scrub role="group" aria-label="Look back" {
            @for (sign, label, ply, can) in steps {
                button type="button" id=(format!("scrub-{sign}")) data-ply=(ply) aria-label=(label)
                    title=(label) disabled[!can] { (icons::icon(sign)) }
            }
        }
    }
}
