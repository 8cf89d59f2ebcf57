//! What can be done in a game now. What does nothing just now is disabled rather
//! than gone, so that nothing jumps.

use maud::{Markup, html};
use noughts_rules::Side;
use noughts_session::Speed;

use super::render_context::RenderContext;
use crate::view::{formatting, icons};

pub(super) fn toolbar(seen: &RenderContext<'_>) -> Markup {
    let (game, on) = (seen.snapshot, seen.is_ongoing());
    let stored = game.ids.is_some();
    let plays = seen.is_player();
    let now = on && !seen.is_viewing_past();
    let mine = seen.viewer.is_to_move(game) || seen.is_analysis_board();
    let rivals = !seen.is_bot(Side::X) && !seen.is_bot(Side::O) && !seen.is_analysis_board();
    let waits = game.invited != [false; 2];
    // Between two people at two places nobody is helped.
    let fair = on && plays && game.is_online;
    let variant = game.state.variant();
    // On a board to try things on, what was made behind this moment is kept.
    let (can_undo, can_redo) = match seen.is_analysis_board() {
        true => (
            formatting::move_count(&seen.shown_state) > 0,
            seen.is_viewing_past(),
        ),
        false => (game.can_undo && !waits, game.can_redo),
    };
    html! {
        @if seen.viewer.host && on && stored {
            (pause(seen))
            (speed("slower", "Slower", game.speed, game.speed.slower(), "-"))
            (speed("faster", "Faster", game.speed, game.speed.faster(), "+"))
        }
        @if (on || seen.is_analysis_board()) && (plays || seen.viewer.host) {
            (tool("undo", "Undo", can_undo, "u"))
            (tool("redo", "Redo", can_redo, "r"))
        }
        @if on && plays && !fair { (tool("hint", "Hint", now && mine && !waits, "t")) }
        @if (on || seen.is_analysis_board()) && !fair { (tool("analyse", "Analyse", true, "a")) }
        @if stored && on && plays {
            @if rivals && !seen.plays_both_sides() {
                (tool("draw", "Offer draw", !waits && game.offer.is_none() && formatting::move_count(&game.state) > 0, ""))
            }
            (tool("resign", "Resign", !waits, "x"))
            (tool("seat", "Hand over", true, "s"))
        }
        // Where two people sit apart, both must want to play again.
        @if stored && on && (plays || seen.viewer.host) && !game.is_online {
            (tool("reset", "Reset", formatting::move_count(&game.state) > 0, ""))
        }
        @if stored && !on {
            @if plays || seen.viewer.host { (tool("again", "Play again", game.offer.is_none(), "")) }
            (tool("review", "Review", formatting::move_count(&game.state) > 0, ""))
        }
        @if !seen.is_analysis_board() {
            a.tool href=(format!("/new?variant={}", formatting::encode_query(&variant.to_string()))) data-do="new" {
                (icons::icon("new")) "New game"
            }
        }
    }
}

fn tool(does: &str, label: &str, can: bool, key: &str) -> Markup {
    html! {
        button.tool type="button" id=(format!("do-{does}")) data-do=(does) disabled[!can]
            aria-keyshortcuts=[(!key.is_empty()).then_some(key)] {
            (icons::icon(does)) (label)
        }
    }
}

fn pause(seen: &RenderContext<'_>) -> Markup {
    let paused = seen.snapshot.paused;
    html! {
        button.tool type="button" id="do-pause" data-do="pause" aria-pressed=(paused) {
            (icons::icon(if paused { "go" } else { "pause" }))
            @if paused { "Go on" } @else { "Pause" }
        }
    }
}

/// From one speed to another; nothing where there is none left.
fn speed(does: &str, label: &str, now: Speed, next: Speed, key: &str) -> Markup {
    html! {
        button.tool type="button" id=(format!("do-{does}")) data-do=(does) data-speed=(next.number())
            disabled[now == next] aria-keyshortcuts=(key) title=(format!("now {}", now.name())) {
            (icons::icon(does)) (label)
        }
    }
}
