//! The options of each family of games: what they are called, their values, and a sentence for each value. Names,
//! menus, forms and the API are made from these tables.

/// The values an option can have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// A number: step, smallest and largest value, and a sentence.
    Number(u8, (u8, u8), &'static str),
    /// One of these words.
    Words(&'static [OptionWord]),
}

/// A value of an option: its word in a variant name, what it means in a few words, unless the word says it, and a
/// sentence.
pub type OptionWord = (&'static str, Option<&'static str>, &'static str);

/// An option: its label and possible values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OptionSpec {
    /// The label.
    pub label: &'static str,
    /// The name of the form field.
    pub field: &'static str,
    /// What errors about a variant name call it.
    pub name: &'static str,
    /// The text before the value in a variant name.
    pub key: &'static str,
    /// The possible values.
    pub kind: OptionKind,
}

impl OptionSpec {
    /// A value as text: a number or a word.
    #[must_use]
    pub fn value_text(&self, value: u8) -> String {
        match self.kind {
            OptionKind::Number(..) => value.to_string(),
            OptionKind::Words(words) => words[usize::from(value) % words.len()].0.into(),
        }
    }

    /// The value with this text. Whether a number is in range is checked with the whole variant.
    #[must_use]
    pub fn parse_value(&self, text: &str) -> Option<u8> {
        match self.kind {
            OptionKind::Number(..) => text.parse().ok(),
            OptionKind::Words(words) => {
                let index = words.iter().position(|(word, ..)| *word == text)?;
                u8::try_from(index).ok()
            }
        }
    }

    /// What a value means in a few words; `None` if it explains itself.
    ///
    /// ```
    /// use noughts_rules::Variant;
    /// let won_boards = Variant::ULTIMATE.options()[1];
    /// assert_eq!(won_boards.meaning(0), Some("keep playing"));
    /// assert_eq!(
    ///     won_boards.description(0),
    ///     "Keep playing. Won boards stay open; only a full board gives a free move."
    /// );
    /// ```
    #[must_use]
    pub fn meaning(&self, value: u8) -> Option<&'static str> {
        match self.kind {
            OptionKind::Number(..) => None,
            OptionKind::Words(words) => words[usize::from(value) % words.len()].1,
        }
    }

    /// A sentence that explains a value, after its meaning.
    #[must_use]
    pub fn description(&self, value: u8) -> String {
        let sentence = match self.kind {
            OptionKind::Number(.., sentence) => sentence,
            OptionKind::Words(words) => words[usize::from(value) % words.len()].2,
        };
        match self.meaning(value).map(|meaning| meaning.split_at(1)) {
            Some((first, rest)) => format!("{}{rest}. {sentence}", first.to_uppercase()),
            None => sentence.into(),
        }
    }

    /// The option with this value in a variant name: `board=5`, `4b`.
    #[must_use]
    pub fn spell(&self, value: u8) -> String {
        format!("{}{}", self.key, self.value_text(value))
    }

    /// Is it one of the option's values?
    pub(crate) fn contains(&self, value: u8) -> bool {
        match self.kind {
            OptionKind::Number(step, (from, to), _) => {
                (from..=to).contains(&value) && (value - from).is_multiple_of(step)
            }
            OptionKind::Words(words) => usize::from(value) < words.len(),
        }
    }

    /// The allowed values, as forms list them.
    ///
    /// ```
    /// use noughts_rules::Variant;
    /// let allowed = |variant: Variant| variant.options()[0].allowed_values();
    /// assert_eq!(allowed(Variant::CLASSIC), "1 to 16");
    /// assert_eq!(allowed(Variant::TIC_TAC_TWO), "3, 5 or 7");
    /// assert_eq!(allowed(Variant::ULTIMATE), "4a, 4b");
    /// ```
    #[must_use]
    pub fn allowed_values(&self) -> String {
        match self.kind {
            OptionKind::Number(1, (from, to), _) => format!("{from} to {to}"),
            OptionKind::Number(step, (from, to), _) => {
                let values = (from..to)
                    .step_by(step.into())
                    .map(|value| value.to_string());
                format!("{} or {to}", values.collect::<Vec<_>>().join(", "))
            }
            OptionKind::Words(words) => {
                let words: Vec<&str> = words.iter().map(|(word, ..)| *word).collect();
                words.join(", ")
            }
        }
    }

    /// The allowed values after "must be".
    pub(crate) fn range_text(&self) -> String {
        let values = self.allowed_values();
        match self.kind {
            OptionKind::Number(1, ..) => format!("from {values}"),
            OptionKind::Number(..) => values,
            OptionKind::Words(_) => format!("one of {values}"),
        }
    }
}

