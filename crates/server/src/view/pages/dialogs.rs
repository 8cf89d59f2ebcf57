//! The dialogs of a game's page.

use maud::{Markup, html};
use noughts_engine::Tablebases;
use noughts_rules::{Side, Variant};
use noughts_session::rulebook;

use super::{example, new_game};
use crate::view::formatting;

/// The dialogs whose content changes with the game: `part` renders it by id.
pub(super) fn dynamic_dialogs(part: &dyn Fn(&str) -> Markup) -> Markup {
    html! {
        dialog id="dialog-end" aria-labelledby="end-title" { div id="end" { (part("end")) } }
        dialog id="dialog-resign" aria-labelledby="resign-title" {
            h2 id="resign-title" { "Resign?" }
            div id="settle" { (part("settle")) }
            p.problem role="alert" {}
        }
        dialog id="dialog-reset" aria-labelledby="reset-title" {
            h2 id="reset-title" { "Start over?" }
            p { "The same players start a new game on the same sides. This game ends without a result." }
            div.buttons {
                button.primary type="button" data-do="reset-now" { "Start over" }
                button type="button" data-do="close" { "Keep playing" }
            }
        }
        dialog id="dialog-share" aria-labelledby="share-title" {
            h2 id="share-title" { "Share" }
            p { "Anyone with this link can watch." }
            div.copy {
                label.unseen for="share-link" { "Link to this page" }
                input id="share-link" readonly;
                button.primary type="button" data-do="copy" data-copies="share-link" { "Copy" }
                button type="button" data-do="share-now" hidden { "Share" }
            }
            div id="share" { (part("share")) }
            (close_button())
        }
    }
}

/// The dialogs that don't change during a game.
pub(super) fn static_dialogs(variant: Variant, tablebases: &Tablebases) -> Markup {
    html! {
        (rules_dialog(variant))
        (shortcuts_dialog(variant))
        (seat_dialog(variant, tablebases))
    }
}

fn close_button() -> Markup {
    html! { div.buttons { button type="button" data-do="close" { "Close" } } }
}

/// The title bar of a long dialog, with a close button that is always visible.
fn title_bar(id: &str, text: &str) -> Markup {
    html! {
        div.dialog-top {
            h2 id=(id) { (text) }
            button type="button" data-do="close" { "Close" }
        }
    }
}

pub(super) fn rules_dialog(variant: Variant) -> Markup {
    let address = format!(
        "/rules/{}",
        formatting::encode_path_segment(&variant.to_string())
    );
    html! {
        dialog.wide id="dialog-rules" aria-labelledby="rules-title" {
            (title_bar("rules-title", &format!("Rules of {title}", title = formatting::variant_title(variant))))
            (rules_text(variant, 3))
            (example::examples(variant, 3))
            p { a href=(address) { "Open the rules on their own page" } }
            (close_button())
        }
    }
}

/// The text of the rulebook, with headings of this level.
pub(super) fn rules_text(variant: Variant, level: u8) -> Markup {
    let paragraphs = rulebook::rules_text(variant);
    html! {
        @for paragraph in &paragraphs {
            @let (heading, text) = match paragraph.strip_prefix("# ") {
                Some(rest) => rest.split_once('\n').unwrap_or((rest, "")),
                None => ("", paragraph.as_str()),
            };
            @if !heading.is_empty() {
                @if level == 3 { h3 { (heading) } } @else { h2 { (heading) } }
            }
            p { (text) }
        }
    }
}

