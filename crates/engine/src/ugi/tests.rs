//! Conversations in memory: written ones, some with bots that misbehave, and
//! thousands of lines of noise.

use std::collections::HashMap;
use std::io::{BufReader, Read};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;

use rand_core::Rng;

use super::*;
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Longer than this nothing takes; a test that waits so long has failed.
const HANGS: Duration = Duration::from_secs(60);

/// Both ends of a conversation.
struct Talk {
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
            // Nobody sends any more: the end.
            self.rest = self.source.recv().unwrap_or_default();
        }
        let n = buffer.len().min(self.rest.len());
        buffer[..n].copy_from_slice(&self.rest[..n]);
        self.rest.drain(..n);
        Ok(n)
    }
}

struct Ear(Sender<String>);

impl Write for Ear {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Every write is whole lines.
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

fn real(
    kind: BotKind,
    variant: Variant,
    settings: &BotSettings,
) -> Result<Box<dyn UgiBot>, String> {
    Ok(Box::new(AnyBot::new(kind, variant, settings)?))
}

impl Talk {
    fn start(make: BotFactory) -> Talk {
        let (input, source) = mpsc::channel();
        let (ear, output) = mpsc::channel();
        let pipe = Pipe {
            source,
            rest: Vec::new(),
        };
        let thread = std::thread::spawn(move || {
            serve_with(BufReader::new(pipe), Ear(ear), UgiOptions::default(), make)
        });
        Talk {
            input: Some(input),
            output,
            thread,
        }
    }

    fn send(&self, line: &str) {
        let input = self.input.as_ref().expect("the input is open");
        // Whoever has quit reads nothing.
        let _ = input.send(format!("{line}\n").into_bytes());
    }

    fn hear(&self) -> String {
        self.output.recv_timeout(HANGS).expect("an answer")
    }

    /// All up to a line that begins so.
    fn hear_until(&self, prefix: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            lines.push(self.hear());
            if lines.last().is_some_and(|line| line.starts_with(prefix)) {
                return lines;
            }
        }
    }

    /// Closes the input and gives what is still said.
    fn end(mut self) -> Vec<String> {
        self.input = None;
        let served = self.thread.join().expect("no panic");
        served.expect("no error");
        self.output.iter().collect()
    }
}

/// Runs a conversation: `> ` is sent, `< ` must be what comes next, with `…` for
/// anything. Lines of `info` before it that are not written down are skipped.
fn converse(name: &str, script: &str, make: BotFactory) {
    let talk = Talk::start(make);
    for line in script.lines() {
        if let Some(sent) = line.strip_prefix("> ") {
            talk.send(sent);
        } else if let Some(wanted) = line.strip_prefix("< ") {
            let heard = loop {
                let heard = talk.hear();
                let skipped = heard.starts_with("info ") && !heard.contains("error:");
                if !skipped || matches(wanted, &heard) {
                    break heard;
                }
            };
            assert!(matches(wanted, &heard), "{name}: {heard:?}, not {wanted:?}");
        }
    }
    let rest = talk.end();
    assert!(rest.is_empty(), "{name}: {rest:?}");
}

/// Is this the pattern, in which `…` stands for anything?
fn matches(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('…');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else {
        return false;
    };
    let mut last = None;
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
        last = Some(part);
    }
    match last {
        None => rest.is_empty(),
        Some(last) => text.ends_with(last),
    }
}

/// Every conversation in this file, each below its name.
#[test]
fn written_conversations() {
    for part in include_str!("conversations.txt").split("\n# ").skip(1) {
        let (name, script) = part.split_once('\n').unwrap_or((part, ""));
        converse(name, script, real);
    }
}

/// The page shows what happens.
#[test]
fn the_session_of_the_protocol_page() {
    let page = include_str!("../../../../docs/protocol.md");
    let mut sessions = page.split("```text\n> ugi\n").skip(1);
    let session = sessions.next().and_then(|rest| rest.split("```").next());
    let session = session.expect("the page has a session");
    converse("docs/protocol.md", &format!("> ugi\n{session}"), real);
}

