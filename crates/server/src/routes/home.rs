//! `/`: a board, the visitor's unfinished games, and the list of variants.

use axum::extract::State;
use maud::Markup;

use crate::app::App;
use crate::error::ApiError;
use crate::middleware::Visitor;
use crate::view::pages;

/// The maximum number of unfinished games on the page.
const MAX_UNFINISHED: u32 = 3;

pub(super) async fn home(State(app): State<App>, visitor: Visitor) -> Result<Markup, ApiError> {
    let store = &app.config.store;
    let unfinished = store.open_games_of(visitor.hash, MAX_UNFINISHED).await?;
    Ok(pages::home(&unfinished))
}
