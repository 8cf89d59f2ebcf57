//! Exact values. What is said here is proved: by a table, by searching to the
//! ends of all games that matter, or by walking through a strategy.

mod choice;
mod prover;
mod repetition;
pub(crate) mod strategy_5a;

use noughts_rules::{AnyPlay, Game as _, Play};

use crate::bot::Settings;
use crate::family::{Family, each_family};
use crate::limits::{Budget, Limits, Stop};
use crate::search::Lore;
use crate::value::{Exact, Verdict};

pub(crate) use choice::{best_move, by_strategy, keep_draw, look_up, prove, proved_move};
pub(crate) use prover::Prover;
pub(crate) use repetition::{Repetition, repetition};

/// What a strategy that is known for a game proves of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan<M> {
    /// The move: the strategy's own, or the one that holds out longest against it.
    pub mv: M,
    /// A win, or a loss, for the side to move.
    pub verdict: Verdict,
    /// It takes no more plies than this; there may be a shorter win.
    pub longest: u32,
    /// Positions looked at to prove it.
    pub nodes: u64,
}

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
pub fn certain(
    play: &AnyPlay,
    settings: &Settings,
    plies: u32,
    limits: Limits,
    stop: &Stop,
) -> Option<(Exact, bool)> {
    each_family!(play, play => {
        let (game, position) = (play.game(), play.position());
        if let Some(value) = game.known(&settings.tables, position) {
            return Some((value, true));
        }
        if game.most_plies(position)? > plies {
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
pub fn solve<G: Family>(play: &Play<G>, settings: &Settings, budget: &Budget) -> Solution<G::Move> {
    solve_watched(play, settings, budget, &mut |_, _| {})
}

/// The same; `watch` is called with every move whose value was found, and that value.
pub(crate) fn solve_watched<G: Family>(
    play: &Play<G>,
    settings: &Settings,
    budget: &Budget,
    watch: &mut dyn FnMut(G::Move, Exact),
) -> Solution<G::Move> {
    if let Some(outcome) = play.outcome() {
        return Solution {
            value: Some(Exact::finished(outcome, play.side())),
            moves: Vec::new(),
            nodes: 0,
            note: None,
        };
    }
    let mut solving = Solving {
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
            let settings = Settings {
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
struct Solving<'a, G: Family> {
    play: &'a Play<G>,
    value: Option<Exact>,
    moves: Vec<(G::Move, Option<Exact>)>,
    nodes: u64,
    note: Option<String>,
}

/// Nothing is left to find out.
fn is_settled(value: Option<Exact>) -> bool {
    value.is_some_and(|value| value == Exact::DRAW || value.plies().is_some())
}

impl<G: Family> Solving<'_, G> {
    fn is_done(&self) -> bool {
        is_settled(self.value) && self.moves.iter().all(|&(_, value)| is_settled(value))
    }

    /// What is left of the budget, or so many nodes of it.
    fn rest(&self, nodes: Option<u64>, budget: &Budget) -> Budget {
        let left = |most: u64| most.saturating_sub(self.nodes);
        let all = budget.limits().nodes.map(left);
        budget.part(Limits {
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
        let plan = match game.strategy(position, &self.rest(None, budget)) {
            Ok(plan) => plan,
            Err(spent) => {
                self.nodes += spent;
                return;
            }
        };
        self.nodes += plan.nodes;
        self.value = Some(Exact::of_unknown_length(plan.verdict));
        self.note = Some(format!(
            "proved by walking X's strategy through every defence: at most {} plies",
            plan.longest
        ));
        for i in 0..self.moves.len() {
            let mut next = position.clone();
            game.apply(&mut next, self.moves[i].0);
            let again = game.side(&next) == game.side(position);
            match game.strategy(&next, &self.rest(None, budget)) {
                Ok(plan) => {
                    self.nodes += plan.nodes;
                    let value = Exact::of_unknown_length(plan.verdict);
                    self.moves[i].1 = Some(value.of_move(again));
                }
                Err(spent) => self.nodes += spent,
            }
        }
    }

    /// Proves what is still unknown, with so much memory and at most so many nodes.
    fn attempt(
        &mut self,
        settings: &Settings,
        nodes: Option<u64>,
        budget: &Budget,
        watch: &mut dyn FnMut(G::Move, Exact),
    ) {
        let (game, position) = (self.play.game(), self.play.position());
        // Where a strategy has decided the game only lengths are missing: they are
        // not worth everything that there is.
        let nodes = match self.value {
            Some(value) if !is_settled(Some(value)) => {
                Some(nodes.unwrap_or(FOR_LENGTH).min(FOR_LENGTH))
            }
            _ => nodes,
        };
        let part = self.rest(nodes, budget);
        let lore = Lore::new(game, settings, game.most_plies(position));
        let mut prover = Prover::new(&lore);
        // The position first: its value is what was asked for. Then the moves.
        if !is_settled(self.value) {
            self.value = prover.value(position, &part).or(self.value);
        }
        for turn in [FIRST_TRY, u64::MAX] {
            for (mv, known) in &mut self.moves {
                if !is_settled(*known) && !prover.is_spent(&part) {
                    let few = prover.a_few(turn, &part);
                    let found = prover.value_of_move_below(self.value, position, *mv, &few);
                    *known = found.or(*known);
                    if let Some(found) = found.and_then(|found| heeded(self.play, *mv, found)) {
                        watch(*mv, found);
                    }
                }
            }
        }
        self.nodes += prover.nodes();
        // The value was found just in time, but not the move that has it: a moment more,
        // unless nodes are counted.
        if let Some(value) = self.value.filter(|value| is_settled(Some(*value)))
            && value.verdict() == Verdict::Win
            && budget.limits().nodes.is_none()
            && self.moves.iter().all(|&(_, known)| known != Some(value))
        {
            let moment = Budget::start(Limits::nodes(A_MOMENT), budget.stop());
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
    fn heed_history(&mut self) {
        let mut changed = false;
        for (mv, value) in &mut self.moves {
            let heeded = match *value {
                Some(value) => heeded(self.play, *mv, value),
                None if repetition(self.play, *mv) == Repetition::AtOnce => Some(Exact::DRAW),
                None => None,
            };
            changed |= heeded != *value;
            *value = heeded;
        }
        if changed {
            self.moves.sort_by(|(_, a), (_, b)| b.cmp(a));
            self.value = best_of(&self.moves);
        }
    }

    fn finish(mut self) -> Solution<G::Move> {
        if G::REPEATS {
            self.heed_history();
        }
        self.moves.sort_by(|(_, a), (_, b)| b.cmp(a));
        let value = if is_settled(self.value) {
            self.value
        } else {
            best_of(&self.moves).or(self.value)
        };
        Solution {
            value,
            moves: self.moves,
            nodes: self.nodes,
            note: self.note,
        }
    }
}

/// What the value of a move is worth in the game as it was played: a repetition may
/// turn it into a draw, or leave it unknown.
fn heeded<G: Family>(play: &Play<G>, mv: G::Move, value: Exact) -> Option<Exact> {
    if !G::REPEATS {
        return Some(value);
    }
    match repetition(play, mv) {
        Repetition::AtOnce => Some(Exact::DRAW),
        Repetition::Next if value.verdict() == Verdict::Win => None,
        _ => Some(value),
    }
}

/// The value of a position from those of its moves, best first. A win is certain
/// as soon as one move wins, but its length only if no other can be shorter; the
/// rest is certain only if every move is known.
fn best_of<M>(moves: &[(M, Option<Exact>)]) -> Option<Exact> {
    let best = moves.first()?.1?;
    let all_settled = moves.iter().all(|&(_, value)| {
        is_settled(value) || value.is_some_and(|value| value.verdict() != Verdict::Win)
    });
    match best.verdict() {
        Verdict::Win if all_settled || best.plies() == Some(1) => Some(best),
        Verdict::Win => Some(Exact::of_unknown_length(Verdict::Win)),
        // A loss of unknown length comes first among the losses.
        Verdict::Draw | Verdict::Loss => {
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
        let unknown = |verdict| Some(Exact::of_unknown_length(verdict));
        let (won, lost) = (unknown(Verdict::Win), unknown(Verdict::Loss));
        let [win1, win9] = [1, 9].map(|plies| Some(Exact::win(plies)));
        let loss4 = Some(Exact::loss(4));
        let draw = Some(Exact::DRAW);
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
            assert_eq!(best_of(&moves), value, "{moves:?}");
        }
    }
}
