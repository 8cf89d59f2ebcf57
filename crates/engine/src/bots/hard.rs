//! `hard`: knows the game, but does not search. Wins if it can, leaves no win,
//! and weighs what a move gains against what the answer to it can gain.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use noughts_rules::{GameState, Outcome, Side};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::levels::{self, Danger, LevelHeuristics, Merit, SkillLevel, ThreatFinder};
use crate::bot::{Bot, BotSettings};
use crate::limits::Budget;
use crate::report::SearchReport;
use crate::value::{ExactValue, Value};

/// Up to so many answers to a move are weighed; where there are more, a sample is.
const ANSWERS: usize = 100;

/// Of a turn that goes on (5c, 5d), so many further moves are looked at.
const TURN: u32 = 2;

/// After so many looks the rest is judged by its merit alone: milliseconds.
const MOST_LOOKS: u64 = 60_000;

/// Plays like somebody who knows the game.
pub(crate) struct Hard {
    rng: Xoshiro256PlusPlus,
}

impl Hard {
    pub(crate) fn new(settings: &BotSettings) -> Hard {
        Hard {
            rng: levels::seeded_rng(settings),
        }
    }
}

impl<G: LevelHeuristics> Bot<G> for Hard {
    fn think(
        &mut self,
        play: &GameState<G>,
        budget: &Budget,
        _: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> SearchReport<G::Move> {
        let (game, position) = (play.game(), play.position());
        if budget.should_stop() {
            return levels::random_move_report(play, &mut self.rng);
        }
        if let Some(middle) = game.classic_center() {
            return levels::classic_move(play, middle, true, &mut self.rng);
        }
        if let Some(mv) = game.find_win(position, SkillLevel::Experienced) {
            return levels::winning_move_report(mv, 1);
        }
        let mut look = Look {
            game,
            budget,
            me: game.side(position),
            lookout: ThreatFinder::new(SkillLevel::Experienced),
            nodes: 1,
            rng: &mut self.rng,
        };
        let Some(Best { mv, judged, of_all }) = look.best_of(position, TURN) else {
            return SearchReport::empty();
        };
        let nodes = look.nodes;
        let mut report = SearchReport::from_move(mv, nodes);
        report.pv.extend(judged.rest);
        match judged.verdict {
            Seen::Win(plies) => {
                report.value = Value::Exact(ExactValue::win(plies));
                report.depth = plies;
            }
            // Whatever is played, the answer wins. (Not where a repetition may save.)
            Seen::Danger(Danger::Reply) if of_all && !G::CAN_REPEAT => {
                report.value = Value::Exact(ExactValue::loss(2));
                report.depth = 2;
            }
            Seen::Danger(Danger::Lost) if of_all && !G::CAN_REPEAT => {
                report.value = Value::Exact(ExactValue::loss(1));
                report.depth = 1;
            }
            Seen::Danger(_) => {}
        }
        report
    }
}

/// What a move leads to, as far as it was looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Seen {
    /// A win in so many moves of the same turn.
    Win(u32),
    Danger(Danger),
}

/// A move looked at.
#[derive(Clone, Debug)]
struct Judged<M> {
    verdict: Seen,
    merit: Merit,
    /// The moves that win after it in the same turn.
    rest: Vec<M>,
}

impl<M> Judged<M> {
    fn danger(danger: Danger, merit: Merit) -> Judged<M> {
        Judged {
            verdict: Seen::Danger(danger),
            merit,
            rest: Vec::new(),
        }
    }

    /// Greater is better.
    fn order(&self, other: &Judged<M>) -> Ordering {
        let safety = |judged: &Judged<M>| match judged.verdict {
            Seen::Win(plies) => -(plies as i32),
            Seen::Danger(danger) => -100 - danger as i32,
        };
        safety(self)
            .cmp(&safety(other))
            .then_with(|| self.merit.total_cmp(&other.merit))
    }
}

/// The best move that was seen.
struct Best<M> {
    mv: M,
    judged: Judged<M>,
    /// Were all moves looked at?
    of_all: bool,
}

/// One look at a position.
struct Look<'a, G: LevelHeuristics> {
    game: &'a G,
    budget: &'a Budget,
    me: Side,
    lookout: ThreatFinder<G::Move>,
    nodes: u64,
    rng: &'a mut Xoshiro256PlusPlus,
}

