//! A bounded number of threads beside the web's, where bots think and positions are
//! analysed. Work that nobody waits for any more is stopped. What is found is told
//! by others; who may ask for how much is decided here only for analyses.

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

use crate::error::{Error, Kind};
use crate::middleware::TaskOwner;

/// So many bots' moves may wait for a thread.
const MOVES_WAITING: usize = 1024;
/// So many analyses may wait for one.
const ANALYSES_WAITING: usize = 64;
/// So many pictures may wait.
const PICTURES_WAITING: usize = 64;
/// So many hints.
const HINTS_WAITING: usize = 64;
/// So many analyses run at once, whatever the machine: they share what the others
/// leave over.
const LEAST_ANALYSES: usize = 4;
/// Hints are short, and wait for no analysis.
const HINTS: usize = 2;
/// An analysis ends when it has had so much time and somebody else waits for one.
const SHARE: Duration = Duration::from_secs(10);
/// Lists of more moves than this take tens of megabytes at each ply of a search: one such
/// position at a time.
const LARGE: usize = 100_000;
/// A bot's search tables take no more than this.
const BOT_MEMORY: usize = 16 << 20;
/// An analysis's tables take no more than this.
const ANALYSIS_MEMORY: usize = 32 << 20;
/// All analyses together get a quarter of the budget, and no more than this.
const ANALYSES_MEMORY: usize = 128 << 20;
/// No table is smaller, whatever the budget.
const LEAST_MEMORY: usize = 1 << 18;

/// The threads, what waits for them, and the tables that they share.
pub(crate) struct EnginePool {
    /// Bots that think.
    moves: WorkerPool,
    /// Bots that answer at once, and never wait for one that thinks.
    quick: WorkerPool,
    hints: WorkerPool,
    analyses: WorkerPool,
    pictures: WorkerPool,
    desks: VisitorSlots,
    shelf: Arc<TablebaseCache>,
    /// What all bots remember.
    memory: BotMemoryBudget,
    /// Bytes for one bot, and for one analysis.
    bot_memory: usize,
    analysis_memory: usize,
}

impl EnginePool {
    /// Starts the threads. `data` is the folder of the program's data, where tables are;
    /// `budget` the bytes that all bots and analyses may use for search tables.
    pub(crate) fn new(data: &Path, budget: usize) -> EnginePool {
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        let usual = PoolConfig {
            // One address may use the whole machine, and there is a thread for others.
            threads: cores + 1,
            max_waiting: MOVES_WAITING,
            max_per_visitor: 1,
            max_reviews: 0,
            priority: Priority::Normal,
        };
        let quick = PoolConfig {
            max_per_visitor: usual.threads,
            ..usual
        };
        let hints = PoolConfig {
            threads: HINTS,
            max_waiting: HINTS_WAITING,
            max_per_visitor: 1,
            max_reviews: 0,
            priority: Priority::Lowest,
        };
        let for_analyses = (budget / 4).min(ANALYSES_MEMORY);
        let threads = cores.max(LEAST_ANALYSES);
        let looks = most_looks(for_analyses, threads);
        let analyses = PoolConfig {
            threads,
            max_waiting: ANALYSES_WAITING,
            max_per_visitor: 2,
            max_reviews: looks,
            ..hints
        };
        let pictures = PoolConfig {
            threads: 1,
            max_waiting: PICTURES_WAITING,
            ..hints
        };
        let for_bots = budget - for_analyses;
        // Those that think at the same time always fit.
        let most_bots = usual.threads + hints.threads;
        EnginePool {
            memory: BotMemoryBudget::new(for_bots),
            bot_memory: (for_bots / most_bots).clamp(LEAST_MEMORY, BOT_MEMORY),
            analysis_memory: analysis_memory(for_analyses, threads, looks),
            moves: WorkerPool::new("bot", usual),
            quick: WorkerPool::new("quick bot", quick),
            hints: WorkerPool::new("hint", hints),
            analyses: WorkerPool::new("analysis", analyses),
            pictures: WorkerPool::new("picture", pictures),
            desks: VisitorSlots::default(),
            shelf: Arc::new(TablebaseCache::open(data)),
        }
    }

