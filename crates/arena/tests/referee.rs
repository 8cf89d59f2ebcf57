//! One game: who wins, by what, and what the clocks say. Time is what the players say it
//! is, so that nothing here waits.

mod plans;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use noughts_arena::referee::{self, Conditions, GameAttempt};
use noughts_arena::{
    Adjudication, AgreementThreshold, EndReason, GameKey, MoveRequest, MoveResponse, Opening,
    PlayedGame, Player, PlayerError, PlayerErrorKind, TimeControl,
};
use noughts_engine::{StopFlag, Tablebases, Value};
use noughts_rules::{AnyGameState, Outcome, Side, Variant};
use plans::*;

const KEY: GameKey = GameKey {
    round: 0,
    first: 0,
    second: 1,
    swapped: false,
};
const X: Outcome = Outcome::Win(Side::X);
const O: Outcome = Outcome::Win(Side::O);
const MS: Duration = Duration::from_millis(1);

fn conditions() -> Conditions {
    Conditions {
        margin: 10 * MS,
        patience: 1000 * MS,
        move_limit: None,
        adjudication: Adjudication::default(),
        tablebases: Tablebases::default(),
        seeds: [1, 2],
        stop: StopFlag::new(),
    }
}

fn opening(variant: &str, moves: &str) -> Opening {
    let mut play = AnyGameState::new(variant.parse().expect("a variant"));
    for mv in moves.split_whitespace() {
        play.play(mv).expect("legal");
    }
    let moves = play.moves().len();
    Opening {
        state: play,
        plies: moves,
    }
}

fn play(
    opening: Opening,
    [mut x, mut o]: [Scripted; 2],
    pace: TimeControl,
    conditions: &Conditions,
) -> Option<PlayedGame> {
    let players: [&mut dyn Player; 2] = [&mut x, &mut o];
    let played = referee::play_game(KEY, opening, players, [pace; 2], conditions).finished();
    for player in [x, o] {
        assert_eq!((player.began, player.ended), (1, 1));
    }
    if let Some(played) = &played {
        assert_eq!(
            played.opening_plies + played.move_info.len(),
            played.state.moves().len()
        );
    }
    played
}

fn classic(players: [Scripted; 2], pace: TimeControl) -> PlayedGame {
    play(opening("classic", ""), players, pace, &conditions()).expect("played")
}

/// The first legal move, after so long.
fn slow(took: Duration) -> Scripted {
    Scripted::new(move |turn| {
        let mv = first_move(turn.state);
        Ok(MoveResponse {
            took,
            ..answer(&mv)
        })
    })
}

fn failing(mishap: PlayerErrorKind) -> Scripted {
    Scripted::new(move |_| {
        let message = "it fell".into();
        Err(PlayerError {
            kind: mishap,
            message,
        })
    })
}

/// Guards against a lack of files or processes that cost a bot the game.
#[test]
fn nobody_loses_by_what_is_nobodys_fault() {
    let course = |mut x: Scripted, mut o: Scripted| {
        let players: [&mut dyn Player; 2] = [&mut x, &mut o];
        let paces = [TimeControl::Nodes(1); 2];
        referee::play_game(KEY, opening("classic", ""), players, paces, &conditions())
    };
    let not_there = |mishap| Scripted {
        start: Err(PlayerError::new(mishap, "no room")),
        ..Scripted::first()
    };
    for course in [
        course(failing(PlayerErrorKind::HostFailure), Scripted::first()),
        course(Scripted::first(), failing(PlayerErrorKind::HostFailure)),
        course(not_there(PlayerErrorKind::HostFailure), Scripted::first()),
        course(
            not_there(PlayerErrorKind::StartFailure),
            not_there(PlayerErrorKind::HostFailure),
        ),
        course(
            not_there(PlayerErrorKind::HostFailure),
            not_there(PlayerErrorKind::StartFailure),
        ),
    ] {
        assert!(matches!(course, GameAttempt::HostFailure(_)), "{course:?}");
    }
}

