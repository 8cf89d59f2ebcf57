//! The page of a game, and the way in for a guest.

use axum::extract::{Path, State};
use axum::http::HeaderMap;

use super::page::Page;
use crate::api::{Asked, Eyes, Wish};
use crate::app::App;
use crate::error::Error;
use crate::guard::Visitor;
use crate::view::{layout, pages};

/// A game: being played, over, or looked back at.
pub(super) async fn game(
    State(app): State<App>,
    visitor: Visitor,
    Path(uid): Path<String>,
    Asked(wish): Asked<Wish>,
    headers: HeaderMap,
) -> Result<Page, Error> {
    let eyes = Eyes::new(&app, &headers, visitor, wish)?;
    let state = app.rooms.open(&app, &uid).await?.state();
    let json = layout::escaped(&eyes.view(&state));
    let you = state.you(&visitor.hash);
    let look = eyes.look(&state);
    let tables = app.pool.shelf().tables(state.play.variant());
    let page = pages::game(state.snapshot(), you, &look, Some(json), &tables);
    Ok(Page(page))
}

/// A guest comes by the link. Who sits in the game already sees it.
pub(super) async fn join(
    State(app): State<App>,
    visitor: Visitor,
    Path((uid, code)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Page, Error> {
    let state = app.rooms.open(&app, &uid).await?.state();
    let you = state.you(&visitor.hash);
    if you.x || you.o {
        let wish = Asked(Wish::default());
        return game(State(app), visitor, Path(uid), wish, headers).await;
    }
    match state.opened_by(&code) {
        Some(side) => Ok(Page(pages::join(state.snapshot(), &uid, &code, side))),
        // The seat is taken: one can look on.
        None => {
            let wish = Asked(Wish::default());
            game(State(app), visitor, Path(uid), wish, headers).await
        }
    }
}
