//! The rules: a page for each variant with the text of the rulebook and playable examples.

use maud::{Markup, html};
use noughts_rules::Variant;

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
            @for (n, variant) in option_samples().iter().enumerate() {
                @if n > 0 { " or " }
                a href=(formatting::rules_url(*variant)) { (formatting::rules_url(*variant)) }
            }
            "."
        }
    };
    let description = "The rules of tic-tac-toe and its family, with boards to try them on.";
    Page::new("rules", "Rules", description).render(&main)
}

/// Two variants whose names have options.
fn option_samples() -> Vec<Variant> {
    let mut variants: Vec<Variant> = formatting::preset_variants().collect();
    variants.retain(|variant| variant.to_string().contains(':'));
    // Of different games, if there are.
    variants.dedup_by_key(|variant| variant.info().name);
    variants.truncate(2);
    variants
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
                div.thumbnail.large aria-hidden="true" { (noughts_view::thumbnail(variant)) }
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
