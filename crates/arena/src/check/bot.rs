//! A UGI bot under test: asks it for moves and restarts it after a failure.

use std::time::{Duration, Instant};

use noughts_engine::{AnyBot, BotKind, BotSettings, Clock, SearchLimits, StopFlag};
use noughts_rules::{AnyGameState, Variant};

use super::advice;
use crate::error_text::{excerpt, long_excerpt};
use crate::process::{BotProcess, ExitMode, ProcessIoError};
use crate::protocol_log::ProtocolLog;
use crate::spec::Program;
use crate::time_control::TimeControl;
use crate::ugi::{self, SearchInfo, UgiConnection};

/// How often a bot is started before the check gives up.
const MAX_STARTS: usize = 8;
/// The number of random games that positions are taken from: four from each, sent once as moves and
/// once as text.
const RANDOM_GAMES: u64 = 4;
/// The number of positions a bot is asked about.
pub(super) const POSITIONS: u32 = 32;

/// A bot's answer to `go`.
pub(super) struct BestMove {
    /// The move in native notation.
    pub(super) mv: String,
    /// The line as received.
    pub(super) line: String,
    pub(super) took: Duration,
    pub(super) info: SearchInfo,
}

/// Why a bot gave no answer.
pub(super) enum NoAnswer {
    Crashed(String),
    Silent(String),
    Flooded,
    Twice,
    /// `bestmove` without a move.
    Empty(String),
    CannotStart(String),
}

impl NoAnswer {
    /// What happened, as a sentence part.
    pub(super) fn observed(&self) -> String {
        match self {
            NoAnswer::Crashed(observed)
            | NoAnswer::Silent(observed)
            | NoAnswer::Empty(observed)
            | NoAnswer::CannotStart(observed) => observed.clone(),
            NoAnswer::Flooded => ugi::OUTPUT_LIMIT_TEXT.to_owned(),
            NoAnswer::Twice => ugi::MULTIPLE_BESTMOVES_TEXT.to_owned(),
        }
    }

    pub(super) fn advice(&self) -> &'static str {
        match self {
            NoAnswer::Crashed(_) => advice::CRASH,
            NoAnswer::Silent(_) | NoAnswer::Empty(_) => advice::ANSWER,
            NoAnswer::Flooded => advice::FLOOD,
            NoAnswer::Twice => advice::ONCE,
            NoAnswer::CannotStart(_) => advice::CRASH_AT_START,
        }
    }
}

pub(super) struct CheckedBot {
    pub(super) connection: Option<UgiConnection>,
    pub(super) program: Program,
    pub(super) name: String,
    pub(super) variant: Variant,
    pub(super) patience: Duration,
    pub(super) prompt_timeout: Duration,
    pub(super) tag: String,
    pub(super) protocol_log: Option<ProtocolLog>,
    pub(super) starts: usize,
    /// Whether the bot has answered a `go` more than once.
    pub(super) has_answered_twice: bool,
}

impl CheckedBot {
    /// Starts the program without sending anything.
    pub(super) fn launch(&mut self) -> Result<&mut UgiConnection, String> {
        self.starts += 1;
        let mut connection =
            UgiConnection::start(&self.program, &self.tag, None).map_err(|error| error.message)?;
        let protocol_log = self.protocol_log.as_ref();
        let logger =
            protocol_log.map(|protocol_log| protocol_log.process_logger(&self.name, &self.program));
        connection.process.set_logger(logger);
        Ok(self.connection.insert(connection))
    }

