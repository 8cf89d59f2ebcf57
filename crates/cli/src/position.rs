//! The arguments that give a position, the same for every command.

use std::borrow::Cow;
use std::io::{self, Read};

use clap::Args;
use noughts_rules::{AnyGameState, MoveErrorKind, Variant};
use noughts_session::player_input;

use crate::error::Error;

/// A position: a variant, optionally a set-up, optionally moves from there.
#[derive(Args)]
pub(crate) struct PositionArgs {
    /// The game: classic, misere, mnk:M,N,K, tic-tac-two, ultimate, or ception with options.
    #[arg(value_parser = variant)]
    variant: Variant,

    #[command(flatten)]
    from: StartPositionArgs,
}

/// Where to start in a variant.
#[derive(Args, Default)]
pub(crate) struct StartPositionArgs {
    /// A position to start from, as text (see the notation page); `-` reads it from standard input.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    position: Option<String>,

    /// Moves to make from there, separated by blanks (`b2`, `B2` or `2,2`); `-` reads them from standard input.
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    moves: Option<String>,
}

impl PositionArgs {
    /// The game after the moves.
    pub(crate) fn game_state(&self) -> Result<AnyGameState, Error> {
        self.from.game_state(self.variant)
    }
}

impl StartPositionArgs {
    /// The flag that was given, and whether its text is read from standard input; the flag that
    /// reads it comes first.
    pub(crate) fn given_flag(&self) -> Option<(&'static str, bool)> {
        let flags = [("--position", &self.position), ("--moves", &self.moves)];
        let given = flags
            .into_iter()
            .filter_map(|(flag, text)| Some((flag, text.as_deref()? == "-")));
        // Of flags alike, the first.
        given.rev().max_by_key(|&(_, from_input)| from_input)
    }

    /// The game after the moves.
    pub(crate) fn game_state(&self, variant: Variant) -> Result<AnyGameState, Error> {
        // Deep boards and long games are longer than an argument can be.
        let from_input = |text: &Option<String>| text.as_deref() == Some("-");
        if from_input(&self.position) && from_input(&self.moves) {
            let reason = "only one of --position and --moves can be read from standard input";
            return Err(Error::Argument(reason.into()));
        }
        let mut play = match &self.position {
            None => AnyGameState::new(variant),
            Some(text) => AnyGameState::from_text(variant, &given(text)?)
                .map_err(|error| Error::argument("--position", error))?,
        };
        let moves = given(self.moves.as_deref().unwrap_or_default())?;
        for (i, mv) in moves.split_whitespace().enumerate() {
            let error = match play.play(mv) {
                Ok(()) => continue,
                Err(refusal) if refusal.kind == MoveErrorKind::NotAMove => {
                    player_input::parse_move(mv, &play)
                        .and_then(|mv| play.play(&mv).map_err(|refusal| refusal.to_string()))
                        .err()
                }
                Err(refusal) => Some(refusal.to_string()),
            };
            if let Some(error) = error {
                let reason = format!("move {}: {error}", i + 1);
                return Err(Error::argument("--moves", reason));
            }
        }
        Ok(play)
    }

    /// The game after the moves, which must not have ended there.
    pub(crate) fn unfinished_game_state(&self, variant: Variant) -> Result<AnyGameState, Error> {
        let play = self.game_state(variant)?;
        if play.outcome().is_none() {
            return Ok(play);
        }
        let how = play.prompt();
        Err(match play.moves().is_empty() {
            true => Error::argument("--position", format!("the game is over there ({how})")),
            false => Error::argument(
                "--moves",
                format!("the game is over after the last move ({how})"),
            ),
        })
    }
}

/// The position that a game started with, before any moves.
pub(crate) fn start_state_of(play: &AnyGameState) -> AnyGameState {
    let mut start = play.clone();
    while start.undo().is_some() {}
    start
}

/// A whole game of the deepest board has 3.5 MiB.
const MOST_INPUT: u64 = 16 << 20;

/// The argument itself, or what it stands for.
fn given(text: &str) -> Result<Cow<'_, str>, Error> {
    if text != "-" {
        return Ok(text.into());
    }
    let mut input = String::new();
    match io::stdin().take(MOST_INPUT + 1).read_to_string(&mut input) {
        Ok(_) if input.len() as u64 > MOST_INPUT => {
            let most = MOST_INPUT >> 20;
            let reason = format!("standard input is longer than {most} MiB, more than any game");
            Err(Error::Argument(reason))
        }
        Ok(_) => Ok(input.trim_end_matches(['\r', '\n']).to_owned().into()),
        Err(error) => Err(Error::Failure(format!(
            "cannot read standard input: {error}"
        ))),
    }
}

/// A game's name as somebody types it. Clap's error quotes it.
pub(crate) fn variant(name: &str) -> Result<Variant, String> {
    player_input::parse_variant(name)
}
