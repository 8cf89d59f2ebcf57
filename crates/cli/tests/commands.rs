//! Every command on the command line: the transcripts in `cmd/` and in the documentation match what
//! the program prints.

use std::io::Write;
use std::process::{Command, Stdio};

use noughts_rules::games;

#[test]
fn transcripts_are_what_the_program_prints() {
    trycmd::TestCases::new()
        // The transcripts were made without tablebases, which the user may have built.
        .env("NOUGHTS_DATA", env!("CARGO_TARGET_TMPDIR"))
        .env("TZ", "UTC")
        .case("tests/cmd/*.trycmd")
        .case("../../README.md")
        .case("../../docs/*.md")
        // Its transcripts are those of another program, which tests them.
        .skip("../../docs/add-a-game.md");
}

/// Runs the program with this standard input. Returns its output and its exit code.
fn noughts(args: &[&str], input: &str) -> (String, Option<i32>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_noughts"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe was asked for");
    let input = input.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().expect("the program ends");
    // Fails if the program closes its input early.
    let _ = writer.join();
    (
        String::from_utf8_lossy(&output.stdout).into_owned(),
        output.status.code(),
    )
}

/// The text of a depth-6 board doesn't fit in an argument.
#[test]
fn the_deepest_board_is_read_from_standard_input() {
    let (text, status) = noughts(&["show", "ception:depth=6", "--as", "text"], "");
    assert_eq!(status, Some(0));
    assert!(text.len() > 531_441);
    let (again, status) = noughts(
        &["show", "ception:depth=6", "--as", "text", "--position", "-"],
        &text,
    );
    assert_eq!(status, Some(0));
    assert!(again == text, "the text came back changed");
}

#[test]
fn moves_are_read_from_standard_input() {
    let (text, status) = noughts(
        &["show", "classic", "--as", "text", "--moves", "-"],
        "b2\na1\n",
    );
    assert_eq!((text.as_str(), status), ("o../.x./... x\n", Some(0)));
    let (text, status) = noughts(
        &["show", "classic", "--moves", "-", "--position", "-"],
        "b2",
    );
    assert_eq!((text.as_str(), status), ("", Some(2)));
}

/// With two bots there are no answers to read, so a position can come from standard input.
#[test]
fn bots_play_from_a_position_on_standard_input() {
    let args = "play classic --x easy --o easy --unsaved --position -";
    let args: Vec<&str> = args.split(' ').collect();
    let (text, status) = noughts(&args, "xox/xoo/ox. x\n");
    assert_eq!(status, Some(0));
    assert!(text.contains("Easy played c3.\n"), "{text}");
    assert!(text.contains("Draw: the board is full."), "{text}");
}

/// A script can be piped in: the engine finishes its search before it exits.
#[test]
fn the_engine_answers_a_script() {
    let script = "ugi\nisready\nposition fen xox/xoo/ox. x\ngo movetime 20\n";
    let (text, status) = noughts(&["engine", "--bot", "mcts", "--seed", "7"], script);
    assert_eq!(status, Some(0));
    let option = "option name Bot type combo default mcts var random ";
    for line in [
        option,
        "option name Seed type string default 7\n",
        "\nreadyok\n",
    ] {
        assert!(text.contains(line), "{line:?} is missing in {text}");
    }
    assert!(text.ends_with("\nbestmove c3\n"), "{text}");
}

