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
use std::time::{Duration, Instant};

use noughts_engine::{Clock, ExactValue, GameValue, Value};
use noughts_rules::{AnyGameState, Variant};

use crate::error_text::excerpt;
use crate::notation::Notation;
use crate::played_game::MoveInfo;
use crate::player::{MoveRequest, MoveResponse, NewGame, Player, PlayerError, PlayerErrorKind};
use crate::process::{BotCommand, BotProcess, ExitMode, TurnError};
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
    command: BotCommand,
    variant: Variant,
    patience: Duration,
    connection: Option<UgiConnection>,
}

impl UgiPlayer {
    pub(crate) fn new(command: BotCommand, variant: Variant, patience: Duration) -> UgiPlayer {
        UgiPlayer {
            command,
            variant,
            patience,
            connection: None,
        }
    }
}

impl Player for UgiPlayer {
    fn start_game(&mut self, game: &NewGame) -> Result<(), PlayerError> {
        // A process that has exited or can't continue is replaced.
        if let Some(mut connection) = self.connection.take()
            && self.variant == game.variant
            // The CPU limit applies to each game, so the next one needs a new process.
            && self.command.program.cpu.is_none()
            && connection.is_idle()
            && connection.new_game(game.seed, deadline_after(self.patience)).is_ok()
        {
            self.connection = Some(connection);
            return Ok(());
        }
        self.variant = game.variant;
        let connection =
            UgiConnection::open(&self.command, game.variant, game.seed, self.patience)?;
        self.connection = Some(connection);
        Ok(())
    }

