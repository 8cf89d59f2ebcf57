//! One search and its answer. The bot thinks on one thread and another one monitors it, so that a
//! bot that is late, panics or returns an illegal move doesn't break the connection.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use noughts_rules::{AnyGameState, Game as _};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::BotFactory;
use crate::background::{BackgroundTask, StopHandle, TaskEvent};
use crate::bot::{AnyBot, BotKind, BotSettings};
use crate::limits::SearchLimits;
use crate::report::SearchReport;
use crate::search_game::dispatch_game;
use crate::value::{ExactValue, GameValue, Value};

/// Bots stop within a millisecond. After this time the bot is abandoned and its last report is the
/// answer...
const STOP_TIMEOUT: Duration = Duration::from_millis(12);
/// ...unless there is none: then a slow machine gets a little more time.
const STOP_TIMEOUT_WITHOUT_MOVE: Duration = Duration::from_millis(250);
/// The minimum interval between `info` lines; a bot may report thousands of times per second.
const INFO_INTERVAL: Duration = Duration::from_millis(5);

/// What to search. The game must not be over.
pub(super) struct SearchTask {
    pub(super) state: Arc<AnyGameState>,
    pub(super) kind: BotKind,
    pub(super) settings: BotSettings,
    pub(super) make_bot: BotFactory,
    pub(super) limits: SearchLimits,
    /// When the search was requested; the time limit starts here.
    pub(super) started: Instant,
}

/// The bot and its report, or why the bot couldn't be created.
type SearchOutcome = Result<(AnyBot, SearchReport<String>), String>;

/// A search that is running, or has ended and wasn't joined yet.
pub(super) struct RunningSearch {
    stop_handle: StopHandle<SearchOutcome>,
    is_limited: bool,
    /// Set before the best move is written: a client that has read it never finds the search still
    /// running.
    answered: Arc<AtomicBool>,
    monitor_thread: JoinHandle<Option<AnyBot>>,
}

impl RunningSearch {
    /// Starts a search.
    ///
    /// # Errors
    /// The system can't start another thread; nothing was written.
    pub(super) fn start<W: Write + Send + 'static>(
        task: SearchTask,
        bot: Option<AnyBot>,
        output: &Output<W>,
    ) -> io::Result<RunningSearch> {
        let is_limited = !task.limits.is_unlimited();
        let bot_task = task.start_bot(bot)?;
        let stop_handle = bot_task.stop_handle();
        let answered = Arc::new(AtomicBool::new(false));
        let monitor = Monitor {
            task,
            output: output.clone(),
            latest: SearchReport::empty(),
            last_info: None,
            last_note: String::new(),
            answered: Arc::clone(&answered),
        };
        let monitor_thread = thread::Builder::new()
            .spawn(move || monitor.run(bot_task))
            .inspect_err(|_| stop_handle.stop())?;
        Ok(RunningSearch {
            stop_handle,
            is_limited,
            answered,
            monitor_thread,
        })
    }

    /// Whether the search ends by itself.
    pub(super) fn is_limited(&self) -> bool {
        self.is_limited
    }

    /// Whether the best move has been written or is about to be.
    pub(super) fn has_answered(&self) -> bool {
        self.answered.load(Ordering::Acquire)
    }

    pub(super) fn stop(&self) {
        self.stop_handle.stop();
    }

    /// Waits for the answer; returns the bot unless it was abandoned.
    pub(super) fn join(self) -> Option<AnyBot> {
        self.monitor_thread.join().ok().flatten()
    }
}

impl SearchTask {
    /// Starts the bot, creating it first if there is none.
    fn start_bot(&self, bot: Option<AnyBot>) -> io::Result<BackgroundTask<SearchOutcome>> {
        let (state, kind, make_bot) = (Arc::clone(&self.state), self.kind, self.make_bot);
        let (settings, limits, started) = (self.settings.clone(), self.limits, self.started);
        BackgroundTask::start(move |stop, on_report| {
            let mut bot = match bot {
                Some(bot) => bot,
                None => make_bot(kind, state.variant(), &settings)?,
            };
            let time = limits
                .time
                .map(|time| time.saturating_sub(started.elapsed()));
            let report = bot.think(&state, SearchLimits { time, ..limits }, stop, on_report);
            Ok((bot, report))
        })
    }

