//! Shared by the tests of players: bots that fail on demand, and a minimal referee.

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

/// How much longer than its time a move may take. Generous: the machine may be busy.
pub(crate) const MARGIN: Duration = Duration::from_millis(500);
/// How long a bot may take to be ready, or to move if no time is given.
pub(crate) const PATIENCE: Duration = Duration::from_millis(3000);

/// A factory with its own tag.
pub(crate) fn factory() -> PlayerFactory {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    PlayerFactory {
        tag: format!("test{}x{number}", std::process::id()),
        ..PlayerFactory::new(PATIENCE)
    }
}

/// Test binaries can't serve as the launcher; the faulty bot can.
pub(crate) fn use_launcher() {
    set_launcher_command(vec![FAULTY.into(), "launch-bot".into()]);
}

pub(crate) fn program(protocol: Protocol, command: &str, arguments: &[&str]) -> BotSpec {
    use_launcher();
    BotSpec {
        name: arguments.join(" "),
        source: BotSource::Program(Program {
            protocol,
            command: command.into(),
            arguments: arguments.iter().map(|&text| text.into()).collect(),
            directory: None,
            options: BTreeMap::new(),
            threads: 1,
            ..Program::default()
        }),
        time_control: None,
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

pub(crate) fn builtin(text: &str) -> BotSpec {
    BotSpec::parse(text, &BotsFile::default()).expect("a built-in bot")
}

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// How a game ended.
#[derive(Debug)]
pub(crate) struct Result {
    pub(crate) state: AnyGameState,
    pub(crate) outcome: Outcome,
    pub(crate) reason: EndReason,
    pub(crate) note: String,
}

/// Plays a game; a player that fails loses it.
pub(crate) fn play(
    variant: Variant,
    players: [&mut dyn Player; 2],
    time_control: TimeControl,
    seed: u64,
) -> Result {
    play_from(AnyGameState::new(variant), players, time_control, seed)
}

pub(crate) fn play_from(
    mut state: AnyGameState,
    players: [&mut dyn Player; 2],
    time_control: TimeControl,
    seed: u64,
) -> Result {
    let mut clocks = match time_control {
        TimeControl::Clock { base, increment } => Some(
            [Clock {
                remaining: base,
                increment,
                moves_to_go: None,
            }; 2],
        ),
        _ => None,
    };
    let lost = |state: &AnyGameState, side: Side, reason: EndReason, note: String| Result {
        state: state.clone(),
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
            variant: state.variant(),
            side,
            seed: seed + side as u64,
        };
        if let Err(error) = player.start_game(&game) {
            x.end_game();
            o.end_game();
            return lost(
                &state,
                side,
                error.kind.end_reason().expect("a bot's fault"),
                error.message,
            );
        }
    }
    let result = loop {
        if let (Some(outcome), Some(ending)) = (state.outcome(), state.ending()) {
            break Result {
                outcome,
                reason: ending.into(),
                note: String::new(),
                state,
            };
        }
        let side = state.side();
        let player = match side {
            Side::X => &mut *x,
            Side::O => &mut *o,
        };
        let turn = MoveRequest {
            state: &state,
            time_control,
            clocks,
            margin: MARGIN,
            patience: PATIENCE,
        };
        match player.choose_move(&turn) {
            Ok(answer) => {
                if let Err(error) = state.play(&answer.mv) {
                    break lost(&state, side, EndReason::IllegalMove, error.to_string());
                }
                if let Some(clocks) = &mut clocks {
                    let clock = &mut clocks[side as usize];
                    clock.remaining =
                        clock.remaining.saturating_sub(answer.info.took) + clock.increment;
                }
            }
            Err(error) => {
                break lost(
                    &state,
                    side,
                    error.kind.end_reason().expect("a bot's fault"),
                    error.message,
                );
            }
        }
    };
    x.end_game();
    o.end_game();
    result
}

/// The `stat` lines of this process's children, including zombies.
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
