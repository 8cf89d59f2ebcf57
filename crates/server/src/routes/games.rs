//! `/games`: the list of games.

use axum::extract::State;
use axum::response::IntoResponse;
use noughts_store::{GameFilter, GameId, Name};
use serde::Deserialize;

use super::page_with_status;
use crate::app::App;
use crate::error::ApiError;
use crate::extract::QueryParams;
use crate::view::pages::{self, GameList};

/// Games per page.
const PAGE_SIZE: u32 = 50;

#[derive(Deserialize)]
pub(super) struct GamesParams {
    #[serde(default)]
    player: String,
    #[serde(default)]
    opponent: String,
    #[serde(default)]
    variant: String,
    #[serde(default)]
    open: String,
    /// Only games older than this one.
    before: Option<i64>,
}

pub(super) async fn games(
    State(app): State<App>,
    QueryParams(params): QueryParams<GamesParams>,
) -> Result<impl IntoResponse, ApiError> {
    let mut list = GameList {
        player: params.player.trim().into(),
        opponent: params.opponent.trim().into(),
        variant: params.variant.trim().into(),
        open: params.open.trim().into(),
        has_newer: params.before.is_some(),
        ..GameList::default()
    };
    match filter(&list) {
        Ok(filter) => {
            let filter = GameFilter {
                before: params.before.map(GameId),
                ..filter
            };
            list.games = app.config.store.games(&filter).await?;
        }
        Err(error) => list.error = Some(error),
    }
    // The query asks for one more game than a page shows, to find out whether there are older ones.
    if list.games.len() > PAGE_SIZE as usize {
        list.games.truncate(PAGE_SIZE as usize);
        list.older_url = list.games.last().map(|last| {
            let query = list.filter_query();
            let separator = if query.is_empty() { "" } else { "&" };
            format!("/games?{query}{separator}before={}", last.id)
        });
    }
    Ok(page_with_status(list.error.is_some(), pages::games(&list)))
}

/// The filters, or why one is invalid.
fn filter(list: &GameList) -> Result<GameFilter, String> {
    let non_empty = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let player = non_empty(&list.player).map(|name| Name::new(&name).map_err(|e| e.to_string()));
    let variant = non_empty(&list.variant).map(|name| name.parse());
    let open = match list.open.as_str() {
        "" => None,
        "true" => Some(true),
        "false" => Some(false),
        _ => return Err("the status filter `open` must be `true`, `false` or empty".into()),
    };
    Ok(GameFilter {
        player: player.transpose()?,
        opponent: non_empty(&list.opponent),
        variant: variant
            .transpose()
            .map_err(|error: noughts_rules::VariantError| error.to_string())?,
        open,
        played: true,
        limit: Some(PAGE_SIZE + 1),
        ..GameFilter::default()
    })
}
