//! Bitboards of a 3×3 board, with lookup tables for all 512 of them. Every nested board is
//! made of these.
//!
//! ```text
//!   0 1 2      a b c
//!   3 4 5      d e f
//!   6 7 8      g h i
//! ```

use crate::bitboard::set_bits;
use crate::symmetry::SquareSymmetry;

/// All nine cells.
pub(crate) const FULL: u32 = 0b111_111_111;

/// The eight lines of a 3×3 board, as bitboards: `a` is the lowest bit.
pub const LINES: [u32; 8] = [
    0b000_000_111,
    0b000_111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
];

/// Does the set contain a line? One bit per set, so that the table stays in the cache.
static HAS_LINE: [u64; 8] = {
    let mut table = [0; 8];
    let mut set = 0u32;
    while set < 512 {
        let mut line = 0;
        while line < 8 {
            if set & LINES[line] == LINES[line] {
                table[(set >> 6) as usize] |= 1 << (set & 63);
            }
            line += 1;
        }
        set += 1;
    }
    table
};

/// `OUTSIDE[set][n]`: the n-th cell that isn't in the set, counted from the lowest. Rows are
/// padded to 16 so that indexing is a shift.
static OUTSIDE: [[u8; 16]; 512] = {
    let mut table = [[0; 16]; 512];
    let mut set = 0usize;
    while set < 512 {
        let (mut cell, mut n) = (0, 0);
        while cell < 9 {
            if set >> cell & 1 == 0 {
                table[set][n] = cell;
                n += 1;
            }
            cell += 1;
        }
        set += 1;
    }
    table
};

/// `SPREAD[set]`: each cell in its own byte. Rows are padded with zeros to 16 bytes, which
/// are copied at once.
static SPREAD: [[u8; 16]; 512] = {
    let mut table = [[0; 16]; 512];
    let mut set = 0;
    while set < 512 {
        let mut cell = 0;
        while cell < 9 {
            table[set][cell] = (set >> cell & 1) as u8;
            cell += 1;
        }
        set += 1;
    }
    table
};

/// `IMAGE[symmetry][set]`: the set rotated or reflected.
static IMAGE: [[u16; 512]; 8] = {
    let mut table = [[0; 512]; 8];
    let mut s = 0;
    while s < 8 {
        let mut set = 0;
        while set < 512 {
            let mut cell = 0;
            while cell < 9 {
                if set >> cell & 1 == 1 {
                    let (col, row) =
                        SquareSymmetry::ALL[s].apply((cell % 3) as u8, (cell / 3) as u8, 3, 3);
                    table[s][set] |= 1 << (row * 3 + col);
                }
                cell += 1;
            }
            set += 1;
        }
        s += 1;
    }
    table
};

#[inline]
pub(crate) fn has_line(set: u32) -> bool {
    HAS_LINE[(set >> 6 & 7) as usize] >> (set & 63) & 1 == 1
}

/// The n-th cell that isn't in the set. Meaningless (but no panic) if there is none.
#[inline]
pub(crate) fn nth_unset(set: u32, n: u32) -> u32 {
    u32::from(OUTSIDE[(set & FULL) as usize][(n & 15) as usize])
}

/// The nine cells as bytes, padded with zeros to 16.
#[inline]
pub(crate) fn to_bytes(set: u32) -> &'static [u8; 16] {
    &SPREAD[(set & FULL) as usize]
}

/// The set rotated or reflected.
pub(crate) fn transform(set: u32, symmetry: SquareSymmetry) -> u32 {
    u32::from(IMAGE[symmetry as usize][(set & FULL) as usize])
}

/// The members, lowest first.
#[inline]
pub(crate) fn members(set: u32) -> impl Iterator<Item = u32> {
    set_bits(set.into())
}
