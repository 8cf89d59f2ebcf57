//! The sentence below the board: what happened, where that sends, what is expected.

use maud::{Markup, html};
use noughts_rules::{AnyGameState, MoveArea, Outcome, Side, Variant};

use super::render_context::RenderContext;
use crate::view::formatting;

pub(super) fn status_text(seen: &RenderContext<'_>) -> Markup {
    html! {
        p {
            @if seen.is_analysis_board() { (study(seen)) }
            @else if seen.is_viewing_past() { (back(seen)) }
            @else if seen.snapshot.over.is_some() { (ended(seen)) }
            @else if seen.snapshot.invited != [false; 2] { (waiting(seen)) }
            @else { (sent(seen)) (expected(seen)) }
        }
        @if seen.snapshot.over.is_none() && let Some(how) = seen.snapshot.assisted {
            p.soft { "This game isn't rated: " (how.to_string()) "." }
        }
    }
}

/// Nobody plays here: the rules' own words.
fn study(seen: &RenderContext<'_>) -> Markup {
    html! { (formatting::capitalize(&seen.shown_state.prompt())) "." }
}

fn back(seen: &RenderContext<'_>) -> Markup {
    let (ply, all) = (
        formatting::move_count(&seen.shown_state),
        formatting::move_count(&seen.snapshot.state),
    );
    match (last(&seen.shown_state), seen.shown_state.last_move()) {
        (Some(side), Some(mv)) => html! {
            "Move " (ply) " of " (all) ": " b { (seen.display_name(side)) } " (" (side) ") played " b { (mv) } "."
        },
        _ => html! { "The start, before the first of " (formatting::pluralize(all, "move")) "." },
    }
}

fn ended(seen: &RenderContext<'_>) -> Markup {
    let how = seen.ending_text();
    let last =
        played(seen).filter(|_| seen.snapshot.over.is_some_and(|(_, end)| end.is_by_rules()));
    html! {
        @if let Some((_, played)) = last { (played) ". " }
        (result(seen, &how))
    }
}

fn result(seen: &RenderContext<'_>, how: &str) -> Markup {
    match seen.snapshot.over {
        Some((Some(Outcome::Win(winner)), _)) => html! {
            b { (seen.display_name(winner)) } " (" (winner) ") wins: " (how) "."
        },
        Some((Some(Outcome::Draw), _)) => html! { b { "A draw" } ": " (how) "." },
        _ => html! { b { "No result" } ": " (how) "." },
    }
}

fn waiting(seen: &RenderContext<'_>) -> Markup {
    match seen.is_player() {
        true => html! {
            "Waiting for your friend. The game begins when somebody has opened the link."
        },
        false => html! { "The game begins when the invited player has come." },
    }
}

/// Who has played what.
fn played(seen: &RenderContext<'_>) -> Option<(Side, Markup)> {
    let (by, mv) = last(&seen.shown_state).zip(seen.shown_state.last_move())?;
    Some((
        by,
        html! { b { (seen.unambiguous_name(by)) } " played " b { (mv) } },
    ))
}

/// The last move, and what that of a nested game means for the next one.
fn sent(seen: &RenderContext<'_>) -> Markup {
    let Some((by, played)) = played(seen) else {
        return html! {};
    };
    let Variant::Nested(options) = seen.shown_state.variant() else {
        return html! { (played) ". " };
    };
    let side = seen.shown_state.side();
    let next = html! { b { (seen.unambiguous_name(side)) } };
    match place(&seen.shown_state) {
        Some((MoveArea::Board(path), extra)) => html! {
            (played) ": "
            @if by == side {
                (next) @if extra { " moves again and" } " is sent to board " b { (path) } ". "
            } @else {
                (next) " is sent to board " b { (path) } ". "
            }
        },
        Some((
            MoveArea::Free {
                target,
                reason: why,
                inside,
            },
            _,
        )) => html! {
            (played) ". Board " b { (target) } " is " (why) " (" (formatting::won_board_rule_label(options)) "): "
            (next) " plays "
            @if inside.is_empty() { "anywhere else. " } @else { "elsewhere in board " b { (inside) } ". " }
        },
        _ => html! { (played) ". " },
    }
}

fn expected(seen: &RenderContext<'_>) -> Markup {
    let side = seen.shown_state.side();
    let task = seen.shown_state.instruction();
    // Where the sentence before it says all that there is to do.
    let told = matches!(
        place(&seen.shown_state),
        Some((MoveArea::Board(_) | MoveArea::Free { .. }, _))
    );
    let name = html! { b { (seen.unambiguous_name(side)) } };
    if seen.is_bot(side) {
        return match seen.snapshot.paused && seen.is_bot_match() {
            true => html! { "Paused before the move of " (name) "." },
            false if seen.snapshot.thinking => html! { (name) " is thinking…" },
            false => html! { (name) " is to move." },
        };
    }
    if !seen.viewer.plays(side) {
        let away = seen.snapshot.is_online && !seen.snapshot.connected[side as usize];
        return html! {
            (name) " is to move" @if away { ", but is away just now" } "."
        };
    }
    match (seen.plays_both_sides(), told) {
        (true, true) => html! {},
        (true, false) => html! { (name) " (" (side) "): " (task) "." },
        (false, true) => html! { "Your move." },
        (false, false) => html! { "Your move: " (task) "." },
    }
}

/// Who made the last move.
fn last(play: &AnyGameState) -> Option<Side> {
    play.move_sides().pop()
}

/// Where the next move of a nested game may go, and whether it is an extra one.
fn place(play: &AnyGameState) -> Option<(MoveArea, bool)> {
    let nested = play.nested().filter(|play| play.depth() > 1)?;
    Some((nested.move_area(), nested.is_extra_move()))
}
