//! The rule options that people can choose, each value with a sentence on what it
//! means. What goes together is for the rules to say.

mod wish;

pub use wish::{Rule, Wish};

/// What an option can be.
pub enum Values {
    /// A number, going up and down by so much, from one to another, and its sentence.
    Number(u8, (u8, u8), &'static str),
    /// One of these words, each with its sentence.
    Words(&'static [(&'static str, &'static str)]),
}

/// An option: its label, and what it can be.
pub struct Choosable {
    /// What it is called.
    pub label: &'static str,
    /// What a form calls it.
    pub field: &'static str,
    /// What stands before the value in the name of a variant.
    pub key: &'static str,
    /// What it can be.
    pub values: Values,
}

/// The options of flat boards.
pub const FLAT: [Choosable; 4] = [
    Choosable {
        label: "Columns",
        field: "columns",
        key: "",
        values: Values::Number(1, (1, 16), "How many columns the board has."),
    },
    Choosable {
        label: "Rows",
        field: "rows",
        key: "",
        values: Values::Number(1, (1, 16), "How many rows the board has."),
    },
    Choosable {
        label: "In a row",
        field: "line",
        key: "",
        values: Values::Number(
            1,
            (1, 16),
            "So many marks of one player in a row, column or diagonal are a line.",
        ),
    },
    Choosable {
        label: "A line",
        field: "lines",
        key: "",
        values: Values::Words(&[
            ("wins", "Whoever completes a line wins."),
            ("loses", "Misère: whoever completes a line loses."),
        ]),
    },
];

/// The options of Tic-Tac-Two.
pub const GRID: [Choosable; 4] = [
    Choosable {
        label: "Board",
        field: "board",
        key: "board=",
        values: Values::Number(2, (3, 7), "How many cells the sides of the board have."),
    },
    Choosable {
        label: "Grid",
        field: "grid",
        key: "grid=",
        values: Values::Number(
            2,
            (3, 7),
            "How many cells the sides of the grid have; only lines inside it count.",
        ),
    },
    Choosable {
        label: "Pieces",
        field: "pieces",
        key: "pieces=",
        values: Values::Number(1, (3, 9), "How many pieces each player has."),
    },
    Choosable {
        label: "After",
        field: "after",
        key: "after=",
        values: Values::Number(
            1,
            (2, 9),
            "Grid and pieces may be moved once both players have placed so many.",
        ),
    },
];

/// The options of nested boards.
pub const NESTED: [Choosable; 6] = [
    Choosable {
        label: "Owning",
        field: "owning",
        key: "",
        values: Values::Words(&[
            (
                "4a",
                "The first player with a line in a board owns it for good.",
            ),
            (
                "4b",
                "A board can be owned by both players, and then counts for both.",
            ),
        ]),
    },
    Choosable {
        label: "Sent to won",
        field: "sent",
        key: "",
        values: Values::Words(&[
            (
                "5a",
                "Won boards take moves like any other; only a full one sets you free.",
            ),
            (
                "5b",
                "Sent to a board that is won or full, you move elsewhere as you like.",
            ),
            (
                "5c",
                "Sent to a won board, you play there and then once more.",
            ),
            (
                "5d",
                "Sent to a won board, you play there and on, as long as you are sent to won ones.",
            ),
        ]),
    },
    Choosable {
        label: "Free moves",
        field: "free",
        key: "free=",
        values: Values::Words(&[
            (
                "open",
                "Won boards are closed: a free move never goes into one.",
            ),
            ("any", "A free move may go into a won board, too."),
        ]),
    },
    Choosable {
        label: "Depth",
        field: "depth",
        key: "depth=",
        values: Values::Number(
            1,
            (1, 6),
            "How deep boards lie in boards: 2 is 81 cells, 3 is 729 and so on.",
        ),
    },
    Choosable {
        label: "Trail",
        field: "trail",
        key: "trail=",
        values: Values::Words(&[
            (
                "suffix",
                "The last letters of the last move say where to play.",
            ),
            (
                "history",
                "The last letter of each of the last moves says where to play.",
            ),
        ]),
    },
    Choosable {
        label: "At the end",
        field: "end",
        key: "end=",
        values: Values::Words(&[
            (
                "draw",
                "If nobody owns the whole board, the game is a draw.",
            ),
            (
                "most",
                "If nobody owns the whole board, whoever owns more of the nine boards wins.",
            ),
        ]),
    },
];
