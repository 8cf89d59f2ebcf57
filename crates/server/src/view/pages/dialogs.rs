//! The dialogs of a game's page.

use maud::{Markup, html};
use noughts_engine::Tablebases;
use noughts_rules::{Assistance, Side, UnratedReason, Variant};
use noughts_session::rulebook;
use noughts_text::{KeyTable, assistance_question, key_help, unrated_warning};

use super::{example, new_game};
use crate::view::formatting;

/// The dialogs whose content changes with the game: `part` renders it by id.
pub(super) fn dynamic_dialogs(part: &dyn Fn(&str) -> Markup) -> Markup {
    html! {
        dialog id="dialog-game-over" aria-labelledby="game-over-title" { div id="game-over" { (part("game-over")) } }
        dialog id="dialog-resign" aria-labelledby="resign-title" {
            h2 id="resign-title" { "Resign?" }
            div id="resign-content" { (part("resign-content")) }
            p.form-error role="alert" {}
        }
        dialog id="dialog-reset" aria-labelledby="reset-title" {
            h2 id="reset-title" { "Start over?" }
            p { "The same players start a new game on the same sides. This game ends without a result." }
            div.buttons {
                button.primary type="button" data-action="reset-now" { "Start over" }
                button type="button" data-action="close" { "Keep playing" }
            }
        }
        dialog id="dialog-share" aria-labelledby="share-title" {
            h2 id="share-title" { "Share" }
            p { "Anyone with this link can watch." }
            div.copy {
                label.visually-hidden for="share-link" { "Link to this page" }
                input id="share-link" readonly;
                button.primary type="button" data-action="copy" data-copy-from="share-link" { "Copy" }
                button type="button" data-action="share-now" hidden { "Share" }
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
        (unrated_dialogs())
    }
}

/// The questions before assistance that ends the rating of a game, by the button that asks for it.
fn unrated_dialogs() -> Markup {
    let questions = [
        ("hint", Assistance::Hint),
        ("takeback", Assistance::Takeback),
        ("analyze", Assistance::Analysis),
    ];
    html! {
        @for (action, assistance) in questions {
            @let [title, confirm, cancel] = assistance_question(assistance);
            @let id = format!("unrated-{action}");
            dialog id=(format!("dialog-{id}")) aria-labelledby=(format!("{id}-title")) {
                h2 id=(format!("{id}-title")) { (title) }
                p { (unrated_warning(UnratedReason::Assisted(assistance))) }
                div.buttons {
                    button.primary type="button" data-action="assist" data-assistance=(action) { (confirm) }
                    button type="button" data-action="close" { (cancel) }
                }
            }
        }
    }
}

fn close_button() -> Markup {
    html! { div.buttons { button type="button" data-action="close" { "Close" } } }
}

/// The title bar of a long dialog, with a close button that is always visible.
fn title_bar(id: &str, text: &str) -> Markup {
    html! {
        div.dialog-top {
            h2 id=(id) { (text) }
            button type="button" data-action="close" { "Close" }
        }
    }
}

pub(super) fn rules_dialog(variant: Variant) -> Markup {
    html! {
        dialog.wide id="dialog-rules" aria-labelledby="rules-title" {
            (title_bar("rules-title", &format!("Rules: {title}", title = variant.title())))
            (rules_text(variant, 3))
            (example::examples(variant, 3))
            p { a href=(formatting::rules_url(variant)) { "Open the rules on their own page" } }
            (close_button())
        }
    }
}

/// The text of the rulebook, with headings of this level.
pub(super) fn rules_text(variant: Variant, level: u8) -> Markup {
    html! {
        @for paragraph in rulebook::rules_text(variant) {
            @if let Some(heading) = paragraph.heading {
                @if level == 3 { h3 { (heading) } } @else { h2 { (heading) } }
            }
            p { (paragraph.text) }
        }
    }
}

/// The keyboard shortcuts, most of which are the same in the terminal UI.
pub(super) fn shortcuts_dialog(variant: Variant) -> Markup {
    html! {
        dialog.wide id="dialog-shortcuts" aria-labelledby="shortcuts-title" {
            (title_bar("shortcuts-title", "Keyboard shortcuts"))
            table.shortcuts {
                caption.visually-hidden { "Keyboard shortcuts" }
                thead.visually-hidden { tr { th scope="col" { "Key" } th scope="col" { "Action" } } }
                tbody {
                    @for (key, effect) in key_help(KeyTable::Web, variant) {
                        tr { th scope="row" { kbd { (key) } } td { (effect) } }
                    }
                }
            }
            p {
                input type="checkbox" id="letter-keys" data-action="letter-keys" checked;
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
            p.muted { "Another player takes over this side. After the first move, the game is no longer rated." }
            form data-action="seat-now" method="dialog" {
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
                    input type="radio" name="kind" id="seat-human" value="human";
                    label for="seat-human" { "Human" }
                    input type="radio" name="kind" id="seat-bot-kind" value="bot" checked;
                    label for="seat-bot-kind" { "Computer" }
                }
                div.field.for-human {
                    label for="seat-name" { "Name" }
                    input id="seat-name" name="name" maxlength="40" autocomplete="nickname" placeholder="Guest";
                }
                div.field.for-computer {
                    label for="seat-bot" { "Level" }
                    (new_game::level_select(variant, tablebases, ("seat-bot", "bot"), "medium"))
                }
                p.form-error role="alert" {}
                div.buttons {
                    button.primary type="submit" { "Hand over" }
                    button type="button" data-action="close" { "Cancel" }
                }
            }
        }
    }
}
