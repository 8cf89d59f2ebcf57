//! Converts between stored games and records: the tags, and how move times are written.

use std::time::Duration;

use noughts_rules::{Assistance, Outcome, Record, Termination};

use crate::error::StoreError;
use crate::games::{MAX_MOVE_TIME, NewGameRow, StoredGame, StoredMove};
use crate::name::{self, Name};
use crate::process::is_uid;
use crate::seat::Seat;
use crate::timestamp::Timestamp;

/// The longest bot name in an imported record.
const MAX_BOT_NAME_CHARS: usize = 100;

impl StoredGame {
    /// Converts the game to a record with everything that is stored.
    ///
    /// # Errors
    /// The stored game is invalid.
    pub fn to_record(&self) -> Result<Record, StoreError> {
        let mut record = Record::new(self.replay()?);
        record.set_result(self.result);
        let mut tags = vec![("Date", self.started.to_record_date())];
        for (tag, kind, seat) in [
            ("X", "XKind", &self.seats[0]),
            ("O", "OKind", &self.seats[1]),
        ] {
            let name = seat.name().unwrap_or("?");
            tags.extend([(tag, name.into()), (kind, seat.kind().into())]);
        }
        tags.extend([
            ("Id", self.uid.clone()),
            ("Began", self.started.to_string()),
        ]);
        tags.extend(self.ended.map(|ended| ("Ended", ended.to_string())));
        tags.extend(self.end.map(|end| ("End", end.as_str().into())));
        tags.extend(self.changed_hands.then(|| ("Handed", "yes".into())));
        tags.extend(self.assistance.map(|how| ("Assisted", how.as_str().into())));
        for (tag, value) in tags {
            let refused = |error| StoreError::Invalid(format!("game {id}: {error}", id = self.id));
            record.set_tag(tag, &value).map_err(refused)?;
        }
        for (i, mv) in self.moves.iter().enumerate() {
            // A move without a time took none, or its time is unknown.
            if mv.took >= Duration::from_millis(1) {
                record.set_comment(i + 1, &move_time_text(mv.took));
            }
        }
        Ok(record)
    }
}

/// Converts a record, filling in what it doesn't specify. Returns the game and its moves.
///
/// # Errors
/// Which tag is invalid.
pub(crate) fn parse_record(
    record: &Record,
    make_uid: impl FnOnce() -> String,
) -> Result<(NewGameRow, Vec<StoredMove>), String> {
    let state = record.state();
    let moves = moves(record)?;
    let date = date_tag(record)?;
    let started = timestamp_tag(record, "Began")?
        .or(date)
        .unwrap_or_else(Timestamp::now);
    let ended = match end(record)? {
        None => None,
        Some(end) => Some((end_time(record, started, &moves)?, record.result(), end)),
    };
    let id = record.tag("Id").map(str::to_ascii_lowercase);
    let row = NewGameRow {
        uid: id.filter(|uid| is_uid(uid)).unwrap_or_else(make_uid),
        variant: state.variant(),
        start: (!state.has_standard_start()).then(|| state.start_text()),
        seats: [seat(record, "X", "XKind")?, seat(record, "O", "OKind")?],
        started,
        ended,
        changed_hands: changed_hands(record)?,
        assistance: assistance(record)?,
        imported: true,
        holder: None,
    };
    Ok((row, moves))
}

fn moves(record: &Record) -> Result<Vec<StoredMove>, String> {
    let texts = record.state().moves().into_iter().enumerate();
    let moves = texts.map(|(i, text)| {
        let took = record.comment(i + 1).map_or(Ok(None), move_time);
        let took = took.map_err(|why| format!("move {number}: {why}", number = i + 1))?;
        let took = took.unwrap_or_default();
        Ok(StoredMove { text, took })
    });
    moves.collect()
}

