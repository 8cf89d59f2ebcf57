//! The list of games, with filters and pages.

use maud::{Markup, html};
use noughts_rules::{Outcome, Player};
use noughts_store::{Listed, Seat};

use crate::view::layout::Page;
use crate::view::{icons, words};

/// What is listed, and what was asked for.
#[derive(Default)]
pub(crate) struct Listing {
    pub(crate) games: Vec<Listed>,
    /// The filters as they were typed.
    pub(crate) player: String,
    pub(crate) opponent: String,
    pub(crate) variant: String,
    pub(crate) open: String,
    /// The address of older games, if there are any.
    pub(crate) older: Option<String>,
    /// Is this not the first page?
    pub(crate) later: bool,
    /// What is wrong with a filter.
    pub(crate) problem: Option<String>,
}

impl Listing {
    /// The filters as they stand in an address.
    pub(crate) fn query(&self) -> String {
        let filters = [
            ("player", &self.player),
            ("opponent", &self.opponent),
            ("variant", &self.variant),
            ("open", &self.open),
        ];
        let filters = filters.into_iter().filter(|(_, value)| !value.is_empty());
        let pairs: Vec<String> = filters
            .map(|(name, value)| format!("{name}={}", words::encoded(value)))
            .collect();
        pairs.join("&")
    }
}

pub(crate) fn games(listing: &Listing) -> Markup {
    let query = listing.query();
    let main = html! {
        div.headline { h1 { "Games" } p.soft { "Everything that was played here, the newest first." } }
        (filters(listing))
        @if listing.games.is_empty() {
            p.empty {
                @if query.is_empty() && !listing.later { "No game has been played yet. " a href="/" { "Play the first." } }
                @else { "No game fits. " a href="/games" { "Show all." } }
            }
        } @else {
            (list(&listing.games))
        }
        nav.pages aria-label="Pages of the list" {
            @if listing.later { a.button href=(address(&query)) { "To the newest" } }
            @if let Some(older) = &listing.older { a.button href=(older) { "Older games" } }
            @if !listing.games.is_empty() {
                a.button href=(format!("/api/v1/games/export?{query}")) download { "Save as text" }
            }
        }
    };
    let page = Page {
        name: "games",
        title: "Games",
        about: "Games that were played here.",
        state: None,
        main,
    };
    page.markup()
}

fn address(query: &str) -> String {
    match query {
        "" => "/games".into(),
        query => format!("/games?{query}"),
    }
}

fn filters(listing: &Listing) -> Markup {
    html! {
        form.filters method="get" action="/games" role="search" aria-label="Which games" {
            div.field {
                label for="player" { "Player" }
                input type="search" id="player" name="player" value=(listing.player) maxlength="40" spellcheck="false";
            }
            div.field {
                label for="opponent" { "Against" }
                input type="search" id="opponent" name="opponent" value=(listing.opponent) maxlength="40" spellcheck="false" placeholder="person or computer";
            }
            div.field {
                label for="variant" { "Game" }
                input type="search" id="variant" name="variant" value=(listing.variant) maxlength="80" spellcheck="false" list="variants" placeholder="all";
                (variants("variants"))
            }
            div.field {
                label for="open" { "State" }
                select id="open" name="open" {
                    @for (value, word) in [("", "all"), ("true", "being played"), ("false", "over")] {
                        option value=(value) selected[listing.open == value] { (word) }
                    }
                }
            }
            button.primary type="submit" { "Show" }
            @if let Some(problem) = &listing.problem { p.problem role="alert" { (words::sentence(problem)) } }
        }
    }
}

/// Names of games to choose from where any may be typed.
pub(super) fn variants(id: &str) -> Markup {
    html! {
        datalist id=(id) { @for variant in words::offered() { option value=(variant.to_string()) {} } }
    }
}

fn list(games: &[Listed]) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="Games" {
            table.list {
                thead { tr {
                    th scope="col" { "Game" } th scope="col" { "X" } th scope="col" { "O" }
                    th scope="col" { "Result" } th scope="col" .number { "Moves" } th scope="col" { "Began" }
                } }
                tbody {
                    @for game in games {
                        tr {
                            th scope="row" { a href=(format!("/games/{}", game.uid)) { (words::title(game.variant)) } }
                            @for side in Player::BOTH { (seat(game, side)) }
                            td { (result(game)) }
                            td.number { (game.moves) }
                            td.soft { time datetime=(game.began.to_string()) { (game.began.local()) } }
                        }
                    }
                }
            }
        }
    }
}

fn seat(game: &Listed, side: Player) -> Markup {
    let won = game.result == Some(Outcome::Win(side));
    html! {
        td .won[won] {
            span class=(format!("seat {}", side.letter())) {
                (icons::mark(side))
                @match &game.seats[side as usize] {
                    Seat::Person(name) => a href=(format!("/players/{}", words::segment(name.as_str()))) { (name.as_str()) },
                    Seat::Bot(name) => span { (name) },
                    seat @ (Seat::Guest | Seat::Deleted) => span.soft { (seat) },
                }
            }
        }
    }
}

fn result(game: &Listed) -> Markup {
    match (game.result, game.end) {
        (Some(outcome), _) => html! { (words::upper(&outcome.to_string())) },
        (None, Some(_)) => html! { span.soft { "No result" } },
        (None, None) => html! { span.soft { "Being played" } },
    }
}
