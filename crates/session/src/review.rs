//! What every moment of a game is worth, as it is found out: first a quick look at all of them, nearest to the one that
//! is shown, then a longer one. What is proved needs no further look. Where looks run is up to the caller.

use noughts_engine::{
    BotSettings, ExactValue, GameValue, RankedMove, SearchLimits, SearchReport, Value,
};
use noughts_rules::{Outcome, Side};
use serde::{Deserialize, Serialize};

use crate::mistakes::{Mistake, best_move_note, find_mistake};
use crate::value_text::XRelativeValue;

/// The nodes of each look. Nodes and not time: the same game is judged in the same way on any machine, however busy.
const SEARCH_NODES: [u64; 2] = [20_000, 300_000];

/// Of a line, this much is saved.
const SAVED_LINE: usize = 24;
/// This many of a moment's best moves are saved.
const SAVED_MOVES: usize = 3;

/// Changes whenever the same game may be judged differently: saved reviews of another version are made again.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "/2");

/// Bytes that a look remembers: a table of another size finds other moves first.
pub const MEMORY_BYTES: usize = 16 << 20;

/// The settings of every look: one thread, one seed, one size of table, so that a review finds the same each time.
#[must_use]
pub fn search_settings(settings: BotSettings) -> BotSettings {
    BotSettings {
        seed: 0,
        threads: 1,
        memory: MEMORY_BYTES,
        ..settings
    }
}

/// The moments of a game, and what is known of each.
pub struct GameReview {
    positions: Vec<ReviewedPosition>,
    /// The moves between them, and how each is judged.
    moves: Vec<String>,
    mistakes: Vec<Option<Mistake>>,
}

/// One position of the game.
struct ReviewedPosition {
    side: Side,
    report: Option<SearchReport<String>>,
    searches: usize,
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

impl GameReview {
    /// `sides` says who is to move at each moment, one more than there are moves.
    /// What the rules say of the end is known from the start.
    #[must_use]
    pub fn new(sides: &[Side], moves: Vec<String>, outcome: Option<Outcome>) -> GameReview {
        let moments = sides.iter().map(|&side| ReviewedPosition {
            side,
            report: None,
            searches: 0,
        });
        let mut values = GameReview {
            positions: moments.collect(),
            mistakes: vec![None; moves.len()],
            moves,
        };
        if let (Some(outcome), Some(last)) = (outcome, values.positions.last_mut()) {
            last.report = Some(SearchReport {
                value: Value::Exact(ExactValue::from_outcome(outcome, last.side)),
                ..SearchReport::empty()
            });
            last.searches = SEARCH_NODES.len();
        }
        values
    }

    /// The moment to look at next, and with which limits; none when all were looked at long enough. It counts as looked
    /// at.
    pub fn next_search(&mut self, shown: usize) -> Option<(usize, SearchLimits)> {
        let next = self.next_moment(shown)?;
        let moment = self.positions.get_mut(next)?;
        let nodes = SEARCH_NODES.get(moment.searches).copied()?;
        moment.searches += 1;
        Some((next, SearchLimits::nodes(nodes)))
    }

    /// Which share of all looks is done, from 0 to 1.
    #[must_use]
    pub fn fraction_done(&self) -> f64 {
        let looks = self
            .positions
            .iter()
            .map(|moment| match moment.is_proved() {
                true => SEARCH_NODES.len(),
                false => moment.searches,
            });
        looks.sum::<usize>() as f64 / (SEARCH_NODES.len() * self.positions.len()).max(1) as f64
    }

    /// All that is known, as text for [`Values::restored`].
    #[must_use]
    pub fn to_json(&self) -> String {
        let moments = self.positions.iter().enumerate();
        let moments = moments.map(|(at, moment)| {
            Some(SavedPosition::of(
                moment.report.as_ref()?,
                self.moves.get(at),
            ))
        });
        serde_json::to_string(&moments.collect::<Vec<_>>()).unwrap_or_default()
    }

    /// A review that was saved of this game; none if the text is of another one.
    #[must_use]
    pub fn restore(mut self, saved: &str) -> Option<GameReview> {
        let saved: Vec<Option<SavedPosition>> = serde_json::from_str(saved).ok()?;
        if saved.len() != self.positions.len() {
            return None;
        }
        for (moment, saved) in self.positions.iter_mut().zip(saved) {
            moment.report = saved.map(SavedPosition::report);
            moment.searches = SEARCH_NODES.len();
        }
        for mv in 0..self.moves.len() {
            self.judge_move(mv);
        }
        Some(self)
    }

