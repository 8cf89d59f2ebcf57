//! A bounded number of threads, separate from the web server's, on which bots think and positions
//! are analyzed. Work is stopped when nobody waits for it any longer. How much one visitor may
//! request is limited here only for hints, analyses and reviews.

mod job;
mod memory;
mod reviews;
mod tablebase_cache;
#[cfg(test)]
mod tests;
mod worker_pool;

use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use noughts_engine::analysis::analyze;
use noughts_engine::{BotKind, BotSettings, SearchLimits, SearchReport, StopFlag};
use noughts_rules::{AnyGameState, Variant};
use noughts_session::{BotPlayer, review};
use thread_priority::ThreadPriority;
use tokio::sync::{oneshot, watch};

use job::StopOnDrop;
pub(crate) use job::{AnalysisEnd, AnalysisHandle, AnalysisProgress};
use memory::BotMemoryBudget;
pub(crate) use reviews::ReviewSlot;
use reviews::RunningReviews;
pub(crate) use tablebase_cache::{TablebaseCache, TablebaseStatus};
pub(crate) use worker_pool::PoolLoad;
use worker_pool::{TaskInfo, TaskLane, WorkerPool};

use crate::error::{ApiError, ApiErrorKind};
use crate::middleware::TaskOwner;

/// Threads for hints, which are short.
const HINT_THREADS: usize = 2;
/// Threads for analyses on a small machine. They run at the lowest priority.
const MIN_ANALYSIS_THREADS: usize = 4;
/// The most analyses in the queue.
const MAX_QUEUED_ANALYSES: usize = 64;
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

/// A bot's move, or why there is none.
type BotResult = Result<SearchReport<String>, String>;

/// The worker pools, and what they share.
pub(crate) struct EnginePool {
    /// Bots' moves and hints.
    bots: WorkerPool,
    /// Analyses, reviews and images, which only get what other threads leave over.
    analyses: WorkerPool,
    lanes: Lanes,
    reviews: RunningReviews,
    pub(crate) tablebases: Arc<TablebaseCache>,
    /// The memory of all bots.
    memory: Arc<BotMemoryBudget>,
    /// Bytes for one bot, and for one analysis.
    bot_memory: usize,
    analysis_memory: usize,
}

/// What the threads are used for.
struct Lanes {
    /// Bots that reply at once, and never wait for one that searches.
    quick: TaskLane,
    /// Bots that search.
    moves: TaskLane,
    hints: TaskLane,
    /// Analyses, and the searches of reviews.
    analyses: TaskLane,
    images: TaskLane,
}

impl Lanes {
    fn new(cores: usize, analysis_threads: usize, max_reviews: usize) -> Lanes {
        let moves = TaskLane {
            name: "moves",
            // One address may use the whole machine, and there is one more thread for others.
            threads: cores + 1,
            max_waiting: 1024,
            max_per_visitor: 1,
            replaces_oldest: false,
            max_reviews: 0,
        };
        let hints = TaskLane {
            name: "hints",
            threads: HINT_THREADS,
            max_waiting: 64,
            replaces_oldest: true,
            ..moves
        };
        Lanes {
            quick: TaskLane {
                name: "quick moves",
                max_per_visitor: moves.threads,
                ..moves
            },
            moves,
            hints,
            analyses: TaskLane {
                name: "analyses",
                threads: analysis_threads,
                max_waiting: MAX_QUEUED_ANALYSES,
                // Two browser tabs.
                max_per_visitor: 2,
                max_reviews,
                ..hints
            },
            images: TaskLane {
                name: "images",
                threads: 1,
                max_waiting: 64,
                ..moves
            },
        }
    }
}

