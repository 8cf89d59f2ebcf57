//! What every moment of a game is worth, as it is found out: first a quick look at all of them, nearest to the one that
//! is shown, then a longer one. What is proved needs no further look. Where looks run is up to the caller.

use noughts_engine::{Exact, Limits, Ranked, Report, Settings, Value, Verdict};
use noughts_rules::{Outcome, Player};
use serde::{Deserialize, Serialize};

use crate::judge::{Mistake, judge, praise};
use crate::worth::Worth;

/// The nodes of each look. Nodes and not time: the same game is judged in the same way on any machine, however busy.
const LOOKS: [u64; 2] = [20_000, 300_000];

/// Of a line, this much is saved.
const SAVED_LINE: usize = 24;
/// This many of a moment's best moves are saved.
const SAVED_MOVES: usize = 3;

/// Changes whenever the same game may be judged differently: saved reviews of another version are made again.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "/2");

/// Bytes that a look remembers: a table of another size finds other moves first.
pub const MEMORY: usize = 16 << 20;

/// The settings of every look: one thread, one seed, one size of table, so that a review finds the same each time.
#[must_use]
pub fn settings(settings: Settings) -> Settings {
    Settings {
        seed: 0,
        threads: 1,
        memory: MEMORY,
        ..settings
    }
}

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

    /// The moment to look at next, and with which limits; none when all were looked at long enough. It counts as looked
    /// at.
    pub fn look(&mut self, shown: usize) -> Option<(usize, Limits)> {
        let next = self.next(shown)?;
        let moment = self.moments.get_mut(next)?;
        let nodes = LOOKS.get(moment.looks).copied()?;
        moment.looks += 1;
        Some((next, Limits::nodes(nodes)))
    }

    /// Which share of all looks is done, from 0 to 1.
    #[must_use]
    pub fn done(&self) -> f64 {
        let looks = self.moments.iter().map(|moment| match moment.is_proved() {
            true => LOOKS.len(),
            false => moment.looks,
        });
        looks.sum::<usize>() as f64 / (LOOKS.len() * self.moments.len()).max(1) as f64
    }

    /// All that is known, as text for [`Values::restored`].
    #[must_use]
    pub fn saved(&self) -> String {
        let moments = self.moments.iter().enumerate();
        let moments = moments
            .map(|(at, moment)| Some(SavedMoment::of(moment.report.as_ref()?, self.moves.get(at))));
        serde_json::to_string(&moments.collect::<Vec<_>>()).unwrap_or_default()
    }

    /// A review that was saved of this game; none if the text is of another one.
    #[must_use]
    pub fn restored(mut self, saved: &str) -> Option<Values> {
        let saved: Vec<Option<SavedMoment>> = serde_json::from_str(saved).ok()?;
        if saved.len() != self.moments.len() {
            return None;
        }
        for (moment, saved) in self.moments.iter_mut().zip(saved) {
            moment.report = saved.map(SavedMoment::report);
            moment.looks = LOOKS.len();
        }
        for mv in 0..self.moves.len() {
            self.judge(mv);
        }
        Some(self)
    }

    /// The one that was looked at least, and of those the nearest.
    fn next(&self, shown: usize) -> Option<usize> {
        let moments = self.moments.iter().enumerate();
        let open = moments.filter(|(_, moment)| !moment.is_proved() && moment.looks < LOOKS.len());
        open.min_by_key(|(i, moment)| (moment.looks, i.abs_diff(shown)))
            .map(|(i, _)| i)
    }

    /// More is known of a moment. A shallower look than the last one says nothing new.
    pub fn learn(&mut self, at: usize, mut report: Report<String>) {
        let Some(moment) = self.moments.get_mut(at) else {
            return;
        };
        let newer = moment.report.as_ref().is_none_or(|old| {
            report.value.exact().is_some()
                || (old.value.exact().is_none() && report.depth >= old.depth)
        });
        if newer {
            report.value = rounded(report.value);
            for ranked in &mut report.moves {
                ranked.value = rounded(ranked.value);
            }
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

/// What is saved of a moment.
#[derive(Serialize, Deserialize)]
struct SavedMoment {
    value: SavedValue,
    best: Option<String>,
    line: Vec<String>,
    moves: Vec<(String, SavedValue)>,
    depth: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum SavedValue {
    Win(Option<u32>),
    Draw,
    Loss(Option<u32>),
    /// In millionths: text for them is read back exactly.
    Estimate(i32, i32),
}

impl SavedMoment {
    /// The best moves of a report and the one that was made.
    fn of(report: &Report<String>, made: Option<&String>) -> SavedMoment {
        let moves = report.moves.iter().enumerate();
        let moves = moves.filter(|(i, ranked)| *i < SAVED_MOVES || Some(&ranked.mv) == made);
        SavedMoment {
            value: report.value.into(),
            best: report.best.clone(),
            line: report.line.iter().take(SAVED_LINE).cloned().collect(),
            moves: moves
                .map(|(_, ranked)| (ranked.mv.clone(), ranked.value.into()))
                .collect(),
            depth: report.depth,
        }
    }

    fn report(self) -> Report<String> {
        let moves = self.moves.into_iter().map(|(mv, value)| Ranked {
            line: vec![mv.clone()],
            mv,
            value: value.into(),
            nodes: 0,
        });
        Report {
            best: self.best,
            value: self.value.into(),
            line: self.line,
            moves: moves.collect(),
            depth: self.depth,
            ..Report::empty()
        }
    }
}

fn millionths(number: f64) -> i32 {
    (number * 1e6).round() as i32
}

/// A value as it is saved and read back: a review says the same before and after.
fn rounded(value: Value) -> Value {
    SavedValue::from(value).into()
}

impl From<Value> for SavedValue {
    fn from(value: Value) -> SavedValue {
        match value {
            Value::Exact(exact) => match exact.verdict() {
                Verdict::Win => SavedValue::Win(exact.plies()),
                Verdict::Draw => SavedValue::Draw,
                Verdict::Loss => SavedValue::Loss(exact.plies()),
            },
            Value::Estimate { mean, error } => {
                SavedValue::Estimate(millionths(mean), millionths(error))
            }
        }
    }
}

impl From<SavedValue> for Value {
    fn from(saved: SavedValue) -> Value {
        let exact = |verdict, plies: Option<u32>, of: fn(u32) -> Exact| {
            Value::Exact(plies.map_or_else(|| Exact::of_unknown_length(verdict), of))
        };
        match saved {
            SavedValue::Win(plies) => exact(Verdict::Win, plies, Exact::win),
            SavedValue::Draw => Value::Exact(Exact::DRAW),
            SavedValue::Loss(plies) => exact(Verdict::Loss, plies, Exact::loss),
            SavedValue::Estimate(mean, error) => Value::Estimate {
                mean: f64::from(mean) / 1e6,
                error: f64::from(error) / 1e6,
            },
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

#[cfg(test)]
mod tests {
    use noughts_engine::{Analysis, Exact, Settings};
    use noughts_rules::{AnyPlay, Variant};

    use super::*;

    fn reviewed(moves: &str) -> Values {
        let mut play = AnyPlay::new(Variant::ULTIMATE);
        let mut plays = vec![play.clone()];
        for mv in moves.split(' ') {
            play.play(mv).expect("a legal move");
            plays.push(play.clone());
        }
        let sides: Vec<Player> = plays.iter().map(AnyPlay::side).collect();
        let mut values = Values::new(&sides, play.moves(), play.outcome());
        // The quick looks are enough here.
        for _ in 0..plays.len() {
            let (at, limits) = values.look(0).expect("a moment");
            let settings = settings(Settings {
                seed: 7,
                ..Settings::default()
            });
            values.learn(at, Analysis::start(&plays[at], &settings, limits).finish());
        }
        values
    }

    const GAME: &str = "ee ea ab bi ie eh hh hb";

    /// Guards reviews that blamed other moves each time they were made.
    #[test]
    fn a_review_finds_the_same_each_time() {
        assert_eq!(reviewed(GAME).saved(), reviewed(GAME).saved());
    }

    #[test]
    fn a_saved_review_says_the_same_when_it_is_read() {
        let values = reviewed(GAME);
        let sides: Vec<Player> = values.moments.iter().map(|moment| moment.side).collect();
        let empty = || Values::new(&sides, values.moves.clone(), None);
        let read = empty().restored(&values.saved()).expect("its own text");
        assert_eq!(read.saved(), values.saved());
        assert_eq!(read.done(), 1.0);
        for mv in 0..values.moves.len() {
            assert_eq!(read.mistake(mv), values.mistake(mv), "move {mv}");
            assert_eq!(read.praise(mv), values.praise(mv), "move {mv}");
        }
        for wrong in ["", "[]", "[null]", "{}", "something"] {
            assert!(empty().restored(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn values_are_saved_exactly() {
        for value in [
            Value::Exact(Exact::win(3)),
            Value::Exact(Exact::loss(0)),
            Value::Exact(Exact::DRAW),
            Value::Exact(Exact::of_unknown_length(Verdict::Win)),
            Value::Estimate {
                mean: -0.25,
                error: 0.125,
            },
        ] {
            let text = serde_json::to_string(&SavedValue::from(value)).expect("JSON");
            let read: SavedValue = serde_json::from_str(&text).expect("its own JSON");
            assert_eq!(Value::from(read), value, "{text}");
        }
    }
}
