//! Bots as they are described: one of ours with its settings, or an outside program.

use std::collections::BTreeMap;
use std::path::PathBuf;

use noughts_engine::BotKind;
use noughts_rules::Variant;
use serde::{Deserialize, Serialize};

use crate::bots_file::BotsFile;
use crate::codingame;
use crate::error_text::{closest_name, excerpt, is_unprintable, join_names, suggestion};
use crate::notation::Notation;
use crate::plan::Openings;
use crate::process;
use crate::time_control::TimeControl;

/// A bot as it is described on the command line, in a file of bots and in a plan.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BotSpec {
    /// What it is called in tables; no two of a plan are called the same.
    pub name: String,
    /// Who it is.
    pub who: BotSource,
    /// Its own pace, in place of the plan's.
    pub pace: Option<TimeControl>,
}

/// One of ours, or a program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BotSource {
    /// A bot of this project, in this process.
    Ours(BuiltinBot),
    /// A child process.
    Program(Program),
    /// Somebody whom the caller brings along: only its own [`Factory`] can make a player of
    /// it. (Python's package lets objects play that way.)
    ///
    /// [`Factory`]: crate::tournament::Factory
    Guest,
}

/// A bot of this project.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BuiltinBot {
    /// Which one, by its name.
    pub kind: String,
    /// How many threads it may use.
    pub threads: usize,
    /// MiB for what it remembers.
    pub hash: usize,
    /// Its own seed, in place of one of the tournament's.
    pub seed: Option<u64>,
}

/// An outside bot.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Program {
    /// How one talks with it.
    pub protocol: Protocol,
    /// How it writes moves, by UGI.
    #[serde(default, skip_serializing_if = "Notation::is_native")]
    pub notation: Notation,
    /// The program.
    pub command: String,
    /// What it is started with.
    pub arguments: Vec<String>,
    /// Where it is started; here, where nothing is said.
    pub directory: Option<PathBuf>,
    /// Options that are set before its first game.
    pub options: BTreeMap<String, String>,
    /// How many threads it uses: so many cores are kept for it.
    pub threads: usize,
    /// Variables of its environment beyond the usual ones (`PATH`, `HOME`, `LANG` and the
    /// like): with a value, or `None` for the value that the arena has.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, Option<String>>,
    /// MiB of memory that each of its processes may allocate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    /// Seconds of processor time that each of its processes may use in one game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<u64>,
}

/// How one talks with a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Protocol {
    /// The universal game interface.
    #[default]
    Ugi,
    /// CodinGame's ultimate tic-tac-toe.
    Codingame,
}

/// A description that cannot be read; the sentence says what is allowed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct SpecError(pub String);

impl BotSpec {
    /// Is it there to be run? One of ours always is.
    ///
    /// # Errors
    /// The program is missing, or may not be run.
    pub fn check_available(&self) -> Result<(), SpecError> {
        match &self.who {
            BotSource::Ours(_) | BotSource::Guest => Ok(()),
            BotSource::Program(program) => process::check_executable(program)
                .map_err(|reason| SpecError(format!("{}: {reason}", self.name))),
        }
    }
}

impl BuiltinBot {
    /// Which bot it is.
    ///
    /// # Errors
    /// There is no such bot.
    pub fn kind(&self) -> Result<BotKind, SpecError> {
        self.kind
            .parse()
            .map_err(|error: noughts_engine::UnknownBotError| SpecError(error.to_string()))
    }
}

impl Default for BuiltinBot {
    /// The strongest, on one thread, with 64 MiB.
    fn default() -> BuiltinBot {
        BuiltinBot {
            kind: BotKind::Best.name().to_owned(),
            threads: 1,
            hash: 64,
            seed: None,
        }
    }
}

/// More threads than any machine has, and still not a threat to it.
const MOST_THREADS: usize = 512;
/// MiB.
const MOST_HASH: usize = 65_536;
/// Longer names spoil every table.
const LONGEST_NAME: usize = 60;

impl BotSpec {
    /// How many cores it needs while it thinks.
    #[must_use]
    pub fn threads(&self) -> usize {
        match &self.who {
            BotSource::Ours(ours) => ours.threads,
            BotSource::Program(program) => program.threads,
            BotSource::Guest => 1,
        }
    }

