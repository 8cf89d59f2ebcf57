//! What players can do, with the keys, words and labels of every action: one table for the terminal, plain mode and the
//! web page.

use noughts_rules::{AnyGameState, Target, Variant};

use crate::counts::join_or;
use crate::prompt::frame_name;

/// Something a player can do during a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the table says what each one does")]
pub enum Action {
    Help,
    Rules,
    Board,
    Read,
    Moves,
    TypeMove,
    Hint,
    TakeBack,
    Redo,
    Analysis,
    HandOver,
    EndGame,
    OfferDraw,
    Resign,
    Records,
    Pause,
    Step,
    Faster,
    Slower,
    Restart,
    NewGame,
    Quit,
}

/// The action, its key, the words of plain mode, a short label, and what it does.
type Row = (
    Action,
    &'static str,
    &'static [&'static str],
    &'static str,
    &'static str,
);

#[rustfmt::skip]
const ACTIONS: [Row; 22] = [
    (Action::Help, "?", &["help", "?"], "help", "show this list"),
    (Action::Rules, "", &["rules"], "rules", "show the rules of this game"),
    (Action::Board, "", &["board"], "board", "show the board"),
    (Action::Read, "", &["read"], "read", "describe the board in words"),
    (Action::Moves, "", &["moves"], "moves", "list the legal moves"),
    (Action::TypeMove, "/", &[], "type", "type a move; Enter plays it, Esc cancels"),
    (Action::Hint, "t", &["hint"], "hint", "get a good move and its value; the game won't be rated"),
    (Action::TakeBack, "u", &["takeback"], "take back",
        "take back a move; against the computer, back to your last move; the game won't be rated"),
    (Action::Redo, "r", &["redo"], "redo", "redo moves that were taken back"),
    (Action::Analysis, "a", &[], "analysis", "show or hide the value of every move; the game won't be rated"),
    (Action::HandOver, "s", &[], "hand over", "hand over a side to another player"),
    (Action::EndGame, "x", &[], "resign, draw", "resign, offer a draw, or abandon the game"),
    (Action::OfferDraw, "", &["draw"], "offer draw", "offer a draw; the computer accepts unless it has the better position or it's too early in the game"),
    (Action::Resign, "", &["resign"], "resign", "resign the game"),
    (Action::Records, "", &["record"], "records", "show the players' wins, losses and draws"),
    (Action::Pause, "Space", &[], "pause", "when computers play: pause or continue"),
    (Action::Step, ".", &[], "step", "when computers play: make one move"),
    (Action::Faster, "+", &[], "faster", "when computers play: speed up"),
    (Action::Slower, "-", &[], "slower", "when computers play: slow down"),
    (Action::Restart, "R", &[], "start over", "start this game over"),
    (Action::NewGame, "n", &[], "new", "start a new game"),
    (Action::Quit, "q", &["q", "quit", "exit"], "quit", "quit; an unfinished game is saved and can be resumed"),
];

/// Words that plain mode accepts, too, but doesn't list.
const ALIASES: [(&str, Action); 2] = [("undo", Action::TakeBack), ("records", Action::Records)];

impl Action {
    fn row(self) -> &'static Row {
        &ACTIONS[self as usize]
    }

    /// The action of a key, in the terminal and on the web page.
    ///
    /// ```
    /// use noughts_text::Action;
    /// assert_eq!(Action::from_key('t'), Some(Action::Hint));
    /// assert_eq!(Action::from_key(' '), Some(Action::Pause));
    /// ```
    #[must_use]
    pub fn from_key(key: char) -> Option<Action> {
        let key = match key {
            ' ' => "Space".into(),
            '=' => "+".into(),
            key => String::from(key),
        };
        ACTIONS.iter().find(|row| row.1 == key).map(|row| row.0)
    }

    /// The action that a player types in plain mode, in upper or lower case.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Action> {
        let word = word.to_lowercase();
        let row = ACTIONS.iter().find(|row| row.2.contains(&word.as_str()));
        let alias = ALIASES.iter().find(|(alias, _)| *alias == word);
        row.map(|row| row.0).or(alias.map(|(_, action)| *action))
    }

    /// The key; empty if there is none.
    #[must_use]
    pub fn key(self) -> &'static str {
        self.row().1
    }

    /// One or two words for a button or a line of keys.
    #[must_use]
    pub fn label(self) -> &'static str {
        self.row().3
    }
}

