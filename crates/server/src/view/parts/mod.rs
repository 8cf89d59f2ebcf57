//! The parts of a game's page that are updated live, one file for each kind.

mod game_over;
mod offer;
mod player_panel;
mod render_context;
mod status;
mod toolbar;

use maud::{Markup, html};
use noughts_engine::BotKind;
use noughts_rules::Side;
use noughts_store::Seat;

use crate::live::{GameSnapshot, Viewer};
use render_context::RenderContext;

/// Renders all parts: each with the `id` of its element and the element's content.
pub(crate) fn render_parts(
    snapshot: &GameSnapshot,
    viewer: &Viewer,
) -> Vec<(&'static str, Markup)> {
    let ctx = RenderContext::new(snapshot, viewer);
    vec![
        ("board", board(&ctx)),
        (
            "breadcrumbs",
            noughts_view::breadcrumbs(&ctx.shown_state, &viewer.path),
        ),
        (
            "minimap",
            noughts_view::minimap(&ctx.shown_state, &viewer.path),
        ),
        ("reserves", board_reserves(&ctx)),
        ("panel-x", player_panel::player_panel(&ctx, Side::X)),
        ("panel-o", player_panel::player_panel(&ctx, Side::O)),
        ("status", status::status_text(&ctx)),
        ("moves", move_list(&ctx)),
        ("toolbar", toolbar::toolbar(&ctx)),
        ("offer", offer::offer_card(&ctx)),
        ("invite", offer::invite_card(&ctx)),
        ("resign-content", offer::resign_dialog(&ctx)),
        ("share", offer::share_links(&ctx)),
        ("game-over", game_over::game_over_dialog(&ctx)),
    ]
}

/// The board. No moves can be made in an earlier position or an ended game.
fn board(ctx: &RenderContext<'_>) -> Markup {
    let path = &ctx.viewer.path;
    match ctx.is_viewing_past() && !ctx.is_analysis_board() || !ctx.is_ongoing() {
        true => noughts_view::read_only_board(&ctx.shown_state, path),
        false => noughts_view::board(&ctx.shown_state, path),
    }
}

/// The pieces next to the board of an analysis. Those of a game are in the panels of its players.
fn board_reserves(ctx: &RenderContext<'_>) -> Markup {
    html! { @if ctx.is_analysis_board() { (noughts_view::both_reserves(&ctx.shown_state)) } }
}

fn move_list(ctx: &RenderContext<'_>) -> Markup {
    let (game, shown_ply) = (ctx.snapshot, ctx.shown_state.move_count());
    noughts_view::move_list(&game.state, shown_ply, &game.move_times)
}

/// The seats of the front page's board.
pub(crate) fn default_seats() -> [Seat; 2] {
    let bot = Seat::Bot(BotKind::Medium.name().into());
    [Seat::Guest, bot]
}
