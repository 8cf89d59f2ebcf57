//! The third occurrence of a position is a draw: bots that know a win from the position alone must
//! not run into one, and no drawing move is called a win.

use noughts_engine::analysis::analyze;
use noughts_engine::solve::solve_any;
use noughts_engine::{
    AnyBot, BotKind, BotSettings, ExactValue, GameValue, SearchLimits, StopFlag, Tablebases,
};
use noughts_rules::{AnyGameState, Outcome, Variant};

/// A position, moves that repeat positions, and a winning move that would be a third occurrence.
const CASES: [(&str, &str, &str); 2] = [
    (
        "....o/ox.../.x.o./o..x./...x. o @c3",
        "@b4 b2-c5 @c3 c5-b2 @b4 b2-c5 @c3",
        "c5-b2",
    ),
    ("....o/.x..o/x.xo./..x../....o o @b4", "@c3 @b4 @c3", "@b4"),
];

fn state_after(position: &str, moves: &str) -> AnyGameState {
    let mut state =
        AnyGameState::from_text(Variant::TIC_TAC_TWO, position).expect("it can be set up");
    for mv in moves.split_whitespace() {
        state.play(mv).expect("the move is legal");
    }
    state
}

fn settings(with_tablebase: bool) -> BotSettings {
    BotSettings {
        tablebases: if with_tablebase {
            crate::shared_tablebase::tablebase();
            Tablebases::open(&crate::shared_tablebase::data_folder()).0
        } else {
            Tablebases::default()
        },
        ..BotSettings::default()
    }
}

/// A move that wins by position but draws by repetition: no bot plays it and calls it a win.
#[test]
fn no_bot_calls_a_repetition_a_win() {
    for (position, moves, drawing_move) in CASES {
        // Check the case: without the history the move wins, with it the game ends in a draw.
        let state = state_after(position, moves);
        let mut drawn = state.clone();
        drawn.play(drawing_move).expect("it is legal");
        assert_eq!(drawn.outcome(), Some(Outcome::Draw), "{position}");
        let without_history = AnyGameState::from_text(Variant::TIC_TAC_TWO, &state.position_text())
            .expect("the same position");
        let result = solve_any(
            &without_history,
            &settings(true),
            SearchLimits::NONE,
            &StopFlag::new(),
        );
        let without_history = result.moves.iter().find(|(mv, _)| mv == drawing_move);
        assert_eq!(
            without_history.and_then(|(_, value)| value.map(ExactValue::game_value)),
            Some(GameValue::Win),
            "{position}"
        );

        for with_tablebase in [false, true] {
            for kind in [
                BotKind::Best,
                BotKind::Perfect,
                BotKind::AlphaBeta,
                BotKind::Mcts,
            ] {
                let mut bot = AnyBot::new(kind, Variant::TIC_TAC_TWO, &settings(with_tablebase))
                    .expect("it plays");
                let report = bot.think(
                    &state,
                    SearchLimits::nodes(100_000),
                    &StopFlag::new(),
                    &mut |_| {},
                );
                let best = report.best.as_deref().expect("there is a move");
                let exact = report.value.exact().map(ExactValue::game_value);
                assert!(
                    best != drawing_move || exact == Some(GameValue::Draw),
                    "{kind} {position}: {best} is called {exact:?}"
                );
                let listed = report.moves.iter().find(|ranked| ranked.mv == drawing_move);
                if let Some(listed) = listed {
                    assert_ne!(
                        listed.value.exact().map(ExactValue::game_value),
                        Some(GameValue::Win),
                        "{kind} {position}"
                    );
                }
            }
        }
    }
}

/// Analysis takes the history into account: the value is that of the best move in this game.
#[test]
fn analysis_claims_no_win_that_is_a_repetition() {
    for (position, moves, drawing_move) in CASES {
        let state = state_after(position, moves);
        for with_tablebase in [false, true] {
            let mut reports = Vec::new();
            let limits = SearchLimits::nodes(60_000);
            let stop = StopFlag::new();
            analyze(
                &state,
                &settings(with_tablebase),
                limits,
                &stop,
                &mut |report| {
                    reports.push(report.clone());
                },
            );
            assert!(!reports.is_empty());
            for report in reports {
                let best = report.best.as_deref().expect("there is a move");
                let best_value = report.moves.iter().find(|ranked| ranked.mv == best);
                let best_value = best_value.expect("it is listed").value.exact();
                if report.value.exact().map(ExactValue::game_value) == Some(GameValue::Win) {
                    assert_ne!(best, drawing_move, "{position}");
                    assert_eq!(
                        best_value.map(ExactValue::game_value),
                        Some(GameValue::Win),
                        "{position}"
                    );
                }
                let listed = report.moves.iter().find(|ranked| ranked.mv == drawing_move);
                let listed = listed.and_then(|ranked| ranked.value.exact());
                assert_ne!(
                    listed.map(ExactValue::game_value),
                    Some(GameValue::Win),
                    "{position}"
                );
            }
        }
    }
}

/// In the first case another move wins.
#[test]
fn another_winning_move_is_preferred() {
    let (position, moves, drawing_move) = CASES[0];
    for with_tablebase in [false, true] {
        for kind in [BotKind::Best, BotKind::Perfect, BotKind::AlphaBeta] {
            let mut state = state_after(position, moves);
            let mut bot = AnyBot::new(kind, Variant::TIC_TAC_TWO, &settings(with_tablebase))
                .expect("it plays");
            let report = bot.think(
                &state,
                SearchLimits::nodes(300_000),
                &StopFlag::new(),
                &mut |_| {},
            );
            let best = report.best.expect("there is a move");
            assert_ne!(best, drawing_move, "{kind}");
            state.play(&best).expect("it is legal");
            assert_eq!(state.outcome(), None, "{kind} {best}");
        }
    }
}

#[test]
fn solver_takes_repetitions_into_account() {
    for with_tablebase in [false, true] {
        for (position, moves, drawing_move) in CASES {
            let state = state_after(position, moves);
            let mut after = state.clone();
            after.play(drawing_move).expect("it is legal");
            assert_eq!(after.outcome(), Some(Outcome::Draw), "{position}");
            let limits = SearchLimits::nodes(300_000);
            let result = solve_any(&state, &settings(with_tablebase), limits, &StopFlag::new());
            let value = result
                .moves
                .iter()
                .find(|(mv, _)| mv == drawing_move)
                .expect("it is listed")
                .1;
            assert_eq!(value, Some(ExactValue::DRAW), "{position}");
            // The position's value is that of its best move, or unknown.
            let best = result.moves[0].1;
            assert!(result.value.is_none() || result.value == best, "{position}");
        }
    }
}
