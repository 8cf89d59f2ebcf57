//! Positions on flat boards: their cells, lines and text, and the reasons to reject them.

use std::fmt::Debug;
use std::iter::successors;

use crate::{opponent, win_text};

/// The rules of one variant that is played on flat boards.
pub(crate) trait Rules: Debug + Send + Sync {
    /// The canonical name of the variant.
    fn name(&self) -> String;

    /// The position before the first move.
    fn start(&self) -> Position;

    /// What a cell can hold.
    fn letters(&self) -> &'static str {
        "xo."
    }

    /// Rejects a position that can't be set up, with all reasons.
    fn check(&self, position: &Position) -> Result<(), String>;

    /// `x`, `o` or `draw` once the game is over.
    fn outcome(&self, position: &Position) -> Option<&'static str>;

    /// The legal moves if the game isn't over.
    fn moves(&self, position: &Position) -> Vec<String>;

    /// Makes a legal move, except for changing the side to move.
    fn apply(&self, position: &mut Position, mv: &str);

    /// Whether a position can occur again, so that its third occurrence is a draw.
    fn can_repeat(&self) -> bool {
        false
    }
}

/// A position on one or more flat boards.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Position {
    pub(crate) boards: Vec<Cells>,
    pub(crate) side: char,
    /// The fields that come after the side to move in the text.
    pub(crate) more: Vec<String>,
}

impl Position {
    /// Empty boards with X to move.
    pub(crate) fn empty(boards: usize, columns: usize, rows: usize) -> Position {
        Position {
            boards: vec![vec![vec!['.'; columns]; rows]; boards],
            side: 'x',
            more: Vec::new(),
        }
    }

    /// The cells of the only board.
    pub(crate) fn cells(&self) -> &Cells {
        &self.boards[0]
    }

    /// How many cells of all boards hold this mark.
    pub(crate) fn count(&self, mark: char) -> usize {
        self.boards.iter().map(|board| count(board, mark)).sum()
    }

    /// Writes a mark or a `.` into the cell of the only board with that name.
    pub(crate) fn put(&mut self, name: &str, mark: char) {
        put(&mut self.boards[0], name, mark);
    }

    /// Whether this mark has `length` in a row on the only board.
    pub(crate) fn has_line(&self, length: usize, mark: char) -> bool {
        has_line(self.cells(), length, mark)
    }

    /// Parses a text with the same form as the start.
    pub(crate) fn read(text: &str, start: &Position, letters: &str) -> Result<Position, String> {
        let fields: Vec<&str> = text.split(' ').collect();
        let expected = 2 + start.more.len();
        if fields.len() != expected {
            return Err(format!("{} fields, must be {expected}", fields.len()));
        }
        match (read_boards(fields[0], start, letters), read_side(fields[1])) {
            (Ok(boards), Ok(side)) => Ok(Position {
                boards,
                side,
                more: fields[2..].iter().copied().map(String::from).collect(),
            }),
            (boards, side) => {
                let reasons: Vec<String> = boards.err().into_iter().chain(side.err()).collect();
                Err(reasons.join("; "))
            }
        }
    }

    /// The position as one line of text.
    pub(crate) fn to_text(&self) -> String {
        let boards: Vec<String> = self.boards.iter().map(write_cells).collect();
        let mut fields = vec![boards.join("//"), String::from(self.side)];
        fields.extend(self.more.iter().cloned());
        fields.join(" ")
    }
}

/// The cells of a flat board, row by row from the top: `x`, `o`, `.` or a digit.
pub(crate) type Cells = Vec<Vec<char>>;

/// The column and the row of a cell, counted from 0 at the top left.
pub(crate) type Place = (usize, usize);

/// The letter of a column, counted from 0.
pub(crate) fn column_letter(column: usize) -> char {
    char::from(b'a' + column as u8)
}

/// Column letter, then row number, both counted from the top left: `a1`.
pub(crate) fn cell_name((column, row): Place) -> String {
    format!("{}{}", column_letter(column), row + 1)
}

// The cell with this name.
fn place(name: &str) -> Option<Place> {
    let (letter, number) = name.split_at_checked(1)?;
    let column = ('a'..='z').position(|column| letter.starts_with(column))?;
    let row = number.parse::<usize>().ok()?.checked_sub(1)?;
    Some((column, row))
}

/// All cells of a board.
pub(crate) fn places(cells: &Cells) -> Vec<Place> {
    let mut places = Vec::new();
    for (row, line) in cells.iter().enumerate() {
        for column in 0..line.len() {
            places.push((column, row));
        }
    }
    places
}

/// The names of all cells with this mark.
pub(crate) fn names(cells: &Cells, mark: char) -> Vec<String> {
    let mut found = places(cells);
    found.retain(|&(column, row)| cells[row][column] == mark);
    found.into_iter().map(cell_name).collect()
}

/// Writes a mark or a `.` into the cell with that name.
pub(crate) fn put(cells: &mut Cells, name: &str, mark: char) {
    if let Some((column, row)) = place(name) {
        cells[row][column] = mark;
    }
}

/// How many cells hold this mark.
pub(crate) fn count(cells: &Cells, mark: char) -> usize {
    cells.iter().flatten().filter(|cell| **cell == mark).count()
}

/// All lines of `length` cells in a row, column or diagonal whose cells all pass the test.
pub(crate) fn lines(
    cells: &Cells,
    length: usize,
    passes: impl Fn(Place) -> bool,
) -> Vec<Vec<Place>> {
    let mut lines = Vec::new();
    for start in places(cells) {
        for direction in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            let walk = successors(Some(start), |cell| neighbor(cells, *cell, direction));
            let walk = walk.take_while(|cell| passes(*cell)).take(length);
            if walk.clone().count() == length {
                lines.push(walk.collect());
            }
        }
    }
    lines
}

