//! The buttons for actions in a game. Actions that aren't available right now are disabled
//! rather than hidden, so that the layout doesn't shift.

use maud::{Markup, html};
use noughts_session::PlaybackSpeed;
use noughts_view::icons;

use super::render_context::RenderContext;
use crate::view::formatting;

pub(super) fn toolbar(ctx: &RenderContext<'_>) -> Markup {
    let (snapshot, is_ongoing) = (ctx.snapshot, ctx.is_ongoing());
    let is_saved = snapshot.ids.is_some();
    let is_player = ctx.viewer.is_player();
    let is_current = is_ongoing && !ctx.is_viewing_past();
    let is_viewer_turn = ctx.viewer.is_to_move(snapshot) || ctx.is_analysis_board();
    let is_invite_pending = snapshot.is_waiting_for_opponent();
    // No hints or analysis in online games between humans.
    let is_help_forbidden = is_ongoing && is_player && snapshot.is_online;
    let variant = snapshot.state.variant();
    // On an analysis board the moves after the position that is shown are kept.
    let (can_take_back, can_redo) = match ctx.is_analysis_board() {
        true => (ctx.shown_state.move_count() > 0, ctx.is_viewing_past()),
        false => (
            snapshot.can_take_back && !is_invite_pending,
            snapshot.can_redo,
        ),
    };
    html! {
        @if ctx.viewer.host && is_ongoing && is_saved {
            (pause_button(ctx))
            (speed_button("slower", "Slower", snapshot.speed, snapshot.speed.slower(), "-"))
            (speed_button("faster", "Faster", snapshot.speed, snapshot.speed.faster(), "+"))
        }
        @if (is_ongoing || ctx.is_analysis_board()) && (is_player || ctx.viewer.host) {
            (tool_button("takeback", "Take back", can_take_back, "u"))
            (tool_button("redo", "Redo", can_redo, "r"))
        }
        @if is_ongoing && is_player && !is_help_forbidden { (tool_button("hint", "Hint", is_current && is_viewer_turn && !is_invite_pending, "t")) }
        @if (is_ongoing || ctx.is_analysis_board()) && !is_help_forbidden { (tool_button("analyze", "Analyze", true, "a")) }
        @if is_saved && is_ongoing && is_player {
            @if !ctx.plays_both_sides() {
                (tool_button("draw", "Offer draw", !is_invite_pending && snapshot.offer.is_none() && snapshot.state.move_count() > 0, ""))
            }
            (tool_button("resign", "Resign", !is_invite_pending, "x"))
            (tool_button("seat", "Hand over", true, "s"))
        }
        // In an online game a rematch needs both players.
        @if is_saved && is_ongoing && (is_player || ctx.viewer.host) && !snapshot.is_online {
            (tool_button("reset", "Start over", snapshot.state.move_count() > 0, ""))
        }
        @if is_saved && !is_ongoing {
            @if is_player || ctx.viewer.host { (tool_button("rematch", "Rematch", snapshot.offer.is_none(), "")) }
            (tool_button("review", "Review", snapshot.state.move_count() > 0, ""))
        }
        @if !ctx.is_analysis_board() {
            a.tool href=(formatting::new_game_url(variant)) data-action="new" {
                (icons::icon("new")) "New game"
            }
        }
    }
}

fn tool_button(action: &str, label: &str, is_enabled: bool, key: &str) -> Markup {
    html! {
        button.tool type="button" id=(format!("button-{action}")) data-action=(action) disabled[!is_enabled]
            aria-keyshortcuts=[(!key.is_empty()).then_some(key)] {
            (icons::icon(action)) (label)
        }
    }
}

fn pause_button(ctx: &RenderContext<'_>) -> Markup {
    let is_paused = ctx.snapshot.paused;
    html! {
        button.tool type="button" id="button-pause" data-action="pause" aria-pressed=(is_paused) {
            (icons::icon(if is_paused { "go" } else { "pause" }))
            @if is_paused { "Continue" } @else { "Pause" }
        }
    }
}

/// A button that changes the speed; disabled at the slowest and fastest one.
fn speed_button(
    action: &str,
    label: &str,
    current: PlaybackSpeed,
    next: PlaybackSpeed,
    key: &str,
) -> Markup {
    html! {
        button.tool type="button" id=(format!("button-{action}")) data-action=(action) data-speed=(next.number())
            disabled[current == next] aria-keyshortcuts=(key) title=(format!("Delay between moves: {name}", name = current.name())) {
            (icons::icon(action)) (label)
        }
    }
}
