//! Parsing and formatting of nested positions and moves, and validation of setups.

use super::{Depth, Nested, NestedBoards, NestedMove, NestedPosition, OFFSETS, POWERS, path_text};
use super::{FreeMoveTarget, NestedOptions, SharedBoards, TrailRule, WonBoardRule};
use crate::error::{MoveError, MoveErrorKind, SetupError, SetupFaultKinds};
use crate::formats::is_digits;
use crate::game::Game;
use crate::notation::{FieldReader, join_groups, quoted};
use crate::outcome::{Outcome, Side};
use crate::setup::{Owner, Setup};

/// What a nested position has in addition to cells and the side to move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NestedDetails {
    /// The owners of all boards except the outermost, level by level. `None` if they follow from the marks.
    pub owners: Option<Vec<Owner>>,
    /// The trail, each letter as a number from 0 to 8.
    pub trail: Vec<u8>,
    /// The next move is an extra move.
    pub extra: bool,
}

impl<D: Depth> Nested<D> {
    pub(super) fn setup_fields(&self, position: &NestedPosition<D>) -> Setup<NestedDetails> {
        let NestedPosition { boards, turn } = position;
        let mut setup = Setup::<NestedDetails>::new(0);
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
            setup.details.owners = Some(
                all.flat_map(|parent| (0..9).map(|place| parent.owner(place)))
                    .collect(),
            );
        }
        setup.details.trail = (0..turn.trail_len)
            .rev()
            .map(|letter| ((usize::from(turn.trail) / POWERS[usize::from(letter)]) % 9) as u8)
            .collect();
        setup.details.extra = turn.extra;
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
        setup: &Setup<NestedDetails>,
    ) -> Result<NestedPosition<D>, SetupError> {
        let mut faults = SetupError::default();
        self.check_trail(setup, &mut faults);
        if setup.details.extra {
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
        self.fill_owners(&mut boards, setup.details.owners.as_deref(), &mut faults);
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
        turn.trail_len = setup.details.trail.len() as u8;
        turn.trail = setup
            .details
            .trail
            .iter()
            .fold(0, |trail, &letter| trail * 9 + u16::from(letter));
        turn.extra = setup.details.extra;
        turn.outcome = match lines {
            [true, _] => Some(Outcome::Win(Side::X)),
            [_, true] => Some(Outcome::Win(Side::O)),
            _ if self.has_move(&boards, turn) => None,
            _ => Some(self.count_boards(&boards)),
        };
        Ok(NestedPosition { boards, turn })
    }

    fn check_trail(&self, setup: &Setup<NestedDetails>, faults: &mut SetupError) {
        let (depth, length) = (self.depth.get() as usize, setup.details.trail.len());
        if setup.details.trail.iter().any(|&letter| letter > 8) {
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
                SetupFaultKinds::DETAILS,
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
                SetupFaultKinds::DETAILS,
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
                        faults.add(SetupFaultKinds::DETAILS, format!("board {path} {problem}"));
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
                SetupFaultKinds::DETAILS,
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

    pub(super) fn parse_setup_text(&self, text: &str) -> (Setup<NestedDetails>, SetupError) {
        if is_digits(text) && *self.options() == NestedOptions::ULTIMATE {
            return self.read_uttt_digits(text);
        }
        let depth = self.depth.get() as usize;
        let mut setup = Setup::<NestedDetails>::new(0);
        let mut reader = FieldReader::new(
            text,
            4,
            5,
            "cells, owners, side, trail, and `+` for an extra move",
        );
        let groups = POWERS[depth - 1];
        setup.cells = reader.cells("cells", groups, 9);
        let groups = OFFSETS[depth - 1];
        setup.details.owners = read_owners(&mut reader, groups);
        setup.side = reader.side();
        setup.details.trail = read_trail(&mut reader);
        setup.details.extra = read_extra(&mut reader);
        (setup, reader.faults)
    }

    pub(super) fn format_setup_text(&self, setup: &Setup<NestedDetails>) -> String {
        let mut text = join_groups(&setup.cells, 9, |cell| cell.map_or('.', Side::letter));
        text.push(' ');
        match &setup.details.owners {
            None => text.push('-'),
            Some(owners) => text.push_str(&join_groups(owners, 9, |owner| owner.letter())),
        }
        text.push(' ');
        text.push(setup.side.letter());
        text.push(' ');
        if setup.details.trail.is_empty() {
            text.push('-');
        }
        text.extend(
            setup
                .details
                .trail
                .iter()
                .map(|&letter| char::from(b'a' + letter.min(8))),
        );
        if setup.details.extra {
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

/// Owners in `count` groups of nine, or `-`.
fn read_owners(reader: &mut FieldReader<'_>, count: usize) -> Option<Vec<Owner>> {
    match reader.next_if_any() {
        None | Some("-") => None,
        Some(_) if count == 0 => {
            reader.faults.add(
                SetupFaultKinds::DETAILS,
                "a board of depth 1 has no inner boards, so its owners must be `-`",
            );
            None
        }
        Some(field) => {
            let (allowed, blank) = ("x, o, * and .", Owner::Nobody);
            Some(reader.groups(
                field,
                "owners",
                count,
                9,
                allowed,
                blank,
                |letter| match letter {
                    '.' => Some(Owner::Nobody),
                    '*' => Some(Owner::Both),
                    _ => Side::from_letter(letter).map(Owner::One),
                },
            ))
        }
    }
}

/// The trail's letters as numbers.
fn read_trail(reader: &mut FieldReader<'_>) -> Vec<u8> {
    let field = reader.next_if_any().unwrap_or("-");
    if field == "-" {
        return Vec::new();
    }
    if field.chars().any(|letter| !('a'..='i').contains(&letter)) {
        reader.faults.add(
            SetupFaultKinds::LETTERS,
            format!(
                "the trail can only contain letters from a to i, not {field}",
                field = quoted(field)
            ),
        );
    }
    // A letter that can't be parsed still counts toward the trail's length.
    field
        .chars()
        .map(|letter| match letter {
            'a'..='i' => letter as u8 - b'a',
            _ => 0,
        })
        .collect()
}

/// The `+` of an extra move.
fn read_extra(reader: &mut FieldReader<'_>) -> bool {
    match reader.next_if_any() {
        None => false,
        Some("+") => true,
        Some(other) => {
            reader.faults.add(
                SetupFaultKinds::DETAILS,
                format!(
                    "the fifth field must be `+` (extra move), not {field}",
                    field = quoted(other)
                ),
            );
            false
        }
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
