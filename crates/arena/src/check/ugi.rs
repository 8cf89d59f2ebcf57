//! The check of a bot that speaks UGI.

use std::borrow::Cow;
use std::time::Duration;

use noughts_rules::{AnyGameState, Variant};

use super::bot::{self, BestMove, CheckedBot, NoAnswer};
use super::{BotCheck, CheckRow, CheckStep, Finding, advice, fail, games, pass, run_rows, warn};
use crate::codingame;
use crate::error_text::{excerpt, join_names, long_excerpt};
use crate::notation::Notation;
use crate::player_factory::PlayerFactory;
use crate::process::{BotProcess, ExitMode, ExitReport, ProcessIoError};
use crate::spec::{BotSource, BotSpec, Program};
use crate::time_control::TimeControl;
use crate::ugi::{self, UgiConnection};

/// Steps until the bot is ready for a game. All of them must pass.
const START: [CheckRow<UgiCheck>; 5] = [
    CheckRow {
        name: "starts",
        run: UgiCheck::start,
    },
    CheckRow {
        name: "answers `ugi`",
        run: UgiCheck::handshake,
    },
    CheckRow {
        name: "accepts its options",
        run: UgiCheck::options,
    },
    CheckRow {
        name: "answers `isready`",
        run: UgiCheck::ready,
    },
    CheckRow {
        name: "starts a game",
        run: UgiCheck::new_game,
    },
];

/// Moves and games.
const MOVES: [CheckRow<UgiCheck>; 12] = [
    CheckRow {
        name: "uses a different move notation",
        run: UgiCheck::notation,
    },
    CheckRow {
        name: "moves within a time limit",
        run: |trial| trial.check_limit(TimeControl::MoveTime(TIME)),
    },
    CheckRow {
        name: "moves with a node limit",
        run: |trial| trial.check_limit(TimeControl::Nodes(100)),
    },
    CheckRow {
        name: "moves with a depth limit",
        run: |trial| trial.check_limit(TimeControl::Depth(2)),
    },
    CheckRow {
        name: "moves on a clock",
        run: |trial| trial.check_limit(CLOCK),
    },
    CheckRow {
        name: ANSWERS_ONCE,
        run: UgiCheck::answers_once,
    },
    CheckRow {
        name: "moves legally after `position startpos moves …`",
        run: |trial| trial.check_positions(false),
    },
    CheckRow {
        name: "moves legally after `position fen …`",
        run: |trial| trial.check_positions(true),
    },
    CheckRow {
        name: ANSWERS_ONCE,
        run: UgiCheck::answers_once,
    },
    CheckRow {
        name: "answers `isready` while thinking",
        run: UgiCheck::answers_while_thinking,
    },
    CheckRow {
        name: "stops on `stop`",
        run: UgiCheck::obeys_stop,
    },
    CheckRow {
        name: games::STEP_NAME,
        run: UgiCheck::whole_games,
    },
];

