//! One game: who wins, by what, and what the clocks say. Time is what the players say it
//! is, so that nothing here waits.

mod plans;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use noughts_arena::referee::{self, Conditions, Course};
use noughts_arena::{
    Adjudication, Agreed, Answer, Fault, Key, Mishap, Opening, Pace, Played, Player, Reason, Turn,
};
use noughts_engine::{Stop, Tables, Value};
use noughts_rules::{AnyPlay, Outcome, Player as Side, Variant};
use plans::*;

const KEY: Key = Key {
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
        tables: Tables::default(),
        seeds: [1, 2],
        stop: Stop::new(),
    }
}

fn opening(variant: &str, moves: &str) -> Opening {
    let mut play = AnyPlay::new(variant.parse().expect("a variant"));
    for mv in moves.split_whitespace() {
        play.play(mv).expect("legal");
    }
    let moves = play.moves().len();
    Opening { play, moves }
}

fn play(
    opening: Opening,
    [mut x, mut o]: [Scripted; 2],
    pace: Pace,
    conditions: &Conditions,
) -> Option<Played> {
    let players: [&mut dyn Player; 2] = [&mut x, &mut o];
    let played = referee::play(KEY, opening, players, [pace; 2], conditions).played();
    for player in [x, o] {
        assert_eq!((player.began, player.ended), (1, 1));
    }
    if let Some(played) = &played {
        assert_eq!(
            played.opening + played.moves.len(),
            played.play.moves().len()
        );
    }
    played
}

fn classic(players: [Scripted; 2], pace: Pace) -> Played {
    play(opening("classic", ""), players, pace, &conditions()).expect("played")
}

/// The first legal move, after so long.
fn slow(took: Duration) -> Scripted {
    Scripted::new(move |turn| {
        let mv = first_move(turn.play);
        Ok(Answer {
            took,
            ..answer(&mv)
        })
    })
}

fn failing(mishap: Mishap) -> Scripted {
    Scripted::new(move |_| {
        let message = "it fell".into();
        Err(Fault { mishap, message })
    })
}

/// Guards against a lack of files or processes that cost a bot the game.
#[test]
fn nobody_loses_by_what_is_nobodys_fault() {
    let course = |mut x: Scripted, mut o: Scripted| {
        let players: [&mut dyn Player; 2] = [&mut x, &mut o];
        let paces = [Pace::Nodes(1); 2];
        referee::play(KEY, opening("classic", ""), players, paces, &conditions())
    };
    let not_there = |mishap| Scripted {
        start: Err(Fault::new(mishap, "no room")),
        ..Scripted::first()
    };
    for course in [
        course(failing(Mishap::Arena), Scripted::first()),
        course(Scripted::first(), failing(Mishap::Arena)),
        course(not_there(Mishap::Arena), Scripted::first()),
        course(not_there(Mishap::Start), not_there(Mishap::Arena)),
        course(not_there(Mishap::Arena), not_there(Mishap::Start)),
    ] {
        assert!(matches!(course, Course::Hindered(_)), "{course:?}");
    }
}

#[test]
fn the_rules_end_games() {
    let x = Scripted::moves(&["b2", "c1", "a3"]);
    let o = Scripted::moves(&["a1", "a2"]);
    let played = classic([x, o], Pace::Nodes(1));
    assert_eq!((played.outcome, played.reason), (X, Reason::Line));
    assert_eq!((played.opening, played.moves.len()), (0, 5));
    assert_eq!(played.note, None);
    let x = Scripted::moves(&["b2", "c1", "a2", "b1", "c3"]);
    let o = Scripted::moves(&["a1", "a3", "c2", "b3"]);
    let played = classic([x, o], Pace::Nodes(1));
    assert_eq!(
        (played.outcome, played.reason),
        (Outcome::Draw, Reason::NoMove)
    );
}

#[test]
fn whoever_fails_loses_by_the_reason() {
    for (mishap, reason) in [
        (Mishap::Crash, Reason::Crash),
        (Mishap::Time, Reason::Time),
        (Mishap::Protocol, Reason::Protocol),
        (Mishap::Start, Reason::Start),
    ] {
        let played = classic([failing(mishap), Scripted::first()], Pace::Depth(1));
        assert_eq!((played.outcome, played.reason), (O, reason));
        assert_eq!(played.note.as_deref(), Some("it fell"));
        let played = classic([Scripted::first(), failing(mishap)], Pace::Depth(1));
        assert_eq!((played.outcome, played.reason), (X, reason));
        assert_eq!(played.moves.len(), 1);
    }
}

