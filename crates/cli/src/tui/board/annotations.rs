//! Move values in the few characters that fit in a cell.

use std::cmp::Ordering;
use std::collections::HashMap;

use noughts_engine::{SearchReport, Value};
use noughts_text::value_symbol;
use ratatui::style::Style;

use crate::tui::theme::{Theme, advantage};

/// Values by move text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Annotations(pub(crate) HashMap<String, Value>);

/// A value as shown in a cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Annotation {
    pub(super) text: String,
    pub(super) style: Style,
}

impl From<&SearchReport<String>> for Annotations {
    fn from(report: &SearchReport<String>) -> Annotations {
        let moves = report.moves.iter();
        let values = moves.map(|ranked| (ranked.mv.clone(), ranked.value));
        Annotations(values.collect())
    }
}

impl Annotations {
    /// The columns for each value if a cell has `room`: if one number doesn't fit, all values
    /// become single symbols, so that they stay comparable.
    pub(super) fn width_for_all(&self, room: u16) -> u16 {
        let mut values = self.0.values();
        match values.all(|&value| long_text(value, true).chars().count() <= usize::from(room)) {
            true => room,
            false => 1,
        }
    }
}

/// The better of two values for the side to move; a proved one if they are equal.
pub(super) fn better(first: Value, second: Value) -> Value {
    match (first, second) {
        (Value::Exact(a), Value::Exact(b)) => Value::Exact(a.max(b)),
        _ if first.expected_result() > second.expected_result() => first,
        _ if first.expected_result() < second.expected_result() => second,
        (Value::Exact(_), _) => first,
        _ => second,
    }
}

pub(super) fn annotation(
    value: Value,
    prefix: Option<char>,
    width: u16,
    theme: &Theme,
) -> Annotation {
    let long = long_text(value, theme.ascii());
    let room = usize::from(width).saturating_sub(usize::from(prefix.is_some()));
    let text = if long.chars().count() <= room {
        long
    } else {
        short_symbol(value, theme).to_string()
    };
    Annotation {
        text: prefix.into_iter().chain(text.chars()).collect(),
        style: theme.value(value),
    }
}

/// The value as everywhere, in ASCII with `+3` for `▲3` and `-4` for `▼4`.
fn long_text(value: Value, ascii: bool) -> String {
    let text = value_symbol(value);
    match ascii {
        true => text.replace('▲', "+").replace('▼', "-"),
        false => text,
    }
}

/// The value as one character. Proved values and estimates never share one.
fn short_symbol(value: Value, theme: &Theme) -> char {
    match value {
        Value::Exact(_) => {
            let text = long_text(value, theme.ascii());
            text.chars().next().unwrap_or(' ')
        }
        Value::Estimate { mean, .. } => {
            let [good, even, bad] = theme.symbols().estimate;
            match advantage(mean) {
                Ordering::Greater => good,
                Ordering::Equal => even,
                Ordering::Less => bad,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use noughts_engine::{ExactValue, GameValue};

    use super::*;
    use crate::tui::theme::{Background, ColorDepth};

    fn estimate(mean: f64) -> Value {
        Value::Estimate { mean, error: 0.1 }
    }

    #[test]
    fn numbers_and_symbols_are_not_mixed() {
        let annotations = |values: &[Value]| {
            let values = values.iter().enumerate();
            Annotations(values.map(|(i, &value)| (i.to_string(), value)).collect())
        };
        let narrow = annotations(&[estimate(0.16), Value::Exact(ExactValue::win(3))]);
        assert_eq!(narrow.width_for_all(3), 3);
        let wide = annotations(&[
            estimate(0.16),
            estimate(1.0),
            Value::Exact(ExactValue::win(3)),
        ]);
        assert_eq!(wide.width_for_all(3), 1);
        assert_eq!(wide.width_for_all(4), 4);
    }

    #[test]
    fn values_are_short_and_proofs_never_look_like_estimates() {
        let proofs = [
            (Value::Exact(ExactValue::win(3)), ["▲3", "+3"], "▲+"),
            (Value::Exact(ExactValue::loss(14)), ["▼14", "-14"], "▼-"),
            (Value::Exact(ExactValue::DRAW), ["=", "="], "="),
            (
                Value::Exact(ExactValue::without_distance(GameValue::Win)),
                ["▲", "+"],
                "▲+",
            ),
        ];
        let estimates = [
            (estimate(0.42), ["71%"; 2], "↑^"),
            (estimate(-0.07), ["47%"; 2], "≈~"),
            (estimate(-1.5), ["0%"; 2], "↓v"),
            (estimate(-0.001), ["50%"; 2], "≈~"),
            (estimate(f64::NAN), ["50%"; 2], "≈~"),
        ];
        let mut seen: HashMap<char, bool> = HashMap::new();
        for ascii in [false, true] {
            let theme = Theme::new(ColorDepth::None, Background::Terminal, ascii);
            for (value, long_text, short_symbol) in proofs.into_iter().chain(estimates) {
                assert_eq!(
                    annotation(value, None, 5, &theme).text,
                    long_text[usize::from(ascii)]
                );
                let single = annotation(value, None, 1, &theme).text;
                assert_eq!(single.chars().count(), 1, "{single}");
                assert!(short_symbol.contains(&single), "{single} in {short_symbol}");
                let proof = value.exact().is_some();
                let symbol = single.chars().next().unwrap_or(' ');
                assert_eq!(*seen.entry(symbol).or_insert(proof), proof, "{symbol}");
            }
        }
    }
}
