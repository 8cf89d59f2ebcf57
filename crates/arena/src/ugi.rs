//! External bots that speak UGI, the Universal Game Interface (`docs/protocol.md`).
//!
//! How faults are classified:
//!
//! | what the bot does | the game is lost by |
//! |---|---|
//! | can't be run; exits, stays silent or doesn't speak UGI before it is ready; lacks a required option | [`StartFailure`](PlayerErrorKind::StartFailure) |
//! | exits or closes its pipe while thinking, or after its answer (noticed at its next turn) | [`Crash`](PlayerErrorKind::Crash) |
//! | no answer, a late one, or an incomplete line | [`Timeout`](PlayerErrorKind::Timeout) |
//! | too much output, a `bestmove` without a move, more than one `bestmove` | [`ProtocolError`](PlayerErrorKind::ProtocolError) |
//! | an illegal move | decided by the referee |
//!
//! Lines that start with an unknown word are ignored, as UGI requires. A bot that exits between
//! games or fails in one is restarted for the next.
//!
//! A second `bestmove` that arrives after the next `go` can't be distinguished from the answer to
//! it; it is played, and the rules decide.

use std::collections::VecDeque;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use noughts_engine::{Clock, ExactValue, GameValue, Value};
use noughts_rules::{AnyGameState, Variant};

use crate::error_text::excerpt;
use crate::notation::Notation;
use crate::player::{MoveRequest, MoveResponse, NewGame, Player, PlayerError, PlayerErrorKind};
use crate::process::{BotProcess, ExitMode, ExitReport, ProcessIoError};
use crate::protocol_log::ProtocolLog;
use crate::spec::Program;
use crate::time_control::TimeControl;

/// Sent to a bot that must stop immediately.
const STOP_AND_QUIT: ExitMode = ExitMode::Quit("stop\nquit\n");
/// How many lines before `readyok` are kept.
const MAX_LINES: usize = 100;
/// Further options of a bot that lists more than this are ignored.
const MAX_OPTIONS: usize = 10_000;
/// How many of the last lines are quoted in error messages.
const MAX_RECENT_LINES: usize = 3;
/// Longer than any game.
const FOREVER: Duration = Duration::from_secs(365 * 24 * 3600);

/// An external bot playing over UGI.
pub(crate) struct UgiPlayer {
    program: Program,
    variant: Variant,
    patience: Duration,
    tag: String,
    log: Option<PathBuf>,
    /// The log of sent and received lines, and the bot's name in it.
    protocol_log: Option<(ProtocolLog, String)>,
    connection: Option<UgiConnection>,
}

impl UgiPlayer {
    pub(crate) fn new(
        program: Program,
        variant: Variant,
        patience: Duration,
        tag: String,
        log: Option<PathBuf>,
    ) -> UgiPlayer {
        UgiPlayer {
            program,
            variant,
            patience,
            tag,
            log,
            protocol_log: None,
            connection: None,
        }
    }

    /// Logs every line sent and received.
    pub(crate) fn with_protocol_log(
        mut self,
        name: &str,
        protocol_log: Option<ProtocolLog>,
    ) -> UgiPlayer {
        self.protocol_log = protocol_log.map(|protocol_log| (protocol_log, name.to_owned()));
        self
    }

    /// Starts the program and prepares it for its first game.
    fn start(&self, deadline: Instant) -> Result<UgiConnection, PlayerError> {
        let mut connection = UgiConnection::start(&self.program, &self.tag, self.log.as_deref())?;
        let logger = self.protocol_log.as_ref();
        connection.process.set_logger(
            logger.map(|(protocol_log, name)| protocol_log.process_logger(name, &self.program)),
        );
        let prepared = connection
            .handshake(deadline)
            .and_then(|()| connection.set_options(&self.program, self.variant, deadline));
        match prepared {
            Ok(()) => Ok(connection),
            Err(error) => {
                connection.process.terminate(ExitMode::Kill);
                Err(error)
            }
        }
    }

