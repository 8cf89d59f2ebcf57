//! A bounded number of threads beside the web's, where bots think and positions are
//! analysed. Work that nobody waits for any more is stopped. What is found is told
//! by others; who may ask for how much is decided here only for analyses.

mod crew;
mod desks;
mod job;
mod memory;
mod shelf;
#[cfg(test)]
mod tests;

use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use noughts_engine::analysis::analyse;
use noughts_engine::{BotKind, Limits, Settings, Stop};
use noughts_rules::{AnyPlay, Variant};
use noughts_session::{Computer, review};
use tokio::sync::{oneshot, watch};

pub(crate) use crew::Load;
use crew::{About, Crew, Rank, Size};
pub(crate) use desks::Place;
use desks::{Desks, Wish};
pub(crate) use job::{Ending, Job, Known, Watching};
use memory::BotMemory;
pub(crate) use shelf::{Shelf, TableState};

use crate::error::{Error, Kind};
use crate::guard::Owner;

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
pub(crate) struct Pool {
    /// Bots that think.
    moves: Crew,
    /// Bots that answer at once, and never wait for one that thinks.
    quick: Crew,
    hints: Crew,
    analyses: Crew,
    pictures: Crew,
    desks: Desks,
    shelf: Arc<Shelf>,
    /// What all bots remember.
    memory: BotMemory,
    /// Bytes for one bot, and for one analysis.
    bot_memory: usize,
    analysis_memory: usize,
}

impl Pool {
    /// Starts the threads. `data` is the folder of the program's data, where tables are;
    /// `budget` the bytes that all bots and analyses may use for search tables.
    pub(crate) fn new(data: &Path, budget: usize) -> Pool {
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        let usual = Size {
            // One address may use the whole machine, and there is a thread for others.
            threads: cores + 1,
            waiting: MOVES_WAITING,
            each: 1,
            looks: 0,
            rank: Rank::Usual,
        };
        let quick = Size {
            each: usual.threads,
            ..usual
        };
        let hints = Size {
            threads: HINTS,
            waiting: HINTS_WAITING,
            each: 1,
            looks: 0,
            rank: Rank::Lowest,
        };
        let for_analyses = (budget / 4).min(ANALYSES_MEMORY);
        let threads = cores.max(LEAST_ANALYSES);
        let looks = most_looks(for_analyses, threads);
        let analyses = Size {
            threads,
            waiting: ANALYSES_WAITING,
            each: 2,
            looks,
            ..hints
        };
        let pictures = Size {
            threads: 1,
            waiting: PICTURES_WAITING,
            ..hints
        };
        let for_bots = budget - for_analyses;
        // Those that think at the same time always fit.
        let most_bots = usual.threads + hints.threads;
        Pool {
            memory: BotMemory::new(for_bots),
            bot_memory: (for_bots / most_bots).clamp(LEAST_MEMORY, BOT_MEMORY),
            analysis_memory: analysis_memory(for_analyses, threads, looks),
            moves: Crew::new("bot", usual),
            quick: Crew::new("quick bot", quick),
            hints: Crew::new("hint", hints),
            analyses: Crew::new("analysis", analyses),
            pictures: Crew::new("picture", pictures),
            desks: Desks::default(),
            shelf: Arc::new(Shelf::open(data)),
        }
    }

    /// The exact tables.
    pub(crate) fn shelf(&self) -> &Arc<Shelf> {
        &self.shelf
    }

