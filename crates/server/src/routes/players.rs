//! `/players` and `/players/{name}`: the list of players, and a player's record.

use axum::extract::{Path, State};
use maud::Markup;
use noughts_store::{Name, PlayerFilter};
use serde::Deserialize;

use crate::app::App;
use crate::error::{ApiError, ApiErrorKind};
use crate::extract::QueryParams;
use crate::view::pages;

/// Players per page of the list, and variants and opponents per page of a record.
const PAGE_SIZE: u32 = 50;

#[derive(Deserialize)]
pub(super) struct PlayersPageParams {
    /// Where the previous page ended.
    after: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct PlayerPageParams {
    /// How many variants and opponents are on earlier pages.
    #[serde(default)]
    from: u32,
}

pub(super) async fn players(
    State(app): State<App>,
    QueryParams(params): QueryParams<PlayersPageParams>,
) -> Result<Markup, ApiError> {
    let after = params.after.as_deref().map(str::parse).transpose();
    let after = after.map_err(|message: String| ApiErrorKind::BadRequest.error(message))?;
    let filter = PlayerFilter {
        played: true,
        after,
        limit: Some(PAGE_SIZE),
    };
    let page = app.config.store.players(&filter).await?;
    Ok(pages::players(&page, after.is_some()))
}

pub(super) async fn player(
    State(app): State<App>,
    Path(name): Path<String>,
    QueryParams(params): QueryParams<PlayerPageParams>,
) -> Result<Markup, ApiError> {
    let not_found = || ApiErrorKind::NotFound.error("there's no player with this name");
    let name = Name::new(&name).map_err(|_| not_found())?;
    let record = app
        .config
        .store
        .player_record_page(&name, params.from, PAGE_SIZE);
    let record = record.await?.ok_or_else(not_found)?;
    let next = record
        .has_more
        .then(|| params.from.saturating_add(PAGE_SIZE));
    Ok(pages::player(&record, params.from, next))
}
