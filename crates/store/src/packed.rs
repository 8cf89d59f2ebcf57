//! Long texts as they are kept. Most of a deep board is dots, of which nearly nothing is
//! left when they are packed; short texts stay as they are, so that they can be read in
//! the file.

use sqlx::encode::IsNull;
use sqlx::error::BoxDynError;
use sqlx::sqlite::{SqliteArgumentsBuffer, SqliteTypeInfo};
use sqlx::{Encode, Sqlite, Type};

/// Shorter texts are not packed.
const SHORT: usize = 1024;

/// How hard it is tried: a position of half a million cells takes milliseconds.
const LEVEL: i32 = 3;

/// No text is longer: the deepest board has 531,441 cells.
const LONGEST: usize = 8 << 20;

/// How packed bytes begin; no text begins so.
const MARK: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// A text as it is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Packed {
    Plain(String),
    Bytes(Vec<u8>),
}

impl Packed {
    pub(crate) fn new(text: &str) -> Packed {
        if text.len() > SHORT
            && let Ok(bytes) = zstd::bulk::compress(text.as_bytes(), LEVEL)
            && bytes.len() < text.len()
        {
            return Packed::Bytes(bytes);
        }
        Packed::Plain(text.into())
    }

    /// How much room it takes.
    pub(crate) fn len(&self) -> usize {
        match self {
            Packed::Plain(text) => text.len(),
            Packed::Bytes(bytes) => bytes.len(),
        }
    }
}

/// The first bytes of a stored text that say how long it is unpacked: the longest header of a
/// zstd frame (RFC 8878).
pub(crate) const PACKED_HEADER: usize = 18;

/// How long a stored text is when it's unpacked, by its first bytes and its stored length.
pub(crate) fn unpacked_len(header: &[u8], stored: usize) -> usize {
    if !header.starts_with(&MARK) {
        return stored;
    }
    match zstd::zstd_safe::get_frame_content_size(header) {
        Ok(Some(bytes)) => usize::try_from(bytes).map_or(LONGEST, |bytes| bytes.min(LONGEST)),
        // Damaged, or packed by another program: as long as it can be.
        Ok(None) | Err(_) => LONGEST,
    }
}

/// The text that was kept so; none where that is damaged.
pub(crate) fn unpacked(bytes: Vec<u8>) -> Option<String> {
    let bytes = match bytes.starts_with(&MARK) {
        true => zstd::bulk::decompress(&bytes, LONGEST).ok()?,
        false => bytes,
    };
    String::from_utf8(bytes).ok()
}

impl Type<Sqlite> for Packed {
    fn type_info() -> SqliteTypeInfo {
        <Vec<u8> as Type<Sqlite>>::type_info()
    }
}

impl Encode<'_, Sqlite> for Packed {
    fn encode_by_ref(&self, buffer: &mut SqliteArgumentsBuffer) -> Result<IsNull, BoxDynError> {
        match self {
            Packed::Plain(text) => Encode::<Sqlite>::encode(text.clone(), buffer),
            Packed::Bytes(bytes) => Encode::<Sqlite>::encode(bytes.clone(), buffer),
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
            let packed = Packed::new(text);
            assert!(packed.len() <= text.len());
            let bytes = match packed {
                Packed::Plain(text) => text.into_bytes(),
                Packed::Bytes(bytes) => bytes,
            };
            let header = &bytes[..bytes.len().min(PACKED_HEADER)];
            assert_eq!(unpacked_len(header, bytes.len()), text.len());
            assert_eq!(unpacked(bytes).as_deref(), Some(text));
        }
        assert!(Packed::new(&deep).len() < deep.len() / 50);
        assert_eq!(unpacked([&MARK[..], b"damaged"].concat()), None);
    }
}
