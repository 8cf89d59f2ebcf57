//! What is tried of a bot that speaks UGI.

use std::borrow::Cow;
use std::time::Duration;

use noughts_rules::{AnyGameState, Variant};

use super::bot::{self, BestMove, CheckedBot, NoAnswer};
use super::{BotCheck, CheckRow, CheckStep, Finding, advice, fail, games, pass, run_rows, warn};
use crate::codingame;
use crate::error_text::{excerpt, join_names, long_excerpt};
use crate::notation::Notation;
use crate::player_factory::PlayerFactory;
use crate::process::{BotProcess, ExitReport, ProcessIoError, Termination};
use crate::spec::{BotSource, BotSpec, Program};
use crate::time_control::TimeControl;
use crate::ugi::{self, UgiConnection};

/// Until it is ready for a game. Each of these must work.
const START: [CheckRow<Trial>; 5] = [
    CheckRow {
        name: "starts",
        run: Trial::start,
    },
    CheckRow {
        name: "answers `ugi`",
        run: Trial::introduce,
    },
    CheckRow {
        name: "accepts its options",
        run: Trial::options,
    },
    CheckRow {
        name: "answers `isready`",
        run: Trial::ready,
    },
    CheckRow {
        name: "starts a game",
        run: Trial::new_game,
    },
];

/// Moves and games, until it is late.
const MOVES: [CheckRow<Trial>; 12] = [
    CheckRow {
        name: "writes moves in a notation of its own",
        run: Trial::notation,
    },
    CheckRow {
        name: "moves in a given time",
        run: |trial| trial.limit(TimeControl::MoveTime(TIME)),
    },
    CheckRow {
        name: "moves by nodes",
        run: |trial| trial.limit(TimeControl::Nodes(100)),
    },
    CheckRow {
        name: "moves by depth",
        run: |trial| trial.limit(TimeControl::Depth(2)),
    },
    CheckRow {
        name: "moves by a clock",
        run: |trial| trial.limit(CLOCK),
    },
    CheckRow {
        name: ONCE,
        run: Trial::once,
    },
    CheckRow {
        name: "moves legally after `position startpos moves …`",
        run: |trial| trial.positions(false),
    },
    CheckRow {
        name: "moves legally after `position fen …`",
        run: |trial| trial.positions(true),
    },
    CheckRow {
        name: ONCE,
        run: Trial::once,
    },
    CheckRow {
        name: "answers `isready` while it thinks",
        run: Trial::listens,
    },
    CheckRow {
        name: "obeys `stop`",
        run: Trial::stops,
    },
    CheckRow {
        name: games::STEP_NAME,
        run: Trial::whole_games,
    },
];

