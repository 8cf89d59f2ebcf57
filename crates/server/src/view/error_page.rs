//! The page that is shown instead of a failed one.

use maud::{Markup, html};

use super::layout::Page;
use super::{formatting, icons};
use crate::error::{ApiError, ApiErrorKind};

/// A page that explains an error.
pub(crate) fn error_page(error: &ApiError) -> Markup {
    let title = match error.kind {
        ApiErrorKind::NotFound => "There is nothing here",
        ApiErrorKind::Banned => "You are banned",
        ApiErrorKind::NotYours | ApiErrorKind::ForeignOrigin => "You can't do that",
        ApiErrorKind::UnknownToken => "Your session has ended",
        ApiErrorKind::TooMany | ApiErrorKind::Busy => "Too much at once",
        ApiErrorKind::Store | ApiErrorKind::Internal => "Something broke on our side",
        ApiErrorKind::BadRequest
        | ApiErrorKind::Invalid
        | ApiErrorKind::MethodNotAllowed
        | ApiErrorKind::Refused
        | ApiErrorKind::Stale
        | ApiErrorKind::WrongType
        | ApiErrorKind::TooSlow
        | ApiErrorKind::TooLarge => "That does not work",
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
