//! Why a move was refused, and why a set-up board is no position.

use std::fmt;

use bitflags::bitflags;

/// A move that was refused, with the position as it was before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayError<P> {
    /// The position, unchanged.
    pub position: P,
    /// Why the move was refused.
    pub reason: MoveError,
}

impl<P> fmt::Display for PlayError<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reason.fmt(f)
    }
}

impl<P: fmt::Debug> std::error::Error for PlayError<P> {}

/// Why a move was refused: a kind for programs, a sentence for people.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{sentence}")]
pub struct MoveError {
    /// What sort of reason it is.
    pub kind: MoveErrorKind,
    sentence: String,
}

impl MoveError {
    pub(crate) fn new(kind: MoveErrorKind, sentence: impl Into<String>) -> MoveError {
        MoveError {
            kind,
            sentence: sentence.into(),
        }
    }
}

/// The sorts of reasons for refusing a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum MoveErrorKind {
    /// The game is over.
    GameOver,
    /// The text names no move of this game.
    NotAMove,
    /// The cell is not empty.
    CellTaken,
    /// Nested: the move must go to the board one was sent to.
    WrongBoard,
    /// Nested: this board takes no free move now.
    BoardClosed,
    /// Tic-Tac-Two: the cell is outside the grid.
    OutsideGrid,
    /// Tic-Tac-Two: in the opening one can only place pieces.
    TooEarly,
    /// Tic-Tac-Two: no piece is left to place.
    NoPieceLeft,
    /// Tic-Tac-Two: there is no piece of one's own to move there.
    NotYourPiece,
    /// Tic-Tac-Two: the grid cannot go there.
    InvalidGridMove,
}

bitflags! {
    /// The sorts of faults of a set-up board, as flags.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub struct FaultKinds: u32 {
        /// A field is missing, or there is one too many.
        const FIELDS = 1;
        /// Too many or too few cells, rows or groups.
        const SHAPE = 1 << 1;
        /// A letter that means nothing there.
        const LETTERS = 1 << 2;
        /// The side to move is not `x` or `o`.
        const SIDE = 1 << 3;
        /// The grid is missing, unreadable, off the board, or not yet free to be there.
        const GRID = 1 << 4;
        /// Owners are missing, or contradict the marks.
        const OWNERS = 1 << 5;
        /// The trail has the wrong length.
        const TRAIL = 1 << 6;
        /// An extra move where there can be none.
        const EXTRA = 1 << 7;
        /// No game leads to these numbers of marks.
        const COUNTS = 1 << 8;
        /// The game would have ended before.
        const LINES = 1 << 9;
    }
}

/// Everything that is wrong with a set-up board, not only the first thing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SetupError {
    faults: Vec<(FaultKinds, String)>,
}

impl SetupError {
    pub(crate) fn add(&mut self, kind: FaultKinds, sentence: impl Into<String>) {
        let fault = (kind, sentence.into());
        if !self.faults.contains(&fault) {
            self.faults.push(fault);
        }
    }

    /// One fault.
    pub(crate) fn single(kind: FaultKinds, sentence: &str) -> SetupError {
        let mut error = SetupError::default();
        error.add(kind, sentence);
        error
    }

    /// Adds what the gate found to what the reader found. A misshapen text has
    /// the wrong number of cells, too, and an unreadable grid is missing: that is
    /// said once.
    pub(crate) fn merge(&mut self, gate: SetupError) {
        let said = self.kinds() & (FaultKinds::SHAPE | FaultKinds::GRID);
        for (kind, sentence) in gate.faults {
            if !said.contains(kind) {
                self.add(kind, sentence);
            }
        }
    }

    /// Drops faults of other kinds.
    pub(crate) fn retain_kinds(&mut self, kinds: FaultKinds) {
        self.faults.retain(|(kind, _)| kinds.contains(*kind));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.faults.is_empty()
    }

    /// `Err` with the faults, or the value where there are none.
    pub(crate) fn into_result<T>(self, value: T) -> Result<T, SetupError> {
        if self.is_empty() {
            Ok(value)
        } else {
            Err(self)
        }
    }

    /// The sorts of all faults, as flags.
    #[must_use]
    pub fn kinds(&self) -> FaultKinds {
        self.faults.iter().map(|(kind, _)| *kind).collect()
    }

    /// A sentence for each fault.
    pub fn reasons(&self) -> impl Iterator<Item = &str> {
        self.faults.iter().map(|(_, sentence)| sentence.as_str())
    }
}

/// All reasons, separated by semicolons.
impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, reason) in self.reasons().enumerate() {
            if i > 0 {
                f.write_str("; ")?;
            }
            f.write_str(reason)?;
        }
        Ok(())
    }
}

impl std::error::Error for SetupError {}