/// The options of m,n,k-games.
pub(crate) const MNK_OPTIONS: [OptionSpec; 4] = [
    OptionSpec {
        label: "Columns",
        field: "columns",
        name: "M",
        key: "",
        kind: OptionKind::Number(1, (1, 16), "The number of columns."),
    },
    OptionSpec {
        label: "Rows",
        field: "rows",
        name: "N",
        key: "",
        kind: OptionKind::Number(1, (1, 16), "The number of rows."),
    },
    OptionSpec {
        label: "In a row",
        field: "line",
        name: "K",
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
        name: "misere",
        key: "",
        kind: OptionKind::Words(&[
            ("wins", None, "The first player to complete a line wins."),
            (
                "loses",
                None,
                "Misère: the first player to complete a line loses.",
            ),
        ]),
    },
];

/// The options of Tic-Tac-Two.
pub(crate) const TIC_TAC_TWO_OPTIONS: [OptionSpec; 4] = [
    OptionSpec {
        label: "Board",
        field: "board",
        name: "board",
        key: "board=",
        kind: OptionKind::Number(2, (3, 7), "The number of cells on each side of the board."),
    },
    OptionSpec {
        label: "Grid",
        field: "grid",
        name: "grid",
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
        name: "pieces",
        key: "pieces=",
        kind: OptionKind::Number(1, (3, 9), "The number of pieces each player has."),
    },
    OptionSpec {
        label: "Opening",
        field: "after",
        name: "after",
        key: "after=",
        kind: OptionKind::Number(
            1,
            (2, 9),
            "How many pieces each player places before the grid and pieces can move.",
        ),
    },
];

/// The options of nested boards.
pub(crate) const NESTED_OPTIONS: [OptionSpec; 6] = [
    OptionSpec {
        label: "Shared boards",
        field: "owning",
        name: "4a or 4b",
        key: "",
        kind: OptionKind::Words(&[
            (
                "4a",
                Some("no"),
                "The first player to win a board keeps it.",
            ),
            (
                "4b",
                Some("yes"),
                "Both players can own the same board, and it counts for both.",
            ),
        ]),
    },
    OptionSpec {
        label: "Won boards",
        field: "sent",
        name: "5a, 5b, 5c or 5d",
        key: "",
        kind: OptionKind::Words(&[
            (
                "5a",
                Some("keep playing"),
                "Won boards stay open; only a full board gives a free move.",
            ),
            (
                "5b",
                Some("free move"),
                "If you're sent to a won or full board, you play elsewhere.",
            ),
            (
                "5c",
                Some("extra move"),
                "If you're sent to a won board, you play there and move again.",
            ),
            (
                "5d",
                Some("extra-move chain"),
                "You move again for as long as you're sent to won boards.",
            ),
        ]),
    },
    OptionSpec {
        label: "Free move goes to",
        field: "free",
        name: "free",
        key: "free=",
        kind: OptionKind::Words(&[
            (
                "open",
                Some("open boards only"),
                "A free move can't go into a won board.",
            ),
            (
                "any",
                Some("any board"),
                "A free move can go into a won board, too.",
            ),
        ]),
    },
    OptionSpec {
        label: "Depth",
        field: "depth",
        name: "depth",
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
        name: "trail",
        key: "trail=",
        kind: OptionKind::Words(&[
            (
                "suffix",
                None,
                "The last letters of the last move name the board to play in.",
            ),
            (
                "history",
                None,
                "The last letters of the last few moves name the board to play in.",
            ),
        ]),
    },
    OptionSpec {
        label: "Tiebreak",
        field: "end",
        name: "end",
        key: "end=",
        kind: OptionKind::Words(&[
            (
                "draw",
                None,
                "If neither player wins the whole board, the game is a draw.",
            ),
            (
                "most",
                None,
                "If neither player wins the whole board, owning more boards wins.",
            ),
        ]),
    },
];
