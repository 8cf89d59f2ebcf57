//! Icons next to text. They add nothing to the text, so they are hidden from screen readers.

use maud::{Markup, html};
use noughts_rules::Side;

/// The mark of a side.
#[must_use]
pub fn side_mark(side: Side) -> Markup {
    let shape = match side {
        Side::X => "M9 9L31 31M31 9L9 31",
        Side::O => "M20 8a12 12 0 1 0 .01 0z",
    };
    let class = format!("mark-{}", side.letter());
    html! {
        svg class=(class) viewBox="0 0 40 40" aria-hidden="true" focusable="false" { path d=(shape) {} }
    }
}

/// The site's logo.
#[must_use]
pub fn logo() -> Markup {
    html! {
        svg.logo viewBox="0 0 44 24" aria-hidden="true" focusable="false" {
            path.o d="M11 4.5a7.5 7.5 0 1 0 .01 0z" {}
            path.x d="M26.5 5.5L39.5 18.5M39.5 5.5L26.5 18.5" {}
        }
    }
}

/// The icon of the button for the color scheme: a half-filled circle.
#[must_use]
pub fn theme_icon() -> Markup {
    html! {
        svg.icon viewBox="0 0 24 24" aria-hidden="true" focusable="false" {
            path d="M12 3.5a8.5 8.5 0 1 0 .01 0z" {}
            path.solid d="M12 3.5a8.5 8.5 0 0 1 0 17z" {}
        }
    }
}

/// The icon of a button, by its `data-action`; a check mark for unknown names.
#[must_use]
pub fn icon(name: &str) -> Markup {
    let shape = match name {
        "takeback" => "M9 7L4 12l5 5M4 12h10a5 5 0 0 1 0 10h-3",
        "redo" => "M15 7l5 5-5 5M20 12H10a5 5 0 0 0 0 10h3",
        "hint" => {
            "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.5 10.9c.6.5 1 1.2 1 2.1h5c0-.9.4-1.6 1-2.1A6 6 0 0 0 12 3z"
        }
        "analyze" => "M4 19V5M4 19h16M8 15l3-4 3 2 5-7",
        "draw" => "M6 9h12M6 15h12",
        "resign" => "M6 21V4M6 4h11l-2.5 4L17 12H6",
        "seat" => "M7 8h13l-3-3M17 16H4l3 3",
        "rematch" => "M20 12a8 8 0 1 1-2.4-5.7M20 3v4h-4",
        "reset" => "M4 5v6h6M4.5 11a8 8 0 1 1 0 5",
        "new" => "M12 5v14M5 12h14",
        "review" => "M12 7v5l3 2M4 12a8 8 0 1 1 2.4 5.7M4 20v-4h4",
        "rules" => "M5 4h10a4 4 0 0 1 4 4v12H9a4 4 0 0 1-4-4zM9 9h6M9 13h6",
        "share" => "M12 15V4M8 8l4-4 4 4M5 13v6h14v-6",
        "sound" => "M5 10v4h3l4 4V6L8 10zM16 9a4 4 0 0 1 0 6M18.5 6.5a8 8 0 0 1 0 11",
        "shortcuts" => "M4 7h16v10H4zM8 11h.01M12 11h.01M16 11h.01M9 14h6",
        "pause" => "M9 6v12M15 6v12",
        "slower" => "M12 6l-7 6 7 6zM20 6l-7 6 7 6z",
        "faster" => "M4 6l7 6-7 6zM12 6l7 6-7 6z",
        "go" => "M8 5l10 7-10 7z",
        "first" => "M6 6v12M18 6l-8 6 8 6z",
        "previous" => "M16 6l-8 6 8 6z",
        "next" => "M8 6l8 6-8 6z",
        "last" => "M18 6v12M6 6l8 6-8 6z",
        "copy" => "M9 9h10v11H9zM5 15V4h10",
        "link" => {
            "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1"
        }
        _ => "M5 12l5 5L20 7",
    };
    html! { svg.icon viewBox="0 0 24 24" aria-hidden="true" focusable="false" { path d=(shape) {} } }
}
