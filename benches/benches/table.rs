//! Measures a lookup in the tablebase of Tic-Tac-Two, compared with listing the position's moves.
//! Builds the tablebase if the tests haven't.

use std::collections::HashSet;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use noughts_conformance::tablebase_cache::tablebase_dir;
use noughts_conformance::test_rng::TestRng;
use noughts_engine::StopFlag;
use noughts_engine::tablebase::{Tablebase, tablebase_path};
use noughts_rules::games::common::boards_text;
use noughts_rules::{Game, TicTacTwo, TicTacTwoPosition, Variant};

const POSITIONS: usize = 200_000;

fn main() {
    let folder = tablebase_dir(Path::new(env!("CARGO_TARGET_TMPDIR")));
    let path = tablebase_path(&folder, Variant::TIC_TAC_TWO);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let tablebase = Tablebase::open(Variant::TIC_TAC_TWO, &path)
        .or_else(|_| {
            Tablebase::build(
                Variant::TIC_TAC_TWO,
                &path,
                threads,
                &StopFlag::new(),
                &|_| {},
            )
        })
        .expect("the tablebase can be read or built");
    let game = TicTacTwo::standard();
    let mut rng = TestRng::new(1);
    let positions: Vec<TicTacTwoPosition> = (0..POSITIONS)
        .map(|_| random_position(&game, &mut rng))
        .collect();

    // The first probe of a block decompresses it.
    let mut first = Vec::new();
    for position in &positions {
        let start = Instant::now();
        black_box(tablebase.probe(position));
        first.push(start.elapsed().as_secs_f64());
    }
    first.sort_by(f64::total_cmp);
    let cold = first[first.len() - 1000];
    let warm = seconds_each(&positions, |position| tablebase.probe(position).is_some());
    let moves = seconds_each(&positions, |position| !game.moves(position).is_empty());
    println!("first probe of a block   {:>8.2} µs", cold * 1e6);
    println!("warm probe               {:>8.3} µs", warm * 1e6);
    println!("move generation          {:>8.3} µs", moves * 1e6);
    println!("probe / generation       {:>8.2}", warm / moves);
}

fn seconds_each(
    positions: &[TicTacTwoPosition],
    mut work: impl FnMut(&TicTacTwoPosition) -> bool,
) -> f64 {
    let start = Instant::now();
    for position in positions {
        black_box(work(black_box(position)));
    }
    start.elapsed().as_secs_f64() / positions.len() as f64
}

/// All pieces are on the board and nobody has a line yet: most positions of the tablebase are of
/// this kind.
fn random_position(game: &TicTacTwo, rng: &mut TestRng) -> TicTacTwoPosition {
    loop {
        let mut letters = ['.'; 25];
        let mut cells = HashSet::new();
        while cells.len() < 8 {
            let cell = rng.below(25);
            if cells.insert(cell) {
                letters[cell] = ['x', 'o'][cells.len() % 2];
            }
        }
        let board = boards_text(&letters, &game.board(), |&letter| letter);
        let center = format!("{}{}", rng.pick_char("bcd"), 2 + rng.below(3));
        if let Ok(position) = game.parse(&format!("{board} x @{center}"))
            && game.outcome(&position).is_none()
        {
            return position;
        }
    }
}
