//! The prover: alpha-beta to the ends of all games, asked one yes-or-no question
//! after another.

use crate::family::Family;
use crate::limits::{Budget, Limits};
use crate::search::Lore;
use crate::search::alpha_beta::{Mode, Searcher, WIN, decided};
use crate::value::{Exact, Verdict};

/// Longer games would need more stack than a thread has.
const MOST_PLIES: u32 = 1000;

/// Proves values of positions of one game. What it learns stays with the lore.
pub(crate) struct Prover<'a, G: Family> {
    lore: &'a Lore<G>,
    nodes: u64,
}

impl<'a, G: Family> Prover<'a, G> {
    pub(crate) fn new(lore: &'a Lore<G>) -> Self {
        Prover { lore, nodes: 0 }
    }

    /// Positions looked at so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The game.
    pub(crate) fn game(&self) -> &G {
        &self.lore.game
    }

    /// The value with its length, or none if the budget does not suffice. Where
    /// only the length could not be found, the verdict alone.
    pub(crate) fn value(&mut self, position: &G::Position, budget: &Budget) -> Option<Exact> {
        if let Some(known) = self.known(position) {
            return Some(known);
        }
        let Some(plies) = self.lore.game.most_plies(position) else {
            return self.by_length(position, budget);
        };
        if plies > MOST_PLIES {
            return None;
        }
        let verdict = self.verdict(position, budget)?;
        if verdict == Verdict::Draw {
            return Some(Exact::DRAW);
        }
        let length = self.length(position, verdict, 1, plies, budget);
        Some(length.unwrap_or(Exact::of_unknown_length(verdict)))
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

    fn after(&self, position: &G::Position, mv: G::Move) -> (G::Position, bool) {
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
        if self.ask(position, 0, budget)?.0 {
            Some(Verdict::Win)
        } else if self.ask(position, -1, budget)?.0 {
            Some(Verdict::Draw)
        } else {
            Some(Verdict::Loss)
        }
    }

    /// How long a won or lost position takes, from `shortest` on up: each question
    /// leaves what the next one needs in the table.
    pub(crate) fn length(
        &mut self,
        position: &G::Position,
        verdict: Verdict,
        shortest: u32,
        longest: u32,
        budget: &Budget,
    ) -> Option<Exact> {
        let mut plies = shortest as i32;
        // Where the players take turns and the winner has the last move, a win
        // takes an odd number of plies and a loss an even one.
        let step = if self.lore.game.winner_moves_last() {
            2
        } else {
            1
        };
        if step == 2 && (plies % 2 == 1) != (verdict == Verdict::Win) {
            plies += 1;
        }
        while plies <= longest as i32 {
            match verdict {
                Verdict::Win => {
                    let (yes, score) = self.ask(position, WIN - plies - 1, budget)?;
                    if yes {
                        return decided(score);
                    }
                }
                Verdict::Loss => {
                    let (no, _) = self.ask(position, plies - WIN, budget)?;
                    if !no {
                        return Some(Exact::loss(plies as u32));
                    }
                }
                Verdict::Draw => return Some(Exact::DRAW),
            }
            plies += step;
        }
        None
    }

    /// Where games can go round in circles no search ends by itself: wins and
    /// losses are looked for by their length, until the budget is spent.
    fn by_length(&mut self, position: &G::Position, budget: &Budget) -> Option<Exact> {
        let most = budget.limits().depth.unwrap_or(MOST_PLIES).min(MOST_PLIES);
        for plies in 1..=most {
            for verdict in [Verdict::Win, Verdict::Loss] {
                // Even and odd are asked for in turn, each once.
                if let Some(found) = self.length(position, verdict, plies, plies, budget) {
                    return Some(found);
                }
                if budget.is_over() {
                    return None;
                }
            }
        }
        None
    }

    /// Is the value above this score? With the score that shows it.
    fn ask(&mut self, position: &G::Position, above: i32, budget: &Budget) -> Option<(bool, i32)> {
        // What was spent on earlier questions counts.
        let left = Limits {
            nodes: budget
                .limits()
                .nodes
                .map(|most| most.saturating_sub(self.nodes)),
            ..Limits::NONE
        };
        let budget = budget.part(left);
        let mut searcher = Searcher::new(
            &self.lore.game,
            &self.lore.evaluation,
            &self.lore.tactics,
            &self.lore.table,
            &budget,
            Mode::Prove,
        );
        let found = searcher.search(position, 0, above, above + 1, 0);
        self.nodes += searcher.nodes();
        (!searcher.is_stopped()).then_some((found > above, found))
    }
}
