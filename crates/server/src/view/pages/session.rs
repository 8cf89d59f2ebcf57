//! The page about the visitor's session: what it is, and how to end it.

use maud::{Markup, html};

use crate::view::layout::Page;

/// `visitor` is the visitor's id in the server's log.
pub(crate) fn session(visitor: &str) -> Markup {
    let main = html! {
        div.headline {
            h1 { "Your session" }
            p.soft { "How this server recognizes you." }
        }
        div.narrow {
            p {
                "This browser has a cookie with a random token. By it you get back to the games that you play here, also \
                 after you close the page. There is no account and no password: anyone who has the cookie can play your games."
            }
            p { "The server's operator sees you as visitor " code { (visitor) } "." }
            h2 { "End the session" }
            p {
                "The cookie stops working in every browser that has it. You can no longer make a move in games that \
                 aren't finished, but you can watch them, and start new ones. This can't be undone."
            }
            p.problem role="alert" id="session-problem" {}
            div.buttons {
                button type="button" data-do="end-session" { "End session" }
                a.button href="/" { "Cancel" }
            }
        }
    };
    let page = Page {
        name: "session",
        title: "Your session",
        description: "How this server recognizes you, and how to end your session.",
        initial_state: None,
        content: main,
    };
    page.render()
}
