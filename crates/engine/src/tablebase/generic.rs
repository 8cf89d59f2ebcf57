//! Tablebases of any game, by the numbers that the game gives its positions, or by their texts.

use std::any::Any;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use noughts_rules::{Game, Variant};

use super::atomic_file::AtomicFile;
use super::error::TablebaseError;
use super::file::{EncodedFile, FileKind, checksum};
use super::progress::{BuildStage, OnProgress};
use super::summary::LayerSummary;
use super::{BuildCost, Table, check_not_stopped};
use crate::limits::StopFlag;
use crate::parallel;
use crate::retrograde::code::{self, Code};
use crate::retrograde::{
    ListLimits, Listing, NumberedGame, PositionGraph, PositionList, Solver, expected_code,
};
use crate::value::ExactValue;

/// Incremented when the layout or the codes change.
const VERSION: u32 = 2;

/// Games that don't number their positions are refused if more than this many can be reached, counting symmetric ones once:
/// solving takes about 200 bytes for each.
pub const MAX_LISTED_POSITIONS: usize = 20_000_000;

/// The number of bytes of a code.
const CODE_LEN: usize = size_of::<Code>();

/// What a build of a game with this many numbers costs, from measurements of the largest one: 440 million numbers take a minute
/// or two, four bytes each in memory and 11 MiB on disk.
pub(super) fn build_cost(numbers: u64) -> BuildCost {
    const MEBIBYTE: u64 = 1 << 20;
    BuildCost {
        minutes: numbers.div_ceil(220_000_000),
        memory: (2 * CODE_LEN as u64 * numbers).div_ceil(MEBIBYTE) + 30,
        disk: numbers.div_ceil(40 * MEBIBYTE),
    }
}

fn is_numbered<G: Game>(game: &G) -> bool {
    game.count_position_numbers() > 0
}

fn file_kind<G: Game>(game: &G) -> FileKind {
    FileKind {
        variant: game.variant(),
        version: VERSION,
        // Texts are longer than codes.
        block_positions: if is_numbered(game) { 1 << 16 } else { 1 << 12 },
        fingerprint: Some(fingerprint(game)),
    }
}

/// A checksum of the name, and of the first few hundred positions with their moves. Games under development change.
fn fingerprint<G: Game>(game: &G) -> u64 {
    const POSITIONS: usize = 300;
    let mut text = format!("{} {}\n", game.variant(), game.count_position_numbers());
    let mut positions = vec![game.start()];
    for number in 0..POSITIONS {
        let Some(position) = positions.get(number).cloned() else {
            break;
        };
        text += &game.text(&position);
        if let Some(outcome) = game.outcome(&position) {
            text += &format!(" {outcome:?}");
        }
        game.for_each_move(&position, |mv| {
            text += &format!(" {}", game.move_text(mv));
            if positions.len() < POSITIONS {
                positions.push(game.after(&position, mv));
            }
        });
        text.push('\n');
    }
    checksum(text.as_bytes())
}

/// Solves a game and writes the file.
pub(super) fn build<G: Game>(
    game: &G,
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
    let kind = file_kind(game);
    let encode = |positions: usize, block: &(dyn Fn(usize, Range<usize>) -> Vec<u8> + Sync)| {
        let total = positions.div_ceil(kind.block_positions);
        kind.encode(positions, block, threads, stop, |done| {
            on_progress(BuildStage::Packing.progress(done, total));
        })
    };
    let contents = if is_numbered(game) {
        let graph = NumberedGame(game.clone());
        let codes = solve(&graph, game.variant(), threads, stop, on_progress)?;
        check_not_stopped(path, stop)?;
        encode(codes.len(), &|_, range| encode_codes(codes[range].iter()))
    } else {
        let list = list_positions(game, path, stop, on_progress)?;
        let codes = solve(&list, game.variant(), threads, stop, on_progress)?;
        check_not_stopped(path, stop)?;
        let texts = sorted_texts(game, &list);
        encode(codes.len(), &|_, range| {
            let entries = &texts[range];
            let mut block = encode_codes(entries.iter().map(|&(_, number)| &codes[number]));
            for (text, _) in entries {
                block.extend(text.as_bytes());
                block.push(b'\n');
            }
            block
        })
    };
    check_not_stopped(path, stop)?;
    contents
        .and_then(|contents| file.commit(&contents))
        .map_err(write_error)
}

