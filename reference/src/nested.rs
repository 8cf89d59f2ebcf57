//! Nested boards: nine boards in a board, to any depth.
//!
//! A cell is identified by its path, one letter per level from the outermost (`eai`); a board by
//! the letters that the paths of its cells start with, so the outermost board is the empty text.

use std::collections::BTreeMap;

use crate::board::{check_counts, read_side};
use crate::variant::{Options, numbered, spelled, with_options};
use crate::{opponent, win_text};

const LETTERS: &str = "abcdefghi";
const LINES: [&str; 8] = ["abc", "def", "ghi", "adg", "beh", "cfi", "aei", "ceg"];

/// A position on a nested board.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Nested {
    rules: NestedRules,
    /// The marks of all cells by path: `x`, `o` or `.`.
    cells: BTreeMap<String, char>,
    /// The owners of all boards, including the outermost: `x`, `o`, `*` or `.`.
    owners: BTreeMap<String, char>,
    side: char,
    trail: String,
    /// Whether the next move is an extra move.
    extra: bool,
}

/// The rules of one nested variant.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NestedRules {
    /// 4b: both players can own a board.
    shared: bool,
    /// The letter of 5a, 5b, 5c or 5d.
    won_board_rule: char,
    /// `free=open`, only possible with 4a and 5b: won boards are closed.
    open_only: bool,
    depth: usize,
    /// `trail=history` instead of `trail=suffix`.
    history: bool,
    /// `end=most` instead of `end=draw`.
    most_boards_win: bool,
}

impl NestedRules {
    pub(crate) fn ultimate() -> NestedRules {
        NestedRules {
            shared: false,
            won_board_rule: 'b',
            open_only: true,
            depth: 2,
            history: false,
            most_boards_win: false,
        }
    }

    pub(crate) fn parse(options: &mut Options) -> Result<NestedRules, String> {
        let shares = spelled(&[("4a", false), ("4b", true)]);
        let shared = options.take(&shares)?.unwrap_or(false);
        let won_board_rules = spelled(&[("5a", 'a'), ("5b", 'b'), ("5c", 'c'), ("5d", 'd')]);
        let won_board_rule = options.take(&won_board_rules)?.unwrap_or('b');
        let open_only = options.take(&spelled(&[("free=open", true), ("free=any", false)]))?;
        let depth = options.take(&numbered("depth", 1..=6))?.unwrap_or(2);
        let trails = spelled(&[("trail=suffix", false), ("trail=history", true)]);
        let history = options.take(&trails)?.unwrap_or(false);
        let ends = spelled(&[("end=draw", false), ("end=most", true)]);
        let most_boards_win = options.take(&ends)?.unwrap_or(false);

        // `free` is only an option with 4a,5b; otherwise it is always `any` and must not be given.
        let has_free = !shared && won_board_rule == 'b';
        if open_only.is_some() && !has_free {
            return Err(String::from("free is an option only with 4a,5b"));
        }
        // At depth 1 all options except `depth` are dropped.
        if depth == 1 {
            return Ok(NestedRules {
                depth,
                ..NestedRules::ultimate()
            });
        }
        Ok(NestedRules {
            shared,
            won_board_rule,
            open_only: has_free && open_only.unwrap_or(true),
            depth,
            // At depth 2 `trail` is dropped.
            history: history && depth > 2,
            most_boards_win,
        })
    }

    /// The canonical name.
    pub(crate) fn name(&self) -> String {
        let mut options = Vec::new();
        if self.shared {
            options.push(String::from("4b"));
        }
        if self.won_board_rule != 'b' {
            options.push(format!("5{}", self.won_board_rule));
        }
        if !self.shared && self.won_board_rule == 'b' && !self.open_only {
            options.push(String::from("free=any"));
        }
        if self.depth != 2 {
            options.push(format!("depth={}", self.depth));
        }
        if self.history {
            options.push(String::from("trail=history"));
        }
        if self.most_boards_win {
            options.push(String::from("end=most"));
        }
        if options.is_empty() {
            return String::from("ultimate");
        }
        with_options("ception", &options)
    }
}