    /// When the bot must have answered.
    fn deadline(&self) -> Option<Instant> {
        self.started.checked_add(self.limits.time?)
    }
}

/// Monitors a bot.
struct Monitor<W> {
    task: SearchTask,
    output: Output<W>,
    latest: SearchReport<String>,
    /// When the last `info` line was written.
    last_info: Option<Instant>,
    /// The last `info string`, which isn't repeated.
    last_note: String,
    answered: Arc<AtomicBool>,
}

impl<W: Write> Monitor<W> {
    /// Waits for the bot and writes its move. Returns the bot unless it was abandoned.
    fn run(mut self, mut bot_task: BackgroundTask<SearchOutcome>) -> Option<AnyBot> {
        let mut deadline = self.task.deadline();
        let mut is_stopping = false;
        loop {
            match bot_task.wait(deadline) {
                TaskEvent::Report(report) => {
                    self.latest = report;
                    if self
                        .last_info
                        .is_none_or(|last_info| last_info.elapsed() >= INFO_INTERVAL)
                    {
                        self.write_report();
                    }
                    if is_stopping {
                        deadline = deadline.min(Some(Instant::now() + STOP_TIMEOUT));
                    }
                    // The output is closed.
                    if self.output.has_failed() {
                        bot_task.stop();
                    }
                }
                TaskEvent::Stopped => {
                    is_stopping = true;
                    let timeout = match self.latest.best {
                        Some(_) => STOP_TIMEOUT,
                        None => STOP_TIMEOUT_WITHOUT_MOVE,
                    };
                    deadline = Some(Instant::now() + timeout);
                }
                TaskEvent::TimedOut if is_stopping => {
                    self.note("error: the bot didn't stop in time");
                    self.write_best_move();
                    return None;
                }
                TaskEvent::TimedOut => bot_task.stop(),
                TaskEvent::Ended => break,
            }
        }
        let mut returned = None;
        match bot_task.take_result() {
            Some(Ok(Ok((bot, report)))) => {
                self.latest = report;
                self.write_report();
                returned = Some(bot);
            }
            Some(Ok(Err(reason))) => self.note(&format!("error: {reason}")),
            Some(Err(panic)) => self.note(&format!("error: the bot crashed: {panic}")),
            None => {}
        }
        self.write_best_move();
        returned
    }

    /// Writes the latest report.
    fn write_report(&mut self) {
        self.last_info = Some(Instant::now());
        self.output.write_line(&info(&self.latest));
        if let Value::Exact(exact) = self.latest.value
            && mate_distance(exact).is_none()
        {
            self.note(&format!("exact {}", exact.game_value().as_str()));
        }
        if let Some(note) = self.latest.note.as_ref().map(ToString::to_string) {
            self.note(&note);
        }
    }

    fn note(&mut self, text: &str) {
        if self.last_note != text {
            self.output.write_info_string(text);
            text.clone_into(&mut self.last_note);
        }
    }

    /// Writes the best move, or any legal one if the bot has none.
    fn write_best_move(&mut self) {
        let state = Arc::clone(&self.task.state);
        let mut best = self.latest.best.take();
        if let Some(mv) = best.take_if(|mv| !is_legal(&state, mv)) {
            self.note(&format!("error: the bot's move {mv:?} isn't legal"));
        }
        let mv = best.or_else(|| random_legal_move(&state, self.task.settings.seed));
        self.answered.store(true, Ordering::Release);
        self.output
            .write_line(&format!("bestmove {}", mv.unwrap_or_default()));
    }
}

