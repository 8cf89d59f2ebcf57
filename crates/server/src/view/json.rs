//! A game as JSON.

use noughts_engine::BotKind;
use noughts_rules::{AnyGameState, Side};
use noughts_store::Seat;
use noughts_wire::{Game, LiveSeat, Offer, SeatKind};

use super::choices::{choices, levels, no_choices, reserve};
use super::formatting::WAITING_FOR_OPPONENT;
use crate::live::GameSnapshot;

/// Longer position texts are left out.
const MAX_POSITION_CHARS: usize = 4096;

/// The game as JSON. A board that isn't a stored game has an empty id.
pub(super) fn game(snapshot: &GameSnapshot) -> Game {
    let state = &*snapshot.state;
    let ids = snapshot.ids.as_ref();
    Game {
        id: ids.map_or_else(String::new, |(uid, _)| uid.clone()),
        number: ids.map_or(0, |(_, id)| id.0),
        variant: state.variant().to_string(),
        start: match state.has_standard_start() {
            true => None,
            false => short_text(state, AnyGameState::start_text),
        },
        rev: snapshot.rev.to_string(),
        ply: state.ply(),
        side: state.side().into(),
        position: position_text(state),
        moves: state.moves(),
        x: seat(snapshot, Side::X),
        o: seat(snapshot, Side::O),
        levels: levels(state),
        choices: match snapshot.over {
            None => choices(state),
            Some(_) => no_choices(state),
        },
        prompt: prompt(snapshot),
        thinking: snapshot.thinking,
        paused: snapshot.paused,
        speed: snapshot.speed.number(),
        can_take_back: snapshot.can_take_back,
        can_redo: snapshot.can_redo,
        handed_over: snapshot.handed_over,
        assisted: snapshot.assisted.map(|how| how.as_str().into()),
        rated: snapshot.unrated_reason().is_none(),
        offer: snapshot.offer.map(|offer| Offer {
            kind: offer.kind,
            by: offer.by.into(),
        }),
        result: (snapshot.over).and_then(|(outcome, _)| outcome.map(Into::into)),
        ending: (snapshot.over).map(|(_, termination)| termination.as_str().into()),
        rematch: snapshot.claims.rematch.clone(),
    }
}

/// The position as text, unless it is long.
pub(crate) fn position_text(state: &AnyGameState) -> Option<String> {
    short_text(state, AnyGameState::position_text)
}

fn short_text(state: &AnyGameState, text: impl Fn(&AnyGameState) -> String) -> Option<String> {
    // The number of cells alone may be too large; then the text needn't be written to find out.
    if state.view().shape().count_cells() as usize > MAX_POSITION_CHARS {
        return None;
    }
    Some(text(state)).filter(|text| text.len() <= MAX_POSITION_CHARS)
}

fn seat(snapshot: &GameSnapshot, side: Side) -> LiveSeat {
    let stored = &snapshot.seats[side as usize];
    let mut seat = noughts_wire::Seat::from(stored);
    if snapshot.is_invited(side) {
        seat.kind = SeatKind::Invited;
        seat.name = None;
    }
    LiveSeat {
        seat,
        label: stored.to_string(),
        about: match stored {
            Seat::Bot(name) => name
                .parse()
                .ok()
                .map(|kind: BotKind| kind.description(Some(snapshot.state.variant()))),
            _ => None,
        },
        tally: snapshot.tallies[side as usize].map(Into::into),
        connected: snapshot.connected[side as usize],
        reserve: reserve(snapshot.state.view(), side),
    }
}

fn prompt(snapshot: &GameSnapshot) -> String {
    match snapshot.game_over() {
        Some(over) => over.sentence(),
        None if snapshot.is_waiting_for_opponent() => WAITING_FOR_OPPONENT.into(),
        None => noughts_text::prompt(&snapshot.state),
    }
}