fn solve(
    graph: &dyn PositionGraph,
    variant: Variant,
    threads: usize,
    stop: &StopFlag,
    on_progress: OnProgress<'_>,
) -> Result<Vec<Code>, TablebaseError> {
    let total = graph.len();
    let mut solver = Solver::new(graph);
    solver
        .run(graph, threads, stop, &|done| {
            on_progress(BuildStage::Solving.progress(done, total));
        })
        .map_err(|_| TablebaseError::TooLong { variant })?;
    Ok(solver.into_codes())
}

fn list_positions<G: Game>(
    game: &G,
    path: &Path,
    stop: &StopFlag,
    on_progress: OnProgress<'_>,
) -> Result<PositionList<G>, TablebaseError> {
    let limits = ListLimits {
        positions: MAX_LISTED_POSITIONS,
        moves: usize::MAX,
    };
    let mut list = PositionList::new(game);
    let listed = list.extend(limits, &mut |listed| {
        on_progress(BuildStage::Listing.progress(listed, MAX_LISTED_POSITIONS));
        stop.is_stopped()
    });
    match listed {
        Listing::Complete => Ok(list),
        Listing::Stopped => Err(TablebaseError::Stopped { path: path.into() }),
        Listing::TooLong => Err(TablebaseError::TooLarge {
            variant: game.variant(),
        }),
    }
}

/// The texts of all positions, in their order, with their numbers.
fn sorted_texts<G: Game>(game: &G, list: &PositionList<G>) -> Vec<(String, usize)> {
    let positions = list.positions().iter().enumerate();
    let mut texts: Vec<(String, usize)> = positions
        .map(|(number, position)| (game.text(position), number))
        .collect();
    texts.sort_unstable();
    texts
}

/// All low bytes, then all high bytes, which are nearly always 0.
fn encode_codes<'a>(codes: impl Iterator<Item = &'a Code> + Clone) -> Vec<u8> {
    let low = codes.clone().map(|code| code.to_le_bytes()[0]);
    low.chain(codes.map(|code| code.to_le_bytes()[1])).collect()
}

/// The contents of a block.
struct Block {
    codes: Vec<Code>,
    /// The texts of the positions, in order, if they aren't numbered.
    texts: Vec<Box<str>>,
}

impl Block {
    fn decode(bytes: &[u8], positions: usize, is_numbered: bool) -> Option<Block> {
        let (codes, texts) = bytes.split_at_checked(CODE_LEN * positions)?;
        let (low, high) = codes.split_at_checked(positions)?;
        let codes = low.iter().zip(high);
        let texts = std::str::from_utf8(texts).ok()?;
        let texts: Vec<Box<str>> = texts.lines().map(Into::into).collect();
        let expected = if is_numbered { 0 } else { positions };
        (texts.len() == expected).then(|| Block {
            codes: codes
                .map(|(&low, &high)| Code::from_le_bytes([low, high]))
                .collect(),
            texts,
        })
    }
}

/// Decoded blocks, each in a slot that others share: a bounded number.
struct BlockCache(Vec<Mutex<CachedBlock>>);

/// A block and its number.
type CachedBlock = Option<(usize, Arc<Block>)>;

impl BlockCache {
    /// 128 MiB of blocks with numbers.
    const SLOTS: usize = 1024;

    fn new(blocks: usize) -> BlockCache {
        let slots = std::iter::repeat_with(|| Mutex::new(None));
        BlockCache(slots.take(blocks.min(BlockCache::SLOTS)).collect())
    }

