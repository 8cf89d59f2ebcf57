//! What the API says of a game, from a snapshot of it.

use noughts_engine::BotKind;
use noughts_rules::{AnyGameState, Outcome, Side, Variant};
use noughts_store::{Seat, Termination};

use super::choices::choices;
use super::types::{GameState, OfferState, OfferWord, OverState, SeatKind, SeatState, TallyState};
use crate::live::{GameSnapshot, OfferKind};

/// A position with more characters is not told.
const LONGEST: usize = 4096;

impl GameState {
    /// What is said of a game; of a board that is no stored game, only what that has.
    pub(crate) fn from_snapshot(game: &GameSnapshot) -> GameState {
        let play = &game.state;
        let (id, number) = match &game.ids {
            Some((uid, id)) => (uid.clone(), id.0),
            None => (String::new(), 0),
        };
        let start = !is_long(play) && !play.has_standard_start();
        let start = start.then(|| play.start_text());
        let position = (!is_long(play)).then(|| play.position_text());
        GameState {
            id,
            number,
            variant: play.variant().to_string(),
            rev: game.rev.to_string(),
            ply: game.rev.moves,
            side: play.side().into(),
            start: start.filter(|start| start.len() <= LONGEST),
            position: position.filter(|text| text.len() <= LONGEST),
            moves: play.moves(),
            seats: Side::BOTH.map(|side| seat(game, side)),
            choices: match game.over {
                None => choices(play),
                Some(_) => super::types::Choices::default(),
            },
            prompt: prompt(game),
            thinking: game.thinking,
            paused: game.paused,
            speed: game.speed.number(),
            can_undo: game.can_undo,
            can_redo: game.can_redo,
            handed: game.handed_over,
            assisted: game.assisted.map(|how| how.as_str().into()),
            rated: !game.handed_over && game.assisted.is_none(),
            offer: game.offer.map(|offer| OfferState {
                kind: match offer.kind {
                    OfferKind::Draw => OfferWord::Draw,
                    OfferKind::Undo => OfferWord::Undo,
                    OfferKind::Rematch => OfferWord::Rematch,
                },
                by: offer.by.into(),
            }),
            over: game.over.map(|(result, end)| OverState {
                result: result.map(|result| result.as_str().into()),
                how: end.as_str().into(),
                sentence: ended(play, result, end),
            }),
            next: game.next.clone(),
        }
    }
}

/// Is there a character for each of too many cells? Then it need not be written to know.
fn is_long(play: &AnyGameState) -> bool {
    let Variant::Nested(options) = play.variant() else {
        return false;
    };
    9usize.pow(options.depth().into()) > LONGEST
}

fn seat(game: &GameSnapshot, side: Side) -> SeatState {
    let seat = &game.seats[side as usize];
    let (kind, sentence) = match seat {
        _ if game.invited[side as usize] => (SeatKind::Invited, None),
        Seat::Player(_) => (SeatKind::Person, None),
        Seat::Guest => (SeatKind::Guest, None),
        Seat::Bot(name) => {
            let kind: Option<BotKind> = name.parse().ok();
            let sentence = kind.map(|kind| kind.description(Some(game.state.variant())));
            (SeatKind::Bot, sentence)
        }
        Seat::Deleted => (SeatKind::Deleted, None),
    };
    SeatState {
        kind,
        name: seat.to_string(),
        sentence,
        tally: game.tallies[side as usize].map(|tally| TallyState {
            wins: tally.wins,
            losses: tally.losses,
            ties: tally.draws,
        }),
        connected: game.connected[side as usize],
        hand: match &game.state {
            AnyGameState::TicTacTwo(play) => Some(play.game().in_hand(play.position(), side)),
            _ => None,
        },
    }
}

fn prompt(game: &GameSnapshot) -> String {
    match game.over {
        Some((result, end)) => ended(&game.state, result, end),
        None if game.invited != [false; 2] => {
            "the game begins when the friend comes who was invited by the link".into()
        }
        None => game.state.prompt(),
    }
}

/// How a game ended, as a sentence.
fn ended(play: &AnyGameState, result: Option<Outcome>, end: Termination) -> String {
    match result {
        // The rules say it best where they know it.
        Some(result) if play.outcome() == Some(result) => play.prompt(),
        Some(result) => format!("{result}: {end}"),
        None => end.to_string(),
    }
}
