//! Statistics of move times.

use std::time::Duration;

use crate::plan::Plan;
use crate::played_game::PlayedGame;

/// The move times of a bot.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct MoveTimes {
    pub(super) moves: usize,
    pub(super) mean: Duration,
    pub(super) median: Duration,
    /// The 95th percentile.
    pub(super) p95: Duration,
    pub(super) longest: Duration,
}

/// One of the slowest moves.
#[derive(Clone, Debug)]
pub(super) struct SlowMove {
    pub(super) took: Duration,
    pub(super) bot: u32,
    /// The index of the game in the report's order.
    pub(super) game: usize,
    /// The ply, from 1, including the opening.
    pub(super) ply: usize,
}

/// Move times by bot, and the slowest moves overall.
pub(super) fn move_times(
    plan: &Plan,
    games: &[&PlayedGame],
    slowest: usize,
) -> (Vec<MoveTimes>, Vec<SlowMove>) {
    let mut took: Vec<Vec<Duration>> = vec![Vec::new(); plan.bots.len()];
    let mut slow: Vec<SlowMove> = Vec::new();
    for (number, game) in games.iter().enumerate() {
        for (i, (side, mv)) in game.timed_moves().enumerate() {
            let bot = game.key.bot(side);
            if let Some(times) = took.get_mut(bot as usize) {
                times.push(mv.took);
                slow.push(SlowMove {
                    took: mv.took,
                    bot,
                    game: number,
                    ply: game.opening_plies + i + 1,
                });
            }
        }
        // Trim now and then, to bound the memory.
        if slow.len() > 100_000 {
            keep_slowest(&mut slow, slowest);
        }
    }
    keep_slowest(&mut slow, slowest);
    (took.into_iter().map(summary).collect(), slow)
}

fn keep_slowest(slow: &mut Vec<SlowMove>, count: usize) {
    slow.sort_by_key(|slow| (std::cmp::Reverse(slow.took), slow.game, slow.ply));
    slow.truncate(count);
}

fn summary(mut took: Vec<Duration>) -> MoveTimes {
    took.sort_unstable();
    let Some(&longest) = took.last() else {
        return MoveTimes::default();
    };
    let moves = took.len();
    let all: Duration = took.iter().sum();
    let mean = all.as_secs_f64() / moves as f64;
    MoveTimes {
        moves,
        mean: Duration::try_from_secs_f64(mean).unwrap_or_default(),
        median: took[moves / 2],
        p95: took[(moves * 19 / 20).min(moves - 1)],
        longest,
    }
}

pub(super) fn duration_text(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        0.0 => "0".into(),
        s if s < 1e-3 => format!("{:.0} µs", s * 1e6),
        s if s < 0.1 => format!("{:.1} ms", s * 1e3),
        s if s < 1.0 => format!("{:.0} ms", s * 1e3),
        s if s < 100.0 => format!("{s:.2} s"),
        s => format!("{s:.0} s"),
    }
}
