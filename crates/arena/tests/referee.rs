//! Single games: who wins, why, and what the clocks show. Players report their own times, so that
//! nothing here waits.

mod plans;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use noughts_arena::referee::{self, Conditions, GameAttempt};
use noughts_arena::{
    Adjudication, AgreementThreshold, EndReason, GameKey, MoveRequest, Opening, PlayedGame, Player,
    PlayerError, PlayerErrorKind, TimeControl,
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
    let mut state = AnyGameState::new(variant.parse().expect("a variant"));
    for mv in moves.split_whitespace() {
        state.play(mv).expect("legal");
    }
    let moves = state.moves().len();
    Opening {
        state,
        plies: moves,
    }
}

fn finished(attempt: GameAttempt) -> Option<PlayedGame> {
    match attempt {
        GameAttempt::Finished(game) => Some(*game),
        GameAttempt::Stopped | GameAttempt::HostFailure(_) => None,
    }
}

fn play(
    opening: Opening,
    [mut x, mut o]: [Scripted; 2],
    time_control: TimeControl,
    conditions: &Conditions,
) -> Option<PlayedGame> {
    let players: [&mut dyn Player; 2] = [&mut x, &mut o];
    let played = referee::play_game(KEY, opening, players, [time_control; 2], conditions);
    let played = finished(played);
    for player in [x, o] {
        assert_eq!((player.starts, player.ends), (1, 1));
    }
    if let Some(played) = &played {
        assert_eq!(
            played.opening_plies + played.move_info.len(),
            played.state.moves().len()
        );
    }
    played
}

fn classic(players: [Scripted; 2], time_control: TimeControl) -> PlayedGame {
    play(opening("classic", ""), players, time_control, &conditions()).expect("played")
}

/// Plays the first legal move after this time.
fn slow(took: Duration) -> Scripted {
    Scripted::new(move |request| {
        let mv = first_move(request.state);
        Ok(answer_after(took, &mv))
    })
}

fn failing(kind: PlayerErrorKind) -> Scripted {
    Scripted::new(move |_| {
        let message = "it fell".into();
        Err(PlayerError { kind, message })
    })
}

