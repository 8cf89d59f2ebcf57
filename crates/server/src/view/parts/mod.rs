//! The parts of a game's page that are updated live, one file for each kind.

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
use noughts_session::PlaybackSpeed;
use noughts_store::Seat;

use super::formatting;
use crate::live::{GameSnapshot, Rev, ViewerRole};
use render_context::RenderContext;

/// What a viewer wants to see of a game.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct ViewOptions {
    /// The path of the board to zoom into; empty for the whole board.
    pub(crate) path: String,
    /// Show the position after this many moves instead of the current one.
    pub(crate) ply: Option<usize>,
    /// The absolute URL of the invite link, for the creator of the game while a seat is
    /// reserved.
    pub(crate) invite_link: Option<String>,
}

/// Renders all parts: each with the `id` of its element and the element's content.
pub(crate) fn render_parts(
    snapshot: &GameSnapshot,
    viewer: ViewerRole,
    options: &ViewOptions,
) -> Vec<(&'static str, Markup)> {
    let ctx = RenderContext::new(snapshot, viewer, options);
    vec![
        ("board", board(&ctx)),
        (
            "crumbs",
            pictures::breadcrumbs(&ctx.shown_state, &options.path),
        ),
        ("mini", pictures::minimap(&ctx.shown_state, &options.path)),
        ("panel-x", player_panel::player_panel(&ctx, Side::X)),
        ("panel-o", player_panel::player_panel(&ctx, Side::O)),
        ("say", status::status_text(&ctx)),
        ("moves", move_list::move_list(&ctx)),
        ("tools", toolbar::toolbar(&ctx)),
        ("offer", offer::offer_card(&ctx)),
        ("link", offer::invite_card(&ctx)),
        ("settle", offer::resign_dialog(&ctx)),
        ("share", offer::share_links(&ctx)),
        ("end", game_over::game_over_dialog(&ctx)),
    ]
}

/// The board. No moves can be made in an earlier position or an ended game.
fn board(ctx: &RenderContext<'_>) -> Markup {
    let path = &ctx.options.path;
    match ctx.is_viewing_past() && !ctx.is_analysis_board() || !ctx.is_ongoing() {
        true => pictures::read_only_board(&ctx.shown_state, path),
        false => pictures::board(&ctx.shown_state, path),
    }
}

/// The snapshot of a board without a saved game: the front page's, or one that is analyzed.
pub(crate) fn unsaved_snapshot(state: AnyGameState, seats: [Seat; 2]) -> GameSnapshot {
    let over = state.outcome().zip(state.ending());
    GameSnapshot {
        ids: None,
        rev: Rev {
            moves: formatting::move_count(&state),
            changes: 0,
        },
        can_undo: formatting::move_count(&state) > 0,
        over: over.map(|(outcome, ending)| (Some(outcome), ending.into())),
        state,
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
        speed: PlaybackSpeed::default(),
        offer: None,
        next: None,
    }
}

/// The seats of the front page's board.
pub(crate) fn default_seats() -> [Seat; 2] {
    let bot = Seat::Bot(BotKind::Medium.name().into());
    [Seat::Guest, bot]
}
