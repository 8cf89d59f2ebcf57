//! Games as records, and back: which tag says what, and how a move's time is written.

use std::time::Duration;

use noughts_rules::{Outcome, Record};

use crate::end::End;
use crate::error::StoreError;
use crate::games::{StoredGame, StoredMove};
use crate::name::{self, Name};
use crate::running::is_uid;
use crate::seat::Seat;
use crate::timestamp::Timestamp;

/// The most characters of a bot's name in a record from elsewhere.
const LONGEST_BOT: usize = 100;

impl StoredGame {
    /// The game as a record that says all that is known of it.
    ///
    /// # Errors
    /// What is kept is no game.
    pub fn to_record(&self) -> Result<Record, StoreError> {
        let mut record = Record::new(self.play()?);
        record.set_result(self.result);
        let mut tags = vec![("Date", self.began.record_date())];
        for (tag, kind, seat) in [
            ("X", "XKind", &self.seats[0]),
            ("O", "OKind", &self.seats[1]),
        ] {
            let name = match seat {
                Seat::Deleted => "?".into(),
                seat => seat.to_string(),
            };
            tags.extend([(tag, name), (kind, seat.kind().into())]);
        }
        tags.extend([("Id", self.uid.clone()), ("Began", self.began.to_string())]);
        tags.extend(self.ended.map(|ended| ("Ended", ended.to_string())));
        tags.extend(self.end.map(|end| ("End", end.word().into())));
        tags.extend(self.handed.then(|| ("Handed", "yes".into())));
        for (tag, value) in tags {
            let refused = |error| StoreError::Unfit(format!("game {}: {error}", self.id));
            record.set_tag(tag, &value).map_err(refused)?;
        }
        for (i, mv) in self.moves.iter().enumerate() {
            // A move without a time took none, or nobody knows what it took.
            if mv.took >= Duration::from_millis(1) {
                record.set_comment(i + 1, &elapsed_text(mv.took));
            }
        }
        Ok(record)
    }
}

/// A game from a record, before it has a number.
pub(crate) struct Read {
    pub(crate) uid: Option<String>,
    pub(crate) start: Option<String>,
    pub(crate) seats: [Seat; 2],
    pub(crate) moves: Vec<StoredMove>,
    pub(crate) began: Timestamp,
    pub(crate) ended: Option<(Timestamp, Option<Outcome>, End)>,
    pub(crate) handed: bool,
}

/// What a record says; what it does not say is filled in.
///
/// # Errors
/// Which tag says what cannot be.
pub(crate) fn read(record: &Record) -> Result<Read, String> {
    let play = record.play();
    let texts = play.moves().into_iter();
    let moves = texts.enumerate().map(|(i, text)| StoredMove {
        text,
        took: record.comment(i + 1).and_then(elapsed).unwrap_or_default(),
    });
    let moves: Vec<StoredMove> = moves.collect();
    let began = match moment(record, "Began")? {
        Some(began) => began,
        None => day(record).unwrap_or_else(Timestamp::now),
    };
    let passed: Duration = moves.iter().map(|mv| mv.took).sum();
    let ended = match end(record)? {
        None => None,
        Some(end) => {
            let moment = moment(record, "Ended")?.unwrap_or_else(|| began.after(passed));
            Some((moment, record.result(), end))
        }
    };
    Ok(Read {
        uid: record.tag("Id").filter(|uid| is_uid(uid)).map(Into::into),
        start: (!play.is_from_start()).then(|| play.start_text()),
        seats: [seat(record, "X", "XKind")?, seat(record, "O", "OKind")?],
        moves,
        began,
        ended,
        handed: handed(record)?,
    })
}

fn moment(record: &Record, tag: &str) -> Result<Option<Timestamp>, String> {
    let read = record.tag(tag).map(str::parse).transpose();
    read.map_err(|error| format!("the tag {tag}: {error}"))
}

fn day(record: &Record) -> Option<Timestamp> {
    record.tag("Date").and_then(Timestamp::of_record_date)
}