    /// Terminates the program, so that the next game starts with a new process.
    fn process_error(&mut self, error: ProcessIoError, allowed: Duration) -> PlayerError {
        let Some(mut connection) = self.connection.take() else {
            return PlayerError::new(PlayerErrorKind::Crash, "it isn't running");
        };
        match error {
            ProcessIoError::Closed => {
                let exit = connection.process.terminate(ExitMode::CloseInput);
                PlayerError::new(PlayerErrorKind::Crash, exit.describe())
            }
            ProcessIoError::OutputLimit => {
                connection.process.terminate(ExitMode::Kill);
                PlayerError::new(PlayerErrorKind::ProtocolError, OUTPUT_LIMIT_TEXT)
            }
            ProcessIoError::Timeout => {
                let partial = connection.process.partial_line();
                connection.process.terminate(STOP_AND_QUIT);
                PlayerError::new(
                    PlayerErrorKind::Timeout,
                    timeout_message(allowed, partial.as_deref()),
                )
            }
        }
    }

    fn protocol_error(&mut self, message: &str) -> PlayerError {
        if let Some(mut connection) = self.connection.take() {
            connection.process.terminate(ExitMode::Kill);
        }
        PlayerError::new(PlayerErrorKind::ProtocolError, message)
    }
}

pub(crate) const OUTPUT_LIMIT_TEXT: &str = "it wrote too much output";
pub(crate) const MULTIPLE_BESTMOVES_TEXT: &str =
    "it answered more than once; each `go` needs exactly one `bestmove`";

pub(crate) fn timeout_message(allowed: Duration, partial: Option<&str>) -> String {
    let mut text = format!("no answer after {ms} ms", ms = allowed.as_millis());
    if let Some(partial) = partial {
        let _ = write!(text, "; it wrote an incomplete line: {partial:?}");
    }
    text
}

impl Player for UgiPlayer {
    fn start_game(&mut self, game: &NewGame) -> Result<(), PlayerError> {
        let deadline = deadline_after(self.patience);
        // A process that has exited or can't continue is replaced.
        if let Some(mut connection) = self.connection.take()
            && self.variant == game.variant
            // The CPU limit applies to each game, so the next one needs a new process.
            && self.program.cpu.is_none()
            && connection.is_idle()
        {
            match connection.new_game(game.seed, deadline) {
                Ok(()) => {
                    self.connection = Some(connection);
                    return Ok(());
                }
                Err(_) => drop(connection.process.terminate(ExitMode::Kill)),
            }
        }
        self.variant = game.variant;
        let deadline = deadline_after(self.patience);
        let mut connection = self.start(deadline)?;
        match connection.new_game(game.seed, deadline) {
            Ok(()) => {
                self.connection = Some(connection);
                Ok(())
            }
            Err(error) => Err(connection.start_error(error, "readyok", self.patience)),
        }
    }

    fn choose_move(&mut self, request: &MoveRequest<'_>) -> Result<MoveResponse, PlayerError> {
        let allowed = request.time_allowed();
        let Some(connection) = &mut self.connection else {
            return Err(PlayerError::new(
                PlayerErrorKind::StartFailure,
                "no game was started",
            ));
        };
        connection.process.start_turn();
        // Lines since the last answer; a `bestmove` among them is an error.
        loop {
            match connection.process.try_read_line() {
                Ok(Some(line)) if is_bestmove(&line) => {
                    return Err(self.protocol_error(MULTIPLE_BESTMOVES_TEXT));
                }
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(error) => return Err(self.process_error(error, allowed)),
            }
        }
        let text = position_command(request.state, self.program.notation)
            + &go_command(request.time_control, request.clocks);
        if let Err(error) = connection.process.send(&text, deadline_after(allowed)) {
            return Err(self.process_error(error, allowed));
        }
        let began = Instant::now();
        let deadline = began
            .checked_add(allowed)
            .unwrap_or_else(|| deadline_after(FOREVER));
        let mut info = SearchInfo::default();
        let mv = loop {
            let line = match connection.process.read_line(deadline) {
                Ok(line) => line,
                Err(error) => return Err(self.process_error(error, allowed)),
            };
            if let Some(mv) = info.parse_line(&line) {
                break mv;
            }
        };
        let took = began.elapsed().min(allowed);
        if mv.is_empty() {
            return Err(self.protocol_error("it wrote `bestmove` without a move"));
        }
        while let Some(line) = connection.process.buffered_line() {
            if is_bestmove(&line) {
                return Err(self.protocol_error(MULTIPLE_BESTMOVES_TEXT));
            }
        }
        Ok(MoveResponse {
            mv: self.program.notation.parse_move(&mv),
            value: info.value,
            took,
            depth: info.depth,
            nodes: info.nodes,
        })
    }

