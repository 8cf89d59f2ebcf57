//! How results reach standard output: coloured where the terminal has colours,
//! and quietly given up when nobody reads them any more.

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Write as _};

use anstyle::{AnsiColor, Style};
use noughts_rules::{Drawing, GlyphKind, Side};
use serde::Serialize;

use crate::error::Error;

/// Prints a result. A closed pipe (`noughts moves … | head`) is no failure.
pub(crate) fn print(text: &str) -> Result<(), Error> {
    let mut out = anstream::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written.map_err(Error::from),
    }
}

/// Prints one JSON object on one line.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), Error> {
    let line = serde_json::to_string(value)?;
    print(&format!("{line}\n"))
}

/// Tells something besides the result.
pub(crate) fn note(text: &str) {
    print_stderr(&format!("note: {text}"));
}

/// A line on standard error. Where that cannot be written there is nobody to tell.
pub(crate) fn print_stderr(line: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{line}");
}

/// Asks on the terminal before something that can't be undone. Where nobody can answer,
/// it isn't done, and the error names `--yes`.
pub(crate) fn confirm(what: &str, then: &str, question: &str) -> Result<bool, Error> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Err(Error::Argument(format!(
            "{what} needs a terminal to ask on, or --yes; {then}"
        )));
    }
    let mut terminal = anstream::stderr().lock();
    write!(terminal, "{question} [y/N] ")?;
    terminal.flush()?;
    drop(terminal);
    let mut answer = String::new();
    let read = io::stdin().read_line(&mut answer);
    read.map_err(|error| Error::Failure(format!("cannot read the answer: {error}")))?;
    let answer = answer.trim().to_lowercase();
    Ok(answer == "y" || answer == "yes")
}

/// A drawing with its colours; what prints it drops them where there are none.
pub(crate) fn render_colored(drawing: &Drawing) -> String {
    let mut text = String::new();
    for row in drawing.rows() {
        for glyphs in row.chunk_by(|a, b| a.kind == b.kind) {
            let part: String = glyphs.iter().map(|glyph| glyph.character).collect();
            let style = style(glyphs[0].kind);
            // Writing to a string cannot fail.
            let _ = write!(text, "{style}{part}{style:#}");
        }
        text.push('\n');
    }
    text
}

fn style(ink: GlyphKind) -> Style {
    let colour = |player| match player {
        Side::X => AnsiColor::BrightBlue,
        Side::O => AnsiColor::Yellow,
    };
    match ink {
        GlyphKind::Plain => Style::new(),
        GlyphKind::Label => Style::new().dimmed(),
        GlyphKind::Mark(player) => colour(player).on_default(),
        GlyphKind::HighlightedMark(player) => colour(player).on_default().bold(),
        GlyphKind::Legal => AnsiColor::Green.on_default(),
        GlyphKind::HighlightedFrame => AnsiColor::Green.on_default().bold(),
    }
}
