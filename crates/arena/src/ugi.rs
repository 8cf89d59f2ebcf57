//! Outside bots that speak UGI, the universal game interface (`docs/protocol.md`).
//!
//! Which fault is which reason:
//!
//! | what the bot does | the game is lost by |
//! |---|---|
//! | cannot be run; ends, stays silent or writes anything else than UGI before it is ready; lacks an option it is to have | [`Start`](Mishap::Start) |
//! | ends or closes its pipe while it thinks, or after its answer (noticed when it is to move again) | [`Crash`](Mishap::Crash) |
//! | no answer, a late one, or half a line without an end | [`Time`](Mishap::Time) |
//! | a flood of bytes, a `bestmove` without a move, more than one of them | [`Protocol`](Mishap::Protocol) |
//! | a move that the rules refuse | the referee's business |
//!
//! Lines that begin with an unknown word are ignored, as UGI wants it. A bot that ends
//! between two games is started again, and so is one after any fault: what it did in one
//! game is no burden on the next.
//!
//! A second `bestmove` that comes only after the next `go` cannot be told from its
//! answer; it is played, and the rules judge it.

use std::collections::VecDeque;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use noughts_engine::{Clock, ExactValue, GameValue, Value};
use noughts_rules::{AnyGameState, Variant};

use crate::error_text::excerpt;
use crate::notation::Notation;
use crate::player::{MoveRequest, MoveResponse, NewGame, Player, PlayerError, PlayerErrorKind};
use crate::process::{BotProcess, ExitReport, ProcessIoError, Termination};
use crate::protocol_log::ProtocolLog;
use crate::spec::Program;
use crate::time_control::TimeControl;

/// What a bot that must stop at once is told.
const STOP_AND_QUIT: Termination = Termination::Quit("stop\nquit\n");
/// Of what a bot says before it is ready nobody wants to hear more.
const MOST_LINES: usize = 100;
/// A bot that lists more options than this has lost its way; the others are not heard.
const MOST_OPTIONS: usize = 10_000;
/// This many of the last lines are quoted where something goes wrong.
const RECENT: usize = 3;
/// Later than any game.
const FOR_EVER: Duration = Duration::from_secs(365 * 24 * 3600);

/// An outside bot at the board.
pub(crate) struct UgiPlayer {
    program: Program,
    variant: Variant,
    patience: Duration,
    tag: String,
    log: Option<PathBuf>,
    /// Where what is said is written down, and under which name.
    dialogue: Option<(ProtocolLog, String)>,
    talk: Option<UgiConnection>,
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
            dialogue: None,
            talk: None,
        }
    }

    /// What is said is written down.
    pub(crate) fn with_protocol_log(
        mut self,
        name: &str,
        dialogue: Option<ProtocolLog>,
    ) -> UgiPlayer {
        self.dialogue = dialogue.map(|dialogue| (dialogue, name.to_owned()));
        self
    }

    /// Starts the program and tells it all but the game.
    fn start(&self, until: Instant) -> Result<UgiConnection, PlayerError> {
        let mut talk = UgiConnection::start(&self.program, &self.tag, self.log.as_deref())?;
        let speaker = self.dialogue.as_ref();
        talk.process.set_logger(
            speaker.map(|(dialogue, name)| dialogue.process_logger(name, &self.program)),
        );
        let settled = talk
            .handshake(until)
            .and_then(|()| talk.set_options(&self.program, self.variant, until));
        match settled {
            Ok(()) => Ok(talk),
            Err(fault) => {
                talk.process.terminate(Termination::Kill);
                Err(fault)
            }
        }
    }

    /// A fault ends the program: the next game begins with another.
    fn fail(&mut self, trouble: ProcessIoError, allowed: Duration) -> PlayerError {
        let Some(mut talk) = self.talk.take() else {
            return PlayerError::new(PlayerErrorKind::Crash, "it was not there");
        };
        match trouble {
            ProcessIoError::Closed => {
                let ended = talk.process.terminate(Termination::CloseInput);
                PlayerError::new(PlayerErrorKind::Crash, ended.describe())
            }
            ProcessIoError::OutputLimit => {
                talk.process.terminate(Termination::Kill);
                PlayerError::new(PlayerErrorKind::ProtocolError, FLOOD)
            }
            ProcessIoError::Timeout => {
                let half = talk.process.partial_line();
                talk.process.terminate(STOP_AND_QUIT);
                PlayerError::new(
                    PlayerErrorKind::Timeout,
                    timeout_message(allowed, half.as_deref()),
                )
            }
        }
    }

    fn broke_protocol(&mut self, message: &str) -> PlayerError {
        if let Some(mut talk) = self.talk.take() {
            talk.process.terminate(Termination::Kill);
        }
        PlayerError::new(PlayerErrorKind::ProtocolError, message)
    }
}

