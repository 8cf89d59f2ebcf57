//! `/`: the first board, the games that one has not finished, and those to choose from.

use axum::extract::State;

use super::PageResponse;
use crate::app::App;
use crate::error::Error;
use crate::middleware::Visitor;
use crate::view::pages;

/// So many of one's own games are offered.
const OFFERED: u32 = 3;

pub(super) async fn home(State(app): State<App>, visitor: Visitor) -> Result<PageResponse, Error> {
    let store = &app.config.store;
    let own = store.open_games_of(visitor.hash, OFFERED).await?;
    Ok(PageResponse(pages::home(&own)))
}
