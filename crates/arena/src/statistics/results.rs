//! The results of a tournament as they come in, in any order, and which of them count.
//!
//! Only complete pairs count, from the first round on without a gap. The order in which games
//! happen to finish must not matter: short games finish first, and their results differ from those
//! of long ones.
//!
//! A pair that repeats an earlier pair of the same two bots is counted, but isn't evidence:
//! ratings, intervals and the SPRT leave it out.

use std::collections::{BTreeMap, HashSet};

use noughts_rules::{Outcome, Side};
use serde::Serialize;

use super::pentanomial::{GamePair, Pentanomial};
use super::sprt::{Decision, SprtState};
use crate::plan::Plan;
use crate::played_game::{EndReason, GameFingerprint, GameKey, GameResult, PlayedGame};

/// All results of a tournament.
#[derive(Clone, Debug)]
pub struct Results {
    bots: usize,
    head_to_heads: BTreeMap<(u32, u32), HeadToHead>,
    sprt: Option<SprtState>,
    seen: HashSet<GameKey>,
    faults: Vec<FaultCounts>,
    /// Games of each bot, whether they count or not.
    games_played: Vec<u64>,
    /// The fingerprints of all games.
    fingerprints: HashSet<GameFingerprint>,
    /// The number of consecutive pairs of the SPRT that repeated earlier ones.
    repeats_in_a_row: u64,
    /// Whether the SPRT was given up as undecidable. Never unset: games that were still running may
    /// differ, but no game starts after them.
    is_given_up: bool,
}

/// After this many repeated pairs in a row, no new game is expected.
const MAX_REPEATS: u64 = 50;

/// Games that a bot lost by its own faults. If both bots failed, neither won and it counts for
/// both.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct FaultCounts {
    /// Losses on time.
    pub late: u64,
    /// Crashes, including failures to start.
    pub crashed: u64,
    /// How many of the crashes were failures to start.
    pub not_started: u64,
    /// Illegal moves.
    pub illegal: u64,
    /// Protocol violations and output overflows.
    pub protocol: u64,
}

impl FaultCounts {
    /// The total.
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
            // Endings by the rules or by adjudication.
            _ => {}
        }
    }
}

/// The head-to-head record of two bots, from the point of view of the one that comes first in the
/// plan.
#[derive(Clone, Debug, Default)]
pub struct HeadToHead {
    /// The pairs that count.
    pub tally: Pentanomial,
    /// Games without their partner, or after a gap.
    waiting: BTreeMap<u32, [Option<(Outcome, GameFingerprint)>; 2]>,
    /// The fingerprints of the pairs so far.
    fingerprints: HashSet<[GameFingerprint; 2]>,
    /// Pairs after the end of the SPRT.
    pairs_after_end: u64,
}

impl HeadToHead {
    /// Games that don't count (yet): their partners or earlier games are missing, or the SPRT ended
    /// before them.
    #[must_use]
    pub fn uncounted_games(&self) -> u64 {
        let halves = self.waiting.values().flatten().flatten().count();
        2 * self.pairs_after_end + halves as u64
    }
}

