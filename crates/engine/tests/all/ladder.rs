//! Each level beats the one below it, in every game that menus offer.

use noughts_engine::{AnyBot, BotKind, BotSettings, SearchLimits, StopFlag};
use noughts_rules::{AnyGameState, Outcome, Side, Variant, games};

/// The levels, weakest first.
const LEVELS: [BotKind; 5] = [
    BotKind::Random,
    BotKind::Easy,
    BotKind::Medium,
    BotKind::Hard,
    BotKind::Best,
];

/// Where a level hardly plays better than the one below: on the classic board a beginner plays any move, and nearly every
/// game of good players is a draw, as on the board of four by four.
const EQUALS: [(&str, BotKind); 4] = [
    ("classic", BotKind::Easy),
    ("classic", BotKind::Best),
    ("mnk:4,4,4", BotKind::Hard),
    ("mnk:4,4,4", BotKind::Best),
];

/// Larger boards take too long.
const MAX_CELLS: u32 = 256;

/// Longer games are draws.
const MAX_PLIES: usize = 300;

/// The upper bot's points in a pair of games with sides swapped.
fn play_pair(variant: Variant, upper: BotKind, lower: BotKind, seed: u64) -> f64 {
    let points = Side::BOTH.map(|upper_side| {
        let kinds = match upper_side {
            Side::X => [upper, lower],
            Side::O => [lower, upper],
        };
        let mut number = 2 * seed;
        let mut bots = kinds.map(|kind| {
            number += 1;
            let settings = BotSettings {
                seed: number,
                memory: 1 << 20,
                ..BotSettings::default()
            };
            AnyBot::new(kind, variant, &settings).expect("it plays everything")
        });
        let mut state = AnyGameState::new(variant);
        while state.outcome().is_none() && state.ply() < MAX_PLIES {
            let bot = &mut bots[usize::from(state.side() == Side::O)];
            let limits = SearchLimits::nodes(20_000);
            let report = bot.think(&state, limits, &StopFlag::new(), &mut |_| {});
            state.play(&report.best.expect("a move")).expect("legal");
        }
        match state.outcome().and_then(Outcome::winner) {
            Some(winner) if winner == upper_side => 1.0,
            Some(_) => 0.0,
            None => 0.5,
        }
    });
    points.iter().sum()
}

/// The upper bot's score from 0 to 1.
fn score(variant: Variant, upper: BotKind, lower: BotKind, pairs: u64) -> f64 {
    let points = (0..pairs).map(|seed| play_pair(variant, upper, lower, seed));
    points.sum::<f64>() / (2 * pairs) as f64
}

/// Each level scores at least this much against the one below.
fn check(levels: &[BotKind], pairs: u64, least: f64) {
    let mut problems = Vec::new();
    for (variant, preset) in games::presets() {
        if AnyGameState::new(variant).view().shape().count_cells() > MAX_CELLS {
            continue;
        }
        for pair in levels.windows(2) {
            let (lower, upper) = (pair[0], pair[1]);
            if EQUALS.contains(&(preset.name, upper)) {
                continue;
            }
            let score = score(variant, upper, lower, pairs);
            println!("{:20} {upper:8} {lower:8} {score:.3}", preset.name);
            if score < least {
                problems.push(format!(
                    "{}: {upper} against {lower}: {score:.3}",
                    preset.name
                ));
            }
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
}

#[test]
fn each_level_beats_the_one_below_in_a_short_match() {
    // Without `best`, which searches longer.
    check(&LEVELS[..4], 30, 0.55);
}

#[test]
#[ignore = "soak"]
fn each_level_beats_the_one_below_in_a_long_match() {
    check(&LEVELS, 60, 0.55);
}
