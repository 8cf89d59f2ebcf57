//! The prover: alpha-beta to the ends of all games, asked one yes-or-no question
//! after another.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::limits::{Budget, SearchLimits, StopFlag};
use crate::search::SearchContext;
use crate::search::alpha_beta::{SearchMode, Searcher, WIN, proved_value};
use crate::search_game::SearchGame;
use crate::value::{ExactValue, GameValue};

/// Longer games would need more stack than a thread has.
const MOST_PLIES: u32 = 1000;

/// Games that cannot last longer are searched to their ends at once. In longer
/// ones short wins and losses are looked for in turns with that.
const SHORT: u32 = 16;

/// What the first of these turns may take, in nodes; each later one takes
/// [`GROWTH`] times as much.
const FIRST_TURN: u64 = 20_000;
const GROWTH: u64 = 4;

/// The share of a turn that goes into lengths. They rule out one length after the
/// other, which is wasted on a draw; but games that last longer than [`LONG`] are
/// hardly ever searched to their ends, so there it is all that can be hoped for.
const LONG: u32 = 40;
const SHARE: u64 = 16;
const SHARE_OF_LONG: u64 = 2;

/// A question that takes more nodes is put to all threads.
const ALONE: u64 = 30_000;

/// Proves values of positions of one game. What it learns stays with the lore.
pub(crate) struct Prover<'a, G: SearchGame> {
    context: &'a SearchContext<G>,
    nodes: u64,
}

impl<'a, G: SearchGame> Prover<'a, G> {
    pub(crate) fn new(context: &'a SearchContext<G>) -> Self {
        Prover { context, nodes: 0 }
    }

