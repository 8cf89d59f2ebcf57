//! Reviews a game position by position: first a short search of every position, starting from the
//! one on screen, then a longer one. Proved positions need no further search. Where the searches
//! run is up to the caller.

use noughts_engine::{
    BotSettings, ExactValue, GameValue, RankedMove, SearchLimits, SearchReport, Value,
};
use noughts_rules::{Outcome, Side};
use serde::{Deserialize, Serialize};

use crate::mistakes::{Mistake, best_move_note, find_mistake};
use noughts_text::ValueForX;

/// The node limit of each search. Nodes rather than time, so that a review doesn't depend on the
/// machine or its load.
const SEARCH_NODES: [u64; 2] = [20_000, 300_000];

/// Moves of a principal variation that are saved.
const SAVED_LINE: usize = 24;
/// Best moves that are saved for each position.
const SAVED_MOVES: usize = 3;

/// Changes whenever the same game may be judged differently. Saved reviews with another version are
/// redone.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "/2");

/// Table size for each search: another size finds moves in a different order.
pub const MEMORY_BYTES: usize = 16 << 20;

/// The settings for every search: one thread, a fixed seed and a fixed table size, so that reviews
/// are reproducible.
#[must_use]
pub fn search_settings(settings: BotSettings) -> BotSettings {
    BotSettings {
        seed: 0,
        threads: 1,
        memory: MEMORY_BYTES,
        ..settings
    }
}

/// The positions of a game and what is known about each.
pub struct GameReview {
    positions: Vec<ReviewedPosition>,
    /// The moves between the positions, and their mistakes.
    moves: Vec<String>,
    mistakes: Vec<Option<Mistake>>,
}

/// One position of the game.
struct ReviewedPosition {
    side: Side,
    report: Option<SearchReport<String>>,
    searches: usize,
}

/// The number of positions for each state of knowledge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReviewProgress {
    /// The value is proved.
    pub exact: usize,
    /// The value is estimated.
    pub estimated: usize,
    /// Not searched yet.
    pub unknown: usize,
}

impl GameReview {
    /// `sides` are the sides to move in each position, one more than there are moves. The value of
    /// a finished game's last position is known from the start.
    #[must_use]
    pub fn new(sides: &[Side], moves: Vec<String>, outcome: Option<Outcome>) -> GameReview {
        let positions = sides.iter().map(|&side| ReviewedPosition {
            side,
            report: None,
            searches: 0,
        });
        let mut review = GameReview {
            positions: positions.collect(),
            mistakes: vec![None; moves.len()],
            moves,
        };
        if let (Some(outcome), Some(last)) = (outcome, review.positions.last_mut()) {
            last.report = Some(SearchReport {
                value: Value::Exact(ExactValue::from_outcome(outcome, last.side)),
                ..SearchReport::empty()
            });
            last.searches = SEARCH_NODES.len();
        }
        review
    }

    /// The next position to search, with its limits; `None` when every position has had all its
    /// searches. It counts as searched from now on.
    pub fn next_search(&mut self, current: usize) -> Option<(usize, SearchLimits)> {
        let next = self.next_position(current)?;
        let position = self.positions.get_mut(next)?;
        let nodes = SEARCH_NODES.get(position.searches).copied()?;
        position.searches += 1;
        Some((next, SearchLimits::nodes(nodes)))
    }

    /// The fraction of all searches that are done, from 0 to 1.
    #[must_use]
    pub fn fraction_done(&self) -> f64 {
        let searches = self
            .positions
            .iter()
            .map(|position| match position.is_proved() {
                true => SEARCH_NODES.len(),
                false => position.searches,
            });
        searches.sum::<usize>() as f64 / (SEARCH_NODES.len() * self.positions.len()).max(1) as f64
    }

    /// Everything known, as JSON for [`GameReview::restore`].
    #[must_use]
    pub fn to_json(&self) -> String {
        let saved = (0..self.len()).map(|index| {
            let report = self.report(index)?;
            Some(SavedPosition::new(report, self.moves.get(index)))
        });
        serde_json::to_string(&saved.collect::<Vec<_>>()).unwrap_or_default()
    }