    fn end_game(&mut self) {}
}

/// A line from a bot, sanitized and in quotation marks.
pub(crate) fn quoted(line: &str) -> String {
    format!("\"{}\"", excerpt(line))
}

pub(crate) fn is_bestmove(line: &str) -> bool {
    line.split_whitespace().next() == Some("bestmove")
}

pub(crate) fn deadline_after(time: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(time).unwrap_or(now + FOREVER)
}

/// The `position` command: the starting position and all moves, as the repetition rule needs. The
/// position text is always in native notation.
pub(crate) fn position_command(state: &AnyGameState, notation: Notation) -> String {
    let mut line = match state.has_standard_start() {
        true => String::from("position startpos"),
        false => format!("position fen {}", state.start_text()),
    };
    let moves = state.moves();
    if !moves.is_empty() {
        line += " moves";
    }
    for mv in moves {
        line.push(' ');
        line += &notation.format_move(&mv);
    }
    line.push('\n');
    line
}

/// The `go` command for a time control.
pub(crate) fn go_command(time_control: TimeControl, clocks: Option<[Clock; 2]>) -> String {
    let ms = |time: Duration| time.as_millis().max(1);
    match time_control {
        TimeControl::MoveTime(time) => format!("go movetime {}\n", ms(time)),
        TimeControl::Nodes(nodes) => format!("go nodes {nodes}\n"),
        TimeControl::Depth(depth) => format!("go depth {depth}\n"),
        TimeControl::Clock { base, increment } => {
            let [x, o] = match clocks {
                Some(clocks) => clocks.map(|clock| (clock.remaining, clock.increment)),
                None => [(base, increment); 2],
            };
            format!(
                "go p1time {} p2time {} p1inc {} p2inc {}\n",
                ms(x.0),
                ms(o.0),
                x.1.as_millis(),
                o.1.as_millis()
            )
        }
    }
}

/// What a bot reports during a search; later values replace earlier ones.
#[derive(Default)]
pub(crate) struct SearchInfo {
    pub(crate) value: Option<Value>,
    pub(crate) depth: Option<u32>,
    pub(crate) nodes: Option<u64>,
    /// The error the bot reported, in the form used by the built-in bots.
    pub(crate) error: Option<String>,
}

impl SearchInfo {
    /// Parses a line; returns the move if it is a `bestmove`.
    pub(crate) fn parse_line(&mut self, line: &str) -> Option<String> {
        let mut words = line.split_whitespace();
        match words.next()? {
            "bestmove" => return Some(words.next().unwrap_or_default().to_owned()),
            "info" => self.parse_info(words),
            _ => {}
        }
        None
    }

    fn parse_info<'a>(&mut self, mut words: impl Iterator<Item = &'a str>) {
        while let Some(word) = words.next() {
            match word {
                "depth" => self.depth = parse_number(words.next()).or(self.depth),
                "nodes" => self.nodes = parse_number(words.next()).or(self.nodes),
                "score" => {
                    let (kind, points) = (words.next(), parse_number(words.next()));
                    self.value = parse_score(kind, points).or(self.value);
                }
                // The principal variation extends to the end of the line.
                "pv" => break,
                "string" => {
                    let text: Vec<&str> = words.collect();
                    match text.as_slice() {
                        ["exact", verdict] => self.value = parse_exact(verdict).or(self.value),
                        ["error:", ..] => self.error = Some(text.join(" ")),
                        _ => {}
                    }
                    break;
                }
                _ => {}
            }
        }
    }
}

fn parse_number<T: std::str::FromStr>(word: Option<&str>) -> Option<T> {
    word?.parse().ok()
}

/// The uncertainty of an external bot's evaluation, which it doesn't report.
const DEFAULT_ERROR: f64 = 0.5;

/// Parses a score in hundredths of a logit, or in plies to a proved end, as in `docs/protocol.md`.
fn parse_score(kind: Option<&str>, points: Option<i64>) -> Option<Value> {
    let points = points?;
    match kind? {
        "cp" => Some(Value::Estimate {
            mean: (points as f64 / 200.0).tanh(),
            error: DEFAULT_ERROR,
        }),
        "mate" => {
            let plies = u32::try_from(points.unsigned_abs()).ok()?;
            Some(Value::Exact(match points > 0 {
                true => ExactValue::win(plies),
                false => ExactValue::loss(plies),
            }))
        }
        _ => None,
    }
}

