//! What tests of players share: bots that fail on demand, and the smallest referee.

#![allow(dead_code, reason = "not every test needs everything")]

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use noughts_arena::{
    BotSource, BotSpec, BotsFile, EndReason, MoveRequest, NewGame, Player, PlayerFactory, Program,
    Protocol, TimeControl, set_launcher_command,
};
use noughts_engine::Clock;
use noughts_rules::{AnyGameState, Outcome, Side, Variant};

pub(crate) const FAULTY: &str = env!("CARGO_BIN_EXE_faulty-bot");

/// How much later than its time a bot may be. Generous: the machine may be busy.
pub(crate) const MARGIN: Duration = Duration::from_millis(500);
/// How long a bot may take to be ready, and to move where no time is given.
pub(crate) const PATIENCE: Duration = Duration::from_millis(3000);

/// Players under a tag of their own.
pub(crate) fn making() -> PlayerFactory {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    PlayerFactory {
        tag: format!("test{}x{number}", std::process::id()),
        ..PlayerFactory::new(PATIENCE)
    }
}

/// A test is no launcher: the faulty bot can be one.
pub(crate) fn use_launcher() {
    set_launcher_command(vec![FAULTY.into(), "launch-bot".into()]);
}

pub(crate) fn program(protocol: Protocol, command: &str, arguments: &[&str]) -> BotSpec {
    use_launcher();
    BotSpec {
        name: arguments.join(" "),
        who: BotSource::Program(Program {
            protocol,
            command: command.into(),
            arguments: arguments.iter().map(|&text| text.into()).collect(),
            directory: None,
            options: BTreeMap::new(),
            threads: 1,
            ..Program::default()
        }),
        pace: None,
    }
}

/// A bot that fails on demand.
pub(crate) fn faulty(arguments: &[&str]) -> BotSpec {
    let protocol = match arguments.contains(&"--codingame") {
        true => Protocol::Codingame,
        false => Protocol::Ugi,
    };
    program(protocol, FAULTY, arguments)
}

pub(crate) fn ours(text: &str) -> BotSpec {
    BotSpec::parse(text, &BotsFile::default()).expect("a bot of ours")
}

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// How a game ended.
#[derive(Debug)]
pub(crate) struct Result {
    pub(crate) play: AnyGameState,
    pub(crate) outcome: Outcome,
    pub(crate) reason: EndReason,
    pub(crate) note: String,
}

/// Plays a game; whoever fails loses it.
pub(crate) fn play(
    variant: Variant,
    players: [&mut dyn Player; 2],
    pace: TimeControl,
    seed: u64,
) -> Result {
    play_from(AnyGameState::new(variant), players, pace, seed)
}

pub(crate) fn play_from(
    mut play: AnyGameState,
    players: [&mut dyn Player; 2],
    pace: TimeControl,
    seed: u64,
) -> Result {
    let mut clocks = match pace {
        TimeControl::Clock { base, increment } => Some(
            [Clock {
                remaining: base,
                increment,
                moves_to_go: None,
            }; 2],
        ),
        _ => None,
    };
    let lost = |play: &AnyGameState, side: Side, reason: EndReason, note: String| Result {
        play: play.clone(),
        outcome: Outcome::Win(side.other()),
        reason,
        note,
    };
    let [x, o] = players;
    for side in Side::BOTH {
        let player = match side {
            Side::X => &mut *x,
            Side::O => &mut *o,
        };
        let game = NewGame {
            variant: play.variant(),
            side,
            seed: seed + side as u64,
        };
        if let Err(fault) = player.start_game(&game) {
            x.end_game();
            o.end_game();
            return lost(
                &play,
                side,
                fault.kind.end_reason().expect("a bot's fault"),
                fault.message,
            );
        }
    }
    let result = loop {
        if let (Some(outcome), Some(ending)) = (play.outcome(), play.ending()) {
            break Result {
                outcome,
                reason: ending.into(),
                note: String::new(),
                play,
            };
        }
        let side = play.side();
        let player = match side {
            Side::X => &mut *x,
            Side::O => &mut *o,
        };
        let turn = MoveRequest {
            state: &play,
            time_control: pace,
            clocks,
            margin: MARGIN,
            patience: PATIENCE,
        };
        match player.choose_move(&turn) {
            Ok(answer) => {
                if let Err(refusal) = play.play(&answer.mv) {
                    break lost(&play, side, EndReason::IllegalMove, refusal.to_string());
                }
                if let Some(clocks) = &mut clocks {
                    let clock = &mut clocks[side as usize];
                    clock.remaining = clock.remaining.saturating_sub(answer.took) + clock.increment;
                }
            }
            Err(fault) => {
                break lost(
                    &play,
                    side,
                    fault.kind.end_reason().expect("a bot's fault"),
                    fault.message,
                );
            }
        }
    };
    x.end_game();
    o.end_game();
    result
}

/// The children of this process, those not reaped, too, with their names.
pub(crate) fn children() -> Vec<String> {
    let own = std::process::id().to_string();
    let Ok(entries) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    entries
        .filter_map(|entry| fs::read_to_string(entry.ok()?.path().join("stat")).ok())
        .filter(|stat| {
            let rest = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
            rest.split_whitespace().nth(1) == Some(&own)
        })
        .collect()
}
