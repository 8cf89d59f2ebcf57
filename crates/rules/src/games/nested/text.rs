//! Parsing and formatting of nested positions and moves.

use super::{Depth, Nested, NestedBoards, NestedMove, NestedPosition, OFFSETS, POWERS, path_text};
use super::{FreeMoveTarget, NestedOptions, SharedBoards, TrailRule, TurnState, WonBoardRule};
use crate::error::{MoveError, MoveErrorKind, SetupError, SetupFaultKinds};
use crate::formats::is_digits;
use crate::game::Game;
use crate::games::common::{
    FieldReader, MARK_LETTERS, check_counts, mark_letter, parse_position, quoted, read_mark,
};
use crate::outcome::{Outcome, Side};
use crate::setup::join_groups;
use crate::view::Owner;

/// What the text of a position says, except for the side to move.
pub(super) struct Fields {
    /// The marks in path order.
    pub(super) marks: Vec<Option<Side>>,
    /// The owners of all boards except the outermost, level by level. `None` if they follow from the marks.
    pub(super) owners: Option<Vec<Owner>>,
    /// The trail, read as a base-9 number, and how many letters it has.
    pub(super) trail: (u16, u8),
    /// The next move is an extra move.
    pub(super) extra: bool,
}

impl<D: Depth> Nested<D> {
    /// The marks in path order.
    pub(super) fn marks(&self, position: &NestedPosition<D>) -> Vec<Option<Side>> {
        let boards = position.boards.leaves.as_ref().iter();
        boards
            .flat_map(|&board| (0..9).map(move |cell| board.mark_at(cell)))
            .collect()
    }

    pub(super) fn position_text(&self, position: &NestedPosition<D>) -> String {
        let NestedPosition { boards, turn } = position;
        let mut text = join_groups(&self.marks(position), 9, mark_letter);
        text.push(' ');
        if self.options().shared_boards == SharedBoards::Forbidden && self.has_double_lines(boards)
        {
            let all = boards.parents.as_ref().iter();
            let owners = all.flat_map(|parent| (0..9).map(|place| parent.owner(place)));
            let owners: Vec<Owner> = owners.collect();
            text.push_str(&join_groups(&owners, 9, |owner| owner.letter()));
        } else {
            text.push('-');
        }
        text.push(' ');
        text.push(turn.side.letter());
        text.push(' ');
        match turn.trail_len {
            0 => text.push('-'),
            letters => text.push_str(&path_text(turn.trail.into(), letters.into())),
        }
        if turn.extra {
            text.push_str(" +");
        }
        text
    }

    /// Does any board except the outermost have lines of both sides?
    fn has_double_lines(&self, boards: &NestedBoards<D>) -> bool {
        (1..self.depth.get()).any(|level| {
            (0..POWERS[level as usize]).any(|index| boards.has_lines(level, index) == [true; 2])
        })
    }

    pub(super) fn parse_position_text(&self, text: &str) -> Result<NestedPosition<D>, SetupError> {
        if is_digits(text) && *self.options() == NestedOptions::ULTIMATE {
            return self.parse_uttt_digits(text);
        }
        let depth = self.depth.get() as usize;
        let fields = "cells, owners, side, trail, and `+` for an extra move";
        parse_position(
            text,
            (4..=5, fields),
            |reader| {
                let cells = reader.next_if_any().unwrap_or_default();
                let groups = (POWERS[depth - 1], "cells");
                let marks = reader.groups_of_nine(cells, groups, MARK_LETTERS, read_mark);
                let owners = read_owners(reader, OFFSETS[depth - 1]);
                let side = reader.side();
                let fields = Fields {
                    marks,
                    owners,
                    trail: self.read_trail(reader),
                    extra: self.read_extra(reader),
                };
                (fields, side)
            },
            |fields, side, faults| self.set_up(fields, side, faults),
        )
    }

