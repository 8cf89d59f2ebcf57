//! Why the program stops: one line on standard error, and the exit code.

use std::io;
use std::process::ExitCode;

use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use noughts_session::player_input;

/// A reason to stop.
#[derive(Debug)]
pub(crate) enum Error {
    /// Help or the version was asked for: printed, and that is all.
    Help(clap::Error),
    /// A bad argument.
    Argument(String),
    /// Anything else.
    Failure(String),
    /// A signal ended it, by its number. Everything has been said.
    Signal(u8),
}

impl Error {
    /// A bad argument, named by its flag or place.
    pub(crate) fn argument(what: &str, reason: impl std::fmt::Display) -> Error {
        Error::Argument(format!("{what}: {reason}"))
    }

    /// Control characters have no place in any argument, and repeating them in an
    /// error would hand them to the terminal; nor have those that turn the direction of
    /// the text behind them. Line ends and tabs separate moves.
    pub(crate) fn check_arguments() -> Result<(), Error> {
        for (i, argument) in std::env::args_os().enumerate().skip(1) {
            let argument = argument.to_string_lossy();
            let odd = argument
                .chars()
                .find(|&c| c.is_control() && !c.is_whitespace() || turns(c));
            if let Some(odd) = odd {
                let odd = odd.escape_unicode();
                return Err(Error::Argument(format!(
                    "argument {i} has the control character {odd}; arguments are printable text"
                )));
            }
        }
        Ok(())
    }

    pub(crate) fn report(self) -> ExitCode {
        match self {
            Error::Help(help) => match help.print() {
                Err(error) if error.kind() != io::ErrorKind::BrokenPipe => ExitCode::FAILURE,
                _ => ExitCode::SUCCESS,
            },
            Error::Argument(reason) => {
                crate::output::print_stderr(&format!("error: {reason}"));
                ExitCode::from(2)
            }
            Error::Failure(reason) => {
                crate::output::print_stderr(&format!("error: {reason}"));
                ExitCode::FAILURE
            }
            // As shells report it.
            Error::Signal(number) => ExitCode::from(128_u8.saturating_add(number)),
        }
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Error {
        Error::Failure(format!("cannot write the result: {error}"))
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Error {
        Error::Failure(format!("cannot write JSON: {error}"))
    }
}

/// Folds clap's paragraphs into the one line that we promise, and adds what is
/// allowed where clap leaves it out.
impl From<clap::Error> for Error {
    fn from(error: clap::Error) -> Error {
        match error.kind() {
            ErrorKind::DisplayHelp
            | ErrorKind::DisplayVersion
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => return Error::Help(error),
            _ => {}
        }
        let mut text = error.render().to_string();
        for (_, value) in error.context() {
            if let ContextValue::String(value) = value {
                text = text.replace(value.as_str(), &sanitize(value));
            }
        }
        let mut line = String::new();
        for part in text.lines().map(str::trim).filter(|part| !part.is_empty()) {
            let part = part.strip_prefix("error: ").unwrap_or(part);
            // The hint to write `-- ARGUMENT` helps nobody here: no argument begins with a dash.
            if part.starts_with("For more information") || part.starts_with("tip: to pass") {
                continue;
            }
            if !line.is_empty() {
                // A list goes on behind its colon; everything else is another sentence.
                line.push_str(if line.ends_with(':') { " " } else { "; " });
            }
            match part.strip_prefix("Usage: ") {
                Some(usage) => line.push_str(&format!("usage: {usage}")),
                None => line.push_str(part),
            }
        }
        if error.kind() == ErrorKind::ArgumentConflict && line.starts_with("the subcommand") {
            line.push_str("; options stand behind the command");
        }
        if matches!(
            error.kind(),
            ErrorKind::InvalidSubcommand | ErrorKind::UnknownArgument
        ) {
            line.push_str(&allowed());
        }
        if error.kind() == ErrorKind::InvalidSubcommand
            && let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand)
            && let Some(hint) = game_hint(name)
        {
            line.push_str(&hint);
        }
        Error::Argument(line)
    }
}

/// A game's name in the place of a command: which command plays it.
fn game_hint(name: &str) -> Option<String> {
    let variant = match player_input::parse_variant(name) {
        Ok(variant) => variant.to_string(),
        Err(_) => player_input::suggest_variant(name)?.to_owned(),
    };
    // Behind another command a game isn't what was meant.
    let at_start = words().next()? == name;
    at_start.then(|| format!("; did you mean `noughts play {variant}`?"))
}

/// The arguments without options that stand before the command.
fn words() -> impl Iterator<Item = String> {
    let mut is_value = false;
    std::env::args_os().skip(1).filter_map(move |argument| {
        let argument = argument.to_string_lossy().into_owned();
        let is_word = !is_value && !argument.starts_with('-');
        is_value = argument == "--data";
        is_word.then_some(argument)
    })
}

/// Does it turn the direction of the text behind it?
fn turns(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Somebody's argument as part of a line: short, and nothing in it that would do
/// something to the terminal or to the text around it.
pub(crate) fn sanitize(value: &str) -> String {
    const MOST: usize = 60;
    let mut short = String::new();
    for c in value.chars().take(MOST) {
        match c {
            '\'' | '"' | '\\' => short.push(c),
            c => short.extend(c.escape_debug()),
        }
    }
    if value.chars().nth(MOST).is_some() {
        short.push('…');
    }
    short
}

/// The options of the command that was called, or the commands.
fn allowed() -> String {
    let program = crate::Cli::command();
    let mut called = &program;
    for argument in words() {
        match called.find_subcommand(&argument) {
            Some(command) => called = command,
            None => break,
        }
    }
    let names: Vec<&str> = called
        .get_subcommands()
        .map(clap::Command::get_name)
        .collect();
    let commands = match names.is_empty() {
        true => String::new(),
        false => format!("; the commands are {}", names.join(", ")),
    };
    let options = called.get_opts().filter_map(|option| option.get_long());
    let mut options: Vec<String> = options.map(|name| format!("--{name}")).collect();
    options.push("--help".into());
    if std::ptr::eq(called, &program) {
        options.push("--version".into());
    }
    format!("{commands}; the options are {}", options.join(", "))
}