    /// Reads a bot as it is named on the command line:
    ///
    /// - a name of the file of bots;
    /// - one of ours, perhaps with settings: `mcts`, `mcts:time=100ms,seed=3,threads=2`;
    /// - a program: `ugi:COMMAND LINE` or `codingame:COMMAND LINE`, split as a shell would;
    ///   `ugi-global:COMMAND LINE` for one that writes cells of the 9×9 board as `e5` (or
    ///   `ugi-global-top`, with rank 1 at the top);
    /// - `LABEL=` before any of these gives it another name.
    ///
    /// ```
    /// use noughts_arena::{BotSpec, BotsFile, Who};
    /// let none = BotsFile::default();
    /// let bot = BotSpec::read("mcts:time=100ms,seed=3", &none)?;
    /// assert_eq!(bot.pace.map(|pace| pace.to_string()).as_deref(), Some("time=100ms"));
    /// let bot = BotSpec::read("new=ugi:./bot --style 'very bold'", &none)?;
    /// assert_eq!(bot.name, "new");
    /// let Who::Program(program) = bot.who else { panic!() };
    /// assert_eq!((program.command.as_str(), program.arguments.len()), ("./bot", 2));
    /// # Ok::<(), noughts_arena::SpecError>(())
    /// ```
    ///
    /// # Errors
    /// What is wrong, and what is allowed.
    pub fn parse(text: &str, bots: &BotsFile) -> Result<BotSpec, SpecError> {
        let text = text.trim();
        let (label, rest) = match text.split_once('=') {
            // The settings behind a colon have signs of their own.
            Some((label, rest)) if !label.contains(':') => (Some(label.trim()), rest.trim()),
            _ => (None, text),
        };
        let mut spec = Self::read_unlabelled(rest, bots)?;
        if let Some(label) = label {
            label.clone_into(&mut spec.name);
        }
        check_name(&spec.name)?;
        Ok(spec)
    }

    fn read_unlabelled(text: &str, bots: &BotsFile) -> Result<BotSpec, SpecError> {
        if let Some(spec) = bots.get(text) {
            return Ok(spec.clone());
        }
        let (word, rest) = match text.split_once(':') {
            Some((word, rest)) => (word, Some(rest)),
            None => (text, None),
        };
        if let Some((protocol, notation)) = protocol_and_notation(word) {
            return program(word, protocol, notation, rest.unwrap_or_default());
        }
        if word.parse::<BotKind>().is_err() {
            return Err(unknown(text, bots));
        }
        ours(text, word, rest.unwrap_or_default())
    }

    /// Can it play this variant? Of a UGI bot one knows only when it is asked.
    ///
    /// # Errors
    /// Why not.
    pub fn check_variant(&self, variant: Variant) -> Result<(), SpecError> {
        let result = match &self.who {
            BotSource::Ours(ours) => {
                let kind = ours.kind()?;
                kind.check_supports(variant).map_err(|reason| {
                    SpecError(format!("{kind} does not play {variant}: {reason}"))
                })
            }
            BotSource::Program(program) => match program.protocol {
                Protocol::Ugi => program.notation.check_variant(variant).map_err(SpecError),
                Protocol::Codingame => codingame::check_variant(variant),
            },
            BotSource::Guest => Ok(()),
        };
        result.map_err(|error| SpecError(format!("{}: {error}", self.name)))
    }

    /// Can it begin where these openings end?
    ///
    /// # Errors
    /// CodinGame's bots are told the last move alone, so that they know nothing of an
    /// opening.
    pub fn check_openings(&self, openings: &Openings) -> Result<(), SpecError> {
        match (&self.who, openings) {
            (BotSource::Program(program), openings)
                if program.protocol == Protocol::Codingame && *openings != Openings::Start =>
            {
                Err(SpecError(format!(
                    "{}: CodinGame's bots are told the last move alone and play from the start \
                     only; leave the openings out",
                    self.name
                )))
            }
            _ => Ok(()),
        }
    }
}

impl Protocol {
    /// The word before the colon of the command line, and in the file of bots.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Protocol::Ugi => "ugi",
            Protocol::Codingame => "codingame",
        }
    }
}

/// A name that can stand in a table.
pub(crate) fn check_name(name: &str) -> Result<(), SpecError> {
    let wrong = |what| {
        let name: String = name.chars().take(LONGEST_NAME).collect();
        Err(SpecError(format!("{name:?} is no name for a bot: {what}")))
    };
    match name {
        _ if name.trim().is_empty() => wrong("it is empty"),
        _ if name.chars().any(is_unprintable) => {
            wrong("it has characters that cannot be shown, or that turn the text behind them")
        }
        _ if name.chars().count() > LONGEST_NAME => wrong("it has more than 60 characters"),
        _ => Ok(()),
    }
}

