//! Why the program stops: one line on standard error, and an exit code.

use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use noughts_session::player_input;

/// A reason to stop, and its exit code.
#[derive(Debug)]
pub(crate) enum CliError {
    /// Help or the version was requested: printed to standard output, exit code 0.
    Help(clap::Error),
    /// A bad argument: exit code 2.
    Argument(String),
    /// Any other failure: exit code 1.
    Failure(String),
    /// Stopped by the signal with this number. Nothing more is printed.
    Signal(u8),
}

impl CliError {
    /// A bad argument, identified by its flag or position.
    pub(crate) fn argument(what: &str, reason: impl std::fmt::Display) -> CliError {
        CliError::Argument(format!("{what}: {reason}"))
    }

    /// A failure and its cause.
    pub(crate) fn failed(what: &str, cause: impl std::fmt::Display) -> CliError {
        CliError::Failure(format!("{what}: {cause}"))
    }

    /// Rejects arguments that contain control characters or characters that change the direction
    /// of text: an error message would pass them on to the terminal. Newlines and tabs are allowed,
    /// since they separate moves.
    pub(crate) fn check_arguments(args: &[OsString]) -> Result<(), CliError> {
        for (i, argument) in args.iter().enumerate().skip(1) {
            let argument = argument.to_string_lossy();
            let found = argument
                .chars()
                .find(|&c| c.is_control() && !c.is_whitespace() || changes_direction(c));
            if let Some(found) = found {
                let found = found.escape_unicode();
                return Err(CliError::Argument(format!(
                    "argument {i} contains the control character {found}; use printable text"
                )));
            }
        }
        Ok(())
    }

    pub(crate) fn report(self) -> ExitCode {
        match self {
            CliError::Help(help) => match help.print() {
                Err(error) if error.kind() != io::ErrorKind::BrokenPipe => ExitCode::FAILURE,
                _ => ExitCode::SUCCESS,
            },
            CliError::Argument(reason) => report_line(&reason, ExitCode::from(2)),
            CliError::Failure(reason) => report_line(&reason, ExitCode::FAILURE),
            // The convention of shells.
            CliError::Signal(number) => ExitCode::from(128_u8.saturating_add(number)),
        }
    }
}

fn report_line(reason: &str, code: ExitCode) -> ExitCode {
    crate::output::print_stderr(&format!("error: {reason}"));
    code
}

impl From<io::Error> for CliError {
    fn from(error: io::Error) -> CliError {
        CliError::failed("can't write the result", error)
    }
}

impl From<serde_json::Error> for CliError {
    fn from(error: serde_json::Error) -> CliError {
        CliError::failed("can't write JSON", error)
    }
}

/// Folds clap's message into the single line that every error has, and adds the allowed values
/// where clap leaves them out.
impl From<clap::Error> for CliError {
    fn from(error: clap::Error) -> CliError {
        if let ErrorKind::DisplayHelp | ErrorKind::DisplayVersion = error.kind() {
            return CliError::Help(error);
        }
        if error.kind() == ErrorKind::InvalidSubcommand
            && let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand)
            && let Some(hint) = game_hint(name)
        {
            let (name, allowed) = (sanitize(name), allowed_commands(&crate::Cli::command()));
            return CliError::Argument(format!(
                "unrecognized subcommand '{name}'{allowed}; {hint}"
            ));
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
            // The hint to write `-- ARGUMENT` doesn't help: no argument starts with a dash.
            if part.starts_with("For more information") || part.starts_with("tip: to pass") {
                continue;
            }
            if !line.is_empty() {
                // A list continues after its colon; everything else is a new sentence.
                line.push_str(if line.ends_with(':') { " " } else { "; " });
            }
            match part.strip_prefix("Usage: ") {
                Some(usage) => line.push_str(&format!("usage: {usage}")),
                None => line.push_str(part),
            }
        }
        if error.kind() == ErrorKind::ArgumentConflict
            && error.get(ContextKind::InvalidSubcommand).is_some()
        {
            line.push_str("; put options after the command");
        }
        if matches!(
            error.kind(),
            ErrorKind::InvalidSubcommand | ErrorKind::UnknownArgument
        ) {
            line.push_str(&allowed_arguments());
        }
        CliError::Argument(line)
    }
}

/// If a game's name is in the place of a command: the command that plays it.
fn game_hint(name: &str) -> Option<String> {
    let variant = match player_input::parse_variant(name) {
        Ok(variant) => variant.to_string(),
        Err(_) => player_input::suggest_variant(name)?.to_owned(),
    };
    // After another command, the word isn't meant as a game.
    let at_start = positional_arguments().next()? == name;
    at_start.then(|| format!("did you mean `noughts play {variant}`?"))
}

/// The arguments that are neither options nor the value of `--data`.
fn positional_arguments() -> impl Iterator<Item = String> {
    let mut is_value = false;
    std::env::args_os().skip(1).filter_map(move |argument| {
        let argument = argument.to_string_lossy().into_owned();
        let is_word = !is_value && !argument.starts_with('-');
        is_value = argument == "--data";
        is_word.then_some(argument)
    })
}

/// Does it change the direction of the text after it?
fn changes_direction(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// User input that is safe to quote in a message: shortened, and with control characters escaped.
pub(crate) fn sanitize(value: &str) -> String {
    const MAX_CHARS: usize = 60;
    let mut short = String::new();
    for c in value.chars().take(MAX_CHARS) {
        match c {
            '\'' | '"' | '\\' => short.push(c),
            c => short.extend(c.escape_debug()),
        }
    }
    if value.chars().nth(MAX_CHARS).is_some() {
        short.push('…');
    }
    short
}

/// The subcommands of a command, if it has any.
fn allowed_commands(command: &clap::Command) -> String {
    let names = command.get_subcommands().map(clap::Command::get_name);
    let names: Vec<&str> = names.collect();
    match names.is_empty() {
        true => String::new(),
        false => format!("; the commands are {}", names.join(", ")),
    }
}

/// The subcommands and options of the command that was called.
fn allowed_arguments() -> String {
    let program = crate::Cli::command();
    let mut called = &program;
    for argument in positional_arguments() {
        match called.find_subcommand(&argument) {
            Some(command) => called = command,
            None => break,
        }
    }
    let commands = allowed_commands(called);
    let options = called.get_opts().filter_map(|option| option.get_long());
    let mut options: Vec<String> = options.map(|name| format!("--{name}")).collect();
    options.push("--help".into());
    if std::ptr::eq(called, &program) {
        options.push("--version".into());
    }
    format!("{commands}; the options are {}", options.join(", "))
}