/// The help of plain mode: one line for each action that can be typed.
pub fn plain_help() -> impl Iterator<Item = String> {
    let rows = ACTIONS.iter().filter(|row| !row.2.is_empty());
    rows.map(|(_, _, words, _, effect)| format!("{words}: {effect}.", words = join_or(words)))
}

/// Where a table of keys is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeyTable {
    /// On the game screen of the terminal.
    Terminal,
    /// On the review screen of the terminal.
    TerminalReview,
    /// On the web page, which has one table for games and reviews.
    Web,
}

/// In which games a key means something.
#[derive(Clone, Copy, PartialEq, Eq)]
enum KeyScope {
    Always,
    /// Single boards of at most 3×3 cells in several rows.
    Small,
    /// Single rows of at most 9 cells.
    Row,
    /// Boards with a movable frame.
    Frame,
    /// The same, if the frame has at most 3×3 cells.
    SmallFrame,
    /// Boards of 3×3 boards or cells on every level.
    Boards,
    /// Rows of at most 9 boards, all of which have at most 3×3 cells.
    RowOfBoards,
    /// Boards of at least three levels.
    Deep,
    /// Boards on which a move names a column.
    Columns,
    /// Games in which a piece is taken from next to the board.
    Reserve,
    /// Games in which a piece is chosen for a cell.
    Choice,
    /// Games in which a piece is moved from one cell to another.
    Moving,
}

/// Keys and the mouse on boards: when they apply, as shown in the terminal and on the page, and what they do, with
/// [`FRAME`] for the game's name of its frame.
#[rustfmt::skip]
const BOARD_KEYS: [(KeyScope, &str, &str, &str); 25] = [
    (KeyScope::Always, "arrows, hjkl", "arrows, h j k l", "move the cursor"),
    (KeyScope::Always, "", "Home, End", "go to the first or last cell of the row"),
    (KeyScope::Always, "Enter, Space", "Enter, Space", "play at the cursor"),
    (KeyScope::Small, "1 to 9", "1 – 9", "play a cell, as on a numeric keypad (7 is top left)"),
    (KeyScope::Boards, "1 to 9", "1 – 9", "choose a board or cell, as on a numeric keypad (7 is top left)"),
    (KeyScope::Row, "1 to 9", "1 – 9", "play a cell, counted from the left"),
    (KeyScope::RowOfBoards, "1 to 9", "1 – 9", "choose a board, counted from the left, then a cell, as on a numeric keypad (7 is top left)"),
    (KeyScope::SmallFrame, "1 to 9", "1 – 9", "choose a cell of the {frame}, as on a numeric keypad (7 is top left)"),
    (KeyScope::Columns, "1 to 9", "1 – 9", "play a column, counted from the left"),
    (KeyScope::Reserve, "Tab", "", "take the next piece from your reserve; its first letter in upper case works, too"),
    (KeyScope::Choice, "letter, digit", "", "choose the mark or number with this name for a cell"),
    (KeyScope::Frame, "g", "g", "move the {frame}: a direction (hjkl, yubn), then Enter"),
    (KeyScope::Frame, "", "click the handle", "move the {frame}: then click its new center"),
    (KeyScope::Deep, "z  Z", "z Z, + −", "zoom in, zoom out"),
    (KeyScope::Deep, "Esc, Home", "Home", "go back to the board you must play in"),
    (KeyScope::Deep, "", "Esc", "zoom out; from the whole board, go to where you must play"),
    (KeyScope::Always, "Esc", "", "cancel, hide a hint, or make the computer move now"),
    (KeyScope::Always, "", "Esc", "cancel; close the dialog"),
    (KeyScope::Always, "mouse", "", "click a cell to play it, or a key at the bottom"),
    (KeyScope::Moving, "drag", "", "move a piece"),
    (KeyScope::Reserve, "drag", "", "put a piece from your reserve on a cell"),
    (KeyScope::Frame, "drag", "", "move the {frame}"),
    (KeyScope::Deep, "click a map", "", "go there"),
    (KeyScope::Always, "wheel", "", "scroll the moves"),
    (KeyScope::Deep, "wheel", "", "over the board: zoom in or out"),
];

