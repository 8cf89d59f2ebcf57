//! Plays games of `ultimate` against itself and records every position with the search's value and
//! the game's result.
//!
//! A record has 22 bytes: the state of each board relative to the side to move (in ternary, 1 for
//! its own marks and 2 for the opponent's; two bytes each), the target board or 9, and the search's
//! value and the result, both for the side to move and scaled from −1 to 1, in two bytes and one
//! byte.

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
    let options = parse_options(&["net", "out", "seconds", "nodes", "threads", "seed", "stray"])?;
    let net: String = option_or(&options, "net", "built-in".into())?;
    let path: String = option_or(&options, "out", "games.bin".into())?;
    let seconds: f64 = option_or(&options, "seconds", 60.0)?;
    let nodes: u64 = option_or(&options, "nodes", 2000)?;
    let threads: u64 = option_or(&options, "threads", 2)?;
    let seed: u64 = option_or(&options, "seed", 1)?;
    // One move in this many is random.
    let random_move_interval: u32 = option_or(&options, "stray", 12)?;
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
                    let records = play_game(evaluation, nodes, random_move_interval, &mut rng);
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

fn play_game(
    evaluation: &noughts_engine::knowledge::nested::NestedEvaluation,
    nodes: u64,
    random_move_interval: u32,
    rng: &mut Xoshiro256PlusPlus,
) -> Vec<u8> {
    let mut game = random_opening(rng.next_u32() % 12, rng);
    let mut bot = bot(evaluation, 1 << 20, rng.next_u64());
    let mut pending: Vec<(Side, Vec<u8>)> = Vec::new();
    while game.outcome().is_none() {
        let budget = Budget::start(SearchLimits::nodes(nodes), &StopFlag::new());
        let report = bot.think(&game, &budget, &mut |_| {});
        let mut record = encode_position(game.game(), game.position());
        let value = (report.value.expected_result() * 32767.0) as i16;
        record.extend(value.to_le_bytes());
        pending.push((game.side(), record));
        let is_random = rng.next_u32().is_multiple_of(random_move_interval);
        let chosen = if is_random {
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
    for (side, record) in pending {
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

fn encode_position(game: &Nested<Ultimate>, position: &NestedPosition<Ultimate>) -> Vec<u8> {
    let me = game.side(position);
    let mut bytes = Vec::with_capacity(22);
    for board in 0..9 {
        let (mine, theirs) = (position.marks(board, me), position.marks(board, me.other()));
        let mut code = 0u16;
        for cell in (0..9).rev() {
            let mark = (mine >> cell & 1) + 2 * (theirs >> cell & 1);
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