    fn get(&self, number: usize, decode: impl FnOnce() -> Option<Block>) -> Option<Arc<Block>> {
        let slot = self.0.get(number % self.0.len().max(1))?;
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((cached, block)) = &*slot
            && *cached == number
        {
            return Some(Arc::clone(block));
        }
        let block = Arc::new(decode()?);
        *slot = Some((number, Arc::clone(&block)));
        Some(block)
    }
}

/// An open tablebase of any game.
pub(super) struct GenericTable<G: Game> {
    game: G,
    file: EncodedFile,
    corrupted: AtomicBool,
    cache: BlockCache,
}

impl<G: Game> GenericTable<G> {
    pub(super) fn open(game: &G, path: &Path) -> Result<GenericTable<G>, TablebaseError> {
        let file = EncodedFile::open(path, file_kind(game))?;
        let numbers = game.count_position_numbers();
        if numbers > 0 && file.count_positions() as u64 != numbers {
            return Err(TablebaseError::OtherRules {
                path: path.into(),
                variant: game.variant(),
            });
        }
        Ok(GenericTable {
            game: game.clone(),
            corrupted: AtomicBool::new(false),
            cache: BlockCache::new(file.block_count()),
            file,
        })
    }

    fn decode_block(&self, number: usize) -> Result<Block, TablebaseError> {
        let bytes = self.file.decode_block(number)?;
        let positions = self.file.positions_in_block(number);
        let block = Block::decode(&bytes, positions, is_numbered(&self.game));
        block.ok_or_else(|| self.file.corrupted_block(number))
    }

    fn block(&self, number: usize) -> Option<Arc<Block>> {
        let block = self.cache.get(number, || self.decode_block(number).ok());
        if block.is_none() {
            self.corrupted.store(true, Relaxed);
        }
        block
    }

    /// The code of a position; `None` if it isn't in the table.
    fn code(&self, position: &G::Position) -> Option<Code> {
        if is_numbered(&self.game) {
            let number = usize::try_from(self.game.position_number(position)?).ok()?;
            let block_positions = self.file.block_positions();
            let block = self.block(number / block_positions)?;
            return block.codes.get(number % block_positions).copied();
        }
        let text = self.game.text(&self.game.representative(position));
        // The last block that doesn't start after the text.
        let (mut first, mut end) = (0, self.file.block_count());
        while end - first > 1 {
            let middle = first.midpoint(end);
            match self.block(middle)?.texts.first() {
                Some(start) if **start <= *text => first = middle,
                _ => end = middle,
            }
        }
        let block = self.block(first)?;
        let found = block.texts.binary_search_by(|known| (**known).cmp(&*text));
        block.codes.get(found.ok()?).copied()
    }

    /// Decodes all blocks: the codes and, unless positions are numbered, the texts.
    fn decode_all(
        &self,
        stop: &StopFlag,
        on_progress: OnProgress<'_>,
    ) -> Result<Block, TablebaseError> {
        let mut codes = Vec::with_capacity(self.file.count_positions());
        let mut texts = Vec::new();
        let total = self.file.block_count();
        for number in 0..total {
            check_not_stopped(&self.file.path, stop)?;
            let block = self.decode_block(number)?;
            codes.extend(block.codes);
            texts.extend(block.texts);
            on_progress(BuildStage::Unpacking.progress(number + 1, total));
        }
        Ok(Block { codes, texts })
    }

