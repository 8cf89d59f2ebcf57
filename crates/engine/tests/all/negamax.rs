//! Compares `negamax` with a minimax that is slow and obviously correct.

use std::collections::HashMap;

use noughts_engine::{
    AnyBot, BotKind, BotSettings, ExactValue, GameValue, SearchLimits, StopFlag, Value,
};
use noughts_rules::{AnyGameState, Outcome, Side, Variant};

fn negamax(variant: Variant, seed: u64) -> AnyBot {
    let settings = BotSettings {
        seed,
        ..BotSettings::default()
    };
    AnyBot::new(BotKind::Negamax, variant, &settings).expect("small enough")
}

/// The value of every position for X: +1000 is an immediate win for X, and each ply of distance
/// takes one away.
type ValueTable = HashMap<String, i32>;

fn minimax(state: &AnyGameState, table: &mut ValueTable) -> i32 {
    let text = state.position_text();
    if let Some(&value) = table.get(&text) {
        return value;
    }
    let value = match state.outcome() {
        Some(Outcome::Draw) => 0,
        Some(Outcome::Win(Side::X)) => 1000,
        Some(Outcome::Win(Side::O)) => -1000,
        None => {
            let values = state.legal_moves().into_iter().map(|mv| {
                let mut after = state.clone();
                after.play(&mv).expect("legal");
                let value = minimax(&after, table);
                value - value.signum()
            });
            match state.side() {
                Side::X => values.max(),
                Side::O => values.min(),
            }
            .expect("a game that goes on has a move")
        }
    };
    table.insert(text, value);
    value
}

fn as_exact(value: i32, side: Side) -> ExactValue {
    let plies = (1000 - value.abs()) as u32;
    match (value.signum(), side) {
        (0, _) => ExactValue::DRAW,
        (1, Side::X) | (-1, Side::O) => ExactValue::win(plies),
        _ => ExactValue::loss(plies),
    }
}

/// Checks every position of the variant: its value, its PV and the values of all moves.
fn check_every_position(name: &str) {
    check_positions(name, u32::MAX);
}

/// The same for the positions with at most this many plies left.
fn check_positions(name: &str, max_plies: u32) {
    let variant: Variant = name.parse().expect("a variant");
    let mut values = ValueTable::new();
    minimax(&AnyGameState::new(variant), &mut values);
    let mut bot = negamax(variant, 3);
    for (text, &value) in &values {
        let state = AnyGameState::from_text(variant, text).expect("it was printed");
        let is_too_long = state.max_plies_left().is_none_or(|plies| plies > max_plies);
        if state.outcome().is_some() || is_too_long {
            continue;
        }
        let report = bot.think(&state, SearchLimits::NONE, &StopFlag::new(), &mut |_| {});
        let exact = as_exact(value, state.side());
        assert_eq!(report.value, Value::Exact(exact), "{text}");
        assert_eq!(report.moves.len(), state.legal_moves().len(), "{text}");
        assert_eq!(
            report.moves.first().map(|best| &best.mv),
            report.best.as_ref()
        );
        for ranked in &report.moves {
            let mut after = state.clone();
            after.play(&ranked.mv).expect("legal");
            let value = values[&after.position_text()];
            let exact = as_exact(value - value.signum(), state.side());
            assert_eq!(ranked.value, Value::Exact(exact), "{} in {text}", ranked.mv);
            // Play out the PV and check that it ends as claimed.
            for mv in &ranked.pv[1..] {
                after.play(mv).expect("legal");
            }
            let outcome = after.outcome().expect("the line goes to the end");
            let game_value = match outcome.winner() {
                None => GameValue::Draw,
                Some(winner) if winner == state.side() => GameValue::Win,
                Some(_) => GameValue::Loss,
            };
            assert_eq!(game_value, exact.game_value(), "{} in {text}", ranked.mv);
            if let Some(plies) = exact.plies() {
                assert_eq!(ranked.pv.len() as u32, plies, "{} in {text}", ranked.mv);
            }
        }
    }
}

#[test]
fn every_classic_position_is_correct() {
    check_every_position("classic");
}

#[test]
fn every_position_of_other_small_boards_is_correct() {
    for name in [
        "ception:depth=1",
        "misere",
        "mnk:3,3,2",
        "mnk:1,1,1,misere",
        "mnk:4,2,3",
        "mnk:9,1,2",
        "gravity:3,3,3",
        "notakto",
    ] {
        check_every_position(name);
    }
    for name in ["wild", "wild:misere", "order-and-chaos:size=3,line=3"] {
        check_positions(name, 6);
    }
}

