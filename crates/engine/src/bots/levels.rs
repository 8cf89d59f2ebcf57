//! Shared code of the levels `easy`, `medium` and `hard`: choosing candidate moves, finding wins
//! and threats, and special rules for the classic board.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use noughts_rules::{Game, GameState, Outcome, Side};
use rand_core::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::limits::Budget;
use crate::report::SearchReport;
use crate::sort::sort_by;
use crate::value::{ExactValue, Value};

/// How much a player notices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SkillLevel {
    /// Knows only the rules.
    Novice,
    /// Has played the game before.
    Experienced,
}

/// The merit of a move by itself, before any reply.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct MoveMerit {
    /// How many boards the move wins, from the inside out (nested games): 0 for none, 1 for the
    /// board that holds the cell, 2 if it also wins the parent board, and so on.
    pub boards: u32,
    /// Everything else, in units specific to the game.
    pub gain: f64,
}

impl MoveMerit {
    /// No particular merit.
    pub const NONE: MoveMerit = MoveMerit {
        boards: 0,
        gain: 0.0,
    };

    /// Compares boards first, then gain; greater is better.
    pub(super) fn total_cmp(&self, other: &MoveMerit) -> Ordering {
        self.boards
            .cmp(&other.boards)
            .then(self.gain.total_cmp(&other.gain))
    }
}

/// What the levels know about a game.
pub trait LevelHeuristics: Game {
    /// The center cell if the game is equivalent to the classic board, where the levels follow
    /// special rules.
    fn classic_center(&self) -> Option<Self::Move> {
        None
    }

    /// On the classic board: whether the opponent would win by taking this empty cell.
    fn opponent_would_win_at(&self, _: &Self::Position, _: Self::Move) -> bool {
        false
    }

    /// Whether a [`SkillLevel::Novice`] notices that this move wins.
    fn is_obvious(&self, _: Self::Move) -> bool {
        true
    }

    /// The merit of a legal move. An estimate by chance draws from `rng`.
    fn merit(
        &self,
        position: &Self::Position,
        mv: Self::Move,
        skill: SkillLevel,
        rng: &mut Xoshiro256PlusPlus,
    ) -> MoveMerit;

    /// Whether this legal move wins the game for the side to move.
    fn wins(&self, position: &Self::Position, mv: Self::Move) -> bool {
        self.outcome(&self.after(position, mv)) == Some(Outcome::Win(self.side(position)))
    }

    /// A move that wins at once and that a player of this skill notices. Takes microseconds,
    /// however many moves there are.
    fn find_win(&self, position: &Self::Position, skill: SkillLevel) -> Option<Self::Move> {
        try_all_for_win(self, position, skill)
    }

    /// The maximum number of moves to examine; if there are more, a random sample.
    fn max_candidates(&self) -> usize {
        1024
    }

    /// Whether `hard` searches, because no heuristics tell it what a move is worth.
    fn needs_search(&self) -> bool {
        false
    }

    /// Whether to weigh what the opponent gains by the reply. Not useful where a cell is equally
    /// good for both players.
    fn considers_replies(&self) -> bool {
        false
    }

    /// The cost, in units of [`MoveMerit::gain`], of giving the opponent a free move. `_after` is the
    /// position after the move.
    fn free_choice_cost(&self, _after: &Self::Position) -> f64 {
        0.0
    }

    /// Whether the side to move has a free move although it was sent to a board.
    fn gives_free_choice(&self, _position: &Self::Position) -> bool {
        false
    }
}

/// The merit of a move in a game without heuristics: the mean result of random games after it.
pub(crate) fn merit_by_playouts<G: Game>(
    game: &G,
    position: &G::Position,
    mv: G::Move,
    skill: SkillLevel,
    rng: &mut Xoshiro256PlusPlus,
) -> MoveMerit {
    let me = game.side(position);
    let after = game.after(position, mv);
    let count = match skill {
        SkillLevel::Novice => 2,
        SkillLevel::Experienced => 10,
    };
    let result = |_| {
        let (outcome, _) = game.playout(&mut after.clone(), rng);
        ExactValue::from_outcome(outcome, me).expected_result()
    };
    MoveMerit {
        boards: 0,
        gain: (0..count).map(result).sum::<f64>() / f64::from(count),
    }
}