/// A bot that does its work, but never by itself comes to an end.
struct Endless;

impl UgiBot for Endless {
    fn think(
        &mut self,
        play: &AnyGameState,
        _: SearchLimits,
        stop: &StopFlag,
        watch: &mut dyn FnMut(&SearchReport<String>),
    ) -> SearchReport<String> {
        let mut report = SearchReport {
            best: play.legal_moves().pop(),
            ..SearchReport::empty()
        };
        while !stop.is_stopped() {
            report.nodes += 1;
            report.pv = report.best.iter().cloned().collect();
            watch(&report);
            std::thread::yield_now();
        }
        report
    }
}

fn endless(_: BotKind, _: Variant, _: &BotSettings) -> Result<Box<dyn UgiBot>, String> {
    Ok(Box::new(Endless))
}

#[test]
fn a_search_goes_on_until_it_is_stopped() {
    let talk = Talk::start(endless);
    talk.send("go infinite");
    talk.hear_until("info ");
    // Both are answered at once, and the search goes on.
    talk.send("isready");
    talk.hear_until("readyok");
    talk.send("query gameover");
    talk.hear_until("response false");
    talk.hear_until("info ");
    talk.send("stop");
    let lines = talk.hear_until("bestmove");
    assert_eq!(lines.last().map(String::as_str), Some("bestmove c3"));
    // A limit that the bot does not keep is kept for it.
    talk.send("setoption name Bot value mcts");
    for limit in [
        "movetime 1",
        "p1time 20 p2time 20 p1inc 0 p2inc 0",
        "depth 3",
    ] {
        talk.send(&format!("go {limit}"));
        talk.hear_until("bestmove c3");
    }
    talk.send("stop");
    // What changes the state ends a search, which answers first.
    for line in [
        "position startpos moves b2",
        "go infinite",
        "setoption name Seed value 7",
        "uginewgame",
    ] {
        talk.send("go infinite");
        talk.send(line);
        talk.hear_until("bestmove");
        if line.starts_with("go") {
            talk.send("stop");
            talk.hear_until("bestmove");
        }
    }
    talk.send("stop");
    let rest = talk.end();
    assert!(
        !rest.iter().any(|line| line.starts_with("bestmove")),
        "{rest:?}"
    );
}

#[test]
fn leaving_ends_a_search_and_still_answers() {
    for last in [
        "go infinite",
        "go infinite\nquit",
        "go movetime 86400000\nquit",
        "go movetime 5",
    ] {
        let talk = Talk::start(endless);
        talk.send(last);
        let rest = talk.end();
        let answers = rest.iter().filter(|line| line.starts_with("bestmove"));
        assert_eq!(answers.count(), 1, "{last}: {rest:?}");
        assert!(
            rest.last().is_some_and(|line| line == "bestmove c3"),
            "{rest:?}"
        );
    }
}

/// One that reports once and then hears nothing any more.
struct Deaf(Receiver<()>);

/// Keeps the deaf one waiting for ever.
static KEPT: std::sync::Mutex<Vec<Sender<()>>> = std::sync::Mutex::new(Vec::new());

impl UgiBot for Deaf {
    fn think(
        &mut self,
        play: &AnyGameState,
        _: SearchLimits,
        _: &StopFlag,
        watch: &mut dyn FnMut(&SearchReport<String>),
    ) -> SearchReport<String> {
        let report = SearchReport {
            best: play.legal_moves().pop(),
            ..SearchReport::empty()
        };
        watch(&report);
        let _ = self.0.recv();
        report
    }
}

#[test]
fn a_bot_that_does_not_stop_is_left_behind() {
    let talk = Talk::start(|_, _, _| {
        let (keep, wait) = mpsc::channel();
        KEPT.lock().expect("no panic").push(keep);
        Ok(Box::new(Deaf(wait)))
    });
    for go in ["go infinite", "go movetime 1", "go nodes 5"] {
        talk.send(go);
        talk.hear_until("info ");
        talk.send("stop");
        let lines = talk.hear_until("bestmove");
        assert!(
            lines.iter().any(|line| line.ends_with("does not stop")),
            "{lines:?}"
        );
        assert_eq!(lines.last().map(String::as_str), Some("bestmove c3"));
        talk.send("isready");
        talk.hear_until("readyok");
    }
    assert!(talk.end().is_empty());
}

