//! Compression of long texts. Most of a deep board is dots, which compress to almost nothing; short
//! texts stay readable in the file.

use sqlx::encode::IsNull;
use sqlx::error::BoxDynError;
use sqlx::sqlite::{SqliteArgumentsBuffer, SqliteTypeInfo};
use sqlx::{Encode, Sqlite, Type};

/// Shorter texts aren't compressed.
const MIN_COMPRESSED_LEN: usize = 1024;

/// The compression level: a position of half a million cells takes milliseconds.
const LEVEL: i32 = 3;

/// No text is longer: the deepest board has 531,441 cells.
const MAX_TEXT_LEN: usize = 8 << 20;

/// The first bytes of a zstd frame; no text starts with them.
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// A text as stored.
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

    /// Its stored size in bytes.
    pub(crate) fn len(&self) -> usize {
        match self {
            CompressedText::Plain(text) => text.len(),
            CompressedText::Zstd(bytes) => bytes.len(),
        }
    }
}

/// The longest zstd frame header (RFC 8878): enough to know the decompressed length.
pub(crate) const MAX_FRAME_HEADER_LEN: usize = 18;

/// The decompressed length of a stored text, from its first bytes and stored length.
pub(crate) fn decompressed_len(header: &[u8], stored: usize) -> usize {
    if !header.starts_with(&ZSTD_MAGIC) {
        return stored;
    }
    match zstd::zstd_safe::get_frame_content_size(header) {
        Ok(Some(bytes)) => {
            usize::try_from(bytes).map_or(MAX_TEXT_LEN, |bytes| bytes.min(MAX_TEXT_LEN))
        }
        // Corrupt, or compressed by another program: assume the maximum.
        Ok(None) | Err(_) => MAX_TEXT_LEN,
    }
}

/// The text of stored bytes; `None` if they are corrupt.
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
    fn compressed_texts_round_trip() {
        let deep = "x........".repeat(59_049);
        for text in ["", "x../.../... o", &deep] {
            let compressed = CompressedText::new(text);
            assert!(compressed.len() <= text.len());
            let bytes = match compressed {
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
