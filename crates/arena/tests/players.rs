//! External bots: options, positions, logs, checks, and leftover processes.

mod external;

use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

use external::{FAULTY, MARGIN, PATIENCE, builtin, factory, faulty, play, play_from, program};
use noughts_arena::check::{BotCheck, CheckStatus, CheckStep};
use noughts_arena::{
    BotSource, BotSpec, EndReason, MoveRequest, NewGame, Notation, PlayerErrorKind, Program,
    Protocol, ProtocolLog, TimeControl, count_tagged_processes, kill_tagged_processes, log_path,
};
use noughts_rules::{AnyGameState, Side, Variant};

const NODES: TimeControl = TimeControl::Nodes(1);

fn with_options(options: &[(&str, &str)]) -> BotSpec {
    let mut spec = faulty(&["sound"]);
    if let BotSource::Program(program) = &mut spec.source {
        let options = options
            .iter()
            .map(|&(name, value)| (name.into(), value.into()));
        program.options = options.collect::<BTreeMap<String, String>>();
    }
    spec
}

fn new_game(variant: Variant) -> NewGame {
    NewGame {
        variant,
        side: Side::X,
        seed: 1,
    }
}

#[test]
fn unknown_options_are_reported() {
    let cases = [
        (vec![("skill level", "3")], None),
        (
            vec![("Strength", "3")],
            Some("it has no option \"Strength\"; it lists Variant, Seed, Skill Level"),
        ),
        (
            vec![("Skill Level", "12")],
            Some("a whole number from 0 to 9"),
        ),
    ];
    for (options, expected) in cases {
        let factory = factory();
        let mut player = factory
            .make_player(&with_options(&options), Variant::CLASSIC)
            .expect("a player");
        let started = player.start_game(&new_game(Variant::CLASSIC));
        match expected {
            None => assert_eq!(started, Ok(())),
            Some(expected) => {
                let error = started.expect_err("refused");
                assert_eq!(error.kind, PlayerErrorKind::StartFailure);
                assert!(error.message.contains(expected), "{error}");
            }
        }
        drop(player);
        assert_eq!(count_tagged_processes(&factory.tag), 0);
    }
}

/// A bot that lists no options gets no `setoption` commands, and isn't taken for crashed because of
/// that.
#[cfg(unix)]
#[test]
fn a_bot_without_options_starts() {
    let script = "while read -r line; do case \"$line\" in \
                  ugi) echo ugiok;; isready) echo readyok;; quit) exit;; esac; done";
    let factory = factory();
    let spec = program(Protocol::Ugi, "sh", &["-c", script]);
    let mut player = factory
        .make_player(&spec, Variant::CLASSIC)
        .expect("a player");
    assert_eq!(player.start_game(&new_game(Variant::CLASSIC)), Ok(()));
    drop(player);
    assert_eq!(count_tagged_processes(&factory.tag), 0);
}

/// Every kind of board, from its starting position and from one in the middle.
#[test]
fn all_games_are_played_from_any_position() {
    for name in [
        "classic",
        "mnk:5,4,4",
        "tic-tac-two",
        "ultimate",
        "ception:5c",
        "ception:depth=3",
    ] {
        let variant: Variant = name.parse().expect("a variant");
        let factory = factory();
        let mut program = factory
            .make_player(&faulty(&["sound"]), variant)
            .expect("a player");
        let mut inside = factory
            .make_player(&builtin("random"), variant)
            .expect("a player");
        let complete = play(variant, [&mut *program, &mut *inside], NODES, 5);
        assert!(
            !complete.reason.is_fault(),
            "{name}: {} {}",
            complete.reason,
            complete.note
        );

        let mut half = AnyGameState::new(variant);
        for mv in complete.state.moves().iter().take(complete.state.ply() / 2) {
            half.play(mv).expect("it was legal");
        }
        let start = AnyGameState::from_text(variant, &half.position_text()).expect("a position");
        let rest = play_from(start, [&mut *inside, &mut *program], NODES, 6);
        assert!(
            !rest.reason.is_fault(),
            "{name}: {} {}",
            rest.reason,
            rest.note
        );
    }
}

/// A game depends only on its seed, across processes.
#[test]
fn seeded_games_are_reproducible() {
    let game = |seed| {
        let factory = factory();
        let mut x = factory
            .make_player(&faulty(&["sound"]), Variant::ULTIMATE)
            .expect("a player");
        let mut o = factory
            .make_player(&builtin("random"), Variant::ULTIMATE)
            .expect("a player");
        play(Variant::ULTIMATE, [&mut *x, &mut *o], NODES, seed)
            .state
            .moves()
    };
    assert_eq!(game(3), game(3));
    assert_ne!(game(3), game(4));
}

