//! All games of a plan, several at once: who plays when, what is kept, when to stop.
//! How a game goes is the referee's business, who the players are the caller's.

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
use worker::{Message, Worker};

/// Makes a player of a description. It is asked once by each worker for each bot, and
/// again after a player broke down.
pub type MakePlayer = Arc<dyn Fn(&BotSpec) -> Result<Box<dyn Player>, SpecError> + Send + Sync>;

/// What a tournament is played with.
pub struct TournamentRunner {
    /// Who makes the players.
    pub make_player: MakePlayer,
    /// Exact tables that were found, for adjudication.
    pub tablebases: Tablebases,
    /// How many cores can be used: a quota may allow fewer than there are.
    pub cores: usize,
    /// How long it is tried to make room for a bot where the system has none.
    pub retry_timeout: Duration,
    /// Keep the bots of each game on cores of their own? Where the system can't
    /// ([`can_pin`]), nothing is done.
    pub affinity: bool,
}

/// Can bots be kept on cores of their own on this system?
#[must_use]
pub fn supports_affinity() -> bool {
    !cores::allowed_cores().is_empty()
}

impl TournamentRunner {
    /// With all cores that can be used, and no tables.
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

    /// How many games of a plan are played at once at most.
    #[must_use]
    pub fn concurrency(&self, plan: &Plan) -> usize {
        at_once(plan, self.cores, self.places(plan).len())
    }

    /// The cores that each game is kept on; none where they aren't kept on any.
    fn places(&self, plan: &Plan) -> Vec<Vec<usize>> {
        match self.affinity {
            true => cores::core_sets(&cores::allowed_cores(), self.cores, plan.max_threads()),
            false => Vec::new(),
        }
    }
}

fn at_once(plan: &Plan, cores: usize, places: usize) -> usize {
    let wanted = plan.concurrency;
    match places {
        0 => wanted.unwrap_or(cores).max(1),
        // Each game has a place, and no place has two.
        places => wanted.unwrap_or(places).clamp(1, places),
    }
}

/// What a sequential test accepts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hypothesis {
    /// It is not better by so much.
    H0,
    /// It is.
    H1,
}

/// What happens in a tournament, as it happens. A game is told of as ended when it is in
/// the journal.
#[derive(Debug)]
pub enum Event<'a> {
    /// It begins, or goes on.
    Started {
        /// The plan.
        plan: &'a Plan,
        /// Games of the plan.
        planned: u64,
        /// Those that were played before.
        done: u64,
        /// How many are played at once at most.
        concurrency: usize,
    },
    /// A game begins.
    GameStarted {
        /// Which one.
        key: GameKey,
    },
    /// A game has ended, and is kept.
    GameEnded {
        /// The game.
        game: &'a PlayedGame,
        /// What every bot has so far, in the order of the plan.
        scores: &'a [BotScore],
        /// Games that were played so far, before, too.
        done: u64,
        /// Games of the plan.
        planned: u64,
    },
    /// A game was stopped and has no result.
    GameAborted {
        /// Which one.
        key: GameKey,
    },
    /// The sequential test is decided; games that go on are finished and kept.
    Decided {
        /// What is accepted.
        accepted: Hypothesis,
        /// The pairs that decided it: the first ones of the plan, so many.
        pairs: u64,
    },
    /// Somebody asked for an end: no game begins any more.
    Stopping {
        /// Are running games finished?
        request: StopRequest,
    },
    /// That was it.
    Finished(&'a TournamentSummary),
}

/// What a bot has achieved so far.
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
    /// All its games.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// A point for a win, half of one for a draw.
    #[must_use]
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }
}

