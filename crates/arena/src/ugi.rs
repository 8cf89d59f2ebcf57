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

use noughts_engine::{Clock, Exact, Value, Verdict};
use noughts_rules::{AnyPlay, Variant};

use crate::dialogue::Dialogue;
use crate::notation::Notation;
use crate::pace::Pace;
use crate::player::{Answer, Fault, Mishap, NewGame, Player, Turn};
use crate::process::{Ended, Manner, Process, Trouble};
use crate::spec::Program;
use crate::words::shown;

/// What a bot that must stop at once is told.
const STOP_AND_QUIT: Manner = Manner::Ask("stop\nquit\n");
/// Of what a bot says before it is ready nobody wants to hear more.
const MOST_LINES: usize = 100;
/// A bot that lists more options than this has lost its way; the others are not heard.
const MOST_OPTIONS: usize = 10_000;
/// This many of the last lines are quoted where something goes wrong.
const RECENT: usize = 3;
/// Later than any game.
const FOR_EVER: Duration = Duration::from_secs(365 * 24 * 3600);

/// An outside bot at the board.
pub(crate) struct Ugi {
    program: Program,
    variant: Variant,
    patience: Duration,
    tag: String,
    log: Option<PathBuf>,
    /// Where what is said is written down, and under which name.
    dialogue: Option<(Dialogue, String)>,
    talk: Option<Talk>,
}

