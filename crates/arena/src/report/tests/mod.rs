//! Tests of the reports: what is written is parsed again.

mod changes;
mod files;
mod page;
mod text;

use std::time::Duration;

use noughts_engine::{ExactValue, Value};
use noughts_rules::{AnyGameState, Outcome, Side};
use rand_core::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::plan::{Adjudication, Format, Openings, Plan, Scoring};
use crate::played_game::{EndReason, GameKey, MoveInfo, PlayedGame};
use crate::spec::{BotSource, BotSpec, BuiltinBot};
use crate::time_control::TimeControl;

/// A plan with bots of these names.
pub(crate) fn plan(variant: &str, names: &[&str]) -> Plan {
    Plan {
        variant: variant.into(),
        bots: names.iter().map(|name| bot(name)).collect(),
        format: Format::RoundRobin,
        rounds: 10,
        openings: Openings::Random(4),
        time_control: TimeControl::MoveTime(Duration::from_millis(100)),
        margin_ms: 50,
        patience_ms: 10_000,
        seed: 1,
        move_limit: None,
        adjudication: Adjudication::default(),
        scoring: Scoring::Points,
        sprt: None,
        concurrency: None,
    }
}

fn bot(name: &str) -> BotSpec {
    BotSpec {
        name: name.into(),
        source: BotSource::Builtin(BuiltinBot {
            kind: "random".into(),
            threads: 1,
            hash: 64,
            seed: None,
        }),
        time_control: None,
    }
}

/// A random game of at most `most` moves.
fn random_play(variant: &str, dice: &mut Xoshiro256PlusPlus, max_moves: usize) -> AnyGameState {
    let mut state = AnyGameState::new(variant.parse().expect("a variant"));
    for _ in 0..max_moves {
        let moves = state.legal_moves();
        if moves.is_empty() {
            break;
        }
        let mv = &moves[(dice.next_u64() % moves.len() as u64) as usize];
        state.play(mv).expect("it is legal");
    }
    state
}

/// Random games: every two bots play this many rounds. Some games end by a fault.
fn games(plan: &Plan, rounds: u32, seed: u64) -> Vec<PlayedGame> {
    let mut dice = Xoshiro256PlusPlus::seed_from_u64(seed);
    let bots = u32::try_from(plan.bots.len()).expect("few bots");
    let mut games = Vec::new();
    for round in 0..rounds {
        for first in 0..bots {
            for second in first + 1..bots {
                for swapped in [false, true] {
                    let key = GameKey {
                        round,
                        first,
                        second,
                        swapped,
                    };
                    games.push(game(plan, key, &mut dice));
                }
            }
        }
    }
    games
}

fn game(plan: &Plan, key: GameKey, dice: &mut Xoshiro256PlusPlus) -> PlayedGame {
    let state = random_play(&plan.variant, dice, 400);
    let opening = state.ply().min(4);
    let moves = (opening..state.ply())
        .map(|i| MoveInfo {
            took: Duration::from_micros(dice.next_u64() % 120_000),
            value: Some(if i % 11 == 0 {
                Value::Exact(ExactValue::win(3))
            } else {
                Value::Estimate {
                    mean: (dice.next_u64() % 200) as f64 / 100.0 - 1.0,
                    error: 0.1,
                }
            }),
            depth: Some(8),
            nodes: Some(5000),
        })
        .collect();
    let (outcome, reason, note) = match (state.outcome(), state.ending()) {
        (Some(outcome), Some(ending)) if !dice.next_u64().is_multiple_of(40) => {
            (outcome, EndReason::from(ending), None)
        }
        (Some(outcome), Some(ending)) => (
            outcome,
            EndReason::from(ending),
            Some("a note, with \"marks\" & <b>tags</b>\nand lines".into()),
        ),
        _ => (
            Outcome::Win(Side::X),
            EndReason::Timeout,
            Some("it took 312 ms of 100 ms".into()),
        ),
    };
    PlayedGame {
        key,
        state,
        opening_plies: opening,
        move_info: moves,
        outcome,
        reason,
        note,
    }
}