    /// The connection to the bot, restarted if it isn't running. Fails if the bot has been started
    /// too often.
    pub(super) fn connection(&mut self) -> Result<&mut UgiConnection, NoAnswer> {
        if self.connection.is_none() {
            if self.starts >= MAX_STARTS {
                let observed = format!("it was started {MAX_STARTS} times and failed every time");
                return Err(NoAnswer::CannotStart(observed));
            }
            let (program, variant) = (self.program.clone(), self.variant);
            let patience = self.patience;
            let deadline = ugi::deadline_after(patience);
            let connection = self.launch().map_err(NoAnswer::CannotStart)?;
            let ready = connection
                .handshake(deadline)
                .and_then(|()| connection.set_options(&program, variant, deadline))
                .and_then(|()| {
                    let started = connection.new_game(1, deadline);
                    started.map_err(|error| connection.start_error(error, "readyok", patience))
                });
            if let Err(error) = ready {
                self.connection = None;
                return Err(NoAnswer::CannotStart(error.message));
            }
        }
        let not_running = || NoAnswer::CannotStart("it isn't running".to_owned());
        self.connection.as_mut().ok_or_else(not_running)
    }

    /// Whether the bot can be asked for another move.
    pub(super) fn can_continue(&self) -> bool {
        !self.has_answered_twice && (self.connection.is_some() || self.starts < MAX_STARTS)
    }

    /// Asks for a move and waits up to `patience`. A bot that fails is terminated.
    pub(super) fn ask(&mut self, state: &AnyGameState, go: &str) -> Result<BestMove, NoAnswer> {
        self.ask_with_timeout(state, go, self.patience)
    }

    pub(super) fn ask_with_timeout(
        &mut self,
        state: &AnyGameState,
        go: &str,
        patience: Duration,
    ) -> Result<BestMove, NoAnswer> {
        let (notation, prompt_timeout) = (self.program.notation, self.prompt_timeout);
        let connection = self.connection()?;
        connection.process.start_turn();
        // Anything already in the pipe can't be the answer to this `go`.
        while let Ok(Some(line)) = connection.process.try_read_line() {
            if ugi::is_bestmove(&line) {
                return Err(self.answered_twice_error());
            }
        }
        let _ = connection.take_recent_output();
        let text = ugi::position_command(state, notation) + go;
        let deadline = ugi::deadline_after(patience);
        let start = Instant::now();
        let sent = connection.process.send(&text, deadline);
        let answer = sent.and_then(|()| read_bestmove(connection, deadline));
        let took = start.elapsed();
        match answer {
            Ok((_, line, _)) if line.trim() == "bestmove" => Err(NoAnswer::Empty(
                "it wrote \"bestmove\" without a move".into(),
            )),
            Ok((mv, line, info)) => {
                // A second `bestmove` would come before `readyok`. If the bot isn't ready in time,
                // the next request for a move fails.
                let after = connection
                    .wait_until_ready(ugi::deadline_after(prompt_timeout))
                    .unwrap_or_default();
                if after.iter().any(|line| ugi::is_bestmove(line)) {
                    return Err(self.answered_twice_error());
                }
                let mv = notation.parse_move(&mv);
                Ok(BestMove {
                    mv,
                    line,
                    took,
                    info,
                })
            }
            Err(error) => Err(self.failure(error, patience)),
        }
    }

    fn answered_twice_error(&mut self) -> NoAnswer {
        self.has_answered_twice = true;
        if let Some(mut connection) = self.connection.take() {
            connection.process.terminate(ExitMode::Kill);
        }
        NoAnswer::Twice
    }

    /// Terminates the bot and returns what happened.
    pub(super) fn failure(&mut self, error: ProcessIoError, waited: Duration) -> NoAnswer {
        match self.connection.take() {
            Some(mut connection) => {
                let output = connection.take_recent_output();
                let output = match output.is_empty() {
                    true => String::new(),
                    false => format!("; it wrote {output}"),
                };
                process_failure(&mut connection.process, error, waited, &output)
            }
            None => NoAnswer::CannotStart("it isn't running".to_owned()),
        }
    }
}