/// What the word before a command line says: `ugi`, `codingame`, `ugi-global`.
fn protocol_and_notation(word: &str) -> Option<(Protocol, Notation)> {
    let (protocol, notation) = match word.split_once('-') {
        Some(("ugi", notation)) => ("ugi", Notation::from_name(notation)?),
        Some(_) => return None,
        None => (word, Notation::Native),
    };
    let protocol = [Protocol::Ugi, Protocol::Codingame]
        .into_iter()
        .find(|known| known.name() == protocol)?;
    Some((protocol, notation))
}

fn program(
    word: &str,
    protocol: Protocol,
    notation: Notation,
    line: &str,
) -> Result<BotSpec, SpecError> {
    let Some(mut words) = shlex::split(line) else {
        return Err(SpecError(
            "a quotation mark or a backslash at the end of the command line is not closed".into(),
        ));
    };
    if words.is_empty() {
        return Err(SpecError(format!(
            "{word}: needs a command line, such as {word}:./bot or \"{word}:python3 bot.py\""
        )));
    }
    let command = words.remove(0);
    Ok(BotSpec {
        name: program_name(line.trim(), &command),
        who: BotSource::Program(Program {
            protocol,
            notation,
            command,
            arguments: words,
            threads: 1,
            ..Program::default()
        }),
        pace: None,
    })
}

/// The whole line while it is short: `python3 bot.py` says more than `python3`.
fn program_name(line: &str, command: &str) -> String {
    if line.chars().count() <= 32 && !line.chars().any(is_unprintable) {
        return line.to_owned();
    }
    let file = command.rsplit('/').next().unwrap_or(command);
    let name: String = file
        .chars()
        .filter(|&c| !is_unprintable(c))
        .take(32)
        .collect();
    match name.trim().is_empty() {
        true => "program".into(),
        false => name,
    }
}

/// `KIND:KEY=VALUE,…`.
fn ours(text: &str, kind: &str, settings: &str) -> Result<BotSpec, SpecError> {
    let mut read = BuiltinSettings::new(String::new(), kind.to_owned());
    for setting in settings.split(',').filter(|setting| !setting.is_empty()) {
        let Some((key, value)) = setting.split_once('=') else {
            return Err(SpecError(format!(
                "{:?} is no setting: KEY=VALUE is needed; the keys are {}",
                excerpt(setting),
                BuiltinSettings::KEYS.join(", ")
            )));
        };
        read.set(key.trim(), value.trim())?;
    }
    let name = read.name.clone().unwrap_or_else(|| text.to_owned());
    Ok(BotSpec {
        name,
        who: BotSource::Ours(read.bot),
        pace: read.time_control,
    })
}

/// The settings of one of ours as they are read, from the command line or a file.
pub(crate) struct BuiltinSettings {
    /// What every complaint begins with.
    place: String,
    seen: Vec<String>,
    pub(crate) bot: BuiltinBot,
    pub(crate) time_control: Option<TimeControl>,
    name: Option<String>,
}

impl BuiltinSettings {
    pub(crate) const KEYS: [&'static str; 8] = [
        "time", "tc", "nodes", "depth", "seed", "threads", "hash", "name",
    ];

    pub(crate) fn new(place: String, kind: String) -> BuiltinSettings {
        BuiltinSettings {
            place,
            seen: Vec::new(),
            bot: BuiltinBot {
                kind,
                ..BuiltinBot::default()
            },
            time_control: None,
            name: None,
        }
    }

