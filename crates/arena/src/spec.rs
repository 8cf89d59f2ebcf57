//! Descriptions of bots: built-in bots with their settings, and external programs.

use std::collections::BTreeMap;
use std::path::PathBuf;

use noughts_engine::BotKind;
use noughts_rules::{Variant, word_enum};
use serde::{Deserialize, Serialize};

use crate::bots_file::BotsFile;
use crate::error_text::{excerpt, is_unprintable, join_names, suggestion};
use crate::notation::Notation;
use crate::time_control::{TimeControl, TimeControlError};

/// A bot as described on the command line, in `bots.toml` and in a plan.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BotSpec {
    /// The display name, unique within a plan.
    pub name: String,
    /// Where the bot comes from.
    #[serde(rename = "who")]
    pub source: BotSource,
    /// The bot's own time control, which overrides the plan's.
    #[serde(rename = "pace")]
    pub time_control: Option<TimeControl>,
}

/// Where a bot comes from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BotSource {
    /// A built-in bot, run in this process.
    #[serde(rename = "ours")]
    Builtin(BuiltinBot),
    /// An external program, run as a child process.
    Program(Program),
    /// A player provided by the caller: only the caller's own [`MakePlayer`] can create it. The
    /// Python package uses this for Python objects.
    ///
    /// [`MakePlayer`]: crate::tournament::MakePlayer
    #[serde(rename = "guest")]
    Custom,
}

/// A built-in bot and its settings.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BuiltinBot {
    /// The name of the bot.
    pub kind: String,
    /// The number of threads it may use.
    pub threads: usize,
    /// The memory for its tables, in MiB.
    pub hash: usize,
    /// The bot's own seed, which overrides the tournament's.
    pub seed: Option<u64>,
}

/// An external bot.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Program {
    /// The protocol it speaks.
    pub protocol: Protocol,
    /// The notation in which it writes moves, if it speaks UGI.
    #[serde(default, skip_serializing_if = "Notation::is_native")]
    pub notation: Notation,
    /// The program to run.
    pub command: String,
    /// The program's arguments.
    pub arguments: Vec<String>,
    /// The working directory; `None` for the current one.
    pub directory: Option<PathBuf>,
    /// UGI options set before its first game.
    pub options: BTreeMap<String, String>,
    /// The number of threads it uses; this many cores are reserved for it.
    pub threads: usize,
    /// Environment variables in addition to the usual ones (`PATH`, `HOME`, `LANG` and so on): with
    /// a value, or `None` for the arena's value.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, Option<String>>,
    /// The memory each of its processes may allocate, in MiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    /// The CPU time each of its processes may use in one game, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<u64>,
}

impl Program {
    /// The command and its arguments, separated by spaces.
    pub(crate) fn command_line(&self) -> String {
        let arguments = self.arguments.iter().map(|argument| format!(" {argument}"));
        self.command.clone() + &arguments.collect::<String>()
    }
}

word_enum! {
    /// The protocol an external program speaks. The words are used in front of command lines and in
    /// `bots.toml`.
    #[derive(Default, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Protocol, word: name {
        /// The Universal Game Interface.
        #[default]
        Ugi = "ugi",
        /// CodinGame's ultimate tic-tac-toe protocol.
        Codingame = "codingame",
    }
}

impl Protocol {
    /// The names of the variants that its bots play, the usual one first. Empty if only a started bot knows.
    #[must_use]
    pub fn variants(self) -> &'static [&'static str] {
        match self {
            Protocol::Ugi => &[],
            // The site's own game is the second one.
            Protocol::Codingame => &["ultimate", "ception:end=most"],
        }
    }
}

/// An invalid description; the message says what is allowed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct SpecError(pub String);

impl BotSpec {
    /// Checks that the program exists and can be executed. Built-in bots always can.
    ///
    /// # Errors
    /// The program is missing or not executable.
    pub fn check_available(&self) -> Result<(), SpecError> {
        match &self.source {
            BotSource::Builtin(_) | BotSource::Custom => Ok(()),
            #[cfg(unix)]
            BotSource::Program(program) => crate::process::check_executable(program)
                .map_err(|reason| SpecError(format!("{}: {reason}", self.name))),
            #[cfg(not(unix))]
            BotSource::Program(_) => Err(SpecError(crate::no_process::UNSUPPORTED.into())),
        }
    }
}

