//! How far a build or a check is.

/// Receives the progress of a build or a check, from several threads.
pub(super) type OnProgress<'a> = &'a (dyn Fn(BuildProgress) + Sync);

/// The progress of a build or a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BuildProgress {
    /// The current stage.
    pub stage: BuildStage,
    /// Units done.
    pub done: usize,
    /// Total units of this stage.
    pub total: usize,
}

impl BuildProgress {
    /// The completed fraction of a build, from 0 to 1. Compressing takes the smaller part.
    #[must_use]
    pub fn build_fraction(self) -> f64 {
        const SOLVING_FRACTION: f64 = 0.95;
        let done = self.done as f64 / self.total.max(1) as f64;
        match self.stage {
            BuildStage::Listing => 0.0,
            BuildStage::Solving => SOLVING_FRACTION * done,
            _ => SOLVING_FRACTION + (1.0 - SOLVING_FRACTION) * done,
        }
    }
}

/// The stage of a build or a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BuildStage {
    /// Listing the positions of a game that doesn't number them; counts positions, of those allowed.
    Listing,
    /// Computing the values; counts positions. Fast at first, slower later.
    Solving,
    /// Compressing the file; counts blocks.
    Packing,
    /// Decompressing the file; counts blocks.
    Unpacking,
    /// Comparing values with those after each move; counts positions.
    Checking,
}

impl BuildStage {
    pub(super) fn progress(self, done: usize, total: usize) -> BuildProgress {
        BuildProgress {
            stage: self,
            done,
            total,
        }
    }
}
