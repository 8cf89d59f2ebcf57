//! The commands that players can type instead of a move, and the directions of the grid.

/// A command that works at any question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TextCommand {
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

impl TextCommand {
    const ALL: [(TextCommand, &'static [&'static str], &'static str); 12] = [
        (TextCommand::Help, &["help", "?"], "show this list"),
        (
            TextCommand::Rules,
            &["rules"],
            "show the rules of this game",
        ),
        (TextCommand::Board, &["board"], "show the board"),
        (TextCommand::Read, &["read"], "describe the board in words"),
        (TextCommand::Moves, &["moves"], "list the legal moves"),
        (
            TextCommand::Hint,
            &["hint"],
            "get a good move and its value",
        ),
        (
            TextCommand::Undo,
            &["undo"],
            "take back a move; against a computer, back to your own last move",
        ),
        (
            TextCommand::Redo,
            &["redo"],
            "redo moves that were taken back",
        ),
        (
            TextCommand::Draw,
            &["draw"],
            "offer a draw; a human opponent is asked, a computer declines",
        ),
        (TextCommand::Resign, &["resign"], "resign the game"),
        (
            TextCommand::Record,
            &["record", "records"],
            "show the players' wins, losses and draws",
        ),
        (
            TextCommand::Quit,
            &["q", "quit", "exit"],
            "quit; an unfinished game is saved and can be resumed",
        ),
    ];

    /// Parses a command, in upper or lower case.
    pub(super) fn parse(text: &str) -> Option<TextCommand> {
        let text = text.to_lowercase();
        let is =
            |(_, spellings, _): &&(TextCommand, &[&str], &str)| spellings.contains(&text.as_str());
        TextCommand::ALL
            .iter()
            .find(is)
            .map(|(command, ..)| *command)
    }

    /// Does it change a running game?
    pub(super) fn changes_game(self) -> bool {
        matches!(
            self,
            TextCommand::Undo | TextCommand::Redo | TextCommand::Draw | TextCommand::Resign
        )
    }

    /// One line for each command: its spellings and what it does.
    pub(super) fn help_lines() -> impl Iterator<Item = String> {
        TextCommand::ALL
            .iter()
            .map(|(_, spellings, does)| format!("{}: {does}.", spellings.join(" or ")))
    }
}

/// The refusal if [`parse_yes_no`] returns `None`.
pub(super) const EXPECTED_YES_NO: &str = "please answer y for yes or n for no";

pub(super) fn parse_yes_no(text: &str) -> Option<bool> {
    match text.to_lowercase().as_str() {
        "y" | "yes" => Some(true),
        "n" | "no" => Some(false),
        _ => None,
    }
}

/// The refusal of an empty line.
pub(super) const EMPTY_ANSWER: &str = "the answer can't be empty";

/// The refusal if [`parse_direction`] returns `None`.
pub(super) const EXPECTED_DIRECTION: &str = "please give a direction: up, down, left, right or two of these, such \
     as up left; n, ne, e, se, s, sw, w or nw; or a keypad digit, such as 8 for up";

/// Parses a direction: words, compass letters or the digits of a keypad. Returns the step in
/// columns to the right and rows down.
pub(super) fn parse_direction(text: &str) -> Option<(i8, i8)> {
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
    let normalized: String = text
        .split(|c: char| c == '-' || c.is_whitespace())
        .collect();
    let is = |(_, names): &&((i8, i8), &[&str])| names.contains(&normalized.as_str());
    DIRECTIONS.iter().find(is).map(|(step, _)| *step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_ignore_case_and_are_never_moves() {
        for (command, spellings, _) in TextCommand::ALL {
            for spelling in spellings {
                assert_eq!(TextCommand::parse(spelling), Some(command));
                assert_eq!(TextCommand::parse(&spelling.to_uppercase()), Some(command));
                // Cells of nested boards consist of these letters.
                assert!(!spelling.chars().all(|c| ('a'..='i').contains(&c)));
            }
        }
        for text in ["", "a", "b2", "quite", "q q", "Ada", "h", "1"] {
            assert_eq!(TextCommand::parse(text), None, "{text}");
        }
    }

    #[test]
    fn every_direction_has_several_names() {
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
                assert_eq!(parse_direction(name), Some(step), "{name}");
            }
        }
        for name in ["", "5", "0", "north up", "x", "up up", "77"] {
            assert_eq!(parse_direction(name), None, "{name}");
        }
    }
}