/// Reads up to the next `bestmove`: the move, the whole line, and the search info that preceded it.
pub(super) fn read_bestmove(
    connection: &mut UgiConnection,
    deadline: Instant,
) -> Result<(String, String, SearchInfo), ProcessIoError> {
    let mut info = SearchInfo::default();
    loop {
        let line = connection.read_line(deadline)?;
        if let Some(mv) = info.parse_line(&line) {
            return Ok((mv, line, info));
        }
    }
}

/// Terminates the program and returns what happened.
pub(super) fn process_failure(
    process: &mut BotProcess,
    error: ProcessIoError,
    waited: Duration,
    output: &str,
) -> NoAnswer {
    match error {
        ProcessIoError::Timeout => {
            process.terminate(ExitMode::Kill);
            let observed = format!("no answer after {ms} ms", ms = waited.as_millis());
            let output = if output.is_empty() {
                "; it wrote nothing"
            } else {
                output
            };
            NoAnswer::Silent(observed + output)
        }
        ProcessIoError::OutputLimit => {
            process.terminate(ExitMode::Kill);
            NoAnswer::Flooded
        }
        ProcessIoError::Closed => {
            NoAnswer::Crashed(process.terminate(ExitMode::CloseInput).describe() + output)
        }
    }
}

/// What is wrong with a move and how to fix it; `None` if it is legal.
pub(super) fn check_legal(
    state: &AnyGameState,
    program: &Program,
    answer: &BestMove,
) -> Option<(String, &'static str)> {
    let move_error = state.check(&answer.mv).err()?;
    let mut observed = format!(
        "{position}: it wrote {line}, which isn't legal: {move_error}",
        position = long_excerpt(&ugi::position_command(state, program.notation)),
        line = ugi::quoted(&answer.line)
    );
    if let Some(error) = &answer.info.error {
        observed += &format!("; before that it wrote \"{}\"", excerpt(error));
    }
    let lowercase = answer.mv.to_lowercase();
    let advice = match lowercase != answer.mv && state.check(&lowercase).is_ok() {
        true => advice::SMALL_LETTERS,
        false => advice::LEGAL,
    };
    Some((observed, advice))
}

/// The move time for steps that ask for many moves: half of the given time, at most 50 ms.
pub(super) fn short_move_time(time_control: TimeControl) -> Duration {
    let max_time = Duration::from_millis(50);
    match time_control {
        TimeControl::MoveTime(time) => (time / 2).clamp(Duration::from_millis(1), max_time),
        TimeControl::Clock { .. } | TimeControl::Nodes(_) | TimeControl::Depth(_) => max_time,
    }
}

/// The clock sent when the check isn't run with a clock of its own.
pub(super) fn small_clock() -> Clock {
    Clock {
        remaining: Duration::from_secs(5),
        increment: Duration::from_millis(100),
        moves_to_go: None,
    }
}

/// Positions from random games: early, middle, late, and before the last move.
pub(super) fn test_positions(variant: Variant) -> Vec<AnyGameState> {
    let mut positions = Vec::new();
    for seed in 1..=RANDOM_GAMES {
        let settings = BotSettings {
            seed,
            ..BotSettings::default()
        };
        let Ok(mut bot) = AnyBot::new(BotKind::Random, variant, &settings) else {
            continue;
        };
        let mut state = AnyGameState::new(variant);
        while state.outcome().is_none() && state.ply() < super::MAX_PLIES {
            let report = bot.think(
                &state,
                SearchLimits::nodes(1),
                &StopFlag::new(),
                &mut |_| {},
            );
            match report.best {
                Some(mv) if state.play(&mv).is_ok() => {}
                _ => break,
            }
        }
        let plies = state.ply();
        let moves = state.moves();
        for ply in [1, plies / 3, plies * 2 / 3, plies.saturating_sub(1)] {
            let mut state = AnyGameState::new(variant);
            for mv in moves.iter().take(ply) {
                let _ = state.play(mv);
            }
            if state.outcome().is_none() {
                positions.push(state);
            }
        }
    }
    positions
}