fn end_time(
    record: &Record,
    started: Timestamp,
    moves: &[StoredMove],
) -> Result<Timestamp, String> {
    match timestamp_tag(record, "Ended")? {
        Some(ended) if ended < started => Err(format!(
            "the Ended tag is {ended}, but the game started later, at {started}"
        )),
        Some(ended) => Ok(ended),
        None => {
            let total = moves.iter().map(|mv| mv.took).sum();
            let beyond = "the move times extend past the year 9999";
            started.checked_add(total).ok_or_else(|| beyond.into())
        }
    }
}

fn timestamp_tag(record: &Record, tag: &str) -> Result<Option<Timestamp>, String> {
    let parsed = record.tag(tag).map(str::parse).transpose();
    parsed.map_err(|error| format!("the {tag} tag: {error}"))
}

/// A date with `?` for an unknown part counts as unknown.
fn date_tag(record: &Record) -> Result<Option<Timestamp>, String> {
    let Some(text) = record.tag("Date").filter(|text| !text.contains('?')) else {
        return Ok(None);
    };
    let error = "the Date tag: a date must look like 2026.11.15, with ? for unknown parts";
    let date = Timestamp::from_record_date(text).ok_or(error)?;
    Ok(Some(date))
}

/// A name without a kind is a player's: this crate doesn't know which bots exist.
fn seat(record: &Record, tag: &str, kind: &str) -> Result<Seat, String> {
    let name = record.tag(tag);
    let player = |name: &str| {
        let name = Name::new(name).map_err(|error| format!("the {tag} tag: {error}"))?;
        Ok(Seat::Player(name))
    };
    match (record.tag(kind), name) {
        (Some("deleted"), _) | (None, None | Some("?" | "")) => Ok(Seat::Deleted),
        (Some("guest"), _) => Ok(Seat::Guest),
        (Some("bot"), name) => {
            bot(name.unwrap_or("?")).map_err(|why| format!("the {tag} tag: {why}"))
        }
        // Records written before the word changed say `person`.
        (None | Some("human" | "person"), name) => player(name.unwrap_or("?")),
        (Some(_), _) => Err(format!(
            "the {kind} tag must be human, bot, guest or deleted"
        )),
    }
}

fn bot(name: &str) -> Result<Seat, String> {
    let fits = !name.trim().is_empty() && name.chars().count() <= MAX_BOT_NAME_CHARS;
    if !fits || name.chars().any(name::is_unprintable) {
        return Err(format!(
            "a bot's name must have 1 to {MAX_BOT_NAME_CHARS} printable characters"
        ));
    }
    Ok(Seat::Bot(name.into()))
}

/// How the game ended; `None` if it is open.
fn end(record: &Record) -> Result<Option<Termination>, String> {
    let tagged: Option<Result<Termination, _>> = record.tag("End").map(str::parse);
    let tagged = tagged
        .transpose()
        .map_err(|error| format!("the End tag: {error}"))?;
    let by_rules = record.state().ending().map(Termination::from);
    let Some(tagged) = tagged else {
        return Ok(by_rules.or(record.result().map(|result| match result {
            Outcome::Draw => Termination::AgreedDraw,
            Outcome::Win(_) => Termination::Resigned,
        })));
    };
    let word = Termination::as_str;
    let check = match by_rules {
        None => check_result(tagged, record.result()),
        Some(end) if end == tagged => Ok(()),
        Some(end) => Err(format!("by the rules, the game ended by {}", word(end))),
    };
    match check {
        Ok(()) => Ok(Some(tagged)),
        Err(why) => Err(format!("the End tag is {}, but {why}", word(tagged))),
    }
}

