//! The words that players can type instead of a move, and the directions of the grid.

/// A word that works at any question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Word {
    Quit,
    Help,
    Rules,
    Board,
    Read,
    Moves,
    Hint,
    Record,
    Undo,
    Redo,
    Draw,
    Resign,
}

impl Word {
    const ALL: [(Word, &'static [&'static str], &'static str); 12] = [
        (Word::Help, &["help", "?"], "this list"),
        (Word::Rules, &["rules"], "the rules of this game"),
        (Word::Board, &["board"], "the board as it stands"),
        (
            Word::Read,
            &["read"],
            "the board in words, without a drawing",
        ),
        (Word::Moves, &["moves"], "the moves that are legal now"),
        (Word::Hint, &["hint"], "a good move, and what it is worth"),
        (
            Word::Undo,
            &["undo"],
            "take a move back; against a computer, to your own last decision",
        ),
        (Word::Redo, &["redo"], "make again what was taken back"),
        (
            Word::Draw,
            &["draw"],
            "offer a draw; another person is asked, a computer plays on",
        ),
        (Word::Resign, &["resign"], "give the game up"),
        (
            Word::Record,
            &["record", "records"],
            "what the players have won, lost and tied",
        ),
        (
            Word::Quit,
            &["q", "quit", "exit"],
            "leave; a game that is running is kept and can be resumed",
        ),
    ];

    /// The word, in any case.
    pub(super) fn of(text: &str) -> Option<Word> {
        let text = text.to_lowercase();
        let is = |(_, spellings, _): &&(Word, &[&str], &str)| spellings.contains(&text.as_str());
        Word::ALL.iter().find(is).map(|(word, ..)| *word)
    }

    /// Does it change a running game?
    pub(super) fn is_step(self) -> bool {
        matches!(self, Word::Undo | Word::Redo | Word::Draw | Word::Resign)
    }

    /// Each word with what it does, a line each.
    pub(super) fn list() -> impl Iterator<Item = String> {
        Word::ALL
            .iter()
            .map(|(_, spellings, does)| format!("{}: {does}.", spellings.join(" or ")))
    }
}

/// What to say where [`yes_or_no`] finds neither.
pub(super) const YES_OR_NO: &str = "the answer is y for yes or n for no";

pub(super) fn yes_or_no(text: &str) -> Option<bool> {
    match text.to_lowercase().as_str() {
        "y" | "yes" => Some(true),
        "n" | "no" => Some(false),
        _ => None,
    }
}

/// What to say where nothing was said.
pub(super) const EMPTY: &str = "an empty line is no answer here";

/// What to say where [`direction`] finds none.
pub(super) const NO_DIRECTION: &str = "a direction is up, down, left, right or two of these such \
     as up left; n, ne, e, se, s, sw, w or nw; or a digit of a keypad, 8 for up";

/// Where a direction leads: columns to the right, rows down. Words, compass letters
/// or the digits of a keypad.
pub(super) fn direction(text: &str) -> Option<(i8, i8)> {
    const DIRECTIONS: [((i8, i8), &[&str]); 8] = [
        ((0, -1), &["8", "n", "north", "up"]),
        ((1, -1), &["9", "ne", "northeast", "upright", "rightup"]),
        ((1, 0), &["6", "e", "east", "right"]),
        ((1, 1), &["3", "se", "southeast", "downright", "rightdown"]),
        ((0, 1), &["2", "s", "south", "down"]),
        ((-1, 1), &["1", "sw", "southwest", "downleft", "leftdown"]),
        ((-1, 0), &["4", "w", "west", "left"]),
        ((-1, -1), &["7", "nw", "northwest", "upleft", "leftup"]),
    ];
    let text = text.to_lowercase();
    let plain: String = text
        .split(|c: char| c == '-' || c.is_whitespace())
        .collect();
    let is = |(_, names): &&((i8, i8), &[&str])| names.contains(&plain.as_str());
    DIRECTIONS.iter().find(is).map(|(step, _)| *step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_known_in_any_case_and_are_no_moves() {
        for (word, spellings, _) in Word::ALL {
            for spelling in spellings {
                assert_eq!(Word::of(spelling), Some(word));
                assert_eq!(Word::of(&spelling.to_uppercase()), Some(word));
                // A cell of a nested board is made of these letters.
                assert!(!spelling.chars().all(|c| ('a'..='i').contains(&c)));
            }
        }
        for text in ["", "a", "b2", "quite", "q q", "Ada", "h", "1"] {
            assert_eq!(Word::of(text), None, "{text}");
        }
    }

    #[test]
    fn every_direction_has_many_names() {
        for (step, names) in [
            ((0, -1), ["8", "n", "UP", "North"]),
            ((1, -1), ["9", "NE", "up right", "north-east"]),
            ((1, 0), ["6", "e", "right", "east"]),
            ((1, 1), ["3", "se", "down-right", "right down"]),
            ((0, 1), ["2", "s", "down", "south"]),
            ((-1, 1), ["1", "sw", "down left", "south west"]),
            ((-1, 0), ["4", "w", "left", "west"]),
            ((-1, -1), ["7", "nw", "up left", "northwest"]),
        ] {
            for name in names {
                assert_eq!(direction(name), Some(step), "{name}");
            }
        }
        for name in ["", "5", "0", "north up", "x", "up up", "77"] {
            assert_eq!(direction(name), None, "{name}");
        }
    }
}
