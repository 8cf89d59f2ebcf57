//! The transposition table: what a search remembers of positions, shared by all
//! of its threads without locks.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// What was found out about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// As seen from the position itself: wins count their plies from there.
    pub(crate) score: i32,
    /// How many plies were searched; [`COMPLETE`] for all there are.
    pub(crate) depth: u8,
    pub(crate) bound: Bound,
    /// The number of the best move in the game's own order, if it is known.
    pub(crate) best_index: Option<u16>,
}

/// Searched to the ends of all games.
pub(crate) const COMPLETE: u8 = u8::MAX;

/// What the score says of the true value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// It is at least this.
    Lower,
    /// It is at most this.
    Upper,
    /// It is this.
    Exact,
}

/// A slot is two words. The first is the key xored with the second, so that two
/// threads writing at once leave a slot that no key matches, not a wrong answer.
///
/// ```text
///   63  …  48 47 46 45 … 40 39 … 32 31 … 0
///  [ best + 1 │bound│  age  │ depth │ score ]
/// ```
struct Slot([AtomicU64; 2]);

/// Four slots share a cache line and a place in the table.
const WAYS: usize = 4;

/// So many slots are made at a time, when the first of them is written: a large
/// table costs a short search nothing.
const BLOCK: usize = 1 << 14;

pub(crate) struct TranspositionTable {
    blocks: Box<[OnceLock<Box<[Slot]>>]>,
    buckets: usize,
    age: u64,
}

/// Blocks of tables that were dropped, for the next tables. Each search has threads of its
/// own, and the system's allocator keeps what a thread frees for that thread and its heirs:
/// one analysis after the other would take more and more memory.
static SPARE: Mutex<Vec<Box<[Slot]>>> = Mutex::new(Vec::new());

/// At most this many blocks are spare: 64 MiB.
const MOST_SPARE: usize = (64 << 20) / size_of::<[Slot; BLOCK]>();

/// The slots for a key; none in a block for which there was no memory.
#[inline]
fn bucket(block: &[Slot], place: usize) -> Option<&[Slot]> {
    block.get(place % BLOCK..)?.get(..WAYS)
}

impl TranspositionTable {
    /// A table of at most so many bytes, and never more than a search over
    /// `plies` plies could fill.
    pub(crate) fn new(bytes: usize, plies: Option<u32>) -> TranspositionTable {
        let room = (bytes / size_of::<Slot>()).max(WAYS);
        // A cell is empty or has one of two marks.
        let most = plies.map_or(usize::MAX, |plies| 3usize.saturating_pow(plies));
        let buckets = room.min(most.max(256)).div_ceil(WAYS);
        let blocks = (buckets * WAYS).div_ceil(BLOCK);
        TranspositionTable {
            blocks: (0..blocks).map(|_| OnceLock::new()).collect(),
            buckets,
            age: 0,
        }
    }

    /// Bytes of the blocks that were made.
    pub(crate) fn memory_usage(&self) -> usize {
        let made = self.blocks.iter().filter_map(OnceLock::get);
        made.map(|block| size_of_val(&**block)).sum()
    }

    /// A new search begins: what is left of earlier ones may be overwritten first.
    pub(crate) fn new_search(&mut self) {
        self.age = (self.age + 1) & 0x3f;
    }

    /// The number of the first slot for a key. The high bits choose: a product
    /// instead of a division.
    #[inline]
    fn place(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets as u128) >> 64) as usize * WAYS
    }

    #[inline]
    fn block(&self, number: usize) -> &[Slot] {
        self.blocks[number].get_or_init(|| {
            // The last block of a small table is no larger than the table.
            let slots = BLOCK.min(self.buckets * WAYS);
            let used = (slots == BLOCK).then(|| spare().pop()).flatten();
            if let Some(mut block) = used {
                for word in block.iter_mut().flat_map(|slot| &mut slot.0) {
                    *word.get_mut() = 0;
                }
                return block;
            }
            let empty = || Slot([AtomicU64::new(0), AtomicU64::new(0)]);
            let mut block = Vec::new();
            // Where there is no memory, what would be remembered is forgotten.
            if block.try_reserve_exact(slots).is_ok() {
                block.resize_with(slots, empty);
            }
            block.into()
        })
    }

    /// Makes a table of the usual size at once, so that no move has to wait for it;
    /// of a larger one only so much.
    pub(crate) fn preallocate(&self) {
        const USUAL: usize = 64 << 20;
        for number in 0..self.blocks.len().min(USUAL / size_of::<[Slot; BLOCK]>()) {
            self.block(number);
        }
    }

    #[inline]
    pub(crate) fn probe(&self, key: u64) -> Option<Entry> {
        let place = self.place(key);
        let block = self.blocks[place / BLOCK].get()?;
        bucket(block, place)?.iter().find_map(|slot| {
            let data = slot.0[1].load(Ordering::Relaxed);
            let matches = slot.0[0].load(Ordering::Relaxed) ^ data == key && data != 0;
            matches.then(|| unpack(data))
        })
    }

    #[inline]
    pub(crate) fn store(&self, key: u64, entry: Entry) {
        let place = self.place(key);
        let block = self.block(place / BLOCK);
        let Some(bucket) = bucket(block, place) else {
            return;
        };
        let mut victim = &bucket[0];
        let mut least = u64::MAX;
        for slot in bucket {
            let data = slot.0[1].load(Ordering::Relaxed);
            if data == 0 || slot.0[0].load(Ordering::Relaxed) ^ data == key {
                victim = slot;
                break;
            }
            // Shallow and old entries go first.
            let fresh = u64::from(data >> 40 & 0x3f == self.age);
            let worth = (data >> 32 & 0xff) + fresh * 256;
            if worth < least {
                least = worth;
                victim = slot;
            }
        }
        let data = pack(entry, self.age);
        victim.0[0].store(key ^ data, Ordering::Relaxed);
        victim.0[1].store(data, Ordering::Relaxed);
    }
}

