//! What is tried of a bot that speaks CodinGame's protocol.

use std::time::{Duration, Instant};

use noughts_rules::AnyGameState;

use super::ugi::{exit_finding, left_behind_finding, stderr_finding};
use super::{
    BotCheck, CheckRow, CheckStep, Finding, advice, bot, fail, games, pass, run_rows, warn,
};
use crate::codingame;
use crate::player_factory::PlayerFactory;
use crate::process::{BotProcess, ExitReport, Termination};
use crate::spec::Program;
use crate::time_control::TimeControl;
use crate::ugi;

const TURNS: [CheckRow<Trial>; 4] = [
    CheckRow {
        name: "starts",
        run: Trial::start,
    },
    CheckRow {
        name: "moves first",
        run: |trial| trial.turn(Duration::from_secs(1)),
    },
    CheckRow {
        name: "answers a move",
        run: |trial| trial.turn(trial.time()),
    },
    CheckRow {
        name: games::STEP_NAME,
        run: |trial| {
            Some(games::play_games(
                &trial.check,
                &trial.check.spec,
                &trial.making,
            ))
        },
    },
];

const END: [CheckRow<Trial>; 3] = [
    CheckRow {
        name: "leaves at the end of its input",
        run: Trial::leaves,
    },
    CheckRow {
        name: "leaves nothing running",
        run: |trial| left_behind_finding(trial.ended.as_ref()?),
    },
    CheckRow {
        name: "standard error",
        run: |trial| stderr_finding(trial.ended.as_ref()?),
    },
];

struct Trial {
    check: BotCheck,
    making: PlayerFactory,
    program: Program,
    process: Option<BotProcess>,
    play: AnyGameState,
    ended: Option<ExitReport>,
}

pub(super) fn run(
    check: &BotCheck,
    program: &Program,
    making: &PlayerFactory,
    report: &mut dyn FnMut(CheckStep),
) {
    let mut trial = Trial {
        check: check.clone(),
        making: making.clone(),
        program: program.clone(),
        process: None,
        play: AnyGameState::new(check.variant),
        ended: None,
    };
    if run_rows(&TURNS, &mut trial, report) {
        run_rows(&END, &mut trial, report);
    }
}

impl Trial {
    fn start(&mut self) -> Option<Finding> {
        Some(
            match BotProcess::start(&self.program, &self.making.tag, None) {
                Ok(mut process) => {
                    let dialogue = self.making.protocol_log.as_ref();
                    let name = &self.check.spec.name;
                    process.set_logger(
                        dialogue.map(|dialogue| dialogue.process_logger(name, &self.program)),
                    );
                    self.process = Some(process);
                    pass(self.program.command.clone())
                }
                Err(fault) => fail(fault.message, advice::RUN_CODINGAME).and_stop(),
            },
        )
    }

    /// How long a turn has.
    fn time(&self) -> Duration {
        match self.check.time_control {
            TimeControl::MoveTime(time) => time,
            TimeControl::Clock { .. } | TimeControl::Nodes(_) | TimeControl::Depth(_) => {
                Duration::from_millis(100)
            }
        }
    }

    fn turn(&mut self, time: Duration) -> Option<Finding> {
        let process = self.process.as_mut()?;
        let text = codingame::turn_input(&self.play);
        process.start_turn();
        let asked = Instant::now();
        let patience = time.max(self.check.patience);
        let until = ugi::deadline_after(patience);
        let line = process
            .send(&text, until)
            .and_then(|()| process.read_line(until));
        let took = asked.elapsed();
        let line = match line {
            Ok(line) => line,
            Err(trouble) => {
                let half = process.partial_line();
                let half = half.map(|half| {
                    format!(
                        "; it wrote {} without an end of the line",
                        ugi::quoted(&half)
                    )
                });
                let none =
                    bot::process_failure(process, trouble, patience, &half.unwrap_or_default());
                let advice = match none {
                    bot::NoAnswer::Silent(_) => advice::TURN,
                    ref other => other.advice(),
                };
                return Some(fail(none.observed(), advice).and_stop());
            }
        };
        let quoted = ugi::quoted(&line);
        let made = match codingame::parse_move(&line) {
            Some(mv) => self
                .play
                .play(&mv)
                .map_err(|refusal| format!("it wrote {quoted}, which is refused: {refusal}")),
            None => Err(format!("it wrote {quoted}, which is not `row col`")),
        };
        if let Err(seen) = made {
            return Some(fail(seen, advice::ONE_OF_THEM).and_stop());
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
            .terminate_within(Termination::CloseInput, self.check.prompt_timeout);
        Some(exit_finding(self.ended.insert(ended), advice::END_OF_INPUT))
    }
}
