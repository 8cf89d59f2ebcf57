//! Finds mistakes in played moves. A mistake is certain if both values are proved, and an opinion
//! if an estimate drops by more than its error.

use noughts_engine::{GameValue, SearchReport, Value};
pub use noughts_text::{Mistake, MistakeKind};

/// Estimates fluctuate from one depth to the next; smaller drops don't count.
const MIN_DROP: f64 = 0.25;
/// Even in a won position, an estimate may be this far from a win.
const MIN_DROP_FROM_PROOF: f64 = 0.5;

/// Judges the move `played` in the position of `report`. `after` is the value of the resulting
/// position for the mover, with the move itself counted.
#[must_use]
pub fn find_mistake(
    report: &SearchReport<String>,
    played: &str,
    after: Option<Value>,
) -> Option<Mistake> {
    let ranked = ranked_value(report, played);
    let played_value = value_of_move(ranked, after)?;
    let alternative = best_alternative(report, played);
    let (best_value, better_move) = match report.value {
        // This is the value of the best move. If the played move is worth less, it isn't the best
        // one.
        Value::Exact(exact) => (Value::Exact(exact), alternative.map(|(mv, _)| mv)),
        Value::Estimate { .. } => {
            let (mv, value) = alternative?;
            (value, Some(mv))
        }
    };
    let kind = match (best_value, played_value) {
        (Value::Exact(best_value), Value::Exact(played_value)) => {
            if played_value.game_value() >= best_value.game_value() {
                return None;
            }
            match report.value {
                Value::Exact(_) => MistakeKind::Blunder,
                Value::Estimate { .. } => MistakeKind::Mistake,
            }
        }
        // The search before the move must agree: two searches that contradict each other prove
        // nothing.
        (best_value, played_value)
            if is_significant_drop(best_value, played_value)
                && is_significant_drop(
                    best_value,
                    ranked
                        .filter(|_| !is_proved(played_value))
                        .unwrap_or(played_value),
                ) =>
        {
            MistakeKind::Inaccuracy
        }
        _ => return None,
    };
    Some(Mistake {
        kind,
        better_move,
        best_value,
        played_value,
    })
}

fn ranked_value(report: &SearchReport<String>, played: &str) -> Option<Value> {
    let ranked = report.moves.iter().find(|ranked| ranked.mv == played);
    ranked.map(|ranked| ranked.value)
}

fn is_proved(value: Value) -> bool {
    value.exact().is_some()
}

/// The value of the played move: a proof from either search; otherwise the estimate after the move,
/// which is also what the value bar shows; otherwise the estimate before it.
fn value_of_move(ranked: Option<Value>, after: Option<Value>) -> Option<Value> {
    let is_known = |value: &Value| !matches!(value, Value::Estimate { error, .. } if *error >= 1.0);
    let [after, ranked] = [after, ranked].map(|value| value.filter(is_known));
    let mut both = [after, ranked].into_iter().flatten();
    let proved = both.find(|value| is_proved(*value));
    proved.or(after).or(ranked)
}

/// A remark for a move that the search would have played, too.
#[must_use]
pub fn best_move_note(
    report: &SearchReport<String>,
    played: &str,
    after: Option<Value>,
) -> &'static str {
    if report.best.as_deref() != Some(played) {
        return "";
    }
    match (
        report.value,
        value_of_move(ranked_value(report, played), after),
    ) {
        (Value::Exact(best), Some(Value::Exact(played)))
            if played.game_value() == best.game_value() =>
        {
            noughts_text::best_move_note(true)
        }
        // The move turned out to lose, even though it looked best.
        (_, Some(Value::Exact(played))) if played.game_value() == GameValue::Loss => "",
        _ => noughts_text::best_move_note(false),
    }
}

/// The best of the other moves.
fn best_alternative(report: &SearchReport<String>, played: &str) -> Option<(String, Value)> {
    let others = report.moves.iter().filter(|ranked| ranked.mv != played);
    let best = report.best.as_deref().filter(|best| *best != played);
    let mut others = others.map(|ranked| (ranked.mv.clone(), ranked.value));
    match best {
        Some(best) => {
            (others.find(|(mv, _)| mv == best)).or_else(|| Some((best.to_owned(), report.value)))
        }
        // They are sorted, best first.
        None => others.next(),
    }
}

/// Is the drop larger than both errors and larger than noise?
fn is_significant_drop(from: Value, to: Value) -> bool {
    let error = |value: Value| match value {
        Value::Exact(_) => 0.0,
        Value::Estimate { error, .. } => error,
    };
    let threshold = match (from, to) {
        (Value::Exact(_), Value::Estimate { .. }) => MIN_DROP_FROM_PROOF,
        _ => MIN_DROP,
    };
    let drop = from.expected_result() - to.expected_result();
    drop > error(from) + error(to) && drop > threshold
}

#[cfg(test)]
mod tests {
    use super::*;
    use noughts_engine::{ExactValue, RankedMove};
    use noughts_rules::Side;

    fn report(value: Value, moves: &[(&str, Value)]) -> SearchReport<String> {
        SearchReport {
            best: moves.first().map(|(mv, _)| (*mv).to_owned()),
            value,
            moves: moves
                .iter()
                .map(|(mv, value)| RankedMove {
                    mv: (*mv).to_owned(),
                    value: *value,
                    nodes: 0,
                    pv: vec![(*mv).to_owned()],
                })
                .collect(),
            ..SearchReport::empty()
        }
    }

