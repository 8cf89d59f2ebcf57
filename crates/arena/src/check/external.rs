//! The steps for external bots.

use std::borrow::Cow;
use std::mem::discriminant;
use std::time::Duration;

use noughts_engine::{AnyBot, BotKind, BotSettings, SearchLimits, StopFlag};
use noughts_rules::{AnyGameState, Variant};

use super::{BotCheck, Finding, Step, StepResult, advice, fail, games, warn};
use crate::codingame;
use crate::error_text::{excerpt, join_names, long_excerpt};
use crate::notation::Notation;
use crate::player::PlayerError;
use crate::player_factory::PlayerFactory;
use crate::process::{BotCommand, BotProcess, ExitMode, ExitReport, TurnError};
use crate::spec::{BotSource, BotSpec, Program, Protocol};
use crate::time_control::TimeControl;
use crate::ugi::{self, Answer, UgiConnection};

/// Until the bot is ready for a game. All of these must pass.
const UGI_START: &[Step<ExternalBot>] = &[
    ("starts", ExternalBot::start),
    ("answers `ugi`", ExternalBot::handshake),
    ("accepts its options", ExternalBot::options),
    ("answers `isready`", ExternalBot::ready),
    ("starts a game", ExternalBot::new_game),
];

/// Moves and games.
const UGI_MOVES: &[Step<ExternalBot>] = &[
    ("uses a different move notation", ExternalBot::notation),
    ("moves within a time limit", |bot| bot.limit(MOVE_TIME)),
    ("moves with a node limit", |bot| {
        bot.limit(TimeControl::Nodes(100))
    }),
    ("moves with a depth limit", |bot| {
        bot.limit(TimeControl::Depth(2))
    }),
    ("moves on a clock", |bot| bot.limit(CLOCK)),
    (ANSWERS_ONCE, ExternalBot::answers_once),
    ("moves legally after `position startpos moves …`", |bot| {
        bot.positions(false)
    }),
    ("moves legally after `position fen …`", |bot| {
        bot.positions(true)
    }),
    (ANSWERS_ONCE, ExternalBot::answers_once),
    (
        "answers `isready` while thinking",
        ExternalBot::answers_while_thinking,
    ),
    ("stops on `stop`", ExternalBot::obeys_stop),
    (games::STEP_NAME, ExternalBot::whole_games),
];

/// How the bot exits.
const UGI_END: &[Step<ExternalBot>] = &[
    ("exits on `quit`", |bot| {
        bot.connection().map_err(|_| None)?;
        bot.exits(ExitMode::Quit("quit\n"), advice::QUIT)
    }),
    LEAVES_NO_PROCESSES,
    STANDARD_ERROR,
];

const CODINGAME_STEPS: &[Step<ExternalBot>] = &[
    ("starts", ExternalBot::start),
    ("moves first", |bot| {
        bot.codingame_turn(Duration::from_secs(1))
    }),
    ("answers a move", |bot| {
        bot.codingame_turn(match bot.check.time_control {
            TimeControl::MoveTime(time) => time,
            _ => Duration::from_millis(100),
        })
    }),
    (games::STEP_NAME, ExternalBot::whole_games),
    ("exits at the end of its input", |bot| {
        bot.exits(ExitMode::CloseInput, advice::END_OF_INPUT)
    }),
    LEAVES_NO_PROCESSES,
    STANDARD_ERROR,
];

const LEAVES_NO_PROCESSES: Step<ExternalBot> =
    ("leaves no processes running", ExternalBot::left_behind);
const STANDARD_ERROR: Step<ExternalBot> = ("standard error", |bot| {
    let report = bot.exit_report.as_ref().ok_or(None)?;
    match report.stderr_tail.is_empty() {
        true => Err(None),
        false => Ok(format!("last line: {:?}", report.stderr_tail)),
    }
});

