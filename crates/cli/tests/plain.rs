//! Plain mode through a pipe. Transcripts are data files in `plain/`; tests that would be too long
//! for a transcript are here.
//!
//! A transcript has one or more runs of the program with the same data. `$ noughts …` starts a run
//! (with seed 1 unless another one is given), `> …` is a line of input (`\xff` is a byte), and
//! everything else is output. `NOUGHTS_TRANSCRIPTS=overwrite` writes the current output to the
//! files; review it before committing it.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Runs the program with this data directory and input.
fn noughts(args: &[&str], data: &Path, input: &[u8]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_noughts"));
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    let mut child = command
        .args(args)
        .env("NOUGHTS_DATA", data)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe was asked for");
    let input = input.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().expect("the program ends");
    // Fails if the program closes its input early.
    let _ = writer.join();
    output
}

/// One run of the program in a transcript.
#[derive(Default)]
struct Run<'a> {
    command: &'a str,
    typed: Vec<&'a str>,
}

/// Parses a transcript: the text before the first run, and the runs.
fn parse_transcript(text: &str) -> (String, Vec<Run<'_>>) {
    let (mut head, mut runs) = (String::new(), Vec::<Run<'_>>::new());
    for line in text.lines() {
        if let Some(command) = line.strip_prefix("$ noughts ") {
            let typed = Vec::new();
            runs.push(Run { command, typed });
        } else if let Some(run) = runs.last_mut() {
            if let Some(typed) = line.strip_prefix('>') {
                run.typed.push(typed.strip_prefix(' ').unwrap_or(typed));
            }
        } else {
            head += &format!("{line}\n");
        }
    }
    (head, runs)
}

impl Run<'_> {
    /// The transcript of this run with the program's current output.
    fn transcript(&self, data: &Path) -> String {
        let mut args = arguments(self.command);
        if args.first() == Some(&"play") && !args.contains(&"--seed") {
            args.extend(["--seed", "1"]);
        }
        let input: Vec<Vec<u8>> = self.typed.iter().map(|line| bytes(line)).collect();
        let output = noughts(&args, data, &input.concat());
        let mut text = format!("$ noughts {}\n", self.command);
        let output_text = String::from_utf8(output.stdout).expect("it says text");
        let mut typed = self.typed.iter();
        for line in output_text.lines().filter(|line| !is_waiting_notice(line)) {
            text += &format!("{}\n", without_time(line));
            // Each question is followed by a line of input.
            if let Some(line) = is_question(line).then(|| typed.next()).flatten() {
                text += format!("> {line}").trim_end();
                text.push('\n');
            }
        }
        for line in typed {
            text += &format!("> {line} (nobody asked)\n");
        }
        text += &String::from_utf8_lossy(&output.stderr);
        if output.status.code() != Some(0) {
            text += &format!("? {:?}\n", output.status.code());
        }
        text
    }
}

/// Is the line printed only if a search takes a while?
fn is_waiting_notice(line: &str) -> bool {
    let notices = [
        " is thinking.",
        "Finding a hint.",
        " is considering your draw offer.",
    ];
    notices.iter().any(|notice| line.ends_with(notice))
}

/// Splits a command into arguments at blanks outside of quotes.
fn arguments(command: &str) -> Vec<&str> {
    let quoted = command.split('"').enumerate();
    quoted
        .flat_map(|(i, part)| match i % 2 {
            0 => part.split_whitespace().collect(),
            _ => vec![part],
        })
        .collect()
}

/// Is the line a question, which is followed by an answer? Remarks may end with a question mark, too.
fn is_question(line: &str) -> bool {
    let is_short = line.starts_with("Your ") && line.ends_with('?');
    !line.starts_with("Sorry, ") && (is_short || line.contains("? ("))
}

