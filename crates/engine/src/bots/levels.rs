//! What the levels `easy`, `medium` and `hard` share: picking moves to look at,
//! seeing wins and dangers, and the rules that the classic board has of its own.
//! What is worth doing in a game is the business of its family, in `levels/`.

mod mnk;
mod nested;
mod tic_tac_two;

use std::cmp::Ordering;
use std::ops::ControlFlow;

use noughts_rules::{Game, GameState, Outcome, Side};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::bot::BotSettings;
use crate::limits::Budget;
use crate::report::SearchReport;
use crate::value::{ExactValue, Value};

/// How well a player sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SkillLevel {
    /// Sees what anybody sees who was told the rules.
    Novice,
    /// Has played the game before.
    Experienced,
}

/// What a move is good for by itself, before any answer to it.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct Merit {
    /// How far out boards are won by it (nested games): 0 for none, 1 for the
    /// board that holds the cell, 2 for the one around it as well, and so on.
    pub boards: u32,
    /// Everything else, in the family's own measure.
    pub gain: f64,
}

impl Merit {
    /// Good for nothing in particular.
    pub const NONE: Merit = Merit {
        boards: 0,
        gain: 0.0,
    };

    /// Greater is better: boards first.
    pub(super) fn total_cmp(&self, other: &Merit) -> Ordering {
        self.boards
            .cmp(&other.boards)
            .then(self.gain.total_cmp(&other.gain))
    }
}

/// What the levels know of a game.
pub trait LevelHeuristics: Game {
    /// The middle, where the game is the classic board under whatever name:
    /// there the levels follow rules of their own.
    fn classic_center(&self) -> Option<Self::Move> {
        None
    }

    /// On the classic board: would the opponent win by this empty cell?
    fn opponent_would_win_at(&self, _: &Self::Position, _: Self::Move) -> bool {
        false
    }

    /// Is a win by this move seen by a [`Eye::Plain`] player?
    fn is_obvious(&self, _: Self::Move) -> bool {
        true
    }

    /// What a legal move is good for.
    fn merit(&self, position: &Self::Position, mv: Self::Move, eye: SkillLevel) -> Merit;

    /// Does this legal move win the game for the one who makes it?
    fn wins(&self, position: &Self::Position, mv: Self::Move) -> bool {
        let mut after = position.clone();
        self.apply(&mut after, mv);
        self.outcome(&after) == Some(Outcome::Win(self.side(position)))
    }

    /// A move that wins at once, as far as this eye sees. Takes microseconds,
    /// however many moves there are.
    fn find_win(&self, position: &Self::Position, eye: SkillLevel) -> Option<Self::Move> {
        try_all_for_win(self, position, eye)
    }

    /// How many moves are looked at; where there are more, a sample is.
    fn max_candidates(&self) -> usize {
        1024
    }

    /// Does it pay to weigh what the opponent gains by the answer? Not where a
    /// cell that is good for one is as good for the other.
    fn considers_replies(&self) -> bool {
        false
    }

    /// What it costs, in the measure of [`Merit::gain`], to leave the opponent
    /// a free choice. The position is the one after the move.
    fn free_choice_cost(&self, _after: &Self::Position) -> f64 {
        0.0
    }

    /// Does the position give a free choice to a player who was sent somewhere?
    fn gives_free_choice(&self, _position: &Self::Position) -> bool {
        false
    }
}

/// Tries every move. For games whose moves are few.
fn try_all_for_win<G: LevelHeuristics>(
    game: &G,
    position: &G::Position,
    eye: SkillLevel,
) -> Option<G::Move> {
    let found = game.visit_moves(position, |mv| {
        let seen = eye == SkillLevel::Experienced || game.is_obvious(mv);
        if seen && game.wins(position, mv) {
            return ControlFlow::Break(mv);
        }
        ControlFlow::Continue(())
    });
    match found {
        ControlFlow::Break(mv) => Some(mv),
        ControlFlow::Continue(()) => None,
    }
}

/// The generator of a bot.
pub(super) fn seeded_rng(settings: &BotSettings) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(settings.seed)
}

/// A number below `n`, which is not 0. The last bit of fairness does not matter
/// for a choice among moves that look alike.
pub(super) fn random_below(n: usize, rng: &mut impl Rng) -> usize {
    ((u64::from(rng.next_u32()) * n as u64) >> 32) as usize
}

/// Puts the moves into some order, each as likely as the others: sorting keeps
/// it among equals.
pub(super) fn shuffle<T>(items: &mut [T], rng: &mut impl Rng) {
    for last in (1..items.len()).rev() {
        items.swap(last, random_below(last + 1, rng));
    }
}

