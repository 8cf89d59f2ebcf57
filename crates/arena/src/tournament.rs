//! Runs all games of a plan, several at once: scheduling, saving and stopping. The referee plays
//! each game, and the caller provides the players.

mod control;
mod cores;
mod game_queue;
mod stall_detector;
mod worker;

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use noughts_engine::{StopFlag, Tablebases};

use crate::journal::{Journal, JournalError};
use crate::plan::Plan;
use crate::played_game::{GameKey, GameResult, PlayedGame};
use crate::player::Player;
use crate::schedule::Schedule;
use crate::spec::{BotSpec, SpecError};
use crate::statistics::{Decision, Results};

pub use control::{StopRequest, TournamentControl};
pub use stall_detector::SchedulingDelay;

use game_queue::GameQueue;
use stall_detector::StallDetector;
use worker::{GameWorker, Message, MessageSender};

/// Creates a player from a description. Called once by each worker for each bot, and again after a
/// player has crashed.
pub type MakePlayer = Arc<dyn Fn(&BotSpec) -> Result<Box<dyn Player>, SpecError> + Send + Sync>;

/// What a tournament needs to run.
pub struct TournamentRunner {
    /// Creates the players.
    pub make_player: MakePlayer,
    /// Tablebases for adjudication.
    pub tablebases: Tablebases,
    /// The number of usable cores: a quota may allow fewer than the machine has.
    pub cores: usize,
    /// How long to retry if the system lacks the resources to start a bot.
    pub retry_timeout: Duration,
    /// Whether to pin the bots of each game to their own cores. Ignored if the system doesn't
    /// support it (see [`supports_affinity`]).
    pub affinity: bool,
}

/// Whether this system can pin bots to cores.
#[must_use]
pub fn supports_affinity() -> bool {
    !cores::allowed_cores().is_empty()
}

impl TournamentRunner {
    /// Uses all available cores, and no tablebases.
    #[must_use]
    pub fn new(make_player: MakePlayer) -> TournamentRunner {
        TournamentRunner {
            make_player,
            tablebases: Tablebases::default(),
            cores: thread::available_parallelism().map_or(1, usize::from),
            retry_timeout: Duration::from_secs(5),
            affinity: false,
        }
    }

    /// The largest number of concurrent games for a plan.
    #[must_use]
    pub fn concurrency(&self, plan: &Plan) -> usize {
        concurrency(plan, self.cores, self.core_sets(plan).len())
    }

    /// The cores that each concurrent game is pinned to; empty without pinning.
    fn core_sets(&self, plan: &Plan) -> Vec<Vec<usize>> {
        match self.affinity {
            true => cores::core_sets(&cores::allowed_cores(), self.cores, plan.max_threads()),
            false => Vec::new(),
        }
    }
}

fn concurrency(plan: &Plan, cores: usize, core_sets: usize) -> usize {
    let requested = plan.concurrency;
    match core_sets {
        0 => requested.unwrap_or(cores).max(1),
        // Each concurrent game needs its own set of cores.
        core_sets => requested.unwrap_or(core_sets).clamp(1, core_sets),
    }
}

/// What happens in a tournament. A game is reported as ended once it is in the journal.
#[derive(Debug)]
pub enum TournamentEvent<'a> {
    /// The tournament starts or resumes.
    Started {
        /// The plan.
        plan: &'a Plan,
        /// The number of games in the plan.
        planned: u64,
        /// The number of games played before.
        done: u64,
        /// The largest number of concurrent games.
        concurrency: usize,
    },
    /// A game starts.
    GameStarted {
        /// Which game.
        key: GameKey,
    },
    /// A game has ended and is saved.
    GameEnded {
        /// The game.
        game: &'a PlayedGame,
        /// The results so far, including this game.
        results: &'a Results,
        /// The number of games played so far, including earlier runs.
        done: u64,
        /// The number of games in the plan.
        planned: u64,
    },
    /// A game was stopped and has no result.
    GameAborted {
        /// Which game.
        key: GameKey,
    },
    /// The SPRT is decided; running games are finished and saved.
    Decided {
        /// The accepted hypothesis.
        accepted: Decision,
        /// The number of pairs that decided it: the first ones of the plan.
        pairs: u64,
    },
    /// A stop was requested: no more games start.
    Stopping {
        /// Whether running games are finished.
        request: StopRequest,
    },
    /// The tournament has ended.
    Finished(&'a TournamentSummary),
}

