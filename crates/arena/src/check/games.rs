//! Whole games, played as a match plays them.

use std::time::Duration;

use noughts_engine::{Stop, Tables};
use noughts_rules::AnyPlay;

use super::{Check, Finding, GAMES, LONGEST_GAME, advice, fail, pass};
use crate::make::Making;
use crate::openings::Opening;
use crate::plan::Adjudication;
use crate::played::{Key, Played, Reason};
use crate::player::Player;
use crate::referee::{self, Conditions, Course};
use crate::spec::BotSpec;

pub(super) const WHAT: &str = "plays whole games against itself";

/// Two games with sides swapped, at the pace asked for. The first fault ends it: a bot that
/// was late once is not waited for again.
pub(super) fn play_two(check: &Check, spec: &BotSpec, making: &Making) -> Finding {
    let mut players = Vec::new();
    for _ in 0..2 {
        match making.player(spec, check.variant) {
            Ok(player) => players.push(player),
            Err(error) => return fail(error.0, advice::REPLAY),
        }
    }
    let [one, other] = players.as_mut_slice() else {
        return fail("there are no players", advice::REPLAY);
    };
    let (mut moves, mut slowest) = (0, Duration::ZERO);
    for game in 0..GAMES {
        let conditions = Conditions {
            margin: check.margin,
            patience: check.patience,
            move_limit: u32::try_from(LONGEST_GAME).ok(),
            adjudication: Adjudication::default(),
            tables: Tables::default(),
            seeds: [u64::from(game), u64::from(game)],
            stop: Stop::new(),
        };
        let sides: [&mut dyn Player; 2] = match game % 2 {
            0 => [&mut **one, &mut **other],
            _ => [&mut **other, &mut **one],
        };
        let key = Key {
            round: 0,
            first: 0,
            second: 1,
            swapped: game % 2 == 1,
        };
        let start = Opening {
            play: AnyPlay::new(check.variant),
            moves: 0,
        };
        match referee::play(key, start, sides, [check.pace; 2], &conditions) {
            Course::Played(played) if played.reason.is_fault() => {
                return fault(&played, game + 1);
            }
            Course::Played(played) => {
                moves += played.moves.len();
                let took = played.moves.iter().map(|made| made.took);
                slowest = slowest.max(took.max().unwrap_or_default());
            }
            Course::Hindered(why) => {
                return fail(why, "the system has no room for the bot; try again");
            }
            Course::Stopped => {}
        }
    }
    pass(format!(
        "{GAMES} games, {moves} moves at {}, the slowest after {} ms",
        check.pace,
        slowest.as_millis()
    ))
}

fn fault(played: &Played, game: u32) -> Finding {
    let side = match played.outcome.winner() {
        Some(winner) => winner.other().to_string(),
        None => "both".to_owned(),
    };
    let number = played.moves.len() / 2 + 1;
    let moves = match played.play.moves() {
        moves if moves.is_empty() => String::new(),
        moves => format!("; the moves were: {}", moves.join(" ")),
    };
    let note = played.note.as_deref().unwrap_or("it failed");
    let seen = format!("game {game}, move {number} of {side}: {note}{moves}");
    fail(
        seen,
        match played.reason {
            Reason::Time => advice::LATE,
            Reason::Crash | Reason::Start => advice::CRASH,
            Reason::IllegalMove => advice::LEGAL,
            _ => advice::REPLAY,
        },
    )
}
