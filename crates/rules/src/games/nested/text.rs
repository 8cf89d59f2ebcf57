//! Parsing and formatting of nested positions and moves, and validation of setups.

use super::{Depth, Nested, NestedBoards, NestedMove, NestedPosition, OFFSETS, POWERS, path_text};
use super::{FreeMoveTarget, NestedOptions, SharedBoards, TrailRule, WonBoardRule};
use crate::error::{MoveError, MoveErrorKind, SetupError, SetupFaultKinds};
use crate::formats::{format_uttt, is_digits, parse_uttt};
use crate::game::Game;
use crate::notation::{FieldReader, join_groups, quoted};
use crate::outcome::{Outcome, Side};
use crate::setup::{Owner, Setup};

impl<D: Depth> Nested<D> {
    pub(super) fn setup_fields(&self, position: &NestedPosition<D>) -> Setup {
        let NestedPosition { boards, turn } = position;
        let mut setup = Setup::new(0);
        setup.cells = boards
            .leaves
            .as_ref()
            .iter()
            .flat_map(|&board| (0..9).map(move |cell| board.mark_at(cell)))
            .collect();
        setup.side = turn.side;
        if self.options().shared_boards == SharedBoards::Forbidden && self.has_double_lines(boards)
        {
            let all = boards.parents.as_ref().iter();
            setup.owners = Some(
                all.flat_map(|parent| (0..9).map(|place| parent.owner(place)))
                    .collect(),
            );
        }
        setup.trail = (0..turn.trail_len)
            .rev()
            .map(|letter| ((usize::from(turn.trail) / POWERS[usize::from(letter)]) % 9) as u8)
            .collect();
        setup.extra = turn.extra;
        setup
    }

    /// Does any board except the outermost have lines of both sides?
    fn has_double_lines(&self, boards: &NestedBoards<D>) -> bool {
        (1..self.depth.get()).any(|level| {
            (0..POWERS[level as usize]).any(|index| boards.has_lines(level, index) == [true; 2])
        })
    }

