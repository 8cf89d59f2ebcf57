//! Trying a bot step by step.

use std::sync::mpsc::channel;
use std::thread;

use noughts_arena::check::BotCheck;
use noughts_arena::{PlayerFactory, kill_tagged_processes};
use noughts_engine::catch_panic;
use pyo3::prelude::*;

use super::{next, seconds, terms};
use crate::errors::{NoughtsError, Raise};
use crate::word;

/// What was tried, how it went, what was seen, how to mend it.
type Step = (&'static str, &'static str, String, Option<String>);

/// Tries a bot at a game.
#[pyfunction]
pub(super) fn arena_check(
    py: Python<'_>,
    bot: &str,
    game: &Bound<'_, PyAny>,
    patience: f64,
) -> PyResult<Vec<Step>> {
    let spec = terms::read(bot)?;
    let variant = word::variant(game)?;
    let patience = seconds(patience);
    let (sender, mut receiver) = channel();
    let thread = thread::Builder::new()
        .name("check".into())
        .stack_size(32 << 20);
    let begun = thread.spawn(move || {
        let tried = catch_panic(|| {
            let mut trial = BotCheck::new(spec, variant);
            trial.patience = patience;
            trial.run(&mut |step| {
                let step = (
                    step.name,
                    step.status.name(),
                    step.observed,
                    step.advice.map(std::borrow::Cow::into_owned),
                );
                let _ = sender.send(Ok(step));
            })
        });
        if let Err(panic) = tried {
            let _ = sender.send(Err(panic));
        }
    });
    begun.raise::<NoughtsError>()?;
    let mut steps = Vec::new();
    let mut trouble: Option<PyErr> = None;
    loop {
        match next(py, &mut receiver) {
            Some(Ok(Ok(step))) => steps.push(step),
            Some(Ok(Err(panic))) => return Err(panic).raise::<NoughtsError>(),
            Some(Err(_)) => break,
            None => {}
        }
        if trouble.is_none() {
            trouble = py.check_signals().err();
        }
        if trouble.is_some() {
            // It would wait for its programs, and start them again.
            py.detach(|| kill_tagged_processes(&PlayerFactory::new(patience).tag));
        }
    }
    match trouble {
        Some(trouble) => Err(trouble),
        None => Ok(steps),
    }
}
