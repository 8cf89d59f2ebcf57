//! In-memory protocol sessions: scripted ones, some with misbehaving bots, and thousands of lines
//! of random input.

use std::collections::HashMap;
use std::io::{BufReader, Read};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;

use rand_core::Rng;

use super::*;
use crate::bot::ErasedBot;
use crate::limits::Budget;
use crate::report::SearchReport;
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Much longer than anything takes; a test that waits this long has failed.
const HANG_TIMEOUT: Duration = Duration::from_secs(60);

/// Both ends of a session.
struct TestSession {
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<String>,
    thread: JoinHandle<io::Result<()>>,
}

struct Pipe {
    source: Receiver<Vec<u8>>,
    rest: Vec<u8>,
}

impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            // The sender is gone: end of input.
            self.rest = self.source.recv().unwrap_or_default();
        }
        let n = buffer.len().min(self.rest.len());
        buffer[..n].copy_from_slice(&self.rest[..n]);
        self.rest.drain(..n);
        Ok(n)
    }
}

struct LineSink(Sender<String>);

impl Write for LineSink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Every write consists of whole lines.
        let text = std::str::from_utf8(bytes).map_err(io::Error::other)?;
        assert!(text.ends_with('\n'), "{text:?}");
        for line in text.lines() {
            let _ = self.0.send(line.to_owned());
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn make_fake_bot(bot: impl ErasedBot + 'static) -> Result<AnyBot, String> {
    let settings = BotSettings::default();
    let mut fake = make_built_in_bot(BotKind::Random, Variant::CLASSIC, &settings)?;
    fake.bot = Box::new(bot);
    Ok(fake)
}

impl TestSession {
    fn start(make: BotFactory) -> TestSession {
        let (input, source) = mpsc::channel();
        let (sink, output) = mpsc::channel();
        let pipe = Pipe {
            source,
            rest: Vec::new(),
        };
        let thread = std::thread::spawn(move || {
            serve_with(
                BufReader::new(pipe),
                LineSink(sink),
                UgiOptions::default(),
                make,
            )
        });
        TestSession {
            input: Some(input),
            output,
            thread,
        }
    }

    fn send(&self, line: &str) {
        let input = self.input.as_ref().expect("the input is open");
        // After `quit` nothing reads the input.
        let _ = input.send(format!("{line}\n").into_bytes());
    }

    fn receive(&self) -> String {
        self.output.recv_timeout(HANG_TIMEOUT).expect("an answer")
    }

    /// All lines up to one with this prefix.
    fn receive_until(&self, prefix: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            lines.push(self.receive());
            if lines.last().is_some_and(|line| line.starts_with(prefix)) {
                return lines;
            }
        }
    }

    /// Closes the input and returns the remaining output.
    fn end(mut self) -> Vec<String> {
        self.input = None;
        let served = self.thread.join().expect("no panic");
        served.expect("no error");
        self.output.iter().collect()
    }
}

/// Runs a script: lines starting with `> ` are sent, and lines starting with `< ` must be received
/// next, where `…` matches anything. Unlisted `info` lines in between are skipped.
fn run_script(name: &str, script: &str, make: BotFactory) {
    let session = TestSession::start(make);
    for line in script.lines() {
        if let Some(sent) = line.strip_prefix("> ") {
            session.send(sent);
        } else if let Some(expected) = line.strip_prefix("< ") {
            let received = loop {
                let received = session.receive();
                let skipped = received.starts_with("info ") && !received.contains("error:");
                if !skipped || matches(expected, &received) {
                    break received;
                }
            };
            assert!(
                matches(expected, &received),
                "{name}: {received:?}, not {expected:?}"
            );
        }
    }
    let rest = session.end();
    assert!(rest.is_empty(), "{name}: {rest:?}");
}

/// Whether the text matches the pattern, in which `…` stands for anything.
fn matches(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('…');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else {
        return false;
    };
    let mut last = None;
    for part in parts {
        match rest.find(part) {
            Some(index) => rest = &rest[index + part.len()..],
            None => return false,
        }
        last = Some(part);
    }
    match last {
        None => rest.is_empty(),
        Some(last) => text.ends_with(last),
    }
}