impl Nested {
    /// The empty board with X to move, anywhere.
    pub(crate) fn start(rules: NestedRules) -> Nested {
        let mut cells = BTreeMap::new();
        for path in paths(rules.depth) {
            cells.insert(path, '.');
        }
        let mut owners = BTreeMap::new();
        for board in boards(0, rules.depth) {
            owners.insert(board, '.');
        }
        Nested {
            rules,
            cells,
            owners,
            side: 'x',
            trail: String::new(),
            extra: false,
        }
    }

    pub(crate) fn side(&self) -> char {
        self.side
    }
}

// All paths with that many letters, in order.
fn paths(length: usize) -> Vec<String> {
    let mut paths = vec![String::new()];
    for _ in 0..length {
        let mut longer = Vec::new();
        for path in &paths {
            longer.extend(LETTERS.chars().map(|letter| format!("{path}{letter}")));
        }
        paths = longer;
    }
    paths
}

// The boards whose names have at least `shortest` letters, level by level from the outermost.
fn boards(shortest: usize, depth: usize) -> Vec<String> {
    (shortest..depth).flat_map(paths).collect()
}

// Ownership.
impl Nested {
    // Three of the board's nine children in a line: marks at depth 1, owned boards above.
    fn has_line(&self, board: &str, player: char) -> bool {
        LINES.iter().any(|line| {
            line.chars()
                .all(|letter| self.holds(&format!("{board}{letter}"), player))
        })
    }

    // A shared board counts for both.
    fn holds(&self, child: &str, player: char) -> bool {
        if child.len() == self.rules.depth {
            self.cells[child] == player
        } else {
            self.owners[child] == player || self.owners[child] == '*'
        }
    }

    // Who owns the board after this player has moved inside it.
    fn owner_after_move(&self, board: &str, player: char) -> char {
        let before = self.owners[board];
        if !self.has_line(board, player) || before == player {
            return before;
        }
        match (before, self.rules.shared) {
            ('.', _) => player,
            // 4a: the first owner keeps the board.
            (first, false) => first,
            // 4b: both can own it.
            (_, true) => '*',
        }
    }

    // Someone owns the board or a board around it, not counting the outermost.
    fn is_won(&self, board: &str) -> bool {
        (1..=board.len()).any(|length| self.owners[&board[..length]] != '.')
    }

    // All of its cells are filled.
    fn is_full(&self, board: &str) -> bool {
        let mut inside = self
            .cells
            .iter()
            .filter(|(path, _)| path.starts_with(board));
        inside.all(|(_, mark)| *mark != '.')
    }

    fn empty_cells(&self, board: &str) -> Vec<String> {
        let mut empty = Vec::new();
        for (path, mark) in &self.cells {
            if path.starts_with(board) && *mark == '.' {
                empty.push(path.clone());
            }
        }
        empty
    }

    pub(crate) fn outcome(&self) -> Option<&'static str> {
        // The first player to own the outermost board wins.
        if self.owners[""] != '.' {
            return Some(win_text(self.owners[""]));
        }
        if !self.legal_moves().is_empty() {
            return None;
        }
        // No legal move: a draw; with `end=most` the player with more outermost boards wins instead.
        let owned = |player| paths(1).iter().filter(|b| self.holds(b, player)).count();
        if !self.rules.most_boards_win || owned('x') == owned('o') {
            return Some("draw");
        }
        Some(if owned('x') > owned('o') { "x" } else { "o" })
    }
}

// Where to play.
impl Nested {
    // The depth-1 board that the trail names; none while the trail is too short.
    fn target(&self) -> Option<&str> {
        (self.trail.len() == self.rules.depth - 1).then_some(&self.trail)
    }

    // A full board can't be played in; under 5b a won one can't either.
    fn is_unplayable(&self, board: &str) -> bool {
        self.is_full(board) || (self.rules.won_board_rule == 'b' && self.is_won(board))
    }

