//! The third occurrence of a position is a draw: bots that know a win by its
//! position alone must not walk into one, and no move is called a win that is none.

use noughts_engine::analysis::analyze;
use noughts_engine::solve::solve_any;
use noughts_engine::{
    AnyBot, BotKind, BotSettings, ExactValue, GameValue, SearchLimits, StopFlag, Tablebases,
};
use noughts_rules::{AnyGameState, Outcome, Variant};

/// A position, moves that bring others back, and a winning move that would be the
/// third occurrence of one.
const CASES: [(&str, &str, &str); 2] = [
    (
        "....o/ox.../.x.o./o..x./...x. o @c3",
        "@b4 b2-c5 @c3 c5-b2 @b4 b2-c5 @c3",
        "c5-b2",
    ),
    ("....o/.x..o/x.xo./..x../....o o @b4", "@c3 @b4 @c3", "@b4"),
];

fn play_of(position: &str, moves: &str) -> AnyGameState {
    let mut play =
        AnyGameState::from_text(Variant::TIC_TAC_TWO, position).expect("it can be set up");
    for mv in moves.split_whitespace() {
        play.play(mv).expect("the move is legal");
    }
    play
}

fn settings(with_table: bool) -> BotSettings {
    BotSettings {
        tablebases: if with_table {
            crate::shared_tablebase::table();
            Tablebases::open(&crate::shared_tablebase::data()).0
        } else {
            Tablebases::default()
        },
        ..BotSettings::default()
    }
}

/// A win by the position alone would be a draw by the game's history: no bot makes that move and calls it a win.
#[test]
fn no_bot_repeats_a_won_position_away() {
    for (position, moves, spoiled) in CASES {
        // What the bot has to see: without the history the move wins, with it the game ends in a draw.
        let play = play_of(position, moves);
        let mut drawn = play.clone();
        drawn.play(spoiled).expect("it is legal");
        assert_eq!(drawn.outcome(), Some(Outcome::Draw), "{position}");
        let fresh = AnyGameState::from_text(Variant::TIC_TAC_TWO, &play.position_text())
            .expect("the same position");
        let solution = solve_any(
            &fresh,
            &settings(true),
            SearchLimits::NONE,
            &StopFlag::new(),
        );
        let fresh = solution.moves.iter().find(|(mv, _)| mv == spoiled);
        assert_eq!(
            fresh.and_then(|(_, value)| value.map(ExactValue::game_value)),
            Some(GameValue::Win),
            "{position}"
        );

        for with_table in [false, true] {
            for kind in [
                BotKind::Best,
                BotKind::Perfect,
                BotKind::AlphaBeta,
                BotKind::Mcts,
            ] {
                let mut bot = AnyBot::new(kind, Variant::TIC_TAC_TWO, &settings(with_table))
                    .expect("it plays");
                let report = bot.think(
                    &play,
                    SearchLimits::nodes(100_000),
                    &StopFlag::new(),
                    &mut |_| {},
                );
                let best = report.best.as_deref().expect("there is a move");
                let exact = report.value.exact().map(ExactValue::game_value);
                assert!(
                    best != spoiled || exact == Some(GameValue::Draw),
                    "{kind} {position}: {best} is called {exact:?}"
                );
                let listed = report.moves.iter().find(|ranked| ranked.mv == spoiled);
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

/// An analysis knows the game, too: its value is that of its best move, as the history makes it.
#[test]
fn an_analysis_claims_no_win_that_the_history_takes_away() {
    for (position, moves, spoiled) in CASES {
        let play = play_of(position, moves);
        for with_table in [false, true] {
            let mut reports = Vec::new();
            let limits = SearchLimits::nodes(60_000);
            let stop = StopFlag::new();
            analyze(&play, &settings(with_table), limits, &stop, &mut |report| {
                reports.push(report.clone());
            });
            assert!(!reports.is_empty());
            for report in reports {
                let best = report.best.as_deref().expect("there is a move");
                let worth = report.moves.iter().find(|ranked| ranked.mv == best);
                let worth = worth.expect("it is listed").value.exact();
                if report.value.exact().map(ExactValue::game_value) == Some(GameValue::Win) {
                    assert_ne!(best, spoiled, "{position}");
                    assert_eq!(
                        worth.map(ExactValue::game_value),
                        Some(GameValue::Win),
                        "{position}"
                    );
                }
                let listed = report.moves.iter().find(|ranked| ranked.mv == spoiled);
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

/// In the first case there is another move that wins.
#[test]
fn another_win_is_taken_instead() {
    let (position, moves, spoiled) = CASES[0];
    for with_table in [false, true] {
        for kind in [BotKind::Best, BotKind::Perfect, BotKind::AlphaBeta] {
            let mut play = play_of(position, moves);
            let mut bot =
                AnyBot::new(kind, Variant::TIC_TAC_TWO, &settings(with_table)).expect("it plays");
            let report = bot.think(
                &play,
                SearchLimits::nodes(300_000),
                &StopFlag::new(),
                &mut |_| {},
            );
            let best = report.best.expect("there is a move");
            assert_ne!(best, spoiled, "{kind}");
            play.play(&best).expect("it is legal");
            assert_eq!(play.outcome(), None, "{kind} {best}");
        }
    }
}

#[test]
fn solving_knows_what_has_been_twice() {
    for with_table in [false, true] {
        for (position, moves, spoiled) in CASES {
            let play = play_of(position, moves);
            let mut after = play.clone();
            after.play(spoiled).expect("it is legal");
            assert_eq!(after.outcome(), Some(Outcome::Draw), "{position}");
            let limits = SearchLimits::nodes(300_000);
            let solution = solve_any(&play, &settings(with_table), limits, &StopFlag::new());
            let value = solution
                .moves
                .iter()
                .find(|(mv, _)| mv == spoiled)
                .expect("it is listed")
                .1;
            assert_eq!(value, Some(ExactValue::DRAW), "{position}");
            // The position is worth what its best move is worth, or it is not known.
            let best = solution.moves[0].1;
            assert!(
                solution.value.is_none() || solution.value == best,
                "{position}"
            );
        }
    }
}