    pub(crate) fn set(&mut self, key: &str, value: &str) -> Result<(), SpecError> {
        let place = &self.place;
        if self.seen.iter().any(|seen| seen == key) {
            return Err(SpecError(format!("{place}{key} is given twice")));
        }
        self.seen.push(key.to_owned());
        match key {
            "time" | "tc" | "nodes" | "depth" => {
                if let Some(pace) = self.time_control {
                    return Err(SpecError(format!(
                        "{place}{key} and {pace} are given: only one of time, tc, nodes and \
                         depth can be"
                    )));
                }
                self.time_control = Some(parse_time_control(place, key, value)?);
            }
            "seed" => self.bot.seed = Some(within(place, key, value, 0, u64::MAX)?),
            "threads" => self.bot.threads = within(place, key, value, 1, MOST_THREADS)?,
            "hash" => self.bot.hash = within(place, key, value, 1, MOST_HASH)?,
            "name" => self.name = Some(value.to_owned()),
            _ => {
                return Err(SpecError(format!(
                    "{place}there is no setting {:?}{}; the settings are {}",
                    excerpt(key),
                    suggestion(key, BuiltinSettings::KEYS),
                    BuiltinSettings::KEYS.join(", ")
                )));
            }
        }
        Ok(())
    }
}

/// A pace of which the key is one word and the value another.
pub(crate) fn parse_time_control(
    place: &str,
    key: &str,
    value: &str,
) -> Result<TimeControl, SpecError> {
    format!("{key}={value}")
        .parse()
        .map_err(|error| SpecError(format!("{place}{error}")))
}

pub(crate) fn parse_threads(place: &str, value: &str) -> Result<usize, SpecError> {
    within(place, "threads", value, 1, MOST_THREADS)
}

fn within<N>(place: &str, key: &str, value: &str, least: N, most: N) -> Result<N, SpecError>
where
    N: std::str::FromStr + PartialOrd + std::fmt::Display + Copy,
{
    let number = value.parse::<N>().ok();
    let number = number.filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| {
        let value: String = value.chars().take(40).collect();
        SpecError(format!(
            "{place}{key} is {value:?}: a whole number from {least} to {most} is needed"
        ))
    })
}

/// Nobody of that name: what may have been meant, and what there is.
fn unknown(text: &str, bots: &BotsFile) -> SpecError {
    let ours = BotKind::ALL.map(BotKind::name);
    let names: Vec<&str> = bots.names().collect();
    let word = text.split(':').next().unwrap_or_default();
    let first = text.split_whitespace().next().unwrap_or_default();
    let hint = match closest_name(word, names.iter().copied().chain(ours)) {
        Some(near) => format!(" (did you mean {near}?)"),
        None if looks_like_a_file(first) => {
            let command = match text.contains(char::is_whitespace) {
                true => format!("\"ugi:{}\"", excerpt(text)),
                false => format!("ugi:{}", excerpt(text)),
            };
            format!(" (did you mean {command}?)")
        }
        None => String::new(),
    };
    let described = match names.is_empty() {
        true => "no file bots.toml describes others".to_owned(),
        false => format!("the file of bots has {}", join_names(&names)),
    };
    SpecError(format!(
        "there is no bot {:?}{hint}; ours are {}; {described}; a program is ugi:COMMAND or \
         codingame:COMMAND",
        excerpt(text),
        ours.join(", ")
    ))
}

