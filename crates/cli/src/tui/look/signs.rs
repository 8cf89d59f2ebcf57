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
    pub(crate) arms: [char; 2],
}

/// The characters by their meaning.
#[derive(Debug)]
pub(crate) struct Signs {
    /// A cell that may be played in.
    pub(crate) legal: char,
    /// A board that must be played in, summed up in one character.
    pub(crate) must: char,
    /// A board with marks in it, nobody's yet.
    pub(crate) begun: char,
    /// A board that nobody owns and nobody can play in.
    pub(crate) closed: char,
    /// A board of both players.
    pub(crate) both: char,
    /// A move that is pointed at.
    pub(crate) hint: char,
    /// Before the name of a board that is lit.
    pub(crate) lit: char,
    /// Where the grid can be dragged.
    pub(crate) handle: char,
    /// Before the value of moving a piece away, and of moving the grid here.
    pub(crate) away: char,
    /// Guesses in one character: good, neither, bad.
    pub(crate) guess: [char; 3],
    /// Between the places of a path.
    pub(crate) crumb: char,
    /// The thinnest lines: across, down, and where they cross.
    pub(crate) hair: [char; 3],
    /// A frame that is not there yet: across, down, and its corners.
    pub(crate) ghost: [char; 2],
    pub(crate) ghost_corners: [char; 4],

    pub(crate) cursor: Wrap,
    pub(crate) last: Wrap,
    pub(crate) line: Wrap,
    pub(crate) held: Wrap,
    pub(crate) preview: Wrap,
    pub(crate) pointed: Wrap,
}

pub(super) const UNICODE: Signs = Signs {
    legal: '·',
    must: '◆',
    begun: ':',
    closed: '=',
    both: '*',
    hint: '★',
    lit: '▸',
    handle: '●',
    away: '→',
    guess: ['↑', '≈', '↓'],
    crumb: '›',
    hair: ['┈', '┊', ' '],
    ghost: ['╍', '╏'],
    ghost_corners: ['┏', '┓', '┗', '┛'],
    cursor: Wrap {
        sides: ['▸', '◂'],
        corners: ['┏', '┓', '┗', '┛'],
        arms: ['━', '┃'],
    },
    last: Wrap {
        sides: ['(', ')'],
        corners: ['╭', '╮', '╰', '╯'],
        arms: ['─', '│'],
    },
    line: Wrap {
        sides: ['[', ']'],
        corners: ['╔', '╗', '╚', '╝'],
        arms: ['═', '║'],
    },
    held: Wrap {
        sides: ['{', '}'],
        corners: ['┌', '┐', '└', '┘'],
        arms: ['─', '│'],
    },
    preview: Wrap {
        sides: ['!', '!'],
        corners: ['┇', '┇', '┇', '┇'],
        arms: [' ', '┇'],
    },
    pointed: Wrap {
        sides: ['★', '★'],
        corners: ['★', '★', '★', '★'],
        arms: [' ', ' '],
    },
};

pub(super) const ASCII: Signs = Signs {
    legal: '.',
    must: '!',
    begun: ':',
    closed: '=',
    both: '*',
    hint: '?',
    lit: '>',
    handle: '@',
    away: '>',
    guess: ['^', '~', 'v'],
    crumb: '>',
    hair: [' ', ' ', '+'],
    ghost: ['~', ':'],
    ghost_corners: ['+', '+', '+', '+'],
    cursor: Wrap {
        sides: ['>', '<'],
        corners: ['>', '<', '>', '<'],
        arms: [' ', ' '],
    },
    last: Wrap {
        sides: ['(', ')'],
        corners: ['(', ')', '(', ')'],
        arms: [' ', ' '],
    },
    line: Wrap {
        sides: ['[', ']'],
        corners: ['[', ']', '[', ']'],
        arms: [' ', ' '],
    },
    held: Wrap {
        sides: ['{', '}'],
        corners: ['{', '}', '{', '}'],
        arms: [' ', ' '],
    },
    preview: Wrap {
        sides: ['!', '!'],
        corners: ['!', '!', '!', '!'],
        arms: [' ', ' '],
    },
    pointed: Wrap {
        sides: ['?', '?'],
        corners: ['?', '?', '?', '?'],
        arms: [' ', ' '],
    },
};
