//! Runs all games of a plan, several at once: scheduling, saving and stopping. The referee plays
//! each game, and the caller provides the players.

mod control;
mod cores;
mod game_queue;
mod stall_detector;
mod worker;

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use noughts_engine::{StopFlag, Tablebases};
use noughts_rules::Side;

use crate::journal::{Journal, JournalError};
use crate::plan::Plan;
use crate::played_game::{GameKey, GameResult, PlayedGame};
use crate::player::Player;
use crate::schedule::Schedule;
use crate::spec::{BotSpec, SpecError};
use crate::statistics::{Decision, Results, SprtRun};

pub use control::{StopRequest, TournamentControl};
pub use stall_detector::SchedulingDelay;

use control::WakeGuard;
use game_queue::GameQueue;
use stall_detector::StallDetector;
use worker::{GameWorker, Message};

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

/// A hypothesis that an SPRT accepts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hypothesis {
    /// The difference is closer to `elo0`.
    H0,
    /// The difference is closer to `elo1`.
    H1,
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
        /// The scores so far, in the order of the plan.
        scores: &'a [BotScore],
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
        accepted: Hypothesis,
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

/// A bot's wins, draws and losses so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BotScore {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl BotScore {
    /// The number of games.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// 1 for a win, ½ for a draw.
    #[must_use]
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }
}

/// The summary of a run of a tournament.
#[derive(Clone, PartialEq, Debug)]
pub struct TournamentSummary {
    /// Why it ended.
    pub end: TournamentEnd,
    /// The number of games played so far, including earlier runs.
    pub done: u64,
    /// The number of games in the plan.
    pub planned: u64,
    /// The scores, in the order of the plan.
    pub scores: Vec<BotScore>,
    /// The pairs that counted for the SPRT, by category. All 0 without an SPRT.
    pub pairs: [u64; 5],
    /// The duration of this run.
    pub took: Duration,
    /// The scheduling delay of the arena's own timer.
    pub scheduling_delay: SchedulingDelay,
}

