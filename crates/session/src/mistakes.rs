//! Was a move a mistake? Claimed as far as the values justify it: surely where both
//! are proved, as an opinion where an estimate falls by more than its error.

use noughts_engine::{ExactValue, GameValue, SearchReport, Value};
use noughts_rules::Side;

use crate::value_text::XRelativeValue;

/// What is held against a move.
#[derive(Clone, PartialEq, Debug)]
pub struct Mistake {
    /// How bad it is.
    pub kind: MistakeKind,
    /// What should have been played.
    pub better_move: Option<String>,
    /// What the best move was worth to the mover.
    pub best_value: Value,
    /// What the one made is worth.
    pub played_value: Value,
}

/// How bad a mistake is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum MistakeKind {
    /// By the estimates; no more than an opinion.
    Dubious,
    /// A move that is proved better was at hand; what the position was worth at best
    /// is not known.
    Mistake,
    /// A proved result was thrown away.
    Blunder,
}

impl MistakeKind {
    /// As commentators write it.
    #[must_use]
    pub fn annotation(self) -> &'static str {
        match self {
            MistakeKind::Dubious => "?~",
            MistakeKind::Mistake => "?",
            MistakeKind::Blunder => "??",
        }
    }
}

/// Estimates wander from one depth to the next; less than this is no reproach.
const MIN_DROP: f64 = 0.25;
/// An estimate of a won position may well be this far from a win.
const MIN_DROP_FROM_PROOF: f64 = 0.5;

/// Judges the move made in a position that this report is about. `after` is what is
/// known of the position that it led to, as the mover sees it, the move included.
#[must_use]
pub fn find_mistake(
    report: &SearchReport<String>,
    made: &str,
    after: Option<Value>,
) -> Option<Mistake> {
    let ranked = ranked_value(report, made);
    let to = value_of_move(ranked, after)?;
    let best = best_alternative(report, made);
    let (from, better) = match report.value {
        // The value is that of the best move, and this is not it if it is worth less.
        Value::Exact(exact) => (Value::Exact(exact), best.map(|(mv, _)| mv)),
        Value::Estimate { .. } => {
            let (mv, value) = best?;
            (value, Some(mv))
        }
    };
    let kind = match (from, to) {
        (Value::Exact(from), Value::Exact(to)) => {
            if to.game_value() >= from.game_value() {
                return None;
            }
            match report.value {
                Value::Exact(_) => MistakeKind::Blunder,
                Value::Estimate { .. } => MistakeKind::Mistake,
            }
        }
        // What the same search says of it, too: two looks that differ are no reproach.
        (from, to)
            if is_significant_drop(from, to)
                && is_significant_drop(from, ranked.filter(|_| !is_proved(to)).unwrap_or(to)) =>
        {
            MistakeKind::Dubious
        }
        _ => return None,
    };
    Some(Mistake {
        kind,
        better_move: better,
        best_value: from,
        played_value: to,
    })
}

fn ranked_value(report: &SearchReport<String>, made: &str) -> Option<Value> {
    let ranked = report.moves.iter().find(|ranked| ranked.mv == made);
    ranked.map(|ranked| ranked.value)
}

fn is_proved(value: Value) -> bool {
    value.exact().is_some()
}

/// The value of the move made: a proof wherever it comes from, else what a look at
/// what came of it says, which is also what the bar shows, else what the search that
/// compared it said.
fn value_of_move(ranked: Option<Value>, after: Option<Value>) -> Option<Value> {
    let known = |value: &Value| !matches!(value, Value::Estimate { error, .. } if *error >= 1.0);
    let [after, ranked] = [after, ranked].map(|value| value.filter(known));
    let mut both = [after, ranked].into_iter().flatten();
    let proved = both.find(|value| is_proved(*value));
    proved.or(after).or(ranked)
}

/// What is said of a move that the search would have made, too.
#[must_use]
pub fn best_move_note(
    report: &SearchReport<String>,
    made: &str,
    after: Option<Value>,
) -> &'static str {
    if report.best.as_deref() != Some(made) {
        return "";
    }
    match (
        report.value,
        value_of_move(ranked_value(report, made), after),
    ) {
        (Value::Exact(best), Some(Value::Exact(made)))
            if made.game_value() == best.game_value() =>
        {
            ", the best move"
        }
        // It did not turn out well: that it seemed so is no praise.
        (_, Some(Value::Exact(made))) if made.game_value() == GameValue::Loss => "",
        _ => ", which seems best (estimate)",
    }
}