    pub(crate) fn legal_moves(&self) -> Vec<String> {
        if self.owners[""] != '.' {
            return Vec::new();
        }
        match self.target() {
            // Without a target the move can go anywhere.
            None => self.open_cells(""),
            Some(target) if self.is_unplayable(target) => self.free_moves(target),
            Some(target) => self.empty_cells(target),
        }
    }

    // The move goes inside the smallest board around the target that can be played in, but to
    // another board than the target; if that leaves no cell, inside the next larger one.
    fn free_moves(&self, target: &str) -> Vec<String> {
        for length in (0..target.len()).rev() {
            let around = &target[..length];
            if self.is_unplayable(around) {
                continue;
            }
            let mut moves = self.open_cells(around);
            moves.retain(|path| !path.starts_with(target));
            if !moves.is_empty() {
                return moves;
            }
        }
        Vec::new()
    }

    // The empty cells for a move without a target: `free=open` closes won boards.
    fn open_cells(&self, board: &str) -> Vec<String> {
        let mut open = self.empty_cells(board);
        if self.rules.open_only {
            open.retain(|path| !self.is_won(&path[..path.len() - 1]));
        }
        open
    }

    // If the player is sent to a board that is won but not full, they must play there.
    fn is_sent_to_won_board(&self) -> bool {
        self.target()
            .is_some_and(|target| self.is_won(target) && !self.is_full(target))
    }

    // Whether the player to move will move again after any legal move.
    fn moves_again(&self) -> bool {
        match self.rules.won_board_rule {
            // 5c: once; after the extra move the turn passes, whatever board it was in.
            'c' => self.is_sent_to_won_board() && !self.extra,
            // 5d: as long as each move is made in a target that was already won.
            'd' => self.is_sent_to_won_board(),
            _ => false,
        }
    }

    // The letters played, even if the move was a free move.
    fn trail_after(&self, mv: &str) -> String {
        let played = if self.rules.history {
            // The last letters of the last D−1 moves, oldest first.
            format!("{}{}", self.trail, &mv[mv.len() - 1..])
        } else {
            // The last D−1 letters of the move just made.
            String::from(mv)
        };
        let surplus = played.len().saturating_sub(self.rules.depth - 1);
        String::from(&played[surplus..])
    }

    /// The position after a legal move.
    pub(crate) fn after(&self, mv: &str) -> Nested {
        let mut next = self.clone();
        next.cells.insert(String::from(mv), self.side);
        // Only the boards around the cell can change owners, the innermost first.
        for length in (0..mv.len()).rev() {
            let board = &mv[..length];
            let owner = next.owner_after_move(board, self.side);
            next.owners.insert(String::from(board), owner);
        }
        next.trail = self.trail_after(mv);
        next.extra = self.moves_again();
        if !next.extra {
            next.side = opponent(self.side);
        }
        next
    }
}

// Positions as text.
impl Nested {
    pub(crate) fn to_text(&self) -> String {
        let cells: Vec<char> = self.cells.values().copied().collect();
        let cells = write_groups(&cells);
        let trail = if self.trail.is_empty() {
            "-"
        } else {
            &self.trail
        };
        let extra = if self.extra { " +" } else { "" };
        let owners = self.owners_to_text();
        format!("{cells} {owners} {} {trail}{extra}", self.side)
    }

    // `-` if the owners follow from the marks, that is, if no board has two possible owners.
    fn owners_to_text(&self) -> String {
        let inner = boards(1, self.rules.depth);
        let follows = |board: &String| self.possible_owners(board).len() == 1;
        if inner.iter().all(follows) {
            return String::from("-");
        }
        let owners: Vec<char> = inner.iter().map(|board| self.owners[board]).collect();
        write_groups(&owners)
    }

