//! Exact values. What is said here is proved: by a table, by searching to the
//! ends of all games that matter, or by walking through a strategy.

mod move_choice;
mod prover;
mod repetition;
pub(crate) mod strategy_5a;

use noughts_rules::{AnyGameState, Game as _, GameState};

use crate::bot::BotSettings;
use crate::limits::{Budget, SearchLimits, StopFlag};
use crate::search::SearchContext;
use crate::search_game::{SearchGame, each_family};
use crate::value::{ExactValue, GameValue};

pub(crate) use move_choice::{
    best_move, choose_drawing_move, move_by_strategy, prove_move, proved_move, rank_by_tablebase,
};
pub(crate) use prover::Prover;
pub(crate) use repetition::{Repetition, repetition};

/// What a strategy that is known for a game proves of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StrategyProof<M> {
    /// The move: the strategy's own, or the one that holds out longest against it.
    pub mv: M,
    /// A win, or a loss, for the side to move.
    pub game_value: GameValue,
    /// It takes no more plies than this; there may be a shorter win.
    pub max_plies: u32,
    /// Positions looked at to prove it.
    pub nodes: u64,
}

/// What could be proved of a position and its moves.
#[derive(Clone, PartialEq, Debug)]
pub struct SolveResult<M> {
    /// The value for the side to move, if it was found in time.
    pub value: Option<ExactValue>,
    /// Every legal move and its value for the one who makes it, the best first
    /// and those that remain unknown last.
    pub moves: Vec<(M, Option<ExactValue>)>,
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
    play: &AnyGameState,
    settings: &BotSettings,
    limits: SearchLimits,
    stop: &StopFlag,
) -> SolveResult<String> {
    let budget = Budget::start(limits, stop);
    each_family!(play, play => {
        let solution = solve(play, settings, &budget);
        let text = |mv| play.game().move_text(mv);
        let mut moves: Vec<_> = solution.moves.iter().map(|&(mv, value)| (text(mv), value)).collect();
        moves.sort_by(|(a, a_value), (b, b_value)| b_value.cmp(a_value).then_with(|| a.cmp(b)));
        SolveResult { value: solution.value, moves, nodes: solution.nodes, note: solution.note }
    })
}

/// What is certain of a position at little cost, and whether a table says so: what a table
/// knows, or what a search finds where the game can last no more than so many plies.
///
/// ```
/// use noughts_engine::solve::certain;
/// use noughts_engine::{Exact, Limits, Settings, Stop};
/// use noughts_rules::{AnyPlay, Variant};
/// // x x .
/// // o o .      X wins at once.
/// // . . .
/// let play = AnyPlay::from_text(Variant::CLASSIC, "xx./oo./... x")?;
/// let settings = Settings::default();
/// let found = certain(&play, &settings, 5, Limits::nodes(100), &Stop::new());
/// assert_eq!(found, Some((Exact::win(1), false)));
/// assert_eq!(certain(&play, &settings, 4, Limits::nodes(100), &Stop::new()), None);
/// # Ok::<(), noughts_rules::SetupError>(())
/// ```
#[must_use]
pub fn quick_exact_value(
    play: &AnyGameState,
    settings: &BotSettings,
    plies: u32,
    limits: SearchLimits,
    stop: &StopFlag,
) -> Option<(ExactValue, bool)> {
    each_family!(play, play => {
        let (game, position) = (play.game(), play.position());
        if let Some(value) = game.probe_tablebases(&settings.tablebases, position) {
            return Some((value, true));
        }
        if game.max_plies_left(position)? > plies {
            return None;
        }
        let budget = Budget::start(limits, stop);
        solve(play, settings, &budget).value.map(|value| (value, false))
    })
}

/// How much memory the first attempts get, and how many nodes: most positions are
/// done long before a large table could be made ready.
const ATTEMPTS: [(usize, u64); 2] = [(1 << 18, 20_000), (1 << 23, 400_000)];

/// A move gets so many nodes at first, and all that is left after the others had
/// their turn.
const FIRST_TRY: u64 = 1_000_000;

/// So many nodes show which move has the value.
const A_MOMENT: u64 = 30_000;

/// The length of a win that a strategy proves is looked for with so many nodes.
const FOR_LENGTH: u64 = 1_000_000;

/// Solves a position: its value and that of every move.
pub fn solve<G: SearchGame>(
    play: &GameState<G>,
    settings: &BotSettings,
    budget: &Budget,
) -> SolveResult<G::Move> {
    solve_with_progress(play, settings, budget, &mut |_, _| {})
}