/// Parses the result of `info string exact draw` and the like, which accompanies a score without a
/// distance.
fn parse_exact(word: &str) -> Option<Value> {
    let verdict = [GameValue::Win, GameValue::Draw, GameValue::Loss];
    let verdict = verdict
        .into_iter()
        .find(|verdict| verdict.as_str() == word)?;
    Some(Value::Exact(ExactValue::without_distance(verdict)))
}

/// An option that a bot lists.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct UgiOption {
    pub(crate) name: String,
    pub(crate) kind: String,
    pub(crate) default: Option<String>,
    pub(crate) min: Option<i64>,
    pub(crate) max: Option<i64>,
    /// The values of a `combo`.
    pub(crate) choices: Vec<String>,
}

impl UgiOption {
    /// Parses `name N type T [default D] [min A] [max B] [var V]…`; names may contain spaces.
    pub(crate) fn parse(text: &str) -> Option<UgiOption> {
        let mut option = UgiOption::default();
        let mut key = "";
        let mut words: Vec<&str> = Vec::new();
        let ends = ["name", "type", "default", "min", "max", "var"];
        for word in text.split_whitespace().chain(["name"]) {
            if !ends.contains(&word) {
                words.push(word);
                continue;
            }
            let value = words.join(" ");
            match key {
                "name" => option.name = value,
                "type" => option.kind = value,
                "default" => option.default = Some(value),
                "min" => option.min = value.parse().ok(),
                "max" => option.max = value.parse().ok(),
                "var" => option.choices.push(value),
                _ => {}
            }
            words.clear();
            key = word;
        }
        (!option.name.is_empty()).then_some(option)
    }

    /// Reduces a seed to the option's range, unless the option is a string.
    fn seed_value(&self, seed: u64) -> String {
        if self.kind != "spin" {
            return seed.to_string();
        }
        let min = self.min.unwrap_or(0).max(0).unsigned_abs();
        let max = self.max.unwrap_or(i32::MAX.into()).max(0).unsigned_abs();
        let span = max.saturating_sub(min).saturating_add(1);
        (min + seed % span).to_string()
    }

    /// What is wrong with a value; `None` if it is valid.
    fn rejection(&self, value: &str) -> Option<String> {
        let name = &self.name;
        match self.kind.as_str() {
            "spin" => {
                let [min, max] = [self.min.unwrap_or(i64::MIN), self.max.unwrap_or(i64::MAX)];
                let number = value.parse::<i64>().ok();
                let within = number.is_some_and(|number| (min..=max).contains(&number));
                (!within).then(|| {
                    format!(
                        "option {name} is {value:?}; it must be a whole number from {min} to {max}"
                    )
                })
            }
            "combo" => {
                let known = self.choices.iter().any(|choice| choice == value);
                (!known && !self.choices.is_empty()).then(|| {
                    let choices = self.choices.join(", ");
                    format!("option {name} is {value:?}; it must be one of {choices}")
                })
            }
            "check" => (!["true", "false"].contains(&value))
                .then(|| format!("option {name} is {value:?}; it must be true or false")),
            _ => None,
        }
    }
}

/// A connection to a UGI bot.
pub(crate) struct UgiConnection {
    pub(crate) process: BotProcess,
    pub(crate) options: Vec<UgiOption>,
    pub(crate) name: Option<String>,
    /// The last lines received.
    recent_lines: VecDeque<String>,
}

impl UgiConnection {
    /// Starts the program without sending anything.
    pub(crate) fn start(
        program: &Program,
        tag: &str,
        log: Option<&Path>,
    ) -> Result<UgiConnection, PlayerError> {
        let process = BotProcess::start(program, tag, log)?;
        Ok(UgiConnection {
            process,
            options: Vec::new(),
            name: None,
            recent_lines: VecDeque::new(),
        })
    }

    /// Reads the next line.
    pub(crate) fn read_line(&mut self, deadline: Instant) -> Result<String, ProcessIoError> {
        let line = self.process.read_line(deadline)?;
        if self.recent_lines.len() >= MAX_RECENT_LINES {
            self.recent_lines.pop_front();
        }
        self.recent_lines.push_back(line.clone());
        Ok(line)
    }