/// The keyboard shortcuts, most of which are the same in the terminal UI.
pub(super) fn shortcuts_dialog(variant: Variant) -> Markup {
    let depth = formatting::nesting_depth(variant);
    let has_grid = matches!(variant, Variant::TicTacTwo(_));
    let is_small = match variant {
        Variant::Mnk(options) => options.size().0 <= 3 && options.size().1 <= 3,
        _ => true,
    };
    let shortcuts = [
        (true, "arrows, h j k l", "move between cells"),
        (true, "Home, End", "go to the first or last cell of the row"),
        (true, "Enter, Space", "play in the cell"),
        (
            is_small && depth < 2 && !has_grid,
            "1 – 9",
            "play in the cell at this place on a numeric keypad",
        ),
        (
            depth > 1,
            "1 – 9",
            "choose the board or cell at this place on a numeric keypad",
        ),
        (
            has_grid,
            "1 – 9",
            "choose the cell of the grid at this place on a numeric keypad",
        ),
        (
            has_grid,
            "g",
            "move the grid: press a direction (h j k l, y u b n), then Enter; or click its handle, then its new center",
        ),
        (depth > 2, "z Z, + −", "zoom in, zoom out"),
        (
            depth > 2,
            "Esc",
            "zoom out; from the whole board, go to where you must play",
        ),
        (depth > 2, "Home", "go to where you must play"),
        (true, "/", "type a move; Enter plays it, Esc cancels"),
        (true, "t", "get a hint"),
        (true, "u, r", "take back a move, redo it"),
        (true, "a", "show or hide the value of every move"),
        (true, "s", "hand over a side"),
        (true, "x", "resign, offer a draw, or abandon the game"),
        (true, "← →", "in a review: previous move, next move"),
        (true, "m, M", "in a review: next mistake, previous mistake"),
        (
            true,
            "Space, .",
            "when computers play: pause or continue; play one move",
        ),
        (true, "+, -", "when computers play: faster, slower"),
        (true, "Esc", "cancel; close the dialog"),
        (true, "n", "start a new game"),
        (true, "?", "show this list"),
    ];
    html! {
        dialog.wide id="dialog-keys" aria-labelledby="keys-title" {
            (title_bar("keys-title", "Keyboard shortcuts"))
            table.keys {
                caption.unseen { "Keyboard shortcuts" }
                thead.unseen { tr { th scope="col" { "Key" } th scope="col" { "Action" } } }
                tbody {
                    @for (applies, key, effect) in shortcuts {
                        @if applies { tr { th scope="row" { kbd { (key) } } td { (effect) } } }
                    }
                }
            }
            p {
                input type="checkbox" id="letter-keys" data-do="letter-keys" checked;
                " " label for="letter-keys" { "Use single-letter shortcuts" }
            }
            (close_button())
        }
    }
}

/// The dialog for handing a side over to another player during a game.
fn seat_dialog(variant: Variant, tablebases: &Tablebases) -> Markup {
    html! {
        dialog id="dialog-seat" aria-labelledby="seat-title" {
            h2 id="seat-title" { "Hand over a side" }
            p.soft { "Another player takes over this side. After the first move, the game is no longer rated." }
            form data-do="seat-now" method="dialog" {
                fieldset.choice {
                    legend { "Side" }
                    @for (i, side) in Side::BOTH.into_iter().enumerate() {
                        @let id = format!("seat-side-{}", side.letter());
                        input type="radio" name="side" id=(id) value=(side.letter()) checked[i == 1];
                        label for=(id) { (side) }
                    }
                }
                fieldset.choice {
                    legend { "New player" }
                    input type="radio" name="kind" id="seat-person" value="person";
                    label for="seat-person" { "Human" }
                    input type="radio" name="kind" id="seat-bot-kind" value="bot" checked;
                    label for="seat-bot-kind" { "Computer" }
                }
                div.field.for-person {
                    label for="seat-name" { "Name" }
                    input id="seat-name" name="name" maxlength="40" autocomplete="nickname" placeholder="Guest";
                }
                div.field.for-computer {
                    label for="seat-bot" { "Level" }
                    (new_game::level_select(variant, tablebases, ("seat-bot", "bot"), "medium"))
                }
                p.problem role="alert" {}
                div.buttons {
                    button.primary type="submit" { "Hand over" }
                    button type="button" data-do="close" { "Cancel" }
                }
            }
        }
    }
}
