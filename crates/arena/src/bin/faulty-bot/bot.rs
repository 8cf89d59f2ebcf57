//! A bot with a switch for every fault, for the tests of the arena: it plays legal moves
//! at random by UGI or CodinGame's protocol until it is to fail.
//!
//! `faulty-bot FAULT [--at MOVE] [--late MS] [--codingame] [--notation WORD]`: the fault
//! happens at the bot's MOVEth move of a game, the first if nothing is said; with
//! `late-from`, at the MOVEth of all moves and each one after it.

use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode, Stdio, exit};
use std::thread;
use std::time::Duration;

use noughts_arena::Notation;
use noughts_engine::{AnyBot, BotKind, BotSettings, SearchLimits, StopFlag};
use noughts_rules::{AnyGameState, Variant};

/// What can go wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    Sound,
    Plain,
    CrashAtStart,
    CrashInHandshake,
    SilentAtStart,
    FloodAtStart,
    WrongProtocol,
    CrashThinking,
    CrashAfterAnswer,
    CrashBetweenGames,
    Stall,
    Late,
    LateFrom,
    Slow,
    Flood,
    EndlessLine,
    HalfLine,
    Illegal,
    NoMove,
    Twice,
    Garbage,
    ClosesPipe,
    NeverReads,
    Deaf,
    Grandchild,
    GrandchildAndCrash,
    Daemon,
    Noise,
}

const FAULTS: [(&str, Fault); 28] = [
    ("sound", Fault::Sound),
    // Nothing goes wrong, but it lists no options.
    ("plain", Fault::Plain),
    ("crash-at-start", Fault::CrashAtStart),
    ("crash-in-handshake", Fault::CrashInHandshake),
    ("silent-at-start", Fault::SilentAtStart),
    ("flood-at-start", Fault::FloodAtStart),
    ("wrong-protocol", Fault::WrongProtocol),
    ("crash-thinking", Fault::CrashThinking),
    ("crash-after-answer", Fault::CrashAfterAnswer),
    ("crash-between-games", Fault::CrashBetweenGames),
    ("stall", Fault::Stall),
    ("late", Fault::Late),
    ("late-from", Fault::LateFrom),
    ("slow", Fault::Slow),
    ("flood", Fault::Flood),
    ("endless-line", Fault::EndlessLine),
    ("half-line", Fault::HalfLine),
    ("illegal", Fault::Illegal),
    ("no-move", Fault::NoMove),
    ("twice", Fault::Twice),
    ("garbage", Fault::Garbage),
    ("closes-pipe", Fault::ClosesPipe),
    ("never-reads", Fault::NeverReads),
    ("deaf", Fault::Deaf),
    ("grandchild", Fault::Grandchild),
    ("grandchild-and-crash", Fault::GrandchildAndCrash),
    ("daemon", Fault::Daemon),
    ("noise", Fault::Noise),
];

pub(crate) fn main() -> ExitCode {
    // The tests' launcher, too: they have no other program at hand.
    if let Some(code) = noughts_arena::run_launcher_if_requested() {
        return code;
    }
    let mut arguments = std::env::args().skip(1);
    let mut script = Script {
        fault: Fault::Sound,
        at: 1,
        late: Duration::from_secs(3600),
        made: 0,
        all: 0,
        notation: Notation::Native,
    };
    let mut codingame = false;
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next().and_then(|text| text.parse::<u64>().ok());
        match argument.as_str() {
            "--at" => script.at = number().unwrap_or(1),
            "--late" => script.late = Duration::from_millis(number().unwrap_or_default()),
            "--codingame" => codingame = true,
            "--notation" => {
                let word = arguments.next().unwrap_or_default();
                script.notation = Notation::from_name(&word).unwrap_or_default();
            }
            // What it starts of itself.
            "child" => for_ever(),
            "child-of-its-own" => {
                let _ = rustix::process::setsid();
                say("up");
                for_ever();
            }
            "daemon-maker" => {
                make("child-of-its-own", Stdio::piped());
                say("up");
                return ExitCode::SUCCESS;
            }
            "echo" => return echo(),
            word => match FAULTS.iter().find(|(name, _)| *name == word) {
                Some(&(_, fault)) => script.fault = fault,
                None => {
                    let names = FAULTS.map(|(name, _)| name).join(", ");
                    eprintln!("there is no fault {word:?}; the faults are {names}");
                    return ExitCode::from(2);
                }
            },
        }
    }
    script.begin();
    match codingame {
        true => play_codingame(script),
        false => play_ugi(script),
    }
    if script.fault == Fault::Deaf {
        for_ever();
    }
    ExitCode::SUCCESS
}