    fn exact(exact: ExactValue) -> Value {
        Value::Exact(exact)
    }

    fn estimate(mean: f64, error: f64) -> Value {
        Value::Estimate { mean, error }
    }

    fn annotation(
        report: &SearchReport<String>,
        played: &str,
        after: Option<Value>,
    ) -> Option<&'static str> {
        find_mistake(report, played, after).map(|mistake| mistake.kind.annotation())
    }

    #[test]
    fn throwing_away_a_proved_result_is_a_blunder() {
        let draw = report(
            exact(ExactValue::DRAW),
            &[
                ("a", exact(ExactValue::DRAW)),
                ("b", exact(ExactValue::loss(4))),
            ],
        );
        assert_eq!(annotation(&draw, "a", None), None);
        assert_eq!(annotation(&draw, "b", None), Some("??"));
        let mistake = find_mistake(&draw, "b", None).expect("a mistake");
        assert_eq!(
            mistake.describe(Side::X),
            "turns a draw into a win for O in 3 moves (proved); a holds the draw (proved)"
        );
        let won = report(
            exact(ExactValue::win(3)),
            &[("a", exact(ExactValue::win(3)))],
        );
        // Not in the report, but the value of the resulting position is known.
        assert_eq!(
            annotation(&won, "c", Some(exact(ExactValue::DRAW))),
            Some("??")
        );
        assert_eq!(
            annotation(&won, "c", Some(exact(ExactValue::loss(2)))),
            Some("??")
        );
    }

    /// A slower way to the same result isn't a mistake.
    #[test]
    fn a_slower_win_is_not_a_mistake() {
        let won = report(
            exact(ExactValue::win(3)),
            &[
                ("a", exact(ExactValue::win(3))),
                ("b", exact(ExactValue::win(7))),
            ],
        );
        assert_eq!(annotation(&won, "b", None), None);
        let lost = report(
            exact(ExactValue::loss(6)),
            &[
                ("a", exact(ExactValue::loss(6))),
                ("b", exact(ExactValue::loss(2))),
            ],
        );
        assert_eq!(annotation(&lost, "b", None), None);
    }

    /// The value of the position isn't proved, but the better move is.
    #[test]
    fn a_move_proved_worse_than_another_is_a_mistake() {
        let partly_proved = report(
            estimate(0.1, 0.1),
            &[
                ("a", exact(ExactValue::DRAW)),
                ("b", exact(ExactValue::loss(4))),
            ],
        );
        assert_eq!(annotation(&partly_proved, "b", None), Some("?"));
    }

    #[test]
    fn estimates_give_inaccuracies_only_beyond_their_error() {
        let open = report(
            estimate(0.5, 0.1),
            &[
                ("a", estimate(0.5, 0.1)),
                ("b", estimate(0.1, 0.1)),
                ("c", estimate(0.35, 0.1)),
            ],
        );
        assert_eq!(annotation(&open, "a", None), None);
        assert_eq!(annotation(&open, "b", None), Some("?~"));
        assert_eq!(annotation(&open, "c", None), None);
        let uncertain = report(
            estimate(0.5, 0.4),
            &[("a", estimate(0.5, 0.4)), ("b", estimate(0.1, 0.1))],
        );
        assert_eq!(annotation(&uncertain, "b", None), None);
        // The search after the move finds nothing wrong.
        assert_eq!(annotation(&open, "b", Some(estimate(0.4, 0.1))), None);
        // A proved loss after an estimate that looked better: the comparison is still with an
        // estimate.
        let lost = find_mistake(&open, "c", Some(exact(ExactValue::loss(4)))).expect("a mistake");
        assert_eq!(lost.kind.annotation(), "?~");
        assert_eq!(
            lost.describe(Side::O),
            "lets X win in 3 moves (proved); the estimate before it was O 75%; a seems better"
        );
        let worse = find_mistake(&open, "b", Some(estimate(-0.2, 0.1))).expect("a mistake");
        assert_eq!(
            worse.describe(Side::X),
            "seems worse: O 60% instead of X 75% (estimate); a seems better"
        );
    }

    /// A proved win followed by an estimate may still be a win.
    #[test]
    fn a_proof_followed_by_an_estimate_proves_nothing() {
        let won = report(
            exact(ExactValue::win(9)),
            &[("a", exact(ExactValue::win(9)))],
        );
        assert_eq!(annotation(&won, "b", Some(estimate(0.7, 0.1))), None);
        assert_eq!(annotation(&won, "b", Some(estimate(0.1, 0.1))), Some("?~"));
        assert_eq!(annotation(&won, "b", None), None);
    }

    /// A move is called best only if that is proved.
    #[test]
    fn a_move_is_called_best_only_if_that_is_proved() {
        let draw = exact(ExactValue::DRAW);
        let proved = report(draw, &[("a", draw), ("b", draw)]);
        assert_eq!(
            best_move_note(&proved, "a", None),
            ", and no move is better (proved)"
        );
        assert_eq!(best_move_note(&proved, "b", None), "");
        let open = report(estimate(0.2, 0.1), &[("a", estimate(0.2, 0.1))]);
        assert!(best_move_note(&open, "a", None).contains("seems best (estimate)"));
        assert!(best_move_note(&open, "a", Some(draw)).contains("seems best (estimate)"));
        assert_eq!(
            best_move_note(&open, "a", Some(exact(ExactValue::loss(2)))),
            ""
        );
    }
}