#[test]
fn start_failures_say_why() {
    let cases = [
        ("./no/such/bot", "no such file"),
        ("no-such-bot-anywhere", "not found on the PATH"),
        (env!("CARGO_MANIFEST_DIR"), "it isn't executable"),
    ];
    for (command, expected) in cases {
        let spec = external::program(noughts_arena::Protocol::Ugi, command, &[]);
        let mut player = factory()
            .make_player(&spec, Variant::CLASSIC)
            .expect("a player");
        let error = player
            .start_game(&new_game(Variant::CLASSIC))
            .expect_err("no bot");
        assert_eq!(error.kind, PlayerErrorKind::StartFailure);
        assert!(error.message.contains(expected), "{error}");
    }
}

#[test]
fn standard_error_is_logged_and_its_last_line_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut factory = factory();
    factory.log_dir = Some(folder.path().join("logs"));
    let spec = faulty(&["crash-thinking"]);
    let mut bad = factory
        .make_player(&spec, Variant::CLASSIC)
        .expect("a player");
    let mut good = factory
        .make_player(&builtin("random"), Variant::CLASSIC)
        .expect("a player");
    for _ in 0..2 {
        let result = play(Variant::CLASSIC, [&mut *bad, &mut *good], NODES, 1);
        assert_eq!(result.reason, EndReason::Crash);
        assert_eq!(
            result.note,
            "it exited with code 101; its last error output: \"faulty-bot: index out of bounds\""
        );
    }
    let log = log_path(&folder.path().join("logs"), &spec.name);
    let log = fs::read_to_string(log).expect("a log");
    assert_eq!(log.matches("index out of bounds").count(), 2, "{log}");
    let headers: Vec<&str> = log
        .lines()
        .filter(|line| line.starts_with("--- 2"))
        .collect();
    assert_eq!(headers.len(), 2, "{log}");
    assert!(headers[0].ends_with("faulty-bot crash-thinking"), "{log}");
}

fn request(state: &AnyGameState) -> MoveRequest<'_> {
    MoveRequest {
        state,
        time_control: TimeControl::MoveTime(Duration::from_millis(200)),
        clocks: None,
        margin: Duration::from_millis(200),
        patience: PATIENCE,
    }
}

/// A bot that doesn't read its input must not block the arena: the moves of a long game don't fit
/// into a pipe.
#[test]
fn a_bot_that_does_not_read_times_out() {
    let variant: Variant = "ception:depth=6".parse().expect("a variant");
    let mut state = AnyGameState::new(variant);
    let mut bot = factory()
        .make_player(&builtin("random"), variant)
        .expect("a player");
    bot.start_game(&new_game(variant)).expect("it begins");
    for _ in 0..12_000 {
        let generous = MoveRequest {
            margin: Duration::from_secs(60),
            ..request(&state)
        };
        let mv = bot.choose_move(&generous).expect("a move").mv;
        state.play(&mv).expect("a legal move");
    }
    // Linux buffers 64 KiB.
    assert!(state.moves().join(" ").len() > 80_000);
    let factory = factory();
    let mut bot_that_never_reads = factory
        .make_player(&faulty(&["never-reads"]), variant)
        .expect("a player");
    bot_that_never_reads
        .start_game(&new_game(variant))
        .expect("it begins");
    let error = bot_that_never_reads
        .choose_move(&request(&state))
        .expect_err("no answer");
    assert_eq!(error.kind, PlayerErrorKind::Timeout, "{error}");
    drop(bot_that_never_reads);
    assert_eq!(count_tagged_processes(&factory.tag), 0);
}

/// Lines that are always available don't extend a bot's time, however slowly they are read.
#[test]
fn a_bot_that_never_stops_writing_is_late() {
    let endless = shell_script("ugiok\\n", "").replace("go) printf ''", "go) exec yes ''");
    let endless = program(Protocol::Ugi, "sh", &["-c", &endless]);
    let factory = factory();
    let mut bot = factory
        .make_player(&endless, Variant::CLASSIC)
        .expect("a player");
    bot.start_game(&new_game(Variant::CLASSIC))
        .expect("it begins");
    let error = bot
        .choose_move(&request(&AnyGameState::new(Variant::CLASSIC)))
        .expect_err("no answer");
    // A fast machine reads enough of it to call it a flood.
    assert!(
        matches!(
            error.kind,
            PlayerErrorKind::Timeout | PlayerErrorKind::ProtocolError
        ),
        "{error}"
    );
}

