//! How long to think about a move: a share of a clock that is running for the
//! whole game, or a bot's usual time where nobody says.

use std::time::Duration;

use noughts_rules::{AnyGameState, Variant};

use crate::bot::BotKind;
use crate::limits::SearchLimits;

impl BotKind {
    /// Limits under which it comes to an end, where these were asked for: its
    /// usual time where there are none, or only one that means nothing to it.
    ///
    /// ```
    /// use noughts_engine::{BotKind, Limits};
    /// let depth = Limits { depth: Some(4), ..Limits::NONE };
    /// assert_eq!(BotKind::AlphaBeta.limits(depth), depth);
    /// assert_eq!(BotKind::Mcts.limits(depth).time, Some(BotKind::Mcts.usual_time()));
    /// ```
    #[must_use]
    pub fn limits_or_default(self, asked: SearchLimits) -> SearchLimits {
        // Random games have no depth.
        let plays_out = matches!(self, BotKind::MonteCarlo | BotKind::Mcts);
        let endless = asked.time.is_none() && asked.nodes.is_none();
        if endless && (plays_out || asked.depth.is_none()) {
            return SearchLimits {
                time: Some(self.default_move_time()),
                ..asked
            };
        }
        asked
    }
}

/// A player's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// What is left of the time.
    pub remaining: Duration,
    /// What is added after each move.
    pub increment: Duration,
    /// So many moves until the clock is set anew; none: it is for the whole game.
    pub moves_to_go: Option<u32>,
}

impl Clock {
    /// The time for one move: a fair share of what is left, counting on `moves`
    /// more of one's own, and never so much that `overhead` (what passes between
    /// the players besides thinking) could lose the game.
    ///
    /// ```
    /// use std::time::Duration;
    /// use noughts_engine::Clock;
    /// let [minute, overhead] = [60_000, 10].map(Duration::from_millis);
    /// let clock = Clock { left: minute, ..Clock::default() };
    /// let share = clock.share(30, overhead);
    /// assert!(share > minute / 40 && share < minute / 20);
    /// ```
    #[must_use]
    pub fn time_for_move(&self, moves: u32, overhead: Duration) -> Duration {
        let usable = minus_overhead(self.remaining, overhead);
        let moves = self.moves_to_go.unwrap_or(moves).max(1);
        // The increment comes after the move: only what is there can be spent.
        let most = match moves {
            1 => usable / 10 * 9,
            _ => usable / 2,
        };
        let share = usable / moves;
        share.saturating_add(self.increment / 4 * 3).min(most)
    }
}

/// Time less the overhead; of very little time, half.
pub(crate) fn minus_overhead(time: Duration, overhead: Duration) -> Duration {
    time.saturating_sub(overhead).max(time / 2)
}

/// How many more moves the player to move may well have to make.
#[must_use]
pub fn expected_moves_left(play: &AnyGameState) -> u32 {
    let cells = match play.variant() {
        Variant::Mnk(options) => {
            let (columns, rows, _) = options.size();
            u32::from(columns) * u32::from(rows)
        }
        // Pieces move; the board does not fill.
        Variant::TicTacTwo(_) => return 20,
        Variant::Nested(options) => 9u32.pow(u32::from(options.depth())),
    };
    let left = cells.saturating_sub(u32::try_from(play.ply()).unwrap_or(u32::MAX));
    // Half of the moves are the opponent's, and few games fill the board.
    (left * 3 / 8).clamp(3, 40)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Playing all moves of a long game with the share each time never runs out,
    /// whatever the clock.
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
        let mut play = AnyGameState::new(Variant::ULTIMATE);
        let before = expected_moves_left(&play);
        for _ in 0..20 {
            let mv = play.legal_moves().into_iter().next().unwrap_or_default();
            if play.play(&mv).is_err() {
                break;
            }
        }
        assert!(expected_moves_left(&play) < before);
        assert_eq!(expected_moves_left(&AnyGameState::new(Variant::CLASSIC)), 3);
    }
}
