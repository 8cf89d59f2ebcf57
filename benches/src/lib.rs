//! How fast noughts is. Machines are shared and noisy, so everything that is
//! compared is measured in turns within one run, and what counts is the ratio.
//! How strong its levels are beside each other is measured in [`ladder`].

pub mod ladder;

pub mod baseline;
pub mod endgames;
pub mod time_limits;

use std::hint::black_box;
use std::time::{Duration, Instant};

use noughts_rules::{AnyGameState, DynDepth, Game, GameState, Nested, Variant, Visitor, perft};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Something that can be measured: both return how many units of work were done.
pub struct Benchmark {
    /// Its name in the table.
    pub name: String,
    /// How deep `perft` counts.
    pub depth: u32,
    /// Counts leaves to that depth.
    pub perft: Box<dyn Fn() -> u64>,
    /// Plays this many random games from the start with the generator; gives the
    /// number of moves made.
    pub playouts: Box<Playouts>,
}

/// Plays random games; see [`Subject::playouts`].
pub type Playouts = dyn Fn(u64, &mut Xoshiro256PlusPlus) -> u64;

/// What was measured, on one core.
pub struct BenchmarkResult {
    /// The subject's name.
    pub name: String,
    /// How deep `perft` counted.
    pub depth: u32,
    /// Leaves a second.
    pub leaves: f64,
    /// Random games a second.
    pub games: f64,
    /// Moves in a random game, on average.
    pub plies: f64,
}

/// The games that `bench rules` shows, and how deep to count them.
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

/// Each subject is measured so often, in turns with the others; its best counts.
const ROUNDS: usize = 7;

/// The least time of one measurement.
const SLICE: Duration = Duration::from_millis(60);

/// All games of `bench rules`, each as the fast code plays it.
#[must_use]
pub fn game_benchmarks() -> Vec<Benchmark> {
    struct Make(String, u32);
    impl Visitor for Make {
        type Output = Benchmark;
        fn visit<G: Game>(self, play: &GameState<G>) -> Benchmark {
            subject(self.0, self.1, play.game())
        }
    }
    let made = GAMES.iter().filter_map(|&(name, depth)| {
        let variant: Variant = name.parse().ok()?;
        Some(AnyGameState::new(variant).visit(Make(name.into(), depth)))
    });
    made.collect()
}

/// `ultimate` as played by the code for every depth, with nothing known when
/// compiling: what the depths that have code of their own are compared with.
#[must_use]
pub fn generic_ultimate() -> Option<Benchmark> {
    let Variant::Nested(options) = Variant::ULTIMATE else {
        return None;
    };
    let game = Nested::<DynDepth>::new(options)?;
    Some(subject("ultimate, any depth".into(), 6, &game))
}

fn subject<G: Game>(name: String, depth: u32, game: &G) -> Benchmark {
    let (counted, game) = (game.clone(), game.clone());
    Benchmark {
        name,
        depth,
        perft: Box::new(move || perft(&counted, &counted.start(), black_box(depth))),
        playouts: Box::new(move |games, rng| {
            let mut plies = 0;
            for _ in 0..games {
                plies += u64::from(game.playout(&mut game.start(), rng).1);
            }
            plies
        }),
    }
}

/// Measures all subjects in turns.
#[must_use]
pub fn measure(subjects: &[Benchmark]) -> Vec<BenchmarkResult> {
    let mut rows: Vec<BenchmarkResult> = subjects.iter().map(BenchmarkResult::of).collect();
    for _ in 0..ROUNDS {
        for (row, subject) in rows.iter_mut().zip(subjects) {
            let leaves = rate(|| (subject.perft)());
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
            let (mut games, mut plies) = (0, 0);
            let per_second = rate(|| {
                const BATCH: u64 = 100;
                plies += (subject.playouts)(BATCH, &mut rng);
                games += BATCH;
                BATCH
            });
            row.leaves = row.leaves.max(leaves);
            row.games = row.games.max(per_second);
            row.plies = plies as f64 / games as f64;
        }
    }
    rows
}

/// Units a second, repeated for at least a slice of time.
fn rate(mut work: impl FnMut() -> u64) -> f64 {
    let start = Instant::now();
    let mut units = 0;
    loop {
        units += black_box(work());
        let taken = start.elapsed();
        if taken >= SLICE {
            return units as f64 / taken.as_secs_f64();
        }
    }
}

impl BenchmarkResult {
    fn of(subject: &Benchmark) -> BenchmarkResult {
        BenchmarkResult {
            name: subject.name.clone(),
            depth: subject.depth,
            leaves: 0.0,
            games: 0.0,
            plies: 0.0,
        }
    }
}

/// The rows as a table; `baseline` is the row that the ratios are to.
#[must_use]
pub fn table(rows: &[BenchmarkResult], baseline: &str) -> String {
    let base = rows.iter().find(|row| row.name == baseline);
    let mut text = format!(
        "{:<20} {:>5} {:>10} {:>7}   {:>10} {:>7} {:>6}\n",
        "one core", "depth", "leaves/s", "ratio", "playouts/s", "ratio", "plies"
    );
    for row in rows {
        let ratio = |of: fn(&BenchmarkResult) -> f64| match base {
            // Other games are other work: a ratio would say nothing.
            Some(base) if comparable(&row.name) => format!("{:.2}×", of(row) / of(base)),
            _ => "–".into(),
        };
        text += &format!(
            "{:<20} {:>5} {:>10} {:>7}   {:>10} {:>7} {:>6.1}\n",
            row.name,
            row.depth,
            short(row.leaves),
            ratio(|row| row.leaves),
            short(row.games),
            ratio(|row| row.games),
            row.plies
        );
    }
    text + &format!("ratio: to {baseline}, measured in turns in the same run\n")
}

/// Games of depth 2 are the same work as the baseline, or nearly.
fn comparable(name: &str) -> bool {
    name.starts_with("ultimate") || name == "ception:5a" || name.starts_with("board-game")
}

/// `1.23 M`
fn short(number: f64) -> String {
    let (scaled, unit) = match number {
        n if n >= 1e9 => (n / 1e9, "G"),
        n if n >= 1e6 => (n / 1e6, "M"),
        n if n >= 1e3 => (n / 1e3, "k"),
        n => (n, " "),
    };
    format!("{scaled:.2} {unit}")
}