    /// The exact tables.
    pub(crate) fn tablebases(&self) -> &Arc<TablebaseCache> {
        &self.shelf
    }

    /// What a bot of a game is made with: another seed for each.
    pub(crate) fn bot_settings(&self, variant: Variant) -> BotSettings {
        BotSettings {
            seed: getrandom::u64().unwrap_or_default(),
            threads: 1,
            memory: self.bot_memory,
            tablebases: self.shelf.tablebases_for(variant),
        }
    }

    /// How much is being done and waits: bots' moves, and hints and analyses.
    pub(crate) fn load(&self) -> [Load; 2] {
        [
            self.moves.load() + self.quick.load(),
            self.analyses.load() + self.hints.load(),
        ]
    }

    /// Bytes of all bots' search tables, and how many there may be.
    pub(crate) fn bot_memory_usage(&self) -> (usize, usize) {
        (self.memory.used(), self.memory.limit())
    }

    /// Lets a bot think, for whoever plays with it. Dropping the job stops it.
    pub(crate) fn start_bot_move(
        &self,
        owner: TaskOwner,
        computer: &BotPlayer,
        play: &AnyGameState,
        limits: SearchLimits,
    ) -> BotJob {
        let about = about(owner, play);
        let crew = match is_quick(computer.kind()) && !about.is_large {
            true => &self.quick,
            false => &self.moves,
        };
        self.job(crew, computer, play, limits, about)
    }

    /// Lets a bot advise a visitor: nobody's move waits for that.
    pub(crate) fn start_hint(
        &self,
        owner: TaskOwner,
        computer: &BotPlayer,
        play: &AnyGameState,
        limits: SearchLimits,
    ) -> BotJob {
        let about = about(owner, play);
        let place = self
            .desks
            .acquire(owner.visitor, SlotKind::Hint, &about.stop);
        self.job(&self.hints, computer, play, limits, about)
            .with_slot(place)
    }

    fn job(
        &self,
        crew: &WorkerPool,
        computer: &BotPlayer,
        play: &AnyGameState,
        limits: SearchLimits,
        about: TaskInfo,
    ) -> BotJob {
        let (computer, play, memory) = (computer.clone(), play.clone(), self.memory.clone());
        let (tell, answer) = oneshot::channel();
        let stopped = about.stop.clone();
        let task = move || {
            let reserved = memory.reserve(&computer);
            let done = computer.search(&play, limits, &stopped, &mut |_| {});
            drop(reserved);
            // Nobody waits for it any more, which is their right.
            let _ = tell.send(done);
        };
        // A task that is refused is dropped with its sender: the job says that it is busy.
        crew.submit(task, &about);
        BotJob::new(about.stop, answer)
    }

    /// Analyses a position for a visitor. Of several analyses of one visitor the
    /// oldest make room for the new one. Dropping what is given stops the work.
    pub(crate) fn start_analysis(
        &self,
        owner: TaskOwner,
        play: &AnyGameState,
        limits: SearchLimits,
    ) -> Result<AnalysisHandle, Error> {
        let about = about(owner, play);
        let settings = self.analysis_settings(play);
        let watching = self.watched(play, settings, limits, &about)?;
        Ok(watching.with_slot(
            self.desks
                .acquire(owner.visitor, SlotKind::Analysis, &about.stop),
        ))
    }

    /// An analysis waits for its turn: those that have had their share make room.
    pub(crate) fn preempt_analyses(&self) {
        self.analyses.preempt_expired(SHARE);
    }

    /// A visitor's place for a review; a newer one takes it away.
    pub(crate) fn acquire_review_slot(&self, owner: TaskOwner) -> VisitorSlot {
        self.desks
            .acquire(owner.visitor, SlotKind::Review, &StopFlag::new())
    }

