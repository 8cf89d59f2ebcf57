//! The page of a game, and the invite link.

use axum::extract::{Path, State};
use axum::http::HeaderMap;
use maud::Markup;

use crate::app::App;
use crate::error::ApiError;
use crate::middleware::Visitor;
use crate::view::{ViewParams, ViewRequest, layout, pages};

/// A game: ongoing, over, or an earlier position of it.
pub(super) async fn game(
    State(app): State<App>,
    request: ViewRequest,
    Path(uid): Path<String>,
) -> Result<Markup, ApiError> {
    let snapshot = app.rooms.open(&app, &uid).await?.snapshot();
    let json = layout::escape_script_json(&request.view_json(&snapshot));
    let viewer = request.viewer_of(&snapshot);
    let variant = snapshot.state.variant();
    let tablebases = app.pool.tablebases.tablebases_for(variant);
    Ok(pages::game(&snapshot, &viewer, Some(json), &tablebases))
}

/// The page of an invite link. Players of the game, and visitors who come too late, see the
/// game instead.
pub(super) async fn join(
    State(app): State<App>,
    visitor: Visitor,
    Path((uid, code)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Markup, ApiError> {
    let snapshot = app.rooms.open(&app, &uid).await?.snapshot();
    match snapshot.side_for_invite(&code) {
        Some(side) if !snapshot.viewer(&visitor.hash).is_player() => {
            Ok(pages::join(&snapshot, &uid, &code, side))
        }
        _ => {
            let request = ViewRequest::new(&app, &headers, visitor, ViewParams::default())?;
            game(State(app), request, Path(uid)).await
        }
    }
}
