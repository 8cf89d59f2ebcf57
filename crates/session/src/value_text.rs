//! Position values as text, always from X's point of view, so that bars, plots and lists all point
//! the same way. Proved values and estimates never look alike.

use std::fmt::Write as _;

use noughts_engine::{GameValue, Value, win_chance};
use noughts_rules::Side;

/// A value from X's point of view.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct XRelativeValue(Value);

impl XRelativeValue {
    /// Converts a value from this side's point of view.
    #[must_use]
    pub fn from_side(value: Value, side: Side) -> XRelativeValue {
        XRelativeValue(match side {
            Side::X => value,
            Side::O => negated(value),
        })
    }

    /// From −1 (O has won) to 1 (X has won).
    #[must_use]
    pub fn expected_result(self) -> f64 {
        self.0.expected_result()
    }

    /// Is it proved?
    #[must_use]
    pub fn is_exact(self) -> bool {
        self.0.exact().is_some()
    }

    /// Is nothing known about it?
    #[must_use]
    pub fn is_unknown(self) -> bool {
        matches!(self.0, Value::Estimate { error, .. } if error >= 1.0)
    }

    /// The value from this side's point of view.
    #[must_use]
    pub fn value_for(self, side: Side) -> Value {
        XRelativeValue::from_side(self.0, side).0
    }

    /// `X wins in 3 (exact)`, `= draw (exact)`, `~ X 66% (estimate)`.
    #[must_use]
    pub fn to_text(self) -> String {
        match self.0 {
            Value::Exact(_) => format!("{} (exact)", self.to_short_text()),
            Value::Estimate { .. } if self.is_unknown() => "~ not known yet".into(),
            Value::Estimate { .. } => format!("{} (estimate)", self.to_short_text()),
        }
    }

    /// `X wins in 3`, `= draw`, `~ X 66%`.
    #[must_use]
    pub fn to_short_text(self) -> String {
        match self.0 {
            Value::Exact(exact) => {
                let winner = match exact.game_value() {
                    GameValue::Draw => return "= draw".into(),
                    GameValue::Win => Side::X,
                    GameValue::Loss => Side::O,
                };
                let mut text = match exact.plies() {
                    Some(0) => format!("{winner} has won"),
                    _ => format!("{winner} wins"),
                };
                if let Some(plies) = exact.plies().filter(|&plies| plies > 0) {
                    let _ = write!(text, " in {plies}");
                }
                text
            }
            Value::Estimate { .. } if self.is_unknown() => "~ ?".into(),
            Value::Estimate { mean, .. } => match side_ahead(mean) {
                Some(side) => format!("~ {side} {}%", win_chance(mean.abs())),
                None => "~ even".into(),
            },
        }
    }
}

/// What a move does for the mover, to follow the move's name and "which".
#[must_use]
pub fn mover_value_text(value: Value) -> String {
    match value {
        Value::Exact(exact) => {
            let verb = match exact.game_value() {
                GameValue::Win => "wins",
                GameValue::Draw => return "holds the draw (exact)".into(),
                GameValue::Loss => "loses",
            };
            match exact.plies() {
                Some(plies) => format!("{verb} in {plies} (exact)"),
                None => format!("{verb} (exact)"),
            }
        }
        Value::Estimate { mean, error } if error < 1.0 => {
            format!("has a win chance of {}% (estimate)", win_chance(mean))
        }
        Value::Estimate { .. } => "is a guess (estimate)".into(),
    }
}

/// The side that is ahead, judged by whole percentages.
fn side_ahead(mean: f64) -> Option<Side> {
    if win_chance(mean) > 50 {
        Some(Side::X)
    } else if win_chance(mean) < 50 {
        Some(Side::O)
    } else {
        None
    }
}

fn negated(value: Value) -> Value {
    match value {
        Value::Exact(exact) => Value::Exact(negated_exact(exact)),
        Value::Estimate { mean, error } => Value::Estimate { mean: -mean, error },
    }
}

fn negated_exact(exact: noughts_engine::ExactValue) -> noughts_engine::ExactValue {
    use noughts_engine::ExactValue;
    match (exact.game_value(), exact.plies()) {
        (GameValue::Win, Some(plies)) => ExactValue::loss(plies),
        (GameValue::Loss, Some(plies)) => ExactValue::win(plies),
        (game_value, _) => ExactValue::without_distance(game_value.reverse()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use noughts_engine::ExactValue;

    fn text(value: Value, side: Side) -> String {
        XRelativeValue::from_side(value, side).to_text()
    }

    #[test]
    fn the_text_does_not_depend_on_the_side_to_move() {
        let win = Value::Exact(ExactValue::win(3));
        let loss = Value::Exact(ExactValue::loss(3));
        assert_eq!(text(win, Side::X), "X wins in 3 (exact)");
        assert_eq!(text(loss, Side::O), "X wins in 3 (exact)");
        assert_eq!(text(win, Side::O), "O wins in 3 (exact)");
        let estimate = Value::Estimate {
            mean: -0.321,
            error: 0.1,
        };
        assert_eq!(text(estimate, Side::O), "~ X 66% (estimate)");
        assert_eq!(text(estimate, Side::X), "~ O 66% (estimate)");
    }

    /// An estimated draw is still an estimate.
    #[test]
    fn proved_values_and_estimates_never_look_alike() {
        let even = Value::Estimate {
            mean: 0.0,
            error: 0.2,
        };
        assert_eq!(
            text(Value::Exact(ExactValue::DRAW), Side::O),
            "= draw (exact)"
        );
        assert_eq!(text(even, Side::O), "~ even (estimate)");
        assert_eq!(text(Value::UNKNOWN, Side::X), "~ not known yet");
        assert_eq!(
            text(Value::Exact(ExactValue::loss(0)), Side::O),
            "X has won (exact)"
        );
        assert_eq!(
            mover_value_text(Value::Exact(ExactValue::DRAW)),
            "holds the draw (exact)"
        );
        assert_eq!(mover_value_text(even), "has a win chance of 50% (estimate)");
    }

    #[test]
    fn values_round_trip_between_points_of_view() {
        for value in [
            Value::Exact(ExactValue::win(3)),
            Value::Exact(ExactValue::DRAW),
            Value::Exact(ExactValue::without_distance(GameValue::Loss)),
            Value::Estimate {
                mean: 0.25,
                error: 0.1,
            },
        ] {
            for side in Side::BOTH {
                assert_eq!(
                    XRelativeValue::from_side(value, side).value_for(side),
                    value
                );
            }
        }
    }
}
