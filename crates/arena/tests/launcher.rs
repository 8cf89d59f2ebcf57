//! What the launcher does for an external bot: environment, limits and termination.
#![cfg(unix)]

mod external;

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use external::{factory, program};
use noughts_arena::{
    BotSource, BotSpec, MoveRequest, NewGame, PlayerErrorKind, Protocol, TimeControl,
};
use noughts_rules::{AnyGameState, Side, Variant};

const GAME: NewGame = NewGame {
    variant: Variant::CLASSIC,
    side: Side::X,
    seed: 1,
};

/// Longer than any machine needs.
const LIMIT: Duration = Duration::from_secs(60);

/// A bot as a shell script that runs a command at its start and another at each `go`.
fn shell(first: &str, go: &str) -> BotSpec {
    let script = format!(
        "{first}; while read word rest; do case $word in ugi) echo ugiok;; \
         isready) echo readyok;; go) {go};; quit) exit;; esac; done"
    );
    program(Protocol::Ugi, "sh", &["-c", &script])
}

fn with_program(mut spec: BotSpec, change: impl FnOnce(&mut noughts_arena::Program)) -> BotSpec {
    if let BotSource::Program(program) = &mut spec.source {
        change(program);
    }
    spec
}

fn start_player(spec: &BotSpec) -> Box<dyn noughts_arena::Player> {
    let mut player = factory()
        .make_player(spec, Variant::CLASSIC)
        .expect("a player");
    player.start_game(&GAME).expect("it begins");
    player
}

/// Secrets in the arena's environment aren't passed to bots.
#[test]
fn a_bot_gets_a_clean_environment() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("seen");
    let seen = |change: &dyn Fn(&mut noughts_arena::Program)| {
        let spec = shell(&format!("env > '{}'", file.display()), "exit");
        drop(start_player(&with_program(spec, |program| change(program))));
        fs::read_to_string(&file).expect("it was written")
    };
    // Cargo and nextest set this variable for every test.
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
fn limits_are_applied_to_a_bot() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("limits");
    let first = format!("(ulimit -d; ulimit -v; ulimit -t) > '{}'", file.display());
    let spec = with_program(shell(&first, "exit"), |program| {
        program.memory = Some(64);
        program.cpu = Some(7);
    });
    drop(start_player(&spec));
    let text = fs::read_to_string(&file).expect("it was written");
    let limits: Vec<&str> = text.lines().collect();
    // In KiB; Linux limits what is allocated, other systems the address space.
    let memory = if cfg!(target_os = "linux") { 0 } else { 1 };
    assert_eq!((limits[memory], limits[2]), ("65536", "7"), "{text}");
}

#[test]
fn using_up_the_cpu_time_is_reported() {
    let spec = with_program(shell(":", "while :; do :; done"), |program| {
        program.cpu = Some(1);
    });
    let mut player = start_player(&spec);
    let state = AnyGameState::new(Variant::CLASSIC);
    let request = MoveRequest {
        state: &state,
        time_control: TimeControl::Nodes(1),
        clocks: None,
        margin: Duration::ZERO,
        patience: LIMIT,
    };
    let error = player.choose_move(&request).expect_err("it never answers");
    assert_eq!(error.kind, PlayerErrorKind::Crash, "{error}");
    assert!(error.message.contains("CPU time"), "{error}");
}

/// Whether the process is alive, and not a zombie.
fn is_running(pid: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat.rsplit_once(')').map(|(_, rest)| rest.trim_start());
    state.is_some_and(|state| !state.starts_with(['Z', 'X']))
}

fn wait_for_file(file: &Path) -> String {
    let deadline = Instant::now() + LIMIT;
    loop {
        match fs::read_to_string(file) {
            Ok(text) if text.ends_with('\n') => return text.trim().to_owned(),
            _ => assert!(
                Instant::now() < deadline,
                "{} was never written",
                file.display()
            ),
        }
        std::thread::yield_now();
    }
}

/// A process that left its group, session, parent and environment is still a descendant of the
/// launcher.
#[cfg(target_os = "linux")]
#[test]
fn a_daemon_without_environment_is_killed_with_its_bot() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("pid");
    let first = format!(
        "(env -i setsid sh -c 'echo $$ > \"{}\"; exec /bin/sleep 1000' >/dev/null 2>&1 </dev/null &)",
        file.display()
    );
    let player = start_player(&shell(&first, "exit"));
    let pid = wait_for_file(&file);
    assert!(is_running(&pid));
    drop(player);
    assert!(!is_running(&pid), "process {pid} is left");
}

/// If the launcher is killed, for example by its bot, the bot is still terminated.
#[cfg(target_os = "linux")]
#[test]
fn a_bot_that_kills_its_launcher_is_killed() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("pid");
    let go = format!(
        // Write the file first: without its launcher the bot may be killed at any moment.
        "echo $$ > '{}'; kill -9 $PPID; while :; do :; done",
        file.display()
    );
    let mut player = start_player(&shell(":", &go));
    let state = AnyGameState::new(Variant::CLASSIC);
    let request = MoveRequest {
        state: &state,
        time_control: TimeControl::Nodes(1),
        clocks: None,
        margin: Duration::ZERO,
        patience: LIMIT,
    };
    let error = player.choose_move(&request).expect_err("it never answers");
    assert_eq!(error.kind, PlayerErrorKind::Crash, "{error}");
    drop(player);
    let pid = wait_for_file(&file);
    assert!(!is_running(&pid), "process {pid} is left");
}
