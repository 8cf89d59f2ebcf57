//! One search and its one answer. The bot thinks on a thread of its own and a
//! second one watches it, so that a bot that is late, panics or answers nonsense
//! costs a good move and nothing else.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use noughts_rules::{AnyPlay, Game, Play, Visitor};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Maker, Mind};
use crate::background::{Background, Brake, News};
use crate::bot::{BotKind, Settings};
use crate::limits::Limits;
use crate::report::Report;
use crate::value::{Exact, Value, Verdict};

/// Bots stop within a millisecond. One that has not after this time is left
/// behind, and its last report is the answer ...
const PATIENCE: Duration = Duration::from_millis(12);
/// ... unless there is none: then a slow machine gets a little longer.
const MORE_PATIENCE: Duration = Duration::from_millis(250);
/// `info` lines come no more often; a bot may report thousands of times a second.
const EVERY: Duration = Duration::from_millis(5);

/// What is to be searched. The game is not over.
pub(super) struct Task {
    pub(super) play: Arc<AnyPlay>,
    pub(super) kind: BotKind,
    pub(super) settings: Settings,
    pub(super) make: Maker,
    pub(super) limits: Limits,
    /// When it was asked for: time runs from there.
    pub(super) began: Instant,
}

/// A bot and its answer, or why there is no such bot.
type Thought = Result<(Box<dyn Mind>, Report<String>), String>;

/// A search that goes on, or has ended and waits to be collected.
pub(super) struct Search {
    brake: Brake<Thought>,
    limited: bool,
    /// Set before the best move is written: a client that has read it and asks for something else never finds the
    /// search still running.
    answered: Arc<AtomicBool>,
    watcher: JoinHandle<Option<Box<dyn Mind>>>,
}

impl Search {
    /// Begins.
    ///
    /// # Errors
    /// The system has no thread left; nothing was said.
    pub(super) fn start<W: Write + Send + 'static>(
        task: Task,
        mind: Option<Box<dyn Mind>>,
        output: &Output<W>,
    ) -> io::Result<Search> {
        let limited = !task.limits.is_none();
        let work = task.begin(mind)?;
        let brake = work.brake();
        let answered = Arc::new(AtomicBool::new(false));
        let watch = Watch::new(task, output.clone(), Arc::clone(&answered));
        match thread::Builder::new().spawn(move || watch.over(work)) {
            Ok(watcher) => Ok(Search {
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
    pub(super) fn join(self) -> Option<Box<dyn Mind>> {
        self.watcher.join().ok().flatten()
    }
}

impl Task {
    /// Sets the bot to work; it is made here, if there is none yet.
    fn begin(&self, mind: Option<Box<dyn Mind>>) -> io::Result<Background<Thought>> {
        let (play, kind, make) = (Arc::clone(&self.play), self.kind, self.make);
        let (settings, limits, began) = (self.settings.clone(), self.limits, self.began);
        Background::start(move |stop, watch| {
            let mut mind = match mind {
                Some(mind) => mind,
                None => make(kind, play.variant(), &settings)?,
            };
            let time = limits.time.map(|time| time.saturating_sub(began.elapsed()));
            let report = mind.think(&play, Limits { time, ..limits }, stop, watch);
            Ok((mind, report))
        })
    }

    /// When the bot is to have answered.
    fn deadline(&self) -> Option<Instant> {
        self.began.checked_add(self.limits.time?)
    }
}

/// What watches over a bot.
struct Watch<W> {
    task: Task,
    output: Output<W>,
    latest: Report<String>,
    /// When the last `info` line was written.
    told: Option<Instant>,
    /// The last `info string`: none is repeated.
    noted: String,
    answered: Arc<AtomicBool>,
}

impl<W: Write> Watch<W> {
    fn new(task: Task, output: Output<W>, answered: Arc<AtomicBool>) -> Watch<W> {
        Watch {
            task,
            output,
            latest: Report::empty(),
            told: None,
            noted: String::new(),
            answered,
        }
    }

    /// Waits for the bot as long as is right, and says its move. Gives it back,
    /// unless it is lost.
    fn over(mut self, mut work: Background<Thought>) -> Option<Box<dyn Mind>> {
        let mut until = self.task.deadline();
        let mut stopping = false;
        loop {
            match work.wait(until) {
                News::Report(report) => {
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
                News::Stopped => {
                    stopping = true;
                    let patience = match self.latest.best {
                        Some(_) => PATIENCE,
                        None => MORE_PATIENCE,
                    };
                    until = Some(Instant::now() + patience);
                }
                News::Late if stopping => {
                    self.note("error: the bot does not stop");
                    self.answer();
                    return None;
                }
                News::Late => work.stop(),
                News::Ended => break,
            }
        }
        match work.result() {
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
        self.output.say(&info(&self.latest));
        if let Value::Exact(exact) = self.latest.value
            && mate(exact).is_none()
        {
            self.note(&format!("exact {}", exact.verdict().word()));
        }
        if let Some(note) = self.latest.note.clone() {
            self.note(&note);
        }
    }

    fn note(&mut self, text: &str) {
        if self.noted != text {
            self.output.string(text);
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
        let mv = mv.or_else(|| any_move(&play, self.task.settings.seed));
        self.answered.store(true, Ordering::Release);
        self.output
            .say(&format!("bestmove {}", mv.unwrap_or_default()));
    }
}

/// A line about a report.
pub(super) fn info(report: &Report<String>) -> String {
    let mut line = String::from("info");
    if report.depth > 0 {
        line += &format!(" depth {}", report.depth);
    }
    match report.value {
        Value::Exact(exact) => match mate(exact) {
            Some(plies) => line += &format!(" score mate {plies}"),
            None => line += &format!(" score cp {}", exact.points() as i32 * MOST_POINTS),
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
    if !report.line.is_empty() {
        line += " pv ";
        line += &report.line.join(" ");
    }
    line
}

/// Plies to a proved end, negative for a loss, as UGI counts them.
fn mate(exact: Exact) -> Option<i64> {
    let plies = i64::from(exact.plies()?);
    match exact.verdict() {
        Verdict::Win => Some(plies),
        Verdict::Loss => Some(-plies),
        Verdict::Draw => None,
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

    fn visit<G: Game>(self, play: &Play<G>) -> bool {
        let mv = play.game().parse_move(self.0);
        mv.is_ok_and(|mv| play.check(mv).is_ok())
    }
}

/// Some legal move, where no bot has one.
pub(super) fn any_move(play: &AnyPlay, seed: u64) -> Option<String> {
    struct Any(u64);
    impl Visitor for Any {
        type Output = Option<String>;

        fn visit<G: Game>(self, play: &Play<G>) -> Option<String> {
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
    pub(super) fn say(&self, line: &str) {
        let mut sink = self.lock();
        if sink.error.is_none() {
            let written = sink.writer.write_all(format!("{line}\n").as_bytes());
            sink.error = written.and_then(|()| sink.writer.flush()).err();
        }
    }

    /// Writes an `info string`: one line, whatever it repeats of the input.
    pub(super) fn string(&self, text: &str) {
        let mut line = String::from("info string ");
        for c in text.chars().take(LONGEST_MESSAGE) {
            line.push(if c.is_control() { '?' } else { c });
        }
        self.say(&line);
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
