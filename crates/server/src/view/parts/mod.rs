//! The parts of a game's page that change while one looks, one file for each kind.

mod game_over;
mod move_list;
mod offer;
mod player_panel;
mod render_context;
mod status;
mod toolbar;

use maud::Markup;
use noughts_engine::BotKind;
use noughts_pictures as pictures;
use noughts_rules::{AnyGameState, Side};
use noughts_session::Speed;
use noughts_store::Seat;

use super::formatting;
use crate::live::{GameSnapshot, Rev, ViewerRole};
use render_context::RenderContext;

/// How somebody looks at a game.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct ViewOptions {
    /// The board that is zoomed into; empty for the whole.
    pub(crate) path: String,
    /// Looking back: the game as it was after so many moves.
    pub(crate) ply: Option<usize>,
    /// The whole address of the invitation, for who made the game and while a seat
    /// is held open.
    pub(crate) invite_link: Option<String>,
}

/// Each part's `id` in the page, and what is inside it.
pub(crate) fn render_parts(
    game: &GameSnapshot,
    you: ViewerRole,
    look: &ViewOptions,
) -> Vec<(&'static str, Markup)> {
    let seen = RenderContext::new(game, you, look);
    vec![
        ("board", board_of(&seen)),
        (
            "crumbs",
            pictures::breadcrumbs(&seen.shown_state, &look.path),
        ),
        ("mini", pictures::minimap(&seen.shown_state, &look.path)),
        ("panel-x", player_panel::player_panel(&seen, Side::X)),
        ("panel-o", player_panel::player_panel(&seen, Side::O)),
        ("say", status::status_text(&seen)),
        ("moves", move_list::move_list(&seen)),
        ("tools", toolbar::toolbar(&seen)),
        ("offer", offer::offer_card(&seen)),
        ("link", offer::invite_card(&seen)),
        ("settle", offer::resign_dialog(&seen)),
        ("share", offer::share_links(&seen)),
        ("end", game_over::game_over_dialog(&seen)),
    ]
}

/// Nothing can be moved where one looks back, nor in a game that was given up.
fn board_of(seen: &RenderContext<'_>) -> Markup {
    let path = &seen.options.path;
    match seen.is_viewing_past() && !seen.is_analysis_board() || !seen.is_ongoing() {
        true => pictures::read_only_board(&seen.shown_state, path),
        false => pictures::board(&seen.shown_state, path),
    }
}

/// A board that is no stored game: the first one of the front page, or one that is
/// analysed.
pub(crate) fn unsaved_snapshot(play: AnyGameState, seats: [Seat; 2]) -> GameSnapshot {
    let over = play.outcome().zip(play.ending());
    GameSnapshot {
        ids: None,
        rev: Rev {
            moves: formatting::move_count(&play),
            changes: 0,
        },
        can_undo: formatting::move_count(&play) > 0,
        over: over.map(|(outcome, ending)| (Some(outcome), ending.into())),
        state: play,
        seats,
        invited: [false; 2],
        tallies: [None; 2],
        connected: [true; 2],
        is_online: false,
        move_times: Vec::new(),
        can_redo: false,
        handed_over: false,
        assisted: None,
        thinking: false,
        paused: false,
        speed: Speed::default(),
        offer: None,
        next: None,
    }
}

/// Who sits at the board of somebody's first visit.
pub(crate) fn default_seats() -> [Seat; 2] {
    let bot = Seat::Bot(BotKind::Medium.name().into());
    [Seat::Guest, bot]
}