/// A slowly starting program has a second for its first turn, and only for that one.
#[test]
fn codingames_first_turn_has_a_second() {
    for (arguments, expected) in [
        (["late", "--at", "1", "--late", "600", "--codingame"], None),
        (
            ["late", "--at", "2", "--late", "600", "--codingame"],
            Some(EndReason::Timeout),
        ),
    ] {
        let factory = factory();
        let variant = Variant::ULTIMATE;
        let mut bot = factory
            .make_player(&faulty(&arguments), variant)
            .expect("a player");
        let mut other = factory
            .make_player(&builtin("random"), variant)
            .expect("a player");
        // With the tests' margin, less than the bot takes.
        let time_control = TimeControl::MoveTime(Duration::from_millis(50));
        let result = play(variant, [&mut *bot, &mut *other], time_control, 1);
        let reason = Some(result.reason).filter(|reason| reason.is_fault());
        assert_eq!(reason, expected, "{}", result.note);
    }
}

/// Stopping immediately doesn't wait for built-in bots.
#[test]
fn the_stop_flag_ends_searches_of_builtin_bots() {
    let mut factory = factory();
    factory.patience = Duration::from_secs(3600);
    let mut bot = factory
        .make_player(&builtin("mcts"), Variant::ULTIMATE)
        .expect("a player");
    bot.start_game(&new_game(Variant::ULTIMATE))
        .expect("it begins");
    factory.stop.stop();
    let state = AnyGameState::new(Variant::ULTIMATE);
    let request = MoveRequest {
        time_control: TimeControl::Nodes(u64::MAX),
        patience: factory.patience,
        ..request(&state)
    };
    let answer = bot.choose_move(&request).expect("any move");
    assert_eq!(state.check(&answer.mv), Ok(()));
}

/// Bots of a killed arena keep running; they are found by its tag.
#[test]
fn processes_of_a_killed_arena_are_killed() {
    let tag = factory().tag;
    let mut left: Vec<_> = (0..2)
        .map(|number| {
            Command::new(FAULTY)
                .arg("daemon")
                .env("NOUGHTS_ARENA", format!("{tag}-{number}"))
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .expect("a bot")
        })
        .collect();
    assert_eq!(count_tagged_processes(&tag), 2);
    assert_eq!(kill_tagged_processes(&format!("{tag}x")), 0);
    assert_eq!(kill_tagged_processes(&tag), 2);
    assert_eq!(count_tagged_processes(&tag), 0);
    for child in &mut left {
        assert!(!child.wait().expect("it is gone").success());
    }
}

fn steps(spec: &BotSpec, variant: &str) -> (bool, Vec<CheckStep>) {
    run_check(&trial(spec, variant))
}

/// The margin is generous: the machine may be busy.
fn trial(spec: &BotSpec, variant: &str) -> BotCheck {
    let variant = variant.parse().expect("a variant");
    let mut trial = BotCheck::new(spec.clone(), variant);
    (trial.patience, trial.margin) = (PATIENCE, MARGIN);
    trial
}

fn run_check(trial: &BotCheck) -> (bool, Vec<CheckStep>) {
    let mut steps = Vec::new();
    let result = trial.run(&mut |step| steps.push(step));
    (result.passed, steps)
}

fn status_of(steps: &[CheckStep], what: &str) -> Option<CheckStatus> {
    steps
        .iter()
        .find(|step| step.name.contains(what))
        .map(|step| step.status)
}

#[test]
fn a_correct_bot_passes_every_step() {
    for (arguments, variant) in [
        (&["sound"][..], "classic"),
        (&["sound"], "tic-tac-two"),
        (&["sound", "--codingame"], "ultimate"),
        (&["sound", "--codingame"], "ception:end=most"),
    ] {
        let mut trial = trial(&faulty(arguments), variant);
        trial.prompt_timeout = Duration::from_secs(30);
        let (passed, steps) = run_check(&trial);
        assert!(passed, "{steps:#?}");
        // The machine may be busy: turns that aren't retried may be late.
        let may_be_late = |step: &CheckStep| ["moves first", "answers a move"].contains(&step.name);
        let warnings: Vec<&CheckStep> = steps
            .iter()
            .filter(|step| step.status != CheckStatus::Pass && !may_be_late(step))
            .collect();
        assert!(warnings.is_empty(), "{warnings:#?}");
        assert!(steps.iter().all(|step| !step.observed.is_empty()));
        assert!(status_of(&steps, "full games").is_some() && status_of(&steps, "exits").is_some());
    }
}

