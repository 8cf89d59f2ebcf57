//! `bots.toml`, the file that describes bots: one table per bot.
//!
//! ```toml
//! [mine]
//! command = "./mine"          # on the PATH, or relative to `directory`
//! arguments = ["--quiet"]
//! directory = "bots"          # relative to this file's folder, the default
//! protocol = "ugi"            # or "codingame"; the default is "ugi"
//! notation = "native"         # or "global" (`e5` on the 9×9 board), "global-top"
//! threads = 2                 # the number of cores reserved for it
//! time = "100ms"              # or tc = "10s+100ms", nodes = 5000, depth = 4
//! options = { Hash = 64 }     # set before its first game
//! env = { SEED = "3", PYTHONPATH = true }   # in addition to PATH, HOME, LANG …; true: the arena's value
//! memory = "512M"             # per process; also cpu = "60s" per game
//!
//! [tree]
//! bot = "mcts"                # a built-in bot
//! nodes = 5000
//! seed = 3                    # also threads and hash
//! ```

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use crate::error_text::{self, excerpt};
use crate::limits;
use crate::spec::{self, BotSource, BotSpec, BuiltinSettings, Program, Protocol, SpecError};
use crate::text_file::read_text;
use crate::time_control::TimeControl;

/// The largest `bots.toml` that is read, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// The bots described in a `bots.toml`, by name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BotsFile {
    bots: BTreeMap<String, BotSpec>,
}

const PROGRAM_KEYS: [&str; 14] = [
    "command",
    "arguments",
    "directory",
    "protocol",
    "notation",
    "threads",
    "options",
    "env",
    "memory",
    "cpu",
    "time",
    "tc",
    "nodes",
    "depth",
];
const BUILTIN_KEYS: [&str; 8] = [
    "bot", "time", "tc", "nodes", "depth", "seed", "threads", "hash",
];

impl BotsFile {
    /// Reads a file.
    ///
    /// # Errors
    /// The file can't be read or is invalid; the message says where.
    pub fn read(path: &Path) -> Result<BotsFile, SpecError> {
        let displayed = path.display();
        let text = read_text(path, MAX_BYTES)
            .map_err(|error| SpecError(format!("{displayed} {error}")))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        BotsFile::parse(&text, folder).map_err(|error| SpecError(format!("{displayed}: {error}")))
    }

    /// Parses the text of a file; relative directories are resolved against `folder`.
    ///
    /// # Errors
    /// The bot, the key, and the values it accepts.
    pub fn parse(text: &str, folder: &Path) -> Result<BotsFile, SpecError> {
        let table: Table = text
            .parse()
            .map_err(|error: toml::de::Error| SpecError(toml_error_text(text, &error)))?;
        let mut bots = BTreeMap::new();
        for (name, value) in table {
            let Value::Table(keys) = value else {
                let name = excerpt(&name);
                return Err(SpecError(format!(
                    "{name}: a bot must be a table: write [{name}] with its keys below"
                )));
            };
            spec::check_name(&name)?;
            if name.contains(['=', ':']) {
                return Err(SpecError(format!(
                    "{name:?} isn't a valid bot name: colons and equals signs have a special \
                     meaning on the command line"
                )));
            }
            let (source, time_control) =
                parse_bot(&keys, folder).map_err(|error| SpecError(format!("{name}: {error}")))?;
            let spec = BotSpec {
                name: name.clone(),
                source,
                time_control,
            };
            bots.insert(name, spec);
        }
        Ok(BotsFile { bots })
    }

    /// The bot with this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&BotSpec> {
        self.bots.get(name)
    }

    /// All names, in alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.bots.keys().map(String::as_str)
    }
}

/// A TOML syntax error with its line and column, on one line.
fn toml_error_text(text: &str, error: &toml::de::Error) -> String {
    let message = excerpt(&error.message().replace('\n', "; "));
    let offset = error.span().map(|span| span.start.min(text.len()));
    let Some(before) = offset.and_then(|offset| text.get(..offset)) else {
        return format!("not valid TOML: {message}");
    };
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
    format!("line {line}, column {column}: not valid TOML: {message}")
}

type Bot = (BotSource, Option<TimeControl>);

