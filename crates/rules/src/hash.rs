//! 64-bit hashes of whole positions.
//!
//! Positions are small, so they are hashed word by word on demand, instead of updating a
//! Zobrist key with every move: playouts, which never need the hash, pay nothing. All
//! constants are fixed, so a position has the same hash on every machine.

/// Consumes words and produces a hash.
pub(crate) struct PositionHasher(u64);

// Odd numbers with evenly spread bits (digits of π, e and √2).
const START: u64 = 0x243f_6a88_85a3_08d3;
const FACTOR: u64 = 0xb7e1_5162_8aed_2a6b;
const FINISH: u64 = 0x6a09_e667_f3bc_c909;

impl PositionHasher {
    pub(crate) fn new() -> PositionHasher {
        PositionHasher(START)
    }

    #[inline]
    pub(crate) fn add(&mut self, word: u64) {
        self.0 = fold(self.0 ^ word, FACTOR).wrapping_add(START);
    }

    #[inline]
    pub(crate) fn finish(&self) -> u64 {
        let hash = fold(self.0 ^ FINISH, FACTOR);
        hash ^ hash >> 32
    }
}

/// Any value that can be hashed. Numbers count by their value, so that a position has the same hash on machines with
/// another byte order or word size.
impl std::hash::Hasher for PositionHasher {
    fn finish(&self) -> u64 {
        PositionHasher::finish(self)
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.add(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, n: u8) {
        self.add(n.into());
    }

    fn write_u16(&mut self, n: u16) {
        self.add(n.into());
    }

    fn write_u32(&mut self, n: u32) {
        self.add(n.into());
    }

    fn write_u64(&mut self, n: u64) {
        self.add(n);
    }

    fn write_u128(&mut self, n: u128) {
        self.add(n as u64);
        self.add((n >> 64) as u64);
    }

    fn write_usize(&mut self, n: usize) {
        self.add(n as u64);
    }

    fn write_isize(&mut self, n: isize) {
        self.add(n as i64 as u64);
    }
}

/// The XOR of the two halves of the full product.
#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}
