//! The prover: alpha-beta to the ends of all games, asked one yes-or-no question
//! after another.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::family::Family;
use crate::limits::{Budget, Limits, Stop};
use crate::search::Lore;
use crate::search::alpha_beta::{Mode, Searcher, WIN, decided};
use crate::value::{Exact, Verdict};

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
pub(crate) struct Prover<'a, G: Family> {
    lore: &'a Lore<G>,
    nodes: u64,
}

impl<'a, G: Family> Prover<'a, G> {
    pub(crate) fn new(lore: &'a Lore<G>) -> Self {
        Prover { lore, nodes: 0 }
    }

    /// Positions looked at so far. A limit on the nodes of a budget counts all of
    /// them.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// What it works with.
    pub(crate) fn lore(&self) -> &'a Lore<G> {
        self.lore
    }

    /// The game.
    pub(crate) fn game(&self) -> &'a G {
        &self.lore.game
    }

    /// Is nothing left of the budget?
    pub(crate) fn is_spent(&self, budget: &Budget) -> bool {
        let over = |most| self.nodes >= most;
        budget.limits().nodes.is_some_and(over) || budget.is_over()
    }

    /// So many nodes more, and no more than the budget has.
    pub(crate) fn a_few(&self, nodes: u64, budget: &Budget) -> Budget {
        let most = self.nodes.saturating_add(nodes);
        budget.part(Limits {
            nodes: Some(budget.limits().nodes.map_or(most, |all| all.min(most))),
            ..*budget.limits()
        })
    }

    /// The value with its length, or none if the budget does not suffice. Where
    /// only the length could not be found, the verdict alone.
    pub(crate) fn value(&mut self, position: &G::Position, budget: &Budget) -> Option<Exact> {
        if let Some(known) = self.known(position) {
            return Some(known);
        }
        let most = self.lore.game.most_plies(position);
        if let Some(most) = most.filter(|&most| most <= SHORT) {
            let verdict = self.verdict(position, budget)?;
            return Some(self.with_length(position, verdict, 1, most, budget));
        }
        let mut lengths = Lengths::up_to(most.unwrap_or(MOST_PLIES), budget);
        let mut turn = FIRST_TURN;
        let share = match most {
            None => 1,
            Some(most) if most > LONG => SHARE_OF_LONG,
            Some(_) => SHARE,
        };
        loop {
            let few = self.a_few(turn / share, budget);
            if let Some(found) = self.by_length(position, &mut lengths, &few) {
                return Some(found);
            }
            match most {
                // Neither a win nor a loss, however long.
                Some(most) if lengths.next > most => return Some(Exact::DRAW),
                Some(most) if most <= MOST_PLIES => {
                    if let Some(verdict) = self.verdict(position, &self.a_few(turn, budget)) {
                        let from = lengths.next;
                        return Some(self.with_length(position, verdict, from, most, budget));
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
    pub(crate) fn value_of_move(
        &mut self,
        position: &G::Position,
        mv: G::Move,
        budget: &Budget,
    ) -> Option<Exact> {
        let (next, again) = self.after(position, mv);
        Some(self.value(&next, budget)?.of_move(again))
    }

    /// The same where the position's own value is known, which is the most that a
    /// move can be worth: that answers some questions beforehand.
    pub(crate) fn value_of_move_below(
        &mut self,
        most: Option<Exact>,
        position: &G::Position,
        mv: G::Move,
        budget: &Budget,
    ) -> Option<Exact> {
        let (next, again) = self.after(position, mv);
        let long = self.lore.game.most_plies(&next);
        let (Some(most), Some(long), None) = (most, long, self.known(&next)) else {
            return self.value_of_move(position, mv, budget);
        };
        let worst = if again { Verdict::Loss } else { Verdict::Win };
        let longest = long.min(MOST_PLIES);
        let value = match most.verdict() {
            Verdict::Loss => self.with_length(&next, worst, 1, longest, budget),
            Verdict::Draw if long <= MOST_PLIES => {
                let (above, _) = self.ask(&next, if again { -1 } else { 0 }, budget)?;
                if above == again {
                    Exact::DRAW
                } else {
                    self.with_length(&next, worst, 1, longest, budget)
                }
            }
            _ => self.value(&next, budget)?,
        };
        Some(value.of_move(again))
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
        if let Some(known) = self.known(&next) {
            return Some(known.of_move(again) >= Exact::win(plies));
        }
        // As the one sees it who moves next: a win is above, a loss is not.
        let left = plies as i32 - 1;
        if again {
            Some(self.ask(&next, WIN - left - 1, budget)?.0)
        } else {
            Some(!self.ask(&next, left - WIN, budget)?.0)
        }
    }

    /// Win, draw or loss for the one who makes this move.
    pub(crate) fn verdict_of_move(
        &mut self,
        position: &G::Position,
        mv: G::Move,
        budget: &Budget,
    ) -> Option<Verdict> {
        let (next, again) = self.after(position, mv);
        let verdict = self.verdict(&next, budget)?;
        Some(if again { verdict } else { verdict.other() })
    }

    /// The position after a move, and whether the same player moves again.
    pub(crate) fn after(&self, position: &G::Position, mv: G::Move) -> (G::Position, bool) {
        let game = &self.lore.game;
        let mut next = position.clone();
        game.apply(&mut next, mv);
        let again = game.side(&next) == game.side(position);
        (next, again)
    }

    /// What needs no search.
    fn known(&self, position: &G::Position) -> Option<Exact> {
        match self.lore.game.outcome(position) {
            Some(outcome) => Some(Exact::finished(outcome, self.lore.game.side(position))),
            None => self.lore.game.known(&self.lore.tables, position),
        }
    }

    /// Win, draw or loss: two questions.
    pub(crate) fn verdict(&mut self, position: &G::Position, budget: &Budget) -> Option<Verdict> {
        if let Some(known) = self.known(position) {
            return Some(known.verdict());
        }
        match self.lore.game.most_plies(position) {
            Some(most) if most <= MOST_PLIES => {}
            // These questions have no end where games go round in circles.
            most => {
                let mut lengths = Lengths::up_to(most.unwrap_or(MOST_PLIES), budget);
                let found = self.by_length(position, &mut lengths, budget);
                return found.map(Exact::verdict);
            }
        }
        if self.ask(position, 0, budget)?.0 {
            Some(Verdict::Win)
        } else if self.ask(position, -1, budget)?.0 {
            Some(Verdict::Draw)
        } else {
            Some(Verdict::Loss)
        }
    }

    /// A verdict with its length, if that can be found, too.
    fn with_length(
        &mut self,
        position: &G::Position,
        verdict: Verdict,
        shortest: u32,
        longest: u32,
        budget: &Budget,
    ) -> Exact {
        self.length(position, verdict, shortest, longest, budget)
            .unwrap_or(Exact::of_unknown_length(verdict))
    }

    /// How long a won or lost position takes, from `shortest` on up (shorter ones
    /// are known not to be): each question leaves what the next one needs in the
    /// table.
    pub(crate) fn length(
        &mut self,
        position: &G::Position,
        verdict: Verdict,
        shortest: u32,
        longest: u32,
        budget: &Budget,
    ) -> Option<Exact> {
        if verdict == Verdict::Draw {
            return Some(Exact::DRAW);
        }
        for plies in shortest..=longest {
            if self.can_take(verdict, plies)
                && let Some(found) = self.takes(position, verdict, plies, budget)?
            {
                return Some(found);
            }
        }
        None
    }

    /// Where the players take turns and the winner has the last move, a win takes
    /// an odd number of plies and a loss an even one.
    fn can_take(&self, verdict: Verdict, plies: u32) -> bool {
        !self.lore.game.winner_moves_last() || (plies % 2 == 1) == (verdict == Verdict::Win)
    }

    /// Is the position won (or lost) in this many plies, fewer being ruled out?
    fn takes(
        &mut self,
        position: &G::Position,
        verdict: Verdict,
        plies: u32,
        budget: &Budget,
    ) -> Option<Option<Exact>> {
        let within = plies as i32;
        if verdict == Verdict::Win {
            let (yes, score) = self.ask(position, WIN - within - 1, budget)?;
            Some(if yes { decided(score) } else { None })
        } else {
            let (no, _) = self.ask(position, within - WIN, budget)?;
            Some((!no).then_some(Exact::loss(plies)))
        }
    }

    /// Looks for a win or a loss by its length, from where the last turn ended. None
    /// if there is none or the budget is spent.
    fn by_length(
        &mut self,
        position: &G::Position,
        lengths: &mut Lengths,
        budget: &Budget,
    ) -> Option<Exact> {
        while lengths.next <= lengths.longest {
            for verdict in [Verdict::Win, Verdict::Loss] {
                if self.can_take(verdict, lengths.next)
                    && let Some(found) = self.takes(position, verdict, lengths.next, budget)?
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
        let number = Searcher::remembered(self.lore, position)?;
        self.lore.game.nth_move(position, usize::from(number))
    }

    /// Is the value above this score? With the score that shows it.
    fn ask(&mut self, position: &G::Position, above: i32, budget: &Budget) -> Option<(bool, i32)> {
        // Many short questions would never look at the clock by themselves.
        if self.is_spent(budget) {
            return None;
        }
        if self.lore.threads == 1 {
            return self.ask_alone(position, above, budget);
        }
        let answer = self.ask_alone(position, above, &self.a_few(ALONE, budget));
        if answer.is_some() || self.is_spent(budget) {
            return answer;
        }
        self.ask_all(position, above, budget)
    }

    fn ask_alone(
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
    fn ask_all(
        &mut self,
        position: &G::Position,
        above: i32,
        budget: &Budget,
    ) -> Option<(bool, i32)> {
        let budget = self.rest(budget);
        let (counted, answered) = (AtomicU64::new(0), Stop::new());
        let this = &*self;
        let search = |thread: usize| {
            let mut searcher = this
                .searcher(&budget)
                .count_with(&counted)
                .stop_with(&answered)
                .shuffle(thread as u32);
            let found = searcher.search(position, 0, above, above + 1, 0);
            counted.fetch_add(searcher.unreported(), Ordering::Relaxed);
            (!searcher.is_stopped()).then(|| {
                answered.stop();
                (found > above, found)
            })
        };
        let answer = std::thread::scope(|scope| {
            let helpers: Vec<_> = (1..this.lore.threads)
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
        budget.part(Limits {
            nodes: budget.limits().nodes.map(left),
            ..Limits::NONE
        })
    }

    fn searcher<'b>(&self, budget: &'b Budget) -> Searcher<'b, G>
    where
        'a: 'b,
    {
        let lore = self.lore;
        Searcher::new(
            &lore.game,
            &lore.evaluation,
            &lore.tactics,
            &lore.table,
            budget,
            Mode::Prove,
        )
    }
}

/// How far a search for short wins and losses has come.
struct Lengths {
    /// Everything shorter is ruled out.
    next: u32,
    longest: u32,
}

impl Lengths {
    fn up_to(plies: u32, budget: &Budget) -> Lengths {
        let asked = budget.limits().depth.unwrap_or(MOST_PLIES);
        Lengths {
            next: 1,
            longest: plies.min(asked).min(MOST_PLIES),
        }
    }
}
