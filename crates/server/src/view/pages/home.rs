//! The front page: a board to play on at once, and the games to choose from.

use maud::{Markup, html};
use noughts_engine::Tablebases;
use noughts_pictures as pictures;
use noughts_rules::{AnyGameState, Variant};
use noughts_session::titles;
use noughts_store::GameSummary;
use serde_json::json;

use super::dialogs;
use super::game::{game_layout, initial_state};
use crate::live::ViewerRole;
use crate::view::layout::Page;
use crate::view::parts::{default_seats, unsaved_snapshot};
use crate::view::{ViewOptions, formatting};

/// `own` are the visitor's games that go on.
pub(crate) fn home(own: &[GameSummary]) -> Markup {
    let snapshot = unsaved_snapshot(AnyGameState::new(Variant::CLASSIC), default_seats());
    let you = ViewerRole {
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
        (game_layout(&snapshot, you, &ViewOptions::default(), false))
        section.choose aria-labelledby="choose-title" {
            h2 id="choose-title" { "Choose a game" }
            (game_cards("/new?variant=", false))
        }
        (dialogs::static_dialogs(Variant::CLASSIC, &Tablebases::default()))
    };
    let state = json!({"unborn": {
        "variant": "classic",
        "x": {"kind": "person", "name": null},
        "o": {"kind": "bot", "bot": "medium"},
    }});
    let page = Page {
        name: "home",
        title: "Play",
        description: "Tic-tac-toe and its family: classic, Tic-Tac-Two, ultimate and deeper. Play at once, \
                against the computer or a friend.",
        initial_state: initial_state(&state),
        content: main,
    };
    page.render()
}

/// The way back to games that are not finished.
fn going_on(games: &[GameSummary]) -> Markup {
    html! {
        @if !games.is_empty() {
            nav.going-on aria-labelledby="going-on-title" {
                h2 id="going-on-title" { "Go on playing" }
                ul.chips {
                    @for game in games {
                        li { a.chip href=(format!("/games/{}", game.uid)) {
                            span.thumb { (pictures::thumbnail(game.variant)) }
                            span {
                                (formatting::variant_title(game.variant)) ": " (game.seats[0]) " – " (game.seats[1])
                                span.soft { " · " (formatting::pluralize(game.move_count, "move")) }
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
pub(super) fn game_cards(to: &str, segment: bool) -> Markup {
    html! {
        ul.cards {
            @for variant in formatting::preset_variants() {
                @let name = variant.to_string();
                @let name = if segment { formatting::encode_path_segment(&name) } else { formatting::encode_query(&name) };
                li {
                    a.card.game href=(format!("{to}{name}")) {
                        span.thumb { (pictures::thumbnail(variant)) }
                        span.text {
                            span.name { (formatting::variant_title(variant)) }
                            span.soft { (titles::summary(variant)) }
                        }
                    }
                }
            }
        }
    }
}
