//! The front page: a board to play on right away, and the list of games.

use maud::{Markup, html};
use noughts_engine::Tablebases;
use noughts_rules::{AnyGameState, Variant, games};
use noughts_store::GameSummary;
use serde_json::json;

use super::dialogs;
use super::game::game_layout;
use crate::live::{GameSnapshot, Viewer};
use crate::view::layout::{Page, script_json};
use crate::view::parts::default_seats;
use crate::view::{choices, formatting};

/// `unfinished` are the visitor's unfinished games.
pub(crate) fn home(unfinished: &[GameSummary]) -> Markup {
    let variant = Variant::default();
    let snapshot = GameSnapshot::unsaved(AnyGameState::new(variant), default_seats());
    let viewer = Viewer {
        x: true,
        ..Viewer::default()
    };
    let main = html! {
        div.headline.home {
            h1 { "Three in a row, and beyond" }
            p.muted { "You're X. Make a move to start." }
        }
        (unfinished_games(unfinished))
        (game_layout(&snapshot, &viewer, false))
        section.game-picker aria-labelledby="game-picker-title" {
            h2 id="game-picker-title" { "Choose a game" }
            (game_cards(formatting::new_game_url))
        }
        (dialogs::static_dialogs(variant, &Tablebases::default()))
    };
    let state = json!({
        "new_game": {
            "variant": variant.to_string(),
            "x": {"kind": "human", "name": null},
            "o": {"kind": "bot", "name": "medium"},
        },
        "choices": choices(&snapshot.state),
    });
    Page::new(
        "home",
        "Play",
        "Tic-tac-toe and its family. Play right away, against the computer or a friend.",
    )
    .with_state(script_json(&state))
    .render(&main)
}

/// Links to unfinished games.
fn unfinished_games(games: &[GameSummary]) -> Markup {
    html! {
        @if !games.is_empty() {
            nav.unfinished-games aria-labelledby="unfinished-games-title" {
                h2 id="unfinished-games-title" { "Unfinished games" }
                ul.chips {
                    @for game in games {
                        li { a.chip href=(format!("/games/{}", game.uid)) {
                            span.thumbnail { (noughts_view::thumbnail(game.variant)) }
                            span {
                                (game.variant.title()) ": " (noughts_session::display_name(&game.seats[0])) " – " (noughts_session::display_name(&game.seats[1]))
                                span.muted { " · " (noughts_text::plural(game.move_count, "move")) }
                            }
                        } }
                    }
                }
            }
        }
    }
}

/// A card for each game, with a thumbnail and a summary of its first preset, and links to the others.
pub(super) fn game_cards(url: fn(Variant) -> String) -> Markup {
    let presets = games::presets();
    html! {
        ul.cards {
            @for presets in presets.chunk_by(|(one, _), (other, _)| one.info().name == other.info().name) {
                @if let [(first, _), others @ ..] = presets {
                    li.game-group {
                        (game_card(*first, &url(*first)))
                        @if !others.is_empty() {
                            ul.chips aria-label=(format!("More like {}", first.title())) {
                                @for (variant, _) in others {
                                    li { a.chip href=(url(*variant)) title=(variant.summary()) { (variant.title()) } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn game_card(variant: Variant, url: &str) -> Markup {
    html! {
        a.card.game href=(url) {
            span.thumbnail { (noughts_view::thumbnail(variant)) }
            span.text {
                span.name { (variant.title()) }
                span.muted { (variant.summary()) }
            }
        }
    }
}
