//! `noughts.arena.check`: tests whether a bot works, step by step.

use std::sync::mpsc::channel;
use std::thread;

use noughts_arena::check::BotCheck;
use noughts_arena::{PlayerFactory, kill_tagged_processes};
use noughts_engine::catch_panic;
use pyo3::prelude::*;

use super::{duration_from_secs, plan_args, receive};
use crate::errors::{NoughtsError, Raise};
use crate::game_args;

/// Name, status, observation, advice.
type CheckStep = (&'static str, &'static str, String, Option<String>);

/// Checks whether a bot can play a game.
#[pyfunction]
pub(super) fn arena_check(
    py: Python<'_>,
    bot: &str,
    game: &Bound<'_, PyAny>,
    patience: f64,
) -> PyResult<Vec<CheckStep>> {
    let spec = plan_args::parse_bot(bot)?;
    let variant = game_args::parse_variant(game)?;
    let patience = duration_from_secs(patience);
    let (sender, mut receiver) = channel();
    let thread = thread::Builder::new()
        .name("check".into())
        .stack_size(32 << 20);
    let spawned = thread.spawn(move || {
        let result = catch_panic(|| {
            let mut check = BotCheck::new(spec, variant);
            check.patience = patience;
            check.run(&mut |step| {
                let step = (
                    step.name,
                    step.status.name(),
                    step.observed,
                    step.advice.map(std::borrow::Cow::into_owned),
                );
                let _ = sender.send(Ok(step));
            })
        });
        if let Err(panic) = result {
            let _ = sender.send(Err(panic));
        }
    });
    spawned.raise::<NoughtsError>()?;
    let mut steps = Vec::new();
    let mut exception: Option<PyErr> = None;
    loop {
        match receive(py, &mut receiver) {
            Some(Ok(Ok(step))) => steps.push(step),
            Some(Ok(Err(panic))) => return Err(panic).raise::<NoughtsError>(),
            Some(Err(_)) => break,
            None => {}
        }
        if exception.is_none() {
            exception = py.check_signals().err();
        }
        if exception.is_some() {
            // Repeated, because the check waits for its programs and starts them again.
            py.detach(|| kill_tagged_processes(&PlayerFactory::new(patience).tag));
        }
    }
    match exception {
        Some(exception) => Err(exception),
        None => Ok(steps),
    }
}
