//! What an analysis says of moves, laid over the board. A proved value is a filled
//! cell with a sign; an estimate has a broken outline and is a win chance in percent:
//! the two are never taken for each other.

use maud::{Markup, html};
use noughts_engine::{GameValue, SearchReport, Value, win_chance};
use noughts_rules::{AnyGameState, BoardKind, Game, Side, TicTacTwoMove};

use super::svg::{Rounded, Square, SvgWriter, side_class};
use super::{mnk, nested, tic_tac_two};

/// Proved: `▲3` wins in three, `▼4` loses in four, `=` draws. Estimated: the win chance, `66%`.
#[must_use]
pub fn value_label(value: Value) -> String {
    match value {
        Value::Exact(exact) => {
            let sign = match exact.game_value() {
                GameValue::Win => "▲",
                GameValue::Draw => "=",
                GameValue::Loss => "▼",
            };
            match exact.plies() {
                Some(plies) if exact.game_value() != GameValue::Draw => format!("{sign}{plies}"),
                _ => sign.into(),
            }
        }
        Value::Estimate { mean, .. } => format!("{}%", win_chance(mean)),
    }
}

/// What is shown at a place: the best of the moves that lead there.
struct Spot {
    at: Square,
    /// Tic-Tac-Two: it moves the grid there.
    grid: bool,
    value: Value,
    best: bool,
}

/// What an analysis knows of the visible cells, to be laid over the board.
#[must_use]
pub fn value_overlay(play: &AnyGameState, path: &str, report: &SearchReport<String>) -> Markup {
    let mut spots: Vec<Spot> = Vec::new();
    for ranked in &report.moves {
        let Some((at, grid)) = place(play, path, &ranked.mv) else {
            continue;
        };
        let best = report.best.as_ref() == Some(&ranked.mv);
        let there = spots
            .iter_mut()
            .find(|spot| spot.at == at && spot.grid == grid);
        match there {
            Some(spot) => {
                spot.value = better(spot.value, ranked.value);
                spot.best |= best;
            }
            None => spots.push(Spot {
                at,
                grid,
                value: ranked.value,
                best,
            }),
        }
    }
    html! {
        @for spot in &spots {
            @let beside = spots.iter().any(|other| other.grid != spot.grid && other.at == spot.at);
            @match spot.grid {
                true => (chip(spot, play.side())),
                false => (cell(spot, play.side(), beside)),
            }
        }
    }
}

/// Where a move is shown, and whether it moves the grid.
fn place(play: &AnyGameState, path: &str, mv: &str) -> Option<(Square, bool)> {
    match play.board_kind() {
        BoardKind::Mnk(play) => Some((mnk::move_square(play, mv)?, false)),
        BoardKind::LargeMnk(play) => Some((mnk::move_square(play, mv)?, false)),
        BoardKind::TicTacTwo(play) => match play.game().parse_move(mv).ok()? {
            TicTacTwoMove::PlacePiece(cell) | TicTacTwoMove::MovePiece(_, cell) => {
                Some((tic_tac_two::layout(play).square(cell), false))
            }
            TicTacTwoMove::MoveGrid(cell) => Some((tic_tac_two::layout(play).square(cell), true)),
        },
        BoardKind::Nested(play) => Some((nested::square_in_view(play, path, mv)?, false)),
    }
}

/// The better of two values for whoever moves; among equals a proof.
fn better(one: Value, other: Value) -> Value {
    match (one, other) {
        (Value::Exact(a), Value::Exact(b)) => Value::Exact(a.max(b)),
        _ if one.expected_result() > other.expected_result() => one,
        _ if one.expected_result() < other.expected_result() => other,
        (Value::Exact(_), _) => one,
        _ => other,
    }
}

/// The hue of who wins; none for guesses.
fn lean(value: Value, side: Side) -> &'static str {
    match value.exact().map(noughts_engine::ExactValue::game_value) {
        Some(GameValue::Win) => side_class(side),
        Some(GameValue::Loss) => side_class(side.other()),
        Some(GameValue::Draw) => "draw",
        None => "rough",
    }
}

/// The value of a move to a cell; lower where a chip is in it, too.
fn cell(spot: &Spot, side: Side, beside: bool) -> Markup {
    let Spot { at, value, .. } = *spot;
    let (size, lean) = (at.size, lean(value, side));
    let best = if spot.best { " best" } else { "" };
    let mut pen = SvgWriter::default();
    let class = match value {
        Value::Exact(_) => format!("tint {lean}{best}"),
        Value::Estimate { .. } => format!("guess{best}"),
    };
    pen.rounded_square(&class, at.inset(size * 0.065), size * 0.12);
    let font = match value {
        Value::Exact(_) => (size * 0.3).clamp(6.5, 24.0),
        Value::Estimate { .. } => (size * 0.2).clamp(6.0, 17.0),
    };
    let (x, y) = at.center();
    let y = if beside { y + size * 0.14 } else { y };
    html! {
        (pen.finish())
        text class={ "val " (lean) } x=(Rounded(x)) y=(Rounded(y)) font-size=(Rounded(font)) { (value_label(value)) }
    }
}

/// The value of moving the grid to a cell, small in its corner.
fn chip(spot: &Spot, side: Side) -> Markup {
    let Spot { at, value, .. } = *spot;
    let (lean, size) = (lean(value, side), at.size);
    let best = if spot.best { " best" } else { "" };
    let (width, height) = (size * 0.64, size * 0.27);
    let (x, y) = (at.x + size - width - 2.0, at.y + 2.0);
    let class = match value {
        Value::Exact(_) => format!("tint {lean}{best}"),
        Value::Estimate { .. } => format!("guess{best}"),
    };
    html! {
        rect class=(class) x=(Rounded(x)) y=(Rounded(y)) width=(Rounded(width)) height=(Rounded(height)) rx="4" {}
        text class={ "val " (lean) } x=(Rounded(x + width / 2.0)) y=(Rounded(y + height / 2.0))
            font-size=(Rounded(size * 0.16)) { "⊞" (value_label(value)) }
    }
}
