//! Line-based input and output. An input line never takes much memory, and a line that isn't
//! readable is refused with a sentence.

use std::io::{self, BufRead, Read, Write};

use crate::error::CliError;

/// The maximum length of an answer, in bytes. Names are far shorter.
const MAX_ANSWER_LENGTH: usize = 1000;

/// A result, or why plain mode ends.
pub(super) type PlainResult<T = ()> = Result<T, ExitReason>;

/// Why plain mode ends.
pub(super) enum ExitReason {
    /// A player quit.
    Quit,
    /// The input ended.
    InputEnded,
    /// Something couldn't be stored, and the player doesn't want to retry.
    SaveFailed(String),
    /// Nobody reads the output anymore.
    OutputClosed,
    /// An error that ends the program.
    Failed(CliError),
}

pub(super) struct Console<'a> {
    input: &'a mut dyn BufRead,
    output: &'a mut dyn Write,
    /// Printed before an answer; empty if standard input isn't a terminal.
    prompt: &'static str,
}

impl<'a> Console<'a> {
    pub(super) fn new(
        input: &'a mut dyn BufRead,
        output: &'a mut dyn Write,
        prompt: &'static str,
    ) -> Console<'a> {
        Console {
            input,
            output,
            prompt,
        }
    }

    /// Prints one line.
    pub(super) fn write_line(&mut self, line: &str) -> PlainResult {
        Ok(writeln!(self.output, "{line}")?)
    }

    /// Prints text that has its own newlines.
    pub(super) fn write_text(&mut self, text: &str) -> PlainResult {
        Ok(self.output.write_all(text.as_bytes())?)
    }

    pub(super) fn flush(&mut self) -> PlainResult {
        Ok(self.output.flush()?)
    }

    /// Reads the next line, or returns why it isn't readable.
    pub(super) fn next_line(&mut self) -> PlainResult<Result<String, &'static str>> {
        self.write_text(self.prompt)?;
        self.flush()?;
        let failed = |error| CliError::failed("can't read standard input", error);
        match read_line(self.input).map_err(|error| ExitReason::Failed(failed(error)))? {
            Some(line) => Ok(parse_line(&line)),
            None => {
                if !self.prompt.is_empty() {
                    self.write_line("")?;
                }
                self.write_line("The input has ended.")?;
                Err(ExitReason::InputEnded)
            }
        }
    }
}

/// The next line without its newline, cut to one byte more than an answer can have. The rest is
/// read and discarded.
fn read_line(input: &mut dyn BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let longest = MAX_ANSWER_LENGTH as u64 + 1;
    if input.take(longest).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.pop_if(|byte| *byte == b'\n').is_none() {
        input.skip_until(b'\n')?;
    }
    Ok(Some(line))
}

fn parse_line(line: &[u8]) -> Result<String, &'static str> {
    if line.len() > MAX_ANSWER_LENGTH {
        return Err("that line is too long");
    }
    let Ok(text) = str::from_utf8(line) else {
        return Err("that line isn't valid UTF-8 text");
    };
    let text = text.trim();
    if text.chars().any(|c| c.is_control() && c != '\t') {
        return Err("that line contains control characters");
    }
    Ok(text.to_owned())
}

impl From<io::Error> for ExitReason {
    fn from(error: io::Error) -> ExitReason {
        match error.kind() {
            io::ErrorKind::BrokenPipe => ExitReason::OutputClosed,
            _ => ExitReason::Failed(error.into()),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use std::io::{BufReader, Read};

    use super::*;

    fn read_lines(input: &mut dyn BufRead) -> Vec<Result<String, &'static str>> {
        let mut output = Vec::new();
        let mut console = Console::new(input, &mut output, "");
        let mut lines = Vec::new();
        while let Ok(line) = console.next_line() {
            lines.push(line);
        }
        lines
    }

    #[test]
    fn lines_with_any_ending_are_read() {
        let lines = read_lines(&mut &b" b2 \r\n\n\tc 3\nlast"[..]);
        assert_eq!(lines, ["b2", "", "c 3", "last"].map(|line| Ok(line.into())));
        assert_eq!(read_lines(&mut &b""[..]), []);
    }

    #[test]
    fn unreadable_lines_are_refused_and_skipped() {
        let long = "x".repeat(MAX_ANSWER_LENGTH + 1);
        let input = [
            b"\xff\xfe",
            &b"\x1b[2J"[..],
            b"a\0b",
            long.as_bytes(),
            b"b2",
        ]
        .join(&b'\n');
        let lines = read_lines(&mut &input[..]);
        assert_eq!(lines.len(), 5);
        assert!(lines[..4].iter().all(Result::is_err), "{lines:?}");
        assert_eq!(lines[4], Ok("b2".into()));
        let longest = "x".repeat(MAX_ANSWER_LENGTH);
        assert_eq!(read_lines(&mut longest.as_bytes()), [Ok(longest.clone())]);
    }

    /// Guards against an endless line that fills the memory.
    #[test]
    fn an_endless_line_is_cut() {
        let mut input = BufReader::with_capacity(100, io::repeat(b'x').take(100_000));
        let line = read_line(&mut input).unwrap().unwrap();
        assert_eq!(line.len(), MAX_ANSWER_LENGTH + 1);
        assert!(line.capacity() < 3 * MAX_ANSWER_LENGTH);
    }

    #[test]
    fn the_prompt_precedes_answers_only() {
        let mut output = Vec::new();
        let mut input = &b"b2\n"[..];
        let mut console = Console::new(&mut input, &mut output, "> ");
        assert!(console.write_line("Your move?").is_ok());
        assert!(matches!(console.next_line(), Ok(Ok(_))));
        assert!(matches!(console.next_line(), Err(ExitReason::InputEnded)));
        assert_eq!(output, b"Your move?\n> > \nThe input has ended.\n");
    }
}