    /// Takes the last lines received, quoted, including an incomplete one.
    pub(crate) fn take_recent_output(&mut self) -> String {
        let mut lines: Vec<String> = self
            .recent_lines
            .drain(..)
            .map(|line| quoted(&line))
            .collect();
        if let Some(partial) = self.process.partial_line() {
            lines.push(format!(
                "{line} without a line break",
                line = quoted(&partial)
            ));
        }
        lines.join(", ")
    }

    /// Sends `ugi` and waits for `ugiok`.
    pub(crate) fn handshake(&mut self, deadline: Instant) -> Result<(), PlayerError> {
        let patience = deadline.saturating_duration_since(Instant::now());
        let start_error = |connection: &mut UgiConnection, error| {
            connection.start_error(error, "ugiok", patience)
        };
        self.process.start_turn();
        if let Err(error) = self.process.send("ugi\n", deadline) {
            return Err(start_error(self, error));
        }
        loop {
            let line = match self.read_line(deadline) {
                Ok(line) => line,
                Err(error) => return Err(start_error(self, error)),
            };
            let line = line.trim();
            let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            match (word, rest.trim_start()) {
                ("ugiok", _) => return Ok(()),
                ("option", rest) if self.options.len() < MAX_OPTIONS => {
                    self.options.extend(UgiOption::parse(rest));
                }
                ("id", rest) => {
                    if let Some(name) = rest.strip_prefix("name ") {
                        self.name = Some(name.trim().to_owned());
                    }
                }
                ("uciok" | "usiok" | "uaiok", _) => {
                    let message =
                        format!("it speaks another protocol: it wrote {word} instead of ugiok");
                    return Err(PlayerError::new(PlayerErrorKind::StartFailure, message));
                }
                _ => {}
            }
        }
    }

