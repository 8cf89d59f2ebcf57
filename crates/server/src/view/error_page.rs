//! The page that is shown instead of a failed one.

use maud::{Markup, html};
use noughts_view::icons;

use super::formatting;
use super::layout::Page;
use crate::error::{ApiError, ApiErrorKind};

/// A page that explains an error.
pub(crate) fn error_page(error: &ApiError) -> Markup {
    let title = match error.kind {
        ApiErrorKind::NotFound => "Not found",
        ApiErrorKind::Banned => "You're banned",
        ApiErrorKind::NotYours | ApiErrorKind::ForeignOrigin => "You can't do that",
        ApiErrorKind::UnknownToken => "Your session has ended",
        ApiErrorKind::TooMany | ApiErrorKind::Busy => "Try again in a moment",
        ApiErrorKind::Store | ApiErrorKind::Internal => "Something went wrong on our side",
        _ => "That didn't work",
    };
    let main = html! {
        div.narrow.error-page {
            div.emblem aria-hidden="true" { (icons::logo()) }
            h1 { (title) }
            p.lead { (formatting::sentence_markup(&error.message)) }
            div.buttons {
                a.button.primary href="/" { "Play a game" }
                a.button href="/games" { "See all games" }
                a.button href="/rules" { "Read the rules" }
            }
        }
    };
    Page::new("error", title, title).render(&main)
}
