//! Printing: in color where the terminal supports it, and without an error when the reader of
//! standard output goes away.

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Write as _};

use anstyle::{AnsiColor, Style};
use noughts_rules::{AnyGameState, Drawing, GlyphKind, Side};
use serde::Serialize;

use crate::error::CliError;

/// Prints a result. A closed pipe (`noughts moves … | head`) isn't an error.
pub(crate) fn print(text: &str) -> Result<(), CliError> {
    let mut out = anstream::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written.map_err(CliError::from),
    }
}

/// Prints one JSON object on one line.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), CliError> {
    let line = serde_json::to_string(value)?;
    print(&format!("{line}\n"))
}

/// Prints a remark that isn't part of the result.
pub(crate) fn note(text: &str) {
    print_stderr(&format!("note: {text}"));
}

/// Prints a line on standard error. If that fails, there is nowhere to report it.
pub(crate) fn print_stderr(line: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{line}");
}

/// Asks on the terminal before something that can't be undone. Without a terminal this is an
/// error, which names `--yes`.
pub(crate) fn confirm(what: &str, consequence: &str, question: &str) -> Result<bool, CliError> {
    ask(question)?.ok_or_else(|| {
        CliError::Argument(format!(
            "{what} needs confirmation: run this in a terminal or add --yes ({consequence})"
        ))
    })
}

/// Asks for yes or no; `None` if there is no terminal to ask on.
pub(crate) fn ask(question: &str) -> Result<Option<bool>, CliError> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Ok(None);
    }
    let mut terminal = anstream::stderr().lock();
    write!(terminal, "{question} [y/N] ")?;
    terminal.flush()?;
    drop(terminal);
    let mut answer = String::new();
    let read = io::stdin().read_line(&mut answer);
    read.map_err(|error| CliError::failed("can't read the answer", error))?;
    let answer = answer.trim().to_lowercase();
    Ok(Some(answer == "y" || answer == "yes"))
}

/// A position drawn in color, or in ASCII and color. A game can also be over without an outcome on
/// the board.
pub(crate) fn draw(state: &AnyGameState, is_over: bool, ascii: bool) -> String {
    let drawing = match is_over {
        true => state.render_ended(),
        false => state.render(),
    };
    render_colored(&if ascii { drawing.into_ascii() } else { drawing })
}

/// The drawing with escape sequences for its colors, which printing removes where there are none.
fn render_colored(drawing: &Drawing) -> String {
    let mut text = String::new();
    for row in drawing.rows() {
        for glyphs in row.chunk_by(|a, b| a.kind == b.kind) {
            let part: String = glyphs.iter().map(|glyph| glyph.character).collect();
            let style = style(glyphs[0].kind);
            // Writing to a string can't fail.
            let _ = write!(text, "{style}{part}{style:#}");
        }
        text.push('\n');
    }
    text
}

fn style(ink: GlyphKind) -> Style {
    let color = |player| match player {
        Side::X => AnsiColor::BrightBlue,
        Side::O => AnsiColor::Yellow,
    };
    match ink {
        GlyphKind::Plain => Style::new(),
        GlyphKind::Label => Style::new().dimmed(),
        GlyphKind::Mark(player) => color(player).on_default(),
        GlyphKind::HighlightedMark(player) => color(player).on_default().bold(),
        GlyphKind::Legal => AnsiColor::Green.on_default(),
        GlyphKind::HighlightedFrame => AnsiColor::Green.on_default().bold(),
    }
}
