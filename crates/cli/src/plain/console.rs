//! Lines out and lines in. Whatever comes in, a line of it takes little memory, and
//! what cannot be read is refused with a sentence.

use std::io::{self, BufRead, Write};

use crate::error::Error;

/// The most bytes of a line that can be an answer: names are far shorter.
const LONGEST: usize = 1000;

/// Why the talk is over.
pub(super) enum ExitReason {
    /// Somebody wants to go.
    Quit,
    /// There is no more input.
    InputEnded,
    /// Something could not be kept, and nobody wants to try again.
    SaveFailed(String),
    /// Nobody reads the output any more.
    OutputClosed,
    /// Something broke.
    Failed(Error),
}

pub(super) struct Console<'a> {
    input: &'a mut dyn BufRead,
    output: &'a mut dyn Write,
    /// What stands before an answer on a terminal.
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

    /// Says one line.
    pub(super) fn write_line(&mut self, line: &str) -> Result<(), ExitReason> {
        Ok(writeln!(self.output, "{line}")?)
    }

    /// Shows text that has its line ends.
    pub(super) fn write_text(&mut self, text: &str) -> Result<(), ExitReason> {
        Ok(self.output.write_all(text.as_bytes())?)
    }

    /// What has been said is to be seen now.
    pub(super) fn flush(&mut self) -> Result<(), ExitReason> {
        Ok(self.output.flush()?)
    }

    /// The next line of the input, or why it cannot be read.
    pub(super) fn next_line(&mut self) -> Result<Result<String, &'static str>, ExitReason> {
        self.write_text(self.prompt)?;
        self.flush()?;
        let line = read_line(self.input).map_err(|error| {
            ExitReason::Failed(Error::Failure(format!(
                "cannot read standard input: {error}"
            )))
        })?;
        match line {
            Some(line) => Ok(readable(&line)),
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

/// The next line without its end, at most a byte more than an answer can have: the
/// rest is read and forgotten.
fn read_line(input: &mut dyn BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let mut begun = false;
    loop {
        let part = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            part => part?,
        };
        if part.is_empty() {
            return Ok(begun.then_some(line));
        }
        begun = true;
        let end = part.iter().position(|&byte| byte == b'\n');
        let length = end.unwrap_or(part.len());
        let room = (LONGEST + 1).saturating_sub(line.len());
        line.extend_from_slice(&part[..length.min(room)]);
        input.consume(length + usize::from(end.is_some()));
        if end.is_some() {
            return Ok(Some(line));
        }
    }
}

fn readable(line: &[u8]) -> Result<String, &'static str> {
    if line.len() > LONGEST {
        return Err("that line is longer than any answer can be");
    }
    let Ok(text) = str::from_utf8(line) else {
        return Err("that line is no text: it is not written in UTF-8");
    };
    let text = text.trim();
    if text.chars().any(|c| c.is_control() && c != '\t') {
        return Err("that line has control characters, which are no part of any answer");
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

    fn heard(input: &mut dyn BufRead) -> Vec<Result<String, &'static str>> {
        let mut output = Vec::new();
        let mut talk = Console::new(input, &mut output, "");
        let mut lines = Vec::new();
        while let Ok(line) = talk.next_line() {
            lines.push(line);
        }
        lines
    }

    #[test]
    fn lines_are_read_whatever_ends_them() {
        let lines = heard(&mut &b" b2 \r\n\n\tc 3\nlast"[..]);
        assert_eq!(lines, ["b2", "", "c 3", "last"].map(|line| Ok(line.into())));
        assert_eq!(heard(&mut &b""[..]), []);
    }

    #[test]
    fn what_cannot_be_read_is_refused_and_the_next_line_is_read() {
        let long = "x".repeat(LONGEST + 1);
        let input = [
            b"\xff\xfe",
            &b"\x1b[2J"[..],
            b"a\0b",
            long.as_bytes(),
            b"b2",
        ]
        .join(&b'\n');
        let lines = heard(&mut &input[..]);
        assert_eq!(lines.len(), 5);
        assert!(lines[..4].iter().all(Result::is_err), "{lines:?}");
        assert_eq!(lines[4], Ok("b2".into()));
        let most = "x".repeat(LONGEST);
        assert_eq!(heard(&mut most.as_bytes()), [Ok(most.clone())]);
    }

    /// A line without an end must not fill the memory.
    #[test]
    fn an_endless_line_is_not_kept() {
        let mut input = BufReader::with_capacity(100, io::repeat(b'x').take(100_000));
        let line = read_line(&mut input).unwrap().unwrap();
        assert_eq!(line.len(), LONGEST + 1);
        assert!(line.capacity() < 3 * LONGEST);
    }

    #[test]
    fn the_sign_stands_before_answers_only() {
        let mut output = Vec::new();
        let mut input = &b"b2\n"[..];
        let mut talk = Console::new(&mut input, &mut output, "> ");
        assert!(talk.write_line("Your move?").is_ok());
        assert!(matches!(talk.next_line(), Ok(Ok(_))));
        assert!(matches!(talk.next_line(), Err(ExitReason::InputEnded)));
        assert_eq!(output, b"Your move?\n> > \nThe input has ended.\n");
    }
}
