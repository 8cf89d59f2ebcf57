//! What can be done in a game now. What does nothing just now is disabled rather
//! than gone, so that nothing jumps.

use maud::{Markup, html};
use noughts_rules::Player;
use noughts_session::Speed;

use super::seen::Seen;
use crate::view::{icons, words};

pub(super) fn tools(seen: &Seen<'_>) -> Markup {
    let (game, on) = (seen.game, seen.goes_on());
    let stored = game.game.is_some();
    let plays = seen.plays();
    let now = on && !seen.looks_back();
    let mine = seen.you.to_move(game) || seen.is_study();
    let rivals = !seen.is_bot(Player::X) && !seen.is_bot(Player::O) && !seen.is_study();
    let waits = game.invited != [false; 2];
    // Between two people at two places nobody is helped.
    let fair = on && plays && game.apart;
    let variant = game.play.variant();
    // On a board to try things on, what was made behind this moment is kept.
    let (can_undo, can_redo) = match seen.is_study() {
        true => (words::made(&seen.play) > 0, seen.looks_back()),
        false => (game.can_undo && !waits, game.can_redo),
    };
    html! {
        @if seen.you.host && on && stored {
            (pause(seen))
            (speed("slower", "Slower", game.speed, game.speed.slower(), "-"))
            (speed("faster", "Faster", game.speed, game.speed.faster(), "+"))
        }
        @if (on || seen.is_study()) && (plays || seen.you.host) {
            (tool("undo", "Undo", can_undo, "u"))
            (tool("redo", "Redo", can_redo, "r"))
        }
        @if on && plays && !fair { (tool("hint", "Hint", now && mine && !waits, "t")) }
        @if (on || seen.is_study()) && !fair { (tool("analyse", "Analyse", true, "a")) }
        @if stored && on && plays {
            @if rivals && !seen.alone() {
                (tool("draw", "Offer draw", !waits && game.offer.is_none() && words::made(&game.play) > 0, ""))
            }
            (tool("resign", "Resign", !waits, "x"))
            (tool("seat", "Hand over", true, "s"))
        }
        // Where two people sit apart, both must want to play again.
        @if stored && on && (plays || seen.you.host) && !game.apart {
            (tool("reset", "Reset", words::made(&game.play) > 0, ""))
        }
        @if stored && !on {
            @if plays || seen.you.host { (tool("again", "Play again", game.offer.is_none(), "")) }
            (tool("review", "Review", words::made(&game.play) > 0, ""))
        }
        @if !seen.is_study() {
            a.tool href=(format!("/new?variant={}", words::encoded(&variant.to_string()))) data-do="new" {
                (icons::sign("new")) "New game"
            }
        }
    }
}

fn tool(does: &str, label: &str, can: bool, key: &str) -> Markup {
    html! {
        button.tool type="button" id=(format!("do-{does}")) data-do=(does) disabled[!can]
            aria-keyshortcuts=[(!key.is_empty()).then_some(key)] {
            (icons::sign(does)) (label)
        }
    }
}

fn pause(seen: &Seen<'_>) -> Markup {
    let paused = seen.game.paused;
    html! {
        button.tool type="button" id="do-pause" data-do="pause" aria-pressed=(paused) {
            (icons::sign(if paused { "go" } else { "pause" }))
            @if paused { "Go on" } @else { "Pause" }
        }
    }
}

/// From one speed to another; nothing where there is none left.
fn speed(does: &str, label: &str, now: Speed, next: Speed, key: &str) -> Markup {
    html! {
        button.tool type="button" id=(format!("do-{does}")) data-do=(does) data-speed=(next.number())
            disabled[now == next] aria-keyshortcuts=(key) title=(format!("now {}", now.name())) {
            (icons::sign(does)) (label)
        }
    }
}