/// Parses the table of a bot. Errors don't name the bot.
fn parse_bot(keys: &Table, folder: &Path) -> Result<Bot, SpecError> {
    // Report an unknown key first: it may be a misspelling of the one that seems to be missing.
    let known: Vec<&str> = PROGRAM_KEYS.into_iter().chain(BUILTIN_KEYS).collect();
    check_keys(keys, &known, "a bot")?;
    match (keys.get("bot"), keys.get("command")) {
        (Some(_), Some(_)) => error(
            "it has both `bot` and `command`; use `bot` for a built-in bot or `command` for a program",
        ),
        (None, None) => error(
            "it needs `command = \"…\"` for a program, or `bot = \"mcts\"` for a built-in bot",
        ),
        (Some(kind), None) => parse_builtin(keys, kind),
        (None, Some(_)) => parse_program(keys, folder),
    }
}

fn error<T>(message: impl Into<String>) -> Result<T, SpecError> {
    Err(SpecError(message.into()))
}

fn parse_builtin(keys: &Table, kind: &Value) -> Result<Bot, SpecError> {
    check_keys(keys, &BUILTIN_KEYS, "a built-in bot")?;
    let mut settings = BuiltinSettings::new(text("bot", kind)?);
    if let Err(unknown) = settings.bot.kind() {
        return error(format!("bot: {unknown}"));
    }
    for key in BUILTIN_KEYS.into_iter().filter(|&key| key != "bot") {
        if let Some(value) = keys.get(key) {
            settings.set(key, &scalar(key, value)?)?;
        }
    }
    Ok((BotSource::Builtin(settings.bot), settings.time_control))
}

fn parse_program(keys: &Table, folder: &Path) -> Result<Bot, SpecError> {
    check_keys(keys, &PROGRAM_KEYS, "a program")?;
    let mut program = Program {
        directory: Some(folder.to_owned()),
        threads: 1,
        ..Program::default()
    };
    let mut time_control = None;
    let given = PROGRAM_KEYS
        .into_iter()
        .filter_map(|key| Some((key, keys.get(key)?)));
    for (key, value) in given {
        match key {
            "command" => program.command = text(key, value)?,
            "arguments" => {
                program.arguments = value.clone().try_into().or_else(|_| {
                    error("arguments must be a list of strings, such as [\"bot.py\", \"-q\"]")
                })?;
            }
            "directory" => program.directory = Some(folder.join(text(key, value)?)),
            "protocol" => {
                program.protocol = value.clone().try_into().or_else(|_| {
                    error(format!(
                        "protocol is {value}; it must be \"ugi\" or \"codingame\""
                    ))
                })?;
            }
            "notation" if program.protocol == Protocol::Codingame => {
                return error(
                    "notation only applies to UGI bots; CodinGame bots always use the same one",
                );
            }
            "notation" => {
                program.notation = value.clone().try_into().or_else(|_| {
                    error(format!(
                        "notation is {value}; it must be \"native\", \"global\" or \"global-top\""
                    ))
                })?;
            }
            "threads" => program.threads = spec::parse_threads(&scalar(key, value)?)?,
            "options" => program.options = parse_options(value)?,
            "env" => {
                program.env = parse_env(value).or_else(|what| error(format!("env: {what}")))?;
            }
            "memory" => program.memory = Some(parse_limit(key, value, limits::parse_memory)?),
            "cpu" => program.cpu = Some(parse_limit(key, value, limits::parse_cpu)?),
            _ => spec::set_time_control(&mut time_control, key, &scalar(key, value)?)?,
        }
    }
    if program.command.trim().is_empty() {
        return error("command is empty; give the program's name or path");
    }
    program.directory = program.directory.filter(|path| *path != PathBuf::new());
    Ok((BotSource::Program(program), time_control))
}

fn parse_options(value: &Value) -> Result<BTreeMap<String, String>, SpecError> {
    let Value::Table(options) = value else {
        return error("options must be a table, such as { Hash = 64, Style = \"bold\" }");
    };
    let option = |(name, value): (&String, &Value)| match scalar_to_string(value) {
        // The protocol is line-based: an option must fit on one line.
        Some(value) if !value.chars().chain(name.chars()).any(char::is_control) => {
            Ok((name.clone(), value))
        }
        _ => error(format!(
            "options.{name} must be one line of text, a number, true or false",
            name = excerpt(name)
        )),
    };
    options.iter().map(option).collect()
}