#[test]
fn whoever_is_not_there_loses() {
    let absent = || {
        let mut player = Scripted::first();
        let (mishap, message) = (Mishap::Start, "no such file".into());
        player.start = Err(Fault { mishap, message });
        player
    };
    let played = classic([absent(), Scripted::first()], Pace::Nodes(1));
    assert_eq!((played.outcome, played.reason), (O, Reason::Start));
    let played = classic([Scripted::first(), absent()], Pace::Nodes(1));
    assert_eq!((played.outcome, played.reason), (X, Reason::Start));
    assert_eq!(played.note.as_deref(), Some("no such file"));
    let played = classic([absent(), absent()], Pace::Nodes(1));
    assert_eq!(
        (played.outcome, played.reason),
        (Outcome::Draw, Reason::Start)
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
            Pace::Nodes(1),
        );
        assert_eq!((played.outcome, played.reason), (X, Reason::IllegalMove));
        let said = played.note.expect("a note");
        assert!(said.contains(note) || note == "such as", "{mv:?}: {said}");
        assert_eq!(played.play.moves(), ["b2"]);
    }
}

#[test]
fn time_for_each_move_has_a_margin_and_no_more() {
    let pace = Pace::Move(100 * MS);
    let played = classic([slow(110 * MS), slow(110 * MS)], pace);
    assert_eq!(played.reason, Reason::Line);
    assert!(played.moves.iter().all(|mv| mv.took == 110 * MS));
    let late = 110 * MS + Duration::from_nanos(1);
    let played = classic([slow(late), slow(MS)], pace);
    assert_eq!((played.outcome, played.reason), (O, Reason::Time));
    assert_eq!(
        played.note.as_deref(),
        Some("its move took 110.0 ms; 110.0 ms were allowed")
    );
    let played = classic([slow(MS), slow(200 * MS)], pace);
    assert_eq!((played.outcome, played.reason), (X, Reason::Time));
}

#[test]
fn nodes_and_depth_know_only_patience() {
    for pace in [Pace::Nodes(1), Pace::Depth(1)] {
        let played = classic([slow(1000 * MS), slow(999 * MS)], pace);
        assert_eq!(played.reason, Reason::Line);
        let played = classic([slow(1001 * MS), slow(MS)], pace);
        assert_eq!((played.outcome, played.reason), (O, Reason::Time));
    }
}

/// What the players are told of the clocks, move by move.
#[test]
fn clocks_run_for_the_one_who_moves() {
    let seen: Arc<Mutex<Vec<[u128; 2]>>> = Arc::default();
    let watching = |took: Duration| {
        let seen = Arc::clone(&seen);
        Scripted::new(move |turn: &Turn<'_>| {
            let clocks = turn.clocks.expect("clocks");
            seen.lock()
                .expect("no panic")
                .push(clocks.map(|clock| clock.left.as_millis()));
            let mv = first_move(turn.play);
            Ok(Answer {
                took,
                ..answer(&mv)
            })
        })
    };
    let pace = Pace::Clock {
        base: 100 * MS,
        increment: 10 * MS,
    };
    let players = [watching(30 * MS), watching(70 * MS)];
    let played = play(opening("mnk:9,9,9", ""), players, pace, &conditions()).expect("played");
    let seen = seen.lock().expect("no panic");
    let expected = [[100, 100], [80, 100], [80, 40], [60, 40]];
    assert_eq!(*seen, expected);
    // 70 of 40 and 10 of margin.
    assert_eq!((played.outcome, played.reason), (X, Reason::Time));
    assert_eq!(
        played.note.as_deref(),
        Some("its move took 70.0 ms; 50.0 ms were allowed")
    );
}