/// When what goes wrong.
#[derive(Clone, Copy)]
struct Script {
    fault: Fault,
    at: u64,
    late: Duration,
    /// Moves of this game, ...
    made: u64,
    /// ... and of all games.
    all: u64,
    notation: Notation,
}

impl Script {
    fn begin(&self) {
        match self.fault {
            Fault::CrashAtStart => {
                eprintln!("faulty-bot: cannot find my book of openings");
                exit(3);
            }
            Fault::SilentAtStart => for_ever(),
            Fault::FloodAtStart => flood(b"info string hello\n"),
            _ => {}
        }
    }

    /// From here on, what is sent for the move stays in the pipe.
    fn may_stop_reading(&self) {
        if self.fault == Fault::NeverReads && self.made + 1 == self.at {
            for_ever();
        }
    }

    /// Answers in its own way; `answer` is a legal move as a line.
    fn answer(&mut self, answer: &str, illegal: &str) {
        self.made += 1;
        self.all += 1;
        let is_late = self.fault == Fault::LateFrom && self.all >= self.at;
        if self.fault == Fault::Slow || is_late {
            thread::sleep(self.late);
        }
        if self.made != self.at {
            say(answer);
            return self.may_stop_reading();
        }
        match self.fault {
            Fault::CrashThinking => {
                eprintln!("faulty-bot: index out of bounds");
                exit(101);
            }
            Fault::Stall => for_ever(),
            Fault::Late => {
                thread::sleep(self.late);
                say(answer);
            }
            Fault::Flood => flood(b"info depth 1 nodes 1 string thinking about thinking\n"),
            Fault::EndlessLine => flood(b"infoinfoinfoinfoinfoinfoinfo"),
            Fault::HalfLine => {
                raw(&answer.as_bytes()[..answer.len() / 2]);
                for_ever();
            }
            Fault::Illegal => say(illegal),
            Fault::NoMove => say("bestmove"),
            Fault::Twice => raw(format!("{answer}\n{answer}\n").as_bytes()),
            Fault::Garbage => {
                raw(b"\xff\xfe\x00 bestmoose a1\n\n\n%$#@!\n");
                exit(1);
            }
            Fault::ClosesPipe => {
                // The same process, with another standard output.
                let mut command = Command::new(itself());
                let error = command.arg("child").stdout(Stdio::null()).exec();
                eprintln!("faulty-bot: {error}");
                exit(1);
            }
            Fault::Grandchild => {
                make("child", Stdio::inherit());
                say(answer);
            }
            Fault::GrandchildAndCrash => {
                make("child", Stdio::inherit());
                exit(1);
            }
            Fault::Daemon => {
                make("daemon-maker", Stdio::piped());
                say(answer);
            }
            Fault::Noise => {
                raw(b"\xc3\x28 what is this\ninfo\ninfo score\n\nbest move a1\n");
                eprintln!("faulty-bot: thinking hard");
                say(answer);
            }
            Fault::CrashAfterAnswer => {
                say(answer);
                exit(1);
            }
            Fault::Sound
            | Fault::Plain
            | Fault::Slow
            | Fault::LateFrom
            | Fault::NeverReads
            | Fault::CrashAtStart
            | Fault::CrashInHandshake
            | Fault::SilentAtStart
            | Fault::FloodAtStart
            | Fault::WrongProtocol
            | Fault::CrashBetweenGames
            | Fault::Deaf => say(answer),
        }
    }
}

/// By UGI, until `quit` or the end of the input.
fn play_ugi(mut script: Script) {
    let mut play = AnyGameState::new(Variant::CLASSIC);
    let mut seed = 0;
    let mut bot = None;
    // `go infinite` is answered at `stop`.
    let mut owed = false;
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match word {
            "ugi" if script.fault == Fault::WrongProtocol => say("id name faulty\nuciok"),
            "ugi" if script.fault == Fault::CrashInHandshake => {
                say("id name faulty");
                exit(4);
            }
            "ugi" if script.fault == Fault::Plain => say("id name faulty\nugiok"),
            "ugi" => say("id name faulty\nid author nobody\n\
                 option name Variant type string default classic\n\
                 option name Seed type string default 0\n\
                 option name Skill Level type spin default 1 min 0 max 9\n\
                 ugiok"),
            "isready" => {
                say("readyok");
                script.may_stop_reading();
            }
            "setoption" => match rest.split_once(" value ") {
                Some(("name Variant", value)) => match value.parse() {
                    Ok(variant) => {
                        play = AnyGameState::new(variant);
                        bot = None;
                    }
                    Err(error) => eprintln!("faulty-bot: {error}"),
                },
                Some(("name Seed", value)) => seed = value.parse().unwrap_or(0),
                _ => {}
            },
            "uginewgame" => {
                if script.fault == Fault::CrashBetweenGames && script.made > 0 {
                    exit(5);
                }
                script.made = 0;
                bot = None;
            }
            "position" => match position(play.variant(), rest, script.notation) {
                Some(position) => play = position,
                None => eprintln!("faulty-bot: cannot read {rest:?}"),
            },
            "go" if rest == "infinite" => owed = true,
            "go" => {
                let bot = bot.get_or_insert_with(|| random(play.variant(), seed));
                let (answer, illegal) = answers(bot, &play, script.notation);
                script.answer(&answer, &illegal);
            }
            "stop" if owed => {
                owed = false;
                let bot = bot.get_or_insert_with(|| random(play.variant(), seed));
                let (answer, illegal) = answers(bot, &play, script.notation);
                script.answer(&answer, &illegal);
            }
            "quit" if script.fault != Fault::Deaf => break,
            _ => {}
        }
    }
}

