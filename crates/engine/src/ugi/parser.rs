//! Parses input: lines of arbitrary bytes, and the commands in them.

use std::fmt::Display;
use std::io::{self, BufRead};
use std::str::FromStr;
use std::time::Duration;

use noughts_rules::{AnyGameState, Side, Variant};

use crate::clock::Clock;

/// A whole game of the deepest board takes 3.5 MiB; longer lines are rejected.
pub(super) const MAX_LINE_BYTES: usize = 16 << 20;

pub(super) enum InputLine {
    Text(String),
    TooLong,
    End,
}

/// Reads a line of arbitrary bytes.
pub(super) fn read_line(input: &mut impl BufRead) -> io::Result<InputLine> {
    let (mut line, mut length) = (Vec::new(), 0usize);
    loop {
        let bytes = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            bytes => bytes?,
        };
        if bytes.is_empty() && length == 0 {
            return Ok(InputLine::End);
        }
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let part = &bytes[..end.unwrap_or(bytes.len())];
        let used = part.len() + usize::from(end.is_some());
        length = length.saturating_add(used);
        // A line that is too long is read to its end, but not kept.
        if length <= MAX_LINE_BYTES {
            line.extend_from_slice(part);
        }
        let last = bytes.is_empty();
        input.consume(used);
        if end.is_some() || last {
            break;
        }
    }
    if length > MAX_LINE_BYTES {
        return Ok(InputLine::TooLong);
    }
    Ok(InputLine::Text(String::from_utf8_lossy(&line).into_owned()))
}

/// Parses `startpos` or `fen TEXT`, optionally followed by `moves` and a list of moves.
pub(super) fn parse_position(variant: Variant, text: &str) -> Result<AnyGameState, String> {
    let (start, moves) = match text.find(" moves") {
        Some(index) if matches!(text[index + 6..].chars().next(), None | Some(' ' | '\t')) => {
            (text[..index].trim(), &text[index + 6..])
        }
        _ => (text, ""),
    };
    let mut state = match start.split_once(char::is_whitespace) {
        None if start == "startpos" => AnyGameState::new(variant),
        Some(("fen", position)) => {
            AnyGameState::from_text(variant, position.trim()).map_err(|error| error.to_string())?
        }
        _ => return Err("expected `startpos` or `fen POSITION`".into()),
    };
    for (i, mv) in moves.split_whitespace().enumerate() {
        state
            .play(mv)
            .map_err(|error| format!("move {}: {error}", i + 1))?;
    }
    Ok(state)
}

/// Parses `name N value V`.
pub(super) fn parse_option(text: &str) -> Result<(&str, &str), &'static str> {
    const USAGE: &str = "expected `name NAME value VALUE`";
    let rest = text.strip_prefix("name ").ok_or(USAGE)?;
    let (name, value) = rest.split_once(" value ").ok_or(USAGE)?;
    let (name, value) = (name.trim(), value.trim());
    if name.is_empty() || value.is_empty() {
        return Err(USAGE);
    }
    Ok((name, value))
}

/// Parses a number within its range.
pub(super) fn parse_number<N>(name: &str, text: &str, min: N, max: N) -> Result<N, String>
where
    N: FromStr + PartialOrd + Display + Copy,
{
    let number = text.parse::<N>().ok();
    number
        .filter(|number| *number >= min && *number <= max)
        .ok_or_else(|| format!("{name} must be a whole number from {min} to {max}"))
}

/// The arguments of `go`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct GoCommand {
    pub(super) infinite: bool,
    pub(super) movetime: Option<Duration>,
    pub(super) nodes: Option<u64>,
    pub(super) depth: Option<u32>,
    moves_to_go: Option<u32>,
    times: [Option<Duration>; 2],
    increments: [Duration; 2],
}

impl GoCommand {
    /// Parses what it can; also returns an error for each argument that is wrong.
    pub(super) fn parse(text: &str) -> (GoCommand, Vec<String>) {
        let (mut go, mut errors) = (GoCommand::default(), Vec::new());
        let mut words = text.split_whitespace().peekable();
        while let Some(word) = words.next() {
            go.infinite |= word == "infinite";
            let mut changed = go.clone();
            // A word that isn't a number may be the next argument.
            let amount = words.peek().and_then(|word| parse_amount(word));
            let is_known = changed.set(word, amount.unwrap_or_default());
            if is_known && amount.is_some() {
                words.next();
                go = changed;
            } else if is_known {
                errors.push(format!("{word} needs a whole number"));
            }
        }
        (go, errors)
    }

    /// Sets an argument; returns false if there is no such argument.
    fn set(&mut self, word: &str, amount: u64) -> bool {
        let time = Duration::from_millis(amount);
        let count = u32::try_from(amount).unwrap_or(u32::MAX).max(1);
        match word {
            "movetime" => self.movetime = Some(time),
            // At least one node is needed to choose a move.
            "nodes" => self.nodes = Some(amount.max(1)),
            "depth" => self.depth = Some(count),
            "movestogo" => self.moves_to_go = Some(count),
            "p1time" => self.times[0] = Some(time),
            "p2time" => self.times[1] = Some(time),
            "p1inc" => self.increments[0] = time,
            "p2inc" => self.increments[1] = time,
            _ => return false,
        }
        true
    }

    /// The clock of a side.
    pub(super) fn clock(&self, side: Side) -> Option<Clock> {
        let i = side as usize;
        self.times[i].map(|remaining| Clock {
            remaining,
            increment: self.increments[i],
            moves_to_go: self.moves_to_go,
        })
    }
}

/// Parses a whole number. Some runners send negative numbers for clocks that ran out and huge ones
/// for unlimited time.
fn parse_amount(word: &str) -> Option<u64> {
    let (negative, digits) = match word.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, word),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(match negative {
        true => 0,
        false => digits.parse().unwrap_or(u64::MAX),
    })
}
