//! What people see where there is no page to show.

use maud::{Markup, html};

use super::layout::Page;
use super::{formatting, icons};
use crate::error::{Error, Kind};

/// A page that says what went wrong.
pub(crate) fn error_page(error: &Error) -> Markup {
    let title = match error.kind {
        Kind::NotFound => "There is nothing here",
        Kind::Banned => "You are banned",
        Kind::NotYours | Kind::ForeignOrigin => "You can't do that",
        Kind::UnknownToken => "Your session has ended",
        Kind::TooMany | Kind::Busy => "Too much at once",
        Kind::Store | Kind::Internal => "Something broke on our side",
        Kind::BadRequest
        | Kind::Invalid
        | Kind::MethodNotAllowed
        | Kind::Refused
        | Kind::Stale
        | Kind::WrongType
        | Kind::TooSlow
        | Kind::TooLarge => "That does not work",
    };
    let main = html! {
        div.narrow.trouble {
            div.emblem aria-hidden="true" { (icons::logo()) }
            h1 { (title) }
            p.lead { (formatting::sentence_markup(&error.message)) }
            div.buttons {
                a.button.primary href="/" { "Play a game" }
                a.button href="/games" { "All games" }
                a.button href="/rules" { "The rules" }
            }
        }
    };
    let page = Page {
        name: "error",
        title,
        description: title,
        initial_state: None,
        content: main,
    };
    page.render()
}
