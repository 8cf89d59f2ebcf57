//! The page of a game, and the layout that the front page and the analysis page share.

use maud::{Markup, PreEscaped, html};
use noughts_engine::Tablebases;
use noughts_view::icons;

use super::dialogs;
use crate::live::{GameSnapshot, Viewer};
use crate::view::layout::Page;
use crate::view::parts;

/// The page of a saved game. `state` is the API's view of it as JSON.
pub(crate) fn game(
    snapshot: &GameSnapshot,
    viewer: &Viewer,
    state: Option<PreEscaped<String>>,
    tablebases: &Tablebases,
) -> Markup {
    let title = snapshot.state.variant().title();
    let [x, o] = snapshot.seats.each_ref().map(noughts_session::display_name);
    let description = format!("{title}: {x} – {o}");
    let main = html! {
        div.headline {
            h1 { (title) }
            p.muted { (snapshot.state.variant().summary()) }
        }
        (game_layout(snapshot, viewer, false))
        (dialogs::static_dialogs(snapshot.state.variant(), tablebases))
    };
    Page::new("game", &description, &description)
        .with_state(state)
        .render(&main)
}

/// Panels, board, status, moves and toolbar, each in the element that updates replace;
/// `is_analysis_open` is whether the analysis is open at first.
pub(super) fn game_layout(
    snapshot: &GameSnapshot,
    viewer: &Viewer,
    is_analysis_open: bool,
) -> Markup {
    let parts = parts::render_parts(snapshot, viewer);
    let part = |id: &str| {
        let part = parts.iter().find(|(name, _)| *name == id);
        part.map_or_else(|| html! {}, |(_, markup)| markup.clone())
    };
    let is_deep = !part("breadcrumbs").0.is_empty();
    html! {
        div id="offline-banner" role="status" hidden { "Connection lost. Reconnecting…" }
        noscript { p.card { "Turn on JavaScript to play." } }
        div.game-layout .deep[is_deep] {
            section.panel-x id="panel-x" aria-label="X" { (part("panel-x")) }
            section.panel-o id="panel-o" aria-label="O" { (part("panel-o")) }
            div.board-column {
                div id="invite" { (part("invite")) }
                div.board-location hidden[!is_deep] {
                    nav.breadcrumbs id="breadcrumbs" aria-label="Current board" { (part("breadcrumbs")) }
                    div.minimap id="minimap" { (part("minimap")) }
                }
                div.board-frame id="board" { (part("board")) }
                div.board-reserves id="reserves" { (part("reserves")) }
                div.status id="status" { (part("status")) }
                div id="offer" { (part("offer")) }
                (analysis_pane(is_analysis_open))
            }
            div.toolbar-column {
                div.toolbar id="toolbar" role="group" aria-label="Game actions" { (part("toolbar")) }
                (page_tools())
            }
            section.moves-column aria-labelledby="moves-title" {
                h2 id="moves-title" { "Moves" }
                div.moves id="moves" { (part("moves")) }
            }
        }
        (dialogs::dynamic_dialogs(&part))
    }
}

/// The buttons that belong to the page, not to the game: they never change.
fn page_tools() -> Markup {
    let tools = [
        ("rules", "Rules"),
        ("share", "Share"),
        ("sound", "Sound"),
        ("shortcuts", "Shortcuts"),
    ];
    html! {
        div.page-toolbar role="group" aria-label="Page actions" {
            @for (action, label) in tools {
                button.tool.small type="button" data-action=(action) aria-pressed=[(action == "sound").then_some("false")] {
                    (icons::icon(action)) (label)
                }
            }
        }
    }
}

/// The analysis: value bar, best line, and the plot of the value over the game.
fn analysis_pane(open: bool) -> Markup {
    html! {
        section.analysis id="analysis" aria-labelledby="analysis-title" hidden[!open] {
            div.analysis-top {
                h2 id="analysis-title" { "Analysis" }
                button type="button" data-action="analyze-stop" hidden {
                    span.spinner aria-hidden="true" {} "Stop"
                }
            }
            div.review-progress id="review-progress" hidden {
                progress max="1" aria-label="Review progress" {}
                button type="button" data-action="review-stop" { "Stop" }
            }
            div id="value-bar" { (noughts_view::value_bar(0.5, false, "Not evaluated yet")) }
            p id="value-text" .muted { "Every move gets a value: exact where it's proved, otherwise an estimate." }
            p id="best-line" {}
            p.legend.muted {
                @for (i, (symbol, meaning)) in noughts_text::value_legend().iter().enumerate() {
                    @if i > 0 { " · " }
                    b { (symbol) } " " (meaning)
                }
            }
            div id="plot" {}
            div.card id="tablebase-offer" hidden {
                p {}
                progress max="1" value="0" aria-label="Tablebase progress" hidden {}
                button type="button" data-action="build-tablebase" { "Build tablebase" }
            }
        }
    }
}