/// The best of the other moves.
fn best_alternative(report: &SearchReport<String>, made: &str) -> Option<(String, Value)> {
    let others = report.moves.iter().filter(|ranked| ranked.mv != made);
    let best = report.best.as_deref().filter(|best| *best != made);
    let mut others = others.map(|ranked| (ranked.mv.clone(), ranked.value));
    match best {
        Some(best) => others.find(|(mv, _)| mv == best).or_else(|| {
            let value = report.value;
            Some((best.to_owned(), value))
        }),
        // They come in order, the best first.
        None => others.next(),
    }
}

/// Does it fall by more than the errors, and by more than noise?
fn is_significant_drop(from: Value, to: Value) -> bool {
    let error = |value: Value| match value {
        Value::Exact(_) => 0.0,
        Value::Estimate { error, .. } => error,
    };
    let shy = match (from, to) {
        (Value::Exact(_), Value::Estimate { .. }) => MIN_DROP_FROM_PROOF,
        _ => MIN_DROP,
    };
    let fall = from.expected_result() - to.expected_result();
    fall > error(from) + error(to) && fall > shy
}

impl Mistake {
    /// What happened, behind the move's name. Values are told as the bar tells them,
    /// and counted from the moment after the move, which is the one that is shown.
    #[must_use]
    pub fn describe(&self, mover: Side) -> String {
        let other = mover.other();
        let seemed = XRelativeValue::from_side(self.best_value, mover).to_short_text();
        let what = match (self.best_value, self.played_value) {
            (Value::Exact(from), Value::Exact(to)) => {
                let had = match from.game_value() {
                    GameValue::Win => format!("a win for {mover}"),
                    _ => "a draw".to_owned(),
                };
                let has = match to.game_value() {
                    GameValue::Loss => format!("a win{} for {other}", length(to)),
                    _ => "a draw".to_owned(),
                };
                format!("turns {had} into {has} (exact)")
            }
            (Value::Estimate { .. }, Value::Exact(to)) => {
                let does = match to.game_value() {
                    GameValue::Loss => format!("lets {other} win{}", length(to)),
                    GameValue::Draw => "leads to a draw".to_owned(),
                    GameValue::Win => "wins".to_owned(),
                };
                format!("{does} (exact); before it seemed {seemed} (estimate)")
            }
            (Value::Exact(from), to) => {
                let had = match from.game_value() {
                    GameValue::Win => "a win",
                    _ => "a draw",
                };
                let now = XRelativeValue::from_side(to, mover).to_short_text();
                format!("seems to give away {had}: {now} (estimate)")
            }
            (_, to) => {
                let now = XRelativeValue::from_side(to, mover).to_short_text();
                format!("seems worse: {now} instead of {seemed} (estimate)")
            }
        };
        match (&self.better_move, self.best_value) {
            (Some(better), Value::Exact(from)) => {
                let does = match (from.game_value(), from.plies()) {
                    (GameValue::Win, Some(1)) => "wins at once",
                    (GameValue::Win, _) => "wins",
                    (GameValue::Draw, _) => "holds the draw",
                    (GameValue::Loss, _) => "lasts longer",
                };
                format!("{what}; {better} {does} (exact)")
            }
            (Some(better), _) => format!("{what}; {better} seems better"),
            (None, _) => what,
        }
    }
}

