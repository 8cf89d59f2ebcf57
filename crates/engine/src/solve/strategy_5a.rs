//! How X wins `ception:5a`. There a won board takes moves like any other, so X can
//! send O to the same boards again and again.
//!
//! The strategy alone proves nothing: whoever uses it walks through every defence.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use noughts_rules::{
    Depth, Game, Nested, NestedMove, NestedPosition, Outcome, SharedBoards, Side, WonBoardRule,
};

use super::StrategyProof;
use crate::limits::Budget;
use crate::value::GameValue;

const CENTRE: usize = 4;

const FULL: u32 = 511;

/// X's move:
///
/// 1. the centre cell of the centre board;
/// 2. while that board has room, the centre cell of every board that O sends X to:
///    O is sent back to the centre, and fills it;
/// 3. then X is in some board A, opposite to B, and has seven centre cells. From
///    here on the cell A of every board X comes to, or B where A is taken: O is sent
///    to A and B only, while X gets a line through A, the centre cell and B in one
///    board after the other. With a free choice X goes to board B.
///
/// None where the position does not come from such a game.
pub(crate) fn strategy_move<D: Depth>(
    game: &Nested<D>,
    position: &NestedPosition<D>,
) -> Option<NestedMove> {
    let taken = |board| position.marks(board, Side::X) | position.marks(board, Side::O);
    let is_empty = |board, cell| taken(board) >> cell & 1 == 0;
    let cell = |board: usize, cell: usize| {
        is_empty(board, cell).then(|| NestedMove::from_index(board * 9 + cell))
    };
    let open = game.open_board_mask(position);
    let sent = (open.count_ones() == 1).then(|| open.trailing_zeros() as usize);
    if game.count_pieces(position) == 0 {
        return cell(CENTRE, CENTRE);
    }
    if taken(CENTRE) != FULL {
        return cell(sent?, CENTRE);
    }
    let mut without = (0..9).filter(|&board| position.marks(board, Side::X) >> CENTRE & 1 == 0);
    let a = without.next()?;
    if without.next().is_some() || a == CENTRE {
        return None;
    }
    let b = 8 - a;
    let board = match sent {
        Some(board) => board,
        None => Some(b).filter(|b| open >> b & 1 == 1)?,
    };
    cell(board, a).or_else(|| cell(board, b))
}

/// Does X win this position by the strategy, whatever O does? Walks through every
/// defence to find out.
///
/// # Errors
/// It does not, or the budget did not suffice: the nodes spent.
pub(crate) fn prove_by_strategy<D: Depth>(
    game: &Nested<D>,
    position: &NestedPosition<D>,
    budget: &Budget,
) -> Result<StrategyProof<NestedMove>, u64> {
    let options = game.options();
    let applies = options.depth() == 2 && options.shared_boards() == SharedBoards::Forbidden;
    if !applies
        || options.won_board_rule() != WonBoardRule::PlayOn
        || game.outcome(position).is_some()
    {
        return Err(0);
    }
    let mut walk = Walk {
        game,
        budget,
        seen: HashMap::default(),
        nodes: 0,
    };
    let found = walk.choice(position);
    let nodes = walk.nodes;
    found
        .map(|(mv, verdict, longest)| StrategyProof {
            mv,
            game_value: verdict,
            max_plies: longest,
            nodes,
        })
        .ok_or(nodes)
}

/// The walk through all defences.
struct Walk<'a, D: Depth> {
    game: &'a Nested<D>,
    budget: &'a Budget,
    /// By hash: the most plies that O can hold out.
    seen: HashMap<u64, u32, BuildHasherDefault<AsItIs>>,
    nodes: u64,
}

impl<D: Depth> Walk<'_, D> {
    /// The move, who wins, and in how many plies at most.
    fn choice(&mut self, position: &NestedPosition<D>) -> Option<(NestedMove, GameValue, u32)> {
        let longest = self.plies(position)?;
        match self.game.side(position) {
            Side::X => Some((strategy_move(self.game, position)?, GameValue::Win, longest)),
            // O holds out for as long as possible.
            Side::O => {
                let moves = self.game.moves(position).into_iter();
                let held = moves.filter_map(|mv| Some((self.after(position, mv)?, mv)));
                let (_, mv) = held.max_by_key(|&(plies, _)| plies)?;
                Some((mv, GameValue::Loss, longest))
            }
        }
    }

    /// How long O can hold out at most; none as soon as one defence does not lose.
    fn plies(&mut self, position: &NestedPosition<D>) -> Option<u32> {
        match self.game.outcome(position) {
            Some(Outcome::Win(Side::X)) => return Some(0),
            Some(_) => return None,
            None => {}
        }
        let key = self.game.hash(position);
        if let Some(&plies) = self.seen.get(&key) {
            return Some(plies);
        }
        self.nodes += 1;
        if self.budget.is_spent(self.nodes) {
            return None;
        }
        let plies = match self.game.side(position) {
            Side::X => self.after(position, strategy_move(self.game, position)?)?,
            Side::O => {
                let mut longest = 0;
                for mv in self.game.moves(position) {
                    longest = longest.max(self.after(position, mv)?);
                }
                longest
            }
        };
        self.seen.insert(key, plies);
        Some(plies)
    }

    fn after(&mut self, position: &NestedPosition<D>, mv: NestedMove) -> Option<u32> {
        let mut next = position.clone();
        self.game.apply(&mut next, mv);
        Some(self.plies(&next)? + 1)
    }
}

