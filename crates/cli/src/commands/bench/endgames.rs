//! Endgames of `ultimate`: how long they take to solve and how fast the search is, each compared
//! with the textbook baseline in the same run.

use std::time::{Duration, Instant};

use noughts_engine::solve::solve_any;
use noughts_engine::{AnyBot, BotKind, BotSettings, ExactValue, SearchLimits, StopFlag, Value};
use noughts_rules::{AnyGameState, Game, Nested, Variant};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::baseline;
use super::rules::format_rate;

/// Fixed endgames: the number of playable cells, then the position.
const ENDGAMES: &str = include_str!("endgames.txt");

/// Playable cells left. The second is the size that must be solved in at most two seconds.
const SIZES: [u32; 2] = [15, 20];

/// The baseline gives up on an endgame after this many nodes.
const MAX_BASELINE_NODES: u64 = 30_000_000;

/// Times for one set of endgames, on one core.
#[derive(Default)]
pub(crate) struct EndgameTimes {
    /// Playable cells left in each endgame.
    pub(crate) cells: u32,
    /// Number of endgames.
    pub(crate) count: usize,
    /// The total time to find the value and distance of every move.
    pub(crate) total: Duration,
    /// The time for the slowest endgame.
    pub(crate) slowest: Duration,
    /// The baseline's time for the positions' values alone.
    pub(crate) textbook: Duration,
    /// Endgames on which the baseline gave up; their time counts up to that point.
    pub(crate) given_up: usize,
}

/// A search speed, compared with the baseline.
pub(crate) struct SolveSpeed {
    /// What is counted.
    pub(crate) name: &'static str,
    /// Our rate per second.
    pub(crate) ours: f64,
    /// The baseline's rate per second.
    pub(crate) textbook: f64,
}

/// The fixed endgames of this size.
fn fixed_endgames(cells: u32) -> impl Iterator<Item = &'static str> {
    ENDGAMES.lines().filter_map(move |line| {
        let (size, text) = line.split_once(' ')?;
        (size.parse() == Ok(cells)).then_some(text)
    })
}

/// Solves an endgame on one core. Returns its value and the time it took.
fn solve(text: &str) -> Option<(Option<ExactValue>, Duration)> {
    let state = AnyGameState::from_text(Variant::ULTIMATE, text).ok()?;
    let (settings, stop) = (BotSettings::default(), StopFlag::new());
    let start = Instant::now();
    let result = solve_any(&state, &settings, SearchLimits::NONE, &stop);
    Some((result.value, start.elapsed()))
}

/// Measures the fixed endgames of each size, alternating with the baseline.
pub(crate) fn measure_endgames() -> Vec<EndgameTimes> {
    SIZES.map(measure).into()
}

fn measure(cells: u32) -> EndgameTimes {
    let game = Nested::ultimate();
    let mut times = EndgameTimes {
        cells,
        ..EndgameTimes::default()
    };
    for text in fixed_endgames(cells) {
        let (Some((value, elapsed)), Ok(position)) = (solve(text), game.parse(text)) else {
            continue;
        };
        times.count += 1;
        times.total += elapsed;
        times.slowest = times.slowest.max(elapsed);
        let mut textbook = baseline::BaselineAlphaBeta::new(&game, MAX_BASELINE_NODES);
        let start = Instant::now();
        let score = textbook.search(&position, cells, -baseline::WIN, baseline::WIN, 0);
        times.textbook += start.elapsed();
        match score {
            None => times.given_up += 1,
            // Two programs that share nothing but the rules must agree.
            Some(score) => debug_assert_eq!(
                value.map(|value| value.expected_result() as i32),
                Some(score.signum())
            ),
        }
    }
    times
}

/// Measures search speed at the start of `ultimate` on one core, each search for this long.
pub(crate) fn measure_speeds(time: Duration) -> Vec<SolveSpeed> {
    let game = Nested::ultimate();
    let start = game.start();
    let think = |kind| {
        let state = AnyGameState::new(Variant::ULTIMATE);
        let Ok(mut bot) = AnyBot::new(kind, Variant::ULTIMATE, &BotSettings::default()) else {
            return 0.0;
        };
        let report = bot.think(
            &state,
            SearchLimits::time(time),
            &StopFlag::new(),
            &mut |_| {},
        );
        debug_assert!(matches!(report.value, Value::Estimate { .. }));
        report.nodes as f64 / report.elapsed.as_secs_f64()
    };
    let nodes = || {
        let started = Instant::now();
        let mut textbook = baseline::BaselineAlphaBeta::new(&game, u64::MAX);
        for depth in 1.. {
            textbook.search(&start, depth, -baseline::WIN, baseline::WIN, 0);
            if started.elapsed() >= time / 4 {
                break;
            }
        }
        textbook.nodes as f64 / started.elapsed().as_secs_f64()
    };
    let games = || {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let started = Instant::now();
        let games = baseline::monte_carlo(&game, &start, time, &mut rng);
        games as f64 / started.elapsed().as_secs_f64()
    };
    vec![
        SolveSpeed {
            name: "alpha-beta, nodes/s",
            ours: think(BotKind::AlphaBeta),
            textbook: nodes(),
        },
        SolveSpeed {
            name: "mcts, simulations/s",
            ours: think(BotKind::Mcts),
            textbook: games(),
        },
    ]
}

