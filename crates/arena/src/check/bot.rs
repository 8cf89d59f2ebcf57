//! A UGI bot that is asked for moves, and started again when it has failed.

use std::time::{Duration, Instant};

use noughts_engine::{AnyBot, BotKind, BotSettings, Clock, SearchLimits, StopFlag};
use noughts_rules::{AnyGameState, Variant};

use super::advice;
use crate::error_text::{excerpt, long_excerpt};
use crate::process::{BotProcess, ProcessIoError, Termination};
use crate::protocol_log::ProtocolLog;
use crate::spec::Program;
use crate::time_control::TimeControl;
use crate::ugi::{self, SearchInfo, UgiConnection};

/// No bot is started more often.
const STARTS: usize = 8;
/// The random games whose positions it is shown: four of each, by moves and as text.
const RANDOM_GAMES: u64 = 4;
/// All positions that it is shown.
pub(super) const POSITIONS: u32 = 32;

/// An answer to `go`.
pub(super) struct BestMove {
    /// The move in our notation.
    pub(super) mv: String,
    /// The line as it came.
    pub(super) line: String,
    pub(super) took: Duration,
    pub(super) info: SearchInfo,
}

/// Why there is no answer.
pub(super) enum NoAnswer {
    Crashed(String),
    Silent(String),
    Flooded,
    /// More than one `bestmove`.
    Twice,
    /// `bestmove` and nothing behind it.
    Empty(String),
    CannotStart(String),
}

