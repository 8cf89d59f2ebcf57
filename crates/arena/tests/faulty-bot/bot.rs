//! A bot with a switch for every fault, for the arena's tests: it plays random legal moves over UGI
//! or CodinGame's protocol until it is asked to fail.
//!
//! `faulty-bot FAULT [--at MOVE] [--late MS] [--codingame] [--notation NAME]`: the fault occurs at
//! the bot's MOVEth move of a game (by default the first); with `late-from`, at the MOVEth move
//! over all games and every move after it.

use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode, Stdio, exit};
use std::thread;
use std::time::Duration;

use noughts_arena::Notation;
use noughts_engine::{AnyBot, BotKind, BotSettings, SearchLimits, StopFlag};
use noughts_rules::{AnyGameState, Variant};

const FAULTS: [&str; 28] = [
    "sound",
    // Works, but lists no options.
    "plain",
    "crash-at-start",
    "crash-in-handshake",
    "silent-at-start",
    "flood-at-start",
    "wrong-protocol",
    "crash-thinking",
    "crash-after-answer",
    "crash-between-games",
    "stall",
    "late",
    "late-from",
    "slow",
    "flood",
    "endless-line",
    "half-line",
    "illegal",
    "no-move",
    "twice",
    "garbage",
    "closes-pipe",
    "never-reads",
    "deaf",
    "grandchild",
    "grandchild-and-crash",
    "daemon",
    "noise",
];

pub(crate) fn main() -> ExitCode {
    // The tests have no other program that could serve as the launcher.
    if let Some(code) = noughts_arena::run_launcher_if_requested() {
        return code;
    }
    let mut arguments = std::env::args().skip(1);
    let mut script = Script {
        fault: "sound",
        at_move: 1,
        late: Duration::from_secs(3600),
        moves_in_game: 0,
        total_moves: 0,
        notation: Notation::Native,
    };
    let mut codingame = false;
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next().and_then(|text| text.parse::<u64>().ok());
        match argument.as_str() {
            "--at" => script.at_move = number().unwrap_or(1),
            "--late" => script.late = Duration::from_millis(number().unwrap_or_default()),
            "--codingame" => codingame = true,
            "--notation" => {
                let name = arguments.next().unwrap_or_default();
                script.notation = Notation::from_word(&name).unwrap_or_default();
            }
            // Arguments with which the bot starts itself again.
            "child" => wait_forever(),
            "child-of-its-own" => {
                let _ = rustix::process::setsid();
                write_line("up");
                wait_forever();
            }
            "daemon-maker" => {
                spawn_child("child-of-its-own", Stdio::piped());
                write_line("up");
                return ExitCode::SUCCESS;
            }
            "echo" => return echo(),
            word => match FAULTS.into_iter().find(|name| *name == word) {
                Some(fault) => script.fault = fault,
                None => {
                    let names = FAULTS.join(", ");
                    eprintln!("there is no fault {word:?}; the faults are {names}");
                    return ExitCode::from(2);
                }
            },
        }
    }
    script.fail_at_start();
    match codingame {
        true => play_codingame(script),
        false => play_ugi(script),
    }
    if script.fault == "deaf" {
        wait_forever();
    }
    ExitCode::SUCCESS
}

/// Which fault occurs, and when.
#[derive(Clone, Copy)]
struct Script {
    fault: &'static str,
    at_move: u64,
    late: Duration,
    /// Moves made in the current game.
    moves_in_game: u64,
    /// Moves made in all games.
    total_moves: u64,
    notation: Notation,
}

impl Script {
    fn fail_at_start(&self) {
        match self.fault {
            "crash-at-start" => {
                eprintln!("faulty-bot: cannot find my book of openings");
                exit(3);
            }
            "silent-at-start" => wait_forever(),
            "flood-at-start" => flood(b"info string hello\n"),
            _ => {}
        }
    }

