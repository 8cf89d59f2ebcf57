//! Exact values. (Stub: plain search without memory; to be replaced.)

use std::ops::ControlFlow;

use noughts_rules::{AnyPlay, Game, Play, Visitor};

use crate::bot::Settings;
use crate::limits::{Budget, Limits, Stop};
use crate::value::{Exact, Verdict};

/// What is proved of a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Solution<M> {
    /// The position's value for the side to move, where it could be proved.
    pub value: Option<Exact>,
    /// Every legal move with its value for the one who makes it; the best first,
    /// those not known last.
    pub moves: Vec<(M, Option<Exact>)>,
    /// Positions looked at.
    pub nodes: u64,
    /// Something that the person should know, as a sentence.
    pub note: Option<String>,
}

/// The exact value of a position and of its moves, as far as the limits allow.
#[must_use]
pub fn solve_any(
    play: &AnyPlay,
    _settings: &Settings,
    limits: Limits,
    stop: &Stop,
) -> Solution<String> {
    let budget = Budget::start(limits, stop);
    if let Some(outcome) = play.outcome() {
        return Solution {
            value: Some(Exact::finished(outcome, play.side())),
            moves: Vec::new(),
            nodes: 0,
            note: None,
        };
    }
    play.visit(Plain { budget: &budget })
}

struct Plain<'a> {
    budget: &'a Budget,
}

impl Visitor for Plain<'_> {
    type Output = Solution<String>;

    fn visit<G: Game>(self, play: &Play<G>) -> Solution<String> {
        let (game, mut nodes) = (play.game(), 0);
        let mut moves: Vec<(String, Option<Exact>)> = Vec::new();
        for mv in play.legal_moves() {
            let mut next = play.position().clone();
            game.apply(&mut next, mv);
            let again = game.side(&next) == play.side();
            let value = match G::REPEATS && game.outcome(&next).is_none() {
                true => None,
                false => search(game, &next, self.budget, &mut nodes),
            };
            moves.push((game.move_text(mv), value.map(|value| value.of_move(again))));
        }
        moves.sort_by(|(a, x), (b, y)| y.cmp(x).then_with(|| a.cmp(b)));
        let best = moves.first().and_then(|(_, value)| *value);
        let sure = moves.iter().all(|(_, value)| value.is_some());
        Solution {
            value: best
                .filter(|best| sure || (best.verdict() == Verdict::Win && best.plies() == Some(1))),
            moves,
            nodes,
            note: None,
        }
    }
}

fn search<G: Game>(
    game: &G,
    position: &G::Position,
    budget: &Budget,
    nodes: &mut u64,
) -> Option<Exact> {
    *nodes += 1;
    if budget.is_spent(*nodes) {
        return None;
    }
    let side = game.side(position);
    if let Some(outcome) = game.outcome(position) {
        return Some(Exact::finished(outcome, side));
    }
    let mut best: Option<Exact> = None;
    let spent = game.visit_moves(position, |mv| {
        let mut next = position.clone();
        game.apply(&mut next, mv);
        match search(game, &next, budget, nodes) {
            None => ControlFlow::Break(()),
            Some(value) => {
                let value = value.of_move(game.side(&next) == side);
                best = best.max(Some(value));
                ControlFlow::Continue(())
            }
        }
    });
    match spent {
        ControlFlow::Break(()) => None,
        ControlFlow::Continue(()) => best,
    }
}