pub(crate) const FLOOD: &str = "it wrote far too much";
pub(crate) const TWICE: &str = "it answered more than once: each `go` wants exactly one `bestmove`";

pub(crate) fn timeout_message(allowed: Duration, half: Option<&str>) -> String {
    let mut text = format!("no answer after {} ms", allowed.as_millis());
    if let Some(half) = half {
        let _ = write!(text, "; it wrote half a line: {half:?}");
    }
    text
}

impl Player for UgiPlayer {
    fn start_game(&mut self, game: &NewGame) -> Result<(), PlayerError> {
        let until = deadline_after(self.patience);
        // One that ended, or is in no state to go on, is replaced without a word.
        if let Some(mut talk) = self.talk.take()
            && self.variant == game.variant
            // Processor time is limited for each game: the next one gets a fresh process.
            && self.program.cpu.is_none()
            && talk.is_quiet()
        {
            match talk.new_game(game.seed, until) {
                Ok(()) => {
                    self.talk = Some(talk);
                    return Ok(());
                }
                Err(_) => drop(talk.process.terminate(Termination::Kill)),
            }
        }
        self.variant = game.variant;
        let until = deadline_after(self.patience);
        let mut talk = self.start(until)?;
        match talk.new_game(game.seed, until) {
            Ok(()) => {
                self.talk = Some(talk);
                Ok(())
            }
            Err(trouble) => Err(talk.start_error(trouble, "readyok", self.patience)),
        }
    }

    fn choose_move(&mut self, turn: &MoveRequest<'_>) -> Result<MoveResponse, PlayerError> {
        let allowed = turn.time_allowed();
        let Some(talk) = &mut self.talk else {
            return Err(PlayerError::new(
                PlayerErrorKind::StartFailure,
                "no game was begun",
            ));
        };
        talk.process.start_turn();
        // What came since the last answer: nothing may be an answer.
        loop {
            match talk.process.try_read_line() {
                Ok(Some(line)) if is_bestmove(&line) => return Err(self.broke_protocol(TWICE)),
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(trouble) => return Err(self.fail(trouble, allowed)),
            }
        }
        let text = position_command(turn.state, self.program.notation)
            + &go_command(turn.time_control, turn.clocks);
        if let Err(trouble) = talk.process.send(&text, deadline_after(allowed)) {
            return Err(self.fail(trouble, allowed));
        }
        let began = Instant::now();
        let until = began
            .checked_add(allowed)
            .unwrap_or_else(|| deadline_after(FOR_EVER));
        let mut said = SearchInfo::default();
        let mv = loop {
            let line = match talk.process.read_line(until) {
                Ok(line) => line,
                Err(trouble) => return Err(self.fail(trouble, allowed)),
            };
            if let Some(mv) = said.parse_line(&line) {
                break mv;
            }
        };
        let took = began.elapsed().min(allowed);
        if mv.is_empty() {
            return Err(self.broke_protocol("it wrote `bestmove` without a move"));
        }
        while let Some(line) = talk.process.buffered_line() {
            if is_bestmove(&line) {
                return Err(self.broke_protocol(TWICE));
            }
        }
        Ok(MoveResponse {
            mv: self.program.notation.parse_move(&mv),
            value: said.value,
            took,
            depth: said.depth,
            nodes: said.nodes,
        })
    }

    fn end_game(&mut self) {}
}

/// What a bot wrote, as one line in quotation marks.
pub(crate) fn quoted(line: &str) -> String {
    format!("\"{}\"", excerpt(line))
}

pub(crate) fn is_bestmove(line: &str) -> bool {
    line.split_whitespace().next() == Some("bestmove")
}

pub(crate) fn deadline_after(time: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(time).unwrap_or(now + FOR_EVER)
}

