//! `/games`: the list of games.

use axum::extract::State;
use axum::response::IntoResponse;
use noughts_store::{GameFilter, GameId, Name};

use super::page_with_status;
use crate::app::App;
use crate::error::ApiError;
use crate::extract::QueryParams;
use crate::view::formatting;
use crate::view::pages::{self, GameList, GameListFilter};

/// Games per page.
const PAGE_SIZE: u32 = 50;

pub(super) async fn games(
    State(app): State<App>,
    QueryParams(filter): QueryParams<GameListFilter>,
) -> Result<impl IntoResponse, ApiError> {
    let mut list = GameList::default();
    match store_filter(&filter) {
        Ok(filter) => list.games = app.config.store.games(&filter).await?,
        Err(error) => list.error = Some(error),
    }
    // The query asks for one more game than a page shows, to find out whether there are older ones.
    if list.games.len() > PAGE_SIZE as usize {
        list.games.truncate(PAGE_SIZE as usize);
        list.older_url = list.games.last().map(|last| {
            let query = filter.to_query();
            let separator = if query.is_empty() { "" } else { "&" };
            format!("/games?{query}{separator}before={}", last.id)
        });
    }
    list.filter = filter;
    Ok(page_with_status(list.error.is_some(), pages::games(&list)))
}

/// The filters, or why one is invalid.
fn store_filter(filter: &GameListFilter) -> Result<GameFilter, String> {
    let non_empty = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    let player = non_empty(&filter.player).map(|name| Name::new(&name).map_err(|e| e.to_string()));
    let variant = non_empty(&filter.variant).map(|name| formatting::parse_variant(&name));
    let open = match filter.open.trim() {
        "" => None,
        "true" => Some(true),
        "false" => Some(false),
        _ => return Err("the status filter `open` must be `true`, `false` or empty".into()),
    };
    Ok(GameFilter {
        player: player.transpose()?,
        opponent: non_empty(&filter.opponent),
        variant: variant.transpose()?,
        open,
        played: true,
        before: filter.before.map(GameId),
        limit: Some(PAGE_SIZE + 1),
        ..GameFilter::default()
    })
}