/// The same; `watch` is called with every move whose value was found, and that value.
pub(crate) fn solve_with_progress<G: SearchGame>(
    play: &GameState<G>,
    settings: &BotSettings,
    budget: &Budget,
    watch: &mut dyn FnMut(G::Move, ExactValue),
) -> SolveResult<G::Move> {
    if let Some(outcome) = play.outcome() {
        return SolveResult {
            value: Some(ExactValue::from_outcome(outcome, play.side())),
            moves: Vec::new(),
            nodes: 0,
            note: None,
        };
    }
    let mut solving = SolveState {
        play,
        value: None,
        moves: play
            .legal_moves()
            .into_iter()
            .map(|mv| (mv, None))
            .collect(),
        nodes: 0,
        note: None,
    };
    solving.by_strategy(budget);
    let small = ATTEMPTS
        .into_iter()
        .filter(|&(memory, _)| memory < settings.memory);
    for (memory, nodes) in small {
        if !solving.is_done() {
            let settings = BotSettings {
                memory,
                ..settings.clone()
            };
            solving.attempt(&settings, Some(nodes), budget, watch);
        }
    }
    if !solving.is_done() {
        solving.attempt(settings, None, budget, watch);
    }
    solving.finish()
}

/// What has been found out so far.
struct SolveState<'a, G: SearchGame> {
    play: &'a GameState<G>,
    value: Option<ExactValue>,
    moves: Vec<(G::Move, Option<ExactValue>)>,
    nodes: u64,
    note: Option<String>,
}

/// Nothing is left to find out.
fn is_fully_known(value: Option<ExactValue>) -> bool {
    value.is_some_and(|value| value == ExactValue::DRAW || value.plies().is_some())
}

impl<G: SearchGame> SolveState<'_, G> {
    fn is_done(&self) -> bool {
        is_fully_known(self.value) && self.moves.iter().all(|&(_, value)| is_fully_known(value))
    }

    /// What is left of the budget, or so many nodes of it.
    fn rest(&self, nodes: Option<u64>, budget: &Budget) -> Budget {
        let left = |most: u64| most.saturating_sub(self.nodes);
        let all = budget.limits().nodes.map(left);
        budget.sub_budget(SearchLimits {
            nodes: match (all, nodes) {
                (Some(all), Some(nodes)) => Some(all.min(nodes)),
                (all, nodes) => all.or(nodes),
            },
            time: None,
            depth: budget.limits().depth,
        })
    }

    /// Where a strategy is known, it gives verdicts.
    fn by_strategy(&mut self, budget: &Budget) {
        let game = self.play.game();
        let position = self.play.position();
        let plan = match game.strategy_proof(position, &self.rest(None, budget)) {
            Ok(plan) => plan,
            Err(spent) => {
                self.nodes += spent;
                return;
            }
        };
        self.nodes += plan.nodes;
        self.value = Some(ExactValue::without_distance(plan.game_value));
        self.note = Some(format!(
            "proved by walking X's strategy through every defence: at most {} plies",
            plan.max_plies
        ));
        for i in 0..self.moves.len() {
            let mut next = position.clone();
            game.apply(&mut next, self.moves[i].0);
            let again = game.side(&next) == game.side(position);
            match game.strategy_proof(&next, &self.rest(None, budget)) {
                Ok(plan) => {
                    self.nodes += plan.nodes;
                    let value = ExactValue::without_distance(plan.game_value);
                    self.moves[i].1 = Some(value.backed_up(again));
                }
                Err(spent) => self.nodes += spent,
            }
        }
    }

    /// Proves what is still unknown, with so much memory and at most so many nodes.
    fn attempt(
        &mut self,
        settings: &BotSettings,
        nodes: Option<u64>,
        budget: &Budget,
        watch: &mut dyn FnMut(G::Move, ExactValue),
    ) {
        let (game, position) = (self.play.game(), self.play.position());
        // Where a strategy has decided the game only lengths are missing: they are
        // not worth everything that there is.
        let nodes = match self.value {
            Some(value) if !is_fully_known(Some(value)) => {
                Some(nodes.unwrap_or(FOR_LENGTH).min(FOR_LENGTH))
            }
            _ => nodes,
        };
        let part = self.rest(nodes, budget);
        let lore = SearchContext::new(game, settings, game.max_plies_left(position));
        let mut prover = Prover::new(&lore);
        // The position first: its value is what was asked for. Then the moves.
        if !is_fully_known(self.value) {
            self.value = prover.value(position, &part).or(self.value);
        }
        for turn in [FIRST_TRY, u64::MAX] {
            for (mv, known) in &mut self.moves {
                if !is_fully_known(*known) && !prover.is_spent(&part) {
                    let few = prover.node_budget(turn, &part);
                    let found = prover.move_value_at_most(self.value, position, *mv, &few);
                    *known = found.or(*known);
                    if let Some(found) =
                        found.and_then(|found| value_with_history(self.play, *mv, found))
                    {
                        watch(*mv, found);
                    }
                }
            }
        }
        self.nodes += prover.nodes();
        // The value was found just in time, but not the move that has it: a moment more,
        // unless nodes are counted.
        if let Some(value) = self.value.filter(|value| is_fully_known(Some(*value)))
            && value.game_value() == GameValue::Win
            && budget.limits().nodes.is_none()
            && self.moves.iter().all(|&(_, known)| known != Some(value))
        {
            let moment = Budget::start(SearchLimits::nodes(A_MOMENT), budget.stop_flag());
            let mut prover = Prover::new(&lore);
            let best = best_move(&mut prover, position, value, &moment);
            for (mv, known) in &mut self.moves {
                if Some(*mv) == best {
                    *known = Some(value);
                }
            }
            self.nodes += prover.nodes();
        }
    }

    /// Proofs know positions, not the game: what has been twice is a draw when it
    /// comes again, and where the opponent can see to that, a win is not certain.
    fn apply_history(&mut self) {
        let mut changed = false;
        for (mv, value) in &mut self.moves {
            let heeded = match *value {
                Some(value) => value_with_history(self.play, *mv, value),
                None if repetition(self.play, *mv) == Repetition::Immediate => {
                    Some(ExactValue::DRAW)
                }
                None => None,
            };
            changed |= heeded != *value;
            *value = heeded;
        }
        if changed {
            self.moves.sort_by(|(_, a), (_, b)| b.cmp(a));
            self.value = value_from_moves(&self.moves);
        }
    }

    fn finish(mut self) -> SolveResult<G::Move> {
        if G::CAN_REPEAT {
            self.apply_history();
        }
        self.moves.sort_by(|(_, a), (_, b)| b.cmp(a));
        let value = if is_fully_known(self.value) {
            self.value
        } else {
            value_from_moves(&self.moves).or(self.value)
        };
        SolveResult {
            value,
            moves: self.moves,
            nodes: self.nodes,
            note: self.note,
        }
    }
}