impl BuiltinBot {
    /// The kind of bot.
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
    /// The strongest bot, with one thread and 64 MiB.
    fn default() -> BuiltinBot {
        BuiltinBot {
            kind: BotKind::Best.name().to_owned(),
            threads: 1,
            hash: 64,
            seed: None,
        }
    }
}

/// More threads than any machine has, but few enough not to exhaust it.
const MAX_THREADS: usize = 512;
/// In MiB.
const MAX_HASH: usize = 65_536;
/// Longer names would break the layout of tables.
const MAX_NAME_LENGTH: usize = 60;

impl BotSpec {
    /// The number of cores it needs while thinking.
    #[must_use]
    pub fn threads(&self) -> usize {
        match &self.source {
            BotSource::Builtin(builtin) => builtin.threads,
            BotSource::Program(program) => program.threads,
            BotSource::Custom => 1,
        }
    }

    /// Whether it speaks CodinGame's protocol.
    #[must_use]
    pub fn is_codingame(&self) -> bool {
        matches!(&self.source, BotSource::Program(program) if program.protocol == Protocol::Codingame)
    }

    /// The variant to check it with unless another is chosen.
    #[must_use]
    pub fn default_variant(&self) -> Variant {
        let names = match &self.source {
            BotSource::Program(program) => program.protocol.variants(),
            BotSource::Builtin(_) | BotSource::Custom => &[],
        };
        let usual = names.first().and_then(|name| name.parse().ok());
        usual.unwrap_or_default()
    }

    /// Parses a bot as named on the command line:
    ///
    /// - a name in `bots.toml`;
    /// - a built-in bot, optionally with settings: `mcts`, `mcts:time=100ms,seed=3,threads=2`;
    /// - a program: `ugi:COMMAND LINE` or `codingame:COMMAND LINE`, split like in a shell;
    ///   `ugi-global:COMMAND LINE` for one that writes cells of the 9×9 board as `e5` (or
    ///   `ugi-global-top`, with rank 1 at the top);
    /// - any of these after `LABEL=`, which sets the name.
    ///
    /// ```
    /// use noughts_arena::{BotSource, BotSpec, BotsFile};
    /// let none = BotsFile::default();
    /// let bot = BotSpec::parse("mcts:time=100ms,seed=3", &none)?;
    /// assert_eq!(bot.time_control.map(|limit| limit.to_string()).as_deref(), Some("time=100ms"));
    /// let bot = BotSpec::parse("new=ugi:./bot --style 'very bold'", &none)?;
    /// assert_eq!(bot.name, "new");
    /// let BotSource::Program(program) = bot.source else { panic!() };
    /// assert_eq!((program.command.as_str(), program.arguments.len()), ("./bot", 2));
    /// # Ok::<(), noughts_arena::SpecError>(())
    /// ```
    ///
    /// # Errors
    /// What is wrong, and what is allowed.
    pub fn parse(text: &str, bots: &BotsFile) -> Result<BotSpec, SpecError> {
        let text = text.trim();
        let (label, rest) = match text.split_once('=') {
            // `=` after a colon belongs to a setting.
            Some((label, rest)) if !label.contains(':') => (Some(label.trim()), rest.trim()),
            _ => (None, text),
        };
        let mut spec = Self::parse_unlabeled(rest, bots)?;
        if let Some(label) = label {
            label.clone_into(&mut spec.name);
        }
        check_name(&spec.name)?;
        Ok(spec)
    }

    fn parse_unlabeled(text: &str, bots: &BotsFile) -> Result<BotSpec, SpecError> {
        if let Some(spec) = bots.get(text) {
            return Ok(spec.clone());
        }
        let (word, rest) = text.split_once(':').unwrap_or((text, ""));
        if let Some((protocol, notation)) = protocol_and_notation(word) {
            return parse_program(word, protocol, notation, rest);
        }
        if word.parse::<BotKind>().is_err() {
            return Err(unknown_bot_error(text, bots));
        }
        parse_builtin(text, word, rest)
    }