/// Hashes need no hashing.
#[derive(Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0 << 8 | u64::from(byte);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::limits::{SearchLimits, StopFlag};
    use noughts_rules::{D2, NestedOptions, Variant};

    fn game(name: &str) -> Nested<D2> {
        let Ok(Variant::Nested(options)) = name.parse::<Variant>() else {
            panic!("{name}");
        };
        let _: NestedOptions = options;
        Nested::new(options).expect("depth 2")
    }

    fn plan_from_start(
        game: &Nested<D2>,
        limits: SearchLimits,
    ) -> Option<StrategyProof<NestedMove>> {
        prove_by_strategy(
            game,
            &game.start(),
            &Budget::start(limits, &StopFlag::new()),
        )
        .ok()
    }

    /// The same walk once more, without a table that could hide something: every
    /// position that O can reach is looked at, and X's moves are checked.
    #[test]
    fn x_wins_in_at_most_43_plies_against_every_defence() {
        for name in ["ception:5a", "ception:5a,end=most"] {
            let game = game(name);
            let mut stack = vec![(game.start(), 0)];
            let mut seen = HashSet::new();
            let mut longest = 0;
            while let Some((position, ply)) = stack.pop() {
                match game.outcome(&position) {
                    Some(outcome) => {
                        assert_eq!(outcome, Outcome::Win(Side::X), "{}", game.text(&position));
                        longest = longest.max(ply);
                        continue;
                    }
                    None if !seen.insert(position) => continue,
                    None => {}
                }
                let moves = match game.side(&position) {
                    Side::X => vec![strategy_move(&game, &position).expect("X knows what to do")],
                    Side::O => game.moves(&position),
                };
                for mv in moves {
                    let next = game.play(position, mv).expect("a legal move");
                    stack.push((next, ply + 1));
                }
            }
            // Every move fills a cell, so a position is always met at the same ply.
            assert_eq!(longest, 43, "{name}");
            assert!((40_000..80_000).contains(&seen.len()), "{}", seen.len());

            let plan = plan_from_start(&game, SearchLimits::NONE).expect("proved");
            assert_eq!((plan.game_value, plan.max_plies), (GameValue::Win, 43));
            assert_eq!(game.move_text(plan.mv), "ee");
        }
    }

    #[test]
    fn the_walk_fails_where_the_strategy_does_not_win() {
        // Boards that can be owned by both: the strategy is not enough, and not claimed.
        let shared = game("ception:4b,5a");
        let mut walk = Walk {
            game: &shared,
            budget: &Budget::start(SearchLimits::NONE, &StopFlag::new()),
            seen: HashMap::default(),
            nodes: 0,
        };
        assert_eq!(walk.plies(&shared.start()), None);
        assert_eq!(plan_from_start(&shared, SearchLimits::NONE), None);
        assert_eq!(plan_from_start(&game("ultimate"), SearchLimits::NONE), None);
    }

    #[test]
    fn a_walk_that_is_cut_short_proves_nothing() {
        let game = game("ception:5a");
        for nodes in [0, 1, 100, 10_000] {
            assert_eq!(plan_from_start(&game, SearchLimits::nodes(nodes)), None);
        }
        let stop = StopFlag::new();
        stop.stop();
        let budget = Budget::start(SearchLimits::NONE, &stop);
        assert!(prove_by_strategy(&game, &game.start(), &budget).is_err());
    }

    #[test]
    fn o_holds_out_for_as_long_as_possible() {
        let game = game("ception:5a");
        let budget = Budget::start(SearchLimits::NONE, &StopFlag::new());
        let mut position = game.start();
        let mut plies = 0;
        while game.outcome(&position).is_none() {
            let plan = prove_by_strategy(&game, &position, &budget).expect("proved at every ply");
            assert_eq!(plan.max_plies, 43 - plies);
            game.apply(&mut position, plan.mv);
            plies += 1;
        }
        assert_eq!(plies, 43);
    }
}
