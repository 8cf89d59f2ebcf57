//! Games in a row: the lines of cells that a side can still complete, and keys of symmetric positions.

use std::sync::Arc;

use noughts_rules::Side;

/// A set of cells.
pub(super) type Cells<const W: usize> = [u64; W];

/// The lines of a board, all of the same length.
#[derive(Clone, Debug)]
pub(super) struct Lines<const W: usize> {
    all: Arc<[Cells<W>]>,
    /// The lines through each cell.
    through: Arc<[Vec<Cells<W>>]>,
    /// The number of cells in a line.
    length: u32,
}

/// The value of a line by the number of missing marks, in hundredths of a logit.
const VALUE_BY_MISSING_MARKS: [i32; 5] = [0, 120, 36, 8, 2];

/// The set of these cells.
pub(super) fn cell_set<const W: usize>(cells: &[usize]) -> Cells<W> {
    let mut set = [0; W];
    for cell in cells {
        set[cell / 64] |= 1 << (cell % 64);
    }
    set
}

/// The number of common members of two sets.
#[inline]
pub(super) fn count_common<const W: usize>(a: &Cells<W>, b: &Cells<W>) -> u32 {
    let mut count = 0;
    for i in 0..W {
        count += (a[i] & b[i]).count_ones();
    }
    count
}

/// The first member of one set that the other doesn't have.
#[inline]
fn first_missing<const W: usize>(set: &Cells<W>, other: &Cells<W>) -> Option<usize> {
    let words = set.iter().zip(other).map(|(set, other)| set & !other);
    let mut cells = words.enumerate().filter(|&(_, word)| word != 0);
    cells
        .next()
        .map(|(i, word)| i * 64 + word.trailing_zeros() as usize)
}

impl<const W: usize> Lines<W> {
    /// Lines of this length, on a board whose cells have numbers below `cells`.
    pub(super) fn new(cells: usize, length: u32, lines: &[Vec<usize>]) -> Lines<W> {
        let mut through = vec![Vec::new(); cells];
        let mut all = Vec::new();
        for cells in lines {
            let line = cell_set(cells);
            for &cell in cells {
                through[cell].push(line);
            }
            all.push(line);
        }
        Lines {
            all: all.into(),
            through: through.into(),
            length,
        }
    }

    /// The lines that one side can still complete minus those of the other, weighted by its marks on them.
    #[inline]
    pub(super) fn balance(&self, mine: &Cells<W>, theirs: &Cells<W>) -> i32 {
        let value = |marks: u32| {
            let missing = (self.length - marks) as usize;
            VALUE_BY_MISSING_MARKS.get(missing).copied().unwrap_or(0)
        };
        let mut score = 0;
        for line in self.all.iter() {
            match [mine, theirs].map(|marks| count_common(line, marks)) {
                [0, 0] => {}
                [m, 0] => score += value(m),
                [0, y] => score -= value(y),
                _ => {}
            }
        }
        score
    }

    /// How much a cell matters: lines with marks of only one side count more the more marks they have, for completing as
    /// well as for blocking them.
    #[inline]
    pub(super) fn move_score(&self, cell: usize, [x, o]: &[Cells<W>; 2]) -> i32 {
        let mut score = 0;
        for line in &self.through[cell] {
            score += match (count_common(line, x), count_common(line, o)) {
                (marks, 0) | (0, marks) => 1 << marks.min(8),
                _ => 0,
            };
        }
        score
    }

    /// The weight of the lines through a cell that only this side has marks on, or none yet.
    #[inline]
    pub(super) fn weight_through(&self, cell: usize, mine: &Cells<W>, theirs: &Cells<W>) -> i32 {
        let lines = self.through[cell].iter();
        let open = lines.filter(|line| count_common(line, theirs) == 0);
        open.map(|line| 1 << count_common(line, mine).min(8)).sum()
    }

