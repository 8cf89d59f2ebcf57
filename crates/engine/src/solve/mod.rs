//! Exact values. Every result is proved: by a tablebase, by searching every relevant game to its
//! end, or by verifying a strategy.

mod move_choice;
mod prover;
mod repetition;

use noughts_rules::{AnyGameState, Game as _, GameState};

use crate::bot::BotSettings;
use crate::limits::{Budget, SearchLimits, StopFlag};
use crate::report::SearchNote;
use crate::search::{SearchContext, SearchHeuristics as _};
use crate::search_game::{SearchGame, dispatch_game};
use crate::sort::sort_by;
use crate::value::{ExactValue, GameValue};

pub(crate) use move_choice::{
    best_move, choose_drawing_move, move_by_strategy, prove_move, proved_move, rank_by_tablebase,
};
pub(crate) use prover::Prover;
pub(crate) use repetition::{Repetition, repetition};

/// What a known strategy proves about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StrategyProof<M> {
    /// The strategy's move, or the one that holds out longest against it, if that is known.
    pub mv: Option<M>,
    /// A win or a loss for the side to move.
    pub game_value: GameValue,
    /// An upper bound on the distance; there may be a shorter win.
    pub max_plies: u32,
    /// Positions searched for the proof.
    pub nodes: u64,
}

/// What could be proved about a position and its moves.
#[derive(Clone, PartialEq, Debug)]
pub struct SolveResult<M> {
    /// The value for the side to move, if it was found in time.
    pub value: Option<ExactValue>,
    /// Every legal move and its value for the side that makes it, best first and unknown values
    /// last.
    pub moves: Vec<(M, Option<ExactValue>)>,
    /// Positions searched.
    pub nodes: u64,
    /// A note for the player.
    pub note: Option<SearchNote>,
}

impl<M> SolveResult<M> {
    pub(crate) fn map_moves<N>(self, convert: impl Fn(M) -> N) -> SolveResult<N> {
        let moves = self.moves.into_iter();
        SolveResult {
            value: self.value,
            moves: moves.map(|(mv, value)| (convert(mv), value)).collect(),
            nodes: self.nodes,
            note: self.note,
        }
    }
}

/// Solves a position of any variant: finds its value and the value of every move, as far as the
/// limits allow.
///
/// ```
/// use noughts_engine::{ExactValue, SearchLimits, BotSettings, StopFlag, solve::solve_any};
/// use noughts_rules::{AnyGameState, Variant};
/// let state = AnyGameState::new(Variant::CLASSIC);
/// let result = solve_any(&state, &BotSettings::default(), SearchLimits::NONE, &StopFlag::new());
/// assert_eq!(result.value, Some(ExactValue::DRAW));
/// assert_eq!(result.moves.len(), 9);
/// ```
#[must_use]
pub fn solve_any(
    state: &AnyGameState,
    settings: &BotSettings,
    limits: SearchLimits,
    stop: &StopFlag,
) -> SolveResult<String> {
    let budget = Budget::start(limits, stop);
    dispatch_game!(state, state => {
        let result = solve(state, settings, &budget, &mut |_| {});
        let mut result = result.map_moves(|mv| state.game().move_text(mv));
        sort_by(&mut result.moves, |(a, a_value), (b, b_value)| b_value.cmp(a_value).then_with(|| a.cmp(b)));
        result
    })
}

/// The exact value of a position of any variant, without those of its moves; `None` if it wasn't found within the limits.
///
/// ```
/// use noughts_engine::{ExactValue, SearchLimits, BotSettings, StopFlag, solve::solve_value};
/// use noughts_rules::{AnyGameState, Variant};
/// let state = AnyGameState::new(Variant::CLASSIC);
/// let limits = SearchLimits::NONE;
/// let value = solve_value(&state, &BotSettings::default(), limits, &StopFlag::new()).value;
/// assert_eq!(value, Some(ExactValue::DRAW));
/// ```
#[must_use]
pub fn solve_value(
    state: &AnyGameState,
    settings: &BotSettings,
    limits: SearchLimits,
    stop: &StopFlag,
) -> SolveResult<String> {
    let budget = Budget::start(limits, stop);
    dispatch_game!(state, state => {
        SolveResult { moves: Vec::new(), ..find_value(state, settings, &budget).map_moves(|_| String::new()) }
    })
}

