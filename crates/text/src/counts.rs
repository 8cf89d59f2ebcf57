//! Numbers with their nouns, lists, and records.

use std::fmt::Display;

/// `1 move`, `2 moves`.
///
/// ```
/// use noughts_text::plural;
/// assert_eq!(plural(1, "move"), "1 move");
/// assert_eq!(plural(0, "move"), "0 moves");
/// ```
#[must_use]
pub fn plural<N: Copy + PartialEq + From<u8> + Display>(count: N, noun: &str) -> String {
    match count == N::from(1) {
        true => format!("1 {noun}"),
        false => format!("{count} {noun}s"),
    }
}

/// The verb after a number: `is` or `are`.
///
/// ```
/// use noughts_text::{is_or_are, plural};
/// let sentence = |count| format!("There {} {}.", is_or_are(count), plural(count, "legal move"));
/// assert_eq!(sentence(1), "There is 1 legal move.");
/// assert_eq!(sentence(3), "There are 3 legal moves.");
/// ```
#[must_use]
pub fn is_or_are<N: Copy + PartialEq + From<u8>>(count: N) -> &'static str {
    if count == N::from(1) { "is" } else { "are" }
}

/// `a`, `a and b`, `a, b and c`.
///
/// ```
/// use noughts_text::join_and;
/// assert_eq!(join_and(&["Ada", "Bob", "Cleo"]), "Ada, Bob and Cleo");
/// assert_eq!(join_and::<&str>(&[]), "");
/// ```
#[must_use]
pub fn join_and<S: AsRef<str>>(items: &[S]) -> String {
    join(items, "and")
}

/// `a`, `a or b`, `a, b or c`.
#[must_use]
pub fn join_or<S: AsRef<str>>(items: &[S]) -> String {
    join(items, "or")
}

fn join<S: AsRef<str>>(items: &[S], conjunction: &str) -> String {
    match items {
        [] => String::new(),
        [only] => only.as_ref().to_owned(),
        [first @ .., last] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!(
                "{others} {conjunction} {last}",
                others = first.join(", "),
                last = last.as_ref()
            )
        }
    }
}

/// A player's record of rated games.
///
/// ```
/// use noughts_text::tally;
/// assert_eq!(tally(1, 2, 0), "3 games: 1 won, 2 lost, 0 drawn");
/// assert_eq!(tally(0, 0, 0), "no rated games yet");
/// ```
#[must_use]
pub fn tally(wins: u64, losses: u64, draws: u64) -> String {
    let counts = short_tally(wins, losses, draws);
    match wins.saturating_add(losses).saturating_add(draws) {
        0 => counts,
        1 => format!("1 game: {counts}"),
        games => format!("{games} games: {counts}"),
    }
}

/// The same without the number of games: `1 won, 2 lost, 0 drawn`.
#[must_use]
pub fn short_tally(wins: u64, losses: u64, draws: u64) -> String {
    match (wins, losses, draws) {
        (0, 0, 0) => "no rated games yet".into(),
        _ => format!("{wins} won, {losses} lost, {draws} drawn"),
    }
}
