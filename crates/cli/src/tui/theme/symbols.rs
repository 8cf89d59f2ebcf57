//! The characters of boards and screens by meaning, in Unicode and in ASCII.

/// The characters around a highlighted cell: at its sides if it is one row high, otherwise at its
/// corners.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellBorder {
    pub(crate) sides: [char; 2],
    /// Top left, top right, bottom left, bottom right.
    pub(crate) corners: [char; 4],
    /// Extends the corners where there is room: horizontal and vertical.
    pub(crate) edges: [char; 2],
}

#[derive(Debug)]
pub(crate) struct Symbols {
    /// A cell that may be played in.
    pub(crate) legal: char,
    /// A board that must be played in, as a summary.
    pub(crate) target: char,
    /// A board with marks that nobody has won yet.
    pub(crate) started: char,
    /// A full board that nobody won.
    pub(crate) closed: char,
    /// A board owned by both sides.
    pub(crate) shared: char,
    pub(crate) hint: char,
    /// Before the name of a board that may be played in.
    pub(crate) target_marker: char,
    /// Where the frame can be dragged.
    pub(crate) drag_handle: char,
    /// Before the value of the best move of a piece.
    pub(crate) piece_move: char,
    /// Estimates as one character: good, even, bad.
    pub(crate) estimate: [char; 3],
    /// Between the letters of a path.
    pub(crate) breadcrumb: char,
    /// Horizontal, vertical, and where they cross.
    pub(crate) hairline: [char; 3],
    /// A previewed frame: horizontal and vertical edges, then its corners.
    pub(crate) ghost_edges: [char; 2],
    pub(crate) ghost_corners: [char; 4],

    pub(crate) cursor: CellBorder,
    pub(crate) last_move: CellBorder,
    pub(crate) winning_line: CellBorder,
    pub(crate) held: CellBorder,
    pub(crate) preview: CellBorder,
    pub(crate) hinted: CellBorder,
}

impl CellBorder {
    const fn new(sides: [char; 2], corners: [char; 4], edges: [char; 2]) -> CellBorder {
        CellBorder {
            sides,
            corners,
            edges,
        }
    }

    /// ASCII has neither corners nor edges: only the sides are drawn.
    const fn without_corners([left, right]: [char; 2]) -> CellBorder {
        CellBorder::new([left, right], [left, right, left, right], [' ', ' '])
    }
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
    cursor: CellBorder::new(['▸', '◂'], ['┏', '┓', '┗', '┛'], ['━', '┃']),
    last_move: CellBorder::new(['(', ')'], ['╭', '╮', '╰', '╯'], ['─', '│']),
    winning_line: CellBorder::new(['[', ']'], ['╔', '╗', '╚', '╝'], ['═', '║']),
    held: CellBorder::new(['{', '}'], ['┌', '┐', '└', '┘'], ['─', '│']),
    preview: CellBorder::new(['!', '!'], ['┇', '┇', '┇', '┇'], [' ', '┇']),
    hinted: CellBorder::new(['★', '★'], ['★', '★', '★', '★'], [' ', ' ']),
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
    cursor: CellBorder::without_corners(['>', '<']),
    last_move: CellBorder::without_corners(['(', ')']),
    winning_line: CellBorder::without_corners(['[', ']']),
    held: CellBorder::without_corners(['{', '}']),
    preview: CellBorder::without_corners(['!', '!']),
    hinted: CellBorder::without_corners(['?', '?']),
};