const ANSWERS_ONCE: &str = "answers each `go` once";
const MOVE_TIME: TimeControl = TimeControl::MoveTime(Duration::from_millis(100));
const CLOCK: TimeControl = TimeControl::Clock {
    base: Duration::from_secs(5),
    increment: Duration::from_millis(100),
};
/// How often a move must be late before it counts as late: once may be the machine's fault.
const TRIES: usize = 3;
/// How often a bot is started before the check gives up.
const MAX_STARTS: usize = 8;
/// The number of random games that positions are taken from: four from each, sent once as moves and
/// once as text.
const RANDOM_GAMES: u64 = 4;

/// Runs all steps; returns the notation in which the bot writes moves.
pub(super) fn run(
    check: &BotCheck,
    program: &Program,
    factory: &PlayerFactory,
    run_steps: &mut dyn FnMut(&[Step<ExternalBot>], &mut ExternalBot) -> bool,
) -> Notation {
    let mut bot = ExternalBot {
        command: factory.command(&check.spec.name, program),
        check: check.clone(),
        factory: factory.clone(),
        connection: None,
        starts: 0,
        has_answered_twice: false,
        has_timed_out: false,
        infinite_search: InfiniteSearchState::No,
        state: AnyGameState::new(check.variant),
        exit_report: None,
    };
    match program.protocol {
        Protocol::Ugi => {
            if run_steps(UGI_START, &mut bot) {
                run_steps(UGI_MOVES, &mut bot);
                run_steps(UGI_END, &mut bot);
            }
        }
        Protocol::Codingame => {
            run_steps(CODINGAME_STEPS, &mut bot);
        }
    }
    bot.command.program.notation
}

/// A bot under test. It is started again after a failure.
pub(super) struct ExternalBot {
    check: BotCheck,
    factory: PlayerFactory,
    command: BotCommand,
    /// The running process; of a CodinGame bot too.
    connection: Option<UgiConnection>,
    starts: usize,
    has_answered_twice: bool,
    /// Whether the last failure was a timeout.
    has_timed_out: bool,
    infinite_search: InfiniteSearchState,
    /// The game with a CodinGame bot.
    state: AnyGameState,
    exit_report: Option<ExitReport>,
}

/// The state of the search started by `go infinite`.
enum InfiniteSearchState {
    No,
    Yes,
    /// The bot moved before it was asked to stop.
    Decided(String),
    Crashed,
}

impl ExternalBot {
    // ---- the connection ----