    /// Checks whether it can play this variant. For UGI bots this isn't known before they are
    /// started.
    ///
    /// # Errors
    /// Why it can't.
    pub fn check_variant(&self, variant: Variant) -> Result<(), SpecError> {
        let result = match &self.source {
            BotSource::Builtin(builtin) => builtin
                .kind()?
                .check_supports(variant)
                .map_err(|error| error.reason.to_string()),
            BotSource::Program(program) => match program.protocol {
                Protocol::Ugi => program.notation.check_variant(variant),
                protocol if protocol.variants().contains(&&*variant.to_string()) => Ok(()),
                protocol => Err(format!(
                    "CodinGame bots only play {}",
                    protocol.variants().join(" and ")
                )),
            },
            BotSource::Custom => Ok(()),
        };
        let name = &self.name;
        result.map_err(|reason| SpecError(format!("{name} doesn't play {variant}: {reason}")))
    }
}

/// Checks that a name can be displayed in a table.
pub(crate) fn check_name(name: &str) -> Result<(), SpecError> {
    let wrong = |what| {
        let name: String = name.chars().take(MAX_NAME_LENGTH).collect();
        Err(SpecError(format!(
            "{name:?} isn't a valid bot name: {what}"
        )))
    };
    match name {
        _ if name.trim().is_empty() => wrong("it is empty"),
        _ if name.chars().any(is_unprintable) => {
            wrong("it has unprintable characters, or characters that change the text direction")
        }
        _ if name.chars().count() > MAX_NAME_LENGTH => wrong("it has more than 60 characters"),
        _ => Ok(()),
    }
}

/// Parses the prefix of a command line: `ugi`, `codingame`, `ugi-global`.
fn protocol_and_notation(word: &str) -> Option<(Protocol, Notation)> {
    match word.split_once('-') {
        Some(("ugi", notation)) => Some((Protocol::Ugi, Notation::from_word(notation)?)),
        Some(_) => None,
        None => Some((Protocol::from_word(word)?, Notation::Native)),
    }
}

fn parse_program(
    word: &str,
    protocol: Protocol,
    notation: Notation,
    line: &str,
) -> Result<BotSpec, SpecError> {
    let Some(mut words) = shlex::split(line) else {
        return Err(SpecError(
            "the command line has an unclosed quote, or ends with a backslash".into(),
        ));
    };
    if words.is_empty() {
        return Err(SpecError(format!(
            "{word}: needs a command, such as {word}:./bot or \"{word}:python3 bot.py\""
        )));
    }
    let command = words.remove(0);
    Ok(BotSpec {
        name: program_name(line.trim(), &command),
        source: BotSource::Program(Program {
            protocol,
            notation,
            command,
            arguments: words,
            threads: 1,
            ..Program::default()
        }),
        time_control: None,
    })
}

/// The whole command line if it is short: `python3 bot.py` says more than `python3`.
fn program_name(line: &str, command: &str) -> String {
    if line.chars().count() <= 32 && !line.chars().any(is_unprintable) {
        return line.to_owned();
    }
    let file = command.rsplit('/').next().unwrap_or(command);
    let printable = file.chars().filter(|&c| !is_unprintable(c));
    let name: String = printable.take(32).collect();
    match name.trim().is_empty() {
        true => "program".into(),
        false => name,
    }
}

/// Parses `KIND:KEY=VALUE,…`.
fn parse_builtin(text: &str, kind: &str, settings: &str) -> Result<BotSpec, SpecError> {
    let mut read = BuiltinSettings::new(kind.to_owned());
    for setting in settings.split(',').filter(|setting| !setting.is_empty()) {
        let Some((key, value)) = setting.split_once('=') else {
            return Err(SpecError(format!(
                "{setting:?} isn't a setting; use KEY=VALUE with one of these keys: {keys}",
                setting = excerpt(setting),
                keys = BuiltinSettings::KEYS.join(", ")
            )));
        };
        read.set(key.trim(), value.trim())?;
    }
    let name = read.name.clone().unwrap_or_else(|| text.to_owned());
    Ok(BotSpec {
        name,
        source: BotSource::Builtin(read.bot),
        time_control: read.time_control,
    })
}