/// Runs every session in this file, each below its name.
#[test]
fn scripted_sessions() {
    for part in include_str!("conversations.txt").split("\n# ").skip(1) {
        let (name, script) = part.split_once('\n').unwrap_or((part, ""));
        run_script(name, script, make_built_in_bot);
    }
}

/// The documented session must be accurate.
#[test]
fn documented_session_is_accurate() {
    let page = include_str!("../../../../docs/protocol.md");
    let mut sessions = page.split("```text\n> ugi\n").skip(1);
    let session = sessions.next().and_then(|rest| rest.split("```").next());
    let session = session.expect("the page has a session");
    run_script(
        "docs/protocol.md",
        &format!("> ugi\n{session}"),
        make_built_in_bot,
    );
}

/// A bot that works but never stops by itself.
struct Endless;

impl ErasedBot for Endless {
    fn think(
        &mut self,
        state: &AnyGameState,
        budget: &Budget,
        watch: &mut dyn FnMut(&SearchReport<String>),
    ) -> SearchReport<String> {
        let mut report = SearchReport {
            best: state.legal_moves().pop(),
            ..SearchReport::empty()
        };
        while !budget.stop_flag().is_stopped() {
            report.nodes += 1;
            report.pv = report.best.iter().cloned().collect();
            watch(&report);
            std::thread::yield_now();
        }
        report
    }

    fn memory_usage(&self) -> usize {
        0
    }
}

fn make_endless_bot(_: BotKind, _: Variant, _: &BotSettings) -> Result<AnyBot, String> {
    make_fake_bot(Endless)
}

#[test]
fn search_runs_until_it_is_stopped() {
    let session = TestSession::start(make_endless_bot);
    session.send("go infinite");
    session.receive_until("info ");
    // Both are answered at once, and the search continues.
    session.send("isready");
    session.receive_until("readyok");
    session.send("query gameover");
    session.receive_until("response false");
    session.receive_until("info ");
    session.send("stop");
    let lines = session.receive_until("bestmove");
    assert_eq!(lines.last().map(String::as_str), Some("bestmove c3"));
    // A limit that the bot ignores is enforced.
    session.send("setoption name Bot value mcts");
    for limit in [
        "movetime 1",
        "p1time 20 p2time 20 p1inc 0 p2inc 0",
        "depth 3",
    ] {
        session.send(&format!("go {limit}"));
        session.receive_until("bestmove c3");
    }
    session.send("stop");
    // A command that changes the state stops the search, which answers first.
    for line in [
        "position startpos moves b2",
        "go infinite",
        "setoption name Seed value 7",
        "uginewgame",
    ] {
        session.send("go infinite");
        session.send(line);
        session.receive_until("bestmove");
        if line.starts_with("go") {
            session.send("stop");
            session.receive_until("bestmove");
        }
    }
    session.send("stop");
    let rest = session.end();
    assert!(
        !rest.iter().any(|line| line.starts_with("bestmove")),
        "{rest:?}"
    );
}

#[test]
fn quit_stops_the_search_and_still_answers() {
    for last in [
        "go infinite",
        "go infinite\nquit",
        "go movetime 86400000\nquit",
        "go movetime 5",
    ] {
        let session = TestSession::start(make_endless_bot);
        session.send(last);
        let rest = session.end();
        let answers = rest.iter().filter(|line| line.starts_with("bestmove"));
        assert_eq!(answers.count(), 1, "{last}: {rest:?}");
        assert!(
            rest.last().is_some_and(|line| line == "bestmove c3"),
            "{rest:?}"
        );
    }
}

/// A bot that reports once and then ignores the stop flag.
struct Unresponsive(Receiver<()>);

/// Keeps the unresponsive bot blocked forever.
static BLOCKED_SENDERS: std::sync::Mutex<Vec<Sender<()>>> = std::sync::Mutex::new(Vec::new());

impl ErasedBot for Unresponsive {
    fn think(
        &mut self,
        state: &AnyGameState,
        _: &Budget,
        watch: &mut dyn FnMut(&SearchReport<String>),
    ) -> SearchReport<String> {
        let report = SearchReport {
            best: state.legal_moves().pop(),
            ..SearchReport::empty()
        };
        watch(&report);
        let _ = self.0.recv();
        report
    }

    fn memory_usage(&self) -> usize {
        0
    }
}