    /// What a bot of a game is made with: another seed for each.
    pub(crate) fn settings(&self, variant: Variant) -> Settings {
        Settings {
            seed: getrandom::u64().unwrap_or_default(),
            threads: 1,
            memory: self.bot_memory,
            tables: self.shelf.tables(variant),
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
    pub(crate) fn memory(&self) -> (usize, usize) {
        (self.memory.used(), self.memory.limit())
    }

    /// Lets a bot think, for whoever plays with it. Dropping the job stops it.
    pub(crate) fn think(
        &self,
        owner: Owner,
        computer: &Computer,
        play: &AnyPlay,
        limits: Limits,
    ) -> Job {
        let about = about(owner, play);
        let crew = match is_quick(computer.kind()) && !about.large {
            true => &self.quick,
            false => &self.moves,
        };
        self.job(crew, computer, play, limits, about)
    }

    /// Lets a bot advise a visitor: nobody's move waits for that.
    pub(crate) fn advise(
        &self,
        owner: Owner,
        computer: &Computer,
        play: &AnyPlay,
        limits: Limits,
    ) -> Job {
        let about = about(owner, play);
        let place = self.desks.sit(owner.visitor, Wish::Hint, &about.stop);
        self.job(&self.hints, computer, play, limits, about)
            .at(place)
    }

    fn job(
        &self,
        crew: &Crew,
        computer: &Computer,
        play: &AnyPlay,
        limits: Limits,
        about: About,
    ) -> Job {
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
        crew.take(task, &about);
        Job::new(about.stop, answer)
    }

    /// Analyses a position for a visitor. Of several analyses of one visitor the
    /// oldest make room for the new one. Dropping what is given stops the work.
    pub(crate) fn analyse(
        &self,
        owner: Owner,
        play: &AnyPlay,
        limits: Limits,
    ) -> Result<Watching, Error> {
        let about = about(owner, play);
        let settings = self.analysis_settings(play);
        let watching = self.watched(play, settings, limits, &about)?;
        Ok(watching.at(self.desks.sit(owner.visitor, Wish::Analysis, &about.stop)))
    }

    /// An analysis waits for its turn: those that have had their share make room.
    pub(crate) fn hurry(&self) {
        self.analyses.hurry(SHARE);
    }

    /// A visitor's place for a review; a newer one takes it away.
    pub(crate) fn reviewer(&self, owner: Owner) -> Place {
        self.desks.sit(owner.visitor, Wish::Review, &Stop::new())
    }

    /// Looks at one position of a review.
    pub(crate) fn look(
        &self,
        owner: Owner,
        play: &AnyPlay,
        limits: Limits,
    ) -> Result<Watching, Error> {
        let settings = review::settings(self.analysis_settings(play));
        let about = About {
            look: true,
            ..about(owner, play)
        };
        self.watched(play, settings, limits, &about)
    }

    /// Draws a picture, which takes a while for large ones.
    pub(crate) async fn draw<T: Send + 'static>(
        &self,
        owner: Owner,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        let (tell, drawn) = oneshot::channel();
        let task = move || {
            let _ = tell.send(work());
        };
        let about = About {
            owner,
            stop: Stop::new(),
            cut: Stop::new(),
            large: false,
            look: false,
        };
        self.pictures.take(task, &about);
        let busy = |_| Error::new(Kind::Busy, "too many pictures are wanted; try again later");
        drawn.await.map_err(busy)
    }

    fn analysis_settings(&self, play: &AnyPlay) -> Settings {
        Settings {
            memory: self.analysis_memory,
            ..self.settings(play.variant())
        }
    }

    fn watched(
        &self,
        play: &AnyPlay,
        settings: Settings,
        limits: Limits,
        about: &About,
    ) -> Result<Watching, Error> {
        let play = play.clone();
        let (tell, known) = watch::channel(Known::default());
        let (stopped, cut) = (about.stop.clone(), about.cut.clone());
        let task = move || {
            tell.send_modify(|known| known.begun = true);
            let work = AssertUnwindSafe(|| {
                analyse(&play, &settings, limits, &stopped, &mut |report| {
                    tell.send_modify(|known| known.learn(report.clone()));
                });
            });
            let ending = match catch_unwind(work) {
                Err(_) => Ending::Failed,
                Ok(()) if stopped.is_stopped() => Ending::Stopped,
                Ok(()) => Ending::Complete,
            };
            let note = match (ending, cut.is_stopped()) {
                (Ending::Failed, _) => Some("the analysis broke down over this position"),
                (_, true) => Some("others wait for their analysis; ask again to go on"),
                (_, false) => None,
            };
            tell.send_modify(|known| known.end(ending, note));
        };
        if self.analyses.take(task, about) {
            Ok(Watching::new(about.stop.clone(), known))
        } else {
            let message = "too many analyses are wanted at once; try again in a minute";
            Err(Error::new(Kind::Busy, message))
        }
    }
}

fn about(owner: Owner, play: &AnyPlay) -> About {
    About {
        owner,
        stop: Stop::new(),
        cut: Stop::new(),
        large: play.count_moves() > LARGE,
        look: false,
    }
}

/// How many looks of reviews run at once: their tables have one size, whatever the budget, and
/// take half of it at most. One always runs.
fn most_looks(for_analyses: usize, threads: usize) -> usize {
    (for_analyses / 2 / review::MEMORY).clamp(1, threads)
}

/// What the tables of one analysis may take, so that all threads together stay within the
/// budget, whether they analyze or as many of them as may look at reviews.
fn analysis_memory(for_analyses: usize, threads: usize, looks: usize) -> usize {
    let with_looks = for_analyses.saturating_sub(looks * review::MEMORY);
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