/// The measurements as a table.
pub(crate) fn table(endgames: &[EndgameTimes], speeds: &[SolveSpeed]) -> String {
    let mut text = format!(
        "{:<24} {:>10} {:>10} {:>9}\n",
        "one core, ultimate", "noughts", "textbook", "ratio"
    );
    for set in endgames {
        let [total, textbook, slowest] =
            [set.total, set.textbook, set.slowest].map(|time| time.as_secs_f64());
        text += &format!(
            "{:<24} {total:>8.3} s {textbook:>8.3} s {:>9}   slowest {:.1} ms",
            format!("{} endgames, {} cells", set.count, set.cells),
            format!("{:.0}×", textbook / total),
            slowest * 1e3,
        );
        if set.given_up > 0 {
            text += &format!(", {count} too slow for the textbook", count = set.given_up);
        }
        text.push('\n');
    }
    for speed in speeds {
        text += &format!(
            "{:<24} {:>10} {:>10} {:>9}\n",
            speed.name,
            format_rate(speed.ours),
            format_rate(speed.textbook),
            format!("{:.2}×", speed.ours / speed.textbook),
        );
    }
    text + "textbook: alpha-beta without a transposition table or move ordering, for the value only\n\
            (noughts solves every move); Monte Carlo tree search with random playouts (UCT)\n"
}

#[cfg(test)]
mod tests {
    use noughts_rules::{NestedPosition, Outcome, Ultimate};

    use super::*;

    /// Endgames of each size.
    const ENDGAMES_PER_SIZE: usize = 50;

    /// The seed from which the endgames are generated.
    const SEED: u64 = 20;

    /// Whether the side to move can win with its next move.
    fn has_immediate_win(game: &Nested<Ultimate>, position: &NestedPosition<Ultimate>) -> bool {
        game.moves(position).into_iter().any(|mv| {
            game.outcome(&game.after(position, mv))
                .and_then(Outcome::winner)
                .is_some()
        })
    }

    /// Endgames from random games, with exactly this many playable cells left and no immediate win.
    fn random_endgames(cells: u32, count: usize, seed: u64) -> Vec<String> {
        let game = Nested::ultimate();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut endgames = Vec::new();
        while endgames.len() < count {
            let mut position = game.start();
            while game.outcome(&position).is_none() && game.count_open_cells(&position) > cells {
                if let Some(mv) = game.random_move(&position, &mut rng) {
                    game.apply(&mut position, mv);
                }
            }
            let fits =
                game.outcome(&position).is_none() && game.count_open_cells(&position) == cells;
            if fits && !has_immediate_win(&game, &position) {
                endgames.push(game.text(&position));
            }
        }
        endgames
    }

    /// Generates the text of the data file.
    fn data_file() -> String {
        let mut text = String::new();
        for cells in SIZES {
            for position in random_endgames(cells, ENDGAMES_PER_SIZE, SEED) {
                text += &format!("{cells} {position}\n");
            }
        }
        text
    }

    #[test]
    fn endgames_are_reproducible_from_their_seed() {
        assert_eq!(data_file(), ENDGAMES);
    }

    #[test]
    #[ignore = "measures; for the optimized program"]
    fn random_endgames_are_solved_within_two_seconds() {
        for cells in [20, 19, 17, 12] {
            let positions = random_endgames(cells, 200, 4);
            let times = positions.iter().map(|text| solve(text).expect("solved").1);
            let slowest = times.max().expect("endgames");
            println!("{cells} cells: slowest {slowest:?}");
            assert!(slowest < Duration::from_secs(2));
        }
    }

    /// Cross-checks two programs that share nothing but the rules.
    #[test]
    fn baseline_finds_the_same_values() {
        let game = Nested::ultimate();
        for text in random_endgames(9, 30, 1) {
            let state = AnyGameState::from_text(Variant::ULTIMATE, &text).expect("a position");
            let result = solve_any(
                &state,
                &BotSettings::default(),
                SearchLimits::NONE,
                &StopFlag::new(),
            );
            let position = game.parse(&text).expect("a position");
            let mut textbook = baseline::BaselineAlphaBeta::new(&game, u64::MAX);
            let score = textbook.search(&position, 9, -baseline::WIN, baseline::WIN, 0);
            let plies = score.map(|score| match score {
                0 => None,
                score => Some((baseline::WIN - score.abs()) as u32),
            });
            assert_eq!(plies, Some(result.value.and_then(ExactValue::plies)));
        }
    }
}