// The next cell in this direction, unless it is off the board.
fn neighbor(cells: &Cells, from: Place, (right, down): (isize, isize)) -> Option<Place> {
    let column = from.0.checked_add_signed(right)?;
    let row = from.1.checked_add_signed(down)?;
    (row < cells.len() && column < cells[row].len()).then_some((column, row))
}

/// Whether this mark has `length` in a row. More than that contain a line, so they count, too.
pub(crate) fn has_line(cells: &Cells, length: usize, mark: char) -> bool {
    !lines(cells, length, |(column, row)| cells[row][column] == mark).is_empty()
}

/// The outcome if one of the players has a line.
pub(crate) fn winner(has_line: impl Fn(char) -> bool) -> Option<&'static str> {
    let mut players = ['x', 'o'].into_iter();
    players.find(|player| has_line(*player)).map(win_text)
}

/// The cells that are on all of these lines: the last move was on one of them if it made them all.
pub(crate) fn common_cells(lines: &[Vec<Place>]) -> Vec<Place> {
    let mut common = lines.first().cloned().unwrap_or_default();
    common.retain(|cell| lines.iter().all(|line| line.contains(cell)));
    common
}

// Parses boards joined by `//`; an error has the reasons of all boards.
fn read_boards(field: &str, start: &Position, letters: &str) -> Result<Vec<Cells>, String> {
    let (columns, rows, expected) = (
        start.cells()[0].len(),
        start.cells().len(),
        start.boards.len(),
    );
    let boards: Vec<Cells> = field.split("//").map(split_rows).collect();
    let mut checks = vec![reject_if(
        boards.len() != expected,
        format!("{} boards, must be {expected}", boards.len()),
    )];
    for (number, cells) in (1..).zip(&boards) {
        let wrong = format!("board {number} does not have {rows} rows of {columns} cells");
        let fits = cells.len() == rows && cells.iter().all(|row| row.len() == columns);
        checks.push(reject_if(!fits, wrong));
        for letter in cells.iter().flatten() {
            if !letters.contains(*letter) {
                let unknown = format!("board {number} has {letter:?}, must be one of {letters:?}");
                checks.push(Err(unknown));
            }
        }
    }
    all_of(checks)?;
    Ok(boards)
}

fn split_rows(board: &str) -> Cells {
    board.split('/').map(|row| row.chars().collect()).collect()
}

/// Parses the field with the side to move.
pub(crate) fn read_side(field: &str) -> Result<char, String> {
    match field {
        "x" => Ok('x'),
        "o" => Ok('o'),
        _ => Err(format!("side to move is {field:?}, must be x or o")),
    }
}

// Formats rows from the top, joined by `/`.
fn write_cells(cells: &Cells) -> String {
    let rows: Vec<String> = cells.iter().map(|row| row.iter().collect()).collect();
    rows.join("/")
}

/// The reasons of all the checks that fail.
pub(crate) fn all_of(checks: impl IntoIterator<Item = Result<(), String>>) -> Result<(), String> {
    let reasons: Vec<String> = checks.into_iter().filter_map(Result::err).collect();
    reject_if(!reasons.is_empty(), reasons.join("; "))
}

/// An error with this reason if the condition holds.
pub(crate) fn reject_if(condition: bool, reason: impl Into<String>) -> Result<(), String> {
    if condition {
        Err(reason.into())
    } else {
        Ok(())
    }
}

/// Rejects counts of marks that alternating moves from an empty board can't lead to.
pub(crate) fn check_alternation(position: &Position) -> Result<(), String> {
    check_counts(position.count('x'), position.count('o'), position.side)
}

/// X must have as many as O if X is to move, or one more if O is to move.
pub(crate) fn check_counts(xs: usize, os: usize, side: char) -> Result<(), String> {
    let expected = if side == 'x' { os } else { os + 1 };
    let reason = format!("{xs} of x and {os} of o with {side} to move");
    reject_if(xs != expected, reason)
}

/// The same with at most `limit` marks each; once both players have that many, either may move.
pub(crate) fn check_limited_counts(position: &Position, limit: usize) -> Result<(), String> {
    let (xs, os) = (position.count('x'), position.count('o'));
    if xs == limit && os == limit {
        return Ok(());
    }
    let too_many = format!("more than {limit} marks of a player");
    all_of([
        reject_if(xs.max(os) > limit, too_many),
        check_alternation(position),
    ])
}

/// The same for marks without an owner: X moves after an even number of them, O after an odd one.
pub(crate) fn check_parity(position: &Position) -> Result<(), String> {
    let marks = position.count('x') + position.count('o');
    let mover = if marks.is_multiple_of(2) { 'x' } else { 'o' };
    let reason = format!("{marks} marks with {} to move", position.side);
    reject_if(position.side != mover, reason)
}

/// Rejects a line of the player to move: that line would have ended the game before.
pub(crate) fn check_lines(has_line: impl Fn(char) -> bool, side: char) -> Result<(), String> {
    match (has_line(side), has_line(opponent(side))) {
        (true, true) => Err(String::from("both players have a line")),
        (true, false) => Err(format!("{side} is to move and has a line")),
        (false, _) => Ok(()),
    }
}

/// Rejects lines that no single last move can have made: the first of them would have ended the game.
pub(crate) fn check_last_move(lines: &[Vec<Place>]) -> Result<(), String> {
    reject_if(
        !lines.is_empty() && common_cells(lines).is_empty(),
        "lines that no single last move can have made",
    )
}
