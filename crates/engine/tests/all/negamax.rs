//! `negamax` against a minimax so slow and plain that it is easily believed.

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

/// The value of every position, from X's side: +1000 is a win for X at once, each
/// ply further off takes one away.
type Known = HashMap<String, i32>;

fn minimax(play: &AnyGameState, known: &mut Known) -> i32 {
    let text = play.position_text();
    if let Some(&value) = known.get(&text) {
        return value;
    }
    let value = match play.outcome() {
        Some(Outcome::Draw) => 0,
        Some(Outcome::Win(Side::X)) => 1000,
        Some(Outcome::Win(Side::O)) => -1000,
        None => {
            let values = play.legal_moves().into_iter().map(|mv| {
                let mut after = play.clone();
                after.play(&mv).expect("legal");
                let value = minimax(&after, known);
                value - value.signum()
            });
            match play.side() {
                Side::X => values.max(),
                Side::O => values.min(),
            }
            .expect("a game that goes on has a move")
        }
    };
    known.insert(text, value);
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

/// Every position of the variant: value, best line and the values of all moves.
fn agrees_everywhere(name: &str) {
    let variant: Variant = name.parse().expect("a variant");
    let mut known = Known::new();
    minimax(&AnyGameState::new(variant), &mut known);
    let mut bot = negamax(variant, 3);
    for (text, &value) in &known {
        let play = AnyGameState::from_text(variant, text).expect("it was printed");
        if play.outcome().is_some() {
            continue;
        }
        let report = bot.think(&play, SearchLimits::NONE, &StopFlag::new(), &mut |_| {});
        let exact = as_exact(value, play.side());
        assert_eq!(report.value, Value::Exact(exact), "{text}");
        assert_eq!(report.moves.len(), play.legal_moves().len(), "{text}");
        assert_eq!(
            report.moves.first().map(|best| &best.mv),
            report.best.as_ref()
        );
        for ranked in &report.moves {
            let mut after = play.clone();
            after.play(&ranked.mv).expect("legal");
            let value = known[&after.position_text()];
            let exact = as_exact(value - value.signum(), play.side());
            assert_eq!(ranked.value, Value::Exact(exact), "{} in {text}", ranked.mv);
            // The line is played out, and ends as it was said to.
            for mv in &ranked.pv[1..] {
                after.play(mv).expect("legal");
            }
            let outcome = after.outcome().expect("the line goes to the end");
            let verdict = match outcome.winner() {
                None => GameValue::Draw,
                Some(winner) if winner == play.side() => GameValue::Win,
                Some(_) => GameValue::Loss,
            };
            assert_eq!(verdict, exact.game_value(), "{} in {text}", ranked.mv);
            if let Some(plies) = exact.plies() {
                assert_eq!(ranked.pv.len() as u32, plies, "{} in {text}", ranked.mv);
            }
        }
    }
}

#[test]
fn every_position_of_the_classic_board() {
    agrees_everywhere("classic");
}

#[test]
fn every_position_of_other_small_boards() {
    for name in [
        "ception:depth=1",
        "misere",
        "mnk:3,3,2",
        "mnk:1,1,1,misere",
        "mnk:4,2,3",
        "mnk:9,1,2",
    ] {
        agrees_everywhere(name);
    }
}

#[test]
fn the_largest_boards_it_plays() {
    for (name, value) in [
        ("mnk:4,3,3", "win in 7"),
        ("mnk:3,4,4", "draw"),
        ("mnk:4,3,3,misere", "loss in 11"),
    ] {
        let variant: Variant = name.parse().expect("a variant");
        let play = AnyGameState::new(variant);
        let mut known = Known::new();
        let slow = as_exact(minimax(&play, &mut known), Side::X);
        assert_eq!(slow.to_string(), value, "{name}");
        let report =
            negamax(variant, 1).think(&play, SearchLimits::NONE, &StopFlag::new(), &mut |_| {});
        assert_eq!(report.value.to_string(), value, "{name}");
    }
}

/// All games against it: it answers, the other side plays everything.
fn against_everything(play: &AnyGameState, me: Side, bot: &mut AnyBot, known: &mut Known) -> usize {
    if let Some(outcome) = play.outcome() {
        assert_ne!(
            outcome,
            Outcome::Win(me.other()),
            "{}",
            play.position_text()
        );
        return 1;
    }
    let moves = if play.side() == me {
        let promised = as_exact(minimax(play, known), me).game_value();
        let report = bot.think(play, SearchLimits::NONE, &StopFlag::new(), &mut |_| {});
        let mv = report.best.expect("the game goes on");
        let mut after = play.clone();
        after.play(&mv).expect("legal");
        // A won game stays won, move by move.
        let kept = as_exact(minimax(&after, known), me).game_value();
        assert_eq!(kept, promised, "{mv} in {}", play.position_text());
        vec![mv]
    } else {
        play.legal_moves()
    };
    let games = moves.iter().map(|mv| {
        let mut after = play.clone();
        after.play(mv).expect("legal");
        against_everything(&after, me, bot, known)
    });
    games.sum()
}

#[test]
fn it_never_loses_and_wins_what_is_won_whatever_is_played_against_it() {
    let mut known = Known::new();
    for me in Side::BOTH {
        for seed in 0..2 {
            let mut bot = negamax(Variant::CLASSIC, seed);
            let play = AnyGameState::new(Variant::CLASSIC);
            assert!(against_everything(&play, me, &mut bot, &mut known) > 20);
        }
    }
}

#[test]
fn it_prefers_the_faster_win_and_the_slower_loss() {
    // x x .
    // o o .      c1 wins at once; other moves win or not, but later.
    // . . .
    let play = AnyGameState::from_text(Variant::CLASSIC, "xx./oo./... x").expect("a position");
    for seed in 0..5 {
        let report = negamax(Variant::CLASSIC, seed).think(
            &play,
            SearchLimits::NONE,
            &StopFlag::new(),
            &mut |_| {},
        );
        assert_eq!(report.best.as_deref(), Some("c1"));
    }
    // x . x
    // . o .      O is lost, but not at once: b1 or a2 makes it last.
    // x . o
    let play = AnyGameState::from_text(Variant::CLASSIC, "x.x/.o./x.o o").expect("a position");
    let report = negamax(Variant::CLASSIC, 1).think(
        &play,
        SearchLimits::NONE,
        &StopFlag::new(),
        &mut |_| {},
    );
    assert_eq!(report.value.to_string(), "loss in 2");
}

#[test]
fn it_claims_nothing_that_it_had_no_time_to_prove() {
    let variant: Variant = "mnk:4,3,3".parse().expect("a variant");
    let play = AnyGameState::new(variant);
    for nodes in [0, 1, 100, 10_000] {
        let report = negamax(variant, 1).think(
            &play,
            SearchLimits::nodes(nodes),
            &StopFlag::new(),
            &mut |_| {},
        );
        assert!(play.legal_moves().contains(&report.best.expect("a move")));
        assert_eq!(report.value, Value::UNKNOWN);
        assert!(report.nodes <= nodes.max(1), "{} > {nodes}", report.nodes);
    }
}

#[test]
fn boards_that_are_too_large_are_refused_with_a_reason() {
    for (name, part) in [
        ("mnk:4,4,4", "this board has 16"),
        ("mnk:13,1,3", "this board has 13"),
        ("tic-tac-two", "round in circles"),
        ("ultimate", "only `ception:depth=1`"),
    ] {
        let variant: Variant = name.parse().expect("a variant");
        let error =
            AnyBot::new(BotKind::Negamax, variant, &BotSettings::default()).expect_err("too large");
        assert!(
            error.starts_with(&format!("negamax does not play {name}: ")),
            "{error}"
        );
        assert!(error.contains(part), "{error}");
    }
}
