//! Games as text files, similar to chess's PGN: tags, then moves with comments, any number
//! of games per file.
//!
//! ```text
//! [Variant "classic"]
//! [X "Ada"]
//! [O "hard"]
//! [Date "2026.11.15"]
//! [Result "1-0"]
//!
//! 1. b2 a1 {the corner} 2. c1 b1 3. a3 1-0
//! ```

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::str::Chars;

use crate::any_game_state::AnyGameState;
use crate::notation::quoted;
use crate::outcome::{Outcome, Side};
use crate::variant::Variant;

/// One recorded game: its moves, its tags, comments, and the result.
///
/// ```
/// use noughts_rules::Record;
///
/// let text = "[Variant \"classic\"]\n[X \"Ada\"]\n\n1. b2 a1 {hm} 2. c1 1-0\n";
/// let games = Record::parse_all(text)?;
/// assert_eq!(games[0].tag("X"), Some("Ada"));
/// // . . x      O resigned, so only the record has a result.
/// assert_eq!(games[0].state().position_text(), "o.x/.x./... o");
/// assert_eq!(games[0].comment(2), Some("hm"));
/// # Ok::<(), noughts_rules::RecordError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Record {
    state: AnyGameState,
    tags: Vec<(String, String)>,
    /// Keyed by the number of moves before the comment.
    comments: BTreeMap<usize, String>,
    result: Option<Outcome>,
}

/// An invalid record.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct RecordError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub reason: String,
}

/// The tags that every record has, in order, with their placeholders.
const STANDARD_TAGS: [(&str, &str); 3] = [("X", "?"), ("O", "?"), ("Date", "????.??.??")];

/// The tags that repeat information from other parts of the record.
const DERIVED_TAGS: [&str; 3] = ["Variant", "Position", "Result"];

const LINE_WIDTH: usize = 80;

impl Record {
    /// A record of a game, with the result under the rules, if any.
    #[must_use]
    pub fn new(state: AnyGameState) -> Record {
        Record {
            result: state.outcome(),
            state,
            tags: Vec::new(),
            comments: BTreeMap::new(),
        }
    }

    /// The game.
    #[must_use]
    pub fn state(&self) -> &AnyGameState {
        &self.state
    }

    /// The result, by the rules or otherwise; `None` while the game is unfinished.
    #[must_use]
    pub fn result(&self) -> Option<Outcome> {
        self.result
    }

    /// Sets the result of a game that the rules haven't ended (by resignation, for example). It
    /// doesn't override a result under the rules.
    pub fn set_result(&mut self, result: Option<Outcome>) {
        self.result = self.state.outcome().or(result);
    }