/// A name without a kind is a person's: which bots there are is not known here.
fn seat(record: &Record, tag: &str, kind: &str) -> Result<Seat, String> {
    let name = record.tag(tag);
    let person = |name: &str| {
        let name = Name::new(name).map_err(|error| format!("the tag {tag}: {error}"))?;
        Ok(Seat::Person(name))
    };
    match (record.tag(kind), name) {
        (Some("deleted"), _) | (None, None | Some("?" | "")) => Ok(Seat::Deleted),
        (Some("bot"), name) => {
            bot(name.unwrap_or("?")).map_err(|why| format!("the tag {tag}: {why}"))
        }
        (None | Some("person"), name) => person(name.unwrap_or("?")),
        (Some(_), _) => Err(format!("the tag {kind} is person, bot or deleted")),
    }
}

fn bot(name: &str) -> Result<Seat, String> {
    let fits = !name.trim().is_empty() && name.chars().count() <= LONGEST_BOT;
    if !fits || name.chars().any(name::is_unprintable) {
        return Err(format!(
            "a bot's name has 1 to {LONGEST_BOT} characters that can be shown"
        ));
    }
    Ok(Seat::Bot(name.into()))
}

/// How the game ended; nothing if it goes on.
fn end(record: &Record) -> Result<Option<End>, String> {
    if let Some(ending) = record.play().ending() {
        return Ok(Some(ending.into()));
    }
    let said: Option<End> = match record.tag("End") {
        None => None,
        Some(word) => Some(
            word.parse()
                .map_err(|error| format!("the tag End: {error}"))?,
        ),
    };
    match (record.result(), said) {
        (Some(_), Some(End::Abandoned)) => {
            Err("the tag End says abandoned, but a game that was abandoned has the result *".into())
        }
        (_, Some(said)) => Ok(Some(said)),
        (Some(Outcome::Draw), None) => Ok(Some(End::AgreedDraw)),
        (Some(Outcome::Win(_)), None) => Ok(Some(End::Resigned)),
        (None, None) => Ok(None),
    }
}

fn handed(record: &Record) -> Result<bool, String> {
    match record.tag("Handed") {
        None | Some("no") => Ok(false),
        Some("yes") => Ok(true),
        Some(_) => Err("the tag Handed is yes or no".into()),
    }
}

/// What a move took, as chess's records have it: `[%emt 0:01:02.345]`.
fn elapsed_text(took: Duration) -> String {
    let seconds = took.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let millis = took.subsec_millis();
    format!("[%emt {hours}:{minutes:02}:{seconds:02}.{millis:03}]")
}