    /// The connection to the bot, restarted if it isn't running. Fails if the bot has been started
    /// too often.
    fn connection(&mut self) -> Result<&mut UgiConnection, Finding> {
        self.has_timed_out = false;
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None if self.starts >= MAX_STARTS => {
                let observed = format!("it was started {MAX_STARTS} times and failed every time");
                return Err(fail(observed, advice::CRASH_AT_START));
            }
            None => {
                self.starts += 1;
                let (variant, patience) = (self.check.variant, self.check.patience);
                UgiConnection::open(&self.command, variant, 1, patience)
                    .map_err(|error| fail(error.message, advice::CRASH_AT_START))?
            }
        };
        Ok(self.connection.insert(connection))
    }

    /// Whether the bot can be asked for another move.
    fn can_continue(&self) -> bool {
        !self.has_answered_twice && (self.connection.is_some() || self.starts < MAX_STARTS)
    }

    /// Terminates the bot and returns what happened.
    fn failure(&mut self, error: TurnError, waited: Duration) -> Finding {
        self.has_answered_twice |= error == TurnError::AnsweredTwice;
        self.has_timed_out = error == TurnError::Timeout;
        let advice = match &error {
            TurnError::Timeout | TurnError::Protocol(_) => advice::ANSWER,
            TurnError::Closed => advice::CRASH,
            TurnError::OutputLimit => advice::FLOOD,
            TurnError::AnsweredTwice => advice::ONCE,
        };
        let quotes_output = matches!(error, TurnError::Timeout | TurnError::Closed);
        let mut observed = "it isn't running".to_owned();
        if let Some(mut connection) = self.connection.take() {
            let output = connection.take_recent_output();
            let is_silent = self.has_timed_out && connection.process.partial_line().is_none();
            let failure = connection.process.fail_turn(error, waited, ExitMode::Kill);
            observed = match output.is_empty() {
                true if is_silent => failure.message + "; it wrote nothing",
                false if quotes_output => format!("{failure}; it wrote {output}"),
                _ => failure.message,
            };
        }
        fail(observed, advice)
    }

    /// Asks for a move and waits up to `patience`. A bot that fails is terminated.
    fn ask(
        &mut self,
        state: &AnyGameState,
        go: &str,
        patience: Duration,
    ) -> Result<Answer, Finding> {
        let (notation, prompt) = (self.command.program.notation, self.check.prompt_timeout);
        let connection = self.connection()?;
        let mut answer = connection.ask(state, notation, go, patience);
        if answer.is_ok() {
            // A second `bestmove` would come before `readyok`. If the bot isn't ready in time, the
            // next request for a move fails.
            let after = connection.wait_until_ready(ugi::deadline_after(prompt));
            let lines = after.unwrap_or_default();
            if lines.iter().any(|line| ugi::is_bestmove(line)) {
                answer = Err(TurnError::AnsweredTwice);
            }
        }
        let mut answer = answer.map_err(|error| self.failure(error, patience))?;
        answer.mv = notation.parse_move(&answer.mv);
        Ok(answer)
    }

    /// Asks for a move, up to three times if it is late. Returns the move and whether it was late.
    fn ask_in_time(
        &mut self,
        state: &AnyGameState,
        go: &str,
        patience: Duration,
        limit: Option<Duration>,
    ) -> Result<(Answer, bool), Finding> {
        let allowed = limit.map(|limit| limit.saturating_add(self.check.margin));
        let is_late = |answer: &Answer| allowed.is_some_and(|allowed| answer.info.took > allowed);
        let mut answer = self.ask(state, go, patience)?;
        for _ in 1..TRIES {
            if is_late(&answer) {
                answer = self.ask(state, go, patience)?;
            }
        }
        let is_late = is_late(&answer);
        Ok((answer, is_late))
    }

    // ---- handshake ----

    fn start(&mut self) -> StepResult {
        self.starts += 1;
        let connection = UgiConnection::start(&self.command)
            .map_err(|error| fail(error.message, advice::START).stop())?;
        self.connection = Some(connection);
        Ok(self.command.program.command.clone())
    }

    fn handshake(&mut self) -> StepResult {
        let connection = self.connection.as_mut().ok_or(None)?;
        let deadline = ugi::deadline_after(self.check.patience);
        if let Err(error) = connection.handshake(deadline) {
            let finding = not_ready(connection, &error, advice::HANDSHAKE);
            return Err(Some(match self.answers_codingame() {
                true => fail(finding.observed, advice::CODINGAME).stop(),
                false => finding,
            }));
        }
        match excerpt(connection.name.as_deref().unwrap_or_default()) {
            name if name.is_empty() => Err(Some(warn("it sent no name", advice::NAME))),
            name => Ok(format!("its name is {name}")),
        }
    }

    /// Whether the bot answers the first turn of CodinGame's protocol.
    fn answers_codingame(&self) -> bool {
        let Ok(mut process) = BotProcess::start(&self.command) else {
            return false;
        };
        let state = AnyGameState::new(Variant::ULTIMATE);
        let answer = codingame::take_turn(&mut process, &state, self.check.prompt_timeout);
        process.terminate(ExitMode::Kill);
        answer.is_ok_and(|answer| state.check(&answer.mv).is_ok())
    }

    fn options(&mut self) -> StepResult {
        let variant = self.check.variant;
        let connection = self.connection.as_mut().ok_or(None)?;
        let names: Vec<&str> = connection.options.iter().map(|o| o.name.as_str()).collect();
        let names = match names.is_empty() {
            true => "it lists no options".to_owned(),
            false => format!("it lists {names}", names = join_names(&names)),
        };
        let other = other_variants_advice(connection, variant);
        let deadline = ugi::deadline_after(self.check.patience);
        if let Err(error) = connection.set_options(&self.command.program, variant, deadline) {
            let advice = other.map_or(Cow::Borrowed(advice::OPTIONS), Cow::Owned);
            return Err(Some(fail(long_excerpt(&error.message), advice).stop()));
        }
        match connection.option("Variant") {
            Some(_) => Ok(names),
            None => Err(Some(warn(
                format!("{names}; the arena can't set its game to {variant}"),
                advice::VARIANT,
            ))),
        }
    }

    fn ready(&mut self) -> StepResult {
        let patience = self.check.patience;
        let connection = self.connection.as_mut().ok_or(None)?;
        let before = connection
            .wait_until_ready(ugi::deadline_after(patience))
            .map_err(|error| {
                let error = connection.start_error(error, "readyok", patience);
                not_ready(connection, &error, advice::READY)
            })?;
        match before.iter().find(|line| line.contains("error")) {
            Some(error) => {
                let observed = format!("it wrote {}", ugi::quoted(error));
                Err(Some(warn(observed, advice::SET_OPTION)))
            }
            None => Ok("readyok".into()),
        }
    }

    fn new_game(&mut self) -> StepResult {
        let connection = self.connection.as_mut().ok_or(None)?;
        connection
            .new_game(1, ugi::deadline_after(self.check.patience))
            .map_err(|error| not_ready(connection, &error, advice::NEW_GAME))?;
        Ok("uginewgame, then readyok".into())
    }

    // ---- moves ----

    /// Detects bots that write cells of the 9×9 board as file and rank.
    fn notation(&mut self) -> StepResult {
        let (variant, patience) = (self.check.variant, self.check.patience);
        let is_native = self.command.program.notation.is_native();
        if !is_native || Notation::Global.check_variant(variant).is_err() {
            return Err(None);
        }
        let start = AnyGameState::new(variant);
        let go = ugi::go_command(short_time_control(self.check.time_control), None);
        // Other problems with the answer are reported by later steps.
        let first = self.ask(&start, &go, patience).map_err(|_| None)?;
        let is_known = start.check(&first.mv).is_ok();
        if is_known || Notation::Global.parse_move(&first.mv) == first.mv {
            return Err(None);
        }
        self.command.program.notation = Notation::Global;
        // A game from the starting position looks the same upside down; a position given as text
        // decides which rank is on top.
        let (mut bottom, mut top) = (true, true);
        for state in test_positions(variant).iter().take(6) {
            let answer = self.ask(state, &go, patience);
            if !answer.is_ok_and(|answer| state.check(&answer.mv).is_ok()) {
                self.command.program.notation = Notation::Native;
                return Err(None);
            }
            let Ok(state) = AnyGameState::from_text(variant, &state.position_text()) else {
                continue;
            };
            let answer = self.ask(&state, &go, patience).ok();
            let line = answer.map(|answer| answer.line).unwrap_or_default();
            let word = line.split_whitespace().nth(1).unwrap_or_default();
            bottom &= state.check(&Notation::Global.parse_move(word)).is_ok();
            top &= state.check(&Notation::GlobalTop.parse_move(word)).is_ok();
        }
        if top && !bottom {
            self.command.program.notation = Notation::GlobalTop;
        }
        let word = self.command.program.notation.name();
        Ok(format!(
            "{line}: file and rank on the 9×9 board, which the arena translates; in a match, \
             use \"ugi-{word}:COMMAND\", or set notation = \"{word}\" in bots.toml",
            line = ugi::quoted(&first.line)
        ))
    }

    /// Checks one kind of limit. The configured one must work; a bot may ignore the others.
    fn limit(&mut self, default: TimeControl) -> StepResult {
        if self.has_answered_twice {
            return Err(None);
        }
        let is_configured = discriminant(&default) == discriminant(&self.check.time_control);
        let time_control = if is_configured {
            self.check.time_control
        } else {
            default
        };
        let go = ugi::go_command(time_control, None);
        let limit = match time_control {
            TimeControl::MoveTime(time) | TimeControl::Clock { base: time, .. } => Some(time),
            TimeControl::Nodes(_) | TimeControl::Depth(_) => None,
        };
        let patience = match limit {
            // A bot that doesn't support this limit thinks until it is asked to stop.
            None if !is_configured => (self.check.prompt_timeout * 2).min(self.check.patience),
            limit => (self.check.patience).saturating_add(limit.unwrap_or_default()),
        };
        let state = AnyGameState::new(self.check.variant);
        let answer = self.ask_in_time(&state, &go, patience, limit);
        let go = go.trim();
        let (answer, is_late) = answer.map_err(|failure| match failure.about(go) {
            _ if self.has_answered_twice => None,
            failure if self.has_timed_out && !is_configured => {
                Some(warn(failure.observed, advice::IGNORED))
            }
            failure if !self.has_timed_out && self.can_continue() => Some(failure),
            failure => Some(failure.stop()),
        })?;
        check_legal(&state, &answer).map_err(|failure| failure.about(go).stop())?;
        let took = answer.info.took.as_millis();
        let observed = format!("{go}: {mv} after {took} ms", mv = excerpt(&answer.mv));
        let late = limit.filter(|_| is_late).map(|limit| {
            let limit = limit.as_millis();
            format!("{observed}; the limit is {limit} ms")
        });
        match late {
            None => Ok(observed),
            Some(late) if is_configured => Err(Some(fail(late, advice::LATE).stop())),
            Some(late) => Err(Some(warn(late, advice::LATE))),
        }
    }

    /// A second answer would be taken for the answer to the next `go`.
    fn answers_once(&mut self) -> StepResult {
        Err(self.has_answered_twice.then(|| {
            let observed = "it answered more than once; each `go` needs exactly one `bestmove`";
            fail(observed, advice::ONCE).stop()
        }))
    }

    /// Checks positions of random games, given as moves or as text.
    fn positions(&mut self, by_text: bool) -> StepResult {
        let variant = self.check.variant;
        let time_control = short_time_control(self.check.time_control);
        let limit = match time_control {
            TimeControl::MoveTime(time) => Some(time),
            _ => None,
        };
        let go = ugi::go_command(time_control, None);
        let mut count = 0;
        for mut state in test_positions(variant) {
            if self.has_answered_twice {
                return Err(None);
            }
            if by_text {
                match AnyGameState::from_text(variant, &state.position_text()) {
                    Ok(position) => state = position,
                    Err(_) => continue,
                }
            }
            count += 1;
            let position = ugi::position_command(&state, self.command.program.notation);
            let position = long_excerpt(&position);
            let asked = self.ask_in_time(&state, &go, self.check.patience, limit);
            match asked.and_then(|asked| check_legal(&state, &asked.0).map(|()| asked)) {
                Ok((_, false)) => {}
                Ok((answer, true)) => {
                    let observed = format!(
                        "{position}: {line} came after {took} ms; the limit is {limit} ms",
                        line = ugi::quoted(&answer.line),
                        took = answer.info.took.as_millis(),
                        limit = limit.unwrap_or_default().as_millis()
                    );
                    return Err(Some(fail(observed, advice::LATE).stop()));
                }
                Err(_) if self.has_answered_twice => return Err(None),
                Err(failure) => {
                    let finding = match (failure.about(&position), by_text) {
                        (failure, true) => warn(failure.observed, advice::FEN),
                        (failure, false) => failure,
                    };
                    return Err(Some(match self.can_continue() {
                        true => finding,
                        false => finding.stop(),
                    }));
                }
            }
        }
        Ok(format!(
            "{count} positions, from the start to the last move"
        ))
    }

    /// Sends `isready` during a search.
    fn answers_while_thinking(&mut self) -> StepResult {
        let prompt = self.check.prompt_timeout;
        let commands = self.go_infinite();
        let connection = self.connection().map_err(|_| None)?;
        let deadline = ugi::deadline_after(prompt);
        connection.process.start_turn();
        let ready = connection
            .process
            .send(&commands, deadline)
            .and_then(|()| connection.wait_until_ready(deadline));
        match ready {
            Ok(before) => {
                let answer = before.into_iter().find(|line| ugi::is_bestmove(line));
                self.infinite_search =
                    answer.map_or(InfiniteSearchState::Yes, InfiniteSearchState::Decided);
                Ok("readyok".into())
            }
            Err(error) => {
                if error != TurnError::Timeout {
                    self.infinite_search = InfiniteSearchState::Crashed;
                }
                let observed = self.failure(error, prompt).observed;
                Err(Some(warn(observed, advice::LISTEN)))
            }
        }
    }

    fn go_infinite(&self) -> String {
        let start = AnyGameState::new(self.check.variant);
        ugi::position_command(&start, self.command.program.notation) + "go infinite\n"
    }

    /// Sends `stop` during a search.
    fn obeys_stop(&mut self) -> StepResult {
        let prompt = self.check.prompt_timeout;
        let commands = match std::mem::replace(&mut self.infinite_search, InfiniteSearchState::No) {
            InfiniteSearchState::Crashed => return Err(None),
            InfiniteSearchState::Decided(line) => {
                return Ok(format!("it wrote {} before `stop`", ugi::quoted(&line)));
            }
            InfiniteSearchState::Yes => String::new(),
            // It doesn't read its input while thinking; check whether a restarted bot stops at all.
            InfiniteSearchState::No => self.go_infinite(),
        };
        let connection = self.connection().map_err(|_| None)?;
        let deadline = ugi::deadline_after(prompt);
        let answer = connection
            .process
            .send(&(commands + "stop\n"), deadline)
            .and_then(|()| connection.read_answer(deadline));
        let mut answer = answer.map_err(|error| {
            let observed = self.failure(error, prompt).observed;
            warn(observed, advice::LISTEN)
        })?;
        answer.mv = self.command.program.notation.parse_move(&answer.mv);
        check_legal(&AnyGameState::new(self.check.variant), &answer)?;
        Ok(format!("go infinite, stop: {}", excerpt(&answer.mv)))
    }

    fn whole_games(&mut self) -> StepResult {
        let spec = BotSpec {
            source: BotSource::Program(self.command.program.clone()),
            ..self.check.spec.clone()
        };
        games::play_games(&self.check, &spec, &self.factory)
    }

    /// A turn of CodinGame's protocol.
    fn codingame_turn(&mut self, time: Duration) -> StepResult {
        let patience = time.max(self.check.patience);
        let connection = self.connection.as_mut().ok_or(None)?;
        let turn = codingame::take_turn(&mut connection.process, &self.state, patience);
        let answer = turn.map_err(|error| {
            let advice = match &error {
                TurnError::Timeout => Some(advice::TURN),
                TurnError::Protocol(_) => Some(advice::ONE_OF_THEM),
                _ => None,
            };
            let failure = self.failure(error, patience);
            match advice {
                Some(advice) => fail(failure.observed, advice).stop(),
                None => failure.stop(),
            }
        })?;
        check_legal(&self.state, &answer)
            .map_err(|failure| fail(failure.observed, advice::ONE_OF_THEM).stop())?;
        let _ = self.state.play(&answer.mv);
        // Play a reply, so that the bot is to move again.
        if let Some(reply) = self.state.legal_moves().first() {
            let _ = self.state.play(reply);
        }
        let (line, took) = (ugi::quoted(&answer.line), answer.info.took);
        let observed = format!("{line} after {took} ms", took = took.as_millis());
        match took > time.saturating_add(self.check.margin) {
            true => Err(Some(warn(observed, advice::SITE_TIMES))),
            false => Ok(observed),
        }
    }

    // ---- exit ----

    /// How the program exits when it is asked to.
    fn exits(&mut self, mode: ExitMode, advice: &'static str) -> StepResult {
        let mut connection = self.connection.take().ok_or(None)?;
        let exit = connection
            .process
            .terminate_within(mode, self.check.prompt_timeout);
        let exit = self.exit_report.insert(exit);
        match exit.status {
            Some(status) if status.success() => Ok("it exited with code 0".into()),
            Some(_) => Err(Some(warn(exit.describe(), advice))),
            None => Err(Some(warn("it didn't exit and was killed", advice))),
        }
    }

    fn left_behind(&mut self) -> StepResult {
        let observed = match self.exit_report.as_ref().ok_or(None)?.left_behind {
            0 => return Ok("no processes are left".into()),
            1 => "1 process was still running and was killed".to_owned(),
            n => format!("{n} processes were still running and were killed"),
        };
        Err(Some(warn(observed, advice::CHILDREN)))
    }
}

