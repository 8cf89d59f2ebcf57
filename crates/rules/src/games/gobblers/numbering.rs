//! Numbers the positions of Gobblers for its tablebase.
//!
//! Who is X doesn't matter for a value: a position is, for each size, the cells with pieces of the side to move and those with
//! pieces of the opponent. There are 1423 such arrangements of a size. A symmetry of the board makes the arrangement of the
//! large pieces the first of its images; then
//!
//! ```text
//! number = (class of the large pieces · 1423 + medium pieces) · 1423 + small pieces
//! ```
//!
//! Where several symmetries lead to the same large pieces, the smallest number counts, and the others aren't used.

use std::sync::OnceLock;

use super::{ALL_NINE, GobblersPosition, PIECES, SIZES};
use crate::games::common::map_set;
use crate::outcome::Side;
use crate::symmetry::SquareSymmetry;

/// Arrangements of the pieces of one size: no, one or two pieces of each player.
const ARRANGEMENTS: usize = 1423;

const SYMMETRIES: usize = SquareSymmetry::ALL.len();

/// The bits of a set of cells.
const CELLS: u32 = ALL_NINE.count_ones();

pub(super) struct Numbering {
    /// The pieces of the side to move and of the opponent, by arrangement.
    sets: Vec<[u16; 2]>,
    /// The arrangement, by both sets.
    arrangements: Vec<u16>,
    /// By arrangement: what it becomes under each symmetry.
    images: Vec<[u16; SYMMETRIES]>,
    /// By arrangement of the large pieces: its class, and the symmetries that lead to the first of the class.
    classes: Vec<(u16, u8)>,
    /// The first arrangement of each class.
    firsts: Vec<u16>,
}