/// Implements [`LevelHeuristics`] for a game without heuristics.
macro_rules! plain_levels {
    ($game:ty) => {
        impl LevelHeuristics for $game {
            fn merit(
                &self,
                position: &<Self as noughts_rules::Game>::Position,
                mv: <Self as noughts_rules::Game>::Move,
                skill: $crate::bots::levels::SkillLevel,
                rng: &mut rand_xoshiro::Xoshiro256PlusPlus,
            ) -> $crate::bots::levels::MoveMerit {
                $crate::bots::levels::merit_by_playouts(self, position, mv, skill, rng)
            }

            fn max_candidates(&self) -> usize {
                128
            }

            fn needs_search(&self) -> bool {
                true
            }
        }
    };
}
pub(crate) use plain_levels;

/// Tries every move, for games with few of them.
pub(crate) fn try_all_for_win<G: LevelHeuristics>(
    game: &G,
    position: &G::Position,
    skill: SkillLevel,
) -> Option<G::Move> {
    let found = game.visit_moves(position, |mv| {
        let is_noticed = skill == SkillLevel::Experienced || game.is_obvious(mv);
        if is_noticed && game.wins(position, mv) {
            return ControlFlow::Break(mv);
        }
        ControlFlow::Continue(())
    });
    found.break_value()
}

/// A random number below `n`, which must not be 0. The slight bias doesn't matter for choosing
/// among similar moves.
pub(super) fn random_below(n: usize, rng: &mut impl Rng) -> usize {
    ((u64::from(rng.next_u32()) * n as u64) >> 32) as usize
}

/// Shuffles uniformly; a stable sort then keeps the random order among equals.
pub(super) fn shuffle<T>(items: &mut [T], rng: &mut impl Rng) {
    for last in (1..items.len()).rev() {
        items.swap(last, random_below(last + 1, rng));
    }
}

/// Legal moves in random order: all of them, or a sample of `max`.
pub(super) fn candidates<G: Game>(
    game: &G,
    position: &G::Position,
    max: usize,
    rng: &mut impl Rng,
) -> Vec<G::Move> {
    let count = game.count_moves(position);
    let mut moves = if count <= max {
        game.moves(position)
    } else {
        let mut sample: Vec<G::Move> = (0..max)
            .filter_map(|_| game.nth_move(position, random_below(count, rng)))
            .collect();
        sample.sort_unstable();
        sample.dedup();
        sample
    };
    shuffle(&mut moves, rng);
    moves
}

/// Candidate moves sorted by merit, best first.
pub(super) fn candidates_by_merit<G: LevelHeuristics>(
    game: &G,
    position: &G::Position,
    skill: SkillLevel,
    rng: &mut Xoshiro256PlusPlus,
) -> Vec<(MoveMerit, G::Move)> {
    let mut moves: Vec<(MoveMerit, G::Move)> =
        candidates(game, position, game.max_candidates(), rng)
            .into_iter()
            .map(|mv| (game.merit(position, mv, skill, rng), mv))
            .collect();
    sort_by(&mut moves, |(one, _), (other, _)| other.total_cmp(one));
    moves
}

/// A random legal move, for a bot that has no time.
pub(super) fn random_move_report<G: Game>(
    state: &GameState<G>,
    rng: &mut impl Rng,
) -> SearchReport<G::Move> {
    SearchReport::from_optional_move(state.game().random_move(state.position(), rng), 0)
}

