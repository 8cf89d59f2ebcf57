//! Encodes a game as the changes each move makes on the board, so that the page's script needs no
//! rules.
//!
//! A change is a letter and a number; a number alone is a cell that the mover's mark goes
//! to. A move is the mover's letter and its changes: `x40>4` puts an X on cell 40 and
//! sends to board 4.
//!
//! | change | means |
//! |---|---|
//! | `12` | cell 12 gets the mover's mark |
//! | `x12` `o12` | cell 12 has this mark (only at the start) |
//! | `-12` | cell 12 becomes empty |
//! | `X3` `O3` `B3` `N3` | board 3 is owned by X, O, both, nobody |
//! | `@12` | the grid is centered on cell 12 |
//! | `>3` | the next move must go to the innermost board 3 |
//! | `!12` `*3` | cell 12, board 3 is part of the line that ended the game |
//!
//! Cells are numbered as in [`Setup`]; boards level by level from the outermost nine.

use std::fmt::Write as _;

use noughts_rules::{
    AnyGameState, BoardKind, Family, GameState, Mnk, MoveArea, Owner, Setup, Side, Variant,
};

/// A game as changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct GameChanges {
    /// What is on the board before the first move.
    pub(super) start: String,
    /// What each move changes.
    pub(super) plies: Vec<String>,
}

/// Encodes a game.
pub(super) fn game_changes(state: &AnyGameState) -> GameChanges {
    let variant = state.variant();
    let mut board = AnyGameState::new(variant);
    if !state.has_standard_start()
        && let Ok(start) = AnyGameState::from_text(variant, &state.start_text())
    {
        board = start;
    }
    let start = start_changes(&board);
    let moves = state.moves();
    let mut plies: Vec<String> = moves.iter().map(|mv| ply_changes(&mut board, mv)).collect();
    // Other endings have no line, and without a move there is nowhere to put it.
    if state.ending().is_some()
        && let Some(last) = plies.last_mut()
    {
        last.push_str(&winning_line_changes(state));
    }
    GameChanges { start, plies }
}

/// What is on the board before the first move.
fn start_changes(board: &AnyGameState) -> String {
    let mut text = String::new();
    // The start of a deep board is empty and isn't visited.
    if board.nested().is_none() || !board.has_standard_start() {
        let setup = board.setup().unwrap_or_else(|| Setup::new(0));
        for (cell, mark) in setup.cells.iter().enumerate() {
            if let Some(mark) = mark {
                let _ = write!(text, "{}{cell}", mark.letter());
            }
        }
        write_grid(board, &setup, &mut text);
    }
    if let Some(nested) = board.nested().filter(|_| !board.has_standard_start()) {
        for level in 1..nested.depth() {
            for index in 0..9usize.pow(level) {
                let owner = nested.owner(level, index);
                if owner != Owner::Nobody {
                    write_owner(owner, level, index, &mut text);
                }
            }
        }
        write_target(board, &mut text);
    }
    text
}

/// Plays a move and encodes what it changes.
fn ply_changes(board: &mut AnyGameState, mv: &str) -> String {
    let mover = board.side();
    let mut text = mover.letter().to_string();
    if let Some(nested) = board.nested() {
        // One cell and the boards around it. The rest of a deep board isn't visited.
        let (cell, depth) = (path_index(mv), nested.depth());
        let around = |level: u32| cell / 9usize.pow(depth - level);
        let owners = |board: &AnyGameState| -> Vec<Owner> {
            let owner = |level| board.owner(level, around(level));
            (1..depth).map(owner).collect()
        };
        let before = owners(board);
        let _ = board.play(mv);
        let _ = write!(text, "{cell}");
        for (level, (was, is)) in (1..).zip(before.into_iter().zip(owners(board))) {
            if was != is {
                write_owner(is, level, around(level), &mut text);
            }
        }
        write_target(board, &mut text);
        return text;
    }
    // Everything that differs from before.
    let before = board.setup().unwrap_or_else(|| Setup::new(0));
    let _ = board.play(mv);
    let after = board.setup().unwrap_or_else(|| Setup::new(0));
    for (cell, (was, is)) in before.cells.iter().zip(&after.cells).enumerate() {
        let _ = match is {
            _ if was == is => Ok(()),
            None => write!(text, "-{cell}"),
            Some(mark) if *mark == mover => write!(text, "{}{cell}", separator(&text)),
            Some(mark) => write!(text, "{}{cell}", mark.letter()),
        };
    }
    if before.grid != after.grid {
        write_grid(board, &after, &mut text);
    }
    text
}