/// Guards against losing a game because the machine lacks files or processes.
#[test]
fn host_failures_lose_no_game() {
    let attempt = |mut x: Scripted, mut o: Scripted| {
        let players: [&mut dyn Player; 2] = [&mut x, &mut o];
        let time_controls = [TimeControl::Nodes(1); 2];
        referee::play_game(
            KEY,
            opening("classic", ""),
            players,
            time_controls,
            &conditions(),
        )
    };
    let not_starting = |kind| Scripted {
        start: Err(PlayerError::new(kind, "no room")),
        ..Scripted::first()
    };
    for attempt in [
        attempt(failing(PlayerErrorKind::HostFailure), Scripted::first()),
        attempt(Scripted::first(), failing(PlayerErrorKind::HostFailure)),
        attempt(
            not_starting(PlayerErrorKind::HostFailure),
            Scripted::first(),
        ),
        attempt(
            not_starting(PlayerErrorKind::StartFailure),
            not_starting(PlayerErrorKind::HostFailure),
        ),
        attempt(
            not_starting(PlayerErrorKind::HostFailure),
            not_starting(PlayerErrorKind::StartFailure),
        ),
    ] {
        assert!(
            matches!(attempt, GameAttempt::HostFailure(_)),
            "{attempt:?}"
        );
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
fn a_failing_player_loses_for_the_right_reason() {
    for (kind, reason) in [
        (PlayerErrorKind::Crash, EndReason::Crash),
        (PlayerErrorKind::Timeout, EndReason::Timeout),
        (PlayerErrorKind::ProtocolError, EndReason::ProtocolError),
        (PlayerErrorKind::StartFailure, EndReason::StartFailure),
    ] {
        let played = classic([failing(kind), Scripted::first()], TimeControl::Depth(1));
        assert_eq!((played.outcome, played.reason), (O, reason));
        assert_eq!(played.note.as_deref(), Some("it fell"));
        let played = classic([Scripted::first(), failing(kind)], TimeControl::Depth(1));
        assert_eq!((played.outcome, played.reason), (X, reason));
        assert_eq!(played.move_info.len(), 1);
    }
}

#[test]
fn a_player_that_does_not_start_loses() {
    let not_starting_player = || {
        let mut player = Scripted::first();
        let (kind, message) = (PlayerErrorKind::StartFailure, "no such file".into());
        player.start = Err(PlayerError { kind, message });
        player
    };
    let played = classic(
        [not_starting_player(), Scripted::first()],
        TimeControl::Nodes(1),
    );
    assert_eq!(
        (played.outcome, played.reason),
        (O, EndReason::StartFailure)
    );
    let played = classic(
        [Scripted::first(), not_starting_player()],
        TimeControl::Nodes(1),
    );
    assert_eq!(
        (played.outcome, played.reason),
        (X, EndReason::StartFailure)
    );
    assert_eq!(played.note.as_deref(), Some("no such file"));
    let played = classic(
        [not_starting_player(), not_starting_player()],
        TimeControl::Nodes(1),
    );
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
        let note_text = played.note.expect("a note");
        assert!(
            note_text.contains(note) || note == "such as",
            "{mv:?}: {note_text}"
        );
        assert_eq!(played.state.moves(), ["b2"]);
    }
}

#[test]
fn time_per_move_has_only_the_margin() {
    let time_control = TimeControl::MoveTime(100 * MS);
    let played = classic([slow(110 * MS), slow(110 * MS)], time_control);
    assert_eq!(played.reason, EndReason::Line);
    assert!(played.move_info.iter().all(|mv| mv.took == 110 * MS));
    let late = 110 * MS + Duration::from_nanos(1);
    let played = classic([slow(late), slow(MS)], time_control);
    assert_eq!((played.outcome, played.reason), (O, EndReason::Timeout));
    assert_eq!(
        played.note.as_deref(),
        Some("its move took 110.0 ms; the limit is 110.0 ms")
    );
    let played = classic([slow(MS), slow(200 * MS)], time_control);
    assert_eq!((played.outcome, played.reason), (X, EndReason::Timeout));
}

#[test]
fn node_and_depth_limits_use_the_patience() {
    for time_control in [TimeControl::Nodes(1), TimeControl::Depth(1)] {
        let played = classic([slow(1000 * MS), slow(999 * MS)], time_control);
        assert_eq!(played.reason, EndReason::Line);
        let played = classic([slow(1001 * MS), slow(MS)], time_control);
        assert_eq!((played.outcome, played.reason), (O, EndReason::Timeout));
    }
}

/// The clocks that the players are shown, move by move.
#[test]
fn clocks_run_for_the_side_to_move() {
    let seen: Arc<Mutex<Vec<[u128; 2]>>> = Arc::default();
    let watching = |took: Duration| {
        let seen = Arc::clone(&seen);
        Scripted::new(move |request: &MoveRequest<'_>| {
            let clocks = request.clocks.expect("clocks");
            seen.lock()
                .expect("no panic")
                .push(clocks.map(|clock| clock.remaining.as_millis()));
            let mv = first_move(request.state);
            Ok(answer_after(took, &mv))
        })
    };
    let time_control = TimeControl::Clock {
        base: 100 * MS,
        increment: 10 * MS,
    };
    let players = [watching(30 * MS), watching(70 * MS)];
    let played = play(
        opening("mnk:9,9,9", ""),
        players,
        time_control,
        &conditions(),
    )
    .expect("played");
    let seen = seen.lock().expect("no panic");
    let expected = [[100, 100], [80, 100], [80, 40], [60, 40]];
    assert_eq!(*seen, expected);
    // 70 ms of 40 ms and 10 ms of margin.
    assert_eq!((played.outcome, played.reason), (X, EndReason::Timeout));
    assert_eq!(
        played.note.as_deref(),
        Some("its move took 70.0 ms; the limit is 50.0 ms")
    );
}

