//! Games stored before the run, so that lists and exports have something to read.

use std::fmt::Write as _;
use std::path::Path;

use noughts_rules::{AnyGameState, Record, Variant};
use noughts_store::Store;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::options::Options;

/// Records imported in one transaction.
const RECORDS_PER_IMPORT: usize = 5_000;

/// Games on deep boards, whose records are long. They come last in the list, and so are in every
/// export.
const DEEP_GAMES: usize = 40;
const DEEP_MOVES: usize = 300;

/// A player in every tenth game.
pub(crate) const FREQUENT_PLAYER: &str = "P0";

/// Imports the requested number of games and players.
pub(crate) async fn fill(dir: &Path, options: &Options) {
    let games = options.stored_games;
    if games == 0 {
        return;
    }
    let store = Store::open(dir).await.expect("a store");
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let players = options.stored_players.max(2);
    for first in (0..games).step_by(RECORDS_PER_IMPORT) {
        let mut text = String::new();
        for number in first..games.min(first + RECORDS_PER_IMPORT) {
            let x = match number % 10 {
                0 => 0,
                _ => number % players,
            };
            let other = random.next_u64() as usize % (players - 1);
            let (o, kind) = match number % 3 {
                0 => ("medium".to_owned(), "bot"),
                _ => (format!("P{}", (x + 1 + other) % players), "human"),
            };
            let (second, minute) = (number % 60, number / 60 % 60);
            let (hour, day) = (number / 3600 % 24, number / 86400 % 28 + 1);
            let _ = write!(
                text,
                "[Variant \"classic\"]\n[X \"P{x}\"]\n[O \"{o}\"]\n[OKind \"{kind}\"]\n\
                 [Began \"2025-01-{day:02}T{hour:02}:{minute:02}:{second:02}Z\"]\n\
                 [Id \"{number:032x}\"]\n\n1. b2 a1 2. c1 a2 3. a3 1-0\n\n"
            );
        }
        let records = Record::parse_all(&text).expect("records");
        store.import(&records).await.expect("imported");
    }
    let deep: Vec<Record> = (0..DEEP_GAMES.min(games))
        .map(|_| deep(&mut random))
        .collect();
    store.import(&deep).await.expect("imported");
    store.close().await;
}

fn deep(random: &mut Xoshiro256PlusPlus) -> Record {
    let variant: Variant = "ception:depth=4".parse().expect("a variant");
    let mut state = AnyGameState::new(variant);
    for _ in 0..DEEP_MOVES {
        let moves = state.legal_moves();
        if moves.is_empty() {
            break;
        }
        let chosen = &moves[random.next_u64() as usize % moves.len()];
        state.play(chosen).expect("a legal move");
    }
    let mut record = Record::new(state);
    record.set_tag("X", FREQUENT_PLAYER).expect("a name");
    record
}
