//! A tablebase: building, probing and checking it.

use std::fmt;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use noughts_rules::{Game, TicTacTwo, TicTacTwoMove, TicTacTwoPosition};

use super::atomic_file::AtomicFile;
use super::code;
use super::error::TablebaseError;
use super::file::{self, EncodedFile};
use super::numbering::{LAYERS, MoverRelativePosition, Numbering};
use super::summary::LayerSummary;
use super::{check, solver};
use crate::limits::StopFlag;
use crate::value::ExactValue;

/// The value and distance of every position of Tic-Tac-Two with the standard options.
///
/// The compressed file is kept in memory (13 MiB). Blocks of 65,536 positions are decompressed on
/// first use and kept, which takes 131 MiB in total. Probing is thread-safe.
pub struct Tablebase {
    game: TicTacTwo,
    /// Whether a corrupted block was found.
    corrupted: AtomicBool,
    file: EncodedFile,
    /// The decompressed blocks; `None` inside for corrupted ones.
    blocks: Vec<OnceLock<Option<Box<[u8]>>>>,
}

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
            BuildStage::Solving => SOLVING_FRACTION * done,
            _ => SOLVING_FRACTION + (1.0 - SOLVING_FRACTION) * done,
        }
    }
}

/// The stage of a build or a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BuildStage {
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
    fn progress(self, done: usize, total: usize) -> BuildProgress {
        BuildProgress {
            stage: self,
            done,
            total,
        }
    }
}

impl Tablebase {
    /// Opens the tablebase in this file.
    ///
    /// # Errors
    /// The file doesn't exist or isn't a tablebase that this program can read. A corrupted block is
    /// detected only when it is used.
    pub fn open(path: &Path) -> Result<Tablebase, TablebaseError> {
        let packed = EncodedFile::read(path)?;
        Ok(Tablebase {
            game: TicTacTwo::standard(),
            corrupted: AtomicBool::new(false),
            blocks: (0..packed.block_count()).map(|_| OnceLock::new()).collect(),
            file: packed,
        })
    }

    /// Solves the game on this many threads and writes the tablebase to this file. An existing file
    /// is replaced at the very end, or stays unchanged if the build is stopped.
    ///
    /// # Errors
    /// The file can't be written, which is tried first, or the build was stopped.
    pub fn build(
        path: &Path,
        threads: usize,
        stop: &StopFlag,
        on_progress: &(dyn Fn(BuildProgress) + Sync),
    ) -> Result<Tablebase, TablebaseError> {
        let write_error = |source| TablebaseError::Write {
            path: path.into(),
            source,
        };
        let file = AtomicFile::new(path).map_err(write_error)?;
        let total = Numbering::get().len();
        let codes = solver::solve(threads, stop, |done| {
            on_progress(BuildStage::Solving.progress(done, total));
        });
        check_not_stopped(path, stop)?;
        let total = EncodedFile::locate(codes.len().saturating_sub(1)).0 + 1;
        let contents = file::encode(&codes, threads, stop, |done| {
            on_progress(BuildStage::Packing.progress(done, total));
        });
        drop(codes);
        check_not_stopped(path, stop)?;
        contents
            .and_then(|contents| file.commit(&contents))
            .map_err(write_error)?;
        Tablebase::open(path)
    }

