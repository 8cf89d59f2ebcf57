//! The fields of a position's text in the three oldest games, read and written without the rules: what the checks of
//! observations and hashes change one by one.

use noughts_rules::{Owner, Side, Variant};

/// A game whose position text has fields beyond cells and side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Layout {
    /// Rows and side.
    Flat { columns: usize, rows: usize },
    /// Rows, side and the center of a grid of this size.
    Grid { board: usize, grid: usize },
    /// Groups of nine, owners, side, trail, and `+`.
    Nested { depth: usize, has_extra_moves: bool },
}

impl Layout {
    /// The layout of a variant's positions; `None` for the other games, whose text is checked as a whole.
    pub(crate) fn of(variant: Variant) -> Option<Layout> {
        let number = |field: &str, default: usize| {
            let values = variant.options().iter().zip(variant.option_values());
            let mut found = values.filter(|(option, _)| option.field == field);
            found.next().map_or(default, |(_, value)| value.into())
        };
        let name = variant.to_string();
        Some(match variant.info().name {
            "mnk" => Layout::Flat {
                columns: number("columns", 3),
                rows: number("rows", 3),
            },
            "tic-tac-two" => Layout::Grid {
                board: number("board", 5),
                grid: number("grid", 3),
            },
            "ception" => Layout::Nested {
                depth: number("depth", 2),
                has_extra_moves: name.contains("5c") || name.contains("5d"),
            },
            _ => return None,
        })
    }

    /// The number of columns of a row in the text, or of cells in a group.
    fn group(self) -> usize {
        match self {
            Layout::Flat { columns, .. } => columns,
            Layout::Grid { board, .. } => board,
            Layout::Nested { .. } => 9,
        }
    }
}

/// The fields of a position's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Fields {
    pub(crate) layout: Layout,
    pub(crate) cells: Vec<Option<Side>>,
    pub(crate) side: Side,
    /// Column and row of the grid's center.
    pub(crate) center: Option<(usize, usize)>,
    /// The owners of all boards except the outermost; `None` if they follow from the marks.
    pub(crate) owners: Option<Vec<Owner>>,
    pub(crate) trail: Vec<u8>,
    pub(crate) extra: bool,
}

fn mark(letter: char) -> Option<Side> {
    Side::BOTH.into_iter().find(|side| side.letter() == letter)
}

impl Fields {
    /// Reads a text that the game has written.
    pub(crate) fn parse(variant: Variant, text: &str) -> Option<Fields> {
        let layout = Layout::of(variant)?;
        let mut fields = text.split(' ');
        let mut next = || fields.next().unwrap_or_default();
        let cells = next().chars().filter(|&letter| letter != '/').map(mark);
        let mut read = Fields {
            layout,
            cells: cells.collect(),
            side: Side::X,
            center: None,
            owners: None,
            trail: Vec::new(),
            extra: false,
        };
        if let Layout::Nested { .. } = layout {
            let owners = next();
            let letters = owners.chars().filter(|&letter| letter != '/');
            let owner = |letter| match letter {
                '*' => Owner::Both,
                letter => mark(letter).map_or(Owner::Nobody, Owner::One),
            };
            read.owners = (owners != "-").then(|| letters.map(owner).collect());
        }
        read.side = mark(next().chars().next()?)?;
        match layout {
            Layout::Flat { .. } => {}
            Layout::Grid { .. } => {
                let name = next().strip_prefix('@')?;
                let (column, row) = (name.bytes().next()? - b'a', name.get(1..)?);
                read.center = Some((column.into(), row.parse::<usize>().ok()? - 1));
            }
            Layout::Nested { .. } => {
                let trail = next().bytes().filter(|&letter| letter != b'-');
                read.trail = trail.map(|letter| letter - b'a').collect();
                read.extra = next() == "+";
            }
        }
        Some(read)
    }

    /// The text with these fields, which may be impossible.
    pub(crate) fn text(&self) -> String {
        let groups = |letters: Vec<char>| {
            let groups = letters.chunks(self.layout.group());
            let groups = groups.map(|group| group.iter().collect::<String>());
            groups.collect::<Vec<_>>().join("/")
        };
        let cells = self.cells.iter();
        let cells = groups(cells.map(|cell| cell.map_or('.', Side::letter)).collect());
        let side = self.side.letter();
        match self.layout {
            Layout::Flat { .. } => format!("{cells} {side}"),
            Layout::Grid { .. } => {
                let (column, row) = self.center.unwrap_or_default();
                let column = char::from(b'a' + column as u8);
                format!("{cells} {side} @{column}{row}", row = row + 1)
            }
            Layout::Nested { .. } => {
                let owners = self.owners.as_ref().map_or("-".into(), |owners| {
                    groups(owners.iter().map(|owner| owner.letter()).collect())
                });
                let letters = self.trail.iter().map(|&n| char::from(b'a' + n));
                let trail = match self.trail.is_empty() {
                    true => "-".into(),
                    false => letters.collect::<String>(),
                };
                let extra = if self.extra { " +" } else { "" };
                format!("{cells} {owners} {side} {trail}{extra}")
            }
        }
    }
}
