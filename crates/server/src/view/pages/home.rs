//! The front page: a board to play on at once, and the games to choose from.

use maud::{Markup, html};
use noughts_engine::Tables;
use noughts_pictures as pictures;
use noughts_rules::{AnyPlay, Variant};
use noughts_session::titles;
use noughts_store::Listed;
use serde_json::json;

use super::dialogs;
use super::game::{state_of, table};
use crate::live::You;
use crate::view::layout::Page;
use crate::view::parts::{first_seats, unborn};
use crate::view::{Look, words};

/// `own` are the visitor's games that go on.
pub(crate) fn home(own: &[Listed]) -> Markup {
    let snapshot = unborn(AnyPlay::new(Variant::CLASSIC), first_seats());
    let you = You {
        x: true,
        o: false,
        host: false,
    };
    let main = html! {
        div.headline.home {
            h1 { "Three in a row, and beyond" }
            p.soft { "Begin at once: you are X." }
        }
        (going_on(own))
        (table(&snapshot, you, &Look::default(), false))
        section.choose aria-labelledby="choose-title" {
            h2 id="choose-title" { "Choose a game" }
            (cards("/new?variant=", false))
        }
        (dialogs::dialogs(Variant::CLASSIC, &Tables::default()))
    };
    let state = json!({"unborn": {
        "variant": "classic",
        "x": {"kind": "person", "name": null},
        "o": {"kind": "bot", "bot": "medium"},
    }});
    let page = Page {
        name: "home",
        title: "Play",
        about: "Tic-tac-toe and its family: classic, Tic-Tac-Two, ultimate and deeper. Play at once, \
                against the computer or a friend.",
        state: state_of(&state),
        main,
    };
    page.markup()
}

/// The way back to games that are not finished.
fn going_on(games: &[Listed]) -> Markup {
    html! {
        @if !games.is_empty() {
            nav.going-on aria-labelledby="going-on-title" {
                h2 id="going-on-title" { "Go on playing" }
                ul.chips {
                    @for game in games {
                        li { a.chip href=(format!("/games/{}", game.uid)) {
                            span.thumb { (pictures::thumbnail(game.variant)) }
                            span {
                                (words::title(game.variant)) ": " (game.seats[0]) " – " (game.seats[1])
                                span.soft { " · " (words::counted(game.moves, "move")) }
                            }
                        } }
                    }
                }
            }
        }
    }
}

/// The games with a small board and a sentence each. `to` is what their addresses
/// begin with, and `segment` whether the name stands in the path.
pub(super) fn cards(to: &str, segment: bool) -> Markup {
    html! {
        ul.cards {
            @for variant in words::offered() {
                @let name = variant.to_string();
                @let name = if segment { words::segment(&name) } else { words::encoded(&name) };
                li {
                    a.card.game href=(format!("{to}{name}")) {
                        span.thumb { (pictures::thumbnail(variant)) }
                        span.text {
                            span.name { (words::title(variant)) }
                            span.soft { (titles::sentence(variant)) }
                        }
                    }
                }
            }
        }
    }
}