    /// A cell that completes a line of this side.
    #[inline]
    pub(super) fn completing_cell(&self, mine: &Cells<W>, theirs: &Cells<W>) -> Option<usize> {
        let mut lines = self.all.iter();
        let line = lines.find(|line| {
            count_common(line, mine) + 1 == self.length && count_common(line, theirs) == 0
        })?;
        first_missing(line, mine)
    }

    /// Whether the maker can complete a line with this many more marks against a breaker who only blocks, as far as that
    /// is cheap to tell.
    ///
    /// Erdős–Selfridge: a line without a mark of the breaker has weight 2⁻ⁿ, where n is the number of missing cells. If
    /// the total is less than 1 (½ if the maker moves next), a breaker who always takes the heaviest cell prevents every
    /// line.
    #[inline]
    pub(super) fn can_complete(
        &self,
        [maker, breaker]: &[Cells<W>; 2],
        maker_moves_next: bool,
        marks: u32,
    ) -> bool {
        let halvings = self.length - u32::from(maker_moves_next);
        self.weighs(maker, breaker, 1 << halvings, marks)
    }

    /// Whether a line is left that the maker could complete with this many more marks, if the breaker let it.
    #[inline]
    pub(super) fn is_any_left(&self, [maker, breaker]: &[Cells<W>; 2], marks: u32) -> bool {
        self.weighs(maker, breaker, 1, marks)
    }

    /// Whether the lines that the maker can still complete, one of them with this many more marks, have this weight in
    /// units of 2⁻ᵏ.
    #[inline]
    fn weighs(&self, maker: &Cells<W>, breaker: &Cells<W>, threshold: u64, marks: u32) -> bool {
        let (mut weight, mut in_time) = (0, false);
        for line in self.all.iter() {
            if count_common(line, breaker) == 0 {
                let made = count_common(line, maker);
                weight += 1u64 << made;
                in_time |= self.length - made <= marks;
                if in_time && weight >= threshold {
                    return true;
                }
            }
        }
        false
    }
}

/// Keys that all symmetric images of a position share, where the marks determine the side to move.
#[derive(Clone, Debug)]
pub(super) struct SymmetricKeys {
    /// Zobrist words by cell and side, one for each symmetry.
    words: Arc<[u64]>,
    symmetries: usize,
}

/// No game of this kind has more symmetries.
const MAX_SYMMETRIES: usize = 48;

impl SymmetricKeys {
    /// `image(symmetry, cell)` is where a symmetry moves a cell, if the board has this cell.
    pub(super) fn new(
        cells: usize,
        symmetries: usize,
        image: impl Fn(usize, usize) -> Option<usize>,
    ) -> SymmetricKeys {
        let symmetries = symmetries.min(MAX_SYMMETRIES);
        let mut words = Vec::new();
        for cell in 0..cells {
            for side in 1..=2 {
                let word = |symmetry| {
                    image(symmetry, cell).map_or(0, |image| mix(2 * image as u64 + side))
                };
                words.extend((0..symmetries).map(word));
            }
        }
        SymmetricKeys {
            words: words.into(),
            symmetries,
        }
    }

    /// The smallest of the images' keys.
    #[inline]
    pub(super) fn key<const W: usize>(&self, marks: &[Cells<W>; 2]) -> u64 {
        let mut keys = [0; MAX_SYMMETRIES];
        let keys = &mut keys[..self.symmetries];
        for side in Side::BOTH {
            for (i, mut word) in marks[side as usize].into_iter().enumerate() {
                while word != 0 {
                    let cell = i * 64 + word.trailing_zeros() as usize;
                    word &= word - 1;
                    let start = (2 * cell + side as usize) * self.symmetries;
                    let words = &self.words[start..start + self.symmetries];
                    for (key, word) in keys.iter_mut().zip(words) {
                        *key ^= word;
                    }
                }
            }
        }
        mix(keys.iter().copied().min().unwrap_or_default())
    }
}

/// A hash with evenly distributed bits (the finalizer of SplitMix64).
pub(crate) fn mix(n: u64) -> u64 {
    let mut word = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}
