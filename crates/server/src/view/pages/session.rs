//! The page about the visitor's session: what it is, and how to end it.

use maud::{Markup, html};

use crate::view::layout::Page;

/// `visitor` is the visitor's id in the server's log.
pub(crate) fn session(visitor: &str) -> Markup {
    let main = html! {
        div.headline {
            h1 { "Your session" }
            p.muted { "How this server recognizes you." }
        }
        div.narrow {
            p {
                "This browser stores a cookie with a random token. It lets you return to your games, even after you close \
                 the page. You don't have an account or a password: anyone who has the cookie can play your games."
            }
            p { "The server's operator sees you as visitor " code { (visitor) } "." }
            h2 { "End your session" }
            p {
                "If you end your session, the cookie stops working in every browser that has it. You won't be able to make moves in your unfinished \
                 games, but you'll still be able to watch them and start new ones. This can't be undone."
            }
            p.form-error role="alert" id="session-error" {}
            div.buttons {
                button type="button" data-action="end-session" { "End session" }
                a.button href="/" { "Cancel" }
            }
        }
    };
    let description = "How this server recognizes you, and how to end your session.";
    Page::new("session", "Your session", description).render(&main)
}