/// Is this a valid result for a termination outside the rules?
fn check_result(end: Termination, result: Option<Outcome>) -> Result<(), String> {
    use Termination::{
        Abandoned, AgreedDraw, Crash, DoubleLine, IllegalMove, Line, MostBoards, NoMove,
        Repetition, Resigned, Timeout,
    };
    match (end, result) {
        (AgreedDraw, Some(Outcome::Draw)) | (Abandoned, None) => Ok(()),
        (Resigned | Timeout | IllegalMove | Crash, Some(Outcome::Win(_))) => Ok(()),
        (AgreedDraw, _) => Err("the result isn't a draw".into()),
        (Abandoned, _) => Err("an abandoned game must have the result *".into()),
        (Resigned | Timeout | IllegalMove | Crash, _) => Err("the result isn't a win".into()),
        (Line | DoubleLine | NoMove | MostBoards | Repetition, _) => {
            Err("by the rules, the game isn't over".into())
        }
    }
}

fn changed_hands(record: &Record) -> Result<bool, String> {
    match record.tag("Handed") {
        None | Some("no") => Ok(false),
        Some("yes") => Ok(true),
        Some(_) => Err("the Handed tag must be yes or no".into()),
    }
}

fn assistance(record: &Record) -> Result<Option<Assistance>, String> {
    match record.tag("Assisted") {
        None | Some("no") => Ok(None),
        Some(word) => word
            .parse()
            .map(Some)
            .map_err(|error| format!("the Assisted tag: {error}")),
    }
}

/// The time of a move, as in chess PGN: `[%emt 0:01:02.345]`.
fn move_time_text(took: Duration) -> String {
    let seconds = took.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let millis = took.subsec_millis();
    format!("[%emt {hours}:{minutes:02}:{seconds:02}.{millis:03}]")
}

/// The move time in a comment, if there is one.
fn move_time(comment: &str) -> Result<Option<Duration>, String> {
    let Some((_, rest)) = comment.split_once("[%emt") else {
        return Ok(None);
    };
    let took = rest
        .split_once(']')
        .and_then(|(text, _)| parse_duration(text.trim()));
    match took {
        Some(took) if took <= MAX_MOVE_TIME => Ok(Some(took)),
        Some(_) => Err("a move can take at most 1000 hours".into()),
        None => Err("a move time must look like [%emt 0:01:02.345]".into()),
    }
}

