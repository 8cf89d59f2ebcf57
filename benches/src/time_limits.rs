//! How well the bots keep their time: every bot on boards of every kind, the
//! largest ones above all.

use std::time::{Duration, Instant};

use noughts_engine::{AnyBot, BotKind, BotSettings, SearchLimits, StopFlag};
use noughts_rules::{AnyGameState, Variant};

/// The boards that are hardest to stop on, and some that people play.
const VARIANTS: [&str; 9] = [
    "classic",
    "mnk:7,7,5",
    "mnk:16,16,5",
    "tic-tac-two",
    "tic-tac-two:board=7",
    "ultimate",
    "ception:5c",
    "ception:depth=5",
    "ception:depth=6",
];

/// A bot that took longer than it was given.
pub struct Overrun {
    /// The game.
    pub variant: Variant,
    /// The bot.
    pub bot: BotKind,
    /// How much longer.
    pub by: Duration,
}

/// Lets every bot think so long about the first move of every game, and again with
/// the stop flag raised before it begins; the latest first.
#[must_use]
pub fn measure_overruns(time: Duration) -> Vec<Overrun> {
    let mut late = Vec::new();
    for name in VARIANTS {
        let Ok(variant) = name.parse::<Variant>() else {
            continue;
        };
        let play = AnyGameState::new(variant);
        for bot in BotKind::ALL {
            let Ok(mut thinker) = AnyBot::new(bot, variant, &BotSettings::default()) else {
                continue;
            };
            let stopped = StopFlag::new();
            stopped.stop();
            for (stop, allowed) in [(StopFlag::new(), time), (stopped, Duration::ZERO)] {
                let start = Instant::now();
                let report = thinker.think(&play, SearchLimits::time(time), &stop, &mut |_| {});
                std::hint::black_box(report);
                let by = start.elapsed().saturating_sub(allowed);
                late.push(Overrun { variant, bot, by });
            }
        }
    }
    late.sort_by_key(|late| std::cmp::Reverse(late.by));
    late
}

/// The worst of it, as a line.
#[must_use]
pub fn summary_line(late: &[Overrun]) -> String {
    let Some(worst) = late.first() else {
        return String::new();
    };
    format!(
        "time: {} thoughts about first moves, half of them stopped from the start; the latest ended {:.1} ms late ({}, {})\n",
        late.len(),
        worst.by.as_secs_f64() * 1e3,
        worst.bot,
        worst.variant,
    )
}