#[test]
fn the_rules_end_games() {
    let x = Scripted::moves(&["b2", "c1", "a3"]);
    let o = Scripted::moves(&["a1", "a2"]);
    let played = classic([x, o], TimeControl::Nodes(1));
    assert_eq!((played.outcome, played.reason), (X, EndReason::Line));
    assert_eq!((played.opening_plies, played.move_info.len()), (0, 5));
    assert_eq!(played.note, None);
    let x = Scripted::moves(&["b2", "c1", "a2", "b1", "c3"]);
    let o = Scripted::moves(&["a1", "a3", "c2", "b3"]);
    let played = classic([x, o], TimeControl::Nodes(1));
    assert_eq!(
        (played.outcome, played.reason),
        (Outcome::Draw, EndReason::NoMove)
    );
}

#[test]
fn whoever_fails_loses_by_the_reason() {
    for (mishap, reason) in [
        (PlayerErrorKind::Crash, EndReason::Crash),
        (PlayerErrorKind::Timeout, EndReason::Timeout),
        (PlayerErrorKind::ProtocolError, EndReason::ProtocolError),
        (PlayerErrorKind::StartFailure, EndReason::StartFailure),
    ] {
        let played = classic([failing(mishap), Scripted::first()], TimeControl::Depth(1));
        assert_eq!((played.outcome, played.reason), (O, reason));
        assert_eq!(played.note.as_deref(), Some("it fell"));
        let played = classic([Scripted::first(), failing(mishap)], TimeControl::Depth(1));
        assert_eq!((played.outcome, played.reason), (X, reason));
        assert_eq!(played.move_info.len(), 1);
    }
}

#[test]
fn whoever_is_not_there_loses() {
    let absent = || {
        let mut player = Scripted::first();
        let (mishap, message) = (PlayerErrorKind::StartFailure, "no such file".into());
        player.start = Err(PlayerError {
            kind: mishap,
            message,
        });
        player
    };
    let played = classic([absent(), Scripted::first()], TimeControl::Nodes(1));
    assert_eq!(
        (played.outcome, played.reason),
        (O, EndReason::StartFailure)
    );
    let played = classic([Scripted::first(), absent()], TimeControl::Nodes(1));
    assert_eq!(
        (played.outcome, played.reason),
        (X, EndReason::StartFailure)
    );
    assert_eq!(played.note.as_deref(), Some("no such file"));
    let played = classic([absent(), absent()], TimeControl::Nodes(1));
    assert_eq!(
        (played.outcome, played.reason),
        (Outcome::Draw, EndReason::StartFailure)
    );
    assert_eq!(
        played.note.as_deref(),
        Some("X: no such file; O: no such file")
    );
}

#[test]
fn an_illegal_move_loses_and_the_rules_say_why() {
    for (mv, note) in [
        ("b2", "b2 is taken"),
        ("z9", "such as"),
        ("", "such as"),
        ("\u{0}💥", "such as"),
    ] {
        let played = classic(
            [
                Scripted::moves(&["b2"]),
                Scripted::new(move |_| Ok(answer(mv))),
            ],
            TimeControl::Nodes(1),
        );
        assert_eq!((played.outcome, played.reason), (X, EndReason::IllegalMove));
        let said = played.note.expect("a note");
        assert!(said.contains(note) || note == "such as", "{mv:?}: {said}");
        assert_eq!(played.state.moves(), ["b2"]);
    }
}

#[test]
fn time_for_each_move_has_a_margin_and_no_more() {
    let pace = TimeControl::MoveTime(100 * MS);
    let played = classic([slow(110 * MS), slow(110 * MS)], pace);
    assert_eq!(played.reason, EndReason::Line);
    assert!(played.move_info.iter().all(|mv| mv.took == 110 * MS));
    let late = 110 * MS + Duration::from_nanos(1);
    let played = classic([slow(late), slow(MS)], pace);
    assert_eq!((played.outcome, played.reason), (O, EndReason::Timeout));
    assert_eq!(
        played.note.as_deref(),
        Some("its move took 110.0 ms; 110.0 ms were allowed")
    );
    let played = classic([slow(MS), slow(200 * MS)], pace);
    assert_eq!((played.outcome, played.reason), (X, EndReason::Timeout));
}

