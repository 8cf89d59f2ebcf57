//! A table that was built: what it says of a position, and whether it is right.

use std::fmt;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use noughts_rules::{Game, TicTacTwo, TicTacTwoMove, TicTacTwoPosition};

use super::atomic_file::AtomicFile;
use super::code;
use super::error::TablebaseError;
use super::file::{self, EncodedFile};
use super::numbering::{LAYERS, Numbering, RelativePosition};
use super::summary::LayerSummary;
use super::{check, solver};
use crate::limits::StopFlag;
use crate::value::ExactValue;

/// The value and length of every position of Tic-Tac-Two with the standard options.
///
/// The file lies in memory as it is (13 MiB); blocks of 65,536 positions are opened when they
/// are first asked for and kept, which is 131 MiB once all were. Any number of threads may ask.
pub struct Tablebase {
    game: TicTacTwo,
    /// Has a block been found damaged?
    corrupted: AtomicBool,
    file: EncodedFile,
    /// The blocks that were opened; `None` inside for those that are damaged.
    blocks: Vec<OnceLock<Option<Box<[u8]>>>>,
}

/// How far a build or a check has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// What is being done.
    pub stage: Stage,
    /// How much of it is done.
    pub done: usize,
    /// How much there is to do.
    pub total: usize,
}

impl Progress {
    /// How much of a build is done, from 0 to 1. Packing is the shorter part.
    #[must_use]
    pub fn build_fraction(self) -> f64 {
        const SOLVING: f64 = 0.95;
        let done = self.done as f64 / self.total.max(1) as f64;
        match self.stage {
            Stage::Solving => SOLVING * done,
            _ => SOLVING + (1.0 - SOLVING) * done,
        }
    }
}

/// What a build or a check is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Finding the values; counts positions. It is quick at first, and slow in between.
    Solving,
    /// Making the file smaller; counts blocks.
    Packing,
    /// Reading the file; counts blocks.
    Unpacking,
    /// Comparing values with those one move on; counts positions.
    Checking,
}

impl Tablebase {
    /// Opens the table in this file.
    ///
    /// # Errors
    /// There is no such file, or it is no table that this program can read. Damage to single
    /// blocks is only seen when they are asked for.
    pub fn open(path: &Path) -> Result<Tablebase, TablebaseError> {
        let packed = EncodedFile::read(path)?;
        Ok(Tablebase {
            game: TicTacTwo::standard(),
            corrupted: AtomicBool::new(false),
            blocks: (0..packed.block_count()).map(|_| OnceLock::new()).collect(),
            file: packed,
        })
    }

    /// Solves the game, on so many threads, and writes the table to this file. Whatever was
    /// there is replaced at the very end.
    ///
    /// # Errors
    /// The file cannot be written, which is tried first.
    pub fn build(
        path: &Path,
        threads: usize,
        watch: &(dyn Fn(Progress) + Sync),
    ) -> Result<Tablebase, TablebaseError> {
        Tablebase::build_with_stop_flag(path, threads, &StopFlag::new(), watch)
    }

    /// The same, unless it is stopped: then all is as it was.
    ///
    /// # Errors
    /// The file cannot be written, or it was stopped.
    pub fn build_with_stop_flag(
        path: &Path,
        threads: usize,
        stop: &StopFlag,
        watch: &(dyn Fn(Progress) + Sync),
    ) -> Result<Tablebase, TablebaseError> {
        let failed = |source| TablebaseError::Write {
            path: path.into(),
            source,
        };
        let draft = AtomicFile::new(path).map_err(failed)?;
        let of = Numbering::get().len();
        let codes = solver::solve(threads, stop, |done| {
            let stage = Stage::Solving;
            watch(Progress {
                stage,
                done,
                total: of,
            });
        });
        not_stopped(path, stop)?;
        let of = EncodedFile::locate(codes.len().saturating_sub(1)).0 + 1;
        let contents = file::encode(&codes, threads, stop, |done| {
            let stage = Stage::Packing;
            watch(Progress {
                stage,
                done,
                total: of,
            });
        });
        drop(codes);
        not_stopped(path, stop)?;
        contents
            .and_then(|contents| draft.commit(&contents))
            .map_err(failed)?;
        Tablebase::open(path)
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.file.path
    }

    /// How long the file is.
    #[must_use]
    pub fn file_len(&self) -> usize {
        self.file.len()
    }

    /// Has a block that was asked for turned out to be damaged?
    #[must_use]
    pub fn is_corrupted(&self) -> bool {
        self.corrupted.load(Ordering::Relaxed)
    }

