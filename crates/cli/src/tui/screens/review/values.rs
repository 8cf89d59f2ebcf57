//! What every moment of a game is worth, found out in the background: first a quick
//! look at all of them, nearest to the one that is shown, then longer ones. What is
//! proved needs no further look.

use std::time::Duration;

use noughts_engine::{Exact, Limits, Report, Value, Verdict};
use noughts_rules::{AnyPlay, Outcome, Player};

use super::judge::{Mistake, judge, praise};
use crate::tui::event::{News, Ticket};
use crate::tui::house::House;
use crate::tui::screens::analyst::{Running, analyse};
use crate::tui::widgets::{Point, Worth};

/// How long each look takes.
const LOOKS: [Duration; 3] = [
    Duration::from_millis(150),
    Duration::from_millis(800),
    Duration::from_secs(4),
];

pub(super) struct Values {
    moments: Vec<Moment>,
    /// The moves between them, and how each is judged.
    moves: Vec<String>,
    mistakes: Vec<Option<Mistake>>,
    running: Option<(usize, Ticket, Running)>,
}

/// One position of the game.
struct Moment {
    side: Player,
    report: Option<Report<String>>,
    looks: usize,
}

/// How far it has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Progress {
    pub(super) exact: usize,
    pub(super) estimated: usize,
    pub(super) unknown: usize,
}

impl Values {
    /// `sides` says who is to move at each moment, one more than there are moves.
    /// What the rules say of the end is known from the start.
    pub(super) fn new(sides: &[Player], moves: Vec<String>, outcome: Option<Outcome>) -> Values {
        let moments = sides.iter().map(|&side| Moment {
            side,
            report: None,
            looks: 0,
        });
        let mut values = Values {
            moments: moments.collect(),
            mistakes: vec![None; moves.len()],
            moves,
            running: None,
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

    /// Looks at the next moment, unless one is being looked at.
    pub(super) fn go_on(&mut self, shown: usize, house: &mut House, at: impl Fn(usize) -> AnyPlay) {
        if self.running.is_some() {
            return;
        }
        let Some(next) = self.next(shown) else {
            return;
        };
        let limits = Limits::time(LOOKS[self.moments[next].looks]);
        self.moments[next].looks += 1;
        let (ticket, running) = analyse(&at(next), limits, house);
        self.running = Some((next, ticket, running));
    }

    /// The one that was looked at least, and of those the nearest.
    fn next(&self, shown: usize) -> Option<usize> {
        let moments = self.moments.iter().enumerate();
        let open = moments.filter(|(_, moment)| !moment.is_proved() && moment.looks < LOOKS.len());
        open.min_by_key(|(i, moment)| (moment.looks, i.abs_diff(shown)))
            .map(|(i, _)| i)
    }

    /// Takes the news of the look that is going on.
    pub(super) fn hear(&mut self, ticket: Ticket, news: News) {
        let Some((at, _, _)) = self.running.as_ref().filter(|(_, mine, _)| *mine == ticket) else {
            return;
        };
        let at = *at;
        match news {
            News::Analysed(report) => self.learn(at, report),
            News::AnalysisOver => self.running = None,
            _ => {}
        }
    }

    /// More is known of a moment. A shallower look than the last one says nothing new.
    pub(super) fn learn(&mut self, at: usize, report: Report<String>) {
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
    pub(super) fn praise(&self, mv: usize) -> &'static str {
        match (self.moves.get(mv), self.report(mv)) {
            (Some(made), Some(report)) => praise(report, made, self.after(mv)),
            _ => "",
        }
    }

    pub(super) fn report(&self, at: usize) -> Option<&Report<String>> {
        self.moments.get(at)?.report.as_ref()
    }

    /// A proof of the move that led there holds for the moment after it, too.
    pub(super) fn worth(&self, at: usize) -> Option<Worth> {
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
    pub(super) fn mistake(&self, mv: usize) -> Option<&Mistake> {
        self.mistakes.get(mv)?.as_ref()
    }

    pub(super) fn points(&self) -> Vec<Point> {
        let points = (0..self.moments.len()).map(|at| Point {
            worth: self.worth(at).filter(|worth| !worth.is_unknown()),
            mistake: at
                .checked_sub(1)
                .is_some_and(|mv| self.mistake(mv).is_some()),
        });
        points.collect()
    }

    pub(super) fn progress(&self) -> Progress {
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

    pub(super) fn is_busy(&self) -> bool {
        self.running.is_some()
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