#[test]
fn largest_supported_boards_are_solved() {
    for (name, value) in [
        ("mnk:4,3,3", "win in 7"),
        ("mnk:3,4,4", "draw"),
        ("mnk:4,3,3,misere", "loss in 11"),
    ] {
        let variant: Variant = name.parse().expect("a variant");
        let state = AnyGameState::new(variant);
        let mut values = ValueTable::new();
        let slow = as_exact(minimax(&state, &mut values), Side::X);
        assert_eq!(slow.to_string(), value, "{name}");
        let report =
            negamax(variant, 1).think(&state, SearchLimits::NONE, &StopFlag::new(), &mut |_| {});
        assert_eq!(report.value.to_string(), value, "{name}");
    }
}

/// Plays all games against the bot: it makes its move, and the opponent tries every move.
fn play_all_games(
    state: &AnyGameState,
    me: Side,
    bot: &mut AnyBot,
    values: &mut ValueTable,
) -> usize {
    if let Some(outcome) = state.outcome() {
        assert_ne!(
            outcome,
            Outcome::Win(me.other()),
            "{}",
            state.position_text()
        );
        return 1;
    }
    let moves = if state.side() == me {
        let expected = as_exact(minimax(state, values), me).game_value();
        let report = bot.think(state, SearchLimits::NONE, &StopFlag::new(), &mut |_| {});
        let mv = report.best.expect("the game goes on");
        let mut after = state.clone();
        after.play(&mv).expect("legal");
        // A won game stays won after every move.
        let actual = as_exact(minimax(&after, values), me).game_value();
        assert_eq!(actual, expected, "{mv} in {}", state.position_text());
        vec![mv]
    } else {
        state.legal_moves()
    };
    let games = moves.iter().map(|mv| {
        let mut after = state.clone();
        after.play(mv).expect("legal");
        play_all_games(&after, me, bot, values)
    });
    games.sum()
}

#[test]
fn never_loses_and_keeps_every_win() {
    let mut values = ValueTable::new();
    for me in Side::BOTH {
        for seed in 0..2 {
            let mut bot = negamax(Variant::CLASSIC, seed);
            let state = AnyGameState::new(Variant::CLASSIC);
            assert!(play_all_games(&state, me, &mut bot, &mut values) > 20);
        }
    }
}

#[test]
fn prefers_faster_wins_and_slower_losses() {
    // x x .
    // o o .      c1 wins at once; other moves win later or not at all.
    // . . .
    let state = AnyGameState::from_text(Variant::CLASSIC, "xx./oo./... x").expect("a position");
    for seed in 0..5 {
        let report = negamax(Variant::CLASSIC, seed).think(
            &state,
            SearchLimits::NONE,
            &StopFlag::new(),
            &mut |_| {},
        );
        assert_eq!(report.best.as_deref(), Some("c1"));
    }
    // x . x
    // . o .      O is lost, but not at once: b1 or a2 delays it.
    // x . o
    let state = AnyGameState::from_text(Variant::CLASSIC, "x.x/.o./x.o o").expect("a position");
    let report = negamax(Variant::CLASSIC, 1).think(
        &state,
        SearchLimits::NONE,
        &StopFlag::new(),
        &mut |_| {},
    );
    assert_eq!(report.value.to_string(), "loss in 2");
}

#[test]
fn claims_nothing_unproved() {
    let variant: Variant = "mnk:4,3,3".parse().expect("a variant");
    let state = AnyGameState::new(variant);
    for nodes in [0, 1, 100, 10_000] {
        let report = negamax(variant, 1).think(
            &state,
            SearchLimits::nodes(nodes),
            &StopFlag::new(),
            &mut |_| {},
        );
        assert!(state.legal_moves().contains(&report.best.expect("a move")));
        assert_eq!(report.value, Value::UNKNOWN);
        assert!(report.nodes <= nodes.max(1), "{} > {nodes}", report.nodes);
    }
}

#[test]
fn large_boards_are_rejected_with_a_reason() {
    for (name, part) in [
        ("mnk:4,4,4", "this board has 16"),
        ("mnk:13,1,3", "this board has 13"),
        ("tic-tac-two", "repeat forever"),
        ("ultimate", "this board has 81"),
        ("numerical", "this game has 81"),
        ("gravity:7,2,3", "this board has 14"),
    ] {
        let variant: Variant = name.parse().expect("a variant");
        let error =
            AnyBot::new(BotKind::Negamax, variant, &BotSettings::default()).expect_err("too large");
        assert_eq!((error.bot, error.variant), (BotKind::Negamax, variant));
        assert!(error.reason.to_string().contains(part), "{error}");
    }
}