    /// The path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.file.path
    }

    /// The length of the file in bytes.
    #[must_use]
    pub fn file_len(&self) -> usize {
        self.file.len()
    }

    /// Whether a corrupted block was found while probing.
    #[must_use]
    pub fn is_corrupted(&self) -> bool {
        self.corrupted.load(Ordering::Relaxed)
    }

    /// The value of a position under best play, ignoring draws by repetition. `None` for positions
    /// that are possible only with other options, and if the block is corrupted.
    ///
    /// ```no_run
    /// use std::path::Path;
    /// use noughts_engine::{ExactValue, tablebase::Tablebase};
    /// use noughts_rules::{Game, TicTacTwo};
    ///
    /// let tablebase = Tablebase::open(Path::new("tic-tac-two.table"))?;
    /// assert_eq!(tablebase.probe(&TicTacTwo::standard().start()), Some(ExactValue::DRAW));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn probe(&self, position: &TicTacTwoPosition) -> Option<ExactValue> {
        if let Some(outcome) = self.game.outcome(position) {
            return Some(ExactValue::from_outcome(outcome, self.game.side(position)));
        }
        let (layer, relative) = MoverRelativePosition::from_position(&self.game, position)?;
        code::decode(self.code(Numbering::get().index(layer, relative))?)
    }

    #[inline]
    fn code(&self, number: usize) -> Option<u8> {
        let (block, place) = EncodedFile::locate(number);
        let decode = || {
            let codes = self.file.decode_block(block);
            if codes.is_err() {
                self.corrupted.store(true, Ordering::Relaxed);
            }
            codes.ok().map(Vec::into_boxed_slice)
        };
        let codes = self.blocks.get(block)?.get_or_init(decode);
        codes.as_ref()?.get(place).copied()
    }

    /// Every legal move with its value for the side that makes it; distances include the move
    /// itself. Best first, otherwise in the order of the rules. Empty once the game is over.
    #[must_use]
    pub fn moves(&self, position: &TicTacTwoPosition) -> Option<Vec<(TicTacTwoMove, ExactValue)>> {
        let moves = self.game.moves(position).into_iter().map(|mv| {
            let next = self.game.after(position, mv);
            Some((mv, self.probe(&next)?.backed_up(false)))
        });
        let mut moves: Vec<(TicTacTwoMove, ExactValue)> = moves.collect::<Option<_>>()?;
        moves.sort_by(|(_, a), (_, b)| b.cmp(a));
        Some(moves)
    }

    /// Statistics by number of pieces.
    ///
    /// # Errors
    /// The first corrupted block.
    pub fn summary(&self) -> Result<Vec<LayerSummary>, TablebaseError> {
        let mut layers = LAYERS.map(|(mine, theirs)| LayerSummary {
            mine,
            theirs,
            ..LayerSummary::default()
        });
        let mut number = 0;
        let mut layer = 0;
        let mut end = Numbering::get().number_range(&(0..1)).end;
        for block in 0..self.file.block_count() {
            for code in self.file.decode_block(block)? {
                while number >= end {
                    layer += 1;
                    end = Numbering::get().number_range(&(layer..layer + 1)).end;
                }
                layers[layer].add(code);
                number += 1;
            }
        }
        Ok(layers.to_vec())
    }

    /// Compares every value with the values after each move, on this many threads. If nothing is
    /// wrong, every value is correct. Returns the number of positions.
    ///
    /// A win or loss follows from shorter ones; a draw has a move to a draw and none to a loss of
    /// the opponent, so neither player can be forced out of the draws.
    ///
    /// # Errors
    /// The first corrupted block, the first wrong value and the number of wrong values, or the check
    /// was stopped.
    pub fn check(
        &self,
        threads: usize,
        stop: &StopFlag,
        on_progress: &(dyn Fn(BuildProgress) + Sync),
    ) -> Result<usize, TablebaseError> {
        let codes = self.decode_all(stop, on_progress)?;
        let checked = check::check(&codes, threads, stop, |done| {
            on_progress(BuildStage::Checking.progress(done, codes.len()));
        });
        check_not_stopped(self.path(), stop)?;
        match checked.first_error {
            None => Ok(checked.positions),
            Some(error) => Err(TablebaseError::WrongValues {
                path: self.file.path.clone(),
                wrong: checked.wrong,
                position: (error.position.to_position(&self.game))
                    .map(|position| self.game.text(&position))
                    .unwrap_or_default(),
                stored: code::decode(codes[error.number]),
                right: code::decode(error.expected),
            }),
        }
    }

    fn decode_all(
        &self,
        stop: &StopFlag,
        on_progress: &(dyn Fn(BuildProgress) + Sync),
    ) -> Result<Vec<u8>, TablebaseError> {
        let mut codes = Vec::with_capacity(Numbering::get().len());
        let total = self.file.block_count();
        for block in 0..total {
            check_not_stopped(self.path(), stop)?;
            codes.extend(self.file.decode_block(block)?);
            on_progress(BuildStage::Unpacking.progress(block + 1, total));
        }
        Ok(codes)
    }
}

fn check_not_stopped(path: &Path, stop: &StopFlag) -> Result<(), TablebaseError> {
    match stop.is_stopped() {
        true => Err(TablebaseError::Stopped { path: path.into() }),
        false => Ok(()),
    }
}

impl fmt::Debug for Tablebase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tablebase({})", self.file.path.display())
    }
}