/// What to report of a bot that failed before it was ready.
fn not_ready(connection: &mut UgiConnection, error: &PlayerError, advice: &'static str) -> Finding {
    let output = match connection.take_recent_output() {
        output if output.is_empty() => "nothing".to_owned(),
        output => output,
    };
    let advice = match connection.process.terminate(ExitMode::Kill).status {
        Some(_) => advice::CRASH_AT_START,
        None => advice,
    };
    fail(format!("{error}; it wrote {output}"), advice).stop()
}

/// Advice naming the variants that the bot lists, if this one isn't among them.
fn other_variants_advice(connection: &UgiConnection, variant: Variant) -> Option<String> {
    let games = connection.option("Variant")?;
    let other = games.kind == "combo" && !games.choices.contains(&variant.to_string());
    let first = games.choices.first().filter(|_| other)?;
    Some(format!(
        "according to its Variant option, it plays {games}; try --variant {first}",
        games = join_names(&games.choices),
        first = excerpt(first)
    ))
}

fn check_legal(state: &AnyGameState, answer: &Answer) -> Result<(), Finding> {
    let Err(move_error) = state.check(&answer.mv) else {
        return Ok(());
    };
    let mut observed = format!(
        "it wrote {line}, which isn't legal: {move_error}",
        line = ugi::quoted(&answer.line)
    );
    if let Some(error) = &answer.error {
        observed += &format!("; before that it wrote \"{}\"", excerpt(error));
    }
    let lowercase = answer.mv.to_lowercase();
    let advice = match lowercase != answer.mv && state.check(&lowercase).is_ok() {
        true => advice::SMALL_LETTERS,
        false => advice::LEGAL,
    };
    Err(fail(observed, advice))
}

