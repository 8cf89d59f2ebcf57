//! A player's panel: mark, name, record or honest sentence, pieces in hand.

use maud::{Markup, html};
use noughts_engine::BotKind;
use noughts_rules::{AnyGameState, Side};
use noughts_store::Seat;

use super::render_context::RenderContext;
use crate::view::icons;

pub(super) fn player_panel(seen: &RenderContext<'_>, side: Side) -> Markup {
    let waits = seen.is_viewing_past() || seen.snapshot.invited != [false; 2];
    let turn = seen.is_ongoing() && seen.shown_state.side() == side && !waits;
    let won = seen.loser() == Some(side.other());
    let mut class = format!("panel {}", side.letter());
    for (word, _) in [(" turn", turn), (" won", won)]
        .iter()
        .filter(|(_, is)| *is)
    {
        class += word;
    }
    html! {
        div class=(class) {
            div.who {
                (icons::side_mark(side))
                div {
                    h2 { (seen.display_name(side)) }
                    p.note { (note(seen, side)) }
                }
            }
            @if turn { p.turn-word { (turn_word(seen, side)) } }
            @if won { p.turn-word { "Winner" } }
            (standing(seen, side))
            (hand(seen, side))
        }
    }
}

/// Who it is to the visitor.
fn note(seen: &RenderContext<'_>, side: Side) -> String {
    let here = seen.snapshot.connected[side as usize];
    let letter = side.to_string();
    match seen.seat(side) {
        _ if seen.is_invite_pending(side) => format!("{letter} · invited by a link"),
        Seat::Deleted => format!("{letter} · not here any more"),
        Seat::Bot(_) => format!("{letter} · computer"),
        Seat::Player(_) | Seat::Guest if seen.viewer_side() == Some(side) => {
            format!("{letter} · you")
        }
        Seat::Player(_) | Seat::Guest if seen.viewer.plays(side) || !seen.snapshot.is_online => {
            letter
        }
        Seat::Player(_) | Seat::Guest if here => format!("{letter} · connected"),
        Seat::Player(_) | Seat::Guest => format!("{letter} · away"),
    }
}

fn turn_word(seen: &RenderContext<'_>, side: Side) -> &'static str {
    if seen.is_bot(side) && seen.snapshot.thinking {
        "Thinking…"
    } else if seen.viewer_side() == Some(side) {
        "Your turn"
    } else {
        "To move"
    }
}

/// A person's record, a computer's sentence.
fn standing(seen: &RenderContext<'_>, side: Side) -> Markup {
    match seen.seat(side) {
        Seat::Bot(name) => {
            let kind: Option<BotKind> = name.parse().ok();
            let variant = seen.snapshot.state.variant();
            html! {
                @if let Some(kind) = kind { p.honest { (kind.description(Some(variant))) } }
            }
        }
        Seat::Player(_) if !seen.is_invite_pending(side) && !seen.is_analysis_board() => {
            let tally = seen.snapshot.tallies[side as usize].unwrap_or_default();
            let row = [
                ("wins", tally.wins),
                ("losses", tally.losses),
                ("ties", tally.draws),
            ];
            html! {
                dl.tally {
                    @for (word, number) in row { div { dt { (word) } dd { (number) } } }
                }
            }
        }
        Seat::Player(_) | Seat::Guest | Seat::Deleted => html! {},
    }
}

/// Tic-Tac-Two: the pieces that are not on the board yet.
fn hand(seen: &RenderContext<'_>, side: Side) -> Markup {
    let AnyGameState::TicTacTwo(play) = seen.shown_state.as_ref() else {
        return html! {};
    };
    let many = play.game().in_hand(play.position(), side);
    let label = match many {
        1 => "1 piece in hand".to_owned(),
        _ => format!("{many} pieces in hand"),
    };
    html! {
        p.hand data-side=(side.letter()) {
            span.unseen { (label) }
            @for _ in 0..many { (icons::side_mark(side)) }
            @if many == 0 { span aria-hidden="true" { "no piece in hand" } }
        }
    }
}
