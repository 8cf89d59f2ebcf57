//! A table that was built: what it says of a position, and whether it is right.

use std::fmt;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use noughts_rules::{Game, TicTacTwo, TicTacTwoMove, TicTacTwoPosition};

use super::code;
use super::draft::Draft;
use super::error::TableError;
use super::file::{self, Packed};
use super::numbering::{LAYERS, Numbering, Spot};
use super::summary::LayerSummary;
use super::{check, solver};
use crate::limits::Stop;
use crate::value::Exact;

/// The value and length of every position of Tic-Tac-Two with the standard options.
///
/// The file lies in memory as it is (13 MiB); blocks of 65,536 positions are opened when they
/// are first asked for and kept, which is 131 MiB once all were. Any number of threads may ask.
pub struct Table {
    game: TicTacTwo,
    /// Has a block been found damaged?
    damaged: AtomicBool,
    packed: Packed,
    /// The blocks that were opened; `None` inside for those that are damaged.
    opened: Vec<OnceLock<Option<Box<[u8]>>>>,
}

/// How far a build or a check has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// What is being done.
    pub stage: Stage,
    /// How much of it is done.
    pub done: usize,
    /// How much there is to do.
    pub of: usize,
}

impl Progress {
    /// How much of a build is done, from 0 to 1. Packing is the shorter part.
    #[must_use]
    pub fn of_build(self) -> f64 {
        const SOLVING: f64 = 0.95;
        let done = self.done as f64 / self.of.max(1) as f64;
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

impl Table {
    /// Opens the table in this file.
    ///
    /// # Errors
    /// There is no such file, or it is no table that this program can read. Damage to single
    /// blocks is only seen when they are asked for.
    pub fn open(path: &Path) -> Result<Table, TableError> {
        let packed = Packed::read(path)?;
        Ok(Table {
            game: TicTacTwo::standard(),
            damaged: AtomicBool::new(false),
            opened: (0..packed.block_count()).map(|_| OnceLock::new()).collect(),
            packed,
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
    ) -> Result<Table, TableError> {
        Table::build_until(path, threads, &Stop::new(), watch)
    }

    /// The same, unless it is stopped: then all is as it was.
    ///
    /// # Errors
    /// The file cannot be written, or it was stopped.
    pub fn build_until(
        path: &Path,
        threads: usize,
        stop: &Stop,
        watch: &(dyn Fn(Progress) + Sync),
    ) -> Result<Table, TableError> {
        let failed = |source| TableError::Write {
            path: path.into(),
            source,
        };
        let draft = Draft::new(path).map_err(failed)?;
        let of = Numbering::get().len();
        let codes = solver::solve(threads, stop, |done| {
            let stage = Stage::Solving;
            watch(Progress { stage, done, of });
        });
        not_stopped(path, stop)?;
        let of = Packed::locate(codes.len().saturating_sub(1)).0 + 1;
        let contents = file::pack(&codes, threads, stop, |done| {
            let stage = Stage::Packing;
            watch(Progress { stage, done, of });
        });
        drop(codes);
        not_stopped(path, stop)?;
        contents
            .and_then(|contents| draft.finish(&contents))
            .map_err(failed)?;
        Table::open(path)
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.packed.path
    }

    /// How long the file is.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.packed.len()
    }

    /// Has a block that was asked for turned out to be damaged?
    #[must_use]
    pub fn is_damaged(&self) -> bool {
        self.damaged.load(Ordering::Relaxed)
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
    pub fn probe(&self, position: &TicTacTwoPosition) -> Option<Exact> {
        if let Some(outcome) = self.game.outcome(position) {
            return Some(Exact::finished(outcome, self.game.side(position)));
        }
        let (layer, spot) = Spot::of(&self.game, position)?;
        code::exact(self.code(Numbering::get().index(layer, spot))?)
    }

    #[inline]
    fn code(&self, number: usize) -> Option<u8> {
        let (block, place) = Packed::locate(number);
        let open = || {
            let codes = self.packed.open(block).map(Vec::into_boxed_slice);
            if codes.is_none() {
                self.damaged.store(true, Ordering::Relaxed);
            }
            codes
        };
        let codes = self.opened.get(block)?.get_or_init(open);
        codes.as_ref()?.get(place).copied()
    }

    /// Every legal move and what it is worth to the one who makes it, the move itself counted:
    /// the best first, otherwise in the order of the rules. Empty once the game is over.
    #[must_use]
    pub fn moves(&self, position: &TicTacTwoPosition) -> Option<Vec<(TicTacTwoMove, Exact)>> {
        let moves = self.game.moves(position).into_iter().map(|mv| {
            let mut next = *position;
            self.game.apply(&mut next, mv);
            Some((mv, self.probe(&next)?.of_move(false)))
        });
        let mut moves: Vec<(TicTacTwoMove, Exact)> = moves.collect::<Option<_>>()?;
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
    pub fn summary(&self) -> Result<Vec<LayerSummary>, TableError> {
        let mut layers = LAYERS.map(|(mine, theirs)| LayerSummary {
            mine,
            theirs,
            ..LayerSummary::default()
        });
        let mut number = 0;
        let mut layer = 0;
        let mut end = Numbering::get().numbers(&(0..1)).end;
        for block in 0..self.packed.block_count() {
            let codes = self.packed.open(block);
            for code in codes.ok_or_else(|| self.packed.damaged(block))? {
                while number >= end {
                    layer += 1;
                    end = Numbering::get().numbers(&(layer..layer + 1)).end;
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
    ) -> Result<usize, TableError> {
        self.check_until(threads, &Stop::new(), watch)
    }

    /// The same, unless it is stopped.
    ///
    /// # Errors
    /// Those of [`Table::check`], or that it was stopped.
    pub fn check_until(
        &self,
        threads: usize,
        stop: &Stop,
        watch: &(dyn Fn(Progress) + Sync),
    ) -> Result<usize, TableError> {
        let codes = self.unpack(stop, watch)?;
        let of = codes.len();
        let checked = check::check(&codes, threads, stop, |done| {
            let stage = Stage::Checking;
            watch(Progress { stage, done, of });
        });
        not_stopped(self.path(), stop)?;
        match checked.first {
            None => Ok(checked.positions),
            Some(fault) => Err(TableError::Wrong {
                path: self.packed.path.clone(),
                wrong: checked.wrong,
                position: (fault.spot.position(&self.game))
                    .map(|position| self.game.text(&position))
                    .unwrap_or_default(),
                stored: code::exact(codes[fault.number]),
                right: code::exact(fault.right),
            }),
        }
    }

    fn unpack(
        &self,
        stop: &Stop,
        watch: &(dyn Fn(Progress) + Sync),
    ) -> Result<Vec<u8>, TableError> {
        let mut codes = Vec::with_capacity(Numbering::get().len());
        let of = self.packed.block_count();
        for block in 0..of {
            not_stopped(self.path(), stop)?;
            let opened = self.packed.open(block);
            codes.extend(opened.ok_or_else(|| self.packed.damaged(block))?);
            watch(Progress {
                stage: Stage::Unpacking,
                done: block + 1,
                of,
            });
        }
        Ok(codes)
    }
}

fn not_stopped(path: &Path, stop: &Stop) -> Result<(), TableError> {
    match stop.is_stopped() {
        true => Err(TableError::Stopped { path: path.into() }),
        false => Ok(()),
    }
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Table({})", self.packed.path.display())
    }
}