/// How it ends.
const END: [CheckRow<Trial>; 3] = [
    CheckRow {
        name: "leaves at `quit`",
        run: Trial::quits,
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

const ONCE: &str = "answers each `go` once";
const TIME: Duration = Duration::from_millis(100);
const CLOCK: TimeControl = TimeControl::Clock {
    base: Duration::from_secs(5),
    increment: Duration::from_millis(100),
};
/// A bot that is late this often is late; once may be the machine's fault.
const TRIES: usize = 3;

/// Tries it all; returns how it writes moves.
pub(super) fn run(
    check: &BotCheck,
    program: &Program,
    making: &PlayerFactory,
    report: &mut dyn FnMut(CheckStep),
) -> Notation {
    let mut trial = Trial {
        check: check.clone(),
        making: making.clone(),
        bot: CheckedBot {
            connection: None,
            program: program.clone(),
            name: check.spec.name.clone(),
            variant: check.variant,
            patience: check.patience,
            prompt_timeout: check.prompt_timeout,
            tag: making.tag.clone(),
            protocol_log: making.protocol_log.clone(),
            starts: 0,
            has_answered_twice: false,
        },
        thinking: Thinking::No,
        ended: None,
    };
    if run_rows(&START, &mut trial, report) {
        run_rows(&MOVES, &mut trial, report);
        run_rows(&END, &mut trial, report);
    }
    trial.bot.program.notation
}

struct Trial {
    check: BotCheck,
    making: PlayerFactory,
    bot: CheckedBot,
    thinking: Thinking,
    ended: Option<ExitReport>,
}

/// What became of `go infinite`.
enum Thinking {
    No,
    Yes,
    /// It had decided before it was told to stop.
    Decided(String),
    /// It ended.
    Crashed,
}

impl Trial {
    // ---- until it is ready ----

    fn start(&mut self) -> Option<Finding> {
        let command = self.bot.program.command.clone();
        Some(match self.bot.launch() {
            Ok(_) => pass(command),
            Err(message) => fail(message, advice::RUN_UGI).and_stop(),
        })
    }

    fn introduce(&mut self) -> Option<Finding> {
        let until = ugi::deadline_after(self.check.patience);
        let talk = self.bot.connection.as_mut()?;
        let Err(fault) = talk.handshake(until) else {
            let name = excerpt(talk.name.as_deref().unwrap_or_default());
            return Some(match name.is_empty() {
                false => pass(format!("it is called {name}")),
                true => warn("it has no name", advice::NAME),
            });
        };
        let wrote = talk.take_recent_output();
        let seen = match wrote.is_empty() {
            true => format!("{}; it wrote nothing", fault.message),
            false => format!("{}; it wrote {wrote}", fault.message),
        };
        let crashed = talk.process.terminate(Termination::Kill).status.is_some();
        let advice = match self.speaks_codingame() {
            true => advice::CODINGAME,
            false if crashed => advice::CRASH_AT_START,
            false => advice::HANDSHAKE,
        };
        Some(fail(seen, advice).and_stop())
    }

    /// Does it answer the first turn of the other protocol?
    fn speaks_codingame(&self) -> bool {
        let Ok(mut process) = BotProcess::start(&self.bot.program, &self.making.tag, None) else {
            return false;
        };
        let dialogue = self.making.protocol_log.as_ref();
        process.set_logger(dialogue.map(|it| it.process_logger(&self.bot.name, &self.bot.program)));
        let play = AnyGameState::new(Variant::ULTIMATE);
        let until = ugi::deadline_after(self.check.prompt_timeout);
        let line = process
            .send(&codingame::turn_input(&play), until)
            .and_then(|()| process.read_line(until));
        process.terminate(Termination::Kill);
        let mv = line.ok().and_then(|line| codingame::parse_move(&line));
        mv.is_some_and(|mv| play.check(&mv).is_ok())
    }

    fn options(&mut self) -> Option<Finding> {
        let variant = self.check.variant;
        let program = self.bot.program.clone();
        let talk = self.bot.connection.as_mut()?;
        let names: Vec<String> = talk.options.iter().map(|o| o.name.clone()).collect();
        let names = match names.is_empty() {
            true => "it lists no options".to_owned(),
            false => format!("it lists {}", join_names(&names)),
        };
        let other = other_games(talk, variant);
        let set = talk.set_options(&program, variant, ugi::deadline_after(self.check.patience));
        if let Err(fault) = set {
            let advice = other.map_or(Cow::Borrowed(advice::OPTIONS), Cow::Owned);
            return Some(fail(long_excerpt(&fault.message), advice).and_stop());
        }
        Some(match talk.option("Variant") {
            Some(_) => pass(names),
            None => warn(
                format!("{names}; it can't be told that the game is {variant}"),
                advice::VARIANT,
            ),
        })
    }

    fn ready(&mut self) -> Option<Finding> {
        let patience = self.check.patience;
        let talk = self.bot.connection.as_mut()?;
        Some(match talk.wait_until_ready(ugi::deadline_after(patience)) {
            Ok(before) => match before.iter().find(|line| line.contains("error")) {
                Some(error) => warn(
                    format!("it wrote {}", ugi::quoted(error)),
                    advice::SET_OPTION,
                ),
                None => pass("readyok"),
            },
            Err(trouble) => not_ready(talk, trouble, patience, advice::READY),
        })
    }

    fn new_game(&mut self) -> Option<Finding> {
        let patience = self.check.patience;
        let talk = self.bot.connection.as_mut()?;
        Some(match talk.new_game(1, ugi::deadline_after(patience)) {
            Ok(()) => pass("uginewgame, then readyok"),
            Err(trouble) => not_ready(talk, trouble, patience, advice::NEW_GAME),
        })
    }

    // ---- moves ----

    /// Does it write the cells of the 9×9 board by file and rank?
    fn notation(&mut self) -> Option<Finding> {
        let start = AnyGameState::new(self.check.variant);
        if !self.bot.program.notation.is_native()
            || Notation::Global.check_variant(start.variant()).is_err()
        {
            return None;
        }
        let go = self.brief_go();
        // What else is wrong with its answer is for the rows below to report.
        let first = self.bot.ask(&start, &go).ok()?;
        let known = start.check(&first.mv).is_ok();
        if known || Notation::Global.parse_move(&first.mv) == first.mv {
            return None;
        }
        self.bot.program.notation = Notation::Global;
        for play in bot::test_positions(self.check.variant).iter().take(6) {
            let answer = self.bot.ask(play, &go);
            if !answer.is_ok_and(|answer| play.check(&answer.mv).is_ok()) {
                self.bot.program.notation = Notation::Native;
                return None;
            }
        }
        // A game from the start looks the same upside down; a position tells.
        if self.has_ranks_from_the_top(&go) {
            self.bot.program.notation = Notation::GlobalTop;
        }
        let word = self.bot.program.notation.name();
        Some(pass(format!(
            "{}: file and rank on the 9×9 board, which the arena translates; call it \
             \"ugi-{word}:COMMAND\" in a match, or set notation = \"{word}\" in bots.toml",
            ugi::quoted(&first.line)
        )))
    }

    /// Shown positions as text, are its moves legal only with rank 1 at the top?
    fn has_ranks_from_the_top(&mut self, go: &str) -> bool {
        let (mut bottom, mut top) = (true, true);
        let mut asked = 0;
        for play in bot::test_positions(self.check.variant).iter().take(6) {
            let Ok(play) = AnyGameState::from_text(self.check.variant, &play.position_text())
            else {
                continue;
            };
            let Ok(answer) = self.bot.ask(&play, go) else {
                return false;
            };
            let word = answer.line.split_whitespace().nth(1).unwrap_or_default();
            bottom &= play.check(&Notation::Global.parse_move(word)).is_ok();
            top &= play.check(&Notation::GlobalTop.parse_move(word)).is_ok();
            asked += 1;
        }
        asked > 0 && top && !bottom
    }

    /// One way to say how long. The one that was asked for must work; a bot may ignore the
    /// others.
    fn limit(&mut self, usual: TimeControl) -> Option<Finding> {
        if self.bot.has_answered_twice {
            return None;
        }
        let wanted =
            std::mem::discriminant(&usual) == std::mem::discriminant(&self.check.time_control);
        let pace = if wanted {
            self.check.time_control
        } else {
            usual
        };
        let play = AnyGameState::new(self.check.variant);
        let line = ugi::go_command(pace, None);
        let time = match pace {
            TimeControl::MoveTime(time) => Some(time),
            TimeControl::Clock { base, .. } => Some(base),
            TimeControl::Nodes(_) | TimeControl::Depth(_) => None,
        };
        let patience = match time {
            // It may not know this limit; then it thinks until it is told to stop.
            None if !wanted => (self.check.prompt_timeout * 2).min(self.check.patience),
            time => self.check.patience.saturating_add(time.unwrap_or_default()),
        };
        let mut answer = self.bot.ask_with_timeout(&play, &line, patience);
        for _ in 1..TRIES {
            if answer
                .as_ref()
                .is_ok_and(|answer| self.is_late(answer, time))
            {
                answer = self.bot.ask_with_timeout(&play, &line, patience);
            }
        }
        let line = line.trim();
        Some(match answer {
            Ok(answer) => {
                if let Some((seen, advice)) = bot::check_legal(&play, &self.bot.program, &answer) {
                    return Some(fail(seen, advice).and_stop());
                }
                let took = answer.took.as_millis();
                let seen = format!("{line}: {} after {took} ms", excerpt(&answer.mv));
                match time.filter(|_| self.is_late(&answer, time)) {
                    None => pass(seen),
                    Some(time) => {
                        let seen = format!("{seen}; it had {} ms", time.as_millis());
                        match wanted {
                            true => fail(seen, advice::LATE).and_stop(),
                            false => warn(seen, advice::LATE),
                        }
                    }
                }
            }
            Err(NoAnswer::Twice) => return None,
            Err(NoAnswer::Silent(seen)) if !wanted => {
                warn(format!("{line}: {seen}"), advice::IGNORED)
            }
            Err(none) => {
                let ends = matches!(none, NoAnswer::Silent(_)) || !self.bot.can_continue();
                let finding = fail(format!("{line}: {}", none.observed()), none.advice());
                match ends {
                    true => finding.and_stop(),
                    false => finding,
                }
            }
        })
    }

    fn is_late(&self, answer: &BestMove, time: Option<Duration>) -> bool {
        time.is_some_and(|time| answer.took > time.saturating_add(self.check.margin))
    }

    /// A second answer would be taken for that to the next question.
    fn once(&mut self) -> Option<Finding> {
        let twice = || fail(ugi::TWICE, advice::ONCE).and_stop();
        self.bot.has_answered_twice.then(twice)
    }

    /// Positions of random games, by their moves or by their text.
    fn positions(&mut self, by_text: bool) -> Option<Finding> {
        if self.bot.has_answered_twice {
            return None;
        }
        let variant = self.check.variant;
        let time = match self.check.time_control {
            TimeControl::MoveTime(_) => Some(bot::short_move_time(self.check.time_control)),
            TimeControl::Clock { .. } | TimeControl::Nodes(_) | TimeControl::Depth(_) => None,
        };
        let go = self.brief_go();
        let mut tried = 0;
        for play in bot::test_positions(variant) {
            let play = match by_text {
                false => play,
                true => match AnyGameState::from_text(variant, &play.position_text()) {
                    Ok(play) => play,
                    Err(_) => continue,
                },
            };
            tried += 1;
            let mut answer = self.bot.ask(&play, &go);
            for _ in 1..TRIES {
                if answer
                    .as_ref()
                    .is_ok_and(|answer| self.is_late(answer, time))
                {
                    answer = self.bot.ask(&play, &go);
                }
            }
            let position = ugi::position_command(&play, self.bot.program.notation);
            let (seen, advice) = match answer {
                Err(NoAnswer::Twice) => return None,
                Err(none) => {
                    let seen = format!("{}: {}", long_excerpt(&position), none.observed());
                    (seen, none.advice())
                }
                Ok(answer) => match bot::check_legal(&play, &self.bot.program, &answer) {
                    Some(refused) => refused,
                    None if self.is_late(&answer, time) => {
                        let (had, took) = (time.unwrap_or_default(), answer.took);
                        let seen = format!(
                            "{}: {} came after {} ms; it had {} ms",
                            long_excerpt(&position),
                            ugi::quoted(&answer.line),
                            took.as_millis(),
                            had.as_millis()
                        );
                        return Some(fail(seen, advice::LATE).and_stop());
                    }
                    None => continue,
                },
            };
            let finding = match by_text {
                true => warn(seen, advice::FEN),
                false => fail(seen, advice),
            };
            return Some(match self.bot.can_continue() {
                true => finding,
                false => finding.and_stop(),
            });
        }
        Some(pass(format!(
            "{tried} positions, from the start to the last move"
        )))
    }

    /// The question for moves of which many are asked.
    fn brief_go(&self) -> String {
        match self.check.time_control {
            TimeControl::MoveTime(_) => ugi::go_command(
                TimeControl::MoveTime(bot::short_move_time(self.check.time_control)),
                None,
            ),
            pace @ TimeControl::Clock { .. } => {
                ugi::go_command(pace, Some([bot::small_clock(); 2]))
            }
            pace => ugi::go_command(pace, None),
        }
    }

    /// `isready` while it thinks.
    fn listens(&mut self) -> Option<Finding> {
        let play = AnyGameState::new(self.check.variant);
        let notation = self.bot.program.notation;
        let talk = self.bot.connection().ok()?;
        let until = ugi::deadline_after(self.check.prompt_timeout);
        talk.process.start_turn();
        let asked = ugi::position_command(&play, notation) + "go infinite\n";
        let ready = talk
            .process
            .send(&asked, until)
            .and_then(|()| talk.wait_until_ready(until));
        Some(match ready {
            Ok(before) => {
                let answer = before.into_iter().find(|line| ugi::is_bestmove(line));
                self.thinking = answer.map_or(Thinking::Yes, Thinking::Decided);
                pass("readyok")
            }
            Err(trouble) => {
                if trouble != ProcessIoError::Timeout {
                    self.thinking = Thinking::Crashed;
                }
                warn(
                    self.bot
                        .failure(trouble, self.check.prompt_timeout)
                        .observed(),
                    advice::LISTEN,
                )
            }
        })
    }

    /// `stop` while it thinks.
    fn stops(&mut self) -> Option<Finding> {
        let play = AnyGameState::new(self.check.variant);
        let notation = self.bot.program.notation;
        let asked = match std::mem::replace(&mut self.thinking, Thinking::No) {
            Thinking::Crashed => return None,
            Thinking::Decided(line) => {
                let seen = format!("it wrote {} before it was told to stop", ugi::quoted(&line));
                return Some(pass(seen));
            }
            Thinking::Yes => String::new(),
            // It doesn't listen; a fresh one is asked whether it stops at all.
            Thinking::No => ugi::position_command(&play, notation) + "go infinite\n",
        };
        let talk = self.bot.connection().ok()?;
        let until = ugi::deadline_after(self.check.prompt_timeout);
        let answer = talk
            .process
            .send(&(asked + "stop\n"), until)
            .and_then(|()| bot::read_bestmove(talk, until));
        Some(match answer {
            Ok((mv, line, _)) => match play.check(&notation.parse_move(&mv)) {
                Ok(()) => pass(format!("go infinite, stop: {}", excerpt(&mv))),
                Err(refusal) => {
                    let seen = format!(
                        "it wrote {}, which is refused: {refusal}",
                        ugi::quoted(&line)
                    );
                    fail(seen, advice::LEGAL)
                }
            },
            Err(trouble) => warn(
                self.bot
                    .failure(trouble, self.check.prompt_timeout)
                    .observed(),
                advice::LISTEN,
            ),
        })
    }

    fn whole_games(&mut self) -> Option<Finding> {
        let spec = BotSpec {
            who: BotSource::Program(self.bot.program.clone()),
            ..self.check.spec.clone()
        };
        Some(games::play_games(&self.check, &spec, &self.making))
    }

    // ---- the end ----

    fn quits(&mut self) -> Option<Finding> {
        let talk = self.bot.connection().ok()?;
        let ended = talk
            .process
            .terminate_within(Termination::Quit("quit\n"), self.check.prompt_timeout);
        self.bot.connection = None;
        Some(exit_finding(self.ended.insert(ended), advice::QUIT))
    }
}

fn not_ready(
    talk: &mut UgiConnection,
    trouble: ProcessIoError,
    patience: Duration,
    advice: &'static str,
) -> Finding {
    let fault = talk.start_error(trouble, "readyok", patience);
    let wrote = talk.take_recent_output();
    let seen = match wrote.is_empty() {
        true => fault.message,
        false => format!("{}; it wrote {wrote}", fault.message),
    };
    let advice = match trouble {
        ProcessIoError::Closed => advice::CRASH_AT_START,
        ProcessIoError::Timeout | ProcessIoError::OutputLimit => advice,
    };
    fail(seen, advice).and_stop()
}

/// The games that it lists, where this one isn't among them.
fn other_games(talk: &UgiConnection, variant: Variant) -> Option<String> {
    let games = talk.option("Variant")?;
    let other = games.kind == "combo" && !games.choices.contains(&variant.to_string());
    let first = games.choices.first().filter(|_| other)?;
    Some(format!(
        "its option Variant says that it plays {}: try it with --variant {}",
        join_names(&games.choices),
        excerpt(first)
    ))
}

/// How a program ended that was told to.
pub(super) fn exit_finding(ended: &ExitReport, advice: &'static str) -> Finding {
    match ended.status {
        Some(status) if status.success() => pass("it ended with exit code 0"),
        Some(_) => warn(ended.describe(), advice),
        None => warn("it had to be killed", advice),
    }
}

/// What it left running.
#[allow(clippy::unnecessary_wraps, reason = "a row of the table")]
pub(super) fn left_behind_finding(ended: &ExitReport) -> Option<Finding> {
    let seen = match ended.left_behind {
        0 => return Some(pass("no process is left")),
        1 => "a process was left and had to be killed".to_owned(),
        n => format!("{n} processes were left and had to be killed"),
    };
    Some(warn(seen, advice::CHILDREN))
}

/// What it wrote to standard error at last.
pub(super) fn stderr_finding(ended: &ExitReport) -> Option<Finding> {
    let words = &ended.stderr_tail;
    let said = || pass(format!("its last line: {words:?}"));
    (!words.is_empty()).then(said)
}
