//! The sentence below the board: what happened, where that sends, what is expected.

use maud::{Markup, html};
use noughts_rules::{AnyPlay, Outcome, Place, Player, Variant};

use super::seen::Seen;
use crate::view::words;

pub(super) fn say(seen: &Seen<'_>) -> Markup {
    html! {
        p {
            @if seen.is_study() { (study(seen)) }
            @else if seen.looks_back() { (back(seen)) }
            @else if seen.game.over.is_some() { (ended(seen)) }
            @else if seen.game.invited != [false; 2] { (waiting(seen)) }
            @else { (sent(seen)) (expected(seen)) }
        }
        @if seen.game.over.is_none() && let Some(how) = seen.game.assisted {
            p.soft { "This game isn't rated: " (how.to_string()) "." }
        }
    }
}

/// Nobody plays here: the rules' own words.
fn study(seen: &Seen<'_>) -> Markup {
    html! { (words::upper(&seen.play.prompt())) "." }
}

fn back(seen: &Seen<'_>) -> Markup {
    let (ply, all) = (words::made(&seen.play), words::made(&seen.game.play));
    match (last(&seen.play), seen.play.last_move()) {
        (Some(side), Some(mv)) => html! {
            "Move " (ply) " of " (all) ": " b { (seen.name(side)) } " (" (side) ") played " b { (mv) } "."
        },
        _ => html! { "The start, before the first of " (words::counted(all, "move")) "." },
    }
}

fn ended(seen: &Seen<'_>) -> Markup {
    let how = seen.how();
    let last = played(seen).filter(|_| seen.game.over.is_some_and(|(_, end)| end.is_by_rules()));
    html! {
        @if let Some((_, played)) = last { (played) ". " }
        (result(seen, &how))
    }
}

fn result(seen: &Seen<'_>, how: &str) -> Markup {
    match seen.game.over {
        Some((Some(Outcome::Win(winner)), _)) => html! {
            b { (seen.name(winner)) } " (" (winner) ") wins: " (how) "."
        },
        Some((Some(Outcome::Draw), _)) => html! { b { "A draw" } ": " (how) "." },
        _ => html! { b { "No result" } ": " (how) "." },
    }
}

fn waiting(seen: &Seen<'_>) -> Markup {
    match seen.plays() {
        true => html! {
            "Waiting for your friend. The game begins when somebody has opened the link."
        },
        false => html! { "The game begins when the invited player has come." },
    }
}

/// Who has played what.
fn played(seen: &Seen<'_>) -> Option<(Player, Markup)> {
    let (by, mv) = last(&seen.play).zip(seen.play.last_move())?;
    Some((by, html! { b { (seen.who(by)) } " played " b { (mv) } }))
}

/// The last move, and what that of a nested game means for the next one.
fn sent(seen: &Seen<'_>) -> Markup {
    let Some((by, played)) = played(seen) else {
        return html! {};
    };
    let Variant::Nested(options) = seen.play.variant() else {
        return html! { (played) ". " };
    };
    let side = seen.play.side();
    let next = html! { b { (seen.who(side)) } };
    match place(&seen.play) {
        Some((Place::Board(path), extra)) => html! {
            (played) ": "
            @if by == side {
                (next) @if extra { " moves again and" } " is sent to board " b { (path) } ". "
            } @else {
                (next) " is sent to board " b { (path) } ". "
            }
        },
        Some((
            Place::Free {
                target,
                why,
                inside,
            },
            _,
        )) => html! {
            (played) ". Board " b { (target) } " is " (why) " (" (words::rule_5(options)) "): "
            (next) " plays "
            @if inside.is_empty() { "anywhere else. " } @else { "elsewhere in board " b { (inside) } ". " }
        },
        _ => html! { (played) ". " },
    }
}

fn expected(seen: &Seen<'_>) -> Markup {
    let side = seen.play.side();
    let task = seen.play.task();
    // Where the sentence before it says all that there is to do.
    let told = matches!(
        place(&seen.play),
        Some((Place::Board(_) | Place::Free { .. }, _))
    );
    let name = html! { b { (seen.who(side)) } };
    if seen.is_bot(side) {
        return match seen.game.paused && seen.is_watched() {
            true => html! { "Paused before the move of " (name) "." },
            false if seen.game.thinking => html! { (name) " is thinking…" },
            false => html! { (name) " is to move." },
        };
    }
    if !seen.you.is(side) {
        let away = seen.game.apart && !seen.game.connected[side as usize];
        return html! {
            (name) " is to move" @if away { ", but is away just now" } "."
        };
    }
    match (seen.alone(), told) {
        (true, true) => html! {},
        (true, false) => html! { (name) " (" (side) "): " (task) "." },
        (false, true) => html! { "Your move." },
        (false, false) => html! { "Your move: " (task) "." },
    }
}

/// Who made the last move.
fn last(play: &AnyPlay) -> Option<Player> {
    play.sides().pop()
}

/// Where the next move of a nested game may go, and whether it is an extra one.
fn place(play: &AnyPlay) -> Option<(Place, bool)> {
    let nested = play.nested().filter(|play| play.depth() > 1)?;
    Some((nested.place(), nested.is_extra()))
}