/// The position as a line: the start, and all moves, for rules of repetition. The text of
/// a position is always ours.
pub(crate) fn position_command(play: &AnyGameState, notation: Notation) -> String {
    let mut line = match play.has_standard_start() {
        true => String::from("position startpos"),
        false => format!("position fen {}", play.start_text()),
    };
    let moves = play.moves();
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

/// What it may spend, as a line.
pub(crate) fn go_command(pace: TimeControl, clocks: Option<[Clock; 2]>) -> String {
    let ms = |time: Duration| time.as_millis().max(1);
    match pace {
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

/// What a bot says while it thinks; the last word counts.
#[derive(Default)]
pub(crate) struct SearchInfo {
    pub(crate) value: Option<Value>,
    pub(crate) depth: Option<u32>,
    pub(crate) nodes: Option<u64>,
    /// What it refused, if it said so as our bots do.
    pub(crate) error: Option<String>,
}

impl SearchInfo {
    /// Takes in a line; the move, if it is the answer.
    pub(crate) fn parse_line(&mut self, line: &str) -> Option<String> {
        let mut words = line.split_whitespace();
        match words.next()? {
            "bestmove" => return Some(words.next().unwrap_or_default().to_owned()),
            "info" => self.info(words),
            _ => {}
        }
        None
    }

    fn info<'a>(&mut self, mut words: impl Iterator<Item = &'a str>) {
        while let Some(word) = words.next() {
            match word {
                "depth" => self.depth = number(words.next()).or(self.depth),
                "nodes" => self.nodes = number(words.next()).or(self.nodes),
                "score" => {
                    let (kind, points) = (words.next(), number(words.next()));
                    self.value = score(kind, points).or(self.value);
                }
                // The line of play goes to the end.
                "pv" => break,
                "string" => {
                    let text: Vec<&str> = words.collect();
                    match text.as_slice() {
                        ["exact", verdict] => self.value = exact(verdict).or(self.value),
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

fn number<T: std::str::FromStr>(word: Option<&str>) -> Option<T> {
    word?.parse().ok()
}

/// A bot does not say how sure it is: it knows something, and may be wrong.
const UNSURE: f64 = 0.5;

/// Hundredths of a logit, or plies to a proved end, as `docs/protocol.md` has them.
fn score(kind: Option<&str>, points: Option<i64>) -> Option<Value> {
    let points = points?;
    match kind? {
        "cp" => Some(Value::Estimate {
            mean: (points as f64 / 200.0).tanh(),
            error: UNSURE,
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

/// `info string exact draw` and the like stand beside a score without a length.
fn exact(word: &str) -> Option<Value> {
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
    /// Of a `combo`: what it can be.
    pub(crate) choices: Vec<String>,
}

impl UgiOption {
    /// `name N type T [default D] [min A] [max B] [var V]…`; names may have spaces.
    pub(crate) fn parse(text: &str) -> Option<UgiOption> {
        let mut listed = UgiOption::default();
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
                "name" => listed.name = value,
                "type" => listed.kind = value,
                "default" => listed.default = Some(value),
                "min" => listed.min = value.parse().ok(),
                "max" => listed.max = value.parse().ok(),
                "var" => listed.choices.push(value),
                _ => {}
            }
            words.clear();
            key = word;
        }
        (!listed.name.is_empty()).then_some(listed)
    }

    /// A seed that it takes: any number where it is text, else within its bounds.
    fn seed(&self, seed: u64) -> String {
        if self.kind != "spin" {
            return seed.to_string();
        }
        let least = self.min.unwrap_or(0).max(0).unsigned_abs();
        let most = self.max.unwrap_or(i32::MAX.into()).max(0).unsigned_abs();
        let span = most.saturating_sub(least).saturating_add(1);
        (least + seed % span).to_string()
    }

    /// What is wrong with a value, if anything is.
    fn refuses(&self, value: &str) -> Option<String> {
        let name = &self.name;
        match self.kind.as_str() {
            "spin" => {
                let [least, most] = [self.min.unwrap_or(i64::MIN), self.max.unwrap_or(i64::MAX)];
                let number = value.parse::<i64>().ok();
                let within = number.is_some_and(|number| (least..=most).contains(&number));
                (!within).then(|| {
                    format!("option {name} is {value:?}, and takes a whole number from {least} to {most}")
                })
            }
            "combo" => {
                let known = self.choices.iter().any(|choice| choice == value);
                (!known && !self.choices.is_empty()).then(|| {
                    let choices = self.choices.join(", ");
                    format!("option {name} is {value:?}, and takes one of {choices}")
                })
            }
            "check" => (!["true", "false"].contains(&value))
                .then(|| format!("option {name} is {value:?}, and takes true or false")),
            _ => None,
        }
    }
}

/// A conversation by UGI.
pub(crate) struct UgiConnection {
    pub(crate) process: BotProcess,
    pub(crate) options: Vec<UgiOption>,
    pub(crate) name: Option<String>,
    /// The last lines that it wrote.
    recent: VecDeque<String>,
}

impl UgiConnection {
    /// Starts the program; nothing is said yet.
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
            recent: VecDeque::new(),
        })
    }

    /// The next line that it writes.
    pub(crate) fn read_line(&mut self, until: Instant) -> Result<String, ProcessIoError> {
        let line = self.process.read_line(until)?;
        if self.recent.len() >= RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back(line.clone());
        Ok(line)
    }

    /// The last lines that it wrote, quoted; half a line, too. What came before is
    /// forgotten.
    pub(crate) fn take_recent_output(&mut self) -> String {
        let mut lines: Vec<String> = self.recent.drain(..).map(|line| quoted(&line)).collect();
        if let Some(half) = self.process.partial_line() {
            lines.push(format!("{} without an end of the line", quoted(&half)));
        }
        lines.join(", ")
    }

    /// `ugi` … `ugiok`.
    pub(crate) fn handshake(&mut self, until: Instant) -> Result<(), PlayerError> {
        let patience = until.saturating_duration_since(Instant::now());
        let fault =
            |talk: &mut UgiConnection, trouble| talk.start_error(trouble, "ugiok", patience);
        self.process.start_turn();
        if let Err(trouble) = self.process.send("ugi\n", until) {
            return Err(fault(self, trouble));
        }
        loop {
            let line = match self.read_line(until) {
                Ok(line) => line,
                Err(trouble) => return Err(fault(self, trouble)),
            };
            let line = line.trim();
            let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            match (word, rest.trim_start()) {
                ("ugiok", _) => return Ok(()),
                ("option", rest) if self.options.len() < MOST_OPTIONS => {
                    self.options.extend(UgiOption::parse(rest));
                }
                ("id", rest) => {
                    if let Some(name) = rest.strip_prefix("name ") {
                        self.name = Some(name.trim().to_owned());
                    }
                }
                ("uciok" | "usiok" | "uaiok", _) => {
                    let message = format!("it speaks another protocol: {word} in place of ugiok");
                    return Err(PlayerError::new(PlayerErrorKind::StartFailure, message));
                }
                _ => {}
            }
        }
    }

    /// The option of this name, whatever its case.
    pub(crate) fn option(&self, name: &str) -> Option<&UgiOption> {
        self.options
            .iter()
            .find(|listed| listed.name.eq_ignore_ascii_case(name))
    }

    /// Sets what is to be set once: the variant, threads, and the user's options.
    pub(crate) fn set_options(
        &mut self,
        program: &Program,
        variant: Variant,
        until: Instant,
    ) -> Result<(), PlayerError> {
        let variant = variant.to_string();
        let threads = program.threads.to_string();
        let mut wanted: Vec<(&str, &str)> = Vec::new();
        for (name, value) in [("Variant", &variant), ("Threads", &threads)] {
            let given = program.options.keys();
            if self.option(name).is_some()
                && !given.into_iter().any(|key| key.eq_ignore_ascii_case(name))
            {
                wanted.push((name, value));
            }
        }
        let given = program.options.iter();
        wanted.extend(given.map(|(name, value)| (name.as_str(), value.as_str())));
        let mut text = String::new();
        for (name, value) in wanted {
            let Some(listed) = self.option(name) else {
                return Err(PlayerError::new(
                    PlayerErrorKind::StartFailure,
                    self.no_option(name),
                ));
            };
            if let Some(refusal) = listed.refuses(value) {
                return Err(PlayerError::new(PlayerErrorKind::StartFailure, refusal));
            }
            let _ = writeln!(text, "setoption name {} value {value}", listed.name);
        }
        let patience = until.saturating_duration_since(Instant::now());
        self.process
            .send(&text, until)
            .map_err(|trouble| self.start_error(trouble, "readyok", patience))
    }

    fn no_option(&self, name: &str) -> String {
        let names: Vec<&str> = self.options.iter().map(|o| o.name.as_str()).collect();
        let names = match names.is_empty() {
            true => "it lists none".to_owned(),
            false => format!("it lists {}", names.join(", ")),
        };
        format!("it has no option {name:?}; {names}")
    }

    /// A new game, with its seed where the bot has a use for one; waits until it is ready.
    pub(crate) fn new_game(&mut self, seed: u64, until: Instant) -> Result<(), ProcessIoError> {
        let mut text = String::new();
        if let Some(listed) = self.option("Seed") {
            let _ = writeln!(
                text,
                "setoption name {} value {}",
                listed.name,
                listed.seed(seed)
            );
        }
        text += "uginewgame\n";
        self.process.start_turn();
        self.process.send(&text, until)?;
        self.wait_until_ready(until).map(drop)
    }

    /// `isready` … `readyok`; gives what was said before it, of many lines the first.
    pub(crate) fn wait_until_ready(
        &mut self,
        until: Instant,
    ) -> Result<Vec<String>, ProcessIoError> {
        self.process.send("isready\n", until)?;
        let mut before = Vec::new();
        loop {
            let line = self.read_line(until)?;
            if line.trim() == "readyok" {
                return Ok(before);
            }
            if before.len() < MOST_LINES {
                before.push(line);
            }
        }
    }

    /// Between games: it runs, and has not answered what nobody asked.
    fn is_quiet(&mut self) -> bool {
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

    /// Why it is not ready.
    pub(crate) fn start_error(
        &mut self,
        trouble: ProcessIoError,
        word: &str,
        patience: Duration,
    ) -> PlayerError {
        let message = match trouble {
            ProcessIoError::Closed => {
                let ended: ExitReport = self.process.terminate(Termination::CloseInput);
                format!("it did not say {word}: {}", ended.describe())
            }
            ProcessIoError::OutputLimit => format!("it did not say {word}: {FLOOD}"),
            ProcessIoError::Timeout => {
                let patience = (patience.as_secs_f64() * 1000.0).round();
                format!("it did not say {word} within {patience} ms")
            }
        };
        self.process.terminate(Termination::Kill);
        PlayerError::new(PlayerErrorKind::StartFailure, message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_with_spaces_in_names_and_values() {
        let listed =
            UgiOption::parse("name Skill Level type spin default 20 min 0 max 20").expect("one");
        assert_eq!(
            (listed.name.as_str(), listed.kind.as_str()),
            ("Skill Level", "spin")
        );
        assert_eq!((listed.min, listed.max), (Some(0), Some(20)));
        assert!(listed.refuses("21").is_some() && listed.refuses("7").is_none());

        let listed =
            UgiOption::parse("name Style type combo default Solid play var Solid play var Risky");
        let listed = listed.expect("one");
        assert_eq!(listed.choices, ["Solid play", "Risky"]);
        assert_eq!(listed.default.as_deref(), Some("Solid play"));
        assert!(
            listed
                .refuses("Wild")
                .expect("refused")
                .contains("Solid play, Risky")
        );
        assert!(UgiOption::parse("type spin").is_none());
    }

    #[test]
    fn seeds_stay_within_what_an_option_takes() {
        let text = UgiOption::parse("name Seed type string default 0").expect("one");
        assert_eq!(text.seed(u64::MAX), u64::MAX.to_string());
        let spin = UgiOption::parse("name Seed type spin min 10 max 19").expect("one");
        for seed in [0, 9, 10, 123_456_789, u64::MAX] {
            assert!(spin.refuses(&spin.seed(seed)).is_none(), "{seed}");
        }
        let bare = UgiOption::parse("name Seed type spin").expect("one");
        assert!(bare.seed(u64::MAX).parse::<i32>().is_ok());
    }

    #[test]
    fn what_a_bot_says_is_understood() {
        let mut said = SearchInfo::default();
        assert_eq!(
            said.parse_line("info depth 3 score cp 110 nodes 1000 nps 5 pv depth 9"),
            None
        );
        assert_eq!((said.depth, said.nodes), (Some(3), Some(1000)));
        let points = said.value.expect("a value").expected_result();
        assert!((points - 0.5).abs() < 0.01, "{points}");
        said.parse_line("info score mate -4");
        assert_eq!(said.value, Some(Value::Exact(ExactValue::loss(4))));
        said.parse_line("info score cp 0 nodes x");
        said.parse_line("info string exact draw");
        assert_eq!(said.value, Some(Value::Exact(ExactValue::DRAW)));
        said.parse_line("info string exact nonsense");
        said.parse_line("info score furlongs 3");
        said.parse_line("info");
        assert_eq!(said.value, Some(Value::Exact(ExactValue::DRAW)));
        assert_eq!(said.nodes, Some(1000));
        assert_eq!(
            said.parse_line("bestmove b2 ponder a1").as_deref(),
            Some("b2")
        );
        assert_eq!(said.parse_line("  bestmove").as_deref(), Some(""));
        assert_eq!(said.parse_line("mumble"), None);
    }
}