/// Formats a report as an `info` line.
pub(super) fn info(report: &SearchReport<String>) -> String {
    let mut line = String::from("info");
    if report.depth > 0 {
        line += &format!(" depth {}", report.depth);
    }
    // An unknown value isn't reported.
    let is_unknown = matches!(report.value, Value::Estimate { error, .. } if error >= 1.0);
    match report.value.exact().and_then(mate_distance) {
        Some(plies) => line += &format!(" score mate {plies}"),
        None if is_unknown => {}
        None => line += &format!(" score cp {}", centipawns(report.value)),
    }
    let seconds = report.elapsed.as_secs_f64().max(1e-6);
    line += &format!(
        " nodes {} nps {:.0} time {}",
        report.nodes,
        report.nodes as f64 / seconds,
        report.elapsed.as_millis()
    );
    if !report.pv.is_empty() {
        line += " pv ";
        line += &report.pv.join(" ");
    }
    line
}

/// The distance of a proved win in plies, negative for a loss, as UGI counts it.
fn mate_distance(exact: ExactValue) -> Option<i64> {
    let plies = i64::from(exact.plies()?);
    match exact.game_value() {
        GameValue::Win => Some(plies),
        GameValue::Loss => Some(-plies),
        GameValue::Draw => None,
    }
}

/// The score of a proved win without a distance; estimates are always smaller.
const MAX_SCORE: i32 = 10_000;

/// The score of a value without its distance, in hundredths of a logit, like evaluations: 0 for an even game,
/// 110 where wins are three times as likely as losses, ±10,000 where the result is proved.
#[must_use]
pub fn centipawns(value: Value) -> i32 {
    match value {
        Value::Exact(exact) => exact.expected_result() as i32 * MAX_SCORE,
        Value::Estimate { mean, .. } => {
            let max = f64::from(MAX_SCORE - 1);
            let logit = 2.0 * mean.clamp(-1.0, 1.0).atanh();
            (100.0 * logit).clamp(-max, max).round() as i32
        }
    }
}

fn is_legal(state: &AnyGameState, mv: &str) -> bool {
    dispatch_game!(state, state => {
        let mv = state.game().parse_move(mv);
        mv.is_ok_and(|mv| state.check(mv).is_ok())
    })
}

/// A random legal move, used if the bot has none.
pub(super) fn random_legal_move(state: &AnyGameState, seed: u64) -> Option<String> {
    dispatch_game!(state, state => {
        let (game, position) = (state.game(), state.position());
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed ^ game.hash(position));
        let mv = game.random_move(position, &mut rng)?;
        Some(game.move_text(mv))
    })
}

/// Writes lines from several threads. After the first error, which is kept, nothing more is
/// written.
pub(super) struct Output<W>(Arc<Mutex<OutputState<W>>>);

struct OutputState<W> {
    writer: W,
    error: Option<io::Error>,
}

impl<W> Clone for Output<W> {
    fn clone(&self) -> Output<W> {
        Output(Arc::clone(&self.0))
    }
}

/// An `info string` as a single line, with control characters replaced. Long messages are truncated.
pub(super) fn info_string(text: &str) -> String {
    const MAX_CHARS: usize = 400;
    let printable = |c: char| if c.is_control() { '?' } else { c };
    let text: String = text.chars().take(MAX_CHARS).map(printable).collect();
    format!("info string {text}")
}

impl<W: Write> Output<W> {
    pub(super) fn new(writer: W) -> Output<W> {
        Output(Arc::new(Mutex::new(OutputState {
            writer,
            error: None,
        })))
    }

    fn lock(&self) -> MutexGuard<'_, OutputState<W>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a line and flushes.
    pub(super) fn write_line(&self, line: &str) {
        let mut sink = self.lock();
        if sink.error.is_none() {
            let written = sink.writer.write_all(format!("{line}\n").as_bytes());
            sink.error = written.and_then(|()| sink.writer.flush()).err();
        }
    }

    pub(super) fn write_info_string(&self, text: &str) {
        self.write_line(&info_string(text));
    }

    pub(super) fn has_failed(&self) -> bool {
        self.lock().error.is_some()
    }

    /// # Errors
    /// The first write error, if there was one.
    pub(super) fn result(&self) -> io::Result<()> {
        self.lock().error.take().map_or(Ok(()), Err)
    }
}