/// The summary of a run of a tournament.
#[derive(Clone, Debug)]
pub struct TournamentSummary {
    /// Why it ended.
    pub end: TournamentEnd,
    /// The number of games played so far, including earlier runs.
    pub done: u64,
    /// The number of games in the plan.
    pub planned: u64,
    /// All results, including earlier runs.
    pub results: Results,
    /// The duration of this run.
    pub took: Duration,
    /// The scheduling delay of the arena's own timer.
    pub scheduling_delay: SchedulingDelay,
}

impl TournamentSummary {
    /// Why the SPRT was given up, as a sentence; `None` if it wasn't.
    #[must_use]
    pub fn why_undecidable(&self) -> Option<String> {
        let pairs = self.results.sprt().map_or(0, |sprt| sprt.pairs);
        let different = noughts_text::plural(pairs, "different pair");
        (self.end == TournamentEnd::Repeating).then(|| {
            format!(
                "the test can't be decided: the bots keep repeating the same games ({different} so far, and \
                 repeats don't count); use more openings, such as random:4, or bots that vary their play"
            )
        })
    }
}

/// Why a tournament ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TournamentEnd {
    /// All games are played.
    Complete,
    /// The SPRT is decided.
    Decided(Decision),
    /// The SPRT can't be decided: the games only repeat earlier ones.
    Repeating,
    /// A stop was requested; the tournament can be resumed.
    Stopped,
}

/// Why a tournament can't continue. All games that were reported as ended are saved.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TournamentError {
    /// Saving failed.
    #[error("{0}")]
    Journal(#[from] JournalError),
    /// A bug in this program.
    #[error(
        "a game failed because of a bug in noughts ({0}); please report it; finished games are saved"
    )]
    Panicked(String),
    /// The system lacks the resources to start the bots.
    #[error("{0}; this isn't the bot's fault, so the game doesn't count; finished games are saved")]
    HostFailure(String),
    /// No thread could be started.
    #[error("can't start a thread: {0}")]
    NoThread(String),
}

/// How many messages may wait for the disk before workers have to wait, too.
const CHANNEL_CAPACITY: usize = 1024;

/// The same during an SPRT: games played after its decision are wasted.
const SPRT_CHANNEL_CAPACITY: usize = 32;

/// How many games are saved at once, so that the first doesn't wait long.
const MAX_BATCH: usize = 256;

/// How often to check for a stop request while no game ends.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// How long bots have to end their games after an immediate stop. Workers that take longer are
/// abandoned.
const GRACE: Duration = Duration::from_secs(1);