    /// The value of a position: under best play of both sides and as if positions could come
    /// back for ever. None for positions that only other options allow, and where the file is
    /// damaged.
    ///
    /// ```no_run
    /// use std::path::Path;
    /// use noughts_engine::{Exact, tablebase::Table};
    /// use noughts_rules::{Game, TicTacTwo};
    ///
    /// let table = Table::open(Path::new("tic-tac-two.table"))?;
    /// assert_eq!(table.probe(&TicTacTwo::standard().start()), Some(Exact::DRAW));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn probe(&self, position: &TicTacTwoPosition) -> Option<ExactValue> {
        if let Some(outcome) = self.game.outcome(position) {
            return Some(ExactValue::from_outcome(outcome, self.game.side(position)));
        }
        let (layer, spot) = RelativePosition::from_position(&self.game, position)?;
        code::decode(self.code(Numbering::get().index(layer, spot))?)
    }

    #[inline]
    fn code(&self, number: usize) -> Option<u8> {
        let (block, place) = EncodedFile::locate(number);
        let open = || {
            let codes = self.file.decode_block(block).map(Vec::into_boxed_slice);
            if codes.is_none() {
                self.corrupted.store(true, Ordering::Relaxed);
            }
            codes
        };
        let codes = self.blocks.get(block)?.get_or_init(open);
        codes.as_ref()?.get(place).copied()
    }

    /// Every legal move and what it is worth to the one who makes it, the move itself counted:
    /// the best first, otherwise in the order of the rules. Empty once the game is over.
    #[must_use]
    pub fn moves(&self, position: &TicTacTwoPosition) -> Option<Vec<(TicTacTwoMove, ExactValue)>> {
        let moves = self.game.moves(position).into_iter().map(|mv| {
            let mut next = *position;
            self.game.apply(&mut next, mv);
            Some((mv, self.probe(&next)?.backed_up(false)))
        });
        let mut moves: Vec<(TicTacTwoMove, ExactValue)> = moves.collect::<Option<_>>()?;
        moves.sort_by(|(_, a), (_, b)| b.cmp(a));
        Some(moves)
    }

    /// The moves than which none is better: they win soonest, or else draw, or else lose
    /// latest. Who wants more from a draw than half a point chooses among them.
    #[must_use]
    pub fn best_moves(&self, position: &TicTacTwoPosition) -> Option<Vec<TicTacTwoMove>> {
        let moves = self.moves(position)?;
        let best = moves.first().map(|&(_, value)| value);
        let best = moves.iter().filter(|&&(_, value)| Some(value) == best);
        Some(best.map(|&(mv, _)| mv).collect())
    }

    /// Counts what the table says, by the numbers of pieces.
    ///
    /// # Errors
    /// The first damaged block.
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
            let codes = self.file.decode_block(block);
            for code in codes.ok_or_else(|| self.file.corrupted_block(block))? {
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

    /// Compares every value with those one move on, on so many threads: if it finds nothing
    /// wrong, every value is right. Gives the number of positions.
    ///
    /// A win or loss follows from shorter ones; a draw has a move to a draw and none to a loss
    /// of the other side, so that neither player can be made to leave the draws.
    ///
    /// # Errors
    /// The first damaged block, or the first wrong value and how many there are.
    pub fn check(
        &self,
        threads: usize,
        watch: &(dyn Fn(Progress) + Sync),
    ) -> Result<usize, TablebaseError> {
        self.check_with_stop_flag(threads, &StopFlag::new(), watch)
    }

    /// The same, unless it is stopped.
    ///
    /// # Errors
    /// Those of [`Table::check`], or that it was stopped.
    pub fn check_with_stop_flag(
        &self,
        threads: usize,
        stop: &StopFlag,
        watch: &(dyn Fn(Progress) + Sync),
    ) -> Result<usize, TablebaseError> {
        let codes = self.unpack(stop, watch)?;
        let of = codes.len();
        let checked = check::check(&codes, threads, stop, |done| {
            let stage = Stage::Checking;
            watch(Progress {
                stage,
                done,
                total: of,
            });
        });
        not_stopped(self.path(), stop)?;
        match checked.first_error {
            None => Ok(checked.positions),
            Some(fault) => Err(TablebaseError::WrongValues {
                path: self.file.path.clone(),
                wrong: checked.wrong,
                position: (fault.position.to_position(&self.game))
                    .map(|position| self.game.text(&position))
                    .unwrap_or_default(),
                stored: code::decode(codes[fault.number]),
                right: code::decode(fault.expected),
            }),
        }
    }

    fn unpack(
        &self,
        stop: &StopFlag,
        watch: &(dyn Fn(Progress) + Sync),
    ) -> Result<Vec<u8>, TablebaseError> {
        let mut codes = Vec::with_capacity(Numbering::get().len());
        let of = self.file.block_count();
        for block in 0..of {
            not_stopped(self.path(), stop)?;
            let opened = self.file.decode_block(block);
            codes.extend(opened.ok_or_else(|| self.file.corrupted_block(block))?);
            watch(Progress {
                stage: Stage::Unpacking,
                done: block + 1,
                total: of,
            });
        }
        Ok(codes)
    }
}

fn not_stopped(path: &Path, stop: &StopFlag) -> Result<(), TablebaseError> {
    match stop.is_stopped() {
        true => Err(TablebaseError::Stopped { path: path.into() }),
        false => Ok(()),
    }
}

impl fmt::Debug for Tablebase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Table({})", self.file.path.display())
    }
}
