//! What all pages share: head, header, navigation and footer.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use noughts_view::icons;
use serde::Serialize;

use crate::assets;

pub(crate) struct Page<'a> {
    name: &'static str,
    title: &'a str,
    description: &'a str,
    initial_state: Option<PreEscaped<String>>,
}

/// The links of the header: URL, label, and the pages for which the link is current.
const NAV_LINKS: [(&str, &str, &[&str]); 5] = [
    ("/", "Play", &["home", "new", "game", "join"]),
    ("/games", "Games", &["games"]),
    ("/analysis", "Analyze", &["analysis"]),
    ("/players", "Players", &["players"]),
    ("/rules", "Rules", &["rules"]),
];

/// A value as JSON that is safe inside a script element.
pub(crate) fn script_json(value: &impl Serialize) -> Option<PreEscaped<String>> {
    let text = serde_json::to_string(value).ok()?;
    Some(escape_script_json(&text))
}

/// Escapes JSON so that nothing in it can end a script element.
pub(crate) fn escape_script_json(json: &str) -> PreEscaped<String> {
    PreEscaped(json.replace('<', "\\u003c"))
}

impl<'a> Page<'a> {
    /// A page: `name` is its `data-page`, for scripts and styles, and `description` is for search
    /// engines.
    pub(crate) fn new(name: &'static str, title: &'a str, description: &'a str) -> Page<'a> {
        Page {
            name,
            title,
            description,
            initial_state: None,
        }
    }

    /// Adds the initial state for scripts, as JSON.
    pub(crate) fn with_state(mut self, state: Option<PreEscaped<String>>) -> Page<'a> {
        self.initial_state = state;
        self
    }

    pub(crate) fn render(&self, content: &Markup) -> Markup {
        let title = match self.name {
            "home" => "noughts: tic-tac-toe and its family".to_owned(),
            _ => format!("{} · noughts", self.title),
        };
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover";
                    title { (title) }
                    meta name="description" content=(self.description);
                    meta name="color-scheme" content="light dark";
                    meta name="theme-color" content="#FAF8F4" media="(prefers-color-scheme: light)";
                    meta name="theme-color" content="#15181D" media="(prefers-color-scheme: dark)";
                    // Runs before the first paint, so that no page flashes in the wrong colors and no early click is lost.
                    script src=(assets::url("startup.js")) {}
                    link rel="stylesheet" href=(assets::url("page.css"));
                    link rel="stylesheet" href=(assets::url("board.css"));
                    link rel="icon" href=(assets::url("icon.svg")) type="image/svg+xml";
                    link rel="manifest" href=(assets::url("noughts.webmanifest"));
                    script type="module" src=(assets::url("main.js")) {}
                }
                body data-page=(self.name) {
                    a.skip-link href="#main" { "Skip to content" }
                    (self.header())
                    main id="main" tabindex="-1" { (content) }
                    (footer())
                    div id="live-region" .visually-hidden aria-live="polite" {}
                    @if let Some(state) = &self.initial_state {
                        script type="application/json" id="initial-state" { (state) }
                    }
                }
            }
        }
    }

    fn header(&self) -> Markup {
        html! {
            header.site-header {
                a.brand href="/" aria-label="noughts home" { (icons::logo()) span { "noughts" } }
                nav aria-label="Main" {
                    @for (href, label, pages) in NAV_LINKS {
                        a href=(href) aria-current=[pages.contains(&self.name).then_some("page")] { (label) }
                    }
                }
                button.theme type="button" data-action="theme" title="Change theme: system, light or dark" {
                    (icons::theme_icon())
                    span.visually-hidden { "Theme: " }
                    // The style sheet shows the label of the current choice.
                    span.theme-system { "System" }
                    span.theme-light { "Light" }
                    span.theme-dark { "Dark" }
                }
            }
        }
    }
}

fn footer() -> Markup {
    html! {
        footer.site-footer {
            p {
                "Free. No accounts, no trackers. "
                a href="/session" { "Your session" }
                " · "
                a href="/api" { "API" }
            }
        }
    }
}
