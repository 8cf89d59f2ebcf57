//! A bounded number of threads, separate from the web server's, on which bots think and positions
//! are analyzed. Work is stopped when nobody waits for it any longer. How much one visitor may
//! request is limited here only for hints, analyses and reviews.

mod job;
mod memory;
mod tablebase_cache;
#[cfg(test)]
mod tests;
mod visitor_slots;
mod worker_pool;

use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use noughts_engine::analysis::analyze;
use noughts_engine::{BotKind, BotSettings, SearchLimits, StopFlag};
use noughts_rules::{AnyGameState, Variant};
use noughts_session::{BotPlayer, review};
use tokio::sync::{oneshot, watch};

pub(crate) use job::{AnalysisEnd, AnalysisHandle, AnalysisProgress, BotJob};
use memory::BotMemoryBudget;
pub(crate) use tablebase_cache::{TablebaseCache, TablebaseStatus};
pub(crate) use visitor_slots::VisitorSlot;
use visitor_slots::{SlotKind, VisitorSlots};
pub(crate) use worker_pool::Load;
use worker_pool::{PoolConfig, Priority, TaskInfo, WorkerPool};

use crate::error::{ApiError, ApiErrorKind};
use crate::middleware::TaskOwner;

/// The most bot moves in the queue.
const MAX_QUEUED_MOVES: usize = 1024;
/// The most analyses in the queue.
const MAX_QUEUED_ANALYSES: usize = 64;
/// The most images in the queue.
const MAX_QUEUED_IMAGES: usize = 64;
/// The most hints in the queue.
const MAX_QUEUED_HINTS: usize = 64;
/// Threads for analyses on a small machine. They run at the lowest priority.
const MIN_ANALYSIS_THREADS: usize = 4;
/// Threads for hints, which are short and don't wait for analyses.
const HINT_THREADS: usize = 2;
/// An analysis that has run this long ends if another visitor's is waiting.
const TIME_SLICE: Duration = Duration::from_secs(10);
/// Positions with more moves than this take tens of megabytes at each ply of a search, so only one
/// is searched at a time.
const LARGE_MOVE_COUNT: usize = 100_000;
/// The most memory for one bot's search tables.
const MAX_BOT_MEMORY: usize = 16 << 20;
/// The most memory for one analysis.
const MAX_ANALYSIS_MEMORY: usize = 32 << 20;
/// The most memory for all analyses, which get a quarter of the budget.
const MAX_ANALYSES_MEMORY: usize = 128 << 20;
/// The least memory for a search table, whatever the budget.
const MIN_MEMORY: usize = 1 << 18;

/// The worker pools, and what they share.
pub(crate) struct EnginePool {
    /// Bots that search.
    moves: WorkerPool,
    /// Bots that reply at once, and never wait for one that searches.
    quick: WorkerPool,
    hints: WorkerPool,
    analyses: WorkerPool,
    images: WorkerPool,
    slots: VisitorSlots,
    tablebases: Arc<TablebaseCache>,
    /// The memory of all bots.
    memory: BotMemoryBudget,
    /// Bytes for one bot, and for one analysis.
    bot_memory: usize,
    analysis_memory: usize,
}

impl EnginePool {
    /// Starts the threads. `data_dir` is the program's data folder, with the tablebases; `budget`
    /// is the memory for the search tables of all bots and analyses, in bytes.
    pub(crate) fn new(data_dir: &Path, budget: usize) -> EnginePool {
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        let searching = PoolConfig {
            // One address may use the whole machine, and there is one more thread for others.
            threads: cores + 1,
            max_waiting: MAX_QUEUED_MOVES,
            max_per_visitor: 1,
            max_reviews: 0,
            priority: Priority::Normal,
        };
        let quick = PoolConfig {
            max_per_visitor: searching.threads,
            ..searching
        };
        let hints = PoolConfig {
            threads: HINT_THREADS,
            max_waiting: MAX_QUEUED_HINTS,
            max_per_visitor: 1,
            max_reviews: 0,
            priority: Priority::Lowest,
        };
        let analysis_budget = (budget / 4).min(MAX_ANALYSES_MEMORY);
        let threads = cores.max(MIN_ANALYSIS_THREADS);
        let max_reviews = max_review_searches(analysis_budget, threads);
        let analyses = PoolConfig {
            threads,
            max_waiting: MAX_QUEUED_ANALYSES,
            max_per_visitor: 2,
            max_reviews,
            ..hints
        };
        let images = PoolConfig {
            threads: 1,
            max_waiting: MAX_QUEUED_IMAGES,
            ..hints
        };
        let bot_budget = budget - analysis_budget;
        // Bots that think at the same time always fit.
        let max_bots = searching.threads + hints.threads;
        EnginePool {
            memory: BotMemoryBudget::new(bot_budget),
            bot_memory: (bot_budget / max_bots).clamp(MIN_MEMORY, MAX_BOT_MEMORY),
            analysis_memory: analysis_memory(analysis_budget, threads, max_reviews),
            moves: WorkerPool::new("bot", searching),
            quick: WorkerPool::new("quick bot", quick),
            hints: WorkerPool::new("hint", hints),
            analyses: WorkerPool::new("analysis", analyses),
            images: WorkerPool::new("picture", images),
            slots: VisitorSlots::default(),
            tablebases: Arc::new(TablebaseCache::open(data_dir)),
        }
    }

