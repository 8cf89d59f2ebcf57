//! What is tried of a bot that speaks CodinGame's protocol.

use std::time::{Duration, Instant};

use noughts_rules::AnyPlay;

use super::ugi::{last_words, left, left_behind};
use super::{Check, Finding, Row, Step, advice, bot, fail, games, pass, walk, warn};
use crate::codingame;
use crate::make::Making;
use crate::pace::Pace;
use crate::process::{Ended, Manner, Process};
use crate::spec::Program;
use crate::ugi;

const TURNS: [Row<Trial>; 4] = [
    Row {
        what: "starts",
        run: Trial::start,
    },
    Row {
        what: "moves first",
        run: |trial| trial.turn(Duration::from_secs(1)),
    },
    Row {
        what: "answers a move",
        run: |trial| trial.turn(trial.time()),
    },
    Row {
        what: games::WHAT,
        run: |trial| {
            Some(games::play_two(
                &trial.check,
                &trial.check.spec,
                &trial.making,
            ))
        },
    },
];

const END: [Row<Trial>; 3] = [
    Row {
        what: "leaves at the end of its input",
        run: Trial::leaves,
    },
    Row {
        what: "leaves nothing running",
        run: |trial| left_behind(trial.ended.as_ref()?),
    },
    Row {
        what: "standard error",
        run: |trial| last_words(trial.ended.as_ref()?),
    },
];

struct Trial {
    check: Check,
    making: Making,
    program: Program,
    process: Option<Process>,
    play: AnyPlay,
    ended: Option<Ended>,
}

pub(super) fn run(check: &Check, program: &Program, making: &Making, report: &mut dyn FnMut(Step)) {
    let mut trial = Trial {
        check: check.clone(),
        making: making.clone(),
        program: program.clone(),
        process: None,
        play: AnyPlay::new(check.variant),
        ended: None,
    };
    if walk(&TURNS, &mut trial, report) {
        walk(&END, &mut trial, report);
    }
}

impl Trial {
    fn start(&mut self) -> Option<Finding> {
        Some(
            match Process::start(&self.program, &self.making.tag, None) {
                Ok(mut process) => {
                    let dialogue = self.making.dialogue.as_ref();
                    let name = &self.check.spec.name;
                    process.record(dialogue.map(|dialogue| dialogue.speaker(name, &self.program)));
                    self.process = Some(process);
                    pass(self.program.command.clone())
                }
                Err(fault) => fail(fault.message, advice::RUN_CODINGAME).and_end(),
            },
        )
    }

    /// How long a turn has.
    fn time(&self) -> Duration {
        match self.check.pace {
            Pace::Move(time) => time,
            Pace::Clock { .. } | Pace::Nodes(_) | Pace::Depth(_) => Duration::from_millis(100),
        }
    }

    fn turn(&mut self, time: Duration) -> Option<Finding> {
        let process = self.process.as_mut()?;
        let text = codingame::situation(&self.play);
        process.new_turn();
        let asked = Instant::now();
        let patience = time.max(self.check.patience);
        let until = ugi::after(patience);
        let line = process.say(&text, until).and_then(|()| process.line(until));
        let took = asked.elapsed();
        let line = match line {
            Ok(line) => line,
            Err(trouble) => {
                let half = process.half_a_line();
                let half = half.map(|half| {
                    format!(
                        "; it wrote {} without an end of the line",
                        ugi::quoted(&half)
                    )
                });
                let none = bot::lost(process, trouble, patience, &half.unwrap_or_default());
                let advice = match none {
                    bot::NoAnswer::Silent(_) => advice::TURN,
                    ref other => other.advice(),
                };
                return Some(fail(none.seen(), advice).and_end());
            }
        };
        let quoted = ugi::quoted(&line);
        let made = match codingame::read(&line) {
            Some(mv) => self
                .play
                .play(&mv)
                .map_err(|refusal| format!("it wrote {quoted}, which is refused: {refusal}")),
            None => Err(format!("it wrote {quoted}, which is not `row col`")),
        };
        if let Err(seen) = made {
            return Some(fail(seen, advice::ONE_OF_THEM).and_end());
        }
        // A reply, so that it is its turn again.
        if let Some(reply) = self.play.legal_moves().first() {
            let _ = self.play.play(reply);
        }
        let seen = format!("{quoted} after {} ms", took.as_millis());
        Some(match took > time.saturating_add(self.check.margin) {
            true => warn(seen, advice::SITE_TIMES),
            false => pass(seen),
        })
    }

    fn leaves(&mut self) -> Option<Finding> {
        let ended = self
            .process
            .take()?
            .end_within(Manner::Leaving, self.check.promptness);
        Some(left(self.ended.insert(ended), advice::END_OF_INPUT))
    }
}