/// Legal moves in random order: all of them, or `most` where there are more.
pub(super) fn candidates<G: Game>(
    game: &G,
    position: &G::Position,
    most: usize,
    rng: &mut impl Rng,
) -> Vec<G::Move> {
    let count = game.count_moves(position);
    let mut moves = if count <= most {
        game.moves(position)
    } else {
        let mut some: Vec<G::Move> = (0..most)
            .filter_map(|_| game.nth_move(position, random_below(count, rng)))
            .collect();
        some.sort_unstable();
        some.dedup();
        some
    };
    shuffle(&mut moves, rng);
    moves
}

/// The same with the best merit first.
pub(super) fn candidates_by_merit<G: LevelHeuristics>(
    game: &G,
    position: &G::Position,
    eye: SkillLevel,
    rng: &mut impl Rng,
) -> Vec<(Merit, G::Move)> {
    let mut moves: Vec<(Merit, G::Move)> = candidates(game, position, game.max_candidates(), rng)
        .into_iter()
        .map(|mv| (game.merit(position, mv, eye), mv))
        .collect();
    moves.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    moves
}

/// Any legal move: the answer of a bot that has no time.
pub(super) fn random_move_report<G: Game>(
    play: &GameState<G>,
    rng: &mut impl Rng,
) -> SearchReport<G::Move> {
    match play.game().random_move(play.position(), rng) {
        Some(mv) => SearchReport::from_move(mv, 0),
        None => SearchReport::empty(),
    }
}

/// A move that wins at once: this much is proved.
pub(super) fn winning_move_report<M: Copy>(mv: M, nodes: u64) -> SearchReport<M> {
    SearchReport {
        value: Value::Exact(ExactValue::win(1)),
        depth: 1,
        ..SearchReport::from_move(mv, nodes)
    }
}

/// Has the bot used up what it was given?
pub(super) fn is_budget_spent(budget: &Budget, nodes: u64) -> bool {
    budget.limits().nodes.is_some_and(|most| nodes >= most) || budget.should_stop()
}

/// What the opponent can do at once against a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Danger {
    /// Nothing that was seen.
    None,
    /// Win before the turn comes back, by moving more than once.
    ExtraMove,
    /// Win by the next move.
    Reply,
    /// Nothing is left to do: the move itself gave the game away.
    Lost,
}

/// Sees winning answers. Remembers those that worked: the same one refutes most
/// moves that overlook a threat, and is tried first.
pub(super) struct ThreatFinder<M> {
    eye: SkillLevel,
    refutations: Vec<M>,
}

impl<M: Copy + PartialEq> ThreatFinder<M> {
    pub(super) fn new(eye: SkillLevel) -> ThreatFinder<M> {
        ThreatFinder {
            eye,
            refutations: Vec::new(),
        }
    }

    /// A move by which the player to move wins.
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
        let mv = game.find_win(after, self.eye)?;
        self.refutations.push(mv);
        Some(mv)
    }

    /// What follows at once from a move of `me` that led here.
    pub(super) fn danger<G: LevelHeuristics<Move = M>>(
        &mut self,
        game: &G,
        after: &G::Position,
        me: Side,
    ) -> Danger {
        match game.outcome(after) {
            Some(Outcome::Win(winner)) if winner != me => Danger::Lost,
            Some(_) => Danger::None,
            None if game.side(after) == me => Danger::None,
            None if self.find_win(game, after).is_some() => Danger::Reply,
            None => Danger::None,
        }
    }
}

/// The classic levels: the middle if it is free, then a win (for those who look
/// for one), then a cell that the opponent would win by, then any.
pub(super) fn classic_move<G: LevelHeuristics>(
    play: &GameState<G>,
    middle: G::Move,
    looks_for_wins: bool,
    rng: &mut impl Rng,
) -> SearchReport<G::Move> {
    let (game, position) = (play.game(), play.position());
    let moves = candidates(game, position, 9, rng);
    let nodes = moves.len() as u64;
    let wins = |mv: G::Move| game.wins(position, mv);
    if moves.contains(&middle) {
        return match wins(middle) {
            true if looks_for_wins => winning_move_report(middle, nodes),
            _ => SearchReport::from_move(middle, nodes),
        };
    }
    if looks_for_wins && let Some(&mv) = moves.iter().find(|&&mv| wins(mv)) {
        return winning_move_report(mv, nodes);
    }
    let threatened = moves
        .iter()
        .find(|&&mv| game.opponent_would_win_at(position, mv));
    match threatened.or(moves.first()) {
        Some(&mv) => SearchReport::from_move(mv, nodes),
        None => SearchReport::empty(),
    }
}
