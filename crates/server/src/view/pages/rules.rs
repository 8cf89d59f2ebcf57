//! The rules: a page for each game, told by the rulebook, with boards to try them on.

use maud::{Markup, html};
use noughts_pictures as pictures;
use noughts_rules::Variant;
use noughts_session::titles;

use super::{dialogs, example, home};
use crate::view::layout::Page;
use crate::view::words;

/// The games whose rules can be read.
pub(crate) fn rules() -> Markup {
    let main = html! {
        div.headline { h1 { "Rules" } p.soft { "Every game with its rules, and boards to try them on." } }
        (home::cards("/rules/", true))
        p.narrow.soft {
            "Every other game of these families has its page, too: its address is its name, such as "
            a href="/rules/mnk:7,7,4" { "/rules/mnk:7,7,4" } " or "
            a href="/rules/ception:4b,5c,depth=3" { "/rules/ception:4b,5c,depth=3" } "."
        }
    };
    let page = Page {
        name: "rules",
        title: "Rules",
        about: "The rules of tic-tac-toe, Tic-Tac-Two, ultimate tic-tac-toe and their variants.",
        state: None,
        main,
    };
    page.markup()
}

/// The rules of one game.
pub(crate) fn rules_of(variant: Variant) -> Markup {
    let title = words::title(variant);
    let name = words::encoded(&variant.to_string());
    let main = html! {
        div.headline {
            h1 { (title) }
            p.soft { (titles::sentence(variant)) }
        }
        div.rules-page {
            article.prose { (dialogs::paragraphs(variant, 2)) }
            aside aria-label="Examples" {
                div.thumb.large aria-hidden="true" { (pictures::thumbnail(variant)) }
                div.buttons {
                    a.button.primary href=(format!("/new?variant={name}")) { "Play it" }
                    a.button href=(format!("/analysis?variant={name}")) { "Analyse it" }
                }
                (example::examples(variant, 2))
            }
        }
    };
    let page = Page {
        name: "rules",
        title: &format!("Rules of {title}"),
        about: &titles::sentence(variant),
        state: None,
        main,
    };
    page.markup()
}
