//! Why the program stops: one line on standard error, and the exit code.

use std::io;
use std::process::ExitCode;

use clap::error::{ContextKind, ErrorKind};

/// A reason to stop.
pub(crate) enum Error {
    /// Help or the version was asked for: printed, and that is all.
    Asked(clap::Error),
    /// A bad argument.
    Argument(String),
    /// Anything else.
    Failure(String),
}

impl Error {
    /// A bad argument, named by its flag or place.
    pub(crate) fn argument(what: &str, reason: impl std::fmt::Display) -> Error {
        Error::Argument(format!("{what}: {reason}"))
    }

    pub(crate) fn report(self) -> ExitCode {
        match self {
            Error::Asked(help) => match help.print() {
                Err(error) if error.kind() != io::ErrorKind::BrokenPipe => ExitCode::FAILURE,
                _ => ExitCode::SUCCESS,
            },
            Error::Argument(reason) => {
                anstream::eprintln!("error: {reason}");
                ExitCode::from(2)
            }
            Error::Failure(reason) => {
                anstream::eprintln!("error: {reason}");
                ExitCode::FAILURE
            }
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
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => return Error::Asked(error),
            _ => {}
        }
        let text = error.render().to_string();
        let mut line = String::new();
        for part in text.lines().map(str::trim).filter(|part| !part.is_empty()) {
            let part = part.strip_prefix("error: ").unwrap_or(part);
            if part.starts_with("For more information") {
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
        if error.kind() == ErrorKind::InvalidSubcommand
            && error.get(ContextKind::SuggestedSubcommand).is_none()
        {
            line.push_str("; the commands are show, moves, perft, bench");
        }
        Error::Argument(line)
    }
}