#[test]
fn unresponsive_bot_is_abandoned() {
    let session = TestSession::start(|_, _, _| {
        let (sender, receiver) = mpsc::channel();
        BLOCKED_SENDERS.lock().expect("no panic").push(sender);
        make_fake_bot(Unresponsive(receiver))
    });
    for go in ["go infinite", "go movetime 1", "go nodes 5"] {
        session.send(go);
        session.receive_until("info ");
        session.send("stop");
        let lines = session.receive_until("bestmove");
        assert!(
            lines
                .iter()
                .any(|line| line.ends_with("didn't stop in time")),
            "{lines:?}"
        );
        assert_eq!(lines.last().map(String::as_str), Some("bestmove c3"));
        session.send("isready");
        session.receive_until("readyok");
    }
    assert!(session.end().is_empty());
}

/// In turn, returns an illegal move, returns no move, and panics.
struct Misbehaving(u32);

impl ErasedBot for Misbehaving {
    fn think(
        &mut self,
        _: &AnyGameState,
        _: &Budget,
        _: &mut dyn FnMut(&SearchReport<String>),
    ) -> SearchReport<String> {
        self.0 += 1;
        assert!(self.0 != 3, "as it was\nto be expected");
        let best = (self.0 == 1).then(|| "z9\u{1b}".into());
        SearchReport {
            best,
            ..SearchReport::empty()
        }
    }

    fn memory_usage(&self) -> usize {
        0
    }
}

/// `isready` between `bestmove` and the end of the thread that wrote it used to be answered as if
/// the search was still running, without creating the bot and without its error.
#[test]
fn isready_right_after_bestmove_creates_the_next_bot() {
    /// Blocks the writer of `bestmove` until `isready` has been read.
    struct SlowWriter(Sender<String>, Receiver<()>);

    impl Write for SlowWriter {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let text = std::str::from_utf8(bytes).map_err(io::Error::other)?;
            let _ = self.0.send(text.trim_end().to_owned());
            if text.starts_with("bestmove") {
                self.1
                    .recv_timeout(HANG_TIMEOUT)
                    .expect("isready is read while bestmove is being written");
            }
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Reads one line at a time and signals when the second one has been read.
    struct ScriptReader(Receiver<Vec<u8>>, Sender<()>, usize);

    impl Read for ScriptReader {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let line = self.0.recv().unwrap_or_default();
            buffer[..line.len()].copy_from_slice(&line);
            self.2 += 1;
            if self.2 == 2 {
                let _ = self.1.send(());
            }
            Ok(line.len())
        }
    }

    let (input, lines) = mpsc::channel();
    let (written, output) = mpsc::channel();
    let (taken, receiver) = mpsc::channel();
    let served = std::thread::spawn(move || {
        serve_with(
            BufReader::new(ScriptReader(lines, taken, 0)),
            SlowWriter(written, receiver),
            UgiOptions::default(),
            |_, _, _| Err("no bot today".into()),
        )
    });
    let receive = || output.recv_timeout(HANG_TIMEOUT).expect("an answer");
    input.send(b"go\n".to_vec()).expect("it reads");
    assert_eq!(receive(), "info string error: no bot today");
    assert!(receive().starts_with("bestmove "));
    input.send(b"isready\n".to_vec()).expect("it reads");
    assert_eq!(receive(), "info string error: no bot today");
    assert_eq!(receive(), "readyok");
    drop(input);
    served.join().expect("no panic").expect("no error");
}

#[test]
fn failing_bot_costs_one_move() {
    let session = TestSession::start(|kind, _, _| match kind {
        BotKind::Easy => Err("easy is not at home".into()),
        BotKind::Hard => panic!("hard cannot be made"),
        _ => make_fake_bot(Misbehaving(0)),
    });
    let legal = AnyGameState::new(Variant::CLASSIC).legal_moves();
    let check_answer = |line: &str, error: Option<&str>| {
        session.send(line);
        let lines = session.receive_until("bestmove");
        let errors: Vec<&String> = lines
            .iter()
            .filter(|line| line.contains("error:"))
            .collect();
        match error {
            None => assert!(errors.is_empty(), "{errors:?}"),
            Some(error) => {
                assert!(errors.len() == 1 && errors[0].contains(error), "{errors:?}");
            }
        }
        let mv = lines.last().and_then(|line| line.strip_prefix("bestmove "));
        assert!(
            mv.is_some_and(|mv| legal.iter().any(|legal| legal == mv)),
            "{mv:?}"
        );
    };
    for _ in 0..2 {
        check_answer("go nodes 1", Some("isn't legal"));
        check_answer("go nodes 1", None);
        check_answer("go nodes 1", Some("as it was?to be expected"));
        // The next search creates a new bot.
    }
    session.send("setoption name Bot value easy");
    check_answer("go", Some("not at home"));
    session.send("setoption name Bot value hard");
    check_answer("go", Some("cannot be made"));
    session.send("isready");
    assert_eq!(session.receive(), "info string error: hard cannot be made");
    assert_eq!(session.receive(), "readyok");
    assert!(session.end().is_empty());
}

