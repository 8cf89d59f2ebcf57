//! Runs a tournament on its own thread, with progress callbacks and Ctrl-C.

use std::ffi::CString;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use noughts_arena::tournament::{
    self, MakePlayer, TournamentEnd, TournamentEvent, TournamentRunner, TournamentSummary,
};
use noughts_arena::{
    BotSource, MemoryJournal, Plan, PlayedGame, PlayerFactory, Schedule, SpecError,
    TournamentControl, kill_tagged_processes,
};
use noughts_engine::catch_panic;
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;

use super::plan_args::{PlanArgs, PythonBots};
use super::python_player::PythonPlayer;
use super::result::{ArenaResult, Tracebacks, single_game};
use super::{POLL_INTERVAL, receive};
use crate::errors::{NoughtsError, PlanError, Raise};

/// A message from the tournament's thread.
enum RunMessage {
    Game(Box<PlayedGame>),
    End(Result<TournamentSummary, String>),
}

/// Runs the match or tournament that `terms` describes. `on_game` is called after each game; if
/// it returns `False`, no more games start. For Python bots, `overdue` is called regularly, and
/// `interrupt` when the tournament is stopped.
#[allow(
    clippy::needless_pass_by_value,
    reason = "pyo3 extracts an owned value"
)]
#[pyfunction]
pub(super) fn arena_run(
    py: Python<'_>,
    terms: PlanArgs<'_>,
    on_game: Option<&Bound<'_, PyAny>>,
    overdue: &Bound<'_, PyAny>,
    interrupt: &Bound<'_, PyAny>,
) -> PyResult<ArenaResult> {
    let (plan, python_bots) = terms.plan()?;
    let schedule = py.detach(|| Schedule::new(&plan)).raise::<PlanError>()?;
    let cores = thread::available_parallelism().map_or(1, usize::from);
    if let Some(warning) = plan.oversubscription_warning(plan.concurrency.unwrap_or(1), cores) {
        warn(py, warning)?;
    }
    let tournament_thread =
        TournamentThread::new(&plan, schedule, Arc::clone(&python_bots), on_game.is_some());
    let (control, factory, journal) = (
        tournament_thread.control.clone(),
        tournament_thread.factory.clone(),
        tournament_thread.journal.clone(),
    );
    let mut messages = tournament_thread.spawn().raise::<NoughtsError>()?;

    let mut exception: Option<PyErr> = None;
    let stop = || {
        // The first call lets running games finish, the second aborts them.
        control.stop();
        control.stop();
        factory.stop.stop();
        // External programs may not answer for a long time: kill them instead of waiting.
        py.detach(|| kill_tagged_processes(&factory.tag));
        interrupt.call0().map(drop)
    };
    let mut last_reminder = Instant::now();
    let summary = loop {
        let result = match receive(py, &mut messages) {
            Some(Ok(RunMessage::End(summary))) => break summary,
            Some(Err(_)) => break Err("the tournament's thread ended early".into()),
            Some(Ok(RunMessage::Game(game))) => match (on_game, &exception) {
                (Some(on_game), None) => notify(on_game, &plan, *game, &control),
                _ => Ok(()),
            },
            None => Ok(()),
        };
        let result = match &exception {
            None => result.and_then(|()| py.check_signals()),
            Some(_) => Ok(()),
        };
        if let Err(error) = result {
            exception = Some(error);
            stop()?;
        }
        if !python_bots.is_empty() && last_reminder.elapsed() >= POLL_INTERVAL {
            overdue.call0()?;
            last_reminder = Instant::now();
        }
    };
    if let Some(exception) = exception {
        // Kill programs that were just being started when the tournament was stopped.
        py.detach(|| kill_tagged_processes(&factory.tag));
        return Err(exception);
    }
    let summary = summary.raise::<NoughtsError>()?;
    let games = std::mem::take(&mut *journal.games.lock().unwrap_or_else(PoisonError::into_inner));
    let tracebacks = tracebacks(py, &plan, &python_bots)?;
    if let Some(message) = summary.why_undecidable() {
        warn(py, message)?;
    }
    let is_complete = match summary.end {
        TournamentEnd::Complete | TournamentEnd::Decided(_) => true,
        TournamentEnd::Repeating | TournamentEnd::Stopped => false,
    };
    let seconds = summary.took.as_secs_f64();
    Ok(py.detach(|| ArenaResult::new(plan, games, is_complete, seconds, tracebacks)))
}

