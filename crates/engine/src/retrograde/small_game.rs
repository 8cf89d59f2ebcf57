//! Games that are small enough to be solved when they are needed: once per process, in memory.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use noughts_rules::{AnyGameState, Game, GameState, GameVisitor, Variant};

use super::code::{self, Code};
use super::{ListLimits, Listing, PositionList, Solver};
use crate::limits::{Budget, SearchLimits, StopFlag};
use crate::value::ExactValue;

/// A game with more positions or moves, up to symmetry, isn't small. Solving one with as many takes about a second.
const LIMITS: ListLimits = ListLimits {
    positions: 1 << 17,
    moves: 1 << 18,
};

/// What has been found out about a game.
struct SmallGame<G: Game> {
    /// The solution, or `None` if the game is too large.
    solved: OnceLock<Option<Solution<G>>>,
    /// Where work can be continued.
    work: Mutex<Option<Work<G>>>,
}

struct Solution<G: Game> {
    list: PositionList<G>,
    codes: Vec<Code>,
}

struct Work<G: Game> {
    list: PositionList<G>,
    /// Once the list is complete.
    solver: Option<Solver>,
}

impl<G: Game> SmallGame<G> {
    fn get(game: &G) -> Arc<SmallGame<G>> {
        type Games = BTreeMap<Variant, Arc<dyn Any + Send + Sync>>;
        static GAMES: Mutex<Games> = Mutex::new(Games::new());
        let mut games = GAMES.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || {
            Arc::new(SmallGame::<G> {
                solved: OnceLock::new(),
                work: Mutex::new(None),
            })
        };
        let known = games.entry(game.variant()).or_insert_with(|| new());
        // The same variant behind another type is solved again.
        Arc::clone(known).downcast().unwrap_or_else(|_| new())
    }

    /// Does a part of the work that is left, which takes milliseconds.
    fn make_step(&self, game: &G) {
        let mut work = self.work.lock().unwrap_or_else(PoisonError::into_inner);
        if self.solved.get().is_some() {
            return;
        }
        let is_too_large = |count: u64| count > LIMITS.positions as u64;
        let mut now = match work.take() {
            Some(now) => now,
            None if is_too_large(game.count_position_numbers()) => {
                let _ = self.solved.set(None);
                return;
            }
            None => Work {
                list: PositionList::new(game),
                solver: None,
            },
        };
        let is_finished = match &mut now.solver {
            Some(solver) => match solver.make_pass(&now.list, 1, &StopFlag::new(), &|_| {}) {
                Ok(has_more) => !has_more,
                Err(_) => {
                    let _ = self.solved.set(None);
                    return;
                }
            },
            None => {
                let mut is_first = true;
                let listed = now
                    .list
                    .extend(LIMITS, &mut |_| !std::mem::take(&mut is_first));
                match listed {
                    Listing::Complete => now.solver = Some(Solver::new(&now.list)),
                    Listing::Stopped => {}
                    Listing::TooLong => {
                        let _ = self.solved.set(None);
                        return;
                    }
                }
                false
            }
        };
        match now {
            Work {
                list,
                solver: Some(solver),
            } if is_finished => {
                let codes = solver.into_codes();
                let _ = self.solved.set(Some(Solution { list, codes }));
            }
            now => *work = Some(now),
        }
    }
}

/// Solves the game if that is possible with half of the time that is left; limits of nodes and depth don't apply, so that
/// the same limits always give the same result. What isn't finished in time is continued by the next call.
pub(crate) fn prepare<G: Game>(game: &G, budget: &Budget) {
    if !game.can_repeat() {
        return;
    }
    let small = SmallGame::get(game);
    if small.solved.get().is_some() {
        return;
    }
    let half = budget.sub_budget(SearchLimits {
        time: budget.time_left().map(|left| left / 2),
        ..SearchLimits::NONE
    });
    while small.solved.get().is_none() && !half.should_stop() {
        small.make_step(game);
    }
}

/// The value of a position, if the game was solved and the position can be reached from its start.
pub(crate) fn probe<G: Game>(game: &G, position: &G::Position) -> Option<ExactValue> {
    let small = SmallGame::get(game);
    let Solution { list, codes } = small.solved.get()?.as_ref()?;
    code::decode(codes[list.number(position)?])
}

/// Whether a variant with repetition is small enough to be solved in memory, which this does.
pub(crate) fn is_small_variant(variant: Variant) -> bool {
    struct IsSmall;
    impl GameVisitor for IsSmall {
        type Output = bool;

        fn visit<G: Game>(self, state: &GameState<G>) -> bool {
            is_small(state.game())
        }
    }
    AnyGameState::new(variant).visit(IsSmall)
}

/// Whether a game with repetition is small enough to be solved in memory, which this does.
fn is_small<G: Game>(game: &G) -> bool {
    prepare(game, &Budget::start(SearchLimits::NONE, &StopFlag::new()));
    game.can_repeat() && matches!(SmallGame::get(game).solved.get(), Some(Some(_)))
}
