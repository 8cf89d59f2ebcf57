//! The complete pairs that come first in the plan. A sequential test goes by these alone:
//! which games happen to end sooner decides nothing. A pair that repeats an earlier one is
//! no news, and is left out.

use std::collections::{HashMap, HashSet};
use std::fmt;

use noughts_rules::{Outcome, Player as Side};

use crate::played::{Course, GameResult, Key};
use crate::schedule::Schedule;

/// How many pairs brought the first bot no point, a half, one, one and a half, two.
pub type PairCounts = [u64; 5];

/// What a sequential test accepts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Accepted {
    /// It is not better by so much.
    H0,
    /// It is.
    H1,
}

/// Says whether these pairs decide a sequential test. It is asked after each new pair, in the
/// order of the plan, until it has decided.
pub type Decide = Box<dyn FnMut(&PairCounts) -> Option<Accepted>>;

/// After this many repeated pairs in a row no new game is to be expected.
const REPEATS: u64 = 50;

pub(super) struct Prefix {
    decide: Option<Decide>,
    /// First games of the pairs that are not complete yet, in order.
    order: Box<dyn Iterator<Item = Key>>,
    next: Option<Key>,
    /// Results behind those.
    results: HashMap<Key, (Outcome, Course)>,
    /// The pairs that counted, by what happened in them.
    seen: HashSet<[Course; 2]>,
    repeats: u64,
    counts: PairCounts,
    decided: Option<(Accepted, u64)>,
}

impl Prefix {
    pub(super) fn new(schedule: &Schedule, decide: Option<Decide>) -> Prefix {
        let mut order = schedule.games().filter(|key| !key.swapped);
        Prefix {
            decide,
            next: order.next(),
            order: Box::new(order),
            results: HashMap::new(),
            seen: HashSet::new(),
            repeats: 0,
            counts: PairCounts::default(),
            decided: None,
        }
    }

    pub(super) fn counts(&self) -> PairCounts {
        self.counts
    }

    /// What was decided, and by how many pairs.
    pub(super) fn decided(&self) -> Option<(Accepted, u64)> {
        self.decided
    }

    /// Do the games only repeat earlier ones? Then the test is never decided.
    pub(super) fn is_repeating(&self) -> bool {
        self.decided.is_none() && self.repeats >= REPEATS
    }

    pub(super) fn add(&mut self, game: &GameResult) {
        let Some(decide) = &mut self.decide else {
            return;
        };
        let result = (game.outcome, game.course);
        self.results.insert(game.key, result);
        // What comes after the decision is kept, but is no part of it.
        while let (Some(key), None) = (self.next, self.decided) {
            let other = Key {
                swapped: true,
                ..key
            };
            let results = (self.results.get(&key), self.results.get(&other));
            let (Some(&one), Some(&two)) = results else {
                return;
            };
            self.results.remove(&key);
            self.results.remove(&other);
            self.next = self.order.next();
            if !self.seen.insert([one.1, two.1]) {
                self.repeats += 1;
                continue;
            }
            self.repeats = 0;
            self.counts[half_points(one.0, Side::X) + half_points(two.0, Side::O)] += 1;
            self.decided =
                decide(&self.counts).map(|accepted| (accepted, self.counts.iter().sum()));
        }
    }
}

/// What a game brought to whoever had this side, in half points.
fn half_points(outcome: Outcome, side: Side) -> usize {
    match outcome.winner() {
        None => 1,
        Some(winner) => 2 * usize::from(winner == side),
    }
}

impl fmt::Debug for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.counts)
    }
}