    pub(crate) fn tablebases(&self) -> &Arc<TablebaseCache> {
        &self.tablebases
    }

    /// Settings for a bot in this game, each with a different seed.
    pub(crate) fn bot_settings(&self, variant: Variant) -> BotSettings {
        BotSettings {
            seed: getrandom::u64().unwrap_or_default(),
            threads: 1,
            memory: self.bot_memory,
            tablebases: self.tablebases.tablebases_for(variant),
        }
    }

    /// How much is running and queued: bot moves, then hints and analyses.
    pub(crate) fn load(&self) -> [Load; 2] {
        [
            self.moves.load() + self.quick.load(),
            self.analyses.load() + self.hints.load(),
        ]
    }

    /// The bytes of all bots' search tables, and their limit.
    pub(crate) fn bot_memory_usage(&self) -> (usize, usize) {
        (self.memory.used(), self.memory.limit())
    }

    /// Starts a bot's move in a game. Dropping the job stops it.
    pub(crate) fn start_bot_move(
        &self,
        owner: TaskOwner,
        bot: &BotPlayer,
        state: &AnyGameState,
        limits: SearchLimits,
    ) -> BotJob {
        let task_info = task_info(owner, state);
        let pool = match is_quick(bot.kind()) && !task_info.is_large {
            true => &self.quick,
            false => &self.moves,
        };
        self.start_job(pool, bot, state, limits, task_info)
    }

    /// Starts a hint for a visitor. Bot moves in games don't wait for it.
    pub(crate) fn start_hint(
        &self,
        owner: TaskOwner,
        bot: &BotPlayer,
        state: &AnyGameState,
        limits: SearchLimits,
    ) -> BotJob {
        let task_info = task_info(owner, state);
        let slot = self
            .slots
            .acquire(owner.visitor, SlotKind::Hint, &task_info.stop);
        self.start_job(&self.hints, bot, state, limits, task_info)
            .with_slot(slot)
    }

    fn start_job(
        &self,
        pool: &WorkerPool,
        bot: &BotPlayer,
        state: &AnyGameState,
        limits: SearchLimits,
        task_info: TaskInfo,
    ) -> BotJob {
        let (bot, state, memory) = (bot.clone(), state.clone(), self.memory.clone());
        let (sender, receiver) = oneshot::channel();
        let stop = task_info.stop.clone();
        let task = move || {
            let reserved = memory.reserve(&bot);
            let result = bot.search(&state, limits, &stop, &mut |_| {});
            drop(reserved);
            // Nobody may be waiting for it any longer.
            let _ = sender.send(result);
        };
        // A rejected task is dropped together with its sender, so the job reports that the server
        // is busy.
        pool.submit(task, &task_info);
        BotJob::new(task_info.stop, receiver)
    }

    /// Starts an analysis for a visitor, replacing the visitor's oldest ones. Dropping the handle
    /// stops the work.
    pub(crate) fn start_analysis(
        &self,
        owner: TaskOwner,
        state: &AnyGameState,
        limits: SearchLimits,
    ) -> Result<AnalysisHandle, ApiError> {
        let task_info = task_info(owner, state);
        let settings = self.analysis_settings(state);
        let handle = self.start_search(state, settings, limits, &task_info)?;
        Ok(handle.with_slot(
            self.slots
                .acquire(owner.visitor, SlotKind::Analysis, &task_info.stop),
        ))
    }

    /// Makes room for a queued analysis by preempting one that has used its time slice.
    pub(crate) fn preempt_analyses(&self) {
        self.analyses.preempt_expired(TIME_SLICE);
    }

    /// Takes the visitor's slot for a review; a newer review replaces it.
    pub(crate) fn acquire_review_slot(&self, owner: TaskOwner) -> VisitorSlot {
        self.slots
            .acquire(owner.visitor, SlotKind::Review, &StopFlag::new())
    }

