//! Inside the dialog at the end of a game: it congratulates or consoles whoever
//! looks, says how it ended, and what one can do next.

use maud::{Markup, html};
use noughts_rules::{Outcome, Side};
use noughts_store::Seat;

use super::render_context::RenderContext;
use crate::live::OfferKind;
use crate::view::{formatting, icons};

/// Comfort for who lost. The game's length picks one, so that they change from game
/// to game and not from look to look.
const COMFORT: [&str; 4] = [
    "A good fight. The review shows where it turned.",
    "So close. The next one may be yours.",
    "Nobody learns from winning: on to the next.",
    "It happens to the best. Another try?",
];

pub(super) fn game_over_dialog(seen: &RenderContext<'_>) -> Markup {
    if seen.is_ongoing() || seen.snapshot.ids.is_none() {
        return html! {};
    }
    let asked = is_asked(seen);
    html! {
        (emblem(seen))
        h2 id="end-title" { (title(seen)) }
        p { (formatting::capitalize(&seen.ending_text())) "." @if let Some(kind) = kind_word(seen) { " " (kind) } }
        (scores(seen))
        @if seen.snapshot.handed_over {
            p.soft { "A side changed hands, so the game counts in nobody's record." }
        } @else if let Some(how) = seen.snapshot.assisted {
            p.soft { "This game isn't rated: " (how.to_string()) "." }
        }
        @if asked && let Some(side) = seen.viewer_side() {
            p { b { (seen.display_name(side.other())) } " would like to play again, with sides changed." }
        }
        div.buttons {
            @match &seen.snapshot.next {
                Some(next) => a.button.primary href=(format!("/games/{next}")) { "To the next game" },
                None if asked => {
                    button.primary type="button" data-do="accept" { "Accept" }
                    button type="button" data-do="decline" { "Decline" }
                },
                None => @if seen.is_player() || seen.viewer.host {
                    button.primary type="button" data-do="again" autofocus { (icons::icon("again")) "Play again" }
                },
            }
            button type="button" data-do="review" { (icons::icon("review")) "Review" }
            @if seen.is_player() || seen.viewer.host {
                a.button href=(players_address(seen)) { (icons::icon("seat")) "Change players" }
            }
            button type="button" data-do="close" { "Close" }
        }
    }
}

/// Does the other one wait for an answer?
fn is_asked(seen: &RenderContext<'_>) -> bool {
    let offer = seen.snapshot.offer;
    let rematch = offer.filter(|offer| offer.kind == OfferKind::Rematch);
    rematch.is_some_and(|offer| seen.viewer_side() == Some(offer.by.other()))
}

fn result(seen: &RenderContext<'_>) -> Option<Outcome> {
    seen.snapshot.over.and_then(|(result, _)| result)
}

fn emblem(seen: &RenderContext<'_>) -> Markup {
    html! {
        div.emblem aria-hidden="true" {
            @match result(seen) {
                Some(Outcome::Win(winner)) => (icons::side_mark(winner)),
                Some(Outcome::Draw) => { (icons::side_mark(Side::X)) (icons::side_mark(Side::O)) }
                None => {}
            }
        }
    }
}

fn title(seen: &RenderContext<'_>) -> String {
    let Some(outcome) = result(seen) else {
        return "The game was left without a result".into();
    };
    let Some(winner) = outcome.winner() else {
        return "A draw".into();
    };
    match seen.viewer_side() {
        Some(side) if side == winner => format!("Congratulations, {}!", seen.display_name(side)),
        Some(side) => format!("Not this time, {}", seen.display_name(side)),
        None if seen.plays_both_sides() && !seen.is_bot(winner) => {
            format!("Congratulations, {}!", seen.display_name(winner))
        }
        None => format!("{} ({winner}) wins", seen.display_name(winner)),
    }
}

/// Praise and comfort are for games that were fought to their end.
fn kind_word(seen: &RenderContext<'_>) -> Option<String> {
    let (outcome, end) = seen.snapshot.over?;
    let side = seen.viewer_side().filter(|_| end.is_by_rules())?;
    let other = seen.display_name(side.other());
    let comfort = COMFORT[formatting::move_count(&seen.snapshot.state) % COMFORT.len()];
    Some(match outcome? {
        Outcome::Win(winner) if winner == side && seen.is_bot(side.other()) => {
            format!("{other} has met its match.")
        }
        Outcome::Win(winner) if winner == side => "Well played.".into(),
        Outcome::Win(_) => comfort.into(),
        Outcome::Draw => format!("Well held: {other} found no way through."),
    })
}

fn scores(seen: &RenderContext<'_>) -> Markup {
    let people = Side::BOTH.into_iter().filter_map(|side| {
        let tally = seen.snapshot.tallies[side as usize]?;
        seen.seat(side).player_name().map(|name| (name, tally))
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
                        td { (tally.wins) } td { (tally.losses) } td { (tally.draws) }
                    }
                }
            }
        }
    }
}

/// The form for a new game, filled in with who played this one.
fn players_address(seen: &RenderContext<'_>) -> String {
    let variant = formatting::encode_query(&seen.snapshot.state.variant().to_string());
    let mut address = format!("/new?variant={variant}");
    for (panel, side) in [("p1", Side::X), ("p2", Side::O)] {
        address += &match seen.seat(side) {
            Seat::Player(name) => {
                format!(
                    "&{panel}-kind=person&{panel}-name={}",
                    formatting::encode_query(name.as_str())
                )
            }
            Seat::Bot(bot) => format!(
                "&{panel}-kind=computer&{panel}-bot={}",
                formatting::encode_query(bot)
            ),
            Seat::Guest => format!("&{panel}-kind=person"),
            Seat::Deleted => String::new(),
        };
    }
    address
}
