//! Positions and legal moves as arrays of zeros and ones, for programs that learn.
//! Each game says what its planes are; here is only how bits become bytes.

/// Writes a row of `width` bytes at `at`.
///
/// All sixteen are stored where there is room: one store instead of several. What
/// spills over the row's end is overwritten by the row after it, so rows are written
/// in ascending order. A row beyond the end is dropped.
#[inline(always)]
pub(crate) fn put<T: Copy>(out: &mut [T], at: usize, width: usize, row: [T; 16]) {
    if let Some(room) = out.get_mut(at..at + 16) {
        room.copy_from_slice(&row);
    } else if let (Some(room), Some(row)) = (out.get_mut(at..at + width), row.get(..width)) {
        room.copy_from_slice(row);
    }
}

/// The lowest sixteen bits, a byte each.
#[inline]
pub(crate) fn spread(bits: u64) -> [u8; 16] {
    let byte = |from: u32| BYTES[(bits >> from & 0xff) as usize];
    (u128::from(byte(0)) | u128::from(byte(8)) << 64).to_le_bytes()
}

/// The same for the array of legal moves.
#[inline(always)]
pub(crate) fn signed(row: [u8; 16]) -> [i8; 16] {
    row.map(|byte| byte as i8)
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
        for bits in [0, 1, 0x8000, 0xffff, 0x1234, 0xfedc_ba98_7654] {
            let slow: [u8; 16] = std::array::from_fn(|place| (bits >> place & 1) as u8);
            assert_eq!(spread(bits), slow, "{bits:#x}");
        }
    }

    #[test]
    fn rows_fill_what_there_is_and_no_more() {
        for length in 0..40 {
            let mut out = vec![7; length];
            for at in (0..length).step_by(9) {
                put(&mut out, at, 9, [1; 16]);
            }
            let whole = length / 9 * 9;
            assert!(out[..whole].iter().all(|&byte| byte == 1), "{length}");
        }
    }
}