    // The possible owners of a board, given its children.
    fn possible_owners(&self, board: &str) -> &'static str {
        match (self.has_line(board, 'x'), self.has_line(board, 'o')) {
            (false, false) => ".",
            (true, false) => "x",
            (false, true) => "o",
            // Both have a line: under 4b both own it, under 4a the one who was first.
            (true, true) if self.rules.shared => "*",
            (true, true) => "xo",
        }
    }

    /// Parses the four fields, and the fifth if there is one.
    pub(crate) fn from_text(rules: NestedRules, text: &str) -> Result<Nested, String> {
        let fields: Vec<&str> = text.split(' ').collect();
        let (cells, owners, side, trail, extra) = match fields[..] {
            [cells, owners, side, trail] => (cells, owners, side, trail, false),
            [cells, owners, side, trail, "+"] => (cells, owners, side, trail, true),
            _ => return Err(String::from("must be four fields, or four and a +")),
        };
        let mut game = Nested::start(rules);
        game.read_cells(cells)?;
        game.read_owners(owners)?;
        game.side = read_side(side)?;
        game.read_trail(trail)?;
        game.extra = extra;
        game.check()?;
        Ok(game)
    }

    fn read_cells(&mut self, field: &str) -> Result<(), String> {
        let marks = read_groups(field, self.cells.len())?;
        for (cell, mark) in self.cells.values_mut().zip(marks) {
            if !"xo.".contains(mark) {
                return Err(format!("a cell is {mark:?}, must be x, o or ."));
            }
            *cell = mark;
        }
        Ok(())
    }

    // Sets the owners from the innermost boards outward, as given or as derived from the marks.
    fn read_owners(&mut self, field: &str) -> Result<(), String> {
        let mut given = BTreeMap::new();
        if field != "-" {
            let inner = boards(1, self.rules.depth);
            let owners = read_groups(field, inner.len())?;
            given.extend(inner.into_iter().zip(owners));
        }
        for board in boards(0, self.rules.depth).into_iter().rev() {
            let owner = self.owner_from_text(&board, given.get(&board))?;
            self.owners.insert(board, owner);
        }
        Ok(())
    }

    fn owner_from_text(&self, board: &str, given: Option<&char>) -> Result<char, String> {
        let possible = self.possible_owners(board);
        // If both owned the outermost board, it would be unclear who won.
        if board.is_empty() && (possible == "xo" || possible == "*") {
            return Err(String::from("both players own the outermost board"));
        }
        let mut candidates = possible.chars();
        match (given, candidates.next(), candidates.next()) {
            (Some(&owner), _, _) if possible.contains(owner) => Ok(owner),
            (Some(owner), _, _) => Err(format!("owner {owner:?} of {board} contradicts the marks")),
            (None, Some(only), None) => Ok(only),
            (None, _, _) => Err(format!(
                "the owner of {board} does not follow from the marks"
            )),
        }
    }

    fn read_trail(&mut self, field: &str) -> Result<(), String> {
        if field == "-" {
            return Ok(());
        }
        if field.is_empty() || !field.chars().all(|letter| LETTERS.contains(letter)) {
            return Err(format!("trail {field:?} is not of letters from a to i"));
        }
        // D−1 letters; with `history` there may be fewer.
        let full = self.rules.depth - 1;
        let fits = field.len() == full || (self.rules.history && field.len() < full);
        if !fits {
            return Err(format!("trail {field:?} has the wrong length"));
        }
        self.trail = String::from(field);
        Ok(())
    }

    fn check(&self) -> Result<(), String> {
        // 5c and 5d give extra moves, so the counts aren't checked. 5a and 5b never do.
        if self.rules.won_board_rule == 'c' || self.rules.won_board_rule == 'd' {
            return Ok(());
        }
        if self.extra {
            return Err(String::from("there are no extra moves in this game"));
        }
        let count = |mark| self.cells.values().filter(|cell| **cell == mark).count();
        check_counts(count('x'), count('o'), self.side)
    }
}

// Groups of nine, joined by `/`.
fn write_groups(letters: &[char]) -> String {
    let groups: Vec<String> = letters
        .chunks(9)
        .map(|group| group.iter().collect())
        .collect();
    groups.join("/")
}

fn read_groups(field: &str, total: usize) -> Result<Vec<char>, String> {
    let groups: Vec<Vec<char>> = field
        .split('/')
        .map(|group| group.chars().collect())
        .collect();
    if groups.len() * 9 != total || groups.iter().any(|group| group.len() != 9) {
        return Err(format!("must be {} groups of nine", total / 9));
    }
    Ok(groups.concat())
}
