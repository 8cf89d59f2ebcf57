//! Printing: in color where the terminal supports it, and without an error when the reader of
//! standard output goes away. Files that appear complete or not at all.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal as _, Write as _};
use std::path::Path;

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

/// Writes a file in parts: a temporary one that is renamed when it is complete, so that a failure leaves an existing file
/// as it was. Pipes, terminals and symbolic links are written to directly.
pub(crate) fn write_file<T>(
    path: &Path,
    overwrite: bool,
    write: impl FnOnce(&mut dyn FnMut(&str) -> Result<(), CliError>) -> Result<T, CliError>,
) -> Result<T, CliError> {
    let name = path.display();
    let failed = |error: io::Error| CliError::failed(&format!("can't write {name}"), error);
    let write_to = |file: &File| {
        let mut file = BufWriter::new(file);
        let written = write(&mut |part| file.write_all(part.as_bytes()).map_err(failed))?;
        file.flush().map_err(failed)?;
        Ok(written)
    };
    let existing = path.symlink_metadata().ok();
    match &existing {
        Some(_) if !overwrite => {
            let reason = format!("{name} already exists; use --force to overwrite it");
            return Err(CliError::Failure(reason));
        }
        Some(existing) if !existing.is_file() => {
            return write_to(&File::create(path).map_err(failed)?);
        }
        _ => {}
    }
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let folder = folder.unwrap_or(Path::new("."));
    // With the permissions of any new file: temporary files are private by default.
    let file = tempfile::Builder::new().make_in(folder, |path| File::create_new(path));
    let file = file.map_err(failed)?;
    if let Some(existing) = existing {
        let kept = file.as_file().set_permissions(existing.permissions());
        kept.map_err(failed)?;
    }
    let written = write_to(file.as_file())?;
    file.as_file().sync_all().map_err(failed)?;
    let persisted = match overwrite {
        true => file.persist(path),
        false => file.persist_noclobber(path),
    };
    persisted.map_err(|error| failed(error.error))?;
    Ok(written)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn write(path: &Path, text: &str) -> Result<(), CliError> {
        write_file(path, true, |write_part| write_part(text))
    }

    /// A report must not delete or be stopped by another program's file.
    #[test]
    fn a_file_is_replaced_completely_or_not_at_all() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("report.html");
        let text = |path: &Path| std::fs::read_to_string(path).expect("a file");
        let other = dir
            .path()
            .join(format!("report.html.{}.new", std::process::id()));
        std::fs::write(&other, "somebody else's").expect("written");
        for content in ["old", "new"] {
            write(&path, content).expect("written");
            assert_eq!(text(&path), content);
        }
        assert_eq!(text(&other), "somebody else's");
        assert!(write(&dir.path().join("none/report.html"), "newer").is_err());
        assert_eq!(std::fs::read_dir(dir.path()).expect("a folder").count(), 2);
    }

    #[cfg(unix)]
    #[test]
    fn permissions_are_kept() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().expect("a folder");
        let [path, plain] = ["report.html", "plain"].map(|name| dir.path().join(name));
        let mode = |path: &Path| path.metadata().expect("a file").permissions().mode();
        std::fs::write(&plain, "").expect("written");
        write(&path, "new").expect("written");
        assert_eq!(mode(&path), mode(&plain));
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).expect("changed");
        write(&path, "newer").expect("written");
        assert_eq!(mode(&path) & 0o777, 0o640);
    }
}
