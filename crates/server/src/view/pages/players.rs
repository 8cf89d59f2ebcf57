//! The list of players, and a player's record.

use maud::{Markup, html};
use noughts_store::{Name, PlayerPage, PlayerRecord, Seat, Tally};

use crate::view::formatting;
use crate::view::layout::Page;

/// A page of the list.
pub(crate) fn players(page: &PlayerPage, is_later_page: bool) -> Markup {
    let rows = page.players.iter();
    let rows = rows.map(|(name, tally)| (player_link(name), *tally));
    let main = html! {
        div.headline { h1 { "Players" } p.muted { "Everyone who has played here, most recent first." } }
        @if page.players.is_empty() && is_later_page {
            p.empty { "No more players. " a href="/players" { "Back to the first page." } }
        } @else if page.players.is_empty() {
            p.empty { "No players yet. " a href="/" { "Start a game." } }
        } @else {
            div.narrow { (tally_table("Player", "All players", rows.collect())) }
        }
        nav.pagination aria-label="Pagination" {
            @if is_later_page { a.button href="/players" { "Back to the first page" } }
            @if let Some(next) = page.next { a.button href=(format!("/players?after={next}")) { "More players" } }
        }
    };
    let description = "Everyone who has played here, and their records.";
    Page::new("players", "Players", description).render(&main)
}

/// A page of a player's record: `from` variants and opponents are on earlier pages, and `next`
/// is the offset of the next page.
pub(crate) fn player(record: &PlayerRecord, from: u32, next: Option<u32>) -> Markup {
    let name = record.name.as_str();
    let url = formatting::player_url(&record.name);
    let by_game = record.by_variant.iter().map(|(variant, tally)| {
        let games = format!(
            "/games?player={}&variant={}",
            formatting::encode_query(name),
            formatting::encode_query(&variant.to_string())
        );
        (html! { a href=(games) { (*variant.title()) } }, *tally)
    });
    let by_opponent = record.by_opponent.iter().map(|(seat, tally)| {
        let opponent = match seat {
            Seat::Player(other) => player_link(other),
            Seat::Bot(_) => {
                html! { (noughts_session::display_name(seat)) span.muted { " · computer" } }
            }
            Seat::Guest => html! { span.muted { "Guests" } },
            Seat::Deleted => html! { span.muted { "Deleted players" } },
        };
        (opponent, *tally)
    });
    let total = record.total;
    let main = html! {
        div.headline {
            h1 { (name) }
            p.muted { "Player since " time datetime=(record.since.to_string()) { (record.since.to_local_string()) } "." }
        }
        div.narrow {
            dl.tally.big {
                @for (word, number) in [("Games", total.games()), ("Wins", total.wins), ("Losses", total.losses), ("Draws", total.draws)] {
                    div { dt { (word) } dd { (number) } }
                }
            }
            (record_bar(total))
            div.buttons { a.button href=(format!("/games?player={}", formatting::encode_query(name))) { "See all games" } }
            @if total.games() == 0 { p.empty { "No rated games yet." } }
            @if !record.by_variant.is_empty() {
                h2 { "By game" }
                (tally_table("Game", "By game", by_game.collect()))
            }
            @if !record.by_opponent.is_empty() {
                h2 { "By opponent" }
                (tally_table("Opponent", "By opponent", by_opponent.collect()))
            }
            nav.pagination aria-label="Pagination" {
                @if from > 0 { a.button href=(url) { "Back to the first page" } }
                @if let Some(next) = next { a.button href=(format!("{url}?from={next}")) { "More games and opponents" } }
            }
        }
    };
    Page::new("players", name, &format!("{name}'s record")).render(&main)
}

fn player_link(name: &Name) -> Markup {
    html! { a href=(formatting::player_url(name)) { (name.as_str()) } }
}

/// Wins, draws and losses as a bar.
fn record_bar(total: Tally) -> Markup {
    let games = total.games().max(1);
    let width = |part: u64| part * 1000 / games;
    let (wins, draws) = (width(total.wins), width(total.draws));
    html! {
        @if total.games() > 0 {
            svg.record-bar viewBox="0 0 1000 24" preserveAspectRatio="none" aria-hidden="true" {
                rect.losses width="1000" height="24" {}
                rect.draws width=(wins + draws) height="24" {}
                rect.wins width=(wins) height="24" {}
            }
        }
    }
}

fn tally_table(heading: &str, caption: &str, rows: Vec<(Markup, Tally)>) -> Markup {
    html! {
        div.table-scroll tabindex="0" role="region" aria-label=(caption) {
            table.list {
                thead { tr {
                    th scope="col" { (heading) }
                    @for word in ["Games", "Wins", "Losses", "Draws"] { th scope="col" .number { (word) } }
                } }
                tbody {
                    @for (label, tally) in rows {
                        tr {
                            th scope="row" { (label) }
                            @for number in [tally.games(), tally.wins, tally.losses, tally.draws] {
                                td.number { (number) }
                            }
                        }
                    }
                }
            }
        }
    }
}