/// The line that ended a game; empty if there is none.
fn winning_line_changes(state: &AnyGameState) -> String {
    match state.board_kind() {
        BoardKind::Mnk(state) => mnk_winning_line(state),
        BoardKind::LargeMnk(state) => mnk_winning_line(state),
        BoardKind::TicTacTwo(state) => {
            let (game, size) = (
                state.game(),
                usize::from(state.game().options().board_size()),
            );
            let lines = Side::BOTH.map(|player| game.line_cells(state.position(), player));
            let lines = lines[0] | lines[1];
            // The rules use rows of eight bits, whatever the board's size.
            let cells =
                (0..size * size).filter(|cell| lines >> (cell / size * 8 + cell % size) & 1 == 1);
            cells.map(|cell| format!("!{cell}")).collect()
        }
        BoardKind::Other(_) => String::new(),
        BoardKind::Nested(state) => {
            let places = state.winning_line();
            let sign = if state.depth() > 1 { '*' } else { '!' };
            let places = (0..9).filter(|place| places >> place & 1 == 1);
            places.map(|place| format!("{sign}{place}")).collect()
        }
    }
}

fn mnk_winning_line<const W: usize>(state: &GameState<Mnk<W>>) -> String {
    let game = state.game();
    let columns = usize::from(game.options().size().0);
    let cells = game.line_cells(state.position()).map(|mv| {
        let (column, row) = game.column_row(mv);
        usize::from(row) * columns + usize::from(column)
    });
    cells.map(|cell| format!("!{cell}")).collect()
}

/// Separates two numbers.
fn separator(text: &str) -> &'static str {
    if text.ends_with(|c: char| c.is_ascii_digit()) {
        ","
    } else {
        ""
    }
}

/// Appends the cell in the center of the grid, if there is one.
fn write_grid(board: &AnyGameState, setup: &Setup, text: &mut String) {
    if let (Some((column, row)), Family::TicTacTwo(options)) =
        (setup.grid, board.variant().family())
    {
        let cell = usize::from(row) * usize::from(options.board_size()) + usize::from(column);
        let _ = write!(text, "@{cell}");
    }
}

/// Appends the target board, if the next move is confined to one.
fn write_target(board: &AnyGameState, text: &mut String) {
    if let Some(nested) = board.nested()
        && let MoveArea::Board(path) = nested.move_area()
        && !path.is_empty()
    {
        let _ = write!(text, ">{}", path_index(&path));
    }
}

/// Appends a board's owner. Boards are numbered across all levels: 0 to 8 are the outermost nine.
fn write_owner(owner: Owner, level: u32, index: usize, text: &mut String) {
    let letter = match owner {
        Owner::Nobody => 'N',
        Owner::One(Side::X) => 'X',
        Owner::One(Side::O) => 'O',
        Owner::Both => 'B',
    };
    let _ = write!(text, "{letter}{}", (9usize.pow(level) - 9) / 8 + index);
}

/// The index of a board or cell by its letters, the outermost first.
fn path_index(path: &str) -> usize {
    let letters = path.bytes().map(|b| usize::from(b.saturating_sub(b'a')));
    letters.fold(0, |index, letter| 9 * index + letter)
}
