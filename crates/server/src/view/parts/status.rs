//! The status text below the board: the last move, whose turn it is, and what they may do.

use maud::{Markup, html};
use noughts_rules::{AnyGameState, Side};
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

/// The last move.
fn last_move_text(ctx: &RenderContext<'_>) -> Markup {
    match played_text(ctx) {
        Some((mover, played_text)) if mover == ctx.shown_state.side() => {
            html! { (played_text) " and moves again. " }
        }
        Some((_, played_text)) => html! { (played_text) ". " },
        None => html! {},
    }
}

fn turn_text(ctx: &RenderContext<'_>) -> Markup {
    let side = ctx.shown_state.side();
    let name = html! { b { (ctx.unambiguous_name(side)) } };
    if ctx.is_bot(side) {
        return match ctx.snapshot.paused && ctx.is_bot(side.other()) {
            true => html! { "Paused. Next to move: " (name) "." },
            false if ctx.snapshot.thinking => html! { (name) " is thinking…" },
            false => html! { "It's " (name) "'s turn" (in_board(ctx)) "." },
        };
    }
    if !ctx.viewer.plays(side) {
        let is_away = ctx.snapshot.is_online && !ctx.snapshot.connected[side as usize];
        return html! {
            "It's " (name) "'s turn" (in_board(ctx)) @if is_away { ", but they're offline" } "."
        };
    }
    let instruction = ctx.shown_state.instruction();
    match ctx.plays_both_sides() {
        true => html! { b { (ctx.display_name(side)) } " (" (side) "): " (instruction) "." },
        false => html! { "Your turn: " (instruction) "." },
    }
}

/// The board that the next move must go to, if it can't go anywhere.
fn in_board(ctx: &RenderContext<'_>) -> Markup {
    let view = ctx.shown_state.view();
    let board = view.place_name(view.focus());
    html! { @if !board.is_empty() { " in board " b { (board) } } }
}

/// The side that made the last move.
fn last_mover(state: &AnyGameState) -> Option<Side> {
    state.move_sides().pop()
}
