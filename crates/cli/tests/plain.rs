//! The plain game as people and pipes play it. Whole talks are data files in
//! `plain/`; what they would be too long for is here.
//!
//! A file has one or more runs of the program over the same data. `$ noughts …`
//! starts one (games with the seed 1 unless another is given), `> …` is a line that is
//! typed (`\x…` stands for a byte that is no text), everything else is what the
//! program says. `NOUGHTS_TRANSCRIPTS=overwrite` writes down what it says now; read
//! it before it is committed.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Runs the program over this data with these bytes as its input.
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
    // A program that has seen enough may close its input.
    let _ = writer.join();
    output
}

/// One start of the program, as a file tells it.
#[derive(Default)]
struct Run<'a> {
    command: &'a str,
    typed: Vec<&'a str>,
}

/// What comes before the first run, and the runs.
fn read(text: &str) -> (String, Vec<Run<'_>>) {
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
    /// The run as a file tells it, with what the program says now.
    fn told(&self, data: &Path) -> String {
        let mut args = arguments(self.command);
        if args.first() == Some(&"play") && !args.contains(&"--seed") {
            args.extend(["--seed", "1"]);
        }
        let input: Vec<Vec<u8>> = self.typed.iter().map(|line| bytes(line)).collect();
        let output = noughts(&args, data, &input.concat());
        let mut text = format!("$ noughts {}\n", self.command);
        let said = String::from_utf8(output.stdout).expect("it says text");
        let mut typed = self.typed.iter();
        for line in said.lines().filter(|line| !line.ends_with(" is thinking.")) {
            text += &format!("{}\n", without_time(line));
            // A line is typed after each question.
            if let Some(line) = asks(line).then(|| typed.next()).flatten() {
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

/// The words of a command; blanks in quotes don't separate them.
fn arguments(command: &str) -> Vec<&str> {
    let quoted = command.split('"').enumerate();
    quoted
        .flat_map(|(i, part)| match i % 2 {
            0 => part.split_whitespace().collect(),
            _ => vec![part],
        })
        .collect()
}

/// Is it a question? Every answer follows one.
fn asks(line: &str) -> bool {
    !line.starts_with("Refused: ") && (line.ends_with('?') || line.contains("? ("))
}

/// The line as it is typed: `\xff` is a byte.
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

/// When a game was begun depends on the day.
fn without_time(line: &str) -> String {
    match line.split_once(", begun ") {
        Some((before, _)) => format!("{before}, begun TIME."),
        None => line.into(),
    }
}

#[test]
fn talks_go_as_they_are_written_down() {
    let overwrite = std::env::var_os("NOUGHTS_TRANSCRIPTS").is_some();
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/plain");
    let mut wrong = Vec::new();
    let mut files = 0;
    for entry in fs::read_dir(dir).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        if path.extension() != Some(OsStr::new("txt")) {
            continue;
        }
        files += 1;
        let text = fs::read_to_string(&path).expect("the file is text");
        let data = tempfile::tempdir().expect("a folder");
        let (mut told, runs) = read(&text);
        for run in runs {
            told += &run.told(data.path());
        }
        if told == text {
            continue;
        }
        if overwrite {
            fs::write(&path, &told).expect("the file can be written");
            continue;
        }
        let same = text.lines().zip(told.lines()).take_while(|(a, b)| a == b);
        let line = same.count();
        wrong.push(format!(
            "{} line {}:\n  written: {:?}\n  now:     {:?}",
            path.display(),
            line + 1,
            text.lines().nth(line),
            told.lines().nth(line),
        ));
    }
    assert!(files >= 10, "only {files} files");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A generator that is the same everywhere.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % sides
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.roll(of.len())]
    }

    /// Something that somebody may type at some question, or that nobody would.
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
                let many = 1 + self.roll(3);
                (0..many).map(|_| b'a' + self.roll(9) as u8).collect()
            }
            18 => {
                let many = self.roll(12);
                (0..many).map(|_| self.roll(256) as u8).collect()
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
    let asked = std::env::var("NOUGHTS_SOAK").ok();
    asked.and_then(|times| times.parse().ok()).unwrap_or(1)
}

/// Ten thousand lines that nobody meant; the games are left, resumed and abandoned
/// on the way.
#[test]
fn random_input_never_breaks_it() {
    let many = 500 * soak();
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
            let lines: Vec<Vec<u8>> = (0..many).map(|_| dice.line()).collect();
            let seed = seed.to_string();
            let mut args = vec!["play", variant, "--plain", "--time", "1", "--seed", &seed];
            args.extend(players);
            hear_all(&args, data.path(), &lines);
        }
    }
}

/// Starts the program again and again until it has heard every line.
fn hear_all(args: &[&str], data: &Path, lines: &[Vec<u8>]) {
    let mut heard = 0;
    while heard < lines.len() {
        let output = noughts(args, data, &lines[heard..].join(&b'\n'));
        let said = String::from_utf8(output.stdout).expect("it says text");
        let error = String::from_utf8_lossy(&output.stderr);
        let end: Vec<&str> = said.lines().rev().take(3).collect();
        let what = format!("{args:?} after {heard} lines: {end:?} {error}");
        assert_eq!(output.status.code(), Some(0), "{what}");
        assert_eq!(error, "", "{what}");
        assert!(end[0].starts_with("Goodbye"), "{what}");
        let odd = |c: char| c.is_control() && c != '\n';
        assert!(!said.contains(odd), "{what}");
        heard += said.lines().filter(|line| asks(line)).count();
    }
}

/// `noughts play --plain | head` closes the pipe: that is no failure.
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
    // It may be gone before it has read this.
    let _ = stdin.write_all(b"b2\nboard\nboard\n");
    drop(stdin);
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

/// Without a place to keep games it says so, and how to play all the same.
#[test]
fn without_a_store_nothing_is_begun_unless_asked_for() {
    let data = tempfile::tempdir().expect("a folder");
    let file = data.path().join("file");
    fs::write(&file, "in the way").expect("the file can be written");
    let output = noughts(&["play", "--plain"], &file, b"Ada\n");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("--unsaved plays without keeping"), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");

    let input = b"Ada\nc\n0\ny\nb2\n";
    let output = noughts(&["play", "--plain", "--unsaved"], &file, input);
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("Nothing is kept"), "{said}");
    assert!(said.contains("The game is not kept."), "{said}");
}

/// The drawing's colours are the only thing that is not plain text.
#[test]
fn ascii_drawings_can_be_had() {
    let data = tempfile::tempdir().expect("a folder");
    for variant in ["misere", "tic-tac-two", "ultimate"] {
        let mut args = vec!["play", variant, "--plain", "--ascii"];
        args.extend(["--x", "human:A", "--o", "easy"]);
        let output = noughts(&args, data.path(), b"b2\nee\nrules\n");
        let said = String::from_utf8(output.stdout).expect("it says text");
        assert!(said.is_ascii(), "{said}");
    }
}
