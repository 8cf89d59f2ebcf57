//! `alpha-beta`: a deepening search that proves what it can. `perfect` and `best`
//! are made of it, too.

use noughts_rules::Play;

use crate::bot::{Bot, Settings};
use crate::bots::history::{deepen_afresh, heed, is_new};
use crate::family::Family;
use crate::limits::{Budget, Limits};
use crate::report::Report;
use crate::search::Lore;
use crate::solve::{Prover, by_strategy, keep_draw, look_up, prove, proved_move};
use crate::value::{Exact, Value, Verdict};

/// Searches, and proves when the end is near.
pub(crate) struct AlphaBeta<G: Family> {
    lore: Lore<G>,
}

impl<G: Family> AlphaBeta<G> {
    pub(crate) fn new(game: &G, settings: &Settings) -> AlphaBeta<G> {
        AlphaBeta::with_evaluation(game, settings, game.evaluation())
    }

    /// One that judges in its own way.
    pub(crate) fn with_evaluation(
        game: &G,
        settings: &Settings,
        evaluation: G::Evaluation,
    ) -> AlphaBeta<G> {
        let mut lore = Lore::new(game, settings, game.most_plies(&game.start()));
        lore.evaluation = evaluation;
        AlphaBeta { lore: lore.ready() }
    }
}

impl<G: Family> Bot<G> for AlphaBeta<G> {
    fn think(
        &mut self,
        play: &Play<G>,
        budget: &Budget,
        watch: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        self.lore.table.grow_older();
        let report = match settle(&self.lore, play, budget, watch) {
            Ok(report) => report,
            Err(spent) => search(&self.lore, play, budget, spent, watch),
        };
        heed(&self.lore, play, budget, report)
    }

    fn memory(&self) -> usize {
        self.lore.table.bytes()
    }
}

/// Deepens with what is left of the budget.
pub(crate) fn search<G: Family>(
    lore: &Lore<G>,
    play: &Play<G>,
    budget: &Budget,
    spent: u64,
    watch: &mut dyn FnMut(&Report<G::Move>),
) -> Report<G::Move> {
    let position = play.position();
    let moves = play.legal_moves();
    if moves.is_empty() {
        return Report::empty();
    }
    let rest = budget.after(spent);
    let mut report = deepen_afresh(lore, play, &moves, &rest, watch);
    report.nodes += spent;
    if let Value::Exact(exact) = report.value
        && exact != Exact::DRAW
    {
        find_length(lore, position, exact.verdict(), budget, &mut report);
    }
    report
}

/// A proof of a game that can last this long often succeeds.
const NEAR: u32 = 26;

/// What a proof may take of the time, when it is not what was asked for.
const SHARE: f64 = 0.35;

/// The move, if the tables or a strategy know it or it can be proved in a part of the budget;
/// else what was spent on trying.
pub(crate) fn settle<G: Family>(
    lore: &Lore<G>,
    play: &Play<G>,
    budget: &Budget,
    watch: &mut dyn FnMut(&Report<G::Move>),
) -> Result<Report<G::Move>, u64> {
    let position = play.position();
    if let Some(report) = by_table(lore, play, budget, watch) {
        return Ok(report);
    }
    let spent = match by_strategy(lore, position, budget) {
        Ok(report) => return Ok(report),
        Err(spent) => spent,
    };
    let budget = &budget.after(spent);
    let near = lore.game.most_plies(position);
    if near.is_none_or(|plies| plies > NEAR) {
        return Err(spent);
    }
    let limits = budget.limits();
    let part = budget.part(Limits {
        time: budget.time_left().map(|left| left.mul_f64(SHARE)),
        nodes: limits.nodes.map(|nodes| (nodes as f64 * SHARE) as u64),
        depth: None,
    });
    prove(lore, position, &part, budget, watch).map_err(|nodes| nodes + spent)
}

/// A game has been found won or lost, but not in how many plies, and maybe not by
/// the best move: what is left of the budget goes into that.
pub(crate) fn find_length<G: Family>(
    lore: &Lore<G>,
    position: &G::Position,
    verdict: Verdict,
    budget: &Budget,
    report: &mut Report<G::Move>,
) {
    let rest = budget.part(Limits {
        nodes: budget
            .limits()
            .nodes
            .map(|most| most.saturating_sub(report.nodes)),
        ..Limits::NONE
    });
    let mut prover = Prover::new(lore);
    let longest = lore.game.most_plies(position).unwrap_or(64).min(1000);
    let Some(value) = prover.length(position, verdict, 1, longest, &rest) else {
        return;
    };
    if let Some(proved) = proved_move(&mut prover, position, value, &rest) {
        report.best = proved.best;
        report.line = proved.line;
        report.value = proved.value;
    }
    report.nodes += prover.nodes();
}

/// The move that the tables give: the fastest win, the slowest loss; of the draws
/// the one that is hardest to answer, and nothing that has been before.
pub(crate) fn by_table<G: Family>(
    lore: &Lore<G>,
    play: &Play<G>,
    budget: &Budget,
    watch: &mut dyn FnMut(&Report<G::Move>),
) -> Option<Report<G::Move>> {
    let position = play.position();
    let ranked = look_up(lore, position)?;
    let value = ranked.first()?.value;
    let mut equal: Vec<G::Move> = ranked
        .iter()
        .take_while(|ranked| ranked.value == value)
        .map(|ranked| ranked.mv)
        .collect();
    if equal.iter().any(|&mv| is_new(play, mv)) {
        equal.retain(|&mv| is_new(play, mv));
    }
    let mut report = if value == Value::Exact(Exact::DRAW) {
        let mut prover = Prover::new(lore);
        keep_draw(&mut prover, position, &equal, budget, budget, watch)?
    } else {
        let mut report = Report::of_move(*equal.first()?, 0);
        report.line = line_by_table(lore, position, *equal.first()?);
        report
    };
    report.value = value;
    report.nodes += ranked.len() as u64;
    report.moves = ranked;
    Some(report)
}

/// How a won or lost game goes on as the tables have it.
fn line_by_table<G: Family>(
    lore: &Lore<G>,
    position: &G::Position,
    first: G::Move,
) -> Vec<G::Move> {
    let mut line = vec![first];
    let mut position = position.clone();
    lore.game.apply(&mut position, first);
    // Every move brings the end nearer; nothing lasts longer than a table's longest win.
    while lore.game.outcome(&position).is_none() {
        let Some(best) = look_up(lore, &position).and_then(|ranked| Some(ranked.first()?.mv))
        else {
            break;
        };
        line.push(best);
        lore.game.apply(&mut position, best);
    }
    line
}