/// Stands for the game's name of its frame.
const FRAME: &str = "{frame}";

/// Keys of a review: as shown in the terminal and on the page, and what they do.
#[rustfmt::skip]
const REVIEW_KEYS: [(&str, &str, &str); 11] = [
    ("← →", "← →", "previous move, next move"),
    ("PgUp PgDn", "", "go back 10 moves, go forward 10 moves"),
    ("Home End", "", "go to the start, go to the end"),
    ("m  M", "m, M", "next mistake, previous mistake"),
    ("a", "", "show or hide move values"),
    ("p", "", "play a new game from here; it won't be rated"),
    ("z  Z", "", "zoom in, zoom out (deep boards)"),
    ("?", "", "show this list"),
    ("q, Esc", "", "close the review"),
    ("mouse", "", "click a move or the plot to go there"),
    ("wheel", "", "scroll the moves"),
];

/// Keys and what they do, for a game of this variant.
///
/// ```
/// use noughts_rules::Variant;
/// use noughts_text::{KeyTable, key_help};
/// let help = key_help(KeyTable::Terminal, Variant::TIC_TAC_TWO);
/// assert!(help.iter().any(|(key, _)| key == "g"));
/// assert!(!key_help(KeyTable::Web, Variant::CLASSIC).iter().any(|(key, _)| key == "g"));
/// ```
#[must_use]
pub fn key_help(table: KeyTable, variant: Variant) -> Vec<(String, String)> {
    let is_web = table == KeyTable::Web;
    let entry = |keys: (&str, &str), prefix: &str, effect: &str| {
        let key = if is_web { keys.1 } else { keys.0 };
        (!key.is_empty()).then(|| (key.to_owned(), format!("{prefix}{effect}")))
    };
    let prefix = if is_web { "in a review: " } else { "" };
    let review = REVIEW_KEYS.iter();
    let review =
        review.filter_map(|&(terminal, web, effect)| entry((terminal, web), prefix, effect));
    if table == KeyTable::TerminalReview {
        return review.collect();
    }
    let state = AnyGameState::new(variant);
    let board = BOARD_KEYS.iter().filter(|row| row.0.includes(&state));
    let board = board.filter_map(|&(_, terminal, web, effect)| {
        let effect = effect.replace(FRAME, frame_name(state.view()));
        entry((terminal, web), "", &effect)
    });
    // The web page has neither of these keys.
    let is_shown = |action| !is_web || !matches!(action, Action::Quit | Action::Restart);
    let actions = ACTIONS.iter().filter(|row| is_shown(row.0));
    let actions = actions.filter_map(|row| entry((row.1, row.1), "", row.4));
    let review = review.filter(|_| is_web);
    board.chain(actions).chain(review).collect()
}