impl Ugi {
    pub(crate) fn new(
        program: Program,
        variant: Variant,
        patience: Duration,
        tag: String,
        log: Option<PathBuf>,
    ) -> Ugi {
        Ugi {
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
    pub(crate) fn recorded(mut self, name: &str, dialogue: Option<Dialogue>) -> Ugi {
        self.dialogue = dialogue.map(|dialogue| (dialogue, name.to_owned()));
        self
    }

    /// Starts the program and tells it all but the game.
    fn start(&self, until: Instant) -> Result<Talk, Fault> {
        let mut talk = Talk::start(&self.program, &self.tag, self.log.as_deref())?;
        let speaker = self.dialogue.as_ref();
        talk.process
            .record(speaker.map(|(dialogue, name)| dialogue.speaker(name, &self.program)));
        let settled = talk
            .introduce(until)
            .and_then(|()| talk.settle(&self.program, self.variant, until));
        match settled {
            Ok(()) => Ok(talk),
            Err(fault) => {
                talk.process.end(Manner::Kill);
                Err(fault)
            }
        }
    }

    /// A fault ends the program: the next game begins with another.
    fn fail(&mut self, trouble: Trouble, allowed: Duration) -> Fault {
        let Some(mut talk) = self.talk.take() else {
            return Fault::new(Mishap::Crash, "it was not there");
        };
        match trouble {
            Trouble::Closed => {
                let ended = talk.process.end(Manner::Leaving);
                Fault::new(Mishap::Crash, ended.words())
            }
            Trouble::Flood => {
                talk.process.end(Manner::Kill);
                Fault::new(Mishap::Protocol, FLOOD)
            }
            Trouble::Late => {
                let half = talk.process.half_a_line();
                talk.process.end(STOP_AND_QUIT);
                Fault::new(Mishap::Time, late(allowed, half.as_deref()))
            }
        }
    }

    fn broke_protocol(&mut self, message: &str) -> Fault {
        if let Some(mut talk) = self.talk.take() {
            talk.process.end(Manner::Kill);
        }
        Fault::new(Mishap::Protocol, message)
    }
}

pub(crate) const FLOOD: &str = "it wrote far too much";
pub(crate) const TWICE: &str = "it answered more than once: each `go` wants exactly one `bestmove`";

pub(crate) fn late(allowed: Duration, half: Option<&str>) -> String {
    let mut text = format!("no answer after {} ms", allowed.as_millis());
    if let Some(half) = half {
        let _ = write!(text, "; it wrote half a line: {half:?}");
    }
    text
}

impl Player for Ugi {
    fn begin(&mut self, game: &NewGame) -> Result<(), Fault> {
        let until = after(self.patience);
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
                Err(_) => drop(talk.process.end(Manner::Kill)),
            }
        }
        self.variant = game.variant;
        let until = after(self.patience);
        let mut talk = self.start(until)?;
        match talk.new_game(game.seed, until) {
            Ok(()) => {
                self.talk = Some(talk);
                Ok(())
            }
            Err(trouble) => Err(talk.failed_to_start(trouble, "readyok", self.patience)),
        }
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Fault> {
        let allowed = turn.allowed();
        let Some(talk) = &mut self.talk else {
            return Err(Fault::new(Mishap::Start, "no game was begun"));
        };
        talk.process.new_turn();
        // What came since the last answer: nothing may be an answer.
        loop {
            match talk.process.line_at_hand() {
                Ok(Some(line)) if is_answer(&line) => return Err(self.broke_protocol(TWICE)),
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(trouble) => return Err(self.fail(trouble, allowed)),
            }
        }
        let text = position(turn.play, self.program.notation) + &go(turn.pace, turn.clocks);
        if let Err(trouble) = talk.process.say(&text, after(allowed)) {
            return Err(self.fail(trouble, allowed));
        }
        let began = Instant::now();
        let until = began
            .checked_add(allowed)
            .unwrap_or_else(|| after(FOR_EVER));
        let mut said = Said::default();
        let mv = loop {
            let line = match talk.process.line(until) {
                Ok(line) => line,
                Err(trouble) => return Err(self.fail(trouble, allowed)),
            };
            if let Some(mv) = said.hear(&line) {
                break mv;
            }
        };
        let took = began.elapsed().min(allowed);
        if mv.is_empty() {
            return Err(self.broke_protocol("it wrote `bestmove` without a move"));
        }
        while let Some(line) = talk.process.line_in_hand() {
            if is_answer(&line) {
                return Err(self.broke_protocol(TWICE));
            }
        }
        Ok(Answer {
            mv: self.program.notation.read(&mv),
            value: said.value,
            took,
            depth: said.depth,
            nodes: said.nodes,
        })
    }

    fn end(&mut self) {}
}

/// What a bot wrote, as one line in quotation marks.
pub(crate) fn quoted(line: &str) -> String {
    format!("\"{}\"", shown(line))
}

pub(crate) fn is_answer(line: &str) -> bool {
    line.split_whitespace().next() == Some("bestmove")
}

pub(crate) fn after(time: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(time).unwrap_or(now + FOR_EVER)
}

/// The position as a line: the start, and all moves, for rules of repetition. The text of
/// a position is always ours.
pub(crate) fn position(play: &AnyPlay, notation: Notation) -> String {
    let mut line = match play.is_from_start() {
        true => String::from("position startpos"),
        false => format!("position fen {}", play.start_text()),
    };
    let moves = play.moves();
    if !moves.is_empty() {
        line += " moves";
    }
    for mv in moves {
        line.push(' ');
        line += &notation.write(&mv);
    }
    line.push('\n');
    line
}

/// What it may spend, as a line.
pub(crate) fn go(pace: Pace, clocks: Option<[Clock; 2]>) -> String {
    let ms = |time: Duration| time.as_millis().max(1);
    match pace {
        Pace::Move(time) => format!("go movetime {}\n", ms(time)),
        Pace::Nodes(nodes) => format!("go nodes {nodes}\n"),
        Pace::Depth(depth) => format!("go depth {depth}\n"),
        Pace::Clock { base, increment } => {
            let [x, o] = match clocks {
                Some(clocks) => clocks.map(|clock| (clock.left, clock.increment)),
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
pub(crate) struct Said {
    pub(crate) value: Option<Value>,
    pub(crate) depth: Option<u32>,
    pub(crate) nodes: Option<u64>,
    /// What it refused, if it said so as our bots do.
    pub(crate) error: Option<String>,
}

impl Said {
    /// Takes in a line; the move, if it is the answer.
    pub(crate) fn hear(&mut self, line: &str) -> Option<String> {
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
                true => Exact::win(plies),
                false => Exact::loss(plies),
            }))
        }
        _ => None,
    }
}

/// `info string exact draw` and the like stand beside a score without a length.
fn exact(word: &str) -> Option<Value> {
    let verdict = [Verdict::Win, Verdict::Draw, Verdict::Loss];
    let verdict = verdict.into_iter().find(|verdict| verdict.word() == word)?;
    Some(Value::Exact(Exact::of_unknown_length(verdict)))
}

/// An option that a bot lists.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Listed {
    pub(crate) name: String,
    pub(crate) kind: String,
    pub(crate) default: Option<String>,
    pub(crate) least: Option<i64>,
    pub(crate) most: Option<i64>,
    /// Of a `combo`: what it can be.
    pub(crate) choices: Vec<String>,
}

