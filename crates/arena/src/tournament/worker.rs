//! A thread that plays one game after the other, with players of its own.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use noughts_engine::{StopFlag, Tablebases, catch_panic};
use noughts_rules::Side;

use super::cores;
use super::game_queue::GameQueue;
use super::stall_detector::StallMonitor;
use super::{MakePlayer, TournamentRunner};
use crate::played_game::{EndReason, GameKey, PlayedGame};
use crate::player::{MoveRequest, MoveResponse, NewGame, Player, PlayerError, PlayerErrorKind};
use crate::referee::{self, Conditions, GameAttempt};
use crate::schedule::Schedule;
use crate::spec::BotSpec;

/// What a worker says.
pub(super) enum Message {
    /// A game begins.
    GameStarted(GameKey),
    /// A game has ended.
    GameEnded(Box<PlayedGame>),
    /// A game was stopped.
    GameAborted(GameKey),
    /// A game could not be played, by no fault of a bot.
    HostFailure(String),
    /// The worker itself failed.
    Panicked(String),
    /// The worker has left.
    WorkerExited,
    /// Nothing: somebody else has something to say.
    Wake,
}

/// Searches recurse, and threads begin with less than programs.
const STACK: usize = 32 << 20;

/// So many players a worker keeps from game to game: programs cost memory even when they
/// do nothing.
const KEPT: usize = 8;

/// The pause before there may be room for one more program begins so short, and grows.
const FIRST_PAUSE: Duration = Duration::from_millis(10);
const LONGEST_PAUSE: Duration = Duration::from_millis(500);

/// A game that the program has slept through so often is not played any more.
const MOST_STOPS: u32 = 3;

pub(super) struct Worker {
    schedule: Arc<Schedule>,
    desk: GameQueue,
    factory: MakePlayer,
    tables: Tablebases,
    /// How long it is tried to make room for a bot.
    hindered: Duration,
    halt: StopFlag,
    pulse: Arc<StallMonitor>,
    /// The cores that its bots are kept on; none: any.
    cores: Vec<usize>,
    /// The last used last.
    seats: Vec<(u32, Seat)>,
    /// Dropped last: who says that it is gone has nothing left.
    says: Voice,
}

struct Voice(SyncSender<Message>);

impl Drop for Voice {
    fn drop(&mut self) {
        let _ = self.0.send(Message::WorkerExited);
    }
}

impl Worker {
    pub(super) fn new(
        schedule: &Arc<Schedule>,
        desk: &GameQueue,
        hall: &TournamentRunner,
        halt: &StopFlag,
        pulse: Arc<StallMonitor>,
        cores: Vec<usize>,
        sender: SyncSender<Message>,
    ) -> Worker {
        Worker {
            schedule: Arc::clone(schedule),
            desk: desk.clone(),
            factory: Arc::clone(&hall.make_player),
            tables: hall.tablebases.clone(),
            hindered: hall.retry_timeout,
            halt: halt.clone(),
            pulse,
            cores,
            seats: Vec::new(),
            says: Voice(sender),
        }
    }

    pub(super) fn start(self) -> io::Result<JoinHandle<()>> {
        let thread = thread::Builder::new()
            .name("arena".into())
            .stack_size(STACK);
        thread.spawn(move || self.work())
    }

    fn work(mut self) {
        if !self.cores.is_empty() {
            // Our bots think on this thread, and others are started from it.
            cores::pin_thread(&self.cores);
        }
        while let Some(job) = self.desk.next_job() {
            let key = job.key;
            if self.says.0.send(Message::GameStarted(key)).is_err() {
                return;
            }
            let course = catch_panic(|| self.play(key));
            // Before anybody may wait for the disk.
            drop(job);
            let message = match course {
                Ok(GameAttempt::Finished(played)) => Message::GameEnded(played),
                Ok(GameAttempt::Stopped) => Message::GameAborted(key),
                Ok(GameAttempt::HostFailure(why)) => Message::HostFailure(why),
                Err(panic) => Message::Panicked(panic),
            };
            if self.says.0.send(message).is_err() {
                return;
            }
        }
    }

