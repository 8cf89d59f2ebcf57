//! Plays games of `ultimate` against itself and writes down every position with
//! what the search thought of it and how the game ended.
//!
//! A record has 22 bytes: for each board its state as seen by the side to move (in
//! ternary, 1 for its own marks and 2 for the other's, two bytes); the board it is
//! sent to, or 9; the search's value and then the result, both for the side to
//! move, as −1 to 1 in two bytes and in one.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use noughts_engine::{Budget, SearchLimits, StopFlag};
use noughts_rules::{Game as _, Nested, NestedPosition, Outcome, Side, Ultimate};
use noughts_training::{bot, evaluation, option_or, parse_options, random_opening};
use rand_core::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

fn main() -> Result<(), String> {
    let given = parse_options(&["net", "out", "seconds", "nodes", "threads", "seed", "stray"])?;
    let net: String = option_or(&given, "net", "built-in".into())?;
    let path: String = option_or(&given, "out", "games.bin".into())?;
    let seconds: f64 = option_or(&given, "seconds", 60.0)?;
    let nodes: u64 = option_or(&given, "nodes", 2000)?;
    let threads: u64 = option_or(&given, "threads", 2)?;
    let seed: u64 = option_or(&given, "seed", 1)?;
    // One move in so many is a random one.
    let stray: u32 = option_or(&given, "stray", 12)?;
    let evaluation = evaluation(&net)?;
    let file = File::create(&path).map_err(|error| format!("{path}: {error}"))?;
    let out = Mutex::new(BufWriter::new(file));
    let (games, positions) = (AtomicU64::new(0), AtomicU64::new(0));
    let end = Instant::now() + Duration::from_secs_f64(seconds);
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let (evaluation, out, games, positions) = (&evaluation, &out, &games, &positions);
            scope.spawn(move || {
                let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed * 1000 + thread);
                while Instant::now() < end {
                    let records = play(evaluation, nodes, stray, &mut rng);
                    games.fetch_add(1, Ordering::Relaxed);
                    positions.fetch_add(records.len() as u64 / 22, Ordering::Relaxed);
                    if let Ok(mut out) = out.lock()
                        && let Err(error) = out.write_all(&records)
                    {
                        eprintln!("{error}");
                        return;
                    }
                }
            });
        }
    });
    println!(
        "{} games, {} positions",
        games.into_inner(),
        positions.into_inner()
    );
    Ok(())
}

fn play(
    evaluation: &noughts_engine::evaluation::NestedEvaluation,
    nodes: u64,
    stray: u32,
    rng: &mut Xoshiro256PlusPlus,
) -> Vec<u8> {
    let mut game = random_opening(rng.next_u32() % 12, rng);
    let mut bot = bot(evaluation, 1 << 20, rng.next_u64());
    let mut kept: Vec<(Side, Vec<u8>)> = Vec::new();
    while game.outcome().is_none() {
        let budget = Budget::start(SearchLimits::nodes(nodes), &StopFlag::new());
        let report = bot.think(&game, &budget, &mut |_| {});
        let mut record = state(game.game(), game.position());
        let value = (report.value.expected_result() * 32767.0) as i16;
        record.extend(value.to_le_bytes());
        kept.push((game.side(), record));
        let random = rng.next_u32().is_multiple_of(stray);
        let chosen = if random {
            game.game().random_move(game.position(), rng)
        } else {
            report.best
        };
        match chosen {
            Some(mv) if game.play(mv).is_ok() => {}
            _ => break,
        }
    }
    let mut records = Vec::new();
    for (side, record) in kept {
        records.extend(record);
        let result: i8 = match game.outcome() {
            Some(Outcome::Win(winner)) if winner == side => 1,
            Some(Outcome::Win(_)) => -1,
            _ => 0,
        };
        records.push(result as u8);
    }
    records
}

fn state(game: &Nested<Ultimate>, position: &NestedPosition<Ultimate>) -> Vec<u8> {
    let me = game.side(position);
    let mut bytes = Vec::with_capacity(22);
    for board in 0..9 {
        let (mine, yours) = (position.marks(board, me), position.marks(board, me.other()));
        let mut code = 0u16;
        for cell in (0..9).rev() {
            let mark = (mine >> cell & 1) + 2 * (yours >> cell & 1);
            code = code * 3 + mark as u16;
        }
        bytes.extend(code.to_le_bytes());
    }
    let open = game.open_board_mask(position);
    bytes.push(if open.count_ones() == 1 {
        open.trailing_zeros() as u8
    } else {
        9
    });
    bytes
}
