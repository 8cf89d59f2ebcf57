//! A UGI bot that is asked for moves, and started again when it has failed.

use std::time::{Duration, Instant};

use noughts_engine::{AnyBot, BotKind, Clock, Limits, Settings, Stop};
use noughts_rules::{AnyPlay, Variant};

use super::advice;
use crate::dialogue::Dialogue;
use crate::pace::Pace;
use crate::process::{Manner, Process, Trouble};
use crate::spec::Program;
use crate::ugi::{self, Said, Talk};
use crate::words::{shown, shown_long};

/// No bot is started more often.
const STARTS: usize = 8;
/// The random games whose positions it is shown: four of each, by moves and as text.
const RANDOM_GAMES: u64 = 4;
/// All positions that it is shown.
pub(super) const POSITIONS: u32 = 32;

/// An answer to `go`.
pub(super) struct Answer {
    /// The move in our notation.
    pub(super) mv: String,
    /// The line as it came.
    pub(super) line: String,
    pub(super) took: Duration,
    pub(super) said: Said,
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
    pub(super) fn seen(&self) -> String {
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

pub(super) struct Bot {
    pub(super) talk: Option<Talk>,
    pub(super) program: Program,
    pub(super) name: String,
    pub(super) variant: Variant,
    pub(super) patience: Duration,
    pub(super) promptness: Duration,
    pub(super) tag: String,
    pub(super) dialogue: Option<Dialogue>,
    pub(super) starts: usize,
    /// It has answered one question twice.
    pub(super) twice: bool,
}

impl Bot {
    /// Starts its program; nothing is said yet.
    pub(super) fn launch(&mut self) -> Result<&mut Talk, String> {
        self.starts += 1;
        let mut talk =
            Talk::start(&self.program, &self.tag, None).map_err(|fault| fault.message)?;
        let dialogue = self.dialogue.as_ref();
        let speaker = dialogue.map(|dialogue| dialogue.speaker(&self.name, &self.program));
        talk.process.record(speaker);
        Ok(self.talk.insert(talk))
    }

    /// It, started again if it isn't running; an error if that was too often.
    pub(super) fn talk(&mut self) -> Result<&mut Talk, NoAnswer> {
        if self.talk.is_none() {
            if self.starts >= STARTS {
                let seen = format!("it was started {STARTS} times, and failed each time");
                return Err(NoAnswer::CannotStart(seen));
            }
            let (program, variant) = (self.program.clone(), self.variant);
            let patience = self.patience;
            let until = ugi::after(patience);
            let talk = self.launch().map_err(NoAnswer::CannotStart)?;
            let ready = talk
                .introduce(until)
                .and_then(|()| talk.settle(&program, variant, until))
                .and_then(|()| {
                    let new = talk.new_game(1, until);
                    new.map_err(|trouble| talk.failed_to_start(trouble, "readyok", patience))
                });
            if let Err(fault) = ready {
                self.talk = None;
                return Err(NoAnswer::CannotStart(fault.message));
            }
        }
        let gone = || NoAnswer::CannotStart("it is not running".to_owned());
        self.talk.as_mut().ok_or_else(gone)
    }

    /// May it be asked again?
    pub(super) fn can_continue(&self) -> bool {
        !self.twice && (self.talk.is_some() || self.starts < STARTS)
    }

    /// Asks for a move, and waits as long as the bot's patience. One that fails is put away.
    pub(super) fn ask(&mut self, play: &AnyPlay, go: &str) -> Result<Answer, NoAnswer> {
        self.ask_for(play, go, self.patience)
    }

    pub(super) fn ask_for(
        &mut self,
        play: &AnyPlay,
        go: &str,
        patience: Duration,
    ) -> Result<Answer, NoAnswer> {
        let (notation, promptness) = (self.program.notation, self.promptness);
        let talk = self.talk()?;
        talk.process.new_turn();
        // What is there already doesn't answer what comes now.
        while let Ok(Some(line)) = talk.process.line_at_hand() {
            if ugi::is_answer(&line) {
                return Err(self.answered_twice());
            }
        }
        let _ = talk.take_recent();
        let text = ugi::position(play, notation) + go;
        let until = ugi::after(patience);
        let asked = Instant::now();
        let sent = talk.process.say(&text, until);
        let answer = sent.and_then(|()| answer(talk, until));
        let took = asked.elapsed();
        match answer {
            Ok((_, line, _)) if line.trim() == "bestmove" => Err(NoAnswer::Empty(
                "it wrote \"bestmove\" without a move".into(),
            )),
            Ok((mv, line, said)) => {
                // One that is ready again has said all it had to say; one that isn't will
                // be noticed when it is asked for a move.
                let after = talk.ready(ugi::after(promptness)).unwrap_or_default();
                if after.iter().any(|line| ugi::is_answer(line)) {
                    return Err(self.answered_twice());
                }
                let mv = notation.read(&mv);
                Ok(Answer {
                    mv,
                    line,
                    took,
                    said,
                })
            }
            Err(trouble) => Err(self.lost(trouble, patience)),
        }
    }

    fn answered_twice(&mut self) -> NoAnswer {
        self.twice = true;
        if let Some(mut talk) = self.talk.take() {
            talk.process.end(Manner::Kill);
        }
        NoAnswer::Twice
    }

    /// What happened; it is put away.
    pub(super) fn lost(&mut self, trouble: Trouble, waited: Duration) -> NoAnswer {
        match self.talk.take() {
            Some(mut talk) => {
                let wrote = talk.take_recent();
                let wrote = match wrote.is_empty() {
                    true => String::new(),
                    false => format!("; it wrote {wrote}"),
                };
                lost(&mut talk.process, trouble, waited, &wrote)
            }
            None => NoAnswer::CannotStart("it is not running".to_owned()),
        }
    }
}

/// The next `bestmove`: the move, the whole line, and what came before it.
pub(super) fn answer(talk: &mut Talk, until: Instant) -> Result<(String, String, Said), Trouble> {
    let mut said = Said::default();
    loop {
        let line = talk.line(until)?;
        if let Some(mv) = said.hear(&line) {
            return Ok((mv, line, said));
        }
    }
}

/// What happened to a program, which is ended.
pub(super) fn lost(
    process: &mut Process,
    trouble: Trouble,
    waited: Duration,
    wrote: &str,
) -> NoAnswer {
    match trouble {
        Trouble::Late => {
            process.end(Manner::Kill);
            let seen = format!("no answer after {} ms", waited.as_millis());
            let wrote = if wrote.is_empty() {
                "; it wrote nothing"
            } else {
                wrote
            };
            NoAnswer::Silent(seen + wrote)
        }
        Trouble::Flood => {
            process.end(Manner::Kill);
            NoAnswer::Flooded
        }
        Trouble::Closed => NoAnswer::Crashed(process.end(Manner::Leaving).words() + wrote),
    }
}

/// What is wrong with a move, and how to fix it.
pub(super) fn refused(
    play: &AnyPlay,
    program: &Program,
    answer: &Answer,
) -> Option<(String, &'static str)> {
    let refusal = play.check(&answer.mv).err()?;
    let mut seen = format!(
        "{}: it wrote {}, which is refused: {refusal}",
        shown_long(&ugi::position(play, program.notation)),
        ugi::quoted(&answer.line)
    );
    if let Some(error) = &answer.said.error {
        seen += &format!("; before that it wrote \"{}\"", shown(error));
    }
    let small = answer.mv.to_lowercase();
    let advice = match small != answer.mv && play.check(&small).is_ok() {
        true => advice::SMALL_LETTERS,
        false => advice::LEGAL,
    };
    Some((seen, advice))
}

/// A pace for moves of which many are asked: half of the time, or of a small clock.
pub(super) fn brief(pace: Pace) -> Duration {
    let most = Duration::from_millis(50);
    match pace {
        Pace::Move(time) => (time / 2).clamp(Duration::from_millis(1), most),
        Pace::Clock { .. } | Pace::Nodes(_) | Pace::Depth(_) => most,
    }
}

/// The clock that it is shown where a clock isn't what was asked for.
pub(super) fn small_clock() -> Clock {
    Clock {
        left: Duration::from_secs(5),
        increment: Duration::from_millis(100),
        moves_to_go: None,
    }
}

/// Positions of random games: early, in the middle, late, and before the last move.
pub(super) fn positions(variant: Variant) -> Vec<AnyPlay> {
    let mut found = Vec::new();
    for seed in 1..=RANDOM_GAMES {
        let settings = Settings {
            seed,
            ..Settings::default()
        };
        let Ok(mut bot) = AnyBot::new(BotKind::Random, variant, &settings) else {
            continue;
        };
        let mut play = AnyPlay::new(variant);
        while play.outcome().is_none() && play.ply() < super::LONGEST_GAME {
            let report = bot.think(&play, Limits::nodes(1), &Stop::new(), &mut |_| {});
            match report.best {
                Some(mv) if play.play(&mv).is_ok() => {}
                _ => break,
            }
        }
        let plies = play.ply();
        let moves = play.moves();
        for stop in [1, plies / 3, plies * 2 / 3, plies.saturating_sub(1)] {
            let mut play = AnyPlay::new(variant);
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
