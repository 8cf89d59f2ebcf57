//! Every fault of a bot, at every pace, on both sides: the right one wins for the right
//! reason, nothing is left running, and nothing hangs.

mod outside;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use noughts_arena::{EndReason, TimeControl, count_tagged_processes};
use noughts_rules::{Outcome, Side, Variant};
use outside::{children, faulty, making, ours, play};

/// What the bot does, and what it loses by; nothing where the game goes on.
const FAULTS: [(&str, Option<EndReason>); 25] = [
    ("sound", None),
    ("plain", None),
    ("noise --at 2", None),
    ("deaf", None),
    ("grandchild --at 2", None),
    ("daemon --at 2", None),
    ("crash-between-games", None),
    ("crash-at-start", Some(EndReason::StartFailure)),
    ("crash-in-handshake", Some(EndReason::StartFailure)),
    ("silent-at-start", Some(EndReason::StartFailure)),
    ("flood-at-start", Some(EndReason::StartFailure)),
    ("wrong-protocol", Some(EndReason::StartFailure)),
    ("crash-thinking --at 2", Some(EndReason::Crash)),
    ("crash-after-answer --at 1", Some(EndReason::Crash)),
    ("closes-pipe --at 2", Some(EndReason::Crash)),
    ("garbage --at 2", Some(EndReason::Crash)),
    ("grandchild-and-crash --at 2", Some(EndReason::Crash)),
    ("stall --at 2", Some(EndReason::Timeout)),
    ("late --at 2", Some(EndReason::Timeout)),
    ("half-line --at 2", Some(EndReason::Timeout)),
    ("never-reads --at 2", Some(EndReason::Timeout)),
    ("flood --at 2", Some(EndReason::ProtocolError)),
    ("no-move --at 2", Some(EndReason::ProtocolError)),
    ("twice --at 2", Some(EndReason::ProtocolError)),
    ("illegal --at 2", Some(EndReason::IllegalMove)),
];
const ENDLESS_LINE: (&str, Option<EndReason>) =
    ("endless-line --at 2", Some(EndReason::ProtocolError));

/// A pace, and how late a late bot has to be.
const PACES: [(&str, &str); 3] = [
    ("time=400ms", "950"),
    ("tc=400ms+10ms", "1000"),
    ("nodes=1", "3050"),
];

/// The same of CodinGame's protocol: there is no handshake, so that what happens before
/// the first answer is a failure to start.
fn of_codingame(fault: &str, reason: Option<EndReason>) -> Option<EndReason> {
    match fault {
        // Its first turn is the first time that one hears of it.
        "silent-at-start" => Some(EndReason::Timeout),
        "flood-at-start" | "wrong-protocol" => Some(EndReason::ProtocolError),
        // Whatever it writes is its answer.
        "garbage --at 2" | "noise --at 2" => Some(EndReason::ProtocolError),
        _ => reason,
    }
}

struct Case {
    variant: Variant,
    arguments: Vec<&'static str>,
    pace: &'static str,
    side: Side,
    reason: Option<EndReason>,
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let all = FAULTS.into_iter().chain([ENDLESS_LINE]);
    for (fault, reason) in all {
        for (pace, late) in PACES {
            for side in Side::BOTH {
                let mut arguments: Vec<&str> = fault.split(' ').collect();
                arguments.extend(["--late", late]);
                let case = |variant, arguments, reason| Case {
                    variant,
                    arguments,
                    pace,
                    side,
                    reason,
                };
                cases.push(case(Variant::CLASSIC, arguments.clone(), reason));
                // `bestmove` without a move has no counterpart there.
                if fault != "no-move --at 2" {
                    arguments.push("--codingame");
                    let reason = of_codingame(fault, reason);
                    cases.push(case(Variant::ULTIMATE, arguments, reason));
                }
            }
        }
    }
    cases
}

/// What went wrong, if anything did.
fn try_case(case: &Case, number: usize) -> Result<(), String> {
    let making = making();
    let pace: TimeControl = case.pace.parse().map_err(|error| format!("{error}"))?;
    let player = |spec| {
        making
            .make_player(&spec, case.variant)
            .map_err(|error| error.to_string())
    };
    let mut bad = player(faulty(&case.arguments))?;
    // The one it plays against is one of ours, or a program.
    let mut good = match (number / 2) % 2 {
        0 => player(ours("random"))?,
        _ => player(faulty(&["sound"]))?,
    };
    // A bot that fails in one game is there again for the next.
    for game in 0..2 {
        let seed = number as u64 * 2 + game;
        let result = match case.side {
            Side::X => play(case.variant, [&mut *bad, &mut *good], pace, seed),
            Side::O => play(case.variant, [&mut *good, &mut *bad], pace, seed),
        };
        let told = format!(
            "game {game}: {:?} {} {}",
            result.outcome, result.reason, result.note
        );
        match case.reason {
            Some(reason) => {
                if result.outcome != Outcome::Win(case.side.other()) || result.reason != reason {
                    return Err(told);
                }
                if result.note.is_empty() {
                    return Err(format!("no note: {told}"));
                }
            }
            None if result.reason.is_fault() => return Err(told),
            None => {}
        }
    }
    drop((bad, good));
    match count_tagged_processes(&making.tag) {
        0 => Ok(()),
        n => Err(format!("{n} processes are left")),
    }
}

#[test]
fn whoever_fails_loses_and_leaves_nothing_behind() {
    let cases = cases();
    let next = AtomicUsize::new(0);
    let wrong = Mutex::new(Vec::new());
    // Most of the time somebody waits for a bot that does not answer.
    thread::scope(|scope| {
        for _ in 0..12 {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(case) = cases.get(number) else {
                        break;
                    };
                    if let Err(what) = try_case(case, number) {
                        let Case {
                            arguments,
                            pace,
                            side,
                            ..
                        } = case;
                        let told = format!("{} at {pace} as {side}: {what}", arguments.join(" "));
                        wrong.lock().expect("no panic").push(told);
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("no panic");
    assert!(
        wrong.is_empty(),
        "{} of {} cases:\n{}",
        wrong.len(),
        cases.len(),
        wrong.join("\n")
    );
    // Not even one that nobody has waited for.
    assert_eq!(children(), Vec::<String>::new());
}
