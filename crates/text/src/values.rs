//! Values of positions and moves. What is proved and what is estimated never look alike.

use noughts_engine::{ExactValue, GameValue, Value, win_chance};
use noughts_rules::Side;

use crate::plural;

/// A value in one glance, for the side to move: `▲5` (wins in 5 moves), `=` (a draw), `▼4` (loses in 4 moves) where
/// it is proved, otherwise a win chance such as `66%`; `?` where nothing is known.
///
/// ```
/// use noughts_engine::{ExactValue, Value};
/// use noughts_text::value_symbol;
/// assert_eq!(value_symbol(Value::Exact(ExactValue::win(5))), "▲5");
/// assert_eq!(value_symbol(Value::Estimate { mean: 0.32, error: 0.1 }), "66%");
/// ```
#[must_use]
pub fn value_symbol(value: Value) -> String {
    match value {
        Value::Exact(exact) => {
            let symbol = match exact.game_value() {
                GameValue::Win => "▲",
                GameValue::Draw => "=",
                GameValue::Loss => "▼",
            };
            match exact.plies() {
                Some(plies) if exact.game_value() != GameValue::Draw => format!("{symbol}{plies}"),
                _ => symbol.into(),
            }
        }
        Value::Estimate { .. } if is_unknown(value) => "?".into(),
        Value::Estimate { mean, .. } => format!("{}%", win_chance(mean)),
    }
}

/// A proved value for the side to move: `win in 5 moves (both players counted)`, `draw`.
#[must_use]
pub fn proved_value(value: ExactValue) -> String {
    let counted = match value.plies() {
        Some(2..) => " (both players counted)",
        _ => "",
    };
    let result = value.game_value().as_str();
    format!("{result}{distance}{counted}", distance = distance(value))
}

/// What the symbols of [`value_symbol`] mean, for the player who makes the move: `▲3` and
/// `wins in 3 moves, both players counted (proved)`.
#[must_use]
pub fn value_legend() -> [(String, String); 4] {
    let estimate = Value::Estimate {
        mean: 0.16,
        error: 0.1,
    };
    let exact = [ExactValue::win(3), ExactValue::loss(2), ExactValue::DRAW].map(Value::Exact);
    let [win, loss, draw] = exact.map(|value| (value_symbol(value), proved_effect(value)));
    let chance = (value_symbol(estimate), "estimated win chance".into());
    [win, loss, draw, chance]
}

/// What a move does for the player who makes it, as it follows its name: `wins in 5 moves`, `draws`,
/// `has a 66% win chance`.
#[must_use]
pub fn move_value(value: Value) -> String {
    match value {
        Value::Exact(exact) => {
            let verb = match exact.game_value() {
                GameValue::Win => "wins",
                GameValue::Draw => "draws",
                GameValue::Loss => "loses",
            };
            format!("{verb}{distance}", distance = distance(exact))
        }
        Value::Estimate { .. } if is_unknown(value) => "isn't evaluated yet".into(),
        Value::Estimate { mean, .. } => {
            format!("has a {chance}% win chance", chance = win_chance(mean))
        }
    }
}

/// A recommended move and what it does, without a period: `b2 wins in 5 moves, both players counted (proved)`.
///
/// ```
/// use noughts_engine::{ExactValue, Value};
/// use noughts_text::hint;
/// assert_eq!(hint("b2", Value::Exact(ExactValue::DRAW)), "b2 draws (proved)");
/// assert_eq!(hint("b2", Value::Estimate { mean: 0.32, error: 0.1 }), "b2 has a 66% win chance");
/// ```
#[must_use]
pub fn hint(mv: &str, value: Value) -> String {
    format!("{mv} {effect}", effect = proved_effect(value))
}

/// What a move does, and whether that is proved.
fn proved_effect(value: Value) -> String {
    let proved = match value {
        Value::Exact(exact) if exact.plies().is_some_and(|plies| plies > 1) => {
            ", both players counted (proved)"
        }
        Value::Exact(_) => " (proved)",
        Value::Estimate { .. } => "",
    };
    format!("{value}{proved}", value = move_value(value))
}

/// A value from X's point of view, so that bars, plots and lists have one direction.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ValueForX(Value);