    /// Restores a saved review of this game; `None` if the text belongs to another game.
    #[must_use]
    pub fn restore(mut self, saved: &str) -> Option<GameReview> {
        let saved: Vec<Option<SavedPosition>> = serde_json::from_str(saved).ok()?;
        if saved.len() != self.positions.len() {
            return None;
        }
        for (position, saved) in self.positions.iter_mut().zip(saved) {
            position.report = saved.map(SavedPosition::into_report);
            position.searches = SEARCH_NODES.len();
        }
        for mv in 0..self.moves.len() {
            self.judge_move(mv);
        }
        Some(self)
    }

    /// The position with the fewest searches, and among those the nearest.
    fn next_position(&self, current: usize) -> Option<usize> {
        let positions = self.positions.iter().enumerate();
        let open = positions.filter(|(_, position)| {
            !position.is_proved() && position.searches < SEARCH_NODES.len()
        });
        open.min_by_key(|(i, position)| (position.searches, i.abs_diff(current)))
            .map(|(i, _)| i)
    }

    /// Adds a report for a position. A report from a shallower search than the last one is ignored.
    pub fn add_report(&mut self, index: usize, mut report: SearchReport<String>) {
        let Some(position) = self.positions.get_mut(index) else {
            return;
        };
        let is_better = position.report.as_ref().is_none_or(|old| {
            report.value.exact().is_some()
                || (old.value.exact().is_none() && report.depth >= old.depth)
        });
        if is_better {
            report.value = rounded(report.value);
            for ranked in &mut report.moves {
                ranked.value = rounded(ranked.value);
            }
            position.report = Some(report);
            for mv in [index.checked_sub(1), Some(index)].into_iter().flatten() {
                self.judge_move(mv);
            }
        }
    }

    fn judge_move(&mut self, mv: usize) {
        if let (Some(played), Some(report)) = (self.moves.get(mv), self.report(mv)) {
            self.mistakes[mv] = find_mistake(report, played, self.value_after(mv));
        }
    }

    /// The value of the position after a move, for the mover.
    fn value_after(&self, mv: usize) -> Option<Value> {
        let (before, after) = (self.positions.get(mv)?, self.positions.get(mv + 1)?);
        let value = after.report.as_ref()?.value;
        Some(value_for_mover(value, before.side == after.side))
    }

    /// A remark for the move with this index if it is, or seems to be, the best one.
    #[must_use]
    pub fn best_move_note(&self, mv: usize) -> &'static str {
        match (self.moves.get(mv), self.report(mv)) {
            (Some(played), Some(report)) => best_move_note(report, played, self.value_after(mv)),
            _ => "",
        }
    }

    /// The report for a position.
    #[must_use]
    pub fn report(&self, index: usize) -> Option<&SearchReport<String>> {
        self.positions.get(index)?.report.as_ref()
    }

    /// The value of a position. A proof for the preceding move also holds for the position after
    /// it.
    #[must_use]
    pub fn value_at(&self, index: usize) -> Option<ValueForX> {
        let position = self.positions.get(index)?;
        let value = position.report.as_ref().map(|report| report.value);
        if value.is_none_or(|value| value.exact().is_none())
            && let Some(proved) = self.proved_by_previous_move(index)
        {
            return Some(proved);
        }
        Some(ValueForX::from_side(value?, position.side))
    }

    fn proved_by_previous_move(&self, index: usize) -> Option<ValueForX> {
        let mv = index.checked_sub(1)?;
        let (played, report) = (self.moves.get(mv)?, self.report(mv)?);
        let ranked = report.moves.iter().find(|ranked| ranked.mv == *played)?;
        let exact = ranked.value.exact()?;
        let plies_left = exact.plies().map(|plies| plies.saturating_sub(1));
        let exact = Value::Exact(ExactValue::new(exact.game_value(), plies_left));
        Some(ValueForX::from_side(exact, self.positions[mv].side))
    }

    /// The mistake in the move with this index, if it is one.
    #[must_use]
    pub fn mistake(&self, mv: usize) -> Option<&Mistake> {
        self.mistakes.get(mv)?.as_ref()
    }

    /// The number of positions: one more than moves.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "a game has a beginning")]
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// How much is known so far.
    #[must_use]
    pub fn progress(&self) -> ReviewProgress {
        let positions = || self.positions.iter();
        let exact = positions().filter(|position| position.is_proved()).count();
        let unknown = positions()
            .filter(|position| position.report.is_none())
            .count();
        ReviewProgress {
            exact,
            estimated: self.positions.len() - exact - unknown,
            unknown,
        }
    }
}

