//! `noughts.arena.check`: tests whether a bot works, step by step.

use std::borrow::Cow;

use noughts_arena::check::BotCheck;
use noughts_arena::{PlayerFactory, kill_tagged_processes};
use pyo3::prelude::*;

use super::plan_args;
use crate::own_game::failure::watch;
use crate::{background, game_args};

/// The fields of a `CheckStep`.
type CheckStep = (&'static str, &'static str, String, Option<String>);

/// Checks whether a bot can play a game.
#[pyfunction]
pub(crate) fn arena_check(
    py: Python<'_>,
    bot: &str,
    game: &Bound<'_, PyAny>,
    patience: &Bound<'_, PyAny>,
) -> PyResult<Vec<CheckStep>> {
    let variant = game_args::parse_variant(game)?;
    let mut check = BotCheck::new(plan_args::parse_bot(bot)?, variant);
    check.patience = plan_args::parse_time("patience", patience)?;
    let tag = PlayerFactory::new(check.patience).tag;
    let stop = || {
        kill_tagged_processes(&tag);
    };
    let work = |_: &dyn Fn()| {
        let mut steps = Vec::new();
        check.run(&mut |step| {
            let advice = step.advice.map(Cow::into_owned);
            steps.push((step.name, step.status.name(), step.observed, advice));
        });
        steps
    };
    watch(py, variant, |running| {
        background::run_with_polling(py, stop, work, |py| running.check(py))
    })
}