    /// Starts the search of one position of a review.
    pub(crate) fn start_review_search(
        &self,
        owner: TaskOwner,
        state: &AnyGameState,
        limits: SearchLimits,
    ) -> Result<AnalysisHandle, ApiError> {
        let settings = review::search_settings(self.analysis_settings(state));
        let task_info = TaskInfo {
            is_review: true,
            ..task_info(owner, state)
        };
        self.start_search(state, settings, limits, &task_info)
    }

    /// Renders an image, which takes a while for large ones.
    pub(crate) async fn render_image<T: Send + 'static>(
        &self,
        owner: TaskOwner,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let (sender, image) = oneshot::channel();
        let task = move || {
            let _ = sender.send(work());
        };
        let task_info = TaskInfo {
            owner,
            stop: StopFlag::new(),
            preempted: StopFlag::new(),
            is_large: false,
            is_review: false,
        };
        self.images.submit(task, &task_info);
        let busy = |_| {
            ApiError::new(
                ApiErrorKind::Busy,
                "too many images were requested at once; try again in a moment",
            )
        };
        image.await.map_err(busy)
    }

    fn analysis_settings(&self, state: &AnyGameState) -> BotSettings {
        BotSettings {
            memory: self.analysis_memory,
            ..self.bot_settings(state.variant())
        }
    }

    fn start_search(
        &self,
        state: &AnyGameState,
        settings: BotSettings,
        limits: SearchLimits,
        task_info: &TaskInfo,
    ) -> Result<AnalysisHandle, ApiError> {
        let state = state.clone();
        let (sender, progress) = watch::channel(AnalysisProgress::default());
        let (stop, preempted) = (task_info.stop.clone(), task_info.preempted.clone());
        let task = move || {
            sender.send_modify(|progress| progress.is_started = true);
            let work = AssertUnwindSafe(|| {
                analyze(&state, &settings, limits, &stop, &mut |report| {
                    sender.send_modify(|progress| progress.add_report(report.clone()));
                });
            });
            let ending = match catch_unwind(work) {
                Err(_) => AnalysisEnd::Failed,
                Ok(()) if stop.is_stopped() => AnalysisEnd::Stopped,
                Ok(()) => AnalysisEnd::Complete,
            };
            let note = match (ending, preempted.is_stopped()) {
                (AnalysisEnd::Failed, _) => Some("the analysis of this position failed"),
                (_, true) => {
                    Some("stopped because other visitors are waiting; analyze again to continue")
                }
                (_, false) => None,
            };
            sender.send_modify(|progress| progress.finish(ending, note));
        };
        if self.analyses.submit(task, task_info) {
            Ok(AnalysisHandle::new(task_info.stop.clone(), progress))
        } else {
            let message = "too many analyses were requested at once; try again in a minute";
            Err(ApiError::new(ApiErrorKind::Busy, message))
        }
    }
}

fn task_info(owner: TaskOwner, state: &AnyGameState) -> TaskInfo {
    TaskInfo {
        owner,
        stop: StopFlag::new(),
        preempted: StopFlag::new(),
        is_large: state.count_moves() > LARGE_MOVE_COUNT,
        is_review: false,
    }
}

/// The most review searches that run at once. Their tables have a fixed size, whatever the budget,
/// and take at most half of it. One can always run.
fn max_review_searches(analysis_budget: usize, threads: usize) -> usize {
    (analysis_budget / 2 / review::MEMORY_BYTES).clamp(1, threads)
}

/// The memory for one analysis, so that all threads together stay within the budget, with or
/// without the most reviews.
fn analysis_memory(analysis_budget: usize, threads: usize, max_reviews: usize) -> usize {
    let with_reviews = analysis_budget.saturating_sub(max_reviews * review::MEMORY_BYTES);
    let with_reviews = with_reviews.checked_div(threads - max_reviews);
    let per_thread = (analysis_budget / threads).min(with_reviews.unwrap_or(usize::MAX));
    per_thread.clamp(MIN_MEMORY, MAX_ANALYSIS_MEMORY)
}

/// Bots that reply within milliseconds, without a search.
fn is_quick(kind: BotKind) -> bool {
    match kind {
        BotKind::Random | BotKind::Easy | BotKind::Medium | BotKind::Hard => true,
        BotKind::MonteCarlo
        | BotKind::Negamax
        | BotKind::Mcts
        | BotKind::AlphaBeta
        | BotKind::Perfect
        | BotKind::Best => false,
    }
}
