//! The status text below the board: the last move, where it sends to, and whose turn it is.

use maud::{Markup, html};
use noughts_rules::{AnyGameState, Family, MoveArea, Side, Variant};
use noughts_text::prompt;

use super::render_context::RenderContext;
use crate::view::formatting::WAITING_FOR_OPPONENT;

pub(super) fn status_text(ctx: &RenderContext<'_>) -> Markup {
    html! {
        p {
            @if ctx.is_analysis_board() { (prompt(&ctx.shown_state)) "." }
            @else if ctx.is_viewing_past() { (past_move_text(ctx)) }
            @else if ctx.snapshot.over.is_some() { (game_over_text(ctx)) }
            @else if ctx.snapshot.is_waiting_for_opponent() {
                @if ctx.viewer.is_player() { (WAITING_FOR_OPPONENT) "." }
                @else { "Waiting for the invited player to join." }
            }
            @else { (last_move_text(ctx)) (turn_text(ctx)) }
        }
        @if ctx.snapshot.over.is_none() && let Some(notice) = ctx.unrated_notice() { p.muted { (notice) } }
    }
}

fn past_move_text(ctx: &RenderContext<'_>) -> Markup {
    let (ply, total) = (
        ctx.shown_state.move_count(),
        ctx.snapshot.state.move_count(),
    );
    match (last_mover(&ctx.shown_state), ctx.shown_state.last_move()) {
        (Some(side), Some(mv)) => html! {
            "Move " (ply) " of " (total) ": " b { (ctx.display_name(side)) } " (" (side) ") played " b { (mv) } "."
        },
        _ => html! { "Start position, before move 1 of " (total) "." },
    }
}

fn game_over_text(ctx: &RenderContext<'_>) -> Markup {
    let Some(over) = ctx.snapshot.game_over() else {
        return html! {};
    };
    let final_move = played_text(ctx).filter(|_| over.termination.is_by_rules());
    html! {
        @if let Some((_, played_text)) = final_move { (played_text) ". " }
        b { (over.result()) } ": " (over.reason()) "."
    }
}

/// The last move and the side that made it.
fn played_text(ctx: &RenderContext<'_>) -> Option<(Side, Markup)> {
    let (mover, mv) = last_mover(&ctx.shown_state).zip(ctx.shown_state.last_move())?;
    Some((
        mover,
        html! { b { (ctx.unambiguous_name(mover)) } " played " b { (mv) } },
    ))
}

/// The last move and, in nested games, where the next move has to go.
fn last_move_text(ctx: &RenderContext<'_>) -> Markup {
    let Some((mover, played_text)) = played_text(ctx) else {
        return html! {};
    };
    let Family::Nested(options) = ctx.shown_state.variant().family() else {
        return html! { (played_text) ". " };
    };
    let side = ctx.shown_state.side();
    let next = html! { b { (ctx.unambiguous_name(side)) } };
    match move_area(&ctx.shown_state) {
        Some((MoveArea::Board(path), is_extra_move)) => html! {
            (played_text) ", so "
            (next) @if is_extra_move && mover == side { " moves again and" } " must play in board " b { (path) } ". "
        },
        Some((
            MoveArea::Free {
                target,
                reason,
                inside,
            },
            _,
        )) => html! {
            (played_text) ". Board " b { (target) } " is " (reason) " (rule " (options.won_board_rule().label()) "), so "
            (next) " can play "
            @if inside.is_empty() { "anywhere else. " } @else { "elsewhere in board " b { (inside) } ". " }
        },
        _ => html! { (played_text) ". " },
    }
}

fn turn_text(ctx: &RenderContext<'_>) -> Markup {
    let side = ctx.shown_state.side();
    let instruction = ctx.shown_state.instruction();
    // The previous sentence has already named the target board.
    let is_target_named = matches!(
        move_area(&ctx.shown_state),
        Some((MoveArea::Board(_) | MoveArea::Free { .. }, _))
    );
    let name = html! { b { (ctx.unambiguous_name(side)) } };
    if ctx.is_bot(side) {
        return match ctx.snapshot.paused && ctx.is_bot(side.other()) {
            true => html! { "Paused. Next to move: " (name) "." },
            false if ctx.snapshot.thinking => html! { (name) " is thinking…" },
            false => html! { "It's " (name) "'s turn." },
        };
    }
    if !ctx.viewer.plays(side) {
        let is_away = ctx.snapshot.is_online && !ctx.snapshot.connected[side as usize];
        return html! {
            "It's " (name) "'s turn" @if is_away { ", but they're offline" } "."
        };
    }
    match (ctx.plays_both_sides(), is_target_named) {
        (true, true) => html! {},
        (true, false) => html! { (name) " (" (side) "): " (instruction) "." },
        (false, true) => html! { "Your turn." },
        (false, false) => html! { "Your turn: " (instruction) "." },
    }
}

/// The side that made the last move.
fn last_mover(state: &AnyGameState) -> Option<Side> {
    state.move_sides().pop()
}

/// Where the next move of a nested game can go, and whether it is an extra move.
fn move_area(state: &AnyGameState) -> Option<(MoveArea, bool)> {
    let nested = state.nested().filter(|state| state.depth() > 1)?;
    Some((nested.move_area(), nested.is_extra_move()))
}
