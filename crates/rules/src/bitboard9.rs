//! Sets of the nine places of a 3×3 board, as bits, and tables over all 512 of
//! them. Every nested board is made of these.
//!
//! ```text
//!   0 1 2      a b c
//!   3 4 5      d e f
//!   6 7 8      g h i
//! ```

use crate::symmetry::Symmetry;

/// All nine places.
pub(crate) const FULL: u32 = 0b111_111_111;

/// The eight lines of a 3×3 board, as sets of places: `a` is the lowest bit.
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

/// Does the set hold three in a line? One bit a set: 64 bytes stay in the cache.
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

/// `OUTSIDE[set][n]`: the n-th place that is not in the set, counted from the
/// lowest. Sixteen to a row so that an index is a shift.
static OUTSIDE: [[u8; 16]; 512] = {
    let mut table = [[0; 16]; 512];
    let mut set = 0usize;
    while set < 512 {
        let (mut place, mut n) = (0, 0);
        while place < 9 {
            if set >> place & 1 == 0 {
                table[set][n] = place;
                n += 1;
            }
            place += 1;
        }
        set += 1;
    }
    table
};

/// `SPREAD[set]`: each place in a byte of its own; the rest of the sixteen, which are
/// copied at once, is zero.
static SPREAD: [[u8; 16]; 512] = {
    let mut table = [[0; 16]; 512];
    let mut set = 0;
    while set < 512 {
        let mut place = 0;
        while place < 9 {
            table[set][place] = (set >> place & 1) as u8;
            place += 1;
        }
        set += 1;
    }
    table
};

/// `IMAGE[symmetry][set]`.
static IMAGE: [[u16; 512]; 8] = {
    let mut table = [[0; 512]; 8];
    let mut s = 0;
    while s < 8 {
        let mut set = 0;
        while set < 512 {
            let mut place = 0;
            while place < 9 {
                if set >> place & 1 == 1 {
                    let (col, row) =
                        Symmetry::ALL[s].apply((place % 3) as u8, (place / 3) as u8, 3, 3);
                    table[s][set] |= 1 << (row * 3 + col);
                }
                place += 1;
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

/// The n-th place outside the set. Nonsense, but no panic, when there is none.
#[inline]
pub(crate) fn nth_unset(set: u32, n: u32) -> u32 {
    u32::from(OUTSIDE[(set & FULL) as usize][(n & 15) as usize])
}

/// The places as bytes: nine, and zeros up to sixteen.
#[inline]
pub(crate) fn to_bytes(set: u32) -> &'static [u8; 16] {
    &SPREAD[(set & FULL) as usize]
}

/// The set seen in the mirror.
pub(crate) fn transform(set: u32, symmetry: Symmetry) -> u32 {
    u32::from(IMAGE[symmetry as usize][(set & FULL) as usize])
}

/// The members, lowest first.
#[inline]
pub(crate) fn members(mut set: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let place = set.trailing_zeros();
        set &= set - 1;
        Some(place)
    })
}