impl EnginePool {
    /// Starts the threads. `data_dir` is the program's data folder, with the tablebases; `budget`
    /// is the memory for the search tables of all bots and analyses, in bytes.
    pub(crate) fn new(data_dir: &Path, budget: usize) -> EnginePool {
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        let analysis_budget = (budget / 4).min(MAX_ANALYSES_MEMORY);
        let threads = cores.max(MIN_ANALYSIS_THREADS);
        let max_reviews = max_review_searches(analysis_budget, threads);
        let lanes = Lanes::new(cores, threads, max_reviews);
        let bot_budget = budget - analysis_budget;
        // Bots that think at the same time always fit.
        let max_bots = lanes.moves.threads + lanes.hints.threads;
        let bots = [lanes.quick, lanes.moves, lanes.hints];
        let background = [lanes.analyses, lanes.images];
        EnginePool {
            memory: Arc::new(BotMemoryBudget::new(bot_budget)),
            bot_memory: (bot_budget / max_bots).clamp(MIN_MEMORY, MAX_BOT_MEMORY),
            analysis_memory: analysis_memory(analysis_budget, threads, max_reviews),
            bots: WorkerPool::new("bot", &bots, None),
            analyses: WorkerPool::new("analysis", &background, Some(ThreadPriority::Min)),
            lanes,
            reviews: RunningReviews::default(),
            tablebases: Arc::new(TablebaseCache::open(data_dir)),
        }
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

    /// How much is running and queued: moves and hints, then analyses and images.
    pub(crate) fn load(&self) -> [PoolLoad; 2] {
        [self.bots.load(), self.analyses.load()]
    }

    /// The bytes of all bots' search tables, and their limit.
    pub(crate) fn bot_memory_usage(&self) -> (usize, usize) {
        (self.memory.used(), self.memory.limit)
    }

    /// Starts a bot's move in a game. Dropping the future stops it.
    pub(crate) fn start_bot_move(
        &self,
        owner: TaskOwner,
        bot: &BotPlayer,
        state: &AnyGameState,
        limits: SearchLimits,
    ) -> impl Future<Output = BotResult> + Send + use<> {
        let info = task_info(self.lanes.moves, owner, state);
        let lane = match is_quick(bot.kind()) && !info.is_large {
            true => self.lanes.quick,
            false => self.lanes.moves,
        };
        self.start_job(bot, state, limits, TaskInfo { lane, ..info })
    }

    /// Starts a hint for a visitor, replacing their other one. Bot moves in games don't wait for it.
    pub(crate) fn start_hint(
        &self,
        owner: TaskOwner,
        bot: &BotPlayer,
        state: &AnyGameState,
        limits: SearchLimits,
    ) -> impl Future<Output = BotResult> + Send + use<> {
        let info = task_info(self.lanes.hints, owner, state);
        self.start_job(bot, state, limits, info)
    }

    /// The result is an error if the bot panicked, or too many others are queued.
    fn start_job(
        &self,
        bot: &BotPlayer,
        state: &AnyGameState,
        limits: SearchLimits,
        info: TaskInfo,
    ) -> impl Future<Output = BotResult> + Send + use<> {
        let (bot, state, memory) = (bot.clone(), state.clone(), self.memory.clone());
        let task = run_task(&self.bots, info, move |stop| {
            let _reserved = memory.reserve(&bot);
            bot.search(&state, limits, stop, &mut |_| {})
        });
        async move {
            let busy = || Err("too many bots are thinking; try again in a moment".into());
            task.await.unwrap_or_else(busy)
        }
    }

    /// Starts an analysis for a visitor, replacing the visitor's oldest ones. Dropping the handle
    /// stops the work.
    pub(crate) fn start_analysis(
        &self,
        owner: TaskOwner,
        state: &AnyGameState,
        limits: SearchLimits,
    ) -> Result<AnalysisHandle, ApiError> {
        let info = task_info(self.lanes.analyses, owner, state);
        self.start_search(state, self.analysis_settings(state), limits, info)
    }

    /// Makes room for a queued analysis by preempting one that has used its time slice.
    pub(crate) fn preempt_analyses(&self) {
        self.analyses
            .preempt_expired(&self.lanes.analyses, TIME_SLICE);
    }

    /// Starts a visitor's review; a newer one replaces it.
    pub(crate) fn start_review(&self, owner: TaskOwner) -> ReviewSlot {
        self.reviews.start(owner.visitor)
    }

    /// Starts the search of one position of a review.
    pub(crate) fn start_review_search(
        &self,
        owner: TaskOwner,
        state: &AnyGameState,
        limits: SearchLimits,
    ) -> Result<AnalysisHandle, ApiError> {
        let settings = review::search_settings(self.analysis_settings(state));
        let info = TaskInfo {
            is_review: true,
            ..task_info(self.lanes.analyses, owner, state)
        };
        self.start_search(state, settings, limits, info)
    }

    /// Renders an image, which takes a while for large ones.
    pub(crate) async fn render_image<T: Send + 'static>(
        &self,
        owner: TaskOwner,
        state: AnyGameState,
        render: impl FnOnce(&AnyGameState) -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let info = task_info(self.lanes.images, owner, &state);
        let image = run_task(&self.analyses, info, move |_| render(&state)).await;
        let busy = "too many images were requested at once; try again in a moment";
        image.ok_or_else(|| ApiErrorKind::Busy.error(busy))
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
        info: TaskInfo,
    ) -> Result<AnalysisHandle, ApiError> {
        let state = state.clone();
        let (sender, progress) = watch::channel(AnalysisProgress::default());
        let (stop, preempted) = (info.stop.clone(), info.preempted.clone());
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
            let failed = "the analysis of this position failed; try again";
            let yielded = "stopped because other visitors are waiting; analyze again to continue";
            let note = match ending {
                AnalysisEnd::Failed => Some(failed),
                _ => preempted.is_stopped().then_some(yielded),
            };
            sender.send_modify(|progress| progress.finish(ending, note));
        };
        let message = "too many analyses were requested at once; try again in a minute";
        ApiErrorKind::Busy.require(self.analyses.submit(task, &info), message)?;
        Ok(AnalysisHandle {
            progress,
            _stop: StopOnDrop(info.stop),
        })
    }
}

/// Runs a task on a pool. Dropping the future stops it. The result is `None` if the task panicked, or
/// was rejected: then it is dropped together with its sender.
fn run_task<T, F>(
    pool: &WorkerPool,
    info: TaskInfo,
    task: F,
) -> impl Future<Output = Option<T>> + Send + use<T, F>
where
    T: Send + 'static,
    F: FnOnce(&StopFlag) -> T + Send + 'static,
{
    let (sender, receiver) = oneshot::channel();
    let stop = info.stop.clone();
    let task = move || {
        // Nobody may be waiting for it any longer.
        let _ = sender.send(task(&stop));
    };
    pool.submit(task, &info);
    let stop = StopOnDrop(info.stop);
    async move {
        let result = receiver.await;
        drop(stop);
        result.ok()
    }
}

fn task_info(lane: TaskLane, owner: TaskOwner, state: &AnyGameState) -> TaskInfo {
    TaskInfo {
        lane,
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
    matches!(
        kind,
        BotKind::Random | BotKind::Easy | BotKind::Medium | BotKind::Hard
    )
}
