//! The prover: full-depth alpha-beta that answers yes-or-no questions.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::limits::{Budget, StopFlag};
use crate::parallel;
use crate::search::alpha_beta::{AlphaBetaSearcher, SearchMode, WIN, proved_value};
use crate::search::{SearchContext, SearchHeuristics as _};
use crate::search_game::SearchGame;
use crate::value::{ExactValue, GameValue};

/// Longer games would overflow a thread's stack.
const MAX_PLIES: u32 = 1000;

/// Games that can last at most this many plies are searched to the end at once. In longer ones that
/// alternates with a search for short wins and losses.
const SHORT: u32 = 16;

/// Node limit of the first round; it is multiplied by [`ROUND_FACTOR`] in each later one.
const FIRST_ROUND_NODES: u64 = 20_000;
const ROUND_FACTOR: u64 = 4;

/// The search by distance gets one part in this many of a round. It rules out one distance after
/// another, which is wasted on a draw; but games longer than [`LONG`] are hardly ever searched to
/// the end, so there it is the best chance.
const LONG: u32 = 40;
const DISTANCE_SHARE: u64 = 16;
const LONG_GAME_DISTANCE_SHARE: u64 = 2;

/// A question that takes more nodes than this is searched by all threads.
const SINGLE_THREAD_NODES: u64 = 30_000;

/// Proves values of positions of one game. What it learns stays in the transposition table.
pub(crate) struct Prover<'a, G: SearchGame> {
    context: &'a SearchContext<G>,
    nodes: u64,
}

impl<'a, G: SearchGame> Prover<'a, G> {
    pub(crate) fn new(context: &'a SearchContext<G>) -> Self {
        Prover { context, nodes: 0 }
    }

