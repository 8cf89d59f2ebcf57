//! Values of positions and moves. A proved value is a word and an estimate is a number, so that no
//! program can mix them up.

use noughts_engine::Value;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A value for the side to move; of a move, for the player who makes it.
///
/// ```
/// use noughts_engine::{ExactValue, Value};
/// use noughts_wire::PositionValue;
/// let json = |value| serde_json::to_string(&PositionValue::from(value)).unwrap();
/// assert_eq!(json(Value::Exact(ExactValue::win(5))), r#"{"exact":true,"value":"win","plies":5}"#);
/// let estimate = Value::Estimate { mean: 0.123_456, error: 0.1 };
/// assert_eq!(json(estimate), r#"{"exact":false,"value":0.1235,"plies":null}"#);
/// ```
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct PositionValue {
    /// Whether the value is proved.
    pub exact: bool,
    /// `win`, `loss` or `draw` if it is proved; otherwise an estimate from −1 to 1; null if nothing is known yet.
    pub value: Option<ProvedOrEstimated>,
    /// The number of plies of best play until the win or loss, if that is proved.
    pub plies: Option<u32>,
}

/// A proved result, or an estimate.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
#[serde(untagged)]
pub enum ProvedOrEstimated {
    /// `win`, `loss` or `draw`.
    Proved(String),
    /// From −1 (loss) to 1 (win), with four decimals.
    Estimated(f64),
}

impl From<Value> for PositionValue {
    fn from(value: Value) -> PositionValue {
        match value {
            Value::Exact(exact) => PositionValue {
                exact: true,
                value: Some(ProvedOrEstimated::Proved(
                    exact.game_value().as_str().into(),
                )),
                plies: exact.plies(),
            },
            Value::Estimate { mean, .. } => PositionValue {
                exact: false,
                value: Some(ProvedOrEstimated::Estimated(round_estimate(mean))),
                plies: None,
            },
        }
    }
}

impl PositionValue {
    /// The same, with null for an estimate that nothing is known about yet.
    #[must_use]
    pub fn if_known(value: Value) -> PositionValue {
        let mut shown = PositionValue::from(value);
        if matches!(value, Value::Estimate { error, .. } if error >= 1.0) {
            shown.value = None;
        }
        shown
    }
}

/// Rounds an estimate to four decimals; more would be noise. The result is a number that JSON has,
/// from −1 to 1, and never a negative zero.
///
/// ```
/// use noughts_wire::round_estimate;
/// assert_eq!(round_estimate(0.123_46), 0.1235);
/// assert_eq!(round_estimate(-0.000_01).to_string(), "0");
/// assert_eq!(round_estimate(f64::NAN), 0.0);
/// ```
#[must_use]
pub fn round_estimate(number: f64) -> f64 {
    let rounded = (number * 10_000.0).round() / 10_000.0;
    match rounded.is_finite() && rounded != 0.0 {
        true => rounded.clamp(-1.0, 1.0),
        false => 0.0,
    }
}