    /// The position with these fields, with its faults.
    pub(super) fn set_up(
        &self,
        fields: &Fields,
        side: Side,
        faults: &mut SetupError,
    ) -> NestedPosition<D> {
        if matches!(
            self.options().won_board_rule,
            WonBoardRule::PlayOn | WonBoardRule::FreeMove
        ) {
            let is_of = |side| move |mark: &&Option<Side>| **mark == Some(side);
            let [x, o] = Side::BOTH.map(|side| fields.marks.iter().filter(is_of(side)).count());
            check_counts(x, o, side, faults);
        }
        let NestedPosition { mut boards, turn } = self.start();
        let leaves = boards.leaves.as_mut().iter_mut();
        for (board, marks) in leaves.zip(fields.marks.chunks_exact(9)) {
            for (cell, mark) in (0..).zip(marks) {
                if let Some(side) = mark {
                    board.place_mark(*side, cell);
                }
            }
        }
        self.fill_owners(&mut boards, fields.owners.as_deref(), faults);
        self.fill_open_counts(&mut boards);
        let lines = boards.has_lines(0, 0);
        if lines == [true; 2] {
            faults.add(
                SetupFaultKinds::LINES,
                "both players own the whole board, but the first to own it would have ended the game",
            );
        }
        let (trail, trail_len) = fields.trail;
        let mut turn = TurnState {
            trail,
            trail_len,
            side,
            extra: fields.extra,
            ..turn
        };
        turn.outcome = match lines {
            [true, _] => Some(Outcome::Win(Side::X)),
            [_, true] => Some(Outcome::Win(Side::O)),
            _ if self.has_move(&boards, turn) => None,
            _ => Some(self.count_boards(&boards)),
        };
        NestedPosition { boards, turn }
    }

    /// Parses the trail. One that is wrong counts as none.
    fn read_trail(&self, reader: &mut FieldReader<'_>) -> (u16, u8) {
        let field = reader.next_if_any().unwrap_or("-");
        let letters = if field == "-" { "" } else { field }.chars();
        let (depth, length) = (self.depth.get() as usize, letters.clone().count());
        let numbers: Option<Vec<u16>> = letters
            .map(|letter| {
                let is_known = ('a'..='i').contains(&letter);
                is_known.then(|| u16::from(letter as u8 - b'a'))
            })
            .collect();
        if numbers.is_none() {
            reader.faults.add(
                SetupFaultKinds::LETTERS,
                format!(
                    "the trail can only contain letters from a to i, not {field}",
                    field = quoted(field)
                ),
            );
        }
        let rule = match self.options().trail_rule {
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
        if let Some(rule) = &rule {
            let letters = letter_count_text(length);
            reader.faults.add(
                SetupFaultKinds::DETAILS,
                format!("{rule}, but it has {letters}"),
            );
        }
        match (numbers, rule) {
            (Some(numbers), None) => {
                let trail = numbers.iter().fold(0, |trail, number| trail * 9 + number);
                (trail, length as u8)
            }
            _ => (0, 0),
        }
    }

    /// Parses the `+` of an extra move.
    fn read_extra(&self, reader: &mut FieldReader<'_>) -> bool {
        let fault = match (reader.next_if_any(), self.options().won_board_rule) {
            (None, _) => return false,
            (Some("+"), WonBoardRule::ExtraMove | WonBoardRule::ExtraMoveChain) => return true,
            (Some("+"), _) => "extra moves (`+`) exist only with 5c and 5d".into(),
            (Some(other), _) => format!(
                "the fifth field must be `+` (extra move), not {field}",
                field = quoted(other)
            ),
        };
        reader.faults.add(SetupFaultKinds::DETAILS, fault);
        false
    }

    /// Fills in the owners of all boards, derived from the marks or as given.
    fn fill_owners(
        &self,
        boards: &mut NestedBoards<D>,
        given: Option<&[Owner]>,
        faults: &mut SetupError,
    ) {
        let depth = self.depth.get();
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
            let (groups, letters) = ((count, "owners"), ("x, o, * and .", Owner::Nobody));
            Some(
                reader.groups_of_nine(field, groups, letters, |letter| match letter {
                    '*' => Some(Owner::Both),
                    _ => read_mark(letter).map(|mark| mark.map_or(Owner::Nobody, Owner::One)),
                }),
            )
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