fn position(variant: Variant, text: &str, notation: Notation) -> Option<AnyGameState> {
    let (start, moves) = text.split_once(" moves").unwrap_or((text, ""));
    let mut play = match start.strip_prefix("fen ") {
        Some(fen) => AnyGameState::from_text(variant, fen).ok()?,
        None => AnyGameState::new(variant),
    };
    for mv in moves.split_whitespace() {
        play.play(&notation.parse_move(mv)).ok()?;
    }
    Some(play)
}

fn random(variant: Variant, seed: u64) -> AnyBot {
    let settings = BotSettings {
        seed,
        ..BotSettings::default()
    };
    match AnyBot::new(BotKind::Random, variant, &settings) {
        Ok(bot) => bot,
        Err(reason) => {
            eprintln!("faulty-bot: {reason}");
            exit(1);
        }
    }
}

/// A legal move and one that is not, as lines.
fn answers(bot: &mut AnyBot, play: &AnyGameState, notation: Notation) -> (String, String) {
    let report = bot.think(play, SearchLimits::nodes(1), &StopFlag::new(), &mut |_| {});
    let best = report.best.unwrap_or_else(|| "none".into());
    let best = notation.format_move(&best);
    let illegal = play.last_move().unwrap_or_else(|| "z99".into());
    (
        format!("info depth 1 score cp 0 nodes 1\nbestmove {best}"),
        format!("bestmove {illegal}"),
    )
}

/// By CodinGame's protocol, until the end of the input.
fn play_codingame(mut script: Script) {
    script.may_stop_reading();
    let mut lines = io::stdin().lock().lines().map_while(Result::ok);
    while let (Some(last), Some(count)) = (lines.next(), lines.next()) {
        let count = count.trim().parse().unwrap_or(0);
        let moves: Vec<String> = lines.by_ref().take(count).collect();
        if script.fault == Fault::CrashInHandshake || moves.is_empty() {
            exit(4);
        }
        if script.fault == Fault::WrongProtocol {
            say("bestmove ee");
            continue;
        }
        // Any of them, by what is on the board.
        let n = last
            .bytes()
            .fold(script.made as usize, |n, byte| n * 31 + usize::from(byte));
        let answer = &moves[n % moves.len()];
        script.answer(answer, if last == "-1 -1" { "9 9" } else { &last });
    }
}

fn say(line: &str) {
    raw(format!("{line}\n").as_bytes());
}

/// Nobody listens any more: it is over.
fn raw(bytes: &[u8]) {
    let mut output = io::stdout().lock();
    if output
        .write_all(bytes)
        .and_then(|()| output.flush())
        .is_err()
    {
        exit(0);
    }
}

fn flood(bytes: &[u8]) -> ! {
    let chunk = bytes.repeat(1000);
    loop {
        raw(&chunk);
    }
}

fn for_ever() -> ! {
    loop {
        rustix::event::pause();
    }
}

/// Starts another of itself; waits until it is up, where it can say so.
fn make(what: &str, output: Stdio) {
    let child = Command::new(itself())
        .arg(what)
        .stdin(Stdio::null())
        .stdout(output)
        .spawn();
    match child {
        Ok(mut child) => {
            if let Some(output) = child.stdout.take() {
                let _ = BufReader::new(output).read_line(&mut String::new());
            }
            if what == "daemon-maker" {
                let _ = child.wait();
            }
        }
        Err(error) => {
            eprintln!("faulty-bot: {error}");
            exit(1);
        }
    }
}

fn itself() -> std::path::PathBuf {
    std::env::current_exe().unwrap_or_else(|_| "faulty-bot".into())
}

/// Gives every line back: what a message there and back costs at least.
fn echo() -> ExitCode {
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        say(&line);
    }
    ExitCode::SUCCESS
}
