//! Positions and legal moves as arrays of zeros and ones, for programs that learn.
//! Each game says what its planes are; here is only how bits become bytes, several at a
//! time: whoever trains a program writes hundreds of millions of them a second.

/// A byte of an array: of planes, or of a mask, which is signed by custom.
pub(crate) trait Byte: Copy {
    fn from_u8(byte: u8) -> Self;
}

impl Byte for u8 {
    #[inline(always)]
    fn from_u8(byte: u8) -> u8 {
        byte
    }
}

impl Byte for i8 {
    #[inline(always)]
    fn from_u8(byte: u8) -> i8 {
        byte as i8
    }
}

/// Writes the first `WIDTH` of these bytes at `at`.
///
/// All of them are stored where there is room: one store instead of several. What spills
/// over is overwritten by whatever comes after it, so this goes in ascending order. What
/// would lie beyond the end is dropped.
#[inline(always)]
pub(crate) fn write_bytes<const WIDTH: usize, const N: usize, T: Byte>(
    out: &mut [T],
    at: usize,
    bytes: &[u8; N],
) {
    let bytes = bytes.map(T::from_u8);
    if let Some(room) = out.get_mut(at..at + N) {
        room.copy_from_slice(&bytes);
    } else if let (Some(room), Some(bytes)) = (out.get_mut(at..at + WIDTH), bytes.get(..WIDTH)) {
        room.copy_from_slice(bytes);
    }
}

/// Writes bits as bytes, one after the other, from some place on.
pub(crate) struct BitWriter<'a, T> {
    out: &'a mut [T],
    at: usize,
    /// Not written yet, the lowest first: at most seven.
    bits: u64,
    waiting: usize,
}

impl<'a, T: Byte> BitWriter<'a, T> {
    #[inline]
    pub(crate) fn new(out: &'a mut [T], at: usize) -> BitWriter<'a, T> {
        BitWriter {
            out,
            at,
            bits: 0,
            waiting: 0,
        }
    }

    /// Adds the lowest `count` bits, at most 57; those above must be 0.
    #[inline]
    pub(crate) fn add(&mut self, bits: u64, count: usize) {
        self.bits |= bits << self.waiting;
        self.waiting += count;
        while self.waiting >= 8 {
            write_bytes::<8, 8, T>(self.out, self.at, &self.eight());
            self.bits >>= 8;
            self.at += 8;
            self.waiting -= 8;
        }
    }

    /// Writes what is left.
    #[inline]
    pub(crate) fn finish(self) {
        let eight = self.eight();
        if let Some(room) = self.out.get_mut(self.at..self.at + self.waiting) {
            for (byte, &bit) in room.iter_mut().zip(&eight) {
                *byte = T::from_u8(bit);
            }
        }
    }

    #[inline]
    fn eight(&self) -> [u8; 8] {
        BYTES[(self.bits & 0xff) as usize].to_le_bytes()
    }
}

/// `BYTES[bits]`: each bit in a byte of its own, the lowest first.
static BYTES: [u64; 256] = {
    let mut table = [0; 256];
    let mut bits = 0;
    while bits < 256 {
        let mut place = 0;
        while place < 8 {
            table[bits] |= (bits as u64 >> place & 1) << (8 * place);
            place += 1;
        }
        bits += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bit_becomes_a_byte() {
        let mut word: u64 = 0x9e37_79b9_7f4a_7c15;
        for widths in [[3, 3, 3, 3], [5, 16, 1, 7], [16, 16, 16, 16], [0, 57, 2, 9]] {
            let (mut out, mut slow) = (vec![7u8; 100], vec![7u8; 10]);
            let mut writer = BitWriter::new(&mut out, 10);
            for width in widths {
                word = word.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
                let bits = word & ((1 << width) - 1);
                writer.add(bits, width);
                slow.extend((0..width).map(|place| (bits >> place & 1) as u8));
            }
            writer.finish();
            slow.resize(100, 7);
            assert_eq!(out, slow, "{widths:?}");
        }
    }

    #[test]
    fn rows_fill_what_there_is_and_no_more() {
        for length in 0..40 {
            let mut out = vec![7i8; length];
            for at in (0..length).step_by(9) {
                write_bytes::<9, 16, i8>(&mut out, at, &[1; 16]);
            }
            let whole = length / 9 * 9;
            assert!(out[..whole].iter().all(|&byte| byte == 1), "{length}");
            let mut out = vec![7i8; length];
            let mut writer = BitWriter::new(&mut out, 0);
            writer.add(0x1ff, 9);
            writer.finish();
        }
    }
}
