//! Compares the rules with the `board-game` crate's `STTTBoard`, which plays `ultimate`: perft with
//! that crate's own bulk counting, and uniform random games, both with the same generator. Prints
//! the ratios; run it with `cargo bench`.

use board_game::board::Board;
use board_game::games::sttt::STTTBoard;
use board_game::util::game_stats::perft_naive;
use rand_core::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;

#[path = "../../crates/cli/src/commands/bench/rules.rs"]
mod rules;

use rules::{Benchmark, game_benchmarks, generic_ultimate, measure, table};

const PEER: &str = "board-game STTTBoard";

fn main() {
    let mut benchmarks = game_benchmarks();
    benchmarks.extend(generic_ultimate());
    benchmarks.push(peer_benchmark());
    print!("{}", table(&measure(&benchmarks), PEER));
}

fn peer_benchmark() -> Benchmark {
    let depth = 6;
    Benchmark {
        name: PEER.into(),
        depth,
        perft: Box::new(move || perft_naive(&STTTBoard::default(), std::hint::black_box(depth))),
        playouts: Box::new(|games, rng| {
            let mut rng = RngAdapter(rng);
            let mut plies = 0;
            for _ in 0..games {
                let mut board = STTTBoard::default();
                while board.play_random_available_move(&mut rng).is_ok() {
                    plies += 1;
                }
            }
            plies
        }),
    }
}

/// Adapts the generator to a crate that uses an older version of its trait.
struct RngAdapter<'a>(&'a mut Xoshiro256PlusPlus);

impl rand_0_8::RngCore for RngAdapter<'_> {
    fn next_u32(&mut self) -> u32 {
        self.0.next_u32()
    }
    fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }
    fn fill_bytes(&mut self, bytes: &mut [u8]) {
        self.0.fill_bytes(bytes);
    }
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), rand_0_8::Error> {
        self.0.fill_bytes(bytes);
        Ok(())
    }
}
