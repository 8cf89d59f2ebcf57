//! `/`: the first board, the games that one has not finished, and those to choose from.

use axum::extract::State;
use noughts_store::Filter;

use super::Page;
use crate::app::App;
use crate::error::Error;
use crate::guard::Visitor;
use crate::view::pages;

/// So many of one's own games are offered.
const OFFERED: u32 = 3;

pub(super) async fn home(State(app): State<App>, visitor: Visitor) -> Result<Page, Error> {
    let filter = Filter {
        open: Some(true),
        played: true,
        sitter: Some(visitor.hash),
        limit: Some(OFFERED),
        ..Filter::default()
    };
    let own = app.config.store.games(&filter).await?;
    Ok(Page(pages::home(&own)))
}
