//! `alpha-beta`: a deepening search that proves what it can. `perfect` and `best`
//! are made of it, too.

use noughts_rules::GameState;

use crate::bot::{Bot, BotSettings};
use crate::bots::game_history::{avoid_repetition, deepen_avoiding_repetition, is_new_position};
use crate::limits::{Budget, SearchLimits};
use crate::report::SearchReport;
use crate::search::SearchContext;
use crate::search_game::SearchGame;
use crate::solve::{
    Prover, choose_drawing_move, move_by_strategy, prove_move, proved_move, rank_by_tablebase,
};
use crate::value::{ExactValue, GameValue, Value};

/// Searches, and proves when the end is near.
pub(crate) struct AlphaBeta<G: SearchGame> {
    context: SearchContext<G>,
}

impl<G: SearchGame> AlphaBeta<G> {
    pub(crate) fn new(game: &G, settings: &BotSettings) -> AlphaBeta<G> {
        AlphaBeta::with_evaluation(game, settings, game.evaluation())
    }

    /// One that judges in its own way.
    pub(crate) fn with_evaluation(
        game: &G,
        settings: &BotSettings,
        evaluation: G::Evaluation,
    ) -> AlphaBeta<G> {
        let mut lore = SearchContext::new(game, settings, game.max_plies_left(&game.start()));
        lore.evaluation = evaluation;
        AlphaBeta {
            context: lore.warmed_up(),
        }
    }
}

impl<G: SearchGame> Bot<G> for AlphaBeta<G> {
    fn think(
        &mut self,
        play: &GameState<G>,
        budget: &Budget,
        watch: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> SearchReport<G::Move> {
        self.context.transposition_table.new_search();
        let report = match resolve(&self.context, play, budget, watch) {
            Ok(report) => report,
            Err(spent) => search_move(&self.context, play, budget, spent, watch),
        };
        avoid_repetition(&self.context, play, budget, report)
    }

    fn memory_usage(&self) -> usize {
        self.context.transposition_table.memory_usage()
    }
}

/// Deepens with what is left of the budget.
pub(crate) fn search_move<G: SearchGame>(
    lore: &SearchContext<G>,
    play: &GameState<G>,
    budget: &Budget,
    spent: u64,
    watch: &mut dyn FnMut(&SearchReport<G::Move>),
) -> SearchReport<G::Move> {
    let position = play.position();
    let moves = play.legal_moves();
    if moves.is_empty() {
        return SearchReport::empty();
    }
    let rest = budget.after_nodes(spent);
    let mut report = deepen_avoiding_repetition(lore, play, &moves, &rest, watch);
    report.nodes += spent;
    if let Value::Exact(exact) = report.value
        && exact != ExactValue::DRAW
    {
        find_distance(lore, position, exact.game_value(), budget, &mut report);
    }
    report
}

/// A proof of a game that can last this long often succeeds.
const NEAR: u32 = 26;

/// What a proof may take of the time, when it is not what was asked for.
const SHARE: f64 = 0.35;

/// The move, if the tables or a strategy know it or it can be proved in a part of the budget;
/// else what was spent on trying.
pub(crate) fn resolve<G: SearchGame>(
    lore: &SearchContext<G>,
    play: &GameState<G>,
    budget: &Budget,
    watch: &mut dyn FnMut(&SearchReport<G::Move>),
) -> Result<SearchReport<G::Move>, u64> {
    let position = play.position();
    if let Some(report) = move_by_tablebase(lore, play, budget, watch) {
        return Ok(report);
    }
    let spent = match move_by_strategy(lore, position, budget) {
        Ok(report) => return Ok(report),
        Err(spent) => spent,
    };
    let budget = &budget.after_nodes(spent);
    let near = lore.game.max_plies_left(position);
    if near.is_none_or(|plies| plies > NEAR) {
        return Err(spent);
    }
    let limits = budget.limits();
    let part = budget.sub_budget(SearchLimits {
        time: budget.time_left().map(|left| left.mul_f64(SHARE)),
        nodes: limits.nodes.map(|nodes| (nodes as f64 * SHARE) as u64),
        depth: None,
    });
    prove_move(lore, position, &part, budget, watch).map_err(|nodes| nodes + spent)
}

/// A game has been found won or lost, but not in how many plies, and maybe not by
/// the best move: what is left of the budget goes into that.
pub(crate) fn find_distance<G: SearchGame>(
    lore: &SearchContext<G>,
    position: &G::Position,
    verdict: GameValue,
    budget: &Budget,
    report: &mut SearchReport<G::Move>,
) {
    let rest = budget.sub_budget(SearchLimits {
        nodes: budget
            .limits()
            .nodes
            .map(|most| most.saturating_sub(report.nodes)),
        ..SearchLimits::NONE
    });
    let mut prover = Prover::new(lore);
    let longest = lore.game.max_plies_left(position).unwrap_or(64).min(1000);
    let Some(value) = prover.distance(position, verdict, 1, longest, &rest) else {
        return;
    };
    if let Some(proved) = proved_move(&mut prover, position, value, &rest) {
        report.best = proved.best;
        report.pv = proved.pv;
        report.value = proved.value;
    }
    report.nodes += prover.nodes();
}

/// The move that the tables give: the fastest win, the slowest loss; of the draws
/// the one that is hardest to answer, and nothing that has been before.
pub(crate) fn move_by_tablebase<G: SearchGame>(
    lore: &SearchContext<G>,
    play: &GameState<G>,
    budget: &Budget,
    watch: &mut dyn FnMut(&SearchReport<G::Move>),
) -> Option<SearchReport<G::Move>> {
    let position = play.position();
    let ranked = rank_by_tablebase(lore, position)?;
    let value = ranked.first()?.value;
    let mut equal: Vec<G::Move> = ranked
        .iter()
        .take_while(|ranked| ranked.value == value)
        .map(|ranked| ranked.mv)
        .collect();
    if equal.iter().any(|&mv| is_new_position(play, mv)) {
        equal.retain(|&mv| is_new_position(play, mv));
    }
    let mut report = if value == Value::Exact(ExactValue::DRAW) {
        let mut prover = Prover::new(lore);
        choose_drawing_move(&mut prover, position, &equal, budget, budget, watch)?
    } else {
        let mut report = SearchReport::from_move(*equal.first()?, 0);
        report.pv = line_by_table(lore, position, *equal.first()?);
        report
    };
    report.value = value;
    report.nodes += ranked.len() as u64;
    report.moves = ranked;
    Some(report)
}

/// How a won or lost game goes on as the tables have it.
fn line_by_table<G: SearchGame>(
    lore: &SearchContext<G>,
    position: &G::Position,
    first: G::Move,
) -> Vec<G::Move> {
    let mut line = vec![first];
    let mut position = position.clone();
    lore.game.apply(&mut position, first);
    // Every move brings the end nearer; nothing lasts longer than a table's longest win.
    while lore.game.outcome(&position).is_none() {
        let Some(best) =
            rank_by_tablebase(lore, &position).and_then(|ranked| Some(ranked.first()?.mv))
        else {
            break;
        };
        line.push(best);
        lore.game.apply(&mut position, best);
    }
    line
}
