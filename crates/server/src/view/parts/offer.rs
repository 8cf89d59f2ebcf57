//! What waits for an answer: an offer, an invitation, giving up; and how to pass a
//! game on to others.

use maud::{Markup, html};
use noughts_rules::Player;

use super::seen::Seen;
use crate::live::OfferKind;
use crate::view::{board, icons, words};

/// Longer positions are stored and known by a number.
const LONGEST_ADDRESS: usize = 1500;

/// What one side proposes to the other.
pub(super) fn offer(seen: &Seen<'_>) -> Markup {
    let Some(offer) = seen.game.offer else {
        return html! {};
    };
    let (by, to) = (offer.by, offer.by.other());
    let (does, wants) = match offer.kind {
        OfferKind::Draw => ("offers a draw", "a draw"),
        OfferKind::Undo => ("asks to take a move back", "to take a move back"),
        OfferKind::Rematch => (
            "would like to play again, with sides changed",
            "another game",
        ),
    };
    html! {
        div.card.offer role="group" aria-label="Offer" {
            @if seen.you.is(to) && !seen.you.is(by) {
                p { b { (seen.name(by)) } " " (does) "." }
                div.buttons {
                    button.primary type="button" id="do-accept" data-do="accept" { "Accept" }
                    button type="button" id="do-decline" data-do="decline" { "Decline" }
                }
            } @else if seen.you.is(by) {
                p { "You have asked for " (wants) ". Waiting for an answer of " b { (seen.name(to)) } "." }
                div.buttons {
                    button type="button" id="do-decline" data-do="decline" { "Withdraw" }
                }
            } @else {
                p { b { (seen.name(by)) } " " (does) "." }
            }
        }
    }
}

/// The invitation, for who sends it.
pub(super) fn link(seen: &Seen<'_>) -> Markup {
    let Some(link) = seen
        .look
        .link
        .as_deref()
        .filter(|_| seen.game.invited != [false; 2])
    else {
        return html! {};
    };
    let side = if seen.is_invited(Player::X) {
        Player::X
    } else {
        Player::O
    };
    html! {
        section.card.invite aria-labelledby="invite-title" {
            div {
                h2 id="invite-title" { "Invite a friend" }
                p { "Send this link. Whoever opens it first plays " (side) "." }
                div.copy {
                    label.unseen for="invite-link" { "The link for your friend" }
                    input id="invite-link" readonly value=(link);
                    button.primary type="button" id="copy-invite" data-do="copy" data-copies="invite-link" {
                        (icons::sign("copy")) "Copy"
                    }
                }
            }
            div.qr { (board::qr(link)) }
        }
    }
}

/// Inside the dialog on giving up.
pub(super) fn settle(seen: &Seen<'_>) -> Markup {
    if seen.game.game.is_none() || !seen.goes_on() || !seen.plays() {
        return html! {};
    }
    let rivals = !seen.is_bot(Player::X) && !seen.is_bot(Player::O);
    // Who sits apart from somebody cannot take the game away from them.
    let leaves = !seen.game.apart || words::made(&seen.game.play) == 0;
    let leave = html! {
        @if leaves { button type="button" data-do="abandon" { "Leave it without a result" } }
    };
    html! {
        @match seen.side() {
            Some(side) => {
                p { "The game ends, and " b { (seen.name(side.other())) } " wins." }
                div.buttons {
                    button.primary type="button" data-do="resign-now" data-side=(side.letter()) { "Resign" }
                    @if rivals { button type="button" data-do="draw" { "Offer a draw instead" } }
                    (leave)
                    button type="button" data-do="close" { "Play on" }
                }
            }
            None => {
                p { "Who gives up? You play both sides." }
                div.buttons {
                    @for side in Player::BOTH {
                        button.primary type="button" data-do="resign-now" data-side=(side.letter()) {
                            (seen.name(side)) " (" (side) ") resigns"
                        }
                    }
                    button type="button" data-do="draw" { "Agree on a draw" }
                    (leave)
                    button type="button" data-do="close" { "Play on" }
                }
            }
        }
    }
}

/// Inside the dialog on sharing: the game and the position as files and addresses.
pub(super) fn share(seen: &Seen<'_>) -> Markup {
    let variant = words::encoded(&seen.play.variant().to_string());
    // Deep boards have long positions: not even made here.
    let short = words::depth(seen.play.variant()) <= 3;
    let position = short.then(|| seen.play.position_text());
    let position = position.filter(|text| text.len() <= LONGEST_ADDRESS);
    let analysis = position.map(|position| {
        format!(
            "/analysis?variant={variant}&position={}",
            words::encoded(&position)
        )
    });
    let files = seen.game.game.as_ref().map(|(uid, _)| {
        let (base, ply) = (format!("/api/v1/games/{uid}"), words::made(&seen.play));
        [
            (format!("{base}/record"), "Record (text)"),
            (format!("{base}/board.svg?ply={ply}"), "Picture (SVG)"),
            (format!("{base}/board.png?ply={ply}"), "Picture (PNG)"),
        ]
    });
    html! {
        ul.links {
            @if let Some(files) = &files {
                @for (href, text) in files { li { a href=(href) download { (text) } } }
            }
            li {
                @match &analysis {
                    Some(href) => a href=(href) { "This position in the analysis" },
                    None => button.plain type="button" data-do="store-position" { "This position in the analysis" },
                }
            }
        }
    }
}