    /// The option with this name, ignoring case.
    pub(crate) fn option(&self, name: &str) -> Option<&UgiOption> {
        self.options
            .iter()
            .find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Sets the options that stay the same for all games: the variant, threads, and the user's
    /// options.
    pub(crate) fn set_options(
        &mut self,
        program: &Program,
        variant: Variant,
        deadline: Instant,
    ) -> Result<(), PlayerError> {
        let variant = variant.to_string();
        let threads = program.threads.to_string();
        let mut settings: Vec<(&str, &str)> = Vec::new();
        for (name, value) in [("Variant", &variant), ("Threads", &threads)] {
            let set = program.options.keys();
            if self.option(name).is_some()
                && !set.into_iter().any(|key| key.eq_ignore_ascii_case(name))
            {
                settings.push((name, value));
            }
        }
        let set = program.options.iter();
        settings.extend(set.map(|(name, value)| (name.as_str(), value.as_str())));
        let mut text = String::new();
        for (name, value) in settings {
            let Some(option) = self.option(name) else {
                return Err(PlayerError::new(
                    PlayerErrorKind::StartFailure,
                    self.no_option_text(name),
                ));
            };
            if let Some(reason) = option.rejection(value) {
                return Err(PlayerError::new(PlayerErrorKind::StartFailure, reason));
            }
            let _ = writeln!(text, "setoption name {} value {value}", option.name);
        }
        let patience = deadline.saturating_duration_since(Instant::now());
        self.process
            .send(&text, deadline)
            .map_err(|error| self.start_error(error, "readyok", patience))
    }

    fn no_option_text(&self, name: &str) -> String {
        let names: Vec<&str> = self.options.iter().map(|o| o.name.as_str()).collect();
        let names = match names.is_empty() {
            true => "it lists none".to_owned(),
            false => format!("it lists {names}", names = names.join(", ")),
        };
        format!("it has no option {name:?}; {names}")
    }

    /// Starts a new game, with its seed if the bot has a `Seed` option, and waits until the bot is
    /// ready.
    pub(crate) fn new_game(&mut self, seed: u64, deadline: Instant) -> Result<(), ProcessIoError> {
        let mut text = String::new();
        if let Some(option) = self.option("Seed") {
            let _ = writeln!(
                text,
                "setoption name {} value {}",
                option.name,
                option.seed_value(seed)
            );
        }
        text += "uginewgame\n";
        self.process.start_turn();
        self.process.send(&text, deadline)?;
        self.wait_until_ready(deadline).map(drop)
    }

    /// Sends `isready` and waits for `readyok`; returns the first lines received before it.
    pub(crate) fn wait_until_ready(
        &mut self,
        deadline: Instant,
    ) -> Result<Vec<String>, ProcessIoError> {
        self.process.send("isready\n", deadline)?;
        let mut lines = Vec::new();
        loop {
            let line = self.read_line(deadline)?;
            if line.trim() == "readyok" {
                return Ok(lines);
            }
            if lines.len() < MAX_LINES {
                lines.push(line);
            }
        }
    }

    /// Whether the bot still runs and hasn't sent an unsolicited `bestmove` between games.
    fn is_idle(&mut self) -> bool {
        self.process.start_turn();
        loop {
            match self.process.try_read_line() {
                Ok(Some(line)) if is_bestmove(&line) => return false,
                Ok(Some(_)) => {}
                Ok(None) => return true,
                Err(_) => return false,
            }
        }
    }

    /// Terminates the bot and says why it isn't ready.
    pub(crate) fn start_error(
        &mut self,
        error: ProcessIoError,
        word: &str,
        patience: Duration,
    ) -> PlayerError {
        let message = match error {
            ProcessIoError::Closed => {
                let exit: ExitReport = self.process.terminate(ExitMode::CloseInput);
                format!("it didn't send {word}: {reason}", reason = exit.describe())
            }
            ProcessIoError::OutputLimit => format!("it didn't send {word}: {OUTPUT_LIMIT_TEXT}"),
            ProcessIoError::Timeout => {
                let patience = (patience.as_secs_f64() * 1000.0).round();
                format!("it didn't send {word} within {patience} ms")
            }
        };
        self.process.terminate(ExitMode::Kill);
        PlayerError::new(PlayerErrorKind::StartFailure, message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_may_contain_spaces() {
        let option =
            UgiOption::parse("name Skill Level type spin default 20 min 0 max 20").expect("one");
        assert_eq!(
            (option.name.as_str(), option.kind.as_str()),
            ("Skill Level", "spin")
        );
        assert_eq!((option.min, option.max), (Some(0), Some(20)));
        assert!(option.rejection("21").is_some() && option.rejection("7").is_none());

        let option =
            UgiOption::parse("name Style type combo default Solid play var Solid play var Risky");
        let option = option.expect("one");
        assert_eq!(option.choices, ["Solid play", "Risky"]);
        assert_eq!(option.default.as_deref(), Some("Solid play"));
        assert!(
            option
                .rejection("Wild")
                .expect("refused")
                .contains("Solid play, Risky")
        );
        assert!(UgiOption::parse("type spin").is_none());
    }

    #[test]
    fn seeds_stay_within_the_option_range() {
        let text = UgiOption::parse("name Seed type string default 0").expect("one");
        assert_eq!(text.seed_value(u64::MAX), u64::MAX.to_string());
        let spin = UgiOption::parse("name Seed type spin min 10 max 19").expect("one");
        for seed in [0, 9, 10, 123_456_789, u64::MAX] {
            assert!(spin.rejection(&spin.seed_value(seed)).is_none(), "{seed}");
        }
        let bare = UgiOption::parse("name Seed type spin").expect("one");
        assert!(bare.seed_value(u64::MAX).parse::<i32>().is_ok());
    }

    #[test]
    fn info_lines_are_parsed() {
        let mut info = SearchInfo::default();
        assert_eq!(
            info.parse_line("info depth 3 score cp 110 nodes 1000 nps 5 pv depth 9"),
            None
        );
        assert_eq!((info.depth, info.nodes), (Some(3), Some(1000)));
        let points = info.value.expect("a value").expected_result();
        assert!((points - 0.5).abs() < 0.01, "{points}");
        info.parse_line("info score mate -4");
        assert_eq!(info.value, Some(Value::Exact(ExactValue::loss(4))));
        info.parse_line("info score cp 0 nodes x");
        info.parse_line("info string exact draw");
        assert_eq!(info.value, Some(Value::Exact(ExactValue::DRAW)));
        info.parse_line("info string exact nonsense");
        info.parse_line("info score furlongs 3");
        info.parse_line("info");
        assert_eq!(info.value, Some(Value::Exact(ExactValue::DRAW)));
        assert_eq!(info.nodes, Some(1000));
        assert_eq!(
            info.parse_line("bestmove b2 ponder a1").as_deref(),
            Some("b2")
        );
        assert_eq!(info.parse_line("  bestmove").as_deref(), Some(""));
        assert_eq!(info.parse_line("mumble"), None);
    }
}