#[test]
fn nodes_and_depth_know_only_patience() {
    for pace in [TimeControl::Nodes(1), TimeControl::Depth(1)] {
        let played = classic([slow(1000 * MS), slow(999 * MS)], pace);
        assert_eq!(played.reason, EndReason::Line);
        let played = classic([slow(1001 * MS), slow(MS)], pace);
        assert_eq!((played.outcome, played.reason), (O, EndReason::Timeout));
    }
}

/// What the players are told of the clocks, move by move.
#[test]
fn clocks_run_for_the_one_who_moves() {
    let seen: Arc<Mutex<Vec<[u128; 2]>>> = Arc::default();
    let watching = |took: Duration| {
        let seen = Arc::clone(&seen);
        Scripted::new(move |turn: &MoveRequest<'_>| {
            let clocks = turn.clocks.expect("clocks");
            seen.lock()
                .expect("no panic")
                .push(clocks.map(|clock| clock.remaining.as_millis()));
            let mv = first_move(turn.state);
            Ok(MoveResponse {
                took,
                ..answer(&mv)
            })
        })
    };
    let pace = TimeControl::Clock {
        base: 100 * MS,
        increment: 10 * MS,
    };
    let players = [watching(30 * MS), watching(70 * MS)];
    let played = play(opening("mnk:9,9,9", ""), players, pace, &conditions()).expect("played");
    let seen = seen.lock().expect("no panic");
    let expected = [[100, 100], [80, 100], [80, 40], [60, 40]];
    assert_eq!(*seen, expected);
    // 70 of 40 and 10 of margin.
    assert_eq!((played.outcome, played.reason), (X, EndReason::Timeout));
    assert_eq!(
        played.note.as_deref(),
        Some("its move took 70.0 ms; 50.0 ms were allowed")
    );
}

/// The margin is no gift: who uses it up has no time left for the next move.
#[test]
fn a_clock_at_nought_has_only_the_margin() {
    let pace = TimeControl::Clock {
        base: 20 * MS,
        increment: Duration::ZERO,
    };
    let played = classic([slow(10 * MS), slow(MS)], pace);
    assert_eq!(
        played.reason,
        EndReason::Line,
        "10 of 20, 10 of 10, 10 of the margin, …"
    );
    let x = || {
        Scripted::new(|turn| {
            let mv = turn.state.legal_moves().pop().expect("a move");
            Ok(MoveResponse {
                took: 11 * MS,
                ..answer(&mv)
            })
        })
    };
    let played = play(
        opening("mnk:9,9,9", ""),
        [x(), slow(MS)],
        pace,
        &conditions(),
    )
    .expect("played");
    assert_eq!((played.outcome, played.reason), (O, EndReason::Timeout));
    assert_eq!(
        played.state.moves().len(),
        4,
        "11 of 20, 11 of 9 and the margin, 11 of the margin"
    );
}

#[test]
fn each_has_its_own_pace() {
    let clock = TimeControl::Clock {
        base: 50 * MS,
        increment: Duration::ZERO,
    };
    for (paces, winner) in [
        ([clock, TimeControl::Nodes(1)], O),
        ([TimeControl::Nodes(1), clock], X),
    ] {
        let [mut x, mut o] = [slow(61 * MS), slow(61 * MS)];
        let players: [&mut dyn Player; 2] = [&mut x, &mut o];
        let played = referee::play_game(KEY, opening("classic", ""), players, paces, &conditions());
        let played = played.finished().expect("played");
        assert_eq!(
            (played.outcome, played.reason),
            (winner, EndReason::Timeout)
        );
    }
}

