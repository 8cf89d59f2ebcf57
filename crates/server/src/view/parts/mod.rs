//! The parts of a game's page that change while one looks, one file for each kind.

mod end;
mod moves;
mod offer;
mod panel;
mod say;
mod seen;
mod tools;

use maud::Markup;
use noughts_engine::BotKind;
use noughts_pictures as pictures;
use noughts_rules::{AnyPlay, Player};
use noughts_session::Speed;
use noughts_store::Seat;

use super::words;
use crate::live::{Rev, Snapshot, You};
use seen::Seen;

/// How somebody looks at a game.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Look {
    /// The board that is zoomed into; empty for the whole.
    pub(crate) path: String,
    /// Looking back: the game as it was after so many moves.
    pub(crate) ply: Option<usize>,
    /// The whole address of the invitation, for who made the game and while a seat
    /// is held open.
    pub(crate) link: Option<String>,
}

/// Each part's `id` in the page, and what is inside it.
pub(crate) fn parts(game: &Snapshot, you: You, look: &Look) -> Vec<(&'static str, Markup)> {
    let seen = Seen::new(game, you, look);
    vec![
        ("board", board_of(&seen)),
        ("crumbs", pictures::crumbs(&seen.play, &look.path)),
        ("mini", pictures::mini(&seen.play, &look.path)),
        ("panel-x", panel::panel(&seen, Player::X)),
        ("panel-o", panel::panel(&seen, Player::O)),
        ("say", say::say(&seen)),
        ("moves", moves::moves(&seen)),
        ("tools", tools::tools(&seen)),
        ("offer", offer::offer(&seen)),
        ("link", offer::link(&seen)),
        ("settle", offer::settle(&seen)),
        ("share", offer::share(&seen)),
        ("end", end::end(&seen)),
    ]
}

/// Nothing can be moved where one looks back, nor in a game that was given up.
fn board_of(seen: &Seen<'_>) -> Markup {
    let path = &seen.look.path;
    match seen.looks_back() && !seen.is_study() || !seen.goes_on() {
        true => pictures::past(&seen.play, path),
        false => pictures::board(&seen.play, path),
    }
}

/// A board that is no stored game: the first one of the front page, or one that is
/// analysed.
pub(crate) fn unborn(play: AnyPlay, seats: [Seat; 2]) -> Snapshot {
    let over = play.outcome().zip(play.ending());
    Snapshot {
        game: None,
        rev: Rev {
            moves: words::made(&play),
            changes: 0,
        },
        can_undo: words::made(&play) > 0,
        over: over.map(|(outcome, ending)| (Some(outcome), ending.into())),
        play,
        seats,
        invited: [false; 2],
        tallies: [None; 2],
        connected: [true; 2],
        apart: false,
        times: Vec::new(),
        can_redo: false,
        handed: false,
        assisted: None,
        thinking: false,
        paused: false,
        speed: Speed::default(),
        offer: None,
        next: None,
    }
}

/// Who sits at the board of somebody's first visit.
pub(crate) fn first_seats() -> [Seat; 2] {
    let bot = Seat::Bot(BotKind::Medium.name().into());
    [Seat::Guest, bot]
}
