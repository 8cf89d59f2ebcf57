//! A bounded number of threads beside the web's, where bots think and positions are
//! analysed. Work that nobody waits for any more is stopped. What is found is told
//! by others; who may ask for how much is decided here only for analyses.

mod crew;
mod desks;
mod job;
mod shelf;
#[cfg(test)]
mod tests;

use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::thread;

use noughts_engine::analysis::analyse;
use noughts_engine::{Limits, Settings, Stop};
use noughts_rules::{AnyPlay, Variant};
use noughts_session::Computer;
use tokio::sync::{oneshot, watch};

pub(crate) use crew::Load;
use crew::{Crew, Rank};
pub(crate) use desks::Place;
use desks::{Desks, Wish};
pub(crate) use job::{Job, Known, Watching};
pub(crate) use shelf::{Shelf, TableState};

use crate::error::{Error, Kind};
use crate::guard::Key;

/// So many bots' moves may wait for a thread.
const MOVES_WAITING: usize = 1024;
/// So many analyses may wait for one.
const ANALYSES_WAITING: usize = 64;
/// So many pictures may wait.
const PICTURES_WAITING: usize = 64;
/// So many analyses run at once, whatever the machine: they share what the others
/// leave over, so that nobody waits for somebody else's to end.
const LEAST_ANALYSES: usize = 4;
/// What a bot in one of many games remembers.
const BOT_MEMORY: usize = 16 << 20;
/// What one of few analyses remembers.
const ANALYSIS_MEMORY: usize = 64 << 20;
/// No page shows more moves of a position, and lists of half a million take longer to
/// send than to find.
const MOST_MOVES: usize = 729;

/// The threads, what waits for them, and the tables that they share.
pub(crate) struct Pool {
    moves: Crew,
    analyses: Crew,
    pictures: Crew,
    desks: Desks,
    shelf: Arc<Shelf>,
}

impl Pool {
    /// Starts the threads. `data` is the folder of the program's data, where tables lie.
    pub(crate) fn new(data: &Path) -> Pool {
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        let analyses = cores.max(LEAST_ANALYSES);
        Pool {
            moves: Crew::new("bot", cores, MOVES_WAITING, Rank::Usual),
            analyses: Crew::new("analysis", analyses, ANALYSES_WAITING, Rank::Lowest),
            pictures: Crew::new("picture", 1, PICTURES_WAITING, Rank::Lowest),
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
            memory: BOT_MEMORY,
            tables: self.shelf.tables(variant),
        }
    }

    /// How much is being done and waits: bots' moves, and analyses.
    pub(crate) fn load(&self) -> [Load; 2] {
        [self.moves.load(), self.analyses.load()]
    }

    /// Lets a bot think. Dropping the job stops it.
    pub(crate) fn think(&self, computer: &Computer, play: &AnyPlay, limits: Limits) -> Job {
        Pool::job(&self.moves, computer, play, limits, Stop::new())
    }

    /// Lets a bot advise a visitor: nobody's move waits for that.
    pub(crate) fn advise(
        &self,
        visitor: Key,
        computer: &Computer,
        play: &AnyPlay,
        limits: Limits,
    ) -> Job {
        let stop = Stop::new();
        let place = self.desks.sit(visitor, Wish::Hint, &stop);
        Pool::job(&self.analyses, computer, play, limits, stop).at(place)
    }

    fn job(crew: &Crew, computer: &Computer, play: &AnyPlay, limits: Limits, stop: Stop) -> Job {
        let (computer, play) = (computer.clone(), play.clone());
        let (tell, answer) = oneshot::channel();
        let stopped = stop.clone();
        let task = move || {
            let done = computer.search(&play, limits, &stopped, &mut |_| {});
            // Nobody waits for it any more, which is their right.
            let _ = tell.send(done);
        };
        // A task that is refused is dropped with its sender: the job says that it is busy.
        crew.take(task, &stop);
        Job::new(stop, answer)
    }

    /// Analyses a position for a visitor. Of several analyses of one visitor the
    /// oldest make room for the new one. Dropping what is given stops the work.
    pub(crate) fn analyse(
        &self,
        visitor: Key,
        play: &AnyPlay,
        limits: Limits,
    ) -> Result<Watching, Error> {
        let stop = Stop::new();
        let watching = self.watched(play, limits, &stop)?;
        Ok(watching.at(self.desks.sit(visitor, Wish::Analysis, &stop)))
    }

    /// A visitor's place for a review; a newer one takes it away.
    pub(crate) fn reviewer(&self, visitor: Key) -> Place {
        self.desks.sit(visitor, Wish::Review, &Stop::new())
    }

    /// Looks at one position of a review.
    pub(crate) fn look(&self, play: &AnyPlay, limits: Limits) -> Result<Watching, Error> {
        self.watched(play, limits, &Stop::new())
    }

    /// Draws a picture, which takes a while for large ones.
    pub(crate) async fn draw<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        let (tell, drawn) = oneshot::channel();
        let task = move || {
            let _ = tell.send(work());
        };
        self.pictures.take(task, &Stop::new());
        let busy = |_| Error::new(Kind::Busy, "too many pictures are wanted; try again later");
        drawn.await.map_err(busy)
    }

    fn watched(&self, play: &AnyPlay, limits: Limits, stop: &Stop) -> Result<Watching, Error> {
        let settings = Settings {
            memory: ANALYSIS_MEMORY,
            ..self.settings(play.variant())
        };
        let play = play.clone();
        let (tell, known) = watch::channel(Known::default());
        let stopped = stop.clone();
        let task = move || {
            let work = AssertUnwindSafe(|| {
                analyse(&play, &settings, limits, &stopped, &mut |report| {
                    tell.send_modify(|known| known.learn(report.with_moves(MOST_MOVES)));
                });
            });
            let broken = catch_unwind(work).is_err();
            tell.send_modify(|known| known.end(broken));
        };
        if self.analyses.take(task, stop) {
            Ok(Watching::new(stop.clone(), known))
        } else {
            let message = "too many analyses are wanted at once; try again in a minute";
            Err(Error::new(Kind::Busy, message))
        }
    }
}