    /// The value of a tag such as `X`, `O` or `Date`.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        let found = self.tags.iter().find(|(tag, _)| tag == name);
        found.map(|(_, value)| value.as_str())
    }

    /// All tags except `Variant`, `Position` and `Result`.
    pub fn tags(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tags
            .iter()
            .map(|(tag, value)| (tag.as_str(), value.as_str()))
    }

    /// Sets a tag. `Variant`, `Position` and `Result` follow from the game and can't be set. A
    /// name consists of letters, digits and `_`, and starts with a letter.
    ///
    /// # Errors
    /// The name is one of these three, or isn't a valid name.
    pub fn set_tag(&mut self, name: &str, value: &str) -> Result<(), RecordError> {
        let error_at = |reason| Err(RecordError { line: 1, reason });
        if !is_tag_name(name) {
            return error_at(invalid_tag_name(name));
        }
        if DERIVED_TAGS.contains(&name) {
            return error_at(format!(
                "the {name} tag follows from the game and can't be set"
            ));
        }
        self.tags.retain(|(tag, _)| tag != name);
        self.tags.push((name.into(), value.into()));
        Ok(())
    }

    /// The comment after the first `moves` moves.
    #[must_use]
    pub fn comment(&self, moves: usize) -> Option<&str> {
        self.comments.get(&moves).map(String::as_str)
    }

    /// Sets or (if the text is empty) removes the comment after the first `moves` moves. After
    /// the last move it is ignored.
    pub fn set_comment(&mut self, moves: usize, text: &str) {
        if text.is_empty() || moves > self.state.moves().len() {
            self.comments.remove(&moves);
        } else {
            self.comments.insert(moves, text.into());
        }
    }

    /// The text of several records.
    pub fn format_all<'a>(records: impl IntoIterator<Item = &'a Record>) -> String {
        let texts: Vec<String> = records.into_iter().map(Record::to_text).collect();
        texts.join("\n")
    }

    /// The record as text.
    ///
    /// ```
    /// use noughts_rules::{AnyGameState, Record, Variant};
    /// let mut state = AnyGameState::new(Variant::CLASSIC);
    /// state.play("b2")?;
    /// // . . .
    /// // . x .
    /// // . . .
    /// let text = Record::new(state).to_text();
    /// assert!(text.starts_with("[Variant \"classic\"]"));
    /// assert!(text.ends_with("1. b2 *\n"));
    /// # Ok::<(), noughts_rules::MoveError>(())
    /// ```
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let mut tag = |name: &str, value: &str| {
            let _ = writeln!(text, "[{name} \"{}\"]", escaped(value, '"'));
        };
        tag("Variant", &self.state.variant().to_string());
        for (name, placeholder) in STANDARD_TAGS {
            tag(name, self.tag(name).unwrap_or(placeholder));
        }
        tag("Result", result_text(self.result));
        if !self.state.has_standard_start() {
            tag("Position", &self.state.start_text());
        }
        for (name, value) in self.tags() {
            if STANDARD_TAGS.iter().all(|(standard, _)| *standard != name) {
                tag(name, value);
            }
        }
        text.push('\n');
        self.write_moves(&mut text);
        text
    }

    fn write_moves(&self, text: &mut String) {
        let mut column = 0;
        let mut push_word = |word: &str| {
            let length = word.chars().count();
            if column > 0 {
                let breaks = column + 1 + length > LINE_WIDTH;
                text.push(if breaks { '\n' } else { ' ' });
                column = if breaks { 0 } else { column + 1 };
            }
            text.push_str(word);
            column += length;
        };
        let comment = |moves| {
            self.comments
                .get(&moves)
                .map(|c| format!("{{{}}}", escaped(c, '}')))
        };
        if let Some(comment) = comment(0) {
            push_word(&comment);
        }
        let mut turn = 0;
        let mut previous_side = None;
        let moves = self.state.move_sides().into_iter().zip(self.state.moves());
        for (i, (side, mv)) in moves.enumerate() {
            // Each turn of X gets a number; a turn of O only at the start of the game.
            if side == Side::X && previous_side != Some(Side::X) {
                turn += 1;
                push_word(&format!("{turn}."));
            } else if previous_side.is_none() {
                turn += 1;
                push_word(&format!("{turn}..."));
            }
            previous_side = Some(side);
            push_word(&mv);
            if let Some(comment) = comment(i + 1) {
                push_word(&comment);
            }
        }
        push_word(result_text(self.result));
        text.push('\n');
    }

    /// Parses all records of a text. Every move is checked against the rules.
    ///
    /// # Errors
    /// The line and what is wrong with it.
    pub fn parse_all(text: &str) -> Result<Vec<Record>, RecordError> {
        let mut parser = Parser {
            rest: text.strip_prefix('\u{feff}').unwrap_or(text).chars(),
            line: 1,
        };
        let mut records = Vec::new();
        while parser.skip_whitespace() {
            records.push(parser.parse_record()?);
        }
        Ok(records)
    }
}

fn is_tag_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn invalid_tag_name(name: &str) -> String {
    format!(
        "{name} isn't a valid tag name; use letters, digits and `_`, starting with a letter",
        name = quoted(name)
    )
}

fn result_text(result: Option<Outcome>) -> &'static str {
    match result {
        None => "*",
        Some(Outcome::Win(Side::X)) => "1-0",
        Some(Outcome::Win(Side::O)) => "0-1",
        Some(Outcome::Draw) => "1/2-1/2",
    }
}

/// `Some(None)` is an unfinished game.
fn parse_result(text: &str) -> Option<Option<Outcome>> {
    match text {
        "*" => Some(None),
        "1-0" => Some(Some(Outcome::Win(Side::X))),
        "0-1" => Some(Some(Outcome::Win(Side::O))),
        "1/2-1/2" => Some(Some(Outcome::Draw)),
        _ => None,
    }
}

/// The allowed results, for error messages.
const RESULTS: &str = "1-0 (X won), 0-1 (O won), 1/2-1/2 (draw) or * (unfinished)";

/// Escapes the closing character, backslashes and line breaks.
fn escaped(text: &str, close: char) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            '\\' => escaped.push_str("\\\\"),
            c if c == close => escaped.extend(['\\', c]),
            c => escaped.push(c),
        }
    }
    escaped
}

struct Parser<'a> {
    rest: Chars<'a>,
    line: usize,
}