#[test]
fn a_limit_of_moves_is_a_draw_unless_the_rules_come_first() {
    let limited = |limit| Conditions {
        move_limit: Some(limit),
        ..conditions()
    };
    let both = || [Scripted::first(), Scripted::first()];
    let start = || opening("classic", "c3 c2");
    let played = play(start(), both(), TimeControl::Nodes(1), &limited(3)).expect("played");
    assert_eq!(
        (played.outcome, played.reason),
        (Outcome::Draw, EndReason::MoveLimit)
    );
    assert_eq!((played.opening_plies, played.move_info.len()), (2, 3));
    let whole = play(start(), both(), TimeControl::Nodes(1), &conditions()).expect("played");
    let moves = whole.move_info.len() as u32;
    let played = play(start(), both(), TimeControl::Nodes(1), &limited(moves)).expect("played");
    assert_eq!(played.reason, whole.reason, "the last move ends it");
}

fn thinking(value: impl Fn(usize) -> Option<Value> + Send + 'static) -> Scripted {
    Scripted::new(move |turn| {
        let mv = first_move(turn.state);
        let value = value(turn.state.moves().len());
        Ok(MoveResponse {
            value,
            ..answer(&mv)
        })
    })
}

fn about(mean: f64) -> Option<Value> {
    Some(Value::Estimate { mean, error: 0.1 })
}

#[test]
fn both_bots_can_agree() {
    let agreed = |moves, value| Some(AgreementThreshold { moves, value });
    let judged = |x: [f64; 8], o: [f64; 8], win, draw| {
        let said = |values: [f64; 8]| {
            thinking(move |ply| about(values[(ply / 2).min(7)]).filter(|_| values[0] < 5.0))
        };
        let conditions = Conditions {
            adjudication: Adjudication {
                exact: false,
                win,
                draw,
            },
            ..conditions()
        };
        let played = play(
            opening("mnk:9,9,9", ""),
            [said(x), said(o)],
            TimeControl::Nodes(1),
            &conditions,
        );
        let played = played.expect("played");
        (played.reason == EndReason::Agreement).then_some((played.outcome, played.move_info.len()))
    };
    let win = agreed(2, 0.9);
    assert_eq!(judged([0.9; 8], [-0.95; 8], win, None), Some((X, 4)));
    assert_eq!(judged([-1.0; 8], [1.0; 8], win, None), Some((O, 4)));
    // One of them is not so sure; both say that they win; one says nothing.
    assert_eq!(judged([0.9; 8], [-0.89; 8], win, None), None);
    assert_eq!(judged([1.0; 8], [1.0; 8], win, None), None);
    assert_eq!(judged([9.0; 8], [-1.0; 8], win, None), None);
    assert_eq!(judged([f64::NAN; 8], [-1.0; 8], win, win), None);
    // Doubts in between begin it anew.
    let doubts = [1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0];
    assert_eq!(judged(doubts, [-1.0; 8], win, None), Some((X, 7)));
    let draw = agreed(3, 0.05);
    assert_eq!(
        judged([0.05; 8], [-0.0; 8], win, draw),
        Some((Outcome::Draw, 6))
    );
    assert_eq!(judged([0.06; 8], [0.0; 8], win, draw), None);
    assert_eq!(judged([0.0; 8], [0.0; 8], win, None), None);
}