    /// Stops reading before the configured move, so that its request stays in the pipe.
    fn may_stop_reading(&self) {
        if self.fault == "never-reads" && self.moves_in_game + 1 == self.at_move {
            wait_forever();
        }
    }

    /// Answers with `answer`, a legal move as a line, unless the fault is due.
    fn answer(&mut self, answer: &str, illegal: &str) {
        self.moves_in_game += 1;
        self.total_moves += 1;
        let is_late = self.fault == "late-from" && self.total_moves >= self.at_move;
        if self.fault == "slow" || is_late {
            thread::sleep(self.late);
        }
        if self.moves_in_game != self.at_move {
            write_line(answer);
            return self.may_stop_reading();
        }
        match self.fault {
            "crash-thinking" => {
                eprintln!("faulty-bot: index out of bounds");
                exit(101);
            }
            "stall" => wait_forever(),
            "late" => {
                thread::sleep(self.late);
                write_line(answer);
            }
            "flood" => flood(b"info depth 1 nodes 1 string thinking about thinking\n"),
            "endless-line" => flood(b"infoinfoinfoinfoinfoinfoinfo"),
            "half-line" => {
                write_bytes(&answer.as_bytes()[..answer.len() / 2]);
                wait_forever();
            }
            "illegal" => write_line(illegal),
            "no-move" => write_line("bestmove"),
            "twice" => write_bytes(format!("{answer}\n{answer}\n").as_bytes()),
            "garbage" => {
                write_bytes(b"\xff\xfe\x00 bestmoose a1\n\n\n%$#@!\n");
                exit(1);
            }
            "closes-pipe" => {
                // The same process with a different standard output.
                let mut command = Command::new(own_path());
                let error = command.arg("child").stdout(Stdio::null()).exec();
                eprintln!("faulty-bot: {error}");
                exit(1);
            }
            "grandchild" => {
                spawn_child("child", Stdio::inherit());
                write_line(answer);
            }
            "grandchild-and-crash" => {
                spawn_child("child", Stdio::inherit());
                exit(1);
            }
            "daemon" => {
                spawn_child("daemon-maker", Stdio::piped());
                write_line(answer);
            }
            "noise" => {
                write_bytes(b"\xc3\x28 what is this\ninfo\ninfo score\n\nbest move a1\n");
                eprintln!("faulty-bot: thinking hard");
                write_line(answer);
            }
            "crash-after-answer" => {
                write_line(answer);
                exit(1);
            }
            _ => write_line(answer),
        }
    }
}

/// Plays over UGI until `quit` or the end of the input.
fn play_ugi(mut script: Script) {
    let mut state = AnyGameState::new(Variant::CLASSIC);
    let mut seed = 0;
    let mut bot = None;
    // `go infinite` is answered at `stop`.
    let mut answer_pending = false;
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match word {
            "ugi" if script.fault == "wrong-protocol" => write_line("id name faulty\nuciok"),
            "ugi" if script.fault == "crash-in-handshake" => {
                write_line("id name faulty");
                exit(4);
            }
            "ugi" if script.fault == "plain" => write_line("id name faulty\nugiok"),
            "ugi" => write_line(
                "id name faulty\nid author nobody\n\
                 option name Variant type string default classic\n\
                 option name Seed type string default 0\n\
                 option name Skill Level type spin default 1 min 0 max 9\n\
                 ugiok",
            ),
            "isready" => {
                write_line("readyok");
                script.may_stop_reading();
            }
            "setoption" => match rest.split_once(" value ") {
                Some(("name Variant", value)) => match value.parse() {
                    Ok(variant) => {
                        state = AnyGameState::new(variant);
                        bot = None;
                    }
                    Err(error) => eprintln!("faulty-bot: {error}"),
                },
                Some(("name Seed", value)) => seed = value.parse().unwrap_or(0),
                _ => {}
            },
            "uginewgame" => {
                if script.fault == "crash-between-games" && script.moves_in_game > 0 {
                    exit(5);
                }
                script.moves_in_game = 0;
                bot = None;
            }
            "position" => match position(state.variant(), rest, script.notation) {
                Some(position) => state = position,
                None => eprintln!("faulty-bot: cannot read {rest:?}"),
            },
            "go" if rest == "infinite" => answer_pending = true,
            "go" | "stop" if word == "go" || answer_pending => {
                answer_pending = false;
                let bot = bot.get_or_insert_with(|| random(state.variant(), seed));
                let (answer, illegal) = answers(bot, &state, script.notation);
                script.answer(&answer, &illegal);
            }
            "quit" if script.fault != "deaf" => break,
            _ => {}
        }
    }
}

