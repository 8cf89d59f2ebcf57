//! The arguments that describe a position, the same for every command.

use std::borrow::Cow;
use std::io::{self, Read};

use clap::Args;
use noughts_rules::{AnyGameState, Variant, games};
use noughts_session::player_input;

use crate::error::CliError;

/// The help of an argument that is a game: the names of all games, those registered by another crate included.
pub(crate) fn game_help() -> String {
    format!("Game: {}", games::names().join(", "))
}

/// A position: a variant, optionally a set-up, optionally moves from there.
#[derive(Args)]
pub(crate) struct PositionArgs {
    #[arg(value_parser = player_input::parse_variant, help = game_help())]
    variant: Variant,

    #[command(flatten)]
    from: StartPositionArgs,
}

/// Where to start in a variant.
#[derive(Args, Default)]
pub(crate) struct StartPositionArgs {
    /// Start from this position (see docs/notation.md); `-` reads it from standard input
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    position: Option<String>,

    /// Make these moves from there, separated by spaces (`b2`, `B2` or `2,2`); `-` reads them from standard input
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    moves: Option<String>,
}

impl PositionArgs {
    /// The state after the moves.
    pub(crate) fn game_state(&self) -> Result<AnyGameState, CliError> {
        self.from.game_state(self.variant)
    }

    /// The same; an error if the game is over there.
    pub(crate) fn unfinished_game_state(&self) -> Result<AnyGameState, CliError> {
        self.from.unfinished_game_state(self.variant)
    }
}

impl StartPositionArgs {
    /// The flag that was given, and whether its text is read from standard input. If both were
    /// given, the one that reads standard input, or else the first.
    pub(crate) fn given_flag(&self) -> Option<(&'static str, bool)> {
        let flags = [("--position", &self.position), ("--moves", &self.moves)];
        let given = flags
            .into_iter()
            .filter_map(|(flag, text)| Some((flag, text.as_deref()? == "-")));
        // Reversed, because `max_by_key` returns the last of several maxima.
        given.rev().max_by_key(|&(_, from_input)| from_input)
    }

    /// The state after the moves.
    pub(crate) fn game_state(&self, variant: Variant) -> Result<AnyGameState, CliError> {
        // Deep boards and long games don't fit in an argument.
        let from_input = |text: &Option<String>| text.as_deref() == Some("-");
        if from_input(&self.position) && from_input(&self.moves) {
            let reason = "only one of --position and --moves can be read from standard input";
            return Err(CliError::Argument(reason.into()));
        }
        let mut state = match &self.position {
            None => AnyGameState::new(variant),
            Some(text) => AnyGameState::from_text(variant, &read_argument(text)?)
                .map_err(|error| CliError::argument("--position", error))?,
        };
        let moves = read_argument(self.moves.as_deref().unwrap_or_default())?;
        for (i, mv) in moves.split_whitespace().enumerate() {
            let parsed = player_input::parse_move(mv, &state);
            let played = parsed.and_then(|mv| state.play(&mv).map_err(|error| error.to_string()));
            played.map_err(|error| {
                CliError::argument("--moves", format!("move {}: {error}", i + 1))
            })?;
        }
        Ok(state)
    }

    /// The state after the moves; an error if the game is over there.
    pub(crate) fn unfinished_game_state(&self, variant: Variant) -> Result<AnyGameState, CliError> {
        let state = self.game_state(variant)?;
        if state.outcome().is_none() {
            return Ok(state);
        }
        let ending = noughts_text::prompt(&state);
        let (flag, reason) = match state.moves().is_empty() {
            true => ("--position", "the game is already over in this position"),
            false => ("--moves", "the game is over after the last move"),
        };
        Err(CliError::argument(flag, format!("{reason} ({ending})")))
    }
}

/// The state that a game started from, before any moves.
pub(crate) fn start_state_of(state: &AnyGameState) -> AnyGameState {
    let mut start = state.clone();
    while start.undo().is_some() {}
    start
}

/// In bytes; a whole game on the deepest board takes 3.5 MiB.
const MAX_INPUT: u64 = 16 << 20;

/// The argument itself, or standard input for `-`.
fn read_argument(text: &str) -> Result<Cow<'_, str>, CliError> {
    if text != "-" {
        return Ok(text.into());
    }
    let mut input = String::new();
    match io::stdin().take(MAX_INPUT + 1).read_to_string(&mut input) {
        Ok(_) if input.len() as u64 > MAX_INPUT => {
            let max = MAX_INPUT >> 20;
            let reason = format!("standard input is too long; the maximum is {max} MiB");
            Err(CliError::Argument(reason))
        }
        Ok(_) => Ok(input.trim_end_matches(['\r', '\n']).to_owned().into()),
        Err(error) => Err(CliError::failed("can't read standard input", error)),
    }
}