/// The settings of a built-in bot while they are parsed, from the command line or a file.
pub(crate) struct BuiltinSettings {
    keys_seen: Vec<String>,
    pub(crate) bot: BuiltinBot,
    pub(crate) time_control: Option<TimeControl>,
    name: Option<String>,
}

impl BuiltinSettings {
    pub(crate) const KEYS: [&'static str; 8] = [
        "time", "tc", "nodes", "depth", "seed", "threads", "hash", "name",
    ];

    pub(crate) fn new(kind: String) -> BuiltinSettings {
        BuiltinSettings {
            keys_seen: Vec::new(),
            bot: BuiltinBot {
                kind,
                ..BuiltinBot::default()
            },
            time_control: None,
            name: None,
        }
    }

    pub(crate) fn set(&mut self, key: &str, value: &str) -> Result<(), SpecError> {
        if self.keys_seen.iter().any(|seen| seen == key) {
            return Err(SpecError(format!("{key} is set twice")));
        }
        self.keys_seen.push(key.to_owned());
        match key {
            "time" | "tc" | "nodes" | "depth" => {
                set_time_control(&mut self.time_control, key, value)?;
            }
            "seed" => self.bot.seed = Some(parse_in_range(key, value, 0, u64::MAX)?),
            "threads" => self.bot.threads = parse_threads(value)?,
            "hash" => self.bot.hash = parse_in_range(key, value, 1, MAX_HASH)?,
            "name" => self.name = Some(value.to_owned()),
            _ => {
                return Err(SpecError(format!(
                    "unknown setting {key:?}{suggestion}; use one of {keys}",
                    key = excerpt(key),
                    suggestion = suggestion(key, BuiltinSettings::KEYS),
                    keys = BuiltinSettings::KEYS.join(", ")
                )));
            }
        }
        Ok(())
    }
}

/// Sets a time control from a key and a value, unless there is one already.
pub(crate) fn set_time_control(
    time_control: &mut Option<TimeControl>,
    key: &str,
    value: &str,
) -> Result<(), SpecError> {
    if let Some(time_control) = time_control {
        return Err(SpecError(format!(
            "{key} conflicts with {time_control}; set only one of time, tc, nodes and depth"
        )));
    }
    let parsed = format!("{key}={value}").parse();
    *time_control = Some(parsed.map_err(|error: TimeControlError| SpecError(error.to_string()))?);
    Ok(())
}

pub(crate) fn parse_threads(value: &str) -> Result<usize, SpecError> {
    parse_in_range("threads", value, 1, MAX_THREADS)
}

fn parse_in_range<N>(key: &str, value: &str, min: N, max: N) -> Result<N, SpecError>
where
    N: std::str::FromStr + PartialOrd + std::fmt::Display + Copy,
{
    let number = value.parse::<N>().ok();
    let number = number.filter(|number| (min..=max).contains(number));
    number.ok_or_else(|| {
        let value: String = value.chars().take(40).collect();
        SpecError(format!(
            "{key} is {value:?}; it must be a whole number from {min} to {max}"
        ))
    })
}

/// The error for an unknown name: suggestions, and what is available.
fn unknown_bot_error(text: &str, bots: &BotsFile) -> SpecError {
    let builtin = BotKind::ALL.map(BotKind::name);
    let names: Vec<&str> = bots.names().collect();
    let word = text.split(':').next().unwrap_or_default();
    let first = text.split_whitespace().next().unwrap_or_default();
    let hint = match suggestion(word, names.iter().copied().chain(builtin)) {
        hint if !hint.is_empty() || !looks_like_a_file(first) => hint,
        _ if text.contains(char::is_whitespace) => {
            format!(" (did you mean \"ugi:{}\"?)", excerpt(text))
        }
        _ => format!(" (did you mean ugi:{}?)", excerpt(text)),
    };
    let file_text = match names.is_empty() {
        true => "no bots are defined in bots.toml".to_owned(),
        false => format!("the bots file has {names}", names = join_names(&names)),
    };
    SpecError(format!(
        "unknown bot {bot:?}{hint}; the built-in bots are {builtin}; {file_text}; for a program, use \
         ugi:COMMAND or codingame:COMMAND",
        bot = excerpt(text),
        builtin = builtin.join(", ")
    ))
}

