//! The rules: a page for each variant with the text of the rulebook and playable examples.

use maud::{Markup, html};
use noughts_rules::Variant;
use noughts_view as pictures;

use super::{dialogs, example, home};
use crate::view::formatting;
use crate::view::layout::Page;

/// The list of variants.
pub(crate) fn rules_index() -> Markup {
    let main = html! {
        div.headline { h1 { "Rules" } p.muted { "The rules of every game, with boards to try them on." } }
        (home::game_cards(formatting::rules_url))
        p.narrow.muted {
            "Every variant has its own page. Its address ends with the variant's name, as in "
            a href="/rules/mnk:7,7,4" { "/rules/mnk:7,7,4" } " or "
            a href="/rules/ception:4b,5c,depth=3" { "/rules/ception:4b,5c,depth=3" } "."
        }
    };
    let description =
        "The rules of tic-tac-toe, Tic-Tac-Two, ultimate tic-tac-toe and their variants.";
    Page::new("rules", "Rules", description).render(&main)
}

/// The rules of one variant.
pub(crate) fn variant_rules(variant: Variant) -> Markup {
    let title = variant.title();
    let name = formatting::encode_query(&variant.to_string());
    let main = html! {
        div.headline {
            h1 { (title) }
            p.muted { (variant.summary()) }
        }
        div.rules-page {
            article.prose { (dialogs::rules_text(variant, 2)) }
            aside aria-label="Examples" {
                div.thumbnail.large aria-hidden="true" { (pictures::thumbnail(variant)) }
                div.buttons {
                    a.button.primary href=(formatting::new_game_url(variant)) { "Play" }
                    a.button href=(format!("/analysis?variant={name}")) { "Analyze" }
                }
                (example::examples(variant, 2))
            }
        }
    };
    let title = format!("Rules: {title}");
    Page::new("rules", &title, &variant.summary()).render(&main)
}
