//! The file format of a tablebase.
//!
//! ```text
//! offset  bytes  contents (numbers are little-endian)
//!      0      8  "NOUGHTS" and a line feed
//!      8      4  version: 1 for Tic-Tac-Two with the standard options, 2 for all other variants
//!     12      4  positions per block
//!     16      8  total number of positions
//!     24      8  length of the file
//!     32     32  the variant's name, as much of it as fits, padded with zeros
//!     64      8  only in version 2: a checksum of the name and of the first positions, which shows other rules
//!            4·n  the lengths of the n blocks
//!             8  checksum of all bytes so far: FNV-1a, 64 bits
//!                the blocks, each a zstd frame with its own checksum
//! ```

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use noughts_rules::Variant;
use zstd::zstd_safe::get_frame_content_size;

use super::error::TablebaseError;
use crate::limits::StopFlag;
use crate::parallel;

const MAGIC: &[u8; 8] = b"NOUGHTS\n";
const NAME: Range<usize> = 32..64;
/// A longer block can't have been written by this program.
const MAX_BLOCK_LEN: u64 = 1 << 28;
/// More blocks can't have been, either.
const MAX_BLOCKS: usize = 1 << 20;
/// Two levels more take four times as long and save only one percent.
const COMPRESSION_LEVEL: i32 = 10;

/// A kind of file: what its header says.
#[derive(Clone, Copy, Debug)]
pub(super) struct FileKind {
    pub(super) variant: Variant,
    pub(super) version: u32,
    pub(super) block_positions: usize,
    /// Version 2: identifies the rules.
    pub(super) fingerprint: Option<u64>,
}

impl FileKind {
    fn name(&self) -> [u8; NAME.end - NAME.start] {
        let name = self.variant.to_string();
        let mut bytes = name.bytes();
        std::array::from_fn(|_| bytes.next().unwrap_or_default())
    }

    fn fixed_header_len(&self) -> usize {
        NAME.end + self.fingerprint.map_or(0, |_| 8)
    }

    fn block_count(&self, positions: usize) -> usize {
        positions.div_ceil(self.block_positions)
    }

    /// The offset of the first block.
    fn header_len(&self, positions: usize) -> usize {
        self.fixed_header_len() + 4 * self.block_count(positions) + 8
    }

    /// Encodes a file with this number of positions; if it was stopped, the result is meaningless. `block` makes the
    /// contents of a block, given its number and its positions. `on_progress` is called with the number of blocks done.
    pub(super) fn encode(
        &self,
        positions: usize,
        block: impl Fn(usize, Range<usize>) -> Vec<u8> + Sync,
        threads: usize,
        stop: &StopFlag,
        on_progress: impl Fn(usize) + Sync,
    ) -> io::Result<Vec<u8>> {
        let blocks: Vec<OnceLock<io::Result<Vec<u8>>>> = (0..self.block_count(positions))
            .map(|_| OnceLock::new())
            .collect();
        parallel::for_each(threads, stop, 0..blocks.len(), &|number| {
            let start = number * self.block_positions;
            let range = start..positions.min(start + self.block_positions);
            blocks[number].get_or_init(|| compress(&block(number, range)));
            on_progress(number + 1);
        });
        let mut compressed = Vec::new();
        let mut lengths = Vec::new();
        for block in blocks {
            let block = block.into_inner().unwrap_or_else(|| Ok(Vec::new()))?;
            lengths.extend((block.len() as u32).to_le_bytes());
            compressed.extend(block);
        }
        let len = self.header_len(positions) + compressed.len();
        let mut file = Vec::with_capacity(len);
        file.extend(MAGIC);
        file.extend(self.version.to_le_bytes());
        file.extend((self.block_positions as u32).to_le_bytes());
        file.extend((positions as u64).to_le_bytes());
        file.extend((len as u64).to_le_bytes());
        file.extend(self.name());
        file.extend(self.fingerprint.map(u64::to_le_bytes).into_iter().flatten());
        file.extend(lengths);
        file.extend(checksum(&file).to_le_bytes());
        file.extend(compressed);
        Ok(file)
    }
}

/// FNV-1a.
pub(super) fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn compress(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut compressor = zstd::bulk::Compressor::new(COMPRESSION_LEVEL)?;
    compressor.include_checksum(true)?;
    compressor.compress(bytes)
}

/// An open file, of which only the header has been read.
pub(super) struct EncodedFile {
    pub(super) path: PathBuf,
    kind: FileKind,
    positions: usize,
    len: u64,
    blocks: Vec<Range<u64>>,
    file: Mutex<File>,
}

