//! The players and their records.

use maud::{Markup, html};
use noughts_store::{Name, PersonRecord, Seat, Tally};

use crate::view::layout::Page;
use crate::view::words;

pub(crate) fn players(people: &[(Name, Tally)]) -> Markup {
    let rows = people.iter().map(|(name, tally)| (person(name), *tally));
    let main = html! {
        div.headline { h1 { "Players" } p.soft { "Everybody who has played here, who played last first." } }
        @if people.is_empty() {
            p.empty { "Nobody has played yet. " a href="/" { "Be the first." } }
        } @else {
            div.narrow { (tallies("Player", "All players", rows.collect())) }
        }
    };
    let page = Page {
        name: "players",
        title: "Players",
        about: "Everybody who has played here, and their records.",
        state: None,
        main,
    };
    page.markup()
}

/// All that is told of one person.
pub(crate) fn player(record: &PersonRecord) -> Markup {
    let name = record.name.as_str();
    let by_game = record.by_game.iter().map(|(variant, tally)| {
        let games = format!(
            "/games?player={}&variant={}",
            words::encoded(name),
            words::encoded(&variant.to_string())
        );
        (
            html! { a href=(games) { (words::title(*variant)) } },
            *tally,
        )
    });
    let by_opponent = record.by_opponent.iter().map(|(seat, tally)| {
        let who = match seat {
            Seat::Person(other) => person(other),
            Seat::Bot(bot) => html! { (bot) span.soft { " · computer" } },
            Seat::Guest => html! { span.soft { "guests" } },
            Seat::Deleted => html! { span.soft { "deleted players" } },
        };
        (who, *tally)
    });
    let total = record.total;
    let main = html! {
        div.headline {
            h1 { (name) }
            p.soft { "Here since " time datetime=(record.since.to_string()) { (record.since.local()) } "." }
        }
        div.narrow {
            dl.tally.big {
                @for (word, number) in [("games", total.games()), ("wins", total.wins), ("losses", total.losses), ("ties", total.ties)] {
                    div { dt { (word) } dd { (number) } }
                }
            }
            (bar(total))
            div.buttons { a.button href=(format!("/games?player={}", words::encoded(name))) { "All games of " (name) } }
            @if record.by_game.is_empty() { p.empty { "No finished game counts yet." } }
            @else {
                h2 { "By game" }
                (tallies("Game", "By game", by_game.collect()))
                h2 { "By opponent" }
                (tallies("Opponent", "By opponent", by_opponent.collect()))
            }
        }
    };
    let page = Page {
        name: "players",
        title: name,
        about: &format!("The record of {name}"),
        state: None,
        main,
    };
    page.markup()
}

fn person(name: &Name) -> Markup {
    html! { a href=(format!("/players/{}", words::segment(name.as_str()))) { (name.as_str()) } }
}

/// Wins, ties and losses as a picture of what the numbers say.
fn bar(total: Tally) -> Markup {
    let games = total.games().max(1);
    let width = |part: u64| part * 1000 / games;
    let (wins, ties) = (width(total.wins), width(total.ties));
    html! {
        @if total.games() > 0 {
            svg.record-bar viewBox="0 0 1000 24" preserveAspectRatio="none" aria-hidden="true" {
                rect.losses width="1000" height="24" {}
                rect.ties width=(wins + ties) height="24" {}
                rect.wins width=(wins) height="24" {}
            }
        }
    }
}

fn tallies(what: &str, caption: &str, rows: Vec<(Markup, Tally)>) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label=(caption) {
            table.list {
                thead { tr {
                    th scope="col" { (what) }
                    @for word in ["Games", "Wins", "Losses", "Ties"] { th scope="col" .number { (word) } }
                } }
                tbody {
                    @for (who, tally) in rows {
                        tr {
                            th scope="row" { (who) }
                            @for number in [tally.games(), tally.wins, tally.losses, tally.ties] {
                                td.number { (number) }
                            }
                        }
                    }
                }
            }
        }
    }
}
