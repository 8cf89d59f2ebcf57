//! What waits for an answer: an offer, an invitation, giving up; and how to pass a
//! game on to others.

use maud::{Markup, html};
use noughts_rules::Side;

use super::render_context::RenderContext;
use crate::live::OfferKind;
use crate::view::{formatting, icons, qr};

/// Longer positions are stored and known by a number.
const LONGEST_ADDRESS: usize = 1500;

/// What one side proposes to the other.
pub(super) fn offer_card(seen: &RenderContext<'_>) -> Markup {
    let Some(offer) = seen.snapshot.offer else {
        return html! {};
    };
    let (by, to) = (offer.by, offer.by.other());
    let (does, wants) = match offer.kind {
        OfferKind::Draw => ("offers a draw", "offered a draw"),
        OfferKind::Undo => ("asks to take a move back", "asked to take a move back"),
        OfferKind::Rematch => (
            "would like to play again, with sides changed",
            "asked for another game",
        ),
    };
    html! {
        div.card.offer role="group" aria-label="Offer" {
            @if seen.viewer.plays(to) && !seen.viewer.plays(by) {
                p { b { (seen.display_name(by)) } " " (does) "." }
                div.buttons {
                    button.primary type="button" id="do-accept" data-do="accept" { "Accept" }
                    button type="button" id="do-decline" data-do="decline" { "Decline" }
                }
            } @else if seen.viewer.plays(by) {
                p { "You have " (wants) ". Waiting for " b { (seen.display_name(to)) } " to answer." }
                div.buttons {
                    button type="button" id="do-decline" data-do="decline" { "Withdraw" }
                }
            } @else {
                p { b { (seen.display_name(by)) } " " (does) "." }
            }
        }
    }
}

/// The invitation, for who sends it.
pub(super) fn invite_card(seen: &RenderContext<'_>) -> Markup {
    let Some(link) = seen
        .options
        .invite_link
        .as_deref()
        .filter(|_| seen.snapshot.invited != [false; 2])
    else {
        return html! {};
    };
    let side = if seen.is_invite_pending(Side::X) {
        Side::X
    } else {
        Side::O
    };
    html! {
        section.card.invite aria-labelledby="invite-title" {
            div {
                h2 id="invite-title" { "Invite a friend" }
                p { "Send this link. Whoever opens it first plays " (side) "." }
                @if is_local(link) {
                    p.soft {
                        "This server can only be reached from this computer, and so can the link. To let other computers in, start it with "
                        code { "noughts serve --addr 0.0.0.0:" (port(link)) } "."
                    }
                }
                div.copy {
                    label.unseen for="invite-link" { "The link for your friend" }
                    input id="invite-link" readonly value=(link);
                    button.primary type="button" id="copy-invite" data-do="copy" data-copies="invite-link" {
                        (icons::icon("copy")) "Copy"
                    }
                }
            }
            div.qr { (qr::qr_code(link)) }
        }
    }
}

/// Does the address mean this very computer, wherever it is opened?
fn is_local(link: &str) -> bool {
    let host = link.split_once("://").map_or(link, |(_, rest)| rest);
    ["127.", "localhost", "[::1]"]
        .iter()
        .any(|here| host.starts_with(here))
}

/// The port of an address: the one it names, else the one its scheme stands for.
fn port(link: &str) -> &str {
    let (scheme, rest) = link.split_once("://").unwrap_or(("http", link));
    let host = rest.split('/').next().unwrap_or_default();
    // A port comes after the bracket of an IPv6 address.
    match host.rsplit_once(':') {
        Some((_, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => port,
        _ if scheme == "https" => "443",
        _ => "80",
    }
}

/// Inside the dialog on giving up.
pub(super) fn resign_dialog(seen: &RenderContext<'_>) -> Markup {
    if seen.snapshot.ids.is_none() || !seen.is_ongoing() || !seen.is_player() {
        return html! {};
    }
    let rivals = !seen.is_bot(Side::X) && !seen.is_bot(Side::O);
    // Who sits apart from somebody cannot take the game away from them.
    let leaves = !seen.snapshot.is_online || formatting::move_count(&seen.snapshot.state) == 0;
    let leave = html! {
        @if leaves { button type="button" data-do="abandon" { "Leave it without a result" } }
    };
    html! {
        @match seen.viewer_side() {
            Some(side) => {
                p { "The game ends, and " b { (seen.display_name(side.other())) } " wins." }
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
                    @for side in Side::BOTH {
                        button.primary type="button" data-do="resign-now" data-side=(side.letter()) {
                            (seen.display_name(side)) " (" (side) ") resigns"
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
pub(super) fn share_links(seen: &RenderContext<'_>) -> Markup {
    let variant = formatting::encode_query(&seen.shown_state.variant().to_string());
    // Deep boards have long positions: not even made here.
    let short = formatting::nesting_depth(seen.shown_state.variant()) <= 3;
    let position = short.then(|| seen.shown_state.position_text());
    let position = position.filter(|text| text.len() <= LONGEST_ADDRESS);
    let analysis = position.map(|position| {
        format!(
            "/analysis?variant={variant}&position={}",
            formatting::encode_query(&position)
        )
    });
    let files = match &seen.snapshot.ids {
        Some((uid, _)) => {
            let ply = formatting::move_count(&seen.shown_state);
            Some((
                format!("/api/v1/games/{uid}"),
                String::new(),
                format!("?ply={ply}"),
            ))
        }
        None => analysis.as_deref().and_then(|address| {
            let (_, shown) = address.split_once('?')?;
            Some((
                "/api/v1/position".into(),
                format!("?{shown}"),
                format!("?{shown}"),
            ))
        }),
    };
    let files = files.map(|(base, whole, moment)| {
        [
            (format!("{base}/record{whole}"), "Record (text)"),
            (format!("{base}/board.svg{moment}"), "Picture (SVG)"),
            (format!("{base}/board.png{moment}"), "Picture (PNG)"),
        ]
    });
    html! {
        ul.links {
            @if let Some(files) = &files {
                @for (href, text) in files { li { a href=(href) download { (text) } } }
            }
            @if !seen.is_analysis_board() || analysis.is_none() { li {
                @match &analysis {
                    Some(href) => a href=(href) { "This position in the analysis" },
                    None => button.plain type="button" data-do="store-position" { "This position in the analysis" },
                }
            } }
        }
    }
}
