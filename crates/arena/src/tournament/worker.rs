//! A thread that plays one game after the other with its own players.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use noughts_engine::{StopFlag, catch_panic};
use noughts_rules::Side;

use super::cores;
use super::game_queue::GameQueue;
use super::stall_detector::StallDetector;
use super::{MakePlayer, TournamentRunner};
use crate::played_game::{EndReason, GameKey, PlayedGame};
use crate::player::{MoveRequest, MoveResponse, NewGame, Player, PlayerError, PlayerErrorKind};
use crate::referee::{self, Conditions, GameAttempt};
use crate::schedule::Schedule;
use crate::spec::BotSpec;

/// What a worker reports.
pub(super) enum Message {
    /// A game starts.
    GameStarted(GameKey),
    /// A game has ended.
    GameEnded(Box<PlayedGame>),
    /// A game was stopped.
    GameAborted(GameKey),
    /// A game couldn't be played because of the machine, not the bots.
    HostFailure(String),
    /// The worker itself panicked.
    Panicked(String),
    /// The worker has exited.
    WorkerExited,
}

/// Searches recurse, and threads have smaller stacks than the main thread.
const STACK_SIZE: usize = 32 << 20;

/// How many players a worker keeps between games: programs use memory even when idle.
const MAX_KEPT_PLAYERS: usize = 8;

/// The first pause before retrying to start a program; it doubles up to the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(10);
const MAX_PAUSE: Duration = Duration::from_millis(500);

/// After this many suspensions of the process during one game, its result is accepted.
const MAX_STALLS: u32 = 3;

pub(super) struct GameWorker {
    pub(super) schedule: Arc<Schedule>,
    pub(super) queue: GameQueue,
    pub(super) runner: Arc<TournamentRunner>,
    pub(super) halt: StopFlag,
    pub(super) stalls: Arc<StallDetector>,
    /// The cores its bots are pinned to; empty for any.
    pub(super) cores: Vec<usize>,
    /// Players with their bot's index, most recently used last.
    pub(super) players: Vec<(u32, PlayerSlot)>,
    /// Must be the last field: it reports the exit when it is dropped, after everything else.
    pub(super) messages: MessageSender,
}

pub(super) struct MessageSender(pub(super) SyncSender<Message>);

impl Drop for MessageSender {
    fn drop(&mut self) {
        let _ = self.0.send(Message::WorkerExited);
    }
}

impl GameWorker {
    pub(super) fn start(self) -> io::Result<JoinHandle<()>> {
        let thread = thread::Builder::new()
            .name("arena".into())
            .stack_size(STACK_SIZE);
        thread.spawn(move || self.run())
    }

    fn run(mut self) {
        if !self.cores.is_empty() {
            // Built-in bots run on this thread, and programs are started from it.
            cores::pin_thread(&self.cores);
        }
        while let Some(job) = self.queue.next_job() {
            let key = job.key;
            if self.messages.0.send(Message::GameStarted(key)).is_err() {
                return;
            }
            let attempt = catch_panic(|| self.play_with_retries(key));
            // Free the cores before sending, which may wait for the disk.
            drop(job);
            let message = match attempt {
                Ok(GameAttempt::Finished(game)) => Message::GameEnded(game),
                Ok(GameAttempt::Stopped) => Message::GameAborted(key),
                Ok(GameAttempt::HostFailure(reason)) => Message::HostFailure(reason),
                Err(panic) => Message::Panicked(panic),
            };
            if self.messages.0.send(message).is_err() {
                return;
            }
        }
    }

    /// Plays a game; retries if the machine was at fault.
    fn play_with_retries(&mut self, key: GameKey) -> GameAttempt {
        let deadline = Instant::now() + self.runner.retry_timeout;
        let mut pause = FIRST_PAUSE;
        let mut retries = 0;
        loop {
            let stalls = self.stalls.stall_count();
            match self.try_play(key) {
                // Other workers may free resources soon; this worker's idle players are freed now.
                GameAttempt::HostFailure(_)
                    if Instant::now() < deadline && !self.halt.is_stopped() =>
                {
                    self.players.clear();
                    thread::sleep(pause);
                    pause = (pause * 2).min(MAX_PAUSE);
                }
                GameAttempt::Finished(game)
                    if game.reason == EndReason::Timeout
                        && retries < MAX_STALLS
                        && self.stalls.has_stalled_since(stalls) =>
                {
                    retries += 1;
                }
                attempt => return attempt,
            }
        }
    }

