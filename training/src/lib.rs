//! What the programs of this folder share: options, networks, random openings.

use std::sync::Arc;

use noughts_engine::evaluation::{NestedEvaluation, Network};
use noughts_engine::{Bot, BotSettings, alpha_beta_with_evaluation};
use noughts_rules::{Game as _, GameState, Nested, Ultimate};
use rand_xoshiro::Xoshiro256PlusPlus;

/// `--name value` pairs, each name one of those given.
///
/// # Errors
/// A sentence that names the allowed ones.
pub fn parse_options(allowed: &[&str]) -> Result<Vec<(String, String)>, String> {
    let mut given = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let name = name.trim_start_matches("--").to_owned();
        match arguments.next() {
            Some(value) if allowed.contains(&name.as_str()) => given.push((name, value)),
            _ => {
                return Err(format!(
                    "the options are --{} VALUE",
                    allowed.join(" VALUE, --")
                ));
            }
        }
    }
    Ok(given)
}

/// The value of an option, or what it is without one.
///
/// # Errors
/// It cannot be read.
pub fn option_or<T: std::str::FromStr>(
    given: &[(String, String)],
    name: &str,
    usual: T,
) -> Result<T, String> {
    match given.iter().rev().find(|(known, _)| known == name) {
        None => Ok(usual),
        Some((_, value)) => value
            .parse()
            .map_err(|_| format!("--{name} {value}: cannot be read")),
    }
}

/// The evaluation that a word stands for: `plain`, `built-in`, or a network's file.
///
/// # Errors
/// The file cannot be read.
pub fn evaluation(word: &str) -> Result<NestedEvaluation, String> {
    let game = Nested::ultimate();
    match word {
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

/// A bot with this evaluation.
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

/// A game that begins with so many random moves, and is not over.
pub fn random_opening(plies: u32, rng: &mut Xoshiro256PlusPlus) -> GameState<Nested<Ultimate>> {
    loop {
        let mut play = GameState::new(Nested::ultimate());
        for _ in 0..plies {
            if let Some(mv) = play.game().random_move(play.position(), rng) {
                let _ = play.play(mv);
            }
        }
        if play.outcome().is_none() {
            return play;
        }
    }
}
