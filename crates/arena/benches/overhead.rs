//! Measures what the arena adds to each move, for a bot in this process and for a UGI bot. Each is
//! timed in alternation with the same work done without the arena.
//!
//! `cargo bench -p noughts-arena --bench overhead`

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use noughts_arena::{
    BotSource, BotSpec, BotsFile, MoveRequest, NewGame, Player, PlayerFactory, Program, Protocol,
    TimeControl, set_launcher_command,
};
use noughts_engine::{AnyBot, BotKind, BotSettings, SearchLimits, StopFlag};
use noughts_rules::{AnyGameState, Side, Variant};

/// A game with enough plies and enough moves per ply.
const VARIANT: Variant = Variant::ULTIMATE;
const PACE: TimeControl = TimeControl::Nodes(1);
/// How often each case is measured, in alternation; the median is reported.
const ROUNDS: u64 = 9;
const GAMES: u64 = 300;
const GAMES_BY_UGI: u64 = 30;
const CHILD: &str = env!("CARGO_BIN_EXE_faulty-bot");

/// The most microseconds the arena may add to a move.
const IN_PROCESS: f64 = 5.0;
const BY_UGI: f64 = 200.0;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    set_launcher_command(vec![CHILD.into(), "launch-bot".into()]);
    let factory = PlayerFactory::new(Duration::from_secs(10));
    let random = BotSpec::parse("random", &BotsFile::default())?;
    let child = BotSpec {
        name: "child".into(),
        source: BotSource::Program(Program {
            protocol: Protocol::Ugi,
            command: CHILD.into(),
            arguments: vec!["sound".into()],
            directory: None,
            options: BTreeMap::new(),
            threads: 1,
            ..Program::default()
        }),
        time_control: None,
    };
    let mut inside = factory.make_player(&random, VARIANT)?;
    let mut outside = factory.make_player(&child, VARIANT)?;
    let mut echo = Echo::start()?;

    let mut times: [Vec<f64>; 4] = Default::default();
    for round in 0..ROUNDS {
        let (bare, _) = bare(round, GAMES)?;
        times[0].push(bare);
        times[1].push(arena(&mut *inside, round, GAMES)?);
        // The child process also has to find its moves.
        let (thought, lines) = self::bare(round, GAMES_BY_UGI)?;
        times[2].push(thought + echo.there_and_back(&lines)?);
        times[3].push(arena(&mut *outside, round, GAMES_BY_UGI)?);
    }
    let [bare, inside, pipe, outside] = times.map(middle);
    println!("Microseconds per move of {VARIANT}, random moves; median of {ROUNDS} runs");
    print("in process", inside, "rules and bot only", bare, IN_PROCESS);
    print(
        "over UGI",
        outside,
        "the same plus a pipe round trip",
        pipe,
        BY_UGI,
    );
    Ok(())
}

fn print(what: &str, arena: f64, plain: &str, bare: f64, wanted: f64) {
    let added = arena - bare;
    let verdict = if added < wanted { "yes" } else { "NO" };
    println!(
        "  {what:<11} {arena:>8.2}   {plain} {bare:.2} (× {:.2})",
        arena / bare
    );
    println!(
        "  {:<11} {added:>8.2}   overhead; below the target of {wanted:.0}: {verdict}",
        ""
    );
}

fn middle(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}

fn micros(time: Duration, moves: usize) -> f64 {
    time.as_secs_f64() * 1e6 / moves as f64
}

/// Times the rules and the bot alone. Also returns one line per move, as long as the line the arena
/// sends.
fn bare(round: u64, games: u64) -> Result<(f64, Vec<String>), Failure> {
    let (mut moves, mut lines) = (0, Vec::new());
    let mut time = Duration::ZERO;
    for game in 0..games {
        let settings = BotSettings {
            seed: round * games + game,
            ..BotSettings::default()
        };
        let mut bot = AnyBot::new(BotKind::Random, VARIANT, &settings)?;
        let mut state = AnyGameState::new(VARIANT);
        let (began, stop) = (Instant::now(), StopFlag::new());
        while state.outcome().is_none() {
            let report = bot.think(&state, SearchLimits::nodes(1), &stop, &mut |_| {});
            state.play(&report.best.unwrap_or_default())?;
        }
        time += began.elapsed();
        moves += state.ply();
        let all = state.moves();
        lines.extend(
            (0..all.len()).map(|n| format!("position startpos moves {}\n", all[..n].join(" "))),
        );
    }
    Ok((micros(time, moves), lines))
}

/// Times a player against itself, called the way the referee calls it.
fn arena(player: &mut dyn Player, round: u64, games: u64) -> Result<f64, Failure> {
    let mut moves = 0;
    let mut time = Duration::ZERO;
    for game in 0..games {
        player.start_game(&NewGame {
            variant: VARIANT,
            side: Side::X,
            seed: round * games + game,
        })?;
        let mut state = AnyGameState::new(VARIANT);
        let began = Instant::now();
        while state.outcome().is_none() {
            let answer = player.choose_move(&MoveRequest {
                state: &state,
                time_control: PACE,
                clocks: None,
                margin: Duration::ZERO,
                patience: Duration::from_secs(10),
            })?;
            state.play(&answer.mv)?;
        }
        time += began.elapsed();
        moves += state.ply();
        player.end_game();
    }
    Ok(micros(time, moves))
}

/// A child process that echoes every line.
struct Echo {
    child: std::process::Child,
    input: std::process::ChildStdin,
    output: BufReader<std::process::ChildStdout>,
}

impl Echo {
    fn start() -> Result<Echo, Failure> {
        let mut child = Command::new(CHILD)
            .arg("echo")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let missing = || io::Error::other("a pipe is missing");
        let input = child.stdin.take().ok_or_else(missing)?;
        let output = BufReader::new(child.stdout.take().ok_or_else(missing)?);
        Ok(Echo {
            child,
            input,
            output,
        })
    }

    fn there_and_back(&mut self, lines: &[String]) -> io::Result<f64> {
        let mut back = String::new();
        let began = Instant::now();
        for line in lines {
            self.input.write_all(line.as_bytes())?;
            back.clear();
            self.output.read_line(&mut back)?;
        }
        Ok(micros(began.elapsed(), lines.len()))
    }
}

impl Drop for Echo {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
