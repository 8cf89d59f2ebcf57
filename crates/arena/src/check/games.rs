//! Complete games, played as in a match.

use std::time::Duration;

use noughts_engine::{StopFlag, Tablebases};
use noughts_rules::AnyGameState;

use super::{BotCheck, Finding, GAMES, MAX_PLIES, StepResult, advice, fail};
use crate::openings::Opening;
use crate::plan::Adjudication;
use crate::played_game::{EndReason, GameKey, PlayedGame};
use crate::player::Player;
use crate::player_factory::PlayerFactory;
use crate::referee::{self, Conditions, GameAttempt};
use crate::spec::BotSpec;

pub(super) const STEP_NAME: &str = "plays full games against itself";

/// Plays two games with sides swapped at the requested time control. Stops at the first fault, so
/// that a bot that was late once isn't waited for again.
pub(super) fn play_games(check: &BotCheck, spec: &BotSpec, factory: &PlayerFactory) -> StepResult {
    let player = || {
        let player = factory.make_player(spec, check.variant);
        player.map_err(|error| fail(error.0, advice::REPLAY))
    };
    let (mut one, mut other) = (player()?, player()?);
    let (mut moves, mut slowest) = (0, Duration::ZERO);
    for game in 0..GAMES {
        let conditions = Conditions {
            margin: check.margin,
            patience: check.patience,
            move_limit: Some(MAX_PLIES),
            adjudication: Adjudication::default(),
            tablebases: Tablebases::default(),
            seeds: [u64::from(game), u64::from(game)],
            stop: StopFlag::new(),
        };
        let sides: [&mut dyn Player; 2] = match game % 2 {
            0 => [&mut *one, &mut *other],
            _ => [&mut *other, &mut *one],
        };
        let key = GameKey {
            round: 0,
            first: 0,
            second: 1,
            swapped: game % 2 == 1,
        };
        let start = Opening {
            state: AnyGameState::new(check.variant),
            plies: 0,
        };
        match referee::play_game(key, start, sides, [check.time_control; 2], &conditions) {
            GameAttempt::Finished(played) if played.reason.is_fault() => {
                return Err(Some(fault_finding(&played, game + 1)));
            }
            GameAttempt::Finished(played) => {
                moves += played.move_info.len();
                let took = played.move_info.iter().map(|made| made.took);
                slowest = slowest.max(took.max().unwrap_or_default());
            }
            GameAttempt::HostFailure(reason) => {
                let advice = "the system has no resources left to start the bot; try again later";
                return Err(Some(fail(reason, advice)));
            }
            GameAttempt::Stopped => {}
        }
    }
    Ok(format!(
        "{GAMES} games, {moves} moves at {time_control}; the slowest took {slowest} ms",
        time_control = check.time_control,
        slowest = slowest.as_millis()
    ))
}

fn fault_finding(played: &PlayedGame, game: u32) -> Finding {
    let side = match played.outcome.winner() {
        Some(winner) => winner.other().to_string(),
        None => "both".to_owned(),
    };
    let number = played.move_info.len() / 2 + 1;
    let moves = match played.state.moves() {
        moves if moves.is_empty() => String::new(),
        moves => format!("; moves: {moves}", moves = moves.join(" ")),
    };
    let note = played.note.as_deref().unwrap_or("it failed");
    let observed = format!("game {game}, move {number} ({side}): {note}{moves}");
    fail(
        observed,
        match played.reason {
            EndReason::Timeout => advice::LATE,
            EndReason::Crash | EndReason::StartFailure => advice::CRASH,
            EndReason::IllegalMove => advice::LEGAL,
            _ => advice::REPLAY,
        },
    )
}