impl Parser<'_> {
    fn error<T>(&self, reason: impl Into<String>) -> Result<T, RecordError> {
        Err(RecordError {
            line: self.line,
            reason: reason.into(),
        })
    }

    fn peek(&self) -> Option<char> {
        self.rest.clone().next()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.rest.next();
        if c == Some('\n') {
            self.line += 1;
        }
        c
    }

    /// Returns whether anything follows the whitespace.
    fn skip_whitespace(&mut self) -> bool {
        while self.peek().is_some_and(char::is_whitespace) {
            self.next();
        }
        self.peek().is_some()
    }

    /// The text up to `close`, unescaped; the opening character has already been read.
    fn parse_enclosed(&mut self, close: char, what: &str) -> Result<String, RecordError> {
        let opened = self.line;
        let mut text = String::new();
        loop {
            match self.next() {
                Some(c) if c == close => return Ok(text),
                Some('\\') => match self.next() {
                    Some('n') => text.push('\n'),
                    Some('r') => text.push('\r'),
                    Some(c) => text.push(c),
                    None => {}
                },
                Some(c) => text.push(c),
                None => {
                    return Err(RecordError {
                        line: opened,
                        reason: format!("{what} is missing its closing `{close}`"),
                    });
                }
            }
        }
    }

    /// `[Name "value"]`; the opening bracket hasn't been read yet.
    fn parse_tag(&mut self) -> Result<(String, String), RecordError> {
        self.next();
        self.skip_whitespace();
        let mut name = String::new();
        while let Some(c) = self
            .peek()
            .filter(|&c| !c.is_whitespace() && c != '"' && c != ']')
        {
            name.push(c);
            self.next();
        }
        if !is_tag_name(&name) {
            return self.error(invalid_tag_name(&name));
        }
        self.skip_whitespace();
        if self.peek() != Some('"') {
            return self.error(format!("the {name} tag needs a value in double quotes"));
        }
        self.next();
        let value = self.parse_enclosed('"', "a tag's value")?;
        self.skip_whitespace();
        if self.next() != Some(']') {
            return self.error(format!("the {name} tag is missing its closing `]`"));
        }
        Ok((name, value))
    }

    fn parse_record(&mut self) -> Result<Record, RecordError> {
        let mut tags: Vec<(String, String)> = Vec::new();
        // The line of each tag, for errors in its value that are found later.
        let mut lines = Vec::new();
        while self.skip_whitespace() && self.peek() == Some('[') {
            let line = self.line;
            let (name, value) = self.parse_tag()?;
            if tags.iter().any(|(tag, _)| *tag == name) {
                return self.error(format!("the {name} tag appears twice"));
            }
            tags.push((name, value));
            lines.push(line);
        }
        let mut take = |name: &str| {
            let found = tags.iter().position(|(tag, _)| tag == name);
            found.map(|i| (lines.remove(i), tags.remove(i).1))
        };
        let error_at = |line, reason| Err(RecordError { line, reason });
        let Some((line, variant)) = take("Variant") else {
            return self.error("the Variant tag is missing; a game starts with [Variant \"…\"]");
        };
        let variant: Variant = match variant.parse() {
            Ok(variant) => variant,
            Err(error) => return error_at(line, format!("the Variant tag: {error}")),
        };
        let state = match take("Position") {
            None => AnyGameState::new(variant),
            Some((line, text)) => match AnyGameState::from_text(variant, &text) {
                Ok(state) => state,
                Err(error) => return error_at(line, format!("the Position tag: {error}")),
            },
        };
        let claimed = match take("Result") {
            None => None,
            Some((line, text)) => match parse_result(&text) {
                Some(result) => Some(result),
                None => {
                    let is = quoted(&text);
                    let reason = format!("the Result tag is {is}, but must be {RESULTS}");
                    return error_at(line, reason);
                }
            },
        };
        tags.retain(|(name, value)| !STANDARD_TAGS.contains(&(name.as_str(), value.as_str())));
        let mut record = Record {
            state,
            tags,
            comments: BTreeMap::new(),
            result: None,
        };
        self.parse_moves(&mut record)?;
        if let Some(claimed) = claimed
            && claimed != record.result
        {
            return self.error(format!(
                "the Result tag is {tag}, but the moves end with {result}",
                tag = result_text(claimed),
                result = result_text(record.result)
            ));
        }
        Ok(record)
    }

    /// The moves up to and including the result.
    fn parse_moves(&mut self, record: &mut Record) -> Result<(), RecordError> {
        let mut move_count = 0;
        loop {
            if !self.skip_whitespace() || self.peek() == Some('[') {
                return self.error(format!("the game must end with a result: {RESULTS}"));
            }
            if self.peek() == Some('{') {
                self.next();
                let comment = self.parse_enclosed('}', "a comment")?;
                // Several comments in the same place are joined.
                let earlier = record.comments.entry(move_count).or_default();
                if !earlier.is_empty() && !comment.is_empty() {
                    earlier.push(' ');
                }
                earlier.push_str(&comment);
                if earlier.is_empty() {
                    record.comments.remove(&move_count);
                }
                continue;
            }
            let mut word = String::new();
            while let Some(c) = self
                .peek()
                .filter(|&c| !c.is_whitespace() && !"{[".contains(c))
            {
                word.push(c);
                self.next();
            }
            if let Some(result) = parse_result(&word) {
                return self.finish(record, result);
            }
            let mv = without_number(&word);
            if mv.is_empty() {
                continue;
            }
            if let Err(reason) = record.state.play(mv) {
                return self.error(format!(
                    "move {number}, {text}: {reason}",
                    number = move_count + 1,
                    text = quoted(mv)
                ));
            }
            move_count += 1;
        }
    }

    fn finish(&self, record: &mut Record, result: Option<Outcome>) -> Result<(), RecordError> {
        if let Some(outcome) = record.state.outcome()
            && result != Some(outcome)
        {
            return self.error(format!(
                "the result is {result}, but by the rules it must be {expected}",
                result = result_text(result),
                expected = result_text(Some(outcome))
            ));
        }
        record.result = result;
        Ok(())
    }
}

/// A move without its number, `1.` or `1...`.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() < word.len() && rest.starts_with('.') {
        rest.trim_start_matches('.')
    } else {
        word
    }
}
