//! Outside bots in particular: options, positions, logs, what was left by others.

mod outside;

use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

use noughts_arena::check::{BotCheck, CheckStatus, CheckStep};
use noughts_arena::{
    BotSource, BotSpec, EndReason, MoveRequest, NewGame, Notation, PlayerErrorKind, Program,
    Protocol, ProtocolLog, TimeControl, count_tagged_processes, kill_tagged_processes, log_path,
};
use noughts_rules::{AnyGameState, Side, Variant};
use outside::{FAULTY, MARGIN, PATIENCE, faulty, making, ours, play, play_from, program};

const NODES: TimeControl = TimeControl::Nodes(1);

fn with_options(options: &[(&str, &str)]) -> BotSpec {
    let mut spec = faulty(&["sound"]);
    if let BotSource::Program(program) = &mut spec.who {
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
fn options_that_a_bot_does_not_have_are_named() {
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
        let making = making();
        let mut player = making
            .make_player(&with_options(&options), Variant::CLASSIC)
            .expect("a player");
        let begun = player.start_game(&new_game(Variant::CLASSIC));
        match expected {
            None => assert_eq!(begun, Ok(())),
            Some(expected) => {
                let fault = begun.expect_err("refused");
                assert_eq!(fault.kind, PlayerErrorKind::StartFailure);
                assert!(fault.message.contains(expected), "{fault}");
            }
        }
        drop(player);
        assert_eq!(count_tagged_processes(&making.tag), 0);
    }
}

/// There is nothing to tell a bot that lists no options, and telling it nothing is no
/// reason to take it for dead.
#[cfg(unix)]
#[test]
fn a_bot_without_options_begins() {
    let script = "while read -r line; do case \"$line\" in \
                  ugi) echo ugiok;; isready) echo readyok;; quit) exit;; esac; done";
    let making = making();
    let spec = program(Protocol::Ugi, "sh", &["-c", script]);
    let mut player = making
        .make_player(&spec, Variant::CLASSIC)
        .expect("a player");
    assert_eq!(player.start_game(&new_game(Variant::CLASSIC)), Ok(()));
    drop(player);
    assert_eq!(count_tagged_processes(&making.tag), 0);
}

/// Every kind of board, from its start and from a position in the middle.
#[test]
fn games_of_all_families_are_played_from_anywhere() {
    for name in [
        "classic",
        "mnk:5,4,4",
        "tic-tac-two",
        "ultimate",
        "ception:5c",
        "ception:depth=3",
    ] {
        let variant: Variant = name.parse().expect("a variant");
        let making = making();
        let mut program = making
            .make_player(&faulty(&["sound"]), variant)
            .expect("a player");
        let mut inside = making
            .make_player(&ours("random"), variant)
            .expect("a player");
        let whole = play(variant, [&mut *program, &mut *inside], NODES, 5);
        assert!(
            !whole.reason.is_fault(),
            "{name}: {} {}",
            whole.reason,
            whole.note
        );

        let mut half = AnyGameState::new(variant);
        for mv in whole.play.moves().iter().take(whole.play.ply() / 2) {
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

/// The seed of a game is all that its course depends on, from process to process.
#[test]
fn a_bot_with_a_seed_plays_the_same_game_again() {
    let game = |seed| {
        let making = making();
        let mut x = making
            .make_player(&faulty(&["sound"]), Variant::ULTIMATE)
            .expect("a player");
        let mut o = making
            .make_player(&ours("random"), Variant::ULTIMATE)
            .expect("a player");
        play(Variant::ULTIMATE, [&mut *x, &mut *o], NODES, seed)
            .play
            .moves()
    };
    assert_eq!(game(3), game(3));
    assert_ne!(game(3), game(4));
}

#[test]
fn what_cannot_be_run_says_why() {
    let cases = [
        ("./no/such/bot", "no such file"),
        ("no-such-bot-anywhere", "no such program is on the PATH"),
        (env!("CARGO_MANIFEST_DIR"), "it may not be run"),
    ];
    for (command, expected) in cases {
        let spec = outside::program(noughts_arena::Protocol::Ugi, command, &[]);
        let mut player = making()
            .make_player(&spec, Variant::CLASSIC)
            .expect("a player");
        let fault = player
            .start_game(&new_game(Variant::CLASSIC))
            .expect_err("no bot");
        assert_eq!(fault.kind, PlayerErrorKind::StartFailure);
        assert!(fault.message.contains(expected), "{fault}");
    }
}

#[test]
fn standard_error_is_kept_and_last_words_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut making = making();
    making.log_dir = Some(folder.path().join("logs"));
    let spec = faulty(&["crash-thinking"]);
    let mut bad = making
        .make_player(&spec, Variant::CLASSIC)
        .expect("a player");
    let mut good = making
        .make_player(&ours("random"), Variant::CLASSIC)
        .expect("a player");
    for _ in 0..2 {
        let result = play(Variant::CLASSIC, [&mut *bad, &mut *good], NODES, 1);
        assert_eq!(result.reason, EndReason::Crash);
        assert_eq!(
            result.note,
            "it ended with exit code 101; its last words: \"faulty-bot: index out of bounds\""
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

fn turn(play: &AnyGameState) -> MoveRequest<'_> {
    MoveRequest {
        state: play,
        time_control: TimeControl::MoveTime(Duration::from_millis(200)),
        clocks: None,
        margin: Duration::from_millis(200),
        patience: PATIENCE,
    }
}

/// A bot that does not read must not keep the one who writes: a whole game of a deep
/// board is more than a pipe takes.
#[test]
fn a_bot_that_does_not_read_is_late() {
    let variant: Variant = "ception:depth=6".parse().expect("a variant");
    let mut play = AnyGameState::new(variant);
    let mut bot = making()
        .make_player(&ours("random"), variant)
        .expect("a player");
    bot.start_game(&new_game(variant)).expect("it begins");
    for _ in 0..12_000 {
        let generous = MoveRequest {
            margin: Duration::from_secs(60),
            ..turn(&play)
        };
        let mv = bot.choose_move(&generous).expect("a move").mv;
        play.play(&mv).expect("a legal move");
    }
    // Linux keeps 64 KiB.
    assert!(play.moves().join(" ").len() > 80_000);
    let making = making();
    let mut deaf = making
        .make_player(&faulty(&["never-reads"]), variant)
        .expect("a player");
    deaf.start_game(&new_game(variant)).expect("it begins");
    let fault = deaf.choose_move(&turn(&play)).expect_err("no answer");
    assert_eq!(fault.kind, PlayerErrorKind::Timeout, "{fault}");
    drop(deaf);
    assert_eq!(count_tagged_processes(&making.tag), 0);
}

/// Lines that are always available don't extend a bot's time, however slowly they are read.
#[test]
fn a_bot_that_never_stops_writing_is_late() {
    let endless = shell_script("ugiok\\n", "").replace("go) printf ''", "go) exec yes ''");
    let endless = program(Protocol::Ugi, "sh", &["-c", &endless]);
    let making = making();
    let mut bot = making
        .make_player(&endless, Variant::CLASSIC)
        .expect("a player");
    bot.start_game(&new_game(Variant::CLASSIC))
        .expect("it begins");
    let fault = bot
        .choose_move(&turn(&AnyGameState::new(Variant::CLASSIC)))
        .expect_err("no answer");
    // A fast machine reads enough of it to call it a flood.
    assert!(
        matches!(
            fault.kind,
            PlayerErrorKind::Timeout | PlayerErrorKind::ProtocolError
        ),
        "{fault}"
    );
}

/// A program that starts slowly has a second for its first turn, and only for that one.
#[test]
fn the_first_turn_of_codingame_has_a_second() {
    for (arguments, expected) in [
        (["late", "--at", "1", "--late", "600", "--codingame"], None),
        (
            ["late", "--at", "2", "--late", "600", "--codingame"],
            Some(EndReason::Timeout),
        ),
    ] {
        let making = making();
        let variant = Variant::ULTIMATE;
        let mut bot = making
            .make_player(&faulty(&arguments), variant)
            .expect("a player");
        let mut other = making
            .make_player(&ours("random"), variant)
            .expect("a player");
        // With the margin of the tests it is less than the bot takes.
        let pace = TimeControl::MoveTime(Duration::from_millis(50));
        let result = play(variant, [&mut *bot, &mut *other], pace, 1);
        let reason = Some(result.reason).filter(|reason| reason.is_fault());
        assert_eq!(reason, expected, "{}", result.note);
    }
}

/// Who gives up at once does not wait for our bots.
#[test]
fn a_raised_flag_ends_what_our_bots_think() {
    let mut making = making();
    making.patience = Duration::from_secs(3600);
    let mut bot = making
        .make_player(&ours("mcts"), Variant::ULTIMATE)
        .expect("a player");
    bot.start_game(&new_game(Variant::ULTIMATE))
        .expect("it begins");
    making.stop.stop();
    let play = AnyGameState::new(Variant::ULTIMATE);
    let turn = MoveRequest {
        time_control: TimeControl::Nodes(u64::MAX),
        patience: making.patience,
        ..turn(&play)
    };
    let answer = bot.choose_move(&turn).expect("any move");
    assert_eq!(play.check(&answer.mv), Ok(()));
}

/// Bots of an arena that was killed go on running; they are found by its tag.
#[test]
fn what_a_killed_arena_left_is_swept() {
    let tag = making().tag;
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
    tried(&trial(spec, variant))
}

/// The margin is generous: the machine may be busy.
fn trial(spec: &BotSpec, variant: &str) -> BotCheck {
    let variant = variant.parse().expect("a variant");
    let mut trial = BotCheck::new(spec.clone(), variant);
    (trial.patience, trial.margin) = (PATIENCE, MARGIN);
    trial
}

fn tried(trial: &BotCheck) -> (bool, Vec<CheckStep>) {
    let mut steps = Vec::new();
    let checked = trial.run(&mut |step| steps.push(step));
    (checked.passed, steps)
}

fn grade(steps: &[CheckStep], what: &str) -> Option<CheckStatus> {
    steps
        .iter()
        .find(|step| step.name.contains(what))
        .map(|step| step.status)
}

#[test]
fn a_sound_bot_passes_every_check() {
    for (arguments, variant) in [
        (&["sound"][..], "classic"),
        (&["sound"], "tic-tac-two"),
        (&["sound", "--codingame"], "ultimate"),
        (&["sound", "--codingame"], "ception:end=most"),
    ] {
        let mut trial = trial(&faulty(arguments), variant);
        trial.prompt_timeout = Duration::from_secs(30);
        let (fine, steps) = tried(&trial);
        assert!(fine, "{steps:#?}");
        // The machine may be busy: a turn that is not asked for again may be late.
        let timely = |step: &CheckStep| ["moves first", "answers a move"].contains(&step.name);
        let doubted: Vec<&CheckStep> = steps
            .iter()
            .filter(|step| step.status != CheckStatus::Pass && !timely(step))
            .collect();
        assert!(doubted.is_empty(), "{doubted:#?}");
        assert!(steps.iter().all(|step| !step.observed.is_empty()));
        assert!(grade(&steps, "whole games").is_some() && grade(&steps, "leaves").is_some());
    }
}

/// Interpreters take a moment to end, and longer on a busy machine: that is no fault.
#[test]
fn a_bot_may_take_a_moment_to_leave() {
    let slow =
        shell_script("ugiok\\n", "bestmove a1\\n").replace("quit) exit", "quit) sleep 0.3; exit");
    let slow = program(Protocol::Ugi, "sh", &["-c", &slow]);
    let mut trial = trial(&slow, "classic");
    trial.prompt_timeout = Duration::from_secs(30);
    let (_, steps) = tried(&trial);
    assert_eq!(
        grade(&steps, "leaves at `quit`"),
        Some(CheckStatus::Pass),
        "{steps:#?}"
    );
}

/// Each fault shows in the step that is about it, with a way to fix it.
#[test]
fn checks_say_what_is_wrong() {
    use CheckStatus::{Fail, Warn};
    let cases = [
        ("crash-at-start", "answers `ugi`", Fail),
        ("crash-in-handshake", "answers `ugi`", Fail),
        ("silent-at-start", "answers `ugi`", Fail),
        ("wrong-protocol", "answers `ugi`", Fail),
        ("flood-at-start", "answers `ugi`", Fail),
        ("crash-thinking", "moves in a given time", Fail),
        ("slow --late 700", "moves in a given time", Fail),
        ("half-line", "moves in a given time", Fail),
        // What it was not asked for it may ignore.
        ("half-line --at 2", "moves by nodes", Warn),
        ("stall --at 3", "moves by depth", Warn),
        // Late from its tenth move on, and called sound.
        ("late-from --at 10 --late 1000", "startpos moves", Fail),
        ("illegal --at 6", "startpos moves", Fail),
        ("crash-thinking --at 4", "moves by a clock", Fail),
        ("twice", "answers each `go` once", Fail),
        ("twice --at 6", "answers each `go` once", Fail),
        ("no-move", "moves in a given time", Fail),
        ("grandchild", "leaves nothing running", Warn),
        ("daemon", "leaves nothing running", Warn),
        ("deaf", "leaves at `quit`", Warn),
        ("illegal --at 4 --codingame", "whole games", Fail),
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
                let (fine, steps) = steps(&faulty(&arguments), variant);
                assert_eq!(
                    grade(&steps, what),
                    Some(expected),
                    "{arguments:?} {steps:#?}"
                );
                let worst = steps.iter().map(|step| step.status).max();
                assert_eq!(fine, worst < Some(Fail), "{arguments:?}");
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
fn a_game_that_a_bot_does_not_play_is_the_first_thing_said() {
    let (fine, steps) = steps(&faulty(&["sound", "--codingame"]), "classic");
    assert!(!fine);
    assert_eq!(steps.len(), 1);
    assert!(
        steps[0].observed.contains("their game is ception:end=most"),
        "{steps:?}"
    );
}

/// A bot in a line of shell: what it answers to `ugi` and to `go`.
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

/// What was seen and how to fix it name the thing itself.
#[test]
fn checks_name_what_helps() {
    let hello = "id name x\\noption name Variant type string default classic\\nugiok\\n";
    let other = "option name Variant type combo default ultimate var ultimate\\nugiok\\n";
    let mut site = faulty(&["sound", "--codingame"]);
    if let BotSource::Program(program) = &mut site.who {
        program.protocol = Protocol::Ugi;
    }
    let cases = [
        // It repeats the question.
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
            site,
            "answers `ugi`",
            "did not say ugiok",
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
            "in a given time",
            "it wrote \"bestmove A1\"",
            "small letters",
        ),
        (
            shell(hello, "bestmove z9\\n"),
            "in a given time",
            "it wrote \"bestmove z9\"",
            "--variant GAME",
        ),
        (
            shell(hello, "bestmove\\n"),
            "in a given time",
            "without a move",
            "bestmove MOVE",
        ),
        // A line that is nearly right is quoted.
        (
            shell(hello, "best move: a1\\n"),
            "in a given time",
            "no answer after 3100 ms; it wrote \"best move: a1\"",
            "bestmove MOVE",
        ),
        // After a crash the advice is about the crash.
        (
            faulty(&["crash-thinking"]),
            "in a given time",
            "its last words: \"faulty-bot: index out of bounds\"",
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
        let said = step.advice.as_deref().unwrap_or_default();
        assert!(said.contains(advice), "{step:#?}");
    }
}

/// Guards against a bot that is late only after many moves, and was called sound.
#[test]
fn whole_games_are_played_in_time() {
    let bot = faulty(&["late-from", "--at", "42", "--late", "2000"]);
    let (fine, steps) = steps(&bot, "ultimate");
    assert!(!fine, "{steps:#?}");
    let games = step(&steps, "whole games");
    assert_eq!(games.status, CheckStatus::Fail);
    // Not waited for until it answers.
    assert!(
        games.observed.contains("no answer after 600 ms"),
        "{games:?}"
    );
    assert!(games.observed.contains("the moves were: "), "{games:?}");
    let advice = games.advice.as_deref().unwrap_or_default();
    assert!(advice.contains("loses on time"), "{advice}");
}

/// Bots that write cells as others do were refused.
#[test]
fn a_notation_of_their_own_is_found_and_translated() {
    for (word, notation) in [
        ("global", Notation::Global),
        ("global-top", Notation::GlobalTop),
    ] {
        let mut trial = trial(&faulty(&["sound", "--notation", word]), "ultimate");
        trial.time_control = "nodes=1".parse().expect("a pace");
        let mut steps = Vec::new();
        let checked = trial.run(&mut |step| steps.push(step));
        assert!(checked.passed, "{steps:#?}");
        assert_eq!(checked.notation, notation);
        let found = step(&steps, "notation");
        assert!(
            found.observed.contains(&format!("\"ugi-{word}:COMMAND\"")),
            "{found:?}"
        );
        // Told beforehand, it plays whole games.
        let mut bot = faulty(&["sound", "--notation", word]);
        if let BotSource::Program(program) = &mut bot.who {
            program.notation = notation;
        }
        let making = making();
        let mut players = [&bot, &ours("random")].map(|spec| {
            making
                .make_player(spec, Variant::ULTIMATE)
                .expect("a player")
        });
        let [one, other] = &mut players;
        let pace = "nodes=1".parse().expect("a pace");
        let result = play(Variant::ULTIMATE, [&mut **one, &mut **other], pace, 1);
        assert!(!result.reason.is_fault(), "{}", result.note);
    }
    let error = faulty(&["sound"]);
    let BotSource::Program(program) = error.who else {
        panic!("a program")
    };
    let other = BotSpec {
        name: "other".into(),
        who: BotSource::Program(Program {
            notation: Notation::Global,
            ..program
        }),
        pace: None,
    };
    assert!(other.check_variant(Variant::CLASSIC).is_err());
}

/// How long a check can take is known before it starts.
#[test]
fn a_check_says_how_long_it_can_take() {
    let longest = |variant: &str, pace: &str| {
        let mut trial = trial(&faulty(&["sound"]), variant);
        trial.time_control = pace.parse().expect("a pace");
        trial.max_duration().map(|time| time.as_secs_f64().ceil())
    };
    assert_eq!(longest("ultimate", "time=100ms"), Some(19.0));
    assert_eq!(longest("classic", "time=100ms"), Some(5.0));
    // Two games of 20.9 s, the clock once, and 32 positions with a clock of 5 s each.
    assert_eq!(longest("classic", "tc=10s+100ms"), Some(213.0));
    assert_eq!(longest("classic", "nodes=5"), None);
}

/// Every line that was said is in the log, and nothing else.
#[test]
fn the_dialogue_of_a_game_is_written_down() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("dialogue.log");
    let mut making = making();
    making.protocol_log = Some(ProtocolLog::create(&path).expect("a file"));
    let player = |arguments| making.make_player(&faulty(arguments), Variant::CLASSIC);
    let mut one = player(&["sound"]).expect("a player");
    let mut other = player(&["noise", "--at", "2"]).expect("a player");
    let pace = "nodes=1".parse().expect("a pace");
    let result = play(Variant::CLASSIC, [&mut *one, &mut *other], pace, 1);
    assert!(!result.reason.is_fault(), "{}", result.note);
    drop((one, other));
    let log = std::fs::read_to_string(&path).expect("a log");
    let asked = log.matches(" > go nodes 1\n").count();
    let answered = log.matches(" < bestmove ").count();
    assert_eq!((asked, answered), (result.play.ply(), result.play.ply()));
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

/// Guards against a log without the attempt in the other protocol, from which the advice
/// follows.
#[test]
fn the_log_of_a_check_has_the_attempt_in_the_other_protocol() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("dialogue.log");
    let mut site = faulty(&["sound", "--codingame"]);
    site.name = "site".into();
    if let BotSource::Program(program) = &mut site.who {
        program.protocol = Protocol::Ugi;
    }
    let mut trial = trial(&site, "ultimate");
    trial.protocol_log = Some(ProtocolLog::create(&path).expect("a file"));
    let (fine, steps) = tried(&trial);
    assert!(!fine, "{steps:#?}");
    let log = std::fs::read_to_string(&path).expect("a log");
    for line in [
        " site#1 > ugi\n",
        " site#2 * started: ",
        " site#2 > -1 -1\n",
    ] {
        assert!(log.contains(line), "{line:?} is not in\n{log}");
    }
}
