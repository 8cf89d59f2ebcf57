//! The tablebase of Tic-Tac-Two with the standard options: building, probing and checking it.

use std::any::Any;
use std::ops::Range;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use noughts_rules::{Game, TicTacTwo, TicTacTwoPosition, Variant};

use super::code;
use super::numbering::{LAYERS, MoverRelativePosition, Numbering};
use super::{check, solver};
use crate::limits::StopFlag;
use crate::tablebase::atomic_file::AtomicFile;
use crate::tablebase::error::TablebaseError;
use crate::tablebase::file::{EncodedFile, FileKind};
use crate::tablebase::progress::{BuildStage, OnProgress};
use crate::tablebase::summary::LayerSummary;
use crate::tablebase::{Table, check_not_stopped};
use crate::value::ExactValue;

/// Larger blocks compress better, smaller blocks decompress faster (this size in 50 µs). The version is incremented when the
/// layout, the numbering of positions or the codes change.
const KIND: FileKind = FileKind {
    variant: Variant::TIC_TAC_TWO,
    version: 1,
    block_positions: 1 << 16,
    fingerprint: None,
};

/// The value and distance of every position of Tic-Tac-Two with the standard options.
///
/// Blocks of 65,536 positions are read and decompressed on first use and kept, which takes 131 MiB in total.
pub(crate) struct TicTacTwoTable {
    game: TicTacTwo,
    /// Whether a corrupted block was found.
    corrupted: AtomicBool,
    file: EncodedFile,
    /// The decompressed blocks; `None` inside for corrupted ones.
    blocks: Vec<OnceLock<Option<Box<[u8]>>>>,
}

impl TicTacTwoTable {
    pub(crate) fn open(path: &Path) -> Result<TicTacTwoTable, TablebaseError> {
        let file = EncodedFile::open(path, KIND)?;
        if file.count_positions() != Numbering::get().len() {
            return Err(TablebaseError::NotATablebase {
                path: path.into(),
                variant: KIND.variant,
            });
        }
        Ok(TicTacTwoTable {
            game: TicTacTwo::standard(),
            corrupted: AtomicBool::new(false),
            blocks: (0..file.block_count()).map(|_| OnceLock::new()).collect(),
            file,
        })
    }

    /// Solves the game and writes the file.
    pub(crate) fn build(
        path: &Path,
        threads: usize,
        stop: &StopFlag,
        on_progress: OnProgress<'_>,
    ) -> Result<(), TablebaseError> {
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
        let total = codes.len().div_ceil(KIND.block_positions);
        let block = |_, range: Range<usize>| codes[range].to_vec();
        let contents = KIND.encode(codes.len(), block, threads, stop, |done| {
            on_progress(BuildStage::Packing.progress(done, total));
        });
        check_not_stopped(path, stop)?;
        contents
            .and_then(|contents| file.commit(&contents))
            .map_err(write_error)
    }

    fn value(&self, position: &TicTacTwoPosition) -> Option<ExactValue> {
        if let Some(outcome) = self.game.outcome(position) {
            return Some(ExactValue::from_outcome(outcome, self.game.side(position)));
        }
        let (layer, relative) = MoverRelativePosition::from_position(&self.game, position)?;
        code::decode(self.code(Numbering::get().index(layer, relative))?)
    }

    #[inline]
    fn code(&self, number: usize) -> Option<u8> {
        let (block, place) = (number / KIND.block_positions, number % KIND.block_positions);
        let decode = || {
            let codes = self.decode_block(block);
            if codes.is_err() {
                self.corrupted.store(true, Ordering::Relaxed);
            }
            codes.ok().map(Vec::into_boxed_slice)
        };
        let codes = self.blocks.get(block)?.get_or_init(decode);
        codes.as_ref()?.get(place).copied()
    }

    fn decode_block(&self, number: usize) -> Result<Vec<u8>, TablebaseError> {
        let codes = self.file.decode_block(number)?;
        match codes.len() == self.file.positions_in_block(number) {
            true => Ok(codes),
            false => Err(self.file.corrupted_block(number)),
        }
    }

    fn decode_all(
        &self,
        stop: &StopFlag,
        on_progress: OnProgress<'_>,
    ) -> Result<Vec<u8>, TablebaseError> {
        let mut codes = Vec::with_capacity(Numbering::get().len());
        let total = self.file.block_count();
        for block in 0..total {
            check_not_stopped(&self.file.path, stop)?;
            codes.extend(self.decode_block(block)?);
            on_progress(BuildStage::Unpacking.progress(block + 1, total));
        }
        Ok(codes)
    }
}

impl Table for TicTacTwoTable {
    fn file(&self) -> &EncodedFile {
        &self.file
    }

    fn is_corrupted(&self) -> bool {
        self.corrupted.load(Ordering::Relaxed)
    }

    /// `None` also for positions that are possible only with other options.
    fn probe(&self, position: &dyn Any) -> Option<ExactValue> {
        self.value(position.downcast_ref()?)
    }

    /// By number of pieces.
    fn summary(&self) -> Result<Vec<LayerSummary>, TablebaseError> {
        let mut layers = LAYERS.map(|pieces| LayerSummary {
            pieces: Some(pieces),
            ..LayerSummary::default()
        });
        let mut number = 0;
        let mut layer = 0;
        let mut end = Numbering::get().number_range(&(0..1)).end;
        for block in 0..self.file.block_count() {
            for code in self.decode_block(block)? {
                while number >= end {
                    layer += 1;
                    end = Numbering::get().number_range(&(layer..layer + 1)).end;
                }
                // With lines of both players, the game is drawn, but finished.
                let counted = match code {
                    code::BOTH_WON => Some(ExactValue::win(0)),
                    code => code::decode(code),
                };
                if let Some(value) = counted {
                    layers[layer].add(value);
                }
                number += 1;
            }
        }
        Ok(layers.to_vec())
    }

    /// A win or loss follows from shorter ones; a draw has a move to a draw and none to a loss of
    /// the opponent, so neither player can be forced out of the draws.
    fn check(
        &self,
        threads: usize,
        stop: &StopFlag,
        on_progress: OnProgress<'_>,
    ) -> Result<usize, TablebaseError> {
        let codes = self.decode_all(stop, on_progress)?;
        let checked = check::check(&codes, threads, stop, |done| {
            on_progress(BuildStage::Checking.progress(done, codes.len()));
        });
        check_not_stopped(&self.file.path, stop)?;
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
}
