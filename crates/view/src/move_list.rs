//! The move list: each move is a button that shows the position after it.

use std::time::Duration;

use maud::{Markup, html};
use noughts_rules::AnyGameState;

use super::icons;

/// The list is part of every update, so its length is limited. Other moves are reached by
/// stepping back.
const MAX_LISTED: usize = 200;

/// The moves of a game, of which `shown_ply` are on the board, and how long each took.
#[must_use]
pub fn move_list(state: &AnyGameState, shown_ply: usize, times: &[Duration]) -> Markup {
    let (moves, sides) = (state.moves(), state.move_sides());
    let total = moves.len();
    if total == 0 {
        return html! { p.muted { "No moves yet" } };
    }
    // Centered on the position that is shown.
    let first = shown_ply
        .saturating_sub(MAX_LISTED / 2)
        .min(total.saturating_sub(MAX_LISTED));
    let listed = moves
        .iter()
        .zip(sides)
        .enumerate()
        .skip(first)
        .take(MAX_LISTED);
    html! {
        (scrub_buttons(shown_ply, total))
        @if first > 0 { p.muted { "Earlier moves aren't shown. Step back to see them." } }
        // The styles show the end of the box first, without a script.
        div.move-box { ol.move-list start=(first + 1) {
            @for (i, (mv, side)) in listed {
                @let ply = i + 1;
                @let class = format!("move {}", side.letter());
                @let duration = times.get(i).map(|duration| format!("{:.1} s", duration.as_secs_f64()));
                li {
                    button type="button" class=(class) id=(format!("ply-{ply}")) data-ply=(ply)
                        title=[duration] aria-label=(format!("move {ply}, {side}, {mv}"))
                        aria-current=[(ply == shown_ply).then_some("step")] {
                        (icons::side_mark(side)) (mv)
                    }
                }
            }
        } }
    }
}

/// The buttons for the first, previous, next and last position.
fn scrub_buttons(shown_ply: usize, total: usize) -> Markup {
    let buttons = [
        ("first", "Go to start", 0, shown_ply > 0),
        (
            "previous",
            "Previous move",
            shown_ply.saturating_sub(1),
            shown_ply > 0,
        ),
        ("next", "Next move", shown_ply + 1, shown_ply < total),
        ("last", "Go to last move", total, shown_ply < total),
    ];
    html! {
        div.scrub role="group" aria-label="Browse moves" {
            @for (icon, label, ply, is_enabled) in buttons {
                button type="button" id=(format!("scrub-{icon}")) data-ply=(ply) aria-label=(label)
                    title=(label) disabled[!is_enabled] { (icons::icon(icon)) }
            }
        }
    }
}
