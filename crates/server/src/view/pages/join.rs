//! The page of an invite link.

use maud::{Markup, html};
use noughts_rules::Side;
use noughts_store::Seat;

use crate::live::GameSnapshot;
use crate::view::formatting;
use crate::view::layout::Page;

/// `side` is the side whose seat is reserved.
pub(crate) fn join(snapshot: &GameSnapshot, uid: &str, code: &str, side: Side) -> Markup {
    let variant = snapshot.state.variant();
    let title = variant.title();
    let host = match &snapshot.seats[side.other() as usize] {
        Seat::Guest => "A guest".to_owned(),
        seat => noughts_session::display_name(seat),
    };
    let main = html! {
        div.narrow.join {
            h1 { (host) " invites you to play" }
            div.selected-game {
                span.thumbnail { (noughts_view::thumbnail(variant)) }
                div {
                    h2 { (title) }
                    p { (variant.summary()) }
                    p { a href=(formatting::rules_url(variant)) { "Read the rules" } }
                }
            }
            form.card id="join" data-game=(uid) data-code=(code) {
                p { "You'll play " b { (side) } "." @if side == Side::X { " You'll move first." } @else { " " (host) " will move first." } }
                div.field {
                    label for="join-name" { "Your name" }
                    p.muted { "Leave this empty to play as a guest. Guests don't have a record." }
                    input type="text" id="join-name" name="name" maxlength="40" placeholder="Guest"
                        autocomplete="nickname" spellcheck="false";
                }
                p.form-error role="alert" {}
                div.buttons {
                    button.primary.large type="submit" { "Join game" }
                    a.button.large href=(format!("/games/{uid}")) { "Watch" }
                }
            }
        }
    };
    let description = format!("{title}: {host} invites you to play");
    Page::new("join", &format!("{host} invites you"), &description).render(&main)
}
