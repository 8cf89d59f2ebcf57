//! One search and its one answer. The bot thinks on a thread of its own and a
//! second one watches it, so that a bot that is late, panics or answers nonsense
//! costs a good move and nothing else.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use noughts_rules::{AnyGameState, Game, GameState, Visitor};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{BotFactory, UgiBot};
use crate::background::{BackgroundTask, StopHandle, TaskEvent};
use crate::bot::{BotKind, BotSettings};
use crate::limits::SearchLimits;
use crate::report::SearchReport;
use crate::value::{ExactValue, GameValue, Value};

/// Bots stop within a millisecond. One that has not after this time is left
/// behind, and its last report is the answer ...
const PATIENCE: Duration = Duration::from_millis(12);
/// ... unless there is none: then a slow machine gets a little longer.
const MORE_PATIENCE: Duration = Duration::from_millis(250);
/// `info` lines come no more often; a bot may report thousands of times a second.
const EVERY: Duration = Duration::from_millis(5);

/// What is to be searched. The game is not over.
pub(super) struct SearchTask {
    pub(super) play: Arc<AnyGameState>,
    pub(super) kind: BotKind,
    pub(super) settings: BotSettings,
    pub(super) make_bot: BotFactory,
    pub(super) limits: SearchLimits,
    /// When it was asked for: time runs from there.
    pub(super) started: Instant,
}

/// A bot and its answer, or why there is no such bot.
type SearchOutcome = Result<(Box<dyn UgiBot>, SearchReport<String>), String>;

/// A search that goes on, or has ended and waits to be collected.
pub(super) struct RunningSearch {
    brake: StopHandle<SearchOutcome>,
    limited: bool,
    /// Set before the best move is written: a client that has read it and asks for something else never finds the
    /// search still running.
    answered: Arc<AtomicBool>,
    watcher: JoinHandle<Option<Box<dyn UgiBot>>>,
}

impl RunningSearch {
    /// Begins.
    ///
    /// # Errors
    /// The system has no thread left; nothing was said.
    pub(super) fn start<W: Write + Send + 'static>(
        task: SearchTask,
        mind: Option<Box<dyn UgiBot>>,
        output: &Output<W>,
    ) -> io::Result<RunningSearch> {
        let limited = !task.limits.is_unlimited();
        let work = task.begin(mind)?;
        let brake = work.stop_handle();
        let answered = Arc::new(AtomicBool::new(false));
        let watch = Watch::new(task, output.clone(), Arc::clone(&answered));
        match thread::Builder::new().spawn(move || watch.over(work)) {
            Ok(watcher) => Ok(RunningSearch {
                brake,
                limited,
                answered,
                watcher,
            }),
            Err(error) => {
                brake.stop();
                Err(error)
            }
        }
    }

    /// Does it end by itself?
    pub(super) fn is_limited(&self) -> bool {
        self.limited
    }

    /// Has the best move been written, or is it about to be?
    pub(super) fn has_answered(&self) -> bool {
        self.answered.load(Ordering::Acquire)
    }

    pub(super) fn stop(&self) {
        self.brake.stop();
    }

    /// Waits for the answer; gives the bot back, unless it was lost.
    pub(super) fn join(self) -> Option<Box<dyn UgiBot>> {
        self.watcher.join().ok().flatten()
    }
}

impl SearchTask {
    /// Sets the bot to work; it is made here, if there is none yet.
    fn begin(&self, mind: Option<Box<dyn UgiBot>>) -> io::Result<BackgroundTask<SearchOutcome>> {
        let (play, kind, make) = (Arc::clone(&self.play), self.kind, self.make_bot);
        let (settings, limits, began) = (self.settings.clone(), self.limits, self.started);
        BackgroundTask::start(move |stop, watch| {
            let mut mind = match mind {
                Some(mind) => mind,
                None => make(kind, play.variant(), &settings)?,
            };
            let time = limits.time.map(|time| time.saturating_sub(began.elapsed()));
            let report = mind.think(&play, SearchLimits { time, ..limits }, stop, watch);
            Ok((mind, report))
        })
    }

