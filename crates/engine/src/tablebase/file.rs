//! The file of a table: how it is laid out, and how it is read back.
//!
//! ```text
//! offset  bytes  what (numbers are little-endian)
//!      0      8  "NOUGHTS" and a line feed
//!      8      4  version
//!     12      4  positions in a block, 65536
//!     16      8  positions in all
//!     24      8  length of the file
//!     32     32  the variant's name, filled up with zeros
//!     64    4·n  the lengths of the n blocks
//!             8  checksum of all bytes so far: FNV-1a, 64 bits
//!                the blocks, each a zstd frame with its own checksum
//! ```

use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::error::TablebaseError;
use super::numbering::Numbering;
use super::parallel;
use crate::limits::StopFlag;

/// Goes up when the layout, the numbers of positions or the codes change.
pub const VERSION: u32 = 1;

const MAGIC: &[u8; 8] = b"NOUGHTS\n";
const NAME: &[u8] = b"tic-tac-two";
const FIXED: usize = 64;
/// Large blocks are smaller in all, small blocks are opened sooner (this one in 50 µs).
const BLOCK: usize = 1 << 16;
/// A file larger than this is none of ours.
const LARGEST: u64 = 64 << 20;
/// Two more levels take four times as long for one part in a hundred.
const LEVEL: i32 = 10;

fn block_count() -> usize {
    Numbering::get().len().div_ceil(BLOCK)
}

/// Where the blocks begin.
fn header_len() -> usize {
    FIXED + 4 * block_count() + 8
}

fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The contents of a file with these codes; they mean nothing if it was stopped. `done` is
/// told how many blocks are ready.
pub(super) fn encode(
    codes: &[u8],
    threads: usize,
    stop: &StopFlag,
    done: impl Fn(usize) + Sync,
) -> io::Result<Vec<u8>> {
    let blocks: Vec<OnceLock<io::Result<Vec<u8>>>> =
        codes.chunks(BLOCK).map(|_| OnceLock::new()).collect();
    parallel::for_each(threads, stop, 0..blocks.len(), |number| {
        let codes = &codes[number * BLOCK..codes.len().min((number + 1) * BLOCK)];
        blocks[number].get_or_init(|| compress(codes));
        done(number + 1);
    });
    let mut packed = Vec::new();
    let mut lengths = Vec::new();
    for block in blocks {
        let block = block.into_inner().unwrap_or_else(|| Ok(Vec::new()))?;
        lengths.extend((block.len() as u32).to_le_bytes());
        packed.extend(block);
    }
    let mut file = Vec::with_capacity(header_len() + packed.len());
    file.extend(MAGIC);
    file.extend(VERSION.to_le_bytes());
    file.extend((BLOCK as u32).to_le_bytes());
    file.extend((codes.len() as u64).to_le_bytes());
    file.extend(((header_len() + packed.len()) as u64).to_le_bytes());
    file.extend(NAME);
    file.resize(FIXED, 0);
    file.extend(lengths);
    file.extend(checksum(&file).to_le_bytes());
    file.extend(packed);
    Ok(file)
}

fn compress(codes: &[u8]) -> io::Result<Vec<u8>> {
    let mut compressor = zstd::bulk::Compressor::new(LEVEL)?;
    compressor.include_checksum(true)?;
    compressor.compress(codes)
}

/// A file in memory; its blocks are still packed.
pub(super) struct EncodedFile {
    pub(super) path: PathBuf,
    bytes: Vec<u8>,
    blocks: Vec<Range<usize>>,
}

impl EncodedFile {
    /// Reads a file and checks all but its blocks.
    pub(super) fn read(path: &Path) -> Result<EncodedFile, TablebaseError> {
        let mut bytes = Vec::new();
        File::open(path)
            .and_then(|file| file.take(LARGEST).read_to_end(&mut bytes))
            .map_err(|source| TablebaseError::Read {
                path: path.into(),
                source,
            })?;
        EncodedFile::of(path, bytes)
    }

    fn of(path: &Path, bytes: Vec<u8>) -> Result<EncodedFile, TablebaseError> {
        let path = path.to_path_buf();
        if !bytes.starts_with(MAGIC) {
            return Err(TablebaseError::NotATablebase { path });
        }
        let len = bytes.len() as u64;
        let word = |at: usize| {
            let word = bytes.get(at..at + 4).and_then(|word| word.try_into().ok());
            word.map(u32::from_le_bytes)
        };
        let long = |at: usize| {
            let long = bytes.get(at..at + 8).and_then(|long| long.try_into().ok());
            long.map(u64::from_le_bytes)
        };
        match word(8) {
            Some(VERSION) => {}
            Some(found) => return Err(TablebaseError::UnsupportedVersion { path, found }),
            None => {
                return Err(TablebaseError::Truncated {
                    path,
                    bytes: len,
                    of: header_len() as u64,
                });
            }
        }
        let sum_at = header_len() - 8;
        let Some(sum) = long(sum_at) else {
            return Err(TablebaseError::Truncated {
                path,
                bytes: len,
                of: long(24).unwrap_or(header_len() as u64),
            });
        };
        let damaged = |part: &str| TablebaseError::Corrupted {
            path: path.clone(),
            part: part.into(),
        };
        if checksum(&bytes[..sum_at]) != sum {
            return Err(damaged("the header"));
        }
        let mut name = NAME.to_vec();
        name.resize(FIXED - 32, 0);
        if word(12) != Some(BLOCK as u32)
            || long(16) != Some(Numbering::get().len() as u64)
            || bytes[32..FIXED] != name
        {
            return Err(TablebaseError::NotATablebase { path });
        }
        let mut blocks = Vec::new();
        let mut end = header_len();
        for number in 0..block_count() {
            let start = end;
            end = end.saturating_add(word(FIXED + 4 * number).unwrap_or_default() as usize);
            blocks.push(start..end);
        }
        if long(24) != Some(end as u64) {
            return Err(damaged("the header"));
        }
        if bytes.len() < end {
            return Err(TablebaseError::Truncated {
                path,
                bytes: len,
                of: end as u64,
            });
        }
        if bytes.len() > end {
            return Err(damaged("the file, which has grown,"));
        }
        Ok(EncodedFile {
            path,
            bytes,
            blocks,
        })
    }

    /// How long the file is.
    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn block_count(&self) -> usize {
        self.blocks.len()
    }

    /// The block that holds the position with this number, and its place there.
    #[inline]
    pub(super) fn locate(number: usize) -> (usize, usize) {
        (number / BLOCK, number % BLOCK)
    }

    /// The codes of a block; none if it is damaged.
    pub(super) fn decode_block(&self, number: usize) -> Option<Vec<u8>> {
        let all = Numbering::get().len();
        let len = all.saturating_sub(number * BLOCK).min(BLOCK);
        let packed = self.bytes.get(self.blocks.get(number)?.clone())?;
        let codes = zstd::bulk::decompress(packed, len).ok()?;
        (codes.len() == len).then_some(codes)
    }

    /// The error to give for a block that could not be opened.
    pub(super) fn corrupted_block(&self, number: usize) -> TablebaseError {
        TablebaseError::Corrupted {
            path: self.path.clone(),
            part: format!("block {number}"),
        }
    }
}