impl Drop for TranspositionTable {
    fn drop(&mut self) {
        let made = self.blocks.iter_mut().filter_map(OnceLock::take);
        let mut spare = spare();
        let room = MOST_SPARE.saturating_sub(spare.len());
        spare.extend(made.filter(|block| block.len() == BLOCK).take(room));
    }
}

fn spare() -> MutexGuard<'static, Vec<Box<[Slot]>>> {
    // Nothing panics while it holds the lock.
    SPARE.lock().unwrap_or_else(PoisonError::into_inner)
}

#[inline]
fn pack(entry: Entry, age: u64) -> u64 {
    let bound = match entry.bound {
        Bound::Lower => 1,
        Bound::Upper => 2,
        Bound::Exact => 3,
    };
    let best = entry
        .best_index
        .map_or(0, |best| u64::from(best).wrapping_add(1) & 0xffff);
    u64::from(entry.score as u32)
        | u64::from(entry.depth) << 32
        | age << 40
        | bound << 46
        | best << 48
}

#[inline]
fn unpack(data: u64) -> Entry {
    Entry {
        score: data as u32 as i32,
        depth: (data >> 32) as u8,
        bound: match data >> 46 & 3 {
            1 => Bound::Lower,
            2 => Bound::Upper,
            _ => Bound::Exact,
        },
        best_index: ((data >> 48) as u16).checked_sub(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_found_again() {
        let table = TranspositionTable::new(1 << 16, None);
        for (i, bound) in [Bound::Lower, Bound::Upper, Bound::Exact]
            .into_iter()
            .enumerate()
        {
            let entry = Entry {
                score: -1_999_993 + i as i32,
                depth: COMPLETE,
                bound,
                best_index: (i > 0).then_some(i as u16 * 400),
            };
            let key = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(i as u64 + 1);
            table.store(key, entry);
            assert_eq!(table.probe(key), Some(entry));
            assert_eq!(table.probe(key ^ 1), None);
        }
    }

    #[test]
    fn a_small_table_keeps_the_deeper_entries() {
        let table = TranspositionTable::new(0, None);
        let entry = |depth| Entry {
            score: 1,
            depth,
            bound: Bound::Exact,
            best_index: None,
        };
        for depth in 1..=40 {
            table.store(u64::from(depth), entry(depth));
        }
        // A later shallow entry takes the place of the shallowest.
        table.store(77, entry(0));
        assert_eq!(table.probe(39), Some(entry(39)));
        assert_eq!(table.probe(77), Some(entry(0)));
    }

    /// More memory than the machine has was once taken, and the program with it.
    #[test]
    fn a_huge_table_takes_only_what_is_used() {
        let table = TranspositionTable::new(usize::MAX >> 28, None);
        let entry = Entry {
            score: 7,
            depth: 1,
            bound: Bound::Exact,
            best_index: None,
        };
        table.store(u64::MAX, entry);
        assert_eq!(table.probe(u64::MAX), Some(entry));
    }

    /// A new table takes the blocks of one that was dropped, and knows nothing of what was in
    /// them.
    #[test]
    fn blocks_are_used_again_and_empty() {
        let entry = Entry {
            score: 7,
            depth: 1,
            bound: Bound::Exact,
            best_index: None,
        };
        let keys = (0..64).map(|key: u64| key << 58 | 1);
        for _ in 0..3 {
            let table = TranspositionTable::new(1 << 22, None);
            for key in keys.clone() {
                assert_eq!(table.probe(key), None);
                table.store(key, entry);
                assert_eq!(table.probe(key), Some(entry));
            }
            assert_eq!(table.memory_usage(), 1 << 22);
        }
        assert!(spare().len() <= MOST_SPARE);
    }
}