impl KeyScope {
    fn includes(self, state: &AnyGameState) -> bool {
        let (view, shape) = (state.view(), state.view().shape());
        let mut sizes = (0..shape.depth()).filter_map(|level| shape.size_at(level));
        let (is_row, is_small) = (
            |(columns, rows): (u8, u8)| rows == 1 && columns <= 9,
            |(columns, rows): (u8, u8)| rows > 1 && columns.max(rows) <= 3,
        );
        match self {
            KeyScope::Always => true,
            KeyScope::Small => shape.depth() == 1 && sizes.all(is_small),
            KeyScope::Row => shape.depth() == 1 && sizes.all(is_row),
            KeyScope::Frame => view.frame().is_some(),
            KeyScope::SmallFrame => view.frame().is_some_and(|frame| {
                let [first, last] = [frame.first, frame.last].map(|place| shape.column_row(place));
                last.0 - first.0 < 3 && last.1 - first.1 < 3
            }),
            KeyScope::Boards => shape.depth() > 1 && sizes.all(|size| size == (3, 3)),
            KeyScope::RowOfBoards => {
                shape.depth() > 1 && sizes.next().is_some_and(is_row) && sizes.all(is_small)
            }
            KeyScope::Deep => shape.depth() > 2,
            KeyScope::Columns => view.plays_columns(),
            KeyScope::Reserve => {
                let next = view.next_targets(&[]).unwrap_or_default();
                next.iter().any(|target| matches!(target, Target::Piece(_)))
            }
            KeyScope::Choice => {
                let choices = view.choices().unwrap_or_default();
                let mut taps = choices.iter().map(|(_, taps)| &taps[..]);
                taps.any(|taps| matches!(taps, [Target::Place(_), Target::Piece(_)]))
            }
            KeyScope::Moving => {
                // In many games pieces move only later.
                let actions = state.actions().unwrap_or_default();
                let mut taps = actions.iter().map(|(_, taps)| &taps[..]);
                taps.any(|taps| matches!(taps, [Target::Place(_), Target::Place(_)]))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Guards against a table of keys that knows only one game in which pieces move.
    #[test]
    fn dragging_is_explained_where_something_can_be_dragged() {
        let effects = |variant: &str| {
            let help = key_help(KeyTable::Terminal, variant.parse().expect("a variant"));
            let drag = help.into_iter().filter(|(key, _)| key == "drag");
            drag.map(|(_, effect)| effect).collect::<Vec<_>>()
        };
        let from_reserve = "put a piece from your reserve on a cell";
        assert_eq!(effects("classic"), [""; 0]);
        assert_eq!(effects("morris"), ["move a piece"]);
        assert_eq!(effects("gobblers"), ["move a piece", from_reserve]);
        assert_eq!(effects("tic-tac-two"), ["move a piece", "move the grid"]);
    }

    /// Guards against shortcuts that a board's shape doesn't have, or that the page has and doesn't list.
    #[test]
    fn digits_are_explained_as_they_work() {
        let keypad = "as on a numeric keypad (7 is top left)";
        let row = "counted from the left";
        for (variant, effects) in [
            ("classic", vec![format!("play a cell, {keypad}")]),
            ("mnk:9,1,3", vec![format!("play a cell, {row}")]),
            ("mnk:4,4,4", vec![]),
            (
                "ultimate",
                vec![format!("choose a board or cell, {keypad}")],
            ),
            (
                "notakto:2",
                vec![format!("choose a board, {row}, then a cell, {keypad}")],
            ),
            (
                "cube:3",
                vec![format!("choose a board, {row}, then a cell, {keypad}")],
            ),
            ("qubic", vec![]),
            ("connect-four", vec![format!("play a column, {row}")]),
            (
                "tic-tac-two",
                vec![format!("choose a cell of the grid, {keypad}")],
            ),
            ("tic-tac-two:board=7,grid=5", vec![]),
        ] {
            for table in [KeyTable::Terminal, KeyTable::Web] {
                let help = key_help(table, variant.parse().expect("a variant")).into_iter();
                let digits = help.filter(|(key, _)| key.starts_with("1 "));
                let found: Vec<String> = digits.map(|(_, effect)| effect).collect();
                assert_eq!(found, effects, "{variant} {table:?}");
            }
        }
    }

    #[test]
    fn every_action_has_its_own_row_key_and_words() {
        for (index, (action, key, words, ..)) in ACTIONS.into_iter().enumerate() {
            assert_eq!(action as usize, index);
            if let [key] = key.chars().collect::<Vec<_>>()[..] {
                assert_eq!(Action::from_key(key), Some(action));
            }
            for word in words {
                assert_eq!(Action::from_word(word), Some(action));
                assert_eq!(Action::from_word(&word.to_uppercase()), Some(action));
                // Cells of nested boards consist of these letters.
                assert!(!word.chars().all(|c| ('a'..='i').contains(&c)));
            }
        }
        for (alias, action) in ALIASES {
            assert_eq!(Action::from_word(alias), Some(action));
            assert!(!ACTIONS.iter().any(|row| row.2.contains(&alias)));
        }
        for text in ["", "a", "b2", "quite", "q q", "Ada", "h", "1"] {
            assert_eq!(Action::from_word(text), None, "{text}");
        }
    }
}
