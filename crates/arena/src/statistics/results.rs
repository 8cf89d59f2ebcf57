//! The results of a plan as they come in, in any order, and what of them counts.
//!
//! What counts of two bots' games are whole pairs, from the first round on without a
//! gap. Which games happen to be over first must not matter: short ones are, and they do
//! not end like long ones.
//!
//! A pair of games that repeats an earlier one of the same two bots is counted, but says
//! nothing new: ratings, intervals and the sequential test leave it out.

use std::collections::{BTreeMap, HashSet};

use noughts_rules::{Outcome, Side};
use serde::Serialize;

use super::pentanomial::{GamePair, Tally};
use super::sprt::{Decision, SprtRun};
use crate::plan::Plan;
use crate::played_game::{EndReason, GameFingerprint, GameKey, GameResult, PlayedGame};

/// Everything that has been played, counted.
#[derive(Clone, Debug)]
pub struct Results {
    bots: usize,
    met: BTreeMap<(u32, u32), HeadToHead>,
    walk: Option<SprtRun>,
    /// The LLR after each pair that counted.
    path: Vec<f64>,
    seen: HashSet<GameKey>,
    faults: Vec<FaultCounts>,
    /// Games of each bot, counted or not.
    played: Vec<u64>,
    /// All games, by what happened in them.
    courses: HashSet<GameFingerprint>,
    /// Pairs of the test that repeated earlier ones, since the last one that didn't.
    repeats: u64,
    /// The test can't be decided. Once set, it stays: games that were being played then may
    /// still differ, but nothing is played after them.
    gave_up: bool,
}

/// After this many repeated pairs in a row, no new game is to be expected.
const MOST_REPEATS: u64 = 50;

/// Games that a bot lost by its own faults. Where both failed at once, neither won, and
/// it counts for both.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct FaultCounts {
    /// It was late.
    pub late: u64,
    /// It broke down, or did not start.
    pub crashed: u64,
    /// How many of these it did not start in.
    pub not_started: u64,
    /// Its move was not legal.
    pub illegal: u64,
    /// It wrote what makes no sense, or far too much.
    pub protocol: u64,
}

impl FaultCounts {
    /// All of them.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.late + self.crashed + self.illegal + self.protocol
    }

    fn count(&mut self, reason: EndReason) {
        match reason {
            EndReason::Timeout => self.late += 1,
            EndReason::Crash => self.crashed += 1,
            EndReason::StartFailure => {
                self.crashed += 1;
                self.not_started += 1;
            }
            EndReason::IllegalMove => self.illegal += 1,
            EndReason::ProtocolError => self.protocol += 1,
            // The rules' own ends, and the referee's.
            _ => {}
        }
    }
}

/// What two bots have made of each other, as the one sees it that comes first in the
/// plan.
#[derive(Clone, Debug, Default)]
pub struct HeadToHead {
    /// What counts.
    pub tally: Tally,
    /// The same, pair by pair.
    pub pairs: Vec<u8>,
    /// Games that have no partner yet, or come after a gap.
    waiting: BTreeMap<u32, [Option<(Outcome, GameFingerprint)>; 2]>,
    /// The pairs so far, by what happened in them.
    courses: HashSet<[GameFingerprint; 2]>,
    /// Pairs beyond the one that decided a test, or with which it was given up.
    beyond: u64,
}

impl HeadToHead {
    /// Games that do not count (yet): their partners, or earlier ones, are missing, or a
    /// test was decided or given up before them.
    #[must_use]
    pub fn uncounted_games(&self) -> u64 {
        let halves = self.waiting.values().flatten().flatten().count();
        2 * self.beyond + halves as u64
    }
}

impl Results {
    /// Before the first game.
    #[must_use]
    pub fn new(plan: &Plan) -> Results {
        let bots = plan.bots.len();
        Results {
            bots,
            met: BTreeMap::new(),
            walk: plan.sprt.map(SprtRun::new),
            path: Vec::new(),
            seen: HashSet::new(),
            faults: vec![FaultCounts::default(); bots],
            played: vec![0; bots],
            courses: HashSet::new(),
            repeats: 0,
            gave_up: false,
        }
    }