impl Numbering {
    pub(super) fn get() -> &'static Numbering {
        static NUMBERING: OnceLock<Numbering> = OnceLock::new();
        NUMBERING.get_or_init(Numbering::new)
    }

    fn new() -> Numbering {
        let few = |set: &u16| set.count_ones() <= PIECES;
        let mut sets = Vec::with_capacity(ARRANGEMENTS);
        for mine in (0..=ALL_NINE).filter(few) {
            let theirs = (0..=ALL_NINE).filter(few);
            sets.extend(theirs.filter(|set| set & mine == 0).map(|set| [mine, set]));
        }
        debug_assert_eq!(sets.len(), ARRANGEMENTS);
        let mut arrangements = vec![0; 1 << (2 * CELLS)];
        for (number, &sets) in (0..).zip(&sets) {
            arrangements[index(sets)] = number;
        }
        let image = |sets: [u16; 2], symmetry| sets.map(|set| map_set(set, symmetry));
        let images: Vec<[u16; SYMMETRIES]> = sets
            .iter()
            .map(|&sets| SquareSymmetry::ALL.map(|by| arrangements[index(image(sets, by))]))
            .collect();
        let first_of = |images: &[u16; SYMMETRIES]| images.iter().copied().min().unwrap_or(0);
        let mut firsts: Vec<u16> = images.iter().map(first_of).collect();
        firsts.sort_unstable();
        firsts.dedup();
        let class = |images: &[u16; SYMMETRIES]| {
            let first = first_of(images);
            let class = firsts.partition_point(|&earlier| earlier < first) as u16;
            let leading = (0..SYMMETRIES).filter(|&symmetry| images[symmetry] == first);
            (class, leading.fold(0, |set, symmetry| set | 1 << symmetry))
        };
        let classes = images.iter().map(class).collect();
        Numbering {
            sets,
            arrangements,
            images,
            classes,
            firsts,
        }
    }

    pub(super) fn count(&self) -> u64 {
        (self.firsts.len() * ARRANGEMENTS * ARRANGEMENTS) as u64
    }

    /// `None` if the position isn't one of the game.
    #[inline]
    pub(super) fn number(&self, position: GobblersPosition) -> Option<u64> {
        let (me, opponent) = (position.side(), position.side().other());
        let [small, medium, large] = SIZES.map(|size| {
            let sets = [position.pieces(me, size), position.pieces(opponent, size)];
            usize::from(self.arrangements[index(sets)])
        });
        let (class, mut symmetries) = self.classes[large];
        let mut least = usize::MAX;
        while symmetries != 0 {
            let symmetry = symmetries.trailing_zeros() as usize;
            symmetries &= symmetries - 1;
            let medium = usize::from(self.images[medium][symmetry]);
            let small = usize::from(self.images[small][symmetry]);
            least = least.min(medium * ARRANGEMENTS + small);
        }
        Some((usize::from(class) * ARRANGEMENTS * ARRANGEMENTS + least) as u64)
    }

    /// The position with this number: with X to move, unless only one piece is on the board. `None` if the number isn't used,
    /// or if a player would have no piece although both have moved.
    #[inline]
    pub(super) fn position(&self, number: u64) -> Option<GobblersPosition> {
        let number = usize::try_from(number).ok()?;
        let (rest, small) = (number / ARRANGEMENTS, number % ARRANGEMENTS);
        let (class, medium) = (rest / ARRANGEMENTS, rest % ARRANGEMENTS);
        let large = usize::from(*self.firsts.get(class)?);
        // Another symmetry that keeps the large pieces may lead to a smaller number.
        let (_, mut symmetries) = self.classes[large];
        while symmetries != 0 {
            let symmetry = symmetries.trailing_zeros() as usize;
            symmetries &= symmetries - 1;
            let image = |arrangement: usize| usize::from(self.images[arrangement][symmetry]);
            if (image(medium), image(small)) < (medium, small) {
                return None;
            }
        }
        let sizes = [small, medium, large].map(|arrangement| self.sets[arrangement]);
        let [mine, theirs] = [0, 1].map(|player| sizes.map(|sets| sets[player]));
        let count = |sizes: [u16; 3]| sizes.into_iter().map(u16::count_ones).sum::<u32>();
        match (count(mine), count(theirs)) {
            (0, 0) => Some(GobblersPosition::new([mine, theirs], Side::X)),
            (0, 1) => Some(GobblersPosition::new([theirs, mine], Side::O)),
            (0, _) | (_, 0) => None,
            _ => Some(GobblersPosition::new([mine, theirs], Side::X)),
        }
    }
}

/// The place of two sets in a table.
#[inline]
fn index([mine, theirs]: [u16; 2]) -> usize {
    usize::from(mine) << CELLS | usize::from(theirs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game as _;
    use crate::games::gobblers::Gobblers;
    use crate::symmetry::Symmetry;

    /// Every number that is used is that of its position, and of all of its images.
    #[test]
    fn numbers_and_positions_match() {
        let numbering = Numbering::get();
        let mut used = 0;
        // A step without a common factor with the parts of a number.
        for number in (0..numbering.count()).step_by(997) {
            let Some(position) = numbering.position(number) else {
                continue;
            };
            used += 1;
            let text = Gobblers.text(&position);
            assert_eq!(Gobblers.parse(&text), Ok(position), "{text}");
            for symmetry in (0..Gobblers.count_symmetries()).map(Symmetry) {
                let image = Gobblers.map_position(&position, symmetry);
                assert_eq!(numbering.number(image), Some(number), "{text}");
            }
            if position.side() == Side::X {
                let kinds = |side| SIZES.map(|size| position.pieces(side, size));
                let exchanged = GobblersPosition::new([kinds(Side::O), kinds(Side::X)], Side::O);
                assert_eq!(numbering.number(exchanged), Some(number), "{text}");
            }
            Gobblers.for_each_move(&position, |mv| {
                let next = numbering.number(Gobblers.after(&position, mv));
                let again = next.and_then(|next| numbering.position(next));
                assert_eq!(again.and_then(|again| numbering.number(again)), next);
            });
        }
        assert!(used > 300_000, "{used}");
        assert_eq!(numbering.position(numbering.count()), None);
    }
}
