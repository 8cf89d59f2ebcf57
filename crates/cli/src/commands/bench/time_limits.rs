//! Measures how well the bots respect their time limit, on boards of every kind and above all on
//! the largest ones.

use std::time::{Duration, Instant};

use noughts_engine::{AnyBot, BotKind, BotSettings, SearchLimits, StopFlag};
use noughts_rules::{AnyGameState, Variant};

/// The boards on which stopping in time is hardest, and some popular ones.
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

/// By how much a bot exceeded its time limit.
pub(crate) struct Overrun {
    /// The game.
    pub(crate) variant: Variant,
    /// The bot.
    pub(crate) bot: BotKind,
    /// The time beyond the limit.
    pub(crate) by: Duration,
}

/// Lets every bot think for this long about the first move of every variant, and again with the
/// stop flag raised before it starts; returns the overruns, largest first.
pub(crate) fn measure_overruns(time: Duration) -> Vec<Overrun> {
    let mut overruns = Vec::new();
    for name in VARIANTS {
        let Ok(variant) = name.parse::<Variant>() else {
            continue;
        };
        let state = AnyGameState::new(variant);
        for bot in BotKind::ALL {
            let Ok(mut bot_instance) = AnyBot::new(bot, variant, &BotSettings::default()) else {
                continue;
            };
            let raised_flag = StopFlag::new();
            raised_flag.stop();
            for (stop, allowed) in [(StopFlag::new(), time), (raised_flag, Duration::ZERO)] {
                let start = Instant::now();
                let report =
                    bot_instance.think(&state, SearchLimits::time(time), &stop, &mut |_| {});
                std::hint::black_box(report);
                let by = start.elapsed().saturating_sub(allowed);
                overruns.push(Overrun { variant, bot, by });
            }
        }
    }
    overruns.sort_by_key(|overrun| std::cmp::Reverse(overrun.by));
    overruns
}

/// The largest overrun, as a line of text.
pub(crate) fn summary_line(overruns: &[Overrun]) -> String {
    let Some(worst) = overruns.first() else {
        return String::new();
    };
    format!(
        "time: {searches} searches for a first move, half of them stopped immediately; the worst overran by {ms:.1} ms ({bot}, {variant})\n",
        searches = overruns.len(),
        ms = worst.by.as_secs_f64() * 1e3,
        bot = worst.bot,
        variant = worst.variant,
    )
}
