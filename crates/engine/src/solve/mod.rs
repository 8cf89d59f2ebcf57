//! Exact values. What is said here is proved: by a table, by searching to the
//! ends of all games that matter, or by walking through a strategy.

mod choice;
mod prover;

use noughts_rules::{AnyPlay, Game as _, Play};

use crate::bot::Settings;
use crate::family::{Family, each_family};
use crate::limits::{Budget, Limits, Stop};
use crate::search::Lore;
use crate::value::{Exact, Verdict};

pub(crate) use choice::{look_up, prove, proved_move};
pub(crate) use prover::Prover;

/// What could be proved of a position and its moves.
#[derive(Clone, PartialEq, Debug)]
pub struct Solution<M> {
    /// The value for the side to move, if it was found in time.
    pub value: Option<Exact>,
    /// Every legal move and its value for the one who makes it, the best first
    /// and those that remain unknown last.
    pub moves: Vec<(M, Option<Exact>)>,
    /// Positions looked at.
    pub nodes: u64,
    /// Something that the person should know, as a sentence.
    pub note: Option<String>,
}

/// Solves a position of any variant: its value and that of every move, as far as
/// the limits allow.
///
/// ```
/// use noughts_engine::{Exact, Limits, Settings, Stop, solve::solve_any};
/// use noughts_rules::{AnyPlay, Variant};
/// let play = AnyPlay::new(Variant::CLASSIC);
/// let solution = solve_any(&play, &Settings::default(), Limits::NONE, &Stop::new());
/// assert_eq!(solution.value, Some(Exact::DRAW));
/// assert_eq!(solution.moves.len(), 9);
/// ```
#[must_use]
pub fn solve_any(
    play: &AnyPlay,
    settings: &Settings,
    limits: Limits,
    stop: &Stop,
) -> Solution<String> {
    let budget = Budget::start(limits, stop);
    each_family!(play, play => {
        let solution = solve(play, settings, &budget);
        let text = |mv| play.game().move_text(mv);
        let mut moves: Vec<_> = solution.moves.iter().map(|&(mv, value)| (text(mv), value)).collect();
        moves.sort_by(|(a, a_value), (b, b_value)| b_value.cmp(a_value).then_with(|| a.cmp(b)));
        Solution { value: solution.value, moves, nodes: solution.nodes, note: solution.note }
    })
}

/// Solves a position: its value and that of every move.
pub fn solve<G: Family>(play: &Play<G>, settings: &Settings, budget: &Budget) -> Solution<G::Move> {
    let (game, position) = (play.game(), play.position());
    if let Some(outcome) = play.outcome() {
        return Solution {
            value: Some(Exact::finished(outcome, play.side())),
            moves: Vec::new(),
            nodes: 0,
            note: None,
        };
    }
    let lore = Lore::new(game, settings, game.most_plies(position));
    let mut prover = Prover::new(&lore);
    // The position first: its value is what was asked for. Then the moves.
    let mut value = prover.value(position, budget);
    let mut moves = Vec::new();
    for mv in play.legal_moves() {
        let known = if budget.is_over() {
            None
        } else {
            prover.value_of_move(position, mv, budget)
        };
        moves.push((mv, known));
    }
    moves.sort_by(|(_, a), (_, b)| b.cmp(a));
    if value.is_none_or(|value| value.plies().is_none()) {
        value = best_of(&moves).or(value);
    }
    Solution {
        value,
        moves,
        nodes: prover.nodes(),
        note: None,
    }
}

/// The value of a position from those of its moves, best first: if all are known,
/// or one wins (but then the shortest win may be among the unknown ones).
fn best_of<M>(moves: &[(M, Option<Exact>)]) -> Option<Exact> {
    let best = moves.first()?.1?;
    if moves.iter().all(|(_, value)| value.is_some()) {
        return Some(best);
    }
    match best.verdict() {
        Verdict::Win if best.plies() == Some(1) => Some(best),
        Verdict::Win => Some(Exact::of_unknown_length(Verdict::Win)),
        Verdict::Draw | Verdict::Loss => None,
    }
}