    pub(super) fn position_from_setup(
        &self,
        setup: &Setup,
    ) -> Result<NestedPosition<D>, SetupError> {
        let mut faults = SetupError::default();
        setup.check_unused_fields(false, true, &mut faults);
        self.check_trail(setup, &mut faults);
        if setup.extra {
            self.check_extra(&mut faults);
        }
        if !setup.check_size(POWERS[self.depth.get() as usize], &mut faults) {
            return Err(faults);
        }
        if matches!(
            self.options().won_board_rule,
            WonBoardRule::PlayOn | WonBoardRule::FreeMove
        ) {
            setup.check_counts(&mut faults);
        }
        let NestedPosition {
            mut boards,
            mut turn,
        } = self.start();
        let marks = boards.leaves.as_mut().iter_mut();
        for (board, cells) in marks.zip(setup.cells.chunks_exact(9)) {
            for (cell, mark) in (0..).zip(cells) {
                if let Some(side) = mark {
                    board.place_mark(*side, cell);
                }
            }
        }
        self.fill_owners(&mut boards, setup.owners.as_deref(), &mut faults);
        self.fill_open_counts(&mut boards);
        let lines = boards.has_lines(0, 0);
        if lines == [true; 2] {
            faults.add(
                SetupFaultKinds::LINES,
                "both players own the whole board, but the first to own it would have ended the game",
            );
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        turn.side = setup.side;
        turn.trail_len = setup.trail.len() as u8;
        turn.trail = setup
            .trail
            .iter()
            .fold(0, |trail, &letter| trail * 9 + u16::from(letter));
        turn.extra = setup.extra;
        turn.outcome = match lines {
            [true, _] => Some(Outcome::Win(Side::X)),
            [_, true] => Some(Outcome::Win(Side::O)),
            _ if self.has_move(&boards, turn) => None,
            _ => Some(self.count_boards(&boards)),
        };
        Ok(NestedPosition { boards, turn })
    }

    fn check_trail(&self, setup: &Setup, faults: &mut SetupError) {
        let (depth, length) = (self.depth.get() as usize, setup.trail.len());
        if setup.trail.iter().any(|&letter| letter > 8) {
            faults.add(
                SetupFaultKinds::LETTERS,
                "the trail can only contain letters from a to i",
            );
        }
        let allowed = match self.options().trail_rule {
            _ if depth == 1 => (length > 0).then(|| "the trail must be `-` at depth 1".into()),
            TrailRule::Suffix => (length != 0 && length != depth - 1).then(|| {
                format!(
                    "the trail must have {letters} or be `-`",
                    letters = letter_count_text(depth - 1)
                )
            }),
            TrailRule::History => (length > depth - 1).then(|| {
                format!(
                    "the trail must have at most {letters}",
                    letters = letter_count_text(depth - 1)
                )
            }),
        };
        if let Some(allowed) = allowed {
            faults.add(
                SetupFaultKinds::TRAIL,
                format!(
                    "{allowed}, but it has {letters}",
                    letters = letter_count_text(length)
                ),
            );
        }
    }

    fn check_extra(&self, faults: &mut SetupError) {
        if !matches!(
            self.options().won_board_rule,
            WonBoardRule::ExtraMove | WonBoardRule::ExtraMoveChain
        ) {
            faults.add(
                SetupFaultKinds::EXTRA,
                "extra moves (`+`) exist only with 5c and 5d",
            );
        }
    }

    /// Fills in the owners of all boards, derived from the marks or as given.
    fn fill_owners(
        &self,
        boards: &mut NestedBoards<D>,
        given: Option<&[Owner]>,
        faults: &mut SetupError,
    ) {
        let depth = self.depth.get();
        let expected = OFFSETS[depth as usize - 1] * 9;
        if let Some(given) = given
            && given.len() != expected
        {
            faults.add(
                SetupFaultKinds::SHAPE,
                format!(
                    "expected the owners of {expected} boards, found {found}",
                    found = given.len()
                ),
            );
            return;
        }
        let mut problems = 0;
        for level in (1..depth).rev() {
            // The owners of level 1, the children of the outermost board, come first.
            let offset = OFFSETS[level as usize - 1];
            for index in 0..POWERS[level as usize] {
                let lines = boards.has_lines(level, index);
                let given = given.and_then(|given| given.get(offset * 9 + index).copied());
                let owner = self.resolve_owner(lines, given).unwrap_or_else(|problem| {
                    problems += 1;
                    if problems <= MAX_REPORTED {
                        let path = path_text(index, level);
                        faults.add(SetupFaultKinds::OWNERS, format!("board {path} {problem}"));
                    }
                    Owner::from_flags(lines[0], lines[1])
                });
                let parent = &mut boards.parents.as_mut()[offset + index / 9];
                for side in Side::BOTH {
                    if owner.counts_for(side) {
                        parent.owned |= 1 << (index % 9 + 16 * side.index());
                    }
                }
            }
        }
        if problems > MAX_REPORTED {
            faults.add(
                SetupFaultKinds::OWNERS,
                format!(
                    "more boards with wrong owners: {count}",
                    count = problems - MAX_REPORTED
                ),
            );
        }
    }

    /// The owner of a board with these lines.
    fn resolve_owner(&self, lines: [bool; 2], given: Option<Owner>) -> Result<Owner, String> {
        let derived = Owner::from_flags(lines[0], lines[1]);
        if self.options().shared_boards == SharedBoards::Forbidden && derived == Owner::Both {
            return match given {
                Some(owner @ Owner::One(_)) => Ok(owner),
                Some(_) => Err("has lines of both players, so its owner must be x or o".into()),
                None => Err("has lines of both players, so its owner must be given".into()),
            };
        }
        match given {
            Some(owner) if owner != derived => Err(format!(
                "has owner `{given}`, but its lines make it `{expected}`",
                given = owner.letter(),
                expected = derived.letter()
            )),
            _ => Ok(derived),
        }
    }

    /// Fills in which cells are open to free moves.
    fn fill_open_counts(&self, boards: &mut NestedBoards<D>) {
        let depth = self.depth.get();
        for level in (0..depth.saturating_sub(1)).rev() {
            for index in 0..POWERS[level as usize] {
                let offset = OFFSETS[level as usize] + index;
                let mut open = 0;
                for place in 0..9 {
                    let inside = boards.count_open_in(level + 1, index * 9 + place);
                    let parent = &mut boards.parents.as_mut()[offset];
                    let owned = parent.owned_by_any() >> place & 1 == 1;
                    if inside == 0
                        || (owned && self.options().free_move_target == FreeMoveTarget::OpenBoards)
                    {
                        parent.closed |= 1 << place;
                    } else {
                        open += inside;
                    }
                }
                if let Some(count) = boards.open_counts.as_mut().get_mut(offset) {
                    *count = open;
                }
            }
        }
    }

    pub(super) fn parse_setup_text(&self, text: &str) -> (Setup, SetupError) {
        if is_digits(text) && *self.options() == NestedOptions::ULTIMATE {
            return self.read_uttt_digits(text);
        }
        let depth = self.depth.get() as usize;
        let mut setup = Setup::new(0);
        let mut reader = FieldReader::new(
            text,
            4,
            5,
            "cells, owners, side, trail, and `+` for an extra move",
        );
        let groups = POWERS[depth - 1];
        setup.cells = reader.cells("cells", groups, 9);
        let groups = OFFSETS[depth - 1];
        setup.owners = reader.owners(groups);
        setup.side = reader.side();
        setup.trail = reader.trail();
        setup.extra = reader.extra();
        (setup, reader.faults)
    }

    pub(super) fn format_setup_text(&self, setup: &Setup) -> String {
        let mut text = join_groups(&setup.cells, 9, |cell| cell.map_or('.', Side::letter));
        text.push(' ');
        match &setup.owners {
            None => text.push('-'),
            Some(owners) => text.push_str(&join_groups(owners, 9, |owner| owner.letter())),
        }
        text.push(' ');
        text.push(setup.side.letter());
        text.push(' ');
        if setup.trail.is_empty() {
            text.push('-');
        }
        text.extend(
            setup
                .trail
                .iter()
                .map(|&letter| char::from(b'a' + letter.min(8))),
        );
        if setup.extra {
            text.push_str(" +");
        }
        text
    }

    pub(super) fn parse_path(&self, text: &str) -> Result<NestedMove, MoveError> {
        let depth = self.depth.get() as usize;
        if text.len() != depth || !text.bytes().all(|b| (b'a'..=b'i').contains(&b)) {
            let example = &"eaieai"[..depth];
            return Err(MoveError::new(
                MoveErrorKind::NotAMove,
                format!(
                    "{text} isn't a cell on this board; a cell is {letters} from a to i, such as {example}",
                    text = quoted(text),
                    letters = letter_count_text(depth),
                ),
            ));
        }
        let index = text
            .bytes()
            .fold(0, |index, b| index * 9 + usize::from(b - b'a'));
        Ok(NestedMove::from_index(index))
    }
}

/// The maximum number of boards with wrong owners to name; a deep board can have thousands.
const MAX_REPORTED: usize = 9;

fn letter_count_text(n: usize) -> String {
    match n {
        0 => "no letters".into(),
        1 => "one letter".into(),
        2 => "two letters".into(),
        n => format!("{n} letters"),
    }
}

/// uttt.ai's states and "row column" pairs.
impl<D: Depth> Nested<D> {
    /// The position as the 93 digits of uttt.ai, which plays `ultimate`.
    pub(crate) fn uttt_digits(&self, position: &NestedPosition<D>) -> String {
        let owners = std::array::from_fn(|board| self.owner(position, 1, board));
        let target = self.target(position.turn);
        let sent_to = target.filter(|&board| self.is_target_playable(&position.boards, board));
        format_uttt(
            &self.setup_fields(position),
            &owners,
            sent_to.map(|board| board as u8),
            position.turn.outcome,
        )
    }