fn parse_env(value: &Value) -> Result<BTreeMap<String, Option<String>>, String> {
    let Value::Table(table) = value else {
        return Err("it must be a table, such as { SEED = \"3\" }".into());
    };
    let variable = |(name, value): (&String, &Value)| {
        limits::check_env_name(name)?;
        match value {
            Value::Boolean(true) => Ok((name.clone(), None)),
            Value::String(_) | Value::Integer(_) | Value::Float(_) => {
                Ok((name.clone(), scalar_to_string(value)))
            }
            _ => Err(format!(
                "{name} must be text, a number, or true to pass on your own value",
                name = excerpt(name)
            )),
        }
    };
    table.iter().map(variable).collect()
}

fn parse_limit(
    key: &str,
    value: &Value,
    parse: impl Fn(&str) -> Result<u64, String>,
) -> Result<u64, SpecError> {
    let text = scalar(key, value)?;
    parse(&text).or_else(|reason| error(format!("{key} is {:?}; {reason}", excerpt(&text))))
}

fn check_keys(keys: &Table, allowed: &[&str], kind: &str) -> Result<(), SpecError> {
    let Some(key) = keys.keys().find(|key| !allowed.contains(&key.as_str())) else {
        return Ok(());
    };
    let mut names: Vec<&str> = Vec::new();
    for name in allowed {
        if !names.contains(name) {
            names.push(name);
        }
    }
    error(format!(
        "unknown key {key:?} for {kind}{suggestion}; use one of {names}",
        key = excerpt(key),
        suggestion = error_text::suggestion(key, allowed.iter().copied()),
        names = names.join(", ")
    ))
}

fn text(key: &str, value: &Value) -> Result<String, SpecError> {
    match value.as_str() {
        Some(text) => Ok(text.to_owned()),
        None => error(format!("{key} must be text in quotes")),
    }
}

/// Accepts numbers both as numbers and as strings.
fn scalar(key: &str, value: &Value) -> Result<String, SpecError> {
    scalar_to_string(value)
        .filter(|_| !value.is_bool())
        .ok_or_else(|| SpecError(format!("{key} must be a number, or text in quotes")))
}