/// The position's exact value if it is cheap to find, and whether it comes from a tablebase: a
/// tablebase value, or the result of a search if the game can last at most `plies` more plies.
///
/// ```
/// use noughts_engine::solve::quick_exact_value;
/// use noughts_engine::{ExactValue, SearchLimits, BotSettings, StopFlag};
/// use noughts_rules::{AnyGameState, Variant};
/// // x x .
/// // o o .      X wins at once.
/// // . . .
/// let state = AnyGameState::from_text(Variant::CLASSIC, "xx./oo./... x")?;
/// let settings = BotSettings::default();
/// let limits = SearchLimits::nodes(100);
/// let found = quick_exact_value(&state, &settings, 5, limits, &StopFlag::new());
/// assert_eq!(found, Some((ExactValue::win(1), false)));
/// assert_eq!(quick_exact_value(&state, &settings, 4, limits, &StopFlag::new()), None);
/// # Ok::<(), noughts_rules::SetupError>(())
/// ```
#[must_use]
pub fn quick_exact_value(
    state: &AnyGameState,
    settings: &BotSettings,
    plies: u32,
    limits: SearchLimits,
    stop: &StopFlag,
) -> Option<(ExactValue, bool)> {
    dispatch_game!(state, state => {
        let (game, position) = (state.game(), state.position());
        settings.tablebases.prepare(game, &Budget::start(limits, stop));
        if let Some(value) = settings.tablebases.probe(game, position) {
            return Some((value, true));
        }
        if game.max_plies_left(position)? > plies {
            return None;
        }
        let budget = Budget::start(limits, stop);
        let result = find_value(state, settings, &budget);
        result.value.map(|value| (value, false))
    })
}

/// Memory and node limits of the first attempts: most positions are solved long before a large
/// transposition table could be allocated.
const ATTEMPTS: [(usize, u64); 2] = [(1 << 18, 20_000), (1 << 23, 400_000)];

/// Node limit for each move in the first round; in the second, a move gets whatever is left.
const FIRST_ROUND_NODES: u64 = 1_000_000;

/// Nodes for finding the move that has the proved value.
const BEST_MOVE_NODES: u64 = 30_000;

/// Node limit for finding the distance in a game that is decided, in each attempt.
const DISTANCE_NODES: u64 = 1_000_000;

/// What is found before everything is solved.
pub(crate) enum SolveProgress<M> {
    /// What a known strategy proves, before anything is searched.
    Strategy(SolveResult<M>),
    /// The value of a move.
    Move(M, ExactValue),
}

/// Solves a position: finds its value and the value of every move, and reports what it finds
/// meanwhile.
pub(crate) fn solve<G: SearchGame>(
    state: &GameState<G>,
    settings: &BotSettings,
    budget: &Budget,
    on_progress: &mut dyn FnMut(SolveProgress<G::Move>),
) -> SolveResult<G::Move> {
    solve_moves(state, state.legal_moves(), settings, budget, on_progress)
}

/// Finds only the position's value. Where the history matters, that takes the values of its moves.
fn find_value<G: SearchGame>(
    state: &GameState<G>,
    settings: &BotSettings,
    budget: &Budget,
) -> SolveResult<G::Move> {
    let moves = match state.game().can_repeat() {
        true => state.legal_moves(),
        false => Vec::new(),
    };
    solve_moves(state, moves, settings, budget, &mut |_| {})
}

/// Finds the value of a position and of these moves: all or none of the legal ones.
fn solve_moves<G: SearchGame>(
    state: &GameState<G>,
    moves: Vec<G::Move>,
    settings: &BotSettings,
    budget: &Budget,
    on_progress: &mut dyn FnMut(SolveProgress<G::Move>),
) -> SolveResult<G::Move> {
    if let Some(outcome) = state.outcome() {
        return SolveResult {
            value: Some(ExactValue::from_outcome(outcome, state.side())),
            moves: Vec::new(),
            nodes: 0,
            note: None,
        };
    }
    let mut solve_state = SolveState {
        state,
        value: None,
        moves: moves.into_iter().map(|mv| (mv, None)).collect(),
        nodes: 0,
        note: None,
    };
    settings.tablebases.prepare(state.game(), budget);
    solve_state.apply_strategy(budget);
    if solve_state.value.is_some() {
        on_progress(SolveProgress::Strategy(solve_state.result()));
    }
    let small_attempts = ATTEMPTS
        .into_iter()
        .filter(|&(memory, _)| memory < settings.memory)
        .map(|(memory, nodes)| (memory, Some(nodes)));
    for (memory, nodes) in small_attempts.chain([(settings.memory, None)]) {
        if !solve_state.is_done() {
            let settings = BotSettings {
                memory,
                ..settings.clone()
            };
            solve_state.attempt(&settings, nodes, budget, on_progress);
        }
    }
    solve_state.finish()
}