/// Panics, names no move, or one that is not legal, in turn.
struct Mad(u32);

impl UgiBot for Mad {
    fn think(
        &mut self,
        _: &AnyGameState,
        _: SearchLimits,
        _: &StopFlag,
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
}

/// Guards the moment between `bestmove` and the end of the thread that wrote it: `isready` in that moment was answered
/// as if the search was still running, without making the bot and without its error.
#[test]
fn isready_right_after_bestmove_makes_the_next_bot() {
    /// Holds the writer of `bestmove` back until `isready` has been read.
    struct Slow(Sender<String>, Receiver<()>);

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let text = std::str::from_utf8(bytes).map_err(io::Error::other)?;
            let _ = self.0.send(text.trim_end().to_owned());
            if text.starts_with("bestmove") {
                self.1
                    .recv_timeout(HANGS)
                    .expect("isready is read while bestmove is being written");
            }
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// One line after another; reports when the second has been taken.
    struct Script(Receiver<Vec<u8>>, Sender<()>, usize);

    impl Read for Script {
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
    let (taken, wait) = mpsc::channel();
    let served = std::thread::spawn(move || {
        serve_with(
            BufReader::new(Script(lines, taken, 0)),
            Slow(written, wait),
            UgiOptions::default(),
            |_, _, _| Err("no bot today".into()),
        )
    });
    let hear = || output.recv_timeout(HANGS).expect("an answer");
    input.send(b"go\n".to_vec()).expect("it reads");
    assert_eq!(hear(), "info string error: no bot today");
    assert!(hear().starts_with("bestmove "));
    input.send(b"isready\n".to_vec()).expect("it reads");
    assert_eq!(hear(), "info string error: no bot today");
    assert_eq!(hear(), "readyok");
    drop(input);
    served.join().expect("no panic").expect("no error");
}

#[test]
fn a_bot_that_breaks_down_costs_one_move() {
    let talk = Talk::start(|kind, _, _| match kind {
        BotKind::Easy => Err("easy is not at home".into()),
        BotKind::Hard => panic!("hard cannot be made"),
        _ => Ok(Box::new(Mad(0))),
    });
    let legal = AnyGameState::new(Variant::CLASSIC).legal_moves();
    let told = |line: &str, error: Option<&str>| {
        talk.send(line);
        let lines = talk.hear_until("bestmove");
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
        told("go nodes 1", Some("is not legal"));
        told("go nodes 1", None);
        told("go nodes 1", Some("as it was?to be expected"));
        // The next one is a new bot.
    }
    talk.send("setoption name Bot value easy");
    told("go", Some("not at home"));
    talk.send("setoption name Bot value hard");
    told("go", Some("cannot be made"));
    talk.send("isready");
    assert_eq!(talk.hear(), "info string error: hard cannot be made");
    assert_eq!(talk.hear(), "readyok");
    assert!(talk.end().is_empty());
}

/// Tells how often it was asked, by its nodes.
struct Counting(u64);

impl UgiBot for Counting {
    fn think(
        &mut self,
        play: &AnyGameState,
        limits: SearchLimits,
        _: &StopFlag,
        _: &mut dyn FnMut(&SearchReport<String>),
    ) -> SearchReport<String> {
        self.0 += 1;
        SearchReport {
            best: play.legal_moves().pop(),
            nodes: self.0,
            depth: limits.depth.unwrap_or_default(),
            ..SearchReport::empty()
        }
    }
}

/// What a bot remembers is worth a lot, and wrong in another game.
#[test]
fn the_bot_lives_as_long_as_its_game_and_options() {
    let talk = Talk::start(|_, _, _| Ok(Box::new(Counting(0))));
    let nodes = |line: &str| {
        talk.send(line);
        talk.send("go depth 1");
        let lines = talk.hear_until("bestmove");
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
    assert!(talk.end().iter().all(|line| line.contains("error")));
}

/// No bot is made before it is needed.
#[test]
fn nothing_expensive_happens_before_isready() {
    let talk = Talk::start(|_, _, _| panic!("too early"));
    for line in [
        "ugi",
        "setoption name Hash value 65536",
        "uginewgame",
        "position startpos",
    ] {
        talk.send(line);
    }
    talk.hear_until("ugiok");
    assert!(talk.end().is_empty());
}

/// A closed pipe ends it; the search, too.
#[test]
fn an_output_that_breaks_is_an_error() {
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
    let served = serve_with(input, Broken, UgiOptions::default(), endless);
    assert_eq!(
        served.map_err(|error| error.kind()),
        Err(io::ErrorKind::BrokenPipe)
    );
}

#[test]
fn scores_say_what_they_are() {
    use crate::value::{ExactValue, GameValue, Value};
    let line = |value| {
        search::info(&SearchReport {
            value,
            pv: vec!["b2".into()],
            ..SearchReport::empty()
        })
    };
    let guess = |mean| Value::Estimate { mean, error: 0.1 };
    for (value, score) in [
        (Value::Exact(ExactValue::win(5)), "mate 5"),
        (Value::Exact(ExactValue::loss(4)), "mate -4"),
        (Value::Exact(ExactValue::DRAW), "cp 0"),
        (
            Value::Exact(ExactValue::without_distance(GameValue::Loss)),
            "cp -10000",
        ),
        (guess(0.5), "cp 110"),
        (guess(-0.5), "cp -110"),
        (guess(1.0), "cp 9999"),
        (guess(f64::NAN), "cp 0"),
    ] {
        assert_eq!(
            line(value),
            format!("info score {score} nodes 0 nps 0 time 0 pv b2")
        );
    }
    assert_eq!(line(Value::UNKNOWN), "info nodes 0 nps 0 time 0 pv b2");
}

#[test]
fn go_is_read_in_any_order() {
    let read = |text: &str| {
        let (go, faults) = GoCommand::parse(text);
        (go, faults.len())
    };
    let (go, faults) = read("p2inc 3 nodes 7 p1time 100 depth 2 p2time 200 p1inc 5 movestogo 9");
    assert_eq!(faults, 0);
    let ms = Duration::from_millis;
    assert_eq!(go.clock(Side::X), Some((ms(100), ms(5))));
    assert_eq!(go.clock(Side::O), Some((ms(200), ms(3))));
    assert_eq!(
        (go.nodes, go.depth, go.moves_to_go),
        (Some(7), Some(2), Some(9))
    );
    assert_eq!(read("p1time -50").0.clock(Side::X), Some((ms(0), ms(0))));
    assert_eq!(
        read("movetime 99999999999999999999").0.movetime,
        Some(ms(u64::MAX))
    );
    assert_eq!(read("movetime infinite"), (read("infinite").0, 1));
    assert_eq!(read("ponder fast nodes").1, 1);
    assert_eq!(read("nodes 0 depth 0").0.nodes, Some(1));
}

#[test]
fn lines_may_be_of_any_bytes_and_lengths() {
    let mut input = b"\xff\xfe\x00go\xc3\x28\r\n\n".to_vec();
    input.extend(std::iter::repeat_n(b'x', parser::MAX_LINE_BYTES + 1));
    input.extend(b"\nisready\r\nisready");
    let (ear, output) = mpsc::channel();
    let served = serve_with(input.as_slice(), Ear(ear), UgiOptions::default(), endless);
    assert!(served.is_ok());
    let lines: Vec<String> = output.iter().collect();
    assert_eq!(lines[1..], ["readyok", "readyok"]);
    assert!(
        lines[0].starts_with("info string error: a line is longer"),
        "{lines:?}"
    );
}

/// What noise is made of.
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

struct Noise(Xoshiro256PlusPlus);

impl Noise {
    fn below(&mut self, n: usize) -> usize {
        (self.0.next_u64() % n as u64) as usize
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }

    /// Words in any order, or a line that was right before some bytes changed.
    fn line(&mut self, right: &str) -> Vec<u8> {
        let mut line = if self.below(2) == 0 {
            let n = self.below(7);
            let words: Vec<&str> = (0..n).map(|_| self.one(&WORDS)).collect();
            words.join(" ").into_bytes()
        } else {
            right.as_bytes().to_vec()
        };
        for _ in 0..self.below(4) {
            if line.is_empty() {
                break;
            }
            let at = self.below(line.len());
            match self.below(3) {
                0 => line[at] = self.below(256) as u8,
                1 => line.truncate(at),
                _ => line.insert(at, b" 1-m"[self.below(4)]),
            }
        }
        line.retain(|&byte| byte != b'\n');
        // Leaving is tried elsewhere; and a test may not ask for all the memory.
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

/// Noise between questions whose answers are known: every `isready` is answered,
/// and every `go` by exactly one move, which is legal.
#[test]
fn noise_is_survived() {
    const LINES: usize = 20_000;
    let mut noise = Noise(Xoshiro256PlusPlus::seed_from_u64(5));
    let mut input: Vec<u8> = b"setoption name Hash value 1\n".to_vec();
    let (mut lines, mut ready, mut gos) = (0, 0, 0);
    // The moves that may be answered to the n-th `go`.
    let mut legal: HashMap<usize, Vec<String>> = HashMap::new();
    let mut right = String::from("position startpos moves b2");
    let mut put = |line: &[u8], ready: &mut usize, gos: &mut usize| {
        let text = String::from_utf8_lossy(line);
        match text.split_whitespace().next() {
            Some("isready") => *ready += 1,
            Some("go") => *gos += 1,
            _ => {}
        }
        input.extend_from_slice(line);
        input.push(b'\n');
        lines += 1;
        lines
    };
    loop {
        let noisy = noise.below(12);
        for _ in 0..noisy {
            let line = noise.line(&right);
            put(&line, &mut ready, &mut gos);
        }
        let variant = noise.one(&VARIANTS);
        let mut play = AnyGameState::new(variant.parse().expect("a variant"));
        let plies = noise.below(30);
        let mut moves = String::new();
        for _ in 0..plies {
            let all = play.legal_moves();
            if all.is_empty() {
                break;
            }
            let mv = &all[noise.below(all.len())];
            play.play(mv).expect("a legal move");
            moves += " ";
            moves += mv;
        }
        right = match noise.below(2) {
            0 => format!("position startpos moves{moves}"),
            _ => format!("position fen {}", play.position_text()),
        };
        let kind = BotKind::ALL[noise.below(BotKind::ALL.len())];
        let how = noise.one(&[
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
            right.clone(),
            format!("go {how}"),
        ] {
            put(line.as_bytes(), &mut ready, &mut gos);
        }
        // Set up from text, a position has forgotten how often it occurred.
        let mut all = play.legal_moves();
        if right.starts_with("position fen") && all.is_empty() {
            let again = AnyGameState::from_text(play.variant(), &play.position_text());
            all = again.map(|play| play.legal_moves()).unwrap_or_default();
        }
        if all.is_empty() {
            all.push("none".into());
        }
        legal.insert(gos, all);
        if put(b"isready", &mut ready, &mut gos) > LINES {
            break;
        }
    }
    put(b"stop", &mut ready, &mut gos);

    let (ear, output) = mpsc::channel();
    let served = serve_with(input.as_slice(), Ear(ear), UgiOptions::default(), real);
    assert!(served.is_ok());
    let (mut readies, mut answers) = (0, 0);
    for line in &output {
        let known = ["id ", "option ", "ugiok", "info ", "response "];
        if line == "readyok" {
            readies += 1;
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
    assert_eq!((readies, answers), (ready, gos));
}
