//! One memory budget for the search tables of all bots. When it's used up, the least recently used
//! bots lose their tables and allocate new ones when they next think.

use metrics::counter;
use noughts_session::{BotPlayer, WeakBotPlayer};
use parking_lot::Mutex;

use crate::meter;

/// The memory budget of all bots.
pub(super) struct BotMemoryBudget {
    pub(super) limit: usize,
    /// The bots that have tables or are thinking, the least recently used first.
    bots: Mutex<Vec<BotMemoryEntry>>,
}

struct BotMemoryEntry {
    bot: WeakBotPlayer,
    bytes: usize,
    /// The number of moves it's thinking about.
    thinking: usize,
}

/// Memory reserved for a thinking bot, until it's dropped.
pub(super) struct MemoryReservation<'a> {
    memory: &'a BotMemoryBudget,
    bot: &'a BotPlayer,
}

impl BotMemoryBudget {
    pub(super) fn new(limit: usize) -> BotMemoryBudget {
        BotMemoryBudget {
            limit,
            bots: Mutex::default(),
        }
    }

    /// Reserves what a bot may use before it starts to think, and makes room for it.
    pub(super) fn reserve<'a>(&'a self, bot: &'a BotPlayer) -> MemoryReservation<'a> {
        let mut bots = self.bots.lock();
        let mut entry = remove_entry(&mut bots, bot);
        entry.thinking += 1;
        entry.bytes = entry.bytes.max(bot.max_memory());
        bots.push(entry);
        self.make_room(&mut bots);
        MemoryReservation { memory: self, bot }
    }

    /// Bytes that bots use or have reserved.
    pub(super) fn used(&self) -> usize {
        used(&mut self.bots.lock())
    }

    /// Drops tables, the least recently used first, until the rest fits. Thinking bots keep theirs.
    fn make_room(&self, bots: &mut Vec<BotMemoryEntry>) {
        let mut excess = used(bots).saturating_sub(self.limit);
        for entry in bots.iter_mut() {
            if excess == 0 {
                break;
            }
            if entry.thinking == 0 && entry.bot.clear_memory() {
                excess = excess.saturating_sub(entry.bytes);
                entry.bytes = 0;
                counter!(meter::BOT_TABLES_DROPPED).increment(1);
            }
        }
    }
}

/// The sum. Also removes bots whose game is gone or that have no tables.
fn used(bots: &mut Vec<BotMemoryEntry>) -> usize {
    bots.retain(|entry| entry.bot.is_alive() && (entry.thinking > 0 || entry.bytes > 0));
    bots.iter().map(|entry| entry.bytes).sum()
}

/// Removes the bot from the list, or makes a new entry.
fn remove_entry(bots: &mut Vec<BotMemoryEntry>, bot: &BotPlayer) -> BotMemoryEntry {
    match bots.iter().position(|entry| entry.bot.is_same_bot(bot)) {
        Some(index) => bots.remove(index),
        None => BotMemoryEntry {
            bot: bot.downgrade(),
            bytes: 0,
            thinking: 0,
        },
    }
}

impl Drop for MemoryReservation<'_> {
    fn drop(&mut self) {
        let mut bots = self.memory.bots.lock();
        let mut entry = remove_entry(&mut bots, self.bot);
        entry.thinking = entry.thinking.saturating_sub(1);
        if entry.thinking == 0 {
            entry.bytes = self.bot.memory();
        }
        bots.push(entry);
        // A small board's table is smaller than what was reserved; a large one's isn't.
        self.memory.make_room(&mut bots);
    }
}
