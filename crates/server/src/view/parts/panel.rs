//! A player's panel: mark, name, record or honest sentence, pieces in hand.

use maud::{Markup, html};
use noughts_engine::BotKind;
use noughts_rules::{AnyPlay, Player};
use noughts_store::Seat;

use super::seen::Seen;
use crate::view::icons;

pub(super) fn panel(seen: &Seen<'_>, side: Player) -> Markup {
    let waits = seen.looks_back() || seen.game.invited != [false; 2];
    let turn = seen.goes_on() && seen.play.side() == side && !waits;
    let won = seen.loser() == Some(side.other());
    let mut class = format!("panel {}", side.letter());
    for (word, _) in [(" turn", turn), (" won", won)]
        .iter()
        .filter(|(_, is)| *is)
    {
        class += word;
    }
    html! {
        div class=(class) {
            div.who {
                (icons::mark(side))
                div {
                    h2 { (seen.name(side)) }
                    p.note { (note(seen, side)) }
                }
            }
            @if turn { p.turn-word { (turn_word(seen, side)) } }
            @if won { p.turn-word { "Winner" } }
            (standing(seen, side))
            (hand(seen, side))
        }
    }
}

/// Who it is to the visitor.
fn note(seen: &Seen<'_>, side: Player) -> String {
    let here = seen.game.connected[side as usize];
    let letter = side.to_string();
    match seen.seat(side) {
        _ if seen.is_invited(side) => format!("{letter} · invited by a link"),
        Seat::Deleted => format!("{letter} · not here any more"),
        Seat::Bot(_) => format!("{letter} · computer"),
        Seat::Person(_) | Seat::Guest if seen.side() == Some(side) => format!("{letter} · you"),
        Seat::Person(_) | Seat::Guest if seen.you.is(side) || !seen.game.apart => letter,
        Seat::Person(_) | Seat::Guest if here => format!("{letter} · connected"),
        Seat::Person(_) | Seat::Guest => format!("{letter} · away"),
    }
}

fn turn_word(seen: &Seen<'_>, side: Player) -> &'static str {
    if seen.is_bot(side) && seen.game.thinking {
        "Thinking…"
    } else if seen.side() == Some(side) {
        "Your turn"
    } else {
        "To move"
    }
}

/// A person's record, a computer's sentence.
fn standing(seen: &Seen<'_>, side: Player) -> Markup {
    match seen.seat(side) {
        Seat::Bot(name) => {
            let kind: Option<BotKind> = name.parse().ok();
            let variant = seen.game.play.variant();
            html! {
                @if let Some(kind) = kind { p.honest { (kind.sentence(Some(variant))) } }
            }
        }
        Seat::Person(_) if !seen.is_invited(side) && !seen.is_study() => {
            let tally = seen.game.tallies[side as usize].unwrap_or_default();
            let row = [
                ("wins", tally.wins),
                ("losses", tally.losses),
                ("ties", tally.ties),
            ];
            html! {
                dl.tally {
                    @for (word, number) in row { div { dt { (word) } dd { (number) } } }
                }
            }
        }
        Seat::Person(_) | Seat::Guest | Seat::Deleted => html! {},
    }
}

/// Tic-Tac-Two: the pieces that are not on the board yet.
fn hand(seen: &Seen<'_>, side: Player) -> Markup {
    let AnyPlay::TicTacTwo(play) = seen.play.as_ref() else {
        return html! {};
    };
    let many = play.game().in_hand(play.position(), side);
    let label = match many {
        1 => "1 piece in hand".to_owned(),
        _ => format!("{many} pieces in hand"),
    };
    html! {
        p.hand data-side=(side.letter()) {
            span.unseen { (label) }
            @for _ in 0..many { (icons::mark(side)) }
            @if many == 0 { span aria-hidden="true" { "no piece in hand" } }
        }
    }
}