fn position(variant: Variant, text: &str, notation: Notation) -> Option<AnyGameState> {
    let (start, moves) = text.split_once(" moves").unwrap_or((text, ""));
    let mut state = match start.strip_prefix("fen ") {
        Some(fen) => AnyGameState::from_text(variant, fen).ok()?,
        None => AnyGameState::new(variant),
    };
    for mv in moves.split_whitespace() {
        state.play(&notation.parse_move(mv)).ok()?;
    }
    Some(state)
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

/// A legal and an illegal move, as lines.
fn answers(bot: &mut AnyBot, state: &AnyGameState, notation: Notation) -> (String, String) {
    let report = bot.think(state, SearchLimits::nodes(1), &StopFlag::new(), &mut |_| {});
    let best = report.best.unwrap_or_else(|| "none".into());
    let best = notation.format_move(&best);
    let illegal = state.last_move().unwrap_or_else(|| "z99".into());
    (
        format!("info depth 1 score cp 0 nodes 1\nbestmove {best}"),
        format!("bestmove {illegal}"),
    )
}

/// Plays over CodinGame's protocol until the end of the input.
fn play_codingame(mut script: Script) {
    script.may_stop_reading();
    let mut lines = io::stdin().lock().lines().map_while(Result::ok);
    while let (Some(last), Some(count)) = (lines.next(), lines.next()) {
        let count = count.trim().parse().unwrap_or(0);
        let moves: Vec<String> = lines.by_ref().take(count).collect();
        if script.fault == "crash-in-handshake" || moves.is_empty() {
            exit(4);
        }
        if script.fault == "wrong-protocol" {
            write_line("bestmove ee");
            continue;
        }
        // Pick one deterministically from the last move and the move number.
        let n = last.bytes().fold(script.moves_in_game as usize, |n, byte| {
            n * 31 + usize::from(byte)
        });
        let answer = &moves[n % moves.len()];
        script.answer(answer, if last == "-1 -1" { "9 9" } else { &last });
    }
}

fn write_line(line: &str) {
    write_bytes(format!("{line}\n").as_bytes());
}

/// Writes to standard output; exits if nobody reads it any longer.
fn write_bytes(bytes: &[u8]) {
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
        write_bytes(&chunk);
    }
}

fn wait_forever() -> ! {
    loop {
        rustix::event::pause();
    }
}

/// Starts another copy of this program. If its output is piped, waits until it reports that it
/// runs.
fn spawn_child(argument: &str, output: Stdio) {
    let child = Command::new(own_path())
        .arg(argument)
        .stdin(Stdio::null())
        .stdout(output)
        .spawn();
    match child {
        Ok(mut child) => {
            if let Some(output) = child.stdout.take() {
                let _ = BufReader::new(output).read_line(&mut String::new());
            }
            if argument == "daemon-maker" {
                let _ = child.wait();
            }
        }
        Err(error) => {
            eprintln!("faulty-bot: {error}");
            exit(1);
        }
    }
}

fn own_path() -> std::path::PathBuf {
    std::env::current_exe().unwrap_or_else(|_| "faulty-bot".into())
}

/// Echoes every line: the lower bound for the cost of a round trip.
fn echo() -> ExitCode {
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        write_line(&line);
    }
    ExitCode::SUCCESS
}