fn scalar_to_string(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Integer(_) | Value::Float(_) | Value::Boolean(_) => Some(value.to_string()),
        Value::Datetime(_) | Value::Array(_) | Value::Table(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<BotsFile, SpecError> {
        BotsFile::parse(text, Path::new("folder"))
    }

    /// The example in the module documentation parses.
    #[test]
    fn the_documented_file_parses() {
        let displayed = include_str!("bots_file.rs");
        let text: String = displayed
            .lines()
            .map_while(|line| line.strip_prefix("//!"))
            .skip_while(|line| !line.contains("```toml"))
            .skip(1)
            .take_while(|line| !line.contains("```"))
            .map(|line| format!("{line}\n"))
            .collect();
        let bots = parse(&text).expect("it is right");
        assert_eq!(bots.names().collect::<Vec<_>>(), ["mine", "tree"]);
        let mine = bots.get("mine").expect("it is there");
        let BotSource::Program(program) = &mine.source else {
            panic!("a program");
        };
        assert_eq!(program.command, "./mine");
        assert_eq!(program.arguments, ["--quiet"]);
        assert_eq!(program.directory.as_deref(), Some(Path::new("folder/bots")));
        assert_eq!((program.threads, program.protocol), (2, Protocol::Ugi));
        assert_eq!(program.options.get("Hash").map(String::as_str), Some("64"));
        let env = [
            ("PYTHONPATH".into(), None),
            ("SEED".into(), Some("3".into())),
        ];
        assert_eq!(program.env, env.into());
        assert_eq!((program.memory, program.cpu), (Some(512), None));
        assert_eq!(
            mine.time_control
                .map(|time_control| time_control.to_string())
                .as_deref(),
            Some("time=100ms")
        );
        let tree = bots.get("tree").expect("it is there");
        assert_eq!(tree.time_control, Some(TimeControl::Nodes(5000)));
        assert!(matches!(&tree.source, BotSource::Builtin(ours) if ours.seed == Some(3)));
    }

    #[test]
    fn errors_name_the_bot_the_key_and_what_is_allowed() {
        let cases = [
            ("x = 3", "x: a bot must be a table"),
            ("[x]", "x: it needs `command"),
            ("[x]\nbot = \"mcts\"\ncommand = \"y\"", "x: it has both"),
            (
                "[x]\nbot = \"deep\"",
                "x: bot: unknown bot \"deep\"; use one of random",
            ),
            ("[x]\nbot = 3", "x: bot must be text"),
            (
                "[x]\nbot = \"mcts\"\nspeed = 3",
                "x: unknown key \"speed\" for a bot (did you mean seed?); use one of command, arguments",
            ),
            (
                "[x]\nbot = \"mcts\"\nthreads = 0",
                "x: threads is \"0\"; it must be a whole number from 1 to 512",
            ),
            (
                "[x]\nbot = \"mcts\"\ntime = \"soon\"",
                "x: \"time=soon\" isn't a time control",
            ),
            (
                "[x]\nbot = \"mcts\"\nseed = true",
                "x: seed must be a number",
            ),
            ("[x]\ncommand = \"\"", "x: command is empty"),
            ("[x]\ncommand = [\"a\"]", "x: command must be text"),
            (
                "[x]\ncommand = \"a\"\nargument = \"b\"",
                "x: unknown key \"argument\" for a bot (did you mean arguments?); use one of command, arguments",
            ),
            (
                "[x]\ncommand = \"a\"\nseed = 3",
                "x: unknown key \"seed\" for a program",
            ),
            (
                "[x]\ncommand = \"a\"\narguments = \"b\"",
                "x: arguments must be a list",
            ),
            (
                "[x]\ncommand = \"a\"\narguments = [1]",
                "x: arguments must be a list",
            ),
            (
                "[x]\ncommand = \"a\"\nnotation = \"e5\"",
                "x: notation is \"e5\"; it must be \"native\", \"global\"",
            ),
            (
                "[x]\ncommand = \"a\"\nprotocol = \"uci\"",
                "x: protocol is \"uci\"; it must be \"ugi\" or \"codingame\"",
            ),
            (
                "[x]\ncommand = \"a\"\nthreads = 1.5",
                "x: threads is \"1.5\"",
            ),
            (
                "[x]\ncommand = \"a\"\noptions = 3",
                "x: options must be a table",
            ),
            (
                "[x]\ncommand = \"a\"\noptions = { A = [] }",
                "x: options.A must be one line",
            ),
            (
                "[x]\ncommand = \"a\"\noptions = { A = \"b\\nquit\" }",
                "x: options.A must be one line",
            ),
            (
                "[x]\ncommand = \"a\"\ntime = \"1s\"\nnodes = 3",
                "x: nodes conflicts with time=1s",
            ),
            (
                "[x]\ncommand = \"a\"\nenv = 3",
                "x: env: it must be a table",
            ),
            (
                "[x]\ncommand = \"a\"\nenv = { A = false }",
                "x: env: A must be text, a number, or true",
            ),
            (
                "[x]\ncommand = \"a\"\nenv = { \"A B\" = \"c\" }",
                "x: env: \"A B\" isn't a valid variable name",
            ),
            (
                "[x]\ncommand = \"a\"\nmemory = \"4K\"",
                "x: memory is \"4K\"; use an amount of memory such as 512M",
            ),
            (
                "[x]\ncommand = \"a\"\ncpu = 0",
                "x: cpu is \"0\"; use CPU time in whole seconds",
            ),
            (
                "[\"a:b\"]\ncommand = \"a\"",
                "\"a:b\" isn't a valid bot name",
            ),
            ("[\"\"]\ncommand = \"a\"", "it is empty"),
            ("[x\ncommand = 3", "line 1, column 3: not valid TOML: "),
            (
                "[x]\nbot = \"mcts\"\nnodes = 99999999999999999999",
                "line 3, column 9: not valid TOML: ",
            ),
            (
                "[x]\ncomand = \"a\"",
                "x: unknown key \"comand\" for a bot (did you mean command?); use one of command, arguments",
            ),
            (
                "[x]\ncommand = \"a\"\noptions = { \"A\\nB\" = [] }",
                "x: options.A\u{fffd}B must be one line",
            ),
        ];
        for (text, expected) in cases {
            let error = parse(text).expect_err(text);
            assert!(error.0.contains(expected), "{text}: {error}");
            assert!(!error.0.contains('\n'), "one line: {error}");
        }
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = BotsFile::read(Path::new("no/such/bots.toml")).expect_err("none");
        assert!(
            error.0.starts_with("no/such/bots.toml can't be read: "),
            "{error}"
        );
    }
}