/// How a tournament came to its end for now.
#[derive(Clone, PartialEq, Debug)]
pub struct TournamentSummary {
    /// Why.
    pub end: TournamentEnd,
    /// Games that were played so far, before, too.
    pub done: u64,
    /// Games of the plan.
    pub planned: u64,
    /// What every bot has, in the order of the plan.
    pub scores: Vec<BotScore>,
    /// The pairs that counted for the sequential test, by points of the first bot: none, a
    /// half, one, one and a half, two. All 0 without a test.
    pub pairs: [u64; 5],
    /// How long it took, this time.
    pub took: Duration,
    /// How late the arena itself was.
    pub scheduling_delay: SchedulingDelay,
}

impl TournamentSummary {
    /// Why the sequential test was given up, as a sentence; nothing where it wasn't.
    #[must_use]
    pub fn why_undecidable(&self) -> Option<String> {
        let different = match self.pairs.iter().sum() {
            1u64 => "1 different pair".to_owned(),
            pairs => format!("{pairs} different pairs"),
        };
        (self.end == TournamentEnd::Repeating).then(|| {
            format!(
                "the test can't be decided: the bots play the same games again and again, {different} so \
                 far, and only those count; use more openings, such as random:4, or bots that vary their play"
            )
        })
    }
}

/// Why a tournament ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TournamentEnd {
    /// All games are played.
    Complete,
    /// The sequential test is decided.
    Decided(Hypothesis),
    /// The sequential test can't be decided: the games only repeat earlier ones.
    Repeating,
    /// Somebody asked for it; it can go on later.
    Stopped,
}

/// Why a tournament cannot go on. All games that were told of as ended are kept.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TournamentError {
    /// Something could not be kept.
    #[error("{0}")]
    Journal(#[from] JournalError),
    /// A mistake in this program.
    #[error("a game broke down by a mistake of this program ({0}); the games before it are kept")]
    Panicked(String),
    /// There was no room for the bots: no file, no process.
    #[error(
        "{0}; that is no fault of the bot, so the game is not counted; those that ended are kept"
    )]
    HostFailure(String),
    /// The system gives no thread.
    #[error("cannot start a thread: {0}")]
    NoThread(String),
}

/// So many messages may wait for the disk before players wait for it, too.
const WAITING: usize = 1024;

/// Fewer where a test may be decided by what waits: games beyond that are of no use.
const WAITING_IN_A_TEST: usize = 32;

/// So many are kept together at most, so that the first need not wait long.
const TOGETHER: usize = 256;

/// How long bots have to leave their games once everything is to stop at once. Those that
/// take longer are left to themselves.
const GRACE: Duration = Duration::from_secs(1);

