//! Plays two evaluations of `ultimate` against each other with the same search. Every opening is
//! played twice with sides swapped.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use noughts_engine::{Budget, SearchLimits, StopFlag};
use noughts_rules::{Outcome, Side};
use noughts_training::{bot, evaluation, option_or, parse_options, random_opening};
use rand_core::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;

fn main() -> Result<(), String> {
    let options = parse_options(&["a", "b", "games", "nodes", "ms", "threads", "seed", "plies"])?;
    let [a, b] = [("a", "built-in"), ("b", "plain")].map(|(name, default)| {
        let name: String = option_or(&options, name, default.into()).unwrap_or_default();
        evaluation(&name)
    });
    let evaluations = [a?, b?];
    let games: u64 = option_or(&options, "games", 200)?;
    let threads: u64 = option_or(&options, "threads", 2)?;
    let seed: u64 = option_or(&options, "seed", 1)?;
    let plies: u32 = option_or(&options, "plies", 4)?;
    let ms: u64 = option_or(&options, "ms", 0)?;
    let limits = if ms > 0 {
        SearchLimits::time(Duration::from_millis(ms))
    } else {
        SearchLimits::nodes(option_or(&options, "nodes", 10_000)?)
    };
    let next = AtomicU64::new(0);
    let tally = Mutex::new([0u32; 3]);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= games {
                        return;
                    }
                    let mut rng =
                        Xoshiro256PlusPlus::seed_from_u64(seed.wrapping_mul(7919) + number / 2);
                    let mut game = random_opening(plies, &mut rng);
                    let first = Side::BOTH[(number % 2) as usize];
                    let mut bots = [0, 1].map(|i| bot(&evaluations[i], 16 << 20, number));
                    while game.outcome().is_none() {
                        let bot = &mut bots[usize::from(game.side() != first)];
                        let budget = Budget::start(limits, &StopFlag::new());
                        let report = bot.think(&game, &budget, &mut |_| {});
                        match report.best {
                            Some(mv) if game.play(mv).is_ok() => {}
                            _ => break,
                        }
                    }
                    let result_index = match game.outcome() {
                        Some(Outcome::Win(winner)) if winner == first => 0,
                        Some(Outcome::Win(_)) => 2,
                        _ => 1,
                    };
                    if let Ok(mut tally) = tally.lock() {
                        tally[result_index] += 1;
                    }
                }
            });
        }
    });
    let [won, drawn, lost] = tally.into_inner().unwrap_or_default().map(f64::from);
    let score = (won + drawn / 2.0) / (won + drawn + lost).max(1.0);
    println!(
        "A vs B: {won} won, {drawn} drawn, {lost} lost: {:.1}%",
        score * 100.0
    );
    Ok(())
}
