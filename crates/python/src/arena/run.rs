//! Runs a tournament on its own thread, with progress callbacks and Ctrl-C.

use std::collections::BTreeMap;
use std::ffi::CString;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use noughts_arena::tournament::{
    self, MakePlayer, TournamentEnd, TournamentEvent, TournamentRunner,
};
use noughts_arena::{
    BotSource, MemoryJournal, Plan, PlayedGame, PlayerFactory, Schedule, SpecError,
    TournamentControl, kill_tagged_processes,
};
use noughts_rules::Variant;
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;

use super::plan_args::{PlanArgs, PythonBots};
use super::python_player::PythonPlayer;
use super::result::{self, Tournament};
use crate::background;
use crate::errors::{NoughtsError, PlanError, Raise};
use crate::own_game::failure::{Running, catch};

/// Runs the match or tournament that `plan` describes. Returns it, whether it is complete, its seconds, and
/// the formatted exceptions of Python bots by name. `on_game` is called after each game; if
/// it returns `False`, no more games start. For Python bots, `overdue` is called regularly, and
/// `interrupt` while the tournament is being stopped.
#[allow(
    clippy::needless_pass_by_value,
    reason = "pyo3 extracts an owned value"
)]
#[pyfunction]
pub(crate) fn arena_run(
    py: Python<'_>,
    plan: PlanArgs<'_>,
    on_game: Option<Py<PyAny>>,
    overdue: Py<PyAny>,
    interrupt: Py<PyAny>,
) -> PyResult<Finished> {
    let (plan, python_bots) = catch(|| plan.plan())??;
    let schedule = py
        .detach(|| catch(|| Schedule::new(&plan)))?
        .raise::<PlanError>()?;
    let schedule = Arc::new(schedule);
    let cores = background::core_count();
    if let Some(warning) = plan.oversubscription_warning(plan.concurrency.unwrap_or(1), cores) {
        warn(py, warning)?;
    }
    let factory = player_factory(&plan);
    let journal = MemoryJournal::default();
    let games = || journal.games.lock().unwrap_or_else(PoisonError::into_inner);
    let control = TournamentControl::new();
    let stop = || {
        // The first call lets running games finish, the second aborts them.
        control.stop();
        control.stop();
        factory.stop.stop();
        // External programs may not answer for a long time: kill them instead of waiting.
        kill_tagged_processes(&factory.tag);
        Python::try_attach(|py| interrupt.call0(py).map(drop));
    };
    let work = |wake: &dyn Fn()| {
        let runner = TournamentRunner::new(make_player(
            schedule.variant(),
            factory.clone(),
            Arc::clone(&python_bots),
        ));
        let watch = &mut |event: TournamentEvent<'_>| {
            if matches!(event, TournamentEvent::GameEnded { .. }) && on_game.is_some() {
                wake();
            }
        };
        tournament::run(
            &schedule,
            &[],
            runner,
            &mut journal.clone(),
            &control,
            watch,
        )
    };
    let mut reported = 0;
    let running = Running::start(schedule.variant());
    let poll = |py: Python<'_>| {
        running.check(py)?;
        if let Some(on_game) = &on_game {
            let new_games = games()[reported..].to_vec();
            reported += new_games.len();
            for game in &new_games {
                notify(on_game.bind(py), &plan, game, &control)?;
            }
        }
        match python_bots.is_empty() {
            true => Ok(()),
            false => overdue.call0(py).map(drop),
        }
    };
    let summary = background::run_with_polling(py, stop, work, poll).inspect_err(|_| {
        // Kill programs that were just being started when the tournament was stopped.
        py.detach(|| kill_tagged_processes(&factory.tag));
    })?;
    let summary = summary.raise::<NoughtsError>()?;
    let games = std::mem::take(&mut *games());
    let tracebacks = tracebacks(py, &plan, &python_bots)?;
    if let Some(message) = summary.why_undecidable() {
        warn(py, message)?;
    }
    let is_complete = match summary.end {
        TournamentEnd::Complete | TournamentEnd::Decided(_) => true,
        TournamentEnd::Repeating | TournamentEnd::Stopped => false,
    };
    let seconds = summary.took.as_secs_f64();
    let tournament = py.detach(|| catch(|| Tournament::new(plan, games)))?;
    Ok((tournament, is_complete, seconds, tracebacks))
}

/// Issues a warning attributed to the caller of `match`, `tournament` or `sprt`: the third frame, after `_run` and
/// the function.
fn warn(py: Python<'_>, message: String) -> PyResult<()> {
    let message = CString::new(message).raise::<NoughtsError>()?;
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &message, 3)
}

type Tracebacks = BTreeMap<String, Vec<String>>;

/// A tournament, whether it is complete, its seconds, and the exceptions of Python bots.
type Finished = (Tournament, bool, f64, Tracebacks);

/// The formatted exceptions of the plan's Python bots.
fn tracebacks(py: Python<'_>, plan: &Plan, python_bots: &PythonBots) -> PyResult<Tracebacks> {
    let mut all = Tracebacks::new();
    for bot in &plan.bots {
        if let Some(python_bot) = python_bots.get(&bot.name) {
            let texts: Vec<String> = python_bot.getattr(py, "errors")?.extract(py)?;
            if !texts.is_empty() {
                all.insert(bot.name.clone(), texts);
            }
        }
    }
    Ok(all)
}

/// Passes a game to the `on_game` callback; if that returns `False`, stops the tournament.
fn notify(
    on_game: &Bound<'_, PyAny>,
    plan: &Plan,
    game: &PlayedGame,
    control: &TournamentControl,
) -> PyResult<()> {
    let game = result::played_game(on_game.py(), plan, game)?;
    let answer = on_game.call1((game,))?;
    let should_stop = answer.extract::<bool>().is_ok_and(|keep_going| !keep_going);
    if should_stop && control.stop_request().is_none() {
        control.stop();
    }
    Ok(())
}

/// Creates the players that aren't Python objects.
fn player_factory(plan: &Plan) -> PlayerFactory {
    static NEXT_TAG: AtomicU64 = AtomicU64::new(0);
    let mut factory = PlayerFactory::new(Duration::from_millis(plan.patience_ms));
    // Give each tournament of this process its own tag, so that one doesn't kill another's programs.
    let number = NEXT_TAG.fetch_add(1, Ordering::Relaxed);
    factory.tag = format!("{}p{number}", factory.tag);
    factory
}

fn make_player(variant: Variant, factory: PlayerFactory, python_bots: PythonBots) -> MakePlayer {
    Arc::new(move |spec| match &spec.source {
        BotSource::Builtin(_) | BotSource::Program(_) => factory.make_player(spec, variant),
        BotSource::Custom => match python_bots.get(&spec.name) {
            Some(bot) => Ok(Box::new(PythonPlayer::new(
                bot,
                &factory.stop,
                factory.patience,
            ))),
            None => Err(SpecError(format!("{} isn't available", spec.name))),
        },
    })
}
