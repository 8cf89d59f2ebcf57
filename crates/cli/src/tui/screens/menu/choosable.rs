//! The rule options that the menu knows, each value with a sentence on what it
//! means. What goes together is for the rules to say.

/// What an option can be.
pub(super) enum Values {
    /// A number, going up and down by so much.
    Number(u8, &'static str),
    /// One of these words, each with its sentence.
    Words(&'static [(&'static str, &'static str)]),
}

/// An option: its label, and what it can be.
pub(super) struct Choosable {
    pub(super) label: &'static str,
    /// What stands before the value in the name of a variant.
    pub(super) key: &'static str,
    pub(super) values: Values,
}

pub(super) const FLAT: [Choosable; 4] = [
    Choosable {
        label: "Columns",
        key: "",
        values: Values::Number(1, "How many columns the board has."),
    },
    Choosable {
        label: "Rows",
        key: "",
        values: Values::Number(1, "How many rows the board has."),
    },
    Choosable {
        label: "In a row",
        key: "",
        values: Values::Number(
            1,
            "So many marks of one player in a row, column or diagonal are a line.",
        ),
    },
    Choosable {
        label: "A line",
        key: "",
        values: Values::Words(&[
            ("wins", "Whoever completes a line wins."),
            ("loses", "Misère: whoever completes a line loses."),
        ]),
    },
];

pub(super) const GRID: [Choosable; 4] = [
    Choosable {
        label: "Board",
        key: "board=",
        values: Values::Number(2, "How many cells the sides of the board have."),
    },
    Choosable {
        label: "Grid",
        key: "grid=",
        values: Values::Number(
            2,
            "How many cells the sides of the grid have; only lines inside it count.",
        ),
    },
    Choosable {
        label: "Pieces",
        key: "pieces=",
        values: Values::Number(1, "How many pieces each player has."),
    },
    Choosable {
        label: "After",
        key: "after=",
        values: Values::Number(
            1,
            "Grid and pieces may be moved once both players have placed so many.",
        ),
    },
];

pub(super) const NESTED: [Choosable; 6] = [
    Choosable {
        label: "Owning",
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
        key: "depth=",
        values: Values::Number(
            1,
            "How deep boards lie in boards: 2 is 81 cells, 3 is 729 and so on.",
        ),
    },
    Choosable {
        label: "Trail",
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
