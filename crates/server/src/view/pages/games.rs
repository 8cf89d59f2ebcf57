//! The list of games, with filters and pagination.

use maud::{Markup, html};
use noughts_rules::{Outcome, Side};
use noughts_store::{GameSummary, Seat};
use noughts_view::icons;
use serde::Deserialize;

use crate::view::formatting;
use crate::view::layout::Page;

/// The filters of the list, as they were typed.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct GameListFilter {
    pub(crate) player: String,
    pub(crate) opponent: String,
    pub(crate) variant: String,
    pub(crate) open: String,
    /// Only games older than this one.
    pub(crate) before: Option<i64>,
}

/// A page of games.
#[derive(Default)]
pub(crate) struct GameList {
    pub(crate) games: Vec<GameSummary>,
    pub(crate) filter: GameListFilter,
    /// The URL of the next page, if there are older games.
    pub(crate) older_url: Option<String>,
    /// Why a filter is invalid.
    pub(crate) error: Option<String>,
}

impl GameListFilter {
    /// The filters as a query string, without `before`.
    pub(crate) fn to_query(&self) -> String {
        let filters = [
            ("player", &self.player),
            ("opponent", &self.opponent),
            ("variant", &self.variant),
            ("open", &self.open),
        ];
        let filters = filters.map(|(name, value)| (name, value.trim()));
        let filters = filters.into_iter().filter(|(_, value)| !value.is_empty());
        let pairs: Vec<String> = filters
            .map(|(name, value)| format!("{name}={}", formatting::encode_query(value)))
            .collect();
        pairs.join("&")
    }
}

pub(crate) fn games(list: &GameList) -> Markup {
    let query = list.filter.to_query();
    let has_newer = list.filter.before.is_some();
    let main = html! {
        div.headline { h1 { "Games" } p.muted { "All games played here, newest first." } }
        (filter_form(list))
        @if list.games.is_empty() {
            p.empty {
                @if query.is_empty() && !has_newer { "No games yet. " a href="/" { "Start a game." } }
                @else { "No games match these filters. " a href="/games" { "Show all games." } }
            }
        } @else {
            (game_table(&list.games))
        }
        nav.pagination aria-label="Pagination" {
            @if has_newer { a.button href={ "/games" @if !query.is_empty() { "?" (query) } } { "Newest games" } }
            @if let Some(older) = &list.older_url { a.button href=(older) { "Older games" } }
            @if !list.games.is_empty() {
                a.button href=(format!("/api/v1/games/export?{query}")) download { "Download as text" }
            }
        }
    };
    Page::new("games", "Games", "Games played here.").render(&main)
}

fn filter_form(list: &GameList) -> Markup {
    let filter = &list.filter;
    html! {
        form.filters method="get" action="/games" role="search" aria-label="Filter games" {
            div.field {
                label for="player" { "Player" }
                input type="search" id="player" name="player" value=(filter.player) maxlength="40" spellcheck="false";
            }
            div.field {
                label for="opponent" { "Opponent" }
                input type="search" id="opponent" name="opponent" value=(filter.opponent) maxlength="40" spellcheck="false" placeholder="Player or computer";
            }
            div.field {
                label for="variant" { "Game" }
                input type="search" id="variant" name="variant" value=(filter.variant) maxlength="80" spellcheck="false" list="variants" placeholder="All";
                (variant_datalist("variants"))
            }
            div.field {
                label for="open" { "Status" }
                select id="open" name="open" {
                    @for (value, word) in [("", "All"), ("true", "Unfinished"), ("false", "Finished")] {
                        option value=(value) selected[filter.open == value] { (word) }
                    }
                }
            }
            button.primary type="submit" { "Filter" }
            @if let Some(error) = &list.error { p.form-error role="alert" { (formatting::sentence_markup(error)) } }
        }
    }
}

/// Suggestions for a field that takes the name of a variant.
pub(super) fn variant_datalist(id: &str) -> Markup {
    html! {
        datalist id=(id) { @for variant in formatting::preset_variants() { option value=(variant.to_string()) {} } }
    }
}

fn game_table(games: &[GameSummary]) -> Markup {
    html! {
        div.table-scroll tabindex="0" role="region" aria-label="Games" {
            table.list {
                thead { tr {
                    th scope="col" { "Game" } th scope="col" { "X" } th scope="col" { "O" }
                    th scope="col" { "Result" } th scope="col" .number { "Moves" } th scope="col" { "Started" }
                } }
                tbody {
                    @for game in games {
                        tr {
                            th scope="row" { a href=(format!("/games/{}", game.uid)) { (game.variant.title()) } }
                            @for side in Side::BOTH { (seat_cell(game, side)) }
                            td { (result_text(game)) }
                            td.number { (game.move_count) }
                            td.muted { time datetime=(game.started.to_string()) { (game.started.to_local_string()) } }
                        }
                    }
                }
            }
        }
    }
}

fn seat_cell(game: &GameSummary, side: Side) -> Markup {
    let won = game.result == Some(Outcome::Win(side));
    html! {
        td .won[won] {
            span class=(format!("seat {}", side.letter())) {
                (icons::side_mark(side))
                @match &game.seats[side as usize] {
                    Seat::Player(name) => a href=(formatting::player_url(name)) { (name.as_str()) },
                    seat @ Seat::Bot(_) => span { (noughts_session::display_name(seat)) },
                    seat @ (Seat::Guest | Seat::Deleted) => span.muted { (seat) },
                }
            }
        }
    }
}

fn result_text(game: &GameSummary) -> Markup {
    let result = noughts_text::listed_result(game.result, game.end.is_some());
    let result = noughts_text::capitalize(&result);
    html! { @if game.result.is_some() { (result) } @else { span.muted { (result) } } }
}
