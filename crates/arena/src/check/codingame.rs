//! The check of a bot that speaks CodinGame's protocol.

use std::time::{Duration, Instant};

use noughts_rules::AnyGameState;

use super::ugi::{exit_finding, left_behind_finding, stderr_finding};
use super::{
    BotCheck, CheckRow, CheckStep, Finding, advice, bot, fail, games, pass, run_rows, warn,
};
use crate::codingame;
use crate::player_factory::PlayerFactory;
use crate::process::{BotProcess, ExitMode, ExitReport};
use crate::spec::Program;
use crate::time_control::TimeControl;
use crate::ugi;

const TURNS: [CheckRow<CodingameCheck>; 4] = [
    CheckRow {
        name: "starts",
        run: CodingameCheck::start,
    },
    CheckRow {
        name: "moves first",
        run: |trial| trial.turn(Duration::from_secs(1)),
    },
    CheckRow {
        name: "answers a move",
        run: |trial| trial.turn(trial.time_limit()),
    },
    CheckRow {
        name: games::STEP_NAME,
        run: |trial| {
            Some(games::play_games(
                &trial.check,
                &trial.check.spec,
                &trial.factory,
            ))
        },
    },
];

const END: [CheckRow<CodingameCheck>; 3] = [
    CheckRow {
        name: "exits at the end of its input",
        run: CodingameCheck::exits,
    },
    CheckRow {
        name: "leaves no processes running",
        run: |trial| left_behind_finding(trial.exit_report.as_ref()?),
    },
    CheckRow {
        name: "standard error",
        run: |trial| stderr_finding(trial.exit_report.as_ref()?),
    },
];

struct CodingameCheck {
    check: BotCheck,
    factory: PlayerFactory,
    program: Program,
    process: Option<BotProcess>,
    state: AnyGameState,
    exit_report: Option<ExitReport>,
}

pub(super) fn run(
    check: &BotCheck,
    program: &Program,
    factory: &PlayerFactory,
    report: &mut dyn FnMut(CheckStep),
) {
    let mut trial = CodingameCheck {
        check: check.clone(),
        factory: factory.clone(),
        program: program.clone(),
        process: None,
        state: AnyGameState::new(check.variant),
        exit_report: None,
    };
    if run_rows(&TURNS, &mut trial, report) {
        run_rows(&END, &mut trial, report);
    }
}

impl CodingameCheck {
    fn start(&mut self) -> Option<Finding> {
        Some(
            match BotProcess::start(&self.program, &self.factory.tag, None) {
                Ok(mut process) => {
                    let protocol_log = self.factory.protocol_log.as_ref();
                    let name = &self.check.spec.name;
                    process.set_logger(
                        protocol_log
                            .map(|protocol_log| protocol_log.process_logger(name, &self.program)),
                    );
                    self.process = Some(process);
                    pass(self.program.command.clone())
                }
                Err(error) => fail(error.message, advice::RUN_CODINGAME).and_stop(),
            },
        )
    }

    /// The time for a turn.
    fn time_limit(&self) -> Duration {
        match self.check.time_control {
            TimeControl::MoveTime(time) => time,
            TimeControl::Clock { .. } | TimeControl::Nodes(_) | TimeControl::Depth(_) => {
                Duration::from_millis(100)
            }
        }
    }

    fn turn(&mut self, time: Duration) -> Option<Finding> {
        let process = self.process.as_mut()?;
        let text = codingame::turn_input(&self.state);
        process.start_turn();
        let start = Instant::now();
        let patience = time.max(self.check.patience);
        let deadline = ugi::deadline_after(patience);
        let line = process
            .send(&text, deadline)
            .and_then(|()| process.read_line(deadline));
        let took = start.elapsed();
        let line = match line {
            Ok(line) => line,
            Err(error) => {
                let partial = process.partial_line();
                let partial = partial.map(|partial| {
                    format!(
                        "; it wrote {partial} without a line break",
                        partial = ugi::quoted(&partial)
                    )
                });
                let failure =
                    bot::process_failure(process, error, patience, &partial.unwrap_or_default());
                let advice = match failure {
                    bot::NoAnswer::Silent(_) => advice::TURN,
                    ref other => other.advice(),
                };
                return Some(fail(failure.observed(), advice).and_stop());
            }
        };
        let quoted = ugi::quoted(&line);
        let result = match codingame::parse_move(&line) {
            Some(mv) => self.state.play(&mv).map_err(|move_error| {
                format!("it wrote {quoted}, which isn't legal: {move_error}")
            }),
            None => Err(format!("it wrote {quoted}, which isn't `row col`")),
        };
        if let Err(observed) = result {
            return Some(fail(observed, advice::ONE_OF_THEM).and_stop());
        }
        // Play a reply, so that the bot is to move again.
        if let Some(reply) = self.state.legal_moves().first() {
            let _ = self.state.play(reply);
        }
        let observed = format!("{quoted} after {took} ms", took = took.as_millis());
        Some(match took > time.saturating_add(self.check.margin) {
            true => warn(observed, advice::SITE_TIMES),
            false => pass(observed),
        })
    }

    fn exits(&mut self) -> Option<Finding> {
        let report = self
            .process
            .take()?
            .terminate_within(ExitMode::CloseInput, self.check.prompt_timeout);
        Some(exit_finding(
            self.exit_report.insert(report),
            advice::END_OF_INPUT,
        ))
    }
}
