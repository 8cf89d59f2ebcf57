//! Time management: how much of a game clock to use for a move, and default limits where the caller
//! sets none.

use std::time::Duration;

use noughts_rules::AnyGameState;

use crate::bot::BotKind;
use crate::limits::SearchLimits;

impl BotKind {
    /// The limits to use when these were requested: adds the bot's default time if the requested
    /// limits would never end its search.
    ///
    /// ```
    /// use noughts_engine::{BotKind, SearchLimits};
    /// let depth = SearchLimits { depth: Some(4), ..SearchLimits::NONE };
    /// assert_eq!(BotKind::AlphaBeta.limits_or_default(depth), depth);
    /// let limits = BotKind::Mcts.limits_or_default(depth);
    /// assert_eq!(limits.time, Some(BotKind::Mcts.default_move_time()));
    /// ```
    #[must_use]
    pub fn limits_or_default(self, requested: SearchLimits) -> SearchLimits {
        // These bots have no search depth.
        let ignores_depth = matches!(self, BotKind::MonteCarlo | BotKind::Mcts);
        let is_unbounded = requested.time.is_none() && requested.nodes.is_none();
        if is_unbounded && (ignores_depth || requested.depth.is_none()) {
            return SearchLimits {
                time: Some(self.default_move_time()),
                ..requested
            };
        }
        requested
    }
}

/// A player's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// Time left on the clock.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves until the next time control; `None` if the time is for the whole game.
    pub moves_to_go: Option<u32>,
}

impl Clock {
    /// The time to use for one move: a fair share of the remaining time, assuming `moves` more own
    /// moves, and never so much that `overhead` (time lost outside of thinking) could lose the game
    /// on time.
    ///
    /// ```
    /// use std::time::Duration;
    /// use noughts_engine::Clock;
    /// let [minute, overhead] = [60_000, 10].map(Duration::from_millis);
    /// let clock = Clock { remaining: minute, ..Clock::default() };
    /// let time = clock.time_for_move(30, overhead);
    /// assert!(time > minute / 40 && time < minute / 20);
    /// ```
    #[must_use]
    pub fn time_for_move(&self, moves: u32, overhead: Duration) -> Duration {
        let usable = minus_overhead(self.remaining, overhead);
        let moves = self.moves_to_go.unwrap_or(moves).max(1);
        // The increment is added after the move, so it can't be spent yet.
        let max = match moves {
            1 => usable / 10 * 9,
            _ => usable / 2,
        };
        let share = usable / moves;
        share.saturating_add(self.increment / 4 * 3).min(max)
    }
}

/// Subtracts the overhead, but leaves at least half of the time.
pub(crate) fn minus_overhead(time: Duration, overhead: Duration) -> Duration {
    time.saturating_sub(overhead).max(time / 2)
}

/// An estimate of how many more moves the side to move has to make.
#[must_use]
pub fn expected_moves_left(state: &AnyGameState) -> u32 {
    // Where pieces move, the board doesn't fill up.
    if state.max_plies_left().is_none() {
        return 20;
    }
    let cells = state.view().shape().count_cells();
    let left = cells.saturating_sub(u32::try_from(state.ply()).unwrap_or(u32::MAX));
    // Half of the moves are the opponent's, and few games fill the board.
    (left * 3 / 8).clamp(3, 40)
}

#[cfg(test)]
mod tests {
    use noughts_rules::Variant;

    use super::*;

    /// Using the suggested time for every move of a long game never loses on time, whatever the
    /// clock.
    #[test]
    fn no_clock_runs_out() {
        let overhead = Duration::from_millis(10);
        for left in [1, 5, 20, 100, 1_000, 60_000, 3_600_000] {
            for increment in [0, 1, 50, 1_000] {
                for moves_to_go in [None, Some(1), Some(2), Some(40)] {
                    let [left, increment] = [left, increment].map(Duration::from_millis);
                    let mut clock = Clock {
                        remaining: left,
                        increment,
                        moves_to_go,
                    };
                    for ply in 0..200u32 {
                        let share =
                            clock.time_for_move((60u32).saturating_sub(ply).max(3), overhead);
                        assert!(share < clock.remaining, "{share:?} of {clock:?}");
                        let margin = overhead.min(clock.remaining / 2);
                        assert!(share + margin <= clock.remaining, "{share:?} of {clock:?}");
                        clock.remaining = clock.remaining - share + increment;
                    }
                }
            }
        }
    }

    #[test]
    fn more_time_is_used_when_fewer_moves_are_left() {
        let clock = Clock {
            remaining: Duration::from_secs(10),
            ..Clock::default()
        };
        let overhead = Duration::from_millis(10);
        assert!(clock.time_for_move(5, overhead) > clock.time_for_move(30, overhead));
        let increments = Clock {
            increment: Duration::from_millis(100),
            ..clock
        };
        assert!(increments.time_for_move(30, overhead) > clock.time_for_move(30, overhead));
    }

    #[test]
    fn expected_moves_fall_as_the_board_fills() {
        let mut state = AnyGameState::new(Variant::ULTIMATE);
        let before = expected_moves_left(&state);
        for _ in 0..20 {
            let mv = state.legal_moves().into_iter().next().unwrap_or_default();
            if state.play(&mv).is_err() {
                break;
            }
        }
        assert!(expected_moves_left(&state) < before);
        assert_eq!(expected_moves_left(&AnyGameState::new(Variant::CLASSIC)), 3);
    }
}
