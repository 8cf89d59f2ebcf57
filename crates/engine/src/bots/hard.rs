//! `hard`: knows the game, but doesn't search. Wins if it can, leaves no immediate win, and weighs
//! what a move gains against what the best reply gains. In games without heuristics it searches a little, with lapses.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use noughts_rules::{GameState, Outcome, Side};
use rand_core::Rng as _;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::levels::{self, LevelHeuristics, MoveMerit, ReplyThreat, SkillLevel, ThreatFinder};
use crate::bot::BotSettings;
use crate::limits::Budget;
use crate::report::SearchReport;
use crate::search::SearchContext;
use crate::search::mcts::Tree;
use crate::search_game::SearchGame;
use crate::value::{ExactValue, GameValue, Value};

/// At most this many replies to a move are considered; if there are more, a random sample.
const MAX_REPLIES: usize = 100;

/// Within a turn of several moves (5c, 5d), look at this many further moves.
const MAX_EXTRA_MOVES: u32 = 2;

/// After this many nodes, the remaining moves are judged by their merit alone. Takes milliseconds.
const MAX_NODES: u64 = 60_000;

/// Plays like someone who knows the game.
pub(crate) fn choose<G: SearchGame>(
    state: &GameState<G>,
    budget: &Budget,
    rng: &mut Xoshiro256PlusPlus,
) -> SearchReport<G::Move> {
    let (game, position) = (state.game(), state.position());
    let skill = SkillLevel::Experienced;
    if let Some(report) = levels::immediate_move(state, budget, skill, rng) {
        return report;
    }
    if game.needs_search() && levels::random_below(LAPSES, rng) > 0 {
        let report = look_ahead(state, budget, rng);
        // A lost position needs the longest defense, which the search doesn't look for.
        if report.value.exact().map(ExactValue::game_value) != Some(GameValue::Loss) {
            return report;
        }
    }
    let mut assessor = Assessor {
        game,
        budget,
        me: game.side(position),
        threats: ThreatFinder::new(SkillLevel::Experienced),
        nodes: 1,
        rng,
    };
    let Some((mv, assessment, is_complete)) = assessor.best_move(position, MAX_EXTRA_MOVES) else {
        return SearchReport::empty();
    };
    let nodes = assessor.nodes;
    let mut report = SearchReport::from_move(mv, nodes);
    report.pv.extend(assessment.continuation);
    match assessment.outlook {
        Outlook::Win(plies) => {
            report.value = Value::Exact(ExactValue::win(plies));
            report.depth = plies;
        }
        // Every move loses to the reply, unless a repetition could save the game.
        Outlook::ReplyThreat(threat @ (ReplyThreat::Reply | ReplyThreat::Lost))
            if is_complete && !game.can_repeat() =>
        {
            report.depth = if threat == ReplyThreat::Reply { 2 } else { 1 };
            report.value = Value::Exact(ExactValue::loss(report.depth));
        }
        Outlook::ReplyThreat(_) => {}
    }
    report
}

/// In games without heuristics, one move in this many is chosen without looking ahead.
const LAPSES: usize = 6;

/// The simulations of a short search. Takes milliseconds.
const SIMULATIONS: u64 = 1500;

/// The memory for them.
const SEARCH_MEMORY: usize = 1 << 20;

/// A short Monte Carlo tree search.
fn look_ahead<G: SearchGame>(
    state: &GameState<G>,
    budget: &Budget,
    rng: &mut Xoshiro256PlusPlus,
) -> SearchReport<G::Move> {
    let (game, position) = (state.game(), state.position());
    let settings = BotSettings {
        memory: SEARCH_MEMORY,
        ..BotSettings::default()
    };
    let context = SearchContext::new(game, &settings, game.max_plies_left(position));
    let mut tree = Tree::new(SEARCH_MEMORY, rng.next_u64());
    let params = game.mcts_params();
    let limited = budget.at_most_nodes(SIMULATIONS);
    tree.search(&context, position, params, &limited, &mut |_| {})
}

/// What a move leads to, as far as it was examined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Outlook {
    /// A win in this many moves of the same turn.
    Win(u32),
    ReplyThreat(ReplyThreat),
}

/// An examined move.
#[derive(Clone, Debug)]
struct MoveAssessment<M> {
    outlook: Outlook,
    merit: MoveMerit,
    /// The moves of the same turn that win after this one.
    continuation: Vec<M>,
}

impl<M> MoveAssessment<M> {
    fn new(outlook: Outlook, merit: MoveMerit) -> MoveAssessment<M> {
        MoveAssessment {
            outlook,
            merit,
            continuation: Vec::new(),
        }
    }

    fn danger(danger: ReplyThreat, merit: MoveMerit) -> MoveAssessment<M> {
        MoveAssessment::new(Outlook::ReplyThreat(danger), merit)
    }

    /// Greater is better.
    fn compare(&self, other: &MoveAssessment<M>) -> Ordering {
        let safety = |assessment: &MoveAssessment<M>| match assessment.outlook {
            Outlook::Win(plies) => -(plies as i32),
            Outlook::ReplyThreat(danger) => -100 - danger as i32,
        };
        safety(self)
            .cmp(&safety(other))
            .then_with(|| self.merit.total_cmp(&other.merit))
    }
}

/// Assesses the moves of one position.
struct Assessor<'a, G: LevelHeuristics> {
    game: &'a G,
    budget: &'a Budget,
    me: Side,
    threats: ThreatFinder<G::Move>,
    nodes: u64,
    rng: &'a mut Xoshiro256PlusPlus,
}