impl ValueForX {
    /// A value that was given for the side to move.
    #[must_use]
    pub fn from_side(value: Value, side: Side) -> ValueForX {
        ValueForX(match side {
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

    /// Nothing is known.
    #[must_use]
    pub fn is_unknown(self) -> bool {
        is_unknown(self.0)
    }

    /// The value for this side.
    #[must_use]
    pub fn value_for(self, side: Side) -> Value {
        ValueForX::from_side(self.0, side).0
    }

    /// `X wins in 3 moves (proved)`, `Draw (proved)`, `X 66%`, `Even`.
    #[must_use]
    pub fn to_text(self) -> String {
        match self.0 {
            Value::Exact(_) => format!("{value} (proved)", value = self.to_short_text()),
            Value::Estimate { .. } if self.is_unknown() => "Not evaluated yet".into(),
            Value::Estimate { .. } => self.to_short_text(),
        }
    }

    /// The same without saying whether it is proved.
    #[must_use]
    pub fn to_short_text(self) -> String {
        match self.0 {
            Value::Exact(exact) => {
                let winner = match exact.game_value() {
                    GameValue::Draw => return "Draw".into(),
                    GameValue::Win => Side::X,
                    GameValue::Loss => Side::O,
                };
                match exact.plies() {
                    Some(0) => format!("{winner} has won"),
                    _ => format!("{winner} wins{distance}", distance = distance(exact)),
                }
            }
            Value::Estimate { .. } if self.is_unknown() => "?".into(),
            Value::Estimate { mean, .. } => match win_chance(mean) {
                50 => "Even".into(),
                chance if chance > 50 => format!("X {chance}%"),
                chance => format!("O {}%", 100 - chance),
            },
        }
    }
}

fn distance(exact: ExactValue) -> String {
    match exact.plies() {
        None | Some(0) => String::new(),
        Some(plies) => format!(" in {moves}", moves = plural(plies, "move")),
    }
}

fn is_unknown(value: Value) -> bool {
    matches!(value, Value::Estimate { error, .. } if error >= 1.0)
}

fn negated(value: Value) -> Value {
    match value {
        Value::Exact(exact) => {
            Value::Exact(ExactValue::new(exact.game_value().reverse(), exact.plies()))
        }
        Value::Estimate { mean, error } => Value::Estimate { mean: -mean, error },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: Value, side: Side) -> String {
        ValueForX::from_side(value, side).to_text()
    }

    #[test]
    fn the_winner_does_not_depend_on_the_side_to_move() {
        let (win, loss) = (ExactValue::win(3), ExactValue::loss(3));
        assert_eq!(
            text(Value::Exact(win), Side::X),
            "X wins in 3 moves (proved)"
        );
        assert_eq!(
            text(Value::Exact(loss), Side::O),
            "X wins in 3 moves (proved)"
        );
        assert_eq!(
            text(Value::Exact(win), Side::O),
            "O wins in 3 moves (proved)"
        );
        let estimate = Value::Estimate {
            mean: -0.321,
            error: 0.1,
        };
        assert_eq!(text(estimate, Side::O), "X 66%");
        assert_eq!(text(estimate, Side::X), "O 66%");
    }

    /// An estimate of a draw isn't a proved draw.
    #[test]
    fn proved_and_estimated_values_never_read_alike() {
        let even = Value::Estimate {
            mean: 0.0,
            error: 0.2,
        };
        let draw = Value::Exact(ExactValue::DRAW);
        assert_eq!(text(draw, Side::O), "Draw (proved)");
        assert_eq!(text(even, Side::O), "Even");
        assert_eq!(text(Value::UNKNOWN, Side::X), "Not evaluated yet");
        assert_eq!(
            text(Value::Exact(ExactValue::loss(0)), Side::O),
            "X has won (proved)"
        );
        assert_eq!([value_symbol(draw), value_symbol(even)], ["=", "50%"]);
        assert_eq!(
            [move_value(draw), move_value(even)],
            ["draws", "has a 50% win chance"]
        );
    }

    /// An estimate must not be mistaken for a proof.
    #[test]
    fn only_proved_values_are_called_proved() {
        for (value, words) in [
            (Value::Exact(ExactValue::win(1)), "wins in 1 move (proved)"),
            (
                Value::Exact(ExactValue::win(3)),
                "wins in 3 moves, both players counted (proved)",
            ),
            (
                Value::Exact(ExactValue::without_distance(GameValue::Win)),
                "wins (proved)",
            ),
            (Value::Exact(ExactValue::DRAW), "draws (proved)"),
            (Value::Exact(ExactValue::loss(4)), "loses in 4 moves"),
            (
                Value::Estimate {
                    mean: -0.25,
                    error: 0.1,
                },
                "38% win chance",
            ),
            (Value::UNKNOWN, "isn't evaluated yet"),
        ] {
            let hint = hint("b2", value);
            assert!(hint.contains(words), "{hint}");
            assert_eq!(hint.contains("proved"), value.exact().is_some(), "{hint}");
        }
    }

    #[test]
    fn values_for_either_side_round_trip() {
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
                assert_eq!(ValueForX::from_side(value, side).value_for(side), value);
            }
        }
    }
}