/// Interpreters take a moment to exit, longer on a busy machine: that is no fault.
#[test]
fn a_bot_may_take_a_moment_to_exit() {
    let slow =
        shell_script("ugiok\\n", "bestmove a1\\n").replace("quit) exit", "quit) sleep 0.3; exit");
    let slow = program(Protocol::Ugi, "sh", &["-c", &slow]);
    let mut trial = trial(&slow, "classic");
    trial.prompt_timeout = Duration::from_secs(30);
    let (_, steps) = run_check(&trial);
    assert_eq!(
        status_of(&steps, "exits on `quit`"),
        Some(CheckStatus::Pass),
        "{steps:#?}"
    );
}

/// Each fault is reported by the corresponding step, with advice.
#[test]
fn checks_report_each_fault() {
    use CheckStatus::{Fail, Warn};
    let cases = [
        ("crash-at-start", "answers `ugi`", Fail),
        ("crash-in-handshake", "answers `ugi`", Fail),
        ("silent-at-start", "answers `ugi`", Fail),
        ("wrong-protocol", "answers `ugi`", Fail),
        ("flood-at-start", "answers `ugi`", Fail),
        ("crash-thinking", "moves within a time limit", Fail),
        ("slow --late 700", "moves within a time limit", Fail),
        ("half-line", "moves within a time limit", Fail),
        // A bot may ignore limits other than the configured one.
        ("half-line --at 2", "moves with a node limit", Warn),
        ("stall --at 3", "moves with a depth limit", Warn),
        // Late only from its tenth move on.
        ("late-from --at 10 --late 1000", "startpos moves", Fail),
        ("illegal --at 6", "startpos moves", Fail),
        ("crash-thinking --at 4", "moves on a clock", Fail),
        ("twice", "answers each `go` once", Fail),
        ("twice --at 6", "answers each `go` once", Fail),
        ("no-move", "moves within a time limit", Fail),
        ("grandchild", "leaves no processes running", Warn),
        ("daemon", "leaves no processes running", Warn),
        ("deaf", "exits on `quit`", Warn),
        ("illegal --at 4 --codingame", "full games", Fail),
        ("late --late 700 --at 2 --codingame", "answers a move", Warn),
        ("crash-at-start --codingame", "moves first", Fail),
        ("wrong-protocol --codingame", "moves first", Fail),
    ];
    std::thread::scope(|scope| {
        for (arguments, what, expected) in cases {
            scope.spawn(move || {
                let arguments: Vec<&str> = arguments.split(' ').collect();
                let variant = match arguments.contains(&"--codingame") {
                    true => "ultimate",
                    false => "classic",
                };
                let (passed, steps) = steps(&faulty(&arguments), variant);
                assert_eq!(
                    status_of(&steps, what),
                    Some(expected),
                    "{arguments:?} {steps:#?}"
                );
                let worst = steps.iter().map(|step| step.status).max();
                assert_eq!(passed, worst < Some(Fail), "{arguments:?}");
                for step in steps {
                    assert_eq!(
                        step.advice.is_some(),
                        step.status != CheckStatus::Pass,
                        "{step:?}"
                    );
                }
            });
        }
    });
}

#[test]
fn an_unsupported_variant_fails_the_first_step() {
    let (passed, steps) = steps(&faulty(&["sound", "--codingame"]), "classic");
    assert!(!passed);
    assert_eq!(steps.len(), 1);
    assert!(
        steps[0]
            .observed
            .contains("CodinGame bots only play ultimate and ception:end=most"),
        "{steps:?}"
    );
}

/// A bot as a shell script with these answers to `ugi` and to `go`.
fn shell(hello: &str, answer: &str) -> BotSpec {
    program(Protocol::Ugi, "sh", &["-c", &shell_script(hello, answer)])
}

fn shell_script(hello: &str, answer: &str) -> String {
    format!(
        "while read word rest; do case $word in ugi) printf '{hello}';; isready) echo readyok;; \
         go) printf '{answer}';; quit) exit;; esac; done"
    )
}

