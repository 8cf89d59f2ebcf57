//! Conversion of bits to arrays of zeros and ones, for the observations and action masks that
//! machine learning reads. Each game defines its own planes. Converting several bits at a
//! time matters: training writes hundreds of millions of these bytes per second.

/// A byte of an array: unsigned in planes, signed in action masks by convention.
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

/// Writes the first `WIDTH` of these bytes at `offset`.
///
/// If there is room, all `N` bytes are stored: one store instead of several. The caller
/// writes in ascending order, so that the next write overwrites the excess. Bytes beyond the
/// end are dropped.
#[inline(always)]
pub(crate) fn write_bytes<const WIDTH: usize, const N: usize, T: Byte>(
    out: &mut [T],
    offset: usize,
    bytes: &[u8; N],
) {
    let bytes = bytes.map(T::from_u8);
    if let Some(target) = out.get_mut(offset..offset + N) {
        target.copy_from_slice(&bytes);
    } else if let (Some(target), Some(bytes)) =
        (out.get_mut(offset..offset + WIDTH), bytes.get(..WIDTH))
    {
        target.copy_from_slice(bytes);
    }
}

/// Writes bits as consecutive bytes.
pub(crate) struct BitWriter<'a, T> {
    out: &'a mut [T],
    offset: usize,
    /// Pending bits, lowest first: at most seven between calls.
    bits: u64,
    pending: usize,
}

impl<'a, T: Byte> BitWriter<'a, T> {
    #[inline]
    pub(crate) fn new(out: &'a mut [T], offset: usize) -> BitWriter<'a, T> {
        BitWriter {
            out,
            offset,
            bits: 0,
            pending: 0,
        }
    }

    /// Appends the lowest `count` bits, at most 57; the bits above must be 0.
    #[inline]
    pub(crate) fn add(&mut self, bits: u64, count: usize) {
        self.bits |= bits << self.pending;
        self.pending += count;
        while self.pending >= 8 {
            write_bytes::<8, 8, T>(self.out, self.offset, &self.next_eight());
            self.bits >>= 8;
            self.offset += 8;
            self.pending -= 8;
        }
    }

    /// Writes the pending bits.
    #[inline]
    pub(crate) fn finish(self) {
        let next_eight = self.next_eight();
        if let Some(target) = self.out.get_mut(self.offset..self.offset + self.pending) {
            for (byte, &bit) in target.iter_mut().zip(&next_eight) {
                *byte = T::from_u8(bit);
            }
        }
    }

    #[inline]
    fn next_eight(&self) -> [u8; 8] {
        BYTES[(self.bits & 0xff) as usize].to_le_bytes()
    }
}

/// `BYTES[bits]`: each bit in its own byte, lowest first.
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
    fn writes_stay_inside_the_buffer() {
        for length in 0..40 {
            let mut out = vec![7i8; length];
            for offset in (0..length).step_by(9) {
                write_bytes::<9, 16, i8>(&mut out, offset, &[1; 16]);
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
