//! The rule options a player can choose, with a sentence for each value. Which combinations are
//! valid is decided by the rules crate.

mod variant_request;

pub use variant_request::{OptionState, VariantRequest};

/// The values an option can have.
pub enum OptionKind {
    /// A number: step, smallest and largest value, and a sentence.
    Number(u8, (u8, u8), &'static str),
    /// One of these words, each with a sentence.
    Words(&'static [(&'static str, &'static str)]),
}

/// An option: its label and possible values.
pub struct OptionSpec {
    /// The label.
    pub label: &'static str,
    /// The name of the form field.
    pub field: &'static str,
    /// The text before the value in a variant name.
    pub key: &'static str,
    /// The possible values.
    pub kind: OptionKind,
}

/// The options of m,n,k-games.
pub const MNK_OPTIONS: [OptionSpec; 4] = [
    OptionSpec {
        label: "Columns",
        field: "columns",
        key: "",
        kind: OptionKind::Number(1, (1, 16), "How many columns the board has."),
    },
    OptionSpec {
        label: "Rows",
        field: "rows",
        key: "",
        kind: OptionKind::Number(1, (1, 16), "How many rows the board has."),
    },
    OptionSpec {
        label: "In a row",
        field: "line",
        key: "",
        kind: OptionKind::Number(
            1,
            (1, 16),
            "So many marks of one player in a row, column or diagonal are a line.",
        ),
    },
    OptionSpec {
        label: "A line",
        field: "lines",
        key: "",
        kind: OptionKind::Words(&[
            ("wins", "Whoever completes a line wins."),
            ("loses", "Misère: whoever completes a line loses."),
        ]),
    },
];

/// The options of Tic-Tac-Two.
pub const TIC_TAC_TWO_OPTIONS: [OptionSpec; 4] = [
    OptionSpec {
        label: "Board",
        field: "board",
        key: "board=",
        kind: OptionKind::Number(2, (3, 7), "How many cells the sides of the board have."),
    },
    OptionSpec {
        label: "Grid",
        field: "grid",
        key: "grid=",
        kind: OptionKind::Number(
            2,
            (3, 7),
            "How many cells the sides of the grid have; only lines inside it count.",
        ),
    },
    OptionSpec {
        label: "Pieces",
        field: "pieces",
        key: "pieces=",
        kind: OptionKind::Number(1, (3, 9), "How many pieces each player has."),
    },
    OptionSpec {
        label: "After",
        field: "after",
        key: "after=",
        kind: OptionKind::Number(
            1,
            (2, 9),
            "Grid and pieces may be moved once both players have placed so many.",
        ),
    },
];

/// The options of nested boards.
pub const NESTED_OPTIONS: [OptionSpec; 6] = [
    OptionSpec {
        label: "Owning",
        field: "owning",
        key: "",
        kind: OptionKind::Words(&[
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
    OptionSpec {
        label: "Sent to won",
        field: "sent",
        key: "",
        kind: OptionKind::Words(&[
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
    OptionSpec {
        label: "Free moves",
        field: "free",
        key: "free=",
        kind: OptionKind::Words(&[
            (
                "open",
                "Won boards are closed: a free move never goes into one.",
            ),
            ("any", "A free move may go into a won board, too."),
        ]),
    },
    OptionSpec {
        label: "Depth",
        field: "depth",
        key: "depth=",
        kind: OptionKind::Number(
            1,
            (1, 6),
            "How deep boards lie in boards: 2 is 81 cells, 3 is 729 and so on.",
        ),
    },
    OptionSpec {
        label: "Trail",
        field: "trail",
        key: "trail=",
        kind: OptionKind::Words(&[
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
    OptionSpec {
        label: "At the end",
        field: "end",
        key: "end=",
        kind: OptionKind::Words(&[
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
