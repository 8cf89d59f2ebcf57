//! The page of an invite link.

use maud::{Markup, html};
use noughts_pictures as pictures;
use noughts_rules::Side;
use noughts_session::titles;
use noughts_store::Seat;

use crate::live::GameSnapshot;
use crate::view::formatting;
use crate::view::layout::Page;

/// `side` is the side whose seat is reserved.
pub(crate) fn join(snapshot: &GameSnapshot, uid: &str, code: &str, side: Side) -> Markup {
    let variant = snapshot.state.variant();
    let title = formatting::variant_title(variant);
    let host = match &snapshot.seats[side.other() as usize] {
        Seat::Guest => "A guest".to_owned(),
        seat => seat.to_string(),
    };
    let main = html! {
        div.narrow.join {
            h1 { (host) " invites you to play" }
            div.chosen {
                span.thumb { (pictures::thumbnail(variant)) }
                div {
                    h2 { (title) }
                    p { (titles::summary(variant)) }
                    p { a href=(format!("/rules/{}", formatting::encode_path_segment(&variant.to_string()))) { "Read the rules" } }
                }
            }
            form.card id="join" data-game=(uid) data-code=(code) {
                p { "You play " b { (side) } "." @if side == Side::X { " You move first." } @else { " " (host) " moves first." } }
                div.field {
                    label for="join-name" { "Your name" }
                    p.soft { "Leave this empty to play as a guest. Guests don't have a record." }
                    input type="text" id="join-name" name="name" maxlength="40" placeholder="Guest"
                        autocomplete="nickname" spellcheck="false";
                }
                p.problem role="alert" {}
                div.buttons {
                    button.primary.large type="submit" { "Join game" }
                    a.button.large href=(format!("/games/{uid}")) { "Watch" }
                }
            }
        }
    };
    let page = Page {
        name: "join",
        title: &format!("{host} invites you"),
        description: &format!("{title}: {host} invites you to play"),
        initial_state: None,
        content: main,
    };
    page.render()
}