/// The move of a level that needs no comparison: any move if there is no time, the special rules of the
/// classic board, or a win that a player of this skill notices.
pub(super) fn immediate_move<G: LevelHeuristics>(
    state: &GameState<G>,
    budget: &Budget,
    skill: SkillLevel,
    rng: &mut impl Rng,
) -> Option<SearchReport<G::Move>> {
    let game = state.game();
    if budget.should_stop() {
        return Some(random_move_report(state, rng));
    }
    if let Some(center) = game.classic_center() {
        return Some(classic_move(state, center, skill, rng));
    }
    let win = game.find_win(state.position(), skill)?;
    Some(winning_move_report(win, 1))
}

/// A report of a move that wins at once, which is proved.
pub(super) fn winning_move_report<M: Copy>(mv: M, nodes: u64) -> SearchReport<M> {
    SearchReport {
        value: Value::Exact(ExactValue::win(1)),
        depth: 1,
        ..SearchReport::from_move(mv, nodes)
    }
}

/// What the opponent can do immediately after a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum ReplyThreat {
    /// Nothing that was noticed.
    None,
    /// Win within one turn by moving more than once.
    ExtraMove,
    /// Win with the next move.
    Reply,
    /// The move itself lost the game.
    Lost,
}

/// Finds winning replies. Remembers the ones found so far and tries them first: one reply refutes
/// most moves that overlook a threat.
pub(super) struct ThreatFinder<M> {
    skill: SkillLevel,
    refutations: Vec<M>,
}

impl<M: Copy + PartialEq> ThreatFinder<M> {
    pub(super) fn new(skill: SkillLevel) -> ThreatFinder<M> {
        ThreatFinder {
            skill,
            refutations: Vec::new(),
        }
    }

    /// A move with which the side to move wins.
    pub(super) fn find_win<G: LevelHeuristics<Move = M>>(
        &mut self,
        game: &G,
        after: &G::Position,
    ) -> Option<M> {
        let known = self.refutations.iter().copied();
        let mut known = known.filter(|&mv| game.check(after, mv).is_ok());
        if let Some(mv) = known.find(|&mv| game.wins(after, mv)) {
            return Some(mv);
        }
        let mv = game.find_win(after, self.skill)?;
        self.refutations.push(mv);
        Some(mv)
    }

    /// The immediate danger after a move of `me` that led to this position.
    pub(super) fn danger<G: LevelHeuristics<Move = M>>(
        &mut self,
        game: &G,
        after: &G::Position,
        me: Side,
    ) -> ReplyThreat {
        match game.outcome(after) {
            Some(Outcome::Win(winner)) if winner != me => ReplyThreat::Lost,
            Some(_) => ReplyThreat::None,
            None if game.side(after) == me => ReplyThreat::None,
            None if self.find_win(game, after).is_some() => ReplyThreat::Reply,
            None => ReplyThreat::None,
        }
    }
}

/// The rules of the levels for the classic board: the center if it is free, then a win (if the
/// player is experienced), then a block, then any move.
fn classic_move<G: LevelHeuristics>(
    state: &GameState<G>,
    center: G::Move,
    skill: SkillLevel,
    rng: &mut impl Rng,
) -> SearchReport<G::Move> {
    let looks_for_wins = skill == SkillLevel::Experienced;
    let (game, position) = (state.game(), state.position());
    let moves = candidates(game, position, 9, rng);
    let nodes = moves.len() as u64;
    let wins = |mv: G::Move| game.wins(position, mv);
    if moves.contains(&center) {
        return match wins(center) {
            true if looks_for_wins => winning_move_report(center, nodes),
            _ => SearchReport::from_move(center, nodes),
        };
    }
    if looks_for_wins && let Some(&mv) = moves.iter().find(|&&mv| wins(mv)) {
        return winning_move_report(mv, nodes);
    }
    let block = moves
        .iter()
        .find(|&&mv| game.opponent_would_win_at(position, mv));
    SearchReport::from_optional_move(block.or(moves.first()).copied(), nodes)
}