fn step<'a>(steps: &'a [CheckStep], what: &str) -> &'a CheckStep {
    let found = steps.iter().find(|step| step.name.contains(what));
    found.unwrap_or_else(|| panic!("no step {what}: {steps:#?}"))
}

/// The observation and the advice are specific.
#[test]
fn checks_give_specific_advice() {
    let hello = "id name x\\noption name Variant type string default classic\\nugiok\\n";
    let other = "option name Variant type combo default ultimate var ultimate\\nugiok\\n";
    let mut codingame_bot = faulty(&["sound", "--codingame"]);
    if let BotSource::Program(program) = &mut codingame_bot.source {
        program.protocol = Protocol::Ugi;
    }
    let cases = [
        // It echoes its input.
        (
            program(Protocol::Ugi, "cat", &[]),
            "answers `ugi`",
            "it wrote \"ugi\"",
            "`ugiok`",
        ),
        (
            program(Protocol::Ugi, "yes", &[]),
            "answers `ugi`",
            "it wrote \"y\", \"y\"",
            "`ugiok`",
        ),
        (
            codingame_bot,
            "answers `ugi`",
            "didn't send ugiok",
            "codingame:COMMAND",
        ),
        (
            shell(other, ""),
            "accepts its options",
            "one of ultimate",
            "--variant ultimate",
        ),
        (
            shell(hello, "bestmove A1\\n"),
            "within a time limit",
            "it wrote \"bestmove A1\"",
            "lowercase",
        ),
        (
            shell(hello, "bestmove z9\\n"),
            "within a time limit",
            "it wrote \"bestmove z9\"",
            "--variant GAME",
        ),
        (
            shell(hello, "bestmove\\n"),
            "within a time limit",
            "without a move",
            "bestmove MOVE",
        ),
        // A line that is nearly right is quoted.
        (
            shell(hello, "best move: a1\\n"),
            "within a time limit",
            "no answer after 3100 ms; it wrote \"best move: a1\"",
            "bestmove MOVE",
        ),
        // After a crash the advice is about the crash.
        (
            faulty(&["crash-thinking"]),
            "within a time limit",
            "its last error output: \"faulty-bot: index out of bounds\"",
            "standard error",
        ),
        (
            faulty(&["crash-at-start"]),
            "answers `ugi`",
            "cannot find my book of openings",
            "run the command in your shell",
        ),
        (
            shell("id name a\u{202e}b\\nugiok\\n", "bestmove a1\\n"),
            "answers `ugi`",
            "a\u{fffd}b",
            "",
        ),
    ];
    for (spec, what, seen, advice) in cases {
        let (_, steps) = steps(&spec, "classic");
        let step = step(&steps, what);
        assert!(step.observed.contains(seen), "{step:#?}");
        let advice_text = step.advice.as_deref().unwrap_or_default();
        assert!(advice_text.contains(advice), "{step:#?}");
    }
}

/// Guards against passing a bot that is late only after many moves.
#[test]
fn complete_games_are_checked_for_time() {
    let bot = faulty(&["late-from", "--at", "42", "--late", "2000"]);
    let (passed, steps) = steps(&bot, "ultimate");
    assert!(!passed, "{steps:#?}");
    let games = step(&steps, "full games");
    assert_eq!(games.status, CheckStatus::Fail);
    // The check doesn't wait until it answers.
    assert!(
        games.observed.contains("no answer after 600 ms"),
        "{games:?}"
    );
    assert!(games.observed.contains("; moves: "), "{games:?}");
    let advice = games.advice.as_deref().unwrap_or_default();
    assert!(advice.contains("lose on time"), "{advice}");
}