/// A position as saved.
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
    /// In millionths, so that the text round-trips exactly.
    Estimate(i32, i32),
}

impl SavedPosition {
    /// The best moves of a report, and the one that was played.
    fn new(report: &SearchReport<String>, played: Option<&String>) -> SavedPosition {
        let moves = report.moves.iter().enumerate();
        let moves = moves.filter(|(i, ranked)| *i < SAVED_MOVES || Some(&ranked.mv) == played);
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

    fn into_report(self) -> SearchReport<String> {
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

/// Rounds a value as saving does, so that a review is the same before and after.
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
        let exact = |game_value, plies| Value::Exact(ExactValue::new(game_value, plies));
        match saved {
            SavedValue::Win(plies) => exact(GameValue::Win, plies),
            SavedValue::Draw => exact(GameValue::Draw, None),
            SavedValue::Loss(plies) => exact(GameValue::Loss, plies),
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

/// Converts the value of a position to the value of the move that led to it.
fn value_for_mover(value: Value, same_side: bool) -> Value {
    match value {
        Value::Exact(exact) => Value::Exact(exact.backed_up(same_side)),
        Value::Estimate { mean, error } => Value::Estimate {
            mean: if same_side { mean } else { -mean },
            error,
        },
    }
}

#[cfg(test)]
mod tests {
    use noughts_engine::analysis::analyze;
    use noughts_engine::{BotSettings, ExactValue, StopFlag};
    use noughts_rules::{AnyGameState, Variant};

    use super::*;

    fn reviewed(moves: &str) -> GameReview {
        let mut state = AnyGameState::new(Variant::ULTIMATE);
        let mut states = vec![state.clone()];
        for mv in moves.split(' ') {
            state.play(mv).expect("a legal move");
            states.push(state.clone());
        }
        let sides: Vec<Side> = states.iter().map(AnyGameState::side).collect();
        let mut review = GameReview::new(&sides, state.moves(), state.outcome());
        // The short searches are enough here.
        for _ in 0..states.len() {
            let (index, limits) = review.next_search(0).expect("a moment");
            let settings = search_settings(BotSettings {
                seed: 7,
                ..BotSettings::default()
            });
            let (state, stop) = (&states[index], StopFlag::new());
            let mut last = SearchReport::empty();
            analyze(state, &settings, limits, &stop, &mut |report| {
                last = report.clone();
            });
            review.add_report(index, last);
        }
        review
    }

    const GAME: &str = "ee ea ab bi ie eh hh hb";

    /// Regression test: reviews blamed different moves each time they were made.
    #[test]
    fn reviews_are_reproducible() {
        assert_eq!(reviewed(GAME).to_json(), reviewed(GAME).to_json());
    }

    #[test]
    fn saved_reviews_round_trip() {
        let review = reviewed(GAME);
        let sides: Vec<Side> = review
            .positions
            .iter()
            .map(|position| position.side)
            .collect();
        let empty = || GameReview::new(&sides, review.moves.clone(), None);
        let restored = empty().restore(&review.to_json()).expect("its own text");
        assert_eq!(restored.to_json(), review.to_json());
        assert_eq!(restored.fraction_done(), 1.0);
        for mv in 0..review.moves.len() {
            assert_eq!(restored.mistake(mv), review.mistake(mv), "move {mv}");
            assert_eq!(
                restored.best_move_note(mv),
                review.best_move_note(mv),
                "move {mv}"
            );
        }
        for wrong in ["", "[]", "[null]", "{}", "something"] {
            assert!(empty().restore(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn saved_values_round_trip() {
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
            let restored: SavedValue = serde_json::from_str(&text).expect("its own JSON");
            assert_eq!(Value::from(restored), value, "{text}");
        }
    }
}