impl<G: LevelHeuristics> Assessor<'_, G> {
    /// The best move in a position where it is `me` to move, and whether all moves were examined.
    fn best_move(
        &mut self,
        position: &G::Position,
        extra_moves: u32,
    ) -> Option<(G::Move, MoveAssessment<G::Move>, bool)> {
        let moves =
            levels::candidates_by_merit(self.game, position, SkillLevel::Experienced, self.rng);
        let mut is_complete = moves.len() == self.game.count_moves(position);
        let mut best: Option<(MoveAssessment<G::Move>, G::Move)> = None;
        for &(merit, mv) in &moves {
            let assessment = self.assess(position, mv, merit, extra_moves);
            let good_enough = match assessment.outlook {
                Outlook::Win(_) => true,
                // Moves are sorted by merit, so the first safe one is the best.
                Outlook::ReplyThreat(danger) => {
                    danger == ReplyThreat::None && !self.game.considers_replies()
                }
            };
            if best
                .as_ref()
                .is_none_or(|(current, _)| assessment.compare(current).is_gt())
            {
                best = Some((assessment, mv));
            }
            if good_enough {
                break;
            }
            if self.budget.is_spent_now(self.nodes) {
                is_complete = false;
                break;
            }
        }
        let (assessment, mv) = best?;
        Some((mv, assessment, is_complete))
    }

    fn assess(
        &mut self,
        position: &G::Position,
        mv: G::Move,
        merit: MoveMerit,
        extra_moves: u32,
    ) -> MoveAssessment<G::Move> {
        let game = self.game;
        let after = game.after(position, mv);
        self.nodes += 1;
        match game.outcome(&after) {
            Some(Outcome::Win(winner)) if winner == self.me => {
                MoveAssessment::new(Outlook::Win(1), merit)
            }
            Some(Outcome::Win(_)) => MoveAssessment::danger(ReplyThreat::Lost, merit),
            Some(Outcome::Draw) => MoveAssessment::danger(ReplyThreat::None, merit),
            None if game.side(&after) == self.me => {
                self.assess_extra_move(&after, merit, extra_moves)
            }
            None => self.assess_replies(&after, merit),
        }
    }

    /// The same player moves again: the move leads to what its best continuation leads to.
    fn assess_extra_move(
        &mut self,
        after: &G::Position,
        merit: MoveMerit,
        extra_moves: u32,
    ) -> MoveAssessment<G::Move> {
        if extra_moves == 0 || self.nodes > MAX_NODES {
            return MoveAssessment::danger(ReplyThreat::None, merit);
        }
        let Some((mv, next, _)) = self.best_move(after, extra_moves - 1) else {
            return MoveAssessment::danger(ReplyThreat::None, merit);
        };
        let outlook = match next.outlook {
            Outlook::Win(plies) => Outlook::Win(plies + 1),
            Outlook::ReplyThreat(ReplyThreat::None) => Outlook::ReplyThreat(ReplyThreat::None),
            // The danger is one move further away than for a move that ends the turn.
            Outlook::ReplyThreat(_) => Outlook::ReplyThreat(ReplyThreat::ExtraMove),
        };
        let mut continuation = Vec::new();
        if let Outlook::Win(_) = outlook {
            continuation.push(mv);
            continuation.extend(next.continuation);
        }
        MoveAssessment {
            outlook,
            merit: MoveMerit {
                boards: merit.boards.max(next.merit.boards),
                gain: merit.gain + next.merit.gain,
            },
            continuation,
        }
    }

    /// The opponent moves next: does a reply win, and how much does the best one gain?
    fn assess_replies(&mut self, after: &G::Position, merit: MoveMerit) -> MoveAssessment<G::Move> {
        let game = self.game;
        if self.threats.find_win(game, after).is_some() {
            return MoveAssessment::danger(ReplyThreat::Reply, merit);
        }
        if !game.considers_replies() || self.nodes > MAX_NODES {
            return MoveAssessment::danger(ReplyThreat::None, merit);
        }
        let count = game.count_moves(after);
        let replies: Vec<G::Move> = if count <= MAX_REPLIES {
            game.moves(after)
        } else {
            let sample = |_| game.nth_move(after, levels::random_below(count, self.rng));
            (0..MAX_REPLIES).filter_map(sample).collect()
        };
        let mut best_gain = 0.0_f64;
        for mv in replies {
            let merit = game.merit(after, mv, SkillLevel::Experienced, self.rng);
            best_gain = best_gain.max(merit.gain);
        }
        self.nodes += count.min(MAX_REPLIES) as u64;
        MoveAssessment::danger(
            self.extra_move_danger(after),
            MoveMerit {
                boards: merit.boards,
                gain: merit.gain - best_gain - game.free_choice_cost(after),
            },
        )
    }

    /// Whether the opponent can win by moving twice (5c, 5d).
    fn extra_move_danger(&mut self, after: &G::Position) -> ReplyThreat {
        let game = self.game;
        // Whether a move is followed by another one depends on the target board, not on the move,
        // so checking the first move is enough.
        let moves_again = game.nth_move(after, 0).is_some_and(|mv| {
            let next = game.after(after, mv);
            game.outcome(&next).is_none() && game.side(&next) != self.me
        });
        if !moves_again {
            return ReplyThreat::None;
        }
        let found = game.visit_moves(after, |mv| {
            let next = game.after(after, mv);
            self.nodes += 1;
            let wins = game.side(&next) != self.me && self.threats.find_win(game, &next).is_some();
            if wins || self.nodes > MAX_NODES {
                return ControlFlow::Break(wins);
            }
            ControlFlow::Continue(())
        });
        match found.break_value() {
            Some(true) => ReplyThreat::ExtraMove,
            _ => ReplyThreat::None,
        }
    }
}
