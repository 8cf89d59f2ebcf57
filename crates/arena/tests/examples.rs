//! The bots in `examples/` and the page on how to write one.

mod external;

use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::Duration;

use external::{builtin, factory, play, program, root, use_launcher};
use noughts_arena::check::{BotCheck, CheckStatus};
use noughts_arena::{BotSource, BotSpec, BotsFile, Protocol, TimeControl};
use noughts_rules::{Outcome, Side, Variant};

fn python_bot() -> BotSpec {
    let path = root().join("examples/python/bot.py");
    assert!(
        Command::new("python3").arg("--version").output().is_ok(),
        "python3 is needed for this test: install it"
    );
    program(Protocol::Ugi, "python3", &[path.to_str().expect("a path")])
}

/// Far longer than any of these bots needs, even on a machine that is busy with other tests.
const GENEROUS: Duration = Duration::from_secs(30);

/// Steps that short bots don't support and the arena doesn't need.
const EXPECTED_WARNINGS: &[&str] = &["fen"];

fn javascript_bot() -> BotSpec {
    let path = root().join("examples/javascript/bot.js");
    assert!(
        Command::new("node").arg("--version").output().is_ok(),
        "node is needed for this test: install it"
    );
    program(Protocol::Ugi, "node", &[path.to_str().expect("a path")])
}

fn c_bot(folder: &std::path::Path) -> BotSpec {
    compiled(folder, "bot.c", Protocol::Codingame)
}

fn compiled(folder: &std::path::Path, source: &str, protocol: Protocol) -> BotSpec {
    let binary = folder.join("bot");
    let compiler = Command::new("cc")
        .args(["-O2", "-Wall", "-Wextra", "-Werror", "-o"])
        .arg(&binary)
        .arg(root().join("examples/c").join(source))
        .output()
        .expect("a C compiler, cc, is needed for this test: install one");
    assert!(
        compiler.status.success(),
        "{}",
        String::from_utf8_lossy(&compiler.stderr)
    );
    program(protocol, binary.to_str().expect("a path"), &[])
}

/// Plays games on both sides against the random bot: no faults, and enough points to show that it
/// doesn't play at random.
fn play_match(spec: &BotSpec, variant: &str) {
    let variant: Variant = variant.parse().expect("a variant");
    let factory = factory();
    let mut bot = factory.make_player(spec, variant).expect("a player");
    let mut other = factory
        .make_player(&builtin("random"), variant)
        .expect("a player");
    let time_control = TimeControl::MoveTime(GENEROUS);
    let mut points = 0;
    for seed in 0..10 {
        for side in Side::BOTH {
            let result = match side {
                Side::X => play(variant, [&mut *bot, &mut *other], time_control, seed),
                Side::O => play(variant, [&mut *other, &mut *bot], time_control, seed),
            };
            assert!(
                !result.reason.is_fault(),
                "{}: {}",
                result.reason,
                result.note
            );
            points += match result.outcome {
                Outcome::Win(winner) if winner == side => 2,
                Outcome::Win(_) => 0,
                Outcome::Draw => 1,
            };
        }
    }
    assert!(points >= 22, "{points} of 40 against random moves");
}

fn check_passes(spec: &BotSpec, variant: &str, expected_warnings: &[&str]) {
    let variant = variant.parse().expect("a variant");
    let mut steps = Vec::new();
    let mut trial = BotCheck::new(spec.clone(), variant);
    // Generous: the machine may be busy.
    (trial.patience, trial.margin, trial.prompt_timeout) = (GENEROUS, GENEROUS, GENEROUS);
    let result = trial.run(&mut |step| steps.push(step));
    assert!(result.passed, "{steps:#?}");
    for step in steps.iter().filter(|step| step.status == CheckStatus::Warn) {
        assert!(
            expected_warnings
                .iter()
                .any(|expected| step.name.contains(expected)),
            "{step:#?}"
        );
    }
}

#[test]
fn the_python_bot_plays() {
    let bot = python_bot();
    play_match(&bot, "ultimate");
    check_passes(&bot, "ultimate", EXPECTED_WARNINGS);
}

#[test]
fn the_javascript_bot_plays() {
    let bot = javascript_bot();
    play_match(&bot, "ultimate");
    check_passes(&bot, "ultimate", EXPECTED_WARNINGS);
}