impl NoAnswer {
    /// What happened, in words.
    pub(super) fn observed(&self) -> String {
        match self {
            NoAnswer::Crashed(seen)
            | NoAnswer::Silent(seen)
            | NoAnswer::Empty(seen)
            | NoAnswer::CannotStart(seen) => seen.clone(),
            NoAnswer::Flooded => ugi::FLOOD.to_owned(),
            NoAnswer::Twice => ugi::TWICE.to_owned(),
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
    /// It has answered one question twice.
    pub(super) has_answered_twice: bool,
}

impl CheckedBot {
    /// Starts its program; nothing is said yet.
    pub(super) fn launch(&mut self) -> Result<&mut UgiConnection, String> {
        self.starts += 1;
        let mut talk =
            UgiConnection::start(&self.program, &self.tag, None).map_err(|fault| fault.message)?;
        let dialogue = self.protocol_log.as_ref();
        let speaker = dialogue.map(|dialogue| dialogue.process_logger(&self.name, &self.program));
        talk.process.set_logger(speaker);
        Ok(self.connection.insert(talk))
    }

    /// It, started again if it isn't running; an error if that was too often.
    pub(super) fn connection(&mut self) -> Result<&mut UgiConnection, NoAnswer> {
        if self.connection.is_none() {
            if self.starts >= STARTS {
                let seen = format!("it was started {STARTS} times, and failed each time");
                return Err(NoAnswer::CannotStart(seen));
            }
            let (program, variant) = (self.program.clone(), self.variant);
            let patience = self.patience;
            let until = ugi::deadline_after(patience);
            let talk = self.launch().map_err(NoAnswer::CannotStart)?;
            let ready = talk
                .handshake(until)
                .and_then(|()| talk.set_options(&program, variant, until))
                .and_then(|()| {
                    let new = talk.new_game(1, until);
                    new.map_err(|trouble| talk.start_error(trouble, "readyok", patience))
                });
            if let Err(fault) = ready {
                self.connection = None;
                return Err(NoAnswer::CannotStart(fault.message));
            }
        }
        let gone = || NoAnswer::CannotStart("it is not running".to_owned());
        self.connection.as_mut().ok_or_else(gone)
    }

    /// May it be asked again?
    pub(super) fn can_continue(&self) -> bool {
        !self.has_answered_twice && (self.connection.is_some() || self.starts < STARTS)
    }

    /// Asks for a move, and waits as long as the bot's patience. One that fails is put away.
    pub(super) fn ask(&mut self, play: &AnyGameState, go: &str) -> Result<BestMove, NoAnswer> {
        self.ask_with_timeout(play, go, self.patience)
    }

    pub(super) fn ask_with_timeout(
        &mut self,
        play: &AnyGameState,
        go: &str,
        patience: Duration,
    ) -> Result<BestMove, NoAnswer> {
        let (notation, promptness) = (self.program.notation, self.prompt_timeout);
        let talk = self.connection()?;
        talk.process.start_turn();
        // What is there already doesn't answer what comes now.
        while let Ok(Some(line)) = talk.process.try_read_line() {
            if ugi::is_bestmove(&line) {
                return Err(self.answered_twice());
            }
        }
        let _ = talk.take_recent_output();
        let text = ugi::position_command(play, notation) + go;
        let until = ugi::deadline_after(patience);
        let asked = Instant::now();
        let sent = talk.process.send(&text, until);
        let answer = sent.and_then(|()| read_bestmove(talk, until));
        let took = asked.elapsed();
        match answer {
            Ok((_, line, _)) if line.trim() == "bestmove" => Err(NoAnswer::Empty(
                "it wrote \"bestmove\" without a move".into(),
            )),
            Ok((mv, line, said)) => {
                // One that is ready again has said all it had to say; one that isn't will
                // be noticed when it is asked for a move.
                let after = talk
                    .wait_until_ready(ugi::deadline_after(promptness))
                    .unwrap_or_default();
                if after.iter().any(|line| ugi::is_bestmove(line)) {
                    return Err(self.answered_twice());
                }
                let mv = notation.parse_move(&mv);
                Ok(BestMove {
                    mv,
                    line,
                    took,
                    info: said,
                })
            }
            Err(trouble) => Err(self.failure(trouble, patience)),
        }
    }

    fn answered_twice(&mut self) -> NoAnswer {
        self.has_answered_twice = true;
        if let Some(mut talk) = self.connection.take() {
            talk.process.terminate(Termination::Kill);
        }
        NoAnswer::Twice
    }

    /// What happened; it is put away.
    pub(super) fn failure(&mut self, trouble: ProcessIoError, waited: Duration) -> NoAnswer {
        match self.connection.take() {
            Some(mut talk) => {
                let wrote = talk.take_recent_output();
                let wrote = match wrote.is_empty() {
                    true => String::new(),
                    false => format!("; it wrote {wrote}"),
                };
                process_failure(&mut talk.process, trouble, waited, &wrote)
            }
            None => NoAnswer::CannotStart("it is not running".to_owned()),
        }
    }
}

/// The next `bestmove`: the move, the whole line, and what came before it.
pub(super) fn read_bestmove(
    talk: &mut UgiConnection,
    until: Instant,
) -> Result<(String, String, SearchInfo), ProcessIoError> {
    let mut said = SearchInfo::default();
    loop {
        let line = talk.read_line(until)?;
        if let Some(mv) = said.parse_line(&line) {
            return Ok((mv, line, said));
        }
    }
}

/// What happened to a program, which is ended.
pub(super) fn process_failure(
    process: &mut BotProcess,
    trouble: ProcessIoError,
    waited: Duration,
    wrote: &str,
) -> NoAnswer {
    match trouble {
        ProcessIoError::Timeout => {
            process.terminate(Termination::Kill);
            let seen = format!("no answer after {} ms", waited.as_millis());
            let wrote = if wrote.is_empty() {
                "; it wrote nothing"
            } else {
                wrote
            };
            NoAnswer::Silent(seen + wrote)
        }
        ProcessIoError::OutputLimit => {
            process.terminate(Termination::Kill);
            NoAnswer::Flooded
        }
        ProcessIoError::Closed => {
            NoAnswer::Crashed(process.terminate(Termination::CloseInput).describe() + wrote)
        }
    }
}

/// What is wrong with a move, and how to fix it.
pub(super) fn check_legal(
    play: &AnyGameState,
    program: &Program,
    answer: &BestMove,
) -> Option<(String, &'static str)> {
    let refusal = play.check(&answer.mv).err()?;
    let mut seen = format!(
        "{}: it wrote {}, which is refused: {refusal}",
        long_excerpt(&ugi::position_command(play, program.notation)),
        ugi::quoted(&answer.line)
    );
    if let Some(error) = &answer.info.error {
        seen += &format!("; before that it wrote \"{}\"", excerpt(error));
    }
    let small = answer.mv.to_lowercase();
    let advice = match small != answer.mv && play.check(&small).is_ok() {
        true => advice::SMALL_LETTERS,
        false => advice::LEGAL,
    };
    Some((seen, advice))
}

/// A pace for moves of which many are asked: half of the time, or of a small clock.
pub(super) fn short_move_time(pace: TimeControl) -> Duration {
    let most = Duration::from_millis(50);
    match pace {
        TimeControl::MoveTime(time) => (time / 2).clamp(Duration::from_millis(1), most),
        TimeControl::Clock { .. } | TimeControl::Nodes(_) | TimeControl::Depth(_) => most,
    }
}

/// The clock that it is shown where a clock isn't what was asked for.
pub(super) fn small_clock() -> Clock {
    Clock {
        remaining: Duration::from_secs(5),
        increment: Duration::from_millis(100),
        moves_to_go: None,
    }
}

/// Positions of random games: early, in the middle, late, and before the last move.
pub(super) fn test_positions(variant: Variant) -> Vec<AnyGameState> {
    let mut found = Vec::new();
    for seed in 1..=RANDOM_GAMES {
        let settings = BotSettings {
            seed,
            ..BotSettings::default()
        };
        let Ok(mut bot) = AnyBot::new(BotKind::Random, variant, &settings) else {
            continue;
        };
        let mut play = AnyGameState::new(variant);
        while play.outcome().is_none() && play.ply() < super::LONGEST_GAME {
            let report = bot.think(&play, SearchLimits::nodes(1), &StopFlag::new(), &mut |_| {});
            match report.best {
                Some(mv) if play.play(&mv).is_ok() => {}
                _ => break,
            }
        }
        let plies = play.ply();
        let moves = play.moves();
        for stop in [1, plies / 3, plies * 2 / 3, plies.saturating_sub(1)] {
            let mut play = AnyGameState::new(variant);
            for mv in moves.iter().take(stop) {
                let _ = play.play(mv);
            }
            if play.outcome().is_none() {
                found.push(play);
            }
        }
    }
    found
}