/// The match runner may exit at any time.
#[test]
fn the_engine_ends_with_its_runner() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_noughts"))
        .args(["engine", "--variant", "ultimate", "--bot", "mcts"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("a pipe was asked for");
    // The engine may exit before it reads this.
    let _ = stdin.write_all(b"go infinite\n");
    drop(stdin);
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

/// `noughts moves … | head -1` closes the pipe early: that isn't an error.
#[test]
fn a_closed_pipe_is_not_an_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_noughts"))
        .args(["moves", "ception:depth=6"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

/// Arguments must not be able to control the terminal through an error message.
#[test]
fn errors_contain_no_control_characters() {
    for argument in [
        "\u{1b}[31mclassic",
        "x\rclassic",
        "x\u{9b}31m",
        "a\u{202e}b",
        "ulti\nmate",
        "\u{7}",
    ] {
        for args in [
            vec![argument],
            vec!["show", argument],
            vec!["show", "classic", "--moves", argument],
            vec!["show", "classic", "--position", argument],
            vec!["arena", "match", argument, "random", "easy"],
            vec!["arena", "match", "classic", argument, "easy"],
            vec![
                "arena",
                "match",
                "classic",
                "random",
                "easy",
                "--openings",
                argument,
            ],
        ] {
            let output = Command::new(env!("CARGO_BIN_EXE_noughts"))
                .args(&args)
                .output()
                .expect("the program runs");
            let error = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
            assert_eq!(error.lines().count(), 1, "{args:?}: {error:?}");
            let is_unexpected = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
            assert!(!error.contains(is_unexpected), "{args:?}: {error:?}");
        }
    }
}

/// What the program prints with these arguments and this environment variable.
fn printed(args: &[&str], variable: (&str, &str)) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_noughts"));
    for name in ["CARGO", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    let output = command.args(args).env(variable.0, variable.1).output();
    let output = output.expect("the program runs");
    assert_eq!(output.status.code(), Some(0), "{args:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Without arguments, the program shows a board, every family of games and every command. The help
/// of each command has an example.
#[test]
fn the_welcome_lists_games_and_commands() {
    let welcome = printed(&[], ("UNUSED", ""));
    assert!(welcome.contains("┲b━━"), "{welcome}");
    for (_, preset) in games::presets() {
        let shown = format!("\n  {} ", preset.name);
        assert!(welcome.contains(&shown), "{shown} is missing in {welcome}");
    }
    assert!(welcome.ends_with("Try: noughts play ultimate\n"));
    assert!(printed(&[], ("CARGO", "cargo")).contains("Try: cargo run --release -- play"));
    for command in [
        "play",
        "show",
        "moves",
        "perft",
        "bots",
        "best",
        "solve",
        "engine",
        "tablebase",
        "players",
        "games",
        "serve",
        "bench",
    ] {
        assert!(welcome.contains(&format!("noughts {command}")), "{command}");
        let help = printed(&[command, "--help"], ("UNUSED", ""));
        assert!(
            help.contains(&format!("Example: noughts {command} ")),
            "{help}"
        );
    }
}

/// The help of each argument that is a game lists all games.
#[test]
fn help_lists_every_game() {
    let mut commands = [
        "play", "show", "moves", "perft", "bots", "best", "solve", "engine",
    ]
    .map(|name| vec![name])
    .to_vec();
    commands.extend(["match", "tournament", "sprt"].map(|name| vec!["arena", name]));
    for mut command in commands {
        command.push("--help");
        let help = printed(&command, ("UNUSED", ""));
        for name in games::names() {
            let listed = [" ", ","]
                .iter()
                .any(|end| help.contains(&format!(" {name}{end}")));
            let listed = listed || help.contains(&format!(" {name}\n"));
            assert!(listed, "{command:?}: {name} is missing in {help}");
        }
    }
}

/// Colors can be forced or disabled, and no information is shown by color alone.
#[test]
fn colors_can_be_forced_and_disabled() {
    let args = ["show", "ultimate", "--moves", "ec"];
    let colored = printed(&args, ("CLICOLOR_FORCE", "1"));
    let plain = printed(&args, ("NO_COLOR", "1"));
    assert!(colored.contains('\u{1b}'));
    assert!(!plain.contains('\u{1b}'));
    let mut stripped = String::new();
    for (i, part) in colored.split('\u{1b}').enumerate() {
        let text = if i == 0 {
            part
        } else {
            part.split_once('m').map_or("", |(_, text)| text)
        };
        stripped.push_str(text);
    }
    assert_eq!(stripped, plain);
}