    /// Plays a game, once more where it was spoilt by nobody who plays.
    fn play(&mut self, key: GameKey) -> GameAttempt {
        let until = Instant::now() + self.hindered;
        let mut pause = FIRST_PAUSE;
        let mut stood_still = 0;
        loop {
            let stops = self.pulse.stall_count();
            match self.try_to_play(key) {
                // What others have in use may be free soon; what this worker keeps is now.
                GameAttempt::HostFailure(_)
                    if Instant::now() < until && !self.halt.is_stopped() =>
                {
                    self.seats.clear();
                    thread::sleep(pause);
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
                GameAttempt::Finished(played)
                    if played.reason == EndReason::Timeout
                        && stood_still < MOST_STOPS
                        && self.pulse.has_stalled_since(stops) =>
                {
                    stood_still += 1;
                }
                course => return course,
            }
        }
    }

    fn try_to_play(&mut self, key: GameKey) -> GameAttempt {
        let mut seats = Side::BOTH.map(|side| self.seat(key.bot(side)));
        let [x, o] = &mut seats;
        let paces = [&*x, &*o].map(|(_, seat)| self.schedule.time_control(&seat.spec));
        let seeds = Side::BOTH.map(|side| self.schedule.seed(&key, side));
        let conditions =
            Conditions::from_plan(self.schedule.plan(), &self.tables, seeds, &self.halt);
        let opening = self.schedule.opening(&key);
        let course = referee::play_game(key, opening, [&mut x.1, &mut o.1], paces, &conditions);
        self.seats.extend(seats);
        while self.seats.len() > KEPT {
            self.seats.remove(0).1.leave();
        }
        course
    }

    /// The player of a bot, one that is kept or a new one.
    fn seat(&mut self, bot: u32) -> (u32, Seat) {
        if let Some(i) = self.seats.iter().position(|(other, _)| *other == bot) {
            return self.seats.remove(i);
        }
        let spec = self.schedule.plan().bots[bot as usize].clone();
        let seat = Seat {
            spec,
            factory: Arc::clone(&self.factory),
            player: None,
        };
        (bot, seat)
    }
}

/// A player, who is made when first needed, and put away when it panics.
struct Seat {
    spec: BotSpec,
    factory: MakePlayer,
    player: Option<Box<dyn Player>>,
}

impl Seat {
    fn guarded<T>(&mut self, work: impl FnOnce(&mut dyn Player) -> T) -> Result<T, PlayerError> {
        let Some(player) = &mut self.player else {
            return Err(crash("it is not there any more".into()));
        };
        match catch_panic(|| work(&mut **player)) {
            Ok(done) => Ok(done),
            Err(panic) => {
                self.leave();
                Err(crash(format!("it panicked: {panic}")))
            }
        }
    }

    /// Makes the player, if there is none.
    fn fill(&mut self) -> Result<(), PlayerError> {
        if self.player.is_none() {
            let made = catch_panic(|| (self.factory)(&self.spec));
            let message = match made {
                Ok(Ok(player)) => {
                    self.player = Some(player);
                    return Ok(());
                }
                Ok(Err(error)) => error.to_string(),
                Err(panic) => format!("it panicked: {panic}"),
            };
            let mishap = PlayerErrorKind::StartFailure;
            return Err(PlayerError {
                kind: mishap,
                message,
            });
        }
        Ok(())
    }

    fn leave(&mut self) {
        let player = self.player.take();
        // A player that cannot even leave is none of the next one's business.
        let _ = catch_panic(|| drop(player));
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.leave();
    }
}

impl Player for Seat {
    fn start_game(&mut self, game: &NewGame) -> Result<(), PlayerError> {
        self.fill()?;
        self.guarded(|player| player.start_game(game))?
    }

    fn choose_move(&mut self, turn: &MoveRequest<'_>) -> Result<MoveResponse, PlayerError> {
        self.guarded(|player| player.choose_move(turn))?
    }

    fn end_game(&mut self) {
        // Nobody is there to end, or it has panicked and was put away.
        let _ = self.guarded(|player| player.end_game());
    }
}

fn crash(message: String) -> PlayerError {
    let mishap = PlayerErrorKind::Crash;
    PlayerError {
        kind: mishap,
        message,
    }
}
