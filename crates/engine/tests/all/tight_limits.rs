//! Every bot makes a legal move promptly, even with next to no time or when stopped at once.

use std::time::{Duration, Instant};

use noughts_conformance::test_rng::TestRng;
use noughts_engine::{AnyBot, BotKind, BotSettings, SearchLimits, StopFlag};
use noughts_rules::{AnyGameState, Variant};

const VARIANTS: [&str; 16] = [
    "classic",
    "misere",
    "mnk:1,1,1",
    "mnk:4,4,3,misere",
    "mnk:15,15,5",
    "tic-tac-two",
    "tic-tac-two:board=3,pieces=9,after=9",
    "ultimate",
    "ception:depth=1",
    "ception:5a",
    "ception:4b,5c",
    "ception:5d,end=most",
    "ception:free=any",
    "ception:depth=3",
    "ception:4b,5d,depth=3,trail=history",
    "ception:depth=4",
];

/// A position after this many random moves.
fn state_after(moves: usize, variant: Variant, rng: &mut TestRng) -> AnyGameState {
    let mut state = AnyGameState::new(variant);
    for _ in 0..moves {
        let legal = state.legal_moves();
        if let Some(mv) = legal.get(rng.below(legal.len())) {
            state.play(mv).expect("a legal move");
        }
    }
    state
}

#[test]
fn every_bot_moves_with_tight_limits() {
    let settings = BotSettings {
        memory: 1 << 18,
        ..BotSettings::default()
    };
    for name in VARIANTS {
        let variant: Variant = name.parse().expect("a variant");
        let mut rng = TestRng::for_name(3, name);
        for kind in BotKind::ALL {
            let Ok(mut bot) = AnyBot::new(kind, variant, &settings) else {
                continue;
            };
            for (round, moves) in [0, 3, 7, 30].into_iter().enumerate() {
                let state = state_after(moves, variant, &mut rng);
                let stop = StopFlag::new();
                let limits = match round {
                    0 => SearchLimits::nodes(0),
                    1 => SearchLimits::nodes(10),
                    2 => SearchLimits::time(Duration::ZERO),
                    _ => {
                        stop.stop();
                        SearchLimits::NONE
                    }
                };
                let start = Instant::now();
                let report = bot.think(&state, limits, &stop, &mut |_| {});
                let took = start.elapsed();
                match report.best {
                    Some(mv) => assert!(
                        state.legal_moves().contains(&mv),
                        "{kind} plays {mv} in {name} {}",
                        state.position_text()
                    ),
                    None => assert!(state.outcome().is_some(), "{kind} has no move in {name}"),
                }
                assert!(took < Duration::from_secs(3), "{kind} {name}: {took:?}");
                // A search may count a few more nodes before it checks the limit.
                if let Some(max) = limits.nodes {
                    assert!(report.nodes <= max + 200, "{kind} {name}: {}", report.nodes);
                }
            }
        }
    }
}
