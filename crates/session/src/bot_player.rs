//! A bot that plays in a game: searches on its own thread and reports what it finds.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError, Weak};
use std::thread;

use noughts_engine::{
    AnyBot, BotKind, BotSettings, SearchLimits, SearchReport, StopFlag, UnsupportedVariantError,
};
use noughts_rules::{AnyGameState, Variant};

/// Stack size for a search: searches recurse, and threads get a smaller stack than the main thread
/// by default.
pub const SEARCH_STACK_BYTES: usize = 32 << 20;

/// A bot that plays in a game. Its memory carries over from move to move.
#[derive(Clone)]
pub struct BotPlayer {
    kind: BotKind,
    variant: Variant,
    settings: BotSettings,
    /// Created by the first search: allocating its tables takes longer than a UI can wait.
    bot: Arc<Mutex<Option<AnyBot>>>,
}

/// A reference to a [`BotPlayer`] that doesn't keep it alive.
#[derive(Clone)]
pub struct WeakBotPlayer(Weak<Mutex<Option<AnyBot>>>);

impl WeakBotPlayer {
    /// Is the bot still part of its game?
    #[must_use]
    pub fn is_alive(&self) -> bool {
        self.0.strong_count() > 0
    }

    /// Does this refer to the given bot?
    #[must_use]
    pub fn is_same_bot(&self, player: &BotPlayer) -> bool {
        self.0.as_ptr() == Arc::as_ptr(&player.bot)
    }

    /// Drops the bot's memory, unless it is searching; it starts from scratch at its next move.
    /// Returns whether anything was dropped.
    #[must_use]
    pub fn clear_memory(&self) -> bool {
        let Some(bot) = self.0.upgrade() else {
            return false;
        };
        try_lock(&bot).is_some_and(|mut bot| bot.take().is_some())
    }
}

/// The bot, unless it is searching.
fn try_lock(bot: &Mutex<Option<AnyBot>>) -> Option<MutexGuard<'_, Option<AnyBot>>> {
    match bot.try_lock() {
        Ok(bot) => Some(bot),
        Err(TryLockError::Poisoned(bot)) => Some(bot.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

/// What a bot reports while it searches.
pub enum SearchUpdate {
    /// The best result so far.
    Progress(SearchReport<String>),
    /// The final result, or why there isn't one.
    Finished(Result<SearchReport<String>, String>),
}

/// A running search. Dropping the handle stops the search, which still reports its move.
pub struct SearchHandle {
    stop: StopFlag,
}

impl BotPlayer {
    /// Creates a bot for a game.
    ///
    /// # Errors
    /// The bot doesn't play this game.
    pub fn new(
        kind: BotKind,
        variant: Variant,
        settings: &BotSettings,
    ) -> Result<BotPlayer, UnsupportedVariantError> {
        kind.check_supports(variant)?;
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

    /// Bytes of memory in use; while it searches, the most it may use.
    #[must_use]
    pub fn memory(&self) -> usize {
        match try_lock(&self.bot) {
            Some(bot) => bot.as_ref().map_or(0, AnyBot::memory_usage),
            None => self.max_memory(),
        }
    }

    /// The most bytes the bot may use while it searches.
    #[must_use]
    pub fn max_memory(&self) -> usize {
        match self.kind {
            BotKind::Mcts | BotKind::AlphaBeta | BotKind::Perfect | BotKind::Best => {
                self.settings.memory
            }
            // The others keep nothing.
            _ => 0,
        }
    }

    /// A reference that doesn't keep the bot alive, for a server's list of all bots.
    #[must_use]
    pub fn downgrade(&self) -> WeakBotPlayer {
        WeakBotPlayer(Arc::downgrade(&self.bot))
    }

    /// Searches on a new thread and calls `on_update` there.
    pub fn start_search(
        &self,
        state: &AnyGameState,
        limits: SearchLimits,
        mut on_update: impl FnMut(SearchUpdate) + Send + 'static,
    ) -> SearchHandle {
        let stop = StopFlag::new();
        let handle = SearchHandle { stop: stop.clone() };
        let (player, state) = (self.clone(), state.clone());
        let work = move || {
            let result = player.search(&state, limits, &stop, &mut |report| {
                on_update(SearchUpdate::Progress(report.clone()));
            });
            on_update(SearchUpdate::Finished(result));
        };
        // If no thread can be started, no update ever arrives; a system in that state has bigger
        // problems.
        let _ = thread::Builder::new()
            .stack_size(SEARCH_STACK_BYTES)
            .spawn(work);
        handle
    }

    /// Searches on the calling thread, for callers with their own threads. Searches recurse, so the
    /// thread needs a stack of 32 MiB. `watch` receives the intermediate reports.
    ///
    /// # Errors
    /// The bot panicked; the message is a sentence.
    pub fn search(
        &self,
        state: &AnyGameState,
        limits: SearchLimits,
        stop: &StopFlag,
        watch: &mut dyn FnMut(&SearchReport<String>),
    ) -> Result<SearchReport<String>, String> {
        let limits = self.kind.limits_or_default(limits);
        let result = catch_unwind(AssertUnwindSafe(|| {
            let mut bot = self.bot.lock().unwrap_or_else(PoisonError::into_inner);
            // A bot that panics isn't used again: it is taken out here and put back only after a
            // completed search.
            let mut engine = match bot.take() {
                Some(engine) => engine,
                None => AnyBot::new(self.kind, self.variant, &self.settings)
                    .map_err(|error| error.to_string())?,
            };
            let report = engine.think(state, limits, stop, watch);
            *bot = Some(engine);
            Ok(report)
        }));
        result.unwrap_or_else(|_| Err(format!("{bot} crashed in this position", bot = self.kind)))
    }
}

impl SearchHandle {
    /// Makes the bot move now, with the best move found so far.
    pub fn move_now(&self) {
        self.stop.stop();
    }
}

impl Drop for SearchHandle {
    fn drop(&mut self) {
        self.move_now();
    }
}