impl<G: LevelHeuristics> Look<'_, G> {
    /// The best move of a position in which it is `me` who moves.
    fn best_of(&mut self, position: &G::Position, turn: u32) -> Option<Best<G::Move>> {
        let moves =
            levels::candidates_by_merit(self.game, position, SkillLevel::Experienced, self.rng);
        let mut of_all = moves.len() == self.game.count_moves(position);
        let mut best: Option<(Judged<G::Move>, G::Move)> = None;
        for &(merit, mv) in &moves {
            let judged = self.judge(position, mv, merit, turn);
            let good_enough = match judged.verdict {
                Seen::Win(_) => true,
                // In order of merit, the first that is safe is the best.
                Seen::Danger(danger) => danger == Danger::None && !self.game.considers_replies(),
            };
            if best
                .as_ref()
                .is_none_or(|(most, _)| judged.order(most).is_gt())
            {
                best = Some((judged, mv));
            }
            if good_enough {
                break;
            }
            if levels::is_budget_spent(self.budget, self.nodes) {
                of_all = false;
                break;
            }
        }
        let (judged, mv) = best?;
        Some(Best { mv, judged, of_all })
    }

    fn judge(
        &mut self,
        position: &G::Position,
        mv: G::Move,
        merit: Merit,
        turn: u32,
    ) -> Judged<G::Move> {
        let game = self.game;
        let mut after = position.clone();
        game.apply(&mut after, mv);
        self.nodes += 1;
        match game.outcome(&after) {
            Some(Outcome::Win(winner)) if winner == self.me => Judged {
                verdict: Seen::Win(1),
                merit,
                rest: Vec::new(),
            },
            Some(Outcome::Win(_)) => Judged::danger(Danger::Lost, merit),
            Some(Outcome::Draw) => Judged::danger(Danger::None, merit),
            None if game.side(&after) == self.me => self.judge_turn(&after, merit, turn),
            None => self.judge_answers(&after, merit),
        }
    }

    /// The turn goes on: what it leads to is what its best next move leads to.
    fn judge_turn(&mut self, after: &G::Position, merit: Merit, turn: u32) -> Judged<G::Move> {
        if turn == 0 || self.nodes > MOST_LOOKS {
            return Judged::danger(Danger::None, merit);
        }
        let Some(Best {
            mv, judged: next, ..
        }) = self.best_of(after, turn - 1)
        else {
            return Judged::danger(Danger::None, merit);
        };
        let verdict = match next.verdict {
            Seen::Win(plies) => Seen::Win(plies + 1),
            Seen::Danger(Danger::None) => Seen::Danger(Danger::None),
            // One move further off than it is for moves that end the turn.
            Seen::Danger(_) => Seen::Danger(Danger::ExtraMove),
        };
        let mut rest = Vec::new();
        if let Seen::Win(_) = verdict {
            rest.push(mv);
            rest.extend(next.rest);
        }
        Judged {
            verdict,
            merit: Merit {
                boards: merit.boards.max(next.merit.boards),
                gain: merit.gain + next.merit.gain,
            },
            rest,
        }
    }

    /// The opponent moves: does an answer win, and how much does the best gain?
    fn judge_answers(&mut self, after: &G::Position, merit: Merit) -> Judged<G::Move> {
        let game = self.game;
        if self.lookout.find_win(game, after).is_some() {
            return Judged::danger(Danger::Reply, merit);
        }
        if !game.considers_replies() || self.nodes > MOST_LOOKS {
            return Judged::danger(Danger::None, merit);
        }
        let count = game.count_moves(after);
        let mut most = 0.0_f64;
        let mut weigh = |mv| most = most.max(game.merit(after, mv, SkillLevel::Experienced).gain);
        if count <= ANSWERS {
            let ControlFlow::Continue(()) =
                game.visit_moves::<std::convert::Infallible>(after, |mv| {
                    weigh(mv);
                    ControlFlow::Continue(())
                });
        } else {
            for _ in 0..ANSWERS {
                if let Some(mv) = game.nth_move(after, levels::random_below(count, self.rng)) {
                    weigh(mv);
                }
            }
        }
        self.nodes += count.min(ANSWERS) as u64;
        Judged::danger(
            self.danger_of_turn(after),
            Merit {
                boards: merit.boards,
                gain: merit.gain - most - game.free_choice_cost(after),
            },
        )
    }

    /// Can the opponent win by moving twice (5c, 5d)?
    fn danger_of_turn(&mut self, after: &G::Position) -> Danger {
        let game = self.game;
        // Whether a move is followed by another depends on where one was sent, not
        // on the move: the first one tells.
        let moves_again = game.nth_move(after, 0).is_some_and(|mv| {
            let mut next = after.clone();
            game.apply(&mut next, mv);
            game.outcome(&next).is_none() && game.side(&next) != self.me
        });
        if !moves_again {
            return Danger::None;
        }
        let found = game.visit_moves(after, |mv| {
            let mut next = after.clone();
            game.apply(&mut next, mv);
            self.nodes += 1;
            let wins = game.side(&next) != self.me && self.lookout.find_win(game, &next).is_some();
            if wins || self.nodes > MOST_LOOKS {
                return ControlFlow::Break(wins);
            }
            ControlFlow::Continue(())
        });
        match found {
            ControlFlow::Break(true) => Danger::ExtraMove,
            _ => Danger::None,
        }
    }
}