/// The results so far.
struct SolveState<'a, G: SearchGame> {
    state: &'a GameState<G>,
    value: Option<ExactValue>,
    moves: Vec<(G::Move, Option<ExactValue>)>,
    nodes: u64,
    note: Option<SearchNote>,
}

/// Whether the value is known including its distance.
fn is_fully_known(value: Option<ExactValue>) -> bool {
    value.is_some_and(|value| value == ExactValue::DRAW || value.plies().is_some())
}

impl<G: SearchGame> SolveState<'_, G> {
    fn is_done(&self) -> bool {
        is_fully_known(self.value) && self.moves.iter().all(|&(_, value)| is_fully_known(value))
    }

    /// The rest of the budget, limited to `nodes`.
    fn remaining_budget(&self, nodes: Option<u64>, budget: &Budget) -> Budget {
        let rest = budget.after_nodes(self.nodes);
        match nodes {
            Some(nodes) => rest.at_most_nodes(nodes),
            None => rest,
        }
    }

    /// Fills in what a known strategy proves.
    fn apply_strategy(&mut self, budget: &Budget) {
        let game = self.state.game();
        let position = self.state.position();
        let proof = match game.strategy_proof(position, &self.remaining_budget(None, budget)) {
            Ok(proof) => proof,
            Err(nodes_spent) => {
                self.nodes += nodes_spent;
                return;
            }
        };
        self.nodes += proof.nodes;
        self.value = Some(ExactValue::without_distance(proof.game_value));
        self.note = Some(SearchNote::ProvedByStrategy {
            max_plies: proof.max_plies,
        });
        for i in 0..self.moves.len() {
            let next = game.after(position, self.moves[i].0);
            let same_side = game.side(&next) == game.side(position);
            match game.strategy_proof(&next, &self.remaining_budget(None, budget)) {
                Ok(proof) => {
                    self.nodes += proof.nodes;
                    let value = ExactValue::without_distance(proof.game_value);
                    self.moves[i].1 = Some(value.backed_up(same_side));
                }
                Err(nodes_spent) => self.nodes += nodes_spent,
            }
        }
    }

    /// Proves what is still unknown with this much memory and at most this many nodes.
    fn attempt(
        &mut self,
        settings: &BotSettings,
        nodes: Option<u64>,
        budget: &Budget,
        on_progress: &mut dyn FnMut(SolveProgress<G::Move>),
    ) {
        let (game, position) = (self.state.game(), self.state.position());
        let context = SearchContext::new(game, settings, game.max_plies_left(position));
        let part = self.remaining_budget(nodes, budget);
        // If the game is decided, only distances are missing. They aren't worth the whole budget,
        // unless they can be found soon, or there is no hurry and the game has a search of its own.
        let has_own_search = context.heuristics.proof_search().is_some();
        let is_unlimited = budget.time_left().is_none() && budget.limits().nodes.is_none();
        let is_worth_it = is_unlimited && has_own_search || context.can_search_to_end(position);
        let distance_part = match is_worth_it {
            true => part.clone(),
            false => part.at_most_nodes(DISTANCE_NODES),
        };
        // That search finds distances where it can decide the game, but not where that took a
        // strategy. It may still decide other moves.
        let is_decided = self.value.is_some()
            && !is_fully_known(self.value)
            && (self.note.is_some() || !has_own_search);
        let part_for = |known: Option<ExactValue>| match is_decided {
            true if known.is_some() || !has_own_search => &distance_part,
            _ => &part,
        };
        let mut prover = Prover::new(&context);
        // The position first, because its value was asked for; then the moves.
        if !is_fully_known(self.value) {
            let found = prover.value(position, part_for(self.value));
            self.value = found.or(self.value);
        }
        for round_nodes in [FIRST_ROUND_NODES, u64::MAX] {
            for (mv, known) in &mut self.moves {
                let part = part_for(*known);
                if !is_fully_known(*known) && !prover.is_spent(part) {
                    let limited = prover.node_budget(round_nodes, part);
                    let found = prover.move_value_at_most(self.value, position, *mv, &limited);
                    *known = found.or(*known);
                    if let Some(found) =
                        found.and_then(|found| value_with_history(self.state, *mv, found))
                    {
                        on_progress(SolveProgress::Move(*mv, found));
                    }
                }
            }
        }
        self.nodes += prover.nodes();
        // The value was found just in time, but not the move that has it. Search a moment longer,
        // unless nodes are limited.
        if let Some(value) = self.value.filter(|value| is_fully_known(Some(*value)))
            && value.game_value() == GameValue::Win
            && budget.limits().nodes.is_none()
            && !self.moves.is_empty()
            && self.moves.iter().all(|&(_, known)| known != Some(value))
        {
            let extra_budget =
                Budget::start(SearchLimits::nodes(BEST_MOVE_NODES), budget.stop_flag());
            let mut prover = Prover::new(&context);
            let best = best_move(&mut prover, position, value, &extra_budget);
            for (mv, known) in &mut self.moves {
                if Some(*mv) == best {
                    *known = Some(value);
                }
            }
            self.nodes += prover.nodes();
        }
    }

    /// Proofs know only positions. In the game, the third occurrence is a draw, and where the
    /// opponent can bring it about a win isn't certain.
    fn apply_history(&mut self) {
        let mut changed = false;
        for (mv, value) in &mut self.moves {
            let adjusted = match *value {
                Some(value) => value_with_history(self.state, *mv, value),
                None if repetition(self.state, *mv) == Repetition::Immediate => {
                    Some(ExactValue::DRAW)
                }
                None => None,
            };
            changed |= adjusted != *value;
            *value = adjusted;
        }
        if changed {
            sort_by(&mut self.moves, |(_, a), (_, b)| b.cmp(a));
            self.value = value_from_moves(&self.moves);
        }
    }

    fn finish(mut self) -> SolveResult<G::Move> {
        if self.state.game().can_repeat() {
            self.apply_history();
        }
        sort_by(&mut self.moves, |(_, a), (_, b)| b.cmp(a));
        let value = match self.value {
            value if is_fully_known(value) => value,
            value => value_from_moves(&self.moves).or(value),
        };
        self.value = value;
        self.result()
    }

    fn result(&self) -> SolveResult<G::Move> {
        SolveResult {
            value: self.value,
            moves: self.moves.clone(),
            nodes: self.nodes,
            // The upper bound for the distance is of no use once the distance is known.
            note: self.note.clone().filter(|_| !is_fully_known(self.value)),
        }
    }
}

