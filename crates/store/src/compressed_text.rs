//! Long texts as they are kept. Most of a deep board is dots, of which nearly nothing is
//! left when they are packed; short texts stay as they are, so that they can be read in
//! the file.

use sqlx::encode::IsNull;
use sqlx::error::BoxDynError;
use sqlx::sqlite::{SqliteArgumentsBuffer, SqliteTypeInfo};
use sqlx::{Encode, Sqlite, Type};

/// Shorter texts are not packed.
const MIN_COMPRESSED_LEN: usize = 1024;

/// How hard it is tried: a position of half a million cells takes milliseconds.
const LEVEL: i32 = 3;

/// No text is longer: the deepest board has 531,441 cells.
const MAX_TEXT_LEN: usize = 8 << 20;

/// How packed bytes begin; no text begins so.
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// A text as it is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum CompressedText {
    Plain(String),
    Zstd(Vec<u8>),
}

impl CompressedText {
    pub(crate) fn new(text: &str) -> CompressedText {
        if text.len() > MIN_COMPRESSED_LEN
            && let Ok(bytes) = zstd::bulk::compress(text.as_bytes(), LEVEL)
            && bytes.len() < text.len()
        {
            return CompressedText::Zstd(bytes);
        }
        CompressedText::Plain(text.into())
    }

    /// How much room it takes.
    pub(crate) fn len(&self) -> usize {
        match self {
            CompressedText::Plain(text) => text.len(),
            CompressedText::Zstd(bytes) => bytes.len(),
        }
    }
}

/// The first bytes of a stored text that say how long it is unpacked: the longest header of a
/// zstd frame (RFC 8878).
pub(crate) const MAX_FRAME_HEADER_LEN: usize = 18;

/// How long a stored text is when it's unpacked, by its first bytes and its stored length.
pub(crate) fn decompressed_len(header: &[u8], stored: usize) -> usize {
    if !header.starts_with(&ZSTD_MAGIC) {
        return stored;
    }
    match zstd::zstd_safe::get_frame_content_size(header) {
        Ok(Some(bytes)) => {
            usize::try_from(bytes).map_or(MAX_TEXT_LEN, |bytes| bytes.min(MAX_TEXT_LEN))
        }
        // Damaged, or packed by another program: as long as it can be.
        Ok(None) | Err(_) => MAX_TEXT_LEN,
    }
}

/// The text that was kept so; none where that is damaged.
pub(crate) fn decompress(bytes: Vec<u8>) -> Option<String> {
    let bytes = match bytes.starts_with(&ZSTD_MAGIC) {
        true => zstd::bulk::decompress(&bytes, MAX_TEXT_LEN).ok()?,
        false => bytes,
    };
    String::from_utf8(bytes).ok()
}

impl Type<Sqlite> for CompressedText {
    fn type_info() -> SqliteTypeInfo {
        <Vec<u8> as Type<Sqlite>>::type_info()
    }
}

impl Encode<'_, Sqlite> for CompressedText {
    fn encode_by_ref(&self, buffer: &mut SqliteArgumentsBuffer) -> Result<IsNull, BoxDynError> {
        match self {
            CompressedText::Plain(text) => Encode::<Sqlite>::encode(text.clone(), buffer),
            CompressedText::Zstd(bytes) => Encode::<Sqlite>::encode(bytes.clone(), buffer),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_read_back() {
        let deep = "x........".repeat(59_049);
        for text in ["", "x../.../... o", &deep] {
            let packed = CompressedText::new(text);
            assert!(packed.len() <= text.len());
            let bytes = match packed {
                CompressedText::Plain(text) => text.into_bytes(),
                CompressedText::Zstd(bytes) => bytes,
            };
            let header = &bytes[..bytes.len().min(MAX_FRAME_HEADER_LEN)];
            assert_eq!(decompressed_len(header, bytes.len()), text.len());
            assert_eq!(decompress(bytes).as_deref(), Some(text));
        }
        assert!(CompressedText::new(&deep).len() < deep.len() / 50);
        assert_eq!(decompress([&ZSTD_MAGIC[..], b"damaged"].concat()), None);
    }
}