impl TournamentSummary {
    /// Why the SPRT was given up, as a sentence; `None` if it wasn't.
    #[must_use]
    pub fn why_undecidable(&self) -> Option<String> {
        let different = match self.pairs.iter().sum() {
            1u64 => "1 different pair".to_owned(),
            pairs => format!("{pairs} different pairs"),
        };
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
    Decided(Hypothesis),
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
    #[error("a game failed because of a bug in noughts ({0}); finished games are saved")]
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
#[allow(
    clippy::needless_pass_by_value,
    reason = "what a tournament is played with isn't used for another"
)]
pub fn run(
    schedule: &Arc<Schedule>,
    done: &[GameResult],
    runner: TournamentRunner,
    journal: &mut dyn Journal,
    control: &TournamentControl,
    watch: &mut dyn FnMut(TournamentEvent<'_>),
) -> Result<TournamentSummary, TournamentError> {
    let began = Instant::now();
    journal.save_plan(schedule.plan())?;
    let capacity = match schedule.plan().sprt {
        Some(_) => SPRT_CHANNEL_CAPACITY,
        None => CHANNEL_CAPACITY,
    };
    let mut progress = RoundProgress::new(schedule);
    let mut keys = HashSet::new();
    for game in done {
        if schedule.contains(&game.key) && keys.insert(game.key) {
            progress.add_result(game);
        }
    }
    let mut core_sets = runner.core_sets(schedule.plan());
    let concurrency = concurrency(schedule.plan(), runner.cores, core_sets.len());
    let by_games = schedule.plan().concurrency.is_some() || !core_sets.is_empty();
    watch(TournamentEvent::Started {
        plan: schedule.plan(),
        planned: schedule.game_count(),
        done: progress.done,
        concurrency,
    });
    progress.report_decision(watch);

    let queue = GameQueue::new(schedule, keys, concurrency, by_games, control);
    if progress.is_finished() {
        queue.close();
    }
    let halt = StopFlag::new();
    let no_thread = |error: std::io::Error| TournamentError::NoThread(error.to_string());
    let stall_detector = StallDetector::start().map_err(no_thread)?;
    let (sender, messages) = sync_channel(capacity);
    let waker = sender.clone();
    // If the channel is full, the receiver is awake anyway.
    let _wake_guard = WakeGuard::new(control, move || drop(waker.try_send(Message::Wake)));
    let remaining = schedule.game_count() - progress.done;
    let count = concurrency.min(usize::try_from(remaining).unwrap_or(usize::MAX));
    let mut workers = Vec::new();
    // Counts a worker that couldn't be started, too: dropping it also sends `WorkerExited`.
    let mut expected = 0;
    for _ in 0..count {
        let worker = GameWorker::new(
            schedule,
            &queue,
            &runner,
            &halt,
            stall_detector.monitor(),
            core_sets.pop().unwrap_or_default(),
            sender.clone(),
        );
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
        progress,
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

    let Coordinator {
        progress, error, ..
    } = coordinator;
    if let Some(error) = error {
        return Err(error);
    }
    let summary = TournamentSummary {
        end: match progress.decision() {
            Some((accepted, _)) => TournamentEnd::Decided(accepted),
            None if progress.results.is_repeating() => TournamentEnd::Repeating,
            None if progress.done == schedule.game_count() => TournamentEnd::Complete,
            None => TournamentEnd::Stopped,
        },
        done: progress.done,
        planned: schedule.game_count(),
        pairs: progress
            .results
            .sprt_run()
            .map(SprtRun::pairs)
            .copied()
            .unwrap_or_default(),
        scores: progress.scores,
        took: began.elapsed(),
        scheduling_delay: stall_detector.monitor().scheduling_delay(),
    };
    watch(TournamentEvent::Finished(&summary));
    Ok(summary)
}

/// The results so far.
struct RoundProgress {
    planned: u64,
    done: u64,
    scores: Vec<BotScore>,
    results: Results,
    /// Whether the SPRT's decision has been reported.
    is_decision_reported: bool,
}

impl RoundProgress {
    fn new(schedule: &Schedule) -> RoundProgress {
        RoundProgress {
            planned: schedule.game_count(),
            done: 0,
            scores: vec![BotScore::default(); schedule.plan().bots.len()],
            results: Results::new(schedule.plan()),
            is_decision_reported: false,
        }
    }

    /// The accepted hypothesis and the number of pairs, once the SPRT is decided.
    fn decision(&self) -> Option<(Hypothesis, u64)> {
        let sprt_run = self.results.sprt_run()?;
        let accepted = match sprt_run.decision() {
            Decision::GoOn => return None,
            Decision::H0 => Hypothesis::H0,
            Decision::H1 => Hypothesis::H1,
        };
        Some((accepted, sprt_run.pair_count()))
    }

    /// Whether the SPRT has been decided or given up.
    fn is_finished(&self) -> bool {
        self.decision().is_some() || self.results.is_repeating()
    }

    fn add_result(&mut self, game: &GameResult) {
        self.done += 1;
        for side in Side::BOTH {
            let Some(score) = self.scores.get_mut(game.key.bot(side) as usize) else {
                continue;
            };
            match game.outcome.winner() {
                None => score.draws += 1,
                Some(winner) if winner == side => score.wins += 1,
                Some(_) => score.losses += 1,
            }
        }
        self.results.add(game);
    }

    fn report_decision(&mut self, watch: &mut dyn FnMut(TournamentEvent<'_>)) {
        if let Some((accepted, pairs)) = self.decision()
            && !std::mem::replace(&mut self.is_decision_reported, true)
        {
            watch(TournamentEvent::Decided { accepted, pairs });
        }
    }
}

/// Handles the workers' messages: counts and saves results, and handles stop requests.
struct Coordinator<'a> {
    progress: RoundProgress,
    journal: &'a mut dyn Journal,
    control: &'a TournamentControl,
    queue: &'a GameQueue,
    /// How many messages are handled together.
    batch_size: usize,
    /// Stops running games.
    halt: StopFlag,
    /// Workers that haven't exited.
    workers_left: usize,
    /// When running games were told to stop.
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
            self.handle_stop_request(watch);
            let Some(first) = self.next_message(messages) else {
                // The remaining workers don't exit in time and are abandoned.
                return;
            };
            let mut batch = vec![first];
            while batch.len() < self.batch_size {
                let Ok(message) = messages.try_recv() else {
                    break;
                };
                batch.push(message);
            }
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
        if request.is_some() && request != self.reported_stop {
            self.queue.close();
            if request == Some(StopRequest::Now) {
                self.stop_running_games();
            }
            self.reported_stop = request;
            if let Some(request) = request {
                watch(TournamentEvent::Stopping { request });
            }
        }
    }

    fn stop_running_games(&mut self) {
        self.queue.close();
        self.halt.stop();
        self.halted_at.get_or_insert_with(Instant::now);
    }

    fn next_message(&self, messages: &Receiver<Message>) -> Option<Message> {
        let Some(halted_at) = self.halted_at else {
            return messages.recv().ok();
        };
        let left = GRACE.saturating_sub(halted_at.elapsed());
        messages.recv_timeout(left).ok()
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
            Message::Wake => {}
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
                self.progress.add_result(&game.result());
                watch(TournamentEvent::GameEnded {
                    game: &game,
                    scores: &self.progress.scores,
                    done: self.progress.done,
                    planned: self.progress.planned,
                });
                if self.progress.is_finished() {
                    self.queue.close();
                }
                self.progress.report_decision(watch);
            }
        }
    }
}