/// A move's value given the game's history: a repetition may turn it into a draw or leave it
/// unknown.
fn value_with_history<G: SearchGame>(
    state: &GameState<G>,
    mv: G::Move,
    value: ExactValue,
) -> Option<ExactValue> {
    if !state.game().can_repeat() {
        return Some(value);
    }
    match repetition(state, mv) {
        Repetition::Immediate => Some(ExactValue::DRAW),
        Repetition::OnReply if value.game_value() == GameValue::Win => None,
        _ => Some(value),
    }
}

/// The value of a position from the values of its moves, best first. A win is certain as soon as
/// one move wins, but its distance only if no other move can be shorter; anything else is certain
/// only if every move is known.
fn value_from_moves<M>(moves: &[(M, Option<ExactValue>)]) -> Option<ExactValue> {
    let best = moves.first()?.1?;
    let all_settled = moves.iter().all(|&(_, value)| {
        is_fully_known(value) || value.is_some_and(|value| value.game_value() != GameValue::Win)
    });
    match best.game_value() {
        GameValue::Win if all_settled || best.plies() == Some(1) => Some(best),
        GameValue::Win => Some(ExactValue::without_distance(GameValue::Win)),
        // A loss of unknown distance sorts first among the losses.
        GameValue::Draw | GameValue::Loss => {
            let all = moves.iter().all(|(_, value)| value.is_some());
            all.then_some(best)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A distance used to be claimed although a win of unknown distance, or a move not yet solved,
    /// could be shorter.
    #[test]
    fn position_value_is_no_stronger_than_its_moves_prove() {
        let unknown = |game_value| Some(ExactValue::without_distance(game_value));
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
