//! What the API says of a game, from a snapshot of it.

use noughts_engine::BotKind;
use noughts_rules::{AnyPlay, Outcome, Player, Variant};
use noughts_store::{End, Seat};

use super::choices::choices;
use super::types::{GameState, OfferState, OfferWord, OverState, SeatKind, SeatState, TallyState};
use crate::live::{OfferKind, Snapshot};

/// A position with more characters is not told.
const LONGEST: usize = 4096;

impl GameState {
    /// What is said of a game; of a board that is no stored game, only what that has.
    pub(crate) fn of(game: &Snapshot) -> GameState {
        let play = &game.play;
        let (id, number) = match &game.game {
            Some((uid, id)) => (uid.clone(), id.0),
            None => (String::new(), 0),
        };
        let start = !is_long(play) && !play.is_from_start();
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
            seats: Player::BOTH.map(|side| seat(game, side)),
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
            handed: game.handed,
            assisted: game.assisted.map(|how| how.word().into()),
            rated: !game.handed && game.assisted.is_none(),
            offer: game.offer.map(|offer| OfferState {
                kind: match offer.kind {
                    OfferKind::Draw => OfferWord::Draw,
                    OfferKind::Undo => OfferWord::Undo,
                    OfferKind::Rematch => OfferWord::Rematch,
                },
                by: offer.by.into(),
            }),
            over: game.over.map(|(result, end)| OverState {
                result: result.map(|result| result.word().into()),
                how: end.word().into(),
                sentence: ended(play, result, end),
            }),
            next: game.next.clone(),
        }
    }
}

/// Is there a character for each of too many cells? Then it need not be written to know.
fn is_long(play: &AnyPlay) -> bool {
    let Variant::Nested(options) = play.variant() else {
        return false;
    };
    9usize.pow(options.depth().into()) > LONGEST
}

fn seat(game: &Snapshot, side: Player) -> SeatState {
    let seat = &game.seats[side as usize];
    let (kind, sentence) = match seat {
        _ if game.invited[side as usize] => (SeatKind::Invited, None),
        Seat::Person(_) => (SeatKind::Person, None),
        Seat::Guest => (SeatKind::Guest, None),
        Seat::Bot(name) => {
            let kind: Option<BotKind> = name.parse().ok();
            let sentence = kind.map(|kind| kind.sentence(Some(game.play.variant())));
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
            ties: tally.ties,
        }),
        connected: game.connected[side as usize],
        hand: match &game.play {
            AnyPlay::TicTacTwo(play) => Some(play.game().in_hand(play.position(), side)),
            _ => None,
        },
    }
}

fn prompt(game: &Snapshot) -> String {
    match game.over {
        Some((result, end)) => ended(&game.play, result, end),
        None if game.invited != [false; 2] => {
            "the game begins when the friend comes who was invited by the link".into()
        }
        None => game.play.prompt(),
    }
}

/// How a game ended, as a sentence.
fn ended(play: &AnyPlay, result: Option<Outcome>, end: End) -> String {
    match result {
        // The rules say it best where they know it.
        Some(result) if play.outcome() == Some(result) => play.prompt(),
        Some(result) => format!("{result}: {end}"),
        None => end.to_string(),
    }
}