/// The longest time that the steps with many positions take, and the one with the configured clock.
pub(super) fn max_duration(time_control: TimeControl) -> Duration {
    let (position, one_move) = match (time_control, short_time_control(time_control)) {
        (TimeControl::Clock { base, .. }, _) => (Duration::from_secs(5), base),
        (_, TimeControl::MoveTime(time)) => (time, Duration::ZERO),
        _ => (Duration::from_millis(50), Duration::ZERO),
    };
    let positions = u32::try_from(2 * 4 * RANDOM_GAMES).unwrap_or(u32::MAX);
    position.saturating_mul(positions).saturating_add(one_move)
}

/// The time control of steps that ask for many moves: half of the move time, at most 50 ms, or a
/// small clock, which is always fresh.
fn short_time_control(time_control: TimeControl) -> TimeControl {
    let [min_time, max_time] = [1, 50].map(Duration::from_millis);
    match time_control {
        TimeControl::MoveTime(time) => TimeControl::MoveTime((time / 2).clamp(min_time, max_time)),
        TimeControl::Clock { .. } => CLOCK,
        TimeControl::Nodes(_) | TimeControl::Depth(_) => time_control,
    }
}

/// Positions from random games: early, middle, late, and before the last move.
fn test_positions(variant: Variant) -> Vec<AnyGameState> {
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
        while state.outcome().is_none() && state.ply() < super::MAX_PLIES as usize {
            let limits = SearchLimits::nodes(1);
            let report = bot.think(&state, limits, &StopFlag::new(), &mut |_| {});
            match report.best {
                Some(mv) if state.play(&mv).is_ok() => {}
                _ => break,
            }
        }
        let (plies, moves) = (state.ply(), state.moves());
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
