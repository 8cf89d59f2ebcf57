//! `/players` and `/players/{name}`: everybody, and one's record.

use axum::extract::{Path, Query, State};
use noughts_store::{Name, PlayerFilter};
use serde::Deserialize;

use super::PageResponse;
use crate::app::App;
use crate::error::{Error, Kind};
use crate::view::pages;

/// Players on a page, and games and opponents in a record.
const LISTED: u32 = 50;

#[derive(Deserialize)]
pub(super) struct PlayersParams {
    /// Where the page before ended.
    after: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct PlayerParams {
    /// How many games and opponents come before this page.
    #[serde(default)]
    from: u32,
}

pub(super) async fn players(
    State(app): State<App>,
    Query(wanted): Query<PlayersParams>,
) -> Result<PageResponse, Error> {
    let after = wanted.after.as_deref().map(str::parse).transpose();
    let after = after.map_err(|what: String| Error::new(Kind::BadRequest, what))?;
    let filter = PlayerFilter {
        played: true,
        after,
        limit: Some(LISTED),
    };
    let page = app.config.store.players(&filter).await?;
    Ok(PageResponse(pages::players(&page, after.is_some())))
}

pub(super) async fn player(
    State(app): State<App>,
    Path(name): Path<String>,
    Query(wanted): Query<PlayerParams>,
) -> Result<PageResponse, Error> {
    let nobody = || Error::new(Kind::NotFound, "there is no player of this name");
    let name = Name::new(&name).map_err(|_| nobody())?;
    let record = app
        .config
        .store
        .player_record_page(&name, wanted.from, LISTED);
    let record = record.await?.ok_or_else(nobody)?;
    let next = record.has_more.then(|| wanted.from.saturating_add(LISTED));
    Ok(PageResponse(pages::player(&record, wanted.from, next)))
}