/// Reports how often it was called, as its node count.
struct Counting(u64);

impl ErasedBot for Counting {
    fn think(
        &mut self,
        state: &AnyGameState,
        budget: &Budget,
        _: &mut dyn FnMut(&SearchReport<String>),
    ) -> SearchReport<String> {
        self.0 += 1;
        SearchReport {
            best: state.legal_moves().pop(),
            nodes: self.0,
            depth: budget.limits().depth.unwrap_or_default(),
            ..SearchReport::empty()
        }
    }

    fn memory_usage(&self) -> usize {
        0
    }
}

/// The state a bot keeps is valuable, but wrong in another game.
#[test]
fn bot_is_kept_for_one_game_and_set_of_options() {
    let session = TestSession::start(|_, _, _| make_fake_bot(Counting(0)));
    let nodes = |line: &str| {
        session.send(line);
        session.send("go depth 1");
        let lines = session.receive_until("bestmove");
        let info = lines.iter().find(|line| line.contains(" nodes ")).cloned();
        let info = info.unwrap_or_default();
        let nodes = info
            .split("nodes ")
            .nth(1)
            .and_then(|rest| rest.split(' ').next());
        nodes.map(str::to_owned).unwrap_or_default()
    };
    assert_eq!(nodes("position startpos"), "1");
    assert_eq!(nodes("position startpos moves b2"), "2");
    assert_eq!(nodes("setoption name Threads value nonsense"), "3");
    assert_eq!(nodes("setoption name Overhead value 20"), "4");
    assert_eq!(nodes("uginewgame"), "1");
    assert_eq!(nodes("setoption name Threads value 2"), "1");
    assert_eq!(nodes("position startpos"), "2");
    assert!(session.end().iter().all(|line| line.contains("error")));
}

/// A bot is created only when it is needed.
#[test]
fn no_bot_is_created_before_isready() {
    let session = TestSession::start(|_, _, _| panic!("too early"));
    for line in [
        "ugi",
        "setoption name Hash value 65536",
        "uginewgame",
        "position startpos",
    ] {
        session.send(line);
    }
    session.receive_until("ugiok");
    assert!(session.end().is_empty());
}

/// A closed output ends the session, including its search.
#[test]
fn broken_output_is_an_error() {
    struct Broken;
    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let input = "go infinite\nisready\nisready\n".as_bytes();
    let served = serve_with(input, Broken, UgiOptions::default(), make_endless_bot);
    assert_eq!(
        served.map_err(|error| error.kind()),
        Err(io::ErrorKind::BrokenPipe)
    );
}

#[test]
fn info_formats_scores() {
    use crate::value::{ExactValue, GameValue, Value};
    let line = |value| {
        search::info(&SearchReport {
            value,
            pv: vec!["b2".into()],
            ..SearchReport::empty()
        })
    };
    let estimate = |mean| Value::Estimate { mean, error: 0.1 };
    for (value, score) in [
        (Value::Exact(ExactValue::win(5)), "mate 5"),
        (Value::Exact(ExactValue::loss(4)), "mate -4"),
        (Value::Exact(ExactValue::DRAW), "cp 0"),
        (
            Value::Exact(ExactValue::without_distance(GameValue::Loss)),
            "cp -10000",
        ),
        (estimate(0.5), "cp 110"),
        (estimate(-0.5), "cp -110"),
        (estimate(1.0), "cp 9999"),
        (estimate(f64::NAN), "cp 0"),
    ] {
        assert_eq!(
            line(value),
            format!("info score {score} nodes 0 nps 0 time 0 pv b2")
        );
    }
    assert_eq!(line(Value::UNKNOWN), "info nodes 0 nps 0 time 0 pv b2");
}