/// What a comment says that the move took; digits behind the milliseconds are dropped.
fn elapsed(comment: &str) -> Option<Duration> {
    let (_, rest) = comment.split_once("[%emt ")?;
    let (text, _) = rest.split_once(']')?;
    let (whole, fraction) = text.trim().split_once('.').unwrap_or((text.trim(), ""));
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let mut seconds: u64 = 0;
    for part in whole.split(':') {
        let part: u64 = part.parse().ok().filter(|_| digits(part))?;
        seconds = seconds.checked_mul(60)?.checked_add(part)?;
    }
    let fraction = format!("{fraction:0<3}");
    let millis: u64 = fraction
        .get(..3)
        .filter(|_| digits(&fraction))?
        .parse()
        .ok()?;
    let took = Duration::from_secs(seconds).checked_add(Duration::from_millis(millis))?;
    i64::try_from(took.as_millis()).ok().map(|_| took)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Result<Read, String> {
        read(&Record::read_all(text).expect("records")[0])
    }

    #[test]
    fn times_are_read_back() {
        for millis in [0, 1, 999, 1000, 59_999, 3_600_000, 100 * 3_600_000 + 61_001] {
            let took = Duration::from_millis(millis);
            assert_eq!(elapsed(&elapsed_text(took)), Some(took), "{millis}");
        }
        assert_eq!(
            elapsed_text(Duration::from_millis(62_345)),
            "[%emt 0:01:02.345]"
        );
    }

    #[test]
    fn times_of_others_are_read_and_nonsense_is_not() {
        for (comment, millis) in [
            ("good [%clk 0:05:00] [%emt 0:00:07] move", Some(7_000)),
            ("[%emt 2.5]", Some(2_500)),
            ("[%emt 1:02.3456]", Some(62_345)),
            ("[%emt ]", None),
            ("[%emt 1:x]", None),
            ("[%emt -1]", None),
            ("[%emt +1]", None),
            ("[%emt 1.é2]", None),
            ("[%emt 99999999999999999999]", None),
            ("[%emt 999999999999999999:00:00]", None),
            ("[%emt 5", None),
            ("emt 5", None),
        ] {
            assert_eq!(
                elapsed(comment),
                millis.map(Duration::from_millis),
                "{comment}"
            );
        }
    }

    /// Games from elsewhere have few of our tags, or none.
    #[test]
    fn what_a_record_does_not_say_is_filled_in() {
        let read = one("[Variant \"classic\"]\n[X \"Ada\"]\n[Date \"2026.11.15\"]\n\n1. b2 {[%emt 0:00:02]} a1 1-0").expect("a game");
        assert_eq!(
            read.seats,
            [
                Seat::Person(Name::new("Ada").expect("a name")),
                Seat::Deleted
            ]
        );
        assert_eq!(read.began.to_string(), "2026-11-15T00:00:00.000Z");
        let (ended, result, end) = read.ended.expect("it has ended");
        assert_eq!(ended.to_string(), "2026-11-15T00:00:02.000Z");
        assert_eq!((result.map(Outcome::word), end), (Some("x"), End::Resigned));
        assert_eq!((read.uid, read.start, read.handed), (None, None, false));

        let end_of = |moves: &str| {
            one(&format!("[Variant \"classic\"]\n\n{moves}"))
                .expect("a game")
                .ended
                .map(|e| e.2)
        };
        assert_eq!(end_of("1. b2 *"), None);
        assert_eq!(end_of("1. b2 1/2-1/2"), Some(End::AgreedDraw));
        assert_eq!(end_of("1. b2 a1 2. a2 a3 3. c2 1-0"), Some(End::Line));
    }

    #[test]
    fn tags_that_cannot_be_are_named() {
        for (tags, result, said) in [
            (
                "[XKind \"cat\"]",
                "*",
                "the tag XKind is person, bot or deleted",
            ),
            (
                "[X \"\\n\"]",
                "*",
                "the tag X: a name needs at least one character that can be seen",
            ),
            (
                "[Began \"soon\"]",
                "*",
                "the tag Began: a moment is written like 2026-11-15T19:31:07.250Z",
            ),
            (
                "[End \"boredom\"]",
                "*",
                "the tag End: a game ends by line, double-line, no-move, most-boards, repetition, agreed-draw, resigned, time, illegal-move, crash, abandoned",
            ),
            (
                "[End \"abandoned\"]",
                "1-0",
                "the tag End says abandoned, but a game that was abandoned has the result *",
            ),
            ("[Handed \"maybe\"]", "*", "the tag Handed is yes or no"),
        ] {
            let text = format!("[Variant \"classic\"]\n{tags}\n\n1. b2 {result}");
            assert_eq!(one(&text).err().as_deref(), Some(said));
        }
        let text = format!(
            "[Variant \"classic\"]\n[O \"{}\"]\n[OKind \"bot\"]\n\n*",
            "b".repeat(101)
        );
        let said = "the tag O: a bot's name has 1 to 100 characters that can be shown";
        assert_eq!(one(&text).err().as_deref(), Some(said));
    }

    /// `?` stands for nobody; somebody may be called so all the same.
    #[test]
    fn a_person_may_be_called_a_question_mark() {
        let read =
            one("[Variant \"classic\"]\n[X \"?\"]\n[XKind \"person\"]\n\n*").expect("a game");
        assert_eq!(
            read.seats,
            [Seat::Person(Name::new("?").expect("a name")), Seat::Deleted]
        );
    }
}