    /// Parses such digits and checks the redundant ones against the rules.
    fn read_uttt_digits(&self, text: &str) -> (Setup, SetupError) {
        let (setup, mut faults) = parse_uttt(text);
        if faults.is_empty()
            && let Ok(position) = self.position_from_setup(&setup)
        {
            let expected = self.uttt_digits(&position);
            let differs =
                |range: std::ops::Range<usize>| expected.get(range.clone()) != text.get(range);
            if differs(81..90) {
                faults.add(
                    SetupFaultKinds::OWNERS,
                    format!(
                        "to match the cells, the board results must be {results}",
                        results = &expected[81..90]
                    ),
                );
            }
            if differs(91..92) {
                faults.add(
                    SetupFaultKinds::TRAIL,
                    "the board to play in is won or full, so it must be 9 (anywhere)",
                );
            }
            if differs(92..93) {
                faults.add(
                    SetupFaultKinds::LINES,
                    format!(
                        "to match the boards, the result must be {result}",
                        result = &expected[92..93]
                    ),
                );
            }
        }
        (setup, faults)
    }

    /// Row and column of a move on the whole board, counted from 0, as used by CodinGame, which
    /// plays `ception:end=most`.
    ///
    /// ```
    /// use noughts_rules::{Game, Nested};
    /// let game = Nested::ultimate();
    /// // The top-left cell of the center board.
    /// let mv = game.parse_move("ea")?;
    /// assert_eq!(game.row_column(mv), (3, 3));
    /// assert_eq!(game.move_at_row_column(3, 3), Some(mv));
    /// # Ok::<(), noughts_rules::MoveError>(())
    /// ```
    #[must_use]
    pub fn row_column(&self, mv: NestedMove) -> (usize, usize) {
        let (mut row, mut col) = (0, 0);
        for letter in (0..self.depth.get()).rev() {
            let place = mv.index() / POWERS[letter as usize] % 9;
            (row, col) = (row * 3 + place / 3, col * 3 + place % 3);
        }
        (row, col)
    }