/// A path, or a name with an ending of a program.
fn looks_like_a_file(word: &str) -> bool {
    const ENDINGS: [&str; 8] = ["py", "js", "rb", "sh", "exe", "out", "pl", "jar"];
    let ending = word.rsplit_once('.').map(|(_, ending)| ending);
    word.contains('/') || ending.is_some_and(|ending| ENDINGS.contains(&ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<BotSpec, SpecError> {
        BotSpec::parse(text, &BotsFile::default())
    }

    fn program_of(text: &str) -> (String, Program) {
        let spec = read(text).expect("a bot");
        match spec.who {
            BotSource::Program(program) => (spec.name, program),
            BotSource::Ours(_) | BotSource::Guest => panic!("{text} is a program"),
        }
    }

    #[test]
    fn bots_are_read_as_they_are_documented() {
        let spec = read("mcts:time=100ms,seed=3,threads=2,hash=128").expect("a bot");
        assert_eq!(spec.name, "mcts:time=100ms,seed=3,threads=2,hash=128");
        assert_eq!(spec.threads(), 2);
        assert_eq!(
            spec.who,
            BotSource::Ours(BuiltinBot {
                kind: "mcts".into(),
                threads: 2,
                hash: 128,
                seed: Some(3)
            })
        );
        assert_eq!(read("strong=best").expect("a bot").name, "strong");
        assert_eq!(read("best:name=Zoe").expect("a bot").name, "Zoe");
        assert_eq!(
            read("mine=best:name=Zoe,tc=10s+0.1").expect("a bot").name,
            "mine"
        );

        let (name, program) = program_of("ugi:python3 'my bot.py' --depth=3");
        assert_eq!(name, "python3 'my bot.py' --depth=3");
        assert_eq!(program.arguments, ["my bot.py", "--depth=3"]);
        let (name, program) = program_of("old=codingame:/some/where/a.out");
        assert_eq!(
            (name.as_str(), program.protocol),
            ("old", Protocol::Codingame)
        );
        let (_, program) = program_of("ugi-global-top:./bot");
        assert_eq!(
            (program.protocol, program.notation),
            (Protocol::Ugi, Notation::GlobalTop)
        );
        let (name, _) = program_of("ugi:/a/very/long/path/to/some/program --with --many --flags");
        assert_eq!(name, "program");
    }

    /// Each mistake gets a sentence that says what would be right.
    #[test]
    fn mistakes_are_explained() {
        let cases = [
            (
                "stockfish",
                "there is no bot \"stockfish\"; ours are random, easy",
            ),
            ("", "there is no bot \"\""),
            ("mcst", "no bot \"mcst\" (did you mean mcts?); ours are"),
            ("mcst:nodes=5", "did you mean mcts?"),
            ("mine", "no file bots.toml describes others"),
            ("./bot.py", "did you mean ugi:./bot.py?"),
            ("bot.py --fast", "did you mean \"ugi:bot.py --fast\"?"),
            ("a\u{202e}b=mcts", "cannot be shown, or that turn"),
            ("a\u{200b}b=mcts", "cannot be shown"),
            ("mcts:node=5", "no setting \"node\" (did you mean nodes?)"),
            ("mcts:time=fast", "`time=100ms` for each move"),
            (
                "mcts:time=1s,nodes=3",
                "only one of time, tc, nodes and depth",
            ),
            ("mcts:seed=1,seed=2", "seed is given twice"),
            ("mcts:threads=0", "a whole number from 1 to 512"),
            ("mcts:hash=-1", "a whole number from 1 to 65536"),
            (
                "mcts:seed=x",
                "a whole number from 0 to 18446744073709551615",
            ),
            ("mcts:speed=9", "the settings are time, tc, nodes, depth"),
            ("mcts:quick", "KEY=VALUE is needed"),
            ("ugi:", "needs a command line, such as ugi:./bot"),
            ("ugi:  ", "needs a command line"),
            ("codingame:'x", "is not closed"),
            ("ugi-local:./bot", "there is no bot"),
            ("codingame-global:./bot", "there is no bot"),
            ("=mcts", "it is empty"),
            ("a\tb=mcts", "cannot be shown"),
        ];
        for (text, expected) in cases {
            let error = read(text).expect_err(text);
            assert!(error.0.contains(expected), "{text}: {error}");
            assert!(!error.0.contains('\n') && error.0.len() < 500, "{error}");
        }
        let long = format!("{}=mcts", "n".repeat(61));
        assert!(
            read(&long)
                .expect_err("too long")
                .0
                .contains("more than 60")
        );
    }

    #[test]
    fn a_bot_of_the_file_comes_first() {
        let text = "[mcts]\nbot = \"random\"\n[\"my bot\"]\ncommand = \"./bot\"\n";
        let bots = BotsFile::parse(text, std::path::Path::new("")).expect("a file");
        let spec = BotSpec::parse("mcts", &bots).expect("a bot");
        assert!(matches!(spec.who, BotSource::Ours(ours) if ours.kind == "random"));
        assert_eq!(BotSpec::parse("x=my bot", &bots).expect("a bot").name, "x");
        let error = BotSpec::parse("nobody", &bots).expect_err("nobody");
        assert!(
            error.0.contains("the file of bots has mcts, my bot"),
            "{error}"
        );
    }

    #[test]
    fn what_cannot_be_played_is_refused_beforehand() {
        let site = read("codingame:./a.out").expect("a bot");
        assert!(site.check_variant(Variant::CLASSIC).is_err());
        assert!(site.check_variant(Variant::ULTIMATE).is_ok());
        assert!(site.check_openings(&Openings::Start).is_ok());
        let error = site
            .check_openings(&Openings::Random(2))
            .expect_err("no openings");
        assert!(error.0.contains("from the start only"), "{error}");
        let negamax = read("negamax").expect("a bot");
        assert!(negamax.check_variant(Variant::ULTIMATE).is_err());
        assert!(negamax.check_openings(&Openings::Random(2)).is_ok());
    }
}