    /// The results of these games.
    #[must_use]
    pub fn from_games<'a>(plan: &Plan, games: impl IntoIterator<Item = &'a PlayedGame>) -> Results {
        let mut results = Results::new(plan);
        for game in games {
            results.add(&game.result());
        }
        results
    }

    /// Counts a game. One that is there already, or that is not between two bots of the
    /// plan, is not counted.
    pub fn add(&mut self, game: &GameResult) {
        let GameResult {
            key,
            outcome,
            reason,
            fingerprint: course,
        } = *game;
        let inside = key.first != key.second
            && (key.first as usize) < self.bots
            && (key.second as usize) < self.bots;
        if !inside || !self.seen.insert(key) {
            return;
        }
        self.courses.insert(course);
        for side in Side::BOTH {
            self.played[key.bot(side) as usize] += 1;
            if outcome.winner() != Some(side) {
                self.faults[key.bot(side) as usize].count(reason);
            }
        }
        let meeting = self.met.entry((key.first, key.second)).or_default();
        let pair = meeting.waiting.entry(key.round).or_default();
        pair[usize::from(key.swapped)] = Some((outcome, course));
        let tested = (key.first, key.second) == (0, 1);
        loop {
            let next = meeting.pairs.len() as u64 + meeting.beyond;
            let Ok(next) = u32::try_from(next) else {
                break;
            };
            let Some(&[Some(first), Some(second)]) = meeting.waiting.get(&next) else {
                break;
            };
            meeting.waiting.remove(&next);
            let pair = GamePair::new(first.0, second.0);
            let walk = self.walk.as_mut().filter(|_| tested);
            let is_over = |walk: &&mut SprtRun| self.gave_up || walk.decision() != Decision::GoOn;
            if walk.as_ref().is_some_and(is_over) {
                meeting.beyond += 1;
                continue;
            }
            match (meeting.courses.insert([first.1, second.1]), walk) {
                (true, Some(walk)) => {
                    walk.add(pair.category());
                    self.path.push(walk.llr());
                    self.repeats = 0;
                    meeting.tally.add(pair);
                }
                (true, None) => meeting.tally.add(pair),
                (false, walk) => {
                    meeting.tally.add_repeated(pair);
                    if walk.is_some() {
                        self.repeats += 1;
                        self.gave_up = self.repeats >= MOST_REPEATS;
                    }
                }
            }
            meeting.pairs.push(pair.category());
        }
    }

    /// How many bots there are.
    #[must_use]
    pub const fn bot_count(&self) -> usize {
        self.bots
    }

    /// How many different games there were, counted or not.
    #[must_use]
    pub fn game_count(&self) -> u64 {
        self.seen.len() as u64
    }

    /// How many of them differ: in their opening, their moves or their end.
    #[must_use]
    pub fn distinct_games(&self) -> u64 {
        self.courses.len() as u64
    }

    /// Was the test given up, because its games only repeat earlier ones?
    #[must_use]
    pub const fn is_repeating(&self) -> bool {
        self.gave_up
    }

    /// How many of them do not count (yet).
    #[must_use]
    pub fn uncounted_games(&self) -> u64 {
        self.met.values().map(HeadToHead::uncounted_games).sum()
    }

    /// The test, where the plan asks for one: between the first two bots.
    #[must_use]
    pub const fn sprt_run(&self) -> Option<&SprtRun> {
        self.walk.as_ref()
    }

    /// The LLR after each pair that counted for the test.
    #[must_use]
    pub fn llr_history(&self) -> &[f64] {
        &self.path
    }

    /// All who met, the one that comes first in the plan first.
    pub fn head_to_heads(&self) -> impl Iterator<Item = (usize, usize, &HeadToHead)> {
        self.met
            .iter()
            .map(|(&(first, second), meeting)| (first as usize, second as usize, meeting))
    }

    /// What a bot made of another.
    #[must_use]
    pub fn tally_between(&self, bot: usize, other: usize) -> Tally {
        let mut tally = Tally::default();
        for (first, second, meeting) in self.head_to_heads() {
            if (first, second) == (bot, other) {
                tally.merge(&meeting.tally);
            } else if (second, first) == (bot, other) {
                tally.merge(&meeting.tally.swapped());
            }
        }
        tally
    }

    /// What a bot made of all others.
    #[must_use]
    pub fn tally_of(&self, bot: usize) -> Tally {
        let mut tally = Tally::default();
        for (first, second, meeting) in self.head_to_heads() {
            if first == bot {
                tally.merge(&meeting.tally);
            } else if second == bot {
                tally.merge(&meeting.tally.swapped());
            }
        }
        tally
    }

    /// How many games a bot has played, counted or not.
    #[must_use]
    pub fn games_played(&self, bot: usize) -> u64 {
        self.played.get(bot).copied().unwrap_or_default()
    }

    /// Did a bot fail to start in every one of its games?
    #[must_use]
    pub fn never_started(&self, bot: usize) -> bool {
        let played = self.games_played(bot);
        played > 0 && self.faults(bot).not_started == played
    }

    /// How many games a bot lost by faults of its own.
    #[must_use]
    pub fn faults(&self, bot: usize) -> FaultCounts {
        self.faults.get(bot).copied().unwrap_or_default()
    }
}