#[test]
fn go_arguments_are_parsed_in_any_order() {
    let parse = |text: &str| {
        let (go, errors) = GoCommand::parse(text);
        (go, errors.len())
    };
    let (go, errors) = parse("p2inc 3 nodes 7 p1time 100 depth 2 p2time 200 p1inc 5 movestogo 9");
    assert_eq!(errors, 0);
    let ms = Duration::from_millis;
    let clock = |remaining, increment, moves_to_go| {
        Some(Clock {
            remaining: ms(remaining),
            increment: ms(increment),
            moves_to_go,
        })
    };
    assert_eq!(go.clock(Side::X), clock(100, 5, Some(9)));
    assert_eq!(go.clock(Side::O), clock(200, 3, Some(9)));
    assert_eq!((go.nodes, go.depth), (Some(7), Some(2)));
    assert_eq!(parse("p1time -50").0.clock(Side::X), clock(0, 0, None));
    assert_eq!(
        parse("movetime 99999999999999999999").0.movetime,
        Some(ms(u64::MAX))
    );
    assert_eq!(parse("movetime infinite"), (parse("infinite").0, 1));
    assert_eq!(parse("ponder fast nodes").1, 1);
    assert_eq!(parse("nodes 0 depth 0").0.nodes, Some(1));
}

#[test]
fn lines_of_any_bytes_and_length_are_accepted() {
    let mut input = b"\xff\xfe\x00go\xc3\x28\r\n\n".to_vec();
    input.extend(std::iter::repeat_n(b'x', parser::MAX_LINE_BYTES + 1));
    input.extend(b"\nisready\r\nisready");
    let (sink, output) = mpsc::channel();
    let served = serve_with(
        input.as_slice(),
        LineSink(sink),
        UgiOptions::default(),
        make_endless_bot,
    );
    assert!(served.is_ok());
    let lines: Vec<String> = output.iter().collect();
    assert_eq!(lines[1..], ["readyok", "readyok"]);
    assert!(
        lines[0].starts_with("info string error: a line is longer"),
        "{lines:?}"
    );
}

/// The vocabulary of random input.
const WORDS: [&str; 40] = [
    "ugi",
    "isready",
    "setoption",
    "name",
    "value",
    "Variant",
    "Bot",
    "Seed",
    "Overhead",
    "uginewgame",
    "position",
    "startpos",
    "fen",
    "moves",
    "go",
    "movetime",
    "nodes",
    "depth",
    "infinite",
    "p1time",
    "p2time",
    "p1inc",
    "movestogo",
    "stop",
    "query",
    "gameover",
    "p1turn",
    "result",
    "b2",
    "ee",
    "@c3",
    "0",
    "1",
    "-1",
    "99999999999999999999",
    "random",
    "mcts",
    "classic",
    "x../.../... o",
    "\u{fffd}\t\u{1b}",
];

const VARIANTS: [&str; 7] = [
    "classic",
    "misere",
    "mnk:4,4,3",
    "tic-tac-two",
    "ultimate",
    "ception:4b,5d",
    "ception:depth=3",
];

struct RandomInput(Xoshiro256PlusPlus);

impl RandomInput {
    fn below(&mut self, n: usize) -> usize {
        (self.0.next_u64() % n as u64) as usize
    }

    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }

    /// Random words, or a valid line with some bytes changed.
    fn line(&mut self, valid: &str) -> Vec<u8> {
        let mut line = if self.below(2) == 0 {
            let n = self.below(7);
            let words: Vec<&str> = (0..n).map(|_| self.pick(&WORDS)).collect();
            words.join(" ").into_bytes()
        } else {
            valid.as_bytes().to_vec()
        };
        for _ in 0..self.below(4) {
            if line.is_empty() {
                break;
            }
            let index = self.below(line.len());
            match self.below(3) {
                0 => line[index] = self.below(256) as u8,
                1 => line.truncate(index),
                _ => line.insert(index, b" 1-m"[self.below(4)]),
            }
        }
        line.retain(|&byte| byte != b'\n');
        // `quit` is tested elsewhere, and a test must not exhaust the memory.
        let text = String::from_utf8_lossy(&line).to_lowercase();
        if ["quit", "hash", "threads", "depth=4", "depth=5", "depth=6"]
            .iter()
            .any(|no| text.contains(no))
        {
            line.clear();
        }
        line
    }
}

