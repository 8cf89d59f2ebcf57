//! A bot at the board: thinks on a thread of its own and tells what it finds.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError, TryLockError, Weak};
use std::thread;

use noughts_engine::{AnyBot, BotKind, BotSettings, SearchLimits, SearchReport, StopFlag};
use noughts_rules::{AnyGameState, Variant};

/// The stack that thinking wants: searches recurse, and threads begin with less than
/// programs.
pub const SEARCH_STACK_BYTES: usize = 32 << 20;

/// A bot that sits in a game. What it remembers stays from move to move.
#[derive(Clone)]
pub struct BotPlayer {
    kind: BotKind,
    variant: Variant,
    settings: BotSettings,
    /// Made when it first thinks: its tables take a moment that a screen does not have.
    bot: Arc<Mutex<Option<AnyBot>>>,
}

/// A [`Computer`] that nothing keeps but its game.
#[derive(Clone)]
pub struct WeakBotPlayer(Weak<Mutex<Option<AnyBot>>>);

impl WeakBotPlayer {
    /// Does its game still have it?
    #[must_use]
    pub fn is_alive(&self) -> bool {
        self.0.strong_count() > 0
    }

    /// Is it this one?
    #[must_use]
    pub fn is_same_bot(&self, computer: &BotPlayer) -> bool {
        self.0.as_ptr() == Arc::as_ptr(&computer.bot)
    }

    /// Drops what the bot remembers, unless it is thinking: it starts afresh with its next
    /// move. Returns whether anything was dropped.
    #[must_use]
    pub fn clear_memory(&self) -> bool {
        let Some(bot) = self.0.upgrade() else {
            return false;
        };
        match bot.try_lock() {
            Ok(mut bot) => bot.take().is_some(),
            Err(TryLockError::Poisoned(bot)) => bot.into_inner().take().is_some(),
            Err(TryLockError::WouldBlock) => false,
        }
    }
}

/// What a bot tells while it thinks.
pub enum SearchUpdate {
    /// The best so far.
    Progress(SearchReport<String>),
    /// Its move, or why there is none.
    Finished(Result<SearchReport<String>, String>),
}

/// A bot thinking. Dropping it makes the bot stop; it tells its move all the same.
pub struct SearchHandle {
    stop: StopFlag,
}

impl BotPlayer {
    /// A bot for a game.
    ///
    /// # Errors
    /// It does not play that game.
    pub fn new(
        kind: BotKind,
        variant: Variant,
        settings: &BotSettings,
    ) -> Result<BotPlayer, String> {
        kind.check_supports(variant)
            .map_err(|reason| format!("{kind} does not play {variant}: {reason}"))?;
        Ok(BotPlayer {
            kind,
            variant,
            settings: settings.clone(),
            bot: Arc::new(Mutex::new(None)),
        })
    }

    /// Which bot it is.
    #[must_use]
    pub fn kind(&self) -> BotKind {
        self.kind
    }

    /// Bytes of what the bot remembers; while it thinks, as many as it may use.
    #[must_use]
    pub fn memory(&self) -> usize {
        match self.bot.try_lock() {
            Ok(bot) => bot.as_ref().map_or(0, AnyBot::memory_usage),
            Err(TryLockError::Poisoned(bot)) => {
                bot.into_inner().as_ref().map_or(0, AnyBot::memory_usage)
            }
            Err(TryLockError::WouldBlock) => self.max_memory(),
        }
    }

    /// Bytes that the bot may use while it thinks.
    #[must_use]
    pub fn max_memory(&self) -> usize {
        match self.kind {
            BotKind::Mcts | BotKind::AlphaBeta | BotKind::Perfect | BotKind::Best => {
                self.settings.memory
            }
            BotKind::Random
            | BotKind::Easy
            | BotKind::Medium
            | BotKind::Hard
            | BotKind::MonteCarlo
            | BotKind::Negamax => 0,
        }
    }

    /// The same bot, without keeping it: for a list of all bots of a server.
    #[must_use]
    pub fn downgrade(&self) -> WeakBotPlayer {
        WeakBotPlayer(Arc::downgrade(&self.bot))
    }

    /// Thinks on a thread of its own, where `tell` is called.
    pub fn start_search(
        &self,
        play: &AnyGameState,
        limits: SearchLimits,
        mut tell: impl FnMut(SearchUpdate) + Send + 'static,
    ) -> SearchHandle {
        let stop = StopFlag::new();
        let thinking = SearchHandle { stop: stop.clone() };
        let (computer, play) = (self.clone(), play.clone());
        let work = move || {
            let done = computer.search(&play, limits, &stop, &mut |report| {
                tell(SearchUpdate::Progress(report.clone()));
            });
            tell(SearchUpdate::Finished(done));
        };
        // Without a thread nothing is ever told; a system in that state has other worries.
        let _ = thread::Builder::new()
            .stack_size(SEARCH_STACK_BYTES)
            .spawn(work);
        thinking
    }

    /// Thinks on the caller's thread, for whoever has threads of their own: searches
    /// recurse, so it wants a stack of 32 MiB. `watch` sees the reports on the way.
    ///
    /// # Errors
    /// The bot broke down, as a sentence.
    pub fn search(
        &self,
        play: &AnyGameState,
        limits: SearchLimits,
        stop: &StopFlag,
        watch: &mut dyn FnMut(&SearchReport<String>),
    ) -> Result<SearchReport<String>, String> {
        let limits = self.kind.limits_or_default(limits);
        let found = catch_unwind(AssertUnwindSafe(|| {
            let mut bot = self.bot.lock().unwrap_or_else(PoisonError::into_inner);
            // What broke down is not asked again: it leaves its place, and comes back
            // only when it has thought to the end.
            let mut thinker = match bot.take() {
                Some(thinker) => thinker,
                None => AnyBot::new(self.kind, self.variant, &self.settings)?,
            };
            let report = thinker.think(play, limits, stop, watch);
            *bot = Some(thinker);
            Ok(report)
        }));
        found.unwrap_or_else(|_| Err(format!("{} broke down over this position", self.kind)))
    }
}

impl SearchHandle {
    /// Makes it answer with the best it has.
    pub fn move_now(&self) {
        self.stop.stop();
    }
}

impl Drop for SearchHandle {
    fn drop(&mut self) {
        self.move_now();
    }
}
