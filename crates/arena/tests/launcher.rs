//! What the launcher does for an outside bot: its environment, its limits, its end.
#![cfg(unix)]

mod outside;

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use noughts_arena::{
    BotSource, BotSpec, MoveRequest, NewGame, PlayerErrorKind, Protocol, TimeControl,
};
use noughts_rules::{AnyGameState, Side, Variant};
use outside::{making, program};

const GAME: NewGame = NewGame {
    variant: Variant::CLASSIC,
    side: Side::X,
    seed: 1,
};

/// Longer than any machine needs.
const LIMIT: Duration = Duration::from_secs(60);

/// A bot in a line of shell that does something first, and something at each `go`.
fn shell(first: &str, go: &str) -> BotSpec {
    let script = format!(
        "{first}; while read word rest; do case $word in ugi) echo ugiok;; \
         isready) echo readyok;; go) {go};; quit) exit;; esac; done"
    );
    program(Protocol::Ugi, "sh", &["-c", &script])
}

fn with(mut spec: BotSpec, change: impl FnOnce(&mut noughts_arena::Program)) -> BotSpec {
    if let BotSource::Program(program) = &mut spec.who {
        change(program);
    }
    spec
}

fn started(spec: &BotSpec) -> Box<dyn noughts_arena::Player> {
    let mut player = making()
        .make_player(spec, Variant::CLASSIC)
        .expect("a player");
    player.start_game(&GAME).expect("it begins");
    player
}

/// Secrets in the arena's environment are none of a bot's business.
#[test]
fn a_bot_sees_a_clean_environment() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("seen");
    let seen = |change: &dyn Fn(&mut noughts_arena::Program)| {
        let spec = shell(&format!("env > '{}'", file.display()), "exit");
        drop(started(&with(spec, |program| change(program))));
        fs::read_to_string(&file).expect("it was written")
    };
    // Cargo and nextest set this one for every test.
    let secret = "CARGO_MANIFEST_DIR";
    assert!(std::env::var_os(secret).is_some());
    let has = |seen: &str, start: &str| seen.lines().any(|line| line.starts_with(start));
    let clean = seen(&|_| {});
    assert!(
        has(&clean, "PATH=") && has(&clean, "NOUGHTS_ARENA="),
        "{clean}"
    );
    assert!(!has(&clean, secret), "{clean}");
    let asked = seen(&|program| {
        program.env.insert(secret.into(), None);
        program.env.insert("MORE".into(), Some("a b".into()));
        program.env.insert("MISSING".into(), None);
    });
    assert!(has(&asked, &format!("{secret}=/")), "{asked}");
    assert!(
        has(&asked, "MORE=a b") && !has(&asked, "MISSING"),
        "{asked}"
    );
}

#[test]
fn a_bot_has_the_limits_it_was_given() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("limits");
    let first = format!("(ulimit -d; ulimit -v; ulimit -t) > '{}'", file.display());
    let spec = with(shell(&first, "exit"), |program| {
        program.memory = Some(64);
        program.cpu = Some(7);
    });
    drop(started(&spec));
    let text = fs::read_to_string(&file).expect("it was written");
    let limits: Vec<&str> = text.lines().collect();
    // In KiB; Linux counts what is allocated, others the address space.
    let memory = if cfg!(target_os = "linux") { 0 } else { 1 };
    assert_eq!((limits[memory], limits[2]), ("65536", "7"), "{text}");
}

#[test]
fn a_bot_that_uses_up_its_processor_time_is_told_so() {
    let spec = with(shell(":", "while :; do :; done"), |program| {
        program.cpu = Some(1);
    });
    let mut player = started(&spec);
    let play = AnyGameState::new(Variant::CLASSIC);
    let turn = MoveRequest {
        state: &play,
        time_control: TimeControl::Nodes(1),
        clocks: None,
        margin: Duration::ZERO,
        patience: LIMIT,
    };
    let fault = player.choose_move(&turn).expect_err("it never answers");
    assert_eq!(fault.kind, PlayerErrorKind::Crash, "{fault}");
    assert!(fault.message.contains("processor time"), "{fault}");
}

/// Is it alive, and not only waiting to be reaped?
fn runs(pid: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat.rsplit_once(')').map(|(_, rest)| rest.trim_start());
    state.is_some_and(|state| !state.starts_with(['Z', 'X']))
}

fn read_when_written(file: &Path) -> String {
    let until = Instant::now() + LIMIT;
    loop {
        match fs::read_to_string(file) {
            Ok(text) if text.ends_with('\n') => return text.trim().to_owned(),
            _ => assert!(
                Instant::now() < until,
                "{} was never written",
                file.display()
            ),
        }
        std::thread::yield_now();
    }
}

/// One that left its group, its session, its parent and its environment still descends
/// from the launcher.
#[cfg(target_os = "linux")]
#[test]
fn a_daemon_without_an_environment_ends_with_its_bot() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("pid");
    let first = format!(
        "(env -i setsid sh -c 'echo $$ > \"{}\"; exec /bin/sleep 1000' >/dev/null 2>&1 </dev/null &)",
        file.display()
    );
    let player = started(&shell(&first, "exit"));
    let pid = read_when_written(&file);
    assert!(runs(&pid));
    drop(player);
    assert!(!runs(&pid), "process {pid} is left");
}

/// Where the launcher itself is killed, by its bot for example, the bot still ends.
#[cfg(target_os = "linux")]
#[test]
fn a_bot_that_kills_its_launcher_gains_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("pid");
    let go = format!(
        // First what the test reads: without its launcher the bot is killed at any moment.
        "echo $$ > '{}'; kill -9 $PPID; while :; do :; done",
        file.display()
    );
    let mut player = started(&shell(":", &go));
    let play = AnyGameState::new(Variant::CLASSIC);
    let turn = MoveRequest {
        state: &play,
        time_control: TimeControl::Nodes(1),
        clocks: None,
        margin: Duration::ZERO,
        patience: LIMIT,
    };
    let fault = player.choose_move(&turn).expect_err("it never answers");
    assert_eq!(fault.kind, PlayerErrorKind::Crash, "{fault}");
    drop(player);
    let pid = read_when_written(&file);
    assert!(!runs(&pid), "process {pid} is left");
}
