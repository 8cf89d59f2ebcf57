//! The speed of the rules. Machines are shared and noisy, so everything that is compared is measured
//! in alternation within one run, and only the ratio counts. The benchmark against another project
//! (`benches/benches/rules.rs`) includes this file.

use std::hint::black_box;
use std::time::{Duration, Instant};

use noughts_rules::{
    AnyGameState, DynDepth, Game, GameState, GameVisitor, Nested, NestedOptions, Variant, perft,
};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Something to measure. Both functions return how many units of work they did.
pub(crate) struct Benchmark {
    /// Its name in the table.
    pub(crate) name: String,
    /// The depth of `perft`.
    pub(crate) depth: u32,
    /// Counts leaves to that depth.
    pub(crate) perft: Box<dyn Fn() -> u64>,
    /// Plays this many random games from the start position; returns the number of moves made.
    pub(crate) playouts: Box<Playouts>,
}

/// Plays random games; see [`Benchmark::playouts`].
pub(crate) type Playouts = dyn Fn(u64, &mut Xoshiro256PlusPlus) -> u64;

/// What was measured, on one core.
pub(crate) struct BenchmarkResult {
    /// The benchmark's name.
    pub(crate) name: String,
    /// The depth of `perft`.
    pub(crate) depth: u32,
    /// Leaves per second.
    pub(crate) leaves: f64,
    /// Random games per second.
    pub(crate) games: f64,
    /// Average number of moves in a random game.
    pub(crate) plies: f64,
}

/// The variants that `bench rules` shows, and their perft depths.
const GAMES: [(&str, u32); 8] = [
    ("classic", 9),
    ("mnk:15,15,5", 3),
    ("tic-tac-two", 6),
    ("ultimate", 6),
    ("ception:5a", 6),
    ("ception:4b,5c", 6),
    ("ception:depth=3", 5),
    ("ception:depth=4", 4),
];

/// Each benchmark runs this many times, in alternation with the others; the best run counts.
const ROUNDS: usize = 7;

/// The minimum duration of one measurement.
const SLICE: Duration = Duration::from_millis(60);

/// The benchmarks of `bench rules`, each with the specialized implementation of the game.
pub(crate) fn game_benchmarks() -> Vec<Benchmark> {
    struct MakeBenchmark(String, u32);
    impl GameVisitor for MakeBenchmark {
        type Output = Benchmark;
        fn visit<G: Game>(self, state: &GameState<G>) -> Benchmark {
            benchmark(self.0, self.1, state.game())
        }
    }
    let benchmarks = GAMES.iter().filter_map(|&(name, depth)| {
        let variant: Variant = name.parse().ok()?;
        Some(AnyGameState::new(variant).visit(MakeBenchmark(name.into(), depth)))
    });
    benchmarks.collect()
}

/// `ultimate` played by the generic implementation for any depth: the baseline for the depths with
/// specialized code.
pub(crate) fn generic_ultimate() -> Option<Benchmark> {
    let game = Nested::<DynDepth>::new(NestedOptions::of(Variant::ULTIMATE)?)?;
    Some(benchmark("ultimate, any depth".into(), 6, &game))
}

fn benchmark<G: Game>(name: String, depth: u32, game: &G) -> Benchmark {
    let (perft_game, game) = (game.clone(), game.clone());
    Benchmark {
        name,
        depth,
        perft: Box::new(move || perft(&perft_game, &perft_game.start(), black_box(depth))),
        playouts: Box::new(move |games, rng| {
            let mut plies = 0;
            for _ in 0..games {
                plies += u64::from(game.playout(&mut game.start(), rng).1);
            }
            plies
        }),
    }
}

/// Measures all benchmarks in alternation.
pub(crate) fn measure(benchmarks: &[Benchmark]) -> Vec<BenchmarkResult> {
    let empty = |benchmark: &Benchmark| BenchmarkResult {
        name: benchmark.name.clone(),
        depth: benchmark.depth,
        leaves: 0.0,
        games: 0.0,
        plies: 0.0,
    };
    let mut results: Vec<BenchmarkResult> = benchmarks.iter().map(empty).collect();
    for _ in 0..ROUNDS {
        for (result, benchmark) in results.iter_mut().zip(benchmarks) {
            let leaves = rate(|| (benchmark.perft)());
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
            let (mut games, mut plies) = (0, 0);
            let per_second = rate(|| {
                const BATCH: u64 = 100;
                plies += (benchmark.playouts)(BATCH, &mut rng);
                games += BATCH;
                BATCH
            });
            result.leaves = result.leaves.max(leaves);
            result.games = result.games.max(per_second);
            result.plies = plies as f64 / games as f64;
        }
    }
    results
}

/// Units per second, repeated for at least [`SLICE`].
fn rate(mut work: impl FnMut() -> u64) -> f64 {
    let start = Instant::now();
    let mut units = 0;
    loop {
        units += black_box(work());
        let elapsed = start.elapsed();
        if elapsed >= SLICE {
            return units as f64 / elapsed.as_secs_f64();
        }
    }
}

/// The results as a table; ratios are relative to the result named `baseline`.
pub(crate) fn table(results: &[BenchmarkResult], baseline: &str) -> String {
    let base = results.iter().find(|result| result.name == baseline);
    let mut text = format!(
        "{:<20} {:>5} {:>10} {:>7}   {:>10} {:>7} {:>6}\n",
        "one core", "depth", "leaves/s", "ratio", "playouts/s", "ratio", "plies"
    );
    for result in results {
        let ratio = |rate_of: fn(&BenchmarkResult) -> f64| match base {
            // A ratio between different games would be meaningless.
            Some(base) if is_comparable(&result.name) => {
                format!("{:.2}×", rate_of(result) / rate_of(base))
            }
            _ => "–".into(),
        };
        text += &format!(
            "{:<20} {:>5} {:>10} {:>7}   {:>10} {:>7} {:>6.1}\n",
            result.name,
            result.depth,
            format_rate(result.leaves),
            ratio(|result| result.leaves),
            format_rate(result.games),
            ratio(|result| result.games),
            result.plies
        );
    }
    text + &format!("ratio: relative to {baseline}, measured alternately in the same run\n")
}

/// Whether a game is about as much work as the baseline; games of depth 2 are.
fn is_comparable(name: &str) -> bool {
    name.starts_with("ultimate") || name == "ception:5a" || name.starts_with("board-game")
}

/// `1.23 M`
pub(crate) fn format_rate(number: f64) -> String {
    let (scaled, unit) = match number {
        n if n >= 1e9 => (n / 1e9, "G"),
        n if n >= 1e6 => (n / 1e6, "M"),
        n if n >= 1e3 => (n / 1e3, "k"),
        n => (n, " "),
    };
    format!("{scaled:.2} {unit}")
}