    /// Positions searched so far. The node limit of a budget includes all of them.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    pub(crate) fn context(&self) -> &'a SearchContext<G> {
        self.context
    }

    pub(crate) fn game(&self) -> &'a G {
        &self.context.game
    }

    /// Whether the budget is spent.
    pub(crate) fn is_spent(&self, budget: &Budget) -> bool {
        budget.is_spent_now(self.nodes)
    }

    /// A budget for this many more nodes, within the given one.
    pub(crate) fn node_budget(&self, nodes: u64, budget: &Budget) -> Budget {
        budget.at_most_nodes(self.nodes.saturating_add(nodes))
    }

    /// The value with its distance; without it if only the distance couldn't be found; `None` if
    /// the budget is too small.
    pub(crate) fn value(&mut self, position: &G::Position, budget: &Budget) -> Option<ExactValue> {
        if let Some(known) = self.known_value(position) {
            return Some(known);
        }
        let max_plies = self.context.game.max_plies_left(position);
        if self.context.heuristics.proof_search().is_some()
            && let Some(max_plies) = max_plies
        {
            return self.value_by_bisection(position, max_plies, budget);
        }
        if let Some(max_plies) = max_plies.filter(|&max_plies| max_plies <= SHORT) {
            let game_value = self.game_value(position, budget)?;
            return Some(self.with_distance(position, game_value, 1, max_plies, budget));
        }
        let mut distances = DistanceRange::up_to(max_plies.unwrap_or(MAX_PLIES), budget);
        let mut round_nodes = FIRST_ROUND_NODES;
        let share = match max_plies {
            None => 1,
            Some(max_plies) if max_plies > LONG => LONG_GAME_DISTANCE_SHARE,
            Some(_) => DISTANCE_SHARE,
        };
        loop {
            let limited = self.node_budget(round_nodes / share, budget);
            if let Some(found) = self.search_by_distance(position, &mut distances, &limited) {
                return Some(found);
            }
            match max_plies {
                // Every distance is ruled out.
                Some(max_plies) if distances.next > max_plies => return Some(ExactValue::DRAW),
                Some(max_plies) if max_plies <= MAX_PLIES => {
                    let limited = self.node_budget(round_nodes, budget);
                    if let Some(found) = self.game_value(position, &limited) {
                        let from = distances.next;
                        return Some(self.with_distance(position, found, from, max_plies, budget));
                    }
                }
                _ if distances.next > distances.longest => return None,
                _ => {}
            }
            if self.is_spent(budget) {
                return None;
            }
            round_nodes = round_nodes.saturating_mul(ROUND_FACTOR);
        }
    }

    /// The value of a game with a search of its own, by halving the range of values. Questions about a soon win or loss
    /// come first: they are the easiest, and what they store helps to answer the others.
    fn value_by_bisection(
        &mut self,
        position: &G::Position,
        max_plies: u32,
        budget: &Budget,
    ) -> Option<ExactValue> {
        // Ranks of values: 0 is a draw, and the sooner a win or a loss, the farther from 0.
        let (farthest, none_left) = (max_plies as i32, max_plies as i32 + 1);
        let to_score = |rank: i32| match rank {
            0 => 0,
            1.. => WIN - (none_left - rank),
            _ => none_left + rank - WIN,
        };
        let to_rank = |score: i32| match score {
            0 => 0,
            1.. => none_left - (WIN - score),
            _ => WIN + score - none_left,
        };
        let (mut low, mut high) = (-farthest, farthest);
        while low < high {
            let middle = low + (high - low) / 2;
            let rank = if middle <= 0 && low / 2 < middle {
                low / 2
            } else if middle >= 0 {
                middle.max(high / 2)
            } else {
                middle
            };
            let Some((is_above, score)) = self.exceeds(position, to_score(rank), budget) else {
                let sign = [(low > 0, GameValue::Win), (high < 0, GameValue::Loss)];
                let known = sign.into_iter().find(|(is_known, _)| *is_known);
                return known.map(|(_, game_value)| ExactValue::without_distance(game_value));
            };
            match is_above {
                true => low = to_rank(score),
                false => high = to_rank(score),
            }
        }
        Some(proved_value(to_score(low)).unwrap_or(ExactValue::DRAW))
    }

    /// The value of a move for the side that makes it.
    pub(crate) fn move_value(
        &mut self,
        position: &G::Position,
        mv: G::Move,
        budget: &Budget,
    ) -> Option<ExactValue> {
        let (next, same_side) = self.after(position, mv);
        Some(self.value(&next, budget)?.backed_up(same_side))
    }

    /// Like [`Prover::move_value`], given the position's value, which is an upper bound for its
    /// moves and answers some questions in advance.
    pub(crate) fn move_value_at_most(
        &mut self,
        upper_bound: Option<ExactValue>,
        position: &G::Position,
        mv: G::Move,
        budget: &Budget,
    ) -> Option<ExactValue> {
        let (next, same_side) = self.after(position, mv);
        let max_plies = self.context.game.max_plies_left(&next);
        let (Some(upper_bound), Some(max_plies), None) =
            (upper_bound, max_plies, self.known_value(&next))
        else {
            return self.move_value(position, mv, budget);
        };
        let worst = GameValue::Loss.backed_up(same_side);
        let longest = max_plies.min(MAX_PLIES);
        let value = match upper_bound.game_value() {
            GameValue::Loss => self.with_distance(&next, worst, 1, longest, budget),
            GameValue::Draw if max_plies <= MAX_PLIES => {
                let (is_above, _) = self.exceeds(&next, if same_side { -1 } else { 0 }, budget)?;
                if is_above == same_side {
                    ExactValue::DRAW
                } else {
                    self.with_distance(&next, worst, 1, longest, budget)
                }
            }
            _ => self.value(&next, budget)?,
        };
        Some(value.backed_up(same_side))
    }

    /// Whether this move wins in at most this many plies, including itself.
    pub(crate) fn wins_within(
        &mut self,
        position: &G::Position,
        mv: G::Move,
        plies: u32,
        budget: &Budget,
    ) -> Option<bool> {
        let (next, same_side) = self.after(position, mv);
        if let Some(known) = self.known_value(&next) {
            return Some(known.backed_up(same_side) >= ExactValue::win(plies));
        }
        // From the next player's point of view.
        let left = plies as i32 - 1;
        if same_side {
            Some(self.exceeds(&next, WIN - left - 1, budget)?.0)
        } else {
            Some(!self.exceeds(&next, left - WIN, budget)?.0)
        }
    }

    /// Win, draw or loss for the side that makes this move.
    pub(crate) fn move_game_value(
        &mut self,
        position: &G::Position,
        mv: G::Move,
        budget: &Budget,
    ) -> Option<GameValue> {
        let (next, same_side) = self.after(position, mv);
        Some(self.game_value(&next, budget)?.backed_up(same_side))
    }

    /// The position after a move, and whether the same player moves again.
    pub(crate) fn after(&self, position: &G::Position, mv: G::Move) -> (G::Position, bool) {
        let game = &self.context.game;
        let next = game.after(position, mv);
        let same_side = game.side(&next) == game.side(position);
        (next, same_side)
    }

    /// The value if it is known without searching.
    fn known_value(&self, position: &G::Position) -> Option<ExactValue> {
        let game = &self.context.game;
        match game.outcome(position) {
            Some(outcome) => Some(ExactValue::from_outcome(outcome, game.side(position))),
            None => self.context.tablebases.probe(game, position),
        }
    }

    /// Win, draw or loss, by two questions.
    pub(crate) fn game_value(
        &mut self,
        position: &G::Position,
        budget: &Budget,
    ) -> Option<GameValue> {
        if let Some(known) = self.known_value(position) {
            return Some(known.game_value());
        }
        match self.context.game.max_plies_left(position) {
            Some(max_plies) if max_plies <= MAX_PLIES => {}
            // These questions may never be answered where positions can repeat.
            max_plies => {
                let mut distances = DistanceRange::up_to(max_plies.unwrap_or(MAX_PLIES), budget);
                let found = self.search_by_distance(position, &mut distances, budget);
                return found.map(ExactValue::game_value);
            }
        }
        if self.exceeds(position, 0, budget)?.0 {
            Some(GameValue::Win)
        } else if self.exceeds(position, -1, budget)?.0 {
            Some(GameValue::Draw)
        } else {
            Some(GameValue::Loss)
        }
    }

    /// The value with its distance, if that can be found.
    fn with_distance(
        &mut self,
        position: &G::Position,
        game_value: GameValue,
        shortest: u32,
        longest: u32,
        budget: &Budget,
    ) -> ExactValue {
        self.distance(position, game_value, shortest, longest, budget)
            .unwrap_or(ExactValue::without_distance(game_value))
    }

    /// The distance of a won or lost position, from `shortest` up (shorter ones are already ruled
    /// out). Each question fills the transposition table for the next one.
    pub(crate) fn distance(
        &mut self,
        position: &G::Position,
        game_value: GameValue,
        shortest: u32,
        longest: u32,
        budget: &Budget,
    ) -> Option<ExactValue> {
        if game_value == GameValue::Draw {
            return Some(ExactValue::DRAW);
        }
        for plies in shortest..=longest {
            if self.is_possible_distance(game_value, plies)
                && let Some(found) = self.has_distance(position, game_value, plies, budget)?
            {
                return Some(found);
            }
        }
        None
    }

    /// If the players alternate and the winner moves last, a win takes an odd number of plies and a
    /// loss an even number.
    fn is_possible_distance(&self, game_value: GameValue, plies: u32) -> bool {
        !self.context.game.winner_moves_last() || (plies % 2 == 1) == (game_value == GameValue::Win)
    }

    /// Whether the position is won (or lost) in this many plies, given that fewer are ruled out.
    fn has_distance(
        &mut self,
        position: &G::Position,
        game_value: GameValue,
        plies: u32,
        budget: &Budget,
    ) -> Option<Option<ExactValue>> {
        let within = plies as i32;
        if game_value == GameValue::Win {
            let (yes, score) = self.exceeds(position, WIN - within - 1, budget)?;
            Some(proved_value(score).filter(|_| yes))
        } else {
            let (no, _) = self.exceeds(position, within - WIN, budget)?;
            Some((!no).then_some(ExactValue::loss(plies)))
        }
    }

    /// Looks for a win or a loss by increasing distance, from where the last round ended. `None` if
    /// there is none or the budget is spent.
    fn search_by_distance(
        &mut self,
        position: &G::Position,
        distances: &mut DistanceRange,
        budget: &Budget,
    ) -> Option<ExactValue> {
        while distances.next <= distances.longest {
            for game_value in [GameValue::Win, GameValue::Loss] {
                if self.is_possible_distance(game_value, distances.next)
                    && let Some(found) =
                        self.has_distance(position, game_value, distances.next, budget)?
                {
                    return Some(found);
                }
            }
            distances.next += 1;
        }
        None
    }

    /// The best move found when the position was last searched. Only a hint: it may belong to a
    /// symmetric position.
    pub(crate) fn hint(&self, position: &G::Position) -> Option<G::Move> {
        let index = AlphaBetaSearcher::stored_best_index(self.context, position)?;
        self.context.game.nth_move(position, usize::from(index))
    }

    /// Whether the value is above this score, and the score that shows it.
    fn exceeds(
        &mut self,
        position: &G::Position,
        threshold: i32,
        budget: &Budget,
    ) -> Option<(bool, i32)> {
        // Many short questions would otherwise never check the clock.
        if self.is_spent(budget) {
            return None;
        }
        if self.context.threads == 1 {
            return self.exceeds_on_one_thread(position, threshold, budget);
        }
        let limited = self.node_budget(SINGLE_THREAD_NODES, budget);
        let answer = self.exceeds_on_one_thread(position, threshold, &limited);
        if answer.is_some() || self.is_spent(budget) {
            return answer;
        }
        self.exceeds_on_all_threads(position, threshold, budget)
    }

    fn exceeds_on_one_thread(
        &mut self,
        position: &G::Position,
        threshold: i32,
        budget: &Budget,
    ) -> Option<(bool, i32)> {
        let budget = budget.after_nodes(self.nodes);
        let mut searcher = AlphaBetaSearcher::new(self.context, &budget, SearchMode::Prove);
        let score = searcher.prove(position, threshold, threshold + 1);
        self.nodes += searcher.nodes();
        (!searcher.is_stopped()).then_some((score > threshold, score))
    }

    /// All threads search the same question in different move orders and help each other through
    /// the transposition table. The first answer counts.
    fn exceeds_on_all_threads(
        &mut self,
        position: &G::Position,
        threshold: i32,
        budget: &Budget,
    ) -> Option<(bool, i32)> {
        let budget = budget.after_nodes(self.nodes);
        let (node_count, answered) = (AtomicU64::new(0), StopFlag::new());
        let this = &*self;
        let answer = Mutex::new(None);
        let search = |thread: usize| {
            let mut searcher = AlphaBetaSearcher::new(this.context, &budget, SearchMode::Prove);
            searcher.shared_nodes = Some(&node_count);
            searcher.answered = Some(&answered);
            searcher.order_seed = thread as u32;
            let score = searcher.prove(position, threshold, threshold + 1);
            node_count.fetch_add(searcher.uncounted_nodes(), Ordering::Relaxed);
            if !searcher.is_stopped() {
                answered.stop();
                let mut answer = answer.lock().unwrap_or_else(PoisonError::into_inner);
                answer.get_or_insert((score > threshold, score));
            }
        };
        let helpers = this.context.threads.saturating_sub(1);
        parallel::with_helpers(helpers, &search, &mut || search(0));
        self.nodes += node_count.load(Ordering::Relaxed);
        answer.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Progress of the search by distance.
struct DistanceRange {
    /// All shorter distances are ruled out.
    next: u32,
    longest: u32,
}

impl DistanceRange {
    fn up_to(plies: u32, budget: &Budget) -> DistanceRange {
        let requested = budget.limits().depth.unwrap_or(MAX_PLIES);
        DistanceRange {
            next: 1,
            longest: plies.min(requested).min(MAX_PLIES),
        }
    }
}