/// Whether a word is a path or has a typical file extension of a program.
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
        match spec.source {
            BotSource::Program(program) => (spec.name, program),
            BotSource::Builtin(_) | BotSource::Custom => panic!("{text} is a program"),
        }
    }

    #[test]
    fn documented_forms_parse() {
        let spec = read("mcts:time=100ms,seed=3,threads=2,hash=128").expect("a bot");
        assert_eq!(spec.name, "mcts:time=100ms,seed=3,threads=2,hash=128");
        assert_eq!(spec.threads(), 2);
        assert_eq!(
            spec.source,
            BotSource::Builtin(BuiltinBot {
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

    /// Each error says what would be right.
    #[test]
    fn errors_are_explained() {
        let cases = [
            (
                "stockfish",
                "unknown bot \"stockfish\"; the built-in bots are random, easy",
            ),
            ("", "unknown bot \"\""),
            (
                "mcst",
                "unknown bot \"mcst\" (did you mean mcts?); the built-in bots are",
            ),
            ("mcst:nodes=5", "did you mean mcts?"),
            ("mine", "no bots are defined in bots.toml"),
            ("./bot.py", "did you mean ugi:./bot.py?"),
            ("bot.py --fast", "did you mean \"ugi:bot.py --fast\"?"),
            (
                "a\u{202e}b=mcts",
                "unprintable characters, or characters that change",
            ),
            ("a\u{200b}b=mcts", "unprintable"),
            (
                "mcts:node=5",
                "unknown setting \"node\" (did you mean nodes?)",
            ),
            ("mcts:time=fast", "`time=100ms` (per move)"),
            (
                "mcts:time=1s,nodes=3",
                "only one of time, tc, nodes and depth",
            ),
            ("mcts:seed=1,seed=2", "seed is set twice"),
            ("mcts:threads=0", "a whole number from 1 to 512"),
            ("mcts:hash=-1", "a whole number from 1 to 65536"),
            (
                "mcts:seed=x",
                "a whole number from 0 to 18446744073709551615",
            ),
            ("mcts:speed=9", "use one of time, tc, nodes, depth"),
            ("mcts:quick", "use KEY=VALUE"),
            ("ugi:", "needs a command, such as ugi:./bot"),
            ("ugi:  ", "needs a command"),
            ("codingame:'x", "unclosed quote"),
            ("ugi-local:./bot", "unknown bot"),
            ("codingame-global:./bot", "unknown bot"),
            ("=mcts", "it is empty"),
            ("a\tb=mcts", "unprintable"),
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
    fn the_bots_file_takes_precedence() {
        let text = "[mcts]\nbot = \"random\"\n[\"my bot\"]\ncommand = \"./bot\"\n";
        let bots = BotsFile::parse(text, std::path::Path::new("")).expect("a file");
        let spec = BotSpec::parse("mcts", &bots).expect("a bot");
        assert!(matches!(spec.source, BotSource::Builtin(builtin) if builtin.kind == "random"));
        assert_eq!(BotSpec::parse("x=my bot", &bots).expect("a bot").name, "x");
        let error = BotSpec::parse("nobody", &bots).expect_err("nobody");
        assert!(
            error.0.contains("the bots file has mcts, my bot"),
            "{error}"
        );
    }

    #[test]
    fn unsupported_variants_are_rejected() {
        let site = read("codingame:./a.out").expect("a bot");
        assert!(site.check_variant(Variant::CLASSIC).is_err());
        assert!(site.check_variant(Variant::ULTIMATE).is_ok());
        let negamax = read("negamax").expect("a bot");
        assert!(negamax.check_variant(Variant::ULTIMATE).is_err());
    }

    #[test]
    fn only_the_site_variant_and_ultimate_are_supported() {
        let bot = read("codingame:./bot").expect("a bot");
        for name in ["ultimate", "ception:end=most"] {
            assert_eq!(bot.check_variant(name.parse().expect("a variant")), Ok(()));
        }
        for name in [
            "classic",
            "ception:5a",
            "ception:depth=3,end=most",
            "ception:free=any",
        ] {
            let error = bot.check_variant(name.parse().expect("a variant"));
            let error = error.expect_err("another game");
            assert!(
                error.0.contains(name) && error.0.contains("ultimate and ception:end=most"),
                "{error}"
            );
        }
    }
}