/// How long it takes after the move that this is the value of.
fn length(of_move: ExactValue) -> String {
    match of_move.plies() {
        Some(plies @ 2..) => format!(" in {}", plies - 1),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use noughts_engine::RankedMove;

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

    fn guess(mean: f64, error: f64) -> Value {
        Value::Estimate { mean, error }
    }

    fn sign(
        report: &SearchReport<String>,
        made: &str,
        after: Option<Value>,
    ) -> Option<&'static str> {
        find_mistake(report, made, after).map(|mistake| mistake.kind.annotation())
    }

    #[test]
    fn a_proved_result_thrown_away_is_a_blunder() {
        let draw = report(
            exact(ExactValue::DRAW),
            &[
                ("a", exact(ExactValue::DRAW)),
                ("b", exact(ExactValue::loss(4))),
            ],
        );
        assert_eq!(sign(&draw, "a", None), None);
        assert_eq!(sign(&draw, "b", None), Some("??"));
        let mistake = find_mistake(&draw, "b", None).expect("a mistake");
        assert_eq!(
            mistake.describe(Side::X),
            "turns a draw into a win in 3 for O (exact); a holds the draw (exact)"
        );
        let won = report(
            exact(ExactValue::win(3)),
            &[("a", exact(ExactValue::win(3)))],
        );
        // Not listed, but what came of it is known.
        assert_eq!(sign(&won, "c", Some(exact(ExactValue::DRAW))), Some("??"));
        assert_eq!(
            sign(&won, "c", Some(exact(ExactValue::loss(2)))),
            Some("??")
        );
    }

    /// A longer way to the same result gives nothing away.
    #[test]
    fn a_slower_win_is_no_mistake() {
        let won = report(
            exact(ExactValue::win(3)),
            &[
                ("a", exact(ExactValue::win(3))),
                ("b", exact(ExactValue::win(7))),
            ],
        );
        assert_eq!(sign(&won, "b", None), None);
        let lost = report(
            exact(ExactValue::loss(6)),
            &[
                ("a", exact(ExactValue::loss(6))),
                ("b", exact(ExactValue::loss(2))),
            ],
        );
        assert_eq!(sign(&lost, "b", None), None);
    }

    /// The position's own value is not proved, but the better move is.
    #[test]
    fn a_move_proved_worse_than_another_is_a_mistake() {
        let half = report(
            guess(0.1, 0.1),
            &[
                ("a", exact(ExactValue::DRAW)),
                ("b", exact(ExactValue::loss(4))),
            ],
        );
        assert_eq!(sign(&half, "b", None), Some("?"));
    }

    #[test]
    fn estimates_are_opinions_and_only_beyond_their_error() {
        let open = report(
            guess(0.5, 0.1),
            &[
                ("a", guess(0.5, 0.1)),
                ("b", guess(0.1, 0.1)),
                ("c", guess(0.35, 0.1)),
            ],
        );
        assert_eq!(sign(&open, "a", None), None);
        assert_eq!(sign(&open, "b", None), Some("?~"));
        assert_eq!(sign(&open, "c", None), None);
        let vague = report(
            guess(0.5, 0.4),
            &[("a", guess(0.5, 0.4)), ("b", guess(0.1, 0.1))],
        );
        assert_eq!(sign(&vague, "b", None), None);
        // A look at what came of it sees nothing bad.
        assert_eq!(sign(&open, "b", Some(guess(0.4, 0.1))), None);
        // A proved loss where an estimate saw hope: the hope was an estimate.
        let lost = find_mistake(&open, "c", Some(exact(ExactValue::loss(4)))).expect("a mistake");
        assert_eq!(lost.kind.annotation(), "?~");
        assert_eq!(
            lost.describe(Side::O),
            "lets X win in 3 (exact); before it seemed ~ O 75% (estimate); a seems better"
        );
        let worse = find_mistake(&open, "b", Some(guess(-0.2, 0.1))).expect("a mistake");
        assert_eq!(
            worse.describe(Side::X),
            "seems worse: ~ O 60% instead of ~ X 75% (estimate); a seems better"
        );
    }

    /// A proved win whose continuation is only estimated may still be one.
    #[test]
    fn a_proof_against_an_estimate_is_no_proof() {
        let won = report(
            exact(ExactValue::win(9)),
            &[("a", exact(ExactValue::win(9)))],
        );
        assert_eq!(sign(&won, "b", Some(guess(0.7, 0.1))), None);
        assert_eq!(sign(&won, "b", Some(guess(0.1, 0.1))), Some("?~"));
        assert_eq!(sign(&won, "b", None), None);
    }

    /// Nothing is the best move before it is proved.
    #[test]
    fn praise_claims_no_more_than_is_known() {
        let draw = exact(ExactValue::DRAW);
        let proved = report(draw, &[("a", draw), ("b", draw)]);
        assert_eq!(best_move_note(&proved, "a", None), ", the best move");
        assert_eq!(best_move_note(&proved, "b", None), "");
        let open = report(guess(0.2, 0.1), &[("a", guess(0.2, 0.1))]);
        assert!(best_move_note(&open, "a", None).contains("seems best (estimate)"));
        assert!(best_move_note(&open, "a", Some(draw)).contains("seems best (estimate)"));
        assert_eq!(
            best_move_note(&open, "a", Some(exact(ExactValue::loss(2)))),
            ""
        );
    }
}
