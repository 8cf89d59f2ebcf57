//! Order and Chaos: lines that Order can still complete, with either mark.

use noughts_rules::games::order_and_chaos::{
    OrderAndChaos, OrderAndChaosMove, OrderAndChaosPosition,
};
use noughts_rules::{Game, Side};

use super::lines::Lines;
use crate::bots::levels::{LevelHeuristics, plain_levels};
use crate::evaluation::PlainEvaluation;
use crate::search::heuristics::{ForcedMove, SearchHeuristics};
use crate::search::mcts::MctsParams;
use crate::search_game::{BestSearch, SearchGame};

plain_levels!(OrderAndChaos);

impl SearchGame for OrderAndChaos {
    type Evaluation = PlainEvaluation;
    type Heuristics = OrderAndChaosHeuristics;

    fn evaluation(&self) -> PlainEvaluation {
        PlainEvaluation
    }

    fn heuristics(&self) -> OrderAndChaosHeuristics {
        let length = u32::from(self.size().1);
        OrderAndChaosHeuristics {
            lines: Lines::new(self.count_actions() / 2, length, &self.lines()),
        }
    }

    fn mcts_params(&self) -> MctsParams {
        MctsParams::PLAYOUTS
    }

    fn best_search(&self) -> BestSearch {
        BestSearch::Mcts
    }
}

/// Threats of Order.
#[derive(Clone, Debug)]
pub struct OrderAndChaosHeuristics {
    lines: Lines<1>,
}

/// The cells with each mark.
fn marks(position: &OrderAndChaosPosition) -> [[u64; 1]; 2] {
    position.marks().map(|cells| [cells])
}

impl SearchHeuristics<OrderAndChaos> for OrderAndChaosHeuristics {
    fn proof_key(&self, game: &OrderAndChaos, position: &OrderAndChaosPosition) -> u64 {
        game.hash(&game.representative(position))
    }

    #[inline]
    fn forced_move(
        &self,
        game: &OrderAndChaos,
        position: &OrderAndChaosPosition,
    ) -> ForcedMove<OrderAndChaosMove> {
        let [x, o] = marks(position);
        let is_order = game.side(position) == Side::X;
        for (mark, [mine, theirs]) in [[x, o], [o, x]].iter().enumerate() {
            let Some(cell) = self.lines.completing_cell(mine, theirs) else {
                continue;
            };
            // Order completes the line. Chaos has to spoil it with the other mark.
            let mark = if is_order { mark } else { 1 - mark };
            match game.move_from_action(2 * cell + mark) {
                Some(win) if is_order => return ForcedMove::Win(win),
                // Spoiling one line may complete another.
                Some(only) if game.outcome(&game.after(position, only)).is_none() => {
                    return ForcedMove::OnlyMove(only);
                }
                _ => return ForcedMove::None,
            }
        }
        ForcedMove::None
    }

    #[inline]
    fn move_score(
        &self,
        game: &OrderAndChaos,
        position: &OrderAndChaosPosition,
        mv: OrderAndChaosMove,
    ) -> i32 {
        // Order extends lines of the same mark, Chaos spoils those of the other.
        let (cell, mark) = (game.action(mv) / 2, game.action(mv) % 2);
        let [x, o] = marks(position);
        let (same, other) = if mark == 0 { (x, o) } else { (o, x) };
        let weight = |mine, theirs| self.lines.weight_through(cell, mine, theirs);
        let gain = weight(&same, &other) - weight(&other, &same);
        match game.side(position) {
            Side::X => gain,
            Side::O => -gain,
        }
    }

    #[inline]
    fn can_win(
        &self,
        game: &OrderAndChaos,
        position: &OrderAndChaosPosition,
        side: Side,
        plies: u32,
    ) -> bool {
        match side {
            Side::X => {
                let [x, o] = marks(position);
                let is_left = |maker, breaker| self.lines.is_any_left(&[maker, breaker], plies);
                is_left(x, o) || is_left(o, x)
            }
            // Chaos wins on the full board.
            Side::O => game
                .max_plies_left(position)
                .is_none_or(|left| left <= plies),
        }
    }
}