    /// When the bot is to have answered.
    fn deadline(&self) -> Option<Instant> {
        self.started.checked_add(self.limits.time?)
    }
}

/// What watches over a bot.
struct Watch<W> {
    task: SearchTask,
    output: Output<W>,
    latest: SearchReport<String>,
    /// When the last `info` line was written.
    told: Option<Instant>,
    /// The last `info string`: none is repeated.
    noted: String,
    answered: Arc<AtomicBool>,
}

impl<W: Write> Watch<W> {
    fn new(task: SearchTask, output: Output<W>, answered: Arc<AtomicBool>) -> Watch<W> {
        Watch {
            task,
            output,
            latest: SearchReport::empty(),
            told: None,
            noted: String::new(),
            answered,
        }
    }

    /// Waits for the bot as long as is right, and says its move. Gives it back,
    /// unless it is lost.
    fn over(mut self, mut work: BackgroundTask<SearchOutcome>) -> Option<Box<dyn UgiBot>> {
        let mut until = self.task.deadline();
        let mut stopping = false;
        loop {
            match work.wait(until) {
                TaskEvent::Report(report) => {
                    self.latest = report;
                    if self.told.is_none_or(|told| told.elapsed() >= EVERY) {
                        self.tell();
                    }
                    if stopping {
                        until = until.min(Some(Instant::now() + PATIENCE));
                    }
                    // Nobody listens any more.
                    if self.output.has_failed() {
                        work.stop();
                    }
                }
                TaskEvent::Stopped => {
                    stopping = true;
                    let patience = match self.latest.best {
                        Some(_) => PATIENCE,
                        None => MORE_PATIENCE,
                    };
                    until = Some(Instant::now() + patience);
                }
                TaskEvent::TimedOut if stopping => {
                    self.note("error: the bot does not stop");
                    self.answer();
                    return None;
                }
                TaskEvent::TimedOut => work.stop(),
                TaskEvent::Ended => break,
            }
        }
        match work.take_result() {
            Some(Ok(Ok((mind, report)))) => {
                self.latest = report;
                self.tell();
                self.answer();
                Some(mind)
            }
            Some(Ok(Err(reason))) => {
                self.note(&format!("error: {reason}"));
                self.answer();
                None
            }
            Some(Err(panic)) => {
                self.note(&format!("error: the bot broke down: {panic}"));
                self.answer();
                None
            }
            None => {
                self.answer();
                None
            }
        }
    }

    /// What the bot has found so far.
    fn tell(&mut self) {
        self.told = Some(Instant::now());
        self.output.write_line(&info(&self.latest));
        if let Value::Exact(exact) = self.latest.value
            && mate(exact).is_none()
        {
            self.note(&format!("exact {}", exact.game_value().as_str()));
        }
        if let Some(note) = self.latest.note.clone() {
            self.note(&note);
        }
    }

    fn note(&mut self, text: &str) {
        if self.noted != text {
            self.output.write_info_string(text);
            text.clone_into(&mut self.noted);
        }
    }

    /// The one answer: the bot's move, or any legal one.
    fn answer(&mut self) {
        let play = Arc::clone(&self.task.play);
        let mv = match self.latest.best.take() {
            Some(mv) if play.visit(IsLegal(&mv)) => Some(mv),
            Some(mv) => {
                self.note(&format!("error: the bot's move {mv:?} is not legal"));
                None
            }
            None => None,
        };
        let mv = mv.or_else(|| random_legal_move(&play, self.task.settings.seed));
        self.answered.store(true, Ordering::Release);
        self.output
            .write_line(&format!("bestmove {}", mv.unwrap_or_default()));
    }
}