    /// Compares the codes, by number, with those that follow from the moves.
    fn check_codes(
        &self,
        graph: &dyn PositionGraph,
        code_of: &(dyn Fn(usize) -> Code + Sync),
        text_of: &dyn Fn(usize) -> String,
        (threads, stop, on_progress): (usize, &StopFlag, OnProgress<'_>),
    ) -> Result<usize, TablebaseError> {
        const CHUNK: usize = 4096;
        let total = graph.len();
        let (done, positions, wrong) = (
            AtomicUsize::new(0),
            AtomicUsize::new(0),
            AtomicUsize::new(0),
        );
        let first: Mutex<Option<(usize, Code)>> = Mutex::new(None);
        parallel::for_each(threads, stop, 0..total.div_ceil(CHUNK), &|chunk| {
            let numbers = chunk * CHUNK..total.min((chunk + 1) * CHUNK);
            let len = numbers.len();
            let mut used = 0;
            for number in numbers {
                let expected = expected_code(graph, number, code_of);
                used += usize::from(expected != code::UNUSED);
                if expected != code_of(number) {
                    wrong.fetch_add(1, Relaxed);
                    let mut first = first.lock().unwrap_or_else(PoisonError::into_inner);
                    if first.is_none_or(|(earlier, _)| number < earlier) {
                        *first = Some((number, expected));
                    }
                }
            }
            positions.fetch_add(used, Relaxed);
            on_progress(BuildStage::Checking.progress(done.fetch_add(len, Relaxed) + len, total));
        });
        check_not_stopped(&self.file.path, stop)?;
        match first.into_inner().unwrap_or_else(PoisonError::into_inner) {
            None => Ok(positions.into_inner()),
            Some((number, expected)) => Err(TablebaseError::WrongValues {
                path: self.file.path.clone(),
                wrong: wrong.into_inner(),
                position: text_of(number),
                stored: code::decode(code_of(number)),
                right: code::decode(expected),
            }),
        }
    }
}

impl<G: Game> Table for GenericTable<G> {
    fn file(&self) -> &EncodedFile {
        &self.file
    }

    fn is_corrupted(&self) -> bool {
        self.corrupted.load(Relaxed)
    }

    fn probe(&self, position: &dyn Any) -> Option<ExactValue> {
        let position = position.downcast_ref()?;
        match self.game.outcome(position) {
            Some(outcome) => Some(ExactValue::from_outcome(outcome, self.game.side(position))),
            None => code::decode(self.code(position)?),
        }
    }

    fn summary(&self) -> Result<Vec<LayerSummary>, TablebaseError> {
        let mut summary = LayerSummary::default();
        for number in 0..self.file.block_count() {
            let codes = self.decode_block(number)?.codes.into_iter();
            codes
                .filter_map(code::decode)
                .for_each(|value| summary.add(value));
        }
        Ok(vec![summary])
    }

    fn check(
        &self,
        threads: usize,
        stop: &StopFlag,
        on_progress: OnProgress<'_>,
    ) -> Result<usize, TablebaseError> {
        let Block { codes, texts } = self.decode_all(stop, on_progress)?;
        let work = (threads, stop, on_progress);
        if is_numbered(&self.game) {
            let graph = NumberedGame(self.game.clone());
            let text_of = |number: usize| {
                let position = self.game.position_from_number(number as u64);
                position.map_or_else(
                    || format!("number {number}"),
                    |position| self.game.text(&position),
                )
            };
            let code_of = |number: usize| codes.get(number).copied().unwrap_or(code::UNUSED);
            return self.check_codes(&graph, &code_of, &text_of, work);
        }
        let list = list_positions(&self.game, &self.file.path, stop, on_progress)?;
        let expected = sorted_texts(&self.game, &list);
        let places = expected.iter().zip(&texts);
        if expected.len() != texts.len() || !places.into_iter().all(|((a, _), b)| **a == **b) {
            return Err(TablebaseError::OtherRules {
                path: self.file.path.clone(),
                variant: self.game.variant(),
            });
        }
        // The file is in the order of the texts, the list is not.
        let mut by_number = vec![code::UNUSED; codes.len()];
        for (&(_, number), &code) in expected.iter().zip(&codes) {
            by_number[number] = code;
        }
        let text_of = |number: usize| self.game.text(&list.positions()[number]);
        self.check_codes(&list, &|number| by_number[number], &text_of, work)
    }
}
