//! Endgames of `ultimate`: how long it takes to solve them, and how fast search is,
//! each beside the textbook in the same run.

use std::time::{Duration, Instant};

use noughts_engine::solve::solve_any;
use noughts_engine::{AnyBot, BotKind, BotSettings, SearchLimits, StopFlag, Value};
use noughts_rules::{AnyGameState, Game, Nested, NestedPosition, Outcome, Ultimate, Variant};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::baseline;

/// Fixed endgames: the number of cells that can still be played in, then the position.
const ENDGAMES: &str = include_str!("../data/endgames.txt");

/// How many endgames of each size there are.
pub const ENDGAMES_PER_SIZE: usize = 50;

/// The sizes: the second is that of the promise, solved in at most two seconds.
pub const SIZES: [u32; 2] = [15, 20];

/// The seed that the endgames come from.
const SEED: u64 = 20;

/// The textbook gives an endgame up after so many positions.
const MOST_NODES: u64 = 30_000_000;

/// What was measured of a set of endgames, on one core.
pub struct EndgameTimes {
    /// Cells that could still be played in.
    pub cells: u32,
    /// How many endgames.
    pub count: usize,
    /// The time that all of them took: the value and length of every move.
    pub total: Duration,
    /// The slowest one.
    pub slowest: Duration,
    /// The textbook's time for their values alone, where it was asked.
    pub textbook: Option<Duration>,
    /// How many it gave up; their time counts up to there.
    pub given_up: usize,
}

/// One speed beside the textbook's.
pub struct Speed {
    /// What was counted.
    pub name: &'static str,
    /// So many a second.
    pub ours: f64,
    /// The textbook's.
    pub textbook: f64,
}

/// The fixed endgames of this size.
fn fixed(cells: u32) -> impl Iterator<Item = &'static str> {
    ENDGAMES.lines().filter_map(move |line| {
        let (size, text) = line.split_once(' ')?;
        (size.parse() == Ok(cells)).then_some(text)
    })
}

/// Can the side to move win at once?
fn is_won_at_once(game: &Nested<Ultimate>, position: &NestedPosition<Ultimate>) -> bool {
    game.moves(position).into_iter().any(|mv| {
        let mut next = *position;
        game.apply(&mut next, mv);
        game.outcome(&next).and_then(Outcome::winner).is_some()
    })
}

/// Endgames from random games: exactly so many cells left, and nothing to win at once.
#[must_use]
pub fn random_endgames(cells: u32, count: usize, seed: u64) -> Vec<String> {
    let game = Nested::ultimate();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut found = Vec::new();
    while found.len() < count {
        let mut position = game.start();
        while game.outcome(&position).is_none() && game.count_open_cells(&position) > cells {
            if let Some(mv) = game.random_move(&position, &mut rng) {
                game.apply(&mut position, mv);
            }
        }
        let fits = game.outcome(&position).is_none() && game.count_open_cells(&position) == cells;
        if fits && !is_won_at_once(&game, &position) {
            found.push(game.text(&position));
        }
    }
    found
}

/// The text of the data file, made anew.
#[must_use]
pub fn data_file() -> String {
    let mut text = String::new();
    for cells in SIZES {
        for position in random_endgames(cells, ENDGAMES_PER_SIZE, SEED) {
            text += &format!("{cells} {position}\n");
        }
    }
    text
}

/// Solves these endgames on one core, in turns with the textbook if it is asked.
#[must_use]
pub fn solve<'a>(
    positions: impl Iterator<Item = &'a str>,
    cells: u32,
    with_textbook: bool,
) -> EndgameTimes {
    let game = Nested::ultimate();
    let mut measured = EndgameTimes {
        cells,
        count: 0,
        total: Duration::ZERO,
        slowest: Duration::ZERO,
        textbook: with_textbook.then_some(Duration::ZERO),
        given_up: 0,
    };
    for text in positions {
        let Ok(play) = AnyGameState::from_text(Variant::ULTIMATE, text) else {
            continue;
        };
        measured.count += 1;
        let start = Instant::now();
        let solution = solve_any(
            &play,
            &BotSettings::default(),
            SearchLimits::NONE,
            &StopFlag::new(),
        );
        let took = start.elapsed();
        measured.total += took;
        measured.slowest = measured.slowest.max(took);
        if let (Some(time), Ok(position)) = (&mut measured.textbook, game.parse(text)) {
            let mut textbook = baseline::AlphaBeta::new(&game, MOST_NODES);
            let start = Instant::now();
            let score = textbook.search(&position, cells, -baseline::WIN, baseline::WIN, 0);
            *time += start.elapsed();
            match score {
                None => measured.given_up += 1,
                // Two programs that share nothing but the rules.
                Some(score) => debug_assert_eq!(
                    solution.value.map(|value| value.expected_result() as i32),
                    Some(score.signum())
                ),
            }
        }
    }
    measured
}

