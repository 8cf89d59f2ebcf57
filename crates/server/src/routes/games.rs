//! `/games`: the list.

use axum::extract::{Query, State};
use axum::response::IntoResponse;
use noughts_store::{GameFilter, GameId, Name};
use serde::Deserialize;

use super::PageResponse;
use crate::app::App;
use crate::error::Error;
use crate::view::pages::{self, GameList};

/// Games on a page.
const LISTED: u32 = 50;

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
    /// Only games before this one.
    before: Option<i64>,
}

pub(super) async fn games(
    State(app): State<App>,
    Query(wanted): Query<GamesParams>,
) -> Result<impl IntoResponse, Error> {
    let mut listing = GameList {
        player: wanted.player.trim().into(),
        opponent: wanted.opponent.trim().into(),
        variant: wanted.variant.trim().into(),
        open: wanted.open.trim().into(),
        has_newer: wanted.before.is_some(),
        ..GameList::default()
    };
    match filter(&listing) {
        Ok(filter) => {
            let filter = GameFilter {
                before: wanted.before.map(GameId),
                ..filter
            };
            listing.games = app.config.store.games(&filter).await?;
        }
        Err(problem) => listing.error = Some(problem),
    }
    // One more than fits was asked for, to know whether there are any.
    if listing.games.len() > LISTED as usize {
        listing.games.truncate(LISTED as usize);
        listing.older_url = listing.games.last().map(|last| {
            let query = listing.filter_query();
            let and = if query.is_empty() { "" } else { "&" };
            format!("/games?{query}{and}before={}", last.id)
        });
    }
    Ok(PageResponse::with_validity(
        listing.error.is_some(),
        pages::games(&listing),
    ))
}

/// The filters, or what is wrong with one.
fn filter(listing: &GameList) -> Result<GameFilter, String> {
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let player = some(&listing.player).map(|name| Name::new(&name).map_err(|e| e.to_string()));
    let variant = some(&listing.variant).map(|name| name.parse());
    let open = match listing.open.as_str() {
        "" => None,
        "true" => Some(true),
        "false" => Some(false),
        _ => return Err("the state is all, being played or over".into()),
    };
    Ok(GameFilter {
        player: player.transpose()?,
        opponent: some(&listing.opponent),
        variant: variant
            .transpose()
            .map_err(|error: noughts_rules::VariantError| error.to_string())?,
        open,
        played: true,
        limit: Some(LISTED + 1),
        ..GameFilter::default()
    })
}