/// Issues a warning attributed to the caller of `match`, `tournament` or `sprt`.
fn warn(py: Python<'_>, message: String) -> PyResult<()> {
    let message = CString::new(message).raise::<NoughtsError>()?;
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &message, 2)
}

/// The formatted exceptions of the plan's Python bots.
fn tracebacks(py: Python<'_>, plan: &Plan, python_bots: &PythonBots) -> PyResult<Tracebacks> {
    let mut all = Vec::new();
    for bot in &plan.bots {
        if let Some(python_bot) = python_bots.get(&bot.name) {
            let texts: Vec<String> = python_bot.getattr(py, "errors")?.extract(py)?;
            if !texts.is_empty() {
                all.push((bot.name.clone(), texts));
            }
        }
    }
    Ok(all)
}

/// Passes a game to the `on_game` callback; if that returns `False`, stops the tournament.
fn notify(
    on_game: &Bound<'_, PyAny>,
    plan: &Plan,
    game: PlayedGame,
    control: &TournamentControl,
) -> PyResult<()> {
    let answer = on_game.call1((single_game(plan, game),))?;
    let should_stop = answer.extract::<bool>().is_ok_and(|keep_going| !keep_going);
    if should_stop && control.stop_request().is_none() {
        control.stop();
    }
    Ok(())
}

struct TournamentThread {
    schedule: Arc<Schedule>,
    python_bots: PythonBots,
    factory: PlayerFactory,
    journal: MemoryJournal,
    control: TournamentControl,
    /// Is there an `on_game` callback?
    reports_games: bool,
}

impl TournamentThread {
    fn new(
        plan: &Plan,
        schedule: Schedule,
        python_bots: PythonBots,
        reports_games: bool,
    ) -> TournamentThread {
        static NEXT_TAG: AtomicU64 = AtomicU64::new(0);
        let mut factory = PlayerFactory::new(Duration::from_millis(plan.patience_ms));
        // Give each tournament of this process its own tag, so that one doesn't kill another's programs.
        let number = NEXT_TAG.fetch_add(1, Ordering::Relaxed);
        factory.tag = format!("{}p{number}", factory.tag);
        TournamentThread {
            schedule: Arc::new(schedule),
            python_bots,
            factory,
            journal: MemoryJournal::default(),
            control: TournamentControl::new(),
            reports_games,
        }
    }

    fn spawn(self) -> Result<Receiver<RunMessage>, String> {
        let (sender, receiver) = channel();
        let thread = thread::Builder::new().name("tournament".into());
        thread
            .spawn(move || {
                let summary = catch_panic(|| self.run(&sender));
                let _ = sender.send(RunMessage::End(summary.flatten()));
            })
            .map_err(|error| format!("can't start a thread: {error}"))?;
        Ok(receiver)
    }

    fn run(&self, sender: &Sender<RunMessage>) -> Result<TournamentSummary, String> {
        let runner = TournamentRunner::new(self.make_player());
        let mut journal = self.journal.clone();
        let on_event = &mut |event: TournamentEvent<'_>| {
            if let (TournamentEvent::GameEnded { game, .. }, true) = (event, self.reports_games) {
                let _ = sender.send(RunMessage::Game(Box::new(game.clone())));
            }
        };
        let summary = tournament::run(
            &self.schedule,
            &[],
            runner,
            &mut journal,
            &self.control,
            on_event,
        );
        summary.map_err(|error| error.to_string())
    }

    fn make_player(&self) -> MakePlayer {
        let variant = self.schedule.variant();
        let (factory, python_bots) = (self.factory.clone(), Arc::clone(&self.python_bots));
        Arc::new(move |spec| match &spec.who {
            BotSource::Ours(_) | BotSource::Program(_) => factory.make_player(spec, variant),
            BotSource::Guest => match python_bots.get(&spec.name) {
                Some(bot) => Ok(Box::new(PythonPlayer::new(bot, &factory.stop))),
                None => Err(SpecError(format!("{} isn't available", spec.name))),
            },
        })
    }
}