/// Random input between questions with known answers: every `isready` is answered, and every `go`
/// with exactly one legal move.
#[test]
fn random_input_is_handled() {
    const LINES: usize = 20_000;
    let mut random_input = RandomInput(Xoshiro256PlusPlus::seed_from_u64(5));
    let mut input: Vec<u8> = b"setoption name Hash value 1\n".to_vec();
    let (mut lines, mut ready_count, mut go_count) = (0, 0, 0);
    // The legal answers to the n-th `go`.
    let mut legal: HashMap<usize, Vec<String>> = HashMap::new();
    let mut valid = String::from("position startpos moves b2");
    let mut push_line = |line: &[u8], ready_count: &mut usize, go_count: &mut usize| {
        let text = String::from_utf8_lossy(line);
        match text.split_whitespace().next() {
            Some("isready") => *ready_count += 1,
            Some("go") => *go_count += 1,
            _ => {}
        }
        input.extend_from_slice(line);
        input.push(b'\n');
        lines += 1;
        lines
    };
    loop {
        let random_lines = random_input.below(12);
        for _ in 0..random_lines {
            let line = random_input.line(&valid);
            push_line(&line, &mut ready_count, &mut go_count);
        }
        let variant = random_input.pick(&VARIANTS);
        let mut state = AnyGameState::new(variant.parse().expect("a variant"));
        let plies = random_input.below(30);
        let mut moves = String::new();
        for _ in 0..plies {
            let all = state.legal_moves();
            if all.is_empty() {
                break;
            }
            let mv = &all[random_input.below(all.len())];
            state.play(mv).expect("a legal move");
            moves += " ";
            moves += mv;
        }
        valid = match random_input.below(2) {
            0 => format!("position startpos moves{moves}"),
            _ => format!("position fen {}", state.position_text()),
        };
        let kind = BotKind::ALL[random_input.below(BotKind::ALL.len())];
        let go_arguments = random_input.pick(&[
            "nodes 1",
            "nodes 20",
            "infinite",
            "movetime 1",
            "depth 1",
            "",
        ]);
        for line in [
            format!("setoption name Bot value {kind}"),
            format!("setoption name Variant value {variant}"),
            "isready".into(),
            valid.clone(),
            format!("go {go_arguments}"),
        ] {
            push_line(line.as_bytes(), &mut ready_count, &mut go_count);
        }
        // A position set up from text has no history of repetitions.
        let mut all = state.legal_moves();
        if valid.starts_with("position fen") && all.is_empty() {
            let fresh = AnyGameState::from_text(state.variant(), &state.position_text());
            all = fresh.map(|state| state.legal_moves()).unwrap_or_default();
        }
        if all.is_empty() {
            all.push("none".into());
        }
        legal.insert(go_count, all);
        if push_line(b"isready", &mut ready_count, &mut go_count) > LINES {
            break;
        }
    }
    push_line(b"stop", &mut ready_count, &mut go_count);

    let (sink, output) = mpsc::channel();
    let served = serve_with(
        input.as_slice(),
        LineSink(sink),
        UgiOptions::default(),
        make_built_in_bot,
    );
    assert!(served.is_ok());
    let (mut ready_answers, mut answers) = (0, 0);
    for line in &output {
        let known = ["id ", "option ", "ugiok", "info ", "response "];
        if line == "readyok" {
            ready_answers += 1;
        } else if let Some(mv) = line.strip_prefix("bestmove ") {
            answers += 1;
            if let Some(legal) = legal.get(&answers) {
                assert!(
                    legal.iter().any(|legal| legal == mv),
                    "answer {answers}: {mv}"
                );
            }
        } else {
            assert!(
                known.iter().any(|known| line.starts_with(known)),
                "{line:?}"
            );
        }
        assert!(!line.contains(|c: char| c.is_control()), "{line:?}");
    }
    assert_eq!((ready_answers, answers), (ready_count, go_count));
}