/// A line of input as bytes; `\xff` is a byte.
fn bytes(line: &str) -> Vec<u8> {
    let mut parts = line.split("\\x");
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let (digits, rest) = part.split_at(2);
        bytes.push(u8::from_str_radix(digits, 16).expect("two hexadecimal digits"));
        bytes.extend_from_slice(rest.as_bytes());
    }
    bytes.push(b'\n');
    bytes
}

/// Replaces the time when a game started.
fn without_time(line: &str) -> String {
    match line.split_once(", started ") {
        Some((before, _)) => format!("{before}, started TIME."),
        None => line.into(),
    }
}

#[test]
fn transcripts_match_the_output() {
    let overwrite = std::env::var_os("NOUGHTS_TRANSCRIPTS").is_some();
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/plain");
    let mut failures = Vec::new();
    let mut files = 0;
    for entry in fs::read_dir(dir).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        if path.extension() != Some(OsStr::new("txt")) {
            continue;
        }
        files += 1;
        let text = fs::read_to_string(&path).expect("the file is text");
        let data = tempfile::tempdir().expect("a folder");
        let (mut transcript, runs) = parse_transcript(&text);
        for run in runs {
            transcript += &run.transcript(data.path());
        }
        if transcript == text {
            continue;
        }
        if overwrite {
            fs::write(&path, &transcript).expect("the file can be written");
            continue;
        }
        let same = text
            .lines()
            .zip(transcript.lines())
            .take_while(|(a, b)| a == b);
        let line = same.count();
        failures.push(format!(
            "{} line {}:\n  written: {:?}\n  now:     {:?}",
            path.display(),
            line + 1,
            text.lines().nth(line),
            transcript.lines().nth(line),
        ));
    }
    assert!(files >= 10, "only {files} files");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// A random number generator with the same output on every platform.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % sides
    }

    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.roll(choices.len())]
    }

    /// A line that a player may type at some question, or one that nobody would.
    fn line(&mut self) -> Vec<u8> {
        const WORDS: [&str; 47] = [
            "y",
            "n",
            "yes",
            "no",
            "h",
            "c",
            "human",
            "COMPUTER",
            "0",
            "1",
            "2",
            "3",
            "easy",
            "medium",
            "hard",
            "random",
            "best of all",
            "undo",
            "redo",
            "hint",
            "board",
            "read",
            "moves",
            "rules",
            "help",
            "?",
            "record",
            "draw",
            "resign",
            "cancel",
            "abandon",
            "abandon 1",
            "",
            " ",
            "up",
            "down left",
            "nw",
            "7",
            "Ada",
            "ada",
            "Bob",
            "Player 1",
            "place",
            "grid",
            "piece",
            "-1",
            "999999999999999999999",
        ];
        match self.roll(20) {
            0..7 => self.pick(&WORDS).into(),
            7..11 => self.cell().into(),
            11..13 => format!("{} {}", self.roll(7), self.roll(7)).into(),
            13 => format!("@{}", self.cell()).into(),
            14 => format!("{}-{}", self.cell(), self.cell()).into(),
            15..18 => {
                let count = 1 + self.roll(3);
                (0..count).map(|_| b'a' + self.roll(9) as u8).collect()
            }
            18 => {
                let count = self.roll(12);
                (0..count).map(|_| self.roll(256) as u8).collect()
            }
            _ if self.roll(20) == 0 => vec![b'x'; self.roll(5000)],
            _ => "💥é\u{202e}".into(),
        }
    }

    fn cell(&mut self) -> String {
        let column = char::from(b'a' + self.roll(6) as u8);
        format!("{column}{}", 1 + self.roll(5))
    }
}

/// How many times longer the soak tests run: `NOUGHTS_SOAK=20`.
fn soak() -> usize {
    let factor = std::env::var("NOUGHTS_SOAK").ok();
    factor.and_then(|times| times.parse().ok()).unwrap_or(1)
}