/// What the value of a move is worth in the game as it was played: a repetition may
/// turn it into a draw, or leave it unknown.
fn value_with_history<G: SearchGame>(
    play: &GameState<G>,
    mv: G::Move,
    value: ExactValue,
) -> Option<ExactValue> {
    if !G::CAN_REPEAT {
        return Some(value);
    }
    match repetition(play, mv) {
        Repetition::Immediate => Some(ExactValue::DRAW),
        Repetition::OnReply if value.game_value() == GameValue::Win => None,
        _ => Some(value),
    }
}

/// The value of a position from those of its moves, best first. A win is certain
/// as soon as one move wins, but its length only if no other can be shorter; the
/// rest is certain only if every move is known.
fn value_from_moves<M>(moves: &[(M, Option<ExactValue>)]) -> Option<ExactValue> {
    let best = moves.first()?.1?;
    let all_settled = moves.iter().all(|&(_, value)| {
        is_fully_known(value) || value.is_some_and(|value| value.game_value() != GameValue::Win)
    });
    match best.game_value() {
        GameValue::Win if all_settled || best.plies() == Some(1) => Some(best),
        GameValue::Win => Some(ExactValue::without_distance(GameValue::Win)),
        // A loss of unknown length comes first among the losses.
        GameValue::Draw | GameValue::Loss => {
            let all = moves.iter().all(|(_, value)| value.is_some());
            all.then_some(best)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Guards against a length that was claimed although a win of unknown length, or a
    /// move not yet solved, could be shorter.
    #[test]
    fn a_position_claims_no_more_than_its_moves_show() {
        let unknown = |verdict| Some(ExactValue::without_distance(verdict));
        let (won, lost) = (unknown(GameValue::Win), unknown(GameValue::Loss));
        let [win1, win9] = [1, 9].map(|plies| Some(ExactValue::win(plies)));
        let loss4 = Some(ExactValue::loss(4));
        let draw = Some(ExactValue::DRAW);
        for (moves, value) in [
            (vec![win9, loss4], win9),
            (vec![win9, lost], win9),
            (vec![win9, won], won),
            (vec![win9, None], won),
            (vec![win1, won, None], win1),
            (vec![draw, loss4], draw),
            (vec![draw, None], None),
            (vec![loss4, None], None),
            (vec![lost, loss4], lost),
            (vec![None], None),
        ] {
            let moves: Vec<_> = moves.into_iter().map(|value| ((), value)).collect();
            assert_eq!(value_from_moves(&moves), value, "{moves:?}");
        }
    }
}