/// Plays all games of a plan that are not done, and keeps each one the moment it ends.
/// Returns when all are played, when the sequential test is decided, or when it was asked
/// to stop.
///
/// No bot can make it hang or fail, as long as its players keep to their time.
///
/// # Errors
/// The journal cannot be written, or something here is broken. What was told of as ended
/// is kept; everything else will be played again.
#[allow(
    clippy::needless_pass_by_value,
    reason = "what a tournament is played with isn't used for another"
)]
pub fn run(
    schedule: &Arc<Schedule>,
    done: &[GameResult],
    hall: TournamentRunner,
    journal: &mut dyn Journal,
    control: &TournamentControl,
    watch: &mut dyn FnMut(Event<'_>),
) -> Result<TournamentSummary, TournamentError> {
    let began = Instant::now();
    journal.save_plan(schedule.plan())?;
    let waiting = match schedule.plan().sprt {
        Some(_) => WAITING_IN_A_TEST,
        None => WAITING,
    };
    let mut book = Book::new(schedule);
    let mut keys = HashSet::new();
    for game in done {
        if schedule.contains(&game.key) && keys.insert(game.key) {
            book.count(game);
        }
    }
    let mut places = hall.places(schedule.plan());
    let at_once = at_once(schedule.plan(), hall.cores, places.len());
    let by_games = schedule.plan().concurrency.is_some() || !places.is_empty();
    watch(Event::Started {
        plan: schedule.plan(),
        planned: schedule.game_count(),
        done: book.done,
        concurrency: at_once,
    });
    book.tell_decision(watch);

    let desk = GameQueue::new(schedule, keys, at_once, by_games, control);
    if book.is_settled() {
        desk.close();
    }
    let halt = StopFlag::new();
    let no_thread = |error: std::io::Error| TournamentError::NoThread(error.to_string());
    let pulse = StallDetector::start().map_err(no_thread)?;
    let (sender, messages) = sync_channel(waiting);
    let waker = sender.clone();
    // Where there is no room for the message, the receiver is awake.
    let _waking = WakeGuard::new(control, move || drop(waker.try_send(Message::Wake)));
    let rest = schedule.game_count() - book.done;
    let count = at_once.min(usize::try_from(rest).unwrap_or(usize::MAX));
    let mut workers = Vec::new();
    // One that could not be started says that it is gone, too.
    let mut expected = 0;
    for _ in 0..count {
        let worker = Worker::new(
            schedule,
            &desk,
            &hall,
            &halt,
            pulse.monitor(),
            places.pop().unwrap_or_default(),
            sender.clone(),
        );
        expected += 1;
        match worker.start() {
            Ok(handle) => workers.push(handle),
            // Fewer will do.
            Err(_) if !workers.is_empty() => break,
            Err(error) => return Err(no_thread(error)),
        }
    }
    drop(sender);
    let mut floor = Floor {
        book,
        journal,
        control,
        desk: &desk,
        together: waiting.min(TOGETHER),
        halt,
        staying: expected,
        halted: None,
        told: None,
        trouble: None,
    };
    floor.work(&messages, workers, watch);

    let Floor { book, trouble, .. } = floor;
    if let Some(trouble) = trouble {
        return Err(trouble);
    }
    let ended = TournamentSummary {
        end: match book.decided() {
            Some((accepted, _)) => TournamentEnd::Decided(accepted),
            None if book.results.is_repeating() => TournamentEnd::Repeating,
            None if book.done == schedule.game_count() => TournamentEnd::Complete,
            None => TournamentEnd::Stopped,
        },
        done: book.done,
        planned: schedule.game_count(),
        pairs: book
            .results
            .sprt_run()
            .map(SprtRun::pairs)
            .copied()
            .unwrap_or_default(),
        scores: book.standings,
        took: began.elapsed(),
        scheduling_delay: pulse.monitor().scheduling_delay(),
    };
    watch(Event::Finished(&ended));
    Ok(ended)
}

/// What the results so far amount to.
struct Book {
    planned: u64,
    done: u64,
    standings: Vec<BotScore>,
    results: Results,
    /// What was decided has been told.
    told: bool,
}

impl Book {
    fn new(schedule: &Schedule) -> Book {
        Book {
            planned: schedule.game_count(),
            done: 0,
            standings: vec![BotScore::default(); schedule.plan().bots.len()],
            results: Results::new(schedule.plan()),
            told: false,
        }
    }

    /// What was decided, and by how many pairs.
    fn decided(&self) -> Option<(Hypothesis, u64)> {
        let walk = self.results.sprt_run()?;
        let accepted = match walk.decision() {
            Decision::GoOn => return None,
            Decision::H0 => Hypothesis::H0,
            Decision::H1 => Hypothesis::H1,
        };
        Some((accepted, walk.pair_count()))
    }

    /// Is there nothing more to find out by playing?
    fn is_settled(&self) -> bool {
        self.decided().is_some() || self.results.is_repeating()
    }

    fn count(&mut self, game: &GameResult) {
        self.done += 1;
        for side in Side::BOTH {
            let Some(standing) = self.standings.get_mut(game.key.bot(side) as usize) else {
                continue;
            };
            match game.outcome.winner() {
                None => standing.draws += 1,
                Some(winner) if winner == side => standing.wins += 1,
                Some(_) => standing.losses += 1,
            }
        }
        self.results.add(game);
    }

    fn tell_decision(&mut self, watch: &mut dyn FnMut(Event<'_>)) {
        if let Some((accepted, pairs)) = self.decided()
            && !std::mem::replace(&mut self.told, true)
        {
            watch(Event::Decided { accepted, pairs });
        }
    }
}

/// Where everything comes together: results, the journal, and whoever wants to stop.
struct Floor<'a> {
    book: Book,
    journal: &'a mut dyn Journal,
    control: &'a TournamentControl,
    desk: &'a GameQueue,
    /// So many messages are looked at together.
    together: usize,
    /// Ends running games.
    halt: StopFlag,
    /// Workers that have not left.
    staying: usize,
    /// When running games were told to end.
    halted: Option<Instant>,
    /// What was asked for, and has been told.
    told: Option<StopRequest>,
    trouble: Option<TournamentError>,
}

impl Floor<'_> {
    fn work(
        &mut self,
        messages: &Receiver<Message>,
        workers: Vec<JoinHandle<()>>,
        watch: &mut dyn FnMut(Event<'_>),
    ) {
        while self.staying > 0 {
            self.heed(watch);
            let Some(first) = self.next(messages) else {
                // They do not leave, and nobody waits for them any longer.
                return;
            };
            let mut heard = vec![first];
            while heard.len() < self.together {
                let Ok(message) = messages.try_recv() else {
                    break;
                };
                heard.push(message);
            }
            self.keep(&heard);
            for message in heard {
                self.hear(message, watch);
            }
        }
        for worker in workers {
            // It said that it was leaving; what else it did is in its messages.
            let _ = worker.join();
        }
    }

    /// Looks whether anybody wants to stop.
    fn heed(&mut self, watch: &mut dyn FnMut(Event<'_>)) {
        let asked = self.control.stop_request();
        if asked.is_some() && asked != self.told {
            self.desk.close();
            if asked == Some(StopRequest::Now) {
                self.end_games();
            }
            self.told = asked;
            if let Some(asked) = asked {
                watch(Event::Stopping { request: asked });
            }
        }
    }

    fn end_games(&mut self) {
        self.desk.close();
        self.halt.stop();
        self.halted.get_or_insert_with(Instant::now);
    }

    fn next(&self, messages: &Receiver<Message>) -> Option<Message> {
        let Some(halted) = self.halted else {
            return messages.recv().ok();
        };
        let left = GRACE.saturating_sub(halted.elapsed());
        messages.recv_timeout(left).ok()
    }

    /// Everything that has ended goes to the disk together.
    fn keep(&mut self, heard: &[Message]) {
        let games: Vec<&PlayedGame> = heard
            .iter()
            .filter_map(|message| match message {
                Message::GameEnded(game) => Some(&**game),
                _ => None,
            })
            .collect();
        if games.is_empty() || self.trouble.is_some() {
            return;
        }
        if let Err(error) = self.journal.save_games(&games) {
            self.trouble = Some(error.into());
            // What they play cannot be kept.
            self.end_games();
        }
    }

    fn hear(&mut self, message: Message, watch: &mut dyn FnMut(Event<'_>)) {
        match message {
            Message::Wake => {}
            Message::WorkerExited => self.staying -= 1,
            Message::GameStarted(key) => watch(Event::GameStarted { key }),
            Message::GameAborted(key) => watch(Event::GameAborted { key }),
            Message::HostFailure(why) => {
                self.trouble
                    .get_or_insert(TournamentError::HostFailure(why));
                self.end_games();
            }
            Message::Panicked(what) => {
                self.trouble.get_or_insert(TournamentError::Panicked(what));
                self.end_games();
            }
            // What came with the journal's error is not kept, or not known to be.
            Message::GameEnded(_) if matches!(self.trouble, Some(TournamentError::Journal(_))) => {}
            Message::GameEnded(game) => {
                self.book.count(&game.result());
                watch(Event::GameEnded {
                    game: &game,
                    scores: &self.book.standings,
                    done: self.book.done,
                    planned: self.book.planned,
                });
                if self.book.is_settled() {
                    self.desk.close();
                }
                self.book.tell_decision(watch);
            }
        }
    }
}