#[test]
fn exact_values_end_games() {
    let exact = Conditions {
        adjudication: Adjudication {
            exact: true,
            ..Adjudication::default()
        },
        ..conditions()
    };
    // x . .
    // . o .      O has the centre: a draw, as every first move is.
    // . . .
    let players = [Scripted::moves(&["a1"]), Scripted::moves(&["b2"])];
    let played = play(
        opening("classic", ""),
        players,
        TimeControl::Nodes(1),
        &exact,
    )
    .expect("played");
    assert_eq!(
        (played.outcome, played.reason),
        (Outcome::Draw, EndReason::ExactValue)
    );
    assert_eq!(played.move_info.len(), 1);
    // x o .
    // . . .      O's mistake: X wins.
    // . . .
    let players = [Scripted::first(), Scripted::moves(&["b1"])];
    let played = play(
        opening("classic", "a1"),
        players,
        TimeControl::Nodes(1),
        &exact,
    )
    .expect("played");
    assert_eq!((played.outcome, played.reason), (X, EndReason::ExactValue));
    assert!(played.note.expect("a note").contains("by a search"));
    // Too large to be searched: the players play on.
    let both = [Scripted::first(), Scripted::first()];
    let played = play(
        opening("mnk:9,9,5", ""),
        both,
        TimeControl::Nodes(1),
        &exact,
    )
    .expect("played");
    assert!(played.move_info.len() > 5);
}

/// Whatever is adjudicated is what the best play of both comes to.
#[test]
fn exact_values_agree_with_perfect_play() {
    let exact = Conditions {
        adjudication: Adjudication {
            exact: true,
            ..Adjudication::default()
        },
        ..conditions()
    };
    let mut decided = 0;
    for variant in ["classic", "misere", "mnk:4,3,3", "ception:depth=1"] {
        let variant: Variant = variant.parse().expect("a variant");
        let start = AnyGameState::new(variant);
        for first in start.legal_moves() {
            let mut play_on = start.clone();
            play_on.play(&first).expect("legal");
            for second in play_on.legal_moves() {
                let moves = format!("{first} {second}");
                let opening = opening(&variant.to_string(), &moves);
                let both = [Scripted::first(), Scripted::first()];
                let played = play(opening, both, TimeControl::Nodes(1), &exact).expect("played");
                if played.reason == EndReason::ExactValue {
                    decided += 1;
                    assert_eq!(
                        Some(played.outcome),
                        perfect(&played.state),
                        "{variant} {moves}"
                    );
                }
            }
        }
    }
    assert!(decided > 100);
}

/// Plain full search.
fn perfect(play: &AnyGameState) -> Option<Outcome> {
    if let Some(outcome) = play.outcome() {
        return Some(outcome);
    }
    let side = play.side();
    let mut best = None;
    for mv in play.legal_moves() {
        let mut next = play.clone();
        next.play(&mv).ok()?;
        let outcome = perfect(&next)?;
        let worth = |outcome: Outcome| match outcome.winner() {
            None => 0,
            Some(winner) if winner == side => 1,
            Some(_) => -1,
        };
        if best.is_none_or(|best| worth(outcome) > worth(best)) {
            best = Some(outcome);
        }
        if best == Some(Outcome::Win(side)) {
            break;
        }
    }
    best
}

#[test]
fn a_stopped_game_has_no_result() {
    let conditions = conditions();
    let stop = conditions.stop.clone();
    let x = Scripted::new(move |_| {
        stop.stop();
        // It was killed: that is not its fault.
        let (mishap, message) = (PlayerErrorKind::Crash, "killed".into());
        Err(PlayerError {
            kind: mishap,
            message,
        })
    });
    let played = play(
        opening("classic", ""),
        [x, Scripted::first()],
        TimeControl::Nodes(1),
        &conditions,
    );
    assert!(played.is_none());
}

#[test]
fn repetition_is_a_draw() {
    let x = Scripted::moves(&["b2", "d3", "@b3", "@b3", "@b3", "@b3"]);
    let o = Scripted::moves(&["c2", "c4", "@c3", "@c3", "@c3", "@c3"]);
    let played = play(
        opening("tic-tac-two", ""),
        [x, o],
        TimeControl::Nodes(1),
        &conditions(),
    );
    let played = played.expect("played");
    assert_eq!(
        (played.outcome, played.reason),
        (Outcome::Draw, EndReason::Repetition)
    );
}