/// `0:01:02.345`, `1:02` or `2.5`; digits after the milliseconds are dropped.
fn parse_duration(text: &str) -> Option<Duration> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let mut seconds: u64 = 0;
    for (i, part) in whole.split(':').enumerate() {
        let part: u64 = part.parse().ok().filter(|_| digits(part))?;
        if i > 2 || (i > 0 && part > 59) {
            return None;
        }
        seconds = seconds.checked_mul(60)?.checked_add(part)?;
    }
    if !digits(fraction) {
        return None;
    }
    let millis: u64 = format!("{fraction:0<3}").get(..3)?.parse().ok()?;
    Duration::from_secs(seconds).checked_add(Duration::from_millis(millis))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_one(text: &str) -> Result<NewGameRow, String> {
        let records = Record::parse_all(text).expect("records");
        parse_record(&records[0], || "new".into()).map(|(row, _)| row)
    }

    #[test]
    fn move_times_round_trip() {
        for millis in [0, 1, 999, 59_999, 360_061_001, 3_600_000_000] {
            let took = Duration::from_millis(millis);
            assert_eq!(move_time(&move_time_text(took)), Ok(Some(took)), "{millis}");
        }
        assert_eq!(
            move_time_text(Duration::from_millis(62_345)),
            "[%emt 0:01:02.345]"
        );
    }

    #[test]
    fn move_times_of_other_programs_are_parsed_and_invalid_ones_rejected() {
        for (comment, millis) in [
            ("good [%clk 0:05:00] [%emt 0:00:07] move", Some(7_000)),
            ("[%emt 2.5]", Some(2_500)),
            ("[%emt 90]", Some(90_000)),
            ("[%emt 1:02.3456]", Some(62_345)),
            ("emt 5", None),
            ("a good move", None),
        ] {
            let game = millis.map(Duration::from_millis);
            assert_eq!(move_time(comment), Ok(game), "{comment}");
        }
        for text in [
            "",
            " ",
            " 1:x]",
            " ]",
            "]",
            " -1]",
            " -0:00:01]",
            " +1]",
            " 1.é2]",
            " 1.]",
            " :5]",
            " 0:00:60]",
            " 0:60:00]",
            " 1:0:00:00]",
            " 99999999999999999999]",
            " 5",
        ] {
            let message = "a move time must look like [%emt 0:01:02.345]";
            assert_eq!(
                move_time(&format!("[%emt{text}")),
                Err(message.into()),
                "{text}"
            );
        }
        for text in ["1000:00:00.001", "999999999999999:00:00", "3600001"] {
            let message = "a move can take at most 1000 hours";
            assert_eq!(move_time(&format!("[%emt {text}]")), Err(message.into()));
        }
    }

    /// Imported games have few of our tags, or none.
    #[test]
    fn missing_tags_are_filled_in() {
        let game = parse_one("[Variant \"classic\"]\n[X \"Ada\"]\n[Date \"2026.11.15\"]\n\n1. b2 {[%emt 0:00:02]} a1 1-0").expect("a game");
        assert_eq!(
            game.seats,
            [
                Seat::Player(Name::new("Ada").expect("a name")),
                Seat::Deleted
            ]
        );
        assert_eq!(game.started.to_string(), "2026-11-15T00:00:00.000Z");
        let (ended, result, end) = game.ended.expect("it has ended");
        assert_eq!(ended.to_string(), "2026-11-15T00:00:02.000Z");
        assert_eq!(
            (result.map(Outcome::as_str), end),
            (Some("x"), Termination::Resigned)
        );
        assert_eq!(
            (game.uid.as_str(), game.start, game.changed_hands),
            ("new", None, false)
        );

        let end_of = |moves: &str| {
            parse_one(&format!("[Variant \"classic\"]\n\n{moves}"))
                .expect("a game")
                .ended
                .map(|e| e.2)
        };
        assert_eq!(end_of("1. b2 *"), None);
        assert_eq!(end_of("1. b2 1/2-1/2"), Some(Termination::AgreedDraw));
        assert_eq!(
            end_of("1. b2 a1 2. a2 a3 3. c2 1-0"),
            Some(Termination::Line)
        );
    }

    #[test]
    fn invalid_tags_are_reported() {
        for (tags, result, message) in [
            (
                "[XKind \"cat\"]",
                "*",
                "the XKind tag must be human, bot, guest or deleted",
            ),
            (
                "[X \"\\n\"]",
                "*",
                "the X tag: a name needs at least one visible character",
            ),
            (
                "[Began \"soon\"]",
                "*",
                "the Began tag: a time must look like 2026-11-15T19:31:07.250Z",
            ),
            (
                "[End \"boredom\"]",
                "*",
                "the End tag: the ending must be one of line, double-line, no-move, most-boards, repetition, agreed-draw, resigned, time, illegal-move, crash, abandoned",
            ),
            (
                "[End \"abandoned\"]",
                "1-0",
                "the End tag is abandoned, but an abandoned game must have the result *",
            ),
            (
                "[Handed \"maybe\"]",
                "*",
                "the Handed tag must be yes or no",
            ),
            (
                "[Assisted \"magic\"]",
                "*",
                "the Assisted tag: assistance must be one of hint, takeback, analysis, position",
            ),
            (
                "[Date \"yesterday\"]",
                "*",
                "the Date tag: a date must look like 2026.11.15, with ? for unknown parts",
            ),
            (
                "[Date \"2026.02.30\"]",
                "*",
                "the Date tag: a date must look like 2026.11.15, with ? for unknown parts",
            ),
            (
                "[Began \"2026-11-15T19:31:07Z\"]\n[Ended \"2026-11-15T19:31:06Z\"]",
                "1-0",
                "the Ended tag is 2026-11-15T19:31:06.000Z, but the game started later, at 2026-11-15T19:31:07.000Z",
            ),
            (
                "[Began \"9999-12-30T21:59:59Z\"]",
                "{[%emt 900:00:00]} 1-0",
                "the move times extend past the year 9999",
            ),
            (
                "",
                "{[%emt -1]} 1-0",
                "move 1: a move time must look like [%emt 0:01:02.345]",
            ),
        ] {
            let text = format!("[Variant \"classic\"]\n{tags}\n\n1. b2 {result}");
            assert_eq!(parse_one(&text).err().as_deref(), Some(message));
        }
        let text = format!(
            "[Variant \"classic\"]\n[O \"{}\"]\n[OKind \"bot\"]\n\n*",
            "b".repeat(101)
        );
        let message = "the O tag: a bot's name must have 1 to 100 printable characters";
        assert_eq!(parse_one(&text).err().as_deref(), Some(message));
    }

    #[test]
    fn the_end_tag_must_match_the_rules_and_the_result() {
        let line = "1. b2 a1 2. a2 a3 3. c2 1-0";
        let full = "1. b2 a1 2. c1 a3 3. a2 c2 4. b1 b3 5. c3 1/2-1/2";
        let fits = |end: Termination, moves: &str| match (end, moves) {
            (Termination::Line, moves) => moves == line,
            (Termination::NoMove, moves) => moves == full,
            (Termination::AgreedDraw, moves) => moves == "1. b2 1/2-1/2",
            (Termination::Abandoned, moves) => moves == "1. b2 *",
            (
                Termination::Resigned
                | Termination::Timeout
                | Termination::IllegalMove
                | Termination::Crash,
                moves,
            ) => ["1. b2 1-0", "1. b2 0-1"].contains(&moves),
            (Termination::DoubleLine | Termination::MostBoards | Termination::Repetition, _) => {
                false
            }
        };
        let all = [
            line,
            full,
            "1. b2 *",
            "1. b2 1-0",
            "1. b2 0-1",
            "1. b2 1/2-1/2",
        ];
        for end in Termination::ALL {
            for moves in all {
                let word = end.as_str();
                let text = format!("[Variant \"classic\"]\n[End \"{word}\"]\n\n{moves}");
                match parse_one(&text) {
                    Ok(game) => {
                        assert!(fits(end, moves), "{word} {moves}");
                        assert_eq!(game.ended.map(|ended| ended.2), Some(end));
                    }
                    Err(message) => {
                        assert!(!fits(end, moves), "{message}");
                        let prefix = format!("the End tag is {word}, but ");
                        assert!(message.starts_with(&prefix), "{message}");
                    }
                }
            }
        }
    }

    #[test]
    fn unknown_dates_and_foreign_ids_are_ignored() {
        let game = |tags: &str| parse_one(&format!("[Variant \"classic\"]\n{tags}\n\n*"));
        for date in ["????.??.??", "2026.11.??", "?"] {
            let tags = format!("[Date \"{date}\"]\n[Began \"2026-11-15T19:31:07Z\"]");
            assert!(game(&tags).is_ok(), "{date}");
        }
        let id = "6F1AD2C41F0E4C5D9B3F0A7E8C2D1B10";
        let uid = game(&format!("[Id \"{id}\"]")).expect("a game").uid;
        assert_eq!(uid, id.to_lowercase(), "the same game");
        assert_eq!(game("[Id \"17\"]").expect("a game").uid, "new");
    }

    /// `?` means an unknown player, but a player may be called that.
    #[test]
    fn a_player_may_be_called_a_question_mark() {
        let game =
            parse_one("[Variant \"classic\"]\n[X \"?\"]\n[XKind \"person\"]\n\n*").expect("a game");
        assert_eq!(
            game.seats,
            [Seat::Player(Name::new("?").expect("a name")), Seat::Deleted]
        );
    }
}