/// Bots that write moves as file and rank used to be rejected.
#[test]
fn global_notation_is_detected_and_translated() {
    for (word, notation) in [
        ("global", Notation::Global),
        ("global-top", Notation::GlobalTop),
    ] {
        let mut trial = trial(&faulty(&["sound", "--notation", word]), "ultimate");
        trial.time_control = "nodes=1".parse().expect("a time control");
        let mut steps = Vec::new();
        let result = trial.run(&mut |step| steps.push(step));
        assert!(result.passed, "{steps:#?}");
        assert_eq!(result.notation, notation);
        let found = step(&steps, "notation");
        assert!(
            found.observed.contains(&format!("\"ugi-{word}:COMMAND\"")),
            "{found:?}"
        );
        // With the notation configured, it plays complete games.
        let mut bot = faulty(&["sound", "--notation", word]);
        if let BotSource::Program(program) = &mut bot.source {
            program.notation = notation;
        }
        let factory = factory();
        let mut players = [&bot, &builtin("random")].map(|spec| {
            factory
                .make_player(spec, Variant::ULTIMATE)
                .expect("a player")
        });
        let [one, other] = &mut players;
        let time_control = "nodes=1".parse().expect("a time control");
        let result = play(
            Variant::ULTIMATE,
            [&mut **one, &mut **other],
            time_control,
            1,
        );
        assert!(!result.reason.is_fault(), "{}", result.note);
    }
    let error = faulty(&["sound"]);
    let BotSource::Program(program) = error.source else {
        panic!("a program")
    };
    let other = BotSpec {
        name: "other".into(),
        source: BotSource::Program(Program {
            notation: Notation::Global,
            ..program
        }),
        time_control: None,
    };
    assert!(other.check_variant(Variant::CLASSIC).is_err());
}

/// The duration of a check is bounded in advance.
#[test]
fn a_check_bounds_its_duration() {
    let longest = |variant: &str, time_control: &str| {
        let mut trial = trial(&faulty(&["sound"]), variant);
        trial.time_control = time_control.parse().expect("a time control");
        trial.max_duration().map(|time| time.as_secs_f64().ceil())
    };
    assert_eq!(longest("ultimate", "time=100ms"), Some(19.0));
    assert_eq!(longest("classic", "time=100ms"), Some(5.0));
    // The longest game counts, not the number of first moves; where positions can repeat, the limit of 300 plies.
    assert_eq!(longest("connect-four", "time=100ms"), Some(11.0));
    assert_eq!(longest("numerical", "time=100ms"), Some(5.0));
    for name in ["tic-tac-two", "morris", "gobblers", "vanishing"] {
        assert_eq!(longest(name, "time=100ms"), Some(63.0), "{name}");
    }
    // Two games of 20.9 s, the clock once, and 32 positions with a clock of 5 s each.
    assert_eq!(longest("classic", "tc=10s+100ms"), Some(213.0));
    assert_eq!(longest("classic", "nodes=5"), None);
}

/// The log contains every line sent and received.
#[test]
fn the_protocol_log_contains_every_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("dialogue.log");
    let mut factory = factory();
    factory.protocol_log = Some(ProtocolLog::create(&path).expect("a file"));
    let player = |arguments| factory.make_player(&faulty(arguments), Variant::CLASSIC);
    let mut one = player(&["sound"]).expect("a player");
    let mut other = player(&["noise", "--at", "2"]).expect("a player");
    let time_control = "nodes=1".parse().expect("a time control");
    let result = play(Variant::CLASSIC, [&mut *one, &mut *other], time_control, 1);
    assert!(!result.reason.is_fault(), "{}", result.note);
    drop((one, other));
    let log = std::fs::read_to_string(&path).expect("a log");
    let asked = log.matches(" > go nodes 1\n").count();
    let answered = log.matches(" < bestmove ").count();
    assert_eq!((asked, answered), (result.state.ply(), result.state.ply()));
    for line in [
        " sound#1 * started: ",
        " sound#1 > ugi\n",
        " sound#1 < ugiok\n",
        " noise --at 2#2 < best move a1\n",
        " noise --at 2#2 > quit\n",
        " noise --at 2#2 * it ",
    ] {
        assert!(log.contains(line), "{line:?} is not in\n{log}");
    }
}

/// Guards against a log without the attempt at the other protocol, on which the advice is based.
#[test]
fn the_log_of_a_check_includes_the_codingame_attempt() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("dialogue.log");
    let mut codingame_bot = faulty(&["sound", "--codingame"]);
    codingame_bot.name = "site".into();
    if let BotSource::Program(program) = &mut codingame_bot.source {
        program.protocol = Protocol::Ugi;
    }
    let mut trial = trial(&codingame_bot, "ultimate");
    trial.protocol_log = Some(ProtocolLog::create(&path).expect("a file"));
    let (passed, steps) = run_check(&trial);
    assert!(!passed, "{steps:#?}");
    let log = std::fs::read_to_string(&path).expect("a log");
    for line in [
        " site#1 > ugi\n",
        " site#2 * started: ",
        " site#2 > -1 -1\n",
    ] {
        assert!(log.contains(line), "{line:?} is not in\n{log}");
    }
}