/// The fixed endgames, beside the textbook.
#[must_use]
pub fn measure_endgames() -> Vec<EndgameTimes> {
    let sets = SIZES.into_iter();
    sets.map(|cells| solve(fixed(cells), cells, true)).collect()
}

/// How fast search is at the start of `ultimate`, on one core: each for so long.
#[must_use]
pub fn measure_speeds(time: Duration) -> Vec<Speed> {
    let game = Nested::ultimate();
    let start = game.start();
    let think = |kind| {
        let play = AnyGameState::new(Variant::ULTIMATE);
        let Ok(mut bot) = AnyBot::new(kind, Variant::ULTIMATE, &BotSettings::default()) else {
            return 0.0;
        };
        let report = bot.think(
            &play,
            SearchLimits::time(time),
            &StopFlag::new(),
            &mut |_| {},
        );
        debug_assert!(matches!(report.value, Value::Estimate { .. }));
        report.nodes as f64 / report.elapsed.as_secs_f64()
    };
    let nodes = || {
        let began = Instant::now();
        let mut textbook = baseline::AlphaBeta::new(&game, u64::MAX);
        for depth in 1.. {
            textbook.search(&start, depth, -baseline::WIN, baseline::WIN, 0);
            if began.elapsed() >= time / 4 {
                break;
            }
        }
        textbook.nodes as f64 / began.elapsed().as_secs_f64()
    };
    let games = || {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let began = Instant::now();
        let games = baseline::monte_carlo(&game, &start, time, &mut rng);
        games as f64 / began.elapsed().as_secs_f64()
    };
    vec![
        Speed {
            name: "alpha-beta, nodes/s",
            ours: think(BotKind::AlphaBeta),
            textbook: nodes(),
        },
        Speed {
            name: "mcts, games/s",
            ours: think(BotKind::Mcts),
            textbook: games(),
        },
    ]
}

/// What was measured, as a table.
#[must_use]
pub fn table(endgames: &[EndgameTimes], speeds: &[Speed]) -> String {
    let mut text = format!(
        "{:<24} {:>10} {:>10} {:>9}\n",
        "one core, ultimate", "noughts", "textbook", "ratio"
    );
    for set in endgames {
        let total = set.total.as_secs_f64();
        let textbook = set.textbook.map(|time| time.as_secs_f64());
        text += &format!(
            "{:<24} {:>8.3} s {:>10} {:>9}",
            format!("{} endgames, {} cells", set.count, set.cells),
            total,
            textbook.map_or("–".into(), |time| format!("{time:.3} s")),
            textbook.map_or("–".into(), |time| format!("{:.0}×", time / total)),
        );
        text += &format!("   slowest {:.1} ms", set.slowest.as_secs_f64() * 1e3);
        if set.given_up > 0 {
            text += &format!(", {} too much for the textbook", set.given_up);
        }
        text.push('\n');
    }
    for speed in speeds {
        text += &format!(
            "{:<24} {:>10} {:>10} {:>9}\n",
            speed.name,
            crate::short(speed.ours),
            crate::short(speed.textbook),
            format!("{:.2}×", speed.ours / speed.textbook),
        );
    }
    text + "textbook: alpha-beta without a table and without ordering moves, for the value alone\n\
            (noughts solves every move); a Monte Carlo tree of plain random games (UCT)\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use noughts_engine::ExactValue;

    #[test]
    fn the_endgames_come_from_their_seed() {
        assert_eq!(data_file(), ENDGAMES);
    }

    #[test]
    #[ignore = "measures; for the optimised program"]
    fn two_hundred_random_endgames_take_at_most_two_seconds_each() {
        for cells in [20, 19, 17, 12] {
            let positions = random_endgames(cells, 200, 4);
            let measured = solve(positions.iter().map(String::as_str), cells, false);
            println!(
                "{cells} cells: {:?} together, slowest {:?}",
                measured.total, measured.slowest
            );
            assert!(measured.slowest < Duration::from_secs(2));
        }
    }

    /// Two programs that share nothing but the rules agree.
    #[test]
    fn the_textbook_finds_the_same_values() {
        let game = Nested::ultimate();
        for text in random_endgames(9, 30, 1) {
            let play = AnyGameState::from_text(Variant::ULTIMATE, &text).expect("a position");
            let solution = solve_any(
                &play,
                &BotSettings::default(),
                SearchLimits::NONE,
                &StopFlag::new(),
            );
            let position = game.parse(&text).expect("a position");
            let mut textbook = baseline::AlphaBeta::new(&game, u64::MAX);
            let score = textbook.search(&position, 9, -baseline::WIN, baseline::WIN, 0);
            let plies = score.map(|score| match score {
                0 => None,
                score => Some((baseline::WIN - score.abs()) as u32),
            });
            assert_eq!(plies, Some(solution.value.and_then(ExactValue::plies)));
        }
    }
}