    /// Positions looked at so far. A limit on the nodes of a budget counts all of
    /// them.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// What it works with.
    pub(crate) fn context(&self) -> &'a SearchContext<G> {
        self.context
    }

    /// The game.
    pub(crate) fn game(&self) -> &'a G {
        &self.context.game
    }

    /// Is nothing left of the budget?
    pub(crate) fn is_spent(&self, budget: &Budget) -> bool {
        let over = |most| self.nodes >= most;
        budget.limits().nodes.is_some_and(over) || budget.should_stop()
    }

    /// So many nodes more, and no more than the budget has.
    pub(crate) fn node_budget(&self, nodes: u64, budget: &Budget) -> Budget {
        let most = self.nodes.saturating_add(nodes);
        budget.sub_budget(SearchLimits {
            nodes: Some(budget.limits().nodes.map_or(most, |all| all.min(most))),
            ..*budget.limits()
        })
    }

    /// The value with its length, or none if the budget does not suffice. Where
    /// only the length could not be found, the verdict alone.
    pub(crate) fn value(&mut self, position: &G::Position, budget: &Budget) -> Option<ExactValue> {
        if let Some(known) = self.known_value(position) {
            return Some(known);
        }
        let most = self.context.game.max_plies_left(position);
        if let Some(most) = most.filter(|&most| most <= SHORT) {
            let verdict = self.game_value(position, budget)?;
            return Some(self.with_distance(position, verdict, 1, most, budget));
        }
        let mut lengths = DistanceRange::up_to(most.unwrap_or(MOST_PLIES), budget);
        let mut turn = FIRST_TURN;
        let share = match most {
            None => 1,
            Some(most) if most > LONG => SHARE_OF_LONG,
            Some(_) => SHARE,
        };
        loop {
            let few = self.node_budget(turn / share, budget);
            if let Some(found) = self.search_by_distance(position, &mut lengths, &few) {
                return Some(found);
            }
            match most {
                // Neither a win nor a loss, however long.
                Some(most) if lengths.next > most => return Some(ExactValue::DRAW),
                Some(most) if most <= MOST_PLIES => {
                    if let Some(verdict) =
                        self.game_value(position, &self.node_budget(turn, budget))
                    {
                        let from = lengths.next;
                        return Some(self.with_distance(position, verdict, from, most, budget));
                    }
                }
                _ if lengths.next > lengths.longest => return None,
                _ => {}
            }
            if self.is_spent(budget) {
                return None;
            }
            turn = turn.saturating_mul(GROWTH);
        }
    }

    /// The same for a move, as its maker sees it.
    pub(crate) fn move_value(
        &mut self,
        position: &G::Position,
        mv: G::Move,
        budget: &Budget,
    ) -> Option<ExactValue> {
        let (next, again) = self.after(position, mv);
        Some(self.value(&next, budget)?.backed_up(again))
    }

    /// The same where the position's own value is known, which is the most that a
    /// move can be worth: that answers some questions beforehand.
    pub(crate) fn move_value_at_most(
        &mut self,
        most: Option<ExactValue>,
        position: &G::Position,
        mv: G::Move,
        budget: &Budget,
    ) -> Option<ExactValue> {
        let (next, again) = self.after(position, mv);
        let long = self.context.game.max_plies_left(&next);
        let (Some(most), Some(long), None) = (most, long, self.known_value(&next)) else {
            return self.move_value(position, mv, budget);
        };
        let worst = if again {
            GameValue::Loss
        } else {
            GameValue::Win
        };
        let longest = long.min(MOST_PLIES);
        let value = match most.game_value() {
            GameValue::Loss => self.with_distance(&next, worst, 1, longest, budget),
            GameValue::Draw if long <= MOST_PLIES => {
                let (above, _) = self.exceeds(&next, if again { -1 } else { 0 }, budget)?;
                if above == again {
                    ExactValue::DRAW
                } else {
                    self.with_distance(&next, worst, 1, longest, budget)
                }
            }
            _ => self.value(&next, budget)?,
        };
        Some(value.backed_up(again))
    }

    /// Does this move win in at most so many plies, itself counted?
    pub(crate) fn wins_within(
        &mut self,
        position: &G::Position,
        mv: G::Move,
        plies: u32,
        budget: &Budget,
    ) -> Option<bool> {
        let (next, again) = self.after(position, mv);
        if let Some(known) = self.known_value(&next) {
            return Some(known.backed_up(again) >= ExactValue::win(plies));
        }
        // As the one sees it who moves next: a win is above, a loss is not.
        let left = plies as i32 - 1;
        if again {
            Some(self.exceeds(&next, WIN - left - 1, budget)?.0)
        } else {
            Some(!self.exceeds(&next, left - WIN, budget)?.0)
        }
    }

    /// Win, draw or loss for the one who makes this move.
    pub(crate) fn move_game_value(
        &mut self,
        position: &G::Position,
        mv: G::Move,
        budget: &Budget,
    ) -> Option<GameValue> {
        let (next, again) = self.after(position, mv);
        let verdict = self.game_value(&next, budget)?;
        Some(if again { verdict } else { verdict.reverse() })
    }

    /// The position after a move, and whether the same player moves again.
    pub(crate) fn after(&self, position: &G::Position, mv: G::Move) -> (G::Position, bool) {
        let game = &self.context.game;
        let mut next = position.clone();
        game.apply(&mut next, mv);
        let again = game.side(&next) == game.side(position);
        (next, again)
    }

    /// What needs no search.
    fn known_value(&self, position: &G::Position) -> Option<ExactValue> {
        match self.context.game.outcome(position) {
            Some(outcome) => Some(ExactValue::from_outcome(
                outcome,
                self.context.game.side(position),
            )),
            None => self
                .context
                .game
                .probe_tablebases(&self.context.tablebases, position),
        }
    }

    /// Win, draw or loss: two questions.
    pub(crate) fn game_value(
        &mut self,
        position: &G::Position,
        budget: &Budget,
    ) -> Option<GameValue> {
        if let Some(known) = self.known_value(position) {
            return Some(known.game_value());
        }
        match self.context.game.max_plies_left(position) {
            Some(most) if most <= MOST_PLIES => {}
            // These questions have no end where games go round in circles.
            most => {
                let mut lengths = DistanceRange::up_to(most.unwrap_or(MOST_PLIES), budget);
                let found = self.search_by_distance(position, &mut lengths, budget);
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

    /// A verdict with its length, if that can be found, too.
    fn with_distance(
        &mut self,
        position: &G::Position,
        verdict: GameValue,
        shortest: u32,
        longest: u32,
        budget: &Budget,
    ) -> ExactValue {
        self.distance(position, verdict, shortest, longest, budget)
            .unwrap_or(ExactValue::without_distance(verdict))
    }

    /// How long a won or lost position takes, from `shortest` on up (shorter ones
    /// are known not to be): each question leaves what the next one needs in the
    /// table.
    pub(crate) fn distance(
        &mut self,
        position: &G::Position,
        verdict: GameValue,
        shortest: u32,
        longest: u32,
        budget: &Budget,
    ) -> Option<ExactValue> {
        if verdict == GameValue::Draw {
            return Some(ExactValue::DRAW);
        }
        for plies in shortest..=longest {
            if self.is_possible_distance(verdict, plies)
                && let Some(found) = self.has_distance(position, verdict, plies, budget)?
            {
                return Some(found);
            }
        }
        None
    }

    /// Where the players take turns and the winner has the last move, a win takes
    /// an odd number of plies and a loss an even one.
    fn is_possible_distance(&self, verdict: GameValue, plies: u32) -> bool {
        !self.context.game.winner_moves_last() || (plies % 2 == 1) == (verdict == GameValue::Win)
    }

    /// Is the position won (or lost) in this many plies, fewer being ruled out?
    fn has_distance(
        &mut self,
        position: &G::Position,
        verdict: GameValue,
        plies: u32,
        budget: &Budget,
    ) -> Option<Option<ExactValue>> {
        let within = plies as i32;
        if verdict == GameValue::Win {
            let (yes, score) = self.exceeds(position, WIN - within - 1, budget)?;
            Some(if yes { proved_value(score) } else { None })
        } else {
            let (no, _) = self.exceeds(position, within - WIN, budget)?;
            Some((!no).then_some(ExactValue::loss(plies)))
        }
    }

    /// Looks for a win or a loss by its length, from where the last turn ended. None
    /// if there is none or the budget is spent.
    fn search_by_distance(
        &mut self,
        position: &G::Position,
        lengths: &mut DistanceRange,
        budget: &Budget,
    ) -> Option<ExactValue> {
        while lengths.next <= lengths.longest {
            for verdict in [GameValue::Win, GameValue::Loss] {
                if self.is_possible_distance(verdict, lengths.next)
                    && let Some(found) =
                        self.has_distance(position, verdict, lengths.next, budget)?
                {
                    return Some(found);
                }
            }
            lengths.next += 1;
        }
        None
    }

    /// The move that looked best when the position was last asked about. Only a
    /// hint: it may belong to an image of the position.
    pub(crate) fn hint(&self, position: &G::Position) -> Option<G::Move> {
        let number = Searcher::stored_best_index(self.context, position)?;
        self.context.game.nth_move(position, usize::from(number))
    }

    /// Is the value above this score? With the score that shows it.
    fn exceeds(
        &mut self,
        position: &G::Position,
        above: i32,
        budget: &Budget,
    ) -> Option<(bool, i32)> {
        // Many short questions would never look at the clock by themselves.
        if self.is_spent(budget) {
            return None;
        }
        if self.context.threads == 1 {
            return self.exceeds_on_one_thread(position, above, budget);
        }
        let answer = self.exceeds_on_one_thread(position, above, &self.node_budget(ALONE, budget));
        if answer.is_some() || self.is_spent(budget) {
            return answer;
        }
        self.exceeds_on_all_threads(position, above, budget)
    }

    fn exceeds_on_one_thread(
        &mut self,
        position: &G::Position,
        above: i32,
        budget: &Budget,
    ) -> Option<(bool, i32)> {
        let budget = self.rest(budget);
        let mut searcher = self.searcher(&budget);
        let found = searcher.search(position, 0, above, above + 1, 0);
        self.nodes += searcher.nodes();
        (!searcher.is_stopped()).then_some((found > above, found))
    }

    /// All threads look for the same answer, each in another order; what one finds
    /// out helps the others through the table. The first to finish is believed.
    fn exceeds_on_all_threads(
        &mut self,
        position: &G::Position,
        above: i32,
        budget: &Budget,
    ) -> Option<(bool, i32)> {
        let budget = self.rest(budget);
        let (counted, answered) = (AtomicU64::new(0), StopFlag::new());
        let this = &*self;
        let search = |thread: usize| {
            let mut searcher = this
                .searcher(&budget)
                .with_shared_node_count(&counted)
                .with_answer_flag(&answered)
                .with_order_seed(thread as u32);
            let found = searcher.search(position, 0, above, above + 1, 0);
            counted.fetch_add(searcher.uncounted_nodes(), Ordering::Relaxed);
            (!searcher.is_stopped()).then(|| {
                answered.stop();
                (found > above, found)
            })
        };
        let answer = std::thread::scope(|scope| {
            let helpers: Vec<_> = (1..this.context.threads)
                .map(|thread| {
                    let search = &search;
                    scope.spawn(move || search(thread))
                })
                .collect();
            let mut answer = search(0);
            for helper in helpers {
                answer = answer.or(helper.join().ok().flatten());
            }
            answer
        });
        self.nodes += counted.load(Ordering::Relaxed);
        answer
    }

    /// What was spent on earlier questions counts.
    fn rest(&self, budget: &Budget) -> Budget {
        let left = |most: u64| most.saturating_sub(self.nodes);
        budget.sub_budget(SearchLimits {
            nodes: budget.limits().nodes.map(left),
            ..SearchLimits::NONE
        })
    }

    fn searcher<'b>(&self, budget: &'b Budget) -> Searcher<'b, G>
    where
        'a: 'b,
    {
        let lore = self.context;
        Searcher::new(
            &lore.game,
            &lore.evaluation,
            &lore.heuristics,
            &lore.transposition_table,
            budget,
            SearchMode::Prove,
        )
    }
}

/// How far a search for short wins and losses has come.
struct DistanceRange {
    /// Everything shorter is ruled out.
    next: u32,
    longest: u32,
}

impl DistanceRange {
    fn up_to(plies: u32, budget: &Budget) -> DistanceRange {
        let asked = budget.limits().depth.unwrap_or(MOST_PLIES);
        DistanceRange {
            next: 1,
            longest: plies.min(asked).min(MOST_PLIES),
        }
    }
}
