//! A game as what each move changes on the board, so that whoever shows it needs no rule.
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
//! | `@12` | the grid is centred on cell 12 |
//! | `>3` | the next move must go to the innermost board 3 |
//! | `!12` `*3` | cell 12, board 3 is part of the line that ended the game |
//!
//! Cells are numbered as in [`Setup`]; boards level by level from the outermost nine.

use std::fmt::Write as _;

use noughts_rules::{
    AnyGameState, BoardKind, Depth, Game, GameState, Mnk, MoveArea, Nested, NestedPosition, Owner,
    Setup, Side,
};

/// A game in changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct GameChanges {
    /// What is on the board before the first move.
    pub(super) start: String,
    /// What each move changes.
    pub(super) plies: Vec<String>,
}

/// What each move of a game changes.
pub(super) fn game_changes(play: &AnyGameState) -> GameChanges {
    let mut changes = moves(play);
    // A game that was ended otherwise has no line, and one without moves nowhere to say it.
    if play.ending().is_some()
        && let Some(last) = changes.plies.last_mut()
    {
        last.push_str(&line(play));
    }
    changes
}

/// The line that ended a game, where there is one.
fn line(play: &AnyGameState) -> String {
    match play.board_kind() {
        BoardKind::Mnk(play) => mnk_line(play),
        BoardKind::LargeMnk(play) => mnk_line(play),
        BoardKind::TicTacTwo(play) => {
            let (game, size) = (play.game(), usize::from(play.game().options().board_size()));
            let lines = Side::BOTH.map(|player| game.line_cells(play.position(), player));
            let lines = lines[0] | lines[1];
            // The rules keep rows of eight, whatever the board's size.
            let cells =
                (0..size * size).filter(|cell| lines >> (cell / size * 8 + cell % size) & 1 == 1);
            cells.map(|cell| format!("!{cell}")).collect()
        }
        BoardKind::Nested(play) => {
            let places = play.winning_line();
            let sign = if play.depth() > 1 { '*' } else { '!' };
            let places = (0..9).filter(|place| places >> place & 1 == 1);
            places.map(|place| format!("{sign}{place}")).collect()
        }
    }
}

fn mnk_line<const W: usize>(play: &GameState<Mnk<W>>) -> String {
    let game = play.game();
    let columns = usize::from(game.options().size().0);
    let cells = game.line_cells(play.position()).map(|mv| {
        let (column, row) = game.column_row(mv);
        usize::from(row) * columns + usize::from(column)
    });
    cells.map(|cell| format!("!{cell}")).collect()
}

fn moves(play: &AnyGameState) -> GameChanges {
    match play {
        AnyGameState::Mnk(play) => flat(play),
        AnyGameState::LargeMnk(play) => flat(play),
        AnyGameState::TicTacTwo(play) => flat(play),
        AnyGameState::Ultimate(play) => nested(play),
        AnyGameState::Rule5a(play) => nested(play),
        AnyGameState::Nested1(play) => nested(play),
        AnyGameState::Nested2(play) => nested(play),
        AnyGameState::Nested3(play) => nested(play),
        AnyGameState::NestedDeep(play) => nested(play),
    }
}

/// Marks and grid as they are set up.
fn marks(setup: &Setup, size: u8) -> String {
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

fn begun(mover: Side) -> String {
    mover.letter().to_string()
}

/// Flat boards: whatever differs from before.
fn flat<G: Game>(play: &GameState<G>) -> GameChanges {
    let game = play.game();
    let size = match game.variant() {
        noughts_rules::Variant::TicTacTwo(options) => options.board_size(),
        _ => 0,
    };
    let mut position = play.start().clone();
    let mut before = game.setup(&position);
    let start = marks(&before, size);
    let mut plies = Vec::with_capacity(play.ply());
    for &mv in play.moves() {
        let mover = game.side(&position);
        game.apply(&mut position, mv);
        let after = game.setup(&position);
        let mut text = begun(mover);
        for (cell, (was, is)) in before.cells.iter().zip(&after.cells).enumerate() {
            let _ = match is {
                _ if was == is => Ok(()),
                None => write!(text, "-{cell}"),
                Some(mark) if *mark == mover => write!(text, "{}{cell}", between(&text)),
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

/// What keeps two numbers apart.
fn between(text: &str) -> &'static str {
    if text.ends_with(|c: char| c.is_ascii_digit()) {
        ","
    } else {
        ""
    }
}

/// Nested boards: one cell, and the boards around it. The rest of a deep board is not
/// looked at.
fn nested<D: Depth>(play: &GameState<Nested<D>>) -> GameChanges {
    let game = play.game();
    let depth = u32::from(game.options().depth());
    let mut position = play.start().clone();
    let mut start = String::new();
    if position != game.start() {
        start = marks(&game.setup(&position), 0);
        for level in 1..depth {
            for index in 0..9usize.pow(level) {
                let owner = game.owner(&position, level, index);
                if owner != Owner::Nobody {
                    let _ = write!(start, "{}{}", letter(owner), number(level, index));
                }
            }
        }
        sent(game, &position, &mut start);
    }
    let mut plies = Vec::with_capacity(play.ply());
    for &mv in play.moves() {
        let cell = mv.index();
        let around = |level: u32| cell / 9usize.pow(depth - level);
        let owners = |position: &NestedPosition<D>| -> Vec<Owner> {
            let owner = |level| game.owner(position, level, around(level));
            (1..depth).map(owner).collect()
        };
        let before = owners(&position);
        let mut text = begun(game.side(&position));
        game.apply(&mut position, mv);
        let _ = write!(text, "{cell}");
        for (level, (was, is)) in (1..).zip(before.into_iter().zip(owners(&position))) {
            if was != is {
                let _ = write!(text, "{}{}", letter(is), number(level, around(level)));
            }
        }
        sent(game, &position, &mut text);
        plies.push(text);
    }
    GameChanges { start, plies }
}

/// Which board the next move must go to, if it is one.
fn sent<D: Depth>(game: &Nested<D>, position: &NestedPosition<D>, text: &mut String) {
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

fn letter(owner: Owner) -> char {
    match owner {
        Owner::Nobody => 'N',
        Owner::One(Side::X) => 'X',
        Owner::One(Side::O) => 'O',
        Owner::Both => 'B',
    }
}

/// The number of a board among those of all levels: 0 to 8 are the outermost nine.
fn number(level: u32, index: usize) -> usize {
    (9usize.pow(level) - 9) / 8 + index
}