/// Plays all games of a plan that aren't done, and saves each one as soon as it ends. Returns when
/// all games are played, when the SPRT is decided, or when a stop was requested.
///
/// No bot can make it hang or fail, as long as the players keep their time.
///
/// # Errors
/// The journal can't be written, or there is a bug. Games that were reported as ended are saved;
/// all others will be played again.
pub fn run(
    schedule: &Arc<Schedule>,
    done: &[GameResult],
    runner: TournamentRunner,
    journal: &mut dyn Journal,
    control: &TournamentControl,
    watch: &mut dyn FnMut(TournamentEvent<'_>),
) -> Result<TournamentSummary, TournamentError> {
    let started = Instant::now();
    let runner = Arc::new(runner);
    journal.save_plan(schedule.plan())?;
    let capacity = match schedule.plan().sprt {
        Some(_) => SPRT_CHANNEL_CAPACITY,
        None => CHANNEL_CAPACITY,
    };
    let mut results = Results::new(schedule.plan());
    let mut keys = HashSet::new();
    for game in done {
        if schedule.contains(&game.key) && keys.insert(game.key) {
            results.add(game);
        }
    }
    let mut core_sets = runner.core_sets(schedule.plan());
    let concurrency = concurrency(schedule.plan(), runner.cores, core_sets.len());
    let by_games = schedule.plan().concurrency.is_some() || !core_sets.is_empty();
    watch(TournamentEvent::Started {
        plan: schedule.plan(),
        planned: schedule.game_count(),
        done: results.game_count(),
        concurrency,
    });
    report_decision(&results, watch);

    let queue = GameQueue::new(schedule, keys, concurrency, by_games, control);
    if results.is_sprt_over() {
        queue.close();
    }
    let halt = StopFlag::new();
    let no_thread = |error: std::io::Error| TournamentError::NoThread(error.to_string());
    let stall_detector = StallDetector::start().map_err(no_thread)?;
    let (sender, messages) = sync_channel(capacity);
    let remaining = schedule.game_count() - results.game_count();
    let count = concurrency.min(usize::try_from(remaining).unwrap_or(usize::MAX));
    let mut workers = Vec::new();
    // Counts a worker that couldn't be started, too: dropping it also sends `WorkerExited`.
    let mut expected = 0;
    for _ in 0..count {
        let worker = GameWorker {
            schedule: Arc::clone(schedule),
            queue: queue.clone(),
            runner: Arc::clone(&runner),
            halt: halt.clone(),
            stalls: Arc::clone(&stall_detector),
            cores: core_sets.pop().unwrap_or_default(),
            players: Vec::new(),
            messages: MessageSender(sender.clone()),
        };
        expected += 1;
        match worker.start() {
            Ok(handle) => workers.push(handle),
            // Continue with fewer workers.
            Err(_) if !workers.is_empty() => break,
            Err(error) => return Err(no_thread(error)),
        }
    }
    drop(sender);
    let mut coordinator = Coordinator {
        results,
        planned: schedule.game_count(),
        journal,
        control,
        queue: &queue,
        batch_size: capacity.min(MAX_BATCH),
        halt,
        workers_left: expected,
        halted_at: None,
        reported_stop: None,
        error: None,
    };
    coordinator.run(&messages, workers, watch);

    let Coordinator { results, error, .. } = coordinator;
    if let Some(error) = error {
        return Err(error);
    }
    let summary = TournamentSummary {
        end: match results.sprt().map(|sprt| sprt.decision) {
            Some(decision) if decision != Decision::GoOn => TournamentEnd::Decided(decision),
            _ if results.is_repeating() => TournamentEnd::Repeating,
            _ if results.game_count() == schedule.game_count() => TournamentEnd::Complete,
            _ => TournamentEnd::Stopped,
        },
        done: results.game_count(),
        planned: schedule.game_count(),
        results,
        took: started.elapsed(),
        scheduling_delay: stall_detector.scheduling_delay(),
    };
    watch(TournamentEvent::Finished(&summary));
    Ok(summary)
}

/// Reports the decision of the SPRT, if there is one.
fn report_decision(results: &Results, watch: &mut dyn FnMut(TournamentEvent<'_>)) {
    if let Some(sprt) = results.sprt()
        && sprt.decision != Decision::GoOn
    {
        watch(TournamentEvent::Decided {
            accepted: sprt.decision,
            pairs: sprt.pairs,
        });
    }
}

/// Handles the workers' messages: counts and saves results, and handles stop requests.
struct Coordinator<'a> {
    results: Results,
    planned: u64,
    journal: &'a mut dyn Journal,
    control: &'a TournamentControl,
    queue: &'a GameQueue,
    /// How many messages are handled together.
    batch_size: usize,
    /// Stops running games.
    halt: StopFlag,
    /// Workers that haven't exited.
    workers_left: usize,
    /// When running games were asked to stop.
    halted_at: Option<Instant>,
    /// The stop request that was last reported.
    reported_stop: Option<StopRequest>,
    error: Option<TournamentError>,
}

impl Coordinator<'_> {
    fn run(
        &mut self,
        messages: &Receiver<Message>,
        workers: Vec<JoinHandle<()>>,
        watch: &mut dyn FnMut(TournamentEvent<'_>),
    ) {
        while self.workers_left > 0 {
            let Some(first) = self.next_message(messages, watch) else {
                // The remaining workers don't exit in time and are abandoned.
                return;
            };
            let mut batch = vec![first];
            batch.extend(messages.try_iter().take(self.batch_size - 1));
            self.save_games(&batch);
            for message in batch {
                self.handle(message, watch);
            }
        }
        for worker in workers {
            // It has already reported its exit.
            let _ = worker.join();
        }
    }

    /// Checks for a new stop request.
    fn handle_stop_request(&mut self, watch: &mut dyn FnMut(TournamentEvent<'_>)) {
        let request = self.control.stop_request();
        if let Some(request) = request.filter(|_| request != self.reported_stop) {
            self.queue.close();
            if request == StopRequest::Now {
                self.stop_running_games();
            }
            self.reported_stop = Some(request);
            watch(TournamentEvent::Stopping { request });
        }
    }

    fn stop_running_games(&mut self) {
        self.queue.close();
        self.halt.stop();
        self.halted_at.get_or_insert_with(Instant::now);
    }

    /// The next message; `None` if the workers don't exit in time.
    fn next_message(
        &mut self,
        messages: &Receiver<Message>,
        watch: &mut dyn FnMut(TournamentEvent<'_>),
    ) -> Option<Message> {
        loop {
            self.handle_stop_request(watch);
            match messages.recv_timeout(POLL_INTERVAL) {
                Ok(message) => return Some(message),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => {
                    if self.halted_at.is_some_and(|at| at.elapsed() > GRACE) {
                        return None;
                    }
                }
            }
        }
    }

    /// Saves all finished games at once.
    fn save_games(&mut self, batch: &[Message]) {
        let games: Vec<&PlayedGame> = batch
            .iter()
            .filter_map(|message| match message {
                Message::GameEnded(game) => Some(&**game),
                _ => None,
            })
            .collect();
        if games.is_empty() || self.error.is_some() {
            return;
        }
        if let Err(error) = self.journal.save_games(&games) {
            self.error = Some(error.into());
            // Games that are still running couldn't be saved.
            self.stop_running_games();
        }
    }

    fn handle(&mut self, message: Message, watch: &mut dyn FnMut(TournamentEvent<'_>)) {
        match message {
            Message::WorkerExited => self.workers_left -= 1,
            Message::GameStarted(key) => watch(TournamentEvent::GameStarted { key }),
            Message::GameAborted(key) => watch(TournamentEvent::GameAborted { key }),
            Message::HostFailure(reason) => {
                self.error
                    .get_or_insert(TournamentError::HostFailure(reason));
                self.stop_running_games();
            }
            Message::Panicked(panic) => {
                self.error.get_or_insert(TournamentError::Panicked(panic));
                self.stop_running_games();
            }
            // Games saved together with the failed one may not be on disk.
            Message::GameEnded(_) if matches!(self.error, Some(TournamentError::Journal(_))) => {}
            Message::GameEnded(game) => {
                let was_over = self.results.is_sprt_over();
                self.results.add(&game.result());
                watch(TournamentEvent::GameEnded {
                    game: &game,
                    results: &self.results,
                    done: self.results.game_count(),
                    planned: self.planned,
                });
                if self.results.is_sprt_over() && !was_over {
                    self.queue.close();
                    report_decision(&self.results, watch);
                }
            }
        }
    }
}
