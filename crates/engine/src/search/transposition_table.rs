//! The transposition table, shared by all threads of a search without locks.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// What is stored about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TableEntry {
    /// Relative to the position: win distances are counted from here.
    pub(crate) score: i32,
    /// Search depth in plies; [`COMPLETE`] if searched to the end.
    pub(crate) depth: u8,
    pub(crate) bound: Bound,
    /// The index of the best move in the game's move order, if known.
    pub(crate) best_index: Option<u16>,
}

/// The depth of a search to the end of every game.
pub(crate) const COMPLETE: u8 = u8::MAX;

/// How the score relates to the true value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// The true value is at least the score.
    Lower,
    /// The true value is at most the score.
    Upper,
    /// The true value is the score.
    Exact,
}

/// A slot is two words. The first is the key XORed with the second, so a slot written by two
/// threads at once matches no key and never returns a wrong entry.
///
/// ```text
///   63  …  48 47 46 45 … 40 39 … 32 31 … 0
///  [ best + 1 │bound│  age  │ depth │ score ]
/// ```
struct TableSlot([AtomicU64; 2]);

/// Four slots form a bucket and share a cache line.
const WAYS: usize = 4;

/// Slots are allocated in blocks of this size on the first write, so a large table costs a short
/// search nothing.
const BLOCK_SLOTS: usize = 1 << 14;

pub(crate) struct TranspositionTable {
    blocks: Box<[OnceLock<Box<[TableSlot]>>]>,
    buckets: usize,
    age: u64,
}

/// Blocks of dropped tables, to be reused. Each search has its own threads, and the system
/// allocator keeps memory in the arena of the thread that freed it, so consecutive analyses would
/// use more and more memory.
static SPARE_BLOCKS: Mutex<Vec<Box<[TableSlot]>>> = Mutex::new(Vec::new());

/// Keep at most this many spare blocks: 64 MiB.
const MAX_SPARE_BLOCKS: usize = (64 << 20) / size_of::<[TableSlot; BLOCK_SLOTS]>();

/// The slots for a key; `None` in a block that couldn't be allocated.
#[inline]
fn bucket(block: &[TableSlot], bucket_start: usize) -> Option<&[TableSlot]> {
    block.get(bucket_start % BLOCK_SLOTS..)?.get(..WAYS)
}

impl TranspositionTable {
    /// Creates a table of at most this many bytes, and no larger than a search over `plies` plies
    /// could fill.
    pub(crate) fn new(bytes: usize, plies: Option<u32>) -> TranspositionTable {
        let capacity = (bytes / size_of::<TableSlot>()).max(WAYS);
        // Each cell is empty or has one of two marks.
        let max_positions = plies.map_or(usize::MAX, |plies| 3usize.saturating_pow(plies));
        let buckets = capacity.min(max_positions.max(256)).div_ceil(WAYS);
        let blocks = (buckets * WAYS).div_ceil(BLOCK_SLOTS);
        TranspositionTable {
            blocks: (0..blocks).map(|_| OnceLock::new()).collect(),
            buckets,
            age: 0,
        }
    }

    /// Bytes of the allocated blocks.
    pub(crate) fn memory_usage(&self) -> usize {
        let allocated = self.blocks.iter().filter_map(OnceLock::get);
        allocated.map(|block| size_of_val(&**block)).sum()
    }

    /// Starts a new search: entries of earlier ones may be replaced first.
    pub(crate) fn new_search(&mut self) {
        self.age = (self.age + 1) & 0x3f;
    }

