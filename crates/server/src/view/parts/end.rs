//! Inside the dialog at the end of a game: it congratulates or consoles whoever
//! looks, says how it ended, and what one can do next.

use maud::{Markup, html};
use noughts_rules::{Outcome, Player};
use noughts_store::Seat;

use super::seen::Seen;
use crate::live::OfferKind;
use crate::view::{icons, words};

/// Comfort for who lost. The game's length picks one, so that they change from game
/// to game and not from look to look.
const COMFORT: [&str; 4] = [
    "A good fight. The review shows where it turned.",
    "So close. The next one may be yours.",
    "Nobody learns from winning: on to the next.",
    "It happens to the best. Another try?",
];

pub(super) fn end(seen: &Seen<'_>) -> Markup {
    if seen.goes_on() || seen.game.game.is_none() {
        return html! {};
    }
    let asked = is_asked(seen);
    html! {
        (emblem(seen))
        h2 id="end-title" { (title(seen)) }
        p { (words::upper(&seen.how())) "." @if let Some(kind) = kind_word(seen) { " " (kind) } }
        (scores(seen))
        @if seen.game.handed {
            p.soft { "A side changed hands, so the game counts in nobody's record." }
        } @else if let Some(how) = seen.game.assisted {
            p.soft { "This game isn't rated: " (how.to_string()) "." }
        }
        @if asked && let Some(side) = seen.side() {
            p { b { (seen.name(side.other())) } " would like to play again, with sides changed." }
        }
        div.buttons {
            @match &seen.game.next {
                Some(next) => a.button.primary href=(format!("/games/{next}")) { "To the next game" },
                None if asked => {
                    button.primary type="button" data-do="accept" { "Accept" }
                    button type="button" data-do="decline" { "Decline" }
                },
                None => @if seen.plays() || seen.you.host {
                    button.primary type="button" data-do="again" autofocus { (icons::sign("again")) "Play again" }
                },
            }
            button type="button" data-do="review" { (icons::sign("review")) "Review" }
            @if seen.plays() || seen.you.host {
                a.button href=(players_address(seen)) { (icons::sign("seat")) "Change players" }
            }
            button type="button" data-do="close" { "Close" }
        }
    }
}

/// Does the other one wait for an answer?
fn is_asked(seen: &Seen<'_>) -> bool {
    let offer = seen.game.offer;
    let rematch = offer.filter(|offer| offer.kind == OfferKind::Rematch);
    rematch.is_some_and(|offer| seen.side() == Some(offer.by.other()))
}

fn result(seen: &Seen<'_>) -> Option<Outcome> {
    seen.game.over.and_then(|(result, _)| result)
}

fn emblem(seen: &Seen<'_>) -> Markup {
    html! {
        div.emblem aria-hidden="true" {
            @match result(seen) {
                Some(Outcome::Win(winner)) => (icons::mark(winner)),
                Some(Outcome::Draw) => { (icons::mark(Player::X)) (icons::mark(Player::O)) }
                None => {}
            }
        }
    }
}

fn title(seen: &Seen<'_>) -> String {
    let Some(outcome) = result(seen) else {
        return "The game was left without a result".into();
    };
    let Some(winner) = outcome.winner() else {
        return "A draw".into();
    };
    match seen.side() {
        Some(side) if side == winner => format!("Congratulations, {}!", seen.name(side)),
        Some(side) => format!("Not this time, {}", seen.name(side)),
        None if seen.alone() && !seen.is_bot(winner) => {
            format!("Congratulations, {}!", seen.name(winner))
        }
        None => format!("{} ({winner}) wins", seen.name(winner)),
    }
}

/// Praise and comfort are for games that were fought to their end.
fn kind_word(seen: &Seen<'_>) -> Option<String> {
    let (outcome, end) = seen.game.over?;
    let side = seen.side().filter(|_| end.is_by_rules())?;
    let other = seen.name(side.other());
    let comfort = COMFORT[words::made(&seen.game.play) % COMFORT.len()];
    Some(match outcome? {
        Outcome::Win(winner) if winner == side && seen.is_bot(side.other()) => {
            format!("{other} has met its match.")
        }
        Outcome::Win(winner) if winner == side => "Well played.".into(),
        Outcome::Win(_) => comfort.into(),
        Outcome::Draw => format!("Well held: {other} found no way through."),
    })
}

fn scores(seen: &Seen<'_>) -> Markup {
    let people = Player::BOTH.into_iter().filter_map(|side| {
        let tally = seen.game.tallies[side as usize]?;
        seen.seat(side).person().map(|name| (name, tally))
    });
    let people: Vec<_> = people.collect();
    if people.is_empty() {
        return html! {};
    }
    html! {
        table.scores {
            caption.unseen { "Records" }
            thead { tr { th scope="col" { "Player" } th scope="col" { "Wins" } th scope="col" { "Losses" } th scope="col" { "Ties" } } }
            tbody {
                @for (name, tally) in people {
                    tr {
                        th scope="row" { (name.as_str()) }
                        td { (tally.wins) } td { (tally.losses) } td { (tally.ties) }
                    }
                }
            }
        }
    }
}

/// The form for a new game, filled in with who played this one.
fn players_address(seen: &Seen<'_>) -> String {
    let variant = words::encoded(&seen.game.play.variant().to_string());
    let mut address = format!("/new?variant={variant}");
    for (panel, side) in [("p1", Player::X), ("p2", Player::O)] {
        address += &match seen.seat(side) {
            Seat::Person(name) => {
                format!(
                    "&{panel}-kind=person&{panel}-name={}",
                    words::encoded(name.as_str())
                )
            }
            Seat::Bot(bot) => format!("&{panel}-kind=computer&{panel}-bot={}", words::encoded(bot)),
            Seat::Guest => format!("&{panel}-kind=person"),
            Seat::Deleted => String::new(),
        };
    }
    address
}
