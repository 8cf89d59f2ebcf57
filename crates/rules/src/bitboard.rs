//! Bitboards of flat boards: up to `64 · W` cells in `W` words.

/// A set of cells.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Bitboard<const W: usize>(pub [u64; W]);

impl<const W: usize> Bitboard<W> {
    /// No cell.
    pub const EMPTY: Self = Bitboard([0; W]);

    /// Cells beyond the bitboard's size are ignored.
    #[inline]
    pub fn insert(&mut self, n: usize) {
        if let Some(word) = self.0.get_mut(n / 64) {
            *word |= 1 << (n % 64);
        }
    }

    /// Whether a cell is a member.
    #[must_use]
    #[inline]
    pub fn contains(self, n: usize) -> bool {
        self.0
            .get(n / 64)
            .is_some_and(|word| word >> (n % 64) & 1 == 1)
    }

    /// Whether there is no member.
    #[must_use]
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// The number of members.
    #[must_use]
    #[inline]
    pub fn len(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The members of either set.
    #[must_use]
    #[inline]
    pub fn union(self, other: Self) -> Self {
        Bitboard(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    /// The members of both sets.
    #[must_use]
    #[inline]
    pub fn intersection(self, other: Self) -> Self {
        Bitboard(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    /// The members that the other set doesn't have.
    #[must_use]
    #[inline]
    pub fn difference(self, other: Self) -> Self {
        Bitboard(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    /// Moves every member down by `n`; those below zero are dropped.
    #[must_use]
    #[inline]
    pub fn shift_down(self, n: usize) -> Self {
        if W == 1 && n < 64 {
            return Bitboard(self.0.map(|word| word >> n));
        }
        let (words, bits) = (n / 64, n % 64);
        Bitboard(std::array::from_fn(|i| {
            let low = self.0.get(i + words).map_or(0, |word| word >> bits);
            let high = match bits {
                0 => 0,
                _ => self
                    .0
                    .get(i + words + 1)
                    .map_or(0, |word| word << (64 - bits)),
            };
            low | high
        }))
    }

    /// Moves every member up by `n`; those beyond the bitboard's size are dropped.
    #[must_use]
    #[inline]
    pub fn shift_up(self, n: usize) -> Self {
        if W == 1 && n < 64 {
            return Bitboard(self.0.map(|word| word << n));
        }
        let (words, bits) = (n / 64, n % 64);
        Bitboard(std::array::from_fn(|i| {
            let from = |i: usize, back: usize| i.checked_sub(back).map_or(0, |i| self.0[i]);
            let high = from(i, words) << bits;
            let low = match bits {
                0 => 0,
                _ => from(i, words + 1) >> (64 - bits),
            };
            low | high
        }))
    }

    /// The cells that would complete a run of `k` members, each `step` above the previous one:
    /// the one cell of such a run that isn't a member, anywhere in the run. (The result may
    /// contain members, too.)
    #[must_use]
    #[inline]
    pub fn completions(self, step: usize, k: usize) -> Self {
        let mut found = Bitboard::EMPTY;
        // `below`: the `i` cells before are all members; `run` adds the `k − 1 − i` cells after.
        let mut below = Bitboard([u64::MAX; W]);
        for i in 0..k {
            let mut run = below;
            for after in 1..k - i {
                run = run.intersection(self.shift_down(step * after));
            }
            found = found.union(run);
            below = below.intersection(self.shift_up(step * (i + 1)));
        }
        found
    }

    /// Is there a run of `k` members, each `step` above the last?
    #[must_use]
    #[inline]
    pub fn has_run(self, step: usize, k: usize) -> bool {
        // Doubling: after each round `set` contains the starts of runs of `length`.
        let (mut set, mut length) = (self, 1);
        while length < k {
            let more = length.min(k - length);
            set = set.intersection(set.shift_down(step * more));
            length += more;
        }
        !set.is_empty()
    }

    /// The n-th member from the lowest.
    #[must_use]
    #[inline]
    pub fn nth(self, mut n: u32) -> Option<usize> {
        for (i, &word) in self.0.iter().enumerate() {
            let here = word.count_ones();
            if n < here {
                return Some(i * 64 + nth_bit(word, n) as usize);
            }
            n -= here;
        }
        None
    }

    /// The `length` cells starting at `from`, as the lowest bits of a word; at most 63.
    #[inline]
    pub(crate) fn extract(self, from: usize, length: usize) -> u64 {
        let word = |i: usize| self.0.get(i).copied().unwrap_or_default();
        let (i, shift) = (from / 64, from % 64);
        // Shifts in two steps, since a shift by 64 would overflow.
        let bits = word(i) >> shift | word(i + 1) << 1 << (63 - shift);
        bits & ((1 << (length & 63)) - 1)
    }

    /// The members, lowest first.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = usize> {
        let words = self.0.into_iter().enumerate();
        words.flat_map(|(i, word)| set_bits(word).map(move |bit| i * 64 + bit as usize))
    }
}

/// The indices of the set bits, lowest first.
#[inline]
pub(crate) fn set_bits(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        if word == 0 {
            return None;
        }
        let bit = word.trailing_zeros();
        word &= word - 1;
        Some(bit)
    })
}

/// The index of the n-th set bit, in a fixed number of steps: count the bits of all bytes
/// at once, turn the counts into prefix sums with a multiplication, find the byte with a
/// comparison of all bytes at once, and look up the bit in a table.
#[inline]
pub(crate) fn nth_bit(word: u64, n: u32) -> u32 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const TOPS: u64 = ONES << 7;
    let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let bytes = (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    // In each byte: the number of set bits up to and including this byte.
    let upto = bytes.wrapping_mul(ONES);
    let n = n & 63;
    let passed = ((u64::from(n) * ONES) | TOPS).wrapping_sub(upto) & TOPS;
    let shift = ((passed >> 7).wrapping_mul(ONES) >> 56) as u32 * 8;
    let before = ((upto << 8).wrapping_shr(shift) & 0xff) as u32;
    let byte = (word.wrapping_shr(shift) & 0xff) as usize;
    (shift & 63) + u32::from(NTH_IN_BYTE[byte][(n.wrapping_sub(before) & 7) as usize])
}

/// `NTH_IN_BYTE[byte][n]`: the index of its n-th set bit.
static NTH_IN_BYTE: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut n) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][n] = bit;
                n += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nth_returns_members_in_order() {
        let mut set = Bitboard::<5>::EMPTY;
        let members = [0, 1, 5, 63, 64, 100, 127, 128, 200, 255, 256, 271, 319];
        for &n in &members {
            set.insert(n);
        }
        set.insert(320);
        assert_eq!(set.len() as usize, members.len());
        assert_eq!(set.iter().collect::<Vec<_>>(), members);
        for (i, &n) in members.iter().enumerate() {
            assert_eq!(set.nth(i as u32), Some(n));
        }
        assert_eq!(set.nth(members.len() as u32), None);
    }

    #[test]
    fn extract_works_across_words() {
        let mut set = Bitboard::<5>::EMPTY;
        for n in (0..320).filter(|n| n * n % 7 < 3) {
            set.insert(n);
        }
        for from in 0..330 {
            for length in [0, 1, 3, 16, 63] {
                let slow = (0..length).map(|i| u64::from(set.contains(from + i)) << i);
                assert_eq!(
                    set.extract(from, length),
                    slow.sum::<u64>(),
                    "{from} {length}"
                );
            }
        }
    }

    #[test]
    fn nth_bit_matches_a_slow_scan() {
        let mut word: u64 = 0x9e37_79b9_7f4a_7c15;
        for round in 0..20_000 {
            // Dense, sparse and lopsided words.
            word = word.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
            let word_to_test = match round % 4 {
                0 => word,
                1 => word & word << 7 & word >> 3,
                2 => word | word << 11,
                _ => word >> (word >> 58),
            };
            let bits = (0..64).filter(|bit| word_to_test >> bit & 1 == 1);
            for (n, bit) in (0..).zip(bits) {
                assert_eq!(nth_bit(word_to_test, n), bit, "{word_to_test:#x} {n}");
            }
        }
        assert_eq!(nth_bit(u64::MAX, 63), 63);
        assert_eq!(nth_bit(1 << 63, 0), 63);
    }

    #[test]
    fn completions_are_the_gaps_of_runs() {
        for step in 1..18 {
            for k in 1..=9 {
                for start in [0, 10, 48, 64] {
                    for gap in 0..k {
                        let mut set = Bitboard::<5>::EMPTY;
                        for i in (0..k).filter(|&i| i != gap) {
                            set.insert(start + i * step);
                        }
                        for bit in 0..320 {
                            let mut with = set;
                            with.insert(bit);
                            let completes = set.completions(step, k).contains(bit);
                            assert_eq!(
                                completes,
                                with.has_run(step, k),
                                "{step} {k} {start} {gap} {bit}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn runs_are_found_across_words() {
        for step in 1..18 {
            for k in 1..=16 {
                for start in [0, 10, 48, 64] {
                    let mut set = Bitboard::<5>::EMPTY;
                    for i in 0..k {
                        set.insert(start + i * step);
                    }
                    assert!(set.has_run(step, k), "{step} {k} {start}");
                    assert!(!set.has_run(step, k + 1), "{step} {k} {start}");
                }
            }
        }
    }
}
