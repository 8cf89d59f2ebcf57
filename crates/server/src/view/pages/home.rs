//! The front page: a board to play on right away, and the list of games.

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

/// `own` are the visitor's unfinished games.
pub(crate) fn home(unfinished: &[GameSummary]) -> Markup {
    let snapshot = unsaved_snapshot(AnyGameState::new(Variant::CLASSIC), default_seats());
    let viewer = ViewerRole {
        x: true,
        o: false,
        host: false,
    };
    let main = html! {
        div.headline.home {
            h1 { "Three in a row, and beyond" }
            p.soft { "You're X. Make a move to start." }
        }
        (unfinished_games(unfinished))
        (game_layout(&snapshot, viewer, &ViewOptions::default(), false))
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
        description: "Tic-tac-toe and its family: classic, Tic-Tac-Two, ultimate and deeper. Play right away, \
                against the computer or a friend.",
        initial_state: initial_state(&state),
        content: main,
    };
    page.render()
}

/// Links to unfinished games.
fn unfinished_games(games: &[GameSummary]) -> Markup {
    html! {
        @if !games.is_empty() {
            nav.going-on aria-labelledby="going-on-title" {
                h2 id="going-on-title" { "Unfinished games" }
                ul.chips {
                    @for game in games {
                        li { a.chip href=(format!("/games/{}", game.uid)) {
                            span.thumb { (pictures::thumbnail(game.variant)) }
                            span {
                                (formatting::variant_title(game.variant)) ": " (game.seats[0]) " – " (game.seats[1])
                                span.soft { " · " (noughts_text::plural(game.move_count, "move")) }
                            }
                        } }
                    }
                }
            }
        }
    }
}

/// A card for each variant, with a thumbnail and a summary. `to` is the prefix of their URLs,
/// and `segment` whether the name is a path segment rather than a query parameter.
pub(super) fn game_cards(url_prefix: &str, in_path: bool) -> Markup {
    html! {
        ul.cards {
            @for variant in formatting::preset_variants() {
                @let name = variant.to_string();
                @let name = if in_path { formatting::encode_path_segment(&name) } else { formatting::encode_query(&name) };
                li {
                    a.card.game href=(format!("{url_prefix}{name}")) {
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