impl Results {
    /// Starts without any game.
    #[must_use]
    pub fn new(plan: &Plan) -> Results {
        let bots = plan.bots.len();
        Results {
            bots,
            head_to_heads: BTreeMap::new(),
            sprt: plan.sprt.map(SprtState::new),
            seen: HashSet::new(),
            faults: vec![FaultCounts::default(); bots],
            games_played: vec![0; bots],
            fingerprints: HashSet::new(),
            repeats_in_a_row: 0,
            is_given_up: false,
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

    /// Adds a game. Games already added and games with bots outside the plan are ignored.
    pub fn add(&mut self, game: &GameResult) {
        let GameResult {
            key,
            outcome,
            reason,
            fingerprint,
        } = *game;
        let is_in_plan = key.first != key.second
            && (key.first as usize) < self.bots
            && (key.second as usize) < self.bots;
        if !is_in_plan || !self.seen.insert(key) {
            return;
        }
        self.fingerprints.insert(fingerprint);
        for side in Side::BOTH {
            self.games_played[key.bot(side) as usize] += 1;
            if outcome.winner() != Some(side) {
                self.faults[key.bot(side) as usize].count(reason);
            }
        }
        let record = self
            .head_to_heads
            .entry((key.first, key.second))
            .or_default();
        let pair = record.waiting.entry(key.round).or_default();
        pair[usize::from(key.swapped)] = Some((outcome, fingerprint));
        let is_tested = (key.first, key.second) == (0, 1);
        loop {
            let next = record.tally.pair_count() + record.pairs_after_end;
            let Ok(next) = u32::try_from(next) else {
                break;
            };
            let Some(&[Some(first), Some(second)]) = record.waiting.get(&next) else {
                break;
            };
            record.waiting.remove(&next);
            let pair = GamePair::new(first.0, second.0);
            let sprt = self.sprt.as_mut().filter(|_| is_tested);
            let is_over =
                |sprt: &&mut SprtState| self.is_given_up || sprt.decision != Decision::GoOn;
            if sprt.as_ref().is_some_and(is_over) {
                record.pairs_after_end += 1;
                continue;
            }
            match (record.fingerprints.insert([first.1, second.1]), sprt) {
                (true, Some(sprt)) => {
                    sprt.add(pair.category());
                    self.repeats_in_a_row = 0;
                    record.tally.add(pair);
                }
                (true, None) => record.tally.add(pair),
                (false, sprt) => {
                    record.tally.add_repeated(pair);
                    if sprt.is_some() {
                        self.repeats_in_a_row += 1;
                        self.is_given_up = self.repeats_in_a_row >= MAX_REPEATS;
                    }
                }
            }
        }
    }

    /// The number of games, whether they count or not.
    #[must_use]
    pub fn game_count(&self) -> u64 {
        self.seen.len() as u64
    }

    /// The number of games with distinct openings, moves or endings.
    #[must_use]
    pub fn distinct_games(&self) -> u64 {
        self.fingerprints.len() as u64
    }

    /// Whether the SPRT was given up because its games only repeat earlier ones.
    #[must_use]
    pub const fn is_repeating(&self) -> bool {
        self.is_given_up
    }

    /// The number of games that don't count (yet).
    #[must_use]
    pub fn uncounted_games(&self) -> u64 {
        self.head_to_heads
            .values()
            .map(HeadToHead::uncounted_games)
            .sum()
    }

    /// The SPRT between the first two bots, if the plan has one.
    #[must_use]
    pub const fn sprt(&self) -> Option<&SprtState> {
        self.sprt.as_ref()
    }

    /// Whether the SPRT was decided or given up.
    #[must_use]
    pub fn is_sprt_over(&self) -> bool {
        let is_decided = |sprt: &SprtState| sprt.decision != Decision::GoOn;
        self.is_given_up || self.sprt().is_some_and(is_decided)
    }

    /// All head-to-head records, with the indices of their bots.
    pub fn head_to_heads(&self) -> impl Iterator<Item = (usize, usize, &HeadToHead)> {
        self.head_to_heads
            .iter()
            .map(|(&(first, second), record)| (first as usize, second as usize, record))
    }

    /// A bot's tally against another.
    #[must_use]
    pub fn tally_between(&self, bot: usize, other: usize) -> Pentanomial {
        self.tally_against(bot, |opponent| opponent == other)
    }

    /// A bot's tally against all others.
    #[must_use]
    pub fn tally_of(&self, bot: usize) -> Pentanomial {
        self.tally_against(bot, |_| true)
    }

    fn tally_against(&self, bot: usize, counts: impl Fn(usize) -> bool) -> Pentanomial {
        let mut tally = Pentanomial::default();
        for (first, second, record) in self.head_to_heads() {
            if first == bot && counts(second) {
                tally.merge(&record.tally);
            } else if second == bot && counts(first) {
                tally.merge(&record.tally.swapped());
            }
        }
        tally
    }

    /// The number of games a bot has played, whether they count or not.
    #[must_use]
    pub fn games_played(&self, bot: usize) -> u64 {
        self.games_played.get(bot).copied().unwrap_or_default()
    }

    /// Whether a bot failed to start in every one of its games.
    #[must_use]
    pub fn never_started(&self, bot: usize) -> bool {
        let played = self.games_played(bot);
        played > 0 && self.faults(bot).not_started == played
    }

    /// The games a bot lost by its own faults.
    #[must_use]
    pub fn faults(&self, bot: usize) -> FaultCounts {
        self.faults.get(bot).copied().unwrap_or_default()
    }
}
