//! The page of a game, and the table that the front page and the analysis share.

use maud::{Markup, PreEscaped, html};
use noughts_engine::Tablebases;
use noughts_pictures as pictures;
use noughts_session::titles;

use super::dialogs;
use crate::live::{GameSnapshot, ViewerRole};
use crate::view::layout::{self, Page};
use crate::view::{ViewOptions, formatting, icons, parts};

/// The page of a stored game. `state` is what the API says of it.
pub(crate) fn game(
    game: &GameSnapshot,
    you: ViewerRole,
    look: &ViewOptions,
    state: Option<PreEscaped<String>>,
    tables: &Tablebases,
) -> Markup {
    let title = formatting::variant_title(game.state.variant());
    let names = format!("{} – {}", game.seats[0], game.seats[1]);
    let about = format!("{title}: {names}");
    let main = html! {
        div.headline {
            h1 { (title) }
            p.soft { (titles::summary(game.state.variant())) }
        }
        (game_layout(game, you, look, false))
        (dialogs::static_dialogs(game.state.variant(), tables))
    };
    let page = Page {
        name: "game",
        title: &about,
        description: &about,
        initial_state: state,
        content: main,
    };
    page.render()
}

/// Panels, board, sentence, moves and tools, each in the element that updates find;
/// `analysed` is whether one begins with the analysis open.
pub(super) fn game_layout(
    game: &GameSnapshot,
    you: ViewerRole,
    look: &ViewOptions,
    analysed: bool,
) -> Markup {
    let parts = parts::render_parts(game, you, look);
    let part = |id: &str| {
        let found = parts.iter().find(|(name, _)| *name == id);
        found.map(|(_, markup)| markup)
    };
    let part = |id: &str| html! { @if let Some(markup) = part(id) { (markup) } };
    let deep = formatting::nesting_depth(game.state.variant()) > 2;
    html! {
        div id="net" role="status" hidden { "The connection is lost. Trying again…" }
        noscript { p.card { "This is the board. To play on it, the page needs its script (JavaScript)." } }
        div.table .deep[deep] {
            section.panel-x id="panel-x" aria-label="X" { (part("panel-x")) }
            section.panel-o id="panel-o" aria-label="O" { (part("panel-o")) }
            div.middle {
                div id="link" { (part("link")) }
                div.where hidden[!deep] {
                    nav.crumbs id="crumbs" aria-label="Boards around this one" { (part("crumbs")) }
                    div.mini id="mini" { (part("mini")) }
                }
                div.board-frame id="board" { (part("board")) }
                div.say id="say" { (part("say")) }
                div id="offer" { (part("offer")) }
                (analysis_pane(analysed))
            }
            div.side-tools {
                div.tools id="tools" role="group" aria-label="The game" { (part("tools")) }
                (page_tools())
            }
            section.side-moves aria-labelledby="moves-title" {
                h2 id="moves-title" { "Moves" }
                div.moves id="moves" { (part("moves")) }
            }
        }
        (dialogs::dynamic_dialogs(&part))
    }
}

/// What has to do with the page, not with the game: these never change.
fn page_tools() -> Markup {
    let tools = [
        ("rules", "Rules"),
        ("share", "Share"),
        ("sound", "Sound"),
        ("keys", "Keys"),
    ];
    html! {
        div.page-tools role="group" aria-label="The page" {
            @for (does, label) in tools {
                button.tool.small type="button" data-do=(does) aria-pressed=[(does == "sound").then_some("false")] {
                    (icons::icon(does)) (label)
                }
            }
        }
    }
}

/// Value bar, best line, the value over the game.
fn analysis_pane(open: bool) -> Markup {
    html! {
        section.analysis id="analysis" aria-labelledby="analysis-title" hidden[!open] {
            div.analysis-top {
                h2 id="analysis-title" { "Analysis" }
                button type="button" data-do="analyse-stop" hidden {
                    span.work aria-hidden="true" {} "Stop"
                }
            }
            div.review-progress id="review-progress" hidden {
                progress max="1" aria-label="Progress of the review" {}
                button type="button" data-do="review-stop" { "Stop" }
            }
            div id="value-bar" { (pictures::value_bar(0.5, false, "not looked at yet")) }
            p id="value-text" .soft { "Every cell gets its value: exact where it is proved, an estimate where it is not." }
            p id="best-line" {}
            p.legend.soft {
                b { "▲3" } " wins in 3 moves, counting both sides’; " b { "▼4" } " loses in 4; " b { "=" } " draws: proved. "
                b { "60%" } " is an estimated win chance."
            }
            div id="plot" {}
            p id="analysis-note" .soft {}
            div.card id="table-offer" hidden {
                p { "With its table every value of this game is exact. Building it takes some minutes and is done once." }
                progress max="1" value="0" aria-label="The table is being built" hidden {}
                button type="button" data-do="build" { "Build the table" }
            }
        }
    }
}

pub(super) fn initial_state(value: &impl serde::Serialize) -> Option<PreEscaped<String>> {
    layout::script_json(value)
}
