//! X's winning strategy for `ception:5a`. There, players keep playing in won boards, so X can send
//! O to the same boards again and again.
//!
//! The strategy by itself proves nothing: its users verify it against every defense.

use std::collections::HashMap;

use noughts_rules::{
    Depth, Game, Nested, NestedMove, NestedPosition, Outcome, SharedBoards, Side, WonBoardRule,
};

use crate::limits::Budget;
use crate::solve::StrategyProof;
use crate::value::GameValue;

const CENTER: usize = 4;

const FULL: u32 = 511;

/// X's move:
///
/// 1. the center cell of the center board;
/// 2. while that board has empty cells, the center cell of every board that O sends X to: O is sent
///    back to the center board and fills it;
/// 3. after that, X is in some board A, opposite to board B, and owns seven center cells. From here
///    on, cell A of every board X is sent to, or cell B where A is taken: O is sent only to A and B,
///    while X completes a line through A, the center and B in one board after another. With a free
///    move X goes to board B.
///
/// `None` if the position doesn't come from such a game.
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
    let target = (open.count_ones() == 1).then(|| open.trailing_zeros() as usize);
    if game.count_pieces(position) == 0 {
        return cell(CENTER, CENTER);
    }
    if taken(CENTER) != FULL {
        return cell(target?, CENTER);
    }
    let mut boards_without_center =
        (0..9).filter(|&board| position.marks(board, Side::X) >> CENTER & 1 == 0);
    let a = boards_without_center.next()?;
    if boards_without_center.next().is_some() || a == CENTER {
        return None;
    }
    let b = 8 - a;
    let board = match target {
        Some(board) => board,
        None => Some(b).filter(|b| open >> b & 1 == 1)?,
    };
    cell(board, a).or_else(|| cell(board, b))
}

/// Whether the strategy may win; if so, it wins from the start.
pub(crate) fn applies<D: Depth>(game: &Nested<D>) -> bool {
    let options = game.options();
    options.depth() == 2
        && options.shared_boards() == SharedBoards::Forbidden
        && options.won_board_rule() == WonBoardRule::PlayOn
}

/// Verifies that X wins this position by the strategy against every defense.
///
/// # Errors
/// It doesn't, or the budget was too small; the nodes spent.
pub(crate) fn prove_by_strategy<D: Depth>(
    game: &Nested<D>,
    position: &NestedPosition<D>,
    budget: &Budget,
) -> Result<StrategyProof<NestedMove>, u64> {
    if !applies(game) || game.outcome(position).is_some() {
        return Err(0);
    }
    let mut verifier = Verifier {
        game,
        budget,
        known: HashMap::new(),
        nodes: 0,
    };
    let found = verifier.choose(position);
    let nodes = verifier.nodes;
    found
        .map(|(mv, game_value, longest)| StrategyProof {
            mv: Some(mv),
            game_value,
            max_plies: longest,
            nodes,
        })
        .ok_or(nodes)
}

/// The walk through all defenses.
struct Verifier<'a, D: Depth> {
    game: &'a Nested<D>,
    budget: &'a Budget,
    /// By hash: the maximum number of plies that O can hold out.
    known: HashMap<u64, u32>,
    nodes: u64,
}

impl<D: Depth> Verifier<'_, D> {
    /// The move, the result, and the maximum number of plies.
    fn choose(&mut self, position: &NestedPosition<D>) -> Option<(NestedMove, GameValue, u32)> {
        let longest = self.max_defense(position)?;
        match self.game.side(position) {
            Side::X => Some((strategy_move(self.game, position)?, GameValue::Win, longest)),
            // O chooses the longest defense.
            Side::O => {
                let moves = self.game.moves(position).into_iter();
                let defenses = moves.filter_map(|mv| Some((self.after(position, mv)?, mv)));
                let (_, mv) = defenses.max_by_key(|&(plies, _)| plies)?;
                Some((mv, GameValue::Loss, longest))
            }
        }
    }

    /// The maximum number of plies that O can hold out; `None` if some defense doesn't lose.
    fn max_defense(&mut self, position: &NestedPosition<D>) -> Option<u32> {
        match self.game.outcome(position) {
            Some(Outcome::Win(Side::X)) => return Some(0),
            Some(_) => return None,
            None => {}
        }
        let key = self.game.hash(position);
        if let Some(&plies) = self.known.get(&key) {
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
        self.known.insert(key, plies);
        Some(plies)
    }

    fn after(&mut self, position: &NestedPosition<D>, mv: NestedMove) -> Option<u32> {
        Some(self.max_defense(&self.game.after(position, mv))? + 1)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::limits::{SearchLimits, StopFlag};
    use noughts_rules::{D2, NestedOptions};

    fn game(name: &str) -> Nested<D2> {
        let Ok(Some(options)) = name.parse().map(NestedOptions::of) else {
            panic!("{name}");
        };
        Nested::new(options).expect("depth 2")
    }

    fn prove_from_start(
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

    /// Repeats the verification without a table that could hide something: visits every position
    /// that O can reach and checks X's moves.
    #[test]
    fn x_wins_in_at_most_43_plies_against_every_defense() {
        for name in ["ception:5a", "ception:5a,end=most"] {
            let game = game(name);
            assert!(applies(&game));
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
            // Every move fills a cell, so a position always occurs at the same ply.
            assert_eq!(longest, 43, "{name}");
            assert!((40_000..80_000).contains(&seen.len()), "{}", seen.len());

            let proof = prove_from_start(&game, SearchLimits::NONE).expect("proved");
            assert_eq!((proof.game_value, proof.max_plies), (GameValue::Win, 43));
            assert_eq!(proof.mv.map(|mv| game.move_text(mv)).as_deref(), Some("ee"));
        }
    }

    #[test]
    fn nothing_is_proved_where_the_strategy_does_not_win() {
        // With shared boards the strategy isn't sufficient, and must not be claimed.
        let shared = game("ception:4b,5a");
        let mut verifier = Verifier {
            game: &shared,
            budget: &Budget::start(SearchLimits::NONE, &StopFlag::new()),
            known: HashMap::new(),
            nodes: 0,
        };
        assert_eq!(verifier.max_defense(&shared.start()), None);
        assert_eq!(prove_from_start(&shared, SearchLimits::NONE), None);
        assert_eq!(
            prove_from_start(&game("ultimate"), SearchLimits::NONE),
            None
        );
    }

    #[test]
    fn interrupted_proof_proves_nothing() {
        let game = game("ception:5a");
        for nodes in [0, 1, 100, 10_000] {
            assert_eq!(prove_from_start(&game, SearchLimits::nodes(nodes)), None);
        }
        let stop = StopFlag::new();
        stop.stop();
        let budget = Budget::start(SearchLimits::NONE, &stop);
        assert!(prove_by_strategy(&game, &game.start(), &budget).is_err());
    }

    #[test]
    fn o_chooses_the_longest_defense() {
        let game = game("ception:5a");
        let budget = Budget::start(SearchLimits::NONE, &StopFlag::new());
        let mut position = game.start();
        let mut plies = 0;
        while game.outcome(&position).is_none() {
            let proof = prove_by_strategy(&game, &position, &budget).expect("proved at every ply");
            assert_eq!(proof.max_plies, 43 - plies);
            game.apply(&mut position, proof.mv.expect("a move"));
            plies += 1;
        }
        assert_eq!(plies, 43);
    }
}
