//! The page of a game, and the invite link.

use axum::extract::{Path, State};
use axum::http::HeaderMap;

use super::page::PageResponse;
use crate::api::{QueryParams, ViewParams, Viewer};
use crate::app::App;
use crate::error::ApiError;
use crate::middleware::Visitor;
use crate::view::{layout, pages};

/// A game: ongoing, over, or an earlier position of it.
pub(super) async fn game(
    State(app): State<App>,
    visitor: Visitor,
    Path(uid): Path<String>,
    QueryParams(params): QueryParams<ViewParams>,
    headers: HeaderMap,
) -> Result<PageResponse, ApiError> {
    let viewer = Viewer::new(&app, &headers, visitor, params)?;
    let snapshot = app.rooms.open(&app, &uid).await?.snapshot();
    let json = layout::escape_script_json(&viewer.view_json(&snapshot));
    let role = snapshot.role_of(&visitor.hash);
    let options = viewer.options_for(&snapshot);
    let tablebases = app
        .pool
        .tablebases()
        .tablebases_for(snapshot.state.variant());
    let page = pages::game(snapshot.snapshot(), role, &options, Some(json), &tablebases);
    Ok(PageResponse(page))
}

/// The page of an invite link. Players of the game, and visitors who come too late, see the
/// game instead.
pub(super) async fn join(
    State(app): State<App>,
    visitor: Visitor,
    Path((uid, code)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<PageResponse, ApiError> {
    let snapshot = app.rooms.open(&app, &uid).await?.snapshot();
    let role = snapshot.role_of(&visitor.hash);
    if role.x || role.o {
        let params = QueryParams(ViewParams::default());
        return game(State(app), visitor, Path(uid), params, headers).await;
    }
    match snapshot.side_for_invite(&code) {
        Some(side) => Ok(PageResponse(pages::join(
            snapshot.snapshot(),
            &uid,
            &code,
            side,
        ))),
        // The seat is taken: the visitor can watch.
        None => {
            let params = QueryParams(ViewParams::default());
            game(State(app), visitor, Path(uid), params, headers).await
        }
    }
}