    /// The index of the first slot for a key. Uses the high bits: a multiplication instead of a
    /// division.
    #[inline]
    fn bucket_start(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets as u128) >> 64) as usize * WAYS
    }

    #[inline]
    fn block(&self, number: usize) -> &[TableSlot] {
        self.blocks[number].get_or_init(|| {
            // The block of a small table is no larger than the table.
            let slots = BLOCK_SLOTS.min(self.buckets * WAYS);
            if slots == BLOCK_SLOTS
                && let Some(mut block) = spare_blocks().pop()
            {
                for word in block.iter_mut().flat_map(|slot| &mut slot.0) {
                    *word.get_mut() = 0;
                }
                return block;
            }
            let empty = || TableSlot([AtomicU64::new(0), AtomicU64::new(0)]);
            let mut block = Vec::new();
            // If there is no memory left, the block stays empty and its entries aren't stored.
            if block.try_reserve_exact(slots).is_ok() {
                block.resize_with(slots, empty);
            }
            block.into()
        })
    }

    /// Allocates a table of the default size in advance, or the same amount of a larger one, so
    /// that no move has to wait for it.
    pub(crate) fn preallocate(&self) {
        const DEFAULT_BYTES: usize = 64 << 20;
        let blocks = DEFAULT_BYTES / size_of::<[TableSlot; BLOCK_SLOTS]>();
        for number in 0..self.blocks.len().min(blocks) {
            self.block(number);
        }
    }

    #[inline]
    pub(crate) fn probe(&self, key: u64) -> Option<TableEntry> {
        let bucket_start = self.bucket_start(key);
        let block = self.blocks[bucket_start / BLOCK_SLOTS].get()?;
        bucket(block, bucket_start)?.iter().find_map(|slot| {
            let data = slot.0[1].load(Ordering::Relaxed);
            let matches = slot.0[0].load(Ordering::Relaxed) ^ data == key && data != 0;
            matches.then(|| unpack(data))
        })
    }

    #[inline]
    pub(crate) fn store(&self, key: u64, entry: TableEntry) {
        let bucket_start = self.bucket_start(key);
        let block = self.block(bucket_start / BLOCK_SLOTS);
        let Some(bucket) = bucket(block, bucket_start) else {
            return;
        };
        let mut victim = &bucket[0];
        let mut lowest = u64::MAX;
        for slot in bucket {
            let data = slot.0[1].load(Ordering::Relaxed);
            if data == 0 || slot.0[0].load(Ordering::Relaxed) ^ data == key {
                victim = slot;
                break;
            }
            // Shallow and old entries are replaced first.
            let is_current = u64::from(data >> 40 & 0x3f == self.age);
            let priority = (data >> 32 & 0xff) + is_current * 256;
            if priority < lowest {
                lowest = priority;
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
        let allocated = self.blocks.iter_mut().filter_map(OnceLock::take);
        let full_size = allocated.filter(|block| block.len() == BLOCK_SLOTS);
        let mut spare_blocks = spare_blocks();
        let capacity = MAX_SPARE_BLOCKS.saturating_sub(spare_blocks.len());
        spare_blocks.extend(full_size.take(capacity));
    }
}

fn spare_blocks() -> MutexGuard<'static, Vec<Box<[TableSlot]>>> {
    // No code panics while it holds the lock.
    SPARE_BLOCKS.lock().unwrap_or_else(PoisonError::into_inner)
}

#[inline]
fn pack(entry: TableEntry, age: u64) -> u64 {
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
fn unpack(data: u64) -> TableEntry {
    TableEntry {
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
    fn stored_entries_are_found() {
        let table = TranspositionTable::new(1 << 16, None);
        for (i, bound) in [Bound::Lower, Bound::Upper, Bound::Exact]
            .into_iter()
            .enumerate()
        {
            let entry = TableEntry {
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
    fn small_table_keeps_deeper_entries() {
        let table = TranspositionTable::new(0, None);
        let entry = |depth| TableEntry {
            score: 1,
            depth,
            bound: Bound::Exact,
            best_index: None,
        };
        for depth in 1..=40 {
            table.store(u64::from(depth), entry(depth));
        }
        // A later, shallow entry replaces the shallowest one.
        table.store(77, entry(0));
        assert_eq!(table.probe(39), Some(entry(39)));
        assert_eq!(table.probe(77), Some(entry(0)));
    }

    /// A table larger than the machine's memory used to crash the program.
    #[test]
    fn huge_table_allocates_only_used_blocks() {
        let table = TranspositionTable::new(usize::MAX >> 28, None);
        let entry = TableEntry {
            score: 7,
            depth: 1,
            bound: Bound::Exact,
            best_index: None,
        };
        table.store(u64::MAX, entry);
        assert_eq!(table.probe(u64::MAX), Some(entry));
    }

    /// A new table reuses the blocks of a dropped one, cleared.
    #[test]
    fn reused_blocks_are_cleared() {
        let entry = TableEntry {
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
        assert!(spare_blocks().len() <= MAX_SPARE_BLOCKS);
    }
}