/// Ten thousand random lines, which also quit, resume and abandon games.
#[test]
fn random_input_never_breaks_it() {
    let count = 500 * soak();
    let variants = [
        "classic",
        "tic-tac-two",
        "ultimate",
        "mnk:4,3,3,misere",
        "ception:5d",
    ];
    let players: [&[&str]; 4] = [
        &[],
        &["--o", "easy"],
        &["--x", "human:q", "--o", "human"],
        &["--x", "medium", "--o", "human"],
    ];
    for (i, variant) in variants.into_iter().enumerate() {
        let data = tempfile::tempdir().expect("a folder");
        for (j, players) in players.into_iter().enumerate() {
            let seed = (i * 10 + j) as u64;
            let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
            let lines: Vec<Vec<u8>> = (0..count).map(|_| dice.line()).collect();
            let seed = seed.to_string();
            let mut args = vec!["play", variant, "--plain", "--time", "1", "--seed", &seed];
            args.extend(players);
            feed_all_lines(&args, data.path(), &lines);
        }
    }
}

/// Runs the program repeatedly until it has read every line.
fn feed_all_lines(args: &[&str], data: &Path, lines: &[Vec<u8>]) {
    let mut consumed = 0;
    while consumed < lines.len() {
        let output = noughts(args, data, &lines[consumed..].join(&b'\n'));
        let output_text = String::from_utf8(output.stdout).expect("it says text");
        let error = String::from_utf8_lossy(&output.stderr);
        let end: Vec<&str> = output_text.lines().rev().take(3).collect();
        let what = format!("{args:?} after {consumed} lines: {end:?} {error}");
        assert_eq!(output.status.code(), Some(0), "{what}");
        assert_eq!(error, "", "{what}");
        assert!(end[0].starts_with("Goodbye"), "{what}");
        let is_unexpected = |c: char| c.is_control() && c != '\n';
        assert!(!output_text.contains(is_unexpected), "{what}");
        consumed += output_text.lines().filter(|line| is_question(line)).count();
    }
}

/// `noughts play --plain | head` closes the pipe: that isn't an error.
#[test]
fn a_closed_pipe_ends_it_quietly() {
    let data = tempfile::tempdir().expect("a folder");
    let mut child = Command::new(env!("CARGO_BIN_EXE_noughts"))
        .args(["play", "--plain", "--x", "human:Ada", "--o", "easy"])
        .env("NOUGHTS_DATA", data.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("a pipe was asked for");
    // The program may exit before it reads this.
    let _ = stdin.write_all(b"b2\nboard\nboard\n");
    drop(stdin);
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

/// If the store can't be opened, the error says so and how to play without it.
#[test]
fn without_a_store_games_need_the_unsaved_option() {
    let data = tempfile::tempdir().expect("a folder");
    let file = data.path().join("file");
    fs::write(&file, "in the way").expect("the file can be written");
    let output = noughts(&["play", "--plain"], &file, b"Ada\n");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(
        error.contains("use --unsaved to play without saving"),
        "{error}"
    );
    assert_eq!(error.lines().count(), 1, "{error}");

    let input = b"Ada\nc\n0\ny\nb2\n";
    let output = noughts(&["play", "--plain", "--unsaved"], &file, input);
    let output_text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{output_text}");
    assert!(output_text.contains("Nothing is saved"), "{output_text}");
    assert!(
        output_text.contains("The game isn't saved."),
        "{output_text}"
    );
}

/// With `--ascii`, all output is ASCII.
#[test]
fn ascii_output_is_ascii() {
    let data = tempfile::tempdir().expect("a folder");
    for variant in ["misere", "tic-tac-two", "ultimate"] {
        let mut args = vec!["play", variant, "--plain", "--ascii"];
        args.extend(["--x", "human:A", "--o", "easy"]);
        let output = noughts(&args, data.path(), b"b2\nee\nrules\n");
        let output_text = String::from_utf8(output.stdout).expect("it says text");
        assert!(output_text.is_ascii(), "{output_text}");
    }
}