    /// The move to this row and column of the whole board, counted from 0.
    #[must_use]
    pub fn move_at_row_column(&self, row: usize, column: usize) -> Option<NestedMove> {
        let depth = self.depth.get();
        let side = 3usize.pow(depth);
        (row < side && column < side).then(|| {
            let index = (0..depth).rev().fold(0, |index, letter| {
                let size = 3usize.pow(letter);
                index * 9 + row / size % 3 * 3 + column / size % 3
            });
            NestedMove::from_index(index)
        })
    }

    /// A move as CodinGame's bots write it: `row column`.
    #[must_use]
    pub fn row_column_text(&self, mv: NestedMove) -> String {
        let (row, column) = self.row_column(mv);
        format!("{row} {column}")
    }

    /// Parses such a move.
    ///
    /// # Errors
    /// An explanation of what it must look like.
    pub fn parse_row_column(&self, text: &str) -> Result<NestedMove, MoveError> {
        let mut numbers = text.split_whitespace().map(|n| n.parse::<usize>().ok());
        match (numbers.next(), numbers.next(), numbers.next()) {
            (Some(Some(row)), Some(Some(column)), None) => self.move_at_row_column(row, column),
            _ => None,
        }
        .ok_or_else(|| {
            MoveError::new(
                MoveErrorKind::NotAMove,
                format!(
                    "{text} isn't a move; expected a row and a column from 0 to {last}",
                    text = quoted(text),
                    last = 3usize.pow(self.depth.get()) - 1
                ),
            )
        })
    }
}
