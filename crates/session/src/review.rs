//! What every moment of a game is worth, as it is found out: first a quick look at all
//! of them, nearest to the one that is shown, then longer ones. What is proved needs no
//! further look. Who looks, and on which thread, is known elsewhere.

use std::time::Duration;

use noughts_engine::{Exact, Report, Value, Verdict};
use noughts_rules::{Outcome, Player};

use crate::judge::{Mistake, judge, praise};
use crate::worth::Worth;

/// How long each look takes.
const LOOKS: [Duration; 3] = [
    Duration::from_millis(150),
    Duration::from_millis(800),
    Duration::from_secs(4),
];

/// The moments of a game, and what is known of each.
pub struct Values {
    moments: Vec<Moment>,
    /// The moves between them, and how each is judged.
    moves: Vec<String>,
    mistakes: Vec<Option<Mistake>>,
}

/// One position of the game.
struct Moment {
    side: Player,
    report: Option<Report<String>>,
    looks: usize,
}

/// How far it has come: of so many moments so much is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Their value is proved.
    pub exact: usize,
    /// It is estimated.
    pub estimated: usize,
    /// Nobody has looked yet.
    pub unknown: usize,
}

impl Values {
    /// `sides` says who is to move at each moment, one more than there are moves.
    /// What the rules say of the end is known from the start.
    #[must_use]
    pub fn new(sides: &[Player], moves: Vec<String>, outcome: Option<Outcome>) -> Values {
        let moments = sides.iter().map(|&side| Moment {
            side,
            report: None,
            looks: 0,
        });
        let mut values = Values {
            moments: moments.collect(),
            mistakes: vec![None; moves.len()],
            moves,
        };
        if let (Some(outcome), Some(last)) = (outcome, values.moments.last_mut()) {
            last.report = Some(Report {
                value: Value::Exact(Exact::finished(outcome, last.side)),
                ..Report::empty()
            });
            last.looks = LOOKS.len();
        }
        values
    }

    /// The moment to look at next, and for how long; nothing when all were looked at
    /// long enough. It counts as looked at.
    pub fn look(&mut self, shown: usize) -> Option<(usize, Duration)> {
        let next = self.next(shown)?;
        let moment = self.moments.get_mut(next)?;
        let time = LOOKS.get(moment.looks).copied()?;
        moment.looks += 1;
        Some((next, time))
    }

    /// The one that was looked at least, and of those the nearest.
    fn next(&self, shown: usize) -> Option<usize> {
        let moments = self.moments.iter().enumerate();
        let open = moments.filter(|(_, moment)| !moment.is_proved() && moment.looks < LOOKS.len());
        open.min_by_key(|(i, moment)| (moment.looks, i.abs_diff(shown)))
            .map(|(i, _)| i)
    }

    /// More is known of a moment. A shallower look than the last one says nothing new.
    pub fn learn(&mut self, at: usize, report: Report<String>) {
        let Some(moment) = self.moments.get_mut(at) else {
            return;
        };
        let newer = moment.report.as_ref().is_none_or(|old| {
            report.value.exact().is_some()
                || (old.value.exact().is_none() && report.depth >= old.depth)
        });
        if newer {
            moment.report = Some(report);
            for mv in [at.checked_sub(1), Some(at)].into_iter().flatten() {
                self.judge(mv);
            }
        }
    }

    fn judge(&mut self, mv: usize) {
        if let (Some(made), Some(report)) = (self.moves.get(mv), self.report(mv)) {
            self.mistakes[mv] = judge(report, made, self.after(mv));
        }
    }

    /// What is known of the position that a move led to, as the mover sees it.
    fn after(&self, mv: usize) -> Option<Value> {
        let [before, after] = [mv, mv + 1].map(|at| self.moments.get(at));
        let (before, after) = (before?, after?);
        let report = after.report.as_ref()?;
        Some(of_move(report.value, before.side == after.side))
    }

    /// What is to be said for the move with this number, as far as it is known.
    #[must_use]
    pub fn praise(&self, mv: usize) -> &'static str {
        match (self.moves.get(mv), self.report(mv)) {
            (Some(made), Some(report)) => praise(report, made, self.after(mv)),
            _ => "",
        }
    }

    /// What is known of a moment.
    #[must_use]
    pub fn report(&self, at: usize) -> Option<&Report<String>> {
        self.moments.get(at)?.report.as_ref()
    }

    /// What a moment is worth. A proof of the move that led there holds for the moment after it, too.
    #[must_use]
    pub fn worth(&self, at: usize) -> Option<Worth> {
        let moment = self.moments.get(at)?;
        let value = moment.report.as_ref().map(|report| report.value);
        if value.is_none_or(|value| value.exact().is_none())
            && let Some(proved) = self.proved_before(at)
        {
            return Some(proved);
        }
        Some(Worth::of(value?, moment.side))
    }

    fn proved_before(&self, at: usize) -> Option<Worth> {
        let mv = at.checked_sub(1)?;
        let (made, report) = (self.moves.get(mv)?, self.report(mv)?);
        let ranked = report.moves.iter().find(|ranked| ranked.mv == *made)?;
        let exact = ranked.value.exact()?;
        let left = exact.plies().map(|plies| plies.saturating_sub(1));
        let exact = match (exact.verdict(), left) {
            (Verdict::Win, Some(left)) => Exact::win(left),
            (Verdict::Loss, Some(left)) => Exact::loss(left),
            _ => exact,
        };
        Some(Worth::of(Value::Exact(exact), self.moments[mv].side))
    }

    /// What is held against the move with this number, counted from 0.
    #[must_use]
    pub fn mistake(&self, mv: usize) -> Option<&Mistake> {
        self.mistakes.get(mv)?.as_ref()
    }

    /// How many moments there are: one more than moves.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "a game has a beginning")]
    pub fn len(&self) -> usize {
        self.moments.len()
    }

    /// How far it has come.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let exact = self
            .moments
            .iter()
            .filter(|moment| moment.is_proved())
            .count();
        let known = self.moments.iter().filter(|moment| moment.report.is_some());
        let known = known.count();
        Progress {
            exact,
            estimated: known - exact,
            unknown: self.moments.len() - known,
        }
    }
}

impl Moment {
    fn is_proved(&self) -> bool {
        let report = self.report.as_ref();
        report.is_some_and(|report| report.value.exact().is_some())
    }
}

/// What a position is worth to the one who moved there.
fn of_move(value: Value, again: bool) -> Value {
    match value {
        Value::Exact(exact) => Value::Exact(exact.of_move(again)),
        Value::Estimate { mean, error } => Value::Estimate {
            mean: if again { mean } else { -mean },
            error,
        },
    }
}
