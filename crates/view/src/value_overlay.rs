//! The values of moves, laid over the board. A proved value is a filled cell with a symbol;
//! an estimate has a dashed outline and is a win chance in percent, so that the two can't be
//! confused.

use maud::{Markup, html};
use noughts_engine::{GameValue, SearchReport, Value};
use noughts_rules::{AnyGameState, BoardLook, Place, Side, Target};
use noughts_text::value_symbol;

use super::layout::Layout;
use super::navigation::board_at;
use super::svg::{Rounded, Square, SvgWriter, side_class};

/// The best of the moves that are shown at one square.
struct SquareValue {
    square: Square,
    /// Where the best one goes.
    place: Place,
    /// The moves move the frame there.
    is_frame_move: bool,
    value: Value,
    is_best: bool,
    /// Are there other moves to the same cell?
    has_others: bool,
    /// Is there a piece or a line of the board?
    is_on_drawing: bool,
}

/// The values of a report's moves, to be laid over the board at `path`.
#[must_use]
pub fn value_overlay(state: &AnyGameState, path: &str, report: &SearchReport<String>) -> Markup {
    let view = state.view();
    let shape = view.shape();
    let layout = Layout::new(&shape, board_at(&shape, path), view.frame().is_some());
    let has_lines = matches!(shape.look, BoardLook::Points(_));
    let mut values: Vec<SquareValue> = Vec::new();
    for ranked in &report.moves {
        // Where it ends: a piece that is moved is seen to go to the last of these.
        let Some(&place) = view.shown_places(&ranked.mv).last() else {
            continue;
        };
        let Some(square) = layout.square(place) else {
            continue;
        };
        let taps = view.taps_of(&ranked.mv).unwrap_or_default();
        let is_frame_move = taps.first() == Some(&Target::Frame);
        let is_best = report.best.as_ref() == Some(&ranked.mv);
        let existing = values
            .iter_mut()
            .find(|shown| shown.square == square && shown.is_frame_move == is_frame_move);
        match existing {
            Some(shown) => {
                shown.value = better_value(shown.value, ranked.value);
                shown.is_best |= is_best;
                shown.has_others |= shown.place == place;
            }
            None => values.push(SquareValue {
                square,
                place,
                is_frame_move,
                value: ranked.value,
                is_best,
                has_others: false,
                is_on_drawing: has_lines || view.cell(place).top().is_some(),
            }),
        }
    }
    html! {
        @for shown in &values {
            @let has_frame_value = values.iter().any(|other| other.is_frame_move != shown.is_frame_move && other.square == shown.square);
            @match shown.is_frame_move {
                true => (frame_value(shown, state.side())),
                false => (cell_value(shown, state.side(), has_frame_value)),
            }
        }
    }
}

/// The better of two values for the side to move; of equal values, the proved one.
fn better_value(one: Value, other: Value) -> Value {
    match (one, other) {
        (Value::Exact(a), Value::Exact(b)) => Value::Exact(a.max(b)),
        _ if one.expected_result() > other.expected_result() => one,
        _ if one.expected_result() < other.expected_result() => other,
        (Value::Exact(_), _) => one,
        _ => other,
    }
}

/// The class of the side that wins by a proved value.
fn value_class(value: Value, side: Side) -> &'static str {
    match value.exact().map(noughts_engine::ExactValue::game_value) {
        Some(GameValue::Win) => side_class(side),
        Some(GameValue::Loss) => side_class(side.other()),
        Some(GameValue::Draw) => "draw",
        None => "estimate",
    }
}

/// The class of the area that shows a value.
fn area_class(shown: &SquareValue, side: Side) -> String {
    let best_class = if shown.is_best { " best" } else { "" };
    match shown.value {
        Value::Exact(_) => format!("tint {}{best_class}", value_class(shown.value, side)),
        Value::Estimate { .. } => format!("estimate-outline{best_class}"),
    }
}

/// The value of a move to a cell; a plus sign if there are other moves to it. The text is lower where the cell also has
/// the value of a move of the frame.
fn cell_value(shown: &SquareValue, side: Side, has_frame_value: bool) -> Markup {
    let SquareValue { square, value, .. } = *shown;
    let size = square.size;
    let covering = if shown.is_on_drawing { " covering" } else { "" };
    let value_class = format!("{}{covering}", value_class(value, side));
    let mut writer = SvgWriter::default();
    writer.rounded_square(
        &area_class(shown, side),
        square.inset(size * 0.065),
        size * 0.12,
    );
    let font_size = match value {
        Value::Exact(_) => (size * 0.3).clamp(6.5, 24.0),
        Value::Estimate { .. } => (size * 0.2).clamp(6.0, 17.0),
    };
    let (x, y) = square.center();
    let y = if has_frame_value { y + size * 0.14 } else { y };
    html! {
        (writer.finish())
        text class={ "value " (value_class) } x=(Rounded(x)) y=(Rounded(y)) font-size=(Rounded(font_size)) { (value_symbol(value)) }
        @if shown.has_others {
            text class={ "value more " (value_class) } x=(Rounded(square.x + size * 0.82)) y=(Rounded(square.y + size * 0.8))
                font-size=(Rounded((size * 0.18).clamp(6.0, 14.0))) { "+" }
        }
    }
}

/// The value of moving the frame's center to a cell, small in its corner.
fn frame_value(shown: &SquareValue, side: Side) -> Markup {
    let SquareValue { square, value, .. } = *shown;
    let (value_class, size) = (value_class(value, side), square.size);
    let (width, height) = (size * 0.64, size * 0.27);
    let (x, y) = (square.x + size - width - 2.0, square.y + 2.0);
    html! {
        rect class=(area_class(shown, side)) x=(Rounded(x)) y=(Rounded(y)) width=(Rounded(width)) height=(Rounded(height)) rx="4" {}
        text class={ "value " (value_class) } x=(Rounded(x + width / 2.0)) y=(Rounded(y + height / 2.0))
            font-size=(Rounded(size * 0.16)) { "⊞" (value_symbol(value)) }
    }
}
