//! What waits for a reply: offers, invite links, the resign dialog; and links for sharing.

use maud::{Markup, html};
use noughts_rules::Side;
use noughts_view::icons;

use super::render_context::RenderContext;
use crate::view::{formatting, qr};
use noughts_wire::OfferKind;

/// Longer positions are stored and identified by a number.
const MAX_POSITION_LENGTH: usize = 1500;

/// The offer that one side has made to the other.
pub(super) fn offer_card(ctx: &RenderContext<'_>) -> Markup {
    let Some(offer) = ctx.snapshot.offer else {
        return html! {};
    };
    let (from, to) = (offer.by, offer.by.other());
    let (present_text, past_text) = match offer.kind {
        OfferKind::Draw => ("offers a draw", "offered a draw"),
        OfferKind::Takeback => ("asks to take back a move", "asked to take back a move"),
        OfferKind::Rematch => ("offers a rematch with sides swapped", "offered a rematch"),
    };
    html! {
        div.card.offer role="group" aria-label="Offer" {
            @if ctx.viewer.plays(to) && !ctx.viewer.plays(from) {
                p { b { (ctx.display_name(from)) } " " (present_text) "." }
                div.buttons {
                    button.primary type="button" id="button-accept" data-action="accept" { "Accept" }
                    button type="button" id="button-decline" data-action="decline" { "Decline" }
                }
            } @else if ctx.viewer.plays(from) {
                p { "You " (past_text) ". Waiting for " b { (ctx.display_name(to)) } " to respond." }
                div.buttons {
                    button type="button" id="button-decline" data-action="decline" { "Withdraw" }
                }
            } @else {
                p { b { (ctx.display_name(from)) } " " (present_text) "." }
            }
        }
    }
}

/// The invite link, for the player who sends it.
pub(super) fn invite_card(ctx: &RenderContext<'_>) -> Markup {
    let link = ctx.viewer.invite_link.as_deref();
    let Some(link) = link.filter(|_| ctx.snapshot.is_waiting_for_opponent()) else {
        return html! {};
    };
    let side = match ctx.snapshot.is_invited(Side::X) {
        true => Side::X,
        false => Side::O,
    };
    html! {
        section.card.invite aria-labelledby="invite-title" {
            div {
                h2 id="invite-title" { "Invite a friend" }
                p { "Send this link. The first player to join plays " (side) "." }
                @if is_local(link) {
                    p.muted {
                        "This link only works on this computer. To let other devices connect, start the server with "
                        code { "noughts serve --addr 0.0.0.0:" (port(link)) } "."
                    }
                }
                div.copy {
                    label.visually-hidden for="invite-link" { "Invite link" }
                    input id="invite-link" readonly value=(link);
                    button.primary type="button" id="copy-invite" data-action="copy" data-copy-from="invite-link" {
                        (icons::icon("copy")) "Copy"
                    }
                }
            }
            div.qr { (qr::qr_code(link)) }
        }
    }
}

/// Does the URL only work on the computer that runs the server?
fn is_local(link: &str) -> bool {
    let host = link.split_once("://").map_or(link, |(_, rest)| rest);
    ["127.", "localhost", "[::1]"]
        .iter()
        .any(|local_host| host.starts_with(local_host))
}

/// The port of a URL: the explicit one, or else the scheme's default.
fn port(link: &str) -> &str {
    let (scheme, rest) = link.split_once("://").unwrap_or(("http", link));
    let host = rest.split('/').next().unwrap_or_default();
    // In an IPv6 URL the port comes after the closing bracket.
    match host.rsplit_once(':') {
        Some((_, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => port,
        _ if scheme == "https" => "443",
        _ => "80",
    }
}

/// The content of the resign dialog.
pub(super) fn resign_dialog(ctx: &RenderContext<'_>) -> Markup {
    if ctx.snapshot.ids.is_none() || !ctx.is_ongoing() || !ctx.viewer.is_player() {
        return html! {};
    }
    let is_unplayed = ctx.snapshot.rev.moves == 0;
    // In an online game the opponent would lose the game, so it can't be abandoned after a move.
    let can_abandon = !ctx.snapshot.is_online || is_unplayed;
    let own_side = ctx.viewer.side();
    html! {
        p {
            @match own_side {
                _ if is_unplayed => "Nobody has moved yet, so the game would end without a result.",
                Some(side) => { "If you resign, the game ends and " b { (ctx.display_name(side.other())) } " wins." }
                None => "You're playing both sides. Which side resigns?",
            }
        }
        div.buttons {
            @for side in ctx.viewer.sides().into_iter().filter(|_| !is_unplayed) {
                button.primary type="button" data-action="resign-now" data-side=(side.letter()) {
                    "Resign" @if own_side.is_none() { " as " (ctx.display_name(side)) " (" (side) ")" }
                }
            }
            button type="button" data-action="draw" { @if own_side.is_some() { "Offer draw instead" } @else { "Agree to a draw" } }
            @if can_abandon { button type="button" data-action="abandon" { "Abandon the game (no result)" } }
            button type="button" data-action="close" { "Keep playing" }
        }
    }
}

/// The content of the share dialog: the game and the position as files and links.
pub(super) fn share_links(ctx: &RenderContext<'_>) -> Markup {
    let variant = formatting::encode_query(&ctx.shown_state.variant().to_string());
    // Deep boards have long positions: don't even build the text.
    let cells = ctx.shown_state.view().shape().count_cells();
    let is_short = cells as usize <= MAX_POSITION_LENGTH;
    let position = is_short.then(|| ctx.shown_state.position_text());
    let position = position.filter(|text| text.len() <= MAX_POSITION_LENGTH);
    let query = position.map(|position| {
        let position = formatting::encode_query(&position);
        format!("?variant={variant}&position={position}")
    });
    let ply = match ctx.is_viewing_past() {
        true => format!("?ply={}", ctx.shown_state.move_count()),
        false => String::new(),
    };
    let files = match (&ctx.snapshot.ids, &query) {
        (Some((uid, _)), _) => Some((format!("/api/v1/games/{uid}"), "", &ply)),
        (None, Some(query)) => Some(("/api/v1/position".into(), query.as_str(), query)),
        (None, None) => None,
    };
    let files = files.map(|(base, record_query, image_query)| {
        [
            (format!("{base}/record{record_query}"), "Game record (text)"),
            (format!("{base}/board.svg{image_query}"), "Image (SVG)"),
            (format!("{base}/board.png{image_query}"), "Image (PNG)"),
        ]
    });
    html! {
        ul.links {
            @if let Some(files) = &files {
                @for (href, text) in files { li { a href=(href) download { (text) } } }
            }
            @if !ctx.is_analysis_board() || query.is_none() { li {
                @match &query {
                    Some(query) => a href=(format!("/analysis{query}")) { "Analyze this position" },
                    None => button.link-button type="button" data-action="store-position" { "Analyze this position" },
                }
            } }
        }
    }
}