/// A line about a report.
pub(super) fn info(report: &SearchReport<String>) -> String {
    let mut line = String::from("info");
    if report.depth > 0 {
        line += &format!(" depth {}", report.depth);
    }
    match report.value {
        Value::Exact(exact) => match mate(exact) {
            Some(plies) => line += &format!(" score mate {plies}"),
            None => line += &format!(" score cp {}", exact.expected_result() as i32 * MOST_POINTS),
        },
        // A bot that knows nothing says nothing.
        Value::Estimate { error, .. } if error >= 1.0 => {}
        Value::Estimate { mean, .. } => line += &format!(" score cp {}", points(mean)),
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

/// Plies to a proved end, negative for a loss, as UGI counts them.
fn mate(exact: ExactValue) -> Option<i64> {
    let plies = i64::from(exact.plies()?);
    match exact.game_value() {
        GameValue::Win => Some(plies),
        GameValue::Loss => Some(-plies),
        GameValue::Draw => None,
    }
}

/// No estimate is worth as much as a proved win, which is worth this.
const MOST_POINTS: i32 = 10_000;

/// Hundredths of a logit, as evaluations count: 0 for an even game, 110 where
/// one wins three times as often as one loses.
fn points(mean: f64) -> i32 {
    let most = f64::from(MOST_POINTS - 1);
    (200.0 * mean.atanh()).clamp(-most, most).round() as i32
}

struct IsLegal<'a>(&'a str);

impl Visitor for IsLegal<'_> {
    type Output = bool;

    fn visit<G: Game>(self, play: &GameState<G>) -> bool {
        let mv = play.game().parse_move(self.0);
        mv.is_ok_and(|mv| play.check(mv).is_ok())
    }
}

/// Some legal move, where no bot has one.
pub(super) fn random_legal_move(play: &AnyGameState, seed: u64) -> Option<String> {
    struct Any(u64);
    impl Visitor for Any {
        type Output = Option<String>;

        fn visit<G: Game>(self, play: &GameState<G>) -> Option<String> {
            let (game, position) = (play.game(), play.position());
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.0 ^ game.hash(position));
            let mv = game.random_move(position, &mut rng)?;
            Some(game.move_text(mv))
        }
    }
    play.visit(Any(seed))
}

/// Where lines are written, from several threads. The first error is kept, and
/// nothing is written after it.
pub(super) struct Output<W>(Arc<Mutex<Sink<W>>>);

struct Sink<W> {
    writer: W,
    error: Option<io::Error>,
}

impl<W> Clone for Output<W> {
    fn clone(&self) -> Output<W> {
        Output(Arc::clone(&self.0))
    }
}

/// Longer messages help nobody.
const LONGEST_MESSAGE: usize = 400;

impl<W: Write> Output<W> {
    pub(super) fn new(writer: W) -> Output<W> {
        Output(Arc::new(Mutex::new(Sink {
            writer,
            error: None,
        })))
    }

    fn lock(&self) -> MutexGuard<'_, Sink<W>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a line, at once.
    pub(super) fn write_line(&self, line: &str) {
        let mut sink = self.lock();
        if sink.error.is_none() {
            let written = sink.writer.write_all(format!("{line}\n").as_bytes());
            sink.error = written.and_then(|()| sink.writer.flush()).err();
        }
    }

    /// Writes an `info string`: one line, whatever it repeats of the input.
    pub(super) fn write_info_string(&self, text: &str) {
        let mut line = String::from("info string ");
        for c in text.chars().take(LONGEST_MESSAGE) {
            line.push(if c.is_control() { '?' } else { c });
        }
        self.write_line(&line);
    }

    pub(super) fn has_failed(&self) -> bool {
        self.lock().error.is_some()
    }

    /// # Errors
    /// What went wrong, if anything did.
    pub(super) fn result(&self) -> io::Result<()> {
        self.lock().error.take().map_or(Ok(()), Err)
    }
}
