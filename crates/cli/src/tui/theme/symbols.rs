//! The characters that boards and screens are made of, by their meaning, in Unicode and
//! in ASCII.

/// What stands around a cell that is set off: at its sides where it is one row
/// high, else at its corners.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wrap {
    pub(crate) sides: [char; 2],
    /// Top left, top right, bottom left, bottom right.
    pub(crate) corners: [char; 4],
    /// What goes on from the corners where there is room: across and down.
    pub(crate) edges: [char; 2],
}

/// The characters by their meaning.
#[derive(Debug)]
pub(crate) struct Symbols {
    /// A cell that may be played in.
    pub(crate) legal: char,
    /// A board that must be played in, summed up in one character.
    pub(crate) target: char,
    /// A board with marks in it, nobody's yet.
    pub(crate) started: char,
    /// A board that nobody owns and nobody can play in.
    pub(crate) closed: char,
    /// A board of both players.
    pub(crate) shared: char,
    /// A move that is pointed at.
    pub(crate) hint: char,
    /// Before the name of a board that is lit.
    pub(crate) target_marker: char,
    /// Where the grid can be dragged.
    pub(crate) drag_handle: char,
    /// Before the value of moving a piece away, and of moving the grid here.
    pub(crate) piece_move: char,
    /// Guesses in one character: good, neither, bad.
    pub(crate) estimate: [char; 3],
    /// Between the places of a path.
    pub(crate) breadcrumb: char,
    /// The thinnest lines: across, down, and where they cross.
    pub(crate) hairline: [char; 3],
    /// A frame that is not there yet: across, down, and its corners.
    pub(crate) ghost_edges: [char; 2],
    pub(crate) ghost_corners: [char; 4],

    pub(crate) cursor: Wrap,
    pub(crate) last_move: Wrap,
    pub(crate) winning_line: Wrap,
    pub(crate) held: Wrap,
    pub(crate) preview: Wrap,
    pub(crate) hinted: Wrap,
}

pub(super) const UNICODE: Symbols = Symbols {
    legal: '·',
    target: '◆',
    started: ':',
    closed: '=',
    shared: '*',
    hint: '★',
    target_marker: '▸',
    drag_handle: '●',
    piece_move: '→',
    estimate: ['↑', '≈', '↓'],
    breadcrumb: '›',
    hairline: ['┈', '┊', ' '],
    ghost_edges: ['╍', '╏'],
    ghost_corners: ['┏', '┓', '┗', '┛'],
    cursor: Wrap {
        sides: ['▸', '◂'],
        corners: ['┏', '┓', '┗', '┛'],
        edges: ['━', '┃'],
    },
    last_move: Wrap {
        sides: ['(', ')'],
        corners: ['╭', '╮', '╰', '╯'],
        edges: ['─', '│'],
    },
    winning_line: Wrap {
        sides: ['[', ']'],
        corners: ['╔', '╗', '╚', '╝'],
        edges: ['═', '║'],
    },
    held: Wrap {
        sides: ['{', '}'],
        corners: ['┌', '┐', '└', '┘'],
        edges: ['─', '│'],
    },
    preview: Wrap {
        sides: ['!', '!'],
        corners: ['┇', '┇', '┇', '┇'],
        edges: [' ', '┇'],
    },
    hinted: Wrap {
        sides: ['★', '★'],
        corners: ['★', '★', '★', '★'],
        edges: [' ', ' '],
    },
};

pub(super) const ASCII: Symbols = Symbols {
    legal: '.',
    target: '!',
    started: ':',
    closed: '=',
    shared: '*',
    hint: '?',
    target_marker: '>',
    drag_handle: '@',
    piece_move: '>',
    estimate: ['^', '~', 'v'],
    breadcrumb: '>',
    hairline: [' ', ' ', '+'],
    ghost_edges: ['~', ':'],
    ghost_corners: ['+', '+', '+', '+'],
    cursor: Wrap {
        sides: ['>', '<'],
        corners: ['>', '<', '>', '<'],
        edges: [' ', ' '],
    },
    last_move: Wrap {
        sides: ['(', ')'],
        corners: ['(', ')', '(', ')'],
        edges: [' ', ' '],
    },
    winning_line: Wrap {
        sides: ['[', ']'],
        corners: ['[', ']', '[', ']'],
        edges: [' ', ' '],
    },
    held: Wrap {
        sides: ['{', '}'],
        corners: ['{', '}', '{', '}'],
        edges: [' ', ' '],
    },
    preview: Wrap {
        sides: ['!', '!'],
        corners: ['!', '!', '!', '!'],
        edges: [' ', ' '],
    },
    hinted: Wrap {
        sides: ['?', '?'],
        corners: ['?', '?', '?', '?'],
        edges: [' ', ' '],
    },
};