    /// Looks at one position of a review.
    pub(crate) fn start_review_search(
        &self,
        owner: TaskOwner,
        play: &AnyGameState,
        limits: SearchLimits,
    ) -> Result<AnalysisHandle, Error> {
        let settings = review::search_settings(self.analysis_settings(play));
        let about = TaskInfo {
            is_review: true,
            ..about(owner, play)
        };
        self.watched(play, settings, limits, &about)
    }

    /// Draws a picture, which takes a while for large ones.
    pub(crate) async fn render_image<T: Send + 'static>(
        &self,
        owner: TaskOwner,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        let (tell, drawn) = oneshot::channel();
        let task = move || {
            let _ = tell.send(work());
        };
        let about = TaskInfo {
            owner,
            stop: StopFlag::new(),
            preempted: StopFlag::new(),
            is_large: false,
            is_review: false,
        };
        self.pictures.submit(task, &about);
        let busy = |_| Error::new(Kind::Busy, "too many pictures are wanted; try again later");
        drawn.await.map_err(busy)
    }

    fn analysis_settings(&self, play: &AnyGameState) -> BotSettings {
        BotSettings {
            memory: self.analysis_memory,
            ..self.bot_settings(play.variant())
        }
    }

    fn watched(
        &self,
        play: &AnyGameState,
        settings: BotSettings,
        limits: SearchLimits,
        about: &TaskInfo,
    ) -> Result<AnalysisHandle, Error> {
        let play = play.clone();
        let (tell, known) = watch::channel(AnalysisProgress::default());
        let (stopped, cut) = (about.stop.clone(), about.preempted.clone());
        let task = move || {
            tell.send_modify(|known| known.is_started = true);
            let work = AssertUnwindSafe(|| {
                analyze(&play, &settings, limits, &stopped, &mut |report| {
                    tell.send_modify(|known| known.add_report(report.clone()));
                });
            });
            let ending = match catch_unwind(work) {
                Err(_) => AnalysisEnd::Failed,
                Ok(()) if stopped.is_stopped() => AnalysisEnd::Stopped,
                Ok(()) => AnalysisEnd::Complete,
            };
            let note = match (ending, cut.is_stopped()) {
                (AnalysisEnd::Failed, _) => Some("the analysis broke down over this position"),
                (_, true) => Some("others wait for their analysis; ask again to go on"),
                (_, false) => None,
            };
            tell.send_modify(|known| known.finish(ending, note));
        };
        if self.analyses.submit(task, about) {
            Ok(AnalysisHandle::new(about.stop.clone(), known))
        } else {
            let message = "too many analyses are wanted at once; try again in a minute";
            Err(Error::new(Kind::Busy, message))
        }
    }
}

fn about(owner: TaskOwner, play: &AnyGameState) -> TaskInfo {
    TaskInfo {
        owner,
        stop: StopFlag::new(),
        preempted: StopFlag::new(),
        is_large: play.count_moves() > LARGE,
        is_review: false,
    }
}

/// How many looks of reviews run at once: their tables have one size, whatever the budget, and
/// take half of it at most. One always runs.
fn most_looks(for_analyses: usize, threads: usize) -> usize {
    (for_analyses / 2 / review::MEMORY_BYTES).clamp(1, threads)
}

/// What the tables of one analysis may take, so that all threads together stay within the
/// budget, whether they analyze or as many of them as may look at reviews.
fn analysis_memory(for_analyses: usize, threads: usize, looks: usize) -> usize {
    let with_looks = for_analyses.saturating_sub(looks * review::MEMORY_BYTES);
    let with_looks = with_looks.checked_div(threads - looks);
    let each = (for_analyses / threads).min(with_looks.unwrap_or(usize::MAX));
    each.clamp(LEAST_MEMORY, ANALYSIS_MEMORY)
}

/// Those that look at the board and answer, in milliseconds at most.
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
