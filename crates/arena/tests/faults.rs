//! Every fault of a bot, at every time control and on both sides: the right side wins for the right
//! reason, nothing is left running, and nothing hangs.

mod external;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use external::{builtin, children, factory, faulty, play};
use noughts_arena::{EndReason, TimeControl, count_tagged_processes};
use noughts_rules::{Outcome, Side, Variant};

/// What the bot does, and why it loses; `None` if the game continues.
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

/// A time control, and how late a late bot has to be, in milliseconds.
const TIME_CONTROLS: [(&str, &str); 3] = [
    ("time=400ms", "950"),
    ("tc=400ms+10ms", "1000"),
    ("nodes=1", "3050"),
];

/// The same for CodinGame's protocol. It has no handshake, so anything before the first answer is a
/// failure to start.
fn codingame_reason(fault: &str, reason: Option<EndReason>) -> Option<EndReason> {
    match fault {
        // The first turn is the first communication with the bot.
        "silent-at-start" => Some(EndReason::Timeout),
        "flood-at-start" | "wrong-protocol" => Some(EndReason::ProtocolError),
        // Anything it writes is taken for its answer.
        "garbage --at 2" | "noise --at 2" => Some(EndReason::ProtocolError),
        _ => reason,
    }
}

struct Case {
    variant: Variant,
    arguments: Vec<&'static str>,
    time_control: &'static str,
    side: Side,
    reason: Option<EndReason>,
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let all = FAULTS.into_iter().chain([ENDLESS_LINE]);
    for (fault, reason) in all {
        for (time_control, late) in TIME_CONTROLS {
            for side in Side::BOTH {
                let mut arguments: Vec<&str> = fault.split(' ').collect();
                arguments.extend(["--late", late]);
                let case = |variant, arguments, reason| Case {
                    variant,
                    arguments,
                    time_control,
                    side,
                    reason,
                };
                cases.push(case(Variant::CLASSIC, arguments.clone(), reason));
                // CodinGame's protocol has no counterpart to `bestmove` without a move.
                if fault != "no-move --at 2" {
                    arguments.push("--codingame");
                    let reason = codingame_reason(fault, reason);
                    cases.push(case(Variant::ULTIMATE, arguments, reason));
                }
            }
        }
    }
    cases
}

/// Plays a case; returns what went wrong.
fn run_case(case: &Case, number: usize) -> Result<(), String> {
    let factory = factory();
    let time_control: TimeControl = case
        .time_control
        .parse()
        .map_err(|error| format!("{error}"))?;
    let player = |spec| {
        factory
            .make_player(&spec, case.variant)
            .map_err(|error| error.to_string())
    };
    let mut failing = player(faulty(&case.arguments))?;
    // The opponent is a built-in bot or a program.
    let mut opponent = match (number / 2) % 2 {
        0 => player(builtin("random"))?,
        _ => player(faulty(&["sound"]))?,
    };
    // A bot that failed in one game plays the next.
    for game in 0..2 {
        let seed = number as u64 * 2 + game;
        let result = match case.side {
            Side::X => play(
                case.variant,
                [&mut *failing, &mut *opponent],
                time_control,
                seed,
            ),
            Side::O => play(
                case.variant,
                [&mut *opponent, &mut *failing],
                time_control,
                seed,
            ),
        };
        let description = format!(
            "game {game}: {:?} {} {}",
            result.outcome, result.reason, result.note
        );
        match case.reason {
            Some(reason) => {
                if result.outcome != Outcome::Win(case.side.other()) || result.reason != reason {
                    return Err(description);
                }
                if result.note.is_empty() {
                    return Err(format!("no note: {description}"));
                }
            }
            None if result.reason.is_fault() => return Err(description),
            None => {}
        }
    }
    drop((failing, opponent));
    match count_tagged_processes(&factory.tag) {
        0 => Ok(()),
        n => Err(format!("{n} processes are left")),
    }
}

#[test]
fn a_failing_bot_loses_and_leaves_nothing_behind() {
    let cases = cases();
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    // Most of the time is spent waiting for bots that don't answer.
    thread::scope(|scope| {
        for _ in 0..12 {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(case) = cases.get(number) else {
                        break;
                    };
                    if let Err(what) = run_case(case, number) {
                        let Case {
                            arguments,
                            time_control,
                            side,
                            ..
                        } = case;
                        let description = format!(
                            "{} at {time_control} as {side}: {what}",
                            arguments.join(" ")
                        );
                        failures.lock().expect("no panic").push(description);
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().expect("no panic");
    assert!(
        failures.is_empty(),
        "{} of {} cases:\n{}",
        failures.len(),
        cases.len(),
        failures.join("\n")
    );
    // Not even zombies.
    assert_eq!(children(), Vec::<String>::new());
}
