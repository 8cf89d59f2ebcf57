//! The page of a game, and the way in for a guest.

use axum::extract::{Path, State};
use axum::http::HeaderMap;

use super::page::PageResponse;
use crate::api::{QueryParams, ViewParams, Viewer};
use crate::app::App;
use crate::error::Error;
use crate::middleware::Visitor;
use crate::view::{layout, pages};

/// A game: being played, over, or looked back at.
pub(super) async fn game(
    State(app): State<App>,
    visitor: Visitor,
    Path(uid): Path<String>,
    QueryParams(wish): QueryParams<ViewParams>,
    headers: HeaderMap,
) -> Result<PageResponse, Error> {
    let eyes = Viewer::new(&app, &headers, visitor, wish)?;
    let state = app.rooms.open(&app, &uid).await?.snapshot();
    let json = layout::escape_script_json(&eyes.view_json(&state));
    let you = state.role_of(&visitor.hash);
    let look = eyes.options_for(&state);
    let tables = app.pool.tablebases().tablebases_for(state.state.variant());
    let page = pages::game(state.snapshot(), you, &look, Some(json), &tables);
    Ok(PageResponse(page))
}

/// A guest comes by the link. Who sits in the game already sees it.
pub(super) async fn join(
    State(app): State<App>,
    visitor: Visitor,
    Path((uid, code)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<PageResponse, Error> {
    let state = app.rooms.open(&app, &uid).await?.snapshot();
    let you = state.role_of(&visitor.hash);
    if you.x || you.o {
        let wish = QueryParams(ViewParams::default());
        return game(State(app), visitor, Path(uid), wish, headers).await;
    }
    match state.side_for_invite(&code) {
        Some(side) => Ok(PageResponse(pages::join(
            state.snapshot(),
            &uid,
            &code,
            side,
        ))),
        // The seat is taken: one can look on.
        None => {
            let wish = QueryParams(ViewParams::default());
            game(State(app), visitor, Path(uid), wish, headers).await
        }
    }
}