/// The margin is no gift: who uses it up has no time left for the next move.
#[test]
fn a_clock_at_nought_has_only_the_margin() {
    let pace = Pace::Clock {
        base: 20 * MS,
        increment: Duration::ZERO,
    };
    let played = classic([slow(10 * MS), slow(MS)], pace);
    assert_eq!(
        played.reason,
        Reason::Line,
        "10 of 20, 10 of 10, 10 of the margin, …"
    );
    let x = || {
        Scripted::new(|turn| {
            let mv = turn.play.legal_moves().pop().expect("a move");
            Ok(Answer {
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
    assert_eq!((played.outcome, played.reason), (O, Reason::Time));
    assert_eq!(
        played.play.moves().len(),
        4,
        "11 of 20, 11 of 9 and the margin, 11 of the margin"
    );
}

#[test]
fn each_has_its_own_pace() {
    let clock = Pace::Clock {
        base: 50 * MS,
        increment: Duration::ZERO,
    };
    for (paces, winner) in [([clock, Pace::Nodes(1)], O), ([Pace::Nodes(1), clock], X)] {
        let [mut x, mut o] = [slow(61 * MS), slow(61 * MS)];
        let players: [&mut dyn Player; 2] = [&mut x, &mut o];
        let played = referee::play(KEY, opening("classic", ""), players, paces, &conditions());
        let played = played.played().expect("played");
        assert_eq!((played.outcome, played.reason), (winner, Reason::Time));
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
    let played = play(start(), both(), Pace::Nodes(1), &limited(3)).expect("played");
    assert_eq!(
        (played.outcome, played.reason),
        (Outcome::Draw, Reason::MoveLimit)
    );
    assert_eq!((played.opening, played.moves.len()), (2, 3));
    let whole = play(start(), both(), Pace::Nodes(1), &conditions()).expect("played");
    let moves = whole.moves.len() as u32;
    let played = play(start(), both(), Pace::Nodes(1), &limited(moves)).expect("played");
    assert_eq!(played.reason, whole.reason, "the last move ends it");
}

fn thinking(value: impl Fn(usize) -> Option<Value> + Send + 'static) -> Scripted {
    Scripted::new(move |turn| {
        let mv = first_move(turn.play);
        let value = value(turn.play.moves().len());
        Ok(Answer {
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
    let agreed = |moves, value| Some(Agreed { moves, value });
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
            Pace::Nodes(1),
            &conditions,
        );
        let played = played.expect("played");
        (played.reason == Reason::Agreement).then_some((played.outcome, played.moves.len()))
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
    let played = play(opening("classic", ""), players, Pace::Nodes(1), &exact).expect("played");
    assert_eq!(
        (played.outcome, played.reason),
        (Outcome::Draw, Reason::Table)
    );
    assert_eq!(played.moves.len(), 1);
    // x o .
    // . . .      O's mistake: X wins.
    // . . .
    let players = [Scripted::first(), Scripted::moves(&["b1"])];
    let played = play(opening("classic", "a1"), players, Pace::Nodes(1), &exact).expect("played");
    assert_eq!((played.outcome, played.reason), (X, Reason::Table));
    assert!(played.note.expect("a note").contains("by a search"));
    // Too large to be searched: the players play on.
    let both = [Scripted::first(), Scripted::first()];
    let played = play(opening("mnk:9,9,5", ""), both, Pace::Nodes(1), &exact).expect("played");
    assert!(played.moves.len() > 5);
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
        let start = AnyPlay::new(variant);
        for first in start.legal_moves() {
            let mut play_on = start.clone();
            play_on.play(&first).expect("legal");
            for second in play_on.legal_moves() {
                let moves = format!("{first} {second}");
                let opening = opening(&variant.to_string(), &moves);
                let both = [Scripted::first(), Scripted::first()];
                let played = play(opening, both, Pace::Nodes(1), &exact).expect("played");
                if played.reason == Reason::Table {
                    decided += 1;
                    assert_eq!(
                        Some(played.outcome),
                        perfect(&played.play),
                        "{variant} {moves}"
                    );
                }
            }
        }
    }
    assert!(decided > 100);
}

/// Plain full search.
fn perfect(play: &AnyPlay) -> Option<Outcome> {
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
        let (mishap, message) = (Mishap::Crash, "killed".into());
        Err(Fault { mishap, message })
    });
    let played = play(
        opening("classic", ""),
        [x, Scripted::first()],
        Pace::Nodes(1),
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
        Pace::Nodes(1),
        &conditions(),
    );
    let played = played.expect("played");
    assert_eq!(
        (played.outcome, played.reason),
        (Outcome::Draw, Reason::Repetition)
    );
}
