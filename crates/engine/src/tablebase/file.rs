//! The file format of a tablebase.
//!
//! ```text
//! offset  bytes  contents (numbers are little-endian)
//!      0      8  "NOUGHTS" and a line feed
//!      8      4  version
//!     12      4  positions per block, 65536
//!     16      8  total number of positions
//!     24      8  length of the file
//!     32     32  the variant's name, padded with zeros
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

/// Incremented when the layout, the numbering of positions or the codes change.
pub const VERSION: u32 = 1;

const MAGIC: &[u8; 8] = b"NOUGHTS\n";
const VARIANT_NAME: &[u8] = b"tic-tac-two";
const FIXED_HEADER_LEN: usize = 64;
/// Larger blocks compress better, smaller blocks decompress faster (this size in 50 µs).
const BLOCK_POSITIONS: usize = 1 << 16;
/// A larger file can't be a tablebase.
const MAX_FILE_LEN: u64 = 64 << 20;
/// Two levels more take four times as long and save only one percent.
const COMPRESSION_LEVEL: i32 = 10;

fn block_count() -> usize {
    Numbering::get().len().div_ceil(BLOCK_POSITIONS)
}

/// The offset of the first block.
fn header_len() -> usize {
    FIXED_HEADER_LEN + 4 * block_count() + 8
}

fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Encodes a file with these codes; if it was stopped, the result is meaningless. `on_progress` is
/// called with the number of blocks done.
pub(super) fn encode(
    codes: &[u8],
    threads: usize,
    stop: &StopFlag,
    on_progress: impl Fn(usize) + Sync,
) -> io::Result<Vec<u8>> {
    let blocks: Vec<OnceLock<io::Result<Vec<u8>>>> = codes
        .chunks(BLOCK_POSITIONS)
        .map(|_| OnceLock::new())
        .collect();
    parallel::for_each(threads, stop, 0..blocks.len(), |number| {
        let codes =
            &codes[number * BLOCK_POSITIONS..codes.len().min((number + 1) * BLOCK_POSITIONS)];
        blocks[number].get_or_init(|| compress(codes));
        on_progress(number + 1);
    });
    let mut compressed = Vec::new();
    let mut lengths = Vec::new();
    for block in blocks {
        let block = block.into_inner().unwrap_or_else(|| Ok(Vec::new()))?;
        lengths.extend((block.len() as u32).to_le_bytes());
        compressed.extend(block);
    }
    let mut file = Vec::with_capacity(header_len() + compressed.len());
    file.extend(MAGIC);
    file.extend(VERSION.to_le_bytes());
    file.extend((BLOCK_POSITIONS as u32).to_le_bytes());
    file.extend((codes.len() as u64).to_le_bytes());
    file.extend(((header_len() + compressed.len()) as u64).to_le_bytes());
    file.extend(VARIANT_NAME);
    file.resize(FIXED_HEADER_LEN, 0);
    file.extend(lengths);
    file.extend(checksum(&file).to_le_bytes());
    file.extend(compressed);
    Ok(file)
}

fn compress(codes: &[u8]) -> io::Result<Vec<u8>> {
    let mut compressor = zstd::bulk::Compressor::new(COMPRESSION_LEVEL)?;
    compressor.include_checksum(true)?;
    compressor.compress(codes)
}

/// A file in memory; its blocks are still compressed.
pub(super) struct EncodedFile {
    pub(super) path: PathBuf,
    bytes: Vec<u8>,
    blocks: Vec<Range<usize>>,
}

impl EncodedFile {
    /// Reads a file and checks everything except its blocks.
    pub(super) fn read(path: &Path) -> Result<EncodedFile, TablebaseError> {
        let mut bytes = Vec::new();
        File::open(path)
            .and_then(|file| file.take(MAX_FILE_LEN).read_to_end(&mut bytes))
            .map_err(|source| TablebaseError::Read {
                path: path.into(),
                source,
            })?;
        EncodedFile::parse(path, bytes)
    }

    fn parse(path: &Path, bytes: Vec<u8>) -> Result<EncodedFile, TablebaseError> {
        let path = path.to_path_buf();
        if !bytes.starts_with(MAGIC) {
            return Err(TablebaseError::NotATablebase { path });
        }
        let truncated = |of: u64| TablebaseError::Truncated {
            path: path.clone(),
            bytes: bytes.len() as u64,
            of,
        };
        let corrupted = |part: &str| TablebaseError::Corrupted {
            path: path.clone(),
            part: part.into(),
        };
        let read_u32 = |offset| word_at(&bytes, offset).map(u32::from_le_bytes);
        let read_u64 = |offset| word_at(&bytes, offset).map(u64::from_le_bytes);
        match read_u32(8) {
            Some(VERSION) => {}
            Some(found) => return Err(TablebaseError::UnsupportedVersion { path, found }),
            None => return Err(truncated(header_len() as u64)),
        }
        let checksum_offset = header_len() - 8;
        let Some(stored_checksum) = read_u64(checksum_offset) else {
            return Err(truncated(read_u64(24).unwrap_or(header_len() as u64)));
        };
        if checksum(&bytes[..checksum_offset]) != stored_checksum {
            return Err(corrupted("the header"));
        }
        let mut name = VARIANT_NAME.to_vec();
        name.resize(FIXED_HEADER_LEN - 32, 0);
        if read_u32(12) != Some(BLOCK_POSITIONS as u32)
            || read_u64(16) != Some(Numbering::get().len() as u64)
            || bytes[32..FIXED_HEADER_LEN] != name
        {
            return Err(TablebaseError::NotATablebase { path });
        }
        let mut blocks = Vec::new();
        let mut end = header_len();
        for number in 0..block_count() {
            let start = end;
            end = end.saturating_add(
                read_u32(FIXED_HEADER_LEN + 4 * number).unwrap_or_default() as usize
            );
            blocks.push(start..end);
        }
        if read_u64(24) != Some(end as u64) {
            return Err(corrupted("the header"));
        }
        if bytes.len() < end {
            return Err(truncated(end as u64));
        }
        if bytes.len() > end {
            return Err(corrupted("the file (it has extra bytes at the end)"));
        }
        Ok(EncodedFile {
            path,
            bytes,
            blocks,
        })
    }

    /// The length of the file in bytes.
    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn block_count(&self) -> usize {
        self.blocks.len()
    }

    /// The block that contains the position with this number, and its place within it.
    #[inline]
    pub(super) fn locate(number: usize) -> (usize, usize) {
        (number / BLOCK_POSITIONS, number % BLOCK_POSITIONS)
    }

    /// The codes of a block; an error if it is corrupted.
    pub(super) fn decode_block(&self, number: usize) -> Result<Vec<u8>, TablebaseError> {
        let rest = Numbering::get().len() - number * BLOCK_POSITIONS;
        let len = rest.min(BLOCK_POSITIONS);
        let codes = zstd::bulk::decompress(&self.bytes[self.blocks[number].clone()], len);
        let codes = codes.ok().filter(|codes| codes.len() == len);
        codes.ok_or_else(|| TablebaseError::Corrupted {
            path: self.path.clone(),
            part: format!("block {number}"),
        })
    }
}

/// The bytes of a number at this offset.
fn word_at<const N: usize>(bytes: &[u8], offset: usize) -> Option<[u8; N]> {
    bytes.get(offset..)?.first_chunk().copied()
}
