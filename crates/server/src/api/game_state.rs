//! The API's view of a game, from a snapshot.

use noughts_engine::BotKind;
use noughts_rules::{AnyGameState, Side, Variant};
use noughts_store::Seat;

use super::choices::choices;
use super::types::{GameState, OfferState, OfferWord, OverState, SeatKind, SeatState, TallyState};
use crate::live::{GameSnapshot, OfferKind};

/// Longer position texts are left out.
const MAX_POSITION_CHARS: usize = 4096;

impl GameState {
    /// The API's view of a game. A board that isn't a stored game has an empty id.
    pub(crate) fn from_snapshot(snapshot: &GameSnapshot) -> GameState {
        let state = &snapshot.state;
        let (id, number) = match &snapshot.ids {
            Some((uid, id)) => (uid.clone(), id.0),
            None => (String::new(), 0),
        };
        let start = !is_long(state) && !state.has_standard_start();
        let start = start.then(|| state.start_text());
        let position = (!is_long(state)).then(|| state.position_text());
        GameState {
            id,
            number,
            variant: state.variant().to_string(),
            rev: snapshot.rev.to_string(),
            ply: snapshot.rev.moves,
            side: state.side().into(),
            start: start.filter(|start| start.len() <= MAX_POSITION_CHARS),
            position: position.filter(|text| text.len() <= MAX_POSITION_CHARS),
            moves: state.moves(),
            seats: Side::BOTH.map(|side| seat_state(snapshot, side)),
            choices: match snapshot.over {
                None => choices(state),
                Some(_) => super::types::Choices::default(),
            },
            prompt: prompt(snapshot),
            thinking: snapshot.thinking,
            paused: snapshot.paused,
            speed: snapshot.speed.number(),
            can_undo: snapshot.can_undo,
            can_redo: snapshot.can_redo,
            handed: snapshot.handed_over,
            assisted: snapshot.assisted.map(|how| how.as_str().into()),
            rated: snapshot.unrated_reason().is_none(),
            offer: snapshot.offer.map(|offer| OfferState {
                kind: match offer.kind {
                    OfferKind::Draw => OfferWord::Draw,
                    OfferKind::Undo => OfferWord::Undo,
                    OfferKind::Rematch => OfferWord::Rematch,
                },
                by: offer.by.into(),
            }),
            over: snapshot.game_over().map(|over| OverState {
                result: over.outcome.map(|outcome| outcome.as_str().into()),
                how: over.termination.as_str().into(),
                sentence: over.sentence(),
            }),
            next: snapshot.next.clone(),
        }
    }
}

/// Is the text too long because of its number of cells alone? Then it needn't be written to find
/// out.
fn is_long(state: &AnyGameState) -> bool {
    let Variant::Nested(options) = state.variant() else {
        return false;
    };
    9usize.pow(options.depth().into()) > MAX_POSITION_CHARS
}

fn seat_state(snapshot: &GameSnapshot, side: Side) -> SeatState {
    let seat = &snapshot.seats[side as usize];
    let (kind, sentence) = match seat {
        _ if snapshot.invited[side as usize] => (SeatKind::Invited, None),
        Seat::Player(_) => (SeatKind::Person, None),
        Seat::Guest => (SeatKind::Guest, None),
        Seat::Bot(name) => {
            let kind: Option<BotKind> = name.parse().ok();
            let sentence = kind.map(|kind| kind.description(Some(snapshot.state.variant())));
            (SeatKind::Bot, sentence)
        }
        Seat::Deleted => (SeatKind::Deleted, None),
    };
    SeatState {
        kind,
        name: seat.to_string(),
        sentence,
        tally: snapshot.tallies[side as usize].map(|tally| TallyState {
            wins: tally.wins,
            losses: tally.losses,
            ties: tally.draws,
        }),
        connected: snapshot.connected[side as usize],
        hand: match &snapshot.state {
            AnyGameState::TicTacTwo(state) => Some(state.game().in_hand(state.position(), side)),
            _ => None,
        },
    }
}

fn prompt(snapshot: &GameSnapshot) -> String {
    match snapshot.game_over() {
        Some(over) => over.sentence(),
        None if snapshot.invited != [false; 2] => {
            "Waiting for your opponent to open the invite link".into()
        }
        None => noughts_text::prompt(&snapshot.state),
    }
}
