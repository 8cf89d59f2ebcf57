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
    AnyGameState, BoardKind, Depth, Game, GameState, Mnk, MoveArea, Nested, NestedPosition, Owner,
    Setup, Side,
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
    let mut changes = move_changes(state);
    // Other endings have no line, and without a move there is nowhere to put it.
    if state.ending().is_some()
        && let Some(last) = changes.plies.last_mut()
    {
        last.push_str(&winning_line_changes(state));
    }
    changes
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

fn move_changes(state: &AnyGameState) -> GameChanges {
    match state {
        AnyGameState::Mnk(state) => flat_changes(state),
        AnyGameState::LargeMnk(state) => flat_changes(state),
        AnyGameState::TicTacTwo(state) => flat_changes(state),
        AnyGameState::Ultimate(state) => nested_changes(state),
        AnyGameState::Rule5a(state) => nested_changes(state),
        AnyGameState::Nested1(state) => nested_changes(state),
        AnyGameState::Nested2(state) => nested_changes(state),
        AnyGameState::Nested3(state) => nested_changes(state),
        AnyGameState::NestedDeep(state) => nested_changes(state),
    }
}

/// The marks and the grid of a setup.
fn setup_changes(setup: &Setup, size: u8) -> String {
    let mut text = String::new();
    for (cell, mark) in setup.cells.iter().enumerate() {
        if let Some(mark) = mark {
            let _ = write!(text, "{}{cell}", mark.letter());
        }
    }
    if let Some(grid) = setup.grid {
        let _ = write!(text, "@{}", grid_cell(grid, size));
    }
    text
}

fn grid_cell((column, row): (u8, u8), size: u8) -> usize {
    usize::from(row) * usize::from(size) + usize::from(column)
}

fn mover_prefix(mover: Side) -> String {
    mover.letter().to_string()
}

/// Flat boards: everything that differs from before.
fn flat_changes<G: Game>(state: &GameState<G>) -> GameChanges {
    let game = state.game();
    let size = match game.variant() {
        noughts_rules::Variant::TicTacTwo(options) => options.board_size(),
        _ => 0,
    };
    let mut position = state.start().clone();
    let mut before = game.setup(&position);
    let start = setup_changes(&before, size);
    let mut plies = Vec::with_capacity(state.ply());
    for &mv in state.moves() {
        let mover = game.side(&position);
        game.apply(&mut position, mv);
        let after = game.setup(&position);
        let mut text = mover_prefix(mover);
        for (cell, (was, is)) in before.cells.iter().zip(&after.cells).enumerate() {
            let _ = match is {
                _ if was == is => Ok(()),
                None => write!(text, "-{cell}"),
                Some(mark) if *mark == mover => write!(text, "{}{cell}", separator(&text)),
                Some(mark) => write!(text, "{}{cell}", mark.letter()),
            };
        }
        if let Some(grid) = after.grid.filter(|_| before.grid != after.grid) {
            let _ = write!(text, "@{}", grid_cell(grid, size));
        }
        plies.push(text);
        before = after;
    }
    GameChanges { start, plies }
}

/// Separates two numbers.
fn separator(text: &str) -> &'static str {
    if text.ends_with(|c: char| c.is_ascii_digit()) {
        ","
    } else {
        ""
    }
}

/// Nested boards: one cell and the boards around it. The rest of a deep board isn't visited.
fn nested_changes<D: Depth>(state: &GameState<Nested<D>>) -> GameChanges {
    let game = state.game();
    let depth = u32::from(game.options().depth());
    let mut position = state.start().clone();
    let mut start = String::new();
    if position != game.start() {
        start = setup_changes(&game.setup(&position), 0);
        for level in 1..depth {
            for index in 0..9usize.pow(level) {
                let owner = game.owner(&position, level, index);
                if owner != Owner::Nobody {
                    let _ = write!(
                        start,
                        "{}{}",
                        owner_letter(owner),
                        board_number(level, index)
                    );
                }
            }
        }
        write_target(game, &position, &mut start);
    }
    let mut plies = Vec::with_capacity(state.ply());
    for &mv in state.moves() {
        let cell = mv.index();
        let around = |level: u32| cell / 9usize.pow(depth - level);
        let owners = |position: &NestedPosition<D>| -> Vec<Owner> {
            let owner = |level| game.owner(position, level, around(level));
            (1..depth).map(owner).collect()
        };
        let before = owners(&position);
        let mut text = mover_prefix(game.side(&position));
        game.apply(&mut position, mv);
        let _ = write!(text, "{cell}");
        for (level, (was, is)) in (1..).zip(before.into_iter().zip(owners(&position))) {
            if was != is {
                let _ = write!(
                    text,
                    "{}{}",
                    owner_letter(is),
                    board_number(level, around(level))
                );
            }
        }
        write_target(game, &position, &mut text);
        plies.push(text);
    }
    GameChanges { start, plies }
}

/// Appends the target board, if the next move is confined to one.
fn write_target<D: Depth>(game: &Nested<D>, position: &NestedPosition<D>, text: &mut String) {
    if let MoveArea::Board(path) = game.move_area(position)
        && !path.is_empty()
    {
        let letters = path.bytes().map(|b| usize::from(b.saturating_sub(b'a')));
        let _ = write!(
            text,
            ">{}",
            letters.fold(0, |index, letter| 9 * index + letter)
        );
    }
}

fn owner_letter(owner: Owner) -> char {
    match owner {
        Owner::Nobody => 'N',
        Owner::One(Side::X) => 'X',
        Owner::One(Side::O) => 'O',
        Owner::Both => 'B',
    }
}

/// The number of a board across all levels: 0 to 8 are the outermost nine.
fn board_number(level: u32, index: usize) -> usize {
    (9usize.pow(level) - 9) / 8 + index
}