    fn choose_move(&mut self, request: &MoveRequest<'_>) -> Result<MoveResponse, PlayerError> {
        let (allowed, notation) = (request.time_allowed(), self.command.program.notation);
        let connection = self.connection.take();
        let mut connection = connection.ok_or_else(PlayerError::not_started)?;
        let go = go_command(request.time_control, request.clocks);
        // After a fault the next game starts with a new process.
        let answer = connection
            .ask(request.state, notation, &go, allowed)
            .map_err(|error| connection.process.fail_turn(error, allowed, STOP_AND_QUIT))?;
        self.connection = Some(connection);
        Ok(MoveResponse {
            mv: notation.parse_move(&answer.mv),
            info: answer.info,
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

/// A bot's answer to `go`, and what it reported before; later values replace earlier ones.
#[derive(Default)]
pub(crate) struct Answer {
    /// The move in the bot's notation.
    pub(crate) mv: String,
    /// The line as received.
    pub(crate) line: String,
    pub(crate) info: MoveInfo,
    /// The error the bot reported, in the form used by the built-in bots.
    pub(crate) error: Option<String>,
}

impl Answer {
    /// Parses a line; returns whether it is a `bestmove`.
    fn parse_line(&mut self, line: &str) -> bool {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("bestmove") => {
                words.next().unwrap_or_default().clone_into(&mut self.mv);
                line.clone_into(&mut self.line);
                return true;
            }
            Some("info") => self.parse_info(words),
            _ => {}
        }
        false
    }

    fn parse_info<'a>(&mut self, mut words: impl Iterator<Item = &'a str>) {
        let info = &mut self.info;
        while let Some(word) = words.next() {
            match word {
                "depth" => info.depth = parse_number(words.next()).or(info.depth),
                "nodes" => info.nodes = parse_number(words.next()).or(info.nodes),
                "score" => {
                    let (kind, points) = (words.next(), parse_number(words.next()));
                    info.value = parse_score(kind, points).or(info.value);
                }
                // The principal variation extends to the end of the line.
                "pv" => break,
                "string" => {
                    let text: Vec<&str> = words.collect();
                    match text.as_slice() {
                        ["exact", verdict] => info.value = parse_exact(verdict).or(info.value),
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
    let game_value = GameValue::from_word(word)?;
    Some(Value::Exact(ExactValue::without_distance(game_value)))
}

/// An option that a bot lists.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct UgiOption {
    pub(crate) name: String,
    pub(crate) kind: String,
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

    /// Checks a value; the error says what is allowed.
    fn check(&self, value: &str) -> Result<(), String> {
        let (is_valid, allowed) = match self.kind.as_str() {
            "spin" => {
                let [min, max] = [self.min.unwrap_or(i64::MIN), self.max.unwrap_or(i64::MAX)];
                let number = value.parse::<i64>();
                let is_valid = number.is_ok_and(|number| (min..=max).contains(&number));
                (is_valid, format!("a whole number from {min} to {max}"))
            }
            "combo" => {
                let is_known = self.choices.iter().any(|choice| choice == value);
                let allowed = format!("one of {}", self.choices.join(", "));
                (is_known || self.choices.is_empty(), allowed)
            }
            "check" => (["true", "false"].contains(&value), "true or false".into()),
            _ => (true, String::new()),
        };
        match is_valid {
            true => Ok(()),
            false => Err(format!(
                "option {name} is {value:?}; it must be {allowed}",
                name = self.name
            )),
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
    pub(crate) fn start(command: &BotCommand) -> Result<UgiConnection, PlayerError> {
        Ok(UgiConnection {
            process: BotProcess::start(command)?,
            options: Vec::new(),
            name: None,
            recent_lines: VecDeque::new(),
        })
    }

    /// Starts the program and a game.
    pub(crate) fn open(
        command: &BotCommand,
        variant: Variant,
        seed: u64,
        patience: Duration,
    ) -> Result<UgiConnection, PlayerError> {
        let deadline = deadline_after(patience);
        let mut connection = UgiConnection::start(command)?;
        connection.handshake(deadline)?;
        connection.set_options(&command.program, variant, deadline)?;
        connection.new_game(seed, deadline)?;
        Ok(connection)
    }

    /// Reads the next line.
    fn read_line(&mut self, deadline: Instant) -> Result<String, TurnError> {
        let line = self.process.read_line(deadline)?;
        if self.recent_lines.len() >= MAX_RECENT_LINES {
            self.recent_lines.pop_front();
        }
        self.recent_lines.push_back(line.clone());
        Ok(line)
    }

    /// Takes the last lines received, quoted.
    pub(crate) fn take_recent_output(&mut self) -> String {
        let lines = self.recent_lines.drain(..).map(|line| quoted(&line));
        lines.collect::<Vec<String>>().join(", ")
    }

    /// Skips lines that have already arrived; an error if one is an unsolicited `bestmove`.
    fn skip_unread_lines(&mut self) -> Result<(), TurnError> {
        while let Some(line) = self.process.try_read_line()? {
            if is_bestmove(&line) {
                return Err(TurnError::AnsweredTwice);
            }
        }
        Ok(())
    }

    /// Asks for a move and waits up to `allowed`.
    pub(crate) fn ask(
        &mut self,
        state: &AnyGameState,
        notation: Notation,
        go: &str,
        allowed: Duration,
    ) -> Result<Answer, TurnError> {
        self.process.start_turn();
        // Anything already in the pipe can't be the answer to this `go`.
        self.skip_unread_lines()?;
        self.recent_lines.clear();
        let text = position_command(state, notation) + go;
        self.process.send(&text, deadline_after(allowed))?;
        let (started, deadline) = (Instant::now(), deadline_after(allowed));
        let mut answer = self.read_answer(deadline)?;
        answer.info.took = started.elapsed().min(allowed);
        if answer.mv.is_empty() {
            let text = "it wrote `bestmove` without a move";
            return Err(TurnError::Protocol(text.into()));
        }
        while let Some(line) = self.process.buffered_line() {
            if is_bestmove(&line) {
                return Err(TurnError::AnsweredTwice);
            }
        }
        Ok(answer)
    }

    /// Reads up to the next `bestmove`.
    pub(crate) fn read_answer(&mut self, deadline: Instant) -> Result<Answer, TurnError> {
        let mut answer = Answer::default();
        while !answer.parse_line(&self.read_line(deadline)?) {}
        Ok(answer)
    }

    /// Sends `ugi` and waits for `ugiok`.
    pub(crate) fn handshake(&mut self, deadline: Instant) -> Result<(), PlayerError> {
        let start = Instant::now();
        self.read_handshake(deadline)
            .map_err(|error| self.start_error(error, "ugiok", deadline - start))
    }

    fn read_handshake(&mut self, deadline: Instant) -> Result<(), TurnError> {
        self.process.start_turn();
        self.process.send("ugi\n", deadline)?;
        loop {
            let line = self.read_line(deadline)?;
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
                    let text = format!("it speaks another protocol: it wrote {word}");
                    return Err(TurnError::Protocol(text));
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
            let option = self.option(name).ok_or_else(|| self.no_option_text(name));
            let valid = option.and_then(|option| option.check(value).map(|()| option));
            let option =
                valid.map_err(|reason| PlayerError::new(PlayerErrorKind::StartFailure, reason))?;
            let _ = writeln!(text, "setoption name {} value {value}", option.name);
        }
        let start = Instant::now();
        self.process
            .send(&text, deadline)
            .map_err(|error| self.start_error(error, "readyok", deadline - start))
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
    pub(crate) fn new_game(&mut self, seed: u64, deadline: Instant) -> Result<(), PlayerError> {
        let start = Instant::now();
        let mut text = String::new();
        if let Some(option) = self.option("Seed") {
            let (name, value) = (&option.name, option.seed_value(seed));
            let _ = writeln!(text, "setoption name {name} value {value}");
        }
        text += "uginewgame\n";
        self.process.start_turn();
        let ready = self.process.send(&text, deadline);
        ready
            .and_then(|()| self.wait_until_ready(deadline))
            .map(drop)
            .map_err(|error| self.start_error(error, "readyok", deadline - start))
    }

    /// Sends `isready` and waits for `readyok`; returns the first lines received before it.
    pub(crate) fn wait_until_ready(&mut self, deadline: Instant) -> Result<Vec<String>, TurnError> {
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
        self.skip_unread_lines().is_ok()
    }

    /// Terminates the bot and says why it isn't ready.
    pub(crate) fn start_error(
        &mut self,
        error: TurnError,
        word: &str,
        patience: Duration,
    ) -> PlayerError {
        let failure = self.process.fail_turn(error, patience, ExitMode::Kill);
        let message = format!("it didn't send {word}: {}", failure.message);
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
        assert!(option.check("21").is_err() && option.check("7").is_ok());

        let option =
            UgiOption::parse("name Style type combo default Solid play var Solid play var Risky");
        let option = option.expect("one");
        assert_eq!(option.choices, ["Solid play", "Risky"]);
        let error = option.check("Wild").expect_err("refused");
        assert!(error.contains("Solid play, Risky"), "{error}");
        assert!(UgiOption::parse("type spin").is_none());
    }

    #[test]
    fn seeds_stay_within_the_option_range() {
        let text = UgiOption::parse("name Seed type string default 0").expect("one");
        assert_eq!(text.seed_value(u64::MAX), u64::MAX.to_string());
        let spin = UgiOption::parse("name Seed type spin min 10 max 19").expect("one");
        for seed in [0, 9, 10, 123_456_789, u64::MAX] {
            assert!(spin.check(&spin.seed_value(seed)).is_ok(), "{seed}");
        }
        let bare = UgiOption::parse("name Seed type spin").expect("one");
        assert!(bare.seed_value(u64::MAX).parse::<i32>().is_ok());
    }

    #[test]
    fn info_lines_are_parsed() {
        let mut answer = Answer::default();
        assert!(!answer.parse_line("info depth 3 score cp 110 nodes 1000 nps 5 pv depth 9"));
        assert_eq!(
            (answer.info.depth, answer.info.nodes),
            (Some(3), Some(1000))
        );
        let points = answer.info.value.expect("a value").expected_result();
        assert!((points - 0.5).abs() < 0.01, "{points}");
        answer.parse_line("info score mate -4");
        assert_eq!(answer.info.value, Some(Value::Exact(ExactValue::loss(4))));
        answer.parse_line("info score cp 0 nodes x");
        answer.parse_line("info string exact draw");
        assert_eq!(answer.info.value, Some(Value::Exact(ExactValue::DRAW)));
        answer.parse_line("info string exact nonsense");
        answer.parse_line("info score furlongs 3");
        answer.parse_line("info");
        assert_eq!(answer.info.value, Some(Value::Exact(ExactValue::DRAW)));
        assert_eq!(answer.info.nodes, Some(1000));
        assert!(answer.parse_line("bestmove b2 ponder a1"));
        assert_eq!(answer.mv, "b2");
        assert!(answer.parse_line("  bestmove"));
        assert_eq!(answer.mv, "");
        assert!(!answer.parse_line("mumble"));
    }
}