    fn try_play(&mut self, key: GameKey) -> GameAttempt {
        let mut slots = Side::BOTH.map(|side| self.take_player(key.bot(side)));
        let [x, o] = &mut slots;
        let time_controls = [&*x, &*o].map(|(_, slot)| self.schedule.time_control(&slot.spec));
        let seeds = Side::BOTH.map(|side| self.schedule.seed(&key, side));
        let (plan, tablebases) = (self.schedule.plan(), &self.runner.tablebases);
        let conditions = Conditions::from_plan(plan, tablebases, seeds, &self.halt);
        let opening = self.schedule.opening(&key);
        let players: [&mut dyn Player; 2] = [&mut x.1, &mut o.1];
        let attempt = referee::play_game(key, opening, players, time_controls, &conditions);
        self.players.extend(slots);
        while self.players.len() > MAX_KEPT_PLAYERS {
            self.players.remove(0).1.drop_player();
        }
        attempt
    }

    /// The player of a bot: an existing one, or a new one.
    fn take_player(&mut self, bot: u32) -> (u32, PlayerSlot) {
        if let Some(i) = self.players.iter().position(|(other, _)| *other == bot) {
            return self.players.remove(i);
        }
        let spec = self.schedule.plan().bots[bot as usize].clone();
        let slot = PlayerSlot {
            spec,
            make_player: Arc::clone(&self.runner.make_player),
            player: None,
        };
        (bot, slot)
    }
}

/// A player that is created when first needed, and dropped when it panics.
pub(super) struct PlayerSlot {
    spec: BotSpec,
    make_player: MakePlayer,
    player: Option<Box<dyn Player>>,
}

impl PlayerSlot {
    fn catch_panic<T>(
        &mut self,
        work: impl FnOnce(&mut dyn Player) -> T,
    ) -> Result<T, PlayerError> {
        let Some(player) = &mut self.player else {
            let message = "it is no longer running";
            return Err(PlayerError::new(PlayerErrorKind::Crash, message));
        };
        catch_panic(|| work(&mut **player)).map_err(|panic| {
            self.drop_player();
            PlayerError::new(PlayerErrorKind::Crash, format!("it crashed: {panic}"))
        })
    }

    /// Creates the player unless it exists.
    fn create_if_missing(&mut self) -> Result<(), PlayerError> {
        if self.player.is_none() {
            let created = match catch_panic(|| (self.make_player)(&self.spec)) {
                Ok(created) => created.map_err(|error| error.to_string()),
                Err(panic) => Err(format!("it crashed: {panic}")),
            };
            let failure = |message| PlayerError::new(PlayerErrorKind::StartFailure, message);
            self.player = Some(created.map_err(failure)?);
        }
        Ok(())
    }

    fn drop_player(&mut self) {
        let player = self.player.take();
        // A panic on drop must not affect the next player.
        let _ = catch_panic(|| drop(player));
    }
}

impl Drop for PlayerSlot {
    fn drop(&mut self) {
        self.drop_player();
    }
}

impl Player for PlayerSlot {
    fn start_game(&mut self, game: &NewGame) -> Result<(), PlayerError> {
        self.create_if_missing()?;
        self.catch_panic(|player| player.start_game(game))?
    }

    fn choose_move(&mut self, request: &MoveRequest<'_>) -> Result<MoveResponse, PlayerError> {
        self.catch_panic(|player| player.choose_move(request))?
    }

    fn end_game(&mut self) {
        // Fails if there is no player, or it has panicked and was dropped.
        let _ = self.catch_panic(|player| player.end_game());
    }
}
