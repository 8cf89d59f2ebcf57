//! A tournament at work: its thread, whoever wants to know of it, and Ctrl-C.

use std::ffi::CString;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use noughts_arena::tournament::{
    self, Event, MakePlayer, TournamentEnd, TournamentRunner, TournamentSummary,
};
use noughts_arena::{
    BotSource, MemoryJournal, Plan, PlayedGame, PlayerFactory, Schedule, SpecError,
    TournamentControl, kill_tagged_processes,
};
use noughts_engine::catch_panic;
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;

use super::guest::Guest;
use super::report::{ArenaResult, Tracebacks, single};
use super::terms::{Guests, Terms};
use super::{GLANCE, next};
use crate::errors::{NoughtsError, PlanError, Raise};

/// What the tournament's thread says.
enum Told {
    Game(Box<PlayedGame>),
    End(Result<TournamentSummary, String>),
}

/// Plays what `terms` ask for. `on_game` hears of each game; when it says `False`, no
/// other begins. `overdue` is called now and then, and `interrupt` when everything is to
/// stop: both look after players that are Python objects.
#[allow(
    clippy::needless_pass_by_value,
    reason = "made from a dictionary for this"
)]
#[pyfunction]
pub(super) fn arena_run(
    py: Python<'_>,
    terms: Terms<'_>,
    on_game: Option<&Bound<'_, PyAny>>,
    overdue: &Bound<'_, PyAny>,
    interrupt: &Bound<'_, PyAny>,
) -> PyResult<ArenaResult> {
    let (plan, guests) = terms.plan()?;
    let schedule = py.detach(|| Schedule::new(&plan)).raise::<PlanError>()?;
    let cores = thread::available_parallelism().map_or(1, usize::from);
    if let Some(crowding) = plan.oversubscription_warning(plan.concurrency.unwrap_or(1), cores) {
        warn(py, crowding)?;
    }
    let brought = Arc::clone(&guests);
    let stage = Stage::new(&plan, schedule, guests, on_game.is_some());
    let (control, making, memory) = (
        stage.control.clone(),
        stage.making.clone(),
        stage.memory.clone(),
    );
    let mut messages = stage.begin().raise::<NoughtsError>()?;

    let mut trouble: Option<PyErr> = None;
    let stop = || {
        control.stop();
        control.stop();
        making.stop.stop();
        // Outside programs may think for as long as they like; nobody waits for them.
        py.detach(|| kill_tagged_processes(&making.tag));
        interrupt.call0().map(drop)
    };
    let mut looked = Instant::now();
    let ended = loop {
        let done = match next(py, &mut messages) {
            Some(Ok(Told::End(ended))) => break ended,
            Some(Err(_)) => break Err("the tournament's thread is gone".into()),
            Some(Ok(Told::Game(game))) => match (on_game, &trouble) {
                (Some(on_game), None) => tell(on_game, &plan, *game, &control),
                _ => Ok(()),
            },
            None => Ok(()),
        };
        let done = match &trouble {
            None => done.and_then(|()| py.check_signals()),
            Some(_) => Ok(()),
        };
        if let Err(error) = done {
            trouble = Some(error);
            stop()?;
        }
        if !brought.is_empty() && looked.elapsed() >= GLANCE {
            overdue.call0()?;
            looked = Instant::now();
        }
    };
    if let Some(trouble) = trouble {
        // A program that was being started when all was stopped.
        py.detach(|| kill_tagged_processes(&making.tag));
        return Err(trouble);
    }
    let ended = ended.raise::<NoughtsError>()?;
    let games = std::mem::take(&mut *memory.games.lock().unwrap_or_else(PoisonError::into_inner));
    let tracebacks = tracebacks(py, &plan, &brought)?;
    if let Some(sentence) = ended.why_undecidable() {
        warn(py, sentence)?;
    }
    let is_complete = match ended.end {
        TournamentEnd::Complete | TournamentEnd::Decided(_) => true,
        TournamentEnd::Repeating | TournamentEnd::Stopped => false,
    };
    let seconds = ended.took.as_secs_f64();
    Ok(py.detach(|| ArenaResult::new(plan, games, is_complete, seconds, tracebacks)))
}

/// Warns the caller of `match`, `tournament` or `sprt`, as far as Python can tell.
fn warn(py: Python<'_>, sentence: String) -> PyResult<()> {
    let sentence = CString::new(sentence).raise::<NoughtsError>()?;
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &sentence, 2)
}

/// What the Python objects of a plan have raised.
fn tracebacks(py: Python<'_>, plan: &Plan, guests: &Guests) -> PyResult<Tracebacks> {
    let mut all = Vec::new();
    for bot in &plan.bots {
        if let Some(guest) = guests.get(&bot.name) {
            let texts: Vec<String> = guest.getattr(py, "errors")?.extract(py)?;
            if !texts.is_empty() {
                all.push((bot.name.clone(), texts));
            }
        }
    }
    Ok(all)
}

/// Tells of a game; who answers `False` has seen enough.
fn tell(
    on_game: &Bound<'_, PyAny>,
    plan: &Plan,
    game: PlayedGame,
    control: &TournamentControl,
) -> PyResult<()> {
    let answer = on_game.call1((single(plan, game),))?;
    let enough = answer.extract::<bool>().is_ok_and(|go_on| !go_on);
    if enough && control.stop_request().is_none() {
        control.stop();
    }
    Ok(())
}

struct Stage {
    schedule: Arc<Schedule>,
    guests: Guests,
    making: PlayerFactory,
    memory: MemoryJournal,
    control: TournamentControl,
    /// Somebody wants to hear of games.
    heard: bool,
}

impl Stage {
    fn new(plan: &Plan, schedule: Schedule, guests: Guests, heard: bool) -> Stage {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let mut making = PlayerFactory::new(Duration::from_millis(plan.patience_ms));
        // Several tournaments of one process have programs of their own.
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        making.tag = format!("{}p{number}", making.tag);
        Stage {
            schedule: Arc::new(schedule),
            guests,
            making,
            memory: MemoryJournal::default(),
            control: TournamentControl::new(),
            heard,
        }
    }

    fn begin(self) -> Result<Receiver<Told>, String> {
        let (sender, receiver) = channel();
        let thread = thread::Builder::new().name("tournament".into());
        thread
            .spawn(move || {
                let ended = catch_panic(|| self.play(&sender));
                let _ = sender.send(Told::End(ended.flatten()));
            })
            .map_err(|error| format!("cannot start a thread: {error}"))?;
        Ok(receiver)
    }

    fn play(&self, sender: &Sender<Told>) -> Result<TournamentSummary, String> {
        let hall = TournamentRunner::new(self.players());
        let mut journal = self.memory.clone();
        let watch = &mut |event: Event<'_>| {
            if let (Event::GameEnded { game, .. }, true) = (event, self.heard) {
                let _ = sender.send(Told::Game(Box::new(game.clone())));
            }
        };
        let ended = tournament::run(
            &self.schedule,
            &[],
            hall,
            &mut journal,
            &self.control,
            watch,
        );
        ended.map_err(|error| error.to_string())
    }

    fn players(&self) -> MakePlayer {
        let variant = self.schedule.variant();
        let (making, guests) = (self.making.clone(), Arc::clone(&self.guests));
        Arc::new(move |spec| match &spec.who {
            BotSource::Ours(_) | BotSource::Program(_) => making.make_player(spec, variant),
            BotSource::Guest => match guests.get(&spec.name) {
                Some(guest) => Ok(Box::new(Guest::new(guest, &making.stop))),
                None => Err(SpecError(format!("{} is not here", spec.name))),
            },
        })
    }
}
