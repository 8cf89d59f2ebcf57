//! What the training programs share: options, networks and random openings.

use std::collections::HashMap;
use std::sync::Arc;

use noughts_engine::knowledge::nested::{NestedEvaluation, Network};
use noughts_engine::{Bot, BotSettings, alpha_beta_with_evaluation};
use noughts_rules::{Game as _, GameState, Nested, Ultimate};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Parses `--name value` pairs.
///
/// # Errors
/// A message that lists the allowed names.
pub fn parse_options(allowed: &[&str]) -> Result<HashMap<String, String>, String> {
    let mut options = HashMap::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let name = name.trim_start_matches("--").to_owned();
        let value = arguments
            .next()
            .filter(|_| allowed.contains(&name.as_str()));
        let names = || allowed.join(" VALUE, --");
        let value = value.ok_or_else(|| format!("the options are --{} VALUE", names()))?;
        options.insert(name, value);
    }
    Ok(options)
}

/// The value of an option, or its default.
///
/// # Errors
/// The value can't be parsed.
pub fn option_or<T: std::str::FromStr>(
    options: &HashMap<String, String>,
    name: &str,
    default: T,
) -> Result<T, String> {
    match options.get(name) {
        None => Ok(default),
        Some(value) => value
            .parse()
            .map_err(|_| format!("--{name} {value}: not a valid value")),
    }
}

/// The evaluation with this name: `plain`, `built-in`, or a network file.
///
/// # Errors
/// The file can't be read.
pub fn evaluation(name: &str) -> Result<NestedEvaluation, String> {
    let game = Nested::ultimate();
    match name {
        "plain" => Ok(NestedEvaluation::hand_crafted(&game)),
        "built-in" => Ok(NestedEvaluation::new(&game)),
        path => {
            let bytes = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
            let network =
                Network::from_bytes(&bytes).map_err(|error| format!("{path}: {error}"))?;
            Ok(NestedEvaluation::with_network(&game, Arc::new(network)))
        }
    }
}

/// A bot that uses this evaluation.
#[must_use]
pub fn bot(
    evaluation: &NestedEvaluation,
    memory: usize,
    seed: u64,
) -> Box<dyn Bot<Nested<Ultimate>>> {
    let settings = BotSettings {
        memory,
        seed,
        ..BotSettings::default()
    };
    alpha_beta_with_evaluation(&Nested::ultimate(), &settings, evaluation.clone())
}

/// An unfinished game that starts with this many random moves.
pub fn random_opening(plies: u32, rng: &mut Xoshiro256PlusPlus) -> GameState<Nested<Ultimate>> {
    loop {
        let mut state = GameState::new(Nested::ultimate());
        for _ in 0..plies {
            if let Some(mv) = state.game().random_move(state.position(), rng) {
                let _ = state.play(mv);
            }
        }
        if state.outcome().is_none() {
            return state;
        }
    }
}
