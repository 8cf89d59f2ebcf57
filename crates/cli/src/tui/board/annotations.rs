//! What analysis says of moves, in the few characters that a cell has room for.

use std::collections::HashMap;

use noughts_engine::{GameValue, Value, win_chance};
use ratatui::style::Style;

use crate::tui::theme::{Lean, Theme};

/// What analysis says of moves, by their text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Annotations(pub(crate) HashMap<String, Value>);

/// A text to be written in a cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Annotation {
    pub(super) text: String,
    pub(super) style: Style,
}

impl Annotations {
    /// The room that each note gets where cells have this much: if one number does not
    /// fit, all get signs, since the two cannot be compared.
    pub(super) fn width_for_all(&self, room: u16) -> u16 {
        let mut values = self.0.values();
        match values.all(|&value| long(value, true).chars().count() <= usize::from(room)) {
            true => room,
            false => 1,
        }
    }

    /// The value of a move in at most so many characters, after a sign that says
    /// what sort of move it is.
    pub(super) fn get(
        &self,
        mv: &str,
        sort: Option<char>,
        width: u16,
        look: &Theme,
    ) -> Option<Annotation> {
        self.0
            .get(mv)
            .map(|&value| annotation(value, sort, width, look))
    }
}

/// The better of two values for whoever moves; among equals a proof.
pub(super) fn better(one: Value, other: Value) -> Value {
    match (one, other) {
        (Value::Exact(a), Value::Exact(b)) => Value::Exact(a.max(b)),
        _ if one.expected_result() > other.expected_result() => one,
        _ if one.expected_result() < other.expected_result() => other,
        (Value::Exact(_), _) => one,
        _ => other,
    }
}

pub(super) fn annotation(value: Value, sort: Option<char>, width: u16, look: &Theme) -> Annotation {
    let long = long(value, look.ascii());
    let room = usize::from(width).saturating_sub(usize::from(sort.is_some()));
    let text = if long.chars().count() <= room {
        long
    } else {
        short(value, look).to_string()
    };
    Annotation {
        text: sort.into_iter().chain(text.chars()).collect(),
        style: look.value(value),
    }
}

/// `▲3`, `▼4`, `=`, `▲` where it is proved (in ASCII `+3`, `-4`), otherwise the win chance:
/// `71%`.
fn long(value: Value, ascii: bool) -> String {
    match value {
        Value::Exact(exact) => {
            let sign = exact_sign(exact.game_value(), ascii);
            match exact.plies() {
                Some(plies) if exact.game_value() != GameValue::Draw => format!("{sign}{plies}"),
                _ => sign.to_string(),
            }
        }
        Value::Estimate { mean, .. } => format!("{}%", win_chance(mean)),
    }
}

/// The same in one character, which no proof shares with any guess.
fn short(value: Value, look: &Theme) -> char {
    match value {
        Value::Exact(exact) => exact_sign(exact.game_value(), look.ascii()),
        Value::Estimate { mean, .. } => {
            let [good, neither, bad] = look.symbols().estimate;
            match Lean::from_mean(mean) {
                Lean::For => good,
                Lean::Neither => neither,
                Lean::Against => bad,
            }
        }
    }
}

fn exact_sign(verdict: GameValue, ascii: bool) -> char {
    match (verdict, ascii) {
        (GameValue::Win, false) => '▲',
        (GameValue::Win, true) => '+',
        (GameValue::Draw, _) => '=',
        (GameValue::Loss, false) => '▼',
        (GameValue::Loss, true) => '-',
    }
}

#[cfg(test)]
mod tests {
    use noughts_engine::ExactValue;

    use super::*;
    use crate::tui::theme::{Colours, Ground};

    fn guess(mean: f64) -> Value {
        Value::Estimate { mean, error: 0.1 }
    }

    #[test]
    fn numbers_and_signs_are_not_mixed() {
        let notes = |values: &[Value]| {
            let values = values.iter().enumerate();
            Annotations(values.map(|(i, &value)| (i.to_string(), value)).collect())
        };
        let short = notes(&[guess(0.16), Value::Exact(ExactValue::win(3))]);
        assert_eq!(short.width_for_all(3), 3);
        let long = notes(&[guess(0.16), guess(1.0), Value::Exact(ExactValue::win(3))]);
        assert_eq!(long.width_for_all(3), 1);
        assert_eq!(long.width_for_all(4), 4);
    }

    #[test]
    fn values_are_short_and_proofs_never_look_like_guesses() {
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
        let guesses = [
            (guess(0.42), ["71%"; 2], "↑^"),
            (guess(-0.07), ["47%"; 2], "≈~"),
            (guess(-1.5), ["0%"; 2], "↓v"),
            (guess(-0.001), ["50%"; 2], "≈~"),
            (guess(f64::NAN), ["50%"; 2], "≈~"),
        ];
        let mut seen: HashMap<char, bool> = HashMap::new();
        for ascii in [false, true] {
            let look = Theme::new(Colours::None, Ground::Terminal, ascii);
            for (value, long, short) in proofs.into_iter().chain(guesses) {
                assert_eq!(
                    annotation(value, None, 5, &look).text,
                    long[usize::from(ascii)]
                );
                let one = annotation(value, None, 1, &look).text;
                assert_eq!(one.chars().count(), 1, "{one}");
                assert!(short.contains(&one), "{one} in {short}");
                let proof = value.exact().is_some();
                let sign = one.chars().next().unwrap_or(' ');
                assert_eq!(*seen.entry(sign).or_insert(proof), proof, "{sign}");
            }
        }
    }
}