impl Listed {
    /// `name N type T [default D] [min A] [max B] [var V]…`; names may have spaces.
    pub(crate) fn read(text: &str) -> Option<Listed> {
        let mut listed = Listed::default();
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
                "min" => listed.least = value.parse().ok(),
                "max" => listed.most = value.parse().ok(),
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
        let least = self.least.unwrap_or(0).max(0).unsigned_abs();
        let most = self.most.unwrap_or(i32::MAX.into()).max(0).unsigned_abs();
        let span = most.saturating_sub(least).saturating_add(1);
        (least + seed % span).to_string()
    }

    /// What is wrong with a value, if anything is.
    fn refuses(&self, value: &str) -> Option<String> {
        let name = &self.name;
        match self.kind.as_str() {
            "spin" => {
                let [least, most] = [
                    self.least.unwrap_or(i64::MIN),
                    self.most.unwrap_or(i64::MAX),
                ];
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
pub(crate) struct Talk {
    pub(crate) process: Process,
    pub(crate) options: Vec<Listed>,
    pub(crate) name: Option<String>,
    /// The last lines that it wrote.
    recent: VecDeque<String>,
}

impl Talk {
    /// Starts the program; nothing is said yet.
    pub(crate) fn start(program: &Program, tag: &str, log: Option<&Path>) -> Result<Talk, Fault> {
        let process = Process::start(program, tag, log)?;
        Ok(Talk {
            process,
            options: Vec::new(),
            name: None,
            recent: VecDeque::new(),
        })
    }

    /// The next line that it writes.
    pub(crate) fn line(&mut self, until: Instant) -> Result<String, Trouble> {
        let line = self.process.line(until)?;
        if self.recent.len() >= RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back(line.clone());
        Ok(line)
    }

    /// The last lines that it wrote, quoted; half a line, too. What came before is
    /// forgotten.
    pub(crate) fn take_recent(&mut self) -> String {
        let mut lines: Vec<String> = self.recent.drain(..).map(|line| quoted(&line)).collect();
        if let Some(half) = self.process.half_a_line() {
            lines.push(format!("{} without an end of the line", quoted(&half)));
        }
        lines.join(", ")
    }

    /// `ugi` … `ugiok`.
    pub(crate) fn introduce(&mut self, until: Instant) -> Result<(), Fault> {
        let patience = until.saturating_duration_since(Instant::now());
        let fault = |talk: &mut Talk, trouble| talk.failed_to_start(trouble, "ugiok", patience);
        self.process.new_turn();
        if let Err(trouble) = self.process.say("ugi\n", until) {
            return Err(fault(self, trouble));
        }
        loop {
            let line = match self.line(until) {
                Ok(line) => line,
                Err(trouble) => return Err(fault(self, trouble)),
            };
            let line = line.trim();
            let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            match (word, rest.trim_start()) {
                ("ugiok", _) => return Ok(()),
                ("option", rest) if self.options.len() < MOST_OPTIONS => {
                    self.options.extend(Listed::read(rest));
                }
                ("id", rest) => {
                    if let Some(name) = rest.strip_prefix("name ") {
                        self.name = Some(name.trim().to_owned());
                    }
                }
                ("uciok" | "usiok" | "uaiok", _) => {
                    let message = format!("it speaks another protocol: {word} in place of ugiok");
                    return Err(Fault::new(Mishap::Start, message));
                }
                _ => {}
            }
        }
    }

    /// The option of this name, whatever its case.
    pub(crate) fn listed(&self, name: &str) -> Option<&Listed> {
        self.options
            .iter()
            .find(|listed| listed.name.eq_ignore_ascii_case(name))
    }

    /// Sets what is to be set once: the variant, threads, and the user's options.
    pub(crate) fn settle(
        &mut self,
        program: &Program,
        variant: Variant,
        until: Instant,
    ) -> Result<(), Fault> {
        let variant = variant.to_string();
        let threads = program.threads.to_string();
        let mut wanted: Vec<(&str, &str)> = Vec::new();
        for (name, value) in [("Variant", &variant), ("Threads", &threads)] {
            let given = program.options.keys();
            if self.listed(name).is_some()
                && !given.into_iter().any(|key| key.eq_ignore_ascii_case(name))
            {
                wanted.push((name, value));
            }
        }
        let given = program.options.iter();
        wanted.extend(given.map(|(name, value)| (name.as_str(), value.as_str())));
        let mut text = String::new();
        for (name, value) in wanted {
            let Some(listed) = self.listed(name) else {
                return Err(Fault::new(Mishap::Start, self.no_option(name)));
            };
            if let Some(refusal) = listed.refuses(value) {
                return Err(Fault::new(Mishap::Start, refusal));
            }
            let _ = writeln!(text, "setoption name {} value {value}", listed.name);
        }
        let patience = until.saturating_duration_since(Instant::now());
        self.process
            .say(&text, until)
            .map_err(|trouble| self.failed_to_start(trouble, "readyok", patience))
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
    pub(crate) fn new_game(&mut self, seed: u64, until: Instant) -> Result<(), Trouble> {
        let mut text = String::new();
        if let Some(listed) = self.listed("Seed") {
            let _ = writeln!(
                text,
                "setoption name {} value {}",
                listed.name,
                listed.seed(seed)
            );
        }
        text += "uginewgame\n";
        self.process.new_turn();
        self.process.say(&text, until)?;
        self.ready(until).map(drop)
    }

    /// `isready` … `readyok`; gives what was said before it, of many lines the first.
    pub(crate) fn ready(&mut self, until: Instant) -> Result<Vec<String>, Trouble> {
        self.process.say("isready\n", until)?;
        let mut before = Vec::new();
        loop {
            let line = self.line(until)?;
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
        self.process.new_turn();
        loop {
            match self.process.line_at_hand() {
                Ok(Some(line)) if is_answer(&line) => return false,
                Ok(Some(_)) => {}
                Ok(None) => return true,
                Err(_) => return false,
            }
        }
    }

    /// Why it is not ready.
    pub(crate) fn failed_to_start(
        &mut self,
        trouble: Trouble,
        word: &str,
        patience: Duration,
    ) -> Fault {
        let message = match trouble {
            Trouble::Closed => {
                let ended: Ended = self.process.end(Manner::Leaving);
                format!("it did not say {word}: {}", ended.words())
            }
            Trouble::Flood => format!("it did not say {word}: {FLOOD}"),
            Trouble::Late => {
                let patience = (patience.as_secs_f64() * 1000.0).round();
                format!("it did not say {word} within {patience} ms")
            }
        };
        self.process.end(Manner::Kill);
        Fault::new(Mishap::Start, message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_with_spaces_in_names_and_values() {
        let listed =
            Listed::read("name Skill Level type spin default 20 min 0 max 20").expect("one");
        assert_eq!(
            (listed.name.as_str(), listed.kind.as_str()),
            ("Skill Level", "spin")
        );
        assert_eq!((listed.least, listed.most), (Some(0), Some(20)));
        assert!(listed.refuses("21").is_some() && listed.refuses("7").is_none());

        let listed =
            Listed::read("name Style type combo default Solid play var Solid play var Risky");
        let listed = listed.expect("one");
        assert_eq!(listed.choices, ["Solid play", "Risky"]);
        assert_eq!(listed.default.as_deref(), Some("Solid play"));
        assert!(
            listed
                .refuses("Wild")
                .expect("refused")
                .contains("Solid play, Risky")
        );
        assert!(Listed::read("type spin").is_none());
    }

    #[test]
    fn seeds_stay_within_what_an_option_takes() {
        let text = Listed::read("name Seed type string default 0").expect("one");
        assert_eq!(text.seed(u64::MAX), u64::MAX.to_string());
        let spin = Listed::read("name Seed type spin min 10 max 19").expect("one");
        for seed in [0, 9, 10, 123_456_789, u64::MAX] {
            assert!(spin.refuses(&spin.seed(seed)).is_none(), "{seed}");
        }
        let bare = Listed::read("name Seed type spin").expect("one");
        assert!(bare.seed(u64::MAX).parse::<i32>().is_ok());
    }

    #[test]
    fn what_a_bot_says_is_understood() {
        let mut said = Said::default();
        assert_eq!(
            said.hear("info depth 3 score cp 110 nodes 1000 nps 5 pv depth 9"),
            None
        );
        assert_eq!((said.depth, said.nodes), (Some(3), Some(1000)));
        let points = said.value.expect("a value").points();
        assert!((points - 0.5).abs() < 0.01, "{points}");
        said.hear("info score mate -4");
        assert_eq!(said.value, Some(Value::Exact(Exact::loss(4))));
        said.hear("info score cp 0 nodes x");
        said.hear("info string exact draw");
        assert_eq!(said.value, Some(Value::Exact(Exact::DRAW)));
        said.hear("info string exact nonsense");
        said.hear("info score furlongs 3");
        said.hear("info");
        assert_eq!(said.value, Some(Value::Exact(Exact::DRAW)));
        assert_eq!(said.nodes, Some(1000));
        assert_eq!(said.hear("bestmove b2 ponder a1").as_deref(), Some("b2"));
        assert_eq!(said.hear("  bestmove").as_deref(), Some(""));
        assert_eq!(said.hear("mumble"), None);
    }
}
