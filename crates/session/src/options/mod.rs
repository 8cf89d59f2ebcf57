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
        kind: OptionKind::Number(1, (1, 16), "The number of columns."),
    },
    OptionSpec {
        label: "Rows",
        field: "rows",
        key: "",
        kind: OptionKind::Number(1, (1, 16), "The number of rows."),
    },
    OptionSpec {
        label: "In a row",
        field: "line",
        key: "",
        kind: OptionKind::Number(
            1,
            (1, 16),
            "How many marks in a row, column or diagonal make a line.",
        ),
    },
    OptionSpec {
        label: "A line",
        field: "lines",
        key: "",
        kind: OptionKind::Words(&[
            ("wins", "The first player to complete a line wins."),
            (
                "loses",
                "Misère: the first player to complete a line loses.",
            ),
        ]),
    },
];

/// The options of Tic-Tac-Two.
pub const TIC_TAC_TWO_OPTIONS: [OptionSpec; 4] = [
    OptionSpec {
        label: "Board",
        field: "board",
        key: "board=",
        kind: OptionKind::Number(2, (3, 7), "The number of cells on each side of the board."),
    },
    OptionSpec {
        label: "Grid",
        field: "grid",
        key: "grid=",
        kind: OptionKind::Number(
            2,
            (3, 7),
            "The number of cells on each side of the grid. Only lines inside it count.",
        ),
    },
    OptionSpec {
        label: "Pieces",
        field: "pieces",
        key: "pieces=",
        kind: OptionKind::Number(1, (3, 9), "The number of pieces each player has."),
    },
    OptionSpec {
        label: "Opening",
        field: "after",
        key: "after=",
        kind: OptionKind::Number(
            1,
            (2, 9),
            "How many pieces both players place before the grid and pieces can move.",
        ),
    },
];

/// The options of nested boards.
pub const NESTED_OPTIONS: [OptionSpec; 6] = [
    OptionSpec {
        label: "Shared boards",
        field: "owning",
        key: "",
        kind: OptionKind::Words(&[
            ("4a", "No. The first player to win a board keeps it."),
            (
                "4b",
                "Yes. Both players can own the same board, and it counts for both.",
            ),
        ]),
    },
    OptionSpec {
        label: "Won boards",
        field: "sent",
        key: "",
        kind: OptionKind::Words(&[
            (
                "5a",
                "Keep playing. Won boards stay open; only a full board gives a free move.",
            ),
            (
                "5b",
                "Free move. If you're sent to a won or full board, you play elsewhere.",
            ),
            (
                "5c",
                "Extra move. If you're sent to a won board, you play there and move again.",
            ),
            (
                "5d",
                "Extra-move chain. You move again for as long as you're sent to won boards.",
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
                "Open boards only. A free move can't go into a won board.",
            ),
            (
                "any",
                "Any board. A free move can go into a won board, too.",
            ),
        ]),
    },
    OptionSpec {
        label: "Depth",
        field: "depth",
        key: "depth=",
        kind: OptionKind::Number(
            1,
            (1, 6),
            "How many levels of boards are nested: 2 is 81 cells, 3 is 729, and so on.",
        ),
    },
    OptionSpec {
        label: "Trail",
        field: "trail",
        key: "trail=",
        kind: OptionKind::Words(&[
            (
                "suffix",
                "The last letters of the last move name the board to play in.",
            ),
            (
                "history",
                "The last letters of the last few moves name the board to play in.",
            ),
        ]),
    },
    OptionSpec {
        label: "Tiebreak",
        field: "end",
        key: "end=",
        kind: OptionKind::Words(&[
            (
                "draw",
                "If neither player wins the whole board, the game is a draw.",
            ),
            (
                "most",
                "If neither player wins the whole board, owning more boards wins.",
            ),
        ]),
    },
];
