//! Why a move is rejected, and why a setup isn't a position.

use bitflags::bitflags;

/// A rejected move, with the position before it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{reason}")]
pub struct PlayError<P> {
    /// The position, unchanged.
    pub position: P,
    /// Why the move was rejected.
    pub reason: MoveError,
}

/// Why a move was rejected: a kind for programs, sentences for people. `Display` writes the reason and the advice.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{reason}{}", advice.as_ref().map_or_else(String::new, |advice| format!("; {advice}")))]
pub struct MoveError {
    /// The kind of reason.
    pub kind: MoveErrorKind,
    /// The reason.
    pub reason: String,
    /// What to do instead, or why.
    pub advice: Option<String>,
}

impl MoveError {
    /// A rejection for this reason.
    #[must_use]
    pub fn new(kind: MoveErrorKind, reason: impl Into<String>) -> MoveError {
        MoveError {
            kind,
            reason: reason.into(),
            advice: None,
        }
    }

    /// The same with what to do instead.
    #[must_use]
    pub fn with_advice(self, advice: impl Into<String>) -> MoveError {
        MoveError {
            advice: Some(advice.into()),
            ..self
        }
    }
}

/// The kinds of reasons for rejecting a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum MoveErrorKind {
    /// The game is over.
    GameOver,
    /// The text isn't a move of this game.
    NotAMove,
    /// It is a move of this game, but not now.
    NotAllowed,
    /// The cell is not empty.
    CellTaken,
}

bitflags! {
    /// The kinds of faults of a setup, as flags.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub struct SetupFaultKinds: u32 {
        /// A field is missing, or there is one too many.
        const FIELDS = 1;
        /// Too many or too few cells, rows or groups.
        const SHAPE = 1 << 1;
        /// A letter that isn't allowed there.
        const LETTERS = 1 << 2;
        /// The side to move is not `x` or `o`.
        const SIDE = 1 << 3;
        /// Something that only this game has: a grid, owners of boards, an order of marks.
        const DETAILS = 1 << 4;
        /// No game leads to these numbers of marks.
        const COUNTS = 1 << 5;
        /// The game would have ended earlier.
        const LINES = 1 << 6;
    }
}

/// Everything that is wrong with a setup, not just the first fault. `Display` writes all reasons, separated by
/// semicolons.
#[derive(Clone, PartialEq, Eq, Debug, Default, thiserror::Error)]
#[error("{}", self.reasons().collect::<Vec<_>>().join("; "))]
pub struct SetupError {
    faults: Vec<(SetupFaultKinds, String)>,
}

impl SetupError {
    /// Adds a fault, once.
    pub fn add(&mut self, kind: SetupFaultKinds, message: impl Into<String>) {
        let fault = (kind, message.into());
        if !self.faults.contains(&fault) {
            self.faults.push(fault);
        }
    }

    /// An error with a single fault.
    #[must_use]
    pub fn single(kind: SetupFaultKinds, message: &str) -> SetupError {
        let mut error = SetupError::default();
        error.add(kind, message);
        error
    }

    /// Adds the faults found by validation to those found by parsing.
    pub(crate) fn merge(&mut self, validation: SetupError) {
        for (kind, message) in validation.faults {
            self.add(kind, message);
        }
    }

    /// Removes faults of other kinds.
    pub(crate) fn retain_kinds(&mut self, kinds: SetupFaultKinds) {
        self.faults.retain(|(kind, _)| kinds.contains(*kind));
    }

    /// Is nothing wrong?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.faults.is_empty()
    }

    /// `Err` with the faults, or `Ok` with the value if there are none.
    #[allow(clippy::missing_errors_doc, reason = "the sentence says it")]
    pub fn into_result<T>(self, value: T) -> Result<T, SetupError> {
        if self.is_empty() {
            Ok(value)
        } else {
            Err(self)
        }
    }

    /// The kinds of all faults, as flags.
    #[must_use]
    pub fn kinds(&self) -> SetupFaultKinds {
        self.faults.iter().map(|(kind, _)| *kind).collect()
    }

    /// A sentence for each fault.
    pub fn reasons(&self) -> impl Iterator<Item = &str> {
        self.faults.iter().map(|(_, message)| message.as_str())
    }
}