#[test]
fn the_c_bot_by_ugi_plays() {
    let folder = tempfile::tempdir().expect("a folder");
    let bot = compiled(folder.path(), "ugi.c", Protocol::Ugi);
    play_match(&bot, "ultimate");
    check_passes(&bot, "ultimate", EXPECTED_WARNINGS);
}

/// The dialogue on the page is one that the C bot really produces.
#[test]
fn the_page_shows_a_real_dialogue() {
    let page = fs::read_to_string(root().join("docs/your-bot.md")).expect("a page");
    let log = code_blocks(&page, "text").concat();
    let lines = |mark: &str| -> Vec<String> {
        let talk = log.lines().filter(|line| !line.starts_with('#'));
        let text = talk.filter_map(|line| line.split_once(mark));
        text.map(|(_, text)| format!("{text}\n")).collect()
    };
    let (sent, wrote) = (lines(" > "), lines(" < "));
    assert!(sent.len() > 10 && wrote.len() > 6, "{log}");
    let folder = tempfile::tempdir().expect("a folder");
    let bot = compiled(folder.path(), "ugi.c", Protocol::Ugi);
    let BotSource::Program(bot) = bot.source else {
        panic!("a program")
    };
    let mut child = Command::new(bot.command)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a bot");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(sent.concat().as_bytes()).expect("it reads");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(String::from_utf8_lossy(&output.stdout), wrote.concat());
}

#[test]
fn the_c_bot_plays() {
    let folder = tempfile::tempdir().expect("a folder");
    let bot = c_bot(folder.path());
    play_match(&bot, "ception:end=most");
    play_match(&bot, "ultimate");
    check_passes(&bot, "ception:end=most", &[]);
}

/// The page shows the bots exactly as they are.
#[test]
fn the_page_shows_the_bots_that_are_tested() {
    let page = fs::read_to_string(root().join("docs/your-bot.md")).expect("a page");
    for (language, path) in [
        ("python", "examples/python/bot.py"),
        ("c", "examples/c/bot.c"),
        ("c", "examples/c/ugi.c"),
        ("javascript", "examples/javascript/bot.js"),
    ] {
        let file = fs::read_to_string(root().join(path)).expect("a bot");
        let block = format!("```{language}\n{file}```\n");
        assert!(
            page.contains(&block),
            "docs/your-bot.md does not show {path} as it is"
        );
    }
}

/// The code blocks of the page in this language.
fn code_blocks(page: &str, language: &str) -> Vec<String> {
    let open = format!("```{language}\n");
    let parts = page.split(&open).skip(1);
    parts
        .filter_map(|part| Some(part.split_once("```")?.0.to_owned()))
        .collect()
}

/// The page's instructions work: its `bots.toml` parses, every bot on a command line is valid, and
/// the bot saved from the page passes the check.
#[test]
fn the_instructions_on_the_page_work() {
    use_launcher();
    let page = fs::read_to_string(root().join("docs/your-bot.md")).expect("a page");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("bots.toml");
    fs::write(&file, code_blocks(&page, "toml").concat()).expect("written");
    fs::write(
        folder.path().join("bot.py"),
        code_blocks(&page, "python").concat(),
    )
    .expect("written");
    let bots = BotsFile::read(&file).expect("the page's file of bots");
    for name in ["mine", "old", "tree"] {
        assert!(bots.get(name).is_some(), "{name}");
    }
    let mut seen = 0;
    for line in code_blocks(&page, "sh").concat().lines() {
        let words = shlex::split(line).expect("a command line");
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let (variant, named) = match words.as_slice() {
            ["noughts", "arena", "check", bot, "--variant", variant] => (variant, vec![*bot]),
            ["noughts", "arena", "match", variant, x, o, ..] => (variant, vec![*x, *o]),
            other => {
                assert_eq!(other.first(), Some(&"cc"), "{line}");
                continue;
            }
        };
        let variant: Variant = variant.parse().expect("a variant");
        for bot in named {
            let spec = BotSpec::parse(bot, &bots).expect("a bot");
            spec.check_variant(variant).expect("a bot for the game");
            seen += 1;
        }
    }
    assert!(seen >= 8, "{seen}");
    check_passes(
        bots.get("mine").expect("it is there"),
        "ultimate",
        EXPECTED_WARNINGS,
    );
}