    /// The one that was looked at least, and of those the nearest.
    fn next_moment(&self, shown: usize) -> Option<usize> {
        let moments = self.positions.iter().enumerate();
        let open = moments
            .filter(|(_, moment)| !moment.is_proved() && moment.searches < SEARCH_NODES.len());
        open.min_by_key(|(i, moment)| (moment.searches, i.abs_diff(shown)))
            .map(|(i, _)| i)
    }

    /// More is known of a moment. A shallower look than the last one says nothing new.
    pub fn add_report(&mut self, at: usize, mut report: SearchReport<String>) {
        let Some(moment) = self.positions.get_mut(at) else {
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
                self.judge_move(mv);
            }
        }
    }

    fn judge_move(&mut self, mv: usize) {
        if let (Some(made), Some(report)) = (self.moves.get(mv), self.report(mv)) {
            self.mistakes[mv] = find_mistake(report, made, self.value_after(mv));
        }
    }

    /// What is known of the position that a move led to, as the mover sees it.
    fn value_after(&self, mv: usize) -> Option<Value> {
        let [before, after] = [mv, mv + 1].map(|at| self.positions.get(at));
        let (before, after) = (before?, after?);
        let report = after.report.as_ref()?;
        Some(value_for_mover(report.value, before.side == after.side))
    }

    /// What is to be said for the move with this number, as far as it is known.
    #[must_use]
    pub fn best_move_note(&self, mv: usize) -> &'static str {
        match (self.moves.get(mv), self.report(mv)) {
            (Some(made), Some(report)) => best_move_note(report, made, self.value_after(mv)),
            _ => "",
        }
    }

    /// What is known of a moment.
    #[must_use]
    pub fn report(&self, at: usize) -> Option<&SearchReport<String>> {
        self.positions.get(at)?.report.as_ref()
    }

    /// What a moment is worth. A proof of the move that led there holds for the moment after it, too.
    #[must_use]
    pub fn value_at(&self, at: usize) -> Option<XRelativeValue> {
        let moment = self.positions.get(at)?;
        let value = moment.report.as_ref().map(|report| report.value);
        if value.is_none_or(|value| value.exact().is_none())
            && let Some(proved) = self.proved_by_previous_move(at)
        {
            return Some(proved);
        }
        Some(XRelativeValue::from_side(value?, moment.side))
    }

    fn proved_by_previous_move(&self, at: usize) -> Option<XRelativeValue> {
        let mv = at.checked_sub(1)?;
        let (made, report) = (self.moves.get(mv)?, self.report(mv)?);
        let ranked = report.moves.iter().find(|ranked| ranked.mv == *made)?;
        let exact = ranked.value.exact()?;
        let left = exact.plies().map(|plies| plies.saturating_sub(1));
        let exact = match (exact.game_value(), left) {
            (GameValue::Win, Some(left)) => ExactValue::win(left),
            (GameValue::Loss, Some(left)) => ExactValue::loss(left),
            _ => exact,
        };
        Some(XRelativeValue::from_side(
            Value::Exact(exact),
            self.positions[mv].side,
        ))
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
        self.positions.len()
    }

    /// How far it has come.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let exact = self
            .positions
            .iter()
            .filter(|moment| moment.is_proved())
            .count();
        let known = self
            .positions
            .iter()
            .filter(|moment| moment.report.is_some());
        let known = known.count();
        Progress {
            exact,
            estimated: known - exact,
            unknown: self.positions.len() - known,
        }
    }
}

/// What is saved of a moment.
#[derive(Serialize, Deserialize)]
struct SavedPosition {
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

impl SavedPosition {
    /// The best moves of a report and the one that was made.
    fn of(report: &SearchReport<String>, made: Option<&String>) -> SavedPosition {
        let moves = report.moves.iter().enumerate();
        let moves = moves.filter(|(i, ranked)| *i < SAVED_MOVES || Some(&ranked.mv) == made);
        SavedPosition {
            value: report.value.into(),
            best: report.best.clone(),
            line: report.pv.iter().take(SAVED_LINE).cloned().collect(),
            moves: moves
                .map(|(_, ranked)| (ranked.mv.clone(), ranked.value.into()))
                .collect(),
            depth: report.depth,
        }
    }