/// How the bot exits.
const END: [CheckRow<UgiCheck>; 3] = [
    CheckRow {
        name: "exits on `quit`",
        run: UgiCheck::exits_on_quit,
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

const ANSWERS_ONCE: &str = "answers each `go` once";
const TIME: Duration = Duration::from_millis(100);
const CLOCK: TimeControl = TimeControl::Clock {
    base: Duration::from_secs(5),
    increment: Duration::from_millis(100),
};
/// How often a move must be late before it counts as late: once may be the machine's fault.
const TRIES: usize = 3;

/// Runs all steps; returns the notation in which the bot writes moves.
pub(super) fn run(
    check: &BotCheck,
    program: &Program,
    factory: &PlayerFactory,
    report: &mut dyn FnMut(CheckStep),
) -> Notation {
    let mut trial = UgiCheck {
        check: check.clone(),
        factory: factory.clone(),
        bot: CheckedBot {
            connection: None,
            program: program.clone(),
            name: check.spec.name.clone(),
            variant: check.variant,
            patience: check.patience,
            prompt_timeout: check.prompt_timeout,
            tag: factory.tag.clone(),
            protocol_log: factory.protocol_log.clone(),
            starts: 0,
            has_answered_twice: false,
        },
        thinking: InfiniteSearch::No,
        exit_report: None,
    };
    if run_rows(&START, &mut trial, report) {
        run_rows(&MOVES, &mut trial, report);
        run_rows(&END, &mut trial, report);
    }
    trial.bot.program.notation
}

struct UgiCheck {
    check: BotCheck,
    factory: PlayerFactory,
    bot: CheckedBot,
    thinking: InfiniteSearch,
    exit_report: Option<ExitReport>,
}

/// The state of the search started by `go infinite`.
enum InfiniteSearch {
    No,
    Yes,
    /// The bot moved before it was told to stop.
    Decided(String),
    Crashed,
}

impl UgiCheck {
    // ---- handshake ----

    fn start(&mut self) -> Option<Finding> {
        let command = self.bot.program.command.clone();
        Some(match self.bot.launch() {
            Ok(_) => pass(command),
            Err(message) => fail(message, advice::RUN_UGI).and_stop(),
        })
    }

    fn handshake(&mut self) -> Option<Finding> {
        let deadline = ugi::deadline_after(self.check.patience);
        let connection = self.bot.connection.as_mut()?;
        let Err(error) = connection.handshake(deadline) else {
            let name = excerpt(connection.name.as_deref().unwrap_or_default());
            return Some(match name.is_empty() {
                false => pass(format!("its name is {name}")),
                true => warn("it sent no name", advice::NAME),
            });
        };
        let output = connection.take_recent_output();
        let observed = match output.is_empty() {
            true => format!("{error}; it wrote nothing", error = error.message),
            false => format!("{error}; it wrote {output}", error = error.message),
        };
        let crashed = connection
            .process
            .terminate(ExitMode::Kill)
            .status
            .is_some();
        let advice = match self.answers_codingame() {
            true => advice::CODINGAME,
            false if crashed => advice::CRASH_AT_START,
            false => advice::HANDSHAKE,
        };
        Some(fail(observed, advice).and_stop())
    }

    /// Whether the bot answers the first turn of CodinGame's protocol.
    fn answers_codingame(&self) -> bool {
        let Ok(mut process) = BotProcess::start(&self.bot.program, &self.factory.tag, None) else {
            return false;
        };
        let protocol_log = self.factory.protocol_log.as_ref();
        process.set_logger(
            protocol_log.map(|log| log.process_logger(&self.bot.name, &self.bot.program)),
        );
        let state = AnyGameState::new(Variant::ULTIMATE);
        let deadline = ugi::deadline_after(self.check.prompt_timeout);
        let line = process
            .send(&codingame::turn_input(&state), deadline)
            .and_then(|()| process.read_line(deadline));
        process.terminate(ExitMode::Kill);
        let mv = line.ok().and_then(|line| codingame::parse_move(&line));
        mv.is_some_and(|mv| state.check(&mv).is_ok())
    }

    fn options(&mut self) -> Option<Finding> {
        let variant = self.check.variant;
        let program = self.bot.program.clone();
        let connection = self.bot.connection.as_mut()?;
        let names: Vec<String> = connection.options.iter().map(|o| o.name.clone()).collect();
        let names = match names.is_empty() {
            true => "it lists no options".to_owned(),
            false => format!("it lists {names}", names = join_names(&names)),
        };
        let other = other_variants_advice(connection, variant);
        let result =
            connection.set_options(&program, variant, ugi::deadline_after(self.check.patience));
        if let Err(error) = result {
            let advice = other.map_or(Cow::Borrowed(advice::OPTIONS), Cow::Owned);
            return Some(fail(long_excerpt(&error.message), advice).and_stop());
        }
        Some(match connection.option("Variant") {
            Some(_) => pass(names),
            None => warn(
                format!("{names}; the arena can't set its game to {variant}"),
                advice::VARIANT,
            ),
        })
    }

    fn ready(&mut self) -> Option<Finding> {
        let patience = self.check.patience;
        let connection = self.bot.connection.as_mut()?;
        Some(
            match connection.wait_until_ready(ugi::deadline_after(patience)) {
                Ok(before) => match before.iter().find(|line| line.contains("error")) {
                    Some(error) => warn(
                        format!("it wrote {}", ugi::quoted(error)),
                        advice::SET_OPTION,
                    ),
                    None => pass("readyok"),
                },
                Err(error) => not_ready_finding(connection, error, patience, advice::READY),
            },
        )
    }

    fn new_game(&mut self) -> Option<Finding> {
        let patience = self.check.patience;
        let connection = self.bot.connection.as_mut()?;
        Some(
            match connection.new_game(1, ugi::deadline_after(patience)) {
                Ok(()) => pass("uginewgame, then readyok"),
                Err(error) => not_ready_finding(connection, error, patience, advice::NEW_GAME),
            },
        )
    }

    // ---- moves ----

    /// Detects bots that write cells of the 9×9 board as file and rank.
    fn notation(&mut self) -> Option<Finding> {
        let start = AnyGameState::new(self.check.variant);
        if !self.bot.program.notation.is_native()
            || Notation::Global.check_variant(start.variant()).is_err()
        {
            return None;
        }
        let go = self.short_go_command();
        // Other problems with the answer are reported by later rows.
        let first = self.bot.ask(&start, &go).ok()?;
        let known = start.check(&first.mv).is_ok();
        if known || Notation::Global.parse_move(&first.mv) == first.mv {
            return None;
        }
        self.bot.program.notation = Notation::Global;
        for state in bot::test_positions(self.check.variant).iter().take(6) {
            let answer = self.bot.ask(state, &go);
            if !answer.is_ok_and(|answer| state.check(&answer.mv).is_ok()) {
                self.bot.program.notation = Notation::Native;
                return None;
            }
        }
        // A game from the starting position looks the same upside down; a position given as text
        // decides which rank is on top.
        if self.has_rank_one_on_top(&go) {
            self.bot.program.notation = Notation::GlobalTop;
        }
        let word = self.bot.program.notation.name();
        Some(pass(format!(
            "{line}: file and rank on the 9×9 board, which the arena translates; in a match, \
             use \"ugi-{word}:COMMAND\", or set notation = \"{word}\" in bots.toml",
            line = ugi::quoted(&first.line)
        )))
    }

    /// Whether, for positions given as text, the bot's moves are legal only with rank 1 at the top.
    fn has_rank_one_on_top(&mut self, go: &str) -> bool {
        let (mut bottom, mut top) = (true, true);
        let mut asked = 0;
        for state in bot::test_positions(self.check.variant).iter().take(6) {
            let Ok(state) = AnyGameState::from_text(self.check.variant, &state.position_text())
            else {
                continue;
            };
            let Ok(answer) = self.bot.ask(&state, go) else {
                return false;
            };
            let word = answer.line.split_whitespace().nth(1).unwrap_or_default();
            bottom &= state.check(&Notation::Global.parse_move(word)).is_ok();
            top &= state.check(&Notation::GlobalTop.parse_move(word)).is_ok();
            asked += 1;
        }
        asked > 0 && top && !bottom
    }

    /// Checks one kind of limit. The configured one must work; a bot may ignore the others.
    fn check_limit(&mut self, default: TimeControl) -> Option<Finding> {
        if self.bot.has_answered_twice {
            return None;
        }
        let is_configured =
            std::mem::discriminant(&default) == std::mem::discriminant(&self.check.time_control);
        let time_control = if is_configured {
            self.check.time_control
        } else {
            default
        };
        let state = AnyGameState::new(self.check.variant);
        let line = ugi::go_command(time_control, None);
        let time = match time_control {
            TimeControl::MoveTime(time) => Some(time),
            TimeControl::Clock { base, .. } => Some(base),
            TimeControl::Nodes(_) | TimeControl::Depth(_) => None,
        };
        let patience = match time {
            // A bot that doesn't support this limit thinks until it is told to stop.
            None if !is_configured => (self.check.prompt_timeout * 2).min(self.check.patience),
            time => self.check.patience.saturating_add(time.unwrap_or_default()),
        };
        let mut answer = self.bot.ask_with_timeout(&state, &line, patience);
        for _ in 1..TRIES {
            if answer
                .as_ref()
                .is_ok_and(|answer| self.is_late(answer, time))
            {
                answer = self.bot.ask_with_timeout(&state, &line, patience);
            }
        }
        let line = line.trim();
        Some(match answer {
            Ok(answer) => {
                if let Some((observed, advice)) =
                    bot::check_legal(&state, &self.bot.program, &answer)
                {
                    return Some(fail(observed, advice).and_stop());
                }
                let took = answer.took.as_millis();
                let observed = format!("{line}: {mv} after {took} ms", mv = excerpt(&answer.mv));
                match time.filter(|_| self.is_late(&answer, time)) {
                    None => pass(observed),
                    Some(time) => {
                        let observed = format!(
                            "{observed}; {limit} ms were allowed",
                            limit = time.as_millis()
                        );
                        match is_configured {
                            true => fail(observed, advice::LATE).and_stop(),
                            false => warn(observed, advice::LATE),
                        }
                    }
                }
            }
            Err(NoAnswer::Twice) => return None,
            Err(NoAnswer::Silent(observed)) if !is_configured => {
                warn(format!("{line}: {observed}"), advice::IGNORED)
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

    /// A second answer would be taken for the answer to the next `go`.
    fn answers_once(&mut self) -> Option<Finding> {
        let twice = || fail(ugi::MULTIPLE_BESTMOVES_TEXT, advice::ONCE).and_stop();
        self.bot.has_answered_twice.then(twice)
    }

    /// Checks positions of random games, given as moves or as text.
    fn check_positions(&mut self, by_text: bool) -> Option<Finding> {
        if self.bot.has_answered_twice {
            return None;
        }
        let variant = self.check.variant;
        let time = match self.check.time_control {
            TimeControl::MoveTime(_) => Some(bot::short_move_time(self.check.time_control)),
            TimeControl::Clock { .. } | TimeControl::Nodes(_) | TimeControl::Depth(_) => None,
        };
        let go = self.short_go_command();
        let mut count = 0;
        for state in bot::test_positions(variant) {
            let state = match by_text {
                false => state,
                true => match AnyGameState::from_text(variant, &state.position_text()) {
                    Ok(state) => state,
                    Err(_) => continue,
                },
            };
            count += 1;
            let mut answer = self.bot.ask(&state, &go);
            for _ in 1..TRIES {
                if answer
                    .as_ref()
                    .is_ok_and(|answer| self.is_late(answer, time))
                {
                    answer = self.bot.ask(&state, &go);
                }
            }
            let position = ugi::position_command(&state, self.bot.program.notation);
            let (observed, advice) = match answer {
                Err(NoAnswer::Twice) => return None,
                Err(none) => {
                    let observed = format!("{}: {}", long_excerpt(&position), none.observed());
                    (observed, none.advice())
                }
                Ok(answer) => match bot::check_legal(&state, &self.bot.program, &answer) {
                    Some(refused) => refused,
                    None if self.is_late(&answer, time) => {
                        let (limit, took) = (time.unwrap_or_default(), answer.took);
                        let observed = format!(
                            "{position}: {line} came after {took} ms; {limit} ms were allowed",
                            position = long_excerpt(&position),
                            line = ugi::quoted(&answer.line),
                            took = took.as_millis(),
                            limit = limit.as_millis()
                        );
                        return Some(fail(observed, advice::LATE).and_stop());
                    }
                    None => continue,
                },
            };
            let finding = match by_text {
                true => warn(observed, advice::FEN),
                false => fail(observed, advice),
            };
            return Some(match self.bot.can_continue() {
                true => finding,
                false => finding.and_stop(),
            });
        }
        Some(pass(format!(
            "{count} positions, from the start to the last move"
        )))
    }

    /// The `go` command for steps that ask for many moves.
    fn short_go_command(&self) -> String {
        match self.check.time_control {
            TimeControl::MoveTime(_) => ugi::go_command(
                TimeControl::MoveTime(bot::short_move_time(self.check.time_control)),
                None,
            ),
            time_control @ TimeControl::Clock { .. } => {
                ugi::go_command(time_control, Some([bot::small_clock(); 2]))
            }
            time_control => ugi::go_command(time_control, None),
        }
    }

    /// Sends `isready` during a search.
    fn answers_while_thinking(&mut self) -> Option<Finding> {
        let state = AnyGameState::new(self.check.variant);
        let notation = self.bot.program.notation;
        let connection = self.bot.connection().ok()?;
        let deadline = ugi::deadline_after(self.check.prompt_timeout);
        connection.process.start_turn();
        let commands = ugi::position_command(&state, notation) + "go infinite\n";
        let ready = connection
            .process
            .send(&commands, deadline)
            .and_then(|()| connection.wait_until_ready(deadline));
        Some(match ready {
            Ok(before) => {
                let answer = before.into_iter().find(|line| ugi::is_bestmove(line));
                self.thinking = answer.map_or(InfiniteSearch::Yes, InfiniteSearch::Decided);
                pass("readyok")
            }
            Err(error) => {
                if error != ProcessIoError::Timeout {
                    self.thinking = InfiniteSearch::Crashed;
                }
                warn(
                    self.bot
                        .failure(error, self.check.prompt_timeout)
                        .observed(),
                    advice::LISTEN,
                )
            }
        })
    }

    /// Sends `stop` during a search.
    fn obeys_stop(&mut self) -> Option<Finding> {
        let state = AnyGameState::new(self.check.variant);
        let notation = self.bot.program.notation;
        let commands = match std::mem::replace(&mut self.thinking, InfiniteSearch::No) {
            InfiniteSearch::Crashed => return None,
            InfiniteSearch::Decided(line) => {
                let observed = format!("it wrote {line} before `stop`", line = ugi::quoted(&line));
                return Some(pass(observed));
            }
            InfiniteSearch::Yes => String::new(),
            // It doesn't read its input while thinking; check whether a restarted bot stops at all.
            InfiniteSearch::No => ugi::position_command(&state, notation) + "go infinite\n",
        };
        let connection = self.bot.connection().ok()?;
        let deadline = ugi::deadline_after(self.check.prompt_timeout);
        let answer = connection
            .process
            .send(&(commands + "stop\n"), deadline)
            .and_then(|()| bot::read_bestmove(connection, deadline));
        Some(match answer {
            Ok((mv, line, _)) => match state.check(&notation.parse_move(&mv)) {
                Ok(()) => pass(format!("go infinite, stop: {}", excerpt(&mv))),
                Err(move_error) => {
                    let observed = format!(
                        "it wrote {line}, which isn't legal: {move_error}",
                        line = ugi::quoted(&line)
                    );
                    fail(observed, advice::LEGAL)
                }
            },
            Err(error) => warn(
                self.bot
                    .failure(error, self.check.prompt_timeout)
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
        Some(games::play_games(&self.check, &spec, &self.factory))
    }

    // ---- exit ----

    fn exits_on_quit(&mut self) -> Option<Finding> {
        let connection = self.bot.connection().ok()?;
        let exit = connection
            .process
            .terminate_within(ExitMode::Quit("quit\n"), self.check.prompt_timeout);
        self.bot.connection = None;
        Some(exit_finding(self.exit_report.insert(exit), advice::QUIT))
    }
}

fn not_ready_finding(
    connection: &mut UgiConnection,
    error: ProcessIoError,
    patience: Duration,
    advice: &'static str,
) -> Finding {
    let start_error = connection.start_error(error, "readyok", patience);
    let output = connection.take_recent_output();
    let observed = match output.is_empty() {
        true => start_error.message,
        false => format!("{error}; it wrote {output}", error = start_error.message),
    };
    let advice = match error {
        ProcessIoError::Closed => advice::CRASH_AT_START,
        ProcessIoError::Timeout | ProcessIoError::OutputLimit => advice,
    };
    fail(observed, advice).and_stop()
}

/// Advice naming the variants that the bot lists, if this one isn't among them.
fn other_variants_advice(connection: &UgiConnection, variant: Variant) -> Option<String> {
    let games = connection.option("Variant")?;
    let other = games.kind == "combo" && !games.choices.contains(&variant.to_string());
    let first = games.choices.first().filter(|_| other)?;
    Some(format!(
        "according to its option Variant, it plays {games}; try --variant {first}",
        games = join_names(&games.choices),
        first = excerpt(first)
    ))
}

/// How a program exited after it was told to.
pub(super) fn exit_finding(exit: &ExitReport, advice: &'static str) -> Finding {
    match exit.status {
        Some(status) if status.success() => pass("it exited with code 0"),
        Some(_) => warn(exit.describe(), advice),
        None => warn("it didn't exit and was killed", advice),
    }
}

#[allow(clippy::unnecessary_wraps, reason = "a row of the table")]
pub(super) fn left_behind_finding(exit: &ExitReport) -> Option<Finding> {
    let observed = match exit.left_behind {
        0 => return Some(pass("no processes are left")),
        1 => "1 process was still running and was killed".to_owned(),
        n => format!("{n} processes were still running and were killed"),
    };
    Some(warn(observed, advice::CHILDREN))
}

pub(super) fn stderr_finding(exit: &ExitReport) -> Option<Finding> {
    let words = &exit.stderr_tail;
    let finding = || pass(format!("last line: {words:?}"));
    (!words.is_empty()).then(finding)
}
