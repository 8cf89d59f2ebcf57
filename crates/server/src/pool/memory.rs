//! One memory budget for the search tables of all bots. When it is spent, the bots that
//! have not thought for longest lose theirs; they build new ones when they next think.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use noughts_session::{BotPlayer, WeakBotPlayer};

use crate::meter;

/// The bots' memory. Clones share it.
#[derive(Clone)]
pub(super) struct BotMemoryBudget(Arc<Shared>);

struct Shared {
    limit: usize,
    /// The bots that have tables or think; the least recently used first.
    bots: Mutex<Vec<Held>>,
}

struct Held {
    bot: WeakBotPlayer,
    bytes: usize,
    /// How many moves it is thinking about.
    thinking: usize,
}

/// A bot that thinks, until this is dropped.
pub(super) struct MemoryReservation<'a> {
    memory: &'a BotMemoryBudget,
    computer: &'a BotPlayer,
}

impl BotMemoryBudget {
    pub(super) fn new(limit: usize) -> BotMemoryBudget {
        BotMemoryBudget(Arc::new(Shared {
            limit,
            bots: Mutex::default(),
        }))
    }

    /// A bot starts to think: reserves what it may use, and makes room for that.
    pub(super) fn reserve<'a>(&'a self, computer: &'a BotPlayer) -> MemoryReservation<'a> {
        let mut bots = self.lock();
        let mut held = take(&mut bots, computer);
        held.thinking += 1;
        held.bytes = held.bytes.max(computer.max_memory());
        bots.push(held);
        self.make_room(&mut bots);
        MemoryReservation {
            memory: self,
            computer,
        }
    }

    /// Bytes that bots hold or have reserved.
    pub(super) fn used(&self) -> usize {
        used(&mut self.lock())
    }

    pub(super) fn limit(&self) -> usize {
        self.0.limit
    }

    /// Drops tables, least recently used first, until the rest fits. Bots that think
    /// keep theirs.
    fn make_room(&self, bots: &mut Vec<Held>) {
        let mut over = used(bots).saturating_sub(self.0.limit);
        for held in bots.iter_mut() {
            if over == 0 {
                break;
            }
            if held.thinking == 0 && held.bot.clear_memory() {
                over = over.saturating_sub(held.bytes);
                held.bytes = 0;
                meter::count_dropped_bot_tables();
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Held>> {
        // Nothing panics while it holds the lock.
        self.0.bots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The sum. Bots whose game is gone, and those without tables, are forgotten.
fn used(bots: &mut Vec<Held>) -> usize {
    bots.retain(|held| held.bot.is_alive() && (held.thinking > 0 || held.bytes > 0));
    bots.iter().map(|held| held.bytes).sum()
}

/// Takes the bot off the list.
fn take(bots: &mut Vec<Held>, computer: &BotPlayer) -> Held {
    match bots.iter().position(|held| held.bot.is_same_bot(computer)) {
        Some(at) => bots.remove(at),
        None => Held {
            bot: computer.downgrade(),
            bytes: 0,
            thinking: 0,
        },
    }
}

impl Drop for MemoryReservation<'_> {
    fn drop(&mut self) {
        let mut bots = self.memory.lock();
        let mut held = take(&mut bots, self.computer);
        held.thinking = held.thinking.saturating_sub(1);
        if held.thinking == 0 {
            held.bytes = self.computer.memory();
        }
        bots.push(held);
        // A small board's table is smaller than what was reserved; a large one's is not.
        self.memory.make_room(&mut bots);
    }
}