/// The margin doesn't add time: a player that uses it up has none left for the next move.
#[test]
fn a_clock_at_zero_has_only_the_margin() {
    let time_control = TimeControl::Clock {
        base: 20 * MS,
        increment: Duration::ZERO,
    };
    let played = classic([slow(10 * MS), slow(MS)], time_control);
    assert_eq!(
        played.reason,
        EndReason::Line,
        "10 of 20, 10 of 10, 10 of the margin, …"
    );
    let x = || {
        Scripted::new(|request| {
            let mv = request.state.legal_moves().pop().expect("a move");
            Ok(answer_after(11 * MS, &mv))
        })
    };
    let played = play(
        opening("mnk:9,9,9", ""),
        [x(), slow(MS)],
        time_control,
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
fn each_player_has_its_own_time_control() {
    let clock = TimeControl::Clock {
        base: 50 * MS,
        increment: Duration::ZERO,
    };
    for (time_controls, winner) in [
        ([clock, TimeControl::Nodes(1)], O),
        ([TimeControl::Nodes(1), clock], X),
    ] {
        let [mut x, mut o] = [slow(61 * MS), slow(61 * MS)];
        let players: [&mut dyn Player; 2] = [&mut x, &mut o];
        let played = referee::play_game(
            KEY,
            opening("classic", ""),
            players,
            time_controls,
            &conditions(),
        );
        let played = finished(played).expect("played");
        assert_eq!(
            (played.outcome, played.reason),
            (winner, EndReason::Timeout)
        );
    }
}

#[test]
fn the_move_limit_is_a_draw_unless_the_rules_end_the_game() {
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
    let complete = play(start(), both(), TimeControl::Nodes(1), &conditions()).expect("played");
    let moves = complete.move_info.len() as u32;
    let played = play(start(), both(), TimeControl::Nodes(1), &limited(moves)).expect("played");
    assert_eq!(played.reason, complete.reason, "the last move ends it");
}

fn evaluating(value: impl Fn(usize) -> Option<Value> + Send + 'static) -> Scripted {
    Scripted::new(move |request| {
        let mv = first_move(request.state);
        let value = value(request.state.moves().len());
        let mut response = answer(&mv);
        response.info.value = value;
        Ok(response)
    })
}

fn estimate(mean: f64) -> Option<Value> {
    Some(Value::Estimate { mean, error: 0.1 })
}

#[test]
fn games_are_adjudicated_by_agreement() {
    let agreed = |moves, value| Some(AgreementThreshold { moves, value });
    let adjudicated = |x: [f64; 8], o: [f64; 8], win, draw| {
        let note_text = |values: [f64; 8]| {
            evaluating(move |ply| estimate(values[(ply / 2).min(7)]).filter(|_| values[0] < 5.0))
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
            [note_text(x), note_text(o)],
            TimeControl::Nodes(1),
            &conditions,
        );
        let played = played.expect("played");
        (played.reason == EndReason::Agreement).then_some((played.outcome, played.move_info.len()))
    };
    let win = agreed(2, 0.9);
    assert_eq!(adjudicated([0.9; 8], [-0.95; 8], win, None), Some((X, 4)));
    assert_eq!(adjudicated([-1.0; 8], [1.0; 8], win, None), Some((O, 4)));
    // One of them isn't certain enough; both claim a win; one reports nothing.
    assert_eq!(adjudicated([0.9; 8], [-0.89; 8], win, None), None);
    assert_eq!(adjudicated([1.0; 8], [1.0; 8], win, None), None);
    assert_eq!(adjudicated([9.0; 8], [-1.0; 8], win, None), None);
    assert_eq!(adjudicated([f64::NAN; 8], [-1.0; 8], win, win), None);
    // A doubt in between restarts the count.
    let doubts = [1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0];
    assert_eq!(adjudicated(doubts, [-1.0; 8], win, None), Some((X, 7)));
    let draw = agreed(3, 0.05);
    assert_eq!(
        adjudicated([0.05; 8], [-0.0; 8], win, draw),
        Some((Outcome::Draw, 6))
    );
    assert_eq!(adjudicated([0.06; 8], [0.0; 8], win, draw), None);
    assert_eq!(adjudicated([0.0; 8], [0.0; 8], win, None), None);
}

#[test]
fn games_are_adjudicated_by_exact_values() {
    let exact = Conditions {
        adjudication: Adjudication {
            exact: true,
            ..Adjudication::default()
        },
        ..conditions()
    };
    // x . .
    // . o .      O has the center: a draw, like every first move.
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
    assert!(played.note.expect("a note").contains("from a search"));
    // Too large to be searched: the game continues.
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

/// Adjudicated games have the result of perfect play.
#[test]
fn adjudicated_results_match_perfect_play() {
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

/// A plain full search.
fn perfect(state: &AnyGameState) -> Option<Outcome> {
    if let Some(outcome) = state.outcome() {
        return Some(outcome);
    }
    let side = state.side();
    let mut best = None;
    for mv in state.legal_moves() {
        let mut next = state.clone();
        next.play(&mv).ok()?;
        let outcome = perfect(&next)?;
        let score = |outcome: Outcome| match outcome.winner() {
            None => 0,
            Some(winner) if winner == side => 1,
            Some(_) => -1,
        };
        if best.is_none_or(|best| score(outcome) > score(best)) {
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
        // It was killed: that isn't its fault.
        let (kind, message) = (PlayerErrorKind::Crash, "killed".into());
        Err(PlayerError { kind, message })
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