    fn report(self) -> SearchReport<String> {
        let moves = self.moves.into_iter().map(|(mv, value)| RankedMove {
            pv: vec![mv.clone()],
            mv,
            value: value.into(),
            nodes: 0,
        });
        SearchReport {
            best: self.best,
            value: self.value.into(),
            pv: self.line,
            moves: moves.collect(),
            depth: self.depth,
            ..SearchReport::empty()
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
            Value::Exact(exact) => match exact.game_value() {
                GameValue::Win => SavedValue::Win(exact.plies()),
                GameValue::Draw => SavedValue::Draw,
                GameValue::Loss => SavedValue::Loss(exact.plies()),
            },
            Value::Estimate { mean, error } => {
                SavedValue::Estimate(millionths(mean), millionths(error))
            }
        }
    }
}

impl From<SavedValue> for Value {
    fn from(saved: SavedValue) -> Value {
        let exact = |verdict, plies: Option<u32>, of: fn(u32) -> ExactValue| {
            Value::Exact(plies.map_or_else(|| ExactValue::without_distance(verdict), of))
        };
        match saved {
            SavedValue::Win(plies) => exact(GameValue::Win, plies, ExactValue::win),
            SavedValue::Draw => Value::Exact(ExactValue::DRAW),
            SavedValue::Loss(plies) => exact(GameValue::Loss, plies, ExactValue::loss),
            SavedValue::Estimate(mean, error) => Value::Estimate {
                mean: f64::from(mean) / 1e6,
                error: f64::from(error) / 1e6,
            },
        }
    }
}

impl ReviewedPosition {
    fn is_proved(&self) -> bool {
        let report = self.report.as_ref();
        report.is_some_and(|report| report.value.exact().is_some())
    }
}

/// What a position is worth to the one who moved there.
fn value_for_mover(value: Value, again: bool) -> Value {
    match value {
        Value::Exact(exact) => Value::Exact(exact.backed_up(again)),
        Value::Estimate { mean, error } => Value::Estimate {
            mean: if again { mean } else { -mean },
            error,
        },
    }
}

#[cfg(test)]
mod tests {
    use noughts_engine::{Analysis, BotSettings, ExactValue};
    use noughts_rules::{AnyGameState, Variant};

    use super::*;

    fn reviewed(moves: &str) -> GameReview {
        let mut play = AnyGameState::new(Variant::ULTIMATE);
        let mut plays = vec![play.clone()];
        for mv in moves.split(' ') {
            play.play(mv).expect("a legal move");
            plays.push(play.clone());
        }
        let sides: Vec<Side> = plays.iter().map(AnyGameState::side).collect();
        let mut values = GameReview::new(&sides, play.moves(), play.outcome());
        // The quick looks are enough here.
        for _ in 0..plays.len() {
            let (at, limits) = values.next_search(0).expect("a moment");
            let settings = search_settings(BotSettings {
                seed: 7,
                ..BotSettings::default()
            });
            values.add_report(at, Analysis::start(&plays[at], &settings, limits).finish());
        }
        values
    }

    const GAME: &str = "ee ea ab bi ie eh hh hb";

    /// Guards reviews that blamed other moves each time they were made.
    #[test]
    fn a_review_finds_the_same_each_time() {
        assert_eq!(reviewed(GAME).to_json(), reviewed(GAME).to_json());
    }

    #[test]
    fn a_saved_review_says_the_same_when_it_is_read() {
        let values = reviewed(GAME);
        let sides: Vec<Side> = values.positions.iter().map(|moment| moment.side).collect();
        let empty = || GameReview::new(&sides, values.moves.clone(), None);
        let read = empty().restore(&values.to_json()).expect("its own text");
        assert_eq!(read.to_json(), values.to_json());
        assert_eq!(read.fraction_done(), 1.0);
        for mv in 0..values.moves.len() {
            assert_eq!(read.mistake(mv), values.mistake(mv), "move {mv}");
            assert_eq!(
                read.best_move_note(mv),
                values.best_move_note(mv),
                "move {mv}"
            );
        }
        for wrong in ["", "[]", "[null]", "{}", "something"] {
            assert!(empty().restore(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn values_are_saved_exactly() {
        for value in [
            Value::Exact(ExactValue::win(3)),
            Value::Exact(ExactValue::loss(0)),
            Value::Exact(ExactValue::DRAW),
            Value::Exact(ExactValue::without_distance(GameValue::Win)),
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
