//! Measures how strong a bot is at `ultimate`: a match against the Monte Carlo bot of the
//! `board-game` crate at equal time, one core each.
//!
//! Every opening is a few random moves, played twice with sides swapped. `cargo bench --bench
//! strength -- --games 200` plays the match quoted in the README.

use std::str::FromStr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use board_game::ai::Bot as _;
use board_game::ai::mcts::MCTSBot;
use board_game::board::Board as _;
use board_game::games::sttt::{Coord, STTTBoard};
use noughts_engine::{AnyBot, BotKind, BotSettings, SearchLimits, StopFlag};
use noughts_rules::{AnyGameState, Game, GameState, Nested, Outcome, Side, Variant};
use rand_0_8::SeedableRng as _;
use rand_core::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;

struct Options {
    games: usize,
    time: Duration,
    bot: BotKind,
    plies: usize,
    exploration: f32,
    parallel: usize,
}

fn main() {
    let options = options();
    let next = AtomicUsize::new(0);
    let tally = Mutex::new(MatchScore::default());
    std::thread::scope(|scope| {
        for _ in 0..options.parallel {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= options.games {
                        return;
                    }
                    let game = play_game(&options, number);
                    if let Ok(mut tally) = tally.lock() {
                        tally.add(&game);
                        eprint!("\r{}", tally.line(&options));
                    }
                }
            });
        }
    });
    eprintln!();
    if let Ok(tally) = tally.into_inner() {
        println!("{}", tally.line(&options));
    }
}

fn options() -> Options {
    let mut options = Options {
        games: 20,
        time: Duration::from_millis(100),
        bot: BotKind::Best,
        plies: 4,
        exploration: 1.0,
        parallel: 1,
    };
    // `cargo bench` adds `--bench`.
    let mut arguments = std::env::args()
        .skip(1)
        .filter(|argument| argument != "--bench");
    while let Some(name) = arguments.next() {
        let value = arguments.next().unwrap_or_default();
        let mut milliseconds = options.time.as_millis() as u64;
        let is_valid = match name.as_str() {
            "--games" => set(&mut options.games, &value),
            "--time" => set(&mut milliseconds, &value),
            "--bot" => set(&mut options.bot, &value),
            "--plies" => set(&mut options.plies, &value),
            "--exploration" => set(&mut options.exploration, &value),
            "--parallel" => set(&mut options.parallel, &value),
            _ => false,
        };
        options.time = Duration::from_millis(milliseconds);
        if !is_valid {
            eprintln!(
                "{name} {value}: not a valid option; the options are --games N, --time MS, --bot NAME, --plies N, --exploration W, --parallel N"
            );
            std::process::exit(2);
        }
    }
    options
}

/// Sets an option; returns false if the value is invalid.
fn set<T: FromStr>(option: &mut T, value: &str) -> bool {
    value.parse().map(|value| *option = value).is_ok()
}

#[derive(Default)]
struct BenchClock {
    time: Duration,
    moves: u32,
}

impl BenchClock {
    fn add(&mut self, time: Duration, moves: u32) {
        self.time += time;
        self.moves += moves;
    }

    fn mean_ms(&self) -> f64 {
        self.time.as_secs_f64() * 1e3 / f64::from(self.moves.max(1))
    }
}

/// The score of one game.
fn play_game(options: &Options, number: usize) -> MatchScore {
    let ultimate = Nested::ultimate();
    // Both games of a pair have the same opening.
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(number as u64 / 2 + 1);
    let mut game = GameState::new(ultimate.clone());
    let mut board = STTTBoard::default();
    for _ in 0..options.plies {
        if let Some(mv) = ultimate.random_move(game.position(), &mut rng) {
            let _ = game.play(mv);
            let _ = board.play(coord(mv.index()));
        }
    }
    let mut state = AnyGameState::Ultimate(game);
    let our_side = Side::BOTH[number % 2];
    let settings = BotSettings {
        seed: number as u64,
        ..BotSettings::default()
    };
    let Ok(mut bot) = AnyBot::new(options.bot, Variant::ULTIMATE, &settings) else {
        std::process::exit(2);
    };
    let mut score = MatchScore::default();
    // Their bot takes a number of iterations; how many fit into the time is calibrated during the
    // game.
    let mut iterations_per_second = 300_000.0;
    let mut peer_rng = rand_0_8::rngs::SmallRng::seed_from_u64(number as u64);
    while state.outcome().is_none() {
        let start = Instant::now();
        let text = if state.side() == our_side {
            let report = bot.think(
                &state,
                SearchLimits::time(options.time),
                &StopFlag::new(),
                &mut |_| {},
            );
            score.ours.add(start.elapsed(), 1);
            report.best.unwrap_or_default()
        } else {
            let iterations = (iterations_per_second * options.time.as_secs_f64()).max(100.0) as u64;
            let mut peer = MCTSBot::new(iterations, options.exploration, &mut peer_rng);
            let Ok(mv) = peer.select_move(&board) else {
                break;
            };
            let took = start.elapsed();
            score.theirs.add(took, 1);
            // A solved position ends early and doesn't reveal the speed.
            if took > options.time / 2 {
                iterations_per_second =
                    0.5 * iterations_per_second + 0.5 * iterations as f64 / took.as_secs_f64();
            } else {
                iterations_per_second = (iterations_per_second * 1.2).min(3e6);
            }
            let index = usize::from(mv.om()) * 9 + usize::from(mv.os());
            ultimate.move_text(noughts_rules::NestedMove::from_index(index))
        };
        if let Err(error) = state.play(&text) {
            eprintln!("{text}: {error}");
            std::process::exit(1);
        }
        if let Ok(mv) = ultimate.parse_move(&text) {
            let _ = board.play(coord(mv.index()));
        }
    }
    match state.outcome() {
        Some(Outcome::Win(winner)) if winner == our_side => score.wins += 1,
        Some(Outcome::Win(_)) => score.losses += 1,
        _ => score.draws += 1,
    }
    score
}

fn coord(index: usize) -> Coord {
    Coord::from_oo((index / 9) as u8, (index % 9) as u8)
}

/// Results from our bot's point of view.
#[derive(Default)]
struct MatchScore {
    wins: u32,
    draws: u32,
    losses: u32,
    ours: BenchClock,
    theirs: BenchClock,
}

impl MatchScore {
    fn add(&mut self, game: &MatchScore) {
        self.wins += game.wins;
        self.draws += game.draws;
        self.losses += game.losses;
        self.ours.add(game.ours.time, game.ours.moves);
        self.theirs.add(game.theirs.time, game.theirs.moves);
    }

    fn line(&self, options: &Options) -> String {
        let games = f64::from((self.wins + self.draws + self.losses).max(1));
        let mean = (f64::from(self.wins) + 0.5 * f64::from(self.draws)) / games;
        let squares = f64::from(self.wins) + 0.25 * f64::from(self.draws);
        let error = 1.96 * ((squares / games - mean * mean).max(0.0) / games).sqrt();
        format!(
            "{bot} vs board-game's MCTSBot (weight {weight}): {wins} won, {draws} drawn, {losses} lost: {score:.1}% ± {error:.1}; {ours:.0} ms and {theirs:.0} ms per move",
            bot = options.bot,
            weight = options.exploration,
            wins = self.wins,
            draws = self.draws,
            losses = self.losses,
            score = mean * 100.0,
            error = error * 100.0,
            ours = self.ours.mean_ms(),
            theirs = self.theirs.mean_ms(),
        )
    }
}
