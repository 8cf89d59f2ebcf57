//! A thread that plays one game after the other, with players of its own.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use noughts_engine::{Stop, Tables, caught};
use noughts_rules::Player as Side;

use super::cores;
use super::desk::Desk;
use super::pulse::Beating;
use super::{Factory, Hall};
use crate::played::{Key, Played, Reason};
use crate::player::{Answer, Fault, Mishap, NewGame, Player, Turn};
use crate::referee::{self, Conditions, Course};
use crate::schedule::Schedule;
use crate::spec::BotSpec;

/// What a worker says.
pub(super) enum Message {
    /// A game begins.
    Begun(Key),
    /// A game has ended.
    Ended(Box<Played>),
    /// A game was stopped.
    GivenUp(Key),
    /// A game could not be played, by no fault of a bot.
    Hindered(String),
    /// The worker itself failed.
    Broken(String),
    /// The worker has left.
    Gone,
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
    desk: Desk,
    factory: Factory,
    tables: Tables,
    /// How long it is tried to make room for a bot.
    hindered: Duration,
    halt: Stop,
    pulse: Arc<Beating>,
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
        let _ = self.0.send(Message::Gone);
    }
}

impl Worker {
    pub(super) fn new(
        schedule: &Arc<Schedule>,
        desk: &Desk,
        hall: &Hall,
        halt: &Stop,
        pulse: Arc<Beating>,
        cores: Vec<usize>,
        sender: SyncSender<Message>,
    ) -> Worker {
        Worker {
            schedule: Arc::clone(schedule),
            desk: desk.clone(),
            factory: Arc::clone(&hall.players),
            tables: hall.tables.clone(),
            hindered: hall.hindered,
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
            cores::pin(&self.cores);
        }
        while let Some(job) = self.desk.take() {
            let key = job.key;
            if self.says.0.send(Message::Begun(key)).is_err() {
                return;
            }
            let course = caught(|| self.play(key));
            // Before anybody may wait for the disk.
            drop(job);
            let message = match course {
                Ok(Course::Played(played)) => Message::Ended(played),
                Ok(Course::Stopped) => Message::GivenUp(key),
                Ok(Course::Hindered(why)) => Message::Hindered(why),
                Err(panic) => Message::Broken(panic),
            };
            if self.says.0.send(message).is_err() {
                return;
            }
        }
    }

    /// Plays a game, once more where it was spoilt by nobody who plays.
    fn play(&mut self, key: Key) -> Course {
        let until = Instant::now() + self.hindered;
        let mut pause = FIRST_PAUSE;
        let mut stood_still = 0;
        loop {
            let stops = self.pulse.stops();
            match self.try_to_play(key) {
                // What others have in use may be free soon; what this worker keeps is now.
                Course::Hindered(_) if Instant::now() < until && !self.halt.is_stopped() => {
                    self.seats.clear();
                    thread::sleep(pause);
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
                Course::Played(played)
                    if played.reason == Reason::Time
                        && stood_still < MOST_STOPS
                        && self.pulse.has_stopped_since(stops) =>
                {
                    stood_still += 1;
                }
                course => return course,
            }
        }
    }

    fn try_to_play(&mut self, key: Key) -> Course {
        let mut seats = Side::BOTH.map(|side| self.seat(key.bot(side)));
        let [x, o] = &mut seats;
        let paces = [&*x, &*o].map(|(_, seat)| self.schedule.pace(&seat.spec));
        let seeds = Side::BOTH.map(|side| self.schedule.seed(&key, side));
        let conditions = Conditions::of(self.schedule.plan(), &self.tables, seeds, &self.halt);
        let opening = self.schedule.opening(&key);
        let course = referee::play(key, opening, [&mut x.1, &mut o.1], paces, &conditions);
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
    factory: Factory,
    player: Option<Box<dyn Player>>,
}

impl Seat {
    fn guarded<T>(&mut self, work: impl FnOnce(&mut dyn Player) -> T) -> Result<T, Fault> {
        let Some(player) = &mut self.player else {
            return Err(crash("it is not there any more".into()));
        };
        match caught(|| work(&mut **player)) {
            Ok(done) => Ok(done),
            Err(panic) => {
                self.leave();
                Err(crash(format!("it panicked: {panic}")))
            }
        }
    }

    /// Makes the player, if there is none.
    fn fill(&mut self) -> Result<(), Fault> {
        if self.player.is_none() {
            let made = caught(|| (self.factory)(&self.spec));
            let message = match made {
                Ok(Ok(player)) => {
                    self.player = Some(player);
                    return Ok(());
                }
                Ok(Err(error)) => error.to_string(),
                Err(panic) => format!("it panicked: {panic}"),
            };
            let mishap = Mishap::Start;
            return Err(Fault { mishap, message });
        }
        Ok(())
    }

    fn leave(&mut self) {
        let player = self.player.take();
        // A player that cannot even leave is none of the next one's business.
        let _ = caught(|| drop(player));
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.leave();
    }
}

impl Player for Seat {
    fn begin(&mut self, game: &NewGame) -> Result<(), Fault> {
        self.fill()?;
        self.guarded(|player| player.begin(game))?
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Fault> {
        self.guarded(|player| player.choose(turn))?
    }

    fn end(&mut self) {
        // Nobody is there to end, or it has panicked and was put away.
        let _ = self.guarded(|player| player.end());
    }
}

fn crash(message: String) -> Fault {
    let mishap = Mishap::Crash;
    Fault { mishap, message }
}