impl EncodedFile {
    /// Opens a file and checks everything except its blocks.
    pub(super) fn open(path: &Path, kind: FileKind) -> Result<EncodedFile, TablebaseError> {
        let read_error = |source| TablebaseError::Read {
            path: path.into(),
            source,
        };
        let mut file = File::open(path).map_err(read_error)?;
        let len = file.metadata().map_err(read_error)?.len();
        let mut header = Vec::new();
        let mut read_up_to = |header: &mut Vec<u8>, end: usize| {
            let missing = end.saturating_sub(header.len()) as u64;
            let read = (&mut file).take(missing).read_to_end(header);
            read.map_err(read_error).map(|_| ())
        };
        read_up_to(&mut header, kind.fixed_header_len())?;
        let other = || TablebaseError::NotATablebase {
            path: path.into(),
            variant: kind.variant,
        };
        if !header.starts_with(MAGIC) {
            return Err(other());
        }
        let truncated = |of: u64| TablebaseError::Truncated {
            path: path.into(),
            bytes: len,
            of,
        };
        let corrupted = |part: &str| TablebaseError::Corrupted {
            path: path.into(),
            part: part.into(),
        };
        let version = word_at(&header, 8).map(u32::from_le_bytes);
        if let Some(found) = version.filter(|&version| version != kind.version) {
            return Err(TablebaseError::UnsupportedVersion {
                path: path.into(),
                found,
                supported: kind.version,
            });
        }
        let positions = word_at(&header, 16).map(u64::from_le_bytes);
        let stored_len = word_at(&header, 24).map(u64::from_le_bytes);
        let (Some(positions), Some(stored_len)) = (positions, stored_len) else {
            return Err(truncated(kind.header_len(0) as u64));
        };
        let positions = usize::try_from(positions).unwrap_or(usize::MAX);
        if kind.block_count(positions) > MAX_BLOCKS {
            return Err(corrupted("the header"));
        }
        let header_len = kind.header_len(positions);
        if len < header_len as u64 {
            return Err(match len < stored_len {
                true => truncated(stored_len),
                false => corrupted("the header"),
            });
        }
        read_up_to(&mut header, header_len)?;
        let (checked, stored) = header.split_at(header.len().min(header_len) - 8);
        if word_at(stored, 0).map(u64::from_le_bytes) != Some(checksum(checked)) {
            return Err(corrupted("the header"));
        }
        if word_at(&header, 12) != Some((kind.block_positions as u32).to_le_bytes())
            || header[NAME] != kind.name()
        {
            return Err(other());
        }
        if let Some(fingerprint) = kind.fingerprint
            && word_at(&header, NAME.end) != Some(fingerprint.to_le_bytes())
        {
            return Err(TablebaseError::OtherRules {
                path: path.into(),
                variant: kind.variant,
            });
        }
        let mut blocks = Vec::new();
        let mut end = header_len as u64;
        for number in 0..kind.block_count(positions) {
            let length = word_at(&header, kind.fixed_header_len() + 4 * number);
            let start = end;
            end += u64::from(length.map(u32::from_le_bytes).unwrap_or_default());
            blocks.push(start..end);
        }
        if stored_len != end {
            return Err(corrupted("the header"));
        }
        if len < end {
            return Err(truncated(end));
        }
        if len > end {
            return Err(corrupted("the file (it has extra bytes at the end)"));
        }
        Ok(EncodedFile {
            path: path.into(),
            kind,
            positions,
            len,
            blocks,
            file: Mutex::new(file),
        })
    }

    /// The length of the file in bytes.
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    pub(super) fn version(&self) -> u32 {
        self.kind.version
    }

    pub(super) fn block_positions(&self) -> usize {
        self.kind.block_positions
    }

    pub(super) fn count_positions(&self) -> usize {
        self.positions
    }

    pub(super) fn block_count(&self) -> usize {
        self.blocks.len()
    }

    /// How many positions a block has.
    pub(super) fn positions_in_block(&self, number: usize) -> usize {
        let rest = self
            .positions
            .saturating_sub(number * self.kind.block_positions);
        rest.min(self.kind.block_positions)
    }

    /// The contents of a block; an error if it is corrupted.
    pub(super) fn decode_block(&self, number: usize) -> Result<Vec<u8>, TablebaseError> {
        let contents = self.read_block(number).and_then(|packed| {
            let len = get_frame_content_size(&packed).ok().flatten();
            let len = len.filter(|&len| len <= MAX_BLOCK_LEN)?;
            zstd::bulk::decompress(&packed, len as usize).ok()
        });
        contents.ok_or_else(|| self.corrupted_block(number))
    }

    fn read_block(&self, number: usize) -> Option<Vec<u8>> {
        let range = self.blocks.get(number)?.clone();
        let mut packed = vec![0; (range.end - range.start) as usize];
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(range.start)).ok()?;
        file.read_exact(&mut packed).ok()?;
        Some(packed)
    }

    pub(super) fn corrupted_block(&self, number: usize) -> TablebaseError {
        TablebaseError::Corrupted {
            path: self.path.clone(),
            part: format!("block {number}"),
        }
    }
}

/// The bytes of a number at this offset.
fn word_at<const N: usize>(bytes: &[u8], offset: usize) -> Option<[u8; N]> {
    bytes.get(offset..)?.first_chunk().copied()
}
